"""Members that speak the classic protocol in a group of the consumer protocol (KIP-848's migration).

To such a member the coordinator plays the leader: JoinGroup brings it one step closer to its target,
SyncGroup tells it the partitions, a heartbeat tells it when to join again.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import Decision, Reply
from riverlog.coordinator.group.assignors import Assignment
from riverlog.coordinator.group.classic_group import CONSUMER_PROTOCOL_TYPE, Caller
from riverlog.coordinator.group.modern_checks import check_static
from riverlog.coordinator.group.modern_group import ConsumerGroup
from riverlog.coordinator.group.modern_member import Member, MemberState, Refusal
from riverlog.coordinator.group.modern_migration import decode_subscription, downgrade, encode_assignment
from riverlog.protocol.generated.consumer_group_heartbeat_request import TopicPartitions
from riverlog.protocol.generated.consumer_group_member_metadata_value import (
    ClassicMemberMetadata,
    ClassicProtocol,
)
from riverlog.protocol.generated.consumer_protocol_subscription import ConsumerProtocolSubscription
from riverlog.protocol.generated.heartbeat_request import HeartbeatRequest
from riverlog.protocol.generated.heartbeat_response import HeartbeatResponse
from riverlog.protocol.generated.join_group_request import JoinGroupRequest
from riverlog.protocol.generated.join_group_response import JoinGroupResponse
from riverlog.protocol.generated.leave_group_request import LeaveGroupRequest, MemberIdentity
from riverlog.protocol.generated.leave_group_response import LeaveGroupResponse, MemberResponse
from riverlog.protocol.generated.sync_group_request import SyncGroupRequest
from riverlog.protocol.generated.sync_group_response import SyncGroupResponse

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverlog.coordinator.group.machine import GroupMachine
    from riverlog.coordinator.group.modern import ConsumerGroups

    Answer = Callable[[Any], None]

logger = logging.getLogger("riverlog.coordinator")

_MEMBER_ID_REQUIRED_FROM = 4


class MixedGroups:
    """The classic side of the consumer groups of one shard."""

    def __init__(self, machine: GroupMachine, groups: ConsumerGroups) -> None:
        self._machine = machine
        self._groups = groups

    def _find(self, group_id: str) -> ConsumerGroup:
        group = self._machine.groups[group_id]
        assert isinstance(group, ConsumerGroup)
        return group

    # -- JoinGroup -----------------------------------------------------------------------

    def join(self, request: JoinGroupRequest, caller: Caller, now_ms: int, reply: Answer) -> Decision:
        group = self._find(request.group_id)
        member_id = request.member_id or self._groups.new_id()
        error = self._refused(group, request, member_id)
        if not error and _needs_id(request, caller.api_version):
            error = ErrorCode.MEMBER_ID_REQUIRED
        if error:
            return _join_failed(reply, error, member_id)
        out = Decision()
        response = self._join(group, request, caller, member_id, now_ms, out)
        if isinstance(response, Refusal):
            return _join_failed(reply, response.code, member_id)
        out.replies.append(Reply(reply, response))
        return out

    def _refused(self, group: ConsumerGroup, request: JoinGroupRequest, member_id: str) -> ErrorCode:
        full = self._groups.check_room(group, member_id)
        if full is not None:
            return full.code
        known = any(
            group.classic_protocols.get(row.name, 0) == group.classic_members for row in request.protocols
        )
        allowed = self._groups.settings.migration and request.protocol_type == CONSUMER_PROTOCOL_TYPE
        return ErrorCode.NONE if allowed and known else ErrorCode.INCONSISTENT_GROUP_PROTOCOL

    def _join(
        self,
        group: ConsumerGroup,
        request: JoinGroupRequest,
        caller: Caller,
        member_id: str,
        now_ms: int,
        out: Decision,
    ) -> JoinGroupResponse | Refusal:
        subscription = decode_subscription(request.protocols[0].metadata)
        if subscription is None:
            return Refusal(ErrorCode.UNKNOWN_SERVER_ERROR, "the subscription is malformed")
        replaced = (
            None if request.group_instance_id is None else group.static_member(request.group_instance_id)
        )
        member = self._member(group, request, member_id, replaced, out)
        if isinstance(member, Refusal):
            return member
        updated = _updated(member, request, subscription, caller)
        owned = self._owned(subscription)
        if replaced is not None and self._may_downgrade(group, [replaced]) and not replaced.uses_classic:
            after = self._downgrade_with(group, replaced, member, updated, owned, now_ms, out)
        else:
            after = self._groups.follow(group, member, updated, owned, now_ms, out)
            if not isinstance(after, Refusal):
                self._groups.timers.session(group.group_id, after)
                self._groups.timers.joined(group.group_id, after)
        if isinstance(after, Refusal):
            return after
        assert after.classic is not None
        return JoinGroupResponse(
            generation_id=after.member_epoch,
            protocol_type=CONSUMER_PROTOCOL_TYPE,
            protocol_name=after.classic.supported_protocols[0].name,
            member_id=member_id,
        )

    def _member(
        self,
        group: ConsumerGroup,
        request: JoinGroupRequest,
        member_id: str,
        replaced: Member | None,
        out: Decision,
    ) -> Member | Refusal:
        instance_id = request.group_instance_id
        if instance_id is not None and request.member_id:
            return check_static(replaced, member_id, instance_id) or group.members[member_id]
        if replaced is not None:
            return self._groups.take_over(group, replaced, member_id, out.records)
        return group.members.get(member_id) or Member(member_id)

    def _owned(self, subscription: ConsumerProtocolSubscription) -> list[TopicPartitions]:
        topics = self._machine.image().topics
        return [
            TopicPartitions(topics[topic.topic].topic_id, topic.partitions)
            for topic in subscription.owned_partitions
            if topic.topic in topics
        ]

    # -- back to a classic group -----------------------------------------------------------

    def _may_downgrade(self, group: ConsumerGroup, leaving: list[Member]) -> bool:
        """Whether nobody but members of the classic protocol is left without these."""
        classic = group.classic_members - sum(member.uses_classic for member in leaving)
        left = len(group.members) - len(leaving)
        settings = self._groups.settings
        return classic == left and settings.downgrade and left <= settings.classic_size_max

    def downgrade_without(
        self, group: ConsumerGroup, leaving: list[Member], now_ms: int, out: Decision
    ) -> bool:
        """The last members of the consumer protocol left: the others go on as a classic group."""
        if len(leaving) == len(group.members) or not self._may_downgrade(group, leaving):
            return False
        gone = {member.member_id for member in leaving}
        stay = [member for member in group.members.values() if member.member_id not in gone]
        self._convert(group, stay, now_ms, out, rebalance=True)
        return True

    def _downgrade_with(
        self,
        group: ConsumerGroup,
        replaced: Member,
        member: Member,
        updated: Member,
        owned: list[TopicPartitions],
        now_ms: int,
        out: Decision,
    ) -> Member | Refusal:
        """A classic member takes over from the last, static, one of the consumer protocol."""
        scratch = Decision()
        change = self._groups.subscribe(group, member, updated, scratch.records, now_ms)
        if isinstance(change, Refusal):
            return change
        epoch, subscriptions = change
        after: Member | Refusal = updated
        rebalance = group.assignment_epoch < epoch
        if not rebalance:
            target = group.target_of(updated)
            goal = self._groups.goal(group, updated, group.assignment_epoch, target, subscriptions)
            after = self._groups.reconcile(
                group, updated, goal, owned, scratch.records, subscription_changed=False
            )
        if isinstance(after, Refusal):
            return after
        out.records.clear()  # what was written of the member until now is deleted with the group
        others = [other for other in group.members.values() if other.member_id != replaced.member_id]
        self._groups.timers.forget(group.group_id, replaced.member_id)
        self._convert(group, [*others, after], now_ms, out, rebalance=rebalance)
        return after

    def _convert(
        self,
        group: ConsumerGroup,
        members: list[Member],
        now_ms: int,
        out: Decision,
        *,
        rebalance: bool,
    ) -> None:
        out.records += group.tombstones()
        # Members that will join again hold what they hold until then, whatever their target was. (Kafka
        # writes the target; if the group is upgraded before they joined, a partition gets two owners.)
        stay = [(member, _held(member) if rebalance else group.target_of(member)) for member in members]
        classic = downgrade(group, stay, self._machine.image(), now_ms)
        for member in members:
            self._groups.timers.forget(group.group_id, member.member_id)
        logger.info("group %s becomes a classic group", group.group_id)
        self._machine.classic.adopt(classic, now_ms, out, rebalance=rebalance)

    # -- SyncGroup and Heartbeat -----------------------------------------------------------

    def sync(self, request: SyncGroupRequest, reply: Answer) -> Decision:
        group = self._find(request.group_id)
        member = _classic_member(group, request.member_id, request.group_instance_id)
        error = member if isinstance(member, ErrorCode) else _check_sync(group, member, request)
        if error or isinstance(member, ErrorCode):
            if error is ErrorCode.REBALANCE_IN_PROGRESS and isinstance(member, Member):
                self._groups.timers.join_again(group.group_id, member)
            return Decision(replies=[Reply(reply, SyncGroupResponse(error_code=error))])
        self._groups.timers.synced(group.group_id, member.member_id)
        self._groups.timers.session(group.group_id, member)
        assert member.classic is not None
        subscription = member.classic.supported_protocols[0].metadata
        response = SyncGroupResponse(
            protocol_type=request.protocol_type,
            protocol_name=request.protocol_name,
            assignment=encode_assignment(member.assigned, subscription, self._machine.image()),
        )
        return Decision(replies=[Reply(reply, response)])

    def heartbeat(self, request: HeartbeatRequest, reply: Answer) -> Decision:
        group = self._find(request.group_id)
        member = _classic_member(group, request.member_id, request.group_instance_id)
        if isinstance(member, ErrorCode):
            error = member
        elif member.member_epoch != request.generation_id:
            error = ErrorCode.ILLEGAL_GENERATION
        else:
            error = ErrorCode.NONE
            self._groups.timers.session(group.group_id, member)
            if _must_join_again(group, member):
                error = ErrorCode.REBALANCE_IN_PROGRESS
                self._groups.timers.join_again(group.group_id, member)
        return Decision(replies=[Reply(reply, HeartbeatResponse(error_code=error))])

    # -- LeaveGroup ------------------------------------------------------------------------

    def leave(self, request: LeaveGroupRequest, now_ms: int, reply: Answer) -> Decision:
        """Also of members of the consumer protocol: tools remove static members this way."""
        group = self._find(request.group_id)
        leaving: dict[str, Member] = {}
        rows = []
        for who in request.members:
            member = _leaving(group, who)
            if isinstance(member, Member):
                leaving[member.member_id] = member
            rows.append(
                MemberResponse(
                    member_id=who.member_id,
                    group_instance_id=who.group_instance_id,
                    error_code=member if isinstance(member, ErrorCode) else ErrorCode.NONE,
                )
            )
        out = Decision()
        self._groups.fence(group, list(leaving.values()), now_ms, out)
        out.replies.append(Reply(reply, LeaveGroupResponse(members=rows)))
        return out


def _held(member: Member) -> Assignment:
    found: dict[bytes, frozenset[int]] = {}
    for epochs in (member.assigned, member.revoking):
        for topic_id, partitions in epochs.items():
            found[topic_id] = found.get(topic_id, frozenset()).union(partitions)
    return found


def _needs_id(request: JoinGroupRequest, api_version: int) -> bool:
    dynamic = request.group_instance_id is None and not request.member_id
    return dynamic and api_version >= _MEMBER_ID_REQUIRED_FROM


def _join_failed(reply: Answer, error: ErrorCode, member_id: str) -> Decision:
    response = JoinGroupResponse(error_code=error, member_id=member_id, protocol_name=None)
    return Decision(replies=[Reply(reply, response)])


def _updated(
    member: Member, request: JoinGroupRequest, subscription: ConsumerProtocolSubscription, caller: Caller
) -> Member:
    timeout_ms = request.rebalance_timeout_ms
    updated = replace(
        member,
        instance_id=member.instance_id if request.group_instance_id is None else request.group_instance_id,
        rack_id=subscription.rack_id or member.rack_id,
        rebalance_timeout_ms=member.rebalance_timeout_ms if timeout_ms == -1 else timeout_ms,
        names=frozenset(subscription.topics),
        regex="",
        client_id=caller.client_id,
        client_host=caller.client_host,
        classic=ClassicMemberMetadata(
            session_timeout_ms=request.session_timeout_ms,
            supported_protocols=[ClassicProtocol(row.name, bytes(row.metadata)) for row in request.protocols],
        ),
    )
    return member if updated == member else updated


def _classic_member(group: ConsumerGroup, member_id: str, instance_id: str | None) -> Member | ErrorCode:
    """The member of that id, if it speaks the classic protocol."""
    if instance_id is None:
        member = group.members.get(member_id)
    else:
        member = group.static_member(instance_id)
        if member is not None and member.member_id != member_id:
            return ErrorCode.FENCED_INSTANCE_ID
    if member is None or not member.uses_classic:
        return ErrorCode.UNKNOWN_MEMBER_ID
    return member


def _check_sync(group: ConsumerGroup, member: Member, request: SyncGroupRequest) -> ErrorCode:
    assert member.classic is not None
    if member.member_epoch != request.generation_id:
        return ErrorCode.ILLEGAL_GENERATION
    for said, agreed in (
        (request.protocol_type, CONSUMER_PROTOCOL_TYPE),
        (request.protocol_name, member.classic.supported_protocols[0].name),
    ):
        if said is not None and said != agreed:
            return ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    # One that must let go of partitions gets the rest of them first, then joins again.
    outdated = group.assignment_epoch > member.member_epoch
    if outdated and member.state is not MemberState.UNREVOKED_PARTITIONS:
        return ErrorCode.REBALANCE_IN_PROGRESS
    return ErrorCode.NONE


def _must_join_again(group: ConsumerGroup, member: Member) -> bool:
    """There is a newer target, or it has to let go of partitions, or what it waited for is free now."""
    # Without heartbeats of the consumer protocol only a JoinGroup computes the next target. (Kafka waits
    # for one that nobody sends.)
    all_classic = group.classic_members == len(group.members)
    if member.member_epoch < (group.epoch if all_classic else group.assignment_epoch):
        return True
    if member.state is not MemberState.UNRELEASED_PARTITIONS:
        return member.state is MemberState.UNREVOKED_PARTITIONS
    return all(
        partition in member.assigned.get(topic_id, ()) or group.is_free(topic_id, partition)
        for topic_id, partitions in group.target.get(member.member_id, {}).items()
        for partition in partitions
    )


def _leaving(group: ConsumerGroup, who: MemberIdentity) -> Member | ErrorCode:
    if who.group_instance_id is None:
        return group.members.get(who.member_id) or ErrorCode.UNKNOWN_MEMBER_ID
    member = group.static_member(who.group_instance_id)
    if member is None:
        return ErrorCode.UNKNOWN_MEMBER_ID
    # An administrator removes a static member by its instance id alone.
    if who.member_id and who.member_id != member.member_id:
        return ErrorCode.FENCED_INSTANCE_ID
    return member
