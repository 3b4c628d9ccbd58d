"""Commits, transactions, tombstones and markers in any order: a plain model says what must be committed, and
a machine that loads the log, compacted or not, says the same as the one that wrote it."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from riverlog.coordinator.decision import CoordinatorRecord
from riverlog.coordinator.group.machine import GroupMachine
from riverlog.coordinator.group.records import offset_commit, offset_tombstone
from riverlog.protocol.generated.offset_commit_value import OffsetCommitValue
from riverlog.sim.rng import SimRng
from tests.unit.coordinator.modern_world import ModernWorld

STEPS = 120
GROUPS, PARTITIONS, PRODUCERS = ("g", "h"), 3, (1, 2, 3)
Key = tuple[str, int]


class Entry(NamedTuple):
    """One record or marker of the log."""

    offset: int
    producer_id: int
    record: CoordinatorRecord | None
    committed: bool = False

    @property
    def key(self) -> Key:
        assert self.record is not None
        key = self.record.key
        return key.group, key.partition  # type: ignore[attr-defined]


class History:
    """The log, and what it means by the words of the protocol alone."""

    def __init__(self) -> None:
        self.log: list[Entry] = []
        self.end = 0

    def append(self, producer_id: int, record: CoordinatorRecord | None, *, committed: bool = False) -> Entry:
        entry = Entry(self.end, producer_id, record, committed)
        self.end += 1
        self.log.append(entry)
        return entry

    def fate(self, entry: Entry) -> bool | None:
        """Whether the transaction of a record was committed; None while it is open."""
        if entry.producer_id < 0:
            return True
        markers = [one for one in self.log if one.record is None and one.producer_id == entry.producer_id]
        return next((one.committed for one in markers if one.offset > entry.offset), None)

    def committed(self) -> dict[Key, int]:
        """The last record of each key that counts; a tombstone counts for all before it."""
        found: dict[Key, int] = {}
        for entry in self.log:
            if entry.record is None or not self.fate(entry):
                continue
            value = entry.record.value
            if value is None:
                found.pop(entry.key, None)
            else:
                found[entry.key] = value.offset  # type: ignore[attr-defined]
        return found

    def pending(self) -> set[Key]:
        found: set[Key] = set()
        for entry in self.log:
            if entry.record is None:
                continue
            if entry.record.value is None:
                found.discard(entry.key)
            elif self.fate(entry) is None:
                found.add(entry.key)
        return found

    def compacted(self) -> list[Entry]:
        """What the cleaner leaves: below the last stable offset only the last of each key that counts."""
        open_ = [one.offset for one in self.log if one.record is not None and self.fate(one) is None]
        stable = min(open_, default=self.end)
        last: dict[Key, int] = {}
        for entry in self.log:
            if entry.record is not None and entry.offset < stable and self.fate(entry):
                last[entry.key] = entry.offset
        return [
            entry
            for entry in self.log
            if entry.record is None or entry.offset >= stable or last.get(entry.key) == entry.offset
        ]


def replay(machine: GroupMachine, entry: Entry, now_ms: int) -> None:
    if entry.record is None:
        machine.replay_marker(entry.producer_id, committed=entry.committed)
    else:
        record = entry.record
        machine.replay(entry.offset, now_ms, record.key, record.value, producer_id=entry.producer_id)


def told(machine: GroupMachine) -> tuple[dict[Key, int], set[Key]]:
    keys = [(group, partition) for group in GROUPS for partition in range(PARTITIONS)]
    offsets = machine.offsets
    found = {key: offsets.table.get(key[0], "t", key[1]) for key in keys}
    pending = {key for key in keys if offsets.is_pending(key[0], "t", key[1])}
    for group in GROUPS:
        assert offsets.has_open_transactions(group) == any(key[0] == group for key in pending)
    return {key: stored.offset for key, stored in found.items() if stored is not None}, pending


@pytest.mark.parametrize("seed", range(25))
def test_committed_and_pending_offsets_are_those_of_the_log(seed: int) -> None:
    rng = SimRng(seed)
    world = ModernWorld()
    world.topic("t", PARTITIONS)
    machine = world.machine
    history = History()
    for number in range(STEPS):
        group, partition = rng.choice(GROUPS), rng.random_int(0, PARTITIONS - 1)
        value = OffsetCommitValue(offset=number, commit_timestamp=world.now_ms)
        commit = offset_commit(group, "t", partition, value)
        match rng.random_int(0, 9):
            case 0 | 1:
                entry = history.append(-1, commit)
            case 2 | 3 | 4 | 5:
                entry = history.append(rng.choice(PRODUCERS), commit)
            case 6:
                entry = history.append(-1, offset_tombstone(group, "t", partition))
            case _:
                entry = history.append(rng.choice(PRODUCERS), None, committed=rng.chance(0.6))
        replay(machine, entry, world.now_ms)
        expected = (history.committed(), history.pending())
        assert told(machine) == expected
        if number % 20 == 19:
            for log in (history.log, history.compacted()):
                again = world._machine()
                for one in log:
                    replay(again, one, world.now_ms)
                assert told(again) == expected


def test_deletion_names_each_partition_once_and_leaves_nothing() -> None:
    world = ModernWorld()
    machine = world.machine
    value = OffsetCommitValue(offset=1)
    for offset, (producer_id, partition) in enumerate([(-1, 0), (1, 0), (2, 0), (1, 1), (2, 1), (3, 2)]):
        record = offset_commit("g", "t", partition, value)
        machine.replay(offset, 0, record.key, record.value, producer_id=producer_id)
    records = machine.offsets.deletion("g")
    assert records == [offset_tombstone("g", "t", partition) for partition in range(3)]
    for number, record in enumerate(records):
        machine.replay(10 + number, 0, record.key, record.value)
    assert told(machine) == ({}, set())
    assert machine.offsets.pending.tables == {}
    for producer_id in PRODUCERS:
        machine.replay_marker(producer_id, committed=True)
    assert told(machine) == ({}, set())
