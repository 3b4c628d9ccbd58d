"""ListGroupsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "ListGroupsResponse"
API_KEY: Final = 16
VERSIONS: Final[tuple[int, int]] = (0, 5)
FLEXIBLE_FROM: Final = 3
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_hi = Struct(">hi").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ihi = Struct(">ihi").unpack_from
_pack_h = Struct(">h").pack
_pack_hi = Struct(">hi").pack
_pack_ih = Struct(">ih").pack
_pack_ihi = Struct(">ihi").pack


@dataclass(init=False, repr=False, eq=False)
class ListedGroup(Wire):
    """ListedGroup."""

    __slots__ = ("group_id", "protocol_type", "group_state", "group_type")

    group_id: str
    protocol_type: str
    group_state: str
    group_type: str

    def __init__(
        self,
        group_id: str = "",
        protocol_type: str = "",
        group_state: str = "",
        group_type: str = "",
    ) -> None:
        self.group_id = group_id
        self.protocol_type = protocol_type
        self.group_state = group_state
        self.group_type = group_type


@dataclass(init=False, repr=False, eq=False)
class ListGroupsResponse(Wire):
    """ListGroupsResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "groups")

    throttle_time_ms: int
    error_code: int
    groups: list[ListedGroup]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        groups: list[ListedGroup] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.groups = [] if groups is UNSET else groups


def _decode_0(buffer: memoryview, p: int) -> tuple[ListGroupsResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    error_code, groups_count = _unpack_hi(buffer, p)
    p += 6
    if groups_count < 0:
        raise missing("ListGroupsResponse.groups")
    if groups_count > room or groups_count * 4 > end - p:
        raise too_many("ListGroupsResponse.groups", groups_count)
    room -= groups_count
    groups: list[ListedGroup] = []
    for _ in range(groups_count):
        (group_id_size,) = _unpack_h(buffer, p)
        p += 2
        if group_id_size < 0:
            raise missing("ListGroupsResponse.groups.group_id")
        stop = p + group_id_size
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        (protocol_type_size,) = _unpack_h(buffer, p)
        p += 2
        if protocol_type_size < 0:
            raise missing("ListGroupsResponse.groups.protocol_type")
        stop = p + protocol_type_size
        protocol_type = buffer[p:stop].tobytes().decode()
        p = stop
        groups.append(ListedGroup(group_id, protocol_type, "", ""))
    return ListGroupsResponse(0, error_code, groups), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ListGroupsResponse, int]:
    """Versions 1, 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, groups_count = _unpack_ihi(buffer, p)
    p += 10
    if groups_count < 0:
        raise missing("ListGroupsResponse.groups")
    if groups_count > room or groups_count * 4 > end - p:
        raise too_many("ListGroupsResponse.groups", groups_count)
    room -= groups_count
    groups: list[ListedGroup] = []
    for _ in range(groups_count):
        (group_id_size,) = _unpack_h(buffer, p)
        p += 2
        if group_id_size < 0:
            raise missing("ListGroupsResponse.groups.group_id")
        stop = p + group_id_size
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        (protocol_type_size,) = _unpack_h(buffer, p)
        p += 2
        if protocol_type_size < 0:
            raise missing("ListGroupsResponse.groups.protocol_type")
        stop = p + protocol_type_size
        protocol_type = buffer[p:stop].tobytes().decode()
        p = stop
        groups.append(ListedGroup(group_id, protocol_type, "", ""))
    return ListGroupsResponse(throttle_time_ms, error_code, groups), p


def _decode_2(buffer: memoryview, p: int) -> tuple[ListGroupsResponse, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, groups_count = _unpack_ihB(buffer, p)
    p += 7
    if groups_count > 127:
        groups_count, p = uvarint_tail(buffer, p, groups_count)
    if groups_count == 0:
        raise missing("ListGroupsResponse.groups")
    groups_count -= 1
    if groups_count > room or groups_count * 3 > end - p:
        raise too_many("ListGroupsResponse.groups", groups_count)
    room -= groups_count
    groups: list[ListedGroup] = []
    for _ in range(groups_count):
        group_id_size = buffer[p]
        p += 1
        if group_id_size > 127:
            group_id_size, p = string_tail(buffer, p, group_id_size)
        if group_id_size == 0:
            raise missing("ListGroupsResponse.groups.group_id")
        stop = p + group_id_size - 1
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        protocol_type_size = buffer[p]
        p += 1
        if protocol_type_size > 127:
            protocol_type_size, p = string_tail(buffer, p, protocol_type_size)
        if protocol_type_size == 0:
            raise missing("ListGroupsResponse.groups.protocol_type")
        stop = p + protocol_type_size - 1
        protocol_type = buffer[p:stop].tobytes().decode()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        groups.append(ListedGroup(group_id, protocol_type, "", ""))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return ListGroupsResponse(throttle_time_ms, error_code, groups), p


def _decode_3(buffer: memoryview, p: int) -> tuple[ListGroupsResponse, int]:
    """Versions 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, groups_count = _unpack_ihB(buffer, p)
    p += 7
    if groups_count > 127:
        groups_count, p = uvarint_tail(buffer, p, groups_count)
    if groups_count == 0:
        raise missing("ListGroupsResponse.groups")
    groups_count -= 1
    if groups_count > room or groups_count * 4 > end - p:
        raise too_many("ListGroupsResponse.groups", groups_count)
    room -= groups_count
    groups: list[ListedGroup] = []
    for _ in range(groups_count):
        group_id_size = buffer[p]
        p += 1
        if group_id_size > 127:
            group_id_size, p = string_tail(buffer, p, group_id_size)
        if group_id_size == 0:
            raise missing("ListGroupsResponse.groups.group_id")
        stop = p + group_id_size - 1
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        protocol_type_size = buffer[p]
        p += 1
        if protocol_type_size > 127:
            protocol_type_size, p = string_tail(buffer, p, protocol_type_size)
        if protocol_type_size == 0:
            raise missing("ListGroupsResponse.groups.protocol_type")
        stop = p + protocol_type_size - 1
        protocol_type = buffer[p:stop].tobytes().decode()
        p = stop
        group_state_size = buffer[p]
        p += 1
        if group_state_size > 127:
            group_state_size, p = string_tail(buffer, p, group_state_size)
        if group_state_size == 0:
            raise missing("ListGroupsResponse.groups.group_state")
        stop = p + group_state_size - 1
        group_state = buffer[p:stop].tobytes().decode()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        groups.append(ListedGroup(group_id, protocol_type, group_state, ""))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return ListGroupsResponse(throttle_time_ms, error_code, groups), p


