"""Kafka's ``TransactionalMessageCopier`` under kill -9 of brokers and copiers: the copy is the original.

``RIVERLOG_COPIER_SEED`` repeats the draw of what is killed.
"""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from clientkit import clusters, rdkafka, txn_scenarios, writers
from clientkit.clusters import NODES, Cluster
from clientkit.java import JavaTools
from clientkit.samples import START_MS, Sample

PARTITIONS = 2
SECONDS = 180.0
TRANSACTION_SIZE = 10
TRANSACTION_MS = 5_000


class Copier:
    """Copies one partition; it is started again whenever it ends before its work is done."""

    def __init__(self, bootstrap: str, topic: str, partition: int) -> None:
        place = [
            "--input-topic",
            topic,
            "--input-partition",
            str(partition),
            "--output-topic",
            f"{topic}-out",
        ]
        names = [
            "--transactional-id",
            f"{topic}-copier-{partition}",
            "--consumer-group",
            f"{topic}-copiers-{partition}",
        ]
        sizes = ["--transaction-size", str(TRANSACTION_SIZE), "--transaction-timeout", str(TRANSACTION_MS)]
        habits = ["--enable-random-aborts", "--use-group-metadata"]
        self._arguments = ["--broker-list", bootstrap, *place, *names, *sizes, *habits]
        self.starts = 0
        self._start()

    def _start(self) -> None:
        self._tool = writers.Verifiable("TransactionalMessageCopier", *self._arguments)
        self.starts += 1

    @property
    def copied(self) -> int:
        """By this run of the program."""
        return max((event["totalProcessed"] for event in list(self._tool.events)), default=0)

    def look(self) -> bool:
        """Whether it is done; started again if it has failed."""
        if self._tool.code is None:
            return False
        if self._tool.code == 0:
            return True
        self._tool.close()
        self._start()
        return False

    def kill(self) -> None:
        self._tool.close()
        self._start()

    def close(self) -> None:
        self._tool.close()


class Copying:
    """Input, copiers and what is killed meanwhile."""

    def __init__(self, three: Cluster, topic: str, count: int) -> None:
        self._three = three
        self._topic = topic
        self._count = count
        self.seed = int(os.environ.get("RIVERLOG_COPIER_SEED", random.SystemRandom().randrange(1 << 32)))
        self._draw = random.Random(self.seed)
        self.killed: list[str] = []
        for name in (topic, f"{topic}-out"):
            clusters.create_topic(three.bootstrap, name, partitions=PARTITIONS)
        producer = rdkafka.producer(three.bootstrap, enable_idempotence=True)
        for partition in range(PARTITIONS):
            rows = [Sample(None, b"%d" % number, START_MS) for number in range(count)]
            rdkafka.send(producer, topic, rows, partition=partition)
        self.copiers = [Copier(three.bootstrap, topic, partition) for partition in range(PARTITIONS)]

    def kill_something(self) -> None:
        """When every copier is at work, or done."""
        rdkafka.wait_for(lambda: self._look(lambda each: each.copied > 0), SECONDS)
        if self._draw.random() < 0.5:
            at = self._draw.randrange(PARTITIONS)
            self.killed.append(f"copier {at}")
            self.copiers[at].kill()
        else:
            victim = self._draw.choice(NODES)
            self.killed.append(f"broker {victim}")
            self._three.kill(victim)
            self._three.restart(victim)
            for name in (self._topic, f"{self._topic}-out", "__transaction_state", "__consumer_offsets"):
                clusters.wait_for_all_in_sync(self._three.bootstrap, name, SECONDS)

    def finish(self) -> None:
        rdkafka.wait_for(lambda: self._look(lambda _: False), SECONDS)

    def _look(self, enough: Callable[[Copier], bool]) -> bool:
        threading.Event().wait(0.05)
        looked = [each.look() or enough(each) for each in self.copiers]
        return all(looked)

    def check(self) -> None:
        bootstrap = self._three.bootstrap
        story = f"seed {self.seed}, killed {self.killed}, starts {[each.starts for each in self.copiers]}"
        for partition in range(PARTITIONS):
            found = [
                int(value) for value in txn_scenarios.stable_end(bootstrap, f"{self._topic}-out", partition)
            ]
            assert found == list(range(self._count)), f"{writers.trouble(found)}; {story}"
            everything = txn_scenarios.everything(bootstrap, f"{self._topic}-out", partition)
            assert len(everything) > self._count, f"nothing was ever aborted; {story}"
            rows = txn_scenarios.group_offsets(
                bootstrap, f"{self._topic}-copiers-{partition}", self._topic, stable=True
            )
            assert rows[partition] == self._count, story

    def close(self) -> None:
        for each in self.copiers:
            each.close()


@pytest.mark.parametrize(
    ("count", "kills"), [(400, 3), pytest.param(30_000, 40, marks=pytest.mark.soak)], ids=["short", "soak"]
)
@pytest.mark.timeout(3600)
def test_the_copy_is_the_original(
    run_cluster: Callable[..., AbstractContextManager[Cluster]],
    java_tools: JavaTools,
    topic: str,
    count: int,
    kills: int,
) -> None:
    with run_cluster() as three:
        copying = Copying(three, topic, count)
        try:
            for _ in range(kills):
                copying.kill_something()
            copying.finish()
            copying.check()
        finally:
            copying.close()
