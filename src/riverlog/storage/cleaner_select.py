"""Which log is compacted next, and which part of it: the dirty section, the ratio, the groups of segments."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from riverlog.storage.config import LONG_MAX
from riverlog.storage.log import Log
from riverlog.storage.logcore import base_offset_of
from riverlog.storage.segment import RELATIVE_OFFSET_MAX, Segment

GROUP_SEGMENTS_MAX = 64
"""Segments that one new segment replaces at most: swapping renames all their files in one step."""


@dataclass(slots=True)
class Candidate:
    """A log with its dirty section ``first_dirty_offset`` … ``first_uncleanable_offset``."""

    log: Log
    first_dirty_offset: int
    first_uncleanable_offset: int
    clean_bytes: int
    cleanable_bytes: int
    overdue: bool
    """Something in it is older than ``max.compaction.lag.ms``."""

    @property
    def ratio(self) -> float:
        total = self.clean_bytes + self.cleanable_bytes
        return self.cleanable_bytes / total if total else 0.0

    @property
    def is_due(self) -> bool:
        if self.cleanable_bytes == 0:
            return False
        return self.overdue or self.ratio > self.log.config.min_cleanable_dirty_ratio


def first_dirty_offset(log: Log, checkpoint: int | None) -> int:
    """Where compaction goes on; a checkpoint that the log does not reach, or has left behind, is void."""
    if checkpoint is None or not log.log_start_offset <= checkpoint <= log.log_end_offset:
        return log.log_start_offset
    return checkpoint


def examine(log: Log, checkpoint: int | None, now_ms: int) -> Candidate | None:
    """The log's dirty section, None if nothing of it may be compacted.

    Never the active segment, nor anything past the last stable offset, the high watermark or the recovery
    point: what is not known to be on disk is left to recovery.
    """
    segments = log.segments
    if len(segments) < 2:
        return None
    start = first_dirty_offset(log, checkpoint)
    limit = min(segments[-1].base_offset, log.high_watermark, log.recovery_point)
    if limit <= start:
        return None
    candidate = _measure(log, start, limit, now_ms)
    if candidate.cleanable_bytes and candidate.first_uncleanable_offset > log.last_stable_offset:
        # Asked for last: it may have to load the producers.
        candidate = _measure(log, start, log.last_stable_offset, now_ms)
    return candidate if candidate.cleanable_bytes else None


def _measure(log: Log, start: int, limit: int, now_ms: int) -> Candidate:
    segments = log.segments
    dirty = range(max(bisect_right(segments, start, key=base_offset_of) - 1, 0), len(segments) - 1)
    lag_ms = log.config.min_compaction_lag_ms
    if lag_ms > 0:
        for slot in dirty:
            if segments[slot].largest_timestamp > now_ms - lag_ms:
                limit = min(limit, segments[slot].base_offset)
                break
    # The segment that holds the limit is the first one left alone.
    end_slot = max(bisect_right(segments, max(limit, start), key=base_offset_of) - 1, 0)
    end = segments[end_slot].base_offset
    cleanable = sum(segments[slot].size for slot in dirty if segments[slot].base_offset < end)
    clean = sum(segment.size for segment in segments if segment.base_offset < start)
    return Candidate(log, start, end, clean, cleanable, _is_overdue(log, dirty, now_ms))


def _is_overdue(log: Log, dirty: range, now_ms: int) -> bool:
    lag_ms = log.config.max_compaction_lag_ms
    if lag_ms >= LONG_MAX:
        return False
    oldest = [time for time in (log.segments[slot].first_timestamp() for slot in dirty) if time > 0]
    return bool(oldest) and min(oldest) < now_ms - lag_ms


def group_segments(
    segments: Sequence[Segment], *, size_max: int, index_size_max: int, end_offset: int
) -> Iterator[list[Segment]]:
    """Neighbours that fit into one segment together, by bytes of log and index and by offsets."""
    at = 0
    while at < len(segments):
        group = [segments[at]]
        size, entries = group[0].size, _entries(group[0])
        at += 1
        while at < len(segments) and len(group) < GROUP_SEGMENTS_MAX:
            segment = segments[at]
            following = segments[at + 1].base_offset if at + 1 < len(segments) else end_offset
            index, time_index = _entries(segment)
            if (
                size + segment.size > size_max
                or (entries[0] + index) * segment.index.ENTRY_SIZE > index_size_max
                or (entries[1] + time_index) * segment.time_index.ENTRY_SIZE > index_size_max
                or (segment.size and following - 1 - group[0].base_offset > RELATIVE_OFFSET_MAX)
            ):
                break
            group.append(segment)
            size += segment.size
            entries = (entries[0] + index, entries[1] + time_index)
            at += 1
        yield group


def _entries(segment: Segment) -> tuple[int, int]:
    return segment.index.entries, segment.time_index.entries
