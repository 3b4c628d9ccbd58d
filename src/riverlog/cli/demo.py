"""``riverlog demo``: the main job end to end, with a verified result.

First a broker in a real process, an ordinary Kafka client (librdkafka) in this one. The broker is killed
with kill -9 in the middle of a load and started again on the same folder; at the end every
acknowledged record must be there, once and in order. Then, where Spark is, ``demo_spark.py``.
"""

from __future__ import annotations

import hashlib
import re
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table

if TYPE_CHECKING:
    from confluent_kafka import KafkaError, Message

TOPIC = "demo"
PARTITIONS = 4
VALUE_BYTES = 100
_READY = re.compile(rb"ready: bootstrap (\S+?),")
_START_SECONDS_MAX = 20.0
_STEP_SECONDS_MAX = 30.0
_QUEUE_RECORDS = 20_000


class DemoFailed(Exception):
    """The demonstration did not hold; the text says what was wrong."""


class BrokerProcess:
    """``riverlog start`` in a process of its own, on a folder that outlives it."""

    def __init__(self, folder: Path) -> None:
        self.bootstrap = ""
        self._folder = folder
        self._log = folder / "broker.log"
        self._port = 0
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        return self._process.pid if self._process else 0

    def start(self) -> float:
        """Start, on the same port as before, and answer the seconds until it can serve."""
        command = [sys.executable, "-m", "riverlog", "start", "--port", str(self._port)]
        command += ["--data-dir", str(self._folder / "data")]
        began = time.perf_counter()
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log)
        self.bootstrap = self._read_address(self._process)
        self._port = int(self.bootstrap.rpartition(":")[2])
        return time.perf_counter() - began

    def _read_address(self, process: subprocess.Popen[bytes]) -> str:
        assert process.stdout is not None
        deadline = time.monotonic() + _START_SECONDS_MAX
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while selector.select(max(0.0, deadline - time.monotonic())):
                line = process.stdout.readline()
                match = _READY.search(line)
                if match:
                    return match[1].decode()
                if not line:
                    break
        self.kill()
        raise DemoFailed(f"the broker did not start: {self._last_words()}")

    def kill(self) -> None:
        """kill -9: nothing is flushed, nothing is said."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(_STEP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()

    def _last_words(self) -> str:
        lines = self._log.read_text("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"


@dataclass
class Part:
    """One partition: what was sent, what was acknowledged, what came back."""

    sent: int = 0
    acknowledged: set[int] = field(default_factory=set)
    read: list[int] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    checksum: str = ""


def value_of(partition: int, number: int) -> bytes:
    """Each record names itself; the rest is filling that a mix-up would change."""
    text = f"{partition}:{number}:"
    filling = hashlib.blake2b(text.encode(), digest_size=48).hexdigest()
    return (text + filling).encode()[:VALUE_BYTES].ljust(VALUE_BYTES, b".")


class Load:
    """An idempotent producer with acks=all; the records are numbered per partition."""

    def __init__(self, bootstrap: str, parts: list[Part]) -> None:
        from confluent_kafka import Producer

        self.acknowledged = 0
        self.failures: list[str] = []
        self._parts = parts
        self._next = 0
        self._producer = Producer(
            {
                "bootstrap.servers": bootstrap,
                "enable.idempotence": True,
                "linger.ms": 5,
                "queue.buffering.max.messages": _QUEUE_RECORDS,
                "reconnect.backoff.ms": 20,
                "reconnect.backoff.max.ms": 200,
                "message.timeout.ms": int(_STEP_SECONDS_MAX * 1000),
                "log_level": 0,
            }
        )

    def send(self, count: int, each: Callable[[], None]) -> None:
        """Send ``count`` records over all partitions in turn; ``each`` is called now and then."""
        for turn in range(count):
            self._send_one(self._next)
            self._next = (self._next + 1) % PARTITIONS
            if turn % 500 == 0:
                each()

    def _send_one(self, partition: int) -> None:
        part = self._parts[partition]
        number = part.sent

        def delivered(error: KafkaError | None, _message: Message) -> None:
            if error is not None:
                self.failures.append(str(error))
            else:
                part.acknowledged.add(number)
                self.acknowledged += 1

        deadline = time.monotonic() + _STEP_SECONDS_MAX
        while True:
            try:
                value = value_of(partition, number)
                self._producer.produce(TOPIC, value, partition=partition, on_delivery=delivered)
            except BufferError:  # the queue is full: wait for acknowledgements
                if time.monotonic() > deadline:
                    raise DemoFailed("the broker acknowledges nothing any more") from None
                self._producer.poll(0.05)
            else:
                break
        part.sent += 1
        self._producer.poll(0)

    def finish(self, each: Callable[[], None]) -> None:
        deadline = time.monotonic() + _STEP_SECONDS_MAX
        while left := self._producer.flush(0.1):
            each()
            if time.monotonic() > deadline:
                raise DemoFailed(f"{left:,} records were not acknowledged in {_STEP_SECONDS_MAX:.0f} s")
        each()
        if self.failures:
            raise DemoFailed(f"{len(self.failures):,} records failed, the first with: {self.failures[0]}")


def read_all(bootstrap: str, parts: list[Part], each: Callable[[int], None]) -> None:
    """Read the topic from its beginning to its end, by assignment."""
    from confluent_kafka import Consumer, TopicPartition

    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "demo", "enable.auto.commit": False})
    try:
        wanted = 0
        for number, part in enumerate(parts):
            part.read, part.offsets = [], []
            low, high = consumer.get_watermark_offsets(TopicPartition(TOPIC, number), timeout=10)
            wanted += high - low
        sums = [hashlib.sha256() for _ in parts]
        consumer.assign([TopicPartition(TOPIC, number, 0) for number in range(len(parts))])
        deadline = time.monotonic() + _STEP_SECONDS_MAX
        seen = 0
        while seen < wanted and time.monotonic() < deadline:
            for message in consumer.consume(5000, timeout=0.2):
                if message.error() is None:
                    _take(message, parts, sums)
                    seen += 1
            each(seen)
        if seen < wanted:
            raise DemoFailed(f"only {seen:,} of {wanted:,} records came back in {_STEP_SECONDS_MAX:.0f} s")
        for part, digest in zip(parts, sums, strict=True):
            part.checksum = digest.hexdigest()
    finally:
        consumer.close()


def _take(message: Message, parts: list[Part], sums: list[hashlib._Hash]) -> None:
    value, partition = message.value() or b"", message.partition() or 0
    part = parts[partition]
    try:
        number = int(value.split(b":", 2)[1])
    except (IndexError, ValueError):
        raise DemoFailed(f"partition {partition} holds something nobody sent: {value[:40]!r}") from None
    part.read.append(number)
    part.offsets.append(message.offset() or 0)
    sums[partition].update(value)


def verify(parts: list[Part]) -> None:
    """Every acknowledged record once, in order, with its own content; offsets without a gap."""
    for number, part in enumerate(parts):
        where = f"partition {number}"
        if part.read != sorted(set(part.read)):
            raise DemoFailed(f"{where}: records came back twice or out of order")
        lost = part.acknowledged.difference(part.read)
        if lost:
            raise DemoFailed(
                f"{where}: {len(lost):,} acknowledged records are lost, the first is {min(lost)}"
            )
        if part.offsets != list(range(len(part.offsets))):
            raise DemoFailed(f"{where}: offsets do not count up from 0")
        expected = hashlib.sha256()
        for each in part.read:
            expected.update(value_of(number, each))
        if expected.hexdigest() != part.checksum:
            raise DemoFailed(f"{where}: the content differs from what was sent")


class Demo:
    """The steps, told while they happen."""

    def __init__(self, console: Console, broker: BrokerProcess, records: int, killed_load: int) -> None:
        self._console = console
        self._broker = broker
        self._records = records
        self._killed_load = killed_load
        self._parts = [Part() for _ in range(PARTITIONS)]

    def run(self) -> str:
        """All steps; answers the closing line."""
        seconds = self._broker.start()
        self._tell(f"broker started in {seconds:.2f} s: {self._broker.bootstrap}, process {self._broker.pid}")
        self._create_topic()
        load = Load(self._broker.bootstrap, self._parts)
        rate = self._produce(load)
        self._tell(
            f"produced {load.acknowledged:,} records of {VALUE_BYTES} B, {rate:,.0f}/s, all acknowledged"
        )
        rate = self._consume()
        self._tell(f"consumed them all, {rate:,.0f}/s; count, order and checksum agree")
        acknowledged, restart = self._kill_in_the_middle(load)
        self._tell(f"all {load.acknowledged:,} records acknowledged, across the kill")
        self._consume()
        self._tell("read back from the beginning: every acknowledged record, once, in order")
        self._broker.stop()
        self._show()
        return (
            f"{load.acknowledged:,} records acknowledged and read back once, in order; killed with -9 after "
            f"{acknowledged:,} of them, back in {restart:.2f} s"
        )

    def _tell(self, text: str) -> None:
        self._console.print(f"[green]✓[/] {escape(text)}", highlight=False)

    def _create_topic(self) -> None:
        from confluent_kafka.admin import AdminClient
        from confluent_kafka.cimpl import NewTopic

        admin = AdminClient({"bootstrap.servers": self._broker.bootstrap})
        new = NewTopic(TOPIC, num_partitions=PARTITIONS, replication_factor=1)
        admin.create_topics([new])[TOPIC].result(10)
        self._tell(f"topic {TOPIC} created with {PARTITIONS} partitions")

    def _bar(self) -> Progress:
        columns = (TextColumn("  {task.description}"), BarColumn(), TextColumn("{task.completed:,.0f}"))
        shown = self._console.is_terminal
        return Progress(*columns, console=self._console, transient=True, disable=not shown)

    def _produce(self, load: Load) -> float:
        with self._bar() as bar:
            task = bar.add_task("producing", total=self._records)
            began = time.perf_counter()

            def each() -> None:
                bar.update(task, completed=load.acknowledged)

            load.send(self._records, each)
            load.finish(each)
            return self._records / (time.perf_counter() - began)

    def _consume(self) -> float:
        with self._bar() as bar:
            total = sum(len(part.acknowledged) for part in self._parts)
            task = bar.add_task("consuming", total=total)
            began = time.perf_counter()
            read_all(self._broker.bootstrap, self._parts, lambda seen: bar.update(task, completed=seen))
            rate = total / (time.perf_counter() - began)
        verify(self._parts)
        return rate

    def _kill_in_the_middle(self, load: Load) -> tuple[int, float]:
        """A second load; the broker dies once a third of it is acknowledged. Answers (count, restart)."""
        before = load.acknowledged
        fate: list[tuple[int, float]] = []
        with self._bar() as bar:
            task = bar.add_task("producing", total=self._killed_load)

            def each() -> None:
                bar.update(task, completed=load.acknowledged - before)
                if not fate and load.acknowledged - before >= self._killed_load // 3:
                    fate.append(self._kill_and_restart(load))

            load.send(self._killed_load, each)
            load.finish(each)
        if not fate:
            raise DemoFailed("the load was over before the broker could be killed")
        return fate[0]

    def _kill_and_restart(self, load: Load) -> tuple[int, float]:
        pid = self._broker.pid
        self._broker.kill()
        acknowledged = load.acknowledged
        self._console.print(
            f"[red]✗[/] kill -9 {pid} in the middle of the next load, {acknowledged:,} records acknowledged",
            highlight=False,
        )
        seconds = self._broker.start()
        self._tell(f"broker is back on the same folder in {seconds:.2f} s, process {self._broker.pid}")
        return acknowledged, seconds

    def _show(self) -> None:
        table = Table(title="what the broker holds", title_justify="left", title_style="bold")
        for name in ("partition", "records", "offsets", "acked", "twice", "lost"):
            table.add_column(name, justify="right")
        table.add_column("sha256")
        for number, part in enumerate(self._parts):
            table.add_row(
                str(number),
                f"{len(part.read):,}",
                f"{part.offsets[0]:,} – {part.offsets[-1]:,}",
                f"{len(part.acknowledged):,}",
                str(len(part.read) - len(set(part.read))),
                str(len(part.acknowledged.difference(part.read))),
                part.checksum[:16],
            )
        self._console.print(table)


def demo(*, records: int = 200_000, killed_load: int = 100_000, orders: int = 60_000) -> int:
    """Show the main job end to end; answers the exit code."""
    console = Console()
    try:
        from confluent_kafka import KafkaException
    except ImportError:
        console.print("riverlog demo needs a Kafka client: pip install 'riverlog[client]'", markup=False)
        return 1
    from riverlog.pipeline.errors import PipelineError
    from riverlog.testing.cluster import ClusterFailed

    folder = Path(tempfile.mkdtemp(prefix="riverlog-demo-"))
    began = time.perf_counter()
    try:
        closing = _one_broker(console, folder / "broker", records, killed_load)
        closing += _with_spark(console, folder / "spark", orders)
    except (DemoFailed, KafkaException, ClusterFailed, PipelineError) as failed:
        console.print(f"demo: FAILED: {failed} (the folder is kept: {folder})", markup=False, soft_wrap=True)
        return 1
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)
    line = f"demo: OK {closing} ({time.perf_counter() - began:.1f} s)"
    console.print(line, style="bold green", highlight=False, soft_wrap=True)
    return 0


def _one_broker(console: Console, folder: Path, records: int, killed_load: int) -> str:
    folder.mkdir()
    broker = BrokerProcess(folder)
    try:
        return Demo(console, broker, records, killed_load).run()
    except BaseException:
        broker.kill()
        raise


def _with_spark(console: Console, folder: Path, orders: int) -> str:
    """The second part; without Spark one line that says what is missing."""
    from riverlog.cli import demo_spark

    reason = demo_spark.missing()
    if reason is not None:
        told = f"- left out, the part with Spark: {reason}"
        console.print(told, markup=False, highlight=False, soft_wrap=True)
        return ""
    folder.mkdir()
    return f"; {demo_spark.SparkDemo(console, folder, orders).run()}"
