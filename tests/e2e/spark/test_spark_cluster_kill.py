"""The kill runs of ``test_spark_kill.py`` on a standalone Spark cluster: one master, two workers.

Executors are processes of their own there, and a whole worker may go, as a machine does.
``RIVERLOG_FAULT_SEED`` repeats what is killed when.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from e2ekit.spark_cluster import SparkCluster, spark_cluster
from e2ekit.spark_kills import KillRun

from riverlog.testing import TestCluster

KINDS = ["driver", "executor", "broker", "worker", "machine", "program"]
KILLS_SOAK = 36
SETTINGS = {
    "spark.executor.memory": "512m",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    # A worker that comes back finds an application that is still there.
    "spark.deploy.maxExecutorRetries": "-1",
}


class ClusterRun(KillRun):
    """A run on a Spark cluster."""

    def __init__(self, nodes: TestCluster, folder: Path, *, seed: int, spark: SparkCluster) -> None:
        super().__init__(
            nodes,
            folder,
            seed=seed,
            master=spark.master,
            settings=SETTINGS,
            executors=spark.executors,
            python_workers=spark.python_workers,
        )
        self._spark = spark

    def _kill_machine(self) -> None:
        """A worker with its executors; the other one goes on alone."""
        number = self._rng.choice(self._spark.workers)
        self._spark.kill_worker(number)
        self._goes_on()
        self._spark.restart_worker(number)


@pytest.fixture
def seed() -> int:
    return int(os.environ.get("RIVERLOG_FAULT_SEED") or random.SystemRandom().randrange(1 << 32))


@pytest.fixture
def spark_nodes(java: None, tmp_path: Path) -> Iterator[SparkCluster]:
    with spark_cluster(tmp_path / "spark") as running:
        yield running


@pytest.mark.timeout(1200)
def test_three_kills_on_a_cluster_leave_every_row_exactly_once(
    three_nodes: TestCluster, spark_nodes: SparkCluster, tmp_path: Path, seed: int
) -> None:
    kinds = ["driver", "executor", "broker"]
    random.Random(seed).shuffle(kinds)
    _run(three_nodes, spark_nodes, tmp_path, seed, kinds)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_many_kills_on_a_cluster_leave_every_row_exactly_once(
    three_nodes: TestCluster, spark_nodes: SparkCluster, tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    kinds = [kind for _ in range(KILLS_SOAK // len(KINDS)) for kind in rng.sample(KINDS, len(KINDS))]
    _run(three_nodes, spark_nodes, tmp_path, seed, kinds)


def _run(nodes: TestCluster, spark: SparkCluster, folder: Path, seed: int, kinds: list[str]) -> None:
    place = folder / f"seed-{seed}"
    place.mkdir()
    with ClusterRun(nodes, place, seed=seed, spark=spark) as run:
        run.kill(kinds)
        assert run.check() > 0
    assert run.killed.total() == len(kinds)
