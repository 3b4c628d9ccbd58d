"""ControllerRegistrationRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    ZERO_UUID,
)

NAME: Final = "ControllerRegistrationRequest"
API_KEY: Final = 70
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_HhB = Struct(">HhB").unpack_from
_unpack_hhB = Struct(">hhB").unpack_from
_unpack_iuzB = Struct(">i16s?B").unpack_from
_pack_Hhx = Struct(">Hhx").pack
_pack_hhx = Struct(">hhx").pack
_pack_iuz = Struct(">i16s?").pack


@dataclass(init=False, repr=False, eq=False)
class Listener(Wire):
    """Listener."""

    __slots__ = ("name", "host", "port", "security_protocol")

    name: str
    host: str
    port: int
    security_protocol: int

    def __init__(
        self,
        name: str = "",
        host: str = "",
        port: int = 0,
        security_protocol: int = 0,
    ) -> None:
        self.name = name
        self.host = host
        self.port = port
        self.security_protocol = security_protocol


@dataclass(init=False, repr=False, eq=False)
class Feature(Wire):
    """Feature."""

    __slots__ = ("name", "min_supported_version", "max_supported_version")

    name: str
    min_supported_version: int
    max_supported_version: int

    def __init__(
        self,
        name: str = "",
        min_supported_version: int = 0,
        max_supported_version: int = 0,
    ) -> None:
        self.name = name
        self.min_supported_version = min_supported_version
        self.max_supported_version = max_supported_version


@dataclass(init=False, repr=False, eq=False)
class ControllerRegistrationRequest(Wire):
    """ControllerRegistrationRequest."""

    __slots__ = ("controller_id", "incarnation_id", "zk_migration_ready", "listeners", "features")

    controller_id: int
    incarnation_id: bytes
    zk_migration_ready: bool
    listeners: list[Listener]
    features: list[Feature]

    def __init__(
        self,
        controller_id: int = 0,
        incarnation_id: bytes = ZERO_UUID,
        zk_migration_ready: bool = False,
        listeners: list[Listener] = UNSET,
        features: list[Feature] = UNSET,
    ) -> None:
        self.controller_id = controller_id
        self.incarnation_id = incarnation_id
        self.zk_migration_ready = zk_migration_ready
        self.listeners = [] if listeners is UNSET else listeners
        self.features = [] if features is UNSET else features


def _decode_0(buffer: memoryview, p: int) -> tuple[ControllerRegistrationRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    controller_id, incarnation_id, zk_migration_ready, listeners_count = _unpack_iuzB(buffer, p)
    p += 22
    if listeners_count > 127:
        listeners_count, p = uvarint_tail(buffer, p, listeners_count)
    if listeners_count == 0:
        raise missing("ControllerRegistrationRequest.listeners")
    listeners_count -= 1
    if listeners_count > room or listeners_count * 7 > end - p:
        raise too_many("ControllerRegistrationRequest.listeners", listeners_count)
    room -= listeners_count
    listeners: list[Listener] = []
    for _ in range(listeners_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("ControllerRegistrationRequest.listeners.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("ControllerRegistrationRequest.listeners.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, security_protocol, tags = _unpack_HhB(buffer, p)
        p += 5
        if tags:
            p = skip_tags(buffer, p, tags)
        listeners.append(Listener(name, host, port, security_protocol))
    features_count = buffer[p]
    p += 1
    if features_count > 127:
        features_count, p = uvarint_tail(buffer, p, features_count)
    if features_count == 0:
        raise missing("ControllerRegistrationRequest.features")
    features_count -= 1
    if features_count > room or features_count * 6 > end - p:
        raise too_many("ControllerRegistrationRequest.features", features_count)
    room -= features_count
    features: list[Feature] = []
    for _ in range(features_count):
        name_size_2 = buffer[p]
        p += 1
        if name_size_2 > 127:
            name_size_2, p = string_tail(buffer, p, name_size_2)
        if name_size_2 == 0:
            raise missing("ControllerRegistrationRequest.features.name")
        stop = p + name_size_2 - 1
        name_2 = buffer[p:stop].tobytes().decode()
        p = stop
        min_supported_version, max_supported_version, tags_2 = _unpack_hhB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        features.append(Feature(name_2, min_supported_version, max_supported_version))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return ControllerRegistrationRequest(controller_id, incarnation_id, zk_migration_ready, listeners, features), p


def _encode_0(message: ControllerRegistrationRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    incarnation_id = message.incarnation_id
    if len(incarnation_id) != 16:
        raise bad_uuid("ControllerRegistrationRequest.incarnation_id")
    listeners = message.listeners
    listeners_count = len(listeners) + 1
    out += (
        _pack_iuz(message.controller_id, incarnation_id, message.zk_migration_ready),
        UVARINTS[listeners_count] if listeners_count < 256 else uvarint(listeners_count),
    )
    for element in listeners:
        name = element.name.encode()
        name_size = len(name) + 1
        host = element.host.encode()
        host_size = len(host) + 1
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_Hhx(element.port, element.security_protocol),
        )
    features = message.features
    features_count = len(features) + 1
    out.append(UVARINTS[features_count] if features_count < 256 else uvarint(features_count))
    for element_2 in features:
        name_2 = element_2.name.encode()
        name_size_2 = len(name_2) + 1
        out += (
            UVARINTS[name_size_2] if name_size_2 < 256 else string_prefix(name_size_2),
            name_2,
            _pack_hhx(element_2.min_supported_version, element_2.max_supported_version),
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ControllerRegistrationRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ControllerRegistrationRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ControllerRegistrationRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ControllerRegistrationRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ControllerRegistrationRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ControllerRegistrationRequest v{version} is cut short")
    return result


def encode(message: ControllerRegistrationRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ControllerRegistrationRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ControllerRegistrationRequest v{version}: {error}") from error
