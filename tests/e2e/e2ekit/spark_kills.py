"""Kills while Spark copies a topic: its program, its JVM, its workers, brokers.

What is killed must come back by itself (``Program`` starts the program again, Spark its workers) or is
brought back (brokers), and rows must go on leaving both queries before the next kill.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition

from e2ekit.fault_clients import QUIET, Client, LoadProducer
from e2ekit.history import create_topic
from e2ekit.spark_processes import command, descendants, python_workers
from e2ekit.spark_query import KINDS, target
from e2ekit.waiting import wait_until
from riverlog.testing import TestCluster

PARTITIONS = 3
RATE = 200
STUCK_SECONDS_MAX = 600.0
"""A program takes a minute and more to start on a busy machine, and Spark gives up on a Python worker that
has not started after ten seconds: then the next program starts."""
_PATIENCE_MS = 120_000
_PAUSE_SECONDS_MAX = 2.0
_STOP_SECONDS_MAX = 30.0
_LAST_WORDS = 6_000
_QUIET_SPARK = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    "spark.driver.memory": "1g",
}


class Program(Client):
    """Keeps the Spark program running: whenever it ends, it is started again."""

    def __init__(self, arguments: Sequence[str], settings: Mapping[str, str], folder: Path) -> None:
        super().__init__("Spark program")
        self.starts = 0
        self.process: subprocess.Popen[str] | None = None
        self._command = [sys.executable, "-m", "e2ekit.spark_query", *arguments]
        self._settings = "".join(f"{name}={value}\n" for name, value in settings.items())
        self._folder = folder

    def work(self) -> None:
        while not self._stop_asked.is_set():
            self.starts += 1
            with self.log(self.starts).open("w") as log:
                self.process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=log,
                    stderr=log,
                    text=True,
                    env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])},
                )
                self._hand_over_settings(self.process)
                while self.process.poll() is None and not self._stop_asked.wait(0.05):
                    pass
        self.kill()

    def _hand_over_settings(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        with suppress(BrokenPipeError):
            process.stdin.write(self._settings)
            process.stdin.close()

    def log(self, start: int) -> Path:
        return self._folder / f"program-{start}.log"

    def last_words(self) -> str:
        """Of the last starts, for whoever has to find out."""
        logs = [self.log(start) for start in range(max(1, self.starts - 1), self.starts + 1)]
        return "\n".join(f"{log.name}:\n{log.read_text()[-_LAST_WORDS:]}" for log in logs if log.exists())

    def kill(self) -> None:
        """The whole of it, workers and all."""
        if self.process is None:
            return
        for pid in [self.process.pid, *descendants(self.process.pid)]:
            send_kill(pid)
        self.process.wait(_STOP_SECONDS_MAX)

    def jvm(self) -> list[int]:
        return [pid for pid in self.processes() if "java" in command(pid).partition(" ")[0]]

    def processes(self) -> list[int]:
        return [] if self.process is None else descendants(self.process.pid)

    def workers(self) -> list[int]:
        return [] if self.process is None else python_workers(self.process.pid)


class Tail(Client):
    """Counts what readers of ``read_committed`` see in a topic, as it comes."""

    def __init__(self, bootstrap: str, topic: str) -> None:
        super().__init__(f"tail of {topic}")
        self.found: Counter[bytes] = Counter()
        self._consumer = Consumer(
            {
                "bootstrap.servers": bootstrap,
                "group.id": "unused",
                "enable.auto.commit": False,
                "auto.offset.reset": "error",
                "isolation.level": "read_committed",
                **QUIET,
            }
        )
        self._consumer.assign([TopicPartition(topic, number, 0) for number in range(PARTITIONS)])

    def work(self) -> None:
        try:
            while not self._stop_asked.is_set():
                for message in self._consumer.consume(1000, timeout=0.2):
                    error = message.error()
                    if error is None:
                        self.found[message.value()] += 1
                    elif error.code() in (KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE):
                        raise KafkaException(error)
        finally:
            self._consumer.close()


def send_kill(pid: int) -> bool:
    """Whether it was still there."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


