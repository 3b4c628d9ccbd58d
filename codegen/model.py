"""What a schema says, as plain data."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

LAST_VERSION = 32767

PRIMITIVES = {
    "bool": "?",
    "int8": "b",
    "int16": "h",
    "uint16": "H",
    "int32": "i",
    "uint32": "I",
    "int64": "q",
    "float64": "d",
    "uuid": "16s",
}
"""Types of a fixed width, with their ``struct`` code."""

VARIABLE = ("string", "bytes", "records")


class SchemaError(Exception):
    """A schema file that makes no sense; the text says where."""


@dataclass(frozen=True)
class Versions:
    """``low … high``, both included. ``LAST_VERSION`` as ``high`` means open-ended."""

    low: int
    high: int

    def __contains__(self, version: int) -> bool:
        return self.low <= version <= self.high

    def covers(self, other: Versions) -> bool:
        return self.low <= other.low and other.high <= self.high

    def __str__(self) -> str:
        if self == NO_VERSIONS:
            return "none"
        if self.high == LAST_VERSION:
            return f"{self.low}+"
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


NO_VERSIONS = Versions(LAST_VERSION, -1)


def parse_versions(text: str) -> Versions:
    """``none``, ``3``, ``3+`` or ``3-7``."""
    if text == "none":
        return NO_VERSIONS
    match = re.fullmatch(r"(\d+)(?:(\+)|-(\d+))?", text)
    if match is None:
        raise SchemaError(f"not a version range: {text!r}")
    low = int(match[1])
    if match[2]:
        return Versions(low, LAST_VERSION)
    return Versions(low, int(match[3]) if match[3] else low)


@dataclass(frozen=True)
class Field:
    """One field of a struct. ``default`` is the text of the schema; "" means the type's own zero."""

    name: str
    type: str
    array: bool
    versions: Versions
    nullable: Versions
    default: str
    ignorable: bool
    tag: int
    """-1 when never tagged."""
    tagged: Versions
    flexible: bool
    """False for the one field that keeps its old form in flexible versions."""

    @property
    def is_struct(self) -> bool:
        return self.type[0].isupper()


@dataclass(frozen=True)
class Struct:
    name: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Message:
    """A request, response, header or record, with the structs it is made of (itself last)."""

    kind: str
    name: str
    key: int
    """-1 where Kafka gives none."""
    versions: Versions
    flexible: Versions
    unstable: bool
    listeners: tuple[str, ...]
    room: str
    """The folder its schema lies in."""
    structs: dict[str, Struct] = field(default_factory=dict)

    @property
    def body(self) -> Struct:
        return self.structs[self.name]

    @property
    def module(self) -> str:
        return snake_case(self.name)

    def all_versions(self) -> range:
        return range(self.versions.low, self.versions.high + 1)


def snake_case(name: str) -> str:
    """``KRaftVersionRecord`` → ``kraft_version_record``."""
    name = name.replace("KRaft", "Kraft")
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
