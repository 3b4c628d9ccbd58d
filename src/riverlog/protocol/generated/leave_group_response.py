"""LeaveGroupResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "LeaveGroupResponse"
API_KEY: Final = 13
VERSIONS: Final[tuple[int, int]] = (0, 5)
FLEXIBLE_FROM: Final = 4
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_ih = Struct(">ih").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ihi = Struct(">ihi").unpack_from
_pack_h = Struct(">h").pack
_pack_hx = Struct(">hx").pack
_pack_ih = Struct(">ih").pack
_pack_ihi = Struct(">ihi").pack


@dataclass(init=False, repr=False, eq=False)
class MemberResponse(Wire):
    """MemberResponse."""

    __slots__ = ("member_id", "group_instance_id", "error_code")

    member_id: str
    group_instance_id: str | None
    error_code: int

    def __init__(
        self,
        member_id: str = "",
        group_instance_id: str | None = "",
        error_code: int = 0,
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.error_code = error_code


@dataclass(init=False, repr=False, eq=False)
class LeaveGroupResponse(Wire):
    """LeaveGroupResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "members")

    throttle_time_ms: int
    error_code: int
    members: list[MemberResponse]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        members: list[MemberResponse] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.members = [] if members is UNSET else members


def _decode_0(buffer: memoryview, p: int) -> tuple[LeaveGroupResponse, int]:
    """Versions 0."""
    (error_code,) = _unpack_h(buffer, p)
    p += 2
    return LeaveGroupResponse(0, error_code, []), p


def _decode_1(buffer: memoryview, p: int) -> tuple[LeaveGroupResponse, int]:
    """Versions 1, 2."""
    throttle_time_ms, error_code = _unpack_ih(buffer, p)
    p += 6
    return LeaveGroupResponse(throttle_time_ms, error_code, []), p


def _decode_2(buffer: memoryview, p: int) -> tuple[LeaveGroupResponse, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, members_count = _unpack_ihi(buffer, p)
    p += 10
    if members_count < 0:
        raise missing("LeaveGroupResponse.members")
    if members_count > room or members_count * 6 > end - p:
        raise too_many("LeaveGroupResponse.members", members_count)
    room -= members_count
    members: list[MemberResponse] = []
    for _ in range(members_count):
        (member_id_size,) = _unpack_h(buffer, p)
        p += 2
        if member_id_size < 0:
            raise missing("LeaveGroupResponse.members.member_id")
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
            raise missing("LeaveGroupResponse.members.group_instance_id")
        (error_code_2,) = _unpack_h(buffer, p)
        p += 2
        members.append(MemberResponse(member_id, group_instance_id, error_code_2))
    return LeaveGroupResponse(throttle_time_ms, error_code, members), p


def _decode_3(buffer: memoryview, p: int) -> tuple[LeaveGroupResponse, int]:
    """Versions 4, 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, members_count = _unpack_ihB(buffer, p)
    p += 7
    if members_count > 127:
        members_count, p = uvarint_tail(buffer, p, members_count)
    if members_count == 0:
        raise missing("LeaveGroupResponse.members")
    members_count -= 1
    if members_count > room or members_count * 5 > end - p:
        raise too_many("LeaveGroupResponse.members", members_count)
    room -= members_count
    members: list[MemberResponse] = []
    for _ in range(members_count):
        member_id_size = buffer[p]
        p += 1
        if member_id_size > 127:
            member_id_size, p = string_tail(buffer, p, member_id_size)
        if member_id_size == 0:
            raise missing("LeaveGroupResponse.members.member_id")
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
        error_code_2, tags = _unpack_hB(buffer, p)
        p += 3
        if tags:
            p = skip_tags(buffer, p, tags)
        members.append(MemberResponse(member_id, group_instance_id, error_code_2))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return LeaveGroupResponse(throttle_time_ms, error_code, members), p


def _encode_0(message: LeaveGroupResponse) -> bytes:
    """Versions 0."""
    if message.members:
        raise not_in_version("LeaveGroupResponse.members")
    return _pack_h(message.error_code)


def _encode_1(message: LeaveGroupResponse) -> bytes:
    """Versions 1, 2."""
    if message.members:
        raise not_in_version("LeaveGroupResponse.members")
    return _pack_ih(message.throttle_time_ms, message.error_code)


def _encode_2(message: LeaveGroupResponse) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    members = message.members
    out.append(_pack_ihi(message.throttle_time_ms, message.error_code, len(members)))
    for element in members:
        member_id = element.member_id.encode()
        member_id_size = len(member_id)
        group_instance_id_value = element.group_instance_id
        if group_instance_id_value is None:
            group_instance_id_size, group_instance_id = -1, b""
        else:
            group_instance_id = group_instance_id_value.encode()
            group_instance_id_size = len(group_instance_id)
        out += (
            _pack_h(member_id_size),
            member_id,
            _pack_h(group_instance_id_size),
            group_instance_id,
            _pack_h(element.error_code),
        )
    return b"".join(out)


def _encode_3(message: LeaveGroupResponse) -> bytes:
    """Versions 4, 5."""
    out: list[bytes] = []
    members = message.members
    members_count = len(members) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
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
            _pack_hx(element.error_code),
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[LeaveGroupResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_1,
    3: _decode_2,
    4: _decode_3,
    5: _decode_3,
}
_ENCODERS: Final[dict[int, Callable[[LeaveGroupResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_1,
    3: _encode_2,
    4: _encode_3,
    5: _encode_3,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[LeaveGroupResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"LeaveGroupResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"LeaveGroupResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"LeaveGroupResponse v{version} is cut short")
    return result


def encode(message: LeaveGroupResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"LeaveGroupResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"LeaveGroupResponse v{version}: {error}") from error
