"""AssignReplicasToDirsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    too_many,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
    ZERO_UUID,
)

NAME: Final = "AssignReplicasToDirsResponse"
API_KEY: Final = 73
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_pack_u = Struct(">16s").pack
_pack_ih = Struct(">ih").pack
_pack_ihx = Struct(">ihx").pack


@dataclass(init=False, repr=False, eq=False)
class PartitionData(Wire):
    """PartitionData."""

    __slots__ = ("partition_index", "error_code")

    partition_index: int
    error_code: int

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code


@dataclass(init=False, repr=False, eq=False)
class TopicData(Wire):
    """TopicData."""

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
class DirectoryData(Wire):
    """DirectoryData."""

    __slots__ = ("id", "topics")

    id: bytes
    topics: list[TopicData]

    def __init__(
        self,
        id: bytes = ZERO_UUID,
        topics: list[TopicData] = UNSET,
    ) -> None:
        self.id = id
        self.topics = [] if topics is UNSET else topics


@dataclass(init=False, repr=False, eq=False)
class AssignReplicasToDirsResponse(Wire):
    """AssignReplicasToDirsResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "directories")

    throttle_time_ms: int
    error_code: int
    directories: list[DirectoryData]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        directories: list[DirectoryData] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.directories = [] if directories is UNSET else directories


def _decode_0(buffer: memoryview, p: int) -> tuple[AssignReplicasToDirsResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, directories_count = _unpack_ihB(buffer, p)
    p += 7
    if directories_count > 127:
        directories_count, p = uvarint_tail(buffer, p, directories_count)
    if directories_count == 0:
        raise missing("AssignReplicasToDirsResponse.directories")
    directories_count -= 1
    if directories_count > room or directories_count * 18 > end - p:
        raise too_many("AssignReplicasToDirsResponse.directories", directories_count)
    room -= directories_count
    directories: list[DirectoryData] = []
    for _ in range(directories_count):
        id, topics_count = _unpack_uB(buffer, p)
        p += 17
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        if topics_count == 0:
            raise missing("AssignReplicasToDirsResponse.directories.topics")
        topics_count -= 1
        if topics_count > room or topics_count * 18 > end - p:
            raise too_many("AssignReplicasToDirsResponse.directories.topics", topics_count)
        room -= topics_count
        topics: list[TopicData] = []
        for _ in range(topics_count):
            topic_id, partitions_count = _unpack_uB(buffer, p)
            p += 17
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("AssignReplicasToDirsResponse.directories.topics.partitions")
            partitions_count -= 1
            if partitions_count > room or partitions_count * 7 > end - p:
                raise too_many("AssignReplicasToDirsResponse.directories.topics.partitions", partitions_count)
            room -= partitions_count
            partitions: list[PartitionData] = []
            for _ in range(partitions_count):
                partition_index, error_code_2, tags = _unpack_ihB(buffer, p)
                p += 7
                if tags:
                    p = skip_tags(buffer, p, tags)
                partitions.append(PartitionData(partition_index, error_code_2))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            topics.append(TopicData(topic_id, partitions))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        directories.append(DirectoryData(id, topics))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return AssignReplicasToDirsResponse(throttle_time_ms, error_code, directories), p


def _encode_0(message: AssignReplicasToDirsResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    directories = message.directories
    directories_count = len(directories) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[directories_count] if directories_count < 256 else uvarint(directories_count),
    )
    for element in directories:
        id = element.id
        if len(id) != 16:
            raise bad_uuid("AssignReplicasToDirsResponse.directories.id")
        topics = element.topics
        topics_count = len(topics) + 1
        out += (_pack_u(id), UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
        for element_2 in topics:
            topic_id = element_2.topic_id
            if len(topic_id) != 16:
                raise bad_uuid("AssignReplicasToDirsResponse.directories.topics.topic_id")
            partitions = element_2.partitions
            partitions_count = len(partitions) + 1
            out += (
                _pack_u(topic_id),
                UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
            )
            out += [_pack_ihx(element_3.partition_index, element_3.error_code) for element_3 in partitions]
            out.append(b"\0")
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AssignReplicasToDirsResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[AssignReplicasToDirsResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AssignReplicasToDirsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AssignReplicasToDirsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AssignReplicasToDirsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AssignReplicasToDirsResponse v{version} is cut short")
    return result


def encode(message: AssignReplicasToDirsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AssignReplicasToDirsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AssignReplicasToDirsResponse v{version}: {error}") from error
