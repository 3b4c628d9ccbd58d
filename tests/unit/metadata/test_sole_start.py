"""A single node that starts again: what a new or missing log folder costs it."""

from __future__ import annotations

import pytest

from riverlog.metadata.directories import assign_replicas_to_dirs
from riverlog.metadata.image import NO_LEADER, PartitionState
from riverlog.metadata.node import MetadataNode
from riverlog.protocol.generated import assign_replicas_to_dirs_request as asked
from tests.unit.metadata.metadata_world import World

FOLDERS = ("/a", "/b")


def tell_folder(world: World, name: str, path: str) -> None:
    """The only partition of a topic is in that folder."""
    node = world.node
    topic_id = node.image.topics[name].topic_id
    partitions = [asked.PartitionData(partition_index=0)]
    directory = asked.DirectoryData(
        id=node.directory_ids[path], topics=[asked.TopicData(topic_id=topic_id, partitions=partitions)]
    )
    request = asked.AssignReplicasToDirsRequest(
        broker_id=node.node_id, broker_epoch=node.broker_epoch, directories=[directory]
    )
    world.decide(lambda state: assign_replicas_to_dirs(state, node.settings, request))


def two_folders(**settings: str) -> World:
    world = World(log_dirs=FOLDERS)
    world.start()
    for name, path in zip(("on-a", "on-b"), FOLDERS, strict=True):
        world.create(name, **settings)
        tell_folder(world, name, path)
    return world


def empty(world: World, path: str) -> None:
    """The disk is replaced: a new id is drawn at the next start."""
    world.kill()
    world.boot()
    world.disk.remove(f"{path}/meta.properties")
    world.disk.sync_folder(path)
    world.kill()


def partition(node: MetadataNode, topic: str) -> PartitionState:
    return node.image.topics[topic].partitions[0]


@pytest.mark.parametrize("clean", [True, False])
def test_what_was_in_an_emptied_folder_has_no_leader(clean: bool) -> None:
    """RULES: registration after an unclean stop: an empty log is never elected."""
    world = two_folders()
    empty(world, "/b")
    node = world.start(clean=clean)
    assert partition(node, "on-a").leader == 1
    lost = partition(node, "on-b")
    assert lost.leader == NO_LEADER
    assert list(lost.isr) == list(lost.eligible_leader_replicas) == list(lost.last_known_elr) == []
    assert lost.leader_epoch == 1
    world.kill()
    # Nor at the start after that.
    assert partition(world.start(clean=clean), "on-b").leader == NO_LEADER


def test_what_is_in_a_folder_that_is_not_there_has_no_leader() -> None:
    world = two_folders()
    world.kill()
    world.log_dirs = ["/a"]
    node = world.start()
    assert partition(node, "on-a").leader == 1
    assert partition(node, "on-b").leader == NO_LEADER


def test_folders_that_stay_keep_their_leaders() -> None:
    world = two_folders()
    world.kill()
    node = world.start(clean=True)
    assert [partition(node, name).leader_epoch for name in ("on-a", "on-b")] == [0, 0]
    world.kill()
    node = world.start(clean=False)
    assert [partition(node, name).leader_epoch for name in ("on-a", "on-b")] == [1, 1]
    assert [partition(node, name).leader for name in ("on-a", "on-b")] == [1, 1]
