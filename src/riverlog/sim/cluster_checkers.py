"""Looks into the logs of a running cluster and compares: INVARIANTS 1 to 8, checked all the time.

Per partition there is one line of history. A batch is known by offset and leader epoch: two logs that have
such a pair have the same bytes there. Once a leader's watermark passes a batch it is committed: every later
leader has it, no replica that had it cuts it off, and as many replicas as promised hold it durably.
The same is checked for the metadata log, where Raft's leader leads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from riverlog.broker.broker import Broker
from riverlog.records import iter_headers
from riverlog.sim.checkers import require
from riverlog.sim.cluster import ClusterNode
from riverlog.sim.cluster_clients import ClusterTopic
from riverlog.sim.cluster_metadata import MetadataWatch
from riverlog.sim.disk import SimDisk, SimFile
from riverlog.storage import Log
from riverlog.storage.files import read_partition_metadata

METADATA_KEY = (b"metadata", 0)
SCAN_BYTES = 1 << 20

Key = tuple[bytes, int]


@dataclass(slots=True)
class Note:
    """A batch, by what tells it from others."""

    base_offset: int
    next_offset: int
    epoch: int
    crc: int


@dataclass(slots=True)
class History:
    """One partition, over all its replicas and leaders."""

    name: str
    batches: dict[tuple[int, int], Note] = field(default_factory=dict)
    """By base offset and leader epoch."""
    committed: dict[int, Note] = field(default_factory=dict)
    """By base offset."""
    committed_end: int = 0
    committed_epoch: int = -1
    """The newest of a committed batch."""
    leaders: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Leader epoch → the node seen leading in it, and in which of its lives."""
    copies_min: int = 1
    shaky: bool = False
    compacted: bool = False
    """Its replicas clean on their own: batches go, or change."""

    def is_newest(self, epoch: int) -> bool:
        """Whether nobody is known to have led after that."""
        return epoch >= max(self.committed_epoch, *self.leaders)


@dataclass(slots=True)
class Cursor:
    """How far one node's log was looked at."""

    log: Log
    generation: int
    offset: int
    notes: dict[int, Note] = field(default_factory=dict)
    """What was seen in it, by base offset."""
    watermark: int = -1
    watermark_epoch: int = -1
    cut: int | None = None
    """How far it was truncated since the last look."""
    complete_in: int = -1
    """The last epoch in which it was compared with all that is committed."""


