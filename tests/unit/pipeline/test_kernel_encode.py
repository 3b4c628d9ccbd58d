"""Arrow → record batches, by both kernels, read back by decoders that know nothing of them."""

from __future__ import annotations

import warnings
from typing import Any

import pyarrow as pa
import pytest
from aiokafka.record.default_records import DefaultRecordBatch as AioBatch
from hypothesis import given, settings
from hypothesis import strategies as st
from kio.records.readers import read_batch as kio_read_batch

from riverlog.client.partitioner import partition_for_key
from riverlog.pipeline.arrow_write import EncodedBatch, encode_batches, murmur2_partitions, restamp
from riverlog.pipeline.errors import PipelineError
from riverlog.pipeline.kernel import Kernel
from riverlog.pipeline.schema import HEADERS_TYPE
from riverlog.records import (
    Record,
    ValidationConfig,
    ValidBatch,
    crc_ok,
    decode_records,
    read_header,
    validate_produce,
)
from tests.unit.pipeline.kernel_kit import KERNELS, MAX, reader, rows_of

with warnings.catch_warnings():
    # kafka-python reads its own resources in a way that newer Pythons deprecate.
    warnings.simplefilter("ignore", DeprecationWarning)
    from kafka.record.default_records import DefaultRecordBatch as PyBatch

NOW = 1_700_000_000_000
BROKER = ValidationConfig(timestamp_after_max_ms=1 << 62)
CODECS = ("none", "gzip", "snappy", "lz4", "zstd")

pytestmark = pytest.mark.parametrize("kernel", KERNELS)

fields = st.none() | st.binary(max_size=200)
headers = st.none() | st.lists(st.tuples(st.text(max_size=10), fields), max_size=4)
rows = st.lists(
    st.tuples(fields, fields, st.none() | st.integers(0, 2**52), headers), min_size=1, max_size=25
)


def table(drawn: list[tuple[Any, ...]], unit: str = "us") -> pa.RecordBatch:
    keys, values, times, extra = zip(*drawn, strict=True)
    pairs = [None if row is None else [{"key": key, "value": value} for key, value in row] for row in extra]
    return pa.RecordBatch.from_arrays(
        [
            pa.array(keys, pa.binary()),
            pa.array(values, pa.binary()),
            pa.array(times, pa.int64()).cast(pa.timestamp(unit, "UTC")),
            pa.array(pairs, HEADERS_TYPE),
        ],
        ["key", "value", "timestamp", "headers"],
    )


def values(*parts: Any, kind: pa.DataType | None = None) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"value": pa.array(parts, kind or pa.binary())})


def encode(source: pa.RecordBatch, kernel: Kernel, **options: Any) -> list[EncodedBatch]:
    plain = {
        "codec": "none",
        "batch_bytes_max": 1 << 20,
        "now_ms": NOW,
        "transactional": False,
        "producer_id": -1,
        "producer_epoch": -1,
        "base_sequence": -1,
    }
    return encode_batches(source, kernel=kernel, **{**plain, **options})


def decode(batches: list[EncodedBatch]) -> list[Record]:
    """All records, their offsets counted on over the batches."""
    found: list[Record] = []
    for batch in batches:
        header = read_header(batch.data)
        assert header.size == len(batch.data)
        assert crc_ok(batch.data, 0, header)
        assert header.record_count == batch.records == header.last_offset_delta + 1
        records = decode_records(batch.data, 0, header, max_bytes=MAX)
        assert header.base_timestamp == records[0].timestamp
        assert header.max_timestamp == max(record.timestamp for record in records)
        assert isinstance(validate_produce(memoryview(batch.data), BROKER, 1 << 45), ValidBatch)
        for record in records:
            record.offset += len(found) - record.offset
            found.append(record)
    return found


