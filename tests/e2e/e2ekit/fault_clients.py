"""librdkafka clients of the fault run; each is a thread that notes what it was told.

Values are ``producer.number``, keys repeat: what a producer sent under one key must stay in order.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition

from e2ekit.fault_history import GroupNotes, Place, ProducerNotes, ReaderNotes

KEYS = 24
QUIET = {
    "log_level": 0,
    "reconnect.backoff.ms": 20,
    "reconnect.backoff.max.ms": 500,
    "socket.timeout.ms": 10_000,
}
_ROUND_SECONDS = 0.05
_END_SECONDS_MAX = 60.0
_SOLVED_BY_WAITING = {KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE}


def now_ms() -> int:
    return int(time.time() * 1000)


class Client(threading.Thread):
    """Runs until ``finish``; what it dies of is raised there."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._stop_asked = threading.Event()
        self._problem: BaseException | None = None

    def run(self) -> None:
        try:
            self.work()
        except (AssertionError, KafkaException) as error:
            self._problem = error

    def work(self) -> None:
        raise RuntimeError("each kind of client has its own work")

    def look(self) -> None:
        """Raise what it died of, if it died."""
        if self._problem is not None:
            raise AssertionError(f"client {self.name} failed") from self._problem

    def give_up(self) -> None:
        """The run has failed: end by and by."""
        self._stop_asked.set()

    def finish(self) -> None:
        self._stop_asked.set()
        self.join(_END_SECONDS_MAX)
        assert not self.is_alive(), f"client {self.name} does not end"
        self.look()


class LoadProducer(Client):
    """An idempotent producer at a steady rate."""

    def __init__(self, number: int, bootstrap: str, topic: str, *, rate: int, patience_ms: int) -> None:
        super().__init__(f"librdkafka producer {number}")
        self.notes = ProducerNotes(self.name, number)
        self._topic = topic
        self._a_round = max(1, round(rate * _ROUND_SECONDS))
        self._producer = Producer(
            {
                "bootstrap.servers": bootstrap,
                "enable.idempotence": True,
                "linger.ms": 5,
                "message.timeout.ms": patience_ms,
                **QUIET,
            }
        )

    def work(self) -> None:
        while not self._stop_asked.wait(_ROUND_SECONDS):
            for _ in range(self._a_round):
                self._send()
            self._producer.poll(0)
        left = self._producer.flush(_END_SECONDS_MAX / 2)
        assert left == 0, f"{left} records without an answer"

    def _send(self) -> None:
        number = self.notes.sent
        key, value = b"%d" % (number % KEYS), b"%d.%d" % (self.notes.number, number)
        try:
            self._producer.produce(self._topic, value, key, on_delivery=self._delivered(number))
        except BufferError:
            return  # full since the cluster is away: this round sends less
        self.notes.sent += 1

    def _delivered(self, number: int) -> Callable[[Any, Any], None]:
        def note(error: Any, message: Any) -> None:
            if error is None:
                self.notes.acknowledged[number] = Place(message.partition(), message.offset())
            else:
                self.notes.refused.append(f"{number}: {error.name()}")

        return note


class Reader(Client):
    """Reads all partitions by assignment, from the beginning; it may never meet a gap or a step back."""

    def __init__(self, bootstrap: str, topic: str, partitions: int) -> None:
        super().__init__("librdkafka reader")
        self.notes = ReaderNotes(self.name)
        self._consumer = Consumer(
            {
                "bootstrap.servers": bootstrap,
                "group.id": "reads-by-assignment",
                "enable.auto.commit": False,
                "auto.offset.reset": "error",
                "fetch.wait.max.ms": 100,
                **QUIET,
            }
        )
        self._consumer.assign([TopicPartition(topic, number, 0) for number in range(partitions)])

    def work(self) -> None:
        try:
            while not self._stop_asked.is_set():
                for message in self._consumer.consume(1000, timeout=0.2):
                    error = message.error()
                    if error is None:
                        self.notes.saw(Place(message.partition(), message.offset()), message.value())
                    elif error.code() in _SOLVED_BY_WAITING:
                        raise AssertionError(f"an offset that was there is gone: {error.str()}")
        finally:
            self._consumer.close()


