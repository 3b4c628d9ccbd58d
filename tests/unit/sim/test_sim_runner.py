from __future__ import annotations

import pytest

from riverlog.sim import runner
from riverlog.sim.checkers import Violation
from riverlog.sim.runner import KINDS, UnknownRun, main, replay


def test_replay_runs_the_named_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setitem(KINDS, "storage-lives", lambda seed: f"{asked.append(seed)} fine")
    assert replay("storage-lives-12") == "None fine"
    assert asked == [12]


@pytest.mark.parametrize("name", ["", "12", "storage-lives", "storage-lives-x", "other-3"])
def test_names_of_no_run_say_what_is_one(name: str) -> None:
    with pytest.raises(UnknownRun, match="storage-lives"):
        replay(name)
    assert main(["replay", name]) == 2


def test_failures_are_counted_and_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail_odd(seed: int) -> str:
        if seed % 2:
            raise Violation(f"seed {seed} is odd")
        return "fine"

    monkeypatch.setattr(runner, "KINDS", {"storage-lives": fail_odd})
    assert main(["--seeds", "4", "--first", "1"]) == 1
    out = capsys.readouterr().out
    assert "storage-lives-1: FAILED seed 1 is odd" in out
    assert "storage-lives-2: fine" in out
    assert "2 of 4 runs failed" in out
