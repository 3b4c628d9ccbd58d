"""``riverlog cluster start, status, stop`` and single nodes of a cluster, as a user types them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from e2ekit.history import create_topic
from e2ekit.waiting import wait_until

from riverlog.runtime.ports import free_ports
from riverlog.testing import cluster

pytestmark = pytest.mark.usefixtures("ours")

START_SECONDS_MAX = 60


class Started:
    """``riverlog WORDS`` in the foreground."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.log = folder / f"{words[0]}-{time.monotonic_ns()}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "riverlog", *words], stdout=log, stderr=subprocess.STDOUT
            )

    def said(self) -> str:
        return self.log.read_text()

    def wait_for(self, text: str, seconds: float = START_SECONDS_MAX) -> str:
        """Until a line with this text is there; that line."""

        def there() -> bool:
            return text in self.said() or self.process.poll() is not None

        wait_until(there, seconds, f"it does not say {text!r}: {self.said()}")
        lines = [line for line in self.said().splitlines() if text in line]
        assert lines, f"ended with {self.process.returncode}: {self.said()}"
        return lines[0]

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(START_SECONDS_MAX)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[list[Started]]:
    """What a test started; whatever still runs at the end is killed."""
    all_started: list[Started] = []
    yield all_started
    for one in all_started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


def riverlog(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "riverlog", *words], capture_output=True, text=True, timeout=90, check=False
    )


