"""How ``riverlog consume`` prints a record: plain, by a format, or as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from riverlog.cli.errors import BadOption
from riverlog.cli.output import json_bytes

if TYPE_CHECKING:
    from riverlog.records.decoder import Record


class Row(NamedTuple):
    """A record and where it comes from."""

    topic: str
    partition: int
    record: Record


Renderer = Callable[[Row], bytes]


def renderer(*, as_json: bool, form: str | None, keys: bool, headers: bool) -> Renderer:
    if as_json:
        return _render_json
    if form is not None:
        return compile_format(form)
    return compile_format(("%h\\t" if headers else "") + ("%k\\t" if keys else "") + "%s\\n")


def _render_json(row: Row) -> bytes:
    record = row.record
    shown = {
        "topic": row.topic,
        "partition": row.partition,
        "offset": record.offset,
        "timestamp": record.timestamp,
        **json_bytes("key", record.key),
        **json_bytes("value", record.value),
        "headers": [{"key": key, **json_bytes("value", value)} for key, value in record.headers],
    }
    return json.dumps(shown, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def _size(data: bytes | None) -> bytes:
    return b"-1" if data is None else b"%d" % len(data)


def _joined(headers: list[tuple[str, bytes | None]]) -> bytes:
    return b",".join(key.encode("utf-8", "surrogateescape") + b"=" + (value or b"") for key, value in headers)


_FIELDS: dict[str, Renderer] = {
    "t": lambda row: row.topic.encode(),
    "p": lambda row: b"%d" % row.partition,
    "o": lambda row: b"%d" % row.record.offset,
    "T": lambda row: b"%d" % row.record.timestamp,
    "k": lambda row: row.record.key or b"",
    "s": lambda row: row.record.value or b"",
    "K": lambda row: _size(row.record.key),
    "S": lambda row: _size(row.record.value),
    "h": lambda row: _joined(row.record.headers),
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "\\": "\\"}


def compile_format(text: str) -> Renderer:
    """A format string as a function; ``BadOption`` for a field or escape there is not."""
    pieces: list[Renderer | bytes] = []
    for match in re.finditer(r"%(?P<field>.?)|\\(?P<escape>.?)|(?P<text>[^%\\]+)", text, re.DOTALL):
        field, escape = match["field"], match["escape"]
        if field == "%":
            pieces.append(b"%")
        elif field is not None:
            if field not in _FIELDS:
                raise BadOption(f"--format: unknown field %{field} (known: %{' %'.join(_FIELDS)})")
            pieces.append(_FIELDS[field])
        elif escape is not None:
            if escape not in _ESCAPES:
                raise BadOption(f"--format: unknown escape \\{escape}")
            pieces.append(_ESCAPES[escape].encode())
        else:
            pieces.append(match["text"].encode())
    return lambda row: b"".join([piece if isinstance(piece, bytes) else piece(row) for piece in pieces])
