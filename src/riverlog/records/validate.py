"""What a leader checks before it appends a client's batch (Kafka's LogValidator and its callers).

The fast path looks at the 61-byte header and the CRC only. Records are looked at when
the topic is compacted, when a lower timestamp bound is set, or when the header's own
timestamps do not fit. Kafka always walks the records; so three of its checks are
skipped on the fast path: that the records inside number ``record_count`` and fill the
batch, that a compressed payload decompresses, that ``max_timestamp`` is the largest one.

Error codes are those of Apache Kafka 4.3.1 for the same bytes. Where it answers
UNKNOWN_SERVER_ERROR (an unknown codec, a payload that does not decompress) we say INVALID_RECORD.
"""

from __future__ import annotations

from dataclasses import dataclass

from riverlog.base.errors import ErrorCode
from riverlog.records.builder import assemble
from riverlog.records.compression import Codec, compress, decompress
from riverlog.records.decoder import read_varint, records_payload
from riverlog.records.errors import CorruptBatch, DecompressedTooLarge, UnsupportedMagic
from riverlog.records.header import (
    COMPRESSION_MASK,
    CONTROL_FLAG,
    HEADER_SIZE,
    LOG_APPEND_TIME_FLAG,
    LOG_OVERHEAD,
    MAGIC,
    MAGIC_POSITION,
    NO_TIMESTAMP,
    BatchHeader,
    crc_ok,
    patch_timestamp,
    read_header,
)

UNBOUNDED = (1 << 63) - 1
ZSTD_SINCE_PRODUCE_VERSION = 7
_ERRORS_SHOWN_MAX = 3
_OLDEST_RECORD_SIZE = 14
"""Bytes of the smallest message of format 0, behind offset and length."""
_CODEC_MAX = int(Codec.ZSTD)

RecordError = tuple[int, str]
"""Index of the record in its batch, and what is wrong with it."""

Refusal = tuple[ErrorCode, str]


@dataclass(slots=True)
class ValidationConfig:
    """The settings of one topic that decide what it accepts."""

    max_message_bytes: int = 1024 * 1024 + 12
    compression: int | None = None
    """Codec of ``compression.type``; None keeps the producer's."""
    compression_level: int | None = None
    log_append_time: bool = False
    timestamp_before_max_ms: int = UNBOUNDED
    timestamp_after_max_ms: int = 3_600_000
    compacted: bool = False
    max_decompressed_bytes: int = 128 * 1024 * 1024
    """Bound on the memory that one compressed batch may take here (Kafka has none)."""


class ValidBatch:
    """A batch fit for the log: a writable buffer that holds exactly it, and its header."""

    __slots__ = ("buffer", "header", "log_append_time_ms")

    def __init__(self, buffer: memoryview, header: BatchHeader, log_append_time_ms: int) -> None:
        self.buffer = buffer
        self.header = header
        self.log_append_time_ms = log_append_time_ms


def validate_produce(
    buffer: memoryview,
    config: ValidationConfig,
    now_ms: int,
    *,
    request_version: int = ZSTD_SINCE_PRODUCE_VERSION,
) -> ValidBatch | Refusal:
    """Check one partition's records of a Produce request, and bring them into the topic's form."""
    try:
        header = read_header(buffer, 0)
        size = LOG_OVERHEAD + header.batch_length
        if size != len(buffer):
            _check_alone(buffer, size)
            buffer = buffer[:size]
    except CorruptBatch as problem:
        return _refuse_framing(buffer, problem)
    refusal = _check_header(buffer, header, size, config, request_version)
    if refusal is not None:
        return refusal
    if buffer.readonly:
        buffer = memoryview(bytearray(buffer))
    if (
        header.attributes & LOG_APPEND_TIME_FLAG
        or config.log_append_time
        or config.compacted
        or config.timestamp_before_max_ms != UNBOUNDED
        or header.max_timestamp - now_ms > config.timestamp_after_max_ms
        or header.max_timestamp < header.base_timestamp
        or (config.compression is not None and config.compression != header.attributes & COMPRESSION_MASK)
    ):
        return _validate_slowly(buffer, header, config, now_ms)
    return ValidBatch(buffer, header, NO_TIMESTAMP)


