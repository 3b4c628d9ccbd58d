"""The part of ``riverlog demo`` with Spark: orders are counted exactly once while a broker dies.

Three brokers, each a process; an ordinary Kafka client (librdkafka) writes orders and reads the counts; a
Spark query in between counts orders per customer from one topic into another. After each micro-batch it
writes the counts of all customers. So every customer must have as many counts as there were batches, none
smaller than the one before, and the last must be the number of orders acknowledged.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn

from riverlog.cli.demo import DemoFailed

if TYPE_CHECKING:
    from confluent_kafka import KafkaError, Message
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

    from riverlog.testing import TestCluster

ORDERS = "orders"
COUNTS = "order-counts"
PARTITIONS = 4
CUSTOMERS = 100
_STEP_SECONDS_MAX = 90.0
_POLL_SECONDS = 0.2
_SPARK = {
    "spark.ui.enabled": "false",
    "spark.driver.memory": "1g",
    # Compiling everything twice does not pay in a minute.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
}


def missing() -> str | None:
    """Why there is no Spark here, in one line; None if there is."""
    from riverlog.pipeline.errors import PipelineError
    from riverlog.pipeline.java import java_home
    from riverlog.pipeline.versions import check_packages

    try:
        check_packages()
        java_home(os.environ)
    except PipelineError as reason:
        return str(reason)
    return None


class Orders:
    """An idempotent producer with acks=all that remembers what was acknowledged, per customer."""

    def __init__(self, bootstrap: str) -> None:
        from confluent_kafka import Producer

        self.acknowledged: Counter[str] = Counter()
        self.failures: list[str] = []
        self._next = 0
        self._producer = Producer(
            {
                "bootstrap.servers": bootstrap,
                "enable.idempotence": True,
                "linger.ms": 5,
                "reconnect.backoff.max.ms": 500,
                "message.timeout.ms": int(_STEP_SECONDS_MAX * 1000),
                "log_level": 0,
            }
        )

    def send(self, count: int) -> None:
        """Send the next orders, and wait until they are acknowledged."""
        for number in range(self._next, self._next + count):
            customer = f"customer-{number * 7919 % CUSTOMERS}"
            order = json.dumps({"order": number, "amount": number % 90 + 10})
            self._send(customer, order)
        self._next += count
        left = self._producer.flush(_STEP_SECONDS_MAX)
        if left:
            raise DemoFailed(f"{left:,} orders were not acknowledged in {_STEP_SECONDS_MAX:.0f} s")
        if self.failures:
            raise DemoFailed(f"{len(self.failures):,} orders failed, the first with: {self.failures[0]}")

    def _send(self, customer: str, order: str) -> None:
        def delivered(error: KafkaError | None, _message: Message) -> None:
            if error is not None:
                self.failures.append(str(error))
            else:
                self.acknowledged[customer] += 1

        deadline = time.monotonic() + _STEP_SECONDS_MAX
        while True:
            try:
                self._producer.produce(ORDERS, order, customer, on_delivery=delivered)
            except BufferError:  # the queue is full: wait for acknowledgements
                if time.monotonic() > deadline:
                    raise DemoFailed("the cluster acknowledges nothing any more") from None
                self._producer.poll(0.05)
            else:
                break
        self._producer.poll(0)


class Counts:
    """The topic of counts as any consumer sees it: what is committed, from the beginning."""

    def __init__(self, bootstrap: str) -> None:
        from confluent_kafka import Consumer, TopicPartition

        self.latest: dict[str, int] = {}
        self.told: Counter[str] = Counter()
        """How often each customer's count was written."""
        self._ended: set[int] = set()
        self._consumer = Consumer(
            {
                "bootstrap.servers": bootstrap,
                "group.id": "demo",
                "enable.auto.commit": False,
                "isolation.level": "read_committed",
                "enable.partition.eof": True,
                "log_level": 0,
            }
        )
        self._consumer.assign([TopicPartition(COUNTS, number, 0) for number in range(PARTITIONS)])

    @property
    def total(self) -> int:
        """Orders counted so far."""
        return sum(self.latest.values())

    @property
    def at_end(self) -> bool:
        return len(self._ended) == PARTITIONS

    def poll(self) -> None:
        """Take what has come, or wait for it a little."""
        from confluent_kafka import KafkaError

        for message in self._consumer.consume(1000, timeout=_POLL_SECONDS):
            error = message.error()
            if error is None:
                self.take((message.key() or b"").decode(), int(message.value() or b"0"))
            elif error.code() == KafkaError._PARTITION_EOF:
                self._ended.add(message.partition() or 0)

    def take(self, customer: str, count: int) -> None:
        before = self.latest.get(customer, 0)
        if count < before:
            raise DemoFailed(f"{customer} has {count:,} orders after {before:,}: an older count came again")
        self.latest[customer] = count
        self.told[customer] += 1

    def close(self) -> None:
        self._consumer.close()


