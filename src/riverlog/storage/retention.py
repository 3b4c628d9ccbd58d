"""Which old segments may go: by time, by size, by a moved log start."""

from __future__ import annotations

from riverlog.storage.log import Log


def apply_retention(log: Log, now_ms: int) -> int:
    """Delete what is due; answers the number of segments. Nothing above the high watermark goes."""
    deleted = 0
    if log.config.is_deleted:
        deleted += _delete(log, _expired(log, now_ms), now_ms)
        deleted += _delete(log, _oversize(log), now_ms)
    deleted += _delete(log, _before_start(log), now_ms)
    return deleted


def _delete(log: Log, count: int, now_ms: int) -> int:
    if count > 0:
        log.delete_first_segments(count, now_ms)
    return count


def _upper_bound(log: Log, slot: int) -> int:
    """Where segment ``slot`` ends."""
    segments = log.segments
    return segments[slot + 1].base_offset if slot + 1 < len(segments) else log.log_end_offset


def _expired(log: Log, now_ms: int) -> int:
    """Segments whose newest record is older than ``retention.ms``. An empty active one stays."""
    retention_ms = log.config.retention_ms
    if retention_ms < 0:
        return 0
    count = 0
    for slot, segment in enumerate(log.segments):
        if segment.size == 0 and segment is log.active:
            break
        if now_ms - segment.largest_timestamp <= retention_ms or log.high_watermark < _upper_bound(log, slot):
            break
        count += 1
    return count


def _oversize(log: Log) -> int:
    """Segments that can go while the rest still holds ``retention.bytes``."""
    limit = log.config.retention_bytes
    if limit < 0:
        return 0
    excess = log.size_bytes - limit
    count = 0
    for slot, segment in enumerate(log.segments):
        if segment.size == 0 and segment is log.active:
            break
        if excess < segment.size or log.high_watermark < _upper_bound(log, slot):
            break
        excess -= segment.size
        count += 1
    return count


def _before_start(log: Log) -> int:
    """Segments wholly below the log start. The active one stays."""
    count = 0
    for slot in range(len(log.segments) - 1):
        if log.segments[slot + 1].base_offset > log.log_start_offset:
            break
        count += 1
    return count
