"""Spark writes: batches and streams, restarts and replays, and what a user can get wrong.

What is in a topic is read by librdkafka with ``read_committed``.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from confluent_kafka import Consumer, Message, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic
from e2ekit.spark_processes import python_workers
from e2ekit.waiting import wait_until

from riverlog.pipeline import forget_query, list_queries, update_sink
from riverlog.testing import TestBroker

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming import StreamingQuery

pytestmark = pytest.mark.timeout(300)
WAIT = 120.0


class Place:
    """A broker, a session, and topics and a checkpoint of one test's own."""

    def __init__(self, spark: SparkSession, bootstrap: str, name: str, folder: Path) -> None:
        self.spark = spark
        self.bootstrap = bootstrap
        self.source = f"{name}-in"
        self.target = f"{name}-out"
        self.checkpoint = folder / "checkpoint"
        admin = AdminClient({"bootstrap.servers": bootstrap})
        for made in admin.create_topics([NewTopic(self.source, 3, 1), NewTopic(self.target, 3, 1)]).values():
            made.result(WAIT)
        self.produced = 0

    def produce(self, count: int) -> None:
        """Numbers that follow each other, with a key each."""
        producer = Producer({"bootstrap.servers": self.bootstrap, "linger.ms": 5})
        for number in range(self.produced, self.produced + count):
            producer.produce(self.source, key=f"k{number % 11}", value=str(number))
            producer.poll(0)
        assert producer.flush(WAIT) == 0
        self.produced += count

    def input(self, **options: Any) -> DataFrame:
        reader = self.spark.readStream.format("riverlog").option("kafka.bootstrap.servers", self.bootstrap)
        reader = reader.option("subscribe", self.source).option("startingOffsets", "earliest")
        return reader.options(**options).load()

    def start(self, rows: DataFrame, *, mode: str = "append", **options: Any) -> StreamingQuery:
        writer = rows.writeStream.format("riverlog").option("kafka.bootstrap.servers", self.bootstrap)
        writer = writer.option("topic", self.target).option("checkpointLocation", str(self.checkpoint))
        return writer.options(**options).outputMode(mode).trigger(availableNow=True).start()

    def run(self, rows: DataFrame, *, mode: str = "append", **options: Any) -> StreamingQuery:
        """To the end of what is there now."""
        query = self.start(rows, mode=mode, **options)
        query.awaitTermination(int(WAIT))
        assert not query.isActive, "the query is not done in time"
        return query

    def uncommit(self) -> int:
        """Make Spark believe that the last batch was not done; answers its number."""
        commits = self.checkpoint / "commits"
        last = max(int(path.name) for path in commits.iterdir() if path.name.isdecimal())
        (commits / str(last)).unlink()
        (commits / f".{last}.crc").unlink(missing_ok=True)
        return last

    def found(self) -> list[Message]:
        return read_committed(self.bootstrap, self.target)

    def values(self) -> Counter[str]:
        return Counter((message.value() or b"").decode() for message in self.found())


def read_committed(bootstrap: str, topic: str) -> list[Message]:
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": "unused",
            "isolation.level": "read_committed",
            "enable.auto.commit": False,
            "enable.partition.eof": True,
        }
    )
    found: list[Message] = []
    try:
        partitions = consumer.list_topics(topic, WAIT).topics[topic].partitions
        consumer.assign([TopicPartition(topic, index, 0) for index in partitions])
        at_end: set[int | None] = set()
        while len(at_end) < len(partitions):
            message = consumer.poll(WAIT)
            assert message is not None
            if message.error() is None:
                found.append(message)
            else:
                at_end.add(message.partition())
    finally:
        consumer.close()
    return found


def once(count: int) -> Counter[str]:
    return Counter(dict.fromkeys(map(str, range(count)), 1))


@pytest.fixture
def place(
    spark: SparkSession, spark_broker: TestBroker, request: pytest.FixtureRequest, tmp_path: Path
) -> Place:
    name = "".join(letter if letter.isalnum() else "-" for letter in request.node.name)[:100]
    return Place(spark, spark_broker.bootstrap, name, tmp_path)


# ---------------------------------------------------------------- streams


def test_a_stream_goes_on_from_its_checkpoint_and_a_replayed_batch_is_left_out(place: Place) -> None:
    query = None
    for _ in range(2):
        place.produce(500)
        query = place.run(place.input())
    assert place.values() == once(1000)
    assert place.uncommit() == 1
    place.run(place.input())
    assert place.values() == once(1000), "the second batch was run again"
    place.produce(10)
    place.run(place.input())
    assert place.values() == once(1010)
    assert query is not None
    assert str(query.id) in {row.query for row in list_queries(place.bootstrap)}
    keys = {message.value(): message.key() for message in place.found()}
    assert keys[b"25"] == b"k3"


