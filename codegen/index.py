"""Writes the table of APIs and record types: what exists, without importing it."""

from __future__ import annotations

from codegen.model import Message, snake_case

_HEADER = '''"""Table of APIs and record types. Written by `python -m codegen`; do not edit."""

# fmt: off
# ruff: noqa: E501
# Layout is fixed by the generator, so that it does not depend on the version of a formatter.

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple
'''


def generate_index(messages: list[Message]) -> str:
    requests = sorted((m for m in messages if m.kind == "request"), key=lambda m: m.key)
    responses = {m.key: m for m in messages if m.kind == "response"}
    lines = ["", "", "class ApiKey(IntEnum):", '    """Kafka\'s API keys."""', ""]
    lines += [f"    {_api_name(m).upper()} = {m.key}" for m in requests]
    lines += [
        "",
        "",
        "class ApiRow(NamedTuple):",
        '    """Versions are both included; flexible_from is 32767 where no version is flexible."""',
        "",
        "    name: str",
        "    request: str",
        "    response: str",
        "    low: int",
        "    high: int",
        "    request_flexible_from: int",
        "    response_flexible_from: int",
        "    latest_unstable: bool",
        "    listeners: tuple[str, ...]",
        "",
        "",
        "APIS: Final[dict[int, ApiRow]] = {",
    ]
    for m in requests:
        response = responses[m.key]
        if response.versions != m.versions:
            raise ValueError(f"{m.name} and {response.name} have different versions")
        row = (
            m.name.removesuffix("Request"),
            m.module,
            response.module,
            m.versions.low,
            m.versions.high,
            m.flexible.low,
            response.flexible.low,
            m.unstable,
            tuple(m.listeners),
        )
        lines.append(f"    {m.key}: ApiRow({', '.join(map(_literal, row))}),")
    lines.append("}")
    lines += ["", "METADATA_RECORDS: Final[dict[int, str]] = {"]
    records = sorted((m for m in messages if m.room == "metadata"), key=lambda m: m.key)
    lines += [f'    {m.key}: "{m.module}",' for m in records]
    lines.append("}")
    for room in ("group", "transaction", "share"):
        lines += _coordinator(room, [m for m in messages if m.room == room])
    return _HEADER + "\n".join(lines) + "\n"


def _coordinator(room: str, messages: list[Message]) -> list[str]:
    values = {m.key: m.module for m in messages if m.kind == "coordinator-value"}
    lines = ["", f"{room.upper()}_RECORDS: Final[dict[int, tuple[str, str]]] = {{"]
    keys = sorted((m for m in messages if m.kind == "coordinator-key"), key=lambda m: m.key)
    lines += [f'    {m.key}: ("{m.module}", "{values[m.key]}"),' for m in keys]
    return [*lines, "}"]


def _api_name(message: Message) -> str:
    return snake_case(message.name.removesuffix("Request"))


def _literal(value: object) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_literal, value)) + ("," if len(value) == 1 else "") + ")"
    return f'"{value}"' if isinstance(value, str) else repr(value)
