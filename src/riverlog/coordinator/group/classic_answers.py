"""What classic groups answer and write."""

from __future__ import annotations

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord, Decision, Reply
from riverlog.coordinator.group.classic_group import Answer, ClassicGroup, ClassicMember, Protocols, State
from riverlog.protocol.generated.group_metadata_key import GroupMetadataKey
from riverlog.protocol.generated.group_metadata_value import GroupMetadataValue
from riverlog.protocol.generated.join_group_request import JoinGroupRequest
from riverlog.protocol.generated.join_group_response import JoinGroupResponse, JoinGroupResponseMember
from riverlog.protocol.generated.sync_group_request import SyncGroupRequest
from riverlog.protocol.generated.sync_group_response import SyncGroupResponse

UNKNOWN_MEMBER = ""


def record(group_id: str, value: GroupMetadataValue) -> CoordinatorRecord:
    return CoordinatorRecord(GroupMetadataKey(group_id), value)


def uuid4(random: bytes) -> str:
    """As Java prints a random UUID."""
    number = int.from_bytes(random, "big") & ~(0xF << 76 | 0x3 << 62) | 4 << 76 | 2 << 62
    text = f"{number:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def protocols_of(request: JoinGroupRequest) -> Protocols:
    return tuple([(row.name, row.metadata) for row in request.protocols])


def check_sync(group: ClassicGroup, request: SyncGroupRequest) -> ErrorCode:
    error = group.check_member(request.member_id, request.group_instance_id)
    if error:
        return error
    if request.generation_id != group.generation:
        return ErrorCode.ILLEGAL_GENERATION
    for said, agreed in (
        (request.protocol_type, group.protocol_type),
        (request.protocol_name, group.protocol_name),
    ):
        if said is not None and agreed is not None and said != agreed:
            return ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    if group.state is State.PREPARING_REBALANCE:
        return ErrorCode.REBALANCE_IN_PROGRESS
    return ErrorCode.NONE


def joined(group: ClassicGroup, member: ClassicMember) -> JoinGroupResponse:
    """The generation; the leader gets what it needs to assign."""
    members = []
    protocol = group.protocol_name
    if member.member_id == group.leader:
        members = [
            JoinGroupResponseMember(
                member_id=other.member_id,
                group_instance_id=other.instance_id,
                metadata=other.metadata(protocol) or b"",
            )
            for other in group.members.values()
        ]
    return JoinGroupResponse(
        generation_id=group.generation,
        protocol_type=group.protocol_type,
        protocol_name=protocol,
        leader=group.leader or "",
        member_id=member.member_id,
        members=members,
    )


def synced(group: ClassicGroup, assignment: bytes) -> SyncGroupResponse:
    return SyncGroupResponse(
        protocol_type=group.protocol_type, protocol_name=group.protocol_name, assignment=assignment
    )


def join_error(out: Decision, reply: Answer, error: ErrorCode, member_id: str = UNKNOWN_MEMBER) -> None:
    out.replies.append(
        Reply(reply, JoinGroupResponse(error_code=error, member_id=member_id, protocol_name=None))
    )


def sync_error(out: Decision, reply: Answer, error: ErrorCode) -> None:
    out.replies.append(Reply(reply, SyncGroupResponse(error_code=error)))
