"""CreateAclsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "CreateAclsRequest"
API_KEY: Final = 30
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
class AclCreation(Wire):
    """AclCreation."""

    __slots__ = ("resource_type", "resource_name", "resource_pattern_type", "principal", "host", "operation", "permission_type")

    resource_type: int
    resource_name: str
    resource_pattern_type: int
    principal: str
    host: str
    operation: int
    permission_type: int

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = "",
        resource_pattern_type: int = 3,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.resource_pattern_type = resource_pattern_type
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type


@dataclass(init=False, repr=False, eq=False)
class CreateAclsRequest(Wire):
    """CreateAclsRequest."""

    __slots__ = ("creations",)

    creations: list[AclCreation]

    def __init__(
        self,
        creations: list[AclCreation] = UNSET,
    ) -> None:
        self.creations = [] if creations is UNSET else creations


def _decode_0(buffer: memoryview, p: int) -> tuple[CreateAclsRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (creations_count,) = _unpack_i(buffer, p)
    p += 4
    if creations_count < 0:
        raise missing("CreateAclsRequest.creations")
    if creations_count > room or creations_count * 10 > end - p:
        raise too_many("CreateAclsRequest.creations", creations_count)
    room -= creations_count
    creations: list[AclCreation] = []
    for _ in range(creations_count):
        resource_type, resource_name_size = _unpack_bh(buffer, p)
        p += 3
        if resource_name_size < 0:
            raise missing("CreateAclsRequest.creations.resource_name")
        stop = p + resource_name_size
        resource_name = buffer[p:stop].tobytes().decode()
        p = stop
        resource_pattern_type, principal_size = _unpack_bh(buffer, p)
        p += 3
        if principal_size < 0:
            raise missing("CreateAclsRequest.creations.principal")
        stop = p + principal_size
        principal = buffer[p:stop].tobytes().decode()
        p = stop
        (host_size,) = _unpack_h(buffer, p)
        p += 2
        if host_size < 0:
            raise missing("CreateAclsRequest.creations.host")
        stop = p + host_size
        host = buffer[p:stop].tobytes().decode()
        p = stop
        operation, permission_type = _unpack_bb(buffer, p)
        p += 2
        creations.append(AclCreation(resource_type, resource_name, resource_pattern_type, principal, host, operation, permission_type))
    return CreateAclsRequest(creations), p


def _decode_1(buffer: memoryview, p: int) -> tuple[CreateAclsRequest, int]:
    """Versions 2, 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    creations_count = buffer[p]
    p += 1
    if creations_count > 127:
        creations_count, p = uvarint_tail(buffer, p, creations_count)
    if creations_count == 0:
        raise missing("CreateAclsRequest.creations")
    creations_count -= 1
    if creations_count > room or creations_count * 8 > end - p:
        raise too_many("CreateAclsRequest.creations", creations_count)
    room -= creations_count
    creations: list[AclCreation] = []
    for _ in range(creations_count):
        resource_type, resource_name_size = _unpack_bB(buffer, p)
        p += 2
        if resource_name_size > 127:
            resource_name_size, p = string_tail(buffer, p, resource_name_size)
        if resource_name_size == 0:
            raise missing("CreateAclsRequest.creations.resource_name")
        stop = p + resource_name_size - 1
        resource_name = buffer[p:stop].tobytes().decode()
        p = stop
        resource_pattern_type, principal_size = _unpack_bB(buffer, p)
        p += 2
        if principal_size > 127:
            principal_size, p = string_tail(buffer, p, principal_size)
        if principal_size == 0:
            raise missing("CreateAclsRequest.creations.principal")
        stop = p + principal_size - 1
        principal = buffer[p:stop].tobytes().decode()
        p = stop
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("CreateAclsRequest.creations.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        operation, permission_type, tags = _unpack_bbB(buffer, p)
        p += 3
        if tags:
            p = skip_tags(buffer, p, tags)
        creations.append(AclCreation(resource_type, resource_name, resource_pattern_type, principal, host, operation, permission_type))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return CreateAclsRequest(creations), p


def _encode_0(message: CreateAclsRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    creations = message.creations
    out.append(_pack_i(len(creations)))
    for element in creations:
        resource_name = element.resource_name.encode()
        resource_name_size = len(resource_name)
        principal = element.principal.encode()
        principal_size = len(principal)
        host = element.host.encode()
        host_size = len(host)
        out += (
            _pack_bh(element.resource_type, resource_name_size),
            resource_name,
            _pack_bh(element.resource_pattern_type, principal_size),
            principal,
            _pack_h(host_size),
            host,
            _pack_bb(element.operation, element.permission_type),
        )
    return b"".join(out)


def _encode_1(message: CreateAclsRequest) -> bytes:
    """Versions 2, 3."""
    out: list[bytes] = []
    creations = message.creations
    creations_count = len(creations) + 1
    out.append(UVARINTS[creations_count] if creations_count < 256 else uvarint(creations_count))
    for element in creations:
        resource_name = element.resource_name.encode()
        resource_name_size = len(resource_name) + 1
        principal = element.principal.encode()
        principal_size = len(principal) + 1
        host = element.host.encode()
        host_size = len(host) + 1
        out += (
            _pack_b(element.resource_type),
            UVARINTS[resource_name_size] if resource_name_size < 256 else string_prefix(resource_name_size),
            resource_name,
            _pack_b(element.resource_pattern_type),
            UVARINTS[principal_size] if principal_size < 256 else string_prefix(principal_size),
            principal,
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_bbx(element.operation, element.permission_type),
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[CreateAclsRequest, int]]]] = {
    1: _decode_0,
    2: _decode_1,
    3: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[CreateAclsRequest], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
    3: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[CreateAclsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"CreateAclsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"CreateAclsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"CreateAclsRequest v{version} is cut short")
    return result


def encode(message: CreateAclsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"CreateAclsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"CreateAclsRequest v{version}: {error}") from error
