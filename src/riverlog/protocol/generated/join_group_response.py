"""JoinGroupResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    not_in_version,
    null_refused,
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

NAME: Final = "JoinGroupResponse"
API_KEY: Final = 11
VERSIONS: Final[tuple[int, int]] = (0, 9)
FLEXIBLE_FROM: Final = 6
LATEST_UNSTABLE: Final = False

_unpack_zB = Struct(">?B").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_hih = Struct(">hih").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_ihiB = Struct(">ihiB").unpack_from
_unpack_ihih = Struct(">ihih").unpack_from
_pack_z = Struct(">?").pack
_pack_h = Struct(">h").pack
_pack_hih = Struct(">hih").pack
_pack_i = Struct(">i").pack
_pack_ihi = Struct(">ihi").pack
_pack_ihih = Struct(">ihih").pack


@dataclass(init=False, repr=False, eq=False)
class JoinGroupResponseMember(Wire):
    """JoinGroupResponseMember."""

    __slots__ = ("member_id", "group_instance_id", "metadata")

    member_id: str
    group_instance_id: str | None
    metadata: bytes

    def __init__(
        self,
        member_id: str = "",
        group_instance_id: str | None = None,
        metadata: bytes = b"",
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.metadata = metadata


@dataclass(init=False, repr=False, eq=False)
class JoinGroupResponse(Wire):
    """JoinGroupResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "generation_id", "protocol_type", "protocol_name", "leader", "skip_assignment", "member_id", "members")

    throttle_time_ms: int
    error_code: int
    generation_id: int
    protocol_type: str | None
    protocol_name: str | None
    leader: str
    skip_assignment: bool
    member_id: str
    members: list[JoinGroupResponseMember]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        generation_id: int = -1,
        protocol_type: str | None = None,
        protocol_name: str | None = "",
        leader: str = "",
        skip_assignment: bool = False,
        member_id: str = "",
        members: list[JoinGroupResponseMember] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.generation_id = generation_id
        self.protocol_type = protocol_type
        self.protocol_name = protocol_name
        self.leader = leader
        self.skip_assignment = skip_assignment
        self.member_id = member_id
        self.members = [] if members is UNSET else members


