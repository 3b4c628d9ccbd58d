"""Three nodes under transactional clients: appends to lists, copies with their offsets, readers, trouble."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from conftest import seed_count
from seed_runs import run_all

from riverlog.sim.cluster_txn_workload import TxnRun
from riverlog.sim.runner import draw_names

pytestmark = pytest.mark.sim

KINDS = ("txn",)
FRESH = int(os.environ.get("RIVERLOG_SIM_TXN_SEEDS", "50"))
SOAK = 1500

PINNED = [
    "txn-0",
    "txn-4",  # a fenced epoch was taken for a retry of EndTxn
    "txn-127",  # the checker did not know that a transaction's end may be hidden behind another one
    "txn-1029",  # a leader that was read anew shows what has its marker above the watermark
    "txn-1075",  # a transaction index that could not be written
    "txn-1118",
]
"""Seeds that once found a bug."""


@pytest.mark.timeout(900)
def test_fresh_seeds_break_no_promise(capsys: pytest.CaptureFixture[str]) -> None:
    run_all(draw_names(KINDS, seed_count(FRESH)), capsys)


@pytest.mark.timeout(600)
def test_pinned_seeds_break_no_promise(capsys: pytest.CaptureFixture[str]) -> None:
    run_all(PINNED, capsys)


@pytest.mark.soak
@pytest.mark.timeout(4 * 3600)
def test_fifteen_hundred_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    run_all(draw_names(KINDS, SOAK), capsys, record="txn-seeds.txt")


@pytest.mark.timeout(300)
def test_workload_does_what_it_is_for() -> None:
    totals: dict[str, int] = {}
    for seed in range(6):
        run = TxnRun(seed)
        run.run()
        for what, count in run.counts.items():
            totals[what] = totals.get(what, 0) + count
    assert totals["committed"] > 150
    assert totals["copied"] > 300
    for what in (
        "aborted",
        "clients died",
        "clients fenced",
        "clients paused",
        "groups joined",
        "late produce",
        "late end_txn",
        "late txn_offset_commit",
        "offsets in transactions",
        "faults",
    ):
        assert totals.get(what, 0) > 0, what


def test_one_seed_gives_one_trace_in_every_process() -> None:
    """Hashes of strings differ from process to process; nothing may follow their order."""

    def output(hash_seed: int) -> str:
        command = [sys.executable, "-m", "riverlog.sim", "replay", "--quiet", "txn-1"]
        environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    first = output(1)
    assert "trace" in first
    assert first == output(2)
