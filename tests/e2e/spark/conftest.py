"""One Spark session for all tests of this folder, and brokers to read from and write to.

Starting a JVM takes seconds, so tests share it. They name their topics, views and checkpoints
themselves and stop their queries.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import riverlog.pipeline
from riverlog.pipeline.java import java_home
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
HERE = Path(__file__).parent
SECONDS_MAX = 400
"""Whichever test comes first starts the JVM, and a busy machine takes minutes for that."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(SECONDS_MAX))


@pytest.fixture(scope="session")
def java() -> None:
    """Skips what needs a Java where none can be had."""
    try:
        java_home(os.environ)
    except riverlog.pipeline.PipelineError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def spark(java: None) -> Iterator[SparkSession]:
    """A session on two threads of this machine that knows ``format("riverlog")``."""
    session = riverlog.pipeline.session("riverlog-tests", master="local[2]", configs=QUIET_SPARK)
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
