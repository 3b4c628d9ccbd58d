"""Bits that flip in old segments are found while the broker runs, and repaired from the leader."""

from __future__ import annotations

import pytest
from broker_world import batch
from cluster_world import Cluster, Node

from riverlog.replication import Partition


def replica(node: Node) -> Partition:
    found = node.broker.replicas.get("t", 0)
    assert isinstance(found, Partition)
    return found


def contents(node: Node) -> list[bytes]:
    return [segment.file.read(0, segment.size) for segment in replica(node).log.segments]


def filled(replicas: list[int], **settings: str) -> Cluster:
    """Several small segments on every replica; node 1 leads."""
    cluster = Cluster(3)
    for node in cluster.alive:
        node.broker.replicas.scrubber.stop()
        node.broker.replicas.scrubber.round_seconds = 5.0
        node.broker.replicas.scrubber.start()
    cluster.create("t", replicas=replicas, segment_bytes="1048576", **settings)
    leader = cluster.wait_leader("t")
    for _ in range(12):
        assert leader.client().produce("t", batch(bytes(250_000))).error_code == 0
    assert all(len(replica(cluster.nodes[number]).log.segments) == 3 for number in replicas)
    return cluster


def flip(node: Node, segment: int) -> None:
    """One bit on the disk and in the page cache."""
    inode = node.media.file(replica(node).log.segments[segment].file.path)
    for content in (inode.content, inode.durable):
        content[-100] ^= 0x10


def test_a_corrupt_follower_leaves_is_cut_and_returns(caplog: pytest.LogCaptureFixture) -> None:
    cluster = filled([1, 2, 3], min_insync_replicas="2")
    broken = cluster.nodes[3]
    flip(broken, 1)
    assert contents(broken) != contents(cluster.nodes[1])
    cluster.wait_isr("t", {1, 2})
    cluster.wait_isr("t", {1, 2, 3})
    assert "t-0 is corrupt at offset 7" in caplog.text
    assert cluster.run_until(lambda: contents(broken) == contents(cluster.nodes[1]))
    assert cluster.produce("t", b"after") == 12


def test_what_leads_or_may_have_to_is_not_cut(caplog: pytest.LogCaptureFixture) -> None:
    cluster = filled([1, 2], min_insync_replicas="2")
    for node in (cluster.nodes[1], cluster.nodes[2]):
        flip(node, 1)
    cluster.run_for(60.0)
    assert caplog.text.count("is corrupt at offset 7: repaired once another replica leads") >= 1
    for node in (cluster.nodes[1], cluster.nodes[2]):
        assert replica(node).log.log_end_offset == 12
    cluster.wait_isr("t", {1, 2})


def test_a_healthy_log_is_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    cluster = filled([1, 2, 3])
    cluster.run_for(60.0)
    assert "corrupt" not in caplog.text