def verify(acknowledged: Counter[str], latest: dict[str, int], told: Counter[str], batches: int) -> None:
    """Every order is counted once, and every batch is there once."""
    for customer in sorted({*acknowledged, *latest}):
        sent, counted = acknowledged[customer], latest.get(customer, 0)
        if sent != counted:
            raise DemoFailed(f"{customer} has {sent:,} orders, and {counted:,} were counted")
        if told[customer] != batches:
            raise DemoFailed(f"{customer} was counted in {told[customer]} batches, and there were {batches}")


class SparkDemo:
    """The steps, told while they happen."""

    def __init__(self, console: Console, folder: Path, orders: int) -> None:
        self._console = console
        self._folder = folder
        self._orders = orders
        self._acknowledged: Counter[str] = Counter()
        self._checkpoint = folder / "checkpoint"

    def run(self) -> str:
        """All steps; answers its part of the closing line."""
        from riverlog.testing import cluster

        with ExitStack() as stack:
            began = time.perf_counter()
            nodes = stack.enter_context(cluster(3, data_dir=self._folder / "cluster", links=False))
            self._tell(
                f"cluster up in {time.perf_counter() - began:.1f} s: three processes, {nodes.bootstrap}"
            )
            self._create_topics(nodes.bootstrap)
            spark = self._start_spark()
            stack.callback(spark.stop)
            victim = self._work(nodes, spark)
            batches = len(list((self._checkpoint / "commits").glob("[0-9]*")))
            self._read_back(nodes.bootstrap, batches)
        return (
            f"{self._orders:,} orders counted by Spark exactly once in {batches} micro-batches, "
            f"broker {victim} of 3 killed with -9 in between"
        )

    def _tell(self, text: str) -> None:
        self._console.print(f"[green]✓[/] {escape(text)}", highlight=False, soft_wrap=True)

    def _create_topics(self, bootstrap: str) -> None:
        from confluent_kafka.admin import AdminClient
        from confluent_kafka.cimpl import NewTopic

        admin = AdminClient({"bootstrap.servers": bootstrap})
        new = [NewTopic(name, num_partitions=PARTITIONS, replication_factor=3) for name in (ORDERS, COUNTS)]
        for created in admin.create_topics(new).values():
            created.result(_STEP_SECONDS_MAX)
        self._tell(f"topics {ORDERS} and {COUNTS} created: {PARTITIONS} partitions, 3 replicas each")

    def _start_spark(self) -> SparkSession:
        import riverlog.pipeline

        began = time.perf_counter()
        configs = {**_SPARK, "spark.sql.shuffle.partitions": "2"}
        spark = riverlog.pipeline.session("riverlog demo", master="local[2]", configs=configs)
        took = time.perf_counter() - began
        self._tell(f"Spark {spark.version} up in {took:.1f} s, Java of {os.environ['JAVA_HOME']}")
        return spark

    def _start_query(self, spark: SparkSession, bootstrap: str) -> StreamingQuery:
        from pyspark.sql.functions import col

        orders = (
            spark.readStream.format("riverlog")
            .option("kafka.bootstrap.servers", bootstrap)
            .option("subscribe", ORDERS)
            .option("startingOffsets", "earliest")
            .load()
        )
        counts = orders.groupBy(col("key").cast("string").alias("key")).count()
        query = (
            counts.select("key", col("count").cast("string").alias("value"))
            .writeStream.format("riverlog")
            .outputMode("complete")
            .option("kafka.bootstrap.servers", bootstrap)
            .option("topic", COUNTS)
            .option("checkpointLocation", str(self._checkpoint))
            .start()
        )
        self._tell(f"query started: orders per customer, from {ORDERS} into {COUNTS}, exactly once")
        return query

    def _work(self, nodes: TestCluster, spark: SparkSession) -> int:
        """Orders before, during and after the death of a broker; answers which."""
        orders = Orders(nodes.bootstrap)
        self._acknowledged = orders.acknowledged
        first = self._orders // 3
        orders.send(first)  # of all customers, so that the first batch has them all
        self._tell(f"{orders.acknowledged.total():,} orders produced")
        with ExitStack() as stack:
            query = self._start_query(spark, nodes.bootstrap)
            stack.callback(query.stop)
            counts = Counts(nodes.bootstrap)
            stack.callback(counts.close)
            bar = stack.enter_context(self._bar())
            task = bar.add_task("orders counted", total=self._orders)

            def count_all(how: str) -> None:
                wanted = orders.acknowledged.total()
                self._wait(query, counts, wanted, lambda: bar.update(task, completed=counts.total))
                self._tell(f"{counts.total:,} orders counted {how}")

            count_all("by the first micro-batch")
            orders.send(first // 2)  # the query begins to read these
            victim = self._kill_a_leader(nodes)
            orders.send(first - first // 2)
            count_all("with two brokers left")
            nodes.restart(victim)
            self._tell(f"broker {victim} is back on its folder")
            orders.send(self._orders - 2 * first)
            count_all("with three again")
            query.processAllAvailable()
        return victim

    def _bar(self) -> Progress:
        columns = (TextColumn("  {task.description}"), BarColumn(), TextColumn("{task.completed:,.0f}"))
        shown = self._console.is_terminal
        return Progress(*columns, console=self._console, transient=True, disable=not shown)

    def _kill_a_leader(self, nodes: TestCluster) -> int:
        from confluent_kafka.admin import AdminClient

        topics = AdminClient({"bootstrap.servers": nodes.bootstrap}).list_topics(timeout=10).topics
        leads = Counter(part.leader for name in (ORDERS, COUNTS) for part in topics[name].partitions.values())
        victim, count = leads.most_common(1)[0]
        pid = nodes.pid(victim)
        nodes.kill(victim)
        self._console.print(
            f"[red]✗[/] kill -9 {pid}: broker {victim}, which led {count} of {2 * PARTITIONS} partitions, "
            "while the query runs",
            highlight=False,
            soft_wrap=True,
        )
        return victim

    def _wait(self, query: StreamingQuery, counts: Counts, wanted: int, each: Callable[[], object]) -> None:
        deadline = time.monotonic() + _STEP_SECONDS_MAX
        while counts.total < wanted:
            counts.poll()
            each()
            problem = query.exception()
            if problem is not None:
                raise DemoFailed(f"the query ended: {str(problem).strip().splitlines()[0]}")
            if time.monotonic() > deadline:
                raise DemoFailed(
                    f"only {counts.total:,} of {wanted:,} orders were counted in {_STEP_SECONDS_MAX:.0f} s"
                )

    def _read_back(self, bootstrap: str, batches: int) -> None:
        counts = Counts(bootstrap)
        deadline = time.monotonic() + _STEP_SECONDS_MAX
        try:
            while not counts.at_end:
                counts.poll()
                if time.monotonic() > deadline:
                    raise DemoFailed(f"{COUNTS} could not be read to its end in {_STEP_SECONDS_MAX:.0f} s")
        finally:
            counts.close()
        verify(self._acknowledged, counts.latest, counts.told, batches)
        self._tell(
            f"read back from the beginning: {counts.total:,} orders of {len(counts.latest)} customers, each "
            f"counted once; {batches} micro-batches, each there once"
        )
