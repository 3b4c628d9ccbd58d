"""Texts of options → values: offsets and timestamps as JSON, durations, patterns of topic names."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import re2

from riverlog.base.config_types import BadValue
from riverlog.client.cluster import TopicPartition

EARLIEST = -2
LATEST = -1
LONG_MAX = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Everywhere:
    """``EARLIEST`` or ``LATEST``, in all partitions."""

    offset: int


@dataclass(frozen=True)
class PerPartition:
    """An offset for each partition; ``EARLIEST`` and ``LATEST`` stand for themselves."""

    offsets: dict[TopicPartition, int]


@dataclass(frozen=True, slots=True)
class OfGroup:
    """What a consumer group has committed; ``None`` means the group of another option."""

    group: str | None


@dataclass(frozen=True, slots=True)
class AtTime:
    """The first record of this time or later, in all partitions."""

    timestamp: int


@dataclass(frozen=True)
class AtTimes:
    """The first record of this time or later, for each partition."""

    timestamps: dict[TopicPartition, int]


StartingOffsets = Everywhere | PerPartition | OfGroup
EndingOffsets = Everywhere | PerPartition
Limit = Everywhere | PerPartition | OfGroup | AtTime | AtTimes


def parse_starting_offsets(text: str) -> StartingOffsets:
    text = text.strip()
    if text.lower() in ("earliest", "latest"):
        return Everywhere(EARLIEST if text.lower() == "earliest" else LATEST)
    kind, colon, group = text.partition(":")
    if kind.strip().lower() == "group":
        if colon and not group.strip():
            raise BadValue("there is no group behind the colon")
        return OfGroup(group.strip() or None)
    return PerPartition(parse_partition_numbers(text, low=EARLIEST))


def parse_ending_offsets(text: str) -> EndingOffsets:
    if text.strip().lower() == "latest":
        return Everywhere(LATEST)
    if text.strip().lower() == "earliest":
        raise BadValue("nothing ends at the earliest offset")
    return PerPartition(parse_partition_numbers(text, low=LATEST))


def parse_times(text: str) -> AtTimes:
    return AtTimes(parse_partition_numbers(text, low=0))


def parse_partition_numbers(text: str, *, low: int) -> dict[TopicPartition, int]:
    """``{"topic": {"0": 23, "1": -1}}``."""
    found: dict[TopicPartition, int] = {}
    for topic, numbers in _object(text).items():
        if not isinstance(numbers, dict):
            raise BadValue(f"what belongs to {topic!r} is not an object of partitions")
        for partition, number in numbers.items():
            if not partition.isascii() or not partition.isdecimal():
                raise BadValue(f"{partition!r} of {topic!r} is not a partition number")
            if not _is_whole(number) or not low <= number <= LONG_MAX:
                raise BadValue(f"{json.dumps(number)} of {topic!r}, partition {partition} cannot be")
            found[topic, int(partition)] = number
    if not found:
        raise BadValue("no partition is named")
    return found


def parse_assignment(text: str) -> tuple[TopicPartition, ...]:
    """``{"topic": [0, 1]}``."""
    found: dict[TopicPartition, None] = {}
    for topic, partitions in _object(text).items():
        if not isinstance(partitions, list) or not all(_is_whole(row) and row >= 0 for row in partitions):
            raise BadValue(f"what belongs to {topic!r} is not a list of partition numbers")
        found |= dict.fromkeys((topic, partition) for partition in partitions)
    if not found:
        raise BadValue("no partition is named")
    return tuple(sorted(found))


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=_without_repeats)
    except json.JSONDecodeError as problem:
        raise BadValue(f"this is no JSON ({problem.msg} at character {problem.pos + 1})") from None
    if not isinstance(value, dict):
        raise BadValue("this is no JSON object")
    return value


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise BadValue("a name is there twice")
    return value


def _is_whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def parse_topics(text: str) -> tuple[str, ...]:
    topics = tuple(dict.fromkeys(filter(None, (part.strip() for part in text.split(",")))))
    if not topics:
        raise BadValue("")
    return topics


def parse_pattern(text: str) -> str:
    """A regular expression of RE2, which is a Java one without look-around and back-references."""
    if not text.strip():
        raise BadValue("")
    try:
        compile_pattern(text.strip())
    except re2.error as problem:
        words = problem.args[0] if problem.args else problem
        reason = words.decode() if isinstance(words, bytes) else str(words)
        raise BadValue(f"this is no regular expression of RE2 ({reason})") from None
    return text.strip()


def compile_pattern(pattern: str) -> Any:
    quiet = re2.Options()
    quiet.log_errors = False
    return re2.compile(pattern, quiet)


_DURATION = re.compile(r"(-?[0-9]{1,18})\s*([a-z]*)", re.ASCII)
_UNITS_MS = {
    "": 1.0, "us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0, "min": 60_000.0, "h": 3_600_000.0,
    "d": 86_400_000.0,
}  # fmt: skip


def parse_duration_ms(text: str) -> int:
    """Milliseconds of a Spark duration: a whole number with a unit, or without one for milliseconds."""
    match = _DURATION.fullmatch(text.strip().lower())
    if match is None or match[2] not in _UNITS_MS or int(match[1]) < 0:
        raise BadValue("")
    return int(int(match[1]) * _UNITS_MS[match[2]])


_BYTES = re.compile(r"([0-9]{1,18})\s*([kmgt]?)(?:i?b)?", re.ASCII)


def parse_bytes(text: str) -> int:
    """A number of bytes as in Spark: ``64m``, ``1g``, ``65536``; units are powers of 1024."""
    match = _BYTES.fullmatch(text.strip().lower())
    if match is None or not 0 < (count := int(match[1]) << (10 * " kmgt".index(match[2] or " "))) <= LONG_MAX:
        raise BadValue("")
    return count
