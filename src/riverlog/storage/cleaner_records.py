"""One batch in a compaction: its records without decoding them, and the batch that is left of it.

Records that stay keep their bytes: base offset and base timestamp of the batch do not change, so neither
do the deltas in them. Only a delete horizon, which takes the place of the base timestamp (KIP-534), makes
their timestamps be written anew. Everything here works in small steps: a batch may hold many records.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from riverlog.env.disk import Buffer
from riverlog.records import HEADER_SIZE, BatchHeader, CorruptBatch, crc_ok
from riverlog.records.builder import assemble, encode_varint
from riverlog.records.compression import Codec, compress_slices, decompress
from riverlog.records.decoder import read_varint
from riverlog.records.header import COMPRESSION_MASK, DELETE_HORIZON_FLAG, LOG_APPEND_TIME_FLAG, NO_TIMESTAMP
from riverlog.storage.cleaner_map import OffsetMap

RECORDS_PER_STEP = 200
DECOMPRESSED_BYTES_MAX = 256 << 20
"""A batch that grows beyond this makes its log uncleanable."""

Pauses = Generator[None, None, None]
Span = tuple[int, int, int, int, bytes | None, bool]
"""Where the record starts, where its timestamp delta starts, where it ends; offset delta, key, whether it
has a value."""


@dataclass(slots=True)
class Verdict:
    """What to do with one batch, decided by its header."""

    discard: bool = False
    """No record of it stays."""
    keep_empty: bool = False
    """Its header stays even without records: for its producer's sequence, or for the offsets."""
    end_marker: bool = False
    """A marker of a transaction of which nothing is left: it gets a delete horizon."""


def take_payload(data: Buffer, at: int, header: BatchHeader) -> bytes:
    """The records' bytes of a batch whose CRC fits. Raises ``CorruptBatch``: bad bytes get no new CRC."""
    if not crc_ok(data, at, header):
        raise CorruptBatch(f"wrong CRC at offset {header.base_offset}")
    packed = memoryview(data)[at + HEADER_SIZE : at + header.size]
    if header.record_count == 0 or header.compression == Codec.NONE:
        return bytes(packed)
    return decompress(header.compression, packed, max_bytes=DECOMPRESSED_BYTES_MAX)


def parse_spans(data: bytes, at: int, count: int, last_offset_delta: int) -> tuple[list[Span], int]:
    """The next ``count`` records, and where the one after them starts. Raises ``CorruptBatch``.

    One loop without calls for the usual record: most numbers take one byte or two.
    """
    spans: list[Span] = []
    add = spans.append
    size = len(data)
    try:
        for _ in range(count):
            start = at
            length = data[at]
            at += 1
            if length >= 0x80:
                high = data[at]
                if high < 0x80:
                    length = length & 0x7F | high << 7
                    at += 1
                else:
                    length, at = _read_raw(data, start)
            end = at + (length >> 1)
            if length & 1 or end > size:
                raise CorruptBatch(f"record at {start} does not fit")
            time_at = at + 1  # behind the attributes
            at = time_at + 1 if data[time_at] < 0x80 else read_varint(data, time_at)[1]
            delta = data[at]
            at += 1
            if delta >= 0x80:
                high = data[at]
                if high < 0x80:
                    delta = delta & 0x7F | high << 7
                    at += 1
                else:
                    delta, at = _read_raw(data, at - 1)
            if delta & 1 or delta >> 1 > last_offset_delta:
                raise CorruptBatch(f"record at {start} has an offset outside the batch")
            key: bytes | None = None
            length = data[at]
            at += 1
            if length >= 0x80:
                length, at = _read_raw(data, at - 1)
            if not length & 1:
                key_at = at
                at += length >> 1
                key = data[key_at:at]
            length = data[at]
            if at >= end:
                raise CorruptBatch(f"the key of the record at {start} does not fit")
            if length >= 0x80:
                length, _ = _read_raw(data, at)
            add((start, time_at, end, delta >> 1, key, not length & 1))
            at = end
    except IndexError:
        raise CorruptBatch("records end in the middle of one") from None
    return spans, at


def _read_raw(data: bytes, at: int) -> tuple[int, int]:
    """A number before zigzag decoding, where negative ones are odd, and the position behind it."""
    value, behind = read_varint(data, at)
    return (value << 1) ^ (value >> 63), behind


def map_batch(
    offsets: OffsetMap, header: BatchHeader, data: Buffer, at: int, start_offset: int
) -> Generator[None, None, bool]:
    """Note the keys of a batch from ``start_offset`` on; answers False when the map is full."""
    payload = take_payload(data, at, header)
    base = header.base_offset
    position = 0
    left = header.record_count
    while left > 0:
        count = min(left, RECORDS_PER_STEP)
        spans, position = parse_spans(payload, position, count, header.last_offset_delta)
        left -= count
        keys = [
            (key, base + delta)
            for _, _, _, delta, key, _ in spans
            if key is not None and base + delta >= start_offset
        ]
        if not offsets.put(keys):
            return False
        if left:
            yield
    return True


