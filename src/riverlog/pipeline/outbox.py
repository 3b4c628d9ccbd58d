"""Rows of a task → batches of records for partitions.

Rows gather until a partition has enough for a batch. Rows of one key go to one partition as with Java's
producer; rows without a key fill one partition's batch before they move on to the next. The order of rows
is kept in each partition.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from riverlog.pipeline.arrow_write import encode_batches, murmur2_partitions
from riverlog.pipeline.errors import PipelineError
from riverlog.pipeline.sending import Outgoing, Sender
from riverlog.pipeline.sink_columns import by_topic

_ROW_OVERHEAD_BYTES = 16
"""About what a record takes besides key, value and headers."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a task must know of a topic."""

    partitions: int
    record_bytes_max: int


@dataclass(slots=True)
class _Gathered:
    """Rows that wait for more of their partition."""

    rows: list[pa.RecordBatch] = field(default_factory=list)
    size: int = 0


class Outbox:
    """``put`` rows, ``flush`` at the end; the sender gets batches in between."""

    def __init__(
        self,
        sender: Sender,
        target: Callable[[str], Target],
        *,
        topic: str | None,
        codec: str,
        batch_bytes: int,
        gathered_bytes_max: int,
        first_partition: int,
    ) -> None:
        self._sender = sender
        self._target = target
        self._topic = topic
        self._codec = codec
        self._batch_bytes = batch_bytes
        self._gathered_bytes_max = gathered_bytes_max
        self._gathered: dict[tuple[str, int], _Gathered] = {}
        self._gathered_bytes = 0
        self._first_partition = first_partition
        self._keyless: dict[str, tuple[int, int]] = {}
        """By topic: the partition that gets rows without a key now, and how many bytes it got."""

    def put(self, rows: pa.RecordBatch) -> None:
        for topic, some in by_topic(rows, self._topic).items():
            for partition, few in self._by_partition(topic, some):
                self._gather(topic, partition, few)
        full = [key for key, gathered in self._gathered.items() if gathered.size >= self._batch_bytes]
        self._send(full)
        if self._gathered_bytes > self._gathered_bytes_max:
            self.flush()

    def flush(self) -> None:
        """Hand over all there is."""
        self._send(list(self._gathered))

    # ---------------------------------------------------------------- partitions

    def _by_partition(self, topic: str, rows: pa.RecordBatch) -> Iterator[tuple[int, pa.RecordBatch]]:
        chosen = self._chosen(topic, rows)
        if "partition" in rows.schema.names:
            rows = rows.drop_columns(["partition"])
        if isinstance(chosen, int):
            yield chosen, rows
            return
        order = pc.array_sort_indices(chosen)  # a stable sort
        runs = pc.run_end_encode(chosen.take(order))
        sorted_rows = rows.take(order)
        start = 0
        for partition, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist(), strict=True):
            yield partition, sorted_rows.slice(start, end - start)
            start = end

    def _chosen(self, topic: str, rows: pa.RecordBatch) -> pa.Int32Array | int:
        """A partition for each row, or one for all."""
        count = self._target(topic).partitions
        names = rows.schema.names
        keys = rows.column("key")
        given = rows.column("partition") if "partition" in names else None
        if given is None and keys.null_count == len(keys):
            return self._next_keyless(topic, count, rows)
        chosen = murmur2_partitions(keys, count)
        if given is not None:
            _check_partitions(topic, given, count)
            chosen = pc.coalesce(given, chosen)
        if chosen.null_count:
            chosen = chosen.fill_null(self._next_keyless(topic, count, rows.filter(chosen.is_null())))
        return chosen

    def _next_keyless(self, topic: str, count: int, rows: pa.RecordBatch) -> int:
        partition, size = self._keyless.get(topic, (self._first_partition % count, 0))
        if size >= self._batch_bytes:
            partition, size = (partition + 1) % count, 0
        self._keyless[topic] = partition, size + _size(rows)
        return partition

    # ---------------------------------------------------------------- batches

    def _gather(self, topic: str, partition: int, rows: pa.RecordBatch) -> None:
        gathered = self._gathered.setdefault((topic, partition), _Gathered())
        size = _size(rows)
        gathered.rows.append(rows)
        gathered.size += size
        self._gathered_bytes += size

    def _send(self, keys: list[tuple[str, int]]) -> None:
        for topic, partition in keys:
            gathered = self._gathered.pop((topic, partition))
            self._gathered_bytes -= gathered.size
            for rows in _joined(gathered.rows):
                self._sender.send(self._encoded(topic, partition, rows))

    def _encoded(self, topic: str, partition: int, rows: pa.RecordBatch) -> list[Outgoing]:
        record_bytes_max = self._target(topic).record_bytes_max
        batches = encode_batches(
            rows,
            codec=self._codec,
            # Some room, because a codec makes what it cannot compress a little larger.
            batch_bytes_max=min(self._batch_bytes, record_bytes_max * 7 // 8),
            now_ms=int(time.time() * 1000),
            transactional=self._sender.transactional,
            producer_id=-1,
            producer_epoch=-1,
            base_sequence=-1,
        )
        for batch in batches:
            if len(batch.data) > record_bytes_max:
                raise PipelineError(
                    f"a row for topic {topic} is a record of {len(batch.data)} bytes, and {record_bytes_max} "
                    "are allowed: raise the topic's max.message.bytes and option kafka.max.request.size"
                )
        return [Outgoing(topic, partition, batch.data, batch.records) for batch in batches]


def _check_partitions(topic: str, given: pa.Int32Array, count: int) -> None:
    bounds = pc.min_max(given).as_py()
    for number in (bounds["min"], bounds["max"]):
        if number is not None and not 0 <= number < count:
            raise PipelineError(
                f"column partition of a row to write is {number}, and topic {topic} has partitions 0 to "
                f"{count - 1}"
            )


def _size(rows: pa.RecordBatch) -> int:
    return int(rows.nbytes + _ROW_OVERHEAD_BYTES * rows.num_rows)


def _joined(rows: list[pa.RecordBatch]) -> list[pa.RecordBatch]:
    """Pieces of one partition in one, so that their batches are not smaller than need be."""
    return rows if len(rows) == 1 else [pa.concat_batches(rows)]