def _decode_0(buffer: memoryview, p: int) -> tuple[JoinGroupResponse, int]:
    """Versions 0, 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    error_code, generation_id, protocol_name_size = _unpack_hih(buffer, p)
    p += 8
    if protocol_name_size < 0:
        raise missing("JoinGroupResponse.protocol_name")
    stop = p + protocol_name_size
    protocol_name = buffer[p:stop].tobytes().decode()
    p = stop
    (leader_size,) = _unpack_h(buffer, p)
    p += 2
    if leader_size < 0:
        raise missing("JoinGroupResponse.leader")
    stop = p + leader_size
    leader = buffer[p:stop].tobytes().decode()
    p = stop
    (member_id_size,) = _unpack_h(buffer, p)
    p += 2
    if member_id_size < 0:
        raise missing("JoinGroupResponse.member_id")
    stop = p + member_id_size
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    (members_count,) = _unpack_i(buffer, p)
    p += 4
    if members_count < 0:
        raise missing("JoinGroupResponse.members")
    if members_count > room or members_count * 6 > end - p:
        raise too_many("JoinGroupResponse.members", members_count)
    room -= members_count
    members: list[JoinGroupResponseMember] = []
    for _ in range(members_count):
        (member_id_size_2,) = _unpack_h(buffer, p)
        p += 2
        if member_id_size_2 < 0:
            raise missing("JoinGroupResponse.members.member_id")
        stop = p + member_id_size_2
        member_id_2 = buffer[p:stop].tobytes().decode()
        p = stop
        (metadata_size,) = _unpack_i(buffer, p)
        p += 4
        if metadata_size < 0:
            raise missing("JoinGroupResponse.members.metadata")
        stop = p + metadata_size
        metadata = buffer[p:stop].tobytes()
        p = stop
        members.append(JoinGroupResponseMember(member_id_2, None, metadata))
    return JoinGroupResponse(0, error_code, generation_id, None, protocol_name, leader, False, member_id, members), p


def _decode_1(buffer: memoryview, p: int) -> tuple[JoinGroupResponse, int]:
    """Versions 2, 3, 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, generation_id, protocol_name_size = _unpack_ihih(buffer, p)
    p += 12
    if protocol_name_size < 0:
        raise missing("JoinGroupResponse.protocol_name")
    stop = p + protocol_name_size
    protocol_name = buffer[p:stop].tobytes().decode()
    p = stop
    (leader_size,) = _unpack_h(buffer, p)
    p += 2
    if leader_size < 0:
        raise missing("JoinGroupResponse.leader")
    stop = p + leader_size
    leader = buffer[p:stop].tobytes().decode()
    p = stop
    (member_id_size,) = _unpack_h(buffer, p)
    p += 2
    if member_id_size < 0:
        raise missing("JoinGroupResponse.member_id")
    stop = p + member_id_size
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    (members_count,) = _unpack_i(buffer, p)
    p += 4
    if members_count < 0:
        raise missing("JoinGroupResponse.members")
    if members_count > room or members_count * 6 > end - p:
        raise too_many("JoinGroupResponse.members", members_count)
    room -= members_count
    members: list[JoinGroupResponseMember] = []
    for _ in range(members_count):
        (member_id_size_2,) = _unpack_h(buffer, p)
        p += 2
        if member_id_size_2 < 0:
            raise missing("JoinGroupResponse.members.member_id")
        stop = p + member_id_size_2
        member_id_2 = buffer[p:stop].tobytes().decode()
        p = stop
        (metadata_size,) = _unpack_i(buffer, p)
        p += 4
        if metadata_size < 0:
            raise missing("JoinGroupResponse.members.metadata")
        stop = p + metadata_size
        metadata = buffer[p:stop].tobytes()
        p = stop
        members.append(JoinGroupResponseMember(member_id_2, None, metadata))
    return JoinGroupResponse(throttle_time_ms, error_code, generation_id, None, protocol_name, leader, False, member_id, members), p


