"""Topics with records in them, and what the reading half makes of them, without Spark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self

import pyarrow as pa
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic

from riverlog.pipeline.cluster import Cluster
from riverlog.pipeline.offsets import StreamOffset, from_json
from riverlog.pipeline.option_table import Options
from riverlog.pipeline.options import Side, parse_options
from riverlog.pipeline.planning import Slice, Task
from riverlog.pipeline.reading import read_settings, read_task
from riverlog.pipeline.tracking import Tracker, tasks_between

WAIT = 30.0
SERVERS = "kafka.bootstrap.servers"


def options(bootstrap: str, side: Side = Side.STREAM_READ, **given: object) -> Options:
    """``kafka_isolation_level="…"`` is ``kafka.isolation.level``; booleans as in Spark."""
    raw = {SERVERS: bootstrap}
    for name, value in given.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        raw[name.replace("_", ".")] = text
    return parse_options(raw, side)


class World:
    """A broker as producers and administrators see it."""

    def __init__(self, bootstrap: str) -> None:
        self.bootstrap = bootstrap
        self.admin = AdminClient({"bootstrap.servers": bootstrap})
        self._topics = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # While the broker is there: librdkafka takes seconds to let go of one that is not.
        del self.admin

    def topic(self, partitions: int = 1, *, name: str | None = None, replicas: int = 1, **config: Any) -> str:
        self._topics += 1
        name = name or f"source-{self._topics}"
        settings = {key.replace("_", "."): str(value) for key, value in config.items()}
        new = NewTopic(name, partitions, replicas, config=settings)
        self.admin.create_topics([new])[name].result(WAIT)
        return name

    def delete(self, topic: str) -> None:
        self.admin.delete_topics([topic])[topic].result(WAIT)

    def produce(self, topic: str, values: Iterable[object], *, partition: int = 0, **fields: Any) -> None:
        producer = Producer({"bootstrap.servers": self.bootstrap, "linger.ms": 50})
        self._send(producer, topic, values, partition=partition, **fields)
        assert producer.flush(WAIT) == 0

    def _send(self, producer: Producer, topic: str, values: Iterable[object], **fields: Any) -> None:
        for value in values:
            data = value if isinstance(value, bytes) else str(value).encode()
            producer.produce(topic, data, **fields)

    def transaction(
        self, topic: str, values: Iterable[object], *, end: str, name: str = "source-tests", **fields: Any
    ) -> Producer:
        """Records in one transaction; ``end`` is commit, abort, or open."""
        producer = Producer({"bootstrap.servers": self.bootstrap, "transactional.id": name})
        producer.init_transactions(WAIT)
        producer.begin_transaction()
        self._send(producer, topic, values, **{"partition": 0, **fields})
        producer.flush(WAIT)
        if end == "commit":
            producer.commit_transaction(WAIT)
        elif end == "abort":
            producer.abort_transaction(WAIT)
        return producer

    # ---------------------------------------------------------------- what the source sees

    def slice(self, topic: str, start: int, end: int, *, partition: int = 0) -> Slice:
        return Slice(topic, self.topic_id(topic), partition, start, end)

    def topic_id(self, topic: str) -> bytes:
        cluster = Cluster(options(self.bootstrap, subscribe=topic))
        try:
            return cluster.client.topic(topic).topic_id
        finally:
            cluster.close()

    def read(self, *slices: Slice, **given: object) -> list[dict[str, Any]]:
        """The rows of one task."""
        settings = read_settings(options(self.bootstrap, subscribe="unused", **given))
        return rows(read_task(slices, settings))

    def query(self, **given: object) -> Query:
        return Query(self.bootstrap, **given)


class Query:
    """A streaming query as Spark runs it, on one thread. Its checkpoint is ``end``."""

    def __init__(self, bootstrap: str, *, end: dict[str, Any] | None = None, **given: object) -> None:
        self.options = options(bootstrap, **given)
        self.tracker = Tracker(self.options)
        self.end: dict[str, Any] = end or {"version": 1, "initial": True}
        self.tasks: list[Task] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.tracker.close()

    def plan(self, *, limited: bool = True) -> bool:
        """One trigger; whether there is a micro-batch."""
        start = self.end
        self.tracker.commit(start)
        self.end = dict(self.tracker.advance(start, limited=limited))
        self.tasks = tasks_between(start, self.end)
        return self.end != start

    def batch(self, *, limited: bool = True) -> list[str]:
        """The values of the next micro-batch, tasks one after the other."""
        self.plan(limited=limited)
        settings = read_settings(self.options)
        return [value for task in self.tasks for value in values(read_task(task, settings))]

    @property
    def offset(self) -> StreamOffset:
        return from_json(self.end)

    def positions(self, topic: str) -> dict[int, int]:
        return self.offset.topics[topic].offsets


def rows(batches: Iterator[pa.RecordBatch]) -> list[dict[str, Any]]:
    return [row for batch in batches for row in batch.to_pylist()]


def values(batches: Iterator[pa.RecordBatch]) -> list[str]:
    return [row["value"].decode() for row in rows(batches)]


def texts(found: Sequence[dict[str, Any]]) -> list[str]:
    return [row["value"].decode() for row in found]


def numbers(count: int, start: int = 0) -> list[str]:
    return [str(number) for number in range(start, start + count)]
