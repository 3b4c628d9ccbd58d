"""Offsets of groups with members: INVARIANTS 16, a stale member's commit is refused."""

from __future__ import annotations

from typing import Any

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated import consumer_protocol_subscription
from riverlog.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest
from riverlog.protocol.generated.consumer_protocol_subscription import ConsumerProtocolSubscription
from riverlog.protocol.generated.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from riverlog.protocol.generated.leave_group_request import LeaveGroupRequest
from riverlog.protocol.generated.sync_group_request import SyncGroupRequest, SyncGroupRequestAssignment
from tests.unit.coordinator.offsets_world import TOPIC, OffsetsClient, OffsetsWorld

SETTINGS = {
    "group_initial_rebalance_delay_ms": "0",
    "offsets_retention_minutes": "10",
    "offsets_retention_check_interval_ms": "60000",
}
MINUTE = 60.0


@pytest.fixture
def world() -> OffsetsWorld:
    return OffsetsWorld(**SETTINGS)


@pytest.fixture
def client(world: OffsetsWorld) -> OffsetsClient:
    client = world.prepared()
    client.create("other", 1)
    return client


def join(client: OffsetsClient, member_id: str = "") -> Any:
    """A member of a classic group that reads ``TOPIC``; its session is as long as may be."""
    subscription = ConsumerProtocolSubscription(topics=[TOPIC])
    metadata = b"\x00\x00" + consumer_protocol_subscription.encode(subscription, 0)
    request = JoinGroupRequest(
        group_id="g",
        session_timeout_ms=1_800_000,
        rebalance_timeout_ms=60_000,
        member_id=member_id,
        protocol_type="consumer",
        protocols=[JoinGroupRequestProtocol("range", metadata)],
    )
    response = client.call(ApiKey.JOIN_GROUP, 3, request)
    assert response.error_code == 0
    return response


def sync(client: OffsetsClient, joined: Any) -> None:
    assignment = [SyncGroupRequestAssignment(joined.member_id, b"all")]
    request = SyncGroupRequest(
        group_id="g",
        generation_id=joined.generation_id,
        member_id=joined.member_id,
        assignments=assignment,
    )
    assert client.call(ApiKey.SYNC_GROUP, 3, request).error_code == 0


def stable(client: OffsetsClient) -> dict[str, Any]:
    """What the one member of a stable classic group says who it is with."""
    joined = join(client)
    sync(client, joined)
    return {"member_id": joined.member_id, "generation": joined.generation_id}


def leave(client: OffsetsClient, member: dict[str, Any]) -> None:
    request = LeaveGroupRequest(group_id="g", member_id=member["member_id"])
    assert client.call(ApiKey.LEAVE_GROUP, 2, request).error_code == 0


# -- classic -------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [2, 7, 9])
def test_only_the_member_of_this_generation_may_commit(client: OffsetsClient, version: int) -> None:
    member = stable(client)
    assert client.commit({0: 1}, version=version, **member) == {0: 0}
    stale = {**member, "generation": member["generation"] - 1}
    assert client.commit({0: 2}, version=version, **stale) == {0: ErrorCode.ILLEGAL_GENERATION}
    unknown = {**member, "member_id": "somebody"}
    assert client.commit({0: 3}, version=version, **unknown) == {0: ErrorCode.UNKNOWN_MEMBER_ID}
    assert client.commit({0: 4}, version=version) == {0: ErrorCode.UNKNOWN_MEMBER_ID}
    assert client.committed() == {(TOPIC, 0): 1}


def test_nobody_commits_between_join_and_sync(client: OffsetsClient) -> None:
    joined = join(client)
    member = {"member_id": joined.member_id, "generation": joined.generation_id}
    assert client.commit({0: 1}, **member) == {0: ErrorCode.REBALANCE_IN_PROGRESS}
    sync(client, joined)
    assert client.commit({0: 1}, **member) == {0: 0}


def test_a_member_that_left_cannot_commit_but_a_tool_can(client: OffsetsClient) -> None:
    member = stable(client)
    client.commit({0: 5}, **member)
    leave(client, member)
    assert client.commit({0: 6}, **member) == {0: ErrorCode.UNKNOWN_MEMBER_ID}
    assert client.commit({0: 2}) == {0: 0}
    assert client.committed() == {(TOPIC, 0): 2}


def test_offsets_of_a_topic_the_group_reads_are_not_deleted(client: OffsetsClient) -> None:
    member = stable(client)
    client.commit({0: 1}, **member)
    client.commit({0: 1}, topic="other", **member)
    subscribed = ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC
    assert client.delete_offsets([0]).topics[0].partitions[0].error_code == subscribed
    assert client.delete_offsets([0], topic="other").topics[0].partitions[0].error_code == 0
    assert client.committed() == {(TOPIC, 0): 1}


