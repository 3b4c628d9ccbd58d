"""Throttled replication (KIP-73): named replicas move no more than the rate allows, and arrive in the end."""

from __future__ import annotations

import pytest
from broker_world import batch
from cluster_world import Cluster

from riverlog.base.errors import ErrorCode
from riverlog.replication import Partition

RATE = 20_000
VALUES = 30
VALUE = bytes(10_000)


def seconds_to_copy(cluster: Cluster) -> float:
    """How long a follower that was away needs for all that was written meanwhile."""
    leader, follower = cluster.nodes[1], cluster.nodes[2]
    follower.kill()
    cluster.wait_isr("t", {1})
    for _ in range(VALUES):
        assert leader.client().produce("t", batch(VALUE), acks=1).error_code == 0
    follower.start()
    assert cluster.run_until(lambda: follower.ready and isinstance(replica(cluster), Partition))
    started = cluster.scheduler.now
    assert cluster.run_until(lambda: log_end(cluster) == VALUES, seconds_max=120.0)
    return cluster.scheduler.now - started


def replica(cluster: Cluster) -> Partition | ErrorCode:
    return cluster.nodes[2].broker.replicas.get("t", 0)


def log_end(cluster: Cluster) -> int:
    found = replica(cluster)
    assert isinstance(found, Partition)
    return found.log.log_end_offset


@pytest.mark.parametrize(("side", "named"), [("leader", "0:1"), ("follower", "0:2"), ("leader", "*")])
def test_named_replicas_move_at_the_rate(side: str, named: str) -> None:
    # One batch at a time: what a window may pass at once is judged after it was moved.
    settings = {f"{side}_replication_throttled_rate": str(RATE), "replica_fetch_max_bytes": "1"}
    cluster = Cluster(3, **settings)
    name = f"{side}.replication.throttled.replicas".replace(".", "_")
    cluster.create("t", replicas=[1, 2], **{name: named})
    # 15 seconds' worth, of which the first window of ten may pass as a burst once it is full.
    assert seconds_to_copy(cluster) > 5.0


def test_others_are_not_held_back() -> None:
    """The leader's list names leaders and the follower's list followers."""
    cluster = Cluster(3, leader_replication_throttled_rate="1", follower_replication_throttled_rate="1")
    lists = {"leader_replication_throttled_replicas": "0:2", "follower_replication_throttled_replicas": "0:1"}
    cluster.create("t", replicas=[1, 2], **lists)
    assert seconds_to_copy(cluster) < 1.0


def test_in_sync_replicas_are_not_held_back() -> None:
    """Writes go on while a throttled partition moves."""
    cluster = Cluster(3, leader_replication_throttled_rate="1", follower_replication_throttled_rate="1")
    lists = {"leader_replication_throttled_replicas": "*", "follower_replication_throttled_replicas": "*"}
    cluster.create("t", replicas=[1, 2], **lists)
    started = cluster.scheduler.now
    for offset in range(10):
        assert cluster.produce("t", VALUE) == offset
    assert cluster.scheduler.now - started < 1.0