def _decode_2(buffer: memoryview, p: int) -> tuple[JoinGroupResponse, int]:
    """Versions 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, generation_id, protocol_name_size = _unpack_ihih(buffer, p)
    p += 12
    if protocol_name_size < 0:
        raise missing("JoinGroupResponse.protocol_name")
    stop = p + protocol_name_size
    protocol_name = buffer[p:stop].tobytes().decode()
    p = stop
    (leader_size,) = _unpack_h(buffer, p)
    p += 2
    if leader_size < 0:
        raise missing("JoinGroupResponse.leader")
    stop = p + leader_size
    leader = buffer[p:stop].tobytes().decode()
    p = stop
    (member_id_size,) = _unpack_h(buffer, p)
    p += 2
    if member_id_size < 0:
        raise missing("JoinGroupResponse.member_id")
    stop = p + member_id_size
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    (members_count,) = _unpack_i(buffer, p)
    p += 4
    if members_count < 0:
        raise missing("JoinGroupResponse.members")
    if members_count > room or members_count * 8 > end - p:
        raise too_many("JoinGroupResponse.members", members_count)
    room -= members_count
    members: list[JoinGroupResponseMember] = []
    for _ in range(members_count):
        (member_id_size_2,) = _unpack_h(buffer, p)
        p += 2
        if member_id_size_2 < 0:
            raise missing("JoinGroupResponse.members.member_id")
        stop = p + member_id_size_2
        member_id_2 = buffer[p:stop].tobytes().decode()
        p = stop
        (group_instance_id_size,) = _unpack_h(buffer, p)
        p += 2
        group_instance_id: str | None = None
        if group_instance_id_size >= 0:
            stop = p + group_instance_id_size
            group_instance_id = buffer[p:stop].tobytes().decode()
            p = stop
        elif group_instance_id_size != -1:
            raise missing("JoinGroupResponse.members.group_instance_id")
        (metadata_size,) = _unpack_i(buffer, p)
        p += 4
        if metadata_size < 0:
            raise missing("JoinGroupResponse.members.metadata")
        stop = p + metadata_size
        metadata = buffer[p:stop].tobytes()
        p = stop
        members.append(JoinGroupResponseMember(member_id_2, group_instance_id, metadata))
    return JoinGroupResponse(throttle_time_ms, error_code, generation_id, None, protocol_name, leader, False, member_id, members), p


def _decode_3(buffer: memoryview, p: int) -> tuple[JoinGroupResponse, int]:
    """Versions 6."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, generation_id, protocol_name_size = _unpack_ihiB(buffer, p)
    p += 11
    if protocol_name_size > 127:
        protocol_name_size, p = string_tail(buffer, p, protocol_name_size)
    if protocol_name_size == 0:
        raise missing("JoinGroupResponse.protocol_name")
    stop = p + protocol_name_size - 1
    protocol_name = buffer[p:stop].tobytes().decode()
    p = stop
    leader_size = buffer[p]
    p += 1
    if leader_size > 127:
        leader_size, p = string_tail(buffer, p, leader_size)
    if leader_size == 0:
        raise missing("JoinGroupResponse.leader")
    stop = p + leader_size - 1
    leader = buffer[p:stop].tobytes().decode()
    p = stop
    member_id_size = buffer[p]
    p += 1
    if member_id_size > 127:
        member_id_size, p = string_tail(buffer, p, member_id_size)
    if member_id_size == 0:
        raise missing("JoinGroupResponse.member_id")
    stop = p + member_id_size - 1
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    members_count = buffer[p]
    p += 1
    if members_count > 127:
        members_count, p = uvarint_tail(buffer, p, members_count)
    if members_count == 0:
        raise missing("JoinGroupResponse.members")
    members_count -= 1
    if members_count > room or members_count * 4 > end - p:
        raise too_many("JoinGroupResponse.members", members_count)
    room -= members_count
    members: list[JoinGroupResponseMember] = []
    for _ in range(members_count):
        member_id_size_2 = buffer[p]
        p += 1
        if member_id_size_2 > 127:
            member_id_size_2, p = string_tail(buffer, p, member_id_size_2)
        if member_id_size_2 == 0:
            raise missing("JoinGroupResponse.members.member_id")
        stop = p + member_id_size_2 - 1
        member_id_2 = buffer[p:stop].tobytes().decode()
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
        metadata_size = buffer[p]
        p += 1
        if metadata_size > 127:
            metadata_size, p = uvarint_tail(buffer, p, metadata_size)
        if metadata_size == 0:
            raise missing("JoinGroupResponse.members.metadata")
        stop = p + metadata_size - 1
        metadata = buffer[p:stop].tobytes()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        members.append(JoinGroupResponseMember(member_id_2, group_instance_id, metadata))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return JoinGroupResponse(throttle_time_ms, error_code, generation_id, None, protocol_name, leader, False, member_id, members), p