class LogWatch:
    """``look`` at every node now and then; raises ``Violation``."""

    def __init__(self, nodes: list[ClusterNode], metadata: MetadataWatch) -> None:
        self.histories: dict[Key, History] = {}
        self.looks = 0
        self._nodes = nodes
        self._metadata = metadata
        self._cursors: dict[tuple[int, Key], Cursor] = {}
        self._dead_ends: dict[int, dict[Key, int]] = {}
        self._wiped_ends: dict[int, dict[Key, int]] = {}
        self._seen: dict[int, dict[Key, Log]] = {}
        """The logs of each node that runs."""
        self._durable_ends: dict[int, dict[Key, int]] = {}
        """Of a node that is down: what it may not lose."""
        self._distrusted: dict[tuple[int, Key | None], None] = {}

    def history(self, key: Key, name: str) -> History:
        found = self.histories.get(key)
        if found is None:
            found = self.histories[key] = History(name)
            if name.startswith("__consumer"):
                found.copies_min = min(2, len(self._nodes))
        return found

    def describe(self, topics: Mapping[str, ClusterTopic]) -> None:
        """What the topics promise, as far as their ids are known."""
        for topic in topics.values():
            for index in topic.partitions:
                history = self.histories.get((topic.topic_id, index))
                if history is not None:
                    history.copies_min = min(topic.copies_min, len(self._nodes))
                    history.shaky = history.shaky or topic.shaky
                    history.compacted = topic.compacted

    # -- what befalls a node ---------------------------------------------------------------

    def died(self, node: ClusterNode, broker: Broker) -> None:
        """Before its process is gone: how far its logs are durable."""
        # A broker that stopped in peace has let its logs go: those seen before count too.
        seen = self._seen.pop(node.node_id, {})
        ends = {key: _counted_end(log) for key, log in seen.items()}
        # One that it has let go otherwise was of a topic that was deleted, or moved away.
        durable = {} if broker.logs.logs else {key: log.durable_end for key, log in seen.items()}
        ends[METADATA_KEY] = durable[METADATA_KEY] = broker.metadata.raft.log.durable_end
        assert node.process is not None
        disk = SimDisk(node.media, node.process, node.rng)  # its own may be dead already
        for log in broker.logs.logs.values():
            topic_id = read_partition_metadata(disk, log.folder)
            if topic_id is not None:
                ends[topic_id, log.partition] = _counted_end(log)
                durable[topic_id, log.partition] = log.durable_end
        self._dead_ends[node.node_id] = ends
        self._durable_ends[node.node_id] = durable
        self._cursors = {where: one for where, one in self._cursors.items() if where[0] != node.node_id}

    def started(self, node: ClusterNode, broker: Broker) -> None:
        """RULES: durable end 1 and 5. What was durable when it died is there, before anybody may cut it."""
        durable = self._durable_ends.pop(node.node_id, {})
        self.look_at_metadata()
        logs = {(log.topic_id, log.partition): log for log in broker.logs.logs.values()}
        logs[METADATA_KEY] = broker.metadata.raft.log
        for key, end in durable.items():
            log = logs.get(key)
            if log is None or log.suspect or log.offline is not None or self.is_distrusted(node, key):
                continue
            if key != METADATA_KEY and not self._metadata.is_replica(key, node.node_id):
                continue
            require(
                log.log_end_offset >= end,
                f"{log.folder} of {node.name}: restarted with {log.log_end_offset}, {end} was durable",
            )

    def wiped(self, node: ClusterNode) -> None:
        """What it had was there when it was promised."""
        self._durable_ends.pop(node.node_id, None)
        self._wiped_ends[node.node_id] = self._dead_ends.pop(node.node_id, {})

    def distrust(self, node: ClusterNode, key: Key | None = None) -> None:
        """Its disk changes bits: what it holds (of this partition, or at all) is not compared any more, only
        what clients get of it."""
        self._distrusted[node.node_id, key] = None

    def trust_all(self) -> None:
        """What was damaged is repaired: all is compared again."""
        self._distrusted.clear()

    def is_distrusted(self, node: ClusterNode, key: Key | None = None) -> bool:
        return (node.node_id, None) in self._distrusted or (node.node_id, key) in self._distrusted

    # -- looking ---------------------------------------------------------------------------

    def look(self) -> None:
        self.looks += 1
        running = self._trusted()
        self.look_at_metadata()
        for node, broker in running:
            for partition in broker.replicas.all():
                log = partition.log
                if log.offline is not None:
                    continue
                key = (partition.topic_id, partition.index)
                name = f"{partition.topic}-{partition.index}"
                self._seen.setdefault(node.node_id, {})[key] = log
                history = self.history(key, name)
                if history.compacted or self.is_distrusted(node, key):
                    self._cursors.pop((node.node_id, key), None)
                    if partition.is_leader:
                        self._check_one_leader(node, history, partition.leader_epoch)
                    continue
                cursor = self._scan(node, key, history, log)
                if partition.is_leader:
                    self._check_leader(
                        node, history, cursor, partition.leader_epoch, partition.high_watermark, key
                    )

    def look_at_metadata(self) -> None:
        for node, broker in self._trusted():
            self._look_at_metadata(node, broker)

    def _trusted(self) -> list[tuple[ClusterNode, Broker]]:
        """Those that run and whose disks tell the truth."""
        return [
            (node, node.broker)
            for node in self._nodes
            if node.broker is not None and not self.is_distrusted(node)
        ]

    def _look_at_metadata(self, node: ClusterNode, broker: Broker) -> None:
        raft = broker.metadata.raft
        history = self.history(METADATA_KEY, "__cluster_metadata")
        cursor = self._scan(node, METADATA_KEY, history, raft.log)
        if raft.leading:
            self._check_one_leader(node, history, raft.epoch)
            self._check_raft_commit(node, history, cursor, raft.epoch, raft.high_watermark)
            self._check_watermark(node, history, cursor, raft.epoch, raft.high_watermark)
            if history.is_newest(raft.epoch) and cursor.offset == raft.log.log_end_offset:
                self._check_complete(node, history, cursor, raft.epoch)
        if raft.high_watermark > history.committed_end:
            start = history.committed_end
            self._commit(node, history, raft.log, raft.high_watermark)
            self._metadata.advance(node, raft.log, start, history.committed_end)
        self._metadata.compare(node, broker)

    def _check_raft_commit(
        self, node: ClusterNode, history: History, cursor: Cursor, epoch: int, watermark: int
    ) -> None:
        """RULES: watermark 5. A majority has it on disk, the leader or not, and it ends in our own epoch."""
        if watermark > history.committed_end:
            copies = self._raft_copies(watermark)
            require(
                copies > len(self._nodes) // 2,
                f"{history.name}: {node.name} committed {watermark} in epoch {epoch}, {copies} nodes have it",
            )
        if cursor.watermark_epoch == epoch and watermark > cursor.watermark:
            last = max((at for at in cursor.notes if at < watermark), default=-1)
            require(
                last < 0 or cursor.notes[last].epoch == epoch,
                f"{history.name}: {node.name} committed {watermark} in epoch {epoch}, before a record of it",
            )

    def _raft_copies(self, end_offset: int) -> int:
        found = 0
        for node in self._nodes:
            end = self._wiped_ends.get(node.node_id, {}).get(METADATA_KEY, -1)
            if node.broker is not None:
                end = max(end, node.broker.metadata.raft.log.durable_end)
            else:
                end = max(end, self._dead_ends.get(node.node_id, {}).get(METADATA_KEY, -1))
            found += end >= end_offset
        return found

    def _scan(self, node: ClusterNode, key: Key, history: History, log: Log) -> Cursor:
        """Read what is new in one log."""
        where = (node.node_id, key)
        cursor = self._cursors.get(where)
        if cursor is None or cursor.log is not log:
            cursor = self._cursors[where] = Cursor(log, log.generation, log.log_start_offset)
            _watch_truncations(cursor)
        elif cursor.generation != log.generation:
            self._check_cut(node, history, cursor)
            cursor.generation = log.generation
            cursor.offset = log.log_start_offset  # what was cut may have been written anew already
            cursor.notes = {}
        elif log.log_end_offset == cursor.offset:
            return cursor
        offset = max(cursor.offset, log.log_start_offset)
        end = log.log_end_offset
        for note in _notes(log, offset, end):
            self._check_note(node, history, note)
            cursor.notes[note.base_offset] = note
            offset = note.next_offset
        cursor.offset = offset
        return cursor

    def _check_cut(self, node: ClusterNode, history: History, cursor: Cursor) -> None:
        """INVARIANTS 6: the log was truncated since the last look, and what was cut was not committed.

        Also what was fetched again since must not have been cut: it counted as this replica's.
        """
        log = cursor.log
        end = log.log_end_offset if cursor.cut is None else cursor.cut
        cursor.cut = None
        for base_offset, cut in cursor.notes.items():
            if cut.next_offset <= end or base_offset < log.log_start_offset or history.shaky:
                continue
            known = history.committed.get(base_offset)
            # Not by the CRC alone, which does not cover the epoch: a batch that only an old leader has may
            # come again, as a retry, to the same offset of the next leader. The old one cuts its own off.
            require(
                known is None or (known.epoch, known.crc) != (cut.epoch, cut.crc),
                f"{history.name}: {node.name} cut its log back to {end}, {base_offset} was committed",
            )

    def _check_note(self, node: ClusterNode, history: History, note: Note) -> None:
        known = history.batches.setdefault((note.base_offset, note.epoch), note)
        if known.crc != note.crc or known.next_offset != note.next_offset:
            require(
                history.shaky,
                f"{history.name}: {node.name} has other bytes at {note.base_offset} of epoch {note.epoch}: "
                f"{note.crc:08x} up to {note.next_offset}, was {known.crc:08x} up to {known.next_offset}",
            )
            history.batches[note.base_offset, note.epoch] = note

    def _check_leader(
        self, node: ClusterNode, history: History, cursor: Cursor, epoch: int, watermark: int, key: Key
    ) -> None:
        log = cursor.log
        self._check_one_leader(node, history, epoch)
        moved = watermark != cursor.watermark or epoch != cursor.watermark_epoch
        self._check_watermark(node, history, cursor, epoch, watermark)
        if not moved:
            return
        require(
            watermark <= _counted_end(log) or history.shaky,
            f"{history.name}: {node.name} shows {watermark}, but only {_counted_end(log)} is durable",
        )
        deleted = not self._metadata.lost and key[0] not in self._metadata.state.topics_by_id
        if watermark > history.committed_end and not history.shaky and not deleted:
            # A stale leader cannot move its watermark: enough replicas would have to fetch in its epoch.
            copies = self.copies(key, watermark)
            require(
                copies >= history.copies_min,
                f"{history.name}: {node.name} shows {watermark} in epoch {epoch}, {copies} replicas have it, "
                f"{history.copies_min} must",
            )
            if self._metadata.leads(*key) == (node.node_id, epoch):
                self.check_in_sync(key, history.name, watermark)
            self._commit(node, history, log, watermark)
        if history.is_newest(epoch):
            self._check_complete(node, history, cursor, epoch)

    def _check_one_leader(self, node: ClusterNode, history: History, epoch: int) -> None:
        """INVARIANTS 4, and RULES: watermark 6, also not itself in a life before."""
        leader, life = history.leaders.setdefault(epoch, (node.node_id, node.lives))
        require(
            (leader, life) == (node.node_id, node.lives),
            f"{history.name}: {node.name} leads in epoch {epoch} in life {node.lives}, so did n{leader} in "
            f"life {life}",
        )

    def _check_watermark(
        self, node: ClusterNode, history: History, cursor: Cursor, epoch: int, watermark: int
    ) -> None:
        if cursor.watermark_epoch == epoch:
            require(
                watermark >= cursor.watermark,
                f"{history.name}: {node.name} took its watermark back from {cursor.watermark} to {watermark}",
            )
        cursor.watermark = watermark
        cursor.watermark_epoch = epoch

    def _check_complete(self, node: ClusterNode, history: History, cursor: Cursor, epoch: int) -> None:
        """The newest leader has all that is committed: INVARIANTS 1 and 6."""
        log = cursor.log
        if history.shaky:
            return
        require(
            log.log_end_offset >= history.committed_end,
            f"{history.name}: {node.name} leads with a log up to {log.log_end_offset}, committed was "
            f"{history.committed_end}",
        )
        if cursor.complete_in == epoch:
            return
        cursor.complete_in = epoch
        for base_offset, known in history.committed.items():
            note = cursor.notes.get(base_offset)
            require(
                base_offset < log.log_start_offset or (note is not None and note.crc == known.crc),
                f"{history.name}: {node.name} leads in epoch {epoch} without the committed {base_offset}",
            )

    def _commit(self, node: ClusterNode, history: History, log: Log, watermark: int) -> None:
        """This log's batches up to the watermark are committed."""
        for note in _notes(log, max(history.committed_end, log.log_start_offset), watermark):
            known = history.committed.setdefault(note.base_offset, note)
            require(
                (known.epoch, known.crc) == (note.epoch, note.crc) or history.shaky,
                f"{history.name}: {node.name} committed another batch at {note.base_offset}",
            )
            history.committed_end = max(history.committed_end, note.next_offset)
            history.committed_epoch = max(history.committed_epoch, note.epoch)

    def check_committed(self, node: ClusterNode, key: Key, log: Log) -> None:
        """In the end: all of this log against all that was ever committed."""
        history = self.histories[key]
        if history.shaky or history.compacted or self.is_distrusted(node, key):
            return
        for note in _notes(log, log.log_start_offset, log.log_end_offset):
            known = history.committed.get(note.base_offset)
            require(
                known is None or (known.epoch, known.crc) == (note.epoch, note.crc),
                f"{history.name}: {node.name} has another batch at {note.base_offset} than was committed",
            )

    # -- copies ----------------------------------------------------------------------------

    def check_in_sync(self, key: Key, name: str, end_offset: int) -> None:
        """RULES: watermark 1. All that the controller may elect have what is committed or acknowledged,
        whether their leader knows already that they are in sync or not."""
        late = self._late(key, end_offset)
        if late:
            self.look_at_metadata()  # it may have left since the last look
            late = self._late(key, end_offset)
        require(not late, f"{name}: committed up to {end_offset}, {late} of the in-sync set are behind")

    def _late(self, key: Key, end_offset: int) -> list[int]:
        state = self._metadata.state
        topic = state.topics_by_id.get(key[0])
        partition = None if topic is None else topic.partitions.get(key[1])
        if partition is None or self._metadata.lost:
            return []
        return [
            node.node_id
            for node in self._nodes
            if node.node_id in partition.isr
            and not state.brokers[node.node_id].fenced
            and self._end(node, key, on_disk=False) < end_offset
        ]

    def copies(self, key: Key, end_offset: int, *, on_disk: bool = False) -> int:
        """How many nodes, alive, dead or emptied since, held everything below ``end_offset`` durably.

        ``on_disk``: also those that do not know yet that it must be (RULES: watermark 3).
        """
        return sum(self._end(node, key, on_disk=on_disk) >= end_offset for node in self._nodes)

    def _end(self, node: ClusterNode, key: Key, *, on_disk: bool) -> int:
        end = self._wiped_ends.get(node.node_id, {}).get(key, -1)
        if node.broker is None:
            return max(end, self._dead_ends.get(node.node_id, {}).get(key, -1))
        for log in node.broker.logs.logs.values():
            if log.partition == key[1] and log.topic_id == key[0]:
                end = max(end, log.durable_end if on_disk else _counted_end(log))
        return end


def _watch_truncations(cursor: Cursor) -> None:
    """Between two looks a log may be cut and filled again."""
    log = cursor.log
    inner = log.on_truncate

    def truncated(which: Log, offset: int) -> None:
        if inner is not None:
            inner(which, offset)
        if which.generation != cursor.generation:
            cursor.cut = offset if cursor.cut is None else min(cursor.cut, offset)

    log.on_truncate = truncated


def _counted_end(log: Log) -> int:
    return log.durable_end if log.config.ack_after_fsync else log.log_end_offset


def _notes(log: Log, offset: int, end_offset: int) -> list[Note]:
    """The batches of a log from one offset to another, read past its faults."""
    found: list[Note] = []
    while offset < end_offset:
        part = log.read(offset, max_bytes=SCAN_BYTES, end_offset=end_offset, min_one=True)
        if part is None:
            break
        assert isinstance(part.file, SimFile)
        data = part.file.peek(part.position, part.length)
        before = offset
        for _, header in iter_headers(data):
            if header.next_offset > offset and header.base_offset < end_offset:
                found.append(
                    Note(header.base_offset, header.next_offset, header.partition_leader_epoch, header.crc)
                )
                offset = header.next_offset
        if offset == before:
            break
    return found
