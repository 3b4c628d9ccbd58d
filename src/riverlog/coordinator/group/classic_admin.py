"""Describing, listing and deleting groups."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import Decision, Reply
from riverlog.coordinator.group.classic_group import Answer, ClassicGroup, State
from riverlog.protocol.generated.delete_groups_response import DeletableGroupResult
from riverlog.protocol.generated.describe_groups_response import DescribedGroup, DescribedGroupMember
from riverlog.protocol.generated.list_groups_response import ListedGroup

if TYPE_CHECKING:
    from riverlog.coordinator.group.machine import GroupMachine

_NOT_FOUND_FROM = 6
"""KIP-1043; before, a group that does not exist is one that is dead."""


def describe(machine: GroupMachine, group_id: str, api_version: int) -> DescribedGroup:
    """One classic group."""
    group = machine.groups.get(group_id)
    if not isinstance(group, ClassicGroup):
        answer = DescribedGroup(group_id=group_id, group_state=State.DEAD.value)
        if api_version >= _NOT_FOUND_FROM:
            answer.error_code = ErrorCode.GROUP_ID_NOT_FOUND
            problem = "not found" if group is None else "is not a classic group"
            answer.error_message = f"Group {group_id} {problem}."
        return answer
    stable = group.state is State.STABLE
    protocol = group.protocol_name
    return DescribedGroup(
        group_id=group_id,
        group_state=group.state_name,
        protocol_type=group.protocol_type or "",
        protocol_data=protocol or "" if stable else "",
        members=[
            DescribedGroupMember(
                member_id=member.member_id,
                group_instance_id=member.instance_id,
                client_id=member.client_id,
                client_host=member.client_host,
                member_metadata=member.metadata(protocol) or b"" if stable else b"",
                member_assignment=member.assignment,
            )
            for member in group.members.values()
        ],
    )


def listed(machine: GroupMachine, states: Collection[str], kinds: Collection[str]) -> list[ListedGroup]:
    """Groups of every kind; no states or kinds means all. Both are compared in lower case."""
    return [
        ListedGroup(
            group_id=group.group_id,
            protocol_type=group.protocol_type or "",
            group_state=group.state_name,
            group_type=group.kind,
        )
        for group in machine.groups.values()
        if (not states or group.state_name.lower() in states) and (not kinds or group.kind in kinds)
    ]


def delete(machine: GroupMachine, group_id: str, reply: Answer) -> Decision:
    """A group without members, of any kind, and its offsets."""
    group = machine.groups.get(group_id)
    error = ErrorCode.GROUP_ID_NOT_FOUND if group is None else group.validate_delete()

    def failed(error: ErrorCode) -> DeletableGroupResult:
        return DeletableGroupResult(group_id=group_id, error_code=error)

    return Decision(
        records=[] if error else machine.deletion(group_id),
        replies=[Reply(reply, failed(error), failed)],
        atomic=False,
    )
