"""The disk of one node of three runs full under load: the cluster goes on, and takes the node back.

Needs the right to mount a small file system.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from e2ekit.history import History, create_topic, describe, wait_for_full_isr
from e2ekit.waiting import wait_until

from riverlog.testing import TestCluster, cluster

pytestmark = pytest.mark.usefixtures("ours")

TOPIC = "load"
PARTITIONS = 3
SMALL_BYTES, ROOM_BYTES = 64 << 20, 300_000
QUICK = {"broker.session.timeout.ms": 6000, "replica.lag.time.max.ms": 5000}
SMALL_NODE = 2


def mount(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["mount", *words], capture_output=True, text=True, timeout=20, check=False)


@pytest.fixture
def three(tmp_path: Path) -> Iterator[TestCluster]:
    """Node 2 has its folder on a file system with little room."""
    folder = tmp_path / f"node-{SMALL_NODE}" / "data"
    folder.mkdir(parents=True)
    try:
        mounted = mount("-t", "tmpfs", "-o", f"size={SMALL_BYTES}", "tmpfs", str(folder))
    except FileNotFoundError:
        pytest.skip("no mount command: a full disk cannot be made")
    if mounted.returncode != 0:
        pytest.skip(f"no right to mount a small file system: {mounted.stderr.strip()}")
    try:
        with cluster(3, QUICK, data_dir=tmp_path) as running:
            create_topic(running.bootstrap, TOPIC, partitions=PARTITIONS)
            yield running
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True, timeout=20)


def fill(folder: Path) -> Path:
    """Leave little room: the load runs into the end by itself."""
    ballast = folder / "ballast"
    with ballast.open("wb") as file:
        facts = os.statvfs(folder)
        file.write(bytes(max(0, facts.f_bavail * facts.f_frsize - ROOM_BYTES)))
    return ballast


def test_a_full_disk_of_one_node(three: TestCluster) -> None:
    small = three.node(SMALL_NODE)
    asked = three.node(1).bootstrap

    def left() -> bool:
        rows = describe(asked, TOPIC).values()
        return all(row.leader not in (SMALL_NODE, -1) and SMALL_NODE not in row.isrs for row in rows)

    with History(three.bootstrap, TOPIC, PARTITIONS) as history:
        history.wait_for(500)
        ballast = fill(small.data_dir)
        wait_until(left, 60, "the node with the full disk is still in sync")
        wait_until(lambda: three.has_ended(SMALL_NODE), 30, "a node without a folder left goes on")
        history.wait_for(1_000)
        assert "space" in small.said() or "full" in small.said(), small.last_words()
        ballast.unlink()
        three.restart(SMALL_NODE)
        history.wait_for(500)
        wait_for_full_isr(three.bootstrap, TOPIC, seconds=90)
    history.check()
