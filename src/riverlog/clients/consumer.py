"""A consumer: iterate, or let a pool of workers process in parallel per key and commit in order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import confluent_kafka

from riverlog.clients.errors import DeliveryFailed
from riverlog.clients.offset_store import OffsetStore, Position
from riverlog.clients.workers import Workers

_POLL_SECONDS = 0.2
_PASSING = (
    confluent_kafka.KafkaError._PARTITION_EOF,
    confluent_kafka.KafkaError._TRANSPORT,
    confluent_kafka.KafkaError._ALL_BROKERS_DOWN,
    confluent_kafka.KafkaError.UNKNOWN_TOPIC_OR_PART,
)
"""Errors that librdkafka reports and gets over by itself."""


@dataclass(frozen=True, slots=True)
class Record:
    topic: str
    partition: int
    offset: int
    timestamp_ms: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...]


class Consumer:
    """Offsets: automatic (default), by hand (``auto_commit=False`` and ``commit``), or in your ``store``.

    ``config`` takes librdkafka's names; ``group.protocol=consumer`` chooses the new group protocol.
    """

    def __init__(
        self,
        bootstrap: str,
        *topics: str,
        group: str,
        auto_commit: bool = True,
        start: str = "earliest",
        store: OffsetStore | None = None,
        config: Mapping[str, Any] | None = None,
    ) -> None:
        self._store = store
        self._auto_commit = auto_commit and store is None
        self._consumer = confluent_kafka.Consumer(
            {
                "bootstrap.servers": bootstrap,
                "group.id": group,
                "auto.offset.reset": start,
                "enable.auto.commit": self._auto_commit,
                "enable.auto.offset.store": False,
                **(config or {}),
            }
        )
        self._workers: Workers | None = None
        self._stopping = False
        self._consumer.subscribe(list(topics), on_assign=self._on_assign, on_revoke=self._on_revoke)

    # -- one by one ----------------------------------------------------------------------

    def poll(self, timeout: float = _POLL_SECONDS) -> Record | None:
        """The next record, or None. With automatic commits the previous ones count as processed."""
        message = self._consumer.poll(timeout)
        if message is None:
            return None
        error = message.error()
        if error is not None:
            if error.retriable() or error.code() in _PASSING:
                return None
            raise DeliveryFailed(str(error))
        record = _record(message)
        if self._auto_commit and self._workers is None:
            self._consumer.store_offsets(message)
        return record

    def __iter__(self) -> Iterator[Record]:
        """Records until ``stop``."""
        while not self._stopping:
            record = self.poll()
            if record is not None:
                yield record

    def commit(self, *positions: Position | Record) -> None:
        """By hand: these, durably. A record counts as processed itself."""
        self._save(
            [
                p if isinstance(p, Position) else Position(p.topic, p.partition, p.offset + 1)
                for p in positions
            ]
        )

    def pause(self, *partitions: tuple[str, int]) -> None:
        """Fetch no more of these, or of all that are assigned, until ``resume``."""
        self._consumer.pause(self._chosen(partitions))

    def resume(self, *partitions: tuple[str, int]) -> None:
        self._consumer.resume(self._chosen(partitions))

    def assignment(self) -> list[tuple[str, int]]:
        return [(p.topic, p.partition) for p in self._consumer.assignment()]

    # -- in parallel ---------------------------------------------------------------------

    def process(
        self,
        handler: Callable[[Record], None],
        *,
        workers: int = 8,
        queue_max: int = 1000,
        commit_interval_ms: int = 1000,
    ) -> None:
        """Call ``handler`` for every record until ``stop``: records of one key in order, others in parallel.

        Offsets are committed up to the first record that is not done. An error of the handler ends
        this with ``ProcessingFailed``; the record and those after it come again.
        """
        self._workers = pool = Workers(handler, workers=workers, queue_max=queue_max)
        try:
            paused = False
            due = time.monotonic() + commit_interval_ms / 1000
            while not self._stopping and pool.failure is None:
                if pool.is_full != paused:
                    paused = not paused
                    (self.pause if paused else self.resume)()
                record = self.poll()
                if record is not None:
                    pool.submit(record)
                if time.monotonic() >= due:
                    due = time.monotonic() + commit_interval_ms / 1000
                    self._save(pool.take_committable())
            pool.drain()
            self._save(pool.take_committable())
            pool.raise_failure()
        finally:
            pool.close()
            self._workers = None

    def stop(self) -> None:
        """End ``process`` or the iteration, from any thread or a signal handler."""
        self._stopping = True

    def close(self) -> None:
        """Leave the group; automatic commits are written."""
        self._consumer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- inside --------------------------------------------------------------------------

    def _save(self, positions: Sequence[Position]) -> None:
        if not positions:
            return
        if self._store is not None:
            self._store.save(positions)
            return
        offsets = [confluent_kafka.TopicPartition(p.topic, p.partition, p.offset) for p in positions]
        for done in self._consumer.commit(offsets=offsets, asynchronous=False):
            if done.error is not None:
                raise DeliveryFailed(f"offset of {done.topic}-{done.partition} not committed: {done.error}")

    def _chosen(self, partitions: Sequence[tuple[str, int]]) -> list[confluent_kafka.TopicPartition]:
        if not partitions:
            return list(self._consumer.assignment())
        return [confluent_kafka.TopicPartition(topic, partition) for topic, partition in partitions]

    def _on_assign(self, consumer: confluent_kafka.Consumer, partitions: list[Any]) -> None:
        if self._store is None:
            return
        known = {
            (p.topic, p.partition): p for p in self._store.load([(p.topic, p.partition) for p in partitions])
        }
        for partition in partitions:
            found = known.get((partition.topic, partition.partition))
            if found is not None:
                partition.offset = found.offset
        consumer.assign(partitions)

    def _on_revoke(self, _consumer: confluent_kafka.Consumer, partitions: list[Any]) -> None:
        """Finish what is under way of these before somebody else gets them."""
        if self._workers is not None:
            self._workers.drain()
            self._save(self._workers.take_committable())
            self._workers.forget([(p.topic, p.partition) for p in partitions])


def _record(message: Any) -> Record:
    return Record(
        topic=message.topic(),
        partition=message.partition(),
        offset=message.offset(),
        timestamp_ms=message.timestamp()[1],
        key=message.key(),
        value=message.value(),
        headers=tuple(message.headers() or ()),
    )
