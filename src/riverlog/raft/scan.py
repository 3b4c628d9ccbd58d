"""Reading a metadata log without touching it: every batch from some offset on, up to a torn end.

Start-up decides by this whether it can work with a folder before it changes a byte of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from riverlog.env import Disk, File
from riverlog.raft.snapshots import DECOMPRESSED_BYTES_MAX
from riverlog.records import (
    HEADER_SIZE,
    BatchHeader,
    CorruptBatch,
    Record,
    crc_ok,
    decode_records,
    read_header,
)
from riverlog.storage.names import LOG_SUFFIX, parse_offset_name

READ_BYTES = 1 << 20

OnBatch = Callable[[BatchHeader, list[Record]], None]


class DamagedLog(Exception):
    """The log is bad where it was whole once; the message is one line."""


@dataclass(slots=True)
class LogEnd:
    """Where the good part of a log ends."""

    start_offset: int = 0
    end_offset: int = 0
    last_epoch: int = -1
    last_timestamp: int = 0
    torn: str | None = None
    """What was wrong with the first bad batch, if there is one."""


def first_offset(disk: Disk, folder: str) -> int | None:
    """Base offset of the first segment; None if there is no segment."""
    bases = segment_bases(disk, folder)
    return bases[0] if bases else None


def segment_bases(disk: Disk, folder: str) -> list[int]:
    if not disk.is_folder(folder):
        return []
    parsed = (parse_offset_name(name) for name in disk.list_folder(folder))
    return sorted(found[0] for found in parsed if found is not None and found[1] == LOG_SUFFIX)


def scan_log(
    disk: Disk, folder: str, *, from_offset: int, recovery_point: int | None, clean: bool, on_batch: OnBatch
) -> LogEnd:
    """Give every batch that reaches ``from_offset`` or further to ``on_batch``, in order.

    A bad batch ends the log there. Raises ``DamagedLog`` if it lies below ``recovery_point``, which was
    durable once: no torn write explains it then. A log of Kafka's has no such point; there a clean
    stop says that all of it was durable.
    """
    bases = segment_bases(disk, folder)
    end = LogEnd(start_offset=bases[0] if bases else from_offset)
    end.end_offset = end.start_offset
    for slot, base in enumerate(bases):
        following = bases[slot + 1] if slot + 1 < len(bases) else None
        if following is not None and following <= from_offset:
            end.end_offset = following
            continue
        if base != end.end_offset:
            end.torn = f"the next segment starts at {base}"
        else:
            _scan_segment(disk.open(f"{folder}/{base:020d}{LOG_SUFFIX}"), end, from_offset, on_batch)
        if end.torn is not None:
            break
    if recovery_point is None:
        damaged = clean and end.torn is not None
    else:
        # Past it a start after the clean stop may have lost power while writing, its mark still there.
        damaged = end.end_offset < recovery_point
    if damaged:
        why = end.torn or "it ends too early"
        raise DamagedLog(
            f"{folder}: the log is damaged at offset {end.end_offset} ({why}), it was whole once"
        )
    return end


def _scan_segment(file: File, end: LogEnd, from_offset: int, on_batch: OnBatch) -> None:
    size = file.size
    position = 0
    data = b""
    start = 0
    while position < size:
        at = position - start
        if len(data) - at < HEADER_SIZE:
            start, at = position, 0
            data = file.read(start, READ_BYTES)
        try:
            header = read_header(data, at)
            if position + header.size > size:
                raise CorruptBatch("cut short")
            if at + header.size > len(data):
                start, at = position, 0
                data = file.read(start, max(READ_BYTES, header.size))
            if not crc_ok(data, at, header):
                raise CorruptBatch("wrong CRC")
            if header.base_offset != end.end_offset or header.last_offset_delta < 0:
                raise CorruptBatch(f"offset {header.base_offset} where {end.end_offset} should be")
            if header.partition_leader_epoch < end.last_epoch:
                raise CorruptBatch(f"epoch {header.partition_leader_epoch} after {end.last_epoch}")
        except CorruptBatch as error:
            end.torn = str(error)
            break
        if header.last_offset >= from_offset:
            try:
                on_batch(header, decode_records(data, at, header, max_bytes=DECOMPRESSED_BYTES_MAX))
            except CorruptBatch as error:
                # Its CRC is good, so it was written like this.
                raise DamagedLog(f"{file.path}: offset {header.base_offset}: {error}") from None
        end.end_offset = header.next_offset
        end.last_epoch = header.partition_leader_epoch
        end.last_timestamp = header.max_timestamp
        position += header.size
    file.close()
