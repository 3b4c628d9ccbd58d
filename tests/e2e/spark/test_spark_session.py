"""The session the pipeline gives: what it sets, where its Java comes from, shell and submit."""

from __future__ import annotations

from pyspark.sql import SparkSession


def test_the_session_computes_in_python_workers(spark: SparkSession) -> None:
    rows = spark.range(100).mapInArrow(lambda batches: batches, "id long").count()
    assert rows == 100
