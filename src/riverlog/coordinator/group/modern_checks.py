"""What a ConsumerGroupHeartbeat must be like, and what it says of a member."""

from __future__ import annotations

from dataclasses import replace

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.group.classic_group import Caller
from riverlog.coordinator.group.modern_group import ConsumerGroup
from riverlog.coordinator.group.modern_member import (
    JOINING_EPOCH,
    LEAVING_EPOCH,
    STATIC_LEAVING_EPOCH,
    Member,
    Refusal,
    owns_only,
)
from riverlog.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest

_OWN_MEMBER_ID_VERSION_MIN = 1


def check_request(
    request: ConsumerGroupHeartbeatRequest, api_version: int, assignors: list[str]
) -> Refusal | None:
    """Whether it makes sense at all, in the order in which Kafka looks."""
    epoch = request.member_epoch
    joining = epoch == JOINING_EPOCH
    needs_id = api_version >= _OWN_MEMBER_ID_VERSION_MIN or epoch > 0 or epoch == LEAVING_EPOCH
    problem = None
    if needs_id and not request.member_id.strip():
        problem = "MemberId can't be empty."
    elif not request.group_id.strip():
        problem = "GroupId can't be empty."
    elif _blank(request.instance_id):
        problem = "InstanceId can't be empty."
    elif _blank(request.rack_id):
        problem = "RackId can't be empty."
    elif joining:
        problem = _check_join(request)
    elif epoch == STATIC_LEAVING_EPOCH and request.instance_id is None:
        problem = "InstanceId can't be null."
    elif epoch < STATIC_LEAVING_EPOCH:
        problem = "MemberEpoch is invalid."
    if problem is not None:
        return Refusal(ErrorCode.INVALID_REQUEST, problem)
    name = request.server_assignor
    if name is None or name in assignors:
        return None
    return Refusal(
        ErrorCode.UNSUPPORTED_ASSIGNOR,
        f"ServerAssignor {name} is not supported. Supported assignors: {', '.join(assignors)}.",
    )


def _check_join(request: ConsumerGroupHeartbeatRequest) -> str | None:
    if request.rebalance_timeout_ms == -1:
        return "RebalanceTimeoutMs must be provided in first request."
    if request.topic_partitions != []:
        return "TopicPartitions must be empty when (re-)joining."
    if request.subscribed_topic_names is None and request.subscribed_topic_regex is None:
        return "Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining."
    return None


def _blank(text: str | None) -> bool:
    return text is not None and not text.strip()


def not_consumer(group_id: str) -> str:
    return f"Group {group_id} is not a consumer group."


def unknown_member(group: ConsumerGroup, member_id: str) -> Refusal:
    return Refusal(
        ErrorCode.UNKNOWN_MEMBER_ID, f"Member {member_id} is not a member of group {group.group_id}."
    )


def check_static(existing: Member | None, member_id: str, instance_id: str) -> Refusal | None:
    if existing is None:
        return Refusal(ErrorCode.UNKNOWN_MEMBER_ID, f"Instance id {instance_id} is unknown.")
    if existing.member_id != member_id:
        return Refusal(
            ErrorCode.FENCED_INSTANCE_ID,
            f"Static member {member_id} with instance id {instance_id} was fenced by member "
            f"{existing.member_id}.",
        )
    return None


def check_epoch(member: Member, request: ConsumerGroupHeartbeatRequest) -> Refusal | None:
    """A member may be one epoch behind if the answer that moved it got lost; 0 always rejoins."""
    received = request.member_epoch
    known = member.member_epoch
    if received in (known, JOINING_EPOCH):
        return None
    if received < known:
        lost_reply = received == member.previous_epoch
        if lost_reply and owns_only(request.topic_partitions, member.assigned):
            return None
    how = "greater" if received > known else "smaller"
    return Refusal(
        ErrorCode.FENCED_MEMBER_EPOCH,
        f"The consumer group member has a {how} member epoch ({received}) than the one known by the group "
        f"coordinator ({known}). The member must abandon all its partitions and rejoin.",
    )


def updated_member(member: Member, request: ConsumerGroupHeartbeatRequest, caller: Caller) -> Member:
    """With what the request says; the same object if it says nothing new."""
    if _says_nothing(request, member, caller):
        return member
    names = request.subscribed_topic_names
    regex = request.subscribed_topic_regex
    timeout_ms = request.rebalance_timeout_ms
    updated = replace(
        member,
        instance_id=member.instance_id if request.instance_id is None else request.instance_id,
        rack_id=member.rack_id if request.rack_id is None else request.rack_id,
        rebalance_timeout_ms=member.rebalance_timeout_ms if timeout_ms == -1 else timeout_ms,
        assignor=member.assignor if request.server_assignor is None else request.server_assignor,
        names=member.names if names is None else frozenset(names),
        regex=member.regex if regex is None else regex,
        client_id=caller.client_id,
        client_host=caller.client_host,
        classic=None,
    )
    return member if updated == member else updated


def _says_nothing(request: ConsumerGroupHeartbeatRequest, member: Member, caller: Caller) -> bool:
    """The usual heartbeat, told apart quickly."""
    return (
        request.subscribed_topic_names is None
        and request.subscribed_topic_regex is None
        and request.server_assignor is None
        and request.rebalance_timeout_ms == -1
        and request.rack_id is None
        and (request.instance_id is None or request.instance_id == member.instance_id)
        and member.client_id == caller.client_id
        and member.client_host == caller.client_host
        and member.classic is None
    )


def is_full(request: ConsumerGroupHeartbeatRequest) -> bool:
    """A member repeats everything after an error: the last answer may be lost."""
    subscribed = request.subscribed_topic_names is not None or request.subscribed_topic_regex is not None
    return request.rebalance_timeout_ms != -1 and subscribed and request.topic_partitions is not None
