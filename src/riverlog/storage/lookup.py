"""Finding records by time."""

from __future__ import annotations

from riverlog.records import BatchHeader, CorruptBatch, DecompressedTooLarge, Record, decode_records
from riverlog.storage.segment import Segment

DECOMPRESSED_BYTES_MAX = 256 << 20
"""A batch that grows beyond this is answered by its first offset instead of being unpacked."""


def offset_for_timestamp(
    segments: list[Segment], timestamp: int, log_start_offset: int
) -> tuple[int, int] | None:
    """(timestamp, offset) of the first record at or after ``timestamp``; None if there is none."""
    for segment in segments:
        if segment.size == 0 or segment.largest_timestamp < timestamp:
            continue
        offset = max(segment.time_index.lookup(timestamp)[1], log_start_offset)
        for position, header in segment.headers(segment.index.lookup(offset)[1]):
            if header.max_timestamp < timestamp or header.last_offset < log_start_offset:
                continue
            for record in _records(segment, position, header):
                if record.timestamp >= timestamp and record.offset >= log_start_offset:
                    return record.timestamp, record.offset
        # Kafka stops here; records below the log start may hold the segment's largest timestamp, so go on.
    return None


def max_timestamp(segments: list[Segment]) -> tuple[int, int]:
    """(timestamp, offset) of the first record that has the largest timestamp; (-1, -1) if there is none."""
    best: Segment | None = None
    for segment in segments:
        if segment.size and (best is None or segment.max_timestamp > best.max_timestamp):
            best = segment
    if best is None or best.max_timestamp < 0:
        return -1, -1
    target = best.max_timestamp
    start = best.index.lookup(best.max_timestamp_offset)[1]
    for position, header in best.headers(start):
        if header.max_timestamp == target:
            for record in _records(best, position, header):
                if record.timestamp == target:
                    return target, record.offset
    return -1, -1


def _records(segment: Segment, position: int, header: BatchHeader) -> list[Record]:
    data = segment.file.read(position, header.size)
    if header.is_log_append_time:
        # All records share one time, and the first of them is the answer.
        return [Record(header.base_offset, header.max_timestamp, None, None, [])]
    try:
        return decode_records(data, 0, header, max_bytes=DECOMPRESSED_BYTES_MAX)
    except DecompressedTooLarge:
        return [Record(header.base_offset, header.max_timestamp, None, None, [])]
    except CorruptBatch:
        return []
