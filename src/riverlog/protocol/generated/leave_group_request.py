"""LeaveGroupRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "LeaveGroupRequest"
API_KEY: Final = 13
VERSIONS: Final[tuple[int, int]] = (0, 5)
FLEXIBLE_FROM: Final = 4
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class MemberIdentity(Wire):
    """MemberIdentity."""

    __slots__ = ("member_id", "group_instance_id", "reason")

    member_id: str
    group_instance_id: str | None
    reason: str | None

    def __init__(
        self,
        member_id: str = "",
        group_instance_id: str | None = None,
        reason: str | None = None,
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.reason = reason


@dataclass(init=False, repr=False, eq=False)
class LeaveGroupRequest(Wire):
    """LeaveGroupRequest."""

    __slots__ = ("group_id", "member_id", "members")

    group_id: str
    member_id: str
    members: list[MemberIdentity]

    def __init__(
        self,
        group_id: str = "",
        member_id: str = "",
        members: list[MemberIdentity] = UNSET,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.members = [] if members is UNSET else members


def _decode_0(buffer: memoryview, p: int) -> tuple[LeaveGroupRequest, int]:
    """Versions 0, 1, 2."""
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("LeaveGroupRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    (member_id_size,) = _unpack_h(buffer, p)
    p += 2
    if member_id_size < 0:
        raise missing("LeaveGroupRequest.member_id")
    stop = p + member_id_size
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    return LeaveGroupRequest(group_id, member_id, []), p


def _decode_1(buffer: memoryview, p: int) -> tuple[LeaveGroupRequest, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("LeaveGroupRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    (members_count,) = _unpack_i(buffer, p)
    p += 4
    if members_count < 0:
        raise missing("LeaveGroupRequest.members")
    if members_count > room or members_count * 4 > end - p:
        raise too_many("LeaveGroupRequest.members", members_count)
    room -= members_count
    members: list[MemberIdentity] = []
    for _ in range(members_count):
        (member_id_size,) = _unpack_h(buffer, p)
        p += 2
        if member_id_size < 0:
            raise missing("LeaveGroupRequest.members.member_id")
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
            raise missing("LeaveGroupRequest.members.group_instance_id")
        members.append(MemberIdentity(member_id, group_instance_id, None))
    return LeaveGroupRequest(group_id, "", members), p


def _decode_2(buffer: memoryview, p: int) -> tuple[LeaveGroupRequest, int]:
    """Versions 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("LeaveGroupRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    members_count = buffer[p]
    p += 1
    if members_count > 127:
        members_count, p = uvarint_tail(buffer, p, members_count)
    if members_count == 0:
        raise missing("LeaveGroupRequest.members")
    members_count -= 1
    if members_count > room or members_count * 3 > end - p:
        raise too_many("LeaveGroupRequest.members", members_count)
    room -= members_count
    members: list[MemberIdentity] = []
    for _ in range(members_count):
        member_id_size = buffer[p]
        p += 1
        if member_id_size > 127:
            member_id_size, p = string_tail(buffer, p, member_id_size)
        if member_id_size == 0:
            raise missing("LeaveGroupRequest.members.member_id")
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
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        members.append(MemberIdentity(member_id, group_instance_id, None))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return LeaveGroupRequest(group_id, "", members), p


def _decode_3(buffer: memoryview, p: int) -> tuple[LeaveGroupRequest, int]:
    """Versions 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("LeaveGroupRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    members_count = buffer[p]
    p += 1
    if members_count > 127:
        members_count, p = uvarint_tail(buffer, p, members_count)
    if members_count == 0:
        raise missing("LeaveGroupRequest.members")
    members_count -= 1
    if members_count > room or members_count * 4 > end - p:
        raise too_many("LeaveGroupRequest.members", members_count)
    room -= members_count
    members: list[MemberIdentity] = []
    for _ in range(members_count):
        member_id_size = buffer[p]
        p += 1
        if member_id_size > 127:
            member_id_size, p = string_tail(buffer, p, member_id_size)
        if member_id_size == 0:
            raise missing("LeaveGroupRequest.members.member_id")
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
        reason_size = buffer[p]
        p += 1
        if reason_size > 127:
            reason_size, p = string_tail(buffer, p, reason_size)
        reason: str | None = None
        if reason_size:
            stop = p + reason_size - 1
            reason = buffer[p:stop].tobytes().decode()
            p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        members.append(MemberIdentity(member_id, group_instance_id, reason))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return LeaveGroupRequest(group_id, "", members), p


def _encode_0(message: LeaveGroupRequest) -> bytes:
    """Versions 0, 1, 2."""
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    member_id = message.member_id.encode()
    member_id_size = len(member_id)
    if message.members:
        raise not_in_version("LeaveGroupRequest.members")
    return b"".join((_pack_h(group_id_size), group_id, _pack_h(member_id_size), member_id))


def _encode_1(message: LeaveGroupRequest) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    if message.member_id != "":
        raise not_in_version("LeaveGroupRequest.member_id")
    members = message.members
    out += (_pack_h(group_id_size), group_id, _pack_i(len(members)))
    for element in members:
        member_id = element.member_id.encode()
        member_id_size = len(member_id)
        group_instance_id_value = element.group_instance_id
        if group_instance_id_value is None:
            group_instance_id_size, group_instance_id = -1, b""
        else:
            group_instance_id = group_instance_id_value.encode()
            group_instance_id_size = len(group_instance_id)
        out += (_pack_h(member_id_size), member_id, _pack_h(group_instance_id_size), group_instance_id)
    return b"".join(out)


def _encode_2(message: LeaveGroupRequest) -> bytes:
    """Versions 4."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    if message.member_id != "":
        raise not_in_version("LeaveGroupRequest.member_id")
    members = message.members
    members_count = len(members) + 1
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
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
        out += (
            UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
            member_id,
            UVARINTS[group_instance_id_size] if group_instance_id_size < 256 else string_prefix(group_instance_id_size),
            group_instance_id,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


def _encode_3(message: LeaveGroupRequest) -> bytes:
    """Versions 5."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    if message.member_id != "":
        raise not_in_version("LeaveGroupRequest.member_id")
    members = message.members
    members_count = len(members) + 1
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
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
        reason_value = element.reason
        if reason_value is None:
            reason_size, reason = 0, b""
        else:
            reason = reason_value.encode()
            reason_size = len(reason) + 1
        out += (
            UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
            member_id,
            UVARINTS[group_instance_id_size] if group_instance_id_size < 256 else string_prefix(group_instance_id_size),
            group_instance_id,
            UVARINTS[reason_size] if reason_size < 256 else string_prefix(reason_size),
            reason,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[LeaveGroupRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_0,
    3: _decode_1,
    4: _decode_2,
    5: _decode_3,
}
_ENCODERS: Final[dict[int, Callable[[LeaveGroupRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_0,
    3: _encode_1,
    4: _encode_2,
    5: _encode_3,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[LeaveGroupRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"LeaveGroupRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"LeaveGroupRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"LeaveGroupRequest v{version} is cut short")
    return result


def encode(message: LeaveGroupRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"LeaveGroupRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"LeaveGroupRequest v{version}: {error}") from error
