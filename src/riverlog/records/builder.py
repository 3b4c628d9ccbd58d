"""Records in, one record batch out."""

from __future__ import annotations

from collections.abc import Iterable

from riverlog.records.compression import Codec, compress
from riverlog.records.header import (
    CONTROL_FLAG,
    CRC_POSITION,
    DELETE_HORIZON_FLAG,
    HEADER,
    HEADER_SIZE,
    LOG_APPEND_TIME_FLAG,
    LOG_OVERHEAD,
    MAGIC,
    NO_LEADER_EPOCH,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
    NO_TIMESTAMP,
    TRANSACTIONAL_FLAG,
    compute_crc,
)

Bytes = bytes | bytearray | memoryview

_SINGLE_BYTES = [bytes([number]) for number in range(128)]


def encode_varint(number: int) -> bytes:
    """Zigzag, seven bits a byte, low bits first."""
    raw = (number << 1) ^ (number >> 63)
    if raw < 0x80:
        return _SINGLE_BYTES[raw]
    out = bytearray()
    while raw >= 0x80:
        out.append(raw & 0x7F | 0x80)
        raw >>= 7
    out.append(raw)
    return bytes(out)


def encode_record(
    offset_delta: int,
    timestamp_delta: int,
    key: Bytes | None,
    value: Bytes | None,
    headers: Iterable[tuple[str, Bytes | None]] = (),
) -> bytes:
    """One record with its length in front."""
    parts: list[Bytes] = [b"\x00", encode_varint(timestamp_delta), encode_varint(offset_delta)]
    for field in (key, value):
        if field is None:
            parts.append(b"\x01")
        else:
            parts.append(encode_varint(len(field)))
            parts.append(field)
    if headers:
        listed = list(headers)
        parts.append(encode_varint(len(listed)))
        for name, content in listed:
            encoded = name.encode("utf-8", "surrogateescape")
            parts.append(encode_varint(len(encoded)))
            parts.append(encoded)
            if content is None:
                parts.append(b"\x01")
            else:
                parts.append(encode_varint(len(content)))
                parts.append(content)
    else:
        parts.append(b"\x00")
    body = b"".join(parts)
    return encode_varint(len(body)) + body


class BatchBuilder:
    """Collects records; ``build`` gives the batch. Offsets count up from ``base_offset``."""

    __slots__ = (
        "_attributes",
        "_base_offset",
        "_base_sequence",
        "_base_timestamp",
        "_delete_horizon_ms",
        "_last_offset_delta",
        "_leader_epoch",
        "_level",
        "_max_timestamp",
        "_producer_epoch",
        "_producer_id",
        "_records",
        "_size",
    )

    def __init__(
        self,
        *,
        compression: int = Codec.NONE,
        level: int | None = None,
        base_offset: int = 0,
        leader_epoch: int = NO_LEADER_EPOCH,
        producer_id: int = NO_PRODUCER_ID,
        producer_epoch: int = NO_PRODUCER_EPOCH,
        base_sequence: int = NO_SEQUENCE,
        transactional: bool = False,
        control: bool = False,
        log_append_time_ms: int | None = None,
        delete_horizon_ms: int | None = None,
    ) -> None:
        self._attributes = int(Codec(compression))
        if transactional:
            self._attributes |= TRANSACTIONAL_FLAG
        if control:
            self._attributes |= CONTROL_FLAG
        if log_append_time_ms is not None:
            self._attributes |= LOG_APPEND_TIME_FLAG
        if delete_horizon_ms is not None:
            self._attributes |= DELETE_HORIZON_FLAG
        self._level = level
        self._base_offset = base_offset
        self._leader_epoch = leader_epoch
        self._producer_id = producer_id
        self._producer_epoch = producer_epoch
        self._base_sequence = base_sequence
        self._delete_horizon_ms = delete_horizon_ms
        self._base_timestamp = NO_TIMESTAMP if delete_horizon_ms is None else delete_horizon_ms
        self._max_timestamp = NO_TIMESTAMP if log_append_time_ms is None else log_append_time_ms
        self._last_offset_delta = -1
        self._records: list[bytes] = []
        self._size = HEADER_SIZE

    @property
    def record_count(self) -> int:
        return len(self._records)

    @property
    def size_estimate(self) -> int:
        """Bytes of the batch if it were not compressed."""
        return self._size

    def append(
        self,
        *,
        timestamp: int,
        key: Bytes | None = None,
        value: Bytes | None = None,
        headers: Iterable[tuple[str, Bytes | None]] = (),
        offset: int | None = None,
    ) -> int:
        """Add a record and answer its offset; ``offset`` leaves a gap, as compaction does."""
        delta = self._last_offset_delta + 1
        if offset is not None:
            delta = offset - self._base_offset
            if delta <= self._last_offset_delta:
                raise ValueError(f"offset {offset} does not follow the last one")
        if not self._records and self._delete_horizon_ms is None:
            self._base_timestamp = timestamp
        if timestamp > self._max_timestamp and not self._attributes & LOG_APPEND_TIME_FLAG:
            self._max_timestamp = timestamp
        record = encode_record(delta, timestamp - self._base_timestamp, key, value, headers)
        self._records.append(record)
        self._size += len(record)
        self._last_offset_delta = delta
        return self._base_offset + delta

    def build(self, *, last_offset: int | None = None) -> bytes:
        """The batch; ``last_offset`` keeps a range that compaction has emptied at its end."""
        delta = self._last_offset_delta if last_offset is None else last_offset - self._base_offset
        return assemble(
            compress(self._attributes & 7, b"".join(self._records), self._level),
            base_offset=self._base_offset,
            leader_epoch=self._leader_epoch,
            attributes=self._attributes,
            last_offset_delta=delta,
            base_timestamp=self._base_timestamp,
            max_timestamp=self._max_timestamp,
            producer_id=self._producer_id,
            producer_epoch=self._producer_epoch,
            base_sequence=self._base_sequence,
            record_count=len(self._records),
        )


def assemble(
    payload: Bytes,
    *,
    base_offset: int,
    leader_epoch: int,
    attributes: int,
    last_offset_delta: int,
    base_timestamp: int,
    max_timestamp: int,
    producer_id: int,
    producer_epoch: int,
    base_sequence: int,
    record_count: int,
) -> bytes:
    """A batch around records that are already encoded and compressed."""
    header = bytearray(HEADER_SIZE)
    HEADER.pack_into(
        header,
        0,
        base_offset,
        HEADER_SIZE - LOG_OVERHEAD + len(payload),
        leader_epoch,
        MAGIC,
        0,
        attributes,
        last_offset_delta,
        base_timestamp,
        max_timestamp,
        producer_id,
        producer_epoch,
        base_sequence,
        record_count,
    )
    batch = header + payload
    crc = compute_crc(batch, 0, len(batch))
    batch[CRC_POSITION : CRC_POSITION + 4] = crc.to_bytes(4, "big")
    return bytes(batch)
