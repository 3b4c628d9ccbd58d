"""One partition's log: append and read.

An append reaches the page cache only and makes the log dirty; ``logcore.py`` keeps what is
durable. Batches are opaque: the header is all that is looked at.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from struct import Struct
from typing import TypeVar

from riverlog.base.errors import ErrorCode
from riverlog.base.slices import FileSlice
from riverlog.env import StorageError
from riverlog.env.disk import Buffer
from riverlog.records import HEADER_SIZE, BatchHeader, CorruptBatch, crc_ok, iter_headers
from riverlog.storage import lookup
from riverlog.storage.errors import AppendError, LogError, OffsetOutOfRange
from riverlog.storage.logcore import base_offset_of
from riverlog.storage.logtrim import LogTrim
from riverlog.storage.markers import EndTransactionMarker, marker_batch, read_marker
from riverlog.storage.names import DELETED_SUFFIX, SWAP_SUFFIX
from riverlog.storage.producers import ProducerEntry, ProducerStates
from riverlog.storage.recovery import snapshot_path
from riverlog.storage.refused import RefusedSequences
from riverlog.storage.segment import UNKNOWN, Segment
from riverlog.storage.txnindex import AbortedTransaction
from riverlog.storage.verification import UNVERIFIED, VerificationGuard

RECENT_KEPT = 64
"""So many of the active segment's last batches are found without its index."""
_NO_PRODUCER = -1
_TRANSACTIONAL_FLAG = 0x10
_CONTROL_FLAG = 0x20
_Answer = TypeVar("_Answer")
_pack_head = Struct(">qii").pack_into
"""Base offset, batch length, leader epoch: the fields before the CRC that a leader sets."""


