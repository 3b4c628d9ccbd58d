"""The topics that both of Spark's sources read: random values, no two alike."""

from __future__ import annotations

import ctypes
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass

from confluent_kafka.admin import AdminClient, NewTopic  # type: ignore[attr-defined]

from bench.client import demand_held
from bench.rdkafka import BulkProducer, bind

PARTITIONS = 4
_POOL_BYTES = 32 << 20
_FLUSH_SECONDS_MAX = 120.0


@dataclass(frozen=True)
class Topic:
    name: str
    value_bytes: int
    records: int
    batch_bytes: int = 16_384  # what Kafka's own producer sends


class RandomProducer(BulkProducer):
    """Each value is another stretch of one pool of random bytes."""

    def __init__(self, config: dict[str, str], topic: Topic, *, records_per_call: int) -> None:
        super().__init__(
            config, topic.name, os.urandom(_POOL_BYTES + topic.value_bytes), records_per_call=records_per_call
        )
        self._base = ctypes.addressof(self._value)
        for message in self._messages:
            message.len = topic.value_bytes

    def shuffle(self, rng: random.Random) -> None:
        for message in self._messages:
            message.payload = self._base + rng.randrange(_POOL_BYTES)


def fill(bootstrap: str, topic: Topic) -> int:
    """Create the topic and fill it; answers how many records it holds, rounded up to whole calls."""
    admin = AdminClient({"bootstrap.servers": bootstrap, "log_level": 0})
    new = NewTopic(topic.name, num_partitions=PARTITIONS, replication_factor=1)
    admin.create_topics([new])[topic.name].result(30)
    config = bind(
        {
            "bootstrap.servers": bootstrap,
            "acks": "1",
            "batch.size": topic.batch_bytes,
            "message.max.bytes": max(1_000_000, topic.value_bytes + 1_000),
            "linger.ms": 5,
            "queue.buffering.max.kbytes": 131_072,
        }
    )
    per_call = max(1, min(10_000, topic.batch_bytes * 8 // topic.value_bytes))
    producer = RandomProducer(config, topic, records_per_call=per_call)
    sent = sum(_send(producer, topic.records, random.Random(topic.name)))
    if producer.flush(_FLUSH_SECONDS_MAX):
        raise SystemExit(f"{topic.name} could not be filled in {_FLUSH_SECONDS_MAX:.0f} s")
    producer.close()
    demand_held({"bootstrap": bootstrap, "topic": topic.name, "partitions": PARTITIONS}, sent)
    return sent


def _send(producer: RandomProducer, records: int, rng: random.Random) -> Iterator[int]:
    sent = turn = 0
    while sent < records:
        producer.shuffle(rng)
        taken = producer.produce(turn % PARTITIONS)
        yield taken
        sent += taken
        turn += 1
