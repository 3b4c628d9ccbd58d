"""Java ``.properties`` text: ``key=value`` lines with comments, continuation lines and escapes."""

from __future__ import annotations

import re

_BLANKS = " \t\f"
_LINE = re.compile(r"\r\n|\r|\n")
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_UNICODE = re.compile(r"[0-9a-fA-F]{4}")


class PropertiesError(Exception):
    """Text that no ``.properties`` reader takes; the line is in the message."""


def parse_properties(text: str) -> dict[str, str]:
    """Keys in order of their last appearance wins, as ``java.util.Properties`` loads them."""
    found: dict[str, str] = {}
    for number, line in _logical_lines(text):
        key, value = _split(line)
        found[_unescape(key, number)] = _unescape(value, number)
    return found


def _logical_lines(text: str) -> list[tuple[int, str]]:
    """Lines without comments and blanks, continuations joined, with the number of their first line."""
    lines: list[tuple[int, str]] = []
    joined: str | None = None
    first = 0
    for number, raw in enumerate(_LINE.split(text), start=1):
        line = raw.lstrip(_BLANKS)
        if joined is None:
            if not line or line[0] in "#!":
                continue
            first = number
            joined = line
        else:
            joined += line
        backslashes = len(joined) - len(joined.rstrip("\\"))
        if backslashes % 2:
            joined = joined[:-1]
            continue
        lines.append((first, joined))
        joined = None
    if joined is not None:
        lines.append((first, joined))
    return lines


def _split(line: str) -> tuple[str, str]:
    """The key ends at the first unescaped ``=``, ``:`` or blank."""
    end = 0
    while end < len(line) and line[end] not in "=:" + _BLANKS:
        end += 2 if line[end] == "\\" else 1
    rest = line[end:].lstrip(_BLANKS)
    if rest[:1] in ("=", ":"):
        rest = rest[1:].lstrip(_BLANKS)
    return line[:end], rest


def _unescape(text: str, number: int) -> str:
    if "\\" not in text:
        return text
    out: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char != "\\":
            out.append(char)
            at += 1
            continue
        following = text[at + 1 : at + 2]
        at += 2
        if following == "u":
            digits = text[at : at + 4]
            if not _UNICODE.fullmatch(digits):
                raise PropertiesError(f"line {number}: \\u needs four hexadecimal digits")
            out.append(chr(int(digits, 16)))
            at += 4
        else:
            out.append(_ESCAPES.get(following, following))
    # Two halves of a surrogate pair may come as two escapes.
    return "".join(out).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def format_properties(values: dict[str, str], *, comment: str | None = None) -> str:
    """The text that ``parse_properties`` reads back as ``values``."""
    lines = [f"#{comment}"] if comment is not None else []
    for key, value in values.items():
        lines.append(f"{_escape(key, key=True)}={_escape(value, key=False)}")
    return "\n".join(lines) + "\n"


def _escape(text: str, *, key: bool) -> str:
    out: list[str] = []
    for at, char in enumerate(text):
        if char == " ":
            out.append("\\ " if key or at == 0 else " ")
        elif char in "\\=:#!":
            out.append("\\" + char)
        elif char in "\t\n\r\f":
            out.append("\\" + {"\t": "t", "\n": "n", "\r": "r", "\f": "f"}[char])
        elif " " < char <= "~":
            out.append(char)
        else:
            units = char.encode("utf-16-be", "surrogatepass")
            out.extend(f"\\u{units[i] << 8 | units[i + 1]:04X}" for i in range(0, len(units), 2))
    return "".join(out)
