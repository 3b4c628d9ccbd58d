"""Writers that go on while brokers die, one for each client.

Each sends numbers from 0 on to every partition of its topic, with ``acks=all`` and idempotence, a round every
20 ms. At the end everything it sent is acknowledged, and the log must hold exactly that, in order.
The programs in Go and JavaScript do the same behind the ops ``write``, ``written`` and ``stop_writing``.
"""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import threading
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

from aiokafka import AIOKafkaProducer
from confluent_kafka import KafkaError, Message, TopicPartition

from clientkit import java, rdkafka
from clientkit.lines import LineClient

PAUSE_SECONDS = 0.02
END_SECONDS_MAX = 60.0


class Writer:
    """``acked`` counts by partition; ``gap_ms`` is the longest time between two acknowledgements."""

    def __init__(self, topic: str, partitions: int) -> None:
        self.topic = topic
        self.partitions = partitions
        self.acked: Counter[int] = Counter()
        self.errors: list[str] = []
        self.gap_ms = 0
        self._last_ack = 0.0

    def look(self) -> None:
        """Bring the counts up to date."""

    def finish(self) -> None:
        """Send no more; until all that was sent is acknowledged."""
        raise RuntimeError("each client has its own way")

    def on_ack(self, partition: int) -> None:
        now = time.monotonic()
        if self._last_ack:
            self.gap_ms = max(self.gap_ms, int(1000 * (now - self._last_ack)))
        self._last_ack = now
        self.acked[partition] += 1

    def wait_for(self, more: int, seconds: float) -> None:
        """Until so many more are acknowledged on every partition."""
        self.look()
        goal = {partition: self.acked[partition] + more for partition in range(self.partitions)}
        deadline = time.monotonic() + seconds
        pause = threading.Event()
        while any(self.acked[partition] < count for partition, count in goal.items()):
            assert not self.errors, f"{self.topic}: {self.errors[:3]}"
            assert time.monotonic() < deadline, f"{self.topic} is stuck at {dict(self.acked)}, wanted {goal}"
            pause.wait(0.05)
            self.look()

    def check(self, found: dict[int, list[int]]) -> None:
        """What the log must hold."""
        assert not self.errors, f"{self.topic}: {self.errors[:3]}"
        for partition, numbers in found.items():
            assert numbers == list(range(self.acked[partition])), (
                f"{self.topic}-{partition}: {trouble(numbers)}"
            )


def trouble(numbers: list[int]) -> str:
    """Where a row of numbers is not one after the other."""
    steps = [(a, b) for a, b in pairwise(numbers) if b != a + 1]
    return f"{len(numbers)} records, steps {steps[:5]}"


def numbers_in(bootstrap: str, topic: str, partitions: int) -> dict[int, list[int]]:
    places = [TopicPartition(topic, partition, 0) for partition in range(partitions)]
    found = rdkafka.messages_of(bootstrap, places)
    return {
        partition: [int(message.value()) for message in messages]
        for (_, partition), messages in found.items()
    }


class LineWriter(Writer):
    """In a program of another language."""

    def __init__(self, client: LineClient, topic: str, partitions: int, **options: Any) -> None:
        super().__init__(topic, partitions)
        self._client = client
        client.call("write", topic=topic, partitions=partitions, **options)

    def look(self) -> None:
        self._take(self._client.call("written", topic=self.topic))

    def finish(self) -> None:
        self._take(self._client.call("stop_writing", topic=self.topic))

    def _take(self, state: dict[str, Any]) -> None:
        self.acked = Counter({int(partition): count for partition, count in state["acked"].items()})
        self.errors = state["errors"]
        self.gap_ms = state["gap_ms"]


class ThreadWriter(Writer):
    def __init__(self, bootstrap: str, topic: str, partitions: int) -> None:
        super().__init__(topic, partitions)
        self._bootstrap = bootstrap
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._guarded, daemon=True)
        self._thread.start()

    def finish(self) -> None:
        self._stopping.set()
        self._thread.join(END_SECONDS_MAX)
        assert not self._thread.is_alive(), f"{self.topic}: not flushed in {END_SECONDS_MAX:.0f} s"

    def _guarded(self) -> None:
        try:
            self.run()
        except Exception as error:  # noqa: BLE001 - the test says it, whatever it is
            self.errors.append(repr(error))

    def run(self) -> None:
        raise RuntimeError("each client has its own way")