def _decode_4(buffer: memoryview, p: int) -> tuple[ListGroupsResponse, int]:
    """Versions 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, groups_count = _unpack_ihB(buffer, p)
    p += 7
    if groups_count > 127:
        groups_count, p = uvarint_tail(buffer, p, groups_count)
    if groups_count == 0:
        raise missing("ListGroupsResponse.groups")
    groups_count -= 1
    if groups_count > room or groups_count * 5 > end - p:
        raise too_many("ListGroupsResponse.groups", groups_count)
    room -= groups_count
    groups: list[ListedGroup] = []
    for _ in range(groups_count):
        group_id_size = buffer[p]
        p += 1
        if group_id_size > 127:
            group_id_size, p = string_tail(buffer, p, group_id_size)
        if group_id_size == 0:
            raise missing("ListGroupsResponse.groups.group_id")
        stop = p + group_id_size - 1
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        protocol_type_size = buffer[p]
        p += 1
        if protocol_type_size > 127:
            protocol_type_size, p = string_tail(buffer, p, protocol_type_size)
        if protocol_type_size == 0:
            raise missing("ListGroupsResponse.groups.protocol_type")
        stop = p + protocol_type_size - 1
        protocol_type = buffer[p:stop].tobytes().decode()
        p = stop
        group_state_size = buffer[p]
        p += 1
        if group_state_size > 127:
            group_state_size, p = string_tail(buffer, p, group_state_size)
        if group_state_size == 0:
            raise missing("ListGroupsResponse.groups.group_state")
        stop = p + group_state_size - 1
        group_state = buffer[p:stop].tobytes().decode()
        p = stop
        group_type_size = buffer[p]
        p += 1
        if group_type_size > 127:
            group_type_size, p = string_tail(buffer, p, group_type_size)
        if group_type_size == 0:
            raise missing("ListGroupsResponse.groups.group_type")
        stop = p + group_type_size - 1
        group_type = buffer[p:stop].tobytes().decode()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        groups.append(ListedGroup(group_id, protocol_type, group_state, group_type))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return ListGroupsResponse(throttle_time_ms, error_code, groups), p


def _encode_0(message: ListGroupsResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    groups = message.groups
    out.append(_pack_hi(message.error_code, len(groups)))
    for element in groups:
        group_id = element.group_id.encode()
        group_id_size = len(group_id)
        protocol_type = element.protocol_type.encode()
        protocol_type_size = len(protocol_type)
        out += (_pack_h(group_id_size), group_id, _pack_h(protocol_type_size), protocol_type)
    return b"".join(out)


def _encode_1(message: ListGroupsResponse) -> bytes:
    """Versions 1, 2."""
    out: list[bytes] = []
    groups = message.groups
    out.append(_pack_ihi(message.throttle_time_ms, message.error_code, len(groups)))
    for element in groups:
        group_id = element.group_id.encode()
        group_id_size = len(group_id)
        protocol_type = element.protocol_type.encode()
        protocol_type_size = len(protocol_type)
        out += (_pack_h(group_id_size), group_id, _pack_h(protocol_type_size), protocol_type)
    return b"".join(out)


def _encode_2(message: ListGroupsResponse) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    groups = message.groups
    groups_count = len(groups) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[groups_count] if groups_count < 256 else uvarint(groups_count),
    )
    for element in groups:
        group_id = element.group_id.encode()
        group_id_size = len(group_id) + 1
        protocol_type = element.protocol_type.encode()
        protocol_type_size = len(protocol_type) + 1
        out += (
            UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
            group_id,
            UVARINTS[protocol_type_size] if protocol_type_size < 256 else string_prefix(protocol_type_size),
            protocol_type,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


def _encode_3(message: ListGroupsResponse) -> bytes:
    """Versions 4."""
    out: list[bytes] = []
    groups = message.groups
    groups_count = len(groups) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[groups_count] if groups_count < 256 else uvarint(groups_count),
    )
    for element in groups:
        group_id = element.group_id.encode()
        group_id_size = len(group_id) + 1
        protocol_type = element.protocol_type.encode()
        protocol_type_size = len(protocol_type) + 1
        group_state = element.group_state.encode()
        group_state_size = len(group_state) + 1
        out += (
            UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
            group_id,
            UVARINTS[protocol_type_size] if protocol_type_size < 256 else string_prefix(protocol_type_size),
            protocol_type,
            UVARINTS[group_state_size] if group_state_size < 256 else string_prefix(group_state_size),
            group_state,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


def _encode_4(message: ListGroupsResponse) -> bytes:
    """Versions 5."""
    out: list[bytes] = []
    groups = message.groups
    groups_count = len(groups) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[groups_count] if groups_count < 256 else uvarint(groups_count),
    )
    for element in groups:
        group_id = element.group_id.encode()
        group_id_size = len(group_id) + 1
        protocol_type = element.protocol_type.encode()
        protocol_type_size = len(protocol_type) + 1
        group_state = element.group_state.encode()
        group_state_size = len(group_state) + 1
        group_type = element.group_type.encode()
        group_type_size = len(group_type) + 1
        out += (
            UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
            group_id,
            UVARINTS[protocol_type_size] if protocol_type_size < 256 else string_prefix(protocol_type_size),
            protocol_type,
            UVARINTS[group_state_size] if group_state_size < 256 else string_prefix(group_state_size),
            group_state,
            UVARINTS[group_type_size] if group_type_size < 256 else string_prefix(group_type_size),
            group_type,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ListGroupsResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_1,
    3: _decode_2,
    4: _decode_3,
    5: _decode_4,
}
_ENCODERS: Final[dict[int, Callable[[ListGroupsResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_1,
    3: _encode_2,
    4: _encode_3,
    5: _encode_4,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ListGroupsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ListGroupsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ListGroupsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ListGroupsResponse v{version} is cut short")
    return result


def encode(message: ListGroupsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ListGroupsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ListGroupsResponse v{version}: {error}") from error
