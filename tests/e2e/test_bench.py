"""``python -m bench``: it runs, keeps its figures, and judges budgets rightly."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from e2ekit.targets import free_port

from bench.jars import ROOT
from bench.report import Row
from bench.workloads import Budget


def run_bench(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=110, check=False)


def test_riverlog_alone_is_measured_and_kept_as_json(tmp_path: Path) -> None:
    names = ("1/produce-1kb-16kb", "1/consume-100b", "1/requests-50x8", "1/txn-1", "2/e2e-1000", "start")
    only = [word for name in names for word in ("--only", name)]
    place = ["--port", str(free_port()), "--scratch", str(tmp_path), "--out", str(tmp_path / "out")]
    done = run_bench("--no-kafka", "--quick", *only, *place)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = (tmp_path / "out").glob("*.json")
    results = json.loads(path.read_text())["results"]
    for name in names[:-1]:
        found = results[name]["riverlog"]
        assert found["error"] is None
        assert found["median"]["rate"] > 0
        assert found["median"]["cpu_per_million"] > 0
    assert results["2/e2e-1000"]["riverlog"]["median"]["p99"] > 0
    assert results["1/txn-1"]["riverlog"]["median"]["transactions_rate"] > 0
    assert 0 < results["own"]["riverlog"]["start_seconds"] < 30
    assert not list(tmp_path.glob("riverlog-bench-*")), "the brokers' folders are gone"


def test_a_name_that_matches_nothing_is_one_line() -> None:
    done = run_bench("--only", "no-such-workload")
    assert done.returncode == 2
    assert "no-such-workload" in done.stdout


@pytest.mark.parametrize(
    ("budget", "ours", "kafka", "verdict"),
    [
        (Budget(low=1.2), 120.0, 100.0, True),
        (Budget(low=1.2), 119.0, 100.0, False),
        (Budget(high=0.6), 0.6, 1.0, True),
        (Budget(high=0.6), 0.61, 1.0, False),
        (Budget(high=0.6), 0.5, None, None),
        (Budget(high=120, ratio=False), 119.0, None, True),
        (Budget(high=120, ratio=False), 121.0, 1000.0, False),
        (None, 1.0, 1.0, None),
    ],
)
def test_budgets_are_judged(
    budget: Budget | None, ours: float, kafka: float | None, verdict: bool | None
) -> None:
    assert Row("group", "rate", ours, kafka, budget).passed is verdict
