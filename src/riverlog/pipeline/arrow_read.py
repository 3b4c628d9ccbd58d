"""Fetched bytes → Arrow batches with the columns of ``schema.py``. The kernel does the work per record."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

import pyarrow as pa

from riverlog.pipeline.kernel import KERNEL, Kernel
from riverlog.pipeline.kernel.decode import ALONE, Batch, BytesColumn
from riverlog.pipeline.schema import HEADERS_TYPE, arrow_schema
from riverlog.records import (
    HEADER_SIZE,
    AbortFilter,
    BatchHeader,
    Codec,
    CorruptBatch,
    crc_ok,
    decode_records,
    iter_headers,
)
from riverlog.records.compression import decompress_view

ROWS_MAX = 65_536
BYTES_MAX = 16 * 1024 * 1024
DECOMPRESSED_MAX = 128 * 1024 * 1024

Buffer = bytes | bytearray | memoryview
Origin = tuple[str, int, int]
"""Topic, partition and timestamp type: what all records of a batch share."""

_HEADERS_PER_ROW = 2
"""Headers that a full Arrow batch has room for; it ends earlier if its records have more."""


class CorruptRecords(CorruptBatch):
    """A batch that cannot be read. Whoever may lose records goes on at ``resume_at``."""

    def __init__(self, topic: str, partition: int, offset: int, resume_at: int, reason: str) -> None:
        super().__init__(f"partition {topic}-{partition}, at offset {offset}: {reason}")
        self.topic = topic
        self.partition = partition
        self.offset = offset
        self.resume_at = resume_at


class Collector:
    """Rows of any partitions on their way into one Arrow batch: Spark pays per batch, not only per row."""

    def __init__(
        self,
        *,
        headers: bool = False,
        rows_max: int = ROWS_MAX,
        bytes_max: int = BYTES_MAX,
        kernel: Kernel = KERNEL,
    ) -> None:
        self._schema = arrow_schema(headers=headers)
        self._headers = headers
        self._rows_max = max(rows_max, 1)
        self._bytes_max = bytes_max
        self.kernel = kernel
        self._memory: _Memory | None = None
        self._runs: list[tuple[Origin, int]] = []
        self._constants: dict[str, tuple[object, pa.Array]] = {}

    @property
    def rows(self) -> int:
        return 0 if self._memory is None else self._memory.columns.rows

    def take(self, batch: Batch, origin: Origin) -> Iterator[pa.RecordBatch]:
        """Take the wanted records of ``batch``; give an Arrow batch when there is no room for the next."""
        while True:
            if self._memory is None:
                self._memory = _Memory(self.kernel, self._rows_max, self._bytes_max, self._headers)
            columns = self._memory.columns
            before = columns.rows
            try:
                full = columns.fill(batch)
            finally:
                self._runs.append((origin, columns.rows - before))
            if not full:
                return
            if columns.rows:
                yield self._close()
            else:
                self._memory = self._memory.enlarged()

    def flush(self) -> pa.RecordBatch | None:
        """What has been collected since the last Arrow batch, if anything."""
        if self.rows:
            return self._close()
        self._runs.clear()
        self._memory = None
        return None

    def _close(self) -> pa.RecordBatch:
        memory = self._memory
        assert memory is not None
        rows = memory.columns.rows
        topics, partitions, kinds = (
            self._constant(name, [(origin[at], count) for origin, count in self._runs if count])
            for at, name in enumerate(("topic", "partition", "timestampType"))
        )
        key, value = memory.keys.array(pa.binary(), rows), memory.values.array(pa.binary(), rows)
        offsets, timestamps = memory.numbers(self._schema)
        arrays = [key, value, topics, partitions, offsets, timestamps, kinds]
        if memory.headers is not None:
            arrays.append(memory.headers.array(rows))
        self._runs.clear()
        self._memory = None
        return pa.RecordBatch.from_arrays(arrays, schema=self._schema)

    def _constant(self, name: str, runs: Sequence[tuple[object, int]]) -> pa.Array:
        """A column in which a few values repeat. The longest run seen of the last value is kept and cut."""
        merged: list[tuple[object, int]] = []
        for value, count in runs:
            if merged and merged[-1][0] == value:
                count += merged.pop()[1]
            merged.append((value, count))
        parts = []
        for value, count in merged:
            known, array = self._constants.get(name, (None, None))
            if array is None or known != value or len(array) < count:
                array = pa.repeat(pa.scalar(value, self._schema.field(name).type), count)
                self._constants[name] = (value, array)
            parts.append(array.slice(0, count))
        return parts[0] if len(parts) == 1 else pa.concat_arrays(parts)


class ArrowReader:
    """Fetched bytes of one partition → Arrow batches. It keeps its place over several fetch answers.

    Without a ``collector``, what an answer holds is given with that answer. A ``collector`` that several
    readers share has columns, bounds and kernel of its own, and keeps the rows until it is full or is flushed
    by whoever made it. ``decompressed_max`` is the bound of one batch; a record larger than ``bytes_max``
    goes alone.
    """

    def __init__(
        self,
        *,
        topic: str,
        partition: int,
        start: int,
        end: int,
        headers: bool = False,
        read_committed: bool = True,
        rows_max: int = ROWS_MAX,
        bytes_max: int = BYTES_MAX,
        decompressed_max: int = DECOMPRESSED_MAX,
        collector: Collector | None = None,
        kernel: Kernel = KERNEL,
    ) -> None:
        self.topic = topic
        self.partition = partition
        self.next_offset = start
        """Where the next fetch starts. May be set further on, to leave out what cannot be read."""
        self.end = end
        self._read_committed = read_committed
        self._decompressed_max = decompressed_max
        self._shared = collector is not None
        self._run: Batch | None = None
        """What the kernel is in, or was in last."""
        self._collector = collector or Collector(
            headers=headers, rows_max=rows_max, bytes_max=bytes_max, kernel=kernel
        )

    @property
    def done(self) -> bool:
        return self.next_offset >= self.end

    def feed(self, raw: Buffer, aborted: Sequence[tuple[int, int]] = ()) -> Iterator[pa.RecordBatch]:
        """The records of a fetch answer, and its ``aborted`` transactions as (producer id, first offset).

        A partial batch at the end is left for the next fetch. What can be read in front of a corrupt batch,
        and in it, is given before ``CorruptRecords`` is raised.
        """
        aborts = AbortFilter(aborted) if self._read_committed else None
        position = 0
        while not self.done:
            self._run = None
            try:
                header = _header_at(raw, position)
                if header is None:
                    break
                position = yield from self._read(raw, position, header, aborts)
            except CorruptBatch as problem:
                yield from self._rest()
                resume_at = self._behind(raw, self._place(position))
                offset = self.next_offset
                raise CorruptRecords(self.topic, self.partition, offset, resume_at, str(problem)) from problem
        if not self._shared:
            yield from self._rest()

    def _read(
        self, raw: Buffer, position: int, header: BatchHeader, aborts: AbortFilter | None
    ) -> Generator[pa.RecordBatch, None, int]:
        """One batch, or as many as the kernel takes in one go; answers the position behind.

        First of all the checksum, on which everything else rests, the batch's own offsets as well.
        """
        if not crc_ok(raw, position, header):
            raise CorruptBatch(f"checksum mismatch in the batch of base offset {header.base_offset}")
        if header.base_offset < 0 or header.last_offset_delta < 0 or header.record_count < 0:
            raise CorruptBatch("the header of the batch has negative offsets or a negative count")
        if header.next_offset <= self.next_offset:
            return position + header.size
        if header.base_offset >= self.end or self._skips(raw, position, header, aborts):
            self.next_offset = min(header.next_offset, self.end)
            return position + header.size
        run = self._run = self._open(raw, position, header, aborts)
        try:
            for full in self._collector.take(run, self._origin(header)):
                self.next_offset = max(self.next_offset, run.next_offset)
                yield full
        finally:
            self.next_offset = max(self.next_offset, run.next_offset)
        if run.trailing_bytes:
            raise CorruptBatch(f"{run.trailing_bytes} bytes left behind the last record")
        self.next_offset = min(run.offset_behind, self.end)
        return position + header.size if run.place == position else run.limit

    def _skips(self, raw: Buffer, position: int, header: BatchHeader, aborts: AbortFilter | None) -> bool:
        control = []
        if header.is_control and header.record_count:
            control = decode_records(raw, position, header, max_bytes=self._decompressed_max)
        if aborts is not None and aborts.skips(header, control):
            return True
        # Compaction leaves batches without records, of their header alone.
        return header.is_control or (header.record_count == 0 and header.size == HEADER_SIZE)

    def _open(self, raw: Buffer, position: int, header: BatchHeader, aborts: AbortFilter | None) -> Batch:
        """The batch's records, where they lie or decompressed."""
        view, at, limit = raw, position + HEADER_SIZE, position + header.size
        attributes = header.attributes
        if header.compression != Codec.NONE:
            packed = memoryview(raw)[at:limit]
            view = decompress_view(header.compression, packed, max_bytes=self._decompressed_max)
            at, limit, attributes = 0, len(view), ALONE
        elif header.is_transactional and aborts is not None and aborts.expects_any:
            attributes = ALONE
        append_time = header.is_log_append_time
        return self._collector.kernel.batch(
            view,
            at=at,
            limit=limit,
            count=header.record_count,
            base_offset=header.base_offset,
            last_delta=header.last_offset_delta,
            timestamp=header.max_timestamp if append_time else header.base_timestamp,
            append_time=append_time,
            start=self.next_offset,
            end=self.end,
            place=position,
            attributes=attributes,
        )

    def _origin(self, header: BatchHeader) -> Origin:
        return self.topic, self.partition, int(header.is_log_append_time)

    def _rest(self) -> Iterator[pa.RecordBatch]:
        rest = self._collector.flush()
        if rest is not None:
            yield rest

    def _place(self, position: int) -> int:
        """Where the batch starts that the kernel was in, if it was in one from ``position`` on."""
        return position if self._run is None else self._run.place

    def _behind(self, raw: Buffer, position: int) -> int:
        """Where to go on after a corrupt batch: its own header may be what is wrong, so ask the next one."""
        behind = self.next_offset + 1
        header = _readable_header(raw, position)
        if header is not None:
            behind = max(behind, header.next_offset)
            position += header.size
            following = _readable_header(raw, position)
            if following is not None and crc_ok(raw, position, following):
                behind = following.base_offset if following.base_offset > self.next_offset else behind
        return min(behind, self.end)