class Member(Client):
    """Commits what it read, and counts a commit only when it was acknowledged."""

    def __init__(self, name: str, group: str, bootstrap: str, topic: str) -> None:
        super().__init__(f"librdkafka member {name}")
        self.notes = GroupNotes(self.name, group)
        self._consumer = Consumer(
            {
                "bootstrap.servers": bootstrap,
                "group.id": group,
                "enable.auto.commit": False,
                "auto.offset.reset": "earliest",
                "session.timeout.ms": 10_000,
                "fetch.wait.max.ms": 100,
                **QUIET,
            }
        )
        self._topic = topic
        self._rebalances = 0

    def work(self) -> None:
        try:
            self._consumer.subscribe([self._topic], on_assign=self._assigned, on_revoke=self._revoked)
            while not self._stop_asked.is_set():
                ends: dict[int, int] = {}
                rebalances = self._rebalances
                for message in self._consumer.consume(1000, timeout=0.2):
                    if message.error() is None:
                        place = Place(message.partition(), message.offset())
                        self.notes.saw(place, message.value())
                        ends[place.partition] = place.offset + 1
                if ends and rebalances == self._rebalances:
                    self._commit(ends)  # after a rebalance they may be another member's
        finally:
            self._consumer.close()

    def _assigned(self, _consumer: Any, places: list[TopicPartition]) -> None:
        self.notes.assigned(now_ms(), [place.partition for place in places])

    def _revoked(self, _consumer: Any, _places: list[TopicPartition]) -> None:
        self._rebalances += 1

    def _commit(self, ends: Mapping[int, int]) -> None:
        offsets = [TopicPartition(self._topic, partition, end) for partition, end in ends.items()]
        try:
            answers = self._consumer.commit(offsets=offsets, asynchronous=False)
        except KafkaException:
            return  # its outcome is unknown, or the group went on without us
        self.notes.committed(now_ms(), {row.partition: row.offset for row in answers if row.error is None})


class CommitWatch(Client):
    """Asks for the committed offsets of groups again and again: they may not go back."""

    def __init__(self, bootstrap: str, topic: str, partitions: int, groups: list[str]) -> None:
        super().__init__("watch of committed offsets")
        self._groups = {
            group: Consumer({"bootstrap.servers": bootstrap, "group.id": group, **QUIET}) for group in groups
        }
        self._places = [TopicPartition(topic, number) for number in range(partitions)]
        self.newest: dict[str, dict[int, int]] = {group: {} for group in groups}

    def work(self) -> None:
        try:
            while not self._stop_asked.wait(0.5):
                for group in self._groups:
                    self._look_at(group)
        finally:
            for consumer in self._groups.values():
                consumer.close()

    def _look_at(self, group: str) -> None:
        """A step back must last: a coordinator that slept may answer once from what it remembers."""
        newest = self.newest[group]
        back: dict[int, int] = {}
        until = time.monotonic() + 15
        while time.monotonic() < until and not self._stop_asked.is_set():
            told = self._committed(group)
            if told is None:
                continue
            back = {number: end for number, end in told.items() if end < newest.get(number, 0)}
            newest.update({number: end for number, end in told.items() if number not in back})
            if not back:
                return
            self._stop_asked.wait(0.2)
        assert not back, f"commits of {group} went back from {newest} to {back}"

    def _committed(self, group: str) -> dict[int, int] | None:
        try:
            rows = self._groups[group].committed(self._places, timeout=5)
        except KafkaException:
            return None
        if any(row.error is not None for row in rows):
            return None
        return {row.partition: max(0, row.offset) for row in rows}
