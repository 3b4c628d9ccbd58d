"""franz-go's own tests of its consumers, groups and producers, unchanged, against one broker."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from clientkit import builds
from clientkit.paths import Unavailable
from clientkit.servers import Server

ALLOWED = Path(__file__).with_name("franz_go.allow")
SECONDS_MAX = 400
VERDICT = re.compile(r"^\s*--- (PASS|FAIL|SKIP): (\S+)", re.MULTILINE)


def allowed() -> dict[str, bool]:
    """The names that must pass, and whether they belong to the long run."""
    rows = (line.split() for line in ALLOWED.read_text().splitlines() if line and line[0] != "#")
    return {row[0]: row[1:] == ["soak"] for row in rows}


def run(program: Path, bootstrap: str, names: list[str], folder: Path, *, records: int) -> None:
    """All of ``names`` pass, and nothing else does: a new one wants to be in the list."""
    roots = sorted({name.split("/")[0] for name in names})
    command = [str(program), "-test.v", f"-test.timeout={SECONDS_MAX}s", f"-test.run=^({'|'.join(roots)})$"]
    settings = {"KGO_SEEDS": bootstrap, "KGO_TEST_RF": "1", "KGO_TEST_RECORDS": str(records)}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX + 20,
        check=False,
    )
    verdicts = {name: verdict for verdict, name in VERDICT.findall(done.stdout)}
    failed = sorted(name for name, verdict in verdicts.items() if verdict == "FAIL")
    assert not failed, f"{failed}\n{done.stdout[-6000:]}"
    assert sorted(name for name, verdict in verdicts.items() if verdict == "PASS") == sorted(names)
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.fixture(scope="module")
def program() -> Path:
    try:
        return builds.franz_go_suite()
    except Unavailable as missing:
        pytest.skip(str(missing))


def test_franz_go_passes_its_own_quick_tests(program: Path, target: Server, tmp_path: Path) -> None:
    names = [name for name, long in allowed().items() if not long]
    run(program, target.bootstrap, names, tmp_path, records=5_000)


@pytest.mark.soak
@pytest.mark.parametrize("records", [5_000, 500_000])  # the suite itself takes 500,000
def test_franz_go_passes_its_own_tests(
    program: Path, make_target: Callable[..., Server], tmp_path: Path, records: int
) -> None:
    server = make_target(tmp_path / "data").start()
    run(program, server.bootstrap, list(allowed()), tmp_path, records=records)
    server.stop()
