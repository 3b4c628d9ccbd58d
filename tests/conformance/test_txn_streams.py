"""Kafka Streams counts words exactly once, over kill -9 of the broker and of itself."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import pytest
from clientkit import clusters, java, rdkafka
from clientkit.clusters import NODES, Cluster
from clientkit.paths import Unavailable
from clientkit.samples import START_MS, Sample
from clientkit.servers import Server
from clientkit.writers import Verifiable
from conftest import QUICK_GROUPS, QUICK_TXNS

PARTITIONS = 2
SECONDS = 120.0
WORDS = ["the", "quick", "brown", "fox", "jumps", "over", "lazy", "dog", "while", "it", "rains"]


class WordCount(Verifiable):
    """Our Streams program, in a JVM of its own."""

    def __init__(self, bootstrap: str, topic: str, folder: Path) -> None:
        command = [java.java(), *java.JVM_OPTIONS, "-cp", java.streams_classpath(), "WordCount"]
        self.launch([*command, bootstrap, topic, f"{topic}-out", f"{topic}-app", str(folder)])

    def wait_until_running(self) -> None:
        rdkafka.wait_for(lambda: self._said("state: RUNNING\n"), SECONDS)

    def _said(self, line: str) -> bool:
        threading.Event().wait(0.05)
        assert self.code is None, f"Streams ended with {self.code}: {self.lines[-20:]}"
        return line in self.lines


class Text:
    """Sentences that were sent, and what must be counted in them."""

    def __init__(self, bootstrap: str, topic: str) -> None:
        self._producer = rdkafka.producer(bootstrap, enable_idempotence=True, message_timeout_ms=120_000)
        self._topic = topic
        self._sent = 0
        self.counts: Counter[str] = Counter()

    def send(self, count: int) -> None:
        for _ in range(count):
            words = [WORDS[(self._sent * step) % len(WORDS)] for step in (1, 5, 7)]
            self.counts.update(words)
            line = Sample(None, " ".join(words).encode(), START_MS)
            rdkafka.send(self._producer, self._topic, [line], partition=self._sent % PARTITIONS)
            self._sent += 1


def counted(bootstrap: str, topic: str) -> dict[str, list[int]]:
    """Every count that came out, word by word."""
    found: dict[str, list[int]] = defaultdict(list)
    for partition in range(PARTITIONS):
        rows = rdkafka.messages(bootstrap, topic, partition=partition, isolation_level="read_committed")
        for row in rows:
            found[row.key().decode()].append(int.from_bytes(row.value(), "big"))
    return found


def wait_until_counted(bootstrap: str, topic: str, text: Text, streams: WordCount) -> None:
    """Each word was counted up one by one: nothing is missing, nothing is there twice."""
    wanted = {word: list(range(1, count + 1)) for word, count in text.counts.items()}

    def complete() -> bool:
        assert streams.code is None, f"Streams ended with {streams.code}: {streams.lines[-20:]}"
        return sum(map(len, counted(bootstrap, f"{topic}-out").values())) >= sum(map(len, wanted.values()))

    rdkafka.wait_for(complete, SECONDS)
    assert counted(bootstrap, f"{topic}-out") == wanted, streams.lines[-20:]


@contextmanager
def running(bootstrap: str, topic: str, folder: Path) -> Iterator[WordCount]:
    try:
        streams = WordCount(bootstrap, topic, folder)
    except Unavailable as missing:
        pytest.skip(str(missing))
    try:
        yield streams
    finally:
        streams.close()


def test_streams_counts_exactly_once_over_kills(
    make_target: Callable[..., Server], tmp_path: Path, topic: str
) -> None:
    server = make_target(tmp_path / "data", {**QUICK_GROUPS, **QUICK_TXNS}).start()
    server.keep_port()
    bootstrap = server.bootstrap
    for name in (topic, f"{topic}-out"):
        rdkafka.create_topic(bootstrap, name, partitions=PARTITIONS)
    text = Text(bootstrap, topic)
    with running(bootstrap, topic, tmp_path / "state") as streams:
        streams.wait_until_running()
        text.send(20)
        wait_until_counted(bootstrap, topic, text, streams)
        text.send(10)
        server.kill()
        server.start()
        text.send(20)
        wait_until_counted(bootstrap, topic, text, streams)
        text.send(20)
    text.send(10)  # it was killed at work; the next one finds what it has left
    with running(bootstrap, topic, tmp_path / "state") as streams:
        wait_until_counted(bootstrap, topic, text, streams)
        streams.finish()
        assert "closed: true\n" in streams.lines
    server.stop()


@pytest.mark.soak
def test_soak_streams_counts_exactly_once_on_three_brokers(
    run_cluster: Callable[..., AbstractContextManager[Cluster]], tmp_path: Path, topic: str
) -> None:
    """Two programs share the work; brokers and programs are killed in turn."""
    with run_cluster() as three, ExitStack() as stack:
        bootstrap = three.bootstrap
        for name in (topic, f"{topic}-out"):
            clusters.create_topic(bootstrap, name, partitions=PARTITIONS)
        text = Text(bootstrap, topic)
        programs = [
            stack.enter_context(running(bootstrap, topic, tmp_path / f"state-{number}"))
            for number in range(2)
        ]
        for number in range(6):
            text.send(30)
            victim = NODES[number % len(NODES)]
            three.kill(victim)
            text.send(30)
            wait_until_counted(bootstrap, topic, text, programs[0])
            three.restart(victim)
            for name in (topic, f"{topic}-out", "__transaction_state", "__consumer_offsets"):
                clusters.wait_for_all_in_sync(bootstrap, name, SECONDS)
            at = number % 2
            text.send(10)
            programs[at].close()
            programs[at] = stack.enter_context(running(bootstrap, topic, tmp_path / f"state-{at}"))
        text.send(10)
        wait_until_counted(bootstrap, topic, text, programs[0])
