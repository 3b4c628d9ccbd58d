"""RegisterBrokerRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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
    read_tag,
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

NAME: Final = "RegisterBrokerRecord"
API_KEY: Final = 0
VERSIONS: Final[tuple[int, int]] = (0, 4)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_zzB = Struct(">??B").unpack_from
_unpack_zB = Struct(">?B").unpack_from
_unpack_HhB = Struct(">HhB").unpack_from
_unpack_hhB = Struct(">hhB").unpack_from
_unpack_iuqB = Struct(">i16sqB").unpack_from
_unpack_izuqB = Struct(">i?16sqB").unpack_from
_pack_zz = Struct(">??").pack
_pack_zzx = Struct(">??x").pack
_pack_zx = Struct(">?x").pack
_pack_Hhx = Struct(">Hhx").pack
_pack_hhx = Struct(">hhx").pack
_pack_iuq = Struct(">i16sq").pack
_pack_izuq = Struct(">i?16sq").pack


@dataclass(init=False, repr=False, eq=False)
class BrokerEndpoint(Wire):
    """BrokerEndpoint."""

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
class BrokerFeature(Wire):
    """BrokerFeature."""

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
class RegisterBrokerRecord(Wire):
    """RegisterBrokerRecord."""

    __slots__ = ("broker_id", "is_migrating_zk_broker", "incarnation_id", "broker_epoch", "end_points", "features", "rack", "fenced", "in_controlled_shutdown", "log_dirs", "cordoned_log_dirs")

    broker_id: int
    is_migrating_zk_broker: bool
    incarnation_id: bytes
    broker_epoch: int
    end_points: list[BrokerEndpoint]
    features: list[BrokerFeature]
    rack: str | None
    fenced: bool
    in_controlled_shutdown: bool
    log_dirs: list[bytes]
    cordoned_log_dirs: list[bytes] | None

    def __init__(
        self,
        broker_id: int = 0,
        is_migrating_zk_broker: bool = False,
        incarnation_id: bytes = ZERO_UUID,
        broker_epoch: int = 0,
        end_points: list[BrokerEndpoint] = UNSET,
        features: list[BrokerFeature] = UNSET,
        rack: str | None = "",
        fenced: bool = True,
        in_controlled_shutdown: bool = False,
        log_dirs: list[bytes] = UNSET,
        cordoned_log_dirs: list[bytes] | None = None,
    ) -> None:
        self.broker_id = broker_id
        self.is_migrating_zk_broker = is_migrating_zk_broker
        self.incarnation_id = incarnation_id
        self.broker_epoch = broker_epoch
        self.end_points = [] if end_points is UNSET else end_points
        self.features = [] if features is UNSET else features
        self.rack = rack
        self.fenced = fenced
        self.in_controlled_shutdown = in_controlled_shutdown
        self.log_dirs = [] if log_dirs is UNSET else log_dirs
        self.cordoned_log_dirs = cordoned_log_dirs


def _decode_0(buffer: memoryview, p: int) -> tuple[RegisterBrokerRecord, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    broker_id, incarnation_id, broker_epoch, end_points_count = _unpack_iuqB(buffer, p)
    p += 29
    if end_points_count > 127:
        end_points_count, p = uvarint_tail(buffer, p, end_points_count)
    if end_points_count == 0:
        raise missing("RegisterBrokerRecord.end_points")
    end_points_count -= 1
    if end_points_count > room or end_points_count * 7 > end - p:
        raise too_many("RegisterBrokerRecord.end_points", end_points_count)
    room -= end_points_count
    end_points: list[BrokerEndpoint] = []
    for _ in range(end_points_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("RegisterBrokerRecord.end_points.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("RegisterBrokerRecord.end_points.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, security_protocol, tags = _unpack_HhB(buffer, p)
        p += 5
        if tags:
            p = skip_tags(buffer, p, tags)
        end_points.append(BrokerEndpoint(name, host, port, security_protocol))
    features_count = buffer[p]
    p += 1
    if features_count > 127:
        features_count, p = uvarint_tail(buffer, p, features_count)
    if features_count == 0:
        raise missing("RegisterBrokerRecord.features")
    features_count -= 1
    if features_count > room or features_count * 6 > end - p:
        raise too_many("RegisterBrokerRecord.features", features_count)
    room -= features_count
    features: list[BrokerFeature] = []
    for _ in range(features_count):
        name_size_2 = buffer[p]
        p += 1
        if name_size_2 > 127:
            name_size_2, p = string_tail(buffer, p, name_size_2)
        if name_size_2 == 0:
            raise missing("RegisterBrokerRecord.features.name")
        stop = p + name_size_2 - 1
        name_2 = buffer[p:stop].tobytes().decode()
        p = stop
        min_supported_version, max_supported_version, tags_2 = _unpack_hhB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        features.append(BrokerFeature(name_2, min_supported_version, max_supported_version))
    rack_size = buffer[p]
    p += 1
    if rack_size > 127:
        rack_size, p = string_tail(buffer, p, rack_size)
    rack: str | None = None
    if rack_size:
        stop = p + rack_size - 1
        rack = buffer[p:stop].tobytes().decode()
        p = stop
    fenced, tags_3 = _unpack_zB(buffer, p)
    p += 2
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return RegisterBrokerRecord(broker_id, False, incarnation_id, broker_epoch, end_points, features, rack, fenced, False, [], None), p


def _decode_1(buffer: memoryview, p: int) -> tuple[RegisterBrokerRecord, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    broker_id, incarnation_id, broker_epoch, end_points_count = _unpack_iuqB(buffer, p)
    p += 29
    if end_points_count > 127:
        end_points_count, p = uvarint_tail(buffer, p, end_points_count)
    if end_points_count == 0:
        raise missing("RegisterBrokerRecord.end_points")
    end_points_count -= 1
    if end_points_count > room or end_points_count * 7 > end - p:
        raise too_many("RegisterBrokerRecord.end_points", end_points_count)
    room -= end_points_count
    end_points: list[BrokerEndpoint] = []
    for _ in range(end_points_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("RegisterBrokerRecord.end_points.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("RegisterBrokerRecord.end_points.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, security_protocol, tags = _unpack_HhB(buffer, p)
        p += 5
        if tags:
            p = skip_tags(buffer, p, tags)
        end_points.append(BrokerEndpoint(name, host, port, security_protocol))
    features_count = buffer[p]
    p += 1
    if features_count > 127:
        features_count, p = uvarint_tail(buffer, p, features_count)
    if features_count == 0:
        raise missing("RegisterBrokerRecord.features")
    features_count -= 1
    if features_count > room or features_count * 6 > end - p:
        raise too_many("RegisterBrokerRecord.features", features_count)
    room -= features_count
    features: list[BrokerFeature] = []
    for _ in range(features_count):
        name_size_2 = buffer[p]
        p += 1
        if name_size_2 > 127:
            name_size_2, p = string_tail(buffer, p, name_size_2)
        if name_size_2 == 0:
            raise missing("RegisterBrokerRecord.features.name")
        stop = p + name_size_2 - 1
        name_2 = buffer[p:stop].tobytes().decode()
        p = stop
        min_supported_version, max_supported_version, tags_2 = _unpack_hhB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        features.append(BrokerFeature(name_2, min_supported_version, max_supported_version))
    rack_size = buffer[p]
    p += 1
    if rack_size > 127:
        rack_size, p = string_tail(buffer, p, rack_size)
    rack: str | None = None
    if rack_size:
        stop = p + rack_size - 1
        rack = buffer[p:stop].tobytes().decode()
        p = stop
    fenced, in_controlled_shutdown, tags_3 = _unpack_zzB(buffer, p)
    p += 3
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return RegisterBrokerRecord(broker_id, False, incarnation_id, broker_epoch, end_points, features, rack, fenced, in_controlled_shutdown, [], None), p


def _decode_2(buffer: memoryview, p: int) -> tuple[RegisterBrokerRecord, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    broker_id, is_migrating_zk_broker, incarnation_id, broker_epoch, end_points_count = _unpack_izuqB(buffer, p)
    p += 30
    if end_points_count > 127:
        end_points_count, p = uvarint_tail(buffer, p, end_points_count)
    if end_points_count == 0:
        raise missing("RegisterBrokerRecord.end_points")
    end_points_count -= 1
    if end_points_count > room or end_points_count * 7 > end - p:
        raise too_many("RegisterBrokerRecord.end_points", end_points_count)
    room -= end_points_count
    end_points: list[BrokerEndpoint] = []
    for _ in range(end_points_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("RegisterBrokerRecord.end_points.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("RegisterBrokerRecord.end_points.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, security_protocol, tags = _unpack_HhB(buffer, p)
        p += 5
        if tags:
            p = skip_tags(buffer, p, tags)
        end_points.append(BrokerEndpoint(name, host, port, security_protocol))
    features_count = buffer[p]
    p += 1
    if features_count > 127:
        features_count, p = uvarint_tail(buffer, p, features_count)
    if features_count == 0:
        raise missing("RegisterBrokerRecord.features")
    features_count -= 1
    if features_count > room or features_count * 6 > end - p:
        raise too_many("RegisterBrokerRecord.features", features_count)
    room -= features_count
    features: list[BrokerFeature] = []
    for _ in range(features_count):
        name_size_2 = buffer[p]
        p += 1
        if name_size_2 > 127:
            name_size_2, p = string_tail(buffer, p, name_size_2)
        if name_size_2 == 0:
            raise missing("RegisterBrokerRecord.features.name")
        stop = p + name_size_2 - 1
        name_2 = buffer[p:stop].tobytes().decode()
        p = stop
        min_supported_version, max_supported_version, tags_2 = _unpack_hhB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        features.append(BrokerFeature(name_2, min_supported_version, max_supported_version))
    rack_size = buffer[p]
    p += 1
    if rack_size > 127:
        rack_size, p = string_tail(buffer, p, rack_size)
    rack: str | None = None
    if rack_size:
        stop = p + rack_size - 1
        rack = buffer[p:stop].tobytes().decode()
        p = stop
    fenced, in_controlled_shutdown, tags_3 = _unpack_zzB(buffer, p)
    p += 3
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return RegisterBrokerRecord(broker_id, is_migrating_zk_broker, incarnation_id, broker_epoch, end_points, features, rack, fenced, in_controlled_shutdown, [], None), p


def _decode_3(buffer: memoryview, p: int) -> tuple[RegisterBrokerRecord, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    broker_id, is_migrating_zk_broker, incarnation_id, broker_epoch, end_points_count = _unpack_izuqB(buffer, p)
    p += 30
    if end_points_count > 127:
        end_points_count, p = uvarint_tail(buffer, p, end_points_count)
    if end_points_count == 0:
        raise missing("RegisterBrokerRecord.end_points")
    end_points_count -= 1
    if end_points_count > room or end_points_count * 7 > end - p:
        raise too_many("RegisterBrokerRecord.end_points", end_points_count)
    room -= end_points_count
    end_points: list[BrokerEndpoint] = []
    for _ in range(end_points_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("RegisterBrokerRecord.end_points.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("RegisterBrokerRecord.end_points.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, security_protocol, tags = _unpack_HhB(buffer, p)
        p += 5
        if tags:
            p = skip_tags(buffer, p, tags)
        end_points.append(BrokerEndpoint(name, host, port, security_protocol))
    features_count = buffer[p]
    p += 1
    if features_count > 127:
        features_count, p = uvarint_tail(buffer, p, features_count)
    if features_count == 0:
        raise missing("RegisterBrokerRecord.features")
    features_count -= 1
    if features_count > room or features_count * 6 > end - p:
        raise too_many("RegisterBrokerRecord.features", features_count)
    room -= features_count
    features: list[BrokerFeature] = []
    for _ in range(features_count):
        name_size_2 = buffer[p]
        p += 1
        if name_size_2 > 127:
            name_size_2, p = string_tail(buffer, p, name_size_2)
        if name_size_2 == 0:
            raise missing("RegisterBrokerRecord.features.name")
        stop = p + name_size_2 - 1
        name_2 = buffer[p:stop].tobytes().decode()
        p = stop
        min_supported_version, max_supported_version, tags_2 = _unpack_hhB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        features.append(BrokerFeature(name_2, min_supported_version, max_supported_version))
    rack_size = buffer[p]
    p += 1
    if rack_size > 127:
        rack_size, p = string_tail(buffer, p, rack_size)
    rack: str | None = None
    if rack_size:
        stop = p + rack_size - 1
        rack = buffer[p:stop].tobytes().decode()
        p = stop
    fenced, in_controlled_shutdown, tags_3 = _unpack_zzB(buffer, p)
    p += 3
    log_dirs: list[bytes] = []
    if tags_3:
        if tags_3 > 127:
            tags_3, p = uvarint_tail(buffer, p, tags_3)
        tag = -1
        for _ in range(tags_3):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                log_dirs_count = buffer[p]
                p += 1
                if log_dirs_count > 127:
                    log_dirs_count, p = uvarint_tail(buffer, p, log_dirs_count)
                if log_dirs_count == 0:
                    raise missing("RegisterBrokerRecord.log_dirs")
                log_dirs_count -= 1
                log_dirs_2 = read_uuids(buffer, p, log_dirs_count)
                p += log_dirs_count * 16
                log_dirs = log_dirs_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("RegisterBrokerRecord: a tagged field is not of its size")
    return RegisterBrokerRecord(broker_id, is_migrating_zk_broker, incarnation_id, broker_epoch, end_points, features, rack, fenced, in_controlled_shutdown, log_dirs, None), p


def _decode_4(buffer: memoryview, p: int) -> tuple[RegisterBrokerRecord, int]:
    """Versions 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    broker_id, is_migrating_zk_broker, incarnation_id, broker_epoch, end_points_count = _unpack_izuqB(buffer, p)
    p += 30
    if end_points_count > 127:
        end_points_count, p = uvarint_tail(buffer, p, end_points_count)
    if end_points_count == 0:
        raise missing("RegisterBrokerRecord.end_points")
    end_points_count -= 1
    if end_points_count > room or end_points_count * 7 > end - p:
        raise too_many("RegisterBrokerRecord.end_points", end_points_count)
    room -= end_points_count
    end_points: list[BrokerEndpoint] = []
    for _ in range(end_points_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("RegisterBrokerRecord.end_points.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("RegisterBrokerRecord.end_points.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, security_protocol, tags = _unpack_HhB(buffer, p)
        p += 5
        if tags:
            p = skip_tags(buffer, p, tags)
        end_points.append(BrokerEndpoint(name, host, port, security_protocol))
    features_count = buffer[p]
    p += 1
    if features_count > 127:
        features_count, p = uvarint_tail(buffer, p, features_count)
    if features_count == 0:
        raise missing("RegisterBrokerRecord.features")
    features_count -= 1
    if features_count > room or features_count * 6 > end - p:
        raise too_many("RegisterBrokerRecord.features", features_count)
    room -= features_count
    features: list[BrokerFeature] = []
    for _ in range(features_count):
        name_size_2 = buffer[p]
        p += 1
        if name_size_2 > 127:
            name_size_2, p = string_tail(buffer, p, name_size_2)
        if name_size_2 == 0:
            raise missing("RegisterBrokerRecord.features.name")
        stop = p + name_size_2 - 1
        name_2 = buffer[p:stop].tobytes().decode()
        p = stop
        min_supported_version, max_supported_version, tags_2 = _unpack_hhB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        features.append(BrokerFeature(name_2, min_supported_version, max_supported_version))
    rack_size = buffer[p]
    p += 1
    if rack_size > 127:
        rack_size, p = string_tail(buffer, p, rack_size)
    rack: str | None = None
    if rack_size:
        stop = p + rack_size - 1
        rack = buffer[p:stop].tobytes().decode()
        p = stop
    fenced, in_controlled_shutdown, tags_3 = _unpack_zzB(buffer, p)
    p += 3
    log_dirs: list[bytes] = []
    cordoned_log_dirs: list[bytes] | None = None
    if tags_3:
        if tags_3 > 127:
            tags_3, p = uvarint_tail(buffer, p, tags_3)
        tag = -1
        for _ in range(tags_3):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                log_dirs_count = buffer[p]
                p += 1
                if log_dirs_count > 127:
                    log_dirs_count, p = uvarint_tail(buffer, p, log_dirs_count)
                if log_dirs_count == 0:
                    raise missing("RegisterBrokerRecord.log_dirs")
                log_dirs_count -= 1
                log_dirs_2 = read_uuids(buffer, p, log_dirs_count)
                p += log_dirs_count * 16
                log_dirs = log_dirs_2
            elif tag == 1:
                cordoned_log_dirs_count = buffer[p]
                p += 1
                if cordoned_log_dirs_count > 127:
                    cordoned_log_dirs_count, p = uvarint_tail(buffer, p, cordoned_log_dirs_count)
                cordoned_log_dirs_2: list[bytes] | None = None
                if cordoned_log_dirs_count:
                    cordoned_log_dirs_count -= 1
                    cordoned_log_dirs_2 = read_uuids(buffer, p, cordoned_log_dirs_count)
                    p += cordoned_log_dirs_count * 16
                cordoned_log_dirs = cordoned_log_dirs_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("RegisterBrokerRecord: a tagged field is not of its size")
    return RegisterBrokerRecord(broker_id, is_migrating_zk_broker, incarnation_id, broker_epoch, end_points, features, rack, fenced, in_controlled_shutdown, log_dirs, cordoned_log_dirs), p


def _encode_0(message: RegisterBrokerRecord) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    if message.is_migrating_zk_broker:
        raise not_in_version("RegisterBrokerRecord.is_migrating_zk_broker")
    incarnation_id = message.incarnation_id
    if len(incarnation_id) != 16:
        raise bad_uuid("RegisterBrokerRecord.incarnation_id")
    end_points = message.end_points
    end_points_count = len(end_points) + 1
    out += (
        _pack_iuq(message.broker_id, incarnation_id, message.broker_epoch),
        UVARINTS[end_points_count] if end_points_count < 256 else uvarint(end_points_count),
    )
    for element in end_points:
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
    if message.in_controlled_shutdown:
        raise not_in_version("RegisterBrokerRecord.in_controlled_shutdown")
    if message.log_dirs:
        raise not_in_version("RegisterBrokerRecord.log_dirs")
    if message.cordoned_log_dirs is not None:
        raise not_in_version("RegisterBrokerRecord.cordoned_log_dirs")
    out += (
        UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
        rack,
        _pack_zx(message.fenced),
    )
    return b"".join(out)


def _encode_1(message: RegisterBrokerRecord) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    if message.is_migrating_zk_broker:
        raise not_in_version("RegisterBrokerRecord.is_migrating_zk_broker")
    incarnation_id = message.incarnation_id
    if len(incarnation_id) != 16:
        raise bad_uuid("RegisterBrokerRecord.incarnation_id")
    end_points = message.end_points
    end_points_count = len(end_points) + 1
    out += (
        _pack_iuq(message.broker_id, incarnation_id, message.broker_epoch),
        UVARINTS[end_points_count] if end_points_count < 256 else uvarint(end_points_count),
    )
    for element in end_points:
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
    if message.log_dirs:
        raise not_in_version("RegisterBrokerRecord.log_dirs")
    if message.cordoned_log_dirs is not None:
        raise not_in_version("RegisterBrokerRecord.cordoned_log_dirs")
    out += (
        UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
        rack,
        _pack_zzx(message.fenced, message.in_controlled_shutdown),
    )
    return b"".join(out)


def _encode_2(message: RegisterBrokerRecord) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    incarnation_id = message.incarnation_id
    if len(incarnation_id) != 16:
        raise bad_uuid("RegisterBrokerRecord.incarnation_id")
    end_points = message.end_points
    end_points_count = len(end_points) + 1
    out += (
        _pack_izuq(message.broker_id, message.is_migrating_zk_broker, incarnation_id, message.broker_epoch),
        UVARINTS[end_points_count] if end_points_count < 256 else uvarint(end_points_count),
    )
    for element in end_points:
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
    if message.log_dirs:
        raise not_in_version("RegisterBrokerRecord.log_dirs")
    if message.cordoned_log_dirs is not None:
        raise not_in_version("RegisterBrokerRecord.cordoned_log_dirs")
    out += (
        UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
        rack,
        _pack_zzx(message.fenced, message.in_controlled_shutdown),
    )
    return b"".join(out)


def _encode_3(message: RegisterBrokerRecord) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    incarnation_id = message.incarnation_id
    if len(incarnation_id) != 16:
        raise bad_uuid("RegisterBrokerRecord.incarnation_id")
    end_points = message.end_points
    end_points_count = len(end_points) + 1
    out += (
        _pack_izuq(message.broker_id, message.is_migrating_zk_broker, incarnation_id, message.broker_epoch),
        UVARINTS[end_points_count] if end_points_count < 256 else uvarint(end_points_count),
    )
    for element in end_points:
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
    if message.cordoned_log_dirs is not None:
        raise not_in_version("RegisterBrokerRecord.cordoned_log_dirs")
    out += (
        UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
        rack,
        _pack_zz(message.fenced, message.in_controlled_shutdown),
    )
    tags = 0
    tagged: list[bytes] = []
    if message.log_dirs:
        content: list[bytes] = []
        log_dirs = message.log_dirs
        log_dirs_count = len(log_dirs) + 1
        content += (
            UVARINTS[log_dirs_count] if log_dirs_count < 256 else uvarint(log_dirs_count),
            write_uuids(log_dirs),
        )
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


def _encode_4(message: RegisterBrokerRecord) -> bytes:
    """Versions 4."""
    out: list[bytes] = []
    incarnation_id = message.incarnation_id
    if len(incarnation_id) != 16:
        raise bad_uuid("RegisterBrokerRecord.incarnation_id")
    end_points = message.end_points
    end_points_count = len(end_points) + 1
    out += (
        _pack_izuq(message.broker_id, message.is_migrating_zk_broker, incarnation_id, message.broker_epoch),
        UVARINTS[end_points_count] if end_points_count < 256 else uvarint(end_points_count),
    )
    for element in end_points:
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
        _pack_zz(message.fenced, message.in_controlled_shutdown),
    )
    tags = 0
    tagged: list[bytes] = []
    if message.log_dirs:
        content: list[bytes] = []
        log_dirs = message.log_dirs
        log_dirs_count = len(log_dirs) + 1
        content += (
            UVARINTS[log_dirs_count] if log_dirs_count < 256 else uvarint(log_dirs_count),
            write_uuids(log_dirs),
        )
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if message.cordoned_log_dirs is not None:
        content_2: list[bytes] = []
        cordoned_log_dirs = message.cordoned_log_dirs
        cordoned_log_dirs_count = len(cordoned_log_dirs) + 1
        content_2 += (
            UVARINTS[cordoned_log_dirs_count] if cordoned_log_dirs_count < 256 else uvarint(cordoned_log_dirs_count),
            write_uuids(cordoned_log_dirs),
        )
        joined_2 = b"".join(content_2)
        joined_size_2 = len(joined_2)
        tags += 1
        tagged += (
            UVARINTS[1],
            UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
            joined_2,
        )
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[RegisterBrokerRecord, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
    3: _decode_3,
    4: _decode_4,
}
_ENCODERS: Final[dict[int, Callable[[RegisterBrokerRecord], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
    3: _encode_3,
    4: _encode_4,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[RegisterBrokerRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"RegisterBrokerRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"RegisterBrokerRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"RegisterBrokerRecord v{version} is cut short")
    return result


def encode(message: RegisterBrokerRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"RegisterBrokerRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"RegisterBrokerRecord v{version}: {error}") from error
