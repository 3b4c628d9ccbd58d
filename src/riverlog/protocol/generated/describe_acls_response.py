"""DescribeAclsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DescribeAclsResponse"
API_KEY: Final = 29
VERSIONS: Final[tuple[int, int]] = (1, 3)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_bB = Struct(">bB").unpack_from
_unpack_bb = Struct(">bb").unpack_from
_unpack_bbB = Struct(">bbB").unpack_from
_unpack_bh = Struct(">bh").unpack_from
_unpack_bi = Struct(">bi").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ihh = Struct(">ihh").unpack_from
_pack_b = Struct(">b").pack
_pack_bb = Struct(">bb").pack
_pack_bbx = Struct(">bbx").pack
_pack_bh = Struct(">bh").pack
_pack_bi = Struct(">bi").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ihh = Struct(">ihh").pack


@dataclass(init=False, repr=False, eq=False)
class AclDescription(Wire):
    """AclDescription."""

    __slots__ = ("principal", "host", "operation", "permission_type")

    principal: str
    host: str
    operation: int
    permission_type: int

    def __init__(
        self,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type


@dataclass(init=False, repr=False, eq=False)
class DescribeAclsResource(Wire):
    """DescribeAclsResource."""

    __slots__ = ("resource_type", "resource_name", "pattern_type", "acls")

    resource_type: int
    resource_name: str
    pattern_type: int
    acls: list[AclDescription]

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = "",
        pattern_type: int = 3,
        acls: list[AclDescription] = UNSET,
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.pattern_type = pattern_type
        self.acls = [] if acls is UNSET else acls


@dataclass(init=False, repr=False, eq=False)
class DescribeAclsResponse(Wire):
    """DescribeAclsResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "resources")

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    resources: list[DescribeAclsResource]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        resources: list[DescribeAclsResource] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.resources = [] if resources is UNSET else resources


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeAclsResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, error_message_size = _unpack_ihh(buffer, p)
    p += 8
    error_message: str | None = None
    if error_message_size >= 0:
        stop = p + error_message_size
        error_message = buffer[p:stop].tobytes().decode()
        p = stop
    elif error_message_size != -1:
        raise missing("DescribeAclsResponse.error_message")
    (resources_count,) = _unpack_i(buffer, p)
    p += 4
    if resources_count < 0:
        raise missing("DescribeAclsResponse.resources")
    if resources_count > room or resources_count * 8 > end - p:
        raise too_many("DescribeAclsResponse.resources", resources_count)
    room -= resources_count
    resources: list[DescribeAclsResource] = []
    for _ in range(resources_count):
        resource_type, resource_name_size = _unpack_bh(buffer, p)
        p += 3
        if resource_name_size < 0:
            raise missing("DescribeAclsResponse.resources.resource_name")
        stop = p + resource_name_size
        resource_name = buffer[p:stop].tobytes().decode()
        p = stop
        pattern_type, acls_count = _unpack_bi(buffer, p)
        p += 5
        if acls_count < 0:
            raise missing("DescribeAclsResponse.resources.acls")
        if acls_count > room or acls_count * 6 > end - p:
            raise too_many("DescribeAclsResponse.resources.acls", acls_count)
        room -= acls_count
        acls: list[AclDescription] = []
        for _ in range(acls_count):
            (principal_size,) = _unpack_h(buffer, p)
            p += 2
            if principal_size < 0:
                raise missing("DescribeAclsResponse.resources.acls.principal")
            stop = p + principal_size
            principal = buffer[p:stop].tobytes().decode()
            p = stop
            (host_size,) = _unpack_h(buffer, p)
            p += 2
            if host_size < 0:
                raise missing("DescribeAclsResponse.resources.acls.host")
            stop = p + host_size
            host = buffer[p:stop].tobytes().decode()
            p = stop
            operation, permission_type = _unpack_bb(buffer, p)
            p += 2
            acls.append(AclDescription(principal, host, operation, permission_type))
        resources.append(DescribeAclsResource(resource_type, resource_name, pattern_type, acls))
    return DescribeAclsResponse(throttle_time_ms, error_code, error_message, resources), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DescribeAclsResponse, int]:
    """Versions 2, 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, error_message_size = _unpack_ihB(buffer, p)
    p += 7
    if error_message_size > 127:
        error_message_size, p = string_tail(buffer, p, error_message_size)
    error_message: str | None = None
    if error_message_size:
        stop = p + error_message_size - 1
        error_message = buffer[p:stop].tobytes().decode()
        p = stop
    resources_count = buffer[p]
    p += 1
    if resources_count > 127:
        resources_count, p = uvarint_tail(buffer, p, resources_count)
    if resources_count == 0:
        raise missing("DescribeAclsResponse.resources")
    resources_count -= 1
    if resources_count > room or resources_count * 5 > end - p:
        raise too_many("DescribeAclsResponse.resources", resources_count)
    room -= resources_count
    resources: list[DescribeAclsResource] = []
    for _ in range(resources_count):
        resource_type, resource_name_size = _unpack_bB(buffer, p)
        p += 2
        if resource_name_size > 127:
            resource_name_size, p = string_tail(buffer, p, resource_name_size)
        if resource_name_size == 0:
            raise missing("DescribeAclsResponse.resources.resource_name")
        stop = p + resource_name_size - 1
        resource_name = buffer[p:stop].tobytes().decode()
        p = stop
        pattern_type, acls_count = _unpack_bB(buffer, p)
        p += 2
        if acls_count > 127:
            acls_count, p = uvarint_tail(buffer, p, acls_count)
        if acls_count == 0:
            raise missing("DescribeAclsResponse.resources.acls")
        acls_count -= 1
        if acls_count > room or acls_count * 5 > end - p:
            raise too_many("DescribeAclsResponse.resources.acls", acls_count)
        room -= acls_count
        acls: list[AclDescription] = []
        for _ in range(acls_count):
            principal_size = buffer[p]
            p += 1
            if principal_size > 127:
                principal_size, p = string_tail(buffer, p, principal_size)
            if principal_size == 0:
                raise missing("DescribeAclsResponse.resources.acls.principal")
            stop = p + principal_size - 1
            principal = buffer[p:stop].tobytes().decode()
            p = stop
            host_size = buffer[p]
            p += 1
            if host_size > 127:
                host_size, p = string_tail(buffer, p, host_size)
            if host_size == 0:
                raise missing("DescribeAclsResponse.resources.acls.host")
            stop = p + host_size - 1
            host = buffer[p:stop].tobytes().decode()
            p = stop
            operation, permission_type, tags = _unpack_bbB(buffer, p)
            p += 3
            if tags:
                p = skip_tags(buffer, p, tags)
            acls.append(AclDescription(principal, host, operation, permission_type))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        resources.append(DescribeAclsResource(resource_type, resource_name, pattern_type, acls))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return DescribeAclsResponse(throttle_time_ms, error_code, error_message, resources), p


def _encode_0(message: DescribeAclsResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = -1, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message)
    resources = message.resources
    out += (
        _pack_ihh(message.throttle_time_ms, message.error_code, error_message_size),
        error_message,
        _pack_i(len(resources)),
    )
    for element in resources:
        resource_name = element.resource_name.encode()
        resource_name_size = len(resource_name)
        acls = element.acls
        out += (
            _pack_bh(element.resource_type, resource_name_size),
            resource_name,
            _pack_bi(element.pattern_type, len(acls)),
        )
        for element_2 in acls:
            principal = element_2.principal.encode()
            principal_size = len(principal)
            host = element_2.host.encode()
            host_size = len(host)
            out += (
                _pack_h(principal_size),
                principal,
                _pack_h(host_size),
                host,
                _pack_bb(element_2.operation, element_2.permission_type),
            )
    return b"".join(out)


def _encode_1(message: DescribeAclsResponse) -> bytes:
    """Versions 2, 3."""
    out: list[bytes] = []
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    resources = message.resources
    resources_count = len(resources) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
        error_message,
        UVARINTS[resources_count] if resources_count < 256 else uvarint(resources_count),
    )
    for element in resources:
        resource_name = element.resource_name.encode()
        resource_name_size = len(resource_name) + 1
        acls = element.acls
        acls_count = len(acls) + 1
        out += (
            _pack_b(element.resource_type),
            UVARINTS[resource_name_size] if resource_name_size < 256 else string_prefix(resource_name_size),
            resource_name,
            _pack_b(element.pattern_type),
            UVARINTS[acls_count] if acls_count < 256 else uvarint(acls_count),
        )
        for element_2 in acls:
            principal = element_2.principal.encode()
            principal_size = len(principal) + 1
            host = element_2.host.encode()
            host_size = len(host) + 1
            out += (
                UVARINTS[principal_size] if principal_size < 256 else string_prefix(principal_size),
                principal,
                UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
                host,
                _pack_bbx(element_2.operation, element_2.permission_type),
            )
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeAclsResponse, int]]]] = {
    1: _decode_0,
    2: _decode_1,
    3: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[DescribeAclsResponse], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
    3: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeAclsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeAclsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeAclsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeAclsResponse v{version} is cut short")
    return result


def encode(message: DescribeAclsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeAclsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeAclsResponse v{version}: {error}") from error
