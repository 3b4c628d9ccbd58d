"""``spark.read.format("riverlog")``: columns, options, errors as a user of Spark sees them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from riverlog.testing import TestBroker
from tests.unit.pipeline.source_world import World


@pytest.fixture(scope="module")
def world(spark_broker: TestBroker) -> Iterator[World]:
    with World(spark_broker.bootstrap) as known:
        yield known


@pytest.fixture(scope="module")
def orders(world: World) -> str:
    """Four partitions of 500 records each."""
    topic = world.topic(4, name="orders")
    for partition in range(4):
        first, last = partition * 500, partition * 500 + 499
        world.produce(topic, range(first, last), partition=partition)
        world.produce(
            topic,
            [last],
            partition=partition,
            key=b"last",
            timestamp=1_700_000_000_123,
            headers=[("h", b"1")],
        )
    return topic


def load(spark: SparkSession, world: World, **given: object) -> DataFrame:
    reader = spark.read.format("riverlog").option("kafka.bootstrap.servers", world.bootstrap)
    for name, value in given.items():
        reader = reader.option(name, str(value))
    return reader.load()


def numbers(rows: DataFrame) -> list[int]:
    found = rows.select(f.col("value").cast("string").cast("int").alias("n")).collect()
    return sorted(row.n for row in found)


def test_a_topic_is_a_table_with_the_columns_of_sparks_kafka_source(
    spark: SparkSession, world: World, orders: str
) -> None:
    rows = load(spark, world, subscribe=orders, includeHeaders=True)
    assert rows.schema.simpleString() == (
        "struct<key:binary,value:binary,topic:string,partition:int,offset:bigint,timestamp:timestamp,"
        "timestampType:int,headers:array<struct<key:string,value:binary>>>"
    )
    assert numbers(rows) == list(range(2000))
    (row,) = (
        rows.where("partition = 3 and key is not null").selectExpr("*", "unix_millis(timestamp) ms").collect()
    )
    assert (row.topic, row.offset, row.ms, row.timestampType) == (orders, 499, 1_700_000_000_123, 0)
    assert [(header.key, bytes(header.value)) for header in row.headers] == [("h", b"1")]
    assert rows.where("headers is null").count() == 1996


def test_it_is_found_by_name_without_being_registered(spark: SparkSession, world: World, orders: str) -> None:
    other = spark.newSession()
    other.sql(
        "CREATE TEMPORARY VIEW orders_view USING riverlog OPTIONS "
        f"('kafka.bootstrap.servers' '{world.bootstrap}', subscribe '{orders}')"
    )
    (row,) = other.sql("SELECT count(*) n, max(offset) m FROM orders_view").collect()
    assert (row.n, row.m) == (2000, 499)


def test_limits_and_assignment(spark: SparkSession, world: World, orders: str) -> None:
    starts = f'{{"{orders}":{{"0":490,"2":-2}}}}'
    ends = f'{{"{orders}":{{"0":-1,"2":10}}}}'
    rows = load(spark, world, assign=f'{{"{orders}":[0,2]}}', startingOffsets=starts, endingOffsets=ends)
    assert numbers(rows) == [*range(490, 500), *range(1000, 1010)]


def test_tasks_are_as_many_as_the_options_say(spark: SparkSession, world: World, orders: str) -> None:
    def tasks(**given: object) -> int:
        return int(load(spark, world, subscribe=orders, **given).rdd.getNumPartitions())

    assert tasks() == 4
    assert tasks(minPartitions=6) == 6
    assert tasks(maxTasks=2) == 2
    assert tasks(maxRecordsPerPartition=250) == 8


def test_patterns_and_a_topic_without_records(spark: SparkSession, world: World, orders: str) -> None:
    world.topic(2, name="orders-empty")
    assert load(spark, world, subscribe="orders-empty").count() == 0
    assert numbers(load(spark, world, subscribePattern="orders.*")) == list(range(2000))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"subscrib": "t"}, "unknown option subscrib; did you mean subscribe?"),
        ({"subscribe": "t", "startingOffsets": "latest"}, "startingOffsets=latest is for streaming reads"),
        (
            {"subscribe": "t", "failOnDataLoss": "perhaps"},
            "option failOnDataLoss=perhaps: must be true or false",
        ),
        ({}, "one of the options subscribe, subscribePattern, assign says what to read"),
    ],
)
def test_mistakes_are_told_in_a_line(
    spark: SparkSession, world: World, given: dict[str, str], words: str
) -> None:
    with pytest.raises(PySparkException) as caught:
        load(spark, world, **given).count()
    assert words in str(caught.value)


def test_columns_cannot_be_chosen(spark: SparkSession, world: World, orders: str) -> None:
    reader = spark.read.format("riverlog").schema("a int").option("subscribe", orders)
    with pytest.raises(PySparkException, match="the columns are always key, value"):
        reader.option("kafka.bootstrap.servers", world.bootstrap).load().count()


def test_rows_can_be_filtered_joined_and_counted(spark: SparkSession, world: World, orders: str) -> None:
    rows = load(spark, world, subscribe=orders, minPartitions=8)
    counted = rows.groupBy("partition").agg(f.count("*").alias("n"), f.max("offset").alias("m"))
    assert sorted((row.partition, row.n, row.m) for row in counted.collect()) == [
        (partition, 500, 499) for partition in range(4)
    ]
    assert rows.limit(7).count() == 7
    assert rows.selectExpr("length(value) n").where("n = 4").count() == 1000