class KillRun:
    """A run of both queries under kills; ``with`` starts and ends everything.

    ``executors`` finds the executor processes where they are not the program's own, as on a standalone
    cluster; they are killed then too.
    """

    def __init__(
        self,
        nodes: TestCluster,
        folder: Path,
        *,
        seed: int,
        master: str = "local[2,4]",
        kinds: Sequence[str] = tuple(KINDS),
        settings: Mapping[str, str] | None = None,
        executors: Callable[[], list[int]] | None = None,
        python_workers: Callable[[], list[int]] | None = None,
    ) -> None:
        self._nodes = nodes
        self._rng = random.Random(seed)
        self._kinds = kinds
        self._source = "numbers"
        arguments = [nodes.bootstrap, self._source, str(folder / "checkpoints"), master, *kinds]
        self.program = Program(arguments, {**_QUIET_SPARK, **(settings or {})}, folder)
        self._executors = executors
        self._workers = python_workers or self.program.workers
        self._pause = threading.Event()  # never set
        self.killed: Counter[str] = Counter()

    # ---------------------------------------------------------------- life

    def __enter__(self) -> Self:
        bootstrap = self._nodes.bootstrap
        for topic in (self._source, *(target(self._source, kind) for kind in self._kinds)):
            create_topic(bootstrap, topic, partitions=PARTITIONS, **{"min.insync.replicas": "2"})
        self._producers = [
            LoadProducer(number, bootstrap, self._source, rate=RATE // 2, patience_ms=_PATIENCE_MS)
            for number in range(2)
        ]
        self.tails = {kind: Tail(bootstrap, target(self._source, kind)) for kind in self._kinds}
        for client in (*self._producers, *self.tails.values(), self.program):
            client.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        for client in (*self._producers, *self.tails.values(), self.program):
            client.give_up()
            client.join(_STOP_SECONDS_MAX)
        self.program.kill()

    # ---------------------------------------------------------------- kills

    def kill(self, kinds: Sequence[str]) -> None:
        """One after the other, each at a moment of its own while rows are under way."""
        for kind in kinds:
            self._goes_on()
            self._pause.wait(self._rng.uniform(0.0, _PAUSE_SECONDS_MAX))
            getattr(self, f"_kill_{kind}")()
            self.killed[kind] += 1

    def _kill_driver(self) -> None:
        """The JVM; the Python program fails then."""
        self._kill_one_of("the driver's JVM", self.program.jvm)

    def _kill_program(self) -> None:
        """The Python program; its JVM sees that by and by, and may overlap with the next one."""
        assert self.program.process is not None
        send_kill(self.program.process.pid)

    def _kill_worker(self) -> None:
        self._kill_one_of("a Python worker", self._workers)

    def _kill_executor(self) -> None:
        assert self._executors is not None, "only where executors are processes of their own"
        self._kill_one_of("an executor", self._executors)

    def _kill_one_of(self, what: str, found: Callable[[], list[int]]) -> None:
        def done() -> bool:
            pids = found()
            return bool(pids) and send_kill(self._rng.choice(pids))

        wait_until(done, STUCK_SECONDS_MAX, f"{what} to kill")

    def _kill_broker(self) -> None:
        node_id = self._rng.choice(self._nodes.running)
        self._nodes.kill(node_id)
        self._goes_on()
        self._nodes.restart(node_id)

    def _goes_on(self) -> None:
        """Until each query has committed more than it had."""
        before = {kind: tail.found.total() for kind, tail in self.tails.items()}
        self._wait(
            lambda: all(tail.found.total() > before[kind] for kind, tail in self.tails.items()),
            "every query commits more rows",
        )

    def _wait(self, happened: Callable[[], bool], what: str) -> None:
        def looked() -> bool:
            for client in (*self._producers, *self.tails.values()):
                client.look()
            return happened()

        try:
            wait_until(looked, STUCK_SECONDS_MAX, what)
        except AssertionError as error:
            found = {kind: tail.found.total() for kind, tail in self.tails.items()}
            raise AssertionError(f"{error}; {found}\n{self.program.last_words()}") from None

    # ---------------------------------------------------------------- the end

    def check(self) -> int:
        """Every row exactly once in every output; answers how many rows there were."""
        for producer in self._producers:
            producer.finish()
            assert not producer.notes.refused, producer.notes.refused[:5]
        sent = self._sent()
        self._wait(
            lambda: all(tail.found.total() >= sent.total() for tail in self.tails.values()),
            "every row has arrived",
        )
        self.program.finish()
        for kind, tail in self.tails.items():
            found = read_to_the_end(self._nodes.bootstrap, target(self._source, kind))
            assert found == sent, f"{kind}: {_difference(found, sent)}\n{self.program.last_words()}"
            assert tail.found == sent, f"{kind}, as it came: {_difference(tail.found, sent)}"
        return sent.total()

    def _sent(self) -> Counter[bytes]:
        return Counter(
            b"%d.%d" % (producer.notes.number, number)
            for producer in self._producers
            for number in producer.notes.acknowledged
        )


def read_to_the_end(bootstrap: str, topic: str) -> Counter[bytes]:
    """All that is committed."""
    found: Counter[bytes] = Counter()
    ended: set[int | None] = set()
    settings = {"group.id": "unused", "auto.offset.reset": "error", "enable.partition.eof": True, **QUIET}
    consumer = Consumer({"bootstrap.servers": bootstrap, "isolation.level": "read_committed", **settings})

    def all_read() -> bool:
        for message in consumer.consume(5000, timeout=0.5):
            error = message.error()
            if error is None:
                found[message.value()] += 1
            elif error.code() == KafkaError._PARTITION_EOF:
                ended.add(message.partition())
        return len(ended) == PARTITIONS

    try:
        consumer.assign([TopicPartition(topic, number, 0) for number in range(PARTITIONS)])
        wait_until(all_read, STUCK_SECONDS_MAX, f"{topic} can be read to its end")
    finally:
        consumer.close()
    return found


def _difference(found: Counter[bytes], sent: Counter[bytes]) -> str:
    missing, surplus = sent - found, found - sent
    return (
        f"{missing.total()} of {sent.total()} rows are missing ({list(missing)[:5]}), {surplus.total()} are "
        f"surplus ({list(surplus)[:5]})"
    )