def _check_header(
    buffer: memoryview, header: BatchHeader, size: int, config: ValidationConfig, request_version: int
) -> Refusal | None:
    codec = header.attributes & COMPRESSION_MASK
    if codec == _CODEC_MAX and request_version < ZSTD_SINCE_PRODUCE_VERSION:
        return ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, f"zstd needs Produce version 7, not {request_version}"
    if header.base_offset != 0:
        return ErrorCode.INVALID_RECORD, f"base offset must be 0, but it is {header.base_offset}"
    if size > config.max_message_bytes:
        return ErrorCode.MESSAGE_TOO_LARGE, f"batch of {size} bytes exceeds {config.max_message_bytes}"
    if not crc_ok(buffer, 0, header):
        return ErrorCode.CORRUPT_MESSAGE, f"checksum mismatch (stored crc = {header.crc})"
    if codec > _CODEC_MAX:
        return ErrorCode.INVALID_RECORD, f"unknown compression codec {codec}"
    count = header.record_count
    if count <= 0 or header.last_offset_delta != count - 1:
        return ErrorCode.INVALID_RECORD, (
            f"record count {count} does not fit last offset delta {header.last_offset_delta}"
        )
    if header.attributes & CONTROL_FLAG:
        return ErrorCode.INVALID_RECORD, "clients are not allowed to write control records"
    if header.producer_id >= 0 and header.base_sequence < 0:
        return ErrorCode.INVALID_RECORD, (
            f"invalid sequence number {header.base_sequence} with producer id {header.producer_id}"
        )
    return None


class _NotOneBatch(CorruptBatch):
    """Well-formed as far as it goes, but not exactly one whole batch."""


def _check_alone(buffer: memoryview, size: int) -> None:
    """One whole batch must be there; a partial one behind it is dropped, as in Kafka."""
    if size > len(buffer):
        raise _NotOneBatch(f"batch of {size} bytes is cut short at {len(buffer)}")
    if _whole_batch_at(buffer, size):
        raise _NotOneBatch("there must be exactly one record batch per partition")


def _whole_batch_at(buffer: memoryview, position: int) -> bool:
    """Whether Kafka's reader, which does not know our header's size yet, sees a batch here."""
    available = len(buffer) - position
    if available < LOG_OVERHEAD:
        return False
    length = int.from_bytes(buffer[position + 8 : position + LOG_OVERHEAD], "big", signed=True)
    if length < _OLDEST_RECORD_SIZE:
        raise CorruptBatch(f"record size {length} is smaller than any record")
    if available <= MAGIC_POSITION:
        return False
    if buffer[position + MAGIC_POSITION] > MAGIC:
        raise CorruptBatch(f"unknown magic {buffer[position + MAGIC_POSITION]}")
    return LOG_OVERHEAD + length <= available


def _refuse_framing(buffer: memoryview, problem: CorruptBatch) -> Refusal:
    """No whole batch, two, or an old format: an invalid record. Any other nonsense: corrupt."""
    if isinstance(problem, _NotOneBatch):
        return ErrorCode.INVALID_RECORD, str(problem)
    try:
        if not _whole_batch_at(buffer, 0):
            return ErrorCode.INVALID_RECORD, "there must be one record batch per partition"
    except CorruptBatch as found:
        return ErrorCode.CORRUPT_MESSAGE, str(found)
    if isinstance(problem, UnsupportedMagic):
        return ErrorCode.INVALID_RECORD, str(problem)
    return ErrorCode.CORRUPT_MESSAGE, str(problem)


def _validate_slowly(
    buffer: memoryview, header: BatchHeader, config: ValidationConfig, now_ms: int
) -> ValidBatch | Refusal:
    try:
        payload: bytes | None = None
        max_timestamp = header.max_timestamp
        if _must_walk(header, config, now_ms):
            payload = records_payload(buffer, 0, header, max_bytes=config.max_decompressed_bytes)
            errors, max_timestamp, timestamps_wrong = _walk(payload, header, config, now_ms)
            if errors:
                return _refuse_records(errors, timestamps_wrong)
        if config.compression is not None and config.compression != header.compression:
            buffer = _recompress(buffer, header, config, payload)
            header = read_header(buffer, 0)
            if header.size > config.max_message_bytes:
                return ErrorCode.MESSAGE_TOO_LARGE, (
                    f"batch of {header.size} bytes after recompression exceeds {config.max_message_bytes}"
                )
    except DecompressedTooLarge as problem:
        return ErrorCode.MESSAGE_TOO_LARGE, str(problem)
    except CorruptBatch as problem:
        return ErrorCode.INVALID_RECORD, str(problem)
    attributes = header.attributes & ~LOG_APPEND_TIME_FLAG
    if config.log_append_time:
        attributes |= LOG_APPEND_TIME_FLAG
        max_timestamp = now_ms
    if attributes != header.attributes or max_timestamp != header.max_timestamp:
        patch_timestamp(buffer, 0, header, attributes=attributes, max_timestamp=max_timestamp)
    return ValidBatch(buffer, header, now_ms if config.log_append_time else NO_TIMESTAMP)