def _decode_4(buffer: memoryview, p: int) -> tuple[JoinGroupResponse, int]:
    """Versions 7, 8."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, generation_id, protocol_type_size = _unpack_ihiB(buffer, p)
    p += 11
    if protocol_type_size > 127:
        protocol_type_size, p = string_tail(buffer, p, protocol_type_size)
    protocol_type: str | None = None
    if protocol_type_size:
        stop = p + protocol_type_size - 1
        protocol_type = buffer[p:stop].tobytes().decode()
        p = stop
    protocol_name_size = buffer[p]
    p += 1
    if protocol_name_size > 127:
        protocol_name_size, p = string_tail(buffer, p, protocol_name_size)
    protocol_name: str | None = None
    if protocol_name_size:
        stop = p + protocol_name_size - 1
        protocol_name = buffer[p:stop].tobytes().decode()
        p = stop
    leader_size = buffer[p]
    p += 1
    if leader_size > 127:
        leader_size, p = string_tail(buffer, p, leader_size)
    if leader_size == 0:
        raise missing("JoinGroupResponse.leader")
    stop = p + leader_size - 1
    leader = buffer[p:stop].tobytes().decode()
    p = stop
    member_id_size = buffer[p]
    p += 1
    if member_id_size > 127:
        member_id_size, p = string_tail(buffer, p, member_id_size)
    if member_id_size == 0:
        raise missing("JoinGroupResponse.member_id")
    stop = p + member_id_size - 1
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    members_count = buffer[p]
    p += 1
    if members_count > 127:
        members_count, p = uvarint_tail(buffer, p, members_count)
    if members_count == 0:
        raise missing("JoinGroupResponse.members")
    members_count -= 1
    if members_count > room or members_count * 4 > end - p:
        raise too_many("JoinGroupResponse.members", members_count)
    room -= members_count
    members: list[JoinGroupResponseMember] = []
    for _ in range(members_count):
        member_id_size_2 = buffer[p]
        p += 1
        if member_id_size_2 > 127:
            member_id_size_2, p = string_tail(buffer, p, member_id_size_2)
        if member_id_size_2 == 0:
            raise missing("JoinGroupResponse.members.member_id")
        stop = p + member_id_size_2 - 1
        member_id_2 = buffer[p:stop].tobytes().decode()
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
        metadata_size = buffer[p]
        p += 1
        if metadata_size > 127:
            metadata_size, p = uvarint_tail(buffer, p, metadata_size)
        if metadata_size == 0:
            raise missing("JoinGroupResponse.members.metadata")
        stop = p + metadata_size - 1
        metadata = buffer[p:stop].tobytes()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        members.append(JoinGroupResponseMember(member_id_2, group_instance_id, metadata))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return JoinGroupResponse(throttle_time_ms, error_code, generation_id, protocol_type, protocol_name, leader, False, member_id, members), p


def _decode_5(buffer: memoryview, p: int) -> tuple[JoinGroupResponse, int]:
    """Versions 9."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, generation_id, protocol_type_size = _unpack_ihiB(buffer, p)
    p += 11
    if protocol_type_size > 127:
        protocol_type_size, p = string_tail(buffer, p, protocol_type_size)
    protocol_type: str | None = None
    if protocol_type_size:
        stop = p + protocol_type_size - 1
        protocol_type = buffer[p:stop].tobytes().decode()
        p = stop
    protocol_name_size = buffer[p]
    p += 1
    if protocol_name_size > 127:
        protocol_name_size, p = string_tail(buffer, p, protocol_name_size)
    protocol_name: str | None = None
    if protocol_name_size:
        stop = p + protocol_name_size - 1
        protocol_name = buffer[p:stop].tobytes().decode()
        p = stop
    leader_size = buffer[p]
    p += 1
    if leader_size > 127:
        leader_size, p = string_tail(buffer, p, leader_size)
    if leader_size == 0:
        raise missing("JoinGroupResponse.leader")
    stop = p + leader_size - 1
    leader = buffer[p:stop].tobytes().decode()
    p = stop
    skip_assignment, member_id_size = _unpack_zB(buffer, p)
    p += 2
    if member_id_size > 127:
        member_id_size, p = string_tail(buffer, p, member_id_size)
    if member_id_size == 0:
        raise missing("JoinGroupResponse.member_id")
    stop = p + member_id_size - 1
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    members_count = buffer[p]
    p += 1
    if members_count > 127:
        members_count, p = uvarint_tail(buffer, p, members_count)
    if members_count == 0:
        raise missing("JoinGroupResponse.members")
    members_count -= 1
    if members_count > room or members_count * 4 > end - p:
        raise too_many("JoinGroupResponse.members", members_count)
    room -= members_count
    members: list[JoinGroupResponseMember] = []
    for _ in range(members_count):
        member_id_size_2 = buffer[p]
        p += 1
        if member_id_size_2 > 127:
            member_id_size_2, p = string_tail(buffer, p, member_id_size_2)
        if member_id_size_2 == 0:
            raise missing("JoinGroupResponse.members.member_id")
        stop = p + member_id_size_2 - 1
        member_id_2 = buffer[p:stop].tobytes().decode()
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
        metadata_size = buffer[p]
        p += 1
        if metadata_size > 127:
            metadata_size, p = uvarint_tail(buffer, p, metadata_size)
        if metadata_size == 0:
            raise missing("JoinGroupResponse.members.metadata")
        stop = p + metadata_size - 1
        metadata = buffer[p:stop].tobytes()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        members.append(JoinGroupResponseMember(member_id_2, group_instance_id, metadata))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return JoinGroupResponse(throttle_time_ms, error_code, generation_id, protocol_type, protocol_name, leader, skip_assignment, member_id, members), p


