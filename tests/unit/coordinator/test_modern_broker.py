"""The consumer protocol over real frames, against a whole broker on a simulated disk."""

from __future__ import annotations

from typing import Any

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.api_versions_request import ApiVersionsRequest
from riverlog.protocol.generated.consumer_group_describe_request import ConsumerGroupDescribeRequest
from riverlog.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest
from riverlog.protocol.generated.delete_groups_request import DeleteGroupsRequest
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.list_groups_request import ListGroupsRequest
from riverlog.protocol.generated.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from tests.unit.broker.broker_world import Client, World

SMALL = {"offsets_topic_num_partitions": "2"}


@pytest.fixture
def world() -> World:
    return World(**SMALL)  # type: ignore[arg-type]


@pytest.fixture
def client(world: World) -> Client:
    client = world.client()
    client.create("t", 4)
    find(client)
    return client


def find(client: Client) -> None:
    response = client.call(ApiKey.FIND_COORDINATOR, 6, FindCoordinatorRequest(coordinator_keys=["g"]))
    assert response.coordinators[0].error_code == 0


def beat(client: Client, epoch: int, *, version: int = 1, **settings: Any) -> Any:
    settings.setdefault("group_id", "g")
    settings.setdefault("member_id", "m")
    request = ConsumerGroupHeartbeatRequest(member_epoch=epoch, **settings)
    return client.call(ApiKey.CONSUMER_GROUP_HEARTBEAT, version, request)


def join(client: Client, **settings: Any) -> Any:
    return beat(
        client,
        0,
        **{"rebalance_timeout_ms": 60_000, "subscribed_topic_names": ["t"], "topic_partitions": []}
        | settings,
    )


def describe(client: Client, *group_ids: str, version: int = 1) -> Any:
    request = ConsumerGroupDescribeRequest(group_ids=list(group_ids), include_authorized_operations=True)
    return client.call(ApiKey.CONSUMER_GROUP_DESCRIBE, version, request).groups


def commit(client: Client, epoch: int, partition: int = 0) -> int:
    wanted = OffsetCommitRequestPartition(partition_index=partition, committed_offset=7)
    request = OffsetCommitRequest(
        group_id="g",
        generation_id_or_member_epoch=epoch,
        member_id="m",
        topics=[OffsetCommitRequestTopic(name="t", partitions=[wanted])],
    )
    response = client.call(ApiKey.OFFSET_COMMIT, 9, request)
    error: int = response.topics[0].partitions[0].error_code
    return error


@pytest.mark.parametrize("version", [0, 1])
def test_join_describe_commit_leave_delete(client: Client, version: int) -> None:
    joined = join(client, version=version)
    assert (joined.error_code, joined.member_id, joined.member_epoch) == (0, "m", 2)
    assert [topic.partitions for topic in joined.assignment.topic_partitions] == [[0, 1, 2, 3]]
    (group,) = describe(client, "g", version=version)
    assert (group.error_code, group.group_state, len(group.members)) == (0, "Stable", 1)
    assert group.members[0].client_host == "/10.0.0.1"
    assert group.authorized_operations > 0
    assert commit(client, 2) == 0
    assert commit(client, 3) == ErrorCode.STALE_MEMBER_EPOCH
    listed = client.newest(ApiKey.LIST_GROUPS, ListGroupsRequest()).groups
    assert [(g.group_id, g.group_type, g.group_state) for g in listed] == [("g", "consumer", "Stable")]
    delete = DeleteGroupsRequest(groups_names=["g"])
    assert client.newest(ApiKey.DELETE_GROUPS, delete).results[0].error_code == ErrorCode.NON_EMPTY_GROUP
    assert beat(client, -1, version=version).error_code == 0
    assert client.newest(ApiKey.DELETE_GROUPS, delete).results[0].error_code == 0
    assert describe(client, "g")[0].error_code == ErrorCode.GROUP_ID_NOT_FOUND


def test_groups_come_in_the_order_asked_for(client: Client) -> None:
    join(client)
    found = describe(client, "none", "", "g")
    assert [(group.group_id, group.error_code) for group in found] == [
        ("none", ErrorCode.GROUP_ID_NOT_FOUND),
        ("", ErrorCode.INVALID_GROUP_ID),
        ("g", 0),
    ]
    assert describe(client) == []


@pytest.mark.parametrize("clean", [True, False])
def test_members_go_on_after_the_broker_came_back(world: World, client: Client, clean: bool) -> None:
    join(client)
    assert commit(client, 2) == 0
    if clean:
        world.stop()
    else:
        world.kill()
    world.start()
    again = world.client()
    find(again)
    world.scheduler.run_for(1)  # groups are loaded
    response = beat(again, 2)
    assert (response.error_code, response.member_epoch, response.assignment) == (0, 2, None)
    assert commit(again, 2) == 0
    assert describe(again, "g")[0].group_state == "Stable"


def test_a_silent_member_is_forgotten(world: World, client: Client) -> None:
    join(client)
    world.scheduler.run_for(46)
    assert beat(client, 2).error_code == ErrorCode.UNKNOWN_MEMBER_ID
    assert describe(client, "g")[0].group_state == "Empty"


def test_the_consumer_protocol_can_be_switched_off() -> None:
    world = World(**SMALL, group_coordinator_rebalance_protocols="classic")  # type: ignore[arg-type]
    client = world.client()
    find(client)
    assert join(client).error_code == ErrorCode.UNSUPPORTED_VERSION
    assert describe(client, "g")[0].error_code == ErrorCode.UNSUPPORTED_VERSION


@pytest.mark.parametrize(("version", "said"), [(3, False), (4, True)])
def test_features_that_begin_at_0_are_kept_from_older_clients(
    client: Client, version: int, said: bool
) -> None:
    request = ApiVersionsRequest(client_software_name="x", client_software_version="1")
    response = client.call(ApiKey.API_VERSIONS, version, request)
    assert ("group.version" in [feature.name for feature in response.supported_features]) is said
    levels = {feature.name: feature.max_version_level for feature in response.finalized_features}
    assert levels["group.version"] == 1
