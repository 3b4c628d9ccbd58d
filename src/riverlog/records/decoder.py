"""Record batch in, records out. Decompression and every length are bounded before allocating."""

from __future__ import annotations

from dataclasses import dataclass, field

from riverlog.records.compression import Codec, decompress
from riverlog.records.errors import CorruptBatch
from riverlog.records.header import HEADER_SIZE, LOG_APPEND_TIME_FLAG, BatchHeader, Buffer

Header = tuple[str, bytes | None]

_VARINT_BYTES_MAX = 10


@dataclass(slots=True)
class Record:
    """One record. Header keys that are not UTF-8 survive a round trip (surrogate escapes)."""

    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: list[Header] = field(default_factory=list)


def read_varint(data: Buffer, position: int) -> tuple[int, int]:
    """A zigzag number of up to 64 bits, and the position after it; IndexError past the end."""
    raw = data[position]
    if raw < 0x80:
        return (raw >> 1) ^ -(raw & 1), position + 1
    byte = data[position + 1]
    if byte < 0x80:
        raw = raw & 0x7F | byte << 7
        return (raw >> 1) ^ -(raw & 1), position + 2
    raw = 0
    for shift in range(0, 7 * _VARINT_BYTES_MAX, 7):
        byte = data[position]
        position += 1
        raw |= (byte & 0x7F) << shift
        if byte < 0x80:
            return (raw >> 1) ^ -(raw & 1), position
    raise CorruptBatch("a number in a record has too many bytes")


def records_payload(buffer: Buffer, position: int, header: BatchHeader, *, max_bytes: int) -> bytes:
    """The records' bytes behind the header, decompressed."""
    end = position + header.size
    if end > len(buffer):
        raise CorruptBatch(f"batch of {header.size} bytes is cut short")
    payload = memoryview(buffer)[position + HEADER_SIZE : end]
    codec = header.compression
    return bytes(payload) if codec == Codec.NONE else decompress(codec, payload, max_bytes=max_bytes)


def decode_records(buffer: Buffer, position: int, header: BatchHeader, *, max_bytes: int) -> list[Record]:
    """All records of the batch at ``position``; compressed ones may take ``max_bytes`` decompressed.

    The CRC is not looked at here: ``crc_ok`` does that.
    """
    data = records_payload(buffer, position, header, max_bytes=max_bytes)
    if header.record_count < 0:
        raise CorruptBatch(f"record count {header.record_count} is negative")
    try:
        records, at = _decode_all(data, header)
    except IndexError:
        raise CorruptBatch("records end in the middle of one") from None
    if at != len(data):
        raise CorruptBatch(f"{len(data) - at} bytes left behind the last record")
    return records


def _decode_all(data: bytes, header: BatchHeader) -> tuple[list[Record], int]:
    """One loop without calls for the usual record: most numbers take one byte."""
    base_offset = header.base_offset
    base_timestamp = header.base_timestamp
    append_time = header.max_timestamp if header.attributes & LOG_APPEND_TIME_FLAG else None
    records: list[Record] = []
    add = records.append
    size = len(data)
    at = 0
    for _ in range(header.record_count):
        length, at = read_varint(data, at)
        end = at + length
        if length < 0 or end > size:
            raise CorruptBatch(f"record length {length} does not fit")
        raw = data[at + 1]  # behind the attributes, which mean nothing
        if raw < 0x80:
            timestamp = base_timestamp + ((raw >> 1) ^ -(raw & 1))
            at += 2
        else:
            delta, at = read_varint(data, at + 1)
            timestamp = base_timestamp + delta
        raw = data[at]
        if raw < 0x80:
            offset = base_offset + ((raw >> 1) ^ -(raw & 1))
            at += 1
        else:
            delta, at = read_varint(data, at)
            offset = base_offset + delta
        key, at = _decode_bytes(data, at)
        value, at = _decode_bytes(data, at)
        if data[at]:
            headers, at = _decode_headers(data, at, end)
        else:
            headers = []
            at += 1
        if at != end:
            raise CorruptBatch("record length does not match its content")
        add(Record(offset, timestamp if append_time is None else append_time, key, value, headers))
    return records, at


def _decode_bytes(data: bytes, at: int) -> tuple[bytes | None, int]:
    """A key or value; one that reaches too far is noticed at the record's end."""
    length = data[at]
    if length < 0x80:
        at += 1
        length = (length >> 1) ^ -(length & 1)
    else:
        length, at = read_varint(data, at)
    if length >= 0:
        end = at + length
        return data[at:end], end
    if length != -1:
        raise CorruptBatch(f"length {length} is negative")
    return None, at


def _decode_headers(data: bytes, at: int, end: int) -> tuple[list[Header], int]:
    count, at = read_varint(data, at)
    # A header takes two bytes at least, so a larger count is a lie.
    if count < 0 or count * 2 > end - at:
        raise CorruptBatch(f"header count {count} does not fit")
    headers: list[Header] = []
    for _ in range(count):
        size, at = read_varint(data, at)
        if size < 0 or at + size > end:
            raise CorruptBatch(f"header key length {size} does not fit")
        key = data[at : at + size].decode("utf-8", "surrogateescape")
        at += size
        size, at = read_varint(data, at)
        if size < -1 or at + size > end:
            raise CorruptBatch(f"header value length {size} does not fit")
        if size == -1:
            headers.append((key, None))
        else:
            headers.append((key, data[at : at + size]))
            at += size
    return headers, at
