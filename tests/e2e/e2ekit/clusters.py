"""What the cluster tests ask a running cluster."""

from __future__ import annotations

from e2ekit.waiting import wait_until
from riverlog.cli.cluster_client import Cluster, look
from riverlog.client.errors import ClientError
from riverlog.runtime.client_io import BlockingClient
from riverlog.testing import TestCluster


def status(bootstrap: str) -> Cluster:
    with BlockingClient(bootstrap, timeout=5.0) as client:
        return look(client)


def controller_of(cluster: TestCluster, *, other_than: int | None = None, seconds: float = 30) -> int:
    """The active controller as a running node tells it; with ``other_than`` the next one."""
    found: list[int] = []

    def known() -> bool:
        for node_id in cluster.running:
            if node_id == other_than:
                continue
            try:
                found[:] = [status(cluster.node(node_id).bootstrap).controller_id]
            except ClientError:
                continue
            return found[0] >= 0 and found[0] != other_than
        return False

    wait_until(known, seconds, "there is no controller")
    return found[0]


def wait_until_fenced(cluster: TestCluster, node_id: int, asked: int, seconds: float = 60) -> float:
    """Until the node ``asked`` says that the other one is fenced; the seconds that took."""

    def fenced() -> bool:
        return status(cluster.node(asked).bootstrap).brokers[node_id].fenced

    return wait_until(fenced, seconds, f"broker {node_id} is not fenced")
