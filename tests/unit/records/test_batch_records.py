"""Builder and decoder: round trips, other implementations, damaged bytes."""

from __future__ import annotations

import base64
import contextlib
import json
import random
import warnings
from pathlib import Path
from typing import Any

import pytest
from aiokafka.record.default_records import DefaultRecordBatch as AioBatch
from aiokafka.record.default_records import DefaultRecordBatchBuilder as AioBuilder
from hypothesis import given, settings
from hypothesis import strategies as st
from kio.records.readers import read_batch as kio_read_batch

from riverlog.records import (
    HEADER_SIZE,
    BatchBuilder,
    Codec,
    CorruptBatch,
    DecompressedTooLarge,
    Record,
    crc_ok,
    decode_records,
    read_header,
)
from riverlog.records.builder import encode_varint
from riverlog.records.decoder import read_varint
from riverlog.records.header import HEADER, compute_crc

with warnings.catch_warnings():
    # kafka-python reads its own resources in a way that newer Pythons deprecate.
    warnings.simplefilter("ignore", DeprecationWarning)
    from kafka.record.default_records import DefaultRecordBatch as PyBatch
    from kafka.record.default_records import DefaultRecordBatchBuilder as PyBuilder

MAX = 1 << 20
GOLDEN = json.loads((Path(__file__).parent / "golden_batches.json").read_text())

timestamps = st.integers(0, 2**45)
optional_bytes = st.none() | st.binary(max_size=200)
headers = st.lists(st.tuples(st.text(max_size=10), optional_bytes), max_size=4)
records = st.lists(st.tuples(timestamps, optional_bytes, optional_bytes, headers), min_size=1, max_size=12)


def build(rows: list[tuple[Any, ...]], **options: Any) -> bytes:
    builder = BatchBuilder(**options)
    for timestamp, key, value, extra in rows:
        builder.append(timestamp=timestamp, key=key, value=value, headers=extra)
    return builder.build()


def resign(data: bytearray) -> bytearray:
    data[17:21] = compute_crc(data, 0, len(data)).to_bytes(4, "big")
    return data


@given(st.integers(-(2**63), 2**63 - 1))
def test_varints_come_back(number: int) -> None:
    encoded = encode_varint(number)
    assert read_varint(encoded, 0) == (number, len(encoded))
    assert len(encoded) <= 10


def test_a_varint_without_an_end_is_corrupt() -> None:
    with pytest.raises(CorruptBatch):
        read_varint(b"\xff" * 11, 0)


@settings(deadline=None)
@given(rows=records, codec=st.sampled_from(list(Codec)), base=st.integers(0, 2**40))
def test_records_come_back(rows: list[tuple[Any, ...]], codec: Codec, base: int) -> None:
    data = build(rows, compression=codec, base_offset=base)
    header = read_header(data, 0)
    assert crc_ok(data, 0, header)
    assert header.max_timestamp == max(row[0] for row in rows)
    assert decode_records(data, 0, header, max_bytes=MAX) == [
        Record(base + index, *row) for index, row in enumerate(rows)
    ]


def test_header_keys_that_are_no_utf8_survive() -> None:
    data = bytearray(build([(5, None, b"v", [("abc", b"1")])]))
    at = bytes(data).index(b"abc")
    data[at : at + 3] = b"\xff\xfe\x80"
    (record,) = decode_records(data, 0, read_header(data), max_bytes=MAX)
    assert build([(5, None, b"v", record.headers)]) == bytes(resign(data))


def test_gaps_and_an_emptied_end_are_kept() -> None:
    builder = BatchBuilder(base_offset=100)
    assert builder.append(timestamp=1, value=b"a", offset=103) == 103
    assert builder.append(timestamp=1, value=b"b") == 104
    with pytest.raises(ValueError, match="follow"):
        builder.append(timestamp=1, value=b"c", offset=104)
    data = builder.build(last_offset=110)
    header = read_header(data)
    assert (header.base_offset, header.last_offset, header.record_count) == (100, 110, 2)
    assert [r.offset for r in decode_records(data, 0, header, max_bytes=MAX)] == [103, 104]


