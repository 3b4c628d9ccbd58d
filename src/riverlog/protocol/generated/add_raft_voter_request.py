"""AddRaftVoterRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "AddRaftVoterRequest"
API_KEY: Final = 80
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_zB = Struct(">?B").unpack_from
_unpack_HB = Struct(">HB").unpack_from
_unpack_iiuB = Struct(">ii16sB").unpack_from
_pack_zx = Struct(">?x").pack
_pack_Hx = Struct(">Hx").pack
_pack_iiu = Struct(">ii16s").pack


@dataclass(init=False, repr=False, eq=False)
class Listener(Wire):
    """Listener."""

    __slots__ = ("name", "host", "port")

    name: str
    host: str
    port: int

    def __init__(
        self,
        name: str = "",
        host: str = "",
        port: int = 0,
    ) -> None:
        self.name = name
        self.host = host
        self.port = port


@dataclass(init=False, repr=False, eq=False)
class AddRaftVoterRequest(Wire):
    """AddRaftVoterRequest."""

    __slots__ = ("cluster_id", "timeout_ms", "voter_id", "voter_directory_id", "listeners", "ack_when_committed")

    cluster_id: str | None
    timeout_ms: int
    voter_id: int
    voter_directory_id: bytes
    listeners: list[Listener]
    ack_when_committed: bool

    def __init__(
        self,
        cluster_id: str | None = "",
        timeout_ms: int = 0,
        voter_id: int = 0,
        voter_directory_id: bytes = ZERO_UUID,
        listeners: list[Listener] = UNSET,
        ack_when_committed: bool = True,
    ) -> None:
        self.cluster_id = cluster_id
        self.timeout_ms = timeout_ms
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.listeners = [] if listeners is UNSET else listeners
        self.ack_when_committed = ack_when_committed


def _decode_0(buffer: memoryview, p: int) -> tuple[AddRaftVoterRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    cluster_id_size = buffer[p]
    p += 1
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    cluster_id: str | None = None
    if cluster_id_size:
        stop = p + cluster_id_size - 1
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    timeout_ms, voter_id, voter_directory_id, listeners_count = _unpack_iiuB(buffer, p)
    p += 25
    if listeners_count > 127:
        listeners_count, p = uvarint_tail(buffer, p, listeners_count)
    if listeners_count == 0:
        raise missing("AddRaftVoterRequest.listeners")
    listeners_count -= 1
    if listeners_count > room or listeners_count * 5 > end - p:
        raise too_many("AddRaftVoterRequest.listeners", listeners_count)
    room -= listeners_count
    listeners: list[Listener] = []
    for _ in range(listeners_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("AddRaftVoterRequest.listeners.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("AddRaftVoterRequest.listeners.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, tags = _unpack_HB(buffer, p)
        p += 3
        if tags:
            p = skip_tags(buffer, p, tags)
        listeners.append(Listener(name, host, port))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return AddRaftVoterRequest(cluster_id, timeout_ms, voter_id, voter_directory_id, listeners, True), p


def _decode_1(buffer: memoryview, p: int) -> tuple[AddRaftVoterRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    cluster_id_size = buffer[p]
    p += 1
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    cluster_id: str | None = None
    if cluster_id_size:
        stop = p + cluster_id_size - 1
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    timeout_ms, voter_id, voter_directory_id, listeners_count = _unpack_iiuB(buffer, p)
    p += 25
    if listeners_count > 127:
        listeners_count, p = uvarint_tail(buffer, p, listeners_count)
    if listeners_count == 0:
        raise missing("AddRaftVoterRequest.listeners")
    listeners_count -= 1
    if listeners_count > room or listeners_count * 5 > end - p:
        raise too_many("AddRaftVoterRequest.listeners", listeners_count)
    room -= listeners_count
    listeners: list[Listener] = []
    for _ in range(listeners_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("AddRaftVoterRequest.listeners.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("AddRaftVoterRequest.listeners.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, tags = _unpack_HB(buffer, p)
        p += 3
        if tags:
            p = skip_tags(buffer, p, tags)
        listeners.append(Listener(name, host, port))
    ack_when_committed, tags_2 = _unpack_zB(buffer, p)
    p += 2
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return AddRaftVoterRequest(cluster_id, timeout_ms, voter_id, voter_directory_id, listeners, ack_when_committed), p


def _encode_0(message: AddRaftVoterRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    cluster_id_value = message.cluster_id
    if cluster_id_value is None:
        cluster_id_size, cluster_id = 0, b""
    else:
        cluster_id = cluster_id_value.encode()
        cluster_id_size = len(cluster_id) + 1
    voter_directory_id = message.voter_directory_id
    if len(voter_directory_id) != 16:
        raise bad_uuid("AddRaftVoterRequest.voter_directory_id")
    listeners = message.listeners
    listeners_count = len(listeners) + 1
    out += (
        UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
        cluster_id,
        _pack_iiu(message.timeout_ms, message.voter_id, voter_directory_id),
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
            _pack_Hx(element.port),
        )
    if not message.ack_when_committed:
        raise not_in_version("AddRaftVoterRequest.ack_when_committed")
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: AddRaftVoterRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    cluster_id_value = message.cluster_id
    if cluster_id_value is None:
        cluster_id_size, cluster_id = 0, b""
    else:
        cluster_id = cluster_id_value.encode()
        cluster_id_size = len(cluster_id) + 1
    voter_directory_id = message.voter_directory_id
    if len(voter_directory_id) != 16:
        raise bad_uuid("AddRaftVoterRequest.voter_directory_id")
    listeners = message.listeners
    listeners_count = len(listeners) + 1
    out += (
        UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
        cluster_id,
        _pack_iiu(message.timeout_ms, message.voter_id, voter_directory_id),
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
            _pack_Hx(element.port),
        )
    out.append(_pack_zx(message.ack_when_committed))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AddRaftVoterRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[AddRaftVoterRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AddRaftVoterRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AddRaftVoterRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AddRaftVoterRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AddRaftVoterRequest v{version} is cut short")
    return result


def encode(message: AddRaftVoterRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AddRaftVoterRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AddRaftVoterRequest v{version}: {error}") from error
