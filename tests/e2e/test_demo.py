"""``riverlog demo``: it runs, and it would notice."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from riverlog.cli.demo import PARTITIONS, DemoFailed, Part, value_of, verify


@pytest.mark.timeout(180)
def test_the_demo_ends_with_a_verified_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [str(Path(sys.executable).with_name("riverlog")), "demo"],
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].startswith("demo: OK 300,000 records acknowledged")
    assert "kill -9" in done.stdout
    assert not list(tmp_path.glob("riverlog-demo-*")), "it cleans up after itself"


def as_read(partition: int, numbers: list[int]) -> Part:
    digest = hashlib.sha256(b"".join(value_of(partition, number) for number in numbers))
    return Part(
        sent=4,
        acknowledged={0, 1, 2, 3},
        read=numbers,
        offsets=list(range(len(numbers))),
        checksum=digest.hexdigest(),
    )


def lose(part: Part) -> None:
    part.read.remove(2)
    part.offsets.pop()


def repeat(part: Part) -> None:
    part.read.append(3)
    part.offsets.append(4)


def swap(part: Part) -> None:
    part.read[1], part.read[2] = part.read[2], part.read[1]


def change(part: Part) -> None:
    part.checksum = hashlib.sha256(b"something else").hexdigest()


def leave_a_gap(part: Part) -> None:
    part.offsets[-1] += 1


def test_verify_accepts_what_is_right() -> None:
    verify([as_read(partition, [0, 1, 2, 3]) for partition in range(PARTITIONS)])


@pytest.mark.parametrize(
    ("harm", "complaint"),
    [
        (lose, "lost"),
        (repeat, "twice"),
        (swap, "out of order"),
        (change, "content"),
        (leave_a_gap, "offsets"),
    ],
)
def test_verify_notices(harm: Callable[[Part], None], complaint: str) -> None:
    parts = [as_read(partition, [0, 1, 2, 3]) for partition in range(PARTITIONS)]
    harm(parts[2])
    with pytest.raises(DemoFailed, match=complaint):
        verify(parts)
