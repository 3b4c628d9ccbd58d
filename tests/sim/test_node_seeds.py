"""The very broker under seeded clients, kills, power cuts and disk faults."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from planted_bugs import (
    AckFromPageCache,
    AnswerBeforeSync,
    ClosedSegmentForgotten,
    FoldersWithoutSync,
    ReadableBeforeDurable,
    RecoveryWithoutSync,
    RenamedBeforeSync,
)

from riverlog.broker.broker import Broker
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
DISK_BUGS: list[type[SimDisk]] = [
    AnswerBeforeSync,
    ClosedSegmentForgotten,
    FoldersWithoutSync,
    RecoveryWithoutSync,
    RenamedBeforeSync,
]


@pytest.mark.parametrize("disk_class", DISK_BUGS)
def test_planted_bug_of_the_disk_is_caught(disk_class: type[SimDisk]) -> None:
    must_be_caught(lambda seed: NodeRun(seed, disk_class=disk_class))


@pytest.mark.parametrize("broker_class", [AckFromPageCache, ReadableBeforeDurable])
def test_planted_bug_of_the_broker_is_caught(broker_class: type[Broker]) -> None:
    must_be_caught(lambda seed: NodeRun(seed, broker_class=broker_class))


def must_be_caught(make: Callable[[int], NodeRun]) -> None:
    def run_all() -> None:
        for seed in range(SEEDS_TO_CATCH):
            make(seed).run()

    with pytest.raises(Violation, match=r"replay: riverlog sim replay node-lives-\d+"):
        run_all()


def test_trace_does_not_depend_on_the_process() -> None:
    """Hashes of strings differ from process to process; nothing may follow their order."""

    def output(hash_seed: int) -> str:
        command = [sys.executable, "-m", "riverlog.sim", "replay", "node-lives-1"]
        environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    first = output(1)
    assert "trace" in first
    assert first == output(2)
