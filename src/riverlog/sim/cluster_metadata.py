"""The committed metadata log, replayed once more beside the cluster: changes are valid, images equal."""

from __future__ import annotations

from dataclasses import dataclass

from riverlog.broker.broker import Broker
from riverlog.metadata.controller import LOST_DIRECTORY, UNASSIGNED_DIRECTORY
from riverlog.metadata.image import (
    BROKER_RESOURCE,
    INTERNAL_TOPICS,
    NO_LEADER,
    BrokerState,
    ClusterState,
    PartitionState,
    TopicState,
)
from riverlog.metadata.records import decode_record
from riverlog.protocol.generated.register_broker_record import RegisterBrokerRecord
from riverlog.records import decode_records, iter_headers
from riverlog.records.header import CONTROL_FLAG
from riverlog.sim.checkers import DECODED_BYTES_MAX, require
from riverlog.sim.cluster import ClusterNode
from riverlog.sim.disk import SimFile
from riverlog.storage import Log

RECOVERING = 1


@dataclass(slots=True)
class Change:
    """One partition before and after one record."""

    what: str
    topic: TopicState
    old: PartitionState
    new: PartitionState
    returned: dict[int, tuple[BrokerState | None, RegisterBrokerRecord]]
    """Brokers that register in the same batch, with what was known of them before."""

    @property
    def eligible(self) -> tuple[int, ...]:
        return (*self.old.isr, *self.old.eligible_leader_replicas)

    @property
    def dropped(self) -> list[int]:
        return [
            one
            for one in self.eligible
            if one not in self.new.isr and one not in self.new.eligible_leader_replicas
        ]

    @property
    def all_emptied(self) -> bool:
        return all(self.is_emptied(one) for one in (*self.eligible, *self.old.last_known_elr))

    def is_emptied(self, broker_id: int) -> bool:
        """It says that what it had is lost, or it comes back without the folder that held it."""
        if self._directory(self.new, broker_id) == LOST_DIRECTORY:
            return True
        if broker_id not in self.returned:
            return False
        before, record = self.returned[broker_id]
        had = self._directory(self.old, broker_id)
        if had is None or had == UNASSIGNED_DIRECTORY:
            return before is None or any(one not in record.log_dirs for one in before.log_dirs)
        return had not in record.log_dirs

    @staticmethod
    def _directory(partition: PartitionState, broker_id: int) -> bytes | None:
        if broker_id not in partition.replicas:
            return None
        at = partition.replicas.index(broker_id)
        return partition.directories[at] if at < len(partition.directories) else None


