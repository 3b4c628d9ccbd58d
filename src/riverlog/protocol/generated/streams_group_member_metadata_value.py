"""StreamsGroupMemberMetadataValue. Written by `python -m codegen` from schemas/group; do not edit."""

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

NAME: Final = "StreamsGroupMemberMetadataValue"
API_KEY: Final = 19
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_HB = Struct(">HB").unpack_from
_unpack_b = Struct(">b").unpack_from
_unpack_iiB = Struct(">iiB").unpack_from
_pack_Hx = Struct(">Hx").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class Endpoint(Wire):
    """Endpoint."""

    __slots__ = ("host", "port")

    host: str
    port: int

    def __init__(
        self,
        host: str = "",
        port: int = 0,
    ) -> None:
        self.host = host
        self.port = port


@dataclass(init=False, repr=False, eq=False)
class KeyValue(Wire):
    """KeyValue."""

    __slots__ = ("key", "value")

    key: str
    value: str

    def __init__(
        self,
        key: str = "",
        value: str = "",
    ) -> None:
        self.key = key
        self.value = value


@dataclass(init=False, repr=False, eq=False)
class StreamsGroupMemberMetadataValue(Wire):
    """StreamsGroupMemberMetadataValue."""

    __slots__ = ("instance_id", "rack_id", "client_id", "client_host", "rebalance_timeout_ms", "topology_epoch", "process_id", "user_endpoint", "client_tags")

    instance_id: str | None
    rack_id: str | None
    client_id: str
    client_host: str
    rebalance_timeout_ms: int
    topology_epoch: int
    process_id: str
    user_endpoint: Endpoint | None
    client_tags: list[KeyValue]

    def __init__(
        self,
        instance_id: str | None = "",
        rack_id: str | None = "",
        client_id: str = "",
        client_host: str = "",
        rebalance_timeout_ms: int = -1,
        topology_epoch: int = 0,
        process_id: str = "",
        user_endpoint: Endpoint | None = None,
        client_tags: list[KeyValue] = UNSET,
    ) -> None:
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.client_id = client_id
        self.client_host = client_host
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.topology_epoch = topology_epoch
        self.process_id = process_id
        self.user_endpoint = user_endpoint
        self.client_tags = [] if client_tags is UNSET else client_tags


