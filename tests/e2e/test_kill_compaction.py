"""kill -9 while logs are compacted: no key loses its last value (INVARIANTS 20)."""

from __future__ import annotations

import random
import time

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from riverlog.testing import TestBroker, broker

TOPIC = "latest"
KEYS = 300
KILLS, KILLS_SOAK = 5, 50
SETTINGS = {
    "log.cleaner.backoff.ms": 20,
    "log.cleaner.min.cleanable.ratio": 0.01,
    "log.segment.delete.delay.ms": 100,
}
COMPACTED = {
    "cleanup.policy": "compact",
    "internal.segment.bytes": "20000",
    "min.cleanable.dirty.ratio": "0.01",
}


def write(producer: Producer, rng: random.Random, values: dict[str, str], count: int) -> None:
    """Overwrite random keys; ``values`` has what was acknowledged last."""
    for _ in range(count):
        key = f"key-{rng.randrange(KEYS)}"
        value = f"{rng.random():.12f}" + "x" * 40

        def delivered(error: object, _message: object, key: str = key, value: str = value) -> None:
            assert error is None, error
            values[key] = value

        producer.produce(TOPIC, value, key=key, on_delivery=delivered)
        producer.poll(0)


def read(bootstrap: str) -> tuple[dict[str, str], int, int]:
    """Last value per key, records read, and the end of the log."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "unused", "enable.auto.commit": False})
    place = TopicPartition(TOPIC, 0, 0)
    consumer.assign([place])
    try:
        _, end = consumer.get_watermark_offsets(place, 20)
        values: dict[str, str] = {}
        count = 0
        deadline = time.monotonic() + 60
        while consumer.position([place])[0].offset < end:
            assert time.monotonic() < deadline, "the log cannot be read to its end"
            for message in consumer.consume(1000, 0.5):
                assert message.error() is None, message.error()
                values[message.key().decode()] = message.value().decode()
                count += 1
        return values, count, end
    finally:
        consumer.close()


def compacted(running: TestBroker, records: int) -> bool:
    """Whether the log on disk has become much smaller than what was written."""
    count = read(running.bootstrap)[1]
    return count < records // 2


def storm(kills: int) -> None:
    rng = random.Random(11)
    values: dict[str, str] = {}
    written = 0
    with broker(SETTINGS, process=True) as b:
        admin = AdminClient({"bootstrap.servers": b.bootstrap})
        admin.create_topics([NewTopic(TOPIC, 1, 1, config=COMPACTED)])[TOPIC].result(30)
        producer = Producer(
            {
                "bootstrap.servers": b.bootstrap,
                "enable.idempotence": True,
                "linger.ms": 1,
                "log_level": 2,
                "batch.size": 4000,
            }
        )
        for _ in range(kills):
            write(producer, rng, values, 1500)
            written += 1500
            producer.flush(rng.random())  # some of it is under way when the broker dies
            b.kill()
            b.start()
        assert producer.flush(60) == 0
        deadline = time.monotonic() + 60
        while not compacted(b, written):
            assert time.monotonic() < deadline, "nothing is being compacted"
        found, _, _ = read(b.bootstrap)
        assert found == values


def test_no_key_loses_its_last_value_to_kills() -> None:
    storm(KILLS)


@pytest.mark.soak
def test_no_key_loses_its_last_value_to_many_kills() -> None:
    storm(KILLS_SOAK)
