"""A cluster of processes on this machine: its plan, its folders, its processes.

``riverlog cluster start`` and ``riverlog.testing.cluster`` use it. Every node has a folder with its
settings (``server.properties``), its data and its log, and could be started by hand from there.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from riverlog.base.config import BrokerConfig
from riverlog.base.properties import parse_properties
from riverlog.runtime.formatting import format_cluster
from riverlog.runtime.node import PARENT_PIPE
from riverlog.runtime.ports import HOST, free_ports

NODES_MAX = 32
CONTROLLER_PORT_STEP = 100
METRICS_PORT_STEP = 200
_TOLD_LINES = 15
_EXIT_SECONDS = 5.0
_META_PROPERTIES = "meta.properties"


class NodeFailed(Exception):
    """A node did not come up, or went away; the text ends with what it said last."""


@dataclass(slots=True)
class NodePlan:
    """One node: where it is, where it listens."""

    node_id: int
    folder: Path
    broker_port: int
    controller_port: int
    metrics_port: int
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def bootstrap(self) -> str:
        return f"{HOST}:{self.broker_port}"

    @property
    def config_file(self) -> Path:
        return self.folder / "server.properties"

    @property
    def log_file(self) -> Path:
        return self.folder / "node.log"

    @property
    def data_dir(self) -> Path:
        return self.folder / "data"

    def said(self) -> str:
        """All that it logged, over all its starts."""
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    def last_words(self, lines: int = _TOLD_LINES) -> str:
        return "\n".join(self.said().strip().splitlines()[-lines:]) or "(it said nothing)"


class ClusterPlan:
    """All nodes of a cluster, before anything runs. Node ids count from 1."""

    def __init__(
        self,
        nodes: int,
        folder: Path,
        *,
        base_port: int = 0,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        assert 1 <= nodes <= NODES_MAX
        self.folder = folder
        known = _known_ports(folder, nodes)
        if base_port:
            steps = (0, CONTROLLER_PORT_STEP, METRICS_PORT_STEP)
            ports = [base_port + step + index for step in steps for index in range(nodes)]
        else:
            ports = known or free_ports(3 * nodes)
        self.nodes = {
            index + 1: NodePlan(
                index + 1,
                folder / f"node-{index + 1}",
                ports[index],
                ports[nodes + index],
                ports[2 * nodes + index],
            )
            for index in range(nodes)
        }
        for node in self.nodes.values():
            node.settings = {**self._settings_of(node), **(settings or {})}

    def _settings_of(self, node: NodePlan) -> dict[str, str]:
        copies = min(3, len(self.nodes))
        return {
            "process.roles": "broker,controller",
            "node.id": str(node.node_id),
            "listeners": f"PLAINTEXT://{node.bootstrap},CONTROLLER://{HOST}:{node.controller_port}",
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "inter.broker.listener.name": "PLAINTEXT",
            "controller.quorum.bootstrap.servers": self.controllers,
            "log.dirs": str(node.data_dir),
            "metrics.port": str(node.metrics_port),
            "default.replication.factor": str(copies),
            "offsets.topic.replication.factor": str(copies),
            "transaction.state.log.replication.factor": str(copies),
            "min.insync.replicas": str(max(1, copies - 1)),
        }

    @property
    def bootstrap(self) -> str:
        return ",".join(node.bootstrap for node in self.nodes.values())

    @property
    def controllers(self) -> str:
        return ",".join(f"{HOST}:{node.controller_port}" for node in self.nodes.values())

    def config(self, node_id: int) -> BrokerConfig:
        return BrokerConfig(self.nodes[node_id].settings)

    def write(self) -> None:
        """Every node's settings; and format the folders, unless they are formatted."""
        for node in self.nodes.values():
            node.folder.mkdir(parents=True, exist_ok=True)
            lines = [f"{name}={escaped(value)}\n" for name, value in node.settings.items()]
            node.config_file.write_text("".join(lines))
        if not any(is_formatted(node.data_dir) for node in self.nodes.values()):
            format_cluster([self.config(node_id) for node_id in self.nodes])


