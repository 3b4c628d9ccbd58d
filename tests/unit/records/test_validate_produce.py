"""Produce-time checks. The expected codes are what Apache Kafka 4.3.1 answered to the same bytes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverlog.base.errors import ErrorCode
from riverlog.records import (
    BatchBuilder,
    Codec,
    ValidationConfig,
    ValidBatch,
    crc_ok,
    decode_records,
    read_header,
    record_errors,
    validate_produce,
)
from riverlog.records.header import HEADER, BatchHeader, compute_crc

NOW = 1_700_000_000_000
FIELDS = BatchHeader.__init__.__code__.co_varnames[1:14]


def batch(count: int = 3, *, key: bytes | None = b"k", timestamp: int = NOW, **options: Any) -> bytearray:
    builder = BatchBuilder(**options)
    for number in range(count):
        builder.append(timestamp=timestamp + number, key=key, value=b"value%d" % number * 10)
    return bytearray(builder.build())


def altered(data: bytearray, **fields: int) -> bytearray:
    values = list(HEADER.unpack_from(data))
    for name, value in fields.items():
        values[FIELDS.index(name)] = value
    HEADER.pack_into(data, 0, *values)
    if "crc" not in fields:
        data[17:21] = compute_crc(data, 0, len(data)).to_bytes(4, "big")
    return data


def refused(data: bytes | bytearray, config: ValidationConfig | None = None, **options: Any) -> ErrorCode:
    result = validate_produce(memoryview(data), config or ValidationConfig(), NOW, **options)
    assert isinstance(result, tuple)
    assert result[1]
    return result[0]


def accepted(data: bytes | bytearray, config: ValidationConfig | None = None) -> ValidBatch:
    result = validate_produce(memoryview(data), config or ValidationConfig(), NOW)
    assert isinstance(result, ValidBatch), result
    assert crc_ok(result.buffer, 0, read_header(result.buffer))
    assert result.header.size == len(result.buffer)
    assert not result.buffer.readonly
    assert repr(result.header) == repr(read_header(result.buffer))
    return result


def values(result: ValidBatch) -> list[bytes | None]:
    records = decode_records(result.buffer, 0, result.header, max_bytes=1 << 20)
    return [record.value for record in records]


def test_a_good_batch_passes_untouched_and_uncopied() -> None:
    data = batch()
    before = bytes(data)
    result = accepted(data)
    assert result.buffer.obj is data
    assert bytes(data) == before
    assert result.log_append_time_ms == -1


def test_a_read_only_frame_is_copied() -> None:
    assert accepted(bytes(batch())).buffer.tobytes() == bytes(batch())


FRAMING = {
    "nothing": (b"", ErrorCode.INVALID_RECORD),
    "a few bytes": (b"12345", ErrorCode.INVALID_RECORD),
    "cut before magic": (batch()[:16], ErrorCode.INVALID_RECORD),
    "cut in the header": (batch()[:30], ErrorCode.INVALID_RECORD),
    "cut in the records": (batch()[:-1], ErrorCode.INVALID_RECORD),
    "length below any record": (altered(batch(), batch_length=10), ErrorCode.CORRUPT_MESSAGE),
    "length below our header": (altered(batch(), batch_length=48)[:60], ErrorCode.CORRUPT_MESSAGE),
    "negative length": (altered(batch(), batch_length=-1), ErrorCode.CORRUPT_MESSAGE),
    "format 0": (altered(batch(), magic=0), ErrorCode.INVALID_RECORD),
    "format 1": (altered(batch(), magic=1), ErrorCode.INVALID_RECORD),
    "format 3": (altered(batch(), magic=3), ErrorCode.CORRUPT_MESSAGE),
    "format -1": (altered(batch(), magic=-1), ErrorCode.CORRUPT_MESSAGE),
    "two batches": (batch() + batch(), ErrorCode.INVALID_RECORD),
    "then an old message": (batch() + altered(batch(), magic=1), ErrorCode.INVALID_RECORD),
    "then an unknown format": (batch() + altered(batch(), magic=9), ErrorCode.CORRUPT_MESSAGE),
    "then zeros": (batch() + bytes(20), ErrorCode.CORRUPT_MESSAGE),
}


@pytest.mark.parametrize("name", FRAMING)
def test_what_is_not_exactly_one_batch_is_refused(name: str) -> None:
    data, code = FRAMING[name]
    assert refused(data) is code


@pytest.mark.parametrize("tail", [b"12345", bytes(batch()[:50])])
def test_a_partial_batch_behind_is_dropped(tail: bytes) -> None:
    assert accepted(batch() + tail).buffer.tobytes() == bytes(batch())


HEADERS = {
    "base offset": ({"base_offset": 5}, ErrorCode.INVALID_RECORD),
    "crc": ({"crc": 5}, ErrorCode.CORRUPT_MESSAGE),
    "no records": ({"record_count": 0}, ErrorCode.INVALID_RECORD),
    "negative count": ({"record_count": -1}, ErrorCode.INVALID_RECORD),
    "count and range differ": ({"record_count": 2}, ErrorCode.INVALID_RECORD),
    "negative range": ({"last_offset_delta": -1}, ErrorCode.INVALID_RECORD),
    "control batch": ({"attributes": 0x20}, ErrorCode.INVALID_RECORD),
    "producer without sequence": ({"producer_id": 5, "producer_epoch": 0}, ErrorCode.INVALID_RECORD),
    "unknown codec": ({"attributes": 5}, ErrorCode.INVALID_RECORD),
    "append time without one": ({"attributes": 8, "max_timestamp": -1}, ErrorCode.INVALID_TIMESTAMP),
    "append time in the future": (
        {"attributes": 8, "max_timestamp": NOW + 9_999_999},
        ErrorCode.INVALID_TIMESTAMP,
    ),
}


@pytest.mark.parametrize("name", HEADERS)
def test_headers_that_make_no_sense_are_refused(name: str) -> None:
    fields, code = HEADERS[name]
    assert refused(altered(batch(), **fields)) is code


def test_an_empty_batch_is_refused() -> None:
    assert refused(BatchBuilder().build()) is ErrorCode.INVALID_RECORD


def test_size_is_checked_before_the_crc() -> None:
    config = ValidationConfig(max_message_bytes=len(batch()) - 1)
    assert refused(altered(batch(), crc=1), config) is ErrorCode.MESSAGE_TOO_LARGE
    accepted(batch(), ValidationConfig(max_message_bytes=len(batch())))


def test_zstd_needs_a_recent_request() -> None:
    data = batch(compression=Codec.ZSTD)
    assert refused(data, request_version=6) is ErrorCode.UNSUPPORTED_COMPRESSION_TYPE
    accepted(data)


def test_sequences_without_a_producer_and_odd_attribute_bits_pass() -> None:
    for fields in ({"base_sequence": 3}, {"producer_id": -5}, {"attributes": 0x100}, {"attributes": 0x40}):
        accepted(altered(batch(), **fields))


def test_records_too_far_in_the_future_are_refused() -> None:
    assert refused(batch(timestamp=NOW + 3_600_000)) is ErrorCode.INVALID_TIMESTAMP
    accepted(batch(1, timestamp=NOW + 3_600_000))
    accepted(batch(timestamp=0))
    accepted(batch(1, timestamp=-1))


@pytest.mark.parametrize("codec", list(Codec))
def test_a_max_timestamp_that_is_no_records_is_put_right(codec: Codec) -> None:
    for claim in (NOW + 99_999_999, 5):
        result = accepted(altered(batch(compression=codec), max_timestamp=claim))
        assert result.header.max_timestamp == NOW + 2


def test_records_older_than_the_topic_allows_are_refused() -> None:
    config = ValidationConfig(timestamp_before_max_ms=10_000)
    accepted(batch(timestamp=NOW - 10_000), config)
    old = batch(timestamp=NOW - 10_001)
    assert refused(old, config) is ErrorCode.INVALID_TIMESTAMP
    errors = record_errors(memoryview(old), read_header(old), config, NOW)
    assert [index for index, _ in errors] == [0]


def test_a_lower_bound_sees_records_older_than_the_first() -> None:
    builder = BatchBuilder()
    builder.append(timestamp=NOW, value=b"a")
    builder.append(timestamp=NOW - 60_000, value=b"b")
    config = ValidationConfig(timestamp_before_max_ms=10_000)
    assert refused(builder.build(), config) is ErrorCode.INVALID_TIMESTAMP


@pytest.mark.parametrize("codec", list(Codec))
def test_log_append_time_is_stamped_with_a_new_crc(codec: Codec) -> None:
    result = accepted(
        batch(timestamp=NOW + 99_999_999, compression=codec), ValidationConfig(log_append_time=True)
    )
    assert result.log_append_time_ms == NOW
    assert result.header.is_log_append_time
    records = decode_records(result.buffer, 0, result.header, max_bytes=10_000)
    assert {record.timestamp for record in records} == {NOW}


def test_a_producer_must_not_claim_append_time_on_such_a_topic() -> None:
    data = altered(batch(), attributes=8)
    assert refused(data, ValidationConfig(log_append_time=True)) is ErrorCode.INVALID_TIMESTAMP


def test_append_time_claimed_on_a_create_time_topic_is_cleared() -> None:
    result = accepted(altered(batch(), attributes=8))
    assert not result.header.is_log_append_time
    assert result.log_append_time_ms == -1


@pytest.mark.parametrize("codec", list(Codec))
def test_a_compacted_topic_needs_keys(codec: Codec) -> None:
    config = ValidationConfig(compacted=True)
    accepted(batch(compression=codec), config)
    bare = batch(key=None, compression=codec)
    assert refused(bare, config) is ErrorCode.INVALID_RECORD
    assert len(record_errors(memoryview(bare), read_header(bare), config, NOW)) == 3
    assert refused(batch(key=None, timestamp=NOW + 99_999_999), config) is ErrorCode.INVALID_RECORD


@pytest.mark.parametrize("source", list(Codec))
@pytest.mark.parametrize("target", list(Codec))
def test_batches_are_brought_to_the_topics_codec(source: Codec, target: Codec) -> None:
    data = batch(300, compression=source, producer_id=4, producer_epoch=1, base_sequence=9)
    before = bytes(data)
    result = accepted(data, ValidationConfig(compression=target))
    assert result.header.compression == target
    assert values(result) == [b"value%d" % number * 10 for number in range(300)]
    assert (result.header.producer_id, result.header.base_sequence) == (4, 9)
    if source == target:
        assert result.buffer.tobytes() == before


def test_recompression_respects_the_size_limit() -> None:
    data = batch(300, compression=Codec.ZSTD)
    config = ValidationConfig(compression=Codec.NONE, max_message_bytes=len(data))
    assert refused(data, config) is ErrorCode.MESSAGE_TOO_LARGE


def test_a_bomb_is_refused_when_it_has_to_be_opened() -> None:
    builder = BatchBuilder(compression=Codec.ZSTD)
    builder.append(timestamp=NOW, key=b"k", value=bytes(3 << 20))
    config = ValidationConfig(compacted=True, max_decompressed_bytes=1 << 20)
    assert refused(builder.build(), config) is ErrorCode.MESSAGE_TOO_LARGE


@pytest.mark.parametrize("codec", [Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD])
def test_a_payload_that_does_not_decompress_is_refused_when_opened(codec: Codec) -> None:
    data = batch(300, compression=codec)
    data[80] ^= 0xFF
    data[90] ^= 0x55
    assert refused(altered(data), ValidationConfig(compression=Codec.NONE)) is ErrorCode.INVALID_RECORD


@settings(max_examples=150, deadline=None)
@given(
    flips=st.lists(st.tuples(st.integers(0, 400), st.integers(1, 255)), max_size=4),
    codec=st.sampled_from(list(Codec)),
    compacted=st.booleans(),
    target=st.none() | st.sampled_from(list(Codec)),
    resign=st.booleans(),
)
def test_damaged_requests_are_accepted_whole_or_refused(
    flips: list[tuple[int, int]], codec: Codec, compacted: bool, target: Codec | None, resign: bool
) -> None:
    data = batch(compression=codec)
    for position, mask in flips:
        data[position % len(data)] ^= mask
    if resign:
        data[17:21] = compute_crc(data, 0, len(data)).to_bytes(4, "big")
    config = ValidationConfig(compacted=compacted, compression=target, max_decompressed_bytes=10_000)
    result = validate_produce(memoryview(data), config, NOW)
    if isinstance(result, ValidBatch):
        assert crc_ok(result.buffer, 0, read_header(result.buffer))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_refused(data: bytes) -> None:
    assert refused(data) in (ErrorCode.INVALID_RECORD, ErrorCode.CORRUPT_MESSAGE, ErrorCode.MESSAGE_TOO_LARGE)