def _decode_0(buffer: memoryview, p: int) -> tuple[StreamsGroupMemberMetadataValue, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    instance_id_size = buffer[p]
    p += 1
    if instance_id_size > 127:
        instance_id_size, p = string_tail(buffer, p, instance_id_size)
    instance_id: str | None = None
    if instance_id_size:
        stop = p + instance_id_size - 1
        instance_id = buffer[p:stop].tobytes().decode()
        p = stop
    rack_id_size = buffer[p]
    p += 1
    if rack_id_size > 127:
        rack_id_size, p = string_tail(buffer, p, rack_id_size)
    rack_id: str | None = None
    if rack_id_size:
        stop = p + rack_id_size - 1
        rack_id = buffer[p:stop].tobytes().decode()
        p = stop
    client_id_size = buffer[p]
    p += 1
    if client_id_size > 127:
        client_id_size, p = string_tail(buffer, p, client_id_size)
    if client_id_size == 0:
        raise missing("StreamsGroupMemberMetadataValue.client_id")
    stop = p + client_id_size - 1
    client_id = buffer[p:stop].tobytes().decode()
    p = stop
    client_host_size = buffer[p]
    p += 1
    if client_host_size > 127:
        client_host_size, p = string_tail(buffer, p, client_host_size)
    if client_host_size == 0:
        raise missing("StreamsGroupMemberMetadataValue.client_host")
    stop = p + client_host_size - 1
    client_host = buffer[p:stop].tobytes().decode()
    p = stop
    rebalance_timeout_ms, topology_epoch, process_id_size = _unpack_iiB(buffer, p)
    p += 9
    if process_id_size > 127:
        process_id_size, p = string_tail(buffer, p, process_id_size)
    if process_id_size == 0:
        raise missing("StreamsGroupMemberMetadataValue.process_id")
    stop = p + process_id_size - 1
    process_id = buffer[p:stop].tobytes().decode()
    p = stop
    (user_endpoint_mark,) = _unpack_b(buffer, p)
    p += 1
    user_endpoint: Endpoint | None = None
    if user_endpoint_mark >= 0:
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("StreamsGroupMemberMetadataValue.user_endpoint.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, tags = _unpack_HB(buffer, p)
        p += 3
        if tags:
            p = skip_tags(buffer, p, tags)
        user_endpoint = Endpoint(host, port)
    client_tags_count = buffer[p]
    p += 1
    if client_tags_count > 127:
        client_tags_count, p = uvarint_tail(buffer, p, client_tags_count)
    if client_tags_count == 0:
        raise missing("StreamsGroupMemberMetadataValue.client_tags")
    client_tags_count -= 1
    if client_tags_count > room or client_tags_count * 3 > end - p:
        raise too_many("StreamsGroupMemberMetadataValue.client_tags", client_tags_count)
    room -= client_tags_count
    client_tags: list[KeyValue] = []
    for _ in range(client_tags_count):
        key_size = buffer[p]
        p += 1
        if key_size > 127:
            key_size, p = string_tail(buffer, p, key_size)
        if key_size == 0:
            raise missing("StreamsGroupMemberMetadataValue.client_tags.key")
        stop = p + key_size - 1
        key = buffer[p:stop].tobytes().decode()
        p = stop
        value_size = buffer[p]
        p += 1
        if value_size > 127:
            value_size, p = string_tail(buffer, p, value_size)
        if value_size == 0:
            raise missing("StreamsGroupMemberMetadataValue.client_tags.value")
        stop = p + value_size - 1
        value = buffer[p:stop].tobytes().decode()
        p = stop
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        client_tags.append(KeyValue(key, value))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return StreamsGroupMemberMetadataValue(instance_id, rack_id, client_id, client_host, rebalance_timeout_ms, topology_epoch, process_id, user_endpoint, client_tags), p


def _encode_0(message: StreamsGroupMemberMetadataValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    instance_id_value = message.instance_id
    if instance_id_value is None:
        instance_id_size, instance_id = 0, b""
    else:
        instance_id = instance_id_value.encode()
        instance_id_size = len(instance_id) + 1
    rack_id_value = message.rack_id
    if rack_id_value is None:
        rack_id_size, rack_id = 0, b""
    else:
        rack_id = rack_id_value.encode()
        rack_id_size = len(rack_id) + 1
    client_id = message.client_id.encode()
    client_id_size = len(client_id) + 1
    client_host = message.client_host.encode()
    client_host_size = len(client_host) + 1
    process_id = message.process_id.encode()
    process_id_size = len(process_id) + 1
    user_endpoint = message.user_endpoint
    out += (
        UVARINTS[instance_id_size] if instance_id_size < 256 else string_prefix(instance_id_size),
        instance_id,
        UVARINTS[rack_id_size] if rack_id_size < 256 else string_prefix(rack_id_size),
        rack_id,
        UVARINTS[client_id_size] if client_id_size < 256 else string_prefix(client_id_size),
        client_id,
        UVARINTS[client_host_size] if client_host_size < 256 else string_prefix(client_host_size),
        client_host,
        _pack_ii(message.rebalance_timeout_ms, message.topology_epoch),
        UVARINTS[process_id_size] if process_id_size < 256 else string_prefix(process_id_size),
        process_id,
    )
    if user_endpoint is None:
        out.append(b"\xff")
    else:
        host = user_endpoint.host.encode()
        host_size = len(host) + 1
        out += (
            b"\1",
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_Hx(user_endpoint.port),
        )
    client_tags = message.client_tags
    client_tags_count = len(client_tags) + 1
    out.append(UVARINTS[client_tags_count] if client_tags_count < 256 else uvarint(client_tags_count))
    for element in client_tags:
        key = element.key.encode()
        key_size = len(key) + 1
        value = element.value.encode()
        value_size = len(value) + 1
        out += (
            UVARINTS[key_size] if key_size < 256 else string_prefix(key_size),
            key,
            UVARINTS[value_size] if value_size < 256 else string_prefix(value_size),
            value,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[StreamsGroupMemberMetadataValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[StreamsGroupMemberMetadataValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[StreamsGroupMemberMetadataValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"StreamsGroupMemberMetadataValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"StreamsGroupMemberMetadataValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"StreamsGroupMemberMetadataValue v{version} is cut short")
    return result


def encode(message: StreamsGroupMemberMetadataValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"StreamsGroupMemberMetadataValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"StreamsGroupMemberMetadataValue v{version}: {error}") from error
