"""DescribeGroupsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DescribeGroupsResponse"
API_KEY: Final = 15
VERSIONS: Final[tuple[int, int]] = (0, 6)
FLEXIBLE_FROM: Final = 5
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_hh = Struct(">hh").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_pack_h = Struct(">h").pack
_pack_hh = Struct(">hh").pack
_pack_i = Struct(">i").pack
_pack_ii = Struct(">ii").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class DescribedGroupMember(Wire):
    """DescribedGroupMember."""

    __slots__ = ("member_id", "group_instance_id", "client_id", "client_host", "member_metadata", "member_assignment")

    member_id: str
    group_instance_id: str | None
    client_id: str
    client_host: str
    member_metadata: bytes
    member_assignment: bytes

    def __init__(
        self,
        member_id: str = "",
        group_instance_id: str | None = None,
        client_id: str = "",
        client_host: str = "",
        member_metadata: bytes = b"",
        member_assignment: bytes = b"",
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.client_id = client_id
        self.client_host = client_host
        self.member_metadata = member_metadata
        self.member_assignment = member_assignment


@dataclass(init=False, repr=False, eq=False)
class DescribedGroup(Wire):
    """DescribedGroup."""

    __slots__ = ("error_code", "error_message", "group_id", "group_state", "protocol_type", "protocol_data", "members", "authorized_operations")

    error_code: int
    error_message: str | None
    group_id: str
    group_state: str
    protocol_type: str
    protocol_data: str
    members: list[DescribedGroupMember]
    authorized_operations: int

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: str = "",
        group_state: str = "",
        protocol_type: str = "",
        protocol_data: str = "",
        members: list[DescribedGroupMember] = UNSET,
        authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.group_id = group_id
        self.group_state = group_state
        self.protocol_type = protocol_type
        self.protocol_data = protocol_data
        self.members = [] if members is UNSET else members
        self.authorized_operations = authorized_operations


@dataclass(init=False, repr=False, eq=False)
class DescribeGroupsResponse(Wire):
    """DescribeGroupsResponse."""

    __slots__ = ("throttle_time_ms", "groups")

    throttle_time_ms: int
    groups: list[DescribedGroup]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        groups: list[DescribedGroup] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups = [] if groups is UNSET else groups


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeGroupsResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (groups_count,) = _unpack_i(buffer, p)
    p += 4
    if groups_count < 0:
        raise missing("DescribeGroupsResponse.groups")
    if groups_count > room or groups_count * 14 > end - p:
        raise too_many("DescribeGroupsResponse.groups", groups_count)
    room -= groups_count
    groups: list[DescribedGroup] = []
    for _ in range(groups_count):
        error_code, group_id_size = _unpack_hh(buffer, p)
        p += 4
        if group_id_size < 0:
            raise missing("DescribeGroupsResponse.groups.group_id")
        stop = p + group_id_size
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        (group_state_size,) = _unpack_h(buffer, p)
        p += 2
        if group_state_size < 0:
            raise missing("DescribeGroupsResponse.groups.group_state")
        stop = p + group_state_size
        group_state = buffer[p:stop].tobytes().decode()
        p = stop
        (protocol_type_size,) = _unpack_h(buffer, p)
        p += 2
        if protocol_type_size < 0:
            raise missing("DescribeGroupsResponse.groups.protocol_type")
        stop = p + protocol_type_size
        protocol_type = buffer[p:stop].tobytes().decode()
        p = stop
        (protocol_data_size,) = _unpack_h(buffer, p)
        p += 2
        if protocol_data_size < 0:
            raise missing("DescribeGroupsResponse.groups.protocol_data")
        stop = p + protocol_data_size
        protocol_data = buffer[p:stop].tobytes().decode()
        p = stop
        (members_count,) = _unpack_i(buffer, p)
        p += 4
        if members_count < 0:
            raise missing("DescribeGroupsResponse.groups.members")
        if members_count > room or members_count * 14 > end - p:
            raise too_many("DescribeGroupsResponse.groups.members", members_count)
        room -= members_count
        members: list[DescribedGroupMember] = []
        for _ in range(members_count):
            (member_id_size,) = _unpack_h(buffer, p)
            p += 2
            if member_id_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.member_id")
            stop = p + member_id_size
            member_id = buffer[p:stop].tobytes().decode()
            p = stop
            (client_id_size,) = _unpack_h(buffer, p)
            p += 2
            if client_id_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.client_id")
            stop = p + client_id_size
            client_id = buffer[p:stop].tobytes().decode()
            p = stop
            (client_host_size,) = _unpack_h(buffer, p)
            p += 2
            if client_host_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.client_host")
            stop = p + client_host_size
            client_host = buffer[p:stop].tobytes().decode()
            p = stop
            (member_metadata_size,) = _unpack_i(buffer, p)
            p += 4
            if member_metadata_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.member_metadata")
            stop = p + member_metadata_size
            member_metadata = buffer[p:stop].tobytes()
            p = stop
            (member_assignment_size,) = _unpack_i(buffer, p)
            p += 4
            if member_assignment_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.member_assignment")
            stop = p + member_assignment_size
            member_assignment = buffer[p:stop].tobytes()
            p = stop
            members.append(DescribedGroupMember(member_id, None, client_id, client_host, member_metadata, member_assignment))
        groups.append(DescribedGroup(error_code, None, group_id, group_state, protocol_type, protocol_data, members, -2147483648))
    return DescribeGroupsResponse(0, groups), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DescribeGroupsResponse, int]:
    """Versions 1, 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, groups_count = _unpack_ii(buffer, p)
    p += 8
    if groups_count < 0:
        raise missing("DescribeGroupsResponse.groups")
    if groups_count > room or groups_count * 14 > end - p:
        raise too_many("DescribeGroupsResponse.groups", groups_count)
    room -= groups_count
    groups: list[DescribedGroup] = []
    for _ in range(groups_count):
        error_code, group_id_size = _unpack_hh(buffer, p)
        p += 4
        if group_id_size < 0:
            raise missing("DescribeGroupsResponse.groups.group_id")
        stop = p + group_id_size
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        (group_state_size,) = _unpack_h(buffer, p)
        p += 2
        if group_state_size < 0:
            raise missing("DescribeGroupsResponse.groups.group_state")
        stop = p + group_state_size
        group_state = buffer[p:stop].tobytes().decode()
        p = stop
        (protocol_type_size,) = _unpack_h(buffer, p)
        p += 2
        if protocol_type_size < 0:
            raise missing("DescribeGroupsResponse.groups.protocol_type")
        stop = p + protocol_type_size
        protocol_type = buffer[p:stop].tobytes().decode()
        p = stop
        (protocol_data_size,) = _unpack_h(buffer, p)
        p += 2
        if protocol_data_size < 0:
            raise missing("DescribeGroupsResponse.groups.protocol_data")
        stop = p + protocol_data_size
        protocol_data = buffer[p:stop].tobytes().decode()
        p = stop
        (members_count,) = _unpack_i(buffer, p)
        p += 4
        if members_count < 0:
            raise missing("DescribeGroupsResponse.groups.members")
        if members_count > room or members_count * 14 > end - p:
            raise too_many("DescribeGroupsResponse.groups.members", members_count)
        room -= members_count
        members: list[DescribedGroupMember] = []
        for _ in range(members_count):
            (member_id_size,) = _unpack_h(buffer, p)
            p += 2
            if member_id_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.member_id")
            stop = p + member_id_size
            member_id = buffer[p:stop].tobytes().decode()
            p = stop
            (client_id_size,) = _unpack_h(buffer, p)
            p += 2
            if client_id_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.client_id")
            stop = p + client_id_size
            client_id = buffer[p:stop].tobytes().decode()
            p = stop
            (client_host_size,) = _unpack_h(buffer, p)
            p += 2
            if client_host_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.client_host")
            stop = p + client_host_size
            client_host = buffer[p:stop].tobytes().decode()
            p = stop
            (member_metadata_size,) = _unpack_i(buffer, p)
            p += 4
            if member_metadata_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.member_metadata")
            stop = p + member_metadata_size
            member_metadata = buffer[p:stop].tobytes()
            p = stop
            (member_assignment_size,) = _unpack_i(buffer, p)
            p += 4
            if member_assignment_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.member_assignment")
            stop = p + member_assignment_size
            member_assignment = buffer[p:stop].tobytes()
            p = stop
            members.append(DescribedGroupMember(member_id, None, client_id, client_host, member_metadata, member_assignment))
        groups.append(DescribedGroup(error_code, None, group_id, group_state, protocol_type, protocol_data, members, -2147483648))
    return DescribeGroupsResponse(throttle_time_ms, groups), p


