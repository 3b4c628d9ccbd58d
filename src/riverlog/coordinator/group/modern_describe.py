"""ConsumerGroupDescribe: a group as tools see it."""

from __future__ import annotations

from collections.abc import Iterable

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.group.modern_group import ConsumerGroup
from riverlog.coordinator.group.modern_member import Member
from riverlog.metadata.image import ClusterState
from riverlog.protocol.generated.consumer_group_describe_response import (
    Assignment,
    DescribedGroup,
    TopicPartitions,
)
from riverlog.protocol.generated.consumer_group_describe_response import Member as DescribedMember

_CLASSIC_MEMBER = 0
_CONSUMER_MEMBER = 1


def not_found(
    group_id: str, message: str | None, error: ErrorCode = ErrorCode.GROUP_ID_NOT_FOUND
) -> DescribedGroup:
    return DescribedGroup(group_id=group_id, error_code=error, error_message=message)


def described(group: ConsumerGroup, default_assignor: str, image: ClusterState) -> DescribedGroup:
    return DescribedGroup(
        group_id=group.group_id,
        group_state=group.state_name,
        group_epoch=group.epoch,
        assignment_epoch=group.assignment_epoch,
        assignor_name=group.preferred_assignor(default_assignor),
        members=[_member(group, member, image) for member in group.members.values()],
    )


def _member(group: ConsumerGroup, member: Member, image: ClusterState) -> DescribedMember:
    # Until it says that it let go of a partition, a member is still responsible for it.
    held = {
        topic_id: [*member.assigned.get(topic_id, ()), *member.revoking.get(topic_id, ())]
        for topic_id in dict.fromkeys((*member.assigned, *member.revoking))
    }
    return DescribedMember(
        member_id=member.member_id,
        instance_id=member.instance_id,
        rack_id=member.rack_id,
        member_epoch=member.member_epoch,
        client_id=member.client_id,
        client_host=member.client_host,
        subscribed_topic_names=sorted(member.names),
        subscribed_topic_regex=member.regex,
        assignment=_assignment(held.items(), image),
        target_assignment=_assignment(group.target.get(member.member_id, {}).items(), image),
        member_type=_CLASSIC_MEMBER if member.uses_classic else _CONSUMER_MEMBER,
    )


def _assignment(topics: Iterable[tuple[bytes, Iterable[int]]], image: ClusterState) -> Assignment:
    """Topics that are gone have no name and are left out."""
    return Assignment(
        [
            TopicPartitions(topic_id, image.topics_by_id[topic_id].name, sorted(partitions))
            for topic_id, partitions in topics
            if topic_id in image.topics_by_id
        ]
    )
