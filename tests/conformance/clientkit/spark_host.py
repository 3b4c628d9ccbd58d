"""Spark with its own Kafka connector behind lines of JSON.

It lives in a process of its own because the connector's jars must be on the class path when the JVM starts.
``python spark_host.py JAR…``; each line is ``{"op": …, …}``, each answer ``{"ok": …}`` or ``{"error": …}``.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming import StreamingQuery

CORES = 4
"""Slots for tasks: a real-time query holds one for each partition, for as long as it runs."""
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    "spark.driver.memory": "1g",
    "spark.log.level": "OFF",
}
_ROW = "key binary, value binary, topic string, partition int, headers array<struct<key:string,value:binary>>"


def session(jars: list[str]) -> SparkSession:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master(f"local[{CORES}]").config("spark.jars", ",".join(jars))
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def text(data: bytes | bytearray | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()


def data(encoded: str | None) -> bytes | None:
    return None if encoded is None else base64.b64decode(encoded)


class Host:
    """One session, and the queries that were started in it, by name."""

    def __init__(self, jars: list[str]) -> None:
        self._spark = session(jars)
        self._queries: dict[str, StreamingQuery] = {}

    def op_versions(self) -> dict[str, str]:
        return {"spark": self._spark.version}

    def op_read(self, options: dict[str, str]) -> list[dict[str, Any]]:
        """All columns of a batch read, in the order of partitions and offsets."""
        frame = self._spark.read.format("kafka").options(includeHeaders="true", **options).load()
        rows = frame.orderBy("topic", "partition", "offset")
        # A TimestampType loses what is below a second when it goes through the local time of Python.
        rows = rows.selectExpr("*", "unix_millis(timestamp) AS timestamp_ms")
        return [
            {
                "key": text(row.key),
                "value": text(row.value),
                "topic": row.topic,
                "partition": row.partition,
                "offset": row.offset,
                "timestamp_ms": row.timestamp_ms,
                "timestamp_type": row.timestampType,
                "headers": [{"name": each.key, "value": text(each.value)} for each in row.headers or ()],
            }
            for row in rows.collect()
        ]

    def op_write(self, rows: list[dict[str, Any]], options: dict[str, str], columns: list[str]) -> None:
        """A batch write of ``rows``, of which Spark sees ``columns``."""
        self._frame(rows).select(*columns).write.format("kafka").options(**options).save()

    def op_copy(
        self,
        name: str,
        source: dict[str, str],
        sink: dict[str, str],
        trigger: dict[str, Any],
    ) -> None:
        """Start a query that copies keys, values and headers from one topic to another."""
        frame = self._spark.readStream.format("kafka").options(includeHeaders="true", **source).load()
        writer = frame.select("key", "value", "headers").writeStream.format("kafka").options(**sink)
        self._queries[name] = writer.outputMode("update").trigger(**trigger).start()

    def op_finish(self, name: str) -> list[dict[str, Any]]:
        """Wait for a query that ends by itself; answers the progress of its batches."""
        query = self._queries.pop(name)
        query.awaitTermination()
        return [json.loads(progress.json) for progress in query.recentProgress]

    def op_batches(self, name: str) -> int:
        """How many batches a query at work has finished."""
        query = self._queries[name]
        failed = query.exception()
        if failed is not None:
            raise failed
        return len(query.recentProgress)

    def op_stop(self, name: str) -> None:
        self._queries.pop(name).stop()

    def _frame(self, rows: list[dict[str, Any]]) -> DataFrame:
        tuples = [
            (
                data(row["key"]),
                data(row["value"]),
                row.get("topic"),
                row.get("partition"),
                [(name, data(value)) for name, value in row["headers"]],
            )
            for row in rows
        ]
        return self._spark.createDataFrame(tuples, _ROW)


def main() -> None:
    # What the JVM prints must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    host = Host(sys.argv[1:])
    for line in sys.stdin:
        request = json.loads(line)
        call = getattr(host, "op_" + request.pop("op"))
        try:
            answer = {"ok": call(**request)}
        except PySparkException as failed:
            answer = {
                "error": {"type": failed.getCondition() or type(failed).__name__, "message": str(failed)}
            }
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
