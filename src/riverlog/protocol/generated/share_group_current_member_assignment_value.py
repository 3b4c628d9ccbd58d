"""ShareGroupCurrentMemberAssignmentValue. Written by `python -m codegen` from schemas/group; do not edit."""

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
    read_int32s,
    skip_tags,
    too_many,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
    write_int32s,
    ZERO_UUID,
)

NAME: Final = "ShareGroupCurrentMemberAssignmentValue"
API_KEY: Final = 14
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_iibB = Struct(">iibB").unpack_from
_pack_u = Struct(">16s").pack
_pack_iib = Struct(">iib").pack


@dataclass(init=False, repr=False, eq=False)
class TopicPartitions(Wire):
    """TopicPartitions."""

    __slots__ = ("topic_id", "partitions")

    topic_id: bytes
    partitions: list[int]

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: list[int] = UNSET,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class ShareGroupCurrentMemberAssignmentValue(Wire):
    """ShareGroupCurrentMemberAssignmentValue."""

    __slots__ = ("member_epoch", "previous_member_epoch", "state", "assigned_partitions")

    member_epoch: int
    previous_member_epoch: int
    state: int
    assigned_partitions: list[TopicPartitions]

    def __init__(
        self,
        member_epoch: int = 0,
        previous_member_epoch: int = 0,
        state: int = 0,
        assigned_partitions: list[TopicPartitions] = UNSET,
    ) -> None:
        self.member_epoch = member_epoch
        self.previous_member_epoch = previous_member_epoch
        self.state = state
        self.assigned_partitions = [] if assigned_partitions is UNSET else assigned_partitions


def _decode_0(buffer: memoryview, p: int) -> tuple[ShareGroupCurrentMemberAssignmentValue, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    member_epoch, previous_member_epoch, state, assigned_partitions_count = _unpack_iibB(buffer, p)
    p += 10
    if assigned_partitions_count > 127:
        assigned_partitions_count, p = uvarint_tail(buffer, p, assigned_partitions_count)
    if assigned_partitions_count == 0:
        raise missing("ShareGroupCurrentMemberAssignmentValue.assigned_partitions")
    assigned_partitions_count -= 1
    if assigned_partitions_count > room or assigned_partitions_count * 18 > end - p:
        raise too_many("ShareGroupCurrentMemberAssignmentValue.assigned_partitions", assigned_partitions_count)
    room -= assigned_partitions_count
    assigned_partitions: list[TopicPartitions] = []
    for _ in range(assigned_partitions_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("ShareGroupCurrentMemberAssignmentValue.assigned_partitions.partitions")
        partitions_count -= 1
        partitions = read_int32s(buffer, p, partitions_count)
        p += partitions_count * 4
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        assigned_partitions.append(TopicPartitions(topic_id, partitions))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return ShareGroupCurrentMemberAssignmentValue(member_epoch, previous_member_epoch, state, assigned_partitions), p


def _encode_0(message: ShareGroupCurrentMemberAssignmentValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    assigned_partitions = message.assigned_partitions
    assigned_partitions_count = len(assigned_partitions) + 1
    out += (
        _pack_iib(message.member_epoch, message.previous_member_epoch, message.state),
        UVARINTS[assigned_partitions_count] if assigned_partitions_count < 256 else uvarint(assigned_partitions_count),
    )
    for element in assigned_partitions:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("ShareGroupCurrentMemberAssignmentValue.assigned_partitions.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
            write_int32s(partitions),
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ShareGroupCurrentMemberAssignmentValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ShareGroupCurrentMemberAssignmentValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ShareGroupCurrentMemberAssignmentValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ShareGroupCurrentMemberAssignmentValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ShareGroupCurrentMemberAssignmentValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ShareGroupCurrentMemberAssignmentValue v{version} is cut short")
    return result


def encode(message: ShareGroupCurrentMemberAssignmentValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ShareGroupCurrentMemberAssignmentValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ShareGroupCurrentMemberAssignmentValue v{version}: {error}") from error