def pids_of(folder: Path) -> list[int]:
    """Nodes that run on this folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"--config" in words and any(word.startswith(bytes(folder)) for word in words):
                found.append(int(entry.name))
    return found


def bootstrap_in(line: str) -> str:
    return line.split("bootstrap ", 1)[1].split(", ", 1)[0]


def test_a_cluster_starts_tells_stops_and_starts_again(tmp_path: Path, started: list[Started]) -> None:
    folder = tmp_path / "cluster"
    words = ("cluster", "start", "--nodes", "3", "--base-port", "0", "--data-dir", str(folder))
    started.append(Started(tmp_path, *words))
    line = started[-1].wait_for("riverlog cluster ready: 3 nodes")
    bootstrap = bootstrap_in(line)
    assert len(bootstrap.split(",")) == 3
    create_topic(bootstrap, "kept")
    told = riverlog("cluster", "status", "-b", bootstrap)
    assert "3 partitions: 0 without a leader" in told.stdout, told
    assert riverlog("cluster", "stop", "--data-dir", str(folder)).stdout == "stopped\n"
    assert started[-1].process.wait(START_SECONDS_MAX) == 0, started[-1].said()
    assert pids_of(folder) == []
    assert "no cluster runs" in riverlog("cluster", "stop", "--data-dir", str(folder)).stderr

    started.append(Started(tmp_path, *words))
    line = started[-1].wait_for("riverlog cluster ready: 3 nodes")
    assert bootstrap_in(line) == bootstrap
    assert "kept" in riverlog("topic", "list", "-b", bootstrap).stdout
    assert started[-1].stop(signal.SIGINT) == 0, started[-1].said()


def test_nodes_end_when_their_parent_is_killed(tmp_path: Path, started: list[Started]) -> None:
    folder = tmp_path / "cluster"
    words = ("cluster", "start", "--nodes", "3", "--base-port", "0", "--data-dir", str(folder))
    started.append(Started(tmp_path, *words))
    started[-1].wait_for("cluster ready")
    assert len(pids_of(folder)) == 3
    started[-1].stop(signal.SIGKILL)
    wait_until(lambda: not pids_of(folder), 30, "nodes outlive their parent")


def test_a_node_that_dies_is_reported_and_the_rest_goes_on(tmp_path: Path, started: list[Started]) -> None:
    folder = tmp_path / "cluster"
    words = ("cluster", "start", "--nodes", "3", "--base-port", "0", "--data-dir", str(folder))
    started.append(Started(tmp_path, *words))
    bootstrap = bootstrap_in(started[-1].wait_for("cluster ready"))
    victim = pids_of(folder / "node-2")
    assert len(victim) == 1
    os.kill(victim[0], signal.SIGKILL)
    line = started[-1].wait_for("node 2 ended with -9")
    assert "riverlog start --config" in line
    create_topic(bootstrap, "made-by-two", replicas=2)
    # As the line says: it can be started by hand.
    config = folder / "node-2" / "server.properties"
    started.append(Started(tmp_path, "start", "--config", str(config)))
    started[-1].wait_for("ready: bootstrap")
    assert started[-1].stop() == 0
    assert started[0].stop() == 1  # one of its nodes was killed


def test_a_cluster_on_the_ports_of_another_says_so(tmp_path: Path) -> None:
    with cluster(1, links=False) as running:
        port = running.node(1).broker_port
        told = riverlog(
            "cluster", "start", "--nodes", "1", "--base-port", str(port), "--data-dir", str(tmp_path / "c")
        )
    assert told.returncode == 1
    assert "is in use by another process" in told.stderr


def test_a_node_tells_what_it_waits_for_and_can_be_stopped_then(
    tmp_path: Path, started: list[Started]
) -> None:
    ports = free_ports(4)
    config = tmp_path / "one.properties"
    config.write_text(
        f"node.id=1\nlisteners=PLAINTEXT://127.0.0.1:{ports[0]},CONTROLLER://127.0.0.1:{ports[1]}\n"
        f"controller.listener.names=CONTROLLER\nlog.dirs={tmp_path}/data\n"
    )
    own = riverlog("storage", "prepare", "-c", str(config)).stdout.strip()
    drawn = [riverlog("storage", "random-uuid").stdout.strip() for _ in range(2)]
    others = [f"{number}@127.0.0.1:{ports[number]}:{drawn[number - 2]}" for number in (2, 3)]
    done = riverlog("storage", "format", "-c", str(config), "-I", ",".join([own, *others]))
    assert done.returncode == 0, done.stderr
    started.append(Started(tmp_path, "start", "--config", str(config)))
    line = started[-1].wait_for("waiting for a majority of the metadata quorum")
    assert "voters: 1 at" in line
    assert started[-1].stop() == 0, started[-1].said()


def test_a_controller_and_brokers_of_their_own(tmp_path: Path, started: list[Started]) -> None:
    ports = free_ports(3)
    controller = tmp_path / "controller.properties"
    controller.write_text(
        f"process.roles=controller\nnode.id=1\nlisteners=CONTROLLER://127.0.0.1:{ports[0]}\n"
        f"controller.listener.names=CONTROLLER\nlog.dirs={tmp_path}/controller\n"
    )
    cluster_id = riverlog("storage", "random-uuid").stdout.strip()
    done = riverlog("storage", "format", "-c", str(controller), "-t", cluster_id, "--standalone")
    assert done.returncode == 0, done.stderr
    started.append(Started(tmp_path, "start", "--config", str(controller)))
    started[-1].wait_for(f"ready: controller 127.0.0.1:{ports[0]}")
    for number in (2, 3):
        broker = tmp_path / f"broker-{number}.properties"
        broker.write_text(
            f"process.roles=broker\nnode.id={number}\nlisteners=PLAINTEXT://127.0.0.1:{ports[number - 1]}\n"
            f"controller.listener.names=CONTROLLER\nlog.dirs={tmp_path}/broker-{number}\n"
            f"controller.quorum.bootstrap.servers=127.0.0.1:{ports[0]}\n"
        )
        done = riverlog("storage", "format", "-c", str(broker), "-t", cluster_id)
        assert done.returncode == 0, done.stderr
        started.append(Started(tmp_path, "start", "--config", str(broker)))
    for one in started[1:]:
        one.wait_for("ready: bootstrap")
    create_topic(f"127.0.0.1:{ports[1]}", "two-copies", replicas=2)
    for one in reversed(started):
        assert one.stop() == 0, one.said()
