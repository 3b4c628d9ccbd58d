"""DescribeAclsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    missing,
    skip_tags,
    string_prefix,
    string_tail,
    UNFIT,
    UVARINTS,
    Wire,
)

NAME: Final = "DescribeAclsRequest"
API_KEY: Final = 29
VERSIONS: Final[tuple[int, int]] = (1, 3)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_bB = Struct(">bB").unpack_from
_unpack_bb = Struct(">bb").unpack_from
_unpack_bbB = Struct(">bbB").unpack_from
_unpack_bh = Struct(">bh").unpack_from
_unpack_h = Struct(">h").unpack_from
_pack_b = Struct(">b").pack
_pack_bb = Struct(">bb").pack
_pack_bbx = Struct(">bbx").pack
_pack_bh = Struct(">bh").pack
_pack_h = Struct(">h").pack


@dataclass(init=False, repr=False, eq=False)
class DescribeAclsRequest(Wire):
    """DescribeAclsRequest."""

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


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeAclsRequest, int]:
    """Versions 1."""
    resource_type_filter, resource_name_filter_size = _unpack_bh(buffer, p)
    p += 3
    resource_name_filter: str | None = None
    if resource_name_filter_size >= 0:
        stop = p + resource_name_filter_size
        resource_name_filter = buffer[p:stop].tobytes().decode()
        p = stop
    elif resource_name_filter_size != -1:
        raise missing("DescribeAclsRequest.resource_name_filter")
    pattern_type_filter, principal_filter_size = _unpack_bh(buffer, p)
    p += 3
    principal_filter: str | None = None
    if principal_filter_size >= 0:
        stop = p + principal_filter_size
        principal_filter = buffer[p:stop].tobytes().decode()
        p = stop
    elif principal_filter_size != -1:
        raise missing("DescribeAclsRequest.principal_filter")
    (host_filter_size,) = _unpack_h(buffer, p)
    p += 2
    host_filter: str | None = None
    if host_filter_size >= 0:
        stop = p + host_filter_size
        host_filter = buffer[p:stop].tobytes().decode()
        p = stop
    elif host_filter_size != -1:
        raise missing("DescribeAclsRequest.host_filter")
    operation, permission_type = _unpack_bb(buffer, p)
    p += 2
    return DescribeAclsRequest(resource_type_filter, resource_name_filter, pattern_type_filter, principal_filter, host_filter, operation, permission_type), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DescribeAclsRequest, int]:
    """Versions 2, 3."""
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
    return DescribeAclsRequest(resource_type_filter, resource_name_filter, pattern_type_filter, principal_filter, host_filter, operation, permission_type), p


def _encode_0(message: DescribeAclsRequest) -> bytes:
    """Versions 1."""
    resource_name_filter_value = message.resource_name_filter
    if resource_name_filter_value is None:
        resource_name_filter_size, resource_name_filter = -1, b""
    else:
        resource_name_filter = resource_name_filter_value.encode()
        resource_name_filter_size = len(resource_name_filter)
    principal_filter_value = message.principal_filter
    if principal_filter_value is None:
        principal_filter_size, principal_filter = -1, b""
    else:
        principal_filter = principal_filter_value.encode()
        principal_filter_size = len(principal_filter)
    host_filter_value = message.host_filter
    if host_filter_value is None:
        host_filter_size, host_filter = -1, b""
    else:
        host_filter = host_filter_value.encode()
        host_filter_size = len(host_filter)
    return b"".join((_pack_bh(message.resource_type_filter, resource_name_filter_size), resource_name_filter, _pack_bh(message.pattern_type_filter, principal_filter_size), principal_filter, _pack_h(host_filter_size), host_filter, _pack_bb(message.operation, message.permission_type)))


def _encode_1(message: DescribeAclsRequest) -> bytes:
    """Versions 2, 3."""
    resource_name_filter_value = message.resource_name_filter
    if resource_name_filter_value is None:
        resource_name_filter_size, resource_name_filter = 0, b""
    else:
        resource_name_filter = resource_name_filter_value.encode()
        resource_name_filter_size = len(resource_name_filter) + 1
    principal_filter_value = message.principal_filter
    if principal_filter_value is None:
        principal_filter_size, principal_filter = 0, b""
    else:
        principal_filter = principal_filter_value.encode()
        principal_filter_size = len(principal_filter) + 1
    host_filter_value = message.host_filter
    if host_filter_value is None:
        host_filter_size, host_filter = 0, b""
    else:
        host_filter = host_filter_value.encode()
        host_filter_size = len(host_filter) + 1
    return b"".join((_pack_b(message.resource_type_filter), UVARINTS[resource_name_filter_size] if resource_name_filter_size < 256 else string_prefix(resource_name_filter_size), resource_name_filter, _pack_b(message.pattern_type_filter), UVARINTS[principal_filter_size] if principal_filter_size < 256 else string_prefix(principal_filter_size), principal_filter, UVARINTS[host_filter_size] if host_filter_size < 256 else string_prefix(host_filter_size), host_filter, _pack_bbx(message.operation, message.permission_type)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeAclsRequest, int]]]] = {
    1: _decode_0,
    2: _decode_1,
    3: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[DescribeAclsRequest], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
    3: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeAclsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeAclsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeAclsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeAclsRequest v{version} is cut short")
    return result


def encode(message: DescribeAclsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeAclsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeAclsRequest v{version}: {error}") from error