class Librdkafka(ThreadWriter):
    def run(self) -> None:
        settings = {"enable_idempotence": True, "linger_ms": 1, "message_timeout_ms": 120_000}
        producer = rdkafka.producer(self._bootstrap, **settings)

        def report(error: KafkaError | None, message: Message) -> None:
            if error is None:
                self.on_ack(message.partition())
            else:
                self.errors.append(str(error))

        number = 0
        while not self._stopping.wait(PAUSE_SECONDS):
            for partition in range(self.partitions):
                producer.produce(self.topic, b"%d" % number, partition=partition, on_delivery=report)
            producer.poll(0)
            number += 1
        left = producer.flush(END_SECONDS_MAX)
        if left:
            self.errors.append(f"{left} records not delivered")


class Aiokafka(ThreadWriter):
    def run(self) -> None:
        asyncio.run(self._run())

    async def _run(self) -> None:
        producer = AIOKafkaProducer(
            bootstrap_servers=self._bootstrap,
            enable_idempotence=True,
            acks="all",
            linger_ms=1,
            request_timeout_ms=20_000,
            retry_backoff_ms=50,
        )
        await producer.start()
        try:
            number = 0
            while not self._stopping.is_set():
                for partition in range(self.partitions):
                    sent = await producer.send(self.topic, b"%d" % number, partition=partition)
                    sent.add_done_callback(self._done)
                number += 1
                await asyncio.to_thread(self._stopping.wait, PAUSE_SECONDS)
            await asyncio.wait_for(producer.flush(), END_SECONDS_MAX)
            await asyncio.sleep(0)  # the last callbacks
        finally:
            await producer.stop()

    def _done(self, future: Any) -> None:
        error = future.exception()
        if error is None:
            self.on_ack(future.result().partition)
        else:
            self.errors.append(repr(error))


class Verifiable:
    """A tool of Kafka's that runs until it is told to end, in a JVM of its own.

    ``lines`` is what it has printed, ``events`` those of them that are JSON.
    """

    def __init__(self, tool: str, *arguments: str) -> None:
        command = [
            java.java(),
            *java.JVM_OPTIONS,
            "-cp",
            f"{java.jars()}/*",
            f"org.apache.kafka.tools.{tool}",
        ]
        self.launch([*command, *arguments])

    def launch(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.lines: list[str] = []
        self.events: list[dict[str, Any]] = []
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self.lines.append(line)
                if line.startswith("{"):
                    self.events.append(json.loads(line))

    def finish(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(END_SECONDS_MAX)
        self._thread.join(END_SECONDS_MAX)

    @property
    def code(self) -> int | None:
        """How it ended, if it has."""
        return self._process.poll()

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._thread.join(END_SECONDS_MAX)


class JavaWriter(Writer):
    """``kafka-verifiable-producer``: one row of numbers, spread over the partitions by their keys."""

    def __init__(
        self,
        bootstrap: str,
        topic: str,
        partitions: int,
        folder: Path,
        settings: dict[str, str] | None = None,
    ) -> None:
        super().__init__(topic, partitions)
        config = folder / f"{topic}.properties"
        # The tool turns retries off unless told otherwise.
        rows = {"retries": str(2**31 - 1), "enable.idempotence": "true", **(settings or {})}
        config.write_text("".join(f"{key}={value}\n" for key, value in rows.items()))
        words = ["--bootstrap-server", bootstrap, "--topic", topic, "--throughput", "100", "--acks", "-1"]
        words += ["--repeating-keys", "30"]  # some for every partition
        self.tool = Verifiable("VerifiableProducer", *words, "--command-config", str(config))
        self._looked_at = 0
        self._last_ms = 0
        self.sent: list[int] = []

    def look(self) -> None:
        events = self.tool.events
        for event in events[self._looked_at : len(events)]:
            self._looked_at += 1
            if event["name"] == "producer_send_success":
                self.acked[event["partition"]] += 1
                self.sent.append(int(event["value"]))
                if self._last_ms:
                    self.gap_ms = max(self.gap_ms, event["timestamp"] - self._last_ms)
                self._last_ms = event["timestamp"]
            elif event["name"] == "producer_send_error":
                self.errors.append(event["message"])

    def finish(self) -> None:
        self.tool.finish()
        self.look()

    def check(self, found: dict[int, list[int]]) -> None:
        assert not self.errors, f"{self.topic}: {self.errors[:3]}"
        assert {partition: len(numbers) for partition, numbers in found.items()} == {
            partition: self.acked[partition] for partition in range(self.partitions)
        }
        for partition, numbers in found.items():
            assert numbers == sorted(set(numbers)), f"{self.topic}-{partition} is not in order"
        everything = sorted(number for numbers in found.values() for number in numbers)
        assert everything == list(range(len(everything))) == sorted(self.sent), self.topic