def test_a_commit_of_a_stale_member_is_refused_after_a_restart_too(
    world: OffsetsWorld, client: OffsetsClient
) -> None:
    member = stable(client)
    client.commit({0: 1}, **member)
    client = world.restart(clean=False)
    stale = {**member, "generation": member["generation"] - 1}
    assert client.commit({0: 2}, **stale) == {0: ErrorCode.ILLEGAL_GENERATION}
    assert client.commit({0: 3}, **member) == {0: 0}


def test_only_offsets_of_topics_given_up_expire_while_there_are_members(
    world: OffsetsWorld, client: OffsetsClient
) -> None:
    member = stable(client)
    client.commit({0: 1}, **member)
    client.commit({0: 1}, topic="other", **member)
    world.wait(15 * MINUTE)
    assert client.committed() == {(TOPIC, 0): 1}
    leave(client, member)
    world.wait(8 * MINUTE)
    assert client.committed() == {(TOPIC, 0): 1}, "the retention counts from when the group became empty"
    world.wait(4 * MINUTE)
    assert client.committed() == {}


def test_commits_keep_the_session_alive(world: OffsetsWorld, client: OffsetsClient) -> None:
    member = stable(client)
    for number in range(4):
        world.wait(20 * MINUTE)
        assert client.commit({0: number}, **member) == {0: 0}
    world.wait(31 * MINUTE)
    assert client.commit({0: 9}, **member) == {0: ErrorCode.UNKNOWN_MEMBER_ID}


# -- the consumer protocol -----------------------------------------------------------------


def heartbeat(client: OffsetsClient, member_id: str, epoch: int, **settings: Any) -> Any:
    request = ConsumerGroupHeartbeatRequest(group_id="g", member_id=member_id, member_epoch=epoch, **settings)
    response = client.newest(ApiKey.CONSUMER_GROUP_HEARTBEAT, request)
    assert response.error_code == 0, response
    return response


def consumer(client: OffsetsClient) -> dict[str, Any]:
    joined = heartbeat(
        client, "m1", 0, rebalance_timeout_ms=60_000, subscribed_topic_names=[TOPIC], topic_partitions=[]
    )
    return {"member_id": "m1", "generation": joined.member_epoch}


def test_only_the_member_epoch_of_now_may_commit(client: OffsetsClient) -> None:
    member = consumer(client)
    assert client.commit({0: 1}, **member) == {0: 0}
    newer = {**member, "generation": member["generation"] + 1}
    assert client.commit({0: 2}, **newer) == {0: ErrorCode.STALE_MEMBER_EPOCH}
    older = {**member, "generation": member["generation"] - 1}
    assert client.commit({0: 2}, **older) == {0: ErrorCode.STALE_MEMBER_EPOCH}
    assert client.commit({0: 2}, **{**member, "member_id": "m2"}) == {0: ErrorCode.UNKNOWN_MEMBER_ID}
    assert client.commit({0: 2}) == {0: ErrorCode.UNKNOWN_MEMBER_ID}
    assert client.commit({0: 2}, version=8, **member) == {0: ErrorCode.UNSUPPORTED_VERSION}
    assert client.committed() == {(TOPIC, 0): 1}


def test_a_fetch_with_a_stale_member_epoch_is_refused(client: OffsetsClient) -> None:
    member = consumer(client)
    client.commit({0: 1}, **member)
    epoch = member["generation"]
    assert client.fetch([0], member_id="m1", member_epoch=epoch).error_code == 0
    assert (
        client.fetch([0], member_id="m1", member_epoch=epoch + 1).error_code == ErrorCode.STALE_MEMBER_EPOCH
    )
    assert client.fetch([0], member_id="m2", member_epoch=epoch).error_code == ErrorCode.UNKNOWN_MEMBER_ID
    assert client.fetch(None, member_id="m2", member_epoch=epoch).error_code == ErrorCode.UNKNOWN_MEMBER_ID
    assert client.fetch([0], version=8).error_code == 0


def test_offsets_committed_before_a_group_has_members_are_found_by_them(
    world: OffsetsWorld, client: OffsetsClient
) -> None:
    client.commit({0: 4})
    member = consumer(client)
    assert client.committed(member_id="m1", member_epoch=member["generation"]) == {(TOPIC, 0): 4}
    assert world.restart(clean=False).committed() == {(TOPIC, 0): 4}
