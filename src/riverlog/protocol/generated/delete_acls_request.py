"""DeleteAclsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DeleteAclsRequest"
API_KEY: Final = 31
VERSIONS: Final[tuple[int, int]] = (1, 3)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_bB = Struct(">bB").unpack_from
_unpack_bb = Struct(">bb").unpack_from
_unpack_bbB = Struct(">bbB").unpack_from
_unpack_bh = Struct(">bh").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_pack_b = Struct(">b").pack
_pack_bb = Struct(">bb").pack
_pack_bbx = Struct(">bbx").pack
_pack_bh = Struct(">bh").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class DeleteAclsFilter(Wire):
    """DeleteAclsFilter."""

    __slots__ = ("resource_type_filter", "resource_name_filter", "pattern_type_filter", "principal_filter", "host_filter", "operation", "permission_type")

    resource_type_filter: int
    resource_name_filter: str | None
    pattern_type_filter: int
    principal_filter: str | None
    host_filter: str | None
    operation: int
    permission_type: int

    def __init__(
        self,
        resource_type_filter: int = 0,
        resource_name_filter: str | None = "",
        pattern_type_filter: int = 3,
        principal_filter: str | None = "",
        host_filter: str | None = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.resource_type_filter = resource_type_filter
        self.resource_name_filter = resource_name_filter
        self.pattern_type_filter = pattern_type_filter
        self.principal_filter = principal_filter
        self.host_filter = host_filter
        self.operation = operation
        self.permission_type = permission_type


@dataclass(init=False, repr=False, eq=False)
class DeleteAclsRequest(Wire):
    """DeleteAclsRequest."""

    __slots__ = ("filters",)

    filters: list[DeleteAclsFilter]

    def __init__(
        self,
        filters: list[DeleteAclsFilter] = UNSET,
    ) -> None:
        self.filters = [] if filters is UNSET else filters


def _decode_0(buffer: memoryview, p: int) -> tuple[DeleteAclsRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (filters_count,) = _unpack_i(buffer, p)
    p += 4
    if filters_count < 0:
        raise missing("DeleteAclsRequest.filters")
    if filters_count > room or filters_count * 10 > end - p:
        raise too_many("DeleteAclsRequest.filters", filters_count)
    room -= filters_count
    filters: list[DeleteAclsFilter] = []
    for _ in range(filters_count):
        resource_type_filter, resource_name_filter_size = _unpack_bh(buffer, p)
        p += 3
        resource_name_filter: str | None = None
        if resource_name_filter_size >= 0:
            stop = p + resource_name_filter_size
            resource_name_filter = buffer[p:stop].tobytes().decode()
            p = stop
        elif resource_name_filter_size != -1:
            raise missing("DeleteAclsRequest.filters.resource_name_filter")
        pattern_type_filter, principal_filter_size = _unpack_bh(buffer, p)
        p += 3
        principal_filter: str | None = None
        if principal_filter_size >= 0:
            stop = p + principal_filter_size
            principal_filter = buffer[p:stop].tobytes().decode()
            p = stop
        elif principal_filter_size != -1:
            raise missing("DeleteAclsRequest.filters.principal_filter")
        (host_filter_size,) = _unpack_h(buffer, p)
        p += 2
        host_filter: str | None = None
        if host_filter_size >= 0:
            stop = p + host_filter_size
            host_filter = buffer[p:stop].tobytes().decode()
            p = stop
        elif host_filter_size != -1:
            raise missing("DeleteAclsRequest.filters.host_filter")
        operation, permission_type = _unpack_bb(buffer, p)
        p += 2
        filters.append(DeleteAclsFilter(resource_type_filter, resource_name_filter, pattern_type_filter, principal_filter, host_filter, operation, permission_type))
    return DeleteAclsRequest(filters), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DeleteAclsRequest, int]:
    """Versions 2, 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    filters_count = buffer[p]
    p += 1
    if filters_count > 127:
        filters_count, p = uvarint_tail(buffer, p, filters_count)
    if filters_count == 0:
        raise missing("DeleteAclsRequest.filters")
    filters_count -= 1
    if filters_count > room or filters_count * 8 > end - p:
        raise too_many("DeleteAclsRequest.filters", filters_count)
    room -= filters_count
    filters: list[DeleteAclsFilter] = []
    for _ in range(filters_count):
        resource_type_filter, resource_name_filter_size = _unpack_bB(buffer, p)
        p += 2
        if resource_name_filter_size > 127:
            resource_name_filter_size, p = string_tail(buffer, p, resource_name_filter_size)
        resource_name_filter: str | None = None
        if resource_name_filter_size:
            stop = p + resource_name_filter_size - 1
            resource_name_filter = buffer[p:stop].tobytes().decode()
            p = stop
        pattern_type_filter, principal_filter_size = _unpack_bB(buffer, p)
        p += 2
        if principal_filter_size > 127:
            principal_filter_size, p = string_tail(buffer, p, principal_filter_size)
        principal_filter: str | None = None
        if principal_filter_size:
            stop = p + principal_filter_size - 1
            principal_filter = buffer[p:stop].tobytes().decode()
            p = stop
        host_filter_size = buffer[p]
        p += 1
        if host_filter_size > 127:
            host_filter_size, p = string_tail(buffer, p, host_filter_size)
        host_filter: str | None = None
        if host_filter_size:
            stop = p + host_filter_size - 1
            host_filter = buffer[p:stop].tobytes().decode()
            p = stop
        operation, permission_type, tags = _unpack_bbB(buffer, p)
        p += 3
        if tags:
            p = skip_tags(buffer, p, tags)
        filters.append(DeleteAclsFilter(resource_type_filter, resource_name_filter, pattern_type_filter, principal_filter, host_filter, operation, permission_type))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return DeleteAclsRequest(filters), p


