"""Classic groups over a whole broker: frames in, frames out, power cuts in between."""

from __future__ import annotations

from typing import Any

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.group.classic_group import ClassicGroup
from riverlog.coordinator.host import ShardState
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response
from riverlog.protocol.generated.delete_groups_request import DeleteGroupsRequest
from riverlog.protocol.generated.describe_groups_request import DescribeGroupsRequest
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.heartbeat_request import HeartbeatRequest
from riverlog.protocol.generated.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from riverlog.protocol.generated.leave_group_request import LeaveGroupRequest, MemberIdentity
from riverlog.protocol.generated.list_groups_request import ListGroupsRequest
from riverlog.protocol.generated.sync_group_request import SyncGroupRequest, SyncGroupRequestAssignment
from tests.unit.broker.broker_world import Client, World

SESSION_MS = 10_000


@pytest.fixture
def world() -> World:
    return World(group_initial_rebalance_delay_ms="0", offsets_topic_num_partitions="4")


def _client(world: World) -> Client:
    client = world.client()
    request = FindCoordinatorRequest(key="g", key_type=0)
    assert client.call(ApiKey.FIND_COORDINATOR, 3, request).error_code == 0
    shards = world.broker.groups.shards.values()
    assert world.run_until(lambda: all(shard.state is ShardState.ACTIVE for shard in shards))
    return client


def _join_request(group_id: str, member_id: str = "") -> JoinGroupRequest:
    return JoinGroupRequest(
        group_id=group_id,
        session_timeout_ms=SESSION_MS,
        rebalance_timeout_ms=60_000,
        member_id=member_id,
        protocol_type="consumer",
        protocols=[JoinGroupRequestProtocol(name="range", metadata=b"m")],
    )


def _stable(client: Client, group_id: str = "g") -> str:
    member_id: str = client.newest(ApiKey.JOIN_GROUP, _join_request(group_id)).member_id
    joined = client.newest(ApiKey.JOIN_GROUP, _join_request(group_id, member_id))
    assert (joined.error_code, joined.generation_id) == (0, 1)
    request = SyncGroupRequest(
        group_id=group_id,
        generation_id=1,
        member_id=member_id,
        protocol_type="consumer",
        protocol_name="range",
        assignments=[SyncGroupRequestAssignment(member_id=member_id, assignment=b"a")],
    )
    assert client.newest(ApiKey.SYNC_GROUP, request).assignment == b"a"
    return member_id


def _beat(client: Client, member_id: str, group_id: str = "g") -> int:
    error: int = client.newest(ApiKey.HEARTBEAT, HeartbeatRequest(group_id, 1, member_id)).error_code
    return error


def _described(client: Client, group_id: str = "g") -> Any:
    return client.newest(ApiKey.DESCRIBE_GROUPS, DescribeGroupsRequest(groups=[group_id])).groups[0]


def _states(client: Client) -> dict[str, str]:
    response = client.newest(ApiKey.LIST_GROUPS, ListGroupsRequest())
    assert response.error_code == 0
    return {group.group_id: group.group_state for group in response.groups}


def test_a_stable_group_survives_a_crash(world: World) -> None:
    client = _client(world)
    member_id = _stable(client)
    before = _described(client)
    world.kill()
    world.start()
    client = _client(world)
    assert _described(client) == before
    assert _beat(client, member_id) == 0


def test_while_a_group_is_loaded_heartbeats_are_believed_and_all_else_waits(world: World) -> None:
    member_id = _stable(_client(world))
    world.kill()
    world.start()
    client = world.client()
    assert _beat(client, member_id) == 0
    world.kill()
    world.start()
    client = world.client()
    joined = client.newest(ApiKey.JOIN_GROUP, _join_request("g", member_id))
    assert joined.error_code == ErrorCode.COORDINATOR_LOAD_IN_PROGRESS


def test_a_member_that_does_not_return_after_a_crash_is_expelled(world: World) -> None:
    client = _client(world)
    member_id = _stable(client)
    world.kill()
    world.start()
    client = _client(world)
    shard = world.broker.groups.active("g")
    assert not isinstance(shard, ErrorCode)
    group = shard.machine.groups["g"]
    assert isinstance(group, ClassicGroup)
    began = world.clock.monotonic()
    assert world.run_until(lambda: group.is_empty)
    assert world.clock.monotonic() - began == pytest.approx(SESSION_MS / 1000, abs=0.1)
    assert _beat(client, member_id) == ErrorCode.UNKNOWN_MEMBER_ID
    world.kill()
    world.start()
    assert _states(_client(world)) == {"g": "Empty"}


