"""Rows to records: columns and their types, topics, partitions, headers, timestamps, sizes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pyarrow as pa
import pytest
from confluent_kafka import TIMESTAMP_CREATE_TIME
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    DataType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructType,
    TimestampType,
)

from riverlog.client.partitioner import partition_for_key
from riverlog.pipeline.errors import ClusterError, PipelineError
from riverlog.pipeline.sink_columns import check_schema
from riverlog.pipeline.sink_task import Task, Written, write_task
from riverlog.testing import TestBroker, broker
from tests.unit.pipeline.sink_world import WAIT, make_topic, once, read_all, rows, stream_options, values

HEADERS = pa.list_(pa.struct([pa.field("key", pa.string()), pa.field("value", pa.binary())]))
_numbers = count(1)


@pytest.fixture(scope="module")
def running() -> Iterator[TestBroker]:
    with broker({"auto.create.topics.enable": False}) as b:
        yield b


@pytest.fixture
def name() -> str:
    return f"t{next(_numbers)}"


def write(
    running: TestBroker, topic: str | None, *batches: pa.RecordBatch, task: int = 0, **more: str
) -> Written:
    options = stream_options(running.bootstrap, topic, **{"delivery": "at-least-once", **more})
    return write_task(options, Task("q", 0, task), iter(batches))


# ---------------------------------------------------------------- schemas


STRUCT = StructType().add("key", StringType()).add("value", BinaryType())
SPARK_TYPES: dict[str, DataType] = {
    "string": StringType(),
    "binary": BinaryType(),
    "int": IntegerType(),
    "bigint": LongType(),
    "timestamp": TimestampType(),
    "headers": ArrayType(STRUCT),
    "map": MapType(StringType(), BinaryType()),
}


def schema(columns: str) -> StructType:
    """``name type, name type`` …"""
    found = StructType()
    for column in columns.split(", "):
        name, _, kind = column.partition(" ")
        found.add(name, SPARK_TYPES[kind])
    return found


@pytest.mark.parametrize(
    "columns",
    [
        "value string",
        "VALUE binary, Key string",
        "key binary, value binary, topic string, partition int, offset bigint, timestamp timestamp",
        "value string, headers headers, other map",
    ],
)
def test_schemas_that_can_be_written(columns: str) -> None:
    check_schema(schema(columns), "t")


@pytest.mark.parametrize(
    ("columns", "topic", "told"),
    [
        ("key string", "t", "need a column value .* and have key: "),
        ("value int", "t", "column value of rows to write is int and must be string or binary"),
        ("value string, key bigint", "t", "column key of rows to write is bigint"),
        ("value string", None, "need a column topic"),
        ("value string, topic binary", None, "column topic of rows to write is binary and must be string"),
        (
            "value string, partition bigint",
            "t",
            "column partition of rows to write is bigint and must be int",
        ),
        ("value string, headers map", "t", "column headers of rows to write is map"),
        ("value string, timestamp bigint", "t", "column timestamp of rows to write is bigint"),
        ("value string, Value string", "t", "two columns value"),
    ],
)
def test_schemas_that_cannot_be_written(columns: str, topic: str | None, told: str) -> None:
    with pytest.raises(PipelineError, match=told):
        check_schema(schema(columns), topic)


# ---------------------------------------------------------------- records


def test_records_have_what_the_columns_say(running: TestBroker, name: str) -> None:
    make_topic(running.bootstrap, name)
    moment = datetime(2024, 5, 6, 7, 8, 9, 10_000, tzinfo=UTC)
    batch = pa.record_batch(
        {
            "Key": pa.array(["a", None]),
            "value": pa.array([b"\x00\xff", None], pa.binary()),
            "headers": pa.array([[{"key": "h", "value": b"1"}, {"key": "h", "value": None}], None], HEADERS),
            "timestamp": pa.array([moment, None], pa.timestamp("us", tz="Europe/Berlin")),
            "partition": pa.array([2, 1], pa.int32()),
            "unused": pa.array([1.5, 2.5]),
        }
    )
    before_ms = datetime.now(UTC).timestamp() * 1000
    assert write(running, name, batch) == Written(2)
    second, first = sorted(read_all(running.bootstrap, name), key=lambda message: message.partition())
    assert (first.partition(), first.key(), first.value()) == (2, b"a", b"\x00\xff")
    assert first.headers() == [("h", b"1"), ("h", None)]
    assert first.timestamp() == (TIMESTAMP_CREATE_TIME, int(moment.timestamp() * 1000))
    assert (second.partition(), second.key(), second.value()) == (1, None, None)
    assert second.headers() is None
    assert second.timestamp()[1] >= int(before_ms)


def test_the_column_topic_says_where_each_row_goes_and_the_option_goes_before_it(
    running: TestBroker, name: str
) -> None:
    for topic in (name, f"{name}-b"):
        make_topic(running.bootstrap, topic)
    topics = pa.array([name, f"{name}-b", name])
    assert write(running, None, rows("abc", topic=topics)) == Written(3)
    assert values(running.bootstrap, name) == once("ac")
    assert values(running.bootstrap, f"{name}-b") == once("b")
    write(running, name, rows("xyz", topic=pa.array([None, "elsewhere", name])))
    assert values(running.bootstrap, name) == once("acxyz")
    with pytest.raises(PipelineError, match="null in column topic"):
        write(running, None, rows("ab", topic=pa.array([name, None])))


def test_equal_keys_go_where_javas_producer_sends_them_in_their_order(running: TestBroker, name: str) -> None:
    make_topic(running.bootstrap, name, 5)
    keys = [f"k{number % 17}" for number in range(1000)]
    write(
        running,
        name,
        *(rows(range(at, at + 100), key=pa.array(keys[at:][:100])) for at in range(0, 1000, 100)),
    )
    found: dict[bytes, list[int]] = {}
    for message in read_all(running.bootstrap, name):
        assert message.partition() == partition_for_key(message.key(), 5)
        found.setdefault(message.key(), []).append(int(message.value()))
    assert sum(map(len, found.values())) == 1000
    assert all(numbers == sorted(numbers) for numbers in found.values())


def test_rows_without_a_key_fill_one_batch_after_the_other_and_other_tasks_start_elsewhere(
    running: TestBroker, name: str
) -> None:
    make_topic(running.bootstrap, name, 4)
    batches = [rows(["x" * 100] * 50) for _ in range(8)]
    write(running, name, *batches, kafka_batch_size="8k")
    counts = [0] * 4
    for message in read_all(running.bootstrap, name):
        counts[message.partition()] += 1
    assert counts == [100, 100, 100, 100]
    write(running, name, rows(["y"]), task=2)
    (last,) = [m for m in read_all(running.bootstrap, name) if m.value() == b"y"]
    assert last.partition() == 2


def test_a_null_partition_leaves_the_choice_to_the_key(running: TestBroker, name: str) -> None:
    make_topic(running.bootstrap, name, 7)
    batch = rows("ab", key=pa.array(["k1", "k2"]), partition=pa.array([None, 6], pa.int32()))
    write(running, name, batch)
    placed = {message.key(): message.partition() for message in read_all(running.bootstrap, name)}
    assert placed == {b"k1": partition_for_key(b"k1", 7), b"k2": 6}


@pytest.mark.parametrize("number", [-1, 3])
def test_a_partition_that_is_not_there_is_named(running: TestBroker, name: str, number: int) -> None:
    make_topic(running.bootstrap, name, 3)
    with pytest.raises(PipelineError, match=rf"is {number}, and topic {name} has partitions 0 to 2"):
        write(running, name, rows("a", partition=pa.array([number], pa.int32())))


@pytest.mark.parametrize("codec", ["gzip", "snappy", "LZ4", "zstd"])
def test_codecs(running: TestBroker, name: str, codec: str) -> None:
    make_topic(running.bootstrap, name)
    write(running, name, rows(range(5000)), kafka_compression_type=codec)
    assert values(running.bootstrap, name) == once(range(5000))


# ---------------------------------------------------------------- topics and sizes


def test_a_topic_that_does_not_exist_is_named(running: TestBroker, name: str) -> None:
    with pytest.raises(PipelineError, match=f"topic {name} does not exist"):
        write(running, name, rows("a"), kafka_max_block_ms="300")


def test_a_topic_is_created_where_brokers_do_that(name: str) -> None:
    with broker({"num.partitions": 3}) as b:
        write(b, name, rows("abc"))
        assert values(b.bootstrap, name) == once("abc")


def test_a_topic_name_that_cannot_be_is_refused(running: TestBroker) -> None:
    with pytest.raises(ClusterError, match="topic no good: invalid topic exception"):
        write(running, "no good", rows("a"))


def test_rows_that_are_too_large_are_named_with_topic_and_size(running: TestBroker, name: str) -> None:
    make_topic(running.bootstrap, name, max_message_bytes="20000")
    write(running, name, rows(["x" * 500] * 1000))  # batches are cut to the topic's bound
    with pytest.raises(
        PipelineError, match=rf"topic {name} is a record of 200\d\d bytes, and 20000 are allowed"
    ):
        write(running, name, rows(["a", "x" * 20_000]))
    with pytest.raises(PipelineError, match="and 10240 are allowed"):
        write(running, name, rows(["x" * 15_000]), kafka_max_request_size="10k")
    assert sum(values(running.bootstrap, name).values()) == 1000


def test_large_rows_are_written_where_they_may_be(running: TestBroker, name: str) -> None:
    make_topic(running.bootstrap, name, max_message_bytes="20000000")
    value = "x" * 9_000_000
    assert write(running, name, rows([value]), kafka_max_request_size="20m") == Written(1)
    (message,) = read_all(running.bootstrap, name)
    assert len(message.value()) == 9_000_000


def test_partitions_that_are_added_meanwhile_get_rows_of_their_own(running: TestBroker, name: str) -> None:
    from confluent_kafka.admin import AdminClient, NewPartitions

    make_topic(running.bootstrap, name, 1)
    write(running, name, rows("a", partition=pa.array([0], pa.int32())))
    admin = AdminClient({"bootstrap.servers": running.bootstrap})
    admin.create_partitions([NewPartitions(name, 2)])[name].result(WAIT)
    more: dict[str, Any] = {"kafka_client_id": "another process"}
    write(running, name, rows("b", partition=pa.array([1], pa.int32())), **more)
    assert {m.partition() for m in read_all(running.bootstrap, name)} == {0, 1}


# ---------------------------------------------------------------- delivery


def test_at_least_once_writes_again_what_is_run_again(running: TestBroker, name: str) -> None:
    make_topic(running.bootstrap, name)
    for _ in range(2):
        assert write(running, name, rows("ab")) == Written(2)
    assert values(running.bootstrap, name) == {"a": 2, "b": 2}


@pytest.mark.parametrize("acks", ["0", "1", "all"])
def test_weaker_acknowledgements_are_there_for_at_least_once(
    running: TestBroker, name: str, acks: str
) -> None:
    make_topic(running.bootstrap, name)
    write(running, name, rows(range(10)), kafka_acks=acks, kafka_enable_idempotence="false")
    assert values(running.bootstrap, name) == once(range(10))


def test_at_most_once_writes_nothing_again_also_when_it_failed(running: TestBroker, name: str) -> None:
    make_topic(running.bootstrap, name)
    options = stream_options(running.bootstrap, name, delivery="at-most-once", kafka_batch_size="1k")

    def failing() -> Iterator[pa.RecordBatch]:
        yield rows(["x" * 100] * 100)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_task(options, Task(name, 0, 0), failing())
    there = len(read_all(running.bootstrap, name))
    assert write_task(options, Task(name, 0, 0), iter([rows(["x" * 100] * 100)])).skipped
    assert len(read_all(running.bootstrap, name)) == there
    assert write_task(options, Task(name, 1, 0), iter([rows("b")])) == Written(1)