def _encode_0(message: DeleteAclsRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    filters = message.filters
    out.append(_pack_i(len(filters)))
    for element in filters:
        resource_name_filter_value = element.resource_name_filter
        if resource_name_filter_value is None:
            resource_name_filter_size, resource_name_filter = -1, b""
        else:
            resource_name_filter = resource_name_filter_value.encode()
            resource_name_filter_size = len(resource_name_filter)
        principal_filter_value = element.principal_filter
        if principal_filter_value is None:
            principal_filter_size, principal_filter = -1, b""
        else:
            principal_filter = principal_filter_value.encode()
            principal_filter_size = len(principal_filter)
        host_filter_value = element.host_filter
        if host_filter_value is None:
            host_filter_size, host_filter = -1, b""
        else:
            host_filter = host_filter_value.encode()
            host_filter_size = len(host_filter)
        out += (
            _pack_bh(element.resource_type_filter, resource_name_filter_size),
            resource_name_filter,
            _pack_bh(element.pattern_type_filter, principal_filter_size),
            principal_filter,
            _pack_h(host_filter_size),
            host_filter,
            _pack_bb(element.operation, element.permission_type),
        )
    return b"".join(out)


def _encode_1(message: DeleteAclsRequest) -> bytes:
    """Versions 2, 3."""
    out: list[bytes] = []
    filters = message.filters
    filters_count = len(filters) + 1
    out.append(UVARINTS[filters_count] if filters_count < 256 else uvarint(filters_count))
    for element in filters:
        resource_name_filter_value = element.resource_name_filter
        if resource_name_filter_value is None:
            resource_name_filter_size, resource_name_filter = 0, b""
        else:
            resource_name_filter = resource_name_filter_value.encode()
            resource_name_filter_size = len(resource_name_filter) + 1
        principal_filter_value = element.principal_filter
        if principal_filter_value is None:
            principal_filter_size, principal_filter = 0, b""
        else:
            principal_filter = principal_filter_value.encode()
            principal_filter_size = len(principal_filter) + 1
        host_filter_value = element.host_filter
        if host_filter_value is None:
            host_filter_size, host_filter = 0, b""
        else:
            host_filter = host_filter_value.encode()
            host_filter_size = len(host_filter) + 1
        out += (
            _pack_b(element.resource_type_filter),
            UVARINTS[resource_name_filter_size] if resource_name_filter_size < 256 else string_prefix(resource_name_filter_size),
            resource_name_filter,
            _pack_b(element.pattern_type_filter),
            UVARINTS[principal_filter_size] if principal_filter_size < 256 else string_prefix(principal_filter_size),
            principal_filter,
            UVARINTS[host_filter_size] if host_filter_size < 256 else string_prefix(host_filter_size),
            host_filter,
            _pack_bbx(element.operation, element.permission_type),
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DeleteAclsRequest, int]]]] = {
    1: _decode_0,
    2: _decode_1,
    3: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[DeleteAclsRequest], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
    3: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DeleteAclsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DeleteAclsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DeleteAclsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DeleteAclsRequest v{version} is cut short")
    return result


def encode(message: DeleteAclsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DeleteAclsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DeleteAclsRequest v{version}: {error}") from error
