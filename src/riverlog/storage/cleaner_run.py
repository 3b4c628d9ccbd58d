"""One compaction of one log, as a generator of small steps.

First the offset map is built from the dirty section, then all segments up to its end are written anew,
group by group, in offset order: older values of a key are gone from disk before a tombstone gets its
delete horizon, and long before it goes itself. That is why the checkpoint of the first dirty offset moves
only when everything is in place and synced.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterator
from dataclasses import dataclass

from riverlog.env import Disk, File
from riverlog.records import HEADER_SIZE, BatchHeader, CorruptBatch, read_header
from riverlog.storage.cleaner_map import OffsetMap
from riverlog.storage.cleaner_records import BatchFilter, Verdict, map_batch
from riverlog.storage.cleaner_segment import CleanedSegment
from riverlog.storage.cleaner_select import Candidate, group_segments
from riverlog.storage.cleaner_transactions import CleanedTransactions
from riverlog.storage.log import Log
from riverlog.storage.logcore import base_offset_of
from riverlog.storage.segment import Segment

SYNC_BYTES = 16 << 20
"""A new segment is synced after so many bytes, so that the last sync does not take long."""
HEADERS_PER_STEP = 200


@dataclass(slots=True)
class CleanerSettings:
    """Kafka's ``log.cleaner.*``."""

    enable: bool = True
    backoff_ms: int = 15_000
    dedupe_buffer_size: int = 128 << 20
    io_buffer_size: int = 512 << 10
    io_buffer_load_factor: float = 0.9
    io_max_bytes_per_second: float = float("inf")


@dataclass(slots=True)
class CleaningStats:
    """What one compaction did."""

    bytes_read: int = 0
    """While mapping and while writing anew."""
    bytes_in: int = 0
    bytes_out: int = 0
    records_mapped: int = 0
    records_in: int = 0
    records_out: int = 0
    keys: int = 0
    segments_in: int = 0
    segments_out: int = 0

    @property
    def io_bytes(self) -> int:
        return self.bytes_read + self.bytes_out


class Uncleanable(Exception):
    """This log cannot be compacted; the message says why."""


@dataclass(slots=True)
class Sync:
    """A step that waits for the disk."""

    files: list[File]
    folders: list[str]


Step = Sync | None
"""None: a pause, the loop may look at something else."""
Steps = Generator[Step, None, None]


