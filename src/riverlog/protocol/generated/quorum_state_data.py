"""QuorumStateData. Written by `python -m codegen` from schemas/raft; do not edit."""

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

NAME: Final = "QuorumStateData"
API_KEY: Final = -1
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iB = Struct(">iB").unpack_from
_unpack_iiiuB = Struct(">iii16sB").unpack_from
_unpack_iiiqB = Struct(">iiiqB").unpack_from
_pack_iiiux = Struct(">iii16sx").pack
_pack_iiiq = Struct(">iiiq").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class Voter(Wire):
    """Voter."""

    __slots__ = ("voter_id",)

    voter_id: int

    def __init__(
        self,
        voter_id: int = 0,
    ) -> None:
        self.voter_id = voter_id


@dataclass(init=False, repr=False, eq=False)
class QuorumStateData(Wire):
    """QuorumStateData."""

    __slots__ = ("cluster_id", "leader_id", "leader_epoch", "voted_id", "voted_directory_id", "applied_offset", "current_voters")

    cluster_id: str
    leader_id: int
    leader_epoch: int
    voted_id: int
    voted_directory_id: bytes
    applied_offset: int
    current_voters: list[Voter] | None

    def __init__(
        self,
        cluster_id: str = "",
        leader_id: int = -1,
        leader_epoch: int = -1,
        voted_id: int = -1,
        voted_directory_id: bytes = ZERO_UUID,
        applied_offset: int = 0,
        current_voters: list[Voter] | None = UNSET,
    ) -> None:
        self.cluster_id = cluster_id
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.voted_id = voted_id
        self.voted_directory_id = voted_directory_id
        self.applied_offset = applied_offset
        self.current_voters = [] if current_voters is UNSET else current_voters


def _decode_0(buffer: memoryview, p: int) -> tuple[QuorumStateData, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    cluster_id_size = buffer[p]
    p += 1
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    if cluster_id_size == 0:
        raise missing("QuorumStateData.cluster_id")
    stop = p + cluster_id_size - 1
    cluster_id = buffer[p:stop].tobytes().decode()
    p = stop
    leader_id, leader_epoch, voted_id, applied_offset, current_voters_count = _unpack_iiiqB(buffer, p)
    p += 21
    if current_voters_count > 127:
        current_voters_count, p = uvarint_tail(buffer, p, current_voters_count)
    current_voters: list[Voter] | None = None
    if current_voters_count:
        current_voters_count -= 1
        if current_voters_count > room or current_voters_count * 5 > end - p:
            raise too_many("QuorumStateData.current_voters", current_voters_count)
        room -= current_voters_count
        current_voters = []
        for _ in range(current_voters_count):
            voter_id, tags = _unpack_iB(buffer, p)
            p += 5
            if tags:
                p = skip_tags(buffer, p, tags)
            current_voters.append(Voter(voter_id))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return QuorumStateData(cluster_id, leader_id, leader_epoch, voted_id, ZERO_UUID, applied_offset, current_voters), p


def _decode_1(buffer: memoryview, p: int) -> tuple[QuorumStateData, int]:
    """Versions 1."""
    leader_id, leader_epoch, voted_id, voted_directory_id, tags = _unpack_iiiuB(buffer, p)
    p += 29
    if tags:
        p = skip_tags(buffer, p, tags)
    return QuorumStateData("", leader_id, leader_epoch, voted_id, voted_directory_id, 0, []), p


def _encode_0(message: QuorumStateData) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    cluster_id = message.cluster_id.encode()
    cluster_id_size = len(cluster_id) + 1
    if message.voted_directory_id != ZERO_UUID:
        raise not_in_version("QuorumStateData.voted_directory_id")
    current_voters = message.current_voters
    out += (
        UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
        cluster_id,
        _pack_iiiq(message.leader_id, message.leader_epoch, message.voted_id, message.applied_offset),
    )
    if current_voters is None:
        out.append(b"\0")
    else:
        current_voters_count = len(current_voters) + 1
        out.append(UVARINTS[current_voters_count] if current_voters_count < 256 else uvarint(current_voters_count))
        out += [_pack_ix(element.voter_id) for element in current_voters]
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: QuorumStateData) -> bytes:
    """Versions 1."""
    if message.cluster_id != "":
        raise not_in_version("QuorumStateData.cluster_id")
    voted_directory_id = message.voted_directory_id
    if len(voted_directory_id) != 16:
        raise bad_uuid("QuorumStateData.voted_directory_id")
    if message.applied_offset != 0:
        raise not_in_version("QuorumStateData.applied_offset")
    if message.current_voters is None or message.current_voters:
        raise not_in_version("QuorumStateData.current_voters")
    return _pack_iiiux(message.leader_id, message.leader_epoch, message.voted_id, voted_directory_id)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[QuorumStateData, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[QuorumStateData], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[QuorumStateData, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"QuorumStateData has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"QuorumStateData v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"QuorumStateData v{version} is cut short")
    return result


def encode(message: QuorumStateData, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"QuorumStateData has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"QuorumStateData v{version}: {error}") from error
