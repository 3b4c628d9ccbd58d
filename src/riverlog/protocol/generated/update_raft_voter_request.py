"""UpdateRaftVoterRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "UpdateRaftVoterRequest"
API_KEY: Final = 82
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_HB = Struct(">HB").unpack_from
_unpack_hhB = Struct(">hhB").unpack_from
_unpack_iiuB = Struct(">ii16sB").unpack_from
_pack_Hx = Struct(">Hx").pack
_pack_hhxx = Struct(">hhxx").pack
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
class KRaftVersionFeature(Wire):
    """KRaftVersionFeature."""

    __slots__ = ("min_supported_version", "max_supported_version")

    min_supported_version: int
    max_supported_version: int

    def __init__(
        self,
        min_supported_version: int = 0,
        max_supported_version: int = 0,
    ) -> None:
        self.min_supported_version = min_supported_version
        self.max_supported_version = max_supported_version


@dataclass(init=False, repr=False, eq=False)
class UpdateRaftVoterRequest(Wire):
    """UpdateRaftVoterRequest."""

    __slots__ = ("cluster_id", "current_leader_epoch", "voter_id", "voter_directory_id", "listeners", "kraft_version_feature")

    cluster_id: str | None
    current_leader_epoch: int
    voter_id: int
    voter_directory_id: bytes
    listeners: list[Listener]
    kraft_version_feature: KRaftVersionFeature

    def __init__(
        self,
        cluster_id: str | None = "",
        current_leader_epoch: int = 0,
        voter_id: int = 0,
        voter_directory_id: bytes = ZERO_UUID,
        listeners: list[Listener] = UNSET,
        kraft_version_feature: KRaftVersionFeature = UNSET,
    ) -> None:
        self.cluster_id = cluster_id
        self.current_leader_epoch = current_leader_epoch
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.listeners = [] if listeners is UNSET else listeners
        self.kraft_version_feature = KRaftVersionFeature() if kraft_version_feature is UNSET else kraft_version_feature


def _decode_0(buffer: memoryview, p: int) -> tuple[UpdateRaftVoterRequest, int]:
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
    current_leader_epoch, voter_id, voter_directory_id, listeners_count = _unpack_iiuB(buffer, p)
    p += 25
    if listeners_count > 127:
        listeners_count, p = uvarint_tail(buffer, p, listeners_count)
    if listeners_count == 0:
        raise missing("UpdateRaftVoterRequest.listeners")
    listeners_count -= 1
    if listeners_count > room or listeners_count * 5 > end - p:
        raise too_many("UpdateRaftVoterRequest.listeners", listeners_count)
    room -= listeners_count
    listeners: list[Listener] = []
    for _ in range(listeners_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("UpdateRaftVoterRequest.listeners.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("UpdateRaftVoterRequest.listeners.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, tags = _unpack_HB(buffer, p)
        p += 3
        if tags:
            p = skip_tags(buffer, p, tags)
        listeners.append(Listener(name, host, port))
    min_supported_version, max_supported_version, tags_2 = _unpack_hhB(buffer, p)
    p += 5
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return UpdateRaftVoterRequest(cluster_id, current_leader_epoch, voter_id, voter_directory_id, listeners, KRaftVersionFeature(min_supported_version, max_supported_version)), p


def _encode_0(message: UpdateRaftVoterRequest) -> bytes:
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
        raise bad_uuid("UpdateRaftVoterRequest.voter_directory_id")
    listeners = message.listeners
    listeners_count = len(listeners) + 1
    out += (
        UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
        cluster_id,
        _pack_iiu(message.current_leader_epoch, message.voter_id, voter_directory_id),
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
    kraft_version_feature = message.kraft_version_feature
    out.append(_pack_hhxx(kraft_version_feature.min_supported_version, kraft_version_feature.max_supported_version))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[UpdateRaftVoterRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[UpdateRaftVoterRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[UpdateRaftVoterRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"UpdateRaftVoterRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"UpdateRaftVoterRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"UpdateRaftVoterRequest v{version} is cut short")
    return result


def encode(message: UpdateRaftVoterRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"UpdateRaftVoterRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"UpdateRaftVoterRequest v{version}: {error}") from error
