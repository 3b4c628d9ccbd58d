"""What the clients of the fault run were told, and what must be true of it in the end.

The final log decides: every acknowledged record is in it once and where it was said to be, each key in
order; readers saw nothing else than what it holds; groups never went back behind what they committed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Place(NamedTuple):
    partition: int
    offset: int


class Record(NamedTuple):
    key: bytes
    value: bytes


FinalLog = Mapping[int, Sequence[Record]]
"""Every record of each partition; the index is the offset."""


@dataclass
class ProducerNotes:
    name: str
    number: int
    sent: int = 0
    acknowledged: dict[int, Place] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)


class ReaderNotes:
    """A reader that goes from offset 0 without a gap."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.values: dict[int, list[bytes]] = {}

    def saw(self, place: Place, value: bytes) -> None:
        known = self.values.setdefault(place.partition, [])
        assert place.offset == len(known), f"{self.name} got {place} after {len(known) - 1}"
        known.append(value)


class GroupNotes:
    """One member of a group: events in its own order, with the time where members are compared."""

    def __init__(self, name: str, group: str) -> None:
        self.name = name
        self.group = group
        self.read: dict[Place, bytes] = {}
        self.starts: list[tuple[int, Place]] = []
        """When a partition was assigned, and the first offset read from it then."""
        self.commits: list[tuple[int, dict[int, int]]] = []
        self._position: dict[int, int] = {}
        self._assigned_at: dict[int, int] = {}

    def assigned(self, when_ms: int, partitions: Iterable[int]) -> None:
        for partition in partitions:
            self._position.pop(partition, None)
            self._assigned_at[partition] = when_ms

    def saw(self, place: Place, value: bytes) -> None:
        known = self.read.setdefault(place, value)
        assert known == value, f"{self.name}: {place} was {known!r} and is {value!r}"
        expected = self._position.get(place.partition)
        if expected is None:
            self.starts.append((self._assigned_at[place.partition], place))
        else:
            assert place.offset == expected, f"{self.name} got {place}, not offset {expected}"
        self._position[place.partition] = place.offset + 1

    def committed(self, when_ms: int, ends: dict[int, int]) -> None:
        self.commits.append((when_ms, ends))


def check_producer(notes: ProducerNotes, log: FinalLog) -> None:
    """Nothing lost, nothing twice, nothing moved, each key in order."""
    assert not notes.refused, f"{notes.name}: refused for good: {notes.refused[:5]} …"
    prefix = b"%d." % notes.number
    found: dict[int, Place] = {}
    newest: dict[bytes, int] = {}
    for partition, records in log.items():
        for offset, record in enumerate(records):
            if not record.value.startswith(prefix):
                continue
            number = int(record.value.removeprefix(prefix))
            place = Place(partition, offset)
            assert number not in found, f"{notes.name}: {number} is at {found[number]} and at {place}"
            found[number] = place
            before = newest.get(record.key, -1)
            assert number > before, f"{notes.name}: {number} at {place} comes after {before}"
            newest[record.key] = number
    lost = sorted(set(notes.acknowledged) - set(found))
    assert not lost, f"{notes.name}: lost {len(lost)} acknowledged records, the first {lost[:5]}"
    for number, place in notes.acknowledged.items():
        # a repeated request may be answered without an offset
        assert place.offset < 0 or found[number] == place, (
            f"{notes.name}: {number} was said to be at {place} and is at {found[number]}"
        )
    assert max(found, default=-1) < notes.sent, f"{notes.name}: the log holds what was never sent"


def check_reader(notes: ReaderNotes, log: FinalLog) -> None:
    for partition, records in log.items():
        seen = notes.values.get(partition, [])
        for offset, (value, record) in enumerate(zip(seen, records, strict=False)):
            assert value == record.value, f"{notes.name}: {partition}@{offset} was {value!r}, is {record}"
        assert len(seen) == len(records), f"{notes.name} saw {len(seen)} of {len(records)} in {partition}"


def check_group(members: Sequence[GroupNotes], log: FinalLog, committed: Mapping[int, int]) -> None:
    """All was read by somebody; nobody began before what was committed; commits are at the end."""
    read: set[Place] = set()
    for member in members:
        for place, value in member.read.items():
            records = log[place.partition]
            there = records[place.offset].value if place.offset < len(records) else None
            assert there == value, f"{member.name}: {place} was {value!r} and is {there!r}"
        read |= set(member.read)
    missed = [
        Place(partition, offset)
        for partition, records in log.items()
        for offset in range(len(records))
        if (partition, offset) not in read
    ]
    assert not missed, f"group {members[0].group} never got {len(missed)} records, the first {missed[:5]}"
    _check_starts(members)
    for member in members:
        for _, ends in member.commits:
            for partition, end in ends.items():
                assert committed.get(partition, 0) >= end, f"{member.name}: commit {partition}@{end} is lost"


def _check_starts(members: Sequence[GroupNotes]) -> None:
    commits = [(when, ends, member.name) for member in members for when, ends in member.commits]
    for member in members:
        for assigned_at, place in member.starts:
            for when, ends, name in commits:
                end = ends.get(place.partition, 0)
                assert when >= assigned_at or end <= place.offset, (
                    f"{member.name} began at {place} at {assigned_at}; {name} committed {end} at {when}"
                )
