"""Exactly once on three processes: a topic is copied in transactions while nodes die, hang and are cut off.

``RIVERLOG_FAULT_SEED`` repeats the faults of a run; what the clients do meanwhile is not repeated.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition
from e2ekit.fault_clients import QUIET, LoadProducer
from e2ekit.history import create_topic, wait_for_full_isr
from e2ekit.nemesis import ISR_SECONDS_MAX, Nemesis
from e2ekit.replicas import check_copies_are_equal
from e2ekit.txn_chain import Processor
from e2ekit.waiting import wait_until

from riverlog.testing import cluster

pytestmark = pytest.mark.usefixtures("ours")

SOURCE, TARGET = "raw", "cooked"
PARTITIONS = 3
SESSION_SECONDS = 6.0
CONFIG = {
    "broker.session.timeout.ms": 6000,
    "replica.lag.time.max.ms": 5000,
    "transaction.abort.timed.out.transaction.cleanup.interval.ms": 500,
}
STUCK_SECONDS_MAX = 120.0


def values(bootstrap: str, topic: str, level: str) -> dict[int, list[bytes]]:
    """Everything, to the end that a reader of this level sees."""
    found: dict[int, list[bytes]] = {partition: [] for partition in range(PARTITIONS)}
    ended: set[int] = set()
    settings = {"group.id": "final", "auto.offset.reset": "error", "enable.partition.eof": True, **QUIET}
    consumer = Consumer({"bootstrap.servers": bootstrap, "isolation.level": level, **settings})

    def all_read() -> bool:
        for message in consumer.consume(5000, timeout=0.5):
            error = message.error()
            if error is None:
                found[message.partition()].append(message.value())
            elif error.code() == KafkaError._PARTITION_EOF:
                ended.add(message.partition())
            elif not error.retriable() and error.code() != KafkaError._TRANSPORT:
                raise KafkaException(error)
        return len(ended) == PARTITIONS

    try:
        consumer.assign([TopicPartition(topic, partition, 0) for partition in found])
        wait_until(all_read, STUCK_SECONDS_MAX, f"{topic} cannot be read to its end")
    finally:
        consumer.close()
    return found


def size(read: dict[int, list[bytes]]) -> int:
    return sum(map(len, read.values()))


def run(folder: Path, seconds: float, say: Callable[[str], None]) -> None:
    seed = int(os.environ.get("RIVERLOG_FAULT_SEED") or random.SystemRandom().randrange(1 << 32))
    say(f"seed {seed}")
    nemesis: Nemesis | None = None
    processors: list[Processor] = []
    with cluster(3, CONFIG, data_dir=folder / "cluster") as nodes:
        bootstrap = nodes.bootstrap
        for topic in (SOURCE, TARGET):
            create_topic(bootstrap, topic, partitions=PARTITIONS, min_insync_replicas="2")
        producer = LoadProducer(1, bootstrap, SOURCE, rate=100, patience_ms=180_000)
        processors = [Processor(number, bootstrap, SOURCE, TARGET, seed) for number in (1, 2)]
        clients = [producer, *processors]

        def goes_on() -> None:
            goal = sum(each.counts["records"] for each in processors) + 50

            def more() -> bool:
                for client in clients:
                    client.look()
                return sum(each.counts["records"] for each in processors) >= goal

            wait_until(more, STUCK_SECONDS_MAX, "nothing is committed")

        nemesis = Nemesis(nodes, SOURCE, PARTITIONS, seed, session_seconds=SESSION_SECONDS, goes_on=goes_on)
        for client in clients:
            client.start()
        try:
            goes_on()
            nemesis.run(seconds)
            for topic in (SOURCE, TARGET):
                wait_for_full_isr(bootstrap, topic, seconds=ISR_SECONDS_MAX)
            producer.finish()
            wanted = values(bootstrap, SOURCE, "read_committed")
            wait_until(
                lambda: size(values(bootstrap, TARGET, "read_committed")) >= size(wanted),
                STUCK_SECONDS_MAX,
                "the copy is not complete",
            )
            for processor in processors:
                processor.finish()
            assert values(bootstrap, TARGET, "read_committed") == wanted, "the copy is not the original"
            attempts = size(values(bootstrap, TARGET, "read_uncommitted"))
        except AssertionError as error:
            stories = [(each.name, dict(each.counts), each.troubles[-5:]) for each in processors]
            error.add_note(f"seed {seed}; faults: {nemesis.told}; {stories}; nodes in {folder}")
            raise
        finally:
            for client in clients:
                client.give_up()
    check_copies_are_equal(folder / "cluster", TARGET, PARTITIONS)
    told = [(dict(each.counts), each.troubles[:3]) for each in processors]
    say(f"seed {seed}: {size(wanted)} records, {attempts} written; {told}; {dict(nemesis.injected)}")


@pytest.fixture
def say(capfd: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Past pytest's capture: the seed and the figures of a run are to be seen when it passes, too."""

    def to_terminal(text: str) -> None:
        with capfd.disabled():
            print(f"\ntransactions under faults: {text}", flush=True)

    return to_terminal


@pytest.mark.timeout(420)
def test_a_copy_in_transactions_is_exact_under_faults(tmp_path: Path, say: Callable[[str], None]) -> None:
    run(tmp_path, 12, say)


@pytest.mark.soak
@pytest.mark.timeout(1500)
def test_soak_a_copy_in_transactions_is_exact_under_faults(
    tmp_path: Path, say: Callable[[str], None]
) -> None:
    run(tmp_path, 600, say)
