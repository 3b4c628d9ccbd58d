"""A single node whose second disk was replaced: what was there is offline, not silently empty."""

from __future__ import annotations

from broker_world import Client, World, batch

from riverlog.base.errors import ErrorCode
from riverlog.metadata.image import NO_LEADER
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.elect_leaders_request import ElectLeadersRequest, TopicPartitions
from riverlog.sim.disk import Setup, SimDisk
from riverlog.sim.rng import SimRng

ONE, TWO = "/one", "/two"
UNCLEAN = 1


def empty(world: World, path: str) -> None:
    """Between two lives."""
    disk = SimDisk(world.media, world.scheduler, SimRng(1), Setup())
    for name in disk.list_folder(path):
        inner = f"{path}/{name}"
        if disk.is_folder(inner):
            for file in disk.list_folder(inner):
                disk.remove(f"{inner}/{file}")
            disk.remove_folder(inner)
        else:
            disk.remove(inner)
    disk.sync_folder(path)
    disk.kill()


def produced(client: Client, index: int) -> tuple[ErrorCode, int]:
    answer = client.produce("t", batch(b"x"), partition=index)
    return ErrorCode(answer.error_code), answer.base_offset


def test_partitions_of_an_emptied_folder_are_offline_until_an_unclean_election() -> None:
    world = World(log_dirs=(ONE, TWO))
    client = world.client()
    client.create("t", 2)
    for index in (0, 1):
        assert produced(client, index) == (ErrorCode.NONE, 0)
    metadata = world.broker.metadata

    def told() -> bool:
        known = [one.directories[0] for one in metadata.image.topics["t"].partitions.values()]
        return set(known) == set(metadata.directory_ids.values())

    assert world.run_until(told)
    lost_id = metadata.directory_ids[TWO]
    partitions = metadata.image.topics["t"].partitions
    (lost,) = (index for index, one in partitions.items() if one.directories[0] == lost_id)
    kept = 1 - lost
    world.stop()
    empty(world, TWO)
    world.start()
    client = world.client()
    assert produced(client, kept) == (ErrorCode.NONE, 1)
    error, _ = produced(client, lost)
    assert error in (ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.LEADER_NOT_AVAILABLE)
    metadata = world.broker.metadata

    def named() -> bool:
        """The controller knows where its new log is."""
        state = metadata.image.topics["t"].partitions[lost]
        return state.directories[0] in metadata.directory_ids.values()

    assert world.run_until(named)
    assert metadata.image.topics["t"].partitions[lost].leader == NO_LEADER
    request = ElectLeadersRequest(
        election_type=UNCLEAN, topic_partitions=[TopicPartitions(topic="t", partitions=[lost])]
    )
    assert client.newest(ApiKey.ELECT_LEADERS, request).error_code == ErrorCode.NONE
    assert produced(client, lost) == (ErrorCode.NONE, 0)
