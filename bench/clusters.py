"""Three combined nodes of each kind on loopback, driven like one broker by the runner, or node by node."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from bench import wire
from bench.brokers import Broker, BrokerFailed, Kafka, Riverlog, new_cluster_id
from riverlog.runtime.local_cluster import ClusterPlan

NODES = 3
COPIES = 3
_TOGETHER_SECONDS_MAX = 120.0
SETTINGS = {
    "default.replication.factor": str(COPIES),
    "offsets.topic.replication.factor": str(COPIES),
    "transaction.state.log.replication.factor": str(COPIES),
    "min.insync.replicas": "2",
}


class RiverlogNode(Riverlog):
    """One node of a formatted cluster, started from its settings file."""

    def command(self) -> list[str]:
        return [*super().command()[:2], "--config", str(self.folder / "server.properties")]


class Cluster:
    """The nodes by id, from 1."""

    def __init__(self, nodes: dict[int, Broker], name: str) -> None:
        self.nodes = nodes
        self.name = name
        self.bootstrap = ",".join(node.bootstrap for node in nodes.values())

    @property
    def ports(self) -> list[int]:
        return [node.port for node in self.nodes.values()]

    @property
    def pids(self) -> list[int]:
        return [node.pid for node in self.nodes.values()]

    def start(self) -> float:
        """All at once; answers the seconds until each one serves and knows the others."""
        began = [(node, node.launch()) for node in self.nodes.values()]
        for node, at in began:
            node.wait_for_answer(at)
        self.wait_until_together()
        return time.perf_counter() - began[0][1]

    def wait_until_together(self) -> None:
        deadline = time.monotonic() + _TOGETHER_SECONDS_MAX
        for port in self.ports:
            while len(wire.broker_ids(port)) < len(self.nodes):
                if time.monotonic() > deadline:
                    raise BrokerFailed(f"{self.name}: the nodes did not find each other")
                time.sleep(0.02)

    def controller(self) -> int:
        """The node that is the active controller."""
        deadline = time.monotonic() + _TOGETHER_SECONDS_MAX
        while time.monotonic() < deadline:
            for port in self.ports:
                try:
                    found = wire.quorum_leader(port)
                except OSError:
                    continue
                if found in self.nodes:
                    return found
            time.sleep(0.05)
        raise BrokerFailed(f"{self.name}: no active controller")

    def stop(self) -> None:
        """Not cleanly: the last ones would wait for a quorum to hand over to."""
        self.kill()

    def kill(self) -> None:
        for node in self.nodes.values():
            node.kill()


MakeCluster = Callable[[str], Cluster]


def riverlog_cluster(folder: Path, port: int) -> Cluster:
    plan = ClusterPlan(NODES, folder, base_port=port, settings=SETTINGS)
    plan.write()
    return Cluster(
        {node_id: RiverlogNode(node.folder, node.broker_port) for node_id, node in plan.nodes.items()},
        Riverlog.name,
    )


def kafka_cluster(folder: Path, port: int, libs: Path) -> Cluster:
    """The settings of riverlog's, and else those it ships with."""
    cluster_id = new_cluster_id()
    voters = ",".join(f"{n}@127.0.0.1:{port + NODES + n - 1}" for n in range(1, NODES + 1))
    nodes: dict[int, Broker] = {}
    for node_id in range(1, NODES + 1):
        broker_port, controller_port = port + node_id - 1, port + NODES + node_id - 1
        settings = {
            **SETTINGS,
            "node.id": str(node_id),
            "controller.quorum.voters": voters,
            "listeners": f"PLAINTEXT://127.0.0.1:{broker_port},CONTROLLER://127.0.0.1:{controller_port}",
        }
        nodes[node_id] = Kafka(folder / f"node-{node_id}", broker_port, libs, settings, cluster_id=cluster_id)
    return Cluster(nodes, Kafka.name)
