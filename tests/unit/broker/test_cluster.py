"""Three nodes in memory: the whole way from forming to failover."""

from __future__ import annotations

from cluster_world import Cluster


def test_three_brokers_register_and_are_unfenced() -> None:
    cluster = Cluster()
    assert cluster.controller() is not None
    for node in cluster.alive:
        assert sorted(node.broker.metadata.image.brokers) == [1, 2, 3]
