"""Groups while too few replicas of their partition are in sync: changes are refused, nothing is left half
done, and members that go meanwhile are missed afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest
from riverlog.protocol.generated.heartbeat_request import HeartbeatRequest
from riverlog.protocol.generated.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from riverlog.protocol.generated.sync_group_request import SyncGroupRequest, SyncGroupRequestAssignment
from riverlog.replication.policy import POLICY
from tests.unit.coordinator.offsets_world import TOPIC, OffsetsClient, OffsetsWorld
from tests.unit.coordinator.test_coordinator_host_txn import TooFew
from tests.unit.coordinator.test_offset_fencing import consumer, heartbeat, join, stable, sync

REFUSED = ErrorCode.COORDINATOR_NOT_AVAILABLE
MINUTE = 60.0
NOTHING = b"\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff"
"""A subscription to no topics, and an assignment of none."""


@pytest.fixture
def world() -> OffsetsWorld:
    return OffsetsWorld(
        group_initial_rebalance_delay_ms="0",
        group_consumer_assignment_interval_ms="0",
        group_consumer_migration_policy="bidirectional",
    )


@pytest.fixture
def client(world: OffsetsWorld) -> OffsetsClient:
    return world.prepared()


@contextmanager
def short_of_replicas(world: OffsetsWorld) -> Iterator[None]:
    host = world.broker.groups
    partition = host.shards[host.shard_of("g")].partition
    end = partition.log.log_end_offset
    partition.policy = TooFew()
    try:
        yield
        assert partition.log.log_end_offset == end, "nothing was written"
    finally:
        partition.policy = POLICY


def machine(world: OffsetsWorld) -> Any:
    host = world.broker.groups
    return host.shards[host.shard_of("g")].machine


def join_request(member_id: str = "") -> JoinGroupRequest:
    return JoinGroupRequest(
        group_id="g",
        session_timeout_ms=10_000,
        rebalance_timeout_ms=60_000,
        member_id=member_id,
        protocol_type="consumer",
        protocols=[JoinGroupRequestProtocol("range", NOTHING)],
    )


def test_offsets_are_not_committed_and_can_be_read(world: OffsetsWorld, client: OffsetsClient) -> None:
    """INVARIANTS 8."""
    client.commit({0: 1})
    with short_of_replicas(world):
        assert client.commit({0: 2}) == {0: REFUSED}
        assert client.committed() == {(TOPIC, 0): 1}
    assert client.commit({0: 3}) == {0: 0}
    assert client.committed() == {(TOPIC, 0): 3}


@pytest.mark.parametrize("version", [3, 4])
def test_a_classic_group_that_could_not_begin_leaves_nothing(
    world: OffsetsWorld, client: OffsetsClient, version: int
) -> None:
    with short_of_replicas(world):
        assert client.call(ApiKey.JOIN_GROUP, version, join_request()).error_code == REFUSED
        machine(world).classic.validate()
        assert "g" not in machine(world).groups
        world.wait(3 * MINUTE)
    assert stable(client)["generation"] == 1


def test_a_generation_that_could_not_be_written_begins_anew(
    world: OffsetsWorld, client: OffsetsClient
) -> None:
    joined = join(client)
    with short_of_replicas(world):
        request = SyncGroupRequest("g", joined.generation_id, joined.member_id)
        assert client.call(ApiKey.SYNC_GROUP, 2, request).error_code == REFUSED
        beat = HeartbeatRequest("g", joined.generation_id, joined.member_id)
        assert client.call(ApiKey.HEARTBEAT, 2, beat).error_code in (0, ErrorCode.REBALANCE_IN_PROGRESS)
    world.wait(1)
    again = join(client, joined.member_id)
    assert again.generation_id == joined.generation_id + 1
    sync(client, again)


def test_a_member_that_could_not_leave_is_missed_later(world: OffsetsWorld, client: OffsetsClient) -> None:
    member = consumer(client)
    with short_of_replicas(world):
        request = ConsumerGroupHeartbeatRequest(group_id="g", member_id="m1", member_epoch=-1)
        assert client.newest(ApiKey.CONSUMER_GROUP_HEARTBEAT, request).error_code == REFUSED
        world.wait(3 * MINUTE)
        assert "m1" in machine(world).groups["g"].members
    world.wait(1 * MINUTE)
    assert machine(world).groups["g"].members == {}
    assert client.commit({0: 1}, **member) == {0: ErrorCode.UNKNOWN_MEMBER_ID}


def test_a_member_that_goes_on_is_not_expelled(world: OffsetsWorld, client: OffsetsClient) -> None:
    member = consumer(client)
    with short_of_replicas(world):
        for _ in range(20):
            world.wait(5)
            assert heartbeat(client, "m1", member["generation"]).error_code == 0
    world.wait(5)
    assert heartbeat(client, "m1", member["generation"]).member_epoch == member["generation"]


def test_a_classic_group_that_could_not_change_its_protocol_keeps_its_sessions(
    world: OffsetsWorld, client: OffsetsClient
) -> None:
    joined = client.call(ApiKey.JOIN_GROUP, 3, join_request())
    assignments = [SyncGroupRequestAssignment(joined.member_id, NOTHING)]
    assigning = SyncGroupRequest("g", joined.generation_id, joined.member_id, assignments=assignments)
    assert client.call(ApiKey.SYNC_GROUP, 2, assigning).error_code == 0
    with short_of_replicas(world):
        request = ConsumerGroupHeartbeatRequest(
            group_id="g",
            member_id="m1",
            member_epoch=0,
            rebalance_timeout_ms=60_000,
            subscribed_topic_names=[TOPIC],
            topic_partitions=[],
        )
        assert client.newest(ApiKey.CONSUMER_GROUP_HEARTBEAT, request).error_code == REFUSED
        assert machine(world).groups["g"].kind == "classic"
        beat = HeartbeatRequest("g", joined.generation_id, joined.member_id)
        assert client.call(ApiKey.HEARTBEAT, 2, beat).error_code == 0
        assert client.newest(ApiKey.CONSUMER_GROUP_HEARTBEAT, request).error_code == REFUSED
    world.wait(1 * MINUTE)
    assert machine(world).groups["g"].state_name == "Empty", "its member said nothing any more"
