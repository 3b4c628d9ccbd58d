"""What Spark is told of the columns, of the query's progress, and where it finds the source."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from pyspark.cloudpickle import dumps
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxBytes, ReadMaxRows, ReadMinRows
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

import pyspark_riverlog
import riverlog.pipeline
from riverlog.pipeline.errors import OptionError, PipelineError
from riverlog.pipeline.offsets import StreamOffset, TopicOffsets
from riverlog.pipeline.schema import arrow_schema, ddl
from riverlog.pipeline.source import RiverlogDataSource, RiverlogStreamReader, TaskPartition

FIELDS = [
    StructField("key", BinaryType()),
    StructField("value", BinaryType()),
    StructField("topic", StringType()),
    StructField("partition", IntegerType()),
    StructField("offset", LongType()),
    StructField("timestamp", TimestampType()),
    StructField("timestampType", IntegerType()),
]
HEADERS = StructField(
    "headers",
    ArrayType(StructType([StructField("key", StringType()), StructField("value", BinaryType())])),
)
SPARK = StructType(FIELDS)
SPARK_WITH_HEADERS = StructType([*FIELDS, HEADERS])
RAW = {"kafka.bootstrap.servers": "localhost:9092", "subscribe": "orders"}


@pytest.mark.parametrize("headers", [False, True])
def test_the_arrow_schema_is_the_one_spark_derives(headers: bool) -> None:
    wanted = SPARK_WITH_HEADERS if headers else SPARK
    assert to_arrow_schema(wanted, timezone="UTC").equals(arrow_schema(headers=headers))
    names = [part.strip().split(" ")[0] for part in ddl(headers=headers).split(", ")]
    assert [name for name in names if name != "value:"] == wanted.fieldNames()


def test_spark_finds_the_source_by_name() -> None:
    assert pyspark_riverlog.DefaultSource is RiverlogDataSource
    assert RiverlogDataSource.name() == "riverlog"


def test_other_columns_are_refused() -> None:
    source = RiverlogDataSource(RAW)
    with pytest.raises(PipelineError, match="the columns are always key, value, topic"):
        source.reader(StructType().add("a", StringType()))
    with pytest.raises(PipelineError, match=r"leave out schema\(\)"):
        RiverlogDataSource({**RAW, "includeHeaders": "true"}).streamReader(SPARK)
    assert RiverlogDataSource({**RAW, "includeHeaders": "TRUE"}).schema() == ddl(headers=True)


def test_wrong_options_are_refused_before_anything_is_asked() -> None:
    with pytest.raises(OptionError, match="did you mean subscribe"):
        RiverlogDataSource({"kafka.bootstrap.servers": "h:1", "subscrib": "t"}).streamReader(SPARK)


@pytest.mark.parametrize(
    ("given", "limit"),
    [
        ({}, ReadAllAvailable()),
        ({"maxOffsetsPerTrigger": "5"}, ReadMaxRows(5)),
        ({"maxBytesPerTrigger": "5k"}, ReadMaxBytes(5120)),
        ({"minOffsetsPerTrigger": "3"}, ReadMinRows(3)),
        ({"minOffsetsPerTrigger": "3", "maxOffsetsPerTrigger": "5"}, ReadMaxRows(5)),
    ],
)
def test_spark_is_told_that_there_is_a_limit(given: dict[str, str], limit: Any) -> None:
    reader = RiverlogDataSource({**RAW, **given}).streamReader(SPARK)
    assert reader.getDefaultReadLimit() == limit


def test_readers_travel_to_the_workers() -> None:
    reader = RiverlogDataSource(RAW).streamReader(SPARK)
    again = pickle.loads(dumps(reader))
    assert isinstance(again, RiverlogStreamReader)
    assert again._settings == reader._settings  # type: ignore[attr-defined]
    assert pickle.loads(dumps(TaskPartition(()))).task == ()


# ---------------------------------------------------------------- lag


def offset_json(**offsets: int) -> str:
    rows = {int(name[1:]): offset for name, offset in offsets.items()}
    return json.dumps(StreamOffset({"orders": TopicOffsets(b"i" * 16, rows)}).to_json())


def test_lag_is_what_the_topic_has_beyond_the_query() -> None:
    progress = {
        "sources": [
            {"endOffset": offset_json(p0=3, p1=7), "latestOffset": offset_json(p0=10, p1=7, p2=4)},
            {"endOffset": '{"orders":{"0":1}}', "latestOffset": '{"orders":{"0":99}}'},  # another source's
            {"endOffset": None, "latestOffset": None},
            {"endOffset": "5", "latestOffset": "not JSON"},
        ]
    }
    expected = {("orders", 0): 7, ("orders", 1): 0, ("orders", 2): 4}
    assert riverlog.pipeline.lag(progress) == expected
    assert riverlog.pipeline.lag(json.dumps(progress)) == expected
    assert riverlog.pipeline.lag(None) == {}


def test_lag_takes_offsets_that_are_json_already() -> None:
    end, latest = json.loads(offset_json(p0=3)), json.loads(offset_json(p0=4))
    assert riverlog.pipeline.lag({"sources": [{"endOffset": end, "latestOffset": latest}]}) == {
        ("orders", 0): 1
    }
    first = {"endOffset": {"version": 1, "initial": True}, "latestOffset": latest}
    assert riverlog.pipeline.lag({"sources": [first]}) == {("orders", 0): 4}
