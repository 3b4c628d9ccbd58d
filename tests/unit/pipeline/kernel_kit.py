"""What the kernel's tests share: both kernels, logs of many kinds, and what a plain decoder makes of them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa
import pytest

from riverlog.pipeline.arrow_read import ArrowReader
from riverlog.pipeline.kernel import compiled, interpreted
from riverlog.records import BatchBuilder, Record, decode_records, iter_headers
from riverlog.records.header import CRC_POSITION, compute_crc

KERNELS = [
    pytest.param(interpreted(), id="interpreted"),
    pytest.param(
        compiled(),
        id="compiled",
        marks=pytest.mark.skipif(compiled() is None, reason="the kernel is not compiled here"),
    ),
]
MICROS_MAX = ((1 << 63) - 1) // 1000 * 1000
MAX = 1 << 24

Row = tuple[Any, ...]
"""Key, value, topic, partition, offset, microseconds, timestamp type; headers where they were asked for."""


def build(
    records: Iterable[tuple[int, bytes | None, bytes | None, Sequence[tuple[str, bytes | None]]]],
    *,
    base_offset: int = 0,
    gaps: Sequence[int] = (),
    last_offset: int | None = None,
    **options: Any,
) -> bytes:
    """A batch of (timestamp, key, value, headers); before each record a gap, as compaction leaves it."""
    builder = BatchBuilder(base_offset=base_offset, **options)
    offset = base_offset
    for index, (timestamp, key, value, headers) in enumerate(records):
        offset += gaps[index] if index < len(gaps) else 0
        builder.append(timestamp=timestamp, key=key, value=value, headers=headers, offset=offset)
        offset += 1
    return builder.build(last_offset=last_offset)


def resign(data: bytearray) -> bytes:
    """The batch with a checksum that fits."""
    data[CRC_POSITION : CRC_POSITION + 4] = compute_crc(data, 0, len(data)).to_bytes(4, "big")
    return bytes(data)


def rows_of(batches: Iterable[pa.RecordBatch]) -> list[Row]:
    rows: list[Row] = []
    for batch in batches:
        batch.validate(full=True)
        names = list(batch.schema.names)
        columns = [
            batch.column(name).cast(pa.int64()) if name == "timestamp" else batch.column(name)
            for name in names
        ]
        rows += zip(*(column.to_pylist() for column in columns), strict=True)
    return rows


def row(record: Record, topic: str, partition: int, timestamp_type: int, *, headers: bool) -> Row:
    micros = min(max(record.timestamp * 1000, -MICROS_MAX), MICROS_MAX)
    found: list[dict[str, Any]] | None = None
    if record.headers:
        found = [
            {"key": key.encode("utf-8", "surrogateescape").decode("utf-8", "replace"), "value": value}
            for key, value in record.headers
        ]
    plain = (record.key, record.value, topic, partition, record.offset, micros, timestamp_type)
    return (*plain, found) if headers else plain


def reference(log: bytes, topic: str = "t", partition: int = 0, *, headers: bool = True) -> list[Row]:
    """All rows of a log without transactions, by the decoder of ``riverlog.records``."""
    return [
        row(record, topic, partition, int(header.is_log_append_time), headers=headers)
        for position, header in iter_headers(log)
        for record in decode_records(log, position, header, max_bytes=MAX)
    ]


def reader(kernel: Any, start: int = 0, end: int = 1 << 40, **options: Any) -> ArrowReader:
    options = {"topic": "t", "partition": 0, "headers": True} | options
    return ArrowReader(start=start, end=end, kernel=kernel, **options)


def draw_batch(chance: random.Random, base_offset: int = 0) -> bytes:
    """Some batch: any codec, any length of fields, headers, gaps."""

    def field() -> bytes | None:
        size = chance.choice((0, 1, 5, 63, 64, 65, 200, 5000))
        return None if chance.random() < 0.2 else chance.randbytes(2) * (size // 2)

    count = chance.choice((1, 1, 2, 5, 30))
    records = []
    for _ in range(count):
        headers = [(f"h{number}é", field()) for number in range(chance.choice((0, 0, 0, 1, 3, 70)))]
        timestamp = 1_700_000_000_000 + chance.choice((0, 1, 63, 64, 10**6, -(10**6)))
        records.append((timestamp, field(), field(), headers))
    return build(
        records,
        base_offset=base_offset,
        gaps=[chance.choice((0, 0, 1, 100)) for _ in records],
        compression=chance.choice((0, 0, 0, 1, 2, 3, 4)),
        log_append_time_ms=chance.choice((None, None, 1_700_000_000_000)),
        producer_id=chance.choice((-1, 7)),
    )
