"""The very broker under seeded clients, kills, power cuts and disk faults."""

from __future__ import annotations

import pytest
from planted_bugs import AnswerBeforeSync, ClosedSegmentForgotten, FoldersWithoutSync, RecoveryWithoutSync

from riverlog.sim.checkers import Violation
from riverlog.sim.disk import SimDisk
from riverlog.sim.workload import NodeRun

pytestmark = pytest.mark.sim


@pytest.mark.seeds(6)
def test_no_promise_to_a_client_is_broken(seed: int) -> None:
    NodeRun(seed).run()


@pytest.mark.seeds(3)
def test_failing_disk_breaks_no_promise_to_a_client(seed: int) -> None:
    NodeRun(seed, faults=True).run()


def test_workload_does_what_it_is_for() -> None:
    totals: dict[str, int] = {}
    for seed in range(2):
        run = NodeRun(seed)
        run.run(8.0)
        for what, count in run.counts.items():
            totals[what] = totals.get(what, 0) + count
    assert totals["acknowledged"] > 500
    assert totals["acknowledged idempotent"] > 50
    assert totals["acknowledged after a retry"] > 10
    assert totals["read"] > 1000
    for what in ("power cuts", "kills", "deleted", "records deleted", "audited"):
        assert totals[what] > 0, what


def test_one_seed_gives_one_trace() -> None:
    def digest(seed: int) -> str:
        run = NodeRun(seed)
        run.run(4.0)
        return run.trace.digest

    assert digest(5) == digest(5)
    assert digest(5) != digest(6)


SEEDS_TO_CATCH = 6


@pytest.mark.parametrize(
    "disk_class", [AnswerBeforeSync, ClosedSegmentForgotten, FoldersWithoutSync, RecoveryWithoutSync]
)
def test_planted_bug_is_caught(disk_class: type[SimDisk]) -> None:
    def run_all() -> None:
        for seed in range(SEEDS_TO_CATCH):
            NodeRun(seed, disk_class=disk_class).run()

    with pytest.raises(Violation, match=r"replay: riverlog sim replay node-lives-\d+"):
        run_all()
