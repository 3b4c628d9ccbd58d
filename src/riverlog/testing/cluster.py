"""A cluster of real processes for tests of what happens when nodes die, hang, or cannot reach each other.

Nodes are named by their node ids, 1 to N, as they appear in clients' metadata.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from riverlog.runtime.local_cluster import (
    ClusterPlan,
    NodeFailed,
    NodePlan,
    NodeProcess,
    stop_all,
    wait_until_ready,
)
from riverlog.runtime.ports import HOST
from riverlog.testing.in_process import setting_text
from riverlog.testing.links import Links

START_SECONDS_MAX = 60.0
STOP_SECONDS_MAX = 30.0


class ClusterFailed(Exception):
    """A node did not start, or died by itself; the text ends with what it said last."""


class TestCluster:
    """A running cluster; made by ``cluster()``. ``bootstrap`` is what clients need."""

    __test__ = False

    def __init__(
        self,
        nodes: int,
        config: Mapping[str, str | int | float | bool],
        *,
        data_dir: str | os.PathLike[str] | None,
        links: bool,
    ) -> None:
        self._count = nodes
        self._settings = {
            "group.initial.rebalance.delay.ms": "0",
            **{name: setting_text(value) for name, value in config.items()},
        }
        self._given = Path(data_dir) if data_dir is not None else None
        self._with_links = links
        self._links: Links | None = None
        self._plan: ClusterPlan | None = None
        self._processes: dict[int, NodeProcess] = {}
        self._paused: set[int] = set()

    # -- life ----------------------------------------------------------------------------

    def start(self) -> Self:
        """Format the folders, start every node, and wait until all can serve."""
        assert self._plan is None, "already running"
        folder = self._given or Path(tempfile.mkdtemp(prefix="riverlog-cluster-"))
        plan = self._plan = ClusterPlan(self._count, folder, settings=self._settings)
        if self._with_links:
            self._links = Links()
            self._add_detours(plan, self._links)
        plan.write()
        for node_id in plan.nodes:
            self._processes[node_id] = NodeProcess(plan.nodes[node_id])
        self._wait(self._processes.values())
        return self

    def _add_detours(self, plan: ClusterPlan, links: Links) -> None:
        """Each node reaches the others' ports through ports of ours, in both roles."""
        for source in plan.nodes:
            detours = [
                f"{HOST}:{port}={HOST}:{links.add(source, target, port)}"
                for target, node in plan.nodes.items()
                if target != source
                for port in (node.broker_port, node.controller_port)
            ]
            plan.nodes[source].settings["network.detours"] = ",".join(detours)

    def _wait(self, processes: Collection[NodeProcess]) -> None:
        try:
            wait_until_ready(processes, START_SECONDS_MAX)
        except (NodeFailed, TimeoutError) as error:
            raise ClusterFailed(str(error)) from None

    def stop(self) -> None:
        """End every node, cleanly where it still can. A node that had died by itself is an error."""
        processes, self._processes = self._processes, {}
        links, self._links = self._links, None
        if links is not None:
            links.heal()
        dead = [p for p in processes.values() if p.exit_code is not None]
        stuck = stop_all(processes.values(), STOP_SECONDS_MAX)
        if links is not None:
            links.close()
        for process in dead:
            process.kill()  # only its pipes are left
            raise ClusterFailed(_last_words(process.plan, f"died by itself with {process.exit_code}"))
        for process in stuck:
            raise ClusterFailed(_last_words(process.plan, f"did not stop within {STOP_SECONDS_MAX:.0f} s"))

    # -- faults --------------------------------------------------------------------------

    def kill(self, node_id: int) -> None:
        """``kill -9``."""
        self._take(node_id).kill()
        if self._links is not None:
            self._links.target_down(node_id)

    def stop_node(self, node_id: int) -> None:
        """SIGTERM: the node hands over what it leads, then ends."""
        process = self._take(node_id)
        process.signal(signal.SIGTERM)
        code = process.wait(STOP_SECONDS_MAX)
        if code is None:
            process.kill()
        if self._links is not None:
            self._links.target_down(node_id)
        if code != 0:
            raise ClusterFailed(_last_words(process.plan, f"did not stop cleanly ({code})"))

    def restart(self, node_id: int, *, wait: bool = True) -> None:
        """Start a node again, on its folder and ports; one that runs is stopped first."""
        if node_id in self._processes:
            self.stop_node(node_id)
        if self._links is not None:
            self._links.target_up(node_id)
        process = self._processes[node_id] = NodeProcess(self.plan.nodes[node_id])
        if wait:
            self._wait([process])

    def wait_until_ready(self) -> None:
        """Until every running node can serve: after ``restart(…, wait=False)``."""
        self._wait(self._processes.values())

    def pause(self, node_id: int) -> None:
        """SIGSTOP: it keeps its connections and says nothing."""
        self._running(node_id).signal(signal.SIGSTOP)
        self._paused.add(node_id)

    def resume(self, node_id: int) -> None:
        self._running(node_id).signal(signal.SIGCONT)
        self._paused.discard(node_id)

    def partition(self, one: Collection[int], other: Collection[int], *, one_way: bool = False) -> None:
        """Nothing passes between the two sides until ``heal``; with ``one_way``, nothing from the first.

        Clients reach every node as before.
        """
        if self._links is None:
            raise ValueError("partitions need cluster(links=True)")
        for source in one:
            for target in other:
                self._links.cut(source, target)
                if not one_way:
                    self._links.cut(target, source)

    def heal(self) -> None:
        """End every partition."""
        if self._links is not None:
            self._links.heal()

    # -- looking -------------------------------------------------------------------------

    @property
    def plan(self) -> ClusterPlan:
        if self._plan is None:
            raise ValueError("the cluster is not running; use it inside its `with` block")
        return self._plan

    @property
    def bootstrap(self) -> str:
        """``host:port`` of every node, for ``bootstrap.servers``."""
        return self.plan.bootstrap

    @property
    def node_ids(self) -> list[int]:
        """All nodes, running or not."""
        return list(self.plan.nodes)

    @property
    def running(self) -> list[int]:
        """Nodes that have a process, a paused one too."""
        return list(self._processes)

    def node(self, node_id: int) -> NodePlan:
        """A node's ports and folder."""
        return self.plan.nodes[node_id]

    def pid(self, node_id: int) -> int:
        return self._running(node_id).pid

    def has_ended(self, node_id: int) -> bool:
        """Whether a node's process is gone, by itself or by a signal of the test's own."""
        if node_id in self._processes and self._processes[node_id].exit_code is not None:
            self._take(node_id).kill()  # only its pipes are left
            if self._links is not None:
                self._links.target_down(node_id)
        return node_id not in self._processes

    def logs(self, lines: int = 40) -> str:
        """The end of every node's log."""
        return "\n".join(_last_words(node, "said", lines) for node in self.plan.nodes.values())

    def _running(self, node_id: int) -> NodeProcess:
        if node_id not in self._processes:
            raise ValueError(f"node {node_id} is not running")
        return self._processes[node_id]

    def _take(self, node_id: int) -> NodeProcess:
        process = self._running(node_id)
        del self._processes[node_id]
        if node_id in self._paused:
            self._paused.discard(node_id)
            process.signal(signal.SIGCONT)
        return process

    # -- with and async with -------------------------------------------------------------

    def __enter__(self) -> Self:
        try:
            return self.start()
        except BaseException:
            self._abandon()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is not None and self._plan is not None:
                error.add_note(f"\nThe nodes' logs:\n{self.logs()}")
                self._abandon()
            else:
                self.stop()
        finally:
            self._remove_folder()

    def _abandon(self) -> None:
        """The test failed already: end the processes as they are."""
        for process in self._processes.values():
            process.kill()
        self._processes.clear()
        if self._links is not None:
            self._links.close()
            self._links = None
        self._remove_folder()

    def _remove_folder(self) -> None:
        plan, self._plan = self._plan, None
        if plan is not None and self._given is None:
            shutil.rmtree(plan.folder, ignore_errors=True)

    async def __aenter__(self) -> Self:
        return await asyncio.to_thread(self.__enter__)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.__exit__, kind, error, trace)


def cluster(
    nodes: int = 3,
    config: Mapping[str, str | int | float | bool] | None = None,
    *,
    data_dir: str | os.PathLike[str] | None = None,
    links: bool = True,
) -> TestCluster:
    """A cluster of combined nodes on free ports of the loopback interface, each a process of its own.

    ``config`` takes Kafka's broker settings, for all nodes. A ``data_dir`` of yours is kept, and a
    cluster in it is started again. ``links=False``: no ``partition``, and no proxy between the nodes.
    """
    return TestCluster(nodes, config or {}, data_dir=data_dir, links=links)


def _last_words(node: NodePlan, what: str, lines: int = 15) -> str:
    return f"node {node.node_id} {what}:\n{node.last_words(lines)}\n"
