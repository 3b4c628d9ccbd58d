"""BrokerRegistrationRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    not_in_version,
    read_uuids,
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
    write_uuids,
    ZERO_UUID,
)

NAME: Final = "BrokerRegistrationRequest"
API_KEY: Final = 62
VERSIONS: Final[tuple[int, int]] = (0, 4)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_zB = Struct(">?B").unpack_from
_unpack_HhB = Struct(">HhB").unpack_from
_unpack_hhB = Struct(">hhB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_qB = Struct(">qB").unpack_from
_pack_u = Struct(">16s").pack
_pack_z = Struct(">?").pack
_pack_zx = Struct(">?x").pack
_pack_Hhx = Struct(">Hhx").pack
_pack_hhx = Struct(">hhx").pack
_pack_i = Struct(">i").pack
_pack_qx = Struct(">qx").pack


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
class BrokerRegistrationRequest(Wire):
    """BrokerRegistrationRequest."""

    __slots__ = ("broker_id", "cluster_id", "incarnation_id", "listeners", "features", "rack", "is_migrating_zk_broker", "log_dirs", "previous_broker_epoch")

    broker_id: int
    cluster_id: str
    incarnation_id: bytes
    listeners: list[Listener]
    features: list[Feature]
    rack: str | None
    is_migrating_zk_broker: bool
    log_dirs: list[bytes]
    previous_broker_epoch: int

    def __init__(
        self,
        broker_id: int = 0,
        cluster_id: str = "",
        incarnation_id: bytes = ZERO_UUID,
        listeners: list[Listener] = UNSET,
        features: list[Feature] = UNSET,
        rack: str | None = "",
        is_migrating_zk_broker: bool = False,
        log_dirs: list[bytes] = UNSET,
        previous_broker_epoch: int = -1,
    ) -> None:
        self.broker_id = broker_id
        self.cluster_id = cluster_id
        self.incarnation_id = incarnation_id
        self.listeners = [] if listeners is UNSET else listeners
        self.features = [] if features is UNSET else features
        self.rack = rack
        self.is_migrating_zk_broker = is_migrating_zk_broker
        self.log_dirs = [] if log_dirs is UNSET else log_dirs
        self.previous_broker_epoch = previous_broker_epoch


def _decode_0(buffer: memoryview, p: int) -> tuple[BrokerRegistrationRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    broker_id, cluster_id_size = _unpack_iB(buffer, p)
    p += 5
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    if cluster_id_size == 0:
        raise missing("BrokerRegistrationRequest.cluster_id")
    stop = p + cluster_id_size - 1
    cluster_id = buffer[p:stop].tobytes().decode()
    p = stop
    incarnation_id, listeners_count = _unpack_uB(buffer, p)
    p += 17
    if listeners_count > 127:
        listeners_count, p = uvarint_tail(buffer, p, listeners_count)
    if listeners_count == 0:
        raise missing("BrokerRegistrationRequest.listeners")
    listeners_count -= 1
    if listeners_count > room or listeners_count * 7 > end - p:
        raise too_many("BrokerRegistrationRequest.listeners", listeners_count)
    room -= listeners_count
    listeners: list[Listener] = []
    for _ in range(listeners_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("BrokerRegistrationRequest.listeners.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("BrokerRegistrationRequest.listeners.host")
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
        raise missing("BrokerRegistrationRequest.features")
    features_count -= 1
    if features_count > room or features_count * 6 > end - p:
        raise too_many("BrokerRegistrationRequest.features", features_count)
    room -= features_count
    features: list[Feature] = []
    for _ in range(features_count):
        name_size_2 = buffer[p]
        p += 1
        if name_size_2 > 127:
            name_size_2, p = string_tail(buffer, p, name_size_2)
        if name_size_2 == 0:
            raise missing("BrokerRegistrationRequest.features.name")
        stop = p + name_size_2 - 1
        name_2 = buffer[p:stop].tobytes().decode()
        p = stop
        min_supported_version, max_supported_version, tags_2 = _unpack_hhB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        features.append(Feature(name_2, min_supported_version, max_supported_version))
    rack_size = buffer[p]
    p += 1
    if rack_size > 127:
        rack_size, p = string_tail(buffer, p, rack_size)
    rack: str | None = None
    if rack_size:
        stop = p + rack_size - 1
        rack = buffer[p:stop].tobytes().decode()
        p = stop
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return BrokerRegistrationRequest(broker_id, cluster_id, incarnation_id, listeners, features, rack, False, [], -1), p


def _decode_1(buffer: memoryview, p: int) -> tuple[BrokerRegistrationRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    broker_id, cluster_id_size = _unpack_iB(buffer, p)
    p += 5
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    if cluster_id_size == 0:
        raise missing("BrokerRegistrationRequest.cluster_id")
    stop = p + cluster_id_size - 1
    cluster_id = buffer[p:stop].tobytes().decode()
    p = stop
    incarnation_id, listeners_count = _unpack_uB(buffer, p)
    p += 17
    if listeners_count > 127:
        listeners_count, p = uvarint_tail(buffer, p, listeners_count)
    if listeners_count == 0:
        raise missing("BrokerRegistrationRequest.listeners")
    listeners_count -= 1
    if listeners_count > room or listeners_count * 7 > end - p:
        raise too_many("BrokerRegistrationRequest.listeners", listeners_count)
    room -= listeners_count
    listeners: list[Listener] = []
    for _ in range(listeners_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("BrokerRegistrationRequest.listeners.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("BrokerRegistrationRequest.listeners.host")
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
        raise missing("BrokerRegistrationRequest.features")
    features_count -= 1
    if features_count > room or features_count * 6 > end - p:
        raise too_many("BrokerRegistrationRequest.features", features_count)
    room -= features_count
    features: list[Feature] = []
    for _ in range(features_count):
        name_size_2 = buffer[p]
        p += 1
        if name_size_2 > 127:
            name_size_2, p = string_tail(buffer, p, name_size_2)
        if name_size_2 == 0:
            raise missing("BrokerRegistrationRequest.features.name")
        stop = p + name_size_2 - 1
        name_2 = buffer[p:stop].tobytes().decode()
        p = stop
        min_supported_version, max_supported_version, tags_2 = _unpack_hhB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        features.append(Feature(name_2, min_supported_version, max_supported_version))
    rack_size = buffer[p]
    p += 1
    if rack_size > 127:
        rack_size, p = string_tail(buffer, p, rack_size)
    rack: str | None = None
    if rack_size:
        stop = p + rack_size - 1
        rack = buffer[p:stop].tobytes().decode()
        p = stop
    is_migrating_zk_broker, tags_3 = _unpack_zB(buffer, p)
    p += 2
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return BrokerRegistrationRequest(broker_id, cluster_id, incarnation_id, listeners, features, rack, is_migrating_zk_broker, [], -1), p


def _decode_2(buffer: memoryview, p: int) -> tuple[BrokerRegistrationRequest, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    broker_id, cluster_id_size = _unpack_iB(buffer, p)
    p += 5
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    if cluster_id_size == 0:
        raise missing("BrokerRegistrationRequest.cluster_id")
    stop = p + cluster_id_size - 1
    cluster_id = buffer[p:stop].tobytes().decode()
    p = stop
    incarnation_id, listeners_count = _unpack_uB(buffer, p)
    p += 17
    if listeners_count > 127:
        listeners_count, p = uvarint_tail(buffer, p, listeners_count)
    if listeners_count == 0:
        raise missing("BrokerRegistrationRequest.listeners")
    listeners_count -= 1
    if listeners_count > room or listeners_count * 7 > end - p:
        raise too_many("BrokerRegistrationRequest.listeners", listeners_count)
    room -= listeners_count
    listeners: list[Listener] = []
    for _ in range(listeners_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("BrokerRegistrationRequest.listeners.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("BrokerRegistrationRequest.listeners.host")
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
        raise missing("BrokerRegistrationRequest.features")
    features_count -= 1
    if features_count > room or features_count * 6 > end - p:
        raise too_many("BrokerRegistrationRequest.features", features_count)
    room -= features_count
    features: list[Feature] = []
    for _ in range(features_count):
        name_size_2 = buffer[p]
        p += 1
        if name_size_2 > 127:
            name_size_2, p = string_tail(buffer, p, name_size_2)
        if name_size_2 == 0:
            raise missing("BrokerRegistrationRequest.features.name")
        stop = p + name_size_2 - 1
        name_2 = buffer[p:stop].tobytes().decode()
        p = stop
        min_supported_version, max_supported_version, tags_2 = _unpack_hhB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        features.append(Feature(name_2, min_supported_version, max_supported_version))
    rack_size = buffer[p]
    p += 1
    if rack_size > 127:
        rack_size, p = string_tail(buffer, p, rack_size)
    rack: str | None = None
    if rack_size:
        stop = p + rack_size - 1
        rack = buffer[p:stop].tobytes().decode()
        p = stop
    is_migrating_zk_broker, log_dirs_count = _unpack_zB(buffer, p)
    p += 2
    if log_dirs_count > 127:
        log_dirs_count, p = uvarint_tail(buffer, p, log_dirs_count)
    if log_dirs_count == 0:
        raise missing("BrokerRegistrationRequest.log_dirs")
    log_dirs_count -= 1
    log_dirs = read_uuids(buffer, p, log_dirs_count)
    p += log_dirs_count * 16
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return BrokerRegistrationRequest(broker_id, cluster_id, incarnation_id, listeners, features, rack, is_migrating_zk_broker, log_dirs, -1), p


def _decode_3(buffer: memoryview, p: int) -> tuple[BrokerRegistrationRequest, int]:
    """Versions 3, 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    broker_id, cluster_id_size = _unpack_iB(buffer, p)
    p += 5
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    if cluster_id_size == 0:
        raise missing("BrokerRegistrationRequest.cluster_id")
    stop = p + cluster_id_size - 1
    cluster_id = buffer[p:stop].tobytes().decode()
    p = stop
    incarnation_id, listeners_count = _unpack_uB(buffer, p)
    p += 17
    if listeners_count > 127:
        listeners_count, p = uvarint_tail(buffer, p, listeners_count)
    if listeners_count == 0:
        raise missing("BrokerRegistrationRequest.listeners")
    listeners_count -= 1
    if listeners_count > room or listeners_count * 7 > end - p:
        raise too_many("BrokerRegistrationRequest.listeners", listeners_count)
    room -= listeners_count
    listeners: list[Listener] = []
    for _ in range(listeners_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("BrokerRegistrationRequest.listeners.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("BrokerRegistrationRequest.listeners.host")
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
        raise missing("BrokerRegistrationRequest.features")
    features_count -= 1
    if features_count > room or features_count * 6 > end - p:
        raise too_many("BrokerRegistrationRequest.features", features_count)
    room -= features_count
    features: list[Feature] = []
    for _ in range(features_count):
        name_size_2 = buffer[p]
        p += 1
        if name_size_2 > 127:
            name_size_2, p = string_tail(buffer, p, name_size_2)
        if name_size_2 == 0:
            raise missing("BrokerRegistrationRequest.features.name")
        stop = p + name_size_2 - 1
        name_2 = buffer[p:stop].tobytes().decode()
        p = stop
        min_supported_version, max_supported_version, tags_2 = _unpack_hhB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        features.append(Feature(name_2, min_supported_version, max_supported_version))
    rack_size = buffer[p]
    p += 1
    if rack_size > 127:
        rack_size, p = string_tail(buffer, p, rack_size)
    rack: str | None = None
    if rack_size:
        stop = p + rack_size - 1
        rack = buffer[p:stop].tobytes().decode()
        p = stop
    is_migrating_zk_broker, log_dirs_count = _unpack_zB(buffer, p)
    p += 2
    if log_dirs_count > 127:
        log_dirs_count, p = uvarint_tail(buffer, p, log_dirs_count)
    if log_dirs_count == 0:
        raise missing("BrokerRegistrationRequest.log_dirs")
    log_dirs_count -= 1
    log_dirs = read_uuids(buffer, p, log_dirs_count)
    p += log_dirs_count * 16
    previous_broker_epoch, tags_3 = _unpack_qB(buffer, p)
    p += 9
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return BrokerRegistrationRequest(broker_id, cluster_id, incarnation_id, listeners, features, rack, is_migrating_zk_broker, log_dirs, previous_broker_epoch), p


def _encode_0(message: BrokerRegistrationRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    cluster_id = message.cluster_id.encode()
    cluster_id_size = len(cluster_id) + 1
    incarnation_id = message.incarnation_id
    if len(incarnation_id) != 16:
        raise bad_uuid("BrokerRegistrationRequest.incarnation_id")
    listeners = message.listeners
    listeners_count = len(listeners) + 1
    out += (
        _pack_i(message.broker_id),
        UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
        cluster_id,
        _pack_u(incarnation_id),
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
    rack_value = message.rack
    if rack_value is None:
        rack_size, rack = 0, b""
    else:
        rack = rack_value.encode()
        rack_size = len(rack) + 1
    if message.is_migrating_zk_broker:
        raise not_in_version("BrokerRegistrationRequest.is_migrating_zk_broker")
    out += (UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size), rack, b"\0")
    return b"".join(out)


def _encode_1(message: BrokerRegistrationRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    cluster_id = message.cluster_id.encode()
    cluster_id_size = len(cluster_id) + 1
    incarnation_id = message.incarnation_id
    if len(incarnation_id) != 16:
        raise bad_uuid("BrokerRegistrationRequest.incarnation_id")
    listeners = message.listeners
    listeners_count = len(listeners) + 1
    out += (
        _pack_i(message.broker_id),
        UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
        cluster_id,
        _pack_u(incarnation_id),
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
    rack_value = message.rack
    if rack_value is None:
        rack_size, rack = 0, b""
    else:
        rack = rack_value.encode()
        rack_size = len(rack) + 1
    out += (
        UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
        rack,
        _pack_zx(message.is_migrating_zk_broker),
    )
    return b"".join(out)


def _encode_2(message: BrokerRegistrationRequest) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    cluster_id = message.cluster_id.encode()
    cluster_id_size = len(cluster_id) + 1
    incarnation_id = message.incarnation_id
    if len(incarnation_id) != 16:
        raise bad_uuid("BrokerRegistrationRequest.incarnation_id")
    listeners = message.listeners
    listeners_count = len(listeners) + 1
    out += (
        _pack_i(message.broker_id),
        UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
        cluster_id,
        _pack_u(incarnation_id),
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
    rack_value = message.rack
    if rack_value is None:
        rack_size, rack = 0, b""
    else:
        rack = rack_value.encode()
        rack_size = len(rack) + 1
    log_dirs = message.log_dirs
    log_dirs_count = len(log_dirs) + 1
    out += (
        UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
        rack,
        _pack_z(message.is_migrating_zk_broker),
        UVARINTS[log_dirs_count] if log_dirs_count < 256 else uvarint(log_dirs_count),
        write_uuids(log_dirs),
        b"\0",
    )
    return b"".join(out)


def _encode_3(message: BrokerRegistrationRequest) -> bytes:
    """Versions 3, 4."""
    out: list[bytes] = []
    cluster_id = message.cluster_id.encode()
    cluster_id_size = len(cluster_id) + 1
    incarnation_id = message.incarnation_id
    if len(incarnation_id) != 16:
        raise bad_uuid("BrokerRegistrationRequest.incarnation_id")
    listeners = message.listeners
    listeners_count = len(listeners) + 1
    out += (
        _pack_i(message.broker_id),
        UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
        cluster_id,
        _pack_u(incarnation_id),
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
    rack_value = message.rack
    if rack_value is None:
        rack_size, rack = 0, b""
    else:
        rack = rack_value.encode()
        rack_size = len(rack) + 1
    log_dirs = message.log_dirs
    log_dirs_count = len(log_dirs) + 1
    out += (
        UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
        rack,
        _pack_z(message.is_migrating_zk_broker),
        UVARINTS[log_dirs_count] if log_dirs_count < 256 else uvarint(log_dirs_count),
        write_uuids(log_dirs),
        _pack_qx(message.previous_broker_epoch),
    )
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[BrokerRegistrationRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
    3: _decode_3,
    4: _decode_3,
}
_ENCODERS: Final[dict[int, Callable[[BrokerRegistrationRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
    3: _encode_3,
    4: _encode_3,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[BrokerRegistrationRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"BrokerRegistrationRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"BrokerRegistrationRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"BrokerRegistrationRequest v{version} is cut short")
    return result


def encode(message: BrokerRegistrationRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"BrokerRegistrationRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"BrokerRegistrationRequest v{version}: {error}") from error