class Cleaning:
    """One run over one log. ``output`` is the segment being written; ``abort`` takes it back."""

    def __init__(self, disk: Disk, candidate: Candidate, settings: CleanerSettings, now_ms: int) -> None:
        self.log: Log = candidate.log
        self.stats = CleaningStats()
        self.output: CleanedSegment | None = None
        self.gone: list[str] = []
        """Files that were replaced, to be removed when the folder is synced."""
        self.end_offset = candidate.first_dirty_offset
        """The new first dirty offset, when ``steps`` is through."""
        self._disk = disk
        self._settings = settings
        self._now_ms = now_ms
        self._start = candidate.first_dirty_offset
        self._limit = candidate.first_uncleanable_offset
        self._read_bytes = max(settings.io_buffer_size // 2, 4096)
        self._transactions = CleanedTransactions()

    def steps(self) -> Steps:
        """Raises ``CorruptBatch`` or ``Uncleanable``; ``StorageError`` when the disk fails."""
        log = self.log
        offsets = yield from self._build_map()
        end_offset = offsets.latest_offset + 1
        if end_offset <= self._start:
            raise Uncleanable("log.cleaner.dedupe.buffer.size does not hold the keys of one batch")
        covered = [segment for segment in log.segments if segment.base_offset < end_offset]
        groups = group_segments(
            covered,
            size_max=log.config.segment_bytes,
            index_size_max=log.config.segment_index_bytes,
            end_offset=self._limit,
        )
        records = BatchFilter(
            offsets, now_ms=self._now_ms, delete_retention_ms=log.config.delete_retention_ms
        )
        for group in groups:
            yield from self._clean_group(group, records)
            self.stats.records_in = records.records_read
            self.stats.records_out = records.records_kept
        self.end_offset = end_offset
        yield from offsets.release()

    def abort(self) -> None:
        """The steps are not run any more: leave nothing behind."""
        if self.output is not None:
            self.output.discard()
            self.output = None
        self.discard_gone()

    # -- the map -------------------------------------------------------------------------

    def _build_map(self) -> Generator[Step, None, OffsetMap]:
        log = self.log
        dirty = self._dirty_segments()
        settings = self._settings
        offsets = OffsetMap(
            buffer_bytes=settings.dedupe_buffer_size,
            load_factor=settings.io_buffer_load_factor,
            records=(yield from self._count_records(dirty)),
            start_offset=self._start,
        )
        yield from offsets.allocate()
        transactions = CleanedTransactions()
        transactions.add(log.aborted_transactions(self._start, self._limit))
        for slot, segment in enumerate(dirty):
            following = dirty[slot + 1].base_offset if slot + 1 < len(dirty) else self._limit
            position = segment.index.lookup(self._start)[1] if segment.size else 0
            if not (yield from self._map_segment(offsets, segment, position, transactions)):
                break
            offsets.latest_offset = max(offsets.latest_offset, following - 1)  # over a gap at its end
        self.stats.keys = offsets.size
        return offsets

    def _dirty_segments(self) -> list[Segment]:
        """Those below the limit, from the one that holds the first dirty offset on."""
        below = [segment for segment in self.log.segments if segment.base_offset < self._limit]
        while len(below) > 1 and below[1].base_offset <= self._start:
            del below[0]
        return below

    def _count_records(self, dirty: list[Segment]) -> Generator[Step, None, int]:
        """At most: what the headers say, so that the map takes no more memory than it needs."""
        count = 0
        enough = self._settings.dedupe_buffer_size
        for segment in dirty:
            for number, (_, header) in enumerate(segment.headers()):
                count += max(header.record_count, 0)
                if number % HEADERS_PER_STEP == 0:
                    if count > enough:
                        return count
                    yield None
        return count

    def _map_segment(
        self, offsets: OffsetMap, segment: Segment, position: int, transactions: CleanedTransactions
    ) -> Generator[Step, None, bool]:
        """False when the map is full: the batch at hand is not covered then."""
        for header, data, at, _ in self._batches(segment, position):
            if header.is_control:
                transactions.on_control(header, data, at)
            elif not transactions.on_data(header) and header.last_offset >= self._start:
                if not (yield from map_batch(offsets, header, data, at, self._start)):
                    return False
                self.stats.records_mapped += header.record_count
            offsets.latest_offset = max(offsets.latest_offset, header.last_offset)
            yield None
        return True

    # -- the new segments ----------------------------------------------------------------

    def _clean_group(self, group: list[Segment], records: BatchFilter) -> Steps:
        log = self.log
        output = CleanedSegment(
            self._disk,
            log.folder,
            group[0].base_offset,
            created_ms=group[-1].created_ms,
            index_interval=log.config.index_interval_bytes,
        )
        self.output = output
        self._transactions.index = output.segment.txn_index
        filled = [segment for segment in group if segment.size]
        changed = len(group) > 1
        unsynced = 0
        for segment in filled:
            following = bisect_right(log.segments, segment.base_offset, key=base_offset_of)
            self._transactions.add(
                log.aborted_transactions(segment.base_offset, log.segments[following].base_offset)
            )
            for header, data, at, is_last in self._batches(segment, 0):
                verdict = self._judge(header, data, at, keep=is_last and segment is filled[-1])
                batch = yield from records.apply(header, data, at, verdict)
                if batch is None:
                    changed = True
                else:
                    same = isinstance(batch, memoryview)
                    changed = changed or not same
                    written = output.append(batch, header if same else None)
                    self.stats.bytes_out += written
                    unsynced += written
                    if unsynced >= SYNC_BYTES:
                        yield Sync([output.segment.file], [])
                        unsynced = 0
                yield None
        self.stats.bytes_out += output.flush()
        self.stats.segments_in += len(group)
        self.stats.bytes_in += sum(segment.size for segment in group)
        if changed:
            yield from self._put_in_place(group, output)
        else:
            output.discard()
        self.stats.segments_out += 1
        self.output = None

    def _put_in_place(self, group: list[Segment], output: CleanedSegment) -> Steps:
        """RULES: durable end 7. Each state is on disk before the next begins."""
        log = self.log
        yield Sync(output.finish(), [log.folder])
        output.become_swap()
        yield Sync([], [log.folder])
        self.gone = log.replace_segments(group, output.segment)
        self.output = None  # from here on it is the log's
        yield Sync([], [log.folder])
        self.discard_gone()

    def discard_gone(self) -> None:
        """Readers may still hold the old files: they go after ``file.delete.delay.ms``."""
        gone, self.gone = self.gone, []
        self.log.discard_files(gone)

    def _judge(self, header: BatchHeader, data: bytes, at: int, *, keep: bool) -> Verdict:
        """``keep``: the last batch of a new segment stays at least as a header, so that segments meet
        without a gap. (Kafka keeps it at the end of the whole run only.)"""
        transactions = self._transactions
        end_marker = False
        if header.is_control:
            end_marker = transactions.on_control(header, data, at)
            discard = end_marker and header.has_delete_horizon and header.base_timestamp <= self._now_ms
        else:
            discard = transactions.on_data(header)
        keep = keep or header.next_offset == self._limit or self._is_known_of_producer(header)
        return Verdict(discard, keep, end_marker)

    def _is_known_of_producer(self, header: BatchHeader) -> bool:
        """A replay of the log must find the last sequence, or at least the epoch, of each producer.

        Kafka keeps its last batch only. A new replica that leads then must know those before it as well, or
        it takes a retry for out of order (INVARIANTS 9). A transaction is not compacted before it has ended,
        and then nothing of it is sent again.
        """
        if not header.has_producer_id:
            return False
        entry = self.log.producers.entries.get(header.producer_id)
        if entry is None:
            return False
        if entry.batches:
            retried = entry.batches[-1:] if header.is_transactional else entry.batches
            return any(header.last_offset == batch.last_offset for batch in retried)
        return header.is_control and header.producer_epoch == entry.producer_epoch

    # -- reading -------------------------------------------------------------------------

    def _batches(self, segment: Segment, position: int) -> Iterator[tuple[BatchHeader, bytes, int, bool]]:
        """Header, bytes and position in them of each whole batch, and whether it is the segment's last."""
        file = segment.file
        end = segment.size
        while position < end:
            data = file.read(position, min(self._read_bytes, end - position))
            at = 0
            while len(data) - at >= HEADER_SIZE:
                header = read_header(data, at)
                if at + header.size > len(data):
                    break
                self.stats.bytes_read += header.size
                yield header, data, at, position + at + header.size == end
                at += header.size
            position += at
            if at == 0:  # larger than what is read at a time
                header = read_header(data)
                if position + header.size > end:
                    raise CorruptBatch(f"batch of {header.size} bytes at {position} is cut short")
                data = file.read(position, header.size)
                self.stats.bytes_read += header.size
                yield header, data, 0, position + header.size == end
                position += header.size
