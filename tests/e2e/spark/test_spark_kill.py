"""Topic → Spark → topic on three brokers, while driver, workers and brokers are killed with ``kill -9``.

A stateless and a shuffled stateful query run in one Spark program. ``RIVERLOG_FAULT_SEED`` repeats what is
killed when; what Spark is doing then is not repeated.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from e2ekit.spark_kills import KillRun

from riverlog.testing import TestCluster

KINDS = ["driver", "worker", "broker", "program"]
KILLS_SOAK = 32


@pytest.fixture
def seed() -> int:
    return int(os.environ.get("RIVERLOG_FAULT_SEED") or random.SystemRandom().randrange(1 << 32))


@pytest.mark.timeout(1200)
def test_three_kills_leave_every_row_exactly_once(
    three_nodes: TestCluster, tmp_path: Path, seed: int
) -> None:
    kinds = ["driver", "worker", "broker"]
    random.Random(seed).shuffle(kinds)
    _run(three_nodes, tmp_path, seed, kinds)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_many_kills_leave_every_row_exactly_once(three_nodes: TestCluster, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    kinds = [kind for _ in range(KILLS_SOAK // len(KINDS)) for kind in rng.sample(KINDS, len(KINDS))]
    _run(three_nodes, tmp_path, seed, kinds)


def _run(nodes: TestCluster, folder: Path, seed: int, kinds: list[str]) -> None:
    # The seed is in the name of the folder of logs, and so in the message of whatever fails.
    place = folder / f"seed-{seed}"
    place.mkdir()
    with KillRun(nodes, place, seed=seed) as run:
        run.kill(kinds)
        assert run.check() > 0
    assert run.killed.total() == len(kinds)