def _header_at(raw: Buffer, position: int) -> BatchHeader | None:
    """The header at ``position`` if its batch is all there."""
    found = next(iter_headers(raw, position), None)
    return None if found is None else found[1]


def _readable_header(raw: Buffer, position: int) -> BatchHeader | None:
    try:
        return _header_at(raw, position)
    except CorruptBatch:
        return None


class _Memory:
    """The buffers of one Arrow batch, for the kernel to fill. Pages never written to take no memory."""

    def __init__(self, kernel: Kernel, rows: int, room: int, headers: bool, header_slots: int = 0) -> None:
        self._kernel = kernel
        self._rows_max = rows
        self._room = room
        self._offsets = pa.allocate_buffer(8 * rows)
        self._timestamps = pa.allocate_buffer(8 * rows)
        self.keys = _BytesMemory(kernel, rows, room)
        self.values = _BytesMemory(kernel, rows, room)
        self.headers: _HeaderMemory | None = None
        if headers:
            self.headers = _HeaderMemory(kernel, rows, room, max(header_slots, _HEADERS_PER_ROW * rows))
        self.columns = kernel.columns(
            memoryview(self._offsets).cast("q"),
            memoryview(self._timestamps).cast("q"),
            self.keys.column,
            self.values.column,
            None if self.headers is None else self.headers.lists,
        )

    def enlarged(self) -> _Memory:
        """For the one record that did not fit though nothing else was there."""
        room = max(self._room, self.columns.missing)
        slots = 0 if self.headers is None else self.headers.lists.missing
        return _Memory(self._kernel, self._rows_max, room, self.headers is not None, slots)

    def numbers(self, schema: pa.Schema) -> tuple[pa.Array, pa.Array]:
        rows = self.columns.rows
        offset, timestamp = schema.field("offset").type, schema.field("timestamp").type
        return (
            pa.Array.from_buffers(offset, rows, [None, self._offsets], null_count=0),
            pa.Array.from_buffers(timestamp, rows, [None, self._timestamps], null_count=0),
        )


