"""A load that knows what it sent and what was acknowledged, and the comparison with what is there."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from confluent_kafka import Consumer, Producer, TopicPartition

READ_SECONDS_MAX = 60.0


@dataclass
class Partition:
    sent: int = 0
    acknowledged: set[int] = field(default_factory=set)
    failed: set[int] = field(default_factory=set)


class Ledger:
    """Numbered records to each partition in turn, by librdkafka."""

    def __init__(self, bootstrap: str, topic: str, partitions: int, **config: Any) -> None:
        self.topic = topic
        self.partitions = [Partition() for _ in range(partitions)]
        self.acknowledged = 0
        self.errors: dict[str, int] = {}
        self._producer = Producer(
            {
                "bootstrap.servers": bootstrap,
                "linger.ms": 2,
                "queue.buffering.max.messages": 5_000,
                "reconnect.backoff.ms": 20,
                "reconnect.backoff.max.ms": 200,
                "message.timeout.ms": 60_000,
                "log_level": 0,
                **config,
            }
        )

    def send(self, count: int = 100) -> None:
        """So many records to each partition, and whatever acknowledgements are there."""
        for _ in range(count):
            for index, partition in enumerate(self.partitions):
                self._send_one(index, partition)
        self._producer.poll(0)

    def _send_one(self, index: int, partition: Partition) -> None:
        number = partition.sent

        def delivered(error: Any, _message: Any) -> None:
            if error is None:
                partition.acknowledged.add(number)
                self.acknowledged += 1
            else:
                partition.failed.add(number)
                self.errors[error.name()] = self.errors.get(error.name(), 0) + 1

        deadline = time.monotonic() + READ_SECONDS_MAX
        while True:
            try:
                self._producer.produce(self.topic, b"%d" % number, partition=index, on_delivery=delivered)
                break
            except BufferError:
                assert time.monotonic() < deadline, "the broker acknowledges nothing any more"
                self._producer.poll(0.05)
        partition.sent += 1

    def send_until_acknowledged(self, goal: int, seconds: float = 30.0) -> None:
        deadline = time.monotonic() + seconds
        while self.acknowledged < goal:
            assert time.monotonic() < deadline, (
                f"load stuck at {self.acknowledged} acknowledged; {self.errors}"
            )
            self.send()

    def finish(self) -> None:
        """Wait for an answer to everything sent."""
        assert self._producer.flush(READ_SECONDS_MAX) == 0, f"records without an answer; {self.errors}"

    def check(self, bootstrap: str) -> None:
        """Every acknowledged record is there, once, in order."""
        found = read_all(bootstrap, self.topic, len(self.partitions))
        for index, (partition, values) in enumerate(zip(self.partitions, found, strict=True)):
            numbers = [int(value) for value in values]
            lost = partition.acknowledged.difference(numbers)
            assert not lost, f"partition {index} lost {len(lost)} acknowledged records, the first {min(lost)}"
            twice = len(numbers) - len(set(numbers))
            assert not twice, f"partition {index} holds {twice} records twice"
            assert numbers == sorted(numbers), f"partition {index} is out of order"
            assert not set(numbers) - set(range(partition.sent)), f"partition {index} holds what nobody sent"


def read_all(bootstrap: str, topic: str, partitions: int) -> list[list[bytes]]:
    """All values of each partition, from the beginning to the end offset of now."""
    values: list[list[bytes]] = [[] for _ in range(partitions)]
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "e2e", "enable.auto.commit": False})
    try:
        marks = [
            consumer.get_watermark_offsets(TopicPartition(topic, p), timeout=20) for p in range(partitions)
        ]
        wanted = sum(high - low for low, high in marks)
        consumer.assign([TopicPartition(topic, p, marks[p][0]) for p in range(partitions)])
        deadline = time.monotonic() + READ_SECONDS_MAX
        seen = 0
        while seen < wanted:
            assert time.monotonic() < deadline, f"only {seen} of {wanted} records came back"
            for message in consumer.consume(5_000, timeout=0.5):
                assert message.error() is None, message.error()
                values[message.partition() or 0].append(message.value() or b"")
                seen += 1
    finally:
        consumer.close()
    return values
