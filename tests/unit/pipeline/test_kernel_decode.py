"""Record batches → Arrow, by both kernels, against the plain decoder."""

from __future__ import annotations

import base64
import dataclasses
import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from aiokafka.record.default_records import DefaultRecordBatchBuilder as AioBuilder
from hypothesis import given, settings
from hypothesis import strategies as st

from riverlog.pipeline.arrow_read import ArrowReader, Collector, CorruptRecords
from riverlog.pipeline.kernel import Kernel
from riverlog.pipeline.schema import arrow_schema
from riverlog.records import Codec, DecompressedTooLarge, end_txn_marker, patch, read_header
from riverlog.records.builder import encode_varint
from tests.unit.pipeline.kernel_kit import KERNELS, MICROS_MAX, build, reader, reference, resign, rows_of

with warnings.catch_warnings():
    # kafka-python reads its own resources in a way that newer Pythons deprecate.
    warnings.simplefilter("ignore", DeprecationWarning)
    from kafka.record.default_records import DefaultRecordBatchBuilder as PyBuilder

GOLDEN = json.loads((Path(__file__).parents[1] / "records" / "golden_batches.json").read_text())
NOW = 1_700_000_000_000
PLAIN = (NOW, b"k", b"v", ())

pytestmark = pytest.mark.parametrize("kernel", KERNELS)

fields = st.none() | st.binary(max_size=200)
headers = st.lists(st.tuples(st.text(max_size=10), fields), max_size=4)
records = st.lists(st.tuples(st.integers(0, 2**45), fields, fields, headers), min_size=1, max_size=12)
batches = st.fixed_dictionaries(
    {
        "records": records,
        "compression": st.sampled_from(Codec),
        "gaps": st.lists(st.integers(0, 300), max_size=12),
        "log_append_time_ms": st.none() | st.integers(0, 2**45),
        "delete_horizon_ms": st.none() | st.integers(0, 2**45),
    }
)


def log_of(drawn: list[dict[str, Any]], between: list[int]) -> tuple[bytes, list[int], int]:
    """Batches one after another with gaps between them; where each starts; the log's end."""
    log, starts, offset = bytearray(), [], 0
    for options, gap in zip(drawn, between, strict=False):
        offset += gap
        starts.append(len(log))
        log += build(base_offset=offset, **options)
        offset = read_header(log, starts[-1]).next_offset
    return bytes(log), starts, offset


@settings(max_examples=120, deadline=None)
@given(
    drawn=st.lists(batches, min_size=1, max_size=4),
    between=st.lists(st.integers(0, 50), min_size=4, max_size=4),
    data=st.data(),
)
def test_rows_are_those_of_the_plain_decoder(
    kernel: Kernel, drawn: list[dict[str, Any]], between: list[int], data: st.DataObject
) -> None:
    log, starts, log_end = log_of(drawn, between)
    start = data.draw(st.integers(0, log_end))
    end = data.draw(st.integers(start, log_end))
    with_headers = data.draw(st.booleans())
    source = reader(
        kernel,
        start,
        end,
        headers=with_headers,
        rows_max=data.draw(st.integers(1, 20)),
        bytes_max=data.draw(st.sampled_from([1, 100, 1000, 1 << 20])),
    )
    cut = data.draw(st.integers(0, len(log)))  # the first answer ends somewhere, perhaps in a batch
    found = rows_of(source.feed(log[:cut]))
    found += rows_of(source.feed(memoryview(log)[max(at for at in [0, *starts] if at <= cut) :]))
    assert found == [row for row in reference(log, headers=with_headers) if start <= row[4] < end]
    assert source.done
    assert source.next_offset == end