def _encode_0(message: JoinGroupResponse) -> bytes:
    """Versions 0, 1."""
    out: list[bytes] = []
    protocol_name_value = message.protocol_name
    if protocol_name_value is None:
        raise null_refused("JoinGroupResponse.protocol_name")
    protocol_name = protocol_name_value.encode()
    protocol_name_size = len(protocol_name)
    leader = message.leader.encode()
    leader_size = len(leader)
    if message.skip_assignment:
        raise not_in_version("JoinGroupResponse.skip_assignment")
    member_id = message.member_id.encode()
    member_id_size = len(member_id)
    members = message.members
    out += (
        _pack_hih(message.error_code, message.generation_id, protocol_name_size),
        protocol_name,
        _pack_h(leader_size),
        leader,
        _pack_h(member_id_size),
        member_id,
        _pack_i(len(members)),
    )
    for element in members:
        member_id_2 = element.member_id.encode()
        member_id_size_2 = len(member_id_2)
        metadata = element.metadata
        metadata_size = len(metadata)
        out += (_pack_h(member_id_size_2), member_id_2, _pack_i(metadata_size), metadata)
    return b"".join(out)


def _encode_1(message: JoinGroupResponse) -> bytes:
    """Versions 2, 3, 4."""
    out: list[bytes] = []
    protocol_name_value = message.protocol_name
    if protocol_name_value is None:
        raise null_refused("JoinGroupResponse.protocol_name")
    protocol_name = protocol_name_value.encode()
    protocol_name_size = len(protocol_name)
    leader = message.leader.encode()
    leader_size = len(leader)
    if message.skip_assignment:
        raise not_in_version("JoinGroupResponse.skip_assignment")
    member_id = message.member_id.encode()
    member_id_size = len(member_id)
    members = message.members
    out += (
        _pack_ihih(message.throttle_time_ms, message.error_code, message.generation_id, protocol_name_size),
        protocol_name,
        _pack_h(leader_size),
        leader,
        _pack_h(member_id_size),
        member_id,
        _pack_i(len(members)),
    )
    for element in members:
        member_id_2 = element.member_id.encode()
        member_id_size_2 = len(member_id_2)
        metadata = element.metadata
        metadata_size = len(metadata)
        out += (_pack_h(member_id_size_2), member_id_2, _pack_i(metadata_size), metadata)
    return b"".join(out)


def _encode_2(message: JoinGroupResponse) -> bytes:
    """Versions 5."""
    out: list[bytes] = []
    protocol_name_value = message.protocol_name
    if protocol_name_value is None:
        raise null_refused("JoinGroupResponse.protocol_name")
    protocol_name = protocol_name_value.encode()
    protocol_name_size = len(protocol_name)
    leader = message.leader.encode()
    leader_size = len(leader)
    if message.skip_assignment:
        raise not_in_version("JoinGroupResponse.skip_assignment")
    member_id = message.member_id.encode()
    member_id_size = len(member_id)
    members = message.members
    out += (
        _pack_ihih(message.throttle_time_ms, message.error_code, message.generation_id, protocol_name_size),
        protocol_name,
        _pack_h(leader_size),
        leader,
        _pack_h(member_id_size),
        member_id,
        _pack_i(len(members)),
    )
    for element in members:
        member_id_2 = element.member_id.encode()
        member_id_size_2 = len(member_id_2)
        group_instance_id_value = element.group_instance_id
        if group_instance_id_value is None:
            group_instance_id_size, group_instance_id = -1, b""
        else:
            group_instance_id = group_instance_id_value.encode()
            group_instance_id_size = len(group_instance_id)
        metadata = element.metadata
        metadata_size = len(metadata)
        out += (
            _pack_h(member_id_size_2),
            member_id_2,
            _pack_h(group_instance_id_size),
            group_instance_id,
            _pack_i(metadata_size),
            metadata,
        )
    return b"".join(out)


