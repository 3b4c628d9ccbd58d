"""What the group commands ask the broker: coordinators, members, committed offsets, lag."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from riverlog.cli import coordinators
from riverlog.cli.errors import UserError
from riverlog.client.connection import Request
from riverlog.client.errors import describe_error
from riverlog.client.offsets import LATEST
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.consumer_group_describe_request import ConsumerGroupDescribeRequest
from riverlog.protocol.generated.describe_groups_request import DescribeGroupsRequest
from riverlog.protocol.generated.list_groups_request import ListGroupsRequest
from riverlog.protocol.generated.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from riverlog.protocol.generated.offset_fetch_request import OffsetFetchRequest, OffsetFetchRequestGroup

if TYPE_CHECKING:
    from riverlog.runtime.client_io import BlockingClient

TopicPartition = tuple[str, int]

_OFFSETS_BY_NAME = 9
"""The last version in which topics have names instead of ids."""


@dataclass(slots=True)
class Member:
    member_id: str
    instance_id: str | None
    client_id: str
    host: str
    assignment: list[TopicPartition]


@dataclass(slots=True)
class GroupView:
    group_id: str
    kind: str
    state: str
    assignor: str
    coordinator: int
    members: list[Member]


def coordinator(client: BlockingClient, group: str) -> int:
    """The node that has the group; waits while it is being loaded."""
    return coordinators.coordinator(client, group, coordinators.GROUP)


def list_groups(client: BlockingClient) -> list[Any]:
    """All groups of all brokers."""
    client.refresh([])
    found: list[Any] = []
    for node_id in client.view.brokers:
        answer = client.call(ApiKey.LIST_GROUPS, ListGroupsRequest(), node_id=node_id)
        if answer.error_code:
            raise UserError(f"broker {node_id}: {describe_error(answer.error_code)}")
        found += answer.groups
    return sorted(found, key=lambda group: group.group_id)


def describe(client: BlockingClient, group: str) -> GroupView:
    """Members and state, of either kind of group."""
    node_id = coordinator(client, group)
    modern = client.call(
        ApiKey.CONSUMER_GROUP_DESCRIBE, ConsumerGroupDescribeRequest(group_ids=[group]), node_id=node_id
    ).groups[0]
    if not modern.error_code:
        members = [
            Member(m.member_id, m.instance_id, m.client_id, m.client_host, _assigned(m.assignment))
            for m in modern.members
        ]
        return GroupView(group, "consumer", modern.group_state, modern.assignor_name, node_id, members)
    classic = client.call(ApiKey.DESCRIBE_GROUPS, DescribeGroupsRequest(groups=[group]), node_id=node_id)
    (row,) = classic.groups
    if row.error_code:
        raise UserError(f"group {group!r}: {describe_error(row.error_code, row.error_message)}")
    members = [
        Member(
            m.member_id,
            m.group_instance_id,
            m.client_id,
            m.client_host,
            _classic_assigned(m.member_assignment),
        )
        for m in row.members
    ]
    return GroupView(group, "classic", row.group_state, row.protocol_data, node_id, members)


def _assigned(assignment: Any) -> list[TopicPartition]:
    return sorted((t.topic_name, index) for t in assignment.topic_partitions for index in t.partitions)


def _classic_assigned(data: bytes) -> list[TopicPartition]:
    """The partitions in an assignment of the consumer protocol; other protocols show none."""
    from riverlog.protocol.errors import DecodeError
    from riverlog.protocol.generated.consumer_protocol_assignment import VERSIONS, decode

    if len(data) < 2:
        return []
    version = min(int.from_bytes(data[:2], "big", signed=True), VERSIONS[1])
    try:
        found, _ = decode(memoryview(data), 2, max(version, VERSIONS[0]))
    except DecodeError:
        return []
    return sorted((t.topic, index) for t in found.assigned_partitions for index in t.partitions)


def committed(client: BlockingClient, group: str) -> dict[TopicPartition, int]:
    """The group's committed offsets."""
    wanted = OffsetFetchRequestGroup(group_id=group, topics=None)
    request = Request(ApiKey.OFFSET_FETCH, OffsetFetchRequest(groups=[wanted]), max_version=_OFFSETS_BY_NAME)
    (answer,) = client.call_request(request, node_id=coordinator(client, group)).groups
    if answer.error_code:
        raise UserError(f"group {group!r}: {describe_error(answer.error_code)}")
    return {
        (topic.name, partition.partition_index): partition.committed_offset
        for topic in answer.topics
        for partition in topic.partitions
        if partition.committed_offset >= 0
    }


def commit(client: BlockingClient, group: str, offsets: dict[TopicPartition, int]) -> None:
    """Set offsets of a group without members."""
    topics: dict[str, OffsetCommitRequestTopic] = {}
    for (topic, index), offset in sorted(offsets.items()):
        row = topics.setdefault(topic, OffsetCommitRequestTopic(name=topic))
        row.partitions.append(
            OffsetCommitRequestPartition(
                partition_index=index, committed_offset=offset, committed_metadata=""
            )
        )
    message = OffsetCommitRequest(group_id=group, topics=list(topics.values()))
    request = Request(ApiKey.OFFSET_COMMIT, message, max_version=_OFFSETS_BY_NAME)
    answer = client.call_request(request, node_id=coordinator(client, group))
    for topic_row in answer.topics:
        for partition in topic_row.partitions:
            if partition.error_code:
                place = f"{topic_row.name}-{partition.partition_index}"
                raise UserError(f"offset of {place} not set: {describe_error(partition.error_code)}")


def ends(client: BlockingClient, partitions: list[TopicPartition]) -> dict[TopicPartition, int]:
    """End offsets of partitions that exist."""
    names = sorted({topic for topic, _ in partitions})
    client.refresh(names)
    known = [place for place in partitions if client.view.partition(*place) is not None]
    return {place: found.offset for place, found in client.offsets(dict.fromkeys(known, LATEST)).items()}
