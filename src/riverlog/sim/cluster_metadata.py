"""The committed metadata log, replayed once more beside the cluster: changes are valid, images equal."""

from __future__ import annotations

from riverlog.broker.broker import Broker
from riverlog.metadata.image import NO_LEADER, ClusterState, PartitionState
from riverlog.metadata.records import decode_record
from riverlog.records import decode_records, iter_headers
from riverlog.records.header import CONTROL_FLAG
from riverlog.sim.checkers import DECODED_BYTES_MAX, require
from riverlog.sim.cluster import ClusterNode
from riverlog.sim.disk import SimFile
from riverlog.storage import Log


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
        before: dict[tuple[bytes, int], PartitionState] = {}
        for value in values:
            record = decode_record(value)
            topic_id = getattr(record, "topic_id", None)
            index = getattr(record, "partition_id", None)
            if topic_id is not None and index is not None:
                topic = state.topics_by_id.get(topic_id)
                old = None if topic is None else topic.partitions.get(index)
                if old is not None:
                    before.setdefault((topic_id, index), old)
            state.replay(record)
        for (topic_id, index), old in before.items():
            topic = state.topics_by_id.get(topic_id)
            if topic is not None:
                what = f"{topic.name}-{index} at {base_offset} of the metadata log"
                self._check_change(what, topic_id, old, topic.partitions[index])
        if before:
            self._check_leaders_alive(base_offset)

    def _check_change(self, what: str, topic_id: bytes, old: PartitionState, new: PartitionState) -> None:
        # KIP-966: an empty ISR only while nobody leads and somebody may (KAFKA-15353 had a leader), or where
        # the last ones that could are of other folders now: then it stays offline (RULES: registration).
        last = (*old.isr, *old.eligible_leader_replicas)
        emptied = all(_directory(old, broker) != _directory(new, broker) for broker in last)
        kept = bool(new.eligible_leader_replicas or new.last_known_elr) or emptied
        require(
            bool(new.isr) or (new.leader == NO_LEADER and kept),
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
        if new.leader == NO_LEADER:
            return
        require(new.leader in new.isr, f"{what}: leader {new.leader} is not in its ISR {new.isr}")
        if new.leader != old.leader:
            self.elections += 1
            require(new.leader_epoch > old.leader_epoch, f"{what}: a new leader in the old epoch")
            # INVARIANTS 7. A leader that just joined came through the old one's AlterPartition.
            joined = old.leader != NO_LEADER and len(new.isr) > 1
            eligible = (*old.isr, *old.eligible_leader_replicas)
            # The last known leader, where nobody is eligible any more (the last one may go in the same
            # record, when it comes back without what it had), leads uncleanly and says so.
            still = set(eligible) & {*new.isr, *new.eligible_leader_replicas}
            last_known = not still and new.leader in old.last_known_elr and new.leader_recovery_state == 1
            if last_known:
                self.unclean_ids[topic_id] = None
            require(
                new.leader in eligible or joined or last_known,
                f"{what}: {new.leader} leads, eligible were {old.isr} and {old.eligible_leader_replicas}",
            )

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