def test_a_deleted_group_stays_deleted(world: World) -> None:
    client = _client(world)
    member_id = _stable(client)
    delete = DeleteGroupsRequest(groups_names=["g", "g", "other"])
    errors = {row.group_id: row.error_code for row in client.newest(ApiKey.DELETE_GROUPS, delete).results}
    assert errors == {"g": ErrorCode.NON_EMPTY_GROUP, "other": ErrorCode.GROUP_ID_NOT_FOUND}
    leave = LeaveGroupRequest(group_id="g", members=[MemberIdentity(member_id=member_id)])
    client.newest(ApiKey.LEAVE_GROUP, leave)
    assert client.newest(ApiKey.DELETE_GROUPS, delete).results[0].error_code == 0
    world.kill()
    world.start()
    client = _client(world)
    assert _states(client) == {}
    assert _described(client).error_code == ErrorCode.GROUP_ID_NOT_FOUND


def test_groups_of_all_partitions_are_listed(world: World) -> None:
    client = _client(world)
    names = [f"g{number}" for number in range(10)]
    for name in names:
        _stable(client, name)
    assert _states(client) == dict.fromkeys(names, "Stable")
    assert len(world.broker.groups.shards) == 4


@pytest.mark.parametrize("group_id", ["ü", "日本 \t\n", "\x00", "a" * 30_000, "../..", "%s%n", "' or 1=1"])
def test_odd_group_ids_are_groups_like_others(world: World, group_id: str) -> None:
    client = _client(world)
    member_id = _stable(client, group_id)
    assert _beat(client, member_id, group_id) == 0
    assert _described(client, group_id).group_state == "Stable"
    world.kill()
    world.start()
    assert _states(_client(world)) == {group_id: "Stable"}


def test_without_the_offsets_topic_nobody_coordinates(world: World) -> None:
    client = world.client()
    joined = client.newest(ApiKey.JOIN_GROUP, _join_request("g"))
    assert joined.error_code == ErrorCode.NOT_COORDINATOR
    assert _beat(client, "m") == ErrorCode.NOT_COORDINATOR
    assert _described(client).error_code == ErrorCode.NOT_COORDINATOR
    assert _states(client) == {}


def test_deleting_the_offsets_topic_answers_whoever_waits(world: World) -> None:
    client = _client(world)
    member_id = _stable(client)
    waiting = world.client()
    pending = waiting.newest(ApiKey.JOIN_GROUP, _join_request("g")).member_id
    waiting.post(ApiKey.JOIN_GROUP, 9, _join_request("g", pending))
    waiting.frames.clear()
    shard = world.broker.groups.active("g")
    assert not isinstance(shard, ErrorCode)
    world.broker.groups.resigned(shard.index)
    (frame,) = waiting.frames
    response = decode_response(ApiKey.JOIN_GROUP, 9, memoryview(frame))[1]
    assert response.error_code == ErrorCode.NOT_COORDINATOR
    assert _beat(client, member_id) == ErrorCode.NOT_COORDINATOR


def test_a_client_that_hangs_up_while_it_waits_does_no_harm(world: World) -> None:
    client = _client(world)
    member_id = _stable(client)
    waiting = world.client()
    pending = waiting.newest(ApiKey.JOIN_GROUP, _join_request("g")).member_id
    waiting.post(ApiKey.JOIN_GROUP, 9, _join_request("g", pending))
    waiting.close("gone")
    assert _beat(client, member_id) == ErrorCode.REBALANCE_IN_PROGRESS
    joined = client.newest(ApiKey.JOIN_GROUP, _join_request("g", member_id))
    assert (joined.generation_id, len(joined.members)) == (2, 2)


def test_an_assignment_the_log_does_not_take_is_an_error_and_a_new_rebalance() -> None:
    world = World(
        group_initial_rebalance_delay_ms="0", offsets_topic_num_partitions="4", message_max_bytes="2000"
    )
    client = _client(world)
    member_id = client.newest(ApiKey.JOIN_GROUP, _join_request("g")).member_id
    client.newest(ApiKey.JOIN_GROUP, _join_request("g", member_id))
    request = SyncGroupRequest(
        group_id="g",
        generation_id=1,
        member_id=member_id,
        protocol_type="consumer",
        protocol_name="range",
        assignments=[SyncGroupRequestAssignment(member_id=member_id, assignment=bytes(5_000))],
    )
    response = client.newest(ApiKey.SYNC_GROUP, request)
    assert response.error_code == ErrorCode.UNKNOWN_SERVER_ERROR
    assert world.run_until(lambda: _beat(client, member_id) == ErrorCode.REBALANCE_IN_PROGRESS)
    joined = client.newest(ApiKey.JOIN_GROUP, _join_request("g", member_id))
    assert (joined.error_code, joined.generation_id) == (0, 2)
