"""Puts one generated module together."""

from __future__ import annotations

from codegen.decoder import Decoder
from codegen.encoder import Encoder, has_records
from codegen.model import Message, Struct
from codegen.types import default, fresh_default, python_type
from codegen.writer import Needs, code_name

_HEADER = '''"""{title}. Written by `python -m codegen` from schemas/{room}; do not edit."""

# fmt: off
# ruff: noqa: A001, ARG001, N816
# Layout is fixed by the generator, so that it does not depend on the version of a formatter.
'''


def generate(message: Message) -> str:
    needs = Needs()
    needs.helpers.update(("MALFORMED", "UNFIT", "Wire", "DecodeError", "EncodeError"))
    decoders = _bodies(message, needs, Decoder)
    encoders = _bodies(message, needs, Encoder)
    classes = [line for struct in message.structs.values() for line in _class(struct, needs)]
    parted = has_records(message)
    if parted:
        needs.helpers.update(("Part", "join_parts"))
    body: list[str] = []
    for index, (versions, lines) in enumerate(decoders):
        body += ["", "", f"def _decode_{index}(buffer: memoryview, p: int) -> tuple[{message.name}, int]:"]
        body += [f'    """Versions {versions}."""', *lines]
    result = "list[Part]" if parted else "bytes"
    for index, (versions, lines) in enumerate(encoders):
        body += ["", "", f"def _encode_{index}(message: {message.name}) -> {result}:"]
        body += [f'    """Versions {versions}."""', *lines]
    text = _HEADER.format(title=message.name, room=message.room)
    lines = [*_imports(needs), *_constants(message), *_structs(needs), *classes, *_defaults(needs)]
    lines += [*body, *_tables(message, decoders, encoders), *_entries(message, parted)]
    return text + "\n".join(lines) + "\n"


def _bodies(message: Message, needs: Needs, maker: type[Decoder | Encoder]) -> list[tuple[str, list[str]]]:
    """One function per distinct body, with the versions that share it."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for version in message.all_versions():
        groups.setdefault(tuple(maker(message, version, needs).body()), []).append(version)
    return [(", ".join(map(str, versions)), list(lines)) for lines, versions in groups.items()]


def _imports(needs: Needs) -> list[str]:
    errors = sorted(needs.helpers & {"DecodeError", "EncodeError"})
    helpers = sorted(needs.helpers - set(errors), key=str.lower)
    lines = ["", "from __future__ import annotations", ""]
    lines += ["from collections.abc import Callable", "from dataclasses import dataclass"]
    if needs.packs or needs.unpacks or needs.iters:
        lines.append("from struct import Struct")
    lines += ["from typing import Final", ""]
    lines += [f"from riverlog.protocol.errors import {', '.join(errors)}"]
    return [*lines, "from riverlog.protocol.primitives import (", *(f"    {name}," for name in helpers), ")"]


def _constants(message: Message) -> list[str]:
    low, high = message.versions.low, message.versions.high
    return [
        "",
        f'NAME: Final = "{message.name}"',
        f"API_KEY: Final = {message.key}",
        f"VERSIONS: Final[tuple[int, int]] = ({low}, {high})",
        f"FLEXIBLE_FROM: Final = {message.flexible.low}",
        f"LATEST_UNSTABLE: Final = {message.unstable}",
    ]


def _structs(needs: Needs) -> list[str]:
    lines: list[str] = []
    for prefix, method, used in (
        ("unpack", "unpack_from", needs.unpacks),
        ("iter", "iter_unpack", needs.iters),
        ("pack", "pack", needs.packs),
    ):
        lines += [f'_{prefix}_{code_name(codes)} = Struct(">{codes}").{method}' for codes in sorted(used)]
    return ["", *lines] if lines else []


def _class(struct: Struct, needs: Needs) -> list[str]:
    """A slotted dataclass with its ``__init__`` written out: ``@dataclass`` takes 0.5 ms to write one."""
    slots = ", ".join(f'"{field.name}"' for field in struct.fields) + ("," if len(struct.fields) == 1 else "")
    lines = ["", "", "@dataclass(init=False, repr=False, eq=False)", f"class {struct.name}(Wire):"]
    lines += [f'    """{struct.name}."""', "", f"    __slots__ = ({slots})", ""]
    lines += [f"    {field.name}: {python_type(field)}" for field in struct.fields]
    if not struct.fields:
        return lines[:-1]
    lines += ["", "    def __init__(", "        self,"]
    for field in struct.fields:
        fresh = fresh_default(field)
        value = needs.helper("UNSET") if fresh else default(field)
        if value == "ZERO_UUID":
            needs.helper(value)
        if field.type == "records":
            needs.helper("Part")
        lines.append(f"        {field.name}: {python_type(field)} = {value},")
    lines.append("    ) -> None:")
    for field in struct.fields:
        fresh = fresh_default(field)
        value = f"{fresh} if {field.name} is UNSET else {field.name}" if fresh else field.name
        lines.append(f"        self.{field.name} = {value}")
    return lines


def _defaults(needs: Needs) -> list[str]:
    if not needs.defaults:
        return []
    return ["", "", *(f"_DEFAULT_{name}: Final = {name}()" for name in sorted(needs.defaults))]


def _tables(
    message: Message, decoders: list[tuple[str, list[str]]], encoders: list[tuple[str, list[str]]]
) -> list[str]:
    result = "list[Part]" if has_records(message) else "bytes"
    lines = ["", ""]
    for kind, groups, signature in (
        ("decode", decoders, f"Callable[[memoryview, int], tuple[{message.name}, int]]"),
        ("encode", encoders, f"Callable[[{message.name}], {result}]"),
    ):
        lines.append(f"_{kind.upper()}RS: Final[dict[int, {signature}]] = {{")
        rows = [(int(v), i) for i, (versions, _) in enumerate(groups) for v in versions.split(", ")]
        lines += [f"    {version}: _{kind}_{index}," for version, index in sorted(rows)]
        lines.append("}")
    return lines


def _entries(message: Message, parted: bool) -> list[str]:
    name = message.name
    lines = [
        "",
        "",
        f"def decode(buffer: memoryview, position: int, version: int) -> tuple[{name}, int]:",
        '    """The message at ``position`` and the position after it."""',
        "    decoder = _DECODERS.get(version)",
        "    if decoder is None:",
        f'        raise DecodeError(f"{name} has no version {{version}}")',
        "    try:",
        "        result = decoder(buffer, position)",
        "    except MALFORMED as error:",
        f'        raise DecodeError(f"{name} v{{version}}: {{error}}") from error',
        "    if result[1] > len(buffer):",
        f'        raise DecodeError(f"{name} v{{version}} is cut short")',
        "    return result",
        "",
        "",
    ]
    if parted:
        lines += [
            f"def encode_parts(message: {name}, version: int) -> list[Part]:",
            '    """The encoded message in pieces; records are passed on as they are."""',
        ]
    else:
        lines += [
            f"def encode(message: {name}, version: int) -> bytes:",
            '    """The encoded message."""',
        ]
    lines += [
        "    encoder = _ENCODERS.get(version)",
        "    if encoder is None:",
        f'        raise EncodeError(f"{name} has no version {{version}}")',
        "    try:",
        "        return encoder(message)",
        "    except UNFIT as error:",
        f'        raise EncodeError(f"{name} v{{version}}: {{error}}") from error',
    ]
    if parted:
        lines += [
            "",
            "",
            f"def encode(message: {name}, version: int) -> bytes:",
            '    """The encoded message in one piece; file slices are read."""',
            "    return join_parts(encode_parts(message, version))",
        ]
    return lines
