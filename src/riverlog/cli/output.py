"""What commands print: JSON, tables, counts."""

from __future__ import annotations

import base64
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

_WIDE = 500
"""Columns of a table that goes to a file or a pipe, where nothing may be cut."""


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None))


def console() -> Console:
    from rich.console import Console

    return Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=_WIDE)


def print_table(columns: list[str], rows: list[list[str]], *, right: frozenset[str] = frozenset()) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in columns:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console().print(table)


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def json_bytes(name: str, data: bytes | None) -> dict[str, str | None]:
    """A field that text survives as it is, and other bytes as ``name_base64``."""
    if data is None:
        return {name: None}
    try:
        return {name: data.decode()}
    except UnicodeDecodeError:
        return {f"{name}_base64": base64.b64encode(data).decode()}
