"""Reading a segment batch by batch: checking it, indexing it, noting its producers."""

from __future__ import annotations

from struct import Struct

from riverlog.records import HEADER_SIZE, BatchHeader, CorruptBatch, crc_ok, read_header
from riverlog.storage.epochs import LeaderEpochs
from riverlog.storage.markers import read_marker
from riverlog.storage.producers import ProducerStates
from riverlog.storage.segment import Segment
from riverlog.storage.txnindex import AbortedTransaction

READ_BYTES = 1 << 20
_OFFSET_SPAN = 1 << 31
_epoch_and_magic = Struct(">ib").pack
_EPOCH_POSITION = 12


class Scan:
    """One segment being checked: how far it is good, and why not further."""

    __slots__ = (
        "epochs",
        "index_interval",
        "next_offset",
        "position",
        "producers",
        "reason",
        "segment",
        "watched_position",
    )

    def __init__(
        self, segment: Segment, index_interval: int, epochs: LeaderEpochs, producers: ProducerStates
    ) -> None:
        self.segment = segment
        self.index_interval = index_interval
        self.epochs = epochs
        self.producers = producers
        self.position = 0
        self.next_offset = segment.base_offset
        self.reason = ""
        self.watched_position = segment.size


def scan_segment(scan: Scan, *, end_before: int | None, watch_offset: int) -> None:
    """Check all batches and rebuild the indexes; stops at the first bad one."""
    segment = scan.segment
    segment.reset_indexes()
    size = segment.size
    if size == 0:
        return
    file = segment.file
    data = b""
    start = 0
    while scan.position < size:
        at = scan.position - start
        if len(data) - at < HEADER_SIZE:
            start, at = scan.position, 0
            data = file.read(start, READ_BYTES)
        try:
            header = read_header(data, at)
        except CorruptBatch as error:
            scan.reason = str(error)
            return
        if scan.position + header.size > size:
            scan.reason = f"batch of {header.size} bytes, {size - scan.position} left"
            return
        if at + header.size > len(data):
            start, at = scan.position, 0
            data = file.read(start, max(READ_BYTES, header.size))
        scan.reason = _fault(scan, header, data, at, end_before)
        if scan.reason:
            return
        if header.last_offset >= watch_offset and scan.watched_position == size:
            scan.watched_position = scan.position
        epochs = scan.epochs
        if header.partition_leader_epoch > epochs.latest_epoch:
            epochs.assign(header.partition_leader_epoch, header.base_offset)
        segment.note(
            scan.position, header.size, header.last_offset, header.max_timestamp, scan.index_interval
        )
        if header.producer_id >= 0:
            note_batch(segment, scan.producers, header, data, at, index=True)
        scan.next_offset = header.next_offset
        scan.position += header.size


def _fault(scan: Scan, header: BatchHeader, data: bytes, at: int, end_before: int | None) -> str:
    """What is wrong with this batch; empty if nothing is."""
    if header.base_offset < scan.next_offset or header.last_offset_delta < 0:
        return f"offset {header.base_offset} after {scan.next_offset}"
    if header.last_offset > scan.segment.offset_max:
        return f"offset {header.last_offset} is out of the segment's range"
    if end_before is not None and header.last_offset >= end_before:
        return f"offset {header.last_offset} runs into the next segment"
    epoch = header.partition_leader_epoch
    if 0 <= epoch < scan.epochs.latest_epoch:
        return f"leader epoch {epoch} after {scan.epochs.latest_epoch}"
    if not crc_ok(data, at, header):
        return "wrong CRC"
    return ""


def note_batch(
    segment: Segment, producers: ProducerStates, header: BatchHeader, data: bytes, at: int, *, index: bool
) -> None:
    """Producer state, and with ``index`` the transaction index, of a batch read back from the log."""
    if not header.is_control:
        producers.note(header, header.base_offset, header.last_offset)
        return
    if header.record_count == 0:
        producers.note_emptied_marker(header)
        return
    try:
        marker = read_marker(data, at, header)
    except CorruptBatch:
        return  # its CRC is good: a control batch of a kind we do not know ends no transaction
    if marker is None:
        return
    completed = producers.note_marker(
        header,
        header.base_offset,
        marker.timestamp,
        coordinator_epoch=marker.coordinator_epoch,
        aborted=marker.aborted,
    )
    if completed is not None:
        stable = producers.complete(completed)
        if index and completed.aborted:
            segment.txn_index.append(AbortedTransaction(*completed[:3], stable))


def rebuild_indexes(segment: Segment, index_interval: int) -> None:
    """Offset and time index of a closed segment from its batch headers."""
    segment.index.reset()
    segment.time_index.reset()
    segment.forget_timestamps()
    for position, header in segment.headers():
        segment.note(position, header.size, header.last_offset, header.max_timestamp, index_interval)
    segment.seal()


def has_valid_batch(segment: Segment, position: int, offset: int, epochs: list[int]) -> bool:
    """Whether a whole batch with a good CRC starts at ``position`` or later.

    Looks for leader epoch and magic, the five bytes of a header that are known in advance.
    """
    patterns = [_epoch_and_magic(epoch, 2) for epoch in epochs]
    size = segment.size
    while position + HEADER_SIZE <= size:
        data = segment.file.read(position, READ_BYTES)
        for pattern in patterns:
            at = data.find(pattern, _EPOCH_POSITION)
            while at >= 0:
                if _is_valid(segment, position + at - _EPOCH_POSITION, offset):
                    return True
                at = data.find(pattern, at + 1)
        if len(data) <= HEADER_SIZE:
            return False
        position += len(data) - HEADER_SIZE + 1
    return False


def _is_valid(segment: Segment, position: int, offset: int) -> bool:
    try:
        header = read_header(segment.file.read(position, HEADER_SIZE), 0)
    except CorruptBatch:
        return False
    if not offset <= header.base_offset < offset + _OFFSET_SPAN or position + header.size > segment.size:
        return False
    return crc_ok(segment.file.read(position, header.size), 0, header)