@pytest.mark.parametrize("codec", Codec)
def test_every_codec_nulls_and_headers(kernel: Kernel, codec: Codec) -> None:
    rows = [
        (NOW, None, None, ()),
        (NOW + 1, b"", b"", [("", b""), ("ü", None)]),
        (NOW - 1, b"key", b"x" * 70_000, [("a", b"1"), ("a", b"2")]),
    ]
    batch = build(rows, base_offset=7, compression=codec)
    [table] = reader(kernel, topic="orders", partition=3).feed(batch)
    assert table.schema == arrow_schema(headers=True)
    assert rows_of([table]) == [
        (None, None, "orders", 3, 7, NOW * 1000, 0, None),
        (
            b"",
            b"",
            "orders",
            3,
            8,
            (NOW + 1) * 1000,
            0,
            [{"key": "", "value": b""}, {"key": "ü", "value": None}],
        ),
        (
            b"key",
            b"x" * 70_000,
            "orders",
            3,
            9,
            (NOW - 1) * 1000,
            0,
            [{"key": "a", "value": b"1"}, {"key": "a", "value": b"2"}],
        ),
    ]


def test_batches_of_other_implementations(kernel: Kernel) -> None:
    builders = [
        AioBuilder(2, 0, 0, -1, -1, -1, 1 << 20),
        PyBuilder(2, Codec.GZIP, 0, -1, -1, -1, 1 << 20),
    ]
    for builder in builders:
        builder.append(0, NOW, b"k", b"v", [("h", b"x")])
        builder.append(1, NOW + 70, None, None, [])
        assert rows_of(reader(kernel).feed(bytes(builder.build()))) == [
            (b"k", b"v", "t", 0, 0, NOW * 1000, 0, [{"key": "h", "value": b"x"}]),
            (None, None, "t", 0, 1, (NOW + 70) * 1000, 0, None),
        ]


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_batches_of_java_and_librdkafka(kernel: Kernel, name: str) -> None:
    batch = base64.b64decode(GOLDEN[name])
    found = rows_of(reader(kernel).feed(batch))
    assert len(found) == 40
    assert found == reference(batch)


def test_log_append_time_is_that_of_the_batch(kernel: Kernel) -> None:
    batch = build([PLAIN, (NOW + 9, None, None, ())], log_append_time_ms=NOW + 5)
    assert [(row[5], row[6]) for row in rows_of(reader(kernel).feed(batch))] == [((NOW + 5) * 1000, 1)] * 2


def test_mixed_timestamp_types_are_told_apart_in_one_arrow_batch(kernel: Kernel) -> None:
    log = build([PLAIN] * 2) + build([PLAIN], base_offset=2, log_append_time_ms=NOW)
    [table] = reader(kernel).feed(log)
    assert table.column("timestampType").to_pylist() == [0, 0, 1]


@pytest.mark.parametrize("timestamp", [-(2**62), 2**62, 2**63 - 1, -1])
def test_timestamps_beyond_microseconds_become_the_outermost(kernel: Kernel, timestamp: int) -> None:
    [found] = rows_of(reader(kernel).feed(build([(timestamp, None, None, ())])))
    assert found[5] == min(max(timestamp * 1000, -MICROS_MAX), MICROS_MAX)


def test_timestamp_deltas_do_not_overflow(kernel: Kernel) -> None:
    batch = build([(1 - 2**62, None, None, ()), (2**62, None, None, ())])
    assert [row[5] for row in rows_of(reader(kernel).feed(batch))] == [-MICROS_MAX, MICROS_MAX]


def test_header_keys_that_are_not_utf8_are_replaced(kernel: Kernel) -> None:
    batch = build([(NOW, None, None, [("ok", b"1"), ("\udcff\udcfe", b"2")])])
    [found] = rows_of(reader(kernel).feed(batch))
    assert found[7] == [{"key": "ok", "value": b"1"}, {"key": "��", "value": b"2"}]


def transaction(offset: int, producer: int, value: bytes) -> bytes:
    return build([(NOW, None, value, ())], base_offset=offset, producer_id=producer, transactional=True)


def marker(offset: int, producer: int, *, commit: bool) -> bytes:
    return end_txn_marker(
        commit=commit,
        producer_id=producer,
        producer_epoch=0,
        coordinator_epoch=0,
        timestamp=NOW,
        base_offset=offset,
    )


