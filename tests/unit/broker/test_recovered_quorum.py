"""Two of three voters are wiped: the third goes on alone once somebody says so (RULES: forming 4)."""

from __future__ import annotations

import pytest
from cluster_world import Cluster, Node

from riverlog.metadata.errors import MetadataError
from riverlog.metadata.recovering import find_survivor, make_sole_voter
from riverlog.sim.clock import SimClock
from riverlog.sim.media import Media


def recover(node: Node) -> None:
    """As the command does, on a node that does not run."""
    disk = node.open_disk()
    clock = SimClock(node.cluster.scheduler)
    make_sole_voter(disk, node.log_dirs, node.config(), clock)
    disk.kill()
    clock.kill()


def voters(node: Node) -> list[int]:
    return list(node.broker.metadata.raft.voters.ids)


def test_the_survivor_keeps_the_metadata_and_the_wiped_ones_join_again() -> None:
    cluster = Cluster()
    cluster.create("kept", replicas=[1, 2, 3], min_insync_replicas="1", retention_ms="123456")
    for number in range(20):
        cluster.produce("kept", b"%d" % number)
    survivor = cluster.nodes[3]
    cluster.wait_isr("kept", {1, 2, 3})
    for node in cluster.nodes.values():
        node.kill()
    for wiped in (cluster.nodes[1], cluster.nodes[2]):
        wiped.media = Media()
    before = survivor.config()
    disk = survivor.open_disk()
    found = find_survivor(disk, survivor.log_dirs, before)
    disk.kill()
    assert (found.node_id, found.lost_voters) == (3, (1, 2))
    assert found.in_sync_here >= 1

    # Without it the wiped majority keeps the quorum still (and does not form a second one).
    for node in cluster.nodes.values():
        node.start()
    cluster.run_for(10)
    assert cluster.controller() is None
    for node in cluster.nodes.values():
        node.kill()

    recover(survivor)
    survivor.start()
    assert cluster.run_until(lambda: survivor.ready), cluster.status()
    assert voters(survivor) == [3]
    image = survivor.broker.metadata.image
    assert image.topics["kept"].partitions[0].replicas == (1, 2, 3)
    assert image.topic_config("kept")["retention.ms"] == "123456"
    assert survivor.broker.metadata.cluster_id == found.cluster_id
    assert cluster.wait_leader("kept") is survivor
    assert cluster.produce("kept", b"after") == 20

    for number in (1, 2):
        cluster.nodes[number].start()
    # A voter counts from its append, but is safe to lean on once the change is everywhere.
    everybody = cluster.nodes.values()
    assert cluster.run_until(lambda: all(voters(node) == [1, 2, 3] for node in everybody)), cluster.status()
    assert cluster.run_until(lambda: all(node.ready for node in everybody)), cluster.status()
    assert {node.broker.metadata.cluster_id for node in cluster.nodes.values()} == {found.cluster_id}
    cluster.wait_isr("kept", {1, 2, 3})
    survivor.kill()  # and they can do without it
    assert cluster.wait_leader("kept") is not survivor
    assert cluster.produce("kept", b"last") == 21


def test_a_node_that_is_the_only_voter_is_left_alone() -> None:
    cluster = Cluster()
    for node in cluster.nodes.values():
        node.kill()
    survivor = cluster.nodes[2]
    recover(survivor)
    disk = survivor.open_disk()
    with pytest.raises(MetadataError, match="only voter already"):
        make_sole_voter(disk, survivor.log_dirs, survivor.config(), SimClock(cluster.scheduler))
    disk.kill()
    survivor.start()
    assert cluster.run_until(lambda: survivor.broker.metadata.is_active), cluster.status()
    assert voters(survivor) == [2]
