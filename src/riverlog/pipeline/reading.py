"""In a task of Spark: slices of partitions → Arrow batches.

The bytes of a fetch answer go to the kernel (``arrow_read.py``) while the next answer is on its way. Rows
come in the order of the slices, whichever leader answers first: a task that is run again gives the same rows
in the same order. Leaders that move and brokers that are away are waited for; what is gone for good is an
error, or a warning, as ``failOnDataLoss`` says.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from riverlog.base.errors import ErrorCode
from riverlog.client.cluster import ZERO_UUID, TopicPartition
from riverlog.client.cursors import READ_COMMITTED, READ_UNCOMMITTED, FetcherConfig, PartitionFailed
from riverlog.client.offsets import EARLIEST, LATEST
from riverlog.client.raw_fetcher import FetchedRaw, RawFetcher
from riverlog.pipeline import options as o
from riverlog.pipeline.arrow_read import ArrowReader, Collector, CorruptRecords
from riverlog.pipeline.errors import ClusterError, DataLossError, PipelineError
from riverlog.pipeline.option_table import Options
from riverlog.pipeline.patience import persist
from riverlog.pipeline.planning import Slice, Task
from riverlog.records import DecompressedTooLarge
from riverlog.runtime.client_io import BlockingClient

log = logging.getLogger("riverlog.pipeline")

WAVE_SLICES_MAX = 64
"""Small slices that are fetched by one request per leader."""
MISSING_SECONDS = 5.0
"""How long a topic may be unknown, or another one, before it counts as deleted."""
QUIET_ANSWERS = 2
"""After so many empty answers, though the partition goes on, compaction took the rest of a slice."""
ARROW_BYTES_MAX = 2 << 20
"""Of an Arrow batch. Larger ones leave the caches of the processor on their way to the JVM: with records of
1 KB, 16 MB cost a fifth more CPU time."""
LOSS_HINT = "set failOnDataLoss=false to go on with what is there"
_GONE = frozenset(
    {
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.INCONSISTENT_TOPIC_ID,
    }
)


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """What a task needs to know of the options; it travels to the workers."""

    bootstrap: str
    client_id: str
    request_seconds: float
    connect_seconds: float
    patience_seconds: float
    committed: bool
    headers: bool
    fail_on_data_loss: bool
    memory_bytes: int
    decompressed_bytes: int
    partition_bytes: int
    answer_bytes: int
    wait_ms: int

    def lost(self, what: str) -> None:
        """Records are gone: raise, or say so and let the reader go on."""
        if self.fail_on_data_loss:
            raise DataLossError(f"{what}; {LOSS_HINT}")
        log.warning("%s; going on with what is there (failOnDataLoss=false)", what)


def read_settings(options: Options) -> ReadSettings:
    memory = options[o.FETCH_MEMORY_BYTES]
    # Of the memory: one answer is decoded, one is on its way, and the first bytes of other slices may wait.
    answer = max(1, min(options[o.FETCH_MAX_BYTES], memory * 3 // 8))
    return ReadSettings(
        bootstrap=options[o.BOOTSTRAP],
        client_id=options[o.CLIENT_ID],
        request_seconds=options[o.REQUEST_TIMEOUT_MS] / 1000,
        connect_seconds=options[o.CONNECT_TIMEOUT_MS] / 1000,
        patience_seconds=options[o.POLL_TIMEOUT_MS] / 1000,
        committed=options[o.ISOLATION_LEVEL].lower() == "read_committed",
        headers=options[o.INCLUDE_HEADERS],
        fail_on_data_loss=options[o.FAIL_ON_DATA_LOSS],
        memory_bytes=memory,
        decompressed_bytes=options[o.DECOMPRESSED_BYTES],
        partition_bytes=min(options[o.MAX_PARTITION_FETCH_BYTES], answer),
        answer_bytes=answer,
        wait_ms=options[o.FETCH_MAX_WAIT_MS],
    )


_idle: dict[tuple[object, ...], BlockingClient] = {}
"""Connections of this worker between two tasks: at most one client, that of the last task."""


def read_task(task: Task, settings: ReadSettings) -> Iterator[pa.RecordBatch]:
    """All rows of a task."""
    key = (
        settings.bootstrap,
        settings.client_id,
        settings.request_seconds,
        settings.connect_seconds,
    )
    client = _idle.pop(key, None) or BlockingClient(
        settings.bootstrap,
        client_id=settings.client_id,
        timeout=settings.request_seconds,
        connect_timeout=settings.connect_seconds,
    )
    reader = TaskReader(client, settings)
    finished = False
    try:
        yield from reader.read(task)
        finished = not reader.in_flight
    finally:
        # Also where Spark stops early: an answer on its way must not meet the next task.
        if finished:
            close_idle()
            _idle[key] = client
        else:
            client.close()


def close_idle() -> None:
    """Close what is kept for the next task."""
    while _idle:
        _idle.popitem()[1].close()


class TaskReader:
    """Reads the slices of one task."""

    def __init__(self, client: BlockingClient, settings: ReadSettings) -> None:
        self._client = client
        self._settings = settings
        self._collector = Collector(headers=settings.headers, bytes_max=ARROW_BYTES_MAX)
        self._config = FetcherConfig(
            max_wait_ms=settings.wait_ms,
            max_bytes=settings.answer_bytes,
            partition_max_bytes=settings.partition_bytes,
            isolation_level=READ_COMMITTED if settings.committed else READ_UNCOMMITTED,
            unknown_timeout_ms=int(settings.patience_seconds * 1000),
            missing_timeout_ms=int(MISSING_SECONDS * 1000),
        )
        self._fetcher = RawFetcher(client.view, self._config)
        self._told: deque[FetchedRaw | PartitionFailed] = deque()

    @property
    def in_flight(self) -> bool:
        return self._fetcher.in_flight

    def read(self, task: Task) -> Iterator[pa.RecordBatch]:
        self._look_up(task)
        for wave in _waves(task):
            heads = self._heads(wave) if len(wave) > 1 else {}
            for row in wave:
                yield from self._slice(row, heads.pop(row, None))
        rest = self._collector.flush()
        if rest is not None:
            yield rest

    def _look_up(self, task: Task) -> None:
        """Know the topics, as the driver has seen them: this client may have known others of these names."""
        wanted = {row.topic: row.topic_id for row in task}
        deadline = time.monotonic() + MISSING_SECONDS

        def known() -> bool:
            topics = self._client.view.topics
            return all(
                name in topics and (topics[name].topic_id == topic_id or topic_id == ZERO_UUID)
                for name, topic_id in wanted.items()
            )

        while not known():
            persist(
                f"looking for {', '.join(wanted)} at {self._settings.bootstrap}",
                lambda: self._client.refresh(wanted),
                seconds=self._settings.patience_seconds,
                between=lambda problem: log.info("%s; trying again", problem),
            )
            if known() or time.monotonic() > deadline:
                return
            time.sleep(self._config.retry_backoff_ms / 1000)

    # ---------------------------------------------------------------- many small slices

    def _heads(self, wave: list[Slice]) -> dict[Slice, FetchedRaw]:
        """The first bytes of several slices, one request per leader. What is missing is read in its turn."""
        room = self._settings.memory_bytes // 4
        config = replace(self._config, max_bytes=room, partition_max_bytes=max(1, room // len(wave)))
        fetcher = RawFetcher(self._client.view, config)
        rows = {(row.topic, row.partition): row for row in wave}
        for row in wave:
            fetcher.assign(row.topic, row.partition, row.start, stop=row.end, topic_id=row.topic_id)
        told: list[Any] = self._client.step(fetcher, wait=0.0)
        fetcher.pause()
        while fetcher.in_flight:
            told += self._client.step(fetcher)
        heads: dict[Slice, FetchedRaw] = {}
        for event in told:
            if isinstance(event, FetchedRaw) and len(event.records):
                row = rows[event.topic, event.partition]
                if event.offset == row.start:
                    heads[row] = event
        return heads

    # ---------------------------------------------------------------- one slice

    def _slice(self, row: Slice, head: FetchedRaw | None) -> Iterator[pa.RecordBatch]:
        settings = self._settings
        reader = ArrowReader(
            topic=row.topic,
            partition=row.partition,
            start=row.start,
            end=row.end,
            headers=settings.headers,
            read_committed=settings.committed,
            decompressed_max=settings.decompressed_bytes,
            collector=self._collector,
        )
        deadline = time.monotonic() + settings.patience_seconds
        quiet = 0
        event: FetchedRaw | PartitionFailed | None = head
        while not reader.done:
            if event is None:
                event = self._next(row, reader.next_offset, deadline)
            before = reader.next_offset
            if isinstance(event, PartitionFailed):
                self._on_failed(row, reader, event)
            else:
                yield from self._decode(reader, event)
            if reader.next_offset > before:
                quiet, deadline = 0, time.monotonic() + settings.patience_seconds
            elif _is_behind_all(event, row.end):
                quiet += 1
                if quiet == QUIET_ANSWERS:
                    break
            elif time.monotonic() > deadline:
                raise self._nothing(row, before)
            event = None
        self._fetcher.unassign(row.topic, row.partition)

    def _decode(self, reader: ArrowReader, found: FetchedRaw) -> Iterator[pa.RecordBatch]:
        try:
            yield from reader.feed(found.records, found.aborted)
        except CorruptRecords as problem:
            if isinstance(problem.__cause__, DecompressedTooLarge):
                raise PipelineError(f"{problem}; raise option {o.DECOMPRESSED_BYTES.name}") from None
            self._settings.lost(f"{problem}: offsets up to {problem.resume_at - 1} cannot be read")
            reader.next_offset = problem.resume_at

    def _next(self, row: Slice, offset: int, deadline: float) -> FetchedRaw | PartitionFailed:
        """The next answer for this slice. It may have been told already, or be on its way."""
        place: TopicPartition = (row.topic, row.partition)
        fetcher = self._fetcher
        while True:
            while self._told:
                event = self._told.popleft()
                if (event.topic, event.partition) == place and event.offset == offset:
                    return event
            if place not in fetcher.assigned or fetcher.position(*place) != offset:
                fetcher.assign(*place, offset, stop=row.end, topic_id=row.topic_id)
            self._told += self._client.step(fetcher)
            if not self._told and time.monotonic() > deadline:
                raise self._nothing(row, offset)

    def _nothing(self, row: Slice, offset: int) -> ClusterError:
        return ClusterError(
            f"partition {row.name}: nothing from offset {offset} on within "
            f"{self._settings.patience_seconds:g} s ({o.POLL_TIMEOUT_MS.name})"
        )

    # ---------------------------------------------------------------- trouble

    def _on_failed(self, row: Slice, reader: ArrowReader, failed: PartitionFailed) -> None:
        """Move the reader behind what is gone, or raise."""
        if failed.code is ErrorCode.OFFSET_OUT_OF_RANGE:
            self._on_out_of_range(row, reader)
        elif failed.code in _GONE:
            self._settings.lost(
                f"partition {row.name} from offset {reader.next_offset} on is gone: {failed.reason}"
            )
            reader.next_offset = row.end
        else:
            raise ClusterError(
                f"partition {row.name}, at offset {reader.next_offset}: {failed.reason}, "
                f"for {self._settings.patience_seconds:g} s ({o.POLL_TIMEOUT_MS.name})"
            )

    def _on_out_of_range(self, row: Slice, reader: ArrowReader) -> None:
        offset = reader.next_offset
        earliest, latest = self._bound(row, EARLIEST), self._bound(row, LATEST)
        if offset < earliest:
            first = min(earliest, row.end)
            self._settings.lost(
                f"offsets {offset} to {first - 1} of partition {row.name} are gone: it starts at {earliest}"
            )
            reader.next_offset = first
        elif offset >= latest:
            self._settings.lost(
                f"offsets {offset} to {row.end - 1} of partition {row.name} are gone: it ends at {latest}"
            )
            reader.next_offset = row.end

    def _bound(self, row: Slice, which: int) -> int:
        place = (row.topic, row.partition)
        found = persist(
            f"asking for offsets of partition {row.name}",
            lambda: self._client.offsets({place: which}),
            seconds=self._settings.patience_seconds,
            between=lambda _: self._client.refresh([row.topic]),
        )
        return found[place].offset


def _is_behind_all(event: FetchedRaw | PartitionFailed, end: int) -> bool:
    """Whether readers may get to ``end``, and yet there is nothing on the way."""
    return isinstance(event, FetchedRaw) and not len(event.records) and event.readable_end >= end


def _waves(task: Task) -> Iterator[list[Slice]]:
    """Slices that can be fetched together: not too many, and each partition once."""
    wave: dict[TopicPartition, Slice] = {}
    for row in task:
        if len(wave) == WAVE_SLICES_MAX or (row.topic, row.partition) in wave:
            yield list(wave.values())
            wave = {}
        wave[row.topic, row.partition] = row
    if wave:
        yield list(wave.values())