class BatchFilter:
    """Decides record by record what of a batch stays."""

    __slots__ = ("_delete_retention_ms", "_now_ms", "_offsets", "records_kept", "records_read")

    def __init__(self, offsets: OffsetMap, *, now_ms: int, delete_retention_ms: int) -> None:
        self._offsets = offsets
        self._now_ms = now_ms
        self._delete_retention_ms = delete_retention_ms
        self.records_read = 0
        self.records_kept = 0

    def apply(
        self, header: BatchHeader, data: Buffer, at: int, verdict: Verdict
    ) -> Generator[None, None, Buffer | None]:
        """The batch to write in place of this one: None for none, the same bytes if nothing changes."""
        original = memoryview(data)[at : at + header.size]
        self.records_read += header.record_count
        if verdict.discard or header.record_count == 0:
            return empty_batch(header) if verdict.keep_empty else None
        if header.base_offset > self._offsets.latest_offset and not verdict.end_marker:
            if not crc_ok(data, at, header):
                raise CorruptBatch(f"wrong CRC at offset {header.base_offset}")
            self.records_kept += header.record_count
            return original  # not covered by the map this time
        payload = take_payload(data, at, header)
        kept: list[Span] = []
        tombstones = False
        position = 0
        left = header.record_count
        while left > 0:
            count = min(left, RECORDS_PER_STEP)
            spans, position = parse_spans(payload, position, count, header.last_offset_delta)
            left -= count
            if not header.is_control:
                spans, some = self._choose(spans, header)
                tombstones = tombstones or some
            kept += spans
            yield
        self.records_kept += len(kept)
        if not kept:
            return empty_batch(header) if verdict.keep_empty else None
        new_horizon = (tombstones or verdict.end_marker) and not header.has_delete_horizon
        if len(kept) == header.record_count and not new_horizon:
            return original
        horizon_ms = self._now_ms + self._delete_retention_ms if new_horizon else None
        return (yield from rebuild(header, payload, kept, horizon_ms))

    def _choose(self, spans: list[Span], header: BatchHeader) -> tuple[list[Span], bool]:
        """Records that are the last of their key; records without a key go, as in Kafka.

        A tombstone stays until the delete horizon of its batch has passed.
        """
        drop_tombstones = header.has_delete_horizon and header.base_timestamp <= self._now_ms
        keyed = [span for span in spans if span[4] is not None and (span[5] or not drop_tombstones)]
        latest = self._offsets.find([span[4] for span in keyed if span[4] is not None])
        base = header.base_offset
        kept = [span for span, last in zip(keyed, latest, strict=True) if base + span[3] >= last]
        return kept, not all(span[5] for span in kept)


def rebuild(
    header: BatchHeader, payload: bytes, kept: list[Span], horizon_ms: int | None
) -> Generator[None, None, bytes]:
    """The batch with the records ``kept`` only. Its offsets, and so its sequences, do not change."""
    base_timestamp = header.base_timestamp
    attributes = header.attributes
    largest = -(1 << 63)
    shift: int | None = None
    if horizon_ms is not None:
        attributes |= DELETE_HORIZON_FLAG
        shift = base_timestamp - horizon_ms
    pieces: list[bytes] = []
    for first in range(0, len(kept), RECORDS_PER_STEP):
        for span in kept[first : first + RECORDS_PER_STEP]:
            delta, behind = read_varint(payload, span[1])
            largest = max(largest, delta)
            if shift is None:
                pieces.append(payload[span[0] : span[2]])
            else:
                pieces.append(_with_time(payload[behind : span[2]], delta + shift))
        yield
    max_timestamp = header.max_timestamp
    if not attributes & LOG_APPEND_TIME_FLAG:
        max_timestamp = base_timestamp + largest
    if horizon_ms is not None:
        base_timestamp = horizon_ms
    packed: list[bytes] = []
    for piece in compress_slices(header.compression, b"".join(pieces)):
        packed.append(piece)
        yield
    return assemble(
        b"".join(packed),
        base_offset=header.base_offset,
        leader_epoch=header.partition_leader_epoch,
        attributes=attributes,
        last_offset_delta=header.last_offset_delta,
        base_timestamp=base_timestamp,
        max_timestamp=max_timestamp,
        producer_id=header.producer_id,
        producer_epoch=header.producer_epoch,
        base_sequence=header.base_sequence,
        record_count=len(kept),
    )


def _with_time(rest: bytes, delta: int) -> bytes:
    """A record with this timestamp delta; before it stands the attributes byte, which is unused."""
    time = encode_varint(delta)
    return b"".join((encode_varint(1 + len(time) + len(rest)), b"\x00", time, rest))


def empty_batch(header: BatchHeader) -> bytes:
    """The header alone, as Kafka leaves it: producer, sequences, offsets and largest timestamp stay."""
    return assemble(
        b"",
        base_offset=header.base_offset,
        leader_epoch=header.partition_leader_epoch,
        attributes=header.attributes & ~(COMPRESSION_MASK | DELETE_HORIZON_FLAG),
        last_offset_delta=header.last_offset_delta,
        base_timestamp=NO_TIMESTAMP,
        max_timestamp=header.max_timestamp,
        producer_id=header.producer_id,
        producer_epoch=header.producer_epoch,
        base_sequence=header.base_sequence,
        record_count=0,
    )