def test_a_shuffled_stateful_query_is_replayed_without_a_trace(place: Place) -> None:
    def distinct() -> DataFrame:
        return place.input().selectExpr("CAST(value AS STRING) AS value").dropDuplicates(["value"])

    for again in (0, 60):
        place.produced -= again
        place.produce(100)
        place.run(distinct())
    assert place.values() == once(140)
    place.uncommit()
    place.run(distinct())
    assert place.values() == once(140)


def test_updates_are_written_exactly_once_by_foreach_batch(place: Place) -> None:
    def run() -> None:
        rows = place.input().selectExpr("CAST(key AS STRING) AS key")
        counts = rows.groupBy("key").count().selectExpr("key", "CAST(count AS STRING) AS value")
        writer = counts.writeStream.outputMode("update").trigger(availableNow=True)
        options = {"kafka.bootstrap.servers": place.bootstrap, "topic": place.target}
        writer = writer.foreachBatch(update_sink(options))
        query = writer.option("checkpointLocation", str(place.checkpoint)).start()
        query.awaitTermination(int(WAIT))
        assert not query.isActive

    for _ in range(2):
        place.produce(110)
        run()
    place.uncommit()
    run()
    found = Counter((message.key(), message.value()) for message in place.found())
    assert found == Counter({(f"k{n}".encode(), total): 1 for n in range(11) for total in (b"10", b"20")})
    (query,) = {row.query for row in list_queries(place.bootstrap) if place.target in row.query}
    assert forget_query(place.bootstrap, query.partition(".")[0]) == 2


def test_complete_results_are_written_anew_each_time(place: Place) -> None:
    for _ in range(2):
        place.produce(10)
        counted = place.input().groupBy().count().selectExpr("CAST(count AS STRING) AS value")
        place.run(counted, mode="complete")
    assert place.values() == {"10": 1, "20": 1}


def test_rows_say_where_they_go(place: Place) -> None:
    place.produce(30)
    rows = place.input(includeHeaders="true").selectExpr(
        f"'{place.target}' AS topic",
        "CAST(CAST(CAST(value AS STRING) AS INT) % 3 AS INT) AS partition",
        "value",
        "array(named_struct('key', 'from', 'value', CAST(topic AS BINARY))) AS headers",
        "timestamp_millis(1700000000123) AS timestamp",
    )
    writer = rows.writeStream.format("riverlog").option("kafka.bootstrap.servers", place.bootstrap)
    query = writer.option("checkpointLocation", str(place.checkpoint)).trigger(availableNow=True).start()
    query.awaitTermination(int(WAIT))
    found = place.found()
    assert len(found) == 30
    for message in found:
        assert message.partition() == int(message.value() or b"") % 3
        assert message.headers() == [("from", place.source.encode())]
        assert message.timestamp()[1] == 1700000000123


@pytest.mark.parametrize(("delivery", "times"), [("at-least-once", 2), ("at-most-once", 1)])
def test_other_deliveries_when_a_batch_is_run_again(place: Place, delivery: str, times: int) -> None:
    place.produce(20)
    place.run(place.input(), delivery=delivery)
    place.uncommit()
    place.run(place.input(), delivery=delivery)
    assert place.values() == {str(number): times for number in range(20)}


def test_the_rate_source_is_written_exactly_once_over_restarts(place: Place) -> None:
    for batches in (2, 4):
        rows = place.spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 50).load()
        rows = rows.selectExpr("CAST(value AS STRING) AS value").repartition(3)
        writer = rows.writeStream.format("riverlog").option("kafka.bootstrap.servers", place.bootstrap)
        writer = writer.option("topic", place.target).option("checkpointLocation", str(place.checkpoint))
        query = writer.start()
        progressed(query, batches)
        query.stop()
        found = place.values()
        assert found == once(len(found))
        assert len(found) >= 50 * batches


def progressed(query: StreamingQuery, batch: int) -> None:
    def done() -> bool:
        problem = query.exception()
        if problem is not None:
            raise problem
        return query.lastProgress is not None and query.lastProgress["batchId"] >= batch

    wait_until(done, WAIT, f"batch {batch} is done")