class _BytesMemory:
    """Buffers of a binary column."""

    def __init__(self, kernel: Kernel, slots: int, room: int) -> None:
        self._ends = pa.allocate_buffer(4 * (slots + 1))
        self._content = pa.allocate_buffer(max(room, 1))
        self._valid = _all_set(slots)
        self.column: BytesColumn = kernel.bytes_column(
            memoryview(self._ends).cast("i"),
            memoryview(self._content).cast("B"),
            memoryview(self._valid),
        )

    def array(self, kind: pa.DataType, count: int) -> pa.Array:
        valid = pa.py_buffer(self._valid) if self.column.nulls else None
        return pa.Array.from_buffers(kind, count, [valid, self._ends, self._content])


class _HeaderMemory:
    """Buffers of the column of headers."""

    def __init__(self, kernel: Kernel, rows: int, room: int, slots: int) -> None:
        self._ends = pa.allocate_buffer(4 * (rows + 1))
        self._valid = _all_set(rows)
        self._keys = _BytesMemory(kernel, slots, room)
        self._values = _BytesMemory(kernel, slots, room)
        self.lists = kernel.header_columns(
            memoryview(self._ends).cast("i"),
            memoryview(self._valid),
            self._keys.column,
            self._values.column,
        )

    def array(self, rows: int) -> pa.Array:
        """A record without headers has null there, as in Spark's Kafka source."""
        ends = memoryview(self._ends).cast("i")
        count = ends[rows]
        keys = _utf8(self._keys.array(pa.binary(), count))
        values = self._values.array(pa.binary(), count)
        structs = pa.StructArray.from_arrays([keys, values], fields=list(HEADERS_TYPE.value_type))
        return pa.Array.from_buffers(
            HEADERS_TYPE, rows, [pa.py_buffer(self._valid), self._ends], children=[structs]
        )


def _utf8(keys: pa.Array) -> pa.Array:
    """Header keys as strings; what is not UTF-8 is replaced, as Java's client does."""
    try:
        return keys.cast(pa.string())
    except pa.ArrowInvalid:
        return pa.array([key.decode("utf-8", "replace") for key in keys.to_pylist()], pa.string())


def _all_set(bits: int) -> bytearray:
    return bytearray(b"\xff") * ((bits + 7) // 8)
