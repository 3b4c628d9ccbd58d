"""Looks at the committed part of every log for what transactions left there: INVARIANTS 10, 11, 13 and 14.

Between two markers of a producer lie records of one transaction only, the epochs of a producer never go
back, a marker says what its client was told, and no leader's last stable offset is above the first record
of a transaction without a marker.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from riverlog.metadata.image import INTERNAL_TOPICS
from riverlog.records import decode_records, iter_headers
from riverlog.records.control import ControlType, control_type
from riverlog.records.header import CONTROL_FLAG, TRANSACTIONAL_FLAG, BatchHeader
from riverlog.replication import Partition
from riverlog.sim.checkers import DECODED_BYTES_MAX, Violation, require
from riverlog.sim.cluster import ClusterNode
from riverlog.sim.cluster_checkers import SCAN_BYTES
from riverlog.sim.cluster_txn_history import Attempt, History, Outcome
from riverlog.sim.cluster_txn_reader import READ_COMMITTED
from riverlog.sim.disk import SimFile


@dataclass(slots=True)
class Open:
    """A transaction without its marker, in one partition."""

    first_offset: int
    attempt: Attempt | None


@dataclass(slots=True)
class Progress:
    """How far one partition was looked through."""

    name: str
    offset: int = 0
    open: dict[int, Open] = field(default_factory=dict)
    """By producer id."""
    epochs: dict[int, int] = field(default_factory=dict)
    ended: list[tuple[Attempt, bool, int]] = field(default_factory=list)
    """Transactions, whether their marker says that they were committed, and where it is."""


class TxnLogWatch:
    """``look`` now and then; raises ``Violation``."""

    def __init__(self, nodes: list[ClusterNode], history: History) -> None:
        self._nodes = nodes
        self._history = history
        self.markers = 0
        self._partitions: dict[tuple[bytes, int], Progress] = {}

    def look(self) -> None:
        for node in self._nodes:
            if node.broker is None:
                continue
            for partition in node.broker.replicas.all():
                if partition.is_leader and partition.log.offline is None:
                    self._look_at(node, partition)

    def _look_at(self, node: ClusterNode, partition: Partition) -> None:
        key = (partition.topic_id, partition.index)
        progress = self._partitions.get(key)
        if progress is None:
            name = f"{partition.topic}-{partition.index}"
            progress = self._partitions[key] = Progress(name)
        watermark = partition.high_watermark
        if watermark > progress.offset:
            self._scan(progress, partition, watermark)
        stable = partition.readable_end(READ_COMMITTED)
        require(stable <= watermark, f"{progress.name}: {node.name}: stable {stable} above {watermark}")
        if progress.offset == watermark:
            for producer_id, one in progress.open.items():
                require(
                    stable <= one.first_offset or _is_decided(partition, producer_id),
                    f"{progress.name}: {node.name} gives {stable} as the last stable offset, producer "
                    f"{producer_id} has a transaction open since {one.first_offset}: {one.attempt}",
                )

    def _scan(self, progress: Progress, partition: Partition, end: int) -> None:
        log = partition.log
        while progress.offset < end:
            part = log.read(progress.offset, max_bytes=SCAN_BYTES, end_offset=end, min_one=True)
            if part is None:
                return
            assert isinstance(part.file, SimFile)
            data = part.file.peek(part.position, part.length)
            before = progress.offset
            for at, header in iter_headers(data):
                if header.base_offset < progress.offset or header.base_offset >= end:
                    continue
                if header.attributes & TRANSACTIONAL_FLAG:
                    self._take(progress, data, at, header, internal=partition.topic in INTERNAL_TOPICS)
                progress.offset = header.next_offset
            if progress.offset == before:
                return

    def _take(self, progress: Progress, data: bytes, at: int, header: BatchHeader, *, internal: bool) -> None:
        producer_id, offset = header.producer_id, header.base_offset
        epoch = progress.epochs.get(producer_id, -1)
        require(
            header.producer_epoch >= epoch,
            f"{progress.name}: producer {producer_id} wrote with epoch {header.producer_epoch} at {offset}, "
            f"after {epoch}",
        )
        progress.epochs[producer_id] = header.producer_epoch
        record = next(iter(decode_records(data, at, header, max_bytes=DECODED_BYTES_MAX)))
        if header.attributes & CONTROL_FLAG:
            self.markers += 1
            ended = progress.open.pop(producer_id, None)
            if ended is not None and ended.attempt is not None:
                committed = control_type(record.key) is ControlType.COMMIT
                progress.ended.append((ended.attempt, committed, offset))
                _check_marker(progress.name, ended.attempt, offset, committed=committed)
            return
        attempt = None
        if not internal:
            assert record.key is not None
            attempt = self._history.by_record.get(record.key.decode())
            if attempt is None:
                raise Violation(f"{progress.name}: {record.key!r} at {offset} was never sent")
        one = progress.open.setdefault(producer_id, Open(offset, attempt))
        require(
            one.attempt is attempt,
            f"{progress.name}: at {offset} {attempt} writes into the transaction of {one.attempt}, "
            f"open since {one.first_offset}",
        )

    # -- in the end ------------------------------------------------------------------------

    @property
    def still_open(self) -> str:
        """INVARIANTS 14: what keeps a last stable offset back."""
        return ", ".join(
            f"{progress.name} at {one.first_offset}: {one.attempt or f'producer {producer_id}'}"
            for progress in self._partitions.values()
            for producer_id, one in progress.open.items()
        )

    def check_end(self) -> None:
        """Every marker once more, now that all is known."""
        for progress in self._partitions.values():
            for attempt, committed, offset in progress.ended:
                _check_marker(progress.name, attempt, offset, committed=committed)
        ends: dict[int, bool] = {}
        for progress in self._partitions.values():
            for attempt, committed, offset in progress.ended:
                require(
                    ends.setdefault(attempt.number, committed) == committed,
                    f"{progress.name}: the marker at {offset} is not what other partitions have: {attempt}",
                )


def _is_decided(partition: Partition, producer_id: int) -> bool:
    """Its marker is in this leader's log, above the watermark.

    One that was read anew does not remember which markers it has not passed yet, as in Kafka. How the
    transaction ends is certain by then.
    """
    log = partition.log
    part = log.read(
        partition.high_watermark, max_bytes=SCAN_BYTES, end_offset=log.log_end_offset, min_one=True
    )
    if part is None:
        return False
    assert isinstance(part.file, SimFile)
    headers = (header for _, header in iter_headers(part.file.peek(part.position, part.length)))
    return any(one.producer_id == producer_id and one.attributes & CONTROL_FLAG for one in headers)


def _check_marker(name: str, attempt: Attempt, offset: int, *, committed: bool) -> None:
    if committed:
        allowed = attempt.commit_at is not None and attempt.outcome is not Outcome.ABORTED
    else:
        allowed = attempt.outcome is not Outcome.COMMITTED
    what = "commits" if committed else "aborts"
    require(allowed, f"{name}: the marker at {offset} {what} {attempt}")
