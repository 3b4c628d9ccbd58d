"""How one member moves towards its target (KIP-848): give up, wait, take over.

A member first lets go of what it shall not have, staying in its epoch; then it takes the target's epoch
and what is free; what others still hold follows as soon as they let go of it.
"""

from __future__ import annotations

from collections.abc import Callable

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.group.assignors import Assignment
from riverlog.coordinator.group.modern_member import Epochs, Member, MemberState, Refusal, owns_any
from riverlog.protocol.generated.consumer_group_heartbeat_request import TopicPartitions

Wants = Callable[[bytes], bool]
"""Whether the member asks for the topic, and the topic exists."""
IsFree = Callable[[bytes, int], bool]
Owned = list[TopicPartitions] | None
"""What the member says it owns; None if it says nothing."""

_NONE: frozenset[int] = frozenset()


class Goal:
    """Where a member shall go."""

    __slots__ = ("epoch", "is_free", "target", "wants")

    def __init__(self, epoch: int, target: Assignment, wants: Wants, is_free: IsFree) -> None:
        self.epoch = epoch
        self.target = target
        self.wants = wants
        self.is_free = is_free


def reconcile(member: Member, goal: Goal, owned: Owned, *, subscription_changed: bool) -> Member | Refusal:
    """The member after one more step; the same object if it cannot take one."""
    match member.state:
        case MemberState.STABLE:
            if member.member_epoch != goal.epoch:
                return _next(member, member.member_epoch, goal, owned)
            return _drop_unwanted(member, goal, owned) if subscription_changed else member
        case MemberState.UNREVOKED_PARTITIONS:
            if not owns_any(owned, member.revoking):
                return _next(member, member.member_epoch, goal, owned)
            return _drop_unwanted(member, goal, owned) if subscription_changed else member
        case MemberState.UNRELEASED_PARTITIONS:
            return _next(member, member.member_epoch, goal, owned)
        case MemberState.UNKNOWN:
            if owned is None or owned:
                return Refusal(
                    ErrorCode.FENCED_MEMBER_EPOCH,
                    "The member is in a state this broker does not know. "
                    "It must abandon all its partitions and rejoin.",
                )
            return _next(member, goal.epoch, goal, owned)


def _drop_unwanted(member: Member, goal: Goal, owned: Owned) -> Member:
    """No new target yet, but partitions of topics it no longer asks for go at once."""
    unwanted = [topic_id for topic_id in member.assigned if not goal.wants(topic_id)]
    if not unwanted:
        return member
    assigned = member.assigned.copy()
    revoking = member.revoking.copy()
    for topic_id in unwanted:
        revoking[topic_id] = {**revoking.get(topic_id, {}), **assigned.pop(topic_id)}
    if owns_any(owned, revoking):
        return member.moved_to(member.member_epoch, MemberState.UNREVOKED_PARTITIONS, assigned, revoking)
    return member.moved_to(member.member_epoch, member.state, assigned, member.revoking)


def _next(member: Member, member_epoch: int, goal: Goal, owned: Owned) -> Member:
    assigned: Epochs = {}
    revoking: Epochs = {}
    pending: dict[bytes, list[int]] = {}
    unreleased = False
    for topic_id in dict.fromkeys((*goal.target, *member.assigned)):
        target = goal.target.get(topic_id, _NONE) if goal.wants(topic_id) else _NONE
        current = member.assigned.get(topic_id, {})
        kept = {partition: epoch for partition, epoch in current.items() if partition in target}
        given_up = {partition: epoch for partition, epoch in current.items() if partition not in target}
        if kept:
            assigned[topic_id] = kept
        if given_up:
            revoking[topic_id] = given_up
        its_own = member.revoking.get(topic_id, {})
        free = []
        for partition in sorted(target):
            if partition in kept:
                continue
            if partition in its_own or goal.is_free(topic_id, partition):
                free.append(partition)
            else:
                unreleased = True
        if free:
            pending[topic_id] = free
    if revoking and owns_any(owned, revoking):
        return member.moved_to(member_epoch, MemberState.UNREVOKED_PARTITIONS, assigned, revoking)
    for topic_id, partitions in pending.items():
        assigned[topic_id] = assigned.get(topic_id, {}) | dict.fromkeys(partitions, goal.epoch)
    state = MemberState.UNRELEASED_PARTITIONS if unreleased else MemberState.STABLE
    return member.moved_to(goal.epoch, state, assigned, {})