def test_aborted_transactions_and_markers_are_left_out(kernel: Kernel) -> None:
    log = (
        transaction(0, 7, b"aborted")
        + transaction(1, 8, b"committed")
        + build([(NOW, None, b"plain", ())], base_offset=2, producer_id=7)
        + marker(3, 7, commit=False)
        + transaction(4, 7, b"committed later")
        + marker(5, 7, commit=True)
        + marker(6, 8, commit=True)
    )
    source = reader(kernel, end=7)
    found = rows_of(source.feed(log, aborted=[(7, 0)]))
    assert [row[1] for row in found] == [b"committed", b"plain", b"committed later"]
    assert source.done
    uncommitted = rows_of(reader(kernel, end=7, read_committed=False).feed(log, aborted=[(7, 0)]))
    assert [row[4] for row in uncommitted] == [0, 1, 2, 4]


def test_empty_batches_and_ends_that_compaction_left_move_the_place(kernel: Kernel) -> None:
    emptied = build([], last_offset=4) + build([], base_offset=5, last_offset=9, compression=Codec.GZIP)
    log = emptied + build([PLAIN], base_offset=10, last_offset=19)
    source = reader(kernel, start=3)
    assert [row[4] for row in rows_of(source.feed(log))] == [10]
    assert source.next_offset == 20


def test_a_batch_behind_the_end_ends_the_slice(kernel: Kernel) -> None:
    source = reader(kernel, start=0, end=50)
    assert rows_of(source.feed(build([PLAIN], base_offset=60))) == []
    assert source.done
    assert source.next_offset == 50


def test_a_partial_batch_is_left_for_the_next_fetch(kernel: Kernel) -> None:
    first, second = build([PLAIN]), build([PLAIN], base_offset=1)
    source = reader(kernel, end=2)
    assert len(rows_of(source.feed(first + second[:-1]))) == 1
    assert source.next_offset == 1
    assert rows_of(source.feed(second[:40])) == []
    assert len(rows_of(source.feed(second))) == 1
    assert source.done


def test_arrow_batches_are_bounded_by_rows_and_bytes(kernel: Kernel) -> None:
    log = build([(NOW, None, b"x" * 100, ())] * 1000, compression=Codec.ZSTD)
    by_rows = list(reader(kernel, rows_max=300).feed(log))
    assert [table.num_rows for table in by_rows] == [300, 300, 300, 100]
    by_bytes = list(reader(kernel, bytes_max=11_000).feed(log))
    assert all(100 <= table.num_rows <= 110 for table in by_bytes[:-1])
    assert rows_of(by_rows) == rows_of(by_bytes) == reference(log)


def test_the_place_is_right_at_every_arrow_batch(kernel: Kernel) -> None:
    source = reader(kernel, rows_max=3)
    for table in source.feed(build([PLAIN] * 10, base_offset=100)):
        assert source.next_offset == table.column("offset")[-1].as_py() + 1


def test_a_record_larger_than_the_bound_goes_alone(kernel: Kernel) -> None:
    sizes = [10, 5000, 10, 7000, 7000]
    log = build([(NOW, b"k", b"x" * size, [("h", b"y" * size)]) for size in sizes])
    tables = list(reader(kernel, bytes_max=1000).feed(log))
    assert [table.num_rows for table in tables] == [1] * 5
    assert rows_of(tables) == reference(log)


def test_records_with_very_many_headers_find_room(kernel: Kernel) -> None:
    log = build([(NOW, None, None, [("h", None)] * count) for count in (1, 3000, 0, 3000, 2)])
    tables = list(reader(kernel, rows_max=10).feed(log))
    assert [table.num_rows for table in tables] == [1, 2, 1, 1]
    assert rows_of(tables) == reference(log)


def test_a_collector_joins_partitions(kernel: Kernel) -> None:
    collector = Collector(headers=True, rows_max=5, kernel=kernel)
    tables: list[pa.RecordBatch] = []
    for partition in range(4):
        source = ArrowReader(
            topic="ab"[partition % 2], partition=partition, start=0, end=3, collector=collector
        )
        tables += source.feed(build([PLAIN] * 2))
        tables += source.feed(build([PLAIN], base_offset=2))
        assert source.done
    assert collector.rows == 2
    last = collector.flush()
    assert last is not None
    tables.append(last)
    assert collector.flush() is None
    assert [table.num_rows for table in tables] == [5, 5, 2]
    places = [(row[2], row[3], row[4]) for row in rows_of(tables)]
    assert places == [("ab"[part % 2], part, offset) for part in range(4) for offset in range(3)]


