"""``spark.readStream.format("riverlog")``: batches, limits, restarts, and trouble that does not stay in the
checkpoint."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import ConsumerGroupTopicPartitions, TopicPartition
from confluent_kafka.admin import NewPartitions
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming import StreamingQuery

import riverlog.pipeline
from riverlog.testing import TestBroker
from tests.unit.pipeline.source_world import WAIT, World

Batches = list[tuple[int, list[int]]]


@pytest.fixture(scope="module")
def world(spark_broker: TestBroker) -> Iterator[World]:
    with World(spark_broker.bootstrap) as known:
        yield known


def stream(spark: SparkSession, world: World, **given: object) -> DataFrame:
    reader = spark.readStream.format("riverlog").option("kafka.bootstrap.servers", world.bootstrap)
    for name, value in given.items():
        reader = reader.option(name, str(value))
    return reader.load().selectExpr("cast(cast(value as string) as int) n")


def start(rows: DataFrame, folder: Path, into: Batches, **trigger: Any) -> StreamingQuery:
    def note(batch: DataFrame, number: int) -> None:
        into.append((number, sorted(row.n for row in batch.collect())))

    writer = rows.writeStream.foreachBatch(note).option("checkpointLocation", str(folder))
    return (writer.trigger(**trigger) if trigger else writer).start()


def finish(rows: DataFrame, folder: Path) -> Batches:
    """Everything that is there now."""
    found: Batches = []
    query = start(rows, folder, found, availableNow=True)
    assert query.awaitTermination(60)
    return found


def until(query: StreamingQuery, condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT
    while not condition():
        problem = query.exception()
        assert problem is None, problem
        assert time.monotonic() < deadline, "it did not come about"


def read(batches: Batches) -> list[int]:
    return sorted(n for _, rows in batches for n in rows)


def test_available_now_reads_all_in_limited_batches_and_goes_on_after_a_restart(
    spark: SparkSession, world: World, tmp_path: Path
) -> None:
    topic = world.topic(2)
    world.produce(topic, range(100))
    world.produce(topic, range(100, 120), partition=1)
    rows = stream(spark, world, subscribe=topic, startingOffsets="earliest", maxOffsetsPerTrigger=50)
    found = finish(rows, tmp_path)
    assert read(found) == list(range(120))
    assert [len(batch) for _, batch in found] == [49, 49, 22]
    world.produce(topic, range(120, 130))
    assert finish(rows, tmp_path) == [(3, list(range(120, 130)))]
    assert finish(rows, tmp_path) == []


def test_a_running_query_takes_in_new_partitions_and_topics(
    spark: SparkSession, world: World, tmp_path: Path
) -> None:
    first = world.topic(name="running-1")
    world.produce(first, [-1])
    found: Batches = []
    query = start(stream(spark, world, subscribePattern="running-.*"), tmp_path, found)
    try:
        # It starts at latest; its first batch holds that, and no rows.
        until(query, lambda: len(found) == 1)
        world.produce(first, [1])
        until(query, lambda: read(found) == [1])
        world.admin.create_partitions([NewPartitions(first, 2)])[first].result(WAIT)
        world.produce(first, [2], partition=1)
        second = world.topic(name="running-2")
        world.produce(second, [3])
        until(query, lambda: read(found) == [1, 2, 3])
    finally:
        query.stop()


def test_a_batch_that_failed_is_run_again_with_the_same_rows(
    spark: SparkSession, world: World, tmp_path: Path
) -> None:
    topic = world.topic()
    world.produce(topic, range(10))
    rows = stream(spark, world, subscribe=topic, startingOffsets="earliest")

    def fail(batch: DataFrame, number: int) -> None:
        raise RuntimeError("the first batch does not go well")

    query = rows.writeStream.foreachBatch(fail).option("checkpointLocation", str(tmp_path)).start()
    with pytest.raises(StreamingQueryException, match="does not go well"):
        query.awaitTermination(60)
    # Spark keeps where the batch ends, not where the query started: that must be in its end.
    world.produce(topic, range(10, 15))
    later = stream(spark, world, subscribe=topic, startingOffsets="latest")
    assert finish(later, tmp_path) == [(0, list(range(10))), (1, list(range(10, 15)))]


def test_lost_records_stop_the_query_and_the_checkpoint_stays_good(
    spark: SparkSession, world: World, tmp_path: Path
) -> None:
    topic = world.topic()
    world.produce(topic, range(10))
    rows = stream(spark, world, subscribe=topic, startingOffsets="earliest")
    assert len(read(finish(rows, tmp_path))) == 10
    world.produce(topic, range(10, 20))
    world.admin.delete_records([TopicPartition(topic, 0, 15)])[TopicPartition(topic, 0)].result(WAIT)
    for _ in range(2):
        with pytest.raises(StreamingQueryException, match=r"offsets 10 to 14 .* are gone: it starts at 15"):
            finish(rows, tmp_path)
    careless = stream(spark, world, subscribe=topic, failOnDataLoss="false")
    assert read(finish(careless, tmp_path)) == list(range(15, 20))
    world.delete(topic)
    world.topic(name=topic)
    world.produce(topic, [77])
    with pytest.raises(StreamingQueryException, match="was deleted and created again"):
        finish(rows, tmp_path)
    assert read(finish(careless, tmp_path)) == [77]
    assert finish(rows, tmp_path) == []  # careful again


def test_a_wrong_option_is_mended_without_a_new_checkpoint(
    spark: SparkSession, world: World, tmp_path: Path
) -> None:
    topic = world.topic()
    world.produce(topic, range(5))
    with pytest.raises(Exception, match="did you mean maxOffsetsPerTrigger"):
        finish(stream(spark, world, subscribe=topic, maxOffsetPerTrigger=5), tmp_path)
    rows = stream(spark, world, subscribe=topic, startingOffsets="earliest")
    assert read(finish(rows, tmp_path)) == list(range(5))


def test_progress_has_the_lag_and_the_group_the_offsets(
    spark: SparkSession, world: World, tmp_path: Path
) -> None:
    topic = world.topic(2)
    world.produce(topic, range(30))
    told: dict[str, dict[tuple[str, int], int]] = {}
    listener = riverlog.pipeline.lag_listener(told.__setitem__)
    spark.streams.addListener(listener)
    try:
        rows = stream(
            spark,
            world,
            subscribe=topic,
            startingOffsets="earliest",
            maxOffsetsPerTrigger=20,
            commitGroup="shown-elsewhere",
        )
        found: Batches = []
        query = start(rows, tmp_path, found, availableNow=True)
        assert query.awaitTermination(60)
        lags = [riverlog.pipeline.lag(progress) for progress in query.recentProgress]
        assert {(topic, 0): 10, (topic, 1): 0} in lags
        assert lags[-1] == {(topic, 0): 0, (topic, 1): 0}
        until(query, lambda: told.get(str(query.id)) == lags[-1])
    finally:
        spark.streams.removeListener(listener)
    wanted = [ConsumerGroupTopicPartitions("shown-elsewhere")]
    answer = world.admin.list_consumer_group_offsets(wanted)["shown-elsewhere"].result(WAIT)
    committed = {(row.topic, row.partition): row.offset for row in answer.topic_partitions}
    assert committed == {(topic, 0): 30, (topic, 1): 0}


def test_the_checkpoint_can_be_read_by_people(spark: SparkSession, world: World, tmp_path: Path) -> None:
    topic = world.topic()
    world.produce(topic, range(3))
    finish(stream(spark, world, subscribe=topic, startingOffsets="earliest"), tmp_path)
    *_, line = (tmp_path / "offsets" / "0").read_text().splitlines()
    offset = json.loads(line)
    assert offset["topics"][topic]["offsets"] == {"0": 3}
    assert offset["from"][topic]["offsets"] == {"0": 0}