class AppendInfo:
    """Where a batch went; for a duplicate, where its original is."""

    __slots__ = ("duplicate", "first_offset", "last_offset", "log_append_time_ms")

    def __init__(
        self, first_offset: int, last_offset: int, duplicate: bool = False, log_append_time_ms: int = -1
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.duplicate = duplicate
        self.log_append_time_ms = log_append_time_ms

    def __repr__(self) -> str:
        return f"AppendInfo({self.first_offset}, {self.last_offset}, duplicate={self.duplicate})"


class Log(LogTrim):
    """Made by ``Log.open``. Not for several threads."""

    __slots__ = ()

    # -- appending -----------------------------------------------------------------------

    def append_as_leader(
        self,
        buffer: bytearray | memoryview,
        header: BatchHeader,
        *,
        leader_epoch: int,
        now_ms: int,
        guard: VerificationGuard | None = UNVERIFIED,
    ) -> AppendInfo:
        """Give one validated batch its offsets and append it. Raises ``LogError``.

        ``buffer`` is patched in place. A duplicate answers its original's offsets; whoever
        acknowledges it waits until those are durable (RULES: watermark 4).
        """
        if self._refusal is not None:
            raise AppendError(*self._refusal)
        marker: EndTransactionMarker | None = None
        has_producer = header.producer_id > _NO_PRODUCER
        if has_producer:
            if header.attributes & _CONTROL_FLAG:
                marker = self._checked_marker(buffer, header)
            else:
                producers = self._producers or self._guarded(lambda: self.producers)
                original = producers.check(header)
                if original is not None:
                    return AppendInfo(original.first_offset, original.last_offset, True, original.timestamp)
                if header.attributes & _TRANSACTIONAL_FLAG or self.refused:
                    self._check_first(producers, header, guard, now_ms)
        config = self.config
        segment = self.active
        size = 12 + header.batch_length
        offset = self.log_end_offset
        last_offset = offset + header.last_offset_delta
        timestamp = header.max_timestamp
        if (
            segment.size + size > config.segment_bytes
            or timestamp > segment.roll_after
            or last_offset > segment.offset_max
        ):
            if size > config.segment_bytes:
                # Not asked of a follower: what its leader took under an older setting it takes too.
                raise AppendError(
                    ErrorCode.RECORD_LIST_TOO_LARGE, f"batch of {size} bytes exceeds segment.bytes"
                )
            segment = self._maybe_roll(size, offset, last_offset, timestamp, now_ms)
        _pack_head(buffer, 0, offset, header.batch_length, leader_epoch)
        if leader_epoch != self._last_epoch:
            self._assign_epoch(leader_epoch, offset)
        try:
            position = segment.append(buffer, size, last_offset, timestamp, config.index_interval_bytes)
        except StorageError as error:
            raise self._fail(error) from error
        header.base_offset = offset
        header.partition_leader_epoch = leader_epoch
        self.log_end_offset = last_offset + 1
        bases = self._recent_bases
        bases.append(offset)
        self._recent_positions.append(position)
        if len(bases) > 2 * RECENT_KEPT:
            del bases[:RECENT_KEPT], self._recent_positions[:RECENT_KEPT]
        if has_producer:
            self._note_producer(header, marker, segment)
        if not self.dirty:
            self.dirty = self._touched = True
            self.on_dirty(self)
        elif last_offset - self.durable_end >= self._commit_every:
            self.on_dirty(self)
        return AppendInfo(offset, last_offset)

    def _check_first(
        self, producers: ProducerStates, header: BatchHeader, guard: VerificationGuard | None, now_ms: int
    ) -> None:
        """Whether the first batch of a producer or of a transaction may be this one."""
        if self.refused:
            self.refused.check(header, now_ms, is_known=header.producer_id in producers.entries)
        if header.attributes & _TRANSACTIONAL_FLAG:
            producers.check_start(header, guard)

    def note_refused(self, header: BatchHeader, now_ms: int) -> None:
        """This batch was refused for a reason that may pass: those behind it wait until it comes again."""
        if self.refused is None:
            self.refused = RefusedSequences()
        self.refused.note(header, now_ms)

    def _checked_marker(
        self, buffer: bytearray | memoryview, header: BatchHeader
    ) -> EndTransactionMarker | None:
        marker = read_marker(buffer, 0, header)
        if marker is not None:
            self._guarded(lambda: self.producers).check_marker(
                header.producer_id, header.producer_epoch, coordinator_epoch=marker.coordinator_epoch
            )
        return marker

    def begin_verification(
        self, producer_id: int, producer_epoch: int, sequence: int, *, starts_at_zero: bool
    ) -> VerificationGuard | None:
        """A guard to append with once the coordinator says that the transaction is under way.

        None if it is open in this log already: there is nothing to ask. Raises ``LogError``.
        """
        producers = self._producers or self._guarded(lambda: self.producers)
        return producers.begin_verification(
            producer_id, producer_epoch, sequence, starts_at_zero=starts_at_zero
        )

    def append_marker(
        self,
        producer_id: int,
        producer_epoch: int,
        *,
        coordinator_epoch: int,
        committed: bool,
        transaction_version: int,
        leader_epoch: int,
        now_ms: int,
    ) -> AppendInfo:
        """End a producer's transaction. Raises ``LogError``.

        A marker that is here already is not written again: a duplicate answers the last offset of the
        log, for it is somewhere below.
        """
        if self._refusal is not None:
            raise AppendError(*self._refusal)
        producers = self._producers or self._guarded(lambda: self.producers)
        is_new = producers.check_marker(
            producer_id,
            producer_epoch,
            coordinator_epoch=coordinator_epoch,
            transaction_version=transaction_version,
        )
        if not is_new:
            producers.verifications.end(producer_id)
            return AppendInfo(-1, self.log_end_offset - 1, True)
        batch, header = marker_batch(
            committed=committed,
            producer_id=producer_id,
            producer_epoch=producer_epoch,
            coordinator_epoch=coordinator_epoch,
            timestamp=now_ms,
        )
        return self.append_as_leader(batch, header, leader_epoch=leader_epoch, now_ms=now_ms)

    def append_as_follower(
        self, buffer: Buffer, *, now_ms: int | None = None, epoch_max: int | None = None
    ) -> AppendInfo | None:
        """Append batches that carry their offsets and epochs; a partial one at the end is left out.

        One of an epoch above ``epoch_max`` ends it: the peer that sent it leads no more, and what it has
        there now does not follow what we have (KAFKA-18723).

        Raises ``AppendError`` for a wrong CRC or offsets that do not follow the log; what came
        before the bad batch is appended. None if there is no whole batch.
        """
        if self._refusal is not None:
            raise AppendError(*self._refusal)
        view = memoryview(buffer)
        first_offset = -1
        last_offset = -1
        try:
            for position, header in iter_headers(view):
                if epoch_max is not None and header.partition_leader_epoch > epoch_max:
                    break
                if not crc_ok(view, position, header):
                    raise AppendError(ErrorCode.CORRUPT_MESSAGE, f"wrong CRC at offset {header.base_offset}")
                self._append_given(view[position : position + header.size], header, now_ms)
                if first_offset < 0:
                    first_offset = header.base_offset
                last_offset = header.last_offset
        except CorruptBatch as error:
            raise AppendError(ErrorCode.CORRUPT_MESSAGE, str(error)) from error
        return AppendInfo(first_offset, last_offset) if first_offset >= 0 else None

    def _append_given(self, batch: memoryview, header: BatchHeader, now_ms: int | None) -> None:
        offset = header.base_offset
        if offset < self.log_end_offset or header.last_offset_delta < 0:
            raise AppendError(
                ErrorCode.UNKNOWN_SERVER_ERROR, f"offset {offset} does not follow {self.log_end_offset}"
            )
        last_offset = header.last_offset
        size = header.size
        segment = self.active
        if (
            segment.size + size > self.config.segment_bytes
            or header.max_timestamp > segment.roll_after
            or last_offset > segment.offset_max
        ):
            if now_ms is None:
                now_ms = segment.created_ms
            segment = self._maybe_roll(size, offset, last_offset, header.max_timestamp, now_ms)
        if header.partition_leader_epoch != self._last_epoch and header.partition_leader_epoch >= 0:
            self._assign_epoch(header.partition_leader_epoch, offset)
        marker = None
        if header.producer_id > _NO_PRODUCER and header.attributes & _CONTROL_FLAG:
            marker = read_marker(batch, 0, header)
        try:
            position = segment.append(
                batch, size, last_offset, header.max_timestamp, self.config.index_interval_bytes
            )
        except StorageError as error:
            raise self._fail(error) from error
        if offset != self.log_end_offset:
            self.forget_recent()  # a gap left by compaction: only the index can tell who holds it
        self.log_end_offset = last_offset + 1
        bases = self._recent_bases
        bases.append(offset)
        self._recent_positions.append(position)
        if len(bases) > 2 * RECENT_KEPT:
            del bases[:RECENT_KEPT], self._recent_positions[:RECENT_KEPT]
        if header.producer_id > _NO_PRODUCER:
            self._note_producer(header, marker, segment)
        if not self.dirty:
            self.dirty = self._touched = True
            self.on_dirty(self)

    def _note_producer(
        self, header: BatchHeader, marker: EndTransactionMarker | None, segment: Segment
    ) -> None:
        producers = self._producers or self._guarded(lambda: self.producers)
        if not header.attributes & _CONTROL_FLAG:
            producers.note(header, header.base_offset, header.base_offset + header.last_offset_delta)
        elif header.record_count == 0:
            producers.note_emptied_marker(header)
        elif marker is not None:
            completed = producers.note_marker(
                header,
                header.base_offset,
                marker.timestamp,
                coordinator_epoch=marker.coordinator_epoch,
                aborted=marker.aborted,
            )
            if completed is not None:
                stable = producers.complete(completed)
                if completed.aborted:
                    entry = AbortedTransaction(*completed[:3], stable)
                    self._guarded(lambda: segment.txn_index.append(entry))

    def start_epoch(self, epoch: int) -> None:
        """Leadership begins: ``epoch`` starts at the log end, even if nothing is ever written in it."""
        if epoch > self.latest_epoch:
            self._assign_epoch(epoch, self.log_end_offset)
            self._touched = True

    def _assign_epoch(self, epoch: int, offset: int) -> None:
        try:
            self.epochs.assign(epoch, offset)
        except StorageError as error:  # read now, for the first time
            raise self._fail(error) from error
        self._last_epoch = epoch

    # -- rolling -------------------------------------------------------------------------

    def _maybe_roll(self, size: int, offset: int, last_offset: int, timestamp: int, now_ms: int) -> Segment:
        """The segment that takes this batch: the active one, or a new one."""
        try:
            first = timestamp
            if self.active.size:
                first = self.active.first_timestamp()
                # The records' clock; ours where they have none.
                waited_ms = timestamp - first if first >= 0 else now_ms - self.active.created_ms
                if self._must_roll(self.active, size, last_offset, waited_ms):
                    self.roll(now_ms)
            if self.active.size == 0:
                if last_offset > self.active.offset_max:
                    self.roll(now_ms, offset)
                if not self.active.on_disk:
                    self._make_active_file()
                self.active.created_ms = now_ms
                first = timestamp
        except StorageError as error:
            raise self._fail(error) from error
        except CorruptBatch as error:
            raise AppendError(ErrorCode.KAFKA_STORAGE_ERROR, f"{self.folder}: {error}") from error
        segment = self.active
        segment.roll_after = first + self._roll_ms(segment) if first >= 0 else UNKNOWN
        return segment

    def _must_roll(self, segment: Segment, size: int, last_offset: int, waited_ms: int) -> bool:
        return (
            waited_ms > self._roll_ms(segment)
            or segment.size + size > self.config.segment_bytes
            or last_offset > segment.offset_max
            or self._indexes_full(segment)
        )

    # -- compaction ----------------------------------------------------------------------

    def replace_segments(self, old: list[Segment], new: Segment) -> list[str]:
        """Put ``new``, whose files are on disk as ``.swap``, in the place of ``old``, its neighbours.

        Answers the paths of the old files, for ``discard_files`` once the folder is synced. Snapshots of
        before go too: they know of transactions as open whose markers compaction takes away.
        """
        at = self.segments.index(old[0])
        assert self.segments[at : at + len(old)] == old, "the segments changed during compaction"
        assert self.active not in old, "the active segment is never compacted"
        gone = {path for segment in old for path in segment.paths()}
        outdated = self._snapshots if self._producers is None else self._producers.snapshots
        outdated = [offset for offset in outdated if offset <= old[-1].base_offset]
        gone |= {snapshot_path(self.folder, offset) for offset in outdated}
        self._unsynced_files = [file for file in self._unsynced_files if file.path not in gone]
        paths: list[str] = []
        try:
            for segment in old:
                paths += segment.add_suffix(DELETED_SUFFIX)
            for offset in outdated:
                paths += self._discard_snapshot(offset)
            new.change_suffix(SWAP_SUFFIX, "")
        except StorageError as error:
            raise self._fail(error) from error
        self.segments[at : at + len(old)] = [new]
        return paths

    def discard_files(self, paths: list[str]) -> None:
        self._discard(paths)

    # -- reading -------------------------------------------------------------------------

    def read(
        self, offset: int, *, max_bytes: int, end_offset: int, min_one: bool = True, to_replica: bool = False
    ) -> FileSlice | None:
        """Bytes of one segment from the batch that holds ``offset``; the client trims what comes before.

        Never a batch that reaches past ``end_offset``. The first batch comes whole, even above
        ``max_bytes``, unless ``min_one`` is off. None if there is nothing to read. A replica gets headers
        without records too: they tell the last sequence of a producer.
        """
        if self.offline is not None:
            raise LogError(ErrorCode.KAFKA_STORAGE_ERROR, str(self.offline))
        if not self.log_start_offset <= offset <= self.log_end_offset:
            raise OffsetOutOfRange(
                f"offset {offset} is not in {self.log_start_offset} … {self.log_end_offset}"
            )
        if offset >= end_offset:
            return None
        segment = self.active
        bases = self._recent_bases
        try:
            if bases and offset >= bases[0]:
                slot = bisect_right(bases, offset)
                positions = self._recent_positions
                start = positions[slot - 1]
                first_end = positions[slot] if slot < len(positions) else segment.size
            else:
                segment, start, first_end = self._locate(offset, skip_empty=not to_replica)
                if start < 0:
                    return None
            end = self._end_position(segment, end_offset)
        except StorageError as error:
            raise self._fail(error) from error
        if end <= start:
            return None
        first_size = first_end - start
        if max_bytes < first_size:
            if not min_one:
                return None
            max_bytes = first_size
        return FileSlice(segment.file, start, min(end - start, max_bytes))

    def _locate(self, offset: int, *, skip_empty: bool) -> tuple[Segment, int, int]:
        """Segment, start and end of the first batch that reaches ``offset``; start -1 if there is none."""
        segments = self.segments
        at = max(bisect_right(segments, offset, key=base_offset_of) - 1, 0)
        for segment in segments[at:]:
            found = segment.find(offset) if segment.size else None
            while skip_empty and found is not None and found[1] == HEADER_SIZE and segment is not self.active:
                # Compaction left a header without records: librdkafka stands still on those alone.
                found = segment.find_from(offset, found[0] + HEADER_SIZE)
            if found is not None:
                return segment, found[0], found[0] + found[1]
        return segments[-1], -1, -1

    def _end_position(self, segment: Segment, end_offset: int) -> int:
        """Where the first batch starts that is not wholly below ``end_offset``."""
        if end_offset >= self.log_end_offset:
            return segment.size
        bases = self._recent_bases
        if segment is self.active:
            if bases and end_offset >= bases[0]:
                return self._recent_positions[bisect_right(bases, end_offset) - 1]
        else:
            following = bisect_right(self.segments, segment.base_offset, key=base_offset_of)
            if end_offset >= self.segments[following].base_offset:
                return segment.size
        found = segment.find(end_offset)
        return segment.size if found is None else found[0]

    def offset_for_timestamp(self, timestamp: int) -> tuple[int, int] | None:
        """(timestamp, offset) of the first record at or after ``timestamp``."""
        return self._guarded(
            lambda: lookup.offset_for_timestamp(self.segments, timestamp, self.log_start_offset)
        )

    def max_timestamp(self) -> tuple[int, int]:
        """(timestamp, offset) of the record with the largest timestamp; (-1, -1) for an empty log."""
        return self._guarded(lambda: lookup.max_timestamp(self.segments))

    def aborted_transactions(self, fetch_offset: int, end_offset: int) -> list[AbortedTransaction]:
        """Those a ``read_committed`` reader of this range must skip."""
        return self._guarded(lambda: self._aborted_transactions(fetch_offset, end_offset))

    def aborted_in(self, piece: FileSlice, fetch_offset: int, end_offset: int) -> list[AbortedTransaction]:
        """The same for what ``read`` gave from ``fetch_offset`` on, with ``end_offset`` as the bound."""
        return self._guarded(lambda: self._aborted_in(piece, fetch_offset, end_offset))

    def _aborted_in(self, piece: FileSlice, fetch_offset: int, end_offset: int) -> list[AbortedTransaction]:
        segments = self.segments
        at = max(bisect_right(segments, fetch_offset, key=base_offset_of) - 1, 0)
        if not any(segment.txn_index.on_disk for segment in segments[at:]):
            return []
        while at < len(segments) and not (segments[at].size and segments[at].file is piece.file):
            at += 1  # over segments that compaction emptied
        bound: int | None = None
        if at < len(segments):
            bound = segments[at].index.offset_from(piece.position + piece.length)
            if bound is None and at + 1 < len(segments):
                bound = segments[at + 1].base_offset
        return self._aborted_transactions(
            fetch_offset, end_offset if bound is None else min(bound, end_offset)
        )

    def _aborted_transactions(self, fetch_offset: int, end_offset: int) -> list[AbortedTransaction]:
        at = max(bisect_right(self.segments, fetch_offset, key=base_offset_of) - 1, 0)
        found: list[AbortedTransaction] = []
        for segment in self.segments[at:]:
            some, complete = segment.txn_index.collect(fetch_offset, end_offset)
            found += some
            if complete:
                break
        return found

    @property
    def latest_epoch(self) -> int:
        """That of the last record, or one that started after it; -1 if there is none. Raises ``LogError``."""
        epochs = self._epochs or self._guarded(lambda: self.epochs)
        return epochs.latest_epoch

    def epoch_for_offset(self, offset: int) -> int:
        """The epoch that wrote ``offset``; -1 if it is not known. Raises ``LogError``."""
        return self._guarded(lambda: self.epochs.epoch_for_offset(offset))

    def producer_states(self) -> list[ProducerEntry]:
        """The producers that are remembered. Raises ``LogError``."""
        return self._guarded(lambda: list(self.producers.entries.values()))

    def end_offset_for_epoch(self, epoch: int) -> tuple[int, int]:
        """(epoch, end offset) of the largest epoch not above ``epoch``; (-1, -1) if unknown."""
        return self._guarded(lambda: self.epochs.end_offset_for(epoch, self.log_end_offset))

    def _guarded(self, read: Callable[[], _Answer]) -> _Answer:
        """Reads that are not on the hot path: a failing disk takes the folder offline."""
        if self.offline is not None:
            raise LogError(ErrorCode.KAFKA_STORAGE_ERROR, str(self.offline))
        try:
            return read()
        except CorruptBatch as error:
            raise LogError(ErrorCode.CORRUPT_MESSAGE, f"{self.folder}: {error}") from error
        except StorageError as error:
            raise self._fail(error) from error