def _decode_2(buffer: memoryview, p: int) -> tuple[DescribeGroupsResponse, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, groups_count = _unpack_ii(buffer, p)
    p += 8
    if groups_count < 0:
        raise missing("DescribeGroupsResponse.groups")
    if groups_count > room or groups_count * 18 > end - p:
        raise too_many("DescribeGroupsResponse.groups", groups_count)
    room -= groups_count
    groups: list[DescribedGroup] = []
    for _ in range(groups_count):
        error_code, group_id_size = _unpack_hh(buffer, p)
        p += 4
        if group_id_size < 0:
            raise missing("DescribeGroupsResponse.groups.group_id")
        stop = p + group_id_size
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        (group_state_size,) = _unpack_h(buffer, p)
        p += 2
        if group_state_size < 0:
            raise missing("DescribeGroupsResponse.groups.group_state")
        stop = p + group_state_size
        group_state = buffer[p:stop].tobytes().decode()
        p = stop
        (protocol_type_size,) = _unpack_h(buffer, p)
        p += 2
        if protocol_type_size < 0:
            raise missing("DescribeGroupsResponse.groups.protocol_type")
        stop = p + protocol_type_size
        protocol_type = buffer[p:stop].tobytes().decode()
        p = stop
        (protocol_data_size,) = _unpack_h(buffer, p)
        p += 2
        if protocol_data_size < 0:
            raise missing("DescribeGroupsResponse.groups.protocol_data")
        stop = p + protocol_data_size
        protocol_data = buffer[p:stop].tobytes().decode()
        p = stop
        (members_count,) = _unpack_i(buffer, p)
        p += 4
        if members_count < 0:
            raise missing("DescribeGroupsResponse.groups.members")
        if members_count > room or members_count * 14 > end - p:
            raise too_many("DescribeGroupsResponse.groups.members", members_count)
        room -= members_count
        members: list[DescribedGroupMember] = []
        for _ in range(members_count):
            (member_id_size,) = _unpack_h(buffer, p)
            p += 2
            if member_id_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.member_id")
            stop = p + member_id_size
            member_id = buffer[p:stop].tobytes().decode()
            p = stop
            (client_id_size,) = _unpack_h(buffer, p)
            p += 2
            if client_id_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.client_id")
            stop = p + client_id_size
            client_id = buffer[p:stop].tobytes().decode()
            p = stop
            (client_host_size,) = _unpack_h(buffer, p)
            p += 2
            if client_host_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.client_host")
            stop = p + client_host_size
            client_host = buffer[p:stop].tobytes().decode()
            p = stop
            (member_metadata_size,) = _unpack_i(buffer, p)
            p += 4
            if member_metadata_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.member_metadata")
            stop = p + member_metadata_size
            member_metadata = buffer[p:stop].tobytes()
            p = stop
            (member_assignment_size,) = _unpack_i(buffer, p)
            p += 4
            if member_assignment_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.member_assignment")
            stop = p + member_assignment_size
            member_assignment = buffer[p:stop].tobytes()
            p = stop
            members.append(DescribedGroupMember(member_id, None, client_id, client_host, member_metadata, member_assignment))
        (authorized_operations,) = _unpack_i(buffer, p)
        p += 4
        groups.append(DescribedGroup(error_code, None, group_id, group_state, protocol_type, protocol_data, members, authorized_operations))
    return DescribeGroupsResponse(throttle_time_ms, groups), p


def _decode_3(buffer: memoryview, p: int) -> tuple[DescribeGroupsResponse, int]:
    """Versions 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, groups_count = _unpack_ii(buffer, p)
    p += 8
    if groups_count < 0:
        raise missing("DescribeGroupsResponse.groups")
    if groups_count > room or groups_count * 18 > end - p:
        raise too_many("DescribeGroupsResponse.groups", groups_count)
    room -= groups_count
    groups: list[DescribedGroup] = []
    for _ in range(groups_count):
        error_code, group_id_size = _unpack_hh(buffer, p)
        p += 4
        if group_id_size < 0:
            raise missing("DescribeGroupsResponse.groups.group_id")
        stop = p + group_id_size
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        (group_state_size,) = _unpack_h(buffer, p)
        p += 2
        if group_state_size < 0:
            raise missing("DescribeGroupsResponse.groups.group_state")
        stop = p + group_state_size
        group_state = buffer[p:stop].tobytes().decode()
        p = stop
        (protocol_type_size,) = _unpack_h(buffer, p)
        p += 2
        if protocol_type_size < 0:
            raise missing("DescribeGroupsResponse.groups.protocol_type")
        stop = p + protocol_type_size
        protocol_type = buffer[p:stop].tobytes().decode()
        p = stop
        (protocol_data_size,) = _unpack_h(buffer, p)
        p += 2
        if protocol_data_size < 0:
            raise missing("DescribeGroupsResponse.groups.protocol_data")
        stop = p + protocol_data_size
        protocol_data = buffer[p:stop].tobytes().decode()
        p = stop
        (members_count,) = _unpack_i(buffer, p)
        p += 4
        if members_count < 0:
            raise missing("DescribeGroupsResponse.groups.members")
        if members_count > room or members_count * 16 > end - p:
            raise too_many("DescribeGroupsResponse.groups.members", members_count)
        room -= members_count
        members: list[DescribedGroupMember] = []
        for _ in range(members_count):
            (member_id_size,) = _unpack_h(buffer, p)
            p += 2
            if member_id_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.member_id")
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
                raise missing("DescribeGroupsResponse.groups.members.group_instance_id")
            (client_id_size,) = _unpack_h(buffer, p)
            p += 2
            if client_id_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.client_id")
            stop = p + client_id_size
            client_id = buffer[p:stop].tobytes().decode()
            p = stop
            (client_host_size,) = _unpack_h(buffer, p)
            p += 2
            if client_host_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.client_host")
            stop = p + client_host_size
            client_host = buffer[p:stop].tobytes().decode()
            p = stop
            (member_metadata_size,) = _unpack_i(buffer, p)
            p += 4
            if member_metadata_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.member_metadata")
            stop = p + member_metadata_size
            member_metadata = buffer[p:stop].tobytes()
            p = stop
            (member_assignment_size,) = _unpack_i(buffer, p)
            p += 4
            if member_assignment_size < 0:
                raise missing("DescribeGroupsResponse.groups.members.member_assignment")
            stop = p + member_assignment_size
            member_assignment = buffer[p:stop].tobytes()
            p = stop
            members.append(DescribedGroupMember(member_id, group_instance_id, client_id, client_host, member_metadata, member_assignment))
        (authorized_operations,) = _unpack_i(buffer, p)
        p += 4
        groups.append(DescribedGroup(error_code, None, group_id, group_state, protocol_type, protocol_data, members, authorized_operations))
    return DescribeGroupsResponse(throttle_time_ms, groups), p


def _decode_4(buffer: memoryview, p: int) -> tuple[DescribeGroupsResponse, int]:
    """Versions 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, groups_count = _unpack_iB(buffer, p)
    p += 5
    if groups_count > 127:
        groups_count, p = uvarint_tail(buffer, p, groups_count)
    if groups_count == 0:
        raise missing("DescribeGroupsResponse.groups")
    groups_count -= 1
    if groups_count > room or groups_count * 12 > end - p:
        raise too_many("DescribeGroupsResponse.groups", groups_count)
    room -= groups_count
    groups: list[DescribedGroup] = []
    for _ in range(groups_count):
        error_code, group_id_size = _unpack_hB(buffer, p)
        p += 3
        if group_id_size > 127:
            group_id_size, p = string_tail(buffer, p, group_id_size)
        if group_id_size == 0:
            raise missing("DescribeGroupsResponse.groups.group_id")
        stop = p + group_id_size - 1
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        group_state_size = buffer[p]
        p += 1
        if group_state_size > 127:
            group_state_size, p = string_tail(buffer, p, group_state_size)
        if group_state_size == 0:
            raise missing("DescribeGroupsResponse.groups.group_state")
        stop = p + group_state_size - 1
        group_state = buffer[p:stop].tobytes().decode()
        p = stop
        protocol_type_size = buffer[p]
        p += 1
        if protocol_type_size > 127:
            protocol_type_size, p = string_tail(buffer, p, protocol_type_size)
        if protocol_type_size == 0:
            raise missing("DescribeGroupsResponse.groups.protocol_type")
        stop = p + protocol_type_size - 1
        protocol_type = buffer[p:stop].tobytes().decode()
        p = stop
        protocol_data_size = buffer[p]
        p += 1
        if protocol_data_size > 127:
            protocol_data_size, p = string_tail(buffer, p, protocol_data_size)
        if protocol_data_size == 0:
            raise missing("DescribeGroupsResponse.groups.protocol_data")
        stop = p + protocol_data_size - 1
        protocol_data = buffer[p:stop].tobytes().decode()
        p = stop
        members_count = buffer[p]
        p += 1
        if members_count > 127:
            members_count, p = uvarint_tail(buffer, p, members_count)
        if members_count == 0:
            raise missing("DescribeGroupsResponse.groups.members")
        members_count -= 1
        if members_count > room or members_count * 7 > end - p:
            raise too_many("DescribeGroupsResponse.groups.members", members_count)
        room -= members_count
        members: list[DescribedGroupMember] = []
        for _ in range(members_count):
            member_id_size = buffer[p]
            p += 1
            if member_id_size > 127:
                member_id_size, p = string_tail(buffer, p, member_id_size)
            if member_id_size == 0:
                raise missing("DescribeGroupsResponse.groups.members.member_id")
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
                raise missing("DescribeGroupsResponse.groups.members.client_id")
            stop = p + client_id_size - 1
            client_id = buffer[p:stop].tobytes().decode()
            p = stop
            client_host_size = buffer[p]
            p += 1
            if client_host_size > 127:
                client_host_size, p = string_tail(buffer, p, client_host_size)
            if client_host_size == 0:
                raise missing("DescribeGroupsResponse.groups.members.client_host")
            stop = p + client_host_size - 1
            client_host = buffer[p:stop].tobytes().decode()
            p = stop
            member_metadata_size = buffer[p]
            p += 1
            if member_metadata_size > 127:
                member_metadata_size, p = uvarint_tail(buffer, p, member_metadata_size)
            if member_metadata_size == 0:
                raise missing("DescribeGroupsResponse.groups.members.member_metadata")
            stop = p + member_metadata_size - 1
            member_metadata = buffer[p:stop].tobytes()
            p = stop
            member_assignment_size = buffer[p]
            p += 1
            if member_assignment_size > 127:
                member_assignment_size, p = uvarint_tail(buffer, p, member_assignment_size)
            if member_assignment_size == 0:
                raise missing("DescribeGroupsResponse.groups.members.member_assignment")
            stop = p + member_assignment_size - 1
            member_assignment = buffer[p:stop].tobytes()
            p = stop
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            members.append(DescribedGroupMember(member_id, group_instance_id, client_id, client_host, member_metadata, member_assignment))
        authorized_operations, tags_2 = _unpack_iB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        groups.append(DescribedGroup(error_code, None, group_id, group_state, protocol_type, protocol_data, members, authorized_operations))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return DescribeGroupsResponse(throttle_time_ms, groups), p


def _decode_5(buffer: memoryview, p: int) -> tuple[DescribeGroupsResponse, int]:
    """Versions 6."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, groups_count = _unpack_iB(buffer, p)
    p += 5
    if groups_count > 127:
        groups_count, p = uvarint_tail(buffer, p, groups_count)
    if groups_count == 0:
        raise missing("DescribeGroupsResponse.groups")
    groups_count -= 1
    if groups_count > room or groups_count * 13 > end - p:
        raise too_many("DescribeGroupsResponse.groups", groups_count)
    room -= groups_count
    groups: list[DescribedGroup] = []
    for _ in range(groups_count):
        error_code, error_message_size = _unpack_hB(buffer, p)
        p += 3
        if error_message_size > 127:
            error_message_size, p = string_tail(buffer, p, error_message_size)
        error_message: str | None = None
        if error_message_size:
            stop = p + error_message_size - 1
            error_message = buffer[p:stop].tobytes().decode()
            p = stop
        group_id_size = buffer[p]
        p += 1
        if group_id_size > 127:
            group_id_size, p = string_tail(buffer, p, group_id_size)
        if group_id_size == 0:
            raise missing("DescribeGroupsResponse.groups.group_id")
        stop = p + group_id_size - 1
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        group_state_size = buffer[p]
        p += 1
        if group_state_size > 127:
            group_state_size, p = string_tail(buffer, p, group_state_size)
        if group_state_size == 0:
            raise missing("DescribeGroupsResponse.groups.group_state")
        stop = p + group_state_size - 1
        group_state = buffer[p:stop].tobytes().decode()
        p = stop
        protocol_type_size = buffer[p]
        p += 1
        if protocol_type_size > 127:
            protocol_type_size, p = string_tail(buffer, p, protocol_type_size)
        if protocol_type_size == 0:
            raise missing("DescribeGroupsResponse.groups.protocol_type")
        stop = p + protocol_type_size - 1
        protocol_type = buffer[p:stop].tobytes().decode()
        p = stop
        protocol_data_size = buffer[p]
        p += 1
        if protocol_data_size > 127:
            protocol_data_size, p = string_tail(buffer, p, protocol_data_size)
        if protocol_data_size == 0:
            raise missing("DescribeGroupsResponse.groups.protocol_data")
        stop = p + protocol_data_size - 1
        protocol_data = buffer[p:stop].tobytes().decode()
        p = stop
        members_count = buffer[p]
        p += 1
        if members_count > 127:
            members_count, p = uvarint_tail(buffer, p, members_count)
        if members_count == 0:
            raise missing("DescribeGroupsResponse.groups.members")
        members_count -= 1
        if members_count > room or members_count * 7 > end - p:
            raise too_many("DescribeGroupsResponse.groups.members", members_count)
        room -= members_count
        members: list[DescribedGroupMember] = []
        for _ in range(members_count):
            member_id_size = buffer[p]
            p += 1
            if member_id_size > 127:
                member_id_size, p = string_tail(buffer, p, member_id_size)
            if member_id_size == 0:
                raise missing("DescribeGroupsResponse.groups.members.member_id")
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
                raise missing("DescribeGroupsResponse.groups.members.client_id")
            stop = p + client_id_size - 1
            client_id = buffer[p:stop].tobytes().decode()
            p = stop
            client_host_size = buffer[p]
            p += 1
            if client_host_size > 127:
                client_host_size, p = string_tail(buffer, p, client_host_size)
            if client_host_size == 0:
                raise missing("DescribeGroupsResponse.groups.members.client_host")
            stop = p + client_host_size - 1
            client_host = buffer[p:stop].tobytes().decode()
            p = stop
            member_metadata_size = buffer[p]
            p += 1
            if member_metadata_size > 127:
                member_metadata_size, p = uvarint_tail(buffer, p, member_metadata_size)
            if member_metadata_size == 0:
                raise missing("DescribeGroupsResponse.groups.members.member_metadata")
            stop = p + member_metadata_size - 1
            member_metadata = buffer[p:stop].tobytes()
            p = stop
            member_assignment_size = buffer[p]
            p += 1
            if member_assignment_size > 127:
                member_assignment_size, p = uvarint_tail(buffer, p, member_assignment_size)
            if member_assignment_size == 0:
                raise missing("DescribeGroupsResponse.groups.members.member_assignment")
            stop = p + member_assignment_size - 1
            member_assignment = buffer[p:stop].tobytes()
            p = stop
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            members.append(DescribedGroupMember(member_id, group_instance_id, client_id, client_host, member_metadata, member_assignment))
        authorized_operations, tags_2 = _unpack_iB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        groups.append(DescribedGroup(error_code, error_message, group_id, group_state, protocol_type, protocol_data, members, authorized_operations))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return DescribeGroupsResponse(throttle_time_ms, groups), p


def _encode_0(message: DescribeGroupsResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    groups = message.groups
    out.append(_pack_i(len(groups)))
    for element in groups:
        if element.error_message is not None:
            raise not_in_version("DescribeGroupsResponse.groups.error_message")
        group_id = element.group_id.encode()
        group_id_size = len(group_id)
        group_state = element.group_state.encode()
        group_state_size = len(group_state)
        protocol_type = element.protocol_type.encode()
        protocol_type_size = len(protocol_type)
        protocol_data = element.protocol_data.encode()
        protocol_data_size = len(protocol_data)
        members = element.members
        out += (
            _pack_hh(element.error_code, group_id_size),
            group_id,
            _pack_h(group_state_size),
            group_state,
            _pack_h(protocol_type_size),
            protocol_type,
            _pack_h(protocol_data_size),
            protocol_data,
            _pack_i(len(members)),
        )
        for element_2 in members:
            member_id = element_2.member_id.encode()
            member_id_size = len(member_id)
            client_id = element_2.client_id.encode()
            client_id_size = len(client_id)
            client_host = element_2.client_host.encode()
            client_host_size = len(client_host)
            member_metadata = element_2.member_metadata
            member_metadata_size = len(member_metadata)
            member_assignment = element_2.member_assignment
            member_assignment_size = len(member_assignment)
            out += (
                _pack_h(member_id_size),
                member_id,
                _pack_h(client_id_size),
                client_id,
                _pack_h(client_host_size),
                client_host,
                _pack_i(member_metadata_size),
                member_metadata,
                _pack_i(member_assignment_size),
                member_assignment,
            )
        if element.authorized_operations != -2147483648:
            raise not_in_version("DescribeGroupsResponse.groups.authorized_operations")
    return b"".join(out)


def _encode_1(message: DescribeGroupsResponse) -> bytes:
    """Versions 1, 2."""
    out: list[bytes] = []
    groups = message.groups
    out.append(_pack_ii(message.throttle_time_ms, len(groups)))
    for element in groups:
        if element.error_message is not None:
            raise not_in_version("DescribeGroupsResponse.groups.error_message")
        group_id = element.group_id.encode()
        group_id_size = len(group_id)
        group_state = element.group_state.encode()
        group_state_size = len(group_state)
        protocol_type = element.protocol_type.encode()
        protocol_type_size = len(protocol_type)
        protocol_data = element.protocol_data.encode()
        protocol_data_size = len(protocol_data)
        members = element.members
        out += (
            _pack_hh(element.error_code, group_id_size),
            group_id,
            _pack_h(group_state_size),
            group_state,
            _pack_h(protocol_type_size),
            protocol_type,
            _pack_h(protocol_data_size),
            protocol_data,
            _pack_i(len(members)),
        )
        for element_2 in members:
            member_id = element_2.member_id.encode()
            member_id_size = len(member_id)
            client_id = element_2.client_id.encode()
            client_id_size = len(client_id)
            client_host = element_2.client_host.encode()
            client_host_size = len(client_host)
            member_metadata = element_2.member_metadata
            member_metadata_size = len(member_metadata)
            member_assignment = element_2.member_assignment
            member_assignment_size = len(member_assignment)
            out += (
                _pack_h(member_id_size),
                member_id,
                _pack_h(client_id_size),
                client_id,
                _pack_h(client_host_size),
                client_host,
                _pack_i(member_metadata_size),
                member_metadata,
                _pack_i(member_assignment_size),
                member_assignment,
            )
        if element.authorized_operations != -2147483648:
            raise not_in_version("DescribeGroupsResponse.groups.authorized_operations")
    return b"".join(out)


def _encode_2(message: DescribeGroupsResponse) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    groups = message.groups
    out.append(_pack_ii(message.throttle_time_ms, len(groups)))
    for element in groups:
        if element.error_message is not None:
            raise not_in_version("DescribeGroupsResponse.groups.error_message")
        group_id = element.group_id.encode()
        group_id_size = len(group_id)
        group_state = element.group_state.encode()
        group_state_size = len(group_state)
        protocol_type = element.protocol_type.encode()
        protocol_type_size = len(protocol_type)
        protocol_data = element.protocol_data.encode()
        protocol_data_size = len(protocol_data)
        members = element.members
        out += (
            _pack_hh(element.error_code, group_id_size),
            group_id,
            _pack_h(group_state_size),
            group_state,
            _pack_h(protocol_type_size),
            protocol_type,
            _pack_h(protocol_data_size),
            protocol_data,
            _pack_i(len(members)),
        )
        for element_2 in members:
            member_id = element_2.member_id.encode()
            member_id_size = len(member_id)
            client_id = element_2.client_id.encode()
            client_id_size = len(client_id)
            client_host = element_2.client_host.encode()
            client_host_size = len(client_host)
            member_metadata = element_2.member_metadata
            member_metadata_size = len(member_metadata)
            member_assignment = element_2.member_assignment
            member_assignment_size = len(member_assignment)
            out += (
                _pack_h(member_id_size),
                member_id,
                _pack_h(client_id_size),
                client_id,
                _pack_h(client_host_size),
                client_host,
                _pack_i(member_metadata_size),
                member_metadata,
                _pack_i(member_assignment_size),
                member_assignment,
            )
        out.append(_pack_i(element.authorized_operations))
    return b"".join(out)


def _encode_3(message: DescribeGroupsResponse) -> bytes:
    """Versions 4."""
    out: list[bytes] = []
    groups = message.groups
    out.append(_pack_ii(message.throttle_time_ms, len(groups)))
    for element in groups:
        if element.error_message is not None:
            raise not_in_version("DescribeGroupsResponse.groups.error_message")
        group_id = element.group_id.encode()
        group_id_size = len(group_id)
        group_state = element.group_state.encode()
        group_state_size = len(group_state)
        protocol_type = element.protocol_type.encode()
        protocol_type_size = len(protocol_type)
        protocol_data = element.protocol_data.encode()
        protocol_data_size = len(protocol_data)
        members = element.members
        out += (
            _pack_hh(element.error_code, group_id_size),
            group_id,
            _pack_h(group_state_size),
            group_state,
            _pack_h(protocol_type_size),
            protocol_type,
            _pack_h(protocol_data_size),
            protocol_data,
            _pack_i(len(members)),
        )
        for element_2 in members:
            member_id = element_2.member_id.encode()
            member_id_size = len(member_id)
            group_instance_id_value = element_2.group_instance_id
            if group_instance_id_value is None:
                group_instance_id_size, group_instance_id = -1, b""
            else:
                group_instance_id = group_instance_id_value.encode()
                group_instance_id_size = len(group_instance_id)
            client_id = element_2.client_id.encode()
            client_id_size = len(client_id)
            client_host = element_2.client_host.encode()
            client_host_size = len(client_host)
            member_metadata = element_2.member_metadata
            member_metadata_size = len(member_metadata)
            member_assignment = element_2.member_assignment
            member_assignment_size = len(member_assignment)
            out += (
                _pack_h(member_id_size),
                member_id,
                _pack_h(group_instance_id_size),
                group_instance_id,
                _pack_h(client_id_size),
                client_id,
                _pack_h(client_host_size),
                client_host,
                _pack_i(member_metadata_size),
                member_metadata,
                _pack_i(member_assignment_size),
                member_assignment,
            )
        out.append(_pack_i(element.authorized_operations))
    return b"".join(out)


def _encode_4(message: DescribeGroupsResponse) -> bytes:
    """Versions 5."""
    out: list[bytes] = []
    groups = message.groups
    groups_count = len(groups) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[groups_count] if groups_count < 256 else uvarint(groups_count),
    )
    for element in groups:
        if element.error_message is not None:
            raise not_in_version("DescribeGroupsResponse.groups.error_message")
        group_id = element.group_id.encode()
        group_id_size = len(group_id) + 1
        group_state = element.group_state.encode()
        group_state_size = len(group_state) + 1
        protocol_type = element.protocol_type.encode()
        protocol_type_size = len(protocol_type) + 1
        protocol_data = element.protocol_data.encode()
        protocol_data_size = len(protocol_data) + 1
        members = element.members
        members_count = len(members) + 1
        out += (
            _pack_h(element.error_code),
            UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
            group_id,
            UVARINTS[group_state_size] if group_state_size < 256 else string_prefix(group_state_size),
            group_state,
            UVARINTS[protocol_type_size] if protocol_type_size < 256 else string_prefix(protocol_type_size),
            protocol_type,
            UVARINTS[protocol_data_size] if protocol_data_size < 256 else string_prefix(protocol_data_size),
            protocol_data,
            UVARINTS[members_count] if members_count < 256 else uvarint(members_count),
        )
        for element_2 in members:
            member_id = element_2.member_id.encode()
            member_id_size = len(member_id) + 1
            group_instance_id_value = element_2.group_instance_id
            if group_instance_id_value is None:
                group_instance_id_size, group_instance_id = 0, b""
            else:
                group_instance_id = group_instance_id_value.encode()
                group_instance_id_size = len(group_instance_id) + 1
            client_id = element_2.client_id.encode()
            client_id_size = len(client_id) + 1
            client_host = element_2.client_host.encode()
            client_host_size = len(client_host) + 1
            member_metadata = element_2.member_metadata
            member_metadata_size = len(member_metadata) + 1
            member_assignment = element_2.member_assignment
            member_assignment_size = len(member_assignment) + 1
            out += (
                UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
                member_id,
                UVARINTS[group_instance_id_size] if group_instance_id_size < 256 else string_prefix(group_instance_id_size),
                group_instance_id,
                UVARINTS[client_id_size] if client_id_size < 256 else string_prefix(client_id_size),
                client_id,
                UVARINTS[client_host_size] if client_host_size < 256 else string_prefix(client_host_size),
                client_host,
                UVARINTS[member_metadata_size] if member_metadata_size < 256 else uvarint(member_metadata_size),
                member_metadata,
                UVARINTS[member_assignment_size] if member_assignment_size < 256 else uvarint(member_assignment_size),
                member_assignment,
                b"\0",
            )
        out.append(_pack_ix(element.authorized_operations))
    out.append(b"\0")
    return b"".join(out)


def _encode_5(message: DescribeGroupsResponse) -> bytes:
    """Versions 6."""
    out: list[bytes] = []
    groups = message.groups
    groups_count = len(groups) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[groups_count] if groups_count < 256 else uvarint(groups_count),
    )
    for element in groups:
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = 0, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message) + 1
        group_id = element.group_id.encode()
        group_id_size = len(group_id) + 1
        group_state = element.group_state.encode()
        group_state_size = len(group_state) + 1
        protocol_type = element.protocol_type.encode()
        protocol_type_size = len(protocol_type) + 1
        protocol_data = element.protocol_data.encode()
        protocol_data_size = len(protocol_data) + 1
        members = element.members
        members_count = len(members) + 1
        out += (
            _pack_h(element.error_code),
            UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
            error_message,
            UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
            group_id,
            UVARINTS[group_state_size] if group_state_size < 256 else string_prefix(group_state_size),
            group_state,
            UVARINTS[protocol_type_size] if protocol_type_size < 256 else string_prefix(protocol_type_size),
            protocol_type,
            UVARINTS[protocol_data_size] if protocol_data_size < 256 else string_prefix(protocol_data_size),
            protocol_data,
            UVARINTS[members_count] if members_count < 256 else uvarint(members_count),
        )
        for element_2 in members:
            member_id = element_2.member_id.encode()
            member_id_size = len(member_id) + 1
            group_instance_id_value = element_2.group_instance_id
            if group_instance_id_value is None:
                group_instance_id_size, group_instance_id = 0, b""
            else:
                group_instance_id = group_instance_id_value.encode()
                group_instance_id_size = len(group_instance_id) + 1
            client_id = element_2.client_id.encode()
            client_id_size = len(client_id) + 1
            client_host = element_2.client_host.encode()
            client_host_size = len(client_host) + 1
            member_metadata = element_2.member_metadata
            member_metadata_size = len(member_metadata) + 1
            member_assignment = element_2.member_assignment
            member_assignment_size = len(member_assignment) + 1
            out += (
                UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
                member_id,
                UVARINTS[group_instance_id_size] if group_instance_id_size < 256 else string_prefix(group_instance_id_size),
                group_instance_id,
                UVARINTS[client_id_size] if client_id_size < 256 else string_prefix(client_id_size),
                client_id,
                UVARINTS[client_host_size] if client_host_size < 256 else string_prefix(client_host_size),
                client_host,
                UVARINTS[member_metadata_size] if member_metadata_size < 256 else uvarint(member_metadata_size),
                member_metadata,
                UVARINTS[member_assignment_size] if member_assignment_size < 256 else uvarint(member_assignment_size),
                member_assignment,
                b"\0",
            )
        out.append(_pack_ix(element.authorized_operations))
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeGroupsResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_1,
    3: _decode_2,
    4: _decode_3,
    5: _decode_4,
    6: _decode_5,
}
_ENCODERS: Final[dict[int, Callable[[DescribeGroupsResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_1,
    3: _encode_2,
    4: _encode_3,
    5: _encode_4,
    6: _encode_5,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeGroupsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeGroupsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeGroupsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeGroupsResponse v{version} is cut short")
    return result


def encode(message: DescribeGroupsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeGroupsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeGroupsResponse v{version}: {error}") from error
