"""Arrow columns → record batches of one partition; partitions of keys. The kernel does the work per row."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from riverlog.pipeline.errors import PipelineError
from riverlog.pipeline.kernel import KERNEL, Kernel
from riverlog.pipeline.kernel.encode import BytesField, HeaderFields, Rows
from riverlog.pipeline.schema import HEADERS_TYPE
from riverlog.records import HEADER_SIZE
from riverlog.records.builder import assemble
from riverlog.records.compression import CODEC_NAMES, compress
from riverlog.records.header import (
    COMPRESSION_MASK,
    NO_LEADER_EPOCH,
    NO_SEQUENCE,
    TRANSACTIONAL_FLAG,
    patch_producer,
)

_SEQUENCES = 1 << 31
"""Sequence numbers go on from 0 after the last one of 31 bits."""
_EMPTY = memoryview(b"")
_NO_ENDS = memoryview(bytes(4)).cast("i")


@dataclass(frozen=True, slots=True)
class EncodedBatch:
    data: bytes
    records: int
    base_sequence: int


def encode_batches(
    rows: pa.RecordBatch,
    *,
    codec: str,
    batch_bytes_max: int,
    now_ms: int,
    transactional: bool,
    producer_id: int,
    producer_epoch: int,
    base_sequence: int,
    kernel: Kernel = KERNEL,
) -> list[EncodedBatch]:
    """The rows of one partition as record batches, in their order.

    Columns: ``value``, and where they are there ``key``, ``headers`` and ``timestamp`` (null is
    ``now_ms``). A batch has at most ``batch_bytes_max`` bytes before compression; a larger record goes alone.
    ``base_sequence`` counts on from batch to batch, unless it is -1.
    """
    attributes = int(CODEC_NAMES[codec]) | (TRANSACTIONAL_FLAG if transactional else 0)
    millis = _millis(rows, now_ms)
    source = _rows(rows, millis, kernel)
    room = max(batch_bytes_max - HEADER_SIZE, 0)
    scratch = memoryview(bytearray(room))
    batches: list[EncodedBatch] = []
    row = 0
    while row < rows.num_rows:
        try:
            stop = source.write(scratch, 0, room, row)
            if stop == row:  # larger than a batch
                scratch = memoryview(bytearray(max(source.missing, len(scratch))))
                stop = source.write(scratch, 0, source.missing, row)
        except ValueError as problem:
            raise PipelineError(f"rows {row + 1} and on cannot be written: {problem}") from None
        records = stop - row
        data = assemble(
            compress(attributes & COMPRESSION_MASK, scratch[: source.at]),
            base_offset=0,
            leader_epoch=NO_LEADER_EPOCH,
            attributes=attributes,
            last_offset_delta=records - 1,
            base_timestamp=millis[row],
            max_timestamp=source.max_timestamp,
            producer_id=producer_id,
            producer_epoch=producer_epoch,
            base_sequence=base_sequence,
            record_count=records,
        )
        batches.append(EncodedBatch(data, records, base_sequence))
        if base_sequence != NO_SEQUENCE:
            base_sequence = (base_sequence + records) % _SEQUENCES
        row = stop
    return batches


def restamp(
    batch: EncodedBatch, *, producer_id: int, producer_epoch: int, base_sequence: int
) -> EncodedBatch:
    """The same records from another producer, or another incarnation of it."""
    data = bytearray(batch.data)
    patch_producer(
        data,
        0,
        len(data),
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        base_sequence=base_sequence,
    )
    return EncodedBatch(bytes(data), batch.records, base_sequence)


def murmur2_partitions(keys: pa.Array, count: int, *, kernel: Kernel = KERNEL) -> pa.Array:
    """Kafka's default partition (int32) of each key out of ``count``; null for a null key."""
    field = _field("key", keys, kernel)
    chosen = pa.allocate_buffer(4 * len(keys))
    kernel.choose_partitions(field, count, memoryview(chosen).cast("i"))
    partitions = pa.Array.from_buffers(pa.int32(), len(keys), [None, chosen], null_count=0)
    return pc.if_else(keys.is_valid(), partitions, None) if keys.null_count else partitions


def _rows(rows: pa.RecordBatch, millis: memoryview, kernel: Kernel) -> Rows:
    names = rows.schema.names
    value = _field("value", rows.column("value"), kernel)
    key = rows.column("key") if "key" in names else pa.nulls(rows.num_rows, pa.binary())
    headers = _headers(rows.column("headers"), kernel) if "headers" in names else None
    return kernel.rows(_field("key", key, kernel), value, millis, headers)


def _field(name: str, column: pa.Array, kernel: Kernel) -> BytesField:
    """The column where it lies, as far as its type has 32-bit offsets."""
    if column.type not in (pa.binary(), pa.string()):
        column = _cast(name, column, pa.binary(), "string or binary")
    valid, ends, content = column.buffers()
    return kernel.bytes_field(
        _ends(ends, column),
        _EMPTY if content is None else memoryview(content).cast("B"),
        *_valid(valid, column),
    )


def _headers(column: pa.Array, kernel: Kernel) -> HeaderFields:
    if column.type != HEADERS_TYPE:
        column = _cast("headers", column, HEADERS_TYPE, "array<struct<key: string, value: binary>>")
    valid, ends = column.buffers()[:2]
    keys, values = column.values.flatten()
    return kernel.header_fields(
        _ends(ends, column),
        *_valid(valid, column),
        _field("headers.key", keys, kernel),
        _field("headers.value", values, kernel),
    )


def _cast(name: str, column: pa.Array, wanted: pa.DataType, words: str) -> pa.Array:
    try:
        return column.cast(wanted)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise PipelineError(f"column {name} has the type {column.type}; it must be {words}") from None


def _ends(buffer: pa.Buffer | None, column: pa.Array) -> memoryview:
    if buffer is None or not len(column):
        return _NO_ENDS
    return memoryview(buffer.slice(4 * column.offset, 4 * (len(column) + 1))).cast("i")


def _valid(buffer: pa.Buffer | None, column: pa.Array) -> tuple[memoryview, int]:
    """The validity bits, if there are any, and which is the first row's."""
    if buffer is None or not column.null_count:
        return _EMPTY, 0
    return memoryview(buffer).cast("B"), column.offset


def _millis(rows: pa.RecordBatch, now_ms: int) -> memoryview:
    if "timestamp" not in rows.schema.names:
        return _longs(pa.repeat(pa.scalar(now_ms, pa.int64()), rows.num_rows))
    column = rows.column("timestamp")
    if not pa.types.is_timestamp(column.type):
        raise PipelineError(f"column timestamp has the type {column.type}; it must be timestamp")
    earliest = pc.min(column.view(pa.int64())).as_py()
    if earliest is not None and earliest < 0:
        raise PipelineError("column timestamp has times before 1970, which Kafka does not take")
    millis = column.cast(pa.timestamp("ms", column.type.tz), safe=False).view(pa.int64())
    return _longs(millis.fill_null(now_ms))


def _longs(column: pa.Array) -> memoryview:
    return memoryview(column.buffers()[1].slice(8 * column.offset, 8 * len(column))).cast("q")
