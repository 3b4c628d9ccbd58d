"""VotersRecord. Written by `python -m codegen` from schemas/data; do not edit."""

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

NAME: Final = "VotersRecord"
API_KEY: Final = -1
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_HB = Struct(">HB").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_hhB = Struct(">hhB").unpack_from
_unpack_iuB = Struct(">i16sB").unpack_from
_pack_Hx = Struct(">Hx").pack
_pack_h = Struct(">h").pack
_pack_hhxx = Struct(">hhxx").pack
_pack_iu = Struct(">i16s").pack


@dataclass(init=False, repr=False, eq=False)
class Endpoint(Wire):
    """Endpoint."""

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
class Voter(Wire):
    """Voter."""

    __slots__ = ("voter_id", "voter_directory_id", "endpoints", "kraft_version_feature")

    voter_id: int
    voter_directory_id: bytes
    endpoints: list[Endpoint]
    kraft_version_feature: KRaftVersionFeature

    def __init__(
        self,
        voter_id: int = 0,
        voter_directory_id: bytes = ZERO_UUID,
        endpoints: list[Endpoint] = UNSET,
        kraft_version_feature: KRaftVersionFeature = UNSET,
    ) -> None:
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.endpoints = [] if endpoints is UNSET else endpoints
        self.kraft_version_feature = KRaftVersionFeature() if kraft_version_feature is UNSET else kraft_version_feature


@dataclass(init=False, repr=False, eq=False)
class VotersRecord(Wire):
    """VotersRecord."""

    __slots__ = ("version", "voters")

    version: int
    voters: list[Voter]

    def __init__(
        self,
        version: int = 0,
        voters: list[Voter] = UNSET,
    ) -> None:
        self.version = version
        self.voters = [] if voters is UNSET else voters


def _decode_0(buffer: memoryview, p: int) -> tuple[VotersRecord, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    version, voters_count = _unpack_hB(buffer, p)
    p += 3
    if voters_count > 127:
        voters_count, p = uvarint_tail(buffer, p, voters_count)
    if voters_count == 0:
        raise missing("VotersRecord.voters")
    voters_count -= 1
    if voters_count > room or voters_count * 27 > end - p:
        raise too_many("VotersRecord.voters", voters_count)
    room -= voters_count
    voters: list[Voter] = []
    for _ in range(voters_count):
        voter_id, voter_directory_id, endpoints_count = _unpack_iuB(buffer, p)
        p += 21
        if endpoints_count > 127:
            endpoints_count, p = uvarint_tail(buffer, p, endpoints_count)
        if endpoints_count == 0:
            raise missing("VotersRecord.voters.endpoints")
        endpoints_count -= 1
        if endpoints_count > room or endpoints_count * 5 > end - p:
            raise too_many("VotersRecord.voters.endpoints", endpoints_count)
        room -= endpoints_count
        endpoints: list[Endpoint] = []
        for _ in range(endpoints_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("VotersRecord.voters.endpoints.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            host_size = buffer[p]
            p += 1
            if host_size > 127:
                host_size, p = string_tail(buffer, p, host_size)
            if host_size == 0:
                raise missing("VotersRecord.voters.endpoints.host")
            stop = p + host_size - 1
            host = buffer[p:stop].tobytes().decode()
            p = stop
            port, tags = _unpack_HB(buffer, p)
            p += 3
            if tags:
                p = skip_tags(buffer, p, tags)
            endpoints.append(Endpoint(name, host, port))
        min_supported_version, max_supported_version, tags_2 = _unpack_hhB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        voters.append(Voter(voter_id, voter_directory_id, endpoints, KRaftVersionFeature(min_supported_version, max_supported_version)))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return VotersRecord(version, voters), p


def _encode_0(message: VotersRecord) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    voters = message.voters
    voters_count = len(voters) + 1
    out += (_pack_h(message.version), UVARINTS[voters_count] if voters_count < 256 else uvarint(voters_count))
    for element in voters:
        voter_directory_id = element.voter_directory_id
        if len(voter_directory_id) != 16:
            raise bad_uuid("VotersRecord.voters.voter_directory_id")
        endpoints = element.endpoints
        endpoints_count = len(endpoints) + 1
        out += (
            _pack_iu(element.voter_id, voter_directory_id),
            UVARINTS[endpoints_count] if endpoints_count < 256 else uvarint(endpoints_count),
        )
        for element_2 in endpoints:
            name = element_2.name.encode()
            name_size = len(name) + 1
            host = element_2.host.encode()
            host_size = len(host) + 1
            out += (
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
                host,
                _pack_Hx(element_2.port),
            )
        kraft_version_feature = element.kraft_version_feature
        out.append(_pack_hhxx(kraft_version_feature.min_supported_version, kraft_version_feature.max_supported_version))
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[VotersRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[VotersRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[VotersRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"VotersRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"VotersRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"VotersRecord v{version} is cut short")
    return result


def encode(message: VotersRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"VotersRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"VotersRecord v{version}: {error}") from error
