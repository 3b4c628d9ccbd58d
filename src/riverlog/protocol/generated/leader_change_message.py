"""LeaderChangeMessage. Written by `python -m codegen` from schemas/data; do not edit."""

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
    too_many,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
    ZERO_UUID,
)

NAME: Final = "LeaderChangeMessage"
API_KEY: Final = -1
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_hiB = Struct(">hiB").unpack_from
_unpack_iuB = Struct(">i16sB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_pack_hi = Struct(">hi").pack
_pack_iux = Struct(">i16sx").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class Voter(Wire):
    """Voter."""

    __slots__ = ("voter_id", "voter_directory_id")

    voter_id: int
    voter_directory_id: bytes

    def __init__(
        self,
        voter_id: int = 0,
        voter_directory_id: bytes = ZERO_UUID,
    ) -> None:
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id


@dataclass(init=False, repr=False, eq=False)
class LeaderChangeMessage(Wire):
    """LeaderChangeMessage."""

    __slots__ = ("version", "leader_id", "voters", "granting_voters")

    version: int
    leader_id: int
    voters: list[Voter]
    granting_voters: list[Voter]

    def __init__(
        self,
        version: int = 0,
        leader_id: int = 0,
        voters: list[Voter] = UNSET,
        granting_voters: list[Voter] = UNSET,
    ) -> None:
        self.version = version
        self.leader_id = leader_id
        self.voters = [] if voters is UNSET else voters
        self.granting_voters = [] if granting_voters is UNSET else granting_voters


def _decode_0(buffer: memoryview, p: int) -> tuple[LeaderChangeMessage, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    version, leader_id, voters_count = _unpack_hiB(buffer, p)
    p += 7
    if voters_count > 127:
        voters_count, p = uvarint_tail(buffer, p, voters_count)
    if voters_count == 0:
        raise missing("LeaderChangeMessage.voters")
    voters_count -= 1
    if voters_count > room or voters_count * 5 > end - p:
        raise too_many("LeaderChangeMessage.voters", voters_count)
    room -= voters_count
    voters: list[Voter] = []
    for _ in range(voters_count):
        voter_id, tags = _unpack_iB(buffer, p)
        p += 5
        if tags:
            p = skip_tags(buffer, p, tags)
        voters.append(Voter(voter_id, ZERO_UUID))
    granting_voters_count = buffer[p]
    p += 1
    if granting_voters_count > 127:
        granting_voters_count, p = uvarint_tail(buffer, p, granting_voters_count)
    if granting_voters_count == 0:
        raise missing("LeaderChangeMessage.granting_voters")
    granting_voters_count -= 1
    if granting_voters_count > room or granting_voters_count * 5 > end - p:
        raise too_many("LeaderChangeMessage.granting_voters", granting_voters_count)
    room -= granting_voters_count
    granting_voters: list[Voter] = []
    for _ in range(granting_voters_count):
        voter_id_2, tags_2 = _unpack_iB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        granting_voters.append(Voter(voter_id_2, ZERO_UUID))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return LeaderChangeMessage(version, leader_id, voters, granting_voters), p


def _decode_1(buffer: memoryview, p: int) -> tuple[LeaderChangeMessage, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    version, leader_id, voters_count = _unpack_hiB(buffer, p)
    p += 7
    if voters_count > 127:
        voters_count, p = uvarint_tail(buffer, p, voters_count)
    if voters_count == 0:
        raise missing("LeaderChangeMessage.voters")
    voters_count -= 1
    if voters_count > room or voters_count * 21 > end - p:
        raise too_many("LeaderChangeMessage.voters", voters_count)
    room -= voters_count
    voters: list[Voter] = []
    for _ in range(voters_count):
        voter_id, voter_directory_id, tags = _unpack_iuB(buffer, p)
        p += 21
        if tags:
            p = skip_tags(buffer, p, tags)
        voters.append(Voter(voter_id, voter_directory_id))
    granting_voters_count = buffer[p]
    p += 1
    if granting_voters_count > 127:
        granting_voters_count, p = uvarint_tail(buffer, p, granting_voters_count)
    if granting_voters_count == 0:
        raise missing("LeaderChangeMessage.granting_voters")
    granting_voters_count -= 1
    if granting_voters_count > room or granting_voters_count * 21 > end - p:
        raise too_many("LeaderChangeMessage.granting_voters", granting_voters_count)
    room -= granting_voters_count
    granting_voters: list[Voter] = []
    for _ in range(granting_voters_count):
        voter_id_2, voter_directory_id_2, tags_2 = _unpack_iuB(buffer, p)
        p += 21
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        granting_voters.append(Voter(voter_id_2, voter_directory_id_2))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return LeaderChangeMessage(version, leader_id, voters, granting_voters), p


def _encode_0(message: LeaderChangeMessage) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    voters = message.voters
    voters_count = len(voters) + 1
    out += (
        _pack_hi(message.version, message.leader_id),
        UVARINTS[voters_count] if voters_count < 256 else uvarint(voters_count),
    )
    for element in voters:
        if element.voter_directory_id != ZERO_UUID:
            raise not_in_version("LeaderChangeMessage.voters.voter_directory_id")
        out.append(_pack_ix(element.voter_id))
    granting_voters = message.granting_voters
    granting_voters_count = len(granting_voters) + 1
    out.append(UVARINTS[granting_voters_count] if granting_voters_count < 256 else uvarint(granting_voters_count))
    for element_2 in granting_voters:
        if element_2.voter_directory_id != ZERO_UUID:
            raise not_in_version("LeaderChangeMessage.granting_voters.voter_directory_id")
        out.append(_pack_ix(element_2.voter_id))
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: LeaderChangeMessage) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    voters = message.voters
    voters_count = len(voters) + 1
    out += (
        _pack_hi(message.version, message.leader_id),
        UVARINTS[voters_count] if voters_count < 256 else uvarint(voters_count),
    )
    for element in voters:
        voter_directory_id = element.voter_directory_id
        if len(voter_directory_id) != 16:
            raise bad_uuid("LeaderChangeMessage.voters.voter_directory_id")
        out.append(_pack_iux(element.voter_id, voter_directory_id))
    granting_voters = message.granting_voters
    granting_voters_count = len(granting_voters) + 1
    out.append(UVARINTS[granting_voters_count] if granting_voters_count < 256 else uvarint(granting_voters_count))
    for element_2 in granting_voters:
        voter_directory_id_2 = element_2.voter_directory_id
        if len(voter_directory_id_2) != 16:
            raise bad_uuid("LeaderChangeMessage.granting_voters.voter_directory_id")
        out.append(_pack_iux(element_2.voter_id, voter_directory_id_2))
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[LeaderChangeMessage, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[LeaderChangeMessage], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[LeaderChangeMessage, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"LeaderChangeMessage has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"LeaderChangeMessage v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"LeaderChangeMessage v{version} is cut short")
    return result


def encode(message: LeaderChangeMessage, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"LeaderChangeMessage has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"LeaderChangeMessage v{version}: {error}") from error
