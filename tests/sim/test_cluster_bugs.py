"""The checkers of the cluster runs are checked: each planted bug is caught within so many seeds."""

from __future__ import annotations

import pytest
from cluster_bugs import BUGS

from riverlog.sim.checkers import Violation
from riverlog.sim.cluster import Plant
from riverlog.sim.cluster_workload import ClusterRun

pytestmark = pytest.mark.sim


def run_until_caught(plant: Plant, seeds: int) -> None:
    for seed in range(seeds):
        ClusterRun(seed, plant=plant).run()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", BUGS)
def test_planted_bug_is_caught(name: str) -> None:
    plant, seeds = BUGS[name]
    with pytest.raises(Violation, match=r"replay: riverlog sim replay cluster-lives-\d+"):
        run_until_caught(plant, seeds)
