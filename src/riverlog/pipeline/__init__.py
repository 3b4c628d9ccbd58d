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
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.listener import StreamingQueryListener

__all__ = ["PipelineError", "lag", "lag_listener", "register", "session"]


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
