"""What the cluster tests ask a running cluster."""

from __future__ import annotations

from e2ekit.waiting import wait_until
from riverlog.cli.cluster_client import Cluster, look
from riverlog.client.errors import ClientError
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_cluster_request import DescribeClusterRequest
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


def controller_told_by(cluster: TestCluster, asked: int, *, not_this: int, seconds: float = 60) -> int:
    """The controller that one node knows, once it is not ``not_this``."""
    found: list[int] = []

    def known() -> bool:
        try:
            found[:] = [status(cluster.node(asked).bootstrap).controller_id]
        except ClientError:
            return False
        return found[0] >= 0 and found[0] != not_this

    wait_until(known, seconds, f"node {asked} knows no other controller than {not_this}")
    return found[0]


def wait_until_fenced(cluster: TestCluster, node_id: int, asked: int, seconds: float = 60) -> float:
    """Until the node ``asked`` says that the other one is fenced; the seconds that took."""
    request = DescribeClusterRequest(include_fenced_brokers=True)

    def fenced() -> bool:
        try:
            with BlockingClient(cluster.node(asked).bootstrap, timeout=5.0) as client:
                brokers = client.call(ApiKey.DESCRIBE_CLUSTER, request).brokers
        except ClientError:
            return False
        return any(row.broker_id == node_id and row.is_fenced for row in brokers)

    return wait_until(fenced, seconds, f"broker {node_id} is not fenced")
