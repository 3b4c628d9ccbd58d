"""AccessControlEntryRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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
    missing,
    skip_tags,
    string_prefix,
    string_tail,
    UNFIT,
    UVARINTS,
    Wire,
    ZERO_UUID,
)

NAME: Final = "AccessControlEntryRecord"
API_KEY: Final = 18
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_ubB = Struct(">16sbB").unpack_from
_unpack_bB = Struct(">bB").unpack_from
_unpack_bbB = Struct(">bbB").unpack_from
_pack_ub = Struct(">16sb").pack
_pack_b = Struct(">b").pack
_pack_bbx = Struct(">bbx").pack


@dataclass(init=False, repr=False, eq=False)
class AccessControlEntryRecord(Wire):
    """AccessControlEntryRecord."""

    __slots__ = ("id", "resource_type", "resource_name", "pattern_type", "principal", "host", "operation", "permission_type")

    id: bytes
    resource_type: int
    resource_name: str
    pattern_type: int
    principal: str
    host: str
    operation: int
    permission_type: int

    def __init__(
        self,
        id: bytes = ZERO_UUID,
        resource_type: int = 0,
        resource_name: str = "",
        pattern_type: int = 0,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.id = id
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.pattern_type = pattern_type
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type


def _decode_0(buffer: memoryview, p: int) -> tuple[AccessControlEntryRecord, int]:
    """Versions 0."""
    id, resource_type, resource_name_size = _unpack_ubB(buffer, p)
    p += 18
    if resource_name_size > 127:
        resource_name_size, p = string_tail(buffer, p, resource_name_size)
    if resource_name_size == 0:
        raise missing("AccessControlEntryRecord.resource_name")
    stop = p + resource_name_size - 1
    resource_name = buffer[p:stop].tobytes().decode()
    p = stop
    pattern_type, principal_size = _unpack_bB(buffer, p)
    p += 2
    if principal_size > 127:
        principal_size, p = string_tail(buffer, p, principal_size)
    if principal_size == 0:
        raise missing("AccessControlEntryRecord.principal")
    stop = p + principal_size - 1
    principal = buffer[p:stop].tobytes().decode()
    p = stop
    host_size = buffer[p]
    p += 1
    if host_size > 127:
        host_size, p = string_tail(buffer, p, host_size)
    if host_size == 0:
        raise missing("AccessControlEntryRecord.host")
    stop = p + host_size - 1
    host = buffer[p:stop].tobytes().decode()
    p = stop
    operation, permission_type, tags = _unpack_bbB(buffer, p)
    p += 3
    if tags:
        p = skip_tags(buffer, p, tags)
    return AccessControlEntryRecord(id, resource_type, resource_name, pattern_type, principal, host, operation, permission_type), p


def _encode_0(message: AccessControlEntryRecord) -> bytes:
    """Versions 0."""
    id = message.id
    if len(id) != 16:
        raise bad_uuid("AccessControlEntryRecord.id")
    resource_name = message.resource_name.encode()
    resource_name_size = len(resource_name) + 1
    principal = message.principal.encode()
    principal_size = len(principal) + 1
    host = message.host.encode()
    host_size = len(host) + 1
    return b"".join((_pack_ub(id, message.resource_type), UVARINTS[resource_name_size] if resource_name_size < 256 else string_prefix(resource_name_size), resource_name, _pack_b(message.pattern_type), UVARINTS[principal_size] if principal_size < 256 else string_prefix(principal_size), principal, UVARINTS[host_size] if host_size < 256 else string_prefix(host_size), host, _pack_bbx(message.operation, message.permission_type)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AccessControlEntryRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[AccessControlEntryRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AccessControlEntryRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AccessControlEntryRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AccessControlEntryRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AccessControlEntryRecord v{version} is cut short")
    return result


def encode(message: AccessControlEntryRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AccessControlEntryRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AccessControlEntryRecord v{version}: {error}") from error