def _encode_3(message: JoinGroupResponse) -> bytes:
    """Versions 6."""
    out: list[bytes] = []
    protocol_name_value = message.protocol_name
    if protocol_name_value is None:
        raise null_refused("JoinGroupResponse.protocol_name")
    protocol_name = protocol_name_value.encode()
    protocol_name_size = len(protocol_name) + 1
    leader = message.leader.encode()
    leader_size = len(leader) + 1
    if message.skip_assignment:
        raise not_in_version("JoinGroupResponse.skip_assignment")
    member_id = message.member_id.encode()
    member_id_size = len(member_id) + 1
    members = message.members
    members_count = len(members) + 1
    out += (
        _pack_ihi(message.throttle_time_ms, message.error_code, message.generation_id),
        UVARINTS[protocol_name_size] if protocol_name_size < 256 else string_prefix(protocol_name_size),
        protocol_name,
        UVARINTS[leader_size] if leader_size < 256 else string_prefix(leader_size),
        leader,
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        UVARINTS[members_count] if members_count < 256 else uvarint(members_count),
    )
    for element in members:
        member_id_2 = element.member_id.encode()
        member_id_size_2 = len(member_id_2) + 1
        group_instance_id_value = element.group_instance_id
        if group_instance_id_value is None:
            group_instance_id_size, group_instance_id = 0, b""
        else:
            group_instance_id = group_instance_id_value.encode()
            group_instance_id_size = len(group_instance_id) + 1
        metadata = element.metadata
        metadata_size = len(metadata) + 1
        out += (
            UVARINTS[member_id_size_2] if member_id_size_2 < 256 else string_prefix(member_id_size_2),
            member_id_2,
            UVARINTS[group_instance_id_size] if group_instance_id_size < 256 else string_prefix(group_instance_id_size),
            group_instance_id,
            UVARINTS[metadata_size] if metadata_size < 256 else uvarint(metadata_size),
            metadata,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


def _encode_4(message: JoinGroupResponse) -> bytes:
    """Versions 7, 8."""
    out: list[bytes] = []
    protocol_type_value = message.protocol_type
    if protocol_type_value is None:
        protocol_type_size, protocol_type = 0, b""
    else:
        protocol_type = protocol_type_value.encode()
        protocol_type_size = len(protocol_type) + 1
    protocol_name_value = message.protocol_name
    if protocol_name_value is None:
        protocol_name_size, protocol_name = 0, b""
    else:
        protocol_name = protocol_name_value.encode()
        protocol_name_size = len(protocol_name) + 1
    leader = message.leader.encode()
    leader_size = len(leader) + 1
    if message.skip_assignment:
        raise not_in_version("JoinGroupResponse.skip_assignment")
    member_id = message.member_id.encode()
    member_id_size = len(member_id) + 1
    members = message.members
    members_count = len(members) + 1
    out += (
        _pack_ihi(message.throttle_time_ms, message.error_code, message.generation_id),
        UVARINTS[protocol_type_size] if protocol_type_size < 256 else string_prefix(protocol_type_size),
        protocol_type,
        UVARINTS[protocol_name_size] if protocol_name_size < 256 else string_prefix(protocol_name_size),
        protocol_name,
        UVARINTS[leader_size] if leader_size < 256 else string_prefix(leader_size),
        leader,
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        UVARINTS[members_count] if members_count < 256 else uvarint(members_count),
    )
    for element in members:
        member_id_2 = element.member_id.encode()
        member_id_size_2 = len(member_id_2) + 1
        group_instance_id_value = element.group_instance_id
        if group_instance_id_value is None:
            group_instance_id_size, group_instance_id = 0, b""
        else:
            group_instance_id = group_instance_id_value.encode()
            group_instance_id_size = len(group_instance_id) + 1
        metadata = element.metadata
        metadata_size = len(metadata) + 1
        out += (
            UVARINTS[member_id_size_2] if member_id_size_2 < 256 else string_prefix(member_id_size_2),
            member_id_2,
            UVARINTS[group_instance_id_size] if group_instance_id_size < 256 else string_prefix(group_instance_id_size),
            group_instance_id,
            UVARINTS[metadata_size] if metadata_size < 256 else uvarint(metadata_size),
            metadata,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


def _encode_5(message: JoinGroupResponse) -> bytes:
    """Versions 9."""
    out: list[bytes] = []
    protocol_type_value = message.protocol_type
    if protocol_type_value is None:
        protocol_type_size, protocol_type = 0, b""
    else:
        protocol_type = protocol_type_value.encode()
        protocol_type_size = len(protocol_type) + 1
    protocol_name_value = message.protocol_name
    if protocol_name_value is None:
        protocol_name_size, protocol_name = 0, b""
    else:
        protocol_name = protocol_name_value.encode()
        protocol_name_size = len(protocol_name) + 1
    leader = message.leader.encode()
    leader_size = len(leader) + 1
    member_id = message.member_id.encode()
    member_id_size = len(member_id) + 1
    members = message.members
    members_count = len(members) + 1
    out += (
        _pack_ihi(message.throttle_time_ms, message.error_code, message.generation_id),
        UVARINTS[protocol_type_size] if protocol_type_size < 256 else string_prefix(protocol_type_size),
        protocol_type,
        UVARINTS[protocol_name_size] if protocol_name_size < 256 else string_prefix(protocol_name_size),
        protocol_name,
        UVARINTS[leader_size] if leader_size < 256 else string_prefix(leader_size),
        leader,
        _pack_z(message.skip_assignment),
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        UVARINTS[members_count] if members_count < 256 else uvarint(members_count),
    )
    for element in members:
        member_id_2 = element.member_id.encode()
        member_id_size_2 = len(member_id_2) + 1
        group_instance_id_value = element.group_instance_id
        if group_instance_id_value is None:
            group_instance_id_size, group_instance_id = 0, b""
        else:
            group_instance_id = group_instance_id_value.encode()
            group_instance_id_size = len(group_instance_id) + 1
        metadata = element.metadata
        metadata_size = len(metadata) + 1
        out += (
            UVARINTS[member_id_size_2] if member_id_size_2 < 256 else string_prefix(member_id_size_2),
            member_id_2,
            UVARINTS[group_instance_id_size] if group_instance_id_size < 256 else string_prefix(group_instance_id_size),
            group_instance_id,
            UVARINTS[metadata_size] if metadata_size < 256 else uvarint(metadata_size),
            metadata,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[JoinGroupResponse, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_1,
    3: _decode_1,
    4: _decode_1,
    5: _decode_2,
    6: _decode_3,
    7: _decode_4,
    8: _decode_4,
    9: _decode_5,
}
_ENCODERS: Final[dict[int, Callable[[JoinGroupResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_1,
    3: _encode_1,
    4: _encode_1,
    5: _encode_2,
    6: _encode_3,
    7: _encode_4,
    8: _encode_4,
    9: _encode_5,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[JoinGroupResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"JoinGroupResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"JoinGroupResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"JoinGroupResponse v{version} is cut short")
    return result


def encode(message: JoinGroupResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"JoinGroupResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"JoinGroupResponse v{version}: {error}") from error
