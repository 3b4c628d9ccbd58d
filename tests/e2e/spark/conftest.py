"""One Spark session for all tests of this folder, and brokers to read from and write to.

Starting a JVM takes seconds, so tests share it. They name their topics, views and checkpoints
themselves and stop their queries.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from riverlog.testing import TestBroker, TestCluster, broker, cluster

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

QUIET_SPARK = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    "spark.driver.memory": "1g",
}
"""Settings of every session of the tests: quick to start, small, and no port for a page."""


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A session on two threads of this machine that knows ``format("riverlog")``."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master("local[2]").appName("riverlog-tests")
    for name, value in QUIET_SPARK.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    try:
        from riverlog.pipeline import register
    except ImportError:
        pass
    else:
        register(session)
    yield session
    session.stop()


@pytest.fixture(scope="module")
def spark_broker() -> Iterator[TestBroker]:
    """One broker, a process of its own, for all tests of a file that leave it unharmed."""
    with broker(process=True) as running:
        yield running


@pytest.fixture
def three_nodes() -> Iterator[TestCluster]:
    """A cluster of three processes for one test, which may do to it what it likes."""
    with cluster(3) as running:
        yield running