# ---------------------------------------------------------------- damage


def test_a_bad_checksum_tells_where_and_where_to_go_on(kernel: Kernel) -> None:
    parts = [build([(NOW, None, b"%d" % at, ())] * 2, base_offset=at) for at in (0, 2, 4)]
    bad = bytearray(b"".join(parts))
    bad[len(parts[0]) + 70] ^= 1
    source = reader(kernel, topic="orders", partition=5, end=6)
    stream = source.feed(bytes(bad))
    assert [row[4] for row in rows_of([next(stream)])] == [0, 1]
    with pytest.raises(CorruptRecords, match=r"orders-5, at offset 2: checksum mismatch") as caught:
        next(stream)
    assert (caught.value.offset, caught.value.resume_at, source.next_offset) == (2, 4, 2)
    source.next_offset = caught.value.resume_at
    assert [row[4] for row in rows_of(source.feed(parts[2]))] == [4, 5]


def test_rows_in_front_of_the_damage_are_given(kernel: Kernel) -> None:
    bad = bytearray(build([(NOW, None, b"abc", ())] * 3))
    bad[-1] = 9  # the last record claims headers that are not there
    source = reader(kernel)
    stream = source.feed(resign(bad))
    assert [row[4] for row in rows_of([next(stream)])] == [0, 1]
    with pytest.raises(CorruptRecords) as caught:
        next(stream)
    assert (source.next_offset, caught.value.resume_at) == (2, 3)


def test_without_a_sound_batch_behind_it_the_header_tells_where_to_go_on(kernel: Kernel) -> None:
    bad = bytearray(build([PLAIN] * 10))
    bad[-1] ^= 255
    with pytest.raises(CorruptRecords) as caught:
        list(reader(kernel).feed(bytes(bad) + b"\xff" * 80))
    assert caught.value.resume_at == 10
    with pytest.raises(CorruptRecords) as caught:
        list(reader(kernel, start=4, end=1000).feed(b"\x00" * 80))
    assert caught.value.resume_at == 5


def damaged(payload: bytes, *, count: int = 1, last_delta: int = 0, codec: int = 0) -> bytes:
    """A batch with a good checksum around any payload."""
    batch = bytearray(build([PLAIN])[:61] + payload)
    batch[8:12] = (len(batch) - 12).to_bytes(4, "big")
    batch[21:23] = codec.to_bytes(2, "big")
    batch[23:27] = last_delta.to_bytes(4, "big", signed=True)
    batch[57:61] = count.to_bytes(4, "big", signed=True)
    return resign(batch)


def framed(body: bytes) -> bytes:
    return encode_varint(len(body)) + body


@pytest.mark.parametrize(
    ("payload", "options"),
    [
        pytest.param(b"", {}, id="nothing"),
        pytest.param(framed(b"\0\0\0\1\1"), {}, id="too short"),
        pytest.param(framed(b"\0\0\0\1\1\0") + b"x", {}, id="bytes left"),
        pytest.param(framed(b"\0\0\0\1\1\0"), {"count": 2}, id="too few"),
        pytest.param(framed(b"\0\0\0\1\1\0"), {"count": -1}, id="negative count"),
        pytest.param(framed(b"\0\0\0\1\1\0")[:-1], {}, id="cut"),
        pytest.param(encode_varint(-5) + b"\0" * 9, {}, id="negative length"),
        pytest.param(encode_varint(2**40) + b"\0" * 9, {}, id="huge length"),
        pytest.param(b"\xff" * 20, {}, id="endless number"),
        pytest.param(framed(b"\0" + b"\x80" * 9 + b"\x02" + b"\0\1\1\0"), {}, id="65 bits"),
        pytest.param(framed(b"\0\0\0" + encode_varint(100) + b"\1\0"), {}, id="key too long"),
        pytest.param(framed(b"\0\0\0\1" + encode_varint(2) + b"a\0"), {}, id="value takes the end"),
        pytest.param(framed(b"\0\0\0\3\1\0"), {}, id="key of -2"),
        pytest.param(framed(b"\0\0\0\1\1\2\0\0\0"), {}, id="bytes behind the headers"),
        pytest.param(framed(b"\0\0\0\1\1\2\1\1"), {}, id="header without key"),
        pytest.param(framed(b"\0\0\0\1\1\4\0\1"), {}, id="too few headers"),
        pytest.param(framed(b"\0\0\0\1\1\1"), {}, id="negative headers"),
        pytest.param(framed(b"\0\0\0\1\1\2\0\5"), {}, id="header value too long"),
        pytest.param(framed(b"\0\0\0\1\1" + encode_varint(2**40)), {}, id="headers without end"),
        pytest.param(framed(b"\0\0\2\1\1\0"), {}, id="offset behind the batch"),
        pytest.param(framed(b"\0\0\1\1\1\0"), {}, id="offset before the batch"),
        pytest.param(framed(b"\0\0\0\1\1\0") * 2, {"count": 2, "last_delta": 1}, id="offset twice"),
        pytest.param(framed(b"\0\0\0\1\1\0"), {"last_delta": -1}, id="no offsets"),
        pytest.param(b"\0" * 30, {"codec": 3}, id="not lz4"),
        pytest.param(b"\0" * 30, {"codec": 6}, id="unknown codec"),
    ],
)
def test_malformed_records_are_corrupt(kernel: Kernel, payload: bytes, options: dict[str, int]) -> None:
    with pytest.raises(CorruptRecords):
        list(reader(kernel).feed(damaged(payload, **options)))


