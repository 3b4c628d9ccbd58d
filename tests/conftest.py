"""What all tests share: the closing summary that counts skips with their reasons."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SUMMARY = ROOT / ".cache" / "test-summary.txt"


def skip_reason(report: pytest.TestReport) -> str:
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2].removeprefix("Skipped: ")
    return str(report.longrepr)


def pytest_sessionstart() -> None:
    SUMMARY.unlink(missing_ok=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write the counts where ``scripts/run_steps.sh`` can repeat them as the last lines of a run."""
    stats = terminalreporter.stats
    counts = {name: len(stats.get(name, ())) for name in ("passed", "failed", "error", "skipped", "xfailed")}
    lines = ["tests: " + ", ".join(f"{count} {name}" for name, count in counts.items() if count)]
    reasons = Counter(skip_reason(report) for report in stats.get("skipped", ()))
    lines += [f"  {count} skipped: {reason}" for reason, count in reasons.most_common()]
    SUMMARY.parent.mkdir(exist_ok=True)
    SUMMARY.write_text("\n".join(lines) + "\n", encoding="utf-8")
