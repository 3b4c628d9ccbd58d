"""Racks in groups of the consumer protocol: from the metadata and the members into assignments."""

from __future__ import annotations

from typing import Any

import pytest

from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.partition_change_record import PartitionChangeRecord
from riverlog.protocol.generated.register_broker_record import RegisterBrokerRecord
from tests.unit.broker.broker_world import Client, World
from tests.unit.coordinator.modern_world import ModernWorld, pairs


def register(world: ModernWorld, broker_id: int, rack: str | None) -> None:
    world.image.replay(RegisterBrokerRecord(broker_id=broker_id, rack=rack))


def place(world: ModernWorld, name: str, *replicas: list[int]) -> None:
    """A topic with these replicas."""
    topic_id = world.topic(name, len(replicas))
    for index, nodes in enumerate(replicas):
        world.image.replay(
            PartitionChangeRecord(partition_id=index, topic_id=topic_id, replicas=nodes, isr=nodes)
        )


@pytest.fixture
def world() -> ModernWorld:
    """Two racks, and a topic with every second partition in each."""
    world = ModernWorld()
    register(world, 1, "a")
    register(world, 2, "b")
    place(world, "t", [1], [2], [1], [2])
    return world


def joined(world: ModernWorld, member_id: str, rack: str | None, **settings: Any) -> int:
    response = world.join(member_id, "t", rack_id=rack, **settings)
    assert response.error_code == 0
    epoch: int = response.member_epoch
    return epoch


def target(world: ModernWorld, member_id: str) -> list[int]:
    return sorted(world.group().target[member_id].get(world.topic_id("t"), ()))


def test_a_new_member_gets_what_is_near_it(world: ModernWorld) -> None:
    joined(world, "m1", "a")
    joined(world, "m2", "b")
    assert (target(world, "m1"), target(world, "m2")) == ([0, 2], [1, 3])


def test_without_a_rack_of_every_broker_racks_are_not_looked_at(world: ModernWorld) -> None:
    register(world, 2, None)
    joined(world, "m1", "a")
    joined(world, "m2", "b")
    assert (target(world, "m1"), target(world, "m2")) == ([0, 1], [2, 3])


def test_without_racks_of_members_there_is_nothing_to_look_at(world: ModernWorld) -> None:
    joined(world, "m1", None)
    joined(world, "m2", None)
    assert (target(world, "m1"), target(world, "m2")) == ([0, 1], [2, 3])


def test_range_follows_racks_that_change(world: ModernWorld) -> None:
    joined(world, "m1", "a", server_assignor="range")
    epoch = joined(world, "m2", "b", server_assignor="range")
    assert (target(world, "m1"), target(world, "m2")) == ([0, 2], [1, 3])
    world.image.replay(
        RegisterBrokerRecord(broker_id=3, rack="c")
    )  # no replica there: nothing changes for the group
    assert world.beat("m2", epoch).member_epoch == epoch
    assert world.group().epoch == epoch
    register(world, 1, "b")
    register(world, 2, "a")
    world.beat("m2", epoch)
    assert world.group().epoch == epoch + 1
    assert world.group().assignment_epoch == epoch + 1
    assert (target(world, "m1"), target(world, "m2")) == ([1, 3], [0, 2])


def test_replicas_that_move_to_another_rack_are_noticed(world: ModernWorld) -> None:
    """Uniform is sticky: what was assigned stays, however far it is now."""
    joined(world, "m1", "a")
    epoch = joined(world, "m2", "b")
    world.image.replay(
        PartitionChangeRecord(partition_id=0, topic_id=world.topic_id("t"), replicas=[2], isr=[2])
    )
    world.beat("m2", epoch)
    assert world.group().epoch == epoch + 1
    assert (target(world, "m1"), target(world, "m2")) == ([0, 2], [1, 3])


def test_a_broker_that_gets_a_rack_is_noticed(world: ModernWorld) -> None:
    register(world, 2, None)
    joined(world, "m1", "a", server_assignor="range")
    epoch = joined(world, "m2", "b", server_assignor="range")
    assert (target(world, "m1"), target(world, "m2")) == ([0, 1], [2, 3])
    register(world, 2, "b")
    world.beat("m2", epoch)
    assert (target(world, "m1"), target(world, "m2")) == ([0, 2], [1, 3])


def test_a_member_that_says_another_rack_makes_the_group_assign_anew(world: ModernWorld) -> None:
    joined(world, "m1", "a", server_assignor="range")
    epoch = joined(world, "m2", "a", server_assignor="range")
    assert (target(world, "m1"), target(world, "m2")) == ([0, 2], [1, 3])
    response = world.beat(
        "m1",
        world.group().members["m1"].member_epoch,
        rack_id="b",
        subscribed_topic_names=["t"],
        rebalance_timeout_ms=60_000,
        topic_partitions=[],
    )
    assert response.error_code == 0
    assert world.group().epoch == epoch + 1
    assert (target(world, "m1"), target(world, "m2")) == ([1, 3], [0, 2])
    assert pairs(world, response.assignment) <= {("t", 1), ("t", 3)}


# -- a whole broker ----------------------------------------------------------------------


def beat(client: Client, member_id: str, epoch: int, **settings: Any) -> Any:
    request = ConsumerGroupHeartbeatRequest("g", member_id, epoch, **settings)
    response = client.call(ApiKey.CONSUMER_GROUP_HEARTBEAT, 1, request)
    assert response.error_code == 0, response
    return response


def join(client: Client, member_id: str, rack: str) -> Any:
    return beat(
        client,
        member_id,
        0,
        rebalance_timeout_ms=60_000,
        subscribed_topic_names=["t"],
        topic_partitions=[],
        server_assignor="range",
        rack_id=rack,
    )


def find(client: Client) -> None:
    client.call(ApiKey.FIND_COORDINATOR, 6, FindCoordinatorRequest(coordinator_keys=["g"]))


def has(response: Any) -> list[int]:
    return [p for found in response.assignment.topic_partitions for p in found.partitions]


def test_a_broker_gives_its_partition_to_the_member_in_its_rack() -> None:
    """Also after it came back in another rack."""
    world = World(
        offsets_topic_num_partitions="1", group_consumer_assignment_interval_ms="0", broker_rack="near"
    )
    client = world.client()
    client.create("t", 1)
    find(client)
    assert has(join(client, "m1", "far")) == [0]
    second = join(client, "m2", "near")
    assert has(second) == [], "not before m1 let go of it"
    first = beat(client, "m1", 2)
    assert has(first) == [], "m1 shall let go of it"
    first = beat(client, "m1", 2, topic_partitions=[])
    second = beat(client, "m2", second.member_epoch)
    assert has(second) == [0]
    world.stop()
    world.static["broker.rack"] = "far"
    world.start()
    client = world.client()
    find(client)
    world.scheduler.run_for(1)  # groups are loaded
    moved = beat(client, "m2", second.member_epoch)
    assert moved.assignment is not None
    assert has(moved) == []
