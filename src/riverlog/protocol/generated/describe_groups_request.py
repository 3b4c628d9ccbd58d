"""DescribeGroupsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DescribeGroupsRequest"
API_KEY: Final = 15
VERSIONS: Final[tuple[int, int]] = (0, 6)
FLEXIBLE_FROM: Final = 5
LATEST_UNSTABLE: Final = False

_unpack_zB = Struct(">?B").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_pack_z = Struct(">?").pack
_pack_zx = Struct(">?x").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class DescribeGroupsRequest(Wire):
    """DescribeGroupsRequest."""

    __slots__ = ("groups", "include_authorized_operations")

    groups: list[str]
    include_authorized_operations: bool

    def __init__(
        self,
        groups: list[str] = UNSET,
        include_authorized_operations: bool = False,
    ) -> None:
        self.groups = [] if groups is UNSET else groups
        self.include_authorized_operations = include_authorized_operations


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeGroupsRequest, int]:
    """Versions 0, 1, 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (groups_count,) = _unpack_i(buffer, p)
    p += 4
    if groups_count < 0:
        raise missing("DescribeGroupsRequest.groups")
    if groups_count > room or groups_count * 2 > end - p:
        raise too_many("DescribeGroupsRequest.groups", groups_count)
    room -= groups_count
    groups: list[str] = []
    for _ in range(groups_count):
        (element_size,) = _unpack_h(buffer, p)
        p += 2
        if element_size < 0:
            raise missing("DescribeGroupsRequest.groups")
        stop = p + element_size
        element = buffer[p:stop].tobytes().decode()
        p = stop
        groups.append(element)
    return DescribeGroupsRequest(groups, False), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DescribeGroupsRequest, int]:
    """Versions 3, 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (groups_count,) = _unpack_i(buffer, p)
    p += 4
    if groups_count < 0:
        raise missing("DescribeGroupsRequest.groups")
    if groups_count > room or groups_count * 2 > end - p:
        raise too_many("DescribeGroupsRequest.groups", groups_count)
    room -= groups_count
    groups: list[str] = []
    for _ in range(groups_count):
        (element_size,) = _unpack_h(buffer, p)
        p += 2
        if element_size < 0:
            raise missing("DescribeGroupsRequest.groups")
        stop = p + element_size
        element = buffer[p:stop].tobytes().decode()
        p = stop
        groups.append(element)
    include_authorized_operations = buffer[p] != 0
    p += 1
    return DescribeGroupsRequest(groups, include_authorized_operations), p


def _decode_2(buffer: memoryview, p: int) -> tuple[DescribeGroupsRequest, int]:
    """Versions 5, 6."""
    end = len(buffer)
    room = MAX_ELEMENTS
    groups_count = buffer[p]
    p += 1
    if groups_count > 127:
        groups_count, p = uvarint_tail(buffer, p, groups_count)
    if groups_count == 0:
        raise missing("DescribeGroupsRequest.groups")
    groups_count -= 1
    if groups_count > room or groups_count > end - p:
        raise too_many("DescribeGroupsRequest.groups", groups_count)
    room -= groups_count
    groups: list[str] = []
    for _ in range(groups_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("DescribeGroupsRequest.groups")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        groups.append(element)
    include_authorized_operations, tags = _unpack_zB(buffer, p)
    p += 2
    if tags:
        p = skip_tags(buffer, p, tags)
    return DescribeGroupsRequest(groups, include_authorized_operations), p


def _encode_0(message: DescribeGroupsRequest) -> bytes:
    """Versions 0, 1, 2."""
    out: list[bytes] = []
    groups = message.groups
    out.append(_pack_i(len(groups)))
    for element in groups:
        text = element.encode()
        text_size = len(text)
        out += (_pack_h(text_size), text)
    if message.include_authorized_operations:
        raise not_in_version("DescribeGroupsRequest.include_authorized_operations")
    return b"".join(out)


def _encode_1(message: DescribeGroupsRequest) -> bytes:
    """Versions 3, 4."""
    out: list[bytes] = []
    groups = message.groups
    out.append(_pack_i(len(groups)))
    for element in groups:
        text = element.encode()
        text_size = len(text)
        out += (_pack_h(text_size), text)
    out.append(_pack_z(message.include_authorized_operations))
    return b"".join(out)


def _encode_2(message: DescribeGroupsRequest) -> bytes:
    """Versions 5, 6."""
    out: list[bytes] = []
    groups = message.groups
    groups_count = len(groups) + 1
    out.append(UVARINTS[groups_count] if groups_count < 256 else uvarint(groups_count))
    for element in groups:
        text = element.encode()
        text_size = len(text) + 1
        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    out.append(_pack_zx(message.include_authorized_operations))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeGroupsRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_0,
    3: _decode_1,
    4: _decode_1,
    5: _decode_2,
    6: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[DescribeGroupsRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_0,
    3: _encode_1,
    4: _encode_1,
    5: _encode_2,
    6: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeGroupsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeGroupsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeGroupsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeGroupsRequest v{version} is cut short")
    return result


def encode(message: DescribeGroupsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeGroupsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeGroupsRequest v{version}: {error}") from error
