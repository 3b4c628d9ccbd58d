"""GroupMetadataValue. Written by `python -m codegen` from schemas/group; do not edit."""

# fmt: off
# ruff: noqa: A001, ARG001, N816
# Layout is fixed by the generator, so that it does not depend on the version of a formatter.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from struct import Struct
from typing import Final

from riverlog.protocol.errors import DecodeError, EncodeError
from riverlog.protocol.primitives import (
    MALFORMED,
    MAX_ELEMENTS,
    missing,
    skip_tags,
    string_prefix,
    string_tail,
    too_many,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
)

NAME: Final = "GroupMetadataValue"
API_KEY: Final = 2
VERSIONS: Final[tuple[int, int]] = (0, 4)
FLEXIBLE_FROM: Final = 4
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ih = Struct(">ih").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_unpack_iiB = Struct(">iiB").unpack_from
_unpack_iii = Struct(">iii").unpack_from
_unpack_qB = Struct(">qB").unpack_from
_unpack_qi = Struct(">qi").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ii = Struct(">ii").pack
_pack_iii = Struct(">iii").pack
_pack_q = Struct(">q").pack
_pack_qi = Struct(">qi").pack


@dataclass(init=False, repr=False, eq=False)
class MemberMetadata(Wire):
    """MemberMetadata."""

    __slots__ = ("member_id", "group_instance_id", "client_id", "client_host", "rebalance_timeout", "session_timeout", "subscription", "assignment")

    member_id: str
    group_instance_id: str | None
    client_id: str
    client_host: str
    rebalance_timeout: int
    session_timeout: int
    subscription: bytes
    assignment: bytes

    def __init__(
        self,
        member_id: str = "",
        group_instance_id: str | None = None,
        client_id: str = "",
        client_host: str = "",
        rebalance_timeout: int = -1,
        session_timeout: int = 0,
        subscription: bytes = b"",
        assignment: bytes = b"",
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.client_id = client_id
        self.client_host = client_host
        self.rebalance_timeout = rebalance_timeout
        self.session_timeout = session_timeout
        self.subscription = subscription
        self.assignment = assignment


@dataclass(init=False, repr=False, eq=False)
class GroupMetadataValue(Wire):
    """GroupMetadataValue."""

    __slots__ = ("protocol_type", "generation", "protocol", "leader", "current_state_timestamp", "members")

    protocol_type: str
    generation: int
    protocol: str | None
    leader: str | None
    current_state_timestamp: int
    members: list[MemberMetadata]

    def __init__(
        self,
        protocol_type: str = "",
        generation: int = 0,
        protocol: str | None = "",
        leader: str | None = "",
        current_state_timestamp: int = -1,
        members: list[MemberMetadata] = UNSET,
    ) -> None:
        self.protocol_type = protocol_type
        self.generation = generation
        self.protocol = protocol
        self.leader = leader
        self.current_state_timestamp = current_state_timestamp
        self.members = [] if members is UNSET else members


def _decode_0(buffer: memoryview, p: int) -> tuple[GroupMetadataValue, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (protocol_type_size,) = _unpack_h(buffer, p)
    p += 2
    if protocol_type_size < 0:
        raise missing("GroupMetadataValue.protocol_type")
    stop = p + protocol_type_size
    protocol_type = buffer[p:stop].tobytes().decode()
    p = stop
    generation, protocol_size = _unpack_ih(buffer, p)
    p += 6
    protocol: str | None = None
    if protocol_size >= 0:
        stop = p + protocol_size
        protocol = buffer[p:stop].tobytes().decode()
        p = stop
    elif protocol_size != -1:
        raise missing("GroupMetadataValue.protocol")
    (leader_size,) = _unpack_h(buffer, p)
    p += 2
    leader: str | None = None
    if leader_size >= 0:
        stop = p + leader_size
        leader = buffer[p:stop].tobytes().decode()
        p = stop
    elif leader_size != -1:
        raise missing("GroupMetadataValue.leader")
    (members_count,) = _unpack_i(buffer, p)
    p += 4
    if members_count < 0:
        raise missing("GroupMetadataValue.members")
    if members_count > room or members_count * 18 > end - p:
        raise too_many("GroupMetadataValue.members", members_count)
    room -= members_count
    members: list[MemberMetadata] = []
    for _ in range(members_count):
        (member_id_size,) = _unpack_h(buffer, p)
        p += 2
        if member_id_size < 0:
            raise missing("GroupMetadataValue.members.member_id")
        stop = p + member_id_size
        member_id = buffer[p:stop].tobytes().decode()
        p = stop
        (client_id_size,) = _unpack_h(buffer, p)
        p += 2
        if client_id_size < 0:
            raise missing("GroupMetadataValue.members.client_id")
        stop = p + client_id_size
        client_id = buffer[p:stop].tobytes().decode()
        p = stop
        (client_host_size,) = _unpack_h(buffer, p)
        p += 2
        if client_host_size < 0:
            raise missing("GroupMetadataValue.members.client_host")
        stop = p + client_host_size
        client_host = buffer[p:stop].tobytes().decode()
        p = stop
        session_timeout, subscription_size = _unpack_ii(buffer, p)
        p += 8
        if subscription_size < 0:
            raise missing("GroupMetadataValue.members.subscription")
        stop = p + subscription_size
        subscription = buffer[p:stop].tobytes()
        p = stop
        (assignment_size,) = _unpack_i(buffer, p)
        p += 4
        if assignment_size < 0:
            raise missing("GroupMetadataValue.members.assignment")
        stop = p + assignment_size
        assignment = buffer[p:stop].tobytes()
        p = stop
        members.append(MemberMetadata(member_id, None, client_id, client_host, -1, session_timeout, subscription, assignment))
    return GroupMetadataValue(protocol_type, generation, protocol, leader, -1, members), p


def _decode_1(buffer: memoryview, p: int) -> tuple[GroupMetadataValue, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (protocol_type_size,) = _unpack_h(buffer, p)
    p += 2
    if protocol_type_size < 0:
        raise missing("GroupMetadataValue.protocol_type")
    stop = p + protocol_type_size
    protocol_type = buffer[p:stop].tobytes().decode()
    p = stop
    generation, protocol_size = _unpack_ih(buffer, p)
    p += 6
    protocol: str | None = None
    if protocol_size >= 0:
        stop = p + protocol_size
        protocol = buffer[p:stop].tobytes().decode()
        p = stop
    elif protocol_size != -1:
        raise missing("GroupMetadataValue.protocol")
    (leader_size,) = _unpack_h(buffer, p)
    p += 2
    leader: str | None = None
    if leader_size >= 0:
        stop = p + leader_size
        leader = buffer[p:stop].tobytes().decode()
        p = stop
    elif leader_size != -1:
        raise missing("GroupMetadataValue.leader")
    (members_count,) = _unpack_i(buffer, p)
    p += 4
    if members_count < 0:
        raise missing("GroupMetadataValue.members")
    if members_count > room or members_count * 22 > end - p:
        raise too_many("GroupMetadataValue.members", members_count)
    room -= members_count
    members: list[MemberMetadata] = []
    for _ in range(members_count):
        (member_id_size,) = _unpack_h(buffer, p)
        p += 2
        if member_id_size < 0:
            raise missing("GroupMetadataValue.members.member_id")
        stop = p + member_id_size
        member_id = buffer[p:stop].tobytes().decode()
        p = stop
        (client_id_size,) = _unpack_h(buffer, p)
        p += 2
        if client_id_size < 0:
            raise missing("GroupMetadataValue.members.client_id")
        stop = p + client_id_size
        client_id = buffer[p:stop].tobytes().decode()
        p = stop
        (client_host_size,) = _unpack_h(buffer, p)
        p += 2
        if client_host_size < 0:
            raise missing("GroupMetadataValue.members.client_host")
        stop = p + client_host_size
        client_host = buffer[p:stop].tobytes().decode()
        p = stop
        rebalance_timeout, session_timeout, subscription_size = _unpack_iii(buffer, p)
        p += 12
        if subscription_size < 0:
            raise missing("GroupMetadataValue.members.subscription")
        stop = p + subscription_size
        subscription = buffer[p:stop].tobytes()
        p = stop
        (assignment_size,) = _unpack_i(buffer, p)
        p += 4
        if assignment_size < 0:
            raise missing("GroupMetadataValue.members.assignment")
        stop = p + assignment_size
        assignment = buffer[p:stop].tobytes()
        p = stop
        members.append(MemberMetadata(member_id, None, client_id, client_host, rebalance_timeout, session_timeout, subscription, assignment))
    return GroupMetadataValue(protocol_type, generation, protocol, leader, -1, members), p


def _decode_2(buffer: memoryview, p: int) -> tuple[GroupMetadataValue, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (protocol_type_size,) = _unpack_h(buffer, p)
    p += 2
    if protocol_type_size < 0:
        raise missing("GroupMetadataValue.protocol_type")
    stop = p + protocol_type_size
    protocol_type = buffer[p:stop].tobytes().decode()
    p = stop
    generation, protocol_size = _unpack_ih(buffer, p)
    p += 6
    protocol: str | None = None
    if protocol_size >= 0:
        stop = p + protocol_size
        protocol = buffer[p:stop].tobytes().decode()
        p = stop
    elif protocol_size != -1:
        raise missing("GroupMetadataValue.protocol")
    (leader_size,) = _unpack_h(buffer, p)
    p += 2
    leader: str | None = None
    if leader_size >= 0:
        stop = p + leader_size
        leader = buffer[p:stop].tobytes().decode()
        p = stop
    elif leader_size != -1:
        raise missing("GroupMetadataValue.leader")
    current_state_timestamp, members_count = _unpack_qi(buffer, p)
    p += 12
    if members_count < 0:
        raise missing("GroupMetadataValue.members")
    if members_count > room or members_count * 22 > end - p:
        raise too_many("GroupMetadataValue.members", members_count)
    room -= members_count
    members: list[MemberMetadata] = []
    for _ in range(members_count):
        (member_id_size,) = _unpack_h(buffer, p)
        p += 2
        if member_id_size < 0:
            raise missing("GroupMetadataValue.members.member_id")
        stop = p + member_id_size
        member_id = buffer[p:stop].tobytes().decode()
        p = stop
        (client_id_size,) = _unpack_h(buffer, p)
        p += 2
        if client_id_size < 0:
            raise missing("GroupMetadataValue.members.client_id")
        stop = p + client_id_size
        client_id = buffer[p:stop].tobytes().decode()
        p = stop
        (client_host_size,) = _unpack_h(buffer, p)
        p += 2
        if client_host_size < 0:
            raise missing("GroupMetadataValue.members.client_host")
        stop = p + client_host_size
        client_host = buffer[p:stop].tobytes().decode()
        p = stop
        rebalance_timeout, session_timeout, subscription_size = _unpack_iii(buffer, p)
        p += 12
        if subscription_size < 0:
            raise missing("GroupMetadataValue.members.subscription")
        stop = p + subscription_size
        subscription = buffer[p:stop].tobytes()
        p = stop
        (assignment_size,) = _unpack_i(buffer, p)
        p += 4
        if assignment_size < 0:
            raise missing("GroupMetadataValue.members.assignment")
        stop = p + assignment_size
        assignment = buffer[p:stop].tobytes()
        p = stop
        members.append(MemberMetadata(member_id, None, client_id, client_host, rebalance_timeout, session_timeout, subscription, assignment))
    return GroupMetadataValue(protocol_type, generation, protocol, leader, current_state_timestamp, members), p


def _decode_3(buffer: memoryview, p: int) -> tuple[GroupMetadataValue, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (protocol_type_size,) = _unpack_h(buffer, p)
    p += 2
    if protocol_type_size < 0:
        raise missing("GroupMetadataValue.protocol_type")
    stop = p + protocol_type_size
    protocol_type = buffer[p:stop].tobytes().decode()
    p = stop
    generation, protocol_size = _unpack_ih(buffer, p)
    p += 6
    protocol: str | None = None
    if protocol_size >= 0:
        stop = p + protocol_size
        protocol = buffer[p:stop].tobytes().decode()
        p = stop
    elif protocol_size != -1:
        raise missing("GroupMetadataValue.protocol")
    (leader_size,) = _unpack_h(buffer, p)
    p += 2
    leader: str | None = None
    if leader_size >= 0:
        stop = p + leader_size
        leader = buffer[p:stop].tobytes().decode()
        p = stop
    elif leader_size != -1:
        raise missing("GroupMetadataValue.leader")
    current_state_timestamp, members_count = _unpack_qi(buffer, p)
    p += 12
    if members_count < 0:
        raise missing("GroupMetadataValue.members")
    if members_count > room or members_count * 24 > end - p:
        raise too_many("GroupMetadataValue.members", members_count)
    room -= members_count
    members: list[MemberMetadata] = []
    for _ in range(members_count):
        (member_id_size,) = _unpack_h(buffer, p)
        p += 2
        if member_id_size < 0:
            raise missing("GroupMetadataValue.members.member_id")
        stop = p + member_id_size
        member_id = buffer[p:stop].tobytes().decode()
        p = stop
        (group_instance_id_size,) = _unpack_h(buffer, p)
        p += 2
        group_instance_id: str | None = None
        if group_instance_id_size >= 0:
            stop = p + group_instance_id_size
            group_instance_id = buffer[p:stop].tobytes().decode()
            p = stop
        elif group_instance_id_size != -1:
            raise missing("GroupMetadataValue.members.group_instance_id")
        (client_id_size,) = _unpack_h(buffer, p)
        p += 2
        if client_id_size < 0:
            raise missing("GroupMetadataValue.members.client_id")
        stop = p + client_id_size
        client_id = buffer[p:stop].tobytes().decode()
        p = stop
        (client_host_size,) = _unpack_h(buffer, p)
        p += 2
        if client_host_size < 0:
            raise missing("GroupMetadataValue.members.client_host")
        stop = p + client_host_size
        client_host = buffer[p:stop].tobytes().decode()
        p = stop
        rebalance_timeout, session_timeout, subscription_size = _unpack_iii(buffer, p)
        p += 12
        if subscription_size < 0:
            raise missing("GroupMetadataValue.members.subscription")
        stop = p + subscription_size
        subscription = buffer[p:stop].tobytes()
        p = stop
        (assignment_size,) = _unpack_i(buffer, p)
        p += 4
        if assignment_size < 0:
            raise missing("GroupMetadataValue.members.assignment")
        stop = p + assignment_size
        assignment = buffer[p:stop].tobytes()
        p = stop
        members.append(MemberMetadata(member_id, group_instance_id, client_id, client_host, rebalance_timeout, session_timeout, subscription, assignment))
    return GroupMetadataValue(protocol_type, generation, protocol, leader, current_state_timestamp, members), p


def _decode_4(buffer: memoryview, p: int) -> tuple[GroupMetadataValue, int]:
    """Versions 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    protocol_type_size = buffer[p]
    p += 1
    if protocol_type_size > 127:
        protocol_type_size, p = string_tail(buffer, p, protocol_type_size)
    if protocol_type_size == 0:
        raise missing("GroupMetadataValue.protocol_type")
    stop = p + protocol_type_size - 1
    protocol_type = buffer[p:stop].tobytes().decode()
    p = stop
    generation, protocol_size = _unpack_iB(buffer, p)
    p += 5
    if protocol_size > 127:
        protocol_size, p = string_tail(buffer, p, protocol_size)
    protocol: str | None = None
    if protocol_size:
        stop = p + protocol_size - 1
        protocol = buffer[p:stop].tobytes().decode()
        p = stop
    leader_size = buffer[p]
    p += 1
    if leader_size > 127:
        leader_size, p = string_tail(buffer, p, leader_size)
    leader: str | None = None
    if leader_size:
        stop = p + leader_size - 1
        leader = buffer[p:stop].tobytes().decode()
        p = stop
    current_state_timestamp, members_count = _unpack_qB(buffer, p)
    p += 9
    if members_count > 127:
        members_count, p = uvarint_tail(buffer, p, members_count)
    if members_count == 0:
        raise missing("GroupMetadataValue.members")
    members_count -= 1
    if members_count > room or members_count * 15 > end - p:
        raise too_many("GroupMetadataValue.members", members_count)
    room -= members_count
    members: list[MemberMetadata] = []
    for _ in range(members_count):
        member_id_size = buffer[p]
        p += 1
        if member_id_size > 127:
            member_id_size, p = string_tail(buffer, p, member_id_size)
        if member_id_size == 0:
            raise missing("GroupMetadataValue.members.member_id")
        stop = p + member_id_size - 1
        member_id = buffer[p:stop].tobytes().decode()
        p = stop
        group_instance_id_size = buffer[p]
        p += 1
        if group_instance_id_size > 127:
            group_instance_id_size, p = string_tail(buffer, p, group_instance_id_size)
        group_instance_id: str | None = None
        if group_instance_id_size:
            stop = p + group_instance_id_size - 1
            group_instance_id = buffer[p:stop].tobytes().decode()
            p = stop
        client_id_size = buffer[p]
        p += 1
        if client_id_size > 127:
            client_id_size, p = string_tail(buffer, p, client_id_size)
        if client_id_size == 0:
            raise missing("GroupMetadataValue.members.client_id")
        stop = p + client_id_size - 1
        client_id = buffer[p:stop].tobytes().decode()
        p = stop
        client_host_size = buffer[p]
        p += 1
        if client_host_size > 127:
            client_host_size, p = string_tail(buffer, p, client_host_size)
        if client_host_size == 0:
            raise missing("GroupMetadataValue.members.client_host")
        stop = p + client_host_size - 1
        client_host = buffer[p:stop].tobytes().decode()
        p = stop
        rebalance_timeout, session_timeout, subscription_size = _unpack_iiB(buffer, p)
        p += 9
        if subscription_size > 127:
            subscription_size, p = uvarint_tail(buffer, p, subscription_size)
        if subscription_size == 0:
            raise missing("GroupMetadataValue.members.subscription")
        stop = p + subscription_size - 1
        subscription = buffer[p:stop].tobytes()
        p = stop
        assignment_size = buffer[p]
        p += 1
        if assignment_size > 127:
            assignment_size, p = uvarint_tail(buffer, p, assignment_size)
        if assignment_size == 0:
            raise missing("GroupMetadataValue.members.assignment")
        stop = p + assignment_size - 1
        assignment = buffer[p:stop].tobytes()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        members.append(MemberMetadata(member_id, group_instance_id, client_id, client_host, rebalance_timeout, session_timeout, subscription, assignment))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return GroupMetadataValue(protocol_type, generation, protocol, leader, current_state_timestamp, members), p


def _encode_0(message: GroupMetadataValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    protocol_type = message.protocol_type.encode()
    protocol_type_size = len(protocol_type)
    protocol_value = message.protocol
    if protocol_value is None:
        protocol_size, protocol = -1, b""
    else:
        protocol = protocol_value.encode()
        protocol_size = len(protocol)
    leader_value = message.leader
    if leader_value is None:
        leader_size, leader = -1, b""
    else:
        leader = leader_value.encode()
        leader_size = len(leader)
    members = message.members
    out += (
        _pack_h(protocol_type_size),
        protocol_type,
        _pack_ih(message.generation, protocol_size),
        protocol,
        _pack_h(leader_size),
        leader,
        _pack_i(len(members)),
    )
    for element in members:
        member_id = element.member_id.encode()
        member_id_size = len(member_id)
        client_id = element.client_id.encode()
        client_id_size = len(client_id)
        client_host = element.client_host.encode()
        client_host_size = len(client_host)
        subscription = element.subscription
        subscription_size = len(subscription)
        assignment = element.assignment
        assignment_size = len(assignment)
        out += (
            _pack_h(member_id_size),
            member_id,
            _pack_h(client_id_size),
            client_id,
            _pack_h(client_host_size),
            client_host,
            _pack_ii(element.session_timeout, subscription_size),
            subscription,
            _pack_i(assignment_size),
            assignment,
        )
    return b"".join(out)


def _encode_1(message: GroupMetadataValue) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    protocol_type = message.protocol_type.encode()
    protocol_type_size = len(protocol_type)
    protocol_value = message.protocol
    if protocol_value is None:
        protocol_size, protocol = -1, b""
    else:
        protocol = protocol_value.encode()
        protocol_size = len(protocol)
    leader_value = message.leader
    if leader_value is None:
        leader_size, leader = -1, b""
    else:
        leader = leader_value.encode()
        leader_size = len(leader)
    members = message.members
    out += (
        _pack_h(protocol_type_size),
        protocol_type,
        _pack_ih(message.generation, protocol_size),
        protocol,
        _pack_h(leader_size),
        leader,
        _pack_i(len(members)),
    )
    for element in members:
        member_id = element.member_id.encode()
        member_id_size = len(member_id)
        client_id = element.client_id.encode()
        client_id_size = len(client_id)
        client_host = element.client_host.encode()
        client_host_size = len(client_host)
        subscription = element.subscription
        subscription_size = len(subscription)
        assignment = element.assignment
        assignment_size = len(assignment)
        out += (
            _pack_h(member_id_size),
            member_id,
            _pack_h(client_id_size),
            client_id,
            _pack_h(client_host_size),
            client_host,
            _pack_iii(element.rebalance_timeout, element.session_timeout, subscription_size),
            subscription,
            _pack_i(assignment_size),
            assignment,
        )
    return b"".join(out)


def _encode_2(message: GroupMetadataValue) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    protocol_type = message.protocol_type.encode()
    protocol_type_size = len(protocol_type)
    protocol_value = message.protocol
    if protocol_value is None:
        protocol_size, protocol = -1, b""
    else:
        protocol = protocol_value.encode()
        protocol_size = len(protocol)
    leader_value = message.leader
    if leader_value is None:
        leader_size, leader = -1, b""
    else:
        leader = leader_value.encode()
        leader_size = len(leader)
    members = message.members
    out += (
        _pack_h(protocol_type_size),
        protocol_type,
        _pack_ih(message.generation, protocol_size),
        protocol,
        _pack_h(leader_size),
        leader,
        _pack_qi(message.current_state_timestamp, len(members)),
    )
    for element in members:
        member_id = element.member_id.encode()
        member_id_size = len(member_id)
        client_id = element.client_id.encode()
        client_id_size = len(client_id)
        client_host = element.client_host.encode()
        client_host_size = len(client_host)
        subscription = element.subscription
        subscription_size = len(subscription)
        assignment = element.assignment
        assignment_size = len(assignment)
        out += (
            _pack_h(member_id_size),
            member_id,
            _pack_h(client_id_size),
            client_id,
            _pack_h(client_host_size),
            client_host,
            _pack_iii(element.rebalance_timeout, element.session_timeout, subscription_size),
            subscription,
            _pack_i(assignment_size),
            assignment,
        )
    return b"".join(out)


def _encode_3(message: GroupMetadataValue) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    protocol_type = message.protocol_type.encode()
    protocol_type_size = len(protocol_type)
    protocol_value = message.protocol
    if protocol_value is None:
        protocol_size, protocol = -1, b""
    else:
        protocol = protocol_value.encode()
        protocol_size = len(protocol)
    leader_value = message.leader
    if leader_value is None:
        leader_size, leader = -1, b""
    else:
        leader = leader_value.encode()
        leader_size = len(leader)
    members = message.members
    out += (
        _pack_h(protocol_type_size),
        protocol_type,
        _pack_ih(message.generation, protocol_size),
        protocol,
        _pack_h(leader_size),
        leader,
        _pack_qi(message.current_state_timestamp, len(members)),
    )
    for element in members:
        member_id = element.member_id.encode()
        member_id_size = len(member_id)
        group_instance_id_value = element.group_instance_id
        if group_instance_id_value is None:
            group_instance_id_size, group_instance_id = -1, b""
        else:
            group_instance_id = group_instance_id_value.encode()
            group_instance_id_size = len(group_instance_id)
        client_id = element.client_id.encode()
        client_id_size = len(client_id)
        client_host = element.client_host.encode()
        client_host_size = len(client_host)
        subscription = element.subscription
        subscription_size = len(subscription)
        assignment = element.assignment
        assignment_size = len(assignment)
        out += (
            _pack_h(member_id_size),
            member_id,
            _pack_h(group_instance_id_size),
            group_instance_id,
            _pack_h(client_id_size),
            client_id,
            _pack_h(client_host_size),
            client_host,
            _pack_iii(element.rebalance_timeout, element.session_timeout, subscription_size),
            subscription,
            _pack_i(assignment_size),
            assignment,
        )
    return b"".join(out)


def _encode_4(message: GroupMetadataValue) -> bytes:
    """Versions 4."""
    out: list[bytes] = []
    protocol_type = message.protocol_type.encode()
    protocol_type_size = len(protocol_type) + 1
    protocol_value = message.protocol
    if protocol_value is None:
        protocol_size, protocol = 0, b""
    else:
        protocol = protocol_value.encode()
        protocol_size = len(protocol) + 1
    leader_value = message.leader
    if leader_value is None:
        leader_size, leader = 0, b""
    else:
        leader = leader_value.encode()
        leader_size = len(leader) + 1
    members = message.members
    members_count = len(members) + 1
    out += (
        UVARINTS[protocol_type_size] if protocol_type_size < 256 else string_prefix(protocol_type_size),
        protocol_type,
        _pack_i(message.generation),
        UVARINTS[protocol_size] if protocol_size < 256 else string_prefix(protocol_size),
        protocol,
        UVARINTS[leader_size] if leader_size < 256 else string_prefix(leader_size),
        leader,
        _pack_q(message.current_state_timestamp),
        UVARINTS[members_count] if members_count < 256 else uvarint(members_count),
    )
    for element in members:
        member_id = element.member_id.encode()
        member_id_size = len(member_id) + 1
        group_instance_id_value = element.group_instance_id
        if group_instance_id_value is None:
            group_instance_id_size, group_instance_id = 0, b""
        else:
            group_instance_id = group_instance_id_value.encode()
            group_instance_id_size = len(group_instance_id) + 1
        client_id = element.client_id.encode()
        client_id_size = len(client_id) + 1
        client_host = element.client_host.encode()
        client_host_size = len(client_host) + 1
        subscription = element.subscription
        subscription_size = len(subscription) + 1
        assignment = element.assignment
        assignment_size = len(assignment) + 1
        out += (
            UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
            member_id,
            UVARINTS[group_instance_id_size] if group_instance_id_size < 256 else string_prefix(group_instance_id_size),
            group_instance_id,
            UVARINTS[client_id_size] if client_id_size < 256 else string_prefix(client_id_size),
            client_id,
            UVARINTS[client_host_size] if client_host_size < 256 else string_prefix(client_host_size),
            client_host,
            _pack_ii(element.rebalance_timeout, element.session_timeout),
            UVARINTS[subscription_size] if subscription_size < 256 else uvarint(subscription_size),
            subscription,
            UVARINTS[assignment_size] if assignment_size < 256 else uvarint(assignment_size),
            assignment,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[GroupMetadataValue, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
    3: _decode_3,
    4: _decode_4,
}
_ENCODERS: Final[dict[int, Callable[[GroupMetadataValue], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
    3: _encode_3,
    4: _encode_4,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[GroupMetadataValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"GroupMetadataValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"GroupMetadataValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"GroupMetadataValue v{version} is cut short")
    return result


def encode(message: GroupMetadataValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"GroupMetadataValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"GroupMetadataValue v{version}: {error}") from error
