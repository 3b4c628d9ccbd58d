"""DescribeClusterResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DescribeClusterResponse"
API_KEY: Final = 60
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_zB = Struct(">?B").unpack_from
_unpack_bB = Struct(">bB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_pack_zx = Struct(">?x").pack
_pack_b = Struct(">b").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class DescribeClusterBroker(Wire):
    """DescribeClusterBroker."""

    __slots__ = ("broker_id", "host", "port", "rack", "is_fenced")

    broker_id: int
    host: str
    port: int
    rack: str | None
    is_fenced: bool

    def __init__(
        self,
        broker_id: int = 0,
        host: str = "",
        port: int = 0,
        rack: str | None = None,
        is_fenced: bool = False,
    ) -> None:
        self.broker_id = broker_id
        self.host = host
        self.port = port
        self.rack = rack
        self.is_fenced = is_fenced


@dataclass(init=False, repr=False, eq=False)
class DescribeClusterResponse(Wire):
    """DescribeClusterResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "endpoint_type", "cluster_id", "controller_id", "brokers", "cluster_authorized_operations")

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    endpoint_type: int
    cluster_id: str
    controller_id: int
    brokers: list[DescribeClusterBroker]
    cluster_authorized_operations: int

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        endpoint_type: int = 1,
        cluster_id: str = "",
        controller_id: int = -1,
        brokers: list[DescribeClusterBroker] = UNSET,
        cluster_authorized_operations: int = -2147483648,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.endpoint_type = endpoint_type
        self.cluster_id = cluster_id
        self.controller_id = controller_id
        self.brokers = [] if brokers is UNSET else brokers
        self.cluster_authorized_operations = cluster_authorized_operations


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeClusterResponse, int]:
    """Versions 0."""
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
    cluster_id_size = buffer[p]
    p += 1
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    if cluster_id_size == 0:
        raise missing("DescribeClusterResponse.cluster_id")
    stop = p + cluster_id_size - 1
    cluster_id = buffer[p:stop].tobytes().decode()
    p = stop
    controller_id, brokers_count = _unpack_iB(buffer, p)
    p += 5
    if brokers_count > 127:
        brokers_count, p = uvarint_tail(buffer, p, brokers_count)
    if brokers_count == 0:
        raise missing("DescribeClusterResponse.brokers")
    brokers_count -= 1
    if brokers_count > room or brokers_count * 11 > end - p:
        raise too_many("DescribeClusterResponse.brokers", brokers_count)
    room -= brokers_count
    brokers: list[DescribeClusterBroker] = []
    for _ in range(brokers_count):
        broker_id, host_size = _unpack_iB(buffer, p)
        p += 5
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("DescribeClusterResponse.brokers.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, rack_size = _unpack_iB(buffer, p)
        p += 5
        if rack_size > 127:
            rack_size, p = string_tail(buffer, p, rack_size)
        rack: str | None = None
        if rack_size:
            stop = p + rack_size - 1
            rack = buffer[p:stop].tobytes().decode()
            p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        brokers.append(DescribeClusterBroker(broker_id, host, port, rack, False))
    cluster_authorized_operations, tags_2 = _unpack_iB(buffer, p)
    p += 5
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return DescribeClusterResponse(throttle_time_ms, error_code, error_message, 1, cluster_id, controller_id, brokers, cluster_authorized_operations), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DescribeClusterResponse, int]:
    """Versions 1."""
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
    endpoint_type, cluster_id_size = _unpack_bB(buffer, p)
    p += 2
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    if cluster_id_size == 0:
        raise missing("DescribeClusterResponse.cluster_id")
    stop = p + cluster_id_size - 1
    cluster_id = buffer[p:stop].tobytes().decode()
    p = stop
    controller_id, brokers_count = _unpack_iB(buffer, p)
    p += 5
    if brokers_count > 127:
        brokers_count, p = uvarint_tail(buffer, p, brokers_count)
    if brokers_count == 0:
        raise missing("DescribeClusterResponse.brokers")
    brokers_count -= 1
    if brokers_count > room or brokers_count * 11 > end - p:
        raise too_many("DescribeClusterResponse.brokers", brokers_count)
    room -= brokers_count
    brokers: list[DescribeClusterBroker] = []
    for _ in range(brokers_count):
        broker_id, host_size = _unpack_iB(buffer, p)
        p += 5
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("DescribeClusterResponse.brokers.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, rack_size = _unpack_iB(buffer, p)
        p += 5
        if rack_size > 127:
            rack_size, p = string_tail(buffer, p, rack_size)
        rack: str | None = None
        if rack_size:
            stop = p + rack_size - 1
            rack = buffer[p:stop].tobytes().decode()
            p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        brokers.append(DescribeClusterBroker(broker_id, host, port, rack, False))
    cluster_authorized_operations, tags_2 = _unpack_iB(buffer, p)
    p += 5
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return DescribeClusterResponse(throttle_time_ms, error_code, error_message, endpoint_type, cluster_id, controller_id, brokers, cluster_authorized_operations), p


def _decode_2(buffer: memoryview, p: int) -> tuple[DescribeClusterResponse, int]:
    """Versions 2."""
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
    endpoint_type, cluster_id_size = _unpack_bB(buffer, p)
    p += 2
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    if cluster_id_size == 0:
        raise missing("DescribeClusterResponse.cluster_id")
    stop = p + cluster_id_size - 1
    cluster_id = buffer[p:stop].tobytes().decode()
    p = stop
    controller_id, brokers_count = _unpack_iB(buffer, p)
    p += 5
    if brokers_count > 127:
        brokers_count, p = uvarint_tail(buffer, p, brokers_count)
    if brokers_count == 0:
        raise missing("DescribeClusterResponse.brokers")
    brokers_count -= 1
    if brokers_count > room or brokers_count * 12 > end - p:
        raise too_many("DescribeClusterResponse.brokers", brokers_count)
    room -= brokers_count
    brokers: list[DescribeClusterBroker] = []
    for _ in range(brokers_count):
        broker_id, host_size = _unpack_iB(buffer, p)
        p += 5
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("DescribeClusterResponse.brokers.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, rack_size = _unpack_iB(buffer, p)
        p += 5
        if rack_size > 127:
            rack_size, p = string_tail(buffer, p, rack_size)
        rack: str | None = None
        if rack_size:
            stop = p + rack_size - 1
            rack = buffer[p:stop].tobytes().decode()
            p = stop
        is_fenced, tags = _unpack_zB(buffer, p)
        p += 2
        if tags:
            p = skip_tags(buffer, p, tags)
        brokers.append(DescribeClusterBroker(broker_id, host, port, rack, is_fenced))
    cluster_authorized_operations, tags_2 = _unpack_iB(buffer, p)
    p += 5
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return DescribeClusterResponse(throttle_time_ms, error_code, error_message, endpoint_type, cluster_id, controller_id, brokers, cluster_authorized_operations), p


def _encode_0(message: DescribeClusterResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    if message.endpoint_type != 1:
        raise not_in_version("DescribeClusterResponse.endpoint_type")
    cluster_id = message.cluster_id.encode()
    cluster_id_size = len(cluster_id) + 1
    brokers = message.brokers
    brokers_count = len(brokers) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
        error_message,
        UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
        cluster_id,
        _pack_i(message.controller_id),
        UVARINTS[brokers_count] if brokers_count < 256 else uvarint(brokers_count),
    )
    for element in brokers:
        host = element.host.encode()
        host_size = len(host) + 1
        rack_value = element.rack
        if rack_value is None:
            rack_size, rack = 0, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack) + 1
        if element.is_fenced:
            raise not_in_version("DescribeClusterResponse.brokers.is_fenced")
        out += (
            _pack_i(element.broker_id),
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_i(element.port),
            UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
            rack,
            b"\0",
        )
    out.append(_pack_ix(message.cluster_authorized_operations))
    return b"".join(out)


def _encode_1(message: DescribeClusterResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    cluster_id = message.cluster_id.encode()
    cluster_id_size = len(cluster_id) + 1
    brokers = message.brokers
    brokers_count = len(brokers) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
        error_message,
        _pack_b(message.endpoint_type),
        UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
        cluster_id,
        _pack_i(message.controller_id),
        UVARINTS[brokers_count] if brokers_count < 256 else uvarint(brokers_count),
    )
    for element in brokers:
        host = element.host.encode()
        host_size = len(host) + 1
        rack_value = element.rack
        if rack_value is None:
            rack_size, rack = 0, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack) + 1
        if element.is_fenced:
            raise not_in_version("DescribeClusterResponse.brokers.is_fenced")
        out += (
            _pack_i(element.broker_id),
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_i(element.port),
            UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
            rack,
            b"\0",
        )
    out.append(_pack_ix(message.cluster_authorized_operations))
    return b"".join(out)


def _encode_2(message: DescribeClusterResponse) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    cluster_id = message.cluster_id.encode()
    cluster_id_size = len(cluster_id) + 1
    brokers = message.brokers
    brokers_count = len(brokers) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
        error_message,
        _pack_b(message.endpoint_type),
        UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
        cluster_id,
        _pack_i(message.controller_id),
        UVARINTS[brokers_count] if brokers_count < 256 else uvarint(brokers_count),
    )
    for element in brokers:
        host = element.host.encode()
        host_size = len(host) + 1
        rack_value = element.rack
        if rack_value is None:
            rack_size, rack = 0, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack) + 1
        out += (
            _pack_i(element.broker_id),
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_i(element.port),
            UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
            rack,
            _pack_zx(element.is_fenced),
        )
    out.append(_pack_ix(message.cluster_authorized_operations))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeClusterResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[DescribeClusterResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeClusterResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeClusterResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeClusterResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeClusterResponse v{version} is cut short")
    return result


def encode(message: DescribeClusterResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeClusterResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeClusterResponse v{version}: {error}") from error
