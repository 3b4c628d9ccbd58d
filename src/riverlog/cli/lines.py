"""Lines of ``riverlog produce`` as records: plain, with a key in front, or JSON."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from riverlog.cli.errors import UserError

_FIELDS = {"key", "key_base64", "value", "value_base64", "headers", "partition", "timestamp"}
_SHOWN = {"topic", "offset"}
"""What ``consume --json`` prints and a producer cannot choose: taken and left aside."""


@dataclass(slots=True)
class Line:
    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes | None]] = field(default_factory=list)
    partition: int | None = None
    timestamp: int | None = None


def line_parser(*, as_json: bool, key_separator: str | None) -> Callable[[bytes, int], Line]:
    """How to read a line (without its end), given its number."""
    if as_json:
        return parse_json
    if key_separator is None:
        return _parse_plain
    separator = key_separator.replace("\\t", "\t").encode()
    return lambda line, number: _parse_keyed(line, number, separator)


def _parse_plain(line: bytes, _number: int) -> Line:
    return Line(None, line)


def _parse_keyed(line: bytes, number: int, separator: bytes) -> Line:
    key, found, value = line.partition(separator)
    if not found:
        raise UserError(f"line {number} has no key separator {separator.decode('utf-8', 'replace')!r}")
    return Line(key, value)


def parse_json(line: bytes, number: int) -> Line:
    """One JSON object; a value that is no string is sent as JSON."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise UserError(f"line {number} is not JSON: {problem}") from None
    if not isinstance(row, dict):
        raise UserError(f"line {number} is not a JSON object")
    unknown = sorted(set(row) - _FIELDS - _SHOWN)
    if unknown:
        raise UserError(
            f"line {number} has an unknown field {unknown[0]!r} (known: {', '.join(sorted(_FIELDS))})"
        )
    return Line(
        _content(row, "key", number),
        _content(row, "value", number),
        _headers(row.get("headers"), number),
        _whole(row, "partition", number),
        _whole(row, "timestamp", number),
    )


def _content(row: dict[str, Any], name: str, number: int) -> bytes | None:
    encoded = row.get(f"{name}_base64")
    if encoded is not None:
        try:
            return base64.b64decode(encoded, validate=True)
        except (binascii.Error, TypeError, ValueError):
            raise UserError(f"line {number}: {name}_base64 is not base64") from None
    return _as_bytes(row.get(name))


def _as_bytes(value: Any) -> bytes | None:
    if value is None:
        return None
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _headers(value: Any, number: int) -> list[tuple[str, bytes | None]]:
    """An object, or a list of pairs where a key comes twice or order matters."""
    if value is None:
        return []
    pairs = list(value.items()) if isinstance(value, dict) else value
    if not isinstance(pairs, list):
        raise UserError(f"line {number}: headers must be an object or a list of pairs")
    found: list[tuple[str, bytes | None]] = []
    for pair in pairs:
        match pair:
            case (str(key), content) | [str(key), content]:
                found.append((key, _as_bytes(content)))
            case {"key": str(key), "value_base64": str(content)}:
                found.append((key, _content({"value_base64": content}, "value", number)))
            case {"key": str(key), **rest}:
                found.append((key, _as_bytes(rest.get("value"))))
            case _:
                raise UserError(f"line {number}: {json.dumps(pair)} is not a header")
    return found


def _whole(row: dict[str, Any], name: str, number: int) -> int | None:
    value = row.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 63:
        raise UserError(f"line {number}: {name} must be a whole number, not {json.dumps(value)}")
    return value
