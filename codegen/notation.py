"""Our schema notation, both ways. ``schemas/README.md`` describes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from codegen.model import (
    LAST_VERSION,
    NO_VERSIONS,
    PRIMITIVES,
    VARIABLE,
    Field,
    Message,
    SchemaError,
    Struct,
    Versions,
    parse_versions,
)

KINDS = ("request", "response", "header", "data", "metadata", "coordinator-key", "coordinator-value")
_INDENT = "    "
_FIELD = re.compile(r"(?P<name>[a-z][a-z0-9_]*): (?P<array>\[\])?(?P<type>[A-Za-z0-9]+)(?P<rest>.*)")
_REST = re.compile(
    r"(?P<null>\?(?P<nullable>[\d+-]+)?)?"
    r"(?: (?P<versions>\d[\d+-]*))?"
    r"(?: tag (?P<tag>\d+)(?: in (?P<tagged>[\d+-]+))?)?"
    r"(?: = (?P<default>\"\"|\S+))?"
    r"(?P<ignorable> ignorable)?"
    r"(?P<rigid> rigid)?"
)


@dataclass
class _Line:
    number: int
    depth: int
    text: str


def read_folder(folder: Path) -> list[Message]:
    """Every message under ``folder``, sorted by name."""
    messages: dict[str, Message] = {}
    for path in sorted(folder.rglob("*.txt")):
        room = path.parent.relative_to(folder).as_posix()
        for message in parse(path.read_text("utf-8"), room, str(path)):
            if message.name in messages:
                raise SchemaError(f"{path}: {message.name} is declared twice")
            messages[message.name] = message
    return [messages[name] for name in sorted(messages)]


def parse(text: str, room: str, source: str) -> list[Message]:
    """The messages of one file."""
    lines = list(_lines(text, source))
    starts = [i for i, line in enumerate(lines) if line.text.split(" ")[0] in KINDS and line.depth == 0]
    if lines and starts[:1] != [0]:
        raise SchemaError(f"{source}:{lines[0].number}: a file starts with a message line")
    ends = [*starts[1:], len(lines)]
    return [_message(lines[a:b], room, source) for a, b in zip(starts, ends, strict=True)]


def _lines(text: str, source: str) -> Iterator[_Line]:
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.split("#", 1)[0].rstrip()
        if not line:
            continue
        stripped = line.lstrip(" ")
        spaces = len(line) - len(stripped)
        if spaces % len(_INDENT):
            raise SchemaError(f"{source}:{number}: indent by four spaces")
        yield _Line(number, spaces // len(_INDENT), stripped)


def _message(lines: list[_Line], room: str, source: str) -> Message:
    head = lines[0]
    words = head.text.split(" ")
    options = dict(word.split("=", 1) for word in words[2:] if "=" in word)
    versions = parse_versions(options.pop("versions", "none"))
    if versions == NO_VERSIONS or versions.high == LAST_VERSION:
        raise SchemaError(f"{source}:{head.number}: a message needs a closed range of versions")
    message = Message(
        kind=words[0],
        name=words[1],
        key=int(options.pop("key", "-1")),
        versions=versions,
        flexible=parse_versions(options.pop("flexible", "none")),
        unstable="unstable" in words,
        listeners=tuple(filter(None, options.pop("listeners", "").split(","))),
        room=room,
    )
    if options:
        raise SchemaError(f"{source}:{head.number}: unknown option {min(options)}")
    _Body(message, lines[1:], source).read()
    return message


class _Body:
    """Reads the field lines of one message into ``message.structs``."""

    def __init__(self, message: Message, lines: list[_Line], source: str) -> None:
        self.message = message
        self.lines = lines
        self.source = source
        self.at = 0

    def read(self) -> None:
        fields = self._fields(1)
        while self.at < len(self.lines):
            line = self.lines[self.at]
            match = re.fullmatch(r"struct ([A-Z]\w*)", line.text)
            if line.depth != 0 or match is None:
                raise self._error(line, "expected a field or 'struct Name'")
            self.at += 1
            self._declare(match[1], self._fields(1), line)
        self._declare(self.message.name, fields, None)
        self._check_references()

    def _fields(self, depth: int) -> list[Field]:
        fields: list[Field] = []
        while self.at < len(self.lines) and self.lines[self.at].depth == depth:
            line = self.lines[self.at]
            self.at += 1
            field = self._field(line)
            fields.append(field)
            if self.at < len(self.lines) and self.lines[self.at].depth == depth + 1:
                if not field.is_struct:
                    raise self._error(line, "only a struct has fields of its own")
                self._declare(field.type, self._fields(depth + 1), line)
        return fields

    def _field(self, line: _Line) -> Field:
        match = _FIELD.fullmatch(line.text)
        rest = _REST.fullmatch(match["rest"]) if match else None
        if match is None or rest is None:
            raise self._error(line, f"not a field: {line.text!r}")
        type_name = match["type"]
        if type_name not in PRIMITIVES and type_name not in VARIABLE and not type_name[0].isupper():
            raise self._error(line, f"unknown type {type_name}")
        versions = parse_versions(rest["versions"]) if rest["versions"] else Versions(0, LAST_VERSION)
        nullable = NO_VERSIONS
        if rest["null"]:
            nullable = parse_versions(rest["nullable"]) if rest["nullable"] else versions
        tagged = NO_VERSIONS
        if rest["tag"]:
            tagged = parse_versions(rest["tagged"]) if rest["tagged"] else versions
        return Field(
            name=match["name"],
            type=type_name,
            array=bool(match["array"]),
            versions=versions,
            nullable=nullable,
            default=rest["default"] or "",
            ignorable=bool(rest["ignorable"]),
            tag=int(rest["tag"]) if rest["tag"] else -1,
            tagged=tagged,
            flexible=not rest["rigid"],
        )

    def _declare(self, name: str, fields: list[Field], line: _Line | None) -> None:
        if name in self.message.structs:
            raise self._error(line or self.lines[0], f"struct {name} is declared twice")
        self.message.structs[name] = Struct(name, tuple(fields))

    def _check_references(self) -> None:
        """Every struct is declared and none contains itself: that bounds the depth of any decode."""
        structs = self.message.structs

        def visit(name: str, above: tuple[str, ...]) -> None:
            if name not in structs or name in above:
                raise SchemaError(f"{self.source}: struct {name} is missing or contains itself")
            for field in structs[name].fields:
                if field.is_struct:
                    visit(field.type, (*above, name))

        visit(self.message.name, ())

    def _error(self, line: _Line, reason: str) -> SchemaError:
        return SchemaError(f"{self.source}:{line.number}: {reason}")


def render(message: Message, inline: dict[str, bool]) -> str:
    """The notation of one message. ``inline`` says which structs are written where they are used."""
    words = [message.kind, message.name]
    if message.key >= 0:
        words.append(f"key={message.key}")
    words.append(f"versions={message.versions}")
    words.append(f"flexible={message.flexible}")
    if message.unstable:
        words.append("unstable")
    if message.listeners:
        words.append("listeners=" + ",".join(message.listeners))
    lines = [" ".join(words)]
    lines += _render_fields(message, message.body, inline, 1)
    for struct in message.structs.values():
        if struct.name != message.name and not inline[struct.name]:
            lines += ["", f"struct {struct.name}", *_render_fields(message, struct, inline, 1)]
    return "\n".join(lines) + "\n"


def _render_fields(message: Message, struct: Struct, inline: dict[str, bool], depth: int) -> list[str]:
    lines: list[str] = []
    for field in struct.fields:
        lines.append(_INDENT * depth + _render_field(message, field))
        if field.is_struct and inline[field.type]:
            lines += _render_fields(message, message.structs[field.type], inline, depth + 1)
    return lines


def _render_field(message: Message, field: Field) -> str:
    """A range that holds for the whole message is left out."""
    text = f"{field.name}: {'[]' if field.array else ''}{field.type}"
    if field.nullable != NO_VERSIONS:
        whole = field.nullable == field.versions or field.nullable.covers(message.versions)
        text += "?" if whole else f"?{field.nullable}"
    if not field.versions.covers(message.versions):
        text += f" {field.versions}"
    if field.tag >= 0:
        text += f" tag {field.tag}"
        if field.tagged != field.versions and not field.tagged.covers(message.versions):
            text += f" in {field.tagged}"
    if field.default:
        text += f" = {field.default}"
    if field.ignorable:
        text += " ignorable"
    if not field.flexible:
        text += " rigid"
    return text
