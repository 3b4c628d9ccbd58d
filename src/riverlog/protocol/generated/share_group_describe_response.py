"""ShareGroupDescribeResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    bad_uuid,
    MALFORMED,
    MAX_ELEMENTS,
    missing,
    read_int32s,
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
    write_int32s,
    ZERO_UUID,
)

NAME: Final = "ShareGroupDescribeResponse"
API_KEY: Final = 77
VERSIONS: Final[tuple[int, int]] = (1, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_iiB = Struct(">iiB").unpack_from
_pack_u = Struct(">16s").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ii = Struct(">ii").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class Member(Wire):
    """Member."""

    __slots__ = ("member_id", "rack_id", "member_epoch", "client_id", "client_host", "subscribed_topic_names", "assignment")

    member_id: str
    rack_id: str | None
    member_epoch: int
    client_id: str
    client_host: str
    subscribed_topic_names: list[str]
    assignment: Assignment

    def __init__(
        self,
        member_id: str = "",
        rack_id: str | None = None,
        member_epoch: int = 0,
        client_id: str = "",
        client_host: str = "",
        subscribed_topic_names: list[str] = UNSET,
        assignment: Assignment = UNSET,
    ) -> None:
        self.member_id = member_id
        self.rack_id = rack_id
        self.member_epoch = member_epoch
        self.client_id = client_id
        self.client_host = client_host
        self.subscribed_topic_names = [] if subscribed_topic_names is UNSET else subscribed_topic_names
        self.assignment = Assignment() if assignment is UNSET else assignment


@dataclass(init=False, repr=False, eq=False)
class DescribedGroup(Wire):
    """DescribedGroup."""

    __slots__ = ("error_code", "error_message", "group_id", "group_state", "group_epoch", "assignment_epoch", "assignor_name", "members", "authorized_operations")

    error_code: int
    error_message: str | None
    group_id: str
    group_state: str
    group_epoch: int
    assignment_epoch: int
    assignor_name: str
    members: list[Member]
    authorized_operations: int

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: str = "",
        group_state: str = "",
        group_epoch: int = 0,
        assignment_epoch: int = 0,
        assignor_name: str = "",
        members: list[Member] = UNSET,
        authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.group_id = group_id
        self.group_state = group_state
        self.group_epoch = group_epoch
        self.assignment_epoch = assignment_epoch
        self.assignor_name = assignor_name
        self.members = [] if members is UNSET else members
        self.authorized_operations = authorized_operations


@dataclass(init=False, repr=False, eq=False)
class TopicPartitions(Wire):
    """TopicPartitions."""

    __slots__ = ("topic_id", "topic_name", "partitions")

    topic_id: bytes
    topic_name: str
    partitions: list[int]

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        topic_name: str = "",
        partitions: list[int] = UNSET,
    ) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class Assignment(Wire):
    """Assignment."""

    __slots__ = ("topic_partitions",)

    topic_partitions: list[TopicPartitions]

    def __init__(
        self,
        topic_partitions: list[TopicPartitions] = UNSET,
    ) -> None:
        self.topic_partitions = [] if topic_partitions is UNSET else topic_partitions


@dataclass(init=False, repr=False, eq=False)
class ShareGroupDescribeResponse(Wire):
    """ShareGroupDescribeResponse."""

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


def _decode_0(buffer: memoryview, p: int) -> tuple[ShareGroupDescribeResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, groups_count = _unpack_iB(buffer, p)
    p += 5
    if groups_count > 127:
        groups_count, p = uvarint_tail(buffer, p, groups_count)
    if groups_count == 0:
        raise missing("ShareGroupDescribeResponse.groups")
    groups_count -= 1
    if groups_count > room or groups_count * 20 > end - p:
        raise too_many("ShareGroupDescribeResponse.groups", groups_count)
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
            raise missing("ShareGroupDescribeResponse.groups.group_id")
        stop = p + group_id_size - 1
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        group_state_size = buffer[p]
        p += 1
        if group_state_size > 127:
            group_state_size, p = string_tail(buffer, p, group_state_size)
        if group_state_size == 0:
            raise missing("ShareGroupDescribeResponse.groups.group_state")
        stop = p + group_state_size - 1
        group_state = buffer[p:stop].tobytes().decode()
        p = stop
        group_epoch, assignment_epoch, assignor_name_size = _unpack_iiB(buffer, p)
        p += 9
        if assignor_name_size > 127:
            assignor_name_size, p = string_tail(buffer, p, assignor_name_size)
        if assignor_name_size == 0:
            raise missing("ShareGroupDescribeResponse.groups.assignor_name")
        stop = p + assignor_name_size - 1
        assignor_name = buffer[p:stop].tobytes().decode()
        p = stop
        members_count = buffer[p]
        p += 1
        if members_count > 127:
            members_count, p = uvarint_tail(buffer, p, members_count)
        if members_count == 0:
            raise missing("ShareGroupDescribeResponse.groups.members")
        members_count -= 1
        if members_count > room or members_count * 12 > end - p:
            raise too_many("ShareGroupDescribeResponse.groups.members", members_count)
        room -= members_count
        members: list[Member] = []
        for _ in range(members_count):
            member_id_size = buffer[p]
            p += 1
            if member_id_size > 127:
                member_id_size, p = string_tail(buffer, p, member_id_size)
            if member_id_size == 0:
                raise missing("ShareGroupDescribeResponse.groups.members.member_id")
            stop = p + member_id_size - 1
            member_id = buffer[p:stop].tobytes().decode()
            p = stop
            rack_id_size = buffer[p]
            p += 1
            if rack_id_size > 127:
                rack_id_size, p = string_tail(buffer, p, rack_id_size)
            rack_id: str | None = None
            if rack_id_size:
                stop = p + rack_id_size - 1
                rack_id = buffer[p:stop].tobytes().decode()
                p = stop
            member_epoch, client_id_size = _unpack_iB(buffer, p)
            p += 5
            if client_id_size > 127:
                client_id_size, p = string_tail(buffer, p, client_id_size)
            if client_id_size == 0:
                raise missing("ShareGroupDescribeResponse.groups.members.client_id")
            stop = p + client_id_size - 1
            client_id = buffer[p:stop].tobytes().decode()
            p = stop
            client_host_size = buffer[p]
            p += 1
            if client_host_size > 127:
                client_host_size, p = string_tail(buffer, p, client_host_size)
            if client_host_size == 0:
                raise missing("ShareGroupDescribeResponse.groups.members.client_host")
            stop = p + client_host_size - 1
            client_host = buffer[p:stop].tobytes().decode()
            p = stop
            subscribed_topic_names_count = buffer[p]
            p += 1
            if subscribed_topic_names_count > 127:
                subscribed_topic_names_count, p = uvarint_tail(buffer, p, subscribed_topic_names_count)
            if subscribed_topic_names_count == 0:
                raise missing("ShareGroupDescribeResponse.groups.members.subscribed_topic_names")
            subscribed_topic_names_count -= 1
            if subscribed_topic_names_count > room or subscribed_topic_names_count > end - p:
                raise too_many("ShareGroupDescribeResponse.groups.members.subscribed_topic_names", subscribed_topic_names_count)
            room -= subscribed_topic_names_count
            subscribed_topic_names: list[str] = []
            for _ in range(subscribed_topic_names_count):
                element_size = buffer[p]
                p += 1
                if element_size > 127:
                    element_size, p = string_tail(buffer, p, element_size)
                if element_size == 0:
                    raise missing("ShareGroupDescribeResponse.groups.members.subscribed_topic_names")
                stop = p + element_size - 1
                element = buffer[p:stop].tobytes().decode()
                p = stop
                subscribed_topic_names.append(element)
            topic_partitions_count = buffer[p]
            p += 1
            if topic_partitions_count > 127:
                topic_partitions_count, p = uvarint_tail(buffer, p, topic_partitions_count)
            if topic_partitions_count == 0:
                raise missing("ShareGroupDescribeResponse.groups.members.assignment.topic_partitions")
            topic_partitions_count -= 1
            if topic_partitions_count > room or topic_partitions_count * 19 > end - p:
                raise too_many("ShareGroupDescribeResponse.groups.members.assignment.topic_partitions", topic_partitions_count)
            room -= topic_partitions_count
            topic_partitions: list[TopicPartitions] = []
            for _ in range(topic_partitions_count):
                topic_id, topic_name_size = _unpack_uB(buffer, p)
                p += 17
                if topic_name_size > 127:
                    topic_name_size, p = string_tail(buffer, p, topic_name_size)
                if topic_name_size == 0:
                    raise missing("ShareGroupDescribeResponse.groups.members.assignment.topic_partitions.topic_name")
                stop = p + topic_name_size - 1
                topic_name = buffer[p:stop].tobytes().decode()
                p = stop
                partitions_count = buffer[p]
                p += 1
                if partitions_count > 127:
                    partitions_count, p = uvarint_tail(buffer, p, partitions_count)
                if partitions_count == 0:
                    raise missing("ShareGroupDescribeResponse.groups.members.assignment.topic_partitions.partitions")
                partitions_count -= 1
                partitions = read_int32s(buffer, p, partitions_count)
                p += partitions_count * 4
                tags = buffer[p]
                p += 1
                if tags:
                    p = skip_tags(buffer, p, tags)
                topic_partitions.append(TopicPartitions(topic_id, topic_name, partitions))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            tags_3 = buffer[p]
            p += 1
            if tags_3:
                p = skip_tags(buffer, p, tags_3)
            members.append(Member(member_id, rack_id, member_epoch, client_id, client_host, subscribed_topic_names, Assignment(topic_partitions)))
        authorized_operations, tags_4 = _unpack_iB(buffer, p)
        p += 5
        if tags_4:
            p = skip_tags(buffer, p, tags_4)
        groups.append(DescribedGroup(error_code, error_message, group_id, group_state, group_epoch, assignment_epoch, assignor_name, members, authorized_operations))
    tags_5 = buffer[p]
    p += 1
    if tags_5:
        p = skip_tags(buffer, p, tags_5)
    return ShareGroupDescribeResponse(throttle_time_ms, groups), p


def _encode_0(message: ShareGroupDescribeResponse) -> bytes:
    """Versions 1."""
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
        assignor_name = element.assignor_name.encode()
        assignor_name_size = len(assignor_name) + 1
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
            _pack_ii(element.group_epoch, element.assignment_epoch),
            UVARINTS[assignor_name_size] if assignor_name_size < 256 else string_prefix(assignor_name_size),
            assignor_name,
            UVARINTS[members_count] if members_count < 256 else uvarint(members_count),
        )
        for element_2 in members:
            member_id = element_2.member_id.encode()
            member_id_size = len(member_id) + 1
            rack_id_value = element_2.rack_id
            if rack_id_value is None:
                rack_id_size, rack_id = 0, b""
            else:
                rack_id = rack_id_value.encode()
                rack_id_size = len(rack_id) + 1
            client_id = element_2.client_id.encode()
            client_id_size = len(client_id) + 1
            client_host = element_2.client_host.encode()
            client_host_size = len(client_host) + 1
            subscribed_topic_names = element_2.subscribed_topic_names
            subscribed_topic_names_count = len(subscribed_topic_names) + 1
            out += (
                UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
                member_id,
                UVARINTS[rack_id_size] if rack_id_size < 256 else string_prefix(rack_id_size),
                rack_id,
                _pack_i(element_2.member_epoch),
                UVARINTS[client_id_size] if client_id_size < 256 else string_prefix(client_id_size),
                client_id,
                UVARINTS[client_host_size] if client_host_size < 256 else string_prefix(client_host_size),
                client_host,
                UVARINTS[subscribed_topic_names_count] if subscribed_topic_names_count < 256 else uvarint(subscribed_topic_names_count),
            )
            for element_3 in subscribed_topic_names:
                text = element_3.encode()
                text_size = len(text) + 1
                out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
            assignment = element_2.assignment
            topic_partitions = assignment.topic_partitions
            topic_partitions_count = len(topic_partitions) + 1
            out.append(UVARINTS[topic_partitions_count] if topic_partitions_count < 256 else uvarint(topic_partitions_count))
            for element_4 in topic_partitions:
                topic_id = element_4.topic_id
                if len(topic_id) != 16:
                    raise bad_uuid("ShareGroupDescribeResponse.groups.members.assignment.topic_partitions.topic_id")
                topic_name = element_4.topic_name.encode()
                topic_name_size = len(topic_name) + 1
                partitions = element_4.partitions
                partitions_count = len(partitions) + 1
                out += (
                    _pack_u(topic_id),
                    UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
                    topic_name,
                    UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
                    write_int32s(partitions),
                    b"\0",
                )
            out.append(b"\0\0")
        out.append(_pack_ix(element.authorized_operations))
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ShareGroupDescribeResponse, int]]]] = {
    1: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ShareGroupDescribeResponse], bytes]]] = {
    1: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ShareGroupDescribeResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ShareGroupDescribeResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ShareGroupDescribeResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ShareGroupDescribeResponse v{version} is cut short")
    return result


def encode(message: ShareGroupDescribeResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ShareGroupDescribeResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ShareGroupDescribeResponse v{version}: {error}") from error
