"""Many seeds in processes, and a record of long runs that grows while they go on."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from riverlog.sim.runner import run_many

JOBS = os.cpu_count() or 1
RECORDS = Path(__file__).parents[2] / "build" / "soak"


def run_all(names: list[str], capsys: pytest.CaptureFixture[str], *, record: str = "") -> list[str]:
    """Run them; answers what was told of each. ``record`` names a file for it."""
    told: list[str] = []
    path = RECORDS / record if record else Path(os.devnull)
    path.parent.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with path.open("w") as file:

        def tell(line: str) -> None:
            told.append(line)
            file.write(line)
            file.flush()

        failed = run_many(names, jobs=JOBS, tell=tell)
        seconds = time.monotonic() - began
        totals = ", ".join(f"{count} {what}" for what, count in sorted(add_up(told).items()))
        file.write(f"\n{len(told)} runs, {len(failed)} failed, {seconds:.0f} s: {totals}\n")
    with capsys.disabled():
        shown = f", see {path}" if record else f": {' '.join(names)}"
        sys.stdout.write(f"\n{len(names)} seeds in {seconds:.0f} s{shown}\n")
    assert not failed, "\n".join(one for one in told if "FAILED" in one)[:20_000]
    return told


def add_up(told: list[str]) -> dict[str, int]:
    """Everything the runs counted."""
    totals: dict[str, int] = {}
    for line in told:
        for part in line.split(": ", 1)[1].split(", "):
            number, _, what = part.partition(" ")
            if number.isdecimal():
                totals[what] = totals.get(what, 0) + int(number)
    return totals
