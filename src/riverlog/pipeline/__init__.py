"""Spark reads and writes riverlog::

    import riverlog.pipeline

    spark = riverlog.pipeline.session()
    orders = spark.readStream.format("riverlog").option("subscribe", "orders").load()

Importing this costs nothing: Spark and Arrow are loaded by what is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from riverlog.pipeline.errors import PipelineError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.listener import StreamingQueryListener

    from riverlog.pipeline.queries import QueryMarkers

__all__ = [
    "PipelineError",
    "forget_query",
    "lag",
    "lag_listener",
    "list_queries",
    "register",
    "session",
    "update_sink",
]


def session(
    app_name: str | None = None,
    *,
    master: str | None = None,
    configs: Mapping[str, str | int | float | bool] | None = None,
) -> SparkSession:
    """A Spark session that knows ``format("riverlog")``: on this machine, or on a cluster by ``master``.

    Java is found, or taken from the extra ``jdk``. ``configs`` are Spark's own settings and win over
    ours. A session that runs already is answered, with these settings added.
    """
    from riverlog.pipeline.sessions import new_session

    return new_session(app_name, master, configs)


def register(spark: SparkSession) -> None:
    """Make ``format("riverlog")`` known to a session that you made yourself.

    Turns off adaptive execution of streaming queries there, which exactly-once writes cannot have.
    """
    from riverlog.pipeline.sessions import register_with

    register_with(spark)


def lag(progress: Any) -> dict[tuple[str, int], int]:
    """How many records a streaming query is behind, per topic and partition: ``lag(query.lastProgress)``.

    Sources that are not riverlog's count for nothing.
    """
    from riverlog.pipeline.progress import lag as lag_of

    return lag_of(progress)


def lag_listener(tell: Callable[[str, dict[tuple[str, int], int]], None]) -> StreamingQueryListener:
    """For ``spark.streams.addListener``: ``tell(name or id of the query, lag)`` after each micro-batch."""
    from riverlog.pipeline.progress import lag_listener as listener

    return listener(tell)


def update_sink(options: Mapping[str, str]) -> Callable[[DataFrame, int], None]:
    """Output mode ``update``, which Spark does not offer to sinks in Python, exactly once all the same::

    counts.writeStream.outputMode("update").foreachBatch(update_sink({…})).option(…).start()

    The options are those of ``format("riverlog")``.
    """
    from riverlog.pipeline.sink import update_sink as sink

    return sink(options)


def forget_query(bootstrap: str, query: str) -> int:
    """Forget what the exactly-once sink knows of a query (by its id) that is gone, checkpoint and all."""
    from riverlog.pipeline.queries import forget_query as forget

    return forget(bootstrap, query)


def list_queries(bootstrap: str) -> list[QueryMarkers]:
    """The queries that the exactly-once sink knows, first the one that wrote last."""
    from riverlog.pipeline.queries import list_queries as listed

    return listed(bootstrap)
