"""Replaying the records of groups of the consumer protocol: the only way they change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from riverlog.coordinator.group.base import Group
from riverlog.coordinator.group.modern_group import ConsumerGroup
from riverlog.coordinator.group.modern_member import Member
from riverlog.coordinator.group.regex import Resolved

_NO_EPOCH = -1


def replay_record(groups: dict[str, Group], key: Any, value: Any) -> None:
    """A record of a kind named ``ConsumerGroup…``; deletions of what is not there mean nothing."""
    group_id = key.group_id
    group = groups.get(group_id)
    if not isinstance(group, ConsumerGroup):
        if value is None:
            return
        # In its place may be the simple group of offsets that were loaded first.
        group = groups[group_id] = ConsumerGroup(group_id)
    name = type(key).__name__
    if name == "ConsumerGroupMetadataKey" and value is None:
        del groups[group_id]
        return
    _REPLAY[name](group, key, value)


def _metadata(group: ConsumerGroup, _key: Any, value: Any) -> None:
    group.epoch = value.epoch
    group.metadata_hash = value.metadata_hash


def _partition_metadata(group: ConsumerGroup, _key: Any, value: Any) -> None:
    group.has_partition_metadata = value is not None


def _member_metadata(group: ConsumerGroup, key: Any, value: Any) -> None:
    if value is None:
        group.remove_member(key.member_id)
    else:
        member = group.members.get(key.member_id) or Member(key.member_id)
        group.put_member(member.with_metadata(value))


def _target_metadata(group: ConsumerGroup, _key: Any, value: Any) -> None:
    group.assignment_epoch = _NO_EPOCH if value is None else value.assignment_epoch
    group.assignment_timestamp_ms = 0 if value is None else value.assignment_timestamp


def _target_member(group: ConsumerGroup, key: Any, value: Any) -> None:
    if value is None:
        group.target.pop(key.member_id, None)
    else:
        group.target[key.member_id] = {
            topic.topic_id: frozenset(topic.partitions) for topic in value.topic_partitions
        }


def _current(group: ConsumerGroup, key: Any, value: Any) -> None:
    member = group.members.get(key.member_id)
    if value is not None:
        group.put_member((member or Member(key.member_id)).with_current(value))
    elif member is not None:
        group.put_member(member.without_current())


def _regular_expression(group: ConsumerGroup, key: Any, value: Any) -> None:
    resolved = group.subscriptions.resolved
    if value is None:
        resolved.pop(key.regular_expression, None)
        group.matched.pop(key.regular_expression, None)
    else:
        resolved[key.regular_expression] = Resolved(frozenset(value.topics), value.version, value.timestamp)


_REPLAY: dict[str, Callable[[ConsumerGroup, Any, Any], None]] = {
    "ConsumerGroupMetadataKey": _metadata,
    "ConsumerGroupPartitionMetadataKey": _partition_metadata,
    "ConsumerGroupMemberMetadataKey": _member_metadata,
    "ConsumerGroupTargetAssignmentMetadataKey": _target_metadata,
    "ConsumerGroupTargetAssignmentMemberKey": _target_member,
    "ConsumerGroupCurrentMemberAssignmentKey": _current,
    "ConsumerGroupRegularExpressionKey": _regular_expression,
}