def test_log_append_time_overrides_record_timestamps() -> None:
    data = build([(5, None, b"v", []), (9, None, b"w", [])], log_append_time_ms=777)
    header = read_header(data)
    assert header.is_log_append_time
    assert [r.timestamp for r in decode_records(data, 0, header, max_bytes=MAX)] == [777, 777]


def test_size_estimate_is_exact_without_compression() -> None:
    builder = BatchBuilder()
    assert builder.size_estimate == HEADER_SIZE
    builder.append(timestamp=3, key=b"k", value=b"v" * 100, headers=[("a", None)])
    assert builder.size_estimate == len(builder.build())


# ---------------------------------------------------------------- other implementations

ROWS: list[tuple[Any, ...]] = [
    (1_700_000_000_000 + number * (-1) ** number, key, value, extra)
    for number, (key, value, extra) in enumerate(
        [
            (b"key", b"value", []),
            (None, b"no key", [("h", b"1"), ("nothing", None)]),
            (b"tombstone", None, []),
            (b"", b"", [("é", b"")]),
            (b"large", b"x" * 100_000, []),
        ]
    )
]


@pytest.mark.parametrize("codec", list(Codec))
def test_aiokafka_reads_ours_and_we_read_theirs(codec: Codec) -> None:
    ours = build(ROWS, compression=codec, producer_id=7, producer_epoch=1, base_sequence=3)
    batch = AioBatch(bytearray(ours))
    assert batch.validate_crc()
    assert [(r.offset, r.timestamp, r.key, r.value, list(r.headers)) for r in batch] == [
        (index, *row) for index, row in enumerate(ROWS)
    ]
    builder = AioBuilder(
        magic=2,
        compression_type=codec,
        is_transactional=0,
        producer_id=7,
        producer_epoch=1,
        base_sequence=3,
        batch_size=1 << 20,
    )
    for index, (timestamp, key, value, extra) in enumerate(ROWS):
        assert builder.append(index, timestamp, key, value, extra) is not None
    theirs = bytes(builder.build())
    header = read_header(theirs)
    assert crc_ok(theirs, 0, header)
    assert decode_records(theirs, 0, header, max_bytes=MAX) == [Record(i, *row) for i, row in enumerate(ROWS)]
    if codec is Codec.NONE:
        # It writes leader epoch 0 where Java and we write -1; the field lies outside the CRC.
        assert theirs[16:] == ours[16:]


@pytest.mark.parametrize("codec", [Codec.NONE, Codec.GZIP])
def test_kafka_python_reads_ours_and_we_read_theirs(codec: Codec) -> None:
    ours = build(ROWS, compression=codec)
    batch = PyBatch(ours)
    assert batch.validate_crc()
    assert [(r.offset, r.timestamp, r.key, r.value, list(r.headers)) for r in batch] == [
        (index, *row) for index, row in enumerate(ROWS)
    ]
    builder = PyBuilder(2, int(codec), 0, -1, -1, -1, 1 << 20)
    for index, (timestamp, key, value, extra) in enumerate(ROWS):
        builder.append(index, timestamp, key, value, extra)
    theirs = bytes(builder.build())
    header = read_header(theirs)
    assert crc_ok(theirs, 0, header)
    assert decode_records(theirs, 0, header, max_bytes=MAX) == [Record(i, *row) for i, row in enumerate(ROWS)]


def test_kio_reads_ours() -> None:
    ours = build(ROWS, base_offset=40)
    batch, size = kio_read_batch(ours, 0)
    assert size == len(ours)
    # Its timestamps lose the milliseconds of records older than the first, so they are left out.
    assert [
        (r.offset, r.key, r.value, [((h.key or b"").decode(), h.value) for h in r.headers])
        for r in batch.records
    ] == [(40 + index, *row[1:]) for index, row in enumerate(ROWS)]


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_batches_written_by_java_and_librdkafka_are_read(name: str) -> None:
    """The same 40 records, taken from the log of Apache Kafka 4.3.1."""
    data = base64.b64decode(GOLDEN[name])
    header = read_header(data)
    assert crc_ok(data, 0, header)
    assert Codec(header.compression).name.lower() == name.split("-")[1]
    expected = [
        Record(
            number,
            1_700_000_000_000 + number * 3,
            None if number % 5 == 0 else b"key-%d" % number,
            None if number % 7 == 3 else b"riverlog-%05d;" % number * 200,
            [(f"h{index}", None if index == 1 else b"v%d" % index) for index in range(number % 3)],
        )
        for number in range(40)
    ]
    assert decode_records(data, 0, header, max_bytes=MAX) == expected


