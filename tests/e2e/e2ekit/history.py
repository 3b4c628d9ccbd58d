"""A load that goes on while nodes die, a reader that watches, and the comparison of both with the log.

What must hold at the end: every acknowledged record is there; none twice and all in order (the producer is
idempotent); and whatever the reader saw at an offset is still what is there.
"""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Any, Self

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from e2ekit.ledger import Ledger, read_all
from e2ekit.waiting import wait_until

SEND_PAUSE_SECONDS = 0.01
RECORDS_A_ROUND = 10
STUCK_SECONDS_MAX = 60.0
QUIET = {"log_level": 0, "reconnect.backoff.ms": 20, "reconnect.backoff.max.ms": 200}
"""librdkafka would tell on stderr of every connection that a test breaks."""


def create_topic(bootstrap: str, name: str, *, partitions: int = 3, replicas: int = 3, **config: str) -> None:
    admin = AdminClient({"bootstrap.servers": bootstrap, **QUIET})
    settings = {key.replace("_", "."): value for key, value in config.items()}
    admin.create_topics([NewTopic(name, partitions, replicas, config=settings)])[name].result(20)
    wait_until(lambda: _all_led(admin, name, partitions), 20, f"topic {name} has no leaders")


def _all_led(admin: Any, name: str, partitions: int) -> bool:
    topic = admin.list_topics(name, timeout=10).topics[name]
    return len(topic.partitions) == partitions and all(p.leader >= 0 for p in topic.partitions.values())


def describe(bootstrap: str, name: str) -> dict[int, Any]:
    """Partition number → leader, replicas, isrs, as clients see it now."""
    admin = AdminClient({"bootstrap.servers": bootstrap, **QUIET})
    return dict(admin.list_topics(name, timeout=10).topics[name].partitions)


def leader_of(bootstrap: str, name: str, partition: int = 0) -> int:
    """The partition's leader, waiting for one if there is none."""
    found: list[int] = []

    def led() -> bool:
        found[:] = [describe(bootstrap, name)[partition].leader]
        return found[0] >= 0

    wait_until(led, 30, f"{name}-{partition} has no leader")
    return found[0]


def wait_for_full_isr(bootstrap: str, name: str, replicas: int = 3, seconds: float = 60) -> None:
    def full() -> bool:
        return all(len(p.isrs) == replicas and p.leader >= 0 for p in describe(bootstrap, name).values())

    wait_until(full, seconds, f"{name} does not get back to {replicas} replicas in sync")


class History:
    """``with History(...) as history:`` runs the load and the reader; ``check`` is for afterwards."""

    def __init__(self, bootstrap: str, topic: str, partitions: int, **config: Any) -> None:
        self._bootstrap = bootstrap
        self._topic = topic
        self._count = partitions
        self.ledger = Ledger(
            bootstrap,
            topic,
            partitions,
            **{"enable.idempotence": True, "message.timeout.ms": 120_000, **QUIET, **config},
        )
        self._stop = threading.Event()
        self._problem: BaseException | None = None
        self._seen: dict[tuple[int, int], bytes] = {}
        self._read_errors: list[str] = []
        self.longest_silence = 0.0
        """Seconds between one acknowledgement and the next, at most, while records were sent."""
        self._threads = [
            threading.Thread(target=self._guarded, args=(job,), daemon=True)
            for job in (self._send, self._watch)
        ]

    @property
    def acknowledged(self) -> int:
        return self.ledger.acknowledged

    @property
    def seen(self) -> int:
        """Records that the reader got while the load ran."""
        return len(self._seen)

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(STUCK_SECONDS_MAX)
        if error is None:
            if self._problem is not None:
                raise self._problem
            self.ledger.finish()

    def wait_for(self, more: int, seconds: float = STUCK_SECONDS_MAX) -> None:
        """Until so many records more than now are acknowledged."""
        goal = self.acknowledged + more

        def enough() -> bool:
            if self._problem is not None:
                raise self._problem
            return self.acknowledged >= goal

        wait_until(enough, seconds, f"the load is stuck; {self.ledger.errors}")

    def check(self) -> None:
        """Afterwards: nothing lost, nothing twice, nothing out of order, nothing seen that changed."""
        assert not self.ledger.errors, f"records were refused for good: {self.ledger.errors}"
        self.ledger.check(self._bootstrap)
        assert not self._read_errors, self._read_errors
        final = read_all(self._bootstrap, self._topic, self._count)
        for (partition, offset), value in sorted(self._seen.items()):
            there = final[partition][offset] if offset < len(final[partition]) else None
            assert there == value, f"{partition}@{offset} was {value!r} and is {there!r}"

    # -- threads -------------------------------------------------------------------------

    def _guarded(self, job: Any) -> None:
        try:
            job()
        except (AssertionError, KafkaException) as error:
            self._problem = error

    def _send(self) -> None:
        last, last_at = 0, time.monotonic()
        while not self._stop.is_set():
            self.ledger.send(RECORDS_A_ROUND)
            now = time.monotonic()
            if self.acknowledged > last:
                last, last_at = self.acknowledged, now
            self.longest_silence = max(self.longest_silence, now - last_at)
            self._stop.wait(SEND_PAUSE_SECONDS)  # a load, not a flood

    def _watch(self) -> None:
        consumer = Consumer(
            {
                "bootstrap.servers": self._bootstrap,
                "group.id": "watcher",
                "enable.auto.commit": False,
                "auto.offset.reset": "error",
                "fetch.wait.max.ms": 50,
                **QUIET,
            }
        )
        try:
            consumer.assign([TopicPartition(self._topic, p, 0) for p in range(self._count)])
            while not self._stop.is_set():
                for message in consumer.consume(1000, timeout=0.2):
                    self._note(message)
        finally:
            consumer.close()

    def _note(self, message: Any) -> None:
        error = message.error()
        if error is None:
            place = (message.partition(), message.offset())
            known = self._seen.setdefault(place, message.value())
            assert known == message.value(), f"{place} was {known!r} and is {message.value()!r}"
        elif error.code() in (KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE):
            self._read_errors.append(error.str())
