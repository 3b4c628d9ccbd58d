"""ReadShareGroupStateRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "ReadShareGroupStateRequest"
API_KEY: Final = 84
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_iiB = Struct(">iiB").unpack_from
_pack_u = Struct(">16s").pack
_pack_iix = Struct(">iix").pack


@dataclass(init=False, repr=False, eq=False)
class PartitionData(Wire):
    """PartitionData."""

    __slots__ = ("partition", "leader_epoch")

    partition: int
    leader_epoch: int

    def __init__(
        self,
        partition: int = 0,
        leader_epoch: int = 0,
    ) -> None:
        self.partition = partition
        self.leader_epoch = leader_epoch


@dataclass(init=False, repr=False, eq=False)
class ReadStateData(Wire):
    """ReadStateData."""

    __slots__ = ("topic_id", "partitions")

    topic_id: bytes
    partitions: list[PartitionData]

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: list[PartitionData] = UNSET,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class ReadShareGroupStateRequest(Wire):
    """ReadShareGroupStateRequest."""

    __slots__ = ("group_id", "topics")

    group_id: str
    topics: list[ReadStateData]

    def __init__(
        self,
        group_id: str = "",
        topics: list[ReadStateData] = UNSET,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[ReadShareGroupStateRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("ReadShareGroupStateRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("ReadShareGroupStateRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("ReadShareGroupStateRequest.topics", topics_count)
    room -= topics_count
    topics: list[ReadStateData] = []
    for _ in range(topics_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("ReadShareGroupStateRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 9 > end - p:
            raise too_many("ReadShareGroupStateRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition, leader_epoch, tags = _unpack_iiB(buffer, p)
            p += 9
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(PartitionData(partition, leader_epoch))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(ReadStateData(topic_id, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return ReadShareGroupStateRequest(group_id, topics), p


def _encode_0(message: ReadShareGroupStateRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("ReadShareGroupStateRequest.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        out += [_pack_iix(element_2.partition, element_2.leader_epoch) for element_2 in partitions]
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ReadShareGroupStateRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ReadShareGroupStateRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ReadShareGroupStateRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ReadShareGroupStateRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ReadShareGroupStateRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ReadShareGroupStateRequest v{version} is cut short")
    return result


def encode(message: ReadShareGroupStateRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ReadShareGroupStateRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ReadShareGroupStateRequest v{version}: {error}") from error