# ---------------------------------------------------------------- damage


@pytest.mark.parametrize("codec", list(Codec))
def test_a_batch_cut_anywhere_is_corrupt(codec: Codec) -> None:
    data = build(ROWS[:4], compression=codec)
    header = read_header(data)
    for cut in range(len(data)):
        with pytest.raises(CorruptBatch):
            decode_records(data[:cut], 0, header, max_bytes=MAX)


@pytest.mark.parametrize("codec", list(Codec))
def test_a_payload_cut_behind_a_shorter_length_is_corrupt(codec: Codec) -> None:
    data = build(ROWS[:4], compression=codec)
    for cut in range(HEADER_SIZE, len(data)):
        shorter = bytearray(data[:cut])
        shorter[8:12] = (cut - 12).to_bytes(4, "big")
        with pytest.raises(CorruptBatch):
            decode_records(shorter, 0, read_header(shorter), max_bytes=MAX)


@settings(max_examples=500, deadline=None)
@given(
    codec=st.sampled_from(list(Codec)),
    flips=st.lists(st.tuples(st.integers(0, 5000), st.integers(1, 255)), min_size=1, max_size=3),
)
def test_flipped_bits_give_records_or_a_corrupt_batch(codec: Codec, flips: list[tuple[int, int]]) -> None:
    """The checksum is left aside, so that the damage reaches the decoder."""
    data = bytearray(build(ROWS[:4], compression=codec))
    for position, mask in flips:
        data[position % len(data)] ^= mask
    try:
        records = decode_records(data, 0, read_header(data), max_bytes=10_000)
    except CorruptBatch:
        return
    assert sum(len(r.key or b"") + len(r.value or b"") for r in records) <= 10_000


@settings(max_examples=300, deadline=None)
@given(payload=st.binary(max_size=120), count=st.integers(-(2**31), 2**31 - 1), codec=st.integers(0, 7))
def test_any_payload_gives_records_or_a_corrupt_batch(payload: bytes, count: int, codec: int) -> None:
    head = HEADER.pack(0, 49 + len(payload), 0, 2, 0, codec, 0, 0, 0, -1, -1, -1, count)
    data = head + payload
    with contextlib.suppress(CorruptBatch):
        assert len(decode_records(data, 0, read_header(data), max_bytes=1000)) == count


def test_random_mutations_of_every_codec_are_survived() -> None:
    source = random.Random(20)
    originals = [build(ROWS[:4], compression=codec) for codec in Codec]
    survived = 0
    for _ in range(4000):
        data = bytearray(source.choice(originals))
        for _ in range(source.randint(1, 6)):
            data[source.randrange(HEADER_SIZE, len(data))] = source.randrange(256)
        try:
            decode_records(data, 0, read_header(data), max_bytes=5000)
            survived += 1
        except CorruptBatch:
            pass
    assert 0 < survived < 4000


@pytest.mark.parametrize("count", [0, 1, 3, 5, 2**31 - 1, -1])
def test_a_wrong_record_count_is_corrupt(count: int) -> None:
    data = bytearray(build(ROWS[:4]))
    data[57:61] = count.to_bytes(4, "big", signed=True)
    with pytest.raises(CorruptBatch):
        decode_records(data, 0, read_header(data), max_bytes=MAX)


def test_decompression_is_bounded_by_the_caller() -> None:
    data = build(ROWS, compression=Codec.ZSTD)
    with pytest.raises(DecompressedTooLarge):
        decode_records(data, 0, read_header(data), max_bytes=50_000)