def test_offsets_beyond_64_bits_are_corrupt(kernel: Kernel) -> None:
    batch = bytearray(build([PLAIN] * 2))
    patch(batch, 0, base_offset=2**63 - 2, leader_epoch=0)
    with pytest.raises(CorruptRecords):
        list(reader(kernel, start=2**63 - 3, end=2**63 - 1).feed(batch))


@pytest.mark.parametrize("codec", [codec for codec in Codec if codec is not Codec.NONE])
def test_a_bomb_is_refused_by_the_bound(kernel: Kernel, codec: Codec) -> None:
    batch = build([(NOW, None, bytes(2_000_000), ())], compression=codec)
    before = pa.total_allocated_bytes()
    with pytest.raises(CorruptRecords, match="exceed 100000 bytes") as caught:
        list(reader(kernel, decompressed_max=100_000).feed(batch))
    assert isinstance(caught.value.__cause__, DecompressedTooLarge)
    assert pa.total_allocated_bytes() - before < 1_000_000


def test_a_bomb_of_headers_does_not_claim_memory(kernel: Kernel) -> None:
    payload = framed(b"\0\0\0\1\1" + encode_varint(2**30) + bytes(1000))
    before = pa.total_allocated_bytes()
    with pytest.raises(CorruptRecords):
        list(reader(kernel, rows_max=10, bytes_max=10_000).feed(damaged(payload)))
    assert pa.total_allocated_bytes() - before < 1_000_000


def test_batches_alike_are_taken_in_one_go(kernel: Kernel) -> None:
    begun: list[Any] = []

    def begin(*arguments: Any, **options: Any) -> Any:
        begun.append(kernel.batch(*arguments, **options))
        return begun[-1]

    def begins(log: bytes, aborted: Sequence[tuple[int, int]] = ()) -> int:
        begun.clear()
        counting = dataclasses.replace(kernel, batch=begin)  # type: ignore[arg-type]
        assert rows_of(reader(counting).feed(log, aborted)) == reference(log)
        return len(begun)

    def log(**options: Any) -> bytes:
        return b"".join(build([PLAIN, PLAIN], base_offset=base, **options) for base in (3, 5, 90))

    assert begins(log()) == 1
    assert begins(log(log_append_time_ms=NOW + 5)) == 1
    assert begins(log(producer_id=7, producer_epoch=0, base_sequence=0)) == 1
    transactional = log(producer_id=7, producer_epoch=0, base_sequence=0, transactional=True)
    assert begins(transactional) == 1
    assert begins(transactional, [(8, 5)]) == 3, "each has to be asked for its producer"
    assert begins(log(compression=Codec.LZ4)) == 3
    assert begins(log() + build([PLAIN], base_offset=200, log_append_time_ms=NOW)) == 2
