"""The storage engine under seeded workloads: kills, power cuts, disk faults, then the promises."""

from __future__ import annotations

import pytest
from planted_bugs import BUGS

from riverlog.sim.checkers import Violation
from riverlog.sim.cuts import cut_everywhere, record
from riverlog.sim.storage import StorageRun

pytestmark = pytest.mark.sim


@pytest.mark.seeds(12)
def test_no_promise_is_broken_over_kills_and_power_cuts(seed: int) -> None:
    StorageRun(seed).run(200)


@pytest.mark.seeds(6)
def test_failing_disk_takes_the_folder_offline_and_breaks_no_promise(seed: int) -> None:
    run = StorageRun(seed, faults=True)
    run.run(200)
    assert run.lives > 1


@pytest.mark.seeds(2)
def test_power_may_go_after_every_single_write(seed: int) -> None:
    """Every change of a recorded workload, each with its last pages old, new or torn."""
    run = record(seed, steps=150)
    cuts = cut_everywhere(run)
    assert cuts > 300


def test_recorded_workloads_do_what_they_are_for() -> None:
    """A workload that never rolls, truncates or restarts would prove little."""
    seen: set[str] = set()
    for seed in range(4):
        run = record(seed, steps=150)
        assert run.journal is not None
        for op in run.journal.ops:
            text = repr(op)
            seen.add(type(op).__name__)
            for sign in (".deleted", "cleanshutdown", "appending", "truncated", "recovered", "start_durable"):
                if sign in text:
                    seen.add(sign)
            if "Create" in text and "0000.log" not in text and text.endswith(".log')"):
                seen.add("roll")
    wanted = {"Write", "Truncate", "Create", "Rename", "Remove", "SyncBegin", "SyncEnd", "Death", "roll"}
    wanted |= {".deleted", "cleanshutdown", "appending", "truncated", "recovered", "start_durable"}
    assert wanted <= seen


def test_one_seed_gives_one_trace() -> None:
    def digest(seed: int) -> str:
        run = StorageRun(seed)
        run.run(100)
        return run.trace.digest

    assert digest(7) == digest(7)
    assert digest(7) != digest(8)


SEEDS_TO_CATCH = 12


@pytest.mark.parametrize("name", list(BUGS))
def test_planted_bug_is_caught(name: str) -> None:
    policies, faults = BUGS[name]

    def run_all() -> None:
        for seed in range(SEEDS_TO_CATCH):
            StorageRun(seed, policies=policies, faults=faults).run(300)

    with pytest.raises(Violation, match=r"riverlog sim replay storage-(lives|faults)-\d+"):
        run_all()
