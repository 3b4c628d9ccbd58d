"""Throttled replication (KIP-73): named replicas move no more than the rate allows, and arrive in the end."""

from __future__ import annotations

import pytest
from broker_world import batch
from cluster_world import Cluster

from riverlog.replication import Partition

RATE = 20_000
VALUES = 30
VALUE = bytes(10_000)


def seconds_to_copy(cluster: Cluster) -> float:
    """How long a follower that begins with nothing needs for all records."""
    leader, follower = cluster.nodes[1], cluster.nodes[2]
    for _ in range(VALUES):
        assert leader.client().produce("t", batch(VALUE), acks=1).error_code == 0
    started = cluster.scheduler.now
    found = follower.broker.replicas.get("t", 0)
    assert isinstance(found, Partition)
    assert cluster.run_until(lambda: found.log.log_end_offset == VALUES, seconds_max=120.0)
    return cluster.scheduler.now - started


@pytest.mark.parametrize("side", ["leader", "follower"])
def test_named_replicas_move_at_the_rate(side: str) -> None:
    # One batch at a time: what a window may pass at once is judged after it was moved.
    settings = {f"{side}_replication_throttled_rate": str(RATE), "replica_fetch_max_bytes": "1"}
    cluster = Cluster(3, **settings)
    name = f"{side}.replication.throttled.replicas".replace(".", "_")
    cluster.create("t", replicas=[1, 2], **{name: "0:1,0:2"})
    # 15 seconds' worth, of which the first window of ten may pass as a burst once it is full.
    assert seconds_to_copy(cluster) > 5.0


def test_others_are_not_held_back() -> None:
    cluster = Cluster(3, leader_replication_throttled_rate="1", follower_replication_throttled_rate="1")
    cluster.create("t", replicas=[1, 2], leader_replication_throttled_replicas="0:3")
    assert seconds_to_copy(cluster) < 1.0