def _known_ports(folder: Path, nodes: int) -> list[int]:
    """The ports of a cluster that was in this folder before; none if there was no such one."""
    rows: list[list[int]] = []
    for number in range(1, nodes + 1):
        try:
            settings = parse_properties((folder / f"node-{number}" / "server.properties").read_text())
            listeners = settings["listeners"].split(",")
            rows.append(
                [*(int(text.rpartition(":")[2]) for text in listeners), int(settings["metrics.port"])]
            )
        except (OSError, KeyError, ValueError):
            return []
    return [row[column] for column in range(3) for row in rows]


def is_formatted(folder: Path) -> bool:
    try:
        return "cluster.id=" in (folder / _META_PROPERTIES).read_text()
    except OSError:
        return False


def escaped(value: str) -> str:
    """As a value in a properties file."""
    return value.replace("\\", "\\\\").replace("\n", "\\n")


class NodeProcess:
    """One node as a child process, from its start to its end."""

    def __init__(self, plan: NodePlan) -> None:
        self.plan = plan
        self.ready_line = ""
        child_end, self._our_end = os.pipe()
        command = [sys.executable, "-m", "riverlog", "start", "--config", str(plan.config_file)]
        try:
            with plan.log_file.open("ab") as log:
                self._child = subprocess.Popen(
                    command,
                    bufsize=0,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    pass_fds=[child_end],
                    env={**os.environ, PARENT_PIPE: str(child_end)},
                    start_new_session=True,  # an interrupt at the terminal is ours to pass on
                )
        except BaseException:
            os.close(self._our_end)
            raise
        finally:
            os.close(child_end)
        self.pid = self._child.pid

    @property
    def stdout(self) -> IO[bytes]:
        assert self._child.stdout is not None
        return self._child.stdout

    @property
    def exit_code(self) -> int | None:
        return self._child.poll()

    def signal(self, number: signal.Signals) -> None:
        if self._child.poll() is None:
            self._child.send_signal(number)

    def wait(self, seconds: float) -> int | None:
        """Its exit code, or None if it still runs then."""
        try:
            self._child.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        self._release()
        return self._child.returncode

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self._child.wait()
        self._release()

    def _release(self) -> None:
        if self._our_end >= 0:
            os.close(self._our_end)
            self._our_end = -1
        if not self.stdout.closed:
            self.stdout.close()


def wait_until_ready(processes: Iterable[NodeProcess], seconds: float) -> None:
    """Until each has said that it can serve. ``NodeFailed`` if one ends before, ``TimeoutError`` at the end.

    May be called again after a time-out.
    """
    deadline = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        for process in processes:
            if not process.ready_line:
                selector.register(process.stdout, selectors.EVENT_READ, process)
        while selector.get_map():
            left = deadline - time.monotonic()
            if left <= 0:
                late: NodeProcess = next(iter(selector.get_map().values())).data
                raise TimeoutError(
                    f"node {late.plan.node_id} was not ready within {seconds:.0f} s; its last words:\n"
                    f"{late.plan.last_words()}"
                )
            for key, _ in selector.select(left):
                waiting: NodeProcess = key.data
                line = waiting.stdout.readline().decode(errors="replace")
                if not line:
                    code = waiting.wait(_EXIT_SECONDS)
                    raise NodeFailed(
                        f"node {waiting.plan.node_id} ended with {code} before it was ready:\n"
                        f"{waiting.plan.last_words()}"
                    )
                if " ready: " in line:
                    waiting.ready_line = line.strip()
                    selector.unregister(waiting.stdout)


def stop_all(processes: Iterable[NodeProcess], seconds: float) -> list[NodeProcess]:
    """Stop them, all at the same time; those that did not end by themselves are killed and answered.

    They are told twice: there will be nobody to hand over to.
    """
    running = [process for process in processes if process.exit_code is None]
    for process in running:
        process.signal(signal.SIGCONT)
        process.signal(signal.SIGTERM)
        process.signal(signal.SIGINT)
    deadline = time.monotonic() + seconds
    stuck = [p for p in running if p.wait(max(0.0, deadline - time.monotonic())) is None]
    for process in stuck:
        process.kill()
    return stuck
