"""Followers of idle partitions: the leader answers them by a shorter way, which must not show."""

from __future__ import annotations

import pytest
from cluster_world import Cluster, Node

from riverlog.broker.handlers import fetch
from riverlog.replication import Partition

LAG_SECONDS = 2.0


def replica(node: Node) -> Partition:
    found = node.broker.replicas.get("t", 0)
    assert isinstance(found, Partition), found
    return found


def idle_cluster() -> Cluster:
    cluster = Cluster(3, replica_lag_time_max_ms=str(int(LAG_SECONDS * 1000)))
    cluster.create("t", replicas=[1, 2, 3])
    cluster.produce("t", b"a")
    cluster.run_for(2.0)
    return cluster


def test_idle_partitions_are_not_read_for_every_poll(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = idle_cluster()
    reads = []
    read = fetch.read_for_follower
    monkeypatch.setattr(fetch, "read_for_follower", lambda *a, **k: reads.append(a) or read(*a, **k))
    cluster.run_for(5.0)
    assert not reads
    cluster.produce("t", b"b")
    assert reads


def test_idle_followers_stay_in_sync_and_hear_the_watermark() -> None:
    cluster = idle_cluster()
    leader = cluster.nodes[1]
    cluster.run_for(3 * LAG_SECONDS)
    now = leader.broker.clock.monotonic()
    for follower in replica(leader).in_sync.followers.values():
        assert now - follower.caught_up_at < 1.0
    cluster.produce("t", b"b")
    cluster.run_for(LAG_SECONDS / 2)
    assert set(replica(leader).in_sync.isr) == {1, 2, 3}
    assert [replica(node).high_watermark for node in cluster.nodes.values()] == [2, 2, 2]


def test_a_follower_that_falls_silent_leaves_after_the_lag() -> None:
    cluster = idle_cluster()
    cluster.run_for(LAG_SECONDS)
    leader, silent = cluster.nodes[1], cluster.nodes[3]
    silent.broker.replicas.fetchers.stop()
    cluster.run_for(1.0)
    cluster.produce("t", b"b")
    assert cluster.run_until(lambda: set(replica(leader).in_sync.isr) == {1, 2})


def test_a_follower_with_readers_hears_the_watermark_at_once() -> None:
    cluster = Cluster(3, replica_selector_class="org.apache.kafka.common.replica.RackAwareReplicaSelector")
    cluster.create("t", replicas=[1, 2, 3])
    cluster.produce("t", b"a")
    cluster.run_for(2.0)
    for number in range(2, 5):
        cluster.produce("t", b"b")
        assert cluster.run_until(
            lambda number=number: {replica(n).high_watermark for n in cluster.nodes.values()} == {number}, 0.1
        )
        cluster.run_for(1.0)


def test_a_follower_with_readers_waits_when_there_is_nothing_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster(3, replica_selector_class="org.apache.kafka.common.replica.RackAwareReplicaSelector")
    cluster.create("t", replicas=[1, 2, 3])
    cluster.produce("t", b"a")
    cluster.run_for(2.0)
    polls = []
    count = fetch.count_fetches
    monkeypatch.setattr(fetch, "count_fetches", lambda *a: polls.append(a) or count(*a))
    cluster.run_for(5.0)
    assert 0 < len(polls) <= 2 * 5.0 / 0.5 + 2
