"""ShareGroupTargetAssignmentMemberValue. Written by `python -m codegen` from schemas/group; do not edit."""

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

NAME: Final = "ShareGroupTargetAssignmentMemberValue"
API_KEY: Final = 13
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_pack_u = Struct(">16s").pack


@dataclass(init=False, repr=False, eq=False)
class TopicPartition(Wire):
    """TopicPartition."""

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
class ShareGroupTargetAssignmentMemberValue(Wire):
    """ShareGroupTargetAssignmentMemberValue."""

    __slots__ = ("topic_partitions",)

    topic_partitions: list[TopicPartition]

    def __init__(
        self,
        topic_partitions: list[TopicPartition] = UNSET,
    ) -> None:
        self.topic_partitions = [] if topic_partitions is UNSET else topic_partitions


def _decode_0(buffer: memoryview, p: int) -> tuple[ShareGroupTargetAssignmentMemberValue, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    topic_partitions_count = buffer[p]
    p += 1
    if topic_partitions_count > 127:
        topic_partitions_count, p = uvarint_tail(buffer, p, topic_partitions_count)
    if topic_partitions_count == 0:
        raise missing("ShareGroupTargetAssignmentMemberValue.topic_partitions")
    topic_partitions_count -= 1
    if topic_partitions_count > room or topic_partitions_count * 18 > end - p:
        raise too_many("ShareGroupTargetAssignmentMemberValue.topic_partitions", topic_partitions_count)
    room -= topic_partitions_count
    topic_partitions: list[TopicPartition] = []
    for _ in range(topic_partitions_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("ShareGroupTargetAssignmentMemberValue.topic_partitions.partitions")
        partitions_count -= 1
        partitions = read_int32s(buffer, p, partitions_count)
        p += partitions_count * 4
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        topic_partitions.append(TopicPartition(topic_id, partitions))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return ShareGroupTargetAssignmentMemberValue(topic_partitions), p


def _encode_0(message: ShareGroupTargetAssignmentMemberValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    topic_partitions = message.topic_partitions
    topic_partitions_count = len(topic_partitions) + 1
    out.append(UVARINTS[topic_partitions_count] if topic_partitions_count < 256 else uvarint(topic_partitions_count))
    for element in topic_partitions:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("ShareGroupTargetAssignmentMemberValue.topic_partitions.topic_id")
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


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ShareGroupTargetAssignmentMemberValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ShareGroupTargetAssignmentMemberValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ShareGroupTargetAssignmentMemberValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ShareGroupTargetAssignmentMemberValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ShareGroupTargetAssignmentMemberValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ShareGroupTargetAssignmentMemberValue v{version} is cut short")
    return result


def encode(message: ShareGroupTargetAssignmentMemberValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ShareGroupTargetAssignmentMemberValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ShareGroupTargetAssignmentMemberValue v{version}: {error}") from error