def _must_walk(header: BatchHeader, config: ValidationConfig, now_ms: int) -> bool:
    """Whether the answer depends on single records."""
    if config.compacted or header.is_log_append_time:
        return True
    if config.log_append_time:
        return False
    return (
        config.timestamp_before_max_ms != UNBOUNDED
        or header.max_timestamp - now_ms > config.timestamp_after_max_ms
        or header.max_timestamp < header.base_timestamp
    )


def _refuse_records(errors: list[RecordError], timestamps_wrong: bool) -> Refusal:
    if timestamps_wrong:
        return ErrorCode.INVALID_TIMESTAMP, f"records have invalid timestamps, the first: {errors[0][1]}"
    shown = "; ".join(f"record {index}: {message}" for index, message in errors[:_ERRORS_SHOWN_MAX])
    return ErrorCode.INVALID_RECORD, f"{len(errors)} records refused: {shown}"


def record_errors(
    buffer: memoryview, header: BatchHeader, config: ValidationConfig, now_ms: int
) -> list[RecordError]:
    """The single records at fault in a batch that was refused (KIP-467); empty if none is to blame."""
    try:
        payload = records_payload(buffer, 0, header, max_bytes=config.max_decompressed_bytes)
        return _walk(payload, header, config, now_ms)[0]
    except CorruptBatch:
        return []


def _walk(
    payload: bytes, header: BatchHeader, config: ValidationConfig, now_ms: int
) -> tuple[list[RecordError], int, bool]:
    """Errors, the largest timestamp, and whether any error is about a timestamp."""
    errors: list[RecordError] = []
    largest = NO_TIMESTAMP
    timestamps_wrong = False
    claims_append_time = header.is_log_append_time
    earliest = now_ms - config.timestamp_before_max_ms
    latest = now_ms + config.timestamp_after_max_ms
    at = 0
    try:
        for index in range(header.record_count):
            length, at = read_varint(payload, at)
            end = at + length
            if length < 0 or end > len(payload):
                raise CorruptBatch(f"record length {length} does not fit")
            delta, at = read_varint(payload, at + 1)
            timestamp = header.max_timestamp if claims_append_time else header.base_timestamp + delta
            _, at = read_varint(payload, at)
            key_length, at = read_varint(payload, at)
            if at > end:
                raise CorruptBatch("record length does not match its content")
            if config.compacted and key_length < 0:
                errors.append((index, "a compacted topic takes no record without a key"))
            elif not config.log_append_time and timestamp != NO_TIMESTAMP:
                if not earliest <= timestamp <= latest:
                    errors.append((index, f"timestamp {timestamp} is not within [{earliest}, {latest}]"))
                    timestamps_wrong = True
            elif claims_append_time:
                errors.append((index, "a producer must not set the timestamp type LogAppendTime"))
                timestamps_wrong = True
            largest = max(largest, timestamp)
            at = end
    except IndexError:
        raise CorruptBatch("records end in the middle of one") from None
    if at != len(payload):
        raise CorruptBatch(f"{len(payload) - at} bytes left behind the last record")
    return errors, largest, timestamps_wrong


def _recompress(
    buffer: memoryview, header: BatchHeader, config: ValidationConfig, payload: bytes | None
) -> memoryview:
    """The same records under the topic's codec. Their bytes do not change, so none is decoded."""
    target = config.compression
    assert target is not None
    if payload is None:
        packed = buffer[HEADER_SIZE : header.size]
        payload = decompress(header.compression, packed, max_bytes=config.max_decompressed_bytes)
    batch = assemble(
        compress(target, payload, config.compression_level),
        base_offset=header.base_offset,
        leader_epoch=header.partition_leader_epoch,
        attributes=header.attributes & ~COMPRESSION_MASK | target,
        last_offset_delta=header.last_offset_delta,
        base_timestamp=header.base_timestamp,
        max_timestamp=header.max_timestamp,
        producer_id=header.producer_id,
        producer_epoch=header.producer_epoch,
        base_sequence=header.base_sequence,
        record_count=header.record_count,
    )
    return memoryview(bytearray(batch))
