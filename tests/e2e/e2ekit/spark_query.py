"""The Spark program of the kill runs: topic → Spark → topic, until it is killed or a query fails.

``python -m e2ekit.spark_query BOOTSTRAP SOURCE FOLDER MASTER KIND…`` runs a query of each kind in one
session; kind K writes to the topic ``SOURCE-K`` and has its checkpoint in ``FOLDER/K``. Settings of Spark
are lines NAME=VALUE on standard input.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OFFSETS_PER_BATCH = 4_000
"""Far more than comes in during a batch, or on a busy machine a query would never catch up."""


def stateless(rows: DataFrame) -> DataFrame:
    return rows.selectExpr("key", "value", "partition")


def stateful(rows: DataFrame) -> DataFrame:
    """Shuffled by value, and through a state store: what comes twice leaves once."""
    return rows.selectExpr("CAST(key AS STRING) AS key", "CAST(value AS STRING) AS value").dropDuplicates(
        ["value"]
    )


KINDS: dict[str, Callable[[DataFrame], DataFrame]] = {"stateless": stateless, "stateful": stateful}


def target(source: str, kind: str) -> str:
    return f"{source}-{kind}"


def main(bootstrap: str, source: str, folder: str, master: str, *kinds: str) -> None:
    import riverlog.pipeline

    settings = dict(line.strip().split("=", 1) for line in sys.stdin if line.strip())
    spark = riverlog.pipeline.session("kill-run", master=master, configs=settings)
    for kind in kinds:
        reader = spark.readStream.format("riverlog").option("kafka.bootstrap.servers", bootstrap)
        reader = reader.option("subscribe", source).option("startingOffsets", "earliest")
        rows = KINDS[kind](reader.option("maxOffsetsPerTrigger", OFFSETS_PER_BATCH).load())
        writer = rows.writeStream.format("riverlog").option("kafka.bootstrap.servers", bootstrap)
        writer = writer.option("topic", target(source, kind)).queryName(kind)
        writer.option("checkpointLocation", str(Path(folder, kind))).start()
    spark.streams.awaitAnyTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