class MetadataWatch:
    """What every image must be once it is as far."""

    def __init__(self) -> None:
        self.state = ClusterState()
        self.offset = 0
        self.unclean_ids: dict[bytes, None] = {}
        """Topics that had a reported unclean election."""
        self.lost = False
        """A part of the log was gone before it was seen: nothing can be said any more."""
        self.elections = 0
        self._compared: dict[int, int] = {}

    def leads(self, topic_id: bytes, index: int) -> tuple[int, int]:
        """The leader and its epoch."""
        topic = self.state.topics_by_id.get(topic_id)
        partition = None if topic is None else topic.partitions.get(index)
        return (NO_LEADER, -1) if partition is None else (partition.leader, partition.leader_epoch)

    def is_replica(self, key: tuple[bytes, int], node_id: int) -> bool:
        """For sure."""
        partition = None if self.lost else self._partition(*key)
        return partition is not None and node_id in partition.replicas

    def advance(self, node: ClusterNode, log: Log, start: int, end: int) -> None:
        """These records are committed; ``log`` has them."""
        if self.lost:
            return
        if log.log_start_offset > start or start != self.offset:
            self.lost = True
            return
        offset = start
        while offset < end:
            part = log.read(offset, max_bytes=1 << 20, end_offset=end, min_one=True)
            if part is None:
                break
            assert isinstance(part.file, SimFile)
            data = part.file.peek(part.position, part.length)
            for at, header in iter_headers(data):
                if header.base_offset < offset:
                    continue
                if not header.attributes & CONTROL_FLAG:
                    values = [
                        bytes(record.value or b"")
                        for record in decode_records(data, at, header, max_bytes=DECODED_BYTES_MAX)
                    ]
                    self._replay(node, header.base_offset, values)
                offset = header.next_offset
        self.offset = offset

    def _replay(self, node: ClusterNode, base_offset: int, values: list[bytes]) -> None:
        state = self.state
        changed = False
        returned: dict[int, tuple[BrokerState | None, RegisterBrokerRecord]] = {}
        for value in values:
            record = decode_record(value)
            if isinstance(record, RegisterBrokerRecord):
                returned[record.broker_id] = (state.brokers.get(record.broker_id), record)
            topic_id = getattr(record, "topic_id", None)
            index = getattr(record, "partition_id", None)
            old = self._partition(topic_id, index)
            state.replay(record)
            new = self._partition(topic_id, index)
            if old is not None and new is not None:
                assert topic_id is not None
                changed = True
                topic = state.topics_by_id[topic_id]
                change = Change(
                    f"{topic.name}-{index} at {base_offset} of the metadata log", topic, old, new, returned
                )
                self._check_change(change)
        if changed:
            self._check_leaders_alive(base_offset)

    def _partition(self, topic_id: bytes | None, index: int | None) -> PartitionState | None:
        if topic_id is None or index is None:
            return None
        topic = self.state.topics_by_id.get(topic_id)
        return None if topic is None else topic.partitions.get(index)

    def _check_change(self, change: Change) -> None:
        what, old, new = change.what, change.old, change.new
        # KIP-966: an empty ISR only while nobody leads and somebody may (KAFKA-15353 had a leader), or where
        # all that could have come back without what they had: then it stays offline (RULES: registration).
        kept = bool(new.eligible_leader_replicas or new.last_known_elr)
        require(
            bool(new.isr) or (new.leader == NO_LEADER and (kept or change.all_emptied)),
            f"{what}: an empty ISR, leader {new.leader}, eligible {new.eligible_leader_replicas}, last known "
            f"{new.last_known_elr}",
        )
        require(set(new.isr) <= set(new.replicas), f"{what}: ISR {new.isr} outside of {new.replicas}")
        require(
            not set(new.isr) & set(new.eligible_leader_replicas),
            f"{what}: {new.eligible_leader_replicas} are eligible and in sync {new.isr}",
        )
        require(new.leader_epoch >= old.leader_epoch, f"{what}: the leader epoch goes back")
        require(new.partition_epoch > old.partition_epoch, f"{what}: the partition epoch stands")
        uncleanly = self._check_leader(change)
        # KIP-966: who was eligible stays so while fewer are in sync than the watermark needs to move.
        needed = min(self._min_insync(change.topic.name), len(new.replicas))
        if len(new.isr) < needed or uncleanly:
            fsynced = self._waits_for_disk(change.topic.name)
            for broker in change.dropped:
                require(
                    broker not in new.replicas
                    or change.is_emptied(broker)
                    or (broker in change.returned and not fsynced),
                    f"{what}: {broker} is not eligible any more, ISR {old.isr} and {new.isr}, eligible "
                    f"{old.eligible_leader_replicas} and {new.eligible_leader_replicas}",
                )

    def _check_leader(self, change: Change) -> bool:
        """INVARIANTS 7; answers whether it was elected uncleanly."""
        what, old, new = change.what, change.old, change.new
        if new.leader == NO_LEADER:
            return False
        require(new.leader in new.isr, f"{what}: leader {new.leader} is not in its ISR {new.isr}")
        if new.leader == old.leader:
            return False
        self.elections += 1
        require(new.leader_epoch > old.leader_epoch, f"{what}: a new leader in the old epoch")
        if new.leader in change.eligible:
            return False
        # Joined in the same record: the old leader said so in its AlterPartition, and is moved away with it,
        # or stops in peace.
        if old.leader != NO_LEADER and (set(old.isr) & set(new.isr) or old.leader not in new.replicas):
            return False
        # The last known leader, where nobody is eligible any more (the last one may go in the same record,
        # when it comes back without what it had; the caller looks whether it did), leads uncleanly.
        still = set(change.eligible) & {*new.isr, *new.eligible_leader_replicas}
        require(
            not still and new.leader in old.last_known_elr and new.leader_recovery_state == RECOVERING,
            f"{what}: {new.leader} leads, eligible were {old.isr} and {old.eligible_leader_replicas}",
        )
        self.unclean_ids[change.topic.topic_id] = None
        return True

    def _min_insync(self, topic: str) -> int:
        """By the metadata log alone."""
        return int(self._setting(topic, "min.insync.replicas", "1"))

    def _waits_for_disk(self, topic: str) -> bool:
        return topic in INTERNAL_TOPICS or self._setting(topic, "ack.after.fsync", "true") == "true"

    def _setting(self, topic: str, name: str, default: str) -> str:
        state = self.state
        return state.topic_config(topic).get(name) or state.config(BROKER_RESOURCE, "").get(name) or default

    def _check_leaders_alive(self, base_offset: int) -> None:
        state = self.state
        for topic, index, partition in state.partitions():
            leader = partition.leader
            if leader != NO_LEADER:
                broker = state.brokers.get(leader)
                require(
                    broker is not None and not broker.fenced,
                    f"{topic.name}-{index} at {base_offset} of the metadata log: leader {leader} is fenced",
                )

    def compare(self, node: ClusterNode, broker: Broker) -> None:
        """Same offset, same image."""
        metadata = broker.metadata
        if self.lost or metadata.committed_offset != self.offset:
            return
        image, state = metadata.image, self.state
        if image.generation == self._compared.get(node.node_id):
            return
        self._compared[node.node_id] = image.generation
        ours, theirs = _summary(state), _summary(image)
        for one, other in zip(ours, theirs, strict=False):
            require(
                one == other, f"{node.name} at {self.offset} of the metadata log: {other}, expected {one}"
            )
        require(len(ours) == len(theirs), f"{node.name} has {len(theirs)} things, expected {len(ours)}")


def _summary(state: ClusterState) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for name in sorted(state.topics):
        topic = state.topics[name]
        rows.extend(
            (
                name,
                topic.topic_id,
                index,
                one.replicas,
                one.isr,
                one.eligible_leader_replicas,
                one.leader,
                one.leader_epoch,
                one.partition_epoch,
                one.adding_replicas,
                one.removing_replicas,
            )
            for index, one in sorted(topic.partitions.items())
        )
    rows.extend(
        (broker_id, one.broker_epoch, one.fenced, one.in_controlled_shutdown)
        for broker_id, one in sorted(state.brokers.items())
    )
    rows.extend((key, sorted(values.items())) for key, values in sorted(state.configs.items()))
    rows.append(("producer ids", state.next_producer_id))
    return rows
