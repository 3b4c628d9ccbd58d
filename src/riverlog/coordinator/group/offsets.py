"""Committed offsets of all groups of a shard.

A commit inside a transaction is kept aside until its marker comes. Of a transactional and a plain commit
the one with the later record wins: compaction may have removed any record between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from riverlog.coordinator.decision import CoordinatorRecord, Decision
from riverlog.coordinator.group.offsets_expiry import begin_housekeeping
from riverlog.coordinator.group.records import NO_TIMESTAMP, offset_tombstone
from riverlog.protocol.primitives import ZERO_UUID
from riverlog.records.header import NO_PRODUCER_ID

if TYPE_CHECKING:
    from riverlog.coordinator.group.machine import GroupMachine

ByPartition = dict[int, "StoredOffset"]
ByTopic = dict[str, ByPartition]


class StoredOffset:
    """One committed offset."""

    __slots__ = (
        "commit_timestamp",
        "expire_timestamp",
        "leader_epoch",
        "metadata",
        "offset",
        "record_offset",
        "topic_id",
    )

    def __init__(self, record_offset: int, value: Any) -> None:
        self.record_offset = record_offset
        """Where in the offsets topic it stands."""
        self.offset: int = value.offset
        self.metadata: str = value.metadata
        self.commit_timestamp: int = value.commit_timestamp
        # Values of before Kafka 0.10 lack the rest.
        self.leader_epoch: int = getattr(value, "leader_epoch", -1)
        self.expire_timestamp: int = getattr(value, "expire_timestamp", NO_TIMESTAMP)
        self.topic_id: bytes = getattr(value, "topic_id", ZERO_UUID)


class OffsetTable:
    """Offsets by group, topic and partition; empty levels are dropped."""

    __slots__ = ("groups",)

    def __init__(self) -> None:
        self.groups: dict[str, ByTopic] = {}

    def get(self, group_id: str, topic: str, partition: int) -> StoredOffset | None:
        topics = self.groups.get(group_id)
        partitions = None if topics is None else topics.get(topic)
        return None if partitions is None else partitions.get(partition)

    def put(self, group_id: str, topic: str, partition: int, stored: StoredOffset) -> None:
        topics = self.groups.get(group_id)
        if topics is None:
            topics = self.groups[group_id] = {}
        partitions = topics.get(topic)
        if partitions is None:
            partitions = topics[topic] = {}
        partitions[partition] = stored

    def remove(self, group_id: str, topic: str, partition: int) -> None:
        topics = self.groups.get(group_id)
        partitions = None if topics is None else topics.get(topic)
        if topics is None or partitions is None or partitions.pop(partition, None) is None:
            return
        if not partitions:
            del topics[topic]
            if not topics:
                del self.groups[group_id]

    def of(self, group_id: str) -> Iterator[tuple[str, int, StoredOffset]]:
        for topic, partitions in self.groups.get(group_id, {}).items():
            for partition, stored in partitions.items():
                yield topic, partition, stored


class PendingOffsets:
    """Commits of transactions that have not ended, by producer; and who commits what."""

    __slots__ = ("_producers", "tables")

    def __init__(self) -> None:
        self.tables: dict[int, OffsetTable] = {}
        self._producers: dict[str, dict[tuple[str, int], dict[int, None]]] = {}
        """By group and partition."""

    def put(self, producer_id: int, group_id: str, topic: str, partition: int, stored: StoredOffset) -> None:
        table = self.tables.get(producer_id)
        if table is None:
            table = self.tables[producer_id] = OffsetTable()
        table.put(group_id, topic, partition, stored)
        self._producers.setdefault(group_id, {}).setdefault((topic, partition), {})[producer_id] = None

    def take(self, producer_id: int) -> OffsetTable | None:
        """The transaction ended."""
        table = self.tables.pop(producer_id, None)
        if table is not None:
            for group_id in table.groups:
                for topic, partition, _ in table.of(group_id):
                    self._forget(group_id, (topic, partition), producer_id)
        return table

    def remove(self, group_id: str, topic: str, partition: int) -> None:
        """Whichever transactions commit this partition, they do not any more."""
        for producer_id in list(self._producers.get(group_id, {}).get((topic, partition), ())):
            table = self.tables[producer_id]
            table.remove(group_id, topic, partition)
            if not table.groups:
                del self.tables[producer_id]
            self._forget(group_id, (topic, partition), producer_id)

    def _forget(self, group_id: str, partition: tuple[str, int], producer_id: int) -> None:
        partitions = self._producers[group_id]
        producers = partitions[partition]
        del producers[producer_id]
        if not producers:
            del partitions[partition]
            if not partitions:
                del self._producers[group_id]

    def has(self, group_id: str, topic: str, partition: int) -> bool:
        partitions = self._producers.get(group_id)
        return partitions is not None and (topic, partition) in partitions

    def has_group(self, group_id: str) -> bool:
        return group_id in self._producers

    def of(self, group_id: str) -> Iterable[tuple[str, int]]:
        """Partitions that some transaction commits."""
        return self._producers.get(group_id, ())


class Offsets:
    """What is durable; requests are decided in ``offsets_api.py``, housekeeping in ``offsets_expiry.py``."""

    def __init__(self, machine: GroupMachine) -> None:
        self.machine = machine
        self.table = OffsetTable()
        self.pending = PendingOffsets()

    def is_pending(self, group_id: str, topic: str, partition: int) -> bool:
        """Whether a transaction that has not ended commits this partition."""
        return self.pending.has(group_id, topic, partition)

    def has_open_transactions(self, group_id: str) -> bool:
        return self.pending.has_group(group_id)

    # -- replaying -----------------------------------------------------------------------

    def replay(self, offset: int, timestamp_ms: int, key: Any, value: Any, *, producer_id: int) -> None:
        group_id, topic, partition = key.group, key.topic, key.partition
        if value is None:
            self.table.remove(group_id, topic, partition)
            self.pending.remove(group_id, topic, partition)
            return
        self.machine.simple_group(group_id, timestamp_ms)
        stored = StoredOffset(offset, value)
        if producer_id == NO_PRODUCER_ID:
            self.table.put(group_id, topic, partition, stored)
        else:
            self.pending.put(producer_id, group_id, topic, partition, stored)

    def replay_marker(self, producer_id: int, *, committed: bool) -> None:
        pending = self.pending.take(producer_id)
        if pending is None or not committed:
            return
        for group_id in pending.groups:
            for topic, partition, stored in pending.of(group_id):
                known = self.table.get(group_id, topic, partition)
                if known is None or known.record_offset < stored.record_offset:
                    self.table.put(group_id, topic, partition, stored)

    def loaded(self, now_ms: int) -> None:
        begin_housekeeping(self.machine)

    # -- deleting ------------------------------------------------------------------------

    def deletion(self, group_id: str) -> list[CoordinatorRecord]:
        """Tombstones of all offsets of a group, those of open transactions included."""
        keys = {(topic, partition): None for topic, partition, _ in self.table.of(group_id)}
        keys.update(dict.fromkeys(self.pending.of(group_id)))
        return [offset_tombstone(group_id, topic, partition) for topic, partition in keys]

    def topic_deleted(self, name: str, topic_id: bytes) -> Decision:
        """Nobody may read the offsets of a topic that is gone, least of all in a new one of its name."""
        records: dict[tuple[str, int], CoordinatorRecord] = {}
        for table in (self.table, *self.pending.tables.values()):
            for group_id, topics in table.groups.items():
                for partition, stored in topics.get(name, {}).items():
                    if stored.topic_id in (ZERO_UUID, topic_id):
                        records[group_id, partition] = offset_tombstone(group_id, name, partition)
        return Decision(list(records.values()), atomic=False)
