"""The fault run: librdkafka and Java clients at work while nodes die, hang, are cut off and emptied.

A minute of it is part of ``make test``, ten minutes of ``make soak``. ``RIVERLOG_FAULT_SEED`` repeats the
faults of a run; what the clients do meanwhile is not repeated.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from confluent_kafka import Consumer, TopicPartition
from e2ekit.fault_clients import QUIET, CommitWatch, LoadProducer, Member, Reader
from e2ekit.fault_history import FinalLog, Record, check_group, check_producer, check_reader
from e2ekit.fault_java import JavaMember, JavaProducer, java_libs
from e2ekit.history import create_topic, wait_for_full_isr
from e2ekit.nemesis import ISR_SECONDS_MAX, Nemesis
from e2ekit.replicas import check_copies_are_equal
from e2ekit.waiting import wait_until

from riverlog.testing import cluster

pytestmark = pytest.mark.usefixtures("ours")

TOPIC = "run"
PARTITIONS = 6
SESSION_SECONDS = 6.0
CONFIG = {"broker.session.timeout.ms": 6000, "replica.lag.time.max.ms": 5000}
RATE = 200
PATIENCE_MS = 180_000
STUCK_SECONDS_MAX = 90.0
READ_SECONDS_MAX = 120.0
RD_GROUP, JAVA_GROUP = "group-of-librdkafka", "group-of-java"


class Crowd:
    """All clients of a run."""

    def __init__(
        self, bootstrap: str, folder: Path, libs: Path | None, java_members: int, java_protocol: str
    ) -> None:
        self._bootstrap = bootstrap
        options = {"rate": RATE, "patience_ms": PATIENCE_MS}
        self.producers: list[LoadProducer | JavaProducer] = [
            LoadProducer(number, bootstrap, TOPIC, **options) for number in (1, 2)
        ]
        self.reader = Reader(bootstrap, TOPIC, PARTITIONS)
        self.groups: dict[str, list[Member | JavaMember]] = {
            RD_GROUP: [Member(str(number), RD_GROUP, bootstrap, TOPIC) for number in (1, 2)]
        }
        if libs is not None:
            self.producers.append(JavaProducer(3, libs, folder, bootstrap, TOPIC, **options))
            self.groups[JAVA_GROUP] = [
                JavaMember(str(number), JAVA_GROUP, libs, folder, bootstrap, TOPIC, protocol=java_protocol)
                for number in range(1, java_members + 1)
            ]
        self.watch = CommitWatch(bootstrap, TOPIC, PARTITIONS, list(self.groups))

    @property
    def members(self) -> list[Member | JavaMember]:
        return [member for members in self.groups.values() for member in members]

    @contextmanager
    def at_work(self) -> Iterator[None]:
        for client in (*self.producers, self.reader, *self.members, self.watch):
            client.start()
        try:
            yield
        finally:
            for client in (*self.producers, self.reader, *self.members, self.watch):
                client.give_up()

    def look(self) -> None:
        for client in (*self.producers, self.reader, *self.members, self.watch):
            client.look()

    @property
    def acknowledged(self) -> int:
        return sum(len(producer.notes.acknowledged) for producer in self.producers)

    def goes_on(self, more: int = 50) -> None:
        """Every producer gets acknowledgements again."""
        goals = [(producer, len(producer.notes.acknowledged) + more) for producer in self.producers]

        def enough() -> bool:
            self.look()
            return all(len(producer.notes.acknowledged) >= goal for producer, goal in goals)

        wait_until(enough, STUCK_SECONDS_MAX, "a producer is stuck")

    def finish_and_check(self) -> FinalLog:
        for producer in self.producers:
            producer.finish()
        log = read_log(self._bootstrap)
        wait_until(lambda: self._all_read(log), READ_SECONDS_MAX, "consumers do not reach the end")
        for client in (self.reader, *self.members, self.watch):
            client.finish()
        for producer in self.producers:
            check_producer(producer.notes, log)
        check_reader(self.reader.notes, log)
        for group, members in self.groups.items():
            check_group([member.notes for member in members], log, committed_by(self._bootstrap, group))
        return log

    def _all_read(self, log: FinalLog) -> bool:
        self.look()
        ends = {partition: len(records) for partition, records in log.items()}
        seen = {partition: len(values) for partition, values in self.reader.notes.values.items()}
        return seen == ends and all(committed_by(self._bootstrap, group) == ends for group in self.groups)


def read_log(bootstrap: str) -> FinalLog:
    log: dict[int, list[Record]] = {partition: [] for partition in range(PARTITIONS)}
    consumer = Consumer(
        {"bootstrap.servers": bootstrap, "group.id": "final", "auto.offset.reset": "error", **QUIET}
    )
    try:
        places = [TopicPartition(TOPIC, partition, 0) for partition in log]
        ends = {place.partition: consumer.get_watermark_offsets(place, timeout=30)[1] for place in places}
        consumer.assign(places)
        deadline = time.monotonic() + READ_SECONDS_MAX
        while any(len(log[partition]) < end for partition, end in ends.items()):
            assert time.monotonic() < deadline, "the final log cannot be read"
            for message in consumer.consume(5000, timeout=0.5):
                if message.error() is None:
                    records = log[message.partition()]
                    assert message.offset() == len(records), f"a gap before {message.offset()}"
                    records.append(Record(message.key(), message.value()))
    finally:
        consumer.close()
    return log


def committed_by(bootstrap: str, group: str) -> dict[int, int]:
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": group, **QUIET})
    try:
        rows = consumer.committed([TopicPartition(TOPIC, number) for number in range(PARTITIONS)], timeout=30)
    finally:
        consumer.close()
    return {row.partition: row.offset for row in rows}


def run(folder: Path, seconds: float, say: Callable[[str], None], *, java_members: int) -> None:
    libs = java_libs()
    seed = int(os.environ.get("RIVERLOG_FAULT_SEED") or random.SystemRandom().randrange(1 << 32))
    protocol = random.Random(seed).choice(["classic", "consumer"])
    say(f"seed {seed}, Java members speak the {protocol} protocol")
    nemesis: Nemesis | None = None
    try:
        with cluster(3, CONFIG, data_dir=folder / "cluster") as nodes:
            create_topic(nodes.bootstrap, TOPIC, partitions=PARTITIONS, min_insync_replicas="2")
            jars = libs if isinstance(libs, Path) else None
            crowd = Crowd(nodes.bootstrap, folder, jars, java_members, protocol)
            nemesis = Nemesis(
                nodes,
                TOPIC,
                PARTITIONS,
                seed,
                session_seconds=SESSION_SECONDS,
                goes_on=crowd.goes_on,
            )
            with crowd.at_work():
                crowd.goes_on()
                nemesis.run(seconds)
                wait_for_full_isr(nodes.bootstrap, TOPIC, seconds=ISR_SECONDS_MAX)
                log = crowd.finish_and_check()
        check_copies_are_equal(folder / "cluster", TOPIC, PARTITIONS)
    except AssertionError as error:
        error.add_note(f"seed {seed}; faults: {nemesis.told if nemesis else []}; nodes in {folder}")
        raise
    counts = ", ".join(f"{count} × {kind}" for kind, count in sorted(nemesis.injected.items()))
    say(
        f"seed {seed}: {crowd.acknowledged} acknowledged of {sum(map(len, log.values()))} in the log; "
        f"{nemesis.injected.total()} faults: {counts}"
    )
    if isinstance(libs, str):
        pytest.skip(f"passed, but with librdkafka only: {libs}")


@pytest.fixture
def say(capfd: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Past pytest's capture: the seed and the figures of a run are to be seen when it passes, too."""

    def to_terminal(text: str) -> None:
        with capfd.disabled():
            print(f"\nfault run: {text}", flush=True)

    return to_terminal


@pytest.mark.timeout(420)
def test_a_minute_of_faults(tmp_path: Path, say: Callable[[str], None]) -> None:
    run(tmp_path, 60, say, java_members=1)


@pytest.mark.soak
@pytest.mark.timeout(1500)
def test_ten_minutes_of_faults(tmp_path: Path, say: Callable[[str], None]) -> None:
    run(tmp_path, 600, say, java_members=2)