@settings(max_examples=120, deadline=None)
@given(
    drawn=rows,
    codec=st.sampled_from(CODECS),
    size=st.sampled_from([62, 300, 5000]),
    cut=st.tuples(st.integers(0, 24), st.integers(1, 25)),
    unit=st.sampled_from(["us", "ns", "ms"]),
)
def test_records_come_back(
    kernel: Kernel, drawn: list[tuple[Any, ...]], codec: str, size: int, cut: tuple[int, int], unit: str
) -> None:
    start = min(cut[0], len(drawn) - 1)
    part = drawn[start : start + cut[1]]
    source = table(drawn, unit).slice(start, cut[1])
    divisor = {"ns": 1_000_000, "us": 1000, "ms": 1}[unit]
    assert decode(encode(source, kernel, codec=codec, batch_bytes_max=size)) == [
        Record(at, NOW if time is None else time // divisor, key, value, extra or [])
        for at, (key, value, time, extra) in enumerate(part)
    ]


@settings(max_examples=50, deadline=None)
@given(drawn=rows, codec=st.sampled_from(CODECS))
def test_what_is_written_reads_back_as_columns(
    kernel: Kernel, drawn: list[tuple[Any, ...]], codec: str
) -> None:
    source = table([(key, value, (time or 0) * 1000 % 2**52, extra) for key, value, time, extra in drawn])
    [batch] = encode(source, kernel, codec=codec)
    found = rows_of(reader(kernel).feed(batch.data))
    plain = source.set_column(2, "timestamp", source.column("timestamp").cast(pa.int64()))
    assert [(row[0], row[1], row[5] // 1000, row[7]) for row in found] == [
        (row["key"], row["value"], row["timestamp"] // 1000, row["headers"] or None)
        for row in plain.to_pylist()
    ]


@pytest.mark.parametrize("codec", CODECS)
def test_other_implementations_read_it(kernel: Kernel, codec: str) -> None:
    times = [(NOW + at) * 1000 for at in range(3)]
    drawn = list(
        zip(
            [b"k", None, b""],
            [b"v" * 5000, b"", None],
            times,
            [[("h", b"x"), ("n", None)], [], None],
            strict=True,
        )
    )
    [batch] = encode(table(drawn), kernel, codec=codec)
    expected = [
        (b"k", b"v" * 5000, NOW, [("h", b"x"), ("n", None)]),
        (None, b"", NOW + 1, []),
        (b"", None, NOW + 2, []),
    ]
    for decoder in (AioBatch, PyBatch):
        found = decoder(bytearray(batch.data))
        assert found.validate_crc()
        assert [(row.key, row.value, row.timestamp, list(row.headers)) for row in found] == expected
    if codec == "none":  # the one that kio knows
        kio, size = kio_read_batch(batch.data, 0)
        assert size == len(batch.data)
        assert [(row.key, row.value) for row in kio.records] == [row[:2] for row in expected]


def test_a_column_of_values_is_enough_and_takes_the_time_of_now(kernel: Kernel) -> None:
    assert decode(encode(values("a", None, kind=pa.string()), kernel)) == [
        Record(0, NOW, None, b"a"),
        Record(1, NOW, None, None),
    ]


@pytest.mark.parametrize(
    "kind",
    [pa.string(), pa.large_string(), pa.large_binary(), pa.string_view(), pa.binary_view(), pa.binary(3)],
)
def test_values_of_every_kind_of_bytes(kernel: Kernel, kind: pa.DataType) -> None:
    source = values(b"abc", None, b"xyz", kind=pa.binary()).column("value").cast(kind)
    found = decode(encode(pa.RecordBatch.from_arrays([source.slice(1)], ["value"]), kernel))
    assert [record.value for record in found] == [None, b"xyz"]


def test_no_rows_no_batch(kernel: Kernel) -> None:
    assert encode(values(), kernel) == []
    assert encode(table([(b"", b"", 0, None)]).slice(1), kernel) == []
    assert murmur2_partitions(pa.array([], pa.binary()), 3, kernel=kernel).to_pylist() == []


def test_batches_keep_the_bound_and_a_larger_record_goes_alone(kernel: Kernel) -> None:
    sizes = [100] * 25 + [5000] + [100] * 25
    batches = encode(values(*(b"x" * size for size in sizes)), kernel, batch_bytes_max=1000)
    assert [batch.records for batch in batches] == [8, 8, 8, 1, 1, 8, 8, 8, 1]
    assert [len(batch.data) <= 1000 for batch in batches].count(False) == 1
    assert [len(record.value or b"") for record in decode(batches)] == sizes


def test_the_header_names_the_producer_and_sequences_count_on_past_the_last(kernel: Kernel) -> None:
    batches = encode(
        values(*[b"x" * 100] * 20),
        kernel,
        batch_bytes_max=1000,
        transactional=True,
        producer_id=77,
        producer_epoch=3,
        base_sequence=2**31 - 10,
    )
    assert [batch.base_sequence for batch in batches] == [2**31 - 10, 2**31 - 2, 6]
    for batch in batches:
        header = read_header(batch.data)
        assert header.is_transactional
        assert (header.producer_id, header.producer_epoch, header.base_sequence) == (
            77,
            3,
            batch.base_sequence,
        )


def test_restamped_batches_have_another_producer_and_the_same_records(kernel: Kernel) -> None:
    [batch] = encode(values(b"a", b"b"), kernel, producer_id=1, producer_epoch=1, base_sequence=5)
    again = restamp(batch, producer_id=2, producer_epoch=0, base_sequence=0)
    header = read_header(again.data)
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (2, 0, 0)
    assert (again.records, again.base_sequence) == (2, 0)
    assert decode([again]) == decode([batch])


# ---------------------------------------------------------------- partitions


@given(keys=st.lists(fields, max_size=20), count=st.integers(1, 1000), start=st.integers(0, 5))
def test_partitions_are_those_of_kafkas_default_partitioner(
    kernel: Kernel, keys: list[bytes | None], count: int, start: int
) -> None:
    found = murmur2_partitions(pa.array(keys, pa.binary()).slice(start), count, kernel=kernel)
    assert found.type == pa.int32()
    expected = [None if key is None else partition_for_key(key, count) for key in keys[start:]]
    assert found.to_pylist() == expected


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        pytest.param({"value": pa.array([1])}, "column value has the type int64", id="value"),
        pytest.param({"key": pa.array([1.5])}, "column key has the type double", id="key"),
        pytest.param({"timestamp": pa.array([1])}, "column timestamp has the type int64", id="timestamp"),
        pytest.param({"headers": pa.array([b"h"])}, "column headers has the type binary", id="headers"),
        pytest.param({"timestamp": pa.array([-1], pa.timestamp("us"))}, "before 1970", id="time before 1970"),
        pytest.param(
            {"headers": pa.array([[{"key": None, "value": b"x"}]], HEADERS_TYPE)}, "no key", id="header key"
        ),
        pytest.param({"headers": pa.array([[None]], HEADERS_TYPE)}, "no key", id="null header"),
    ],
)
def test_wrong_columns_are_told(kernel: Kernel, columns: dict[str, pa.Array], reason: str) -> None:
    source = pa.RecordBatch.from_pydict({"value": pa.array([b"v"], pa.binary()), **columns})
    with pytest.raises(PipelineError, match=reason):
        encode(source, kernel)


@pytest.mark.parametrize("ends", [[0, 100, 3], [0, -1, 3], [0, 2, 1], [0, 2**30, 3]])
def test_offsets_beyond_the_bytes_are_refused(kernel: Kernel, ends: list[int]) -> None:
    buffers = [None, pa.array(ends, pa.int32()).buffers()[1], pa.py_buffer(b"abc")]
    column = pa.Array.from_buffers(pa.binary(), 2, buffers)
    with pytest.raises(PipelineError, match="beyond its bytes"):
        encode(pa.RecordBatch.from_arrays([column], ["value"]), kernel)
    with pytest.raises(ValueError, match="beyond its bytes"):
        murmur2_partitions(column, 3, kernel=kernel)


def test_header_lists_beyond_the_headers_are_refused(kernel: Kernel) -> None:
    pairs = pa.array([[{"key": "k", "value": b"v"}]], HEADERS_TYPE)
    wrong = pa.Array.from_buffers(
        HEADERS_TYPE, 2, [None, pa.array([0, 7, 1], pa.int32()).buffers()[1]], children=[pairs.values]
    )
    source = pa.RecordBatch.from_arrays([pa.array([b"v"] * 2, pa.binary()), wrong], ["value", "headers"])
    with pytest.raises(PipelineError, match="beyond its items"):
        encode(source, kernel)