def test_a_killed_python_worker_leaves_nothing_half_done(place: Place) -> None:
    place.produce(2000)
    slow = place.input().selectExpr(
        "key", "repeat(CAST(value AS STRING), 1) AS value", "explode(sequence(1, 300)) AS n"
    )
    query = place.start(slow.drop("n"))
    wait_until(lambda: uncommitted(place) > 0 or not query.isActive, WAIT, "the first rows are on their way")
    killed = python_workers(os.getpid())
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    assert killed
    wait_until(lambda: not query.isActive, WAIT, "the query notices or is done")
    place.run(slow.drop("n"))
    assert place.values() == {str(number): 300 for number in range(2000)}


def uncommitted(place: Place) -> int:
    """How many records are in the log, committed or not."""
    consumer = Consumer({"bootstrap.servers": place.bootstrap, "group.id": "unused"})
    try:
        return sum(consumer.get_watermark_offsets(TopicPartition(place.target, n), WAIT)[1] for n in range(3))
    finally:
        consumer.close()


# ---------------------------------------------------------------- what is refused


@pytest.fixture
def adaptive(spark: SparkSession) -> Iterator[None]:
    name = "spark.sql.adaptive.streaming.stateless.enabled"
    before = spark.conf.get(name)
    spark.conf.set(name, "true")
    yield
    spark.conf.set(name, before)


@pytest.mark.usefixtures("adaptive")
def test_adaptive_execution_is_refused_and_the_checkpoint_goes_on_without_it(place: Place) -> None:
    place.produce(10)
    fails(place.start(place.input()), "adaptive execution may cut a batch differently")
    assert place.values() == {}
    place.spark.conf.set("spark.sql.adaptive.streaming.stateless.enabled", "false")
    place.run(place.input())
    assert place.values() == once(10)


def fails(query: StreamingQuery, told: str) -> None:
    from pyspark.errors import StreamingQueryException

    with pytest.raises(StreamingQueryException, match=told):
        query.awaitTermination(int(WAIT))


MISTAKES: list[tuple[Callable[[DataFrame], DataFrame], dict[str, str], str]] = [
    (lambda rows: rows.select("key"), {}, "need a column value"),
    (lambda rows: rows.selectExpr("length(value) AS value"), {}, "column value of rows to write is int"),
    (lambda rows: rows, {"topik": "x"}, "unknown option topik; did you mean topic"),
    (lambda rows: rows, {"kafka.acks": "1"}, "delivery=exactly-once needs kafka.acks=all"),
    (lambda rows: rows, {"kafka.transaction.timeout.ms": "90000000"}, "transaction.max.timeout.ms"),
]


@pytest.mark.parametrize("mistake", range(len(MISTAKES)))
def test_mistakes_are_told_in_one_line_and_leave_the_checkpoint_good(place: Place, mistake: int) -> None:
    change, options, told = MISTAKES[mistake]
    place.produce(10)
    fails(place.start(change(place.input()), **options), told)
    assert place.values() == {}
    place.run(place.input())
    assert place.values() == once(10)


def test_a_replay_that_gives_other_rows_is_refused(place: Place) -> None:
    place.produce(100)
    place.run(place.input())
    place.uncommit()
    fails(place.start(place.input().filter("CAST(value AS STRING) != '55'")), "checkReplays=false")
    place.run(place.input())
    assert place.values() == once(100)


# ---------------------------------------------------------------- batches


@pytest.mark.parametrize("delivery", [None, "exactly-once"])
def test_a_batch_is_appended(place: Place, delivery: str | None) -> None:
    rows = place.spark.range(1000).repartition(4).selectExpr("CAST(id AS STRING) AS value")
    writer = rows.write.format("riverlog").option("kafka.bootstrap.servers", place.bootstrap)
    if delivery is not None:
        writer = writer.option("delivery", delivery)
    writer.option("topic", place.target).mode("append").save()
    assert place.values() == once(1000)
    jobs = {row.query for row in list_queries(place.bootstrap) if row.query.startswith("job-")}
    assert jobs == set(), "nobody will ask what the job committed"


def test_a_topic_cannot_be_overwritten(place: Place) -> None:
    from pyspark.errors import AnalysisException

    rows = place.spark.range(3).selectExpr("CAST(id AS STRING) AS value")
    writer = rows.write.format("riverlog").option("kafka.bootstrap.servers", place.bootstrap)
    writer = writer.option("topic", place.target)
    with pytest.raises(AnalysisException, match="a topic cannot be overwritten, only appended to"):
        writer.mode("overwrite").save()
    with pytest.raises(AnalysisException, match="Append"):
        writer.mode("errorifexists").save()
    assert place.values() == {}


def test_the_checkpoint_of_another_query_is_another_query(place: Place) -> None:
    place.produce(10)
    place.run(place.input())
    shutil.rmtree(place.checkpoint)
    place.run(place.input())
    assert place.values() == {str(number): 2 for number in range(10)}
