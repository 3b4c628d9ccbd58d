"""The disk of one node of three runs full under load: the cluster goes on, and takes the node back.

Needs the right to mount a small file system.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from e2ekit.history import History, create_topic, describe, wait_for_full_isr
from e2ekit.waiting import wait_until

from riverlog.testing import TestCluster, cluster

pytestmark = pytest.mark.usefixtures("ours")

TOPIC = "load"
PARTITIONS, MANY_PARTITIONS = 3, 8
SMALL_BYTES, ROOM_BYTES = 64 << 20, 300_000
QUICK = {"broker.session.timeout.ms": 6000, "replica.lag.time.max.ms": 5000}
SMALL_NODE = 2


def mount(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["mount", *words], capture_output=True, text=True, timeout=20, check=False)


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A file system with little room."""
    folder.mkdir(parents=True)
    try:
        mounted = mount("-t", "tmpfs", "-o", f"size={SMALL_BYTES}", "tmpfs", str(folder))
    except FileNotFoundError:
        pytest.skip("no mount command: a full disk cannot be made")
    if mounted.returncode != 0:
        pytest.skip(f"no right to mount a small file system: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True, timeout=20)


@pytest.fixture
def on_small_disk(tmp_path: Path) -> Iterator[TestCluster]:
    """Node 2 has all its data on a small disk."""
    with small_disk(tmp_path / f"node-{SMALL_NODE}" / "data"), cluster(3, QUICK, data_dir=tmp_path) as three:
        create_topic(three.bootstrap, TOPIC, partitions=PARTITIONS)
        yield three


@pytest.fixture
def with_small_folder(tmp_path: Path) -> Iterator[TestCluster]:
    """Node 2 has a second folder, on a small disk, that got some of its replicas."""
    small = tmp_path / "small"
    with small_disk(small), cluster(3, QUICK, data_dir=tmp_path / "cluster") as three:
        node = three.node(SMALL_NODE)
        three.stop_node(SMALL_NODE)
        with node.config_file.open("a") as config:
            config.write(f"log.dirs={node.data_dir},{small / 'data'}\nmetadata.log.dir={node.data_dir}\n")
        three.restart(SMALL_NODE)
        create_topic(three.bootstrap, TOPIC, partitions=MANY_PARTITIONS)
        yield three


def fill(folder: Path) -> Path:
    """Leave little room: the load runs into the end by itself."""
    ballast = folder / "ballast"
    with ballast.open("wb") as file:
        facts = os.statvfs(folder)
        file.write(bytes(max(0, facts.f_bavail * facts.f_frsize - ROOM_BYTES)))
    return ballast


def in_sync(three: TestCluster) -> set[int]:
    """Partitions for which the small node is in sync."""
    rows = describe(three.node(1).bootstrap, TOPIC)
    return {number for number, row in rows.items() if SMALL_NODE in row.isrs}


def led(three: TestCluster) -> bool:
    """All partitions have a leader, and it is in sync."""
    return all(row.leader in row.isrs for row in describe(three.node(1).bootstrap, TOPIC).values())


def test_a_full_disk_of_one_node(on_small_disk: TestCluster) -> None:
    """It ends, for it has no other folder; the others go on without it."""
    three = on_small_disk
    small = three.node(SMALL_NODE)
    with History(three.bootstrap, TOPIC, PARTITIONS) as history:
        history.wait_for(500)
        ballast = fill(small.data_dir)
        wait_until(lambda: three.has_ended(SMALL_NODE), 60, "a node without a folder left goes on")
        wait_until(lambda: not in_sync(three) and led(three), 60, "the ended node is still in sync")
        history.wait_for(1_000)
        assert "No space left" in small.said(), small.last_words()
        ballast.unlink()
        three.restart(SMALL_NODE)
        history.wait_for(500)
        wait_for_full_isr(three.bootstrap, TOPIC, seconds=90)
    history.check()


def test_a_full_disk_under_one_folder_of_a_node(with_small_folder: TestCluster, tmp_path: Path) -> None:
    """Its replicas in the other folder stay in sync; with room again and a restart all are."""
    three = with_small_folder
    folder = tmp_path / "small" / "data"
    with History(three.bootstrap, TOPIC, MANY_PARTITIONS) as history:
        history.wait_for(500)
        on_small = {int(path.name.rpartition("-")[2]) for path in folder.glob(f"{TOPIC}-*")}
        elsewhere = set(range(MANY_PARTITIONS)) - on_small
        assert on_small, "no replica was placed in the small folder"
        assert elsewhere, "no replica was placed in the large folder"
        ballast = fill(folder)
        wait_until(
            lambda: in_sync(three) == elsewhere and led(three), 60, "not just the full folder is out of sync"
        )
        history.wait_for(1_000)
        assert not three.has_ended(SMALL_NODE)
        assert in_sync(three) == elsewhere
        ballast.unlink()
        three.restart(SMALL_NODE)
        history.wait_for(500)
        wait_for_full_isr(three.bootstrap, TOPIC, seconds=90)
    history.check()
