"""A cluster whose nodes sit in network namespaces of their own, behind a router that can drop packets.

Needs root and ``ip`` (iproute2). Clients are threads that enter the router's namespace: what they start
stays in it, and nothing here touches the machine's own network.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from riverlog.runtime.local_cluster import ClusterPlan, NodeProcess, stop_all, wait_until_ready

BROKER_PORT, CONTROLLER_PORT = 9092, 9093
_CLONE_NEWNET = 0x40000000
_COMMAND_SECONDS_MAX = 20
_START_SECONDS_MAX = 60.0
_STOP_SECONDS_MAX = 30.0

T = TypeVar("T")


class NoNamespaces(Exception):
    """They cannot be had here; the text is the reason."""


def find_ip() -> None:
    """The ``ip`` command, installed by its package's name where we may."""
    if os.geteuid() != 0:
        raise NoNamespaces("network namespaces need root")
    if shutil.which("ip") is None and shutil.which("apt-get") is not None:
        command = ["apt-get", "install", "-y", "-q", "iproute2"]
        with suppress(subprocess.SubprocessError):
            subprocess.run(command, capture_output=True, timeout=120, check=False)
    if shutil.which("ip") is None:
        raise NoNamespaces("no ip on PATH (Debian: apt-get install iproute2)")


def ip(*words: str) -> None:
    done = subprocess.run(
        ["ip", *words], capture_output=True, text=True, timeout=_COMMAND_SECONDS_MAX, check=False
    )
    if done.returncode != 0:
        raise NoNamespaces(f"ip {' '.join(words)}: {done.stderr.strip()}")


def inside(namespace: str, act: Callable[[], T]) -> T:
    """Call ``act`` on a thread in the namespace; its sockets, threads and children belong there."""

    def enter() -> T:
        with Path(f"/run/netns/{namespace}").open("rb") as door:
            if ctypes.CDLL(None, use_errno=True).setns(door.fileno(), _CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), f"cannot enter the namespace {namespace}")
        return act()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(enter).result()


class SplitNetwork:
    """A router with a cable to each node. Node ``n`` is 10.99.n.2."""

    def __init__(self, nodes: int) -> None:
        self._stem = f"rl{os.getpid()}"
        self.router = f"{self._stem}r"
        self._names = {number: f"{self._stem}n{number}" for number in range(1, nodes + 1)}
        self._cuts: list[tuple[str, ...]] = []
        self._made: list[str] = []

    def node(self, number: int) -> str:
        return self._names[number]

    @staticmethod
    def address(number: int) -> str:
        return f"10.99.{number}.2"

    def build(self) -> None:
        self._add(self.router)
        for number, name in self._names.items():
            self._add(name)
            port = f"r{number}"
            ends = ("eth", "netns", name), ("name", port, "netns", self.router)
            ip("link", "add", *ends[0], "type", "veth", "peer", *ends[1])
            ip("-n", name, "addr", "add", f"{self.address(number)}/24", "dev", "eth")
            ip("-n", self.router, "addr", "add", f"10.99.{number}.1/24", "dev", port)
            ip("-n", name, "link", "set", "eth", "up")
            ip("-n", self.router, "link", "set", port, "up")
            ip("-n", name, "route", "add", "default", "via", f"10.99.{number}.1")
        ip("netns", "exec", self.router, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")

    def _add(self, name: str) -> None:
        ip("netns", "add", name)
        self._made.append(name)
        ip("-n", name, "link", "set", "lo", "up")

    def cut(self, one: Collection[int], other: Collection[int], *, one_way: bool = False) -> None:
        """The router drops what the first side sends to the second, and the other way round."""
        for source in one:
            for target in other:
                self._drop(source, target)
                if not one_way:
                    self._drop(target, source)

    def _drop(self, source: int, target: int) -> None:
        rule = ("iif", f"r{source}", "to", self.address(target), "blackhole")
        ip("-n", self.router, "rule", "add", *rule)
        self._cuts.append(rule)

    def heal(self) -> None:
        while self._cuts:
            ip("-n", self.router, "rule", "del", *self._cuts.pop())

    def remove(self) -> None:
        while self._made:
            ip("netns", "del", self._made.pop())


class NamespaceCluster:
    """Three combined nodes, each in its namespace; ``with`` builds and removes all of it."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self.network = SplitNetwork(3)
        self._plan = ClusterPlan(3, folder, settings=settings)
        hosts = {number: self.network.address(number) for number in self._plan.nodes}
        controllers = ",".join(f"{host}:{CONTROLLER_PORT}" for host in hosts.values())
        for number, node in self._plan.nodes.items():
            node.settings |= {
                "listeners": f"PLAINTEXT://{hosts[number]}:{BROKER_PORT}"
                f",CONTROLLER://{hosts[number]}:{CONTROLLER_PORT}",
                "controller.quorum.bootstrap.servers": controllers,
            }
        self.bootstrap = ",".join(f"{host}:{BROKER_PORT}" for host in hosts.values())
        self._processes: dict[int, NodeProcess] = {}

    @property
    def node_ids(self) -> list[int]:
        return list(self._plan.nodes)

    def bootstrap_of(self, number: int) -> str:
        return f"{self.network.address(number)}:{BROKER_PORT}"

    def __enter__(self) -> Self:
        find_ip()
        try:
            self.network.build()
            self._plan.write()
            for number, node in self._plan.nodes.items():
                self._processes[number] = inside(
                    self.network.node(number), lambda node=node: NodeProcess(node)
                )
            wait_until_ready(self._processes.values(), _START_SECONDS_MAX)
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        dead = [number for number, process in self._processes.items() if process.exit_code is not None]
        if error is not None:
            for node in self._plan.nodes.values():
                error.add_note(f"node {node.node_id} said:\n{node.last_words()}")
        self._end()
        assert error is not None or not dead, f"nodes {dead} died by themselves"

    def _end(self) -> None:
        stop_all(self._processes.values(), _STOP_SECONDS_MAX)
        for process in self._processes.values():
            process.kill()  # of one that has ended, only its pipes are left
        self._processes.clear()
        self.network.remove()
