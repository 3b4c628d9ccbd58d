"""AssignReplicasToDirsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "AssignReplicasToDirsRequest"
API_KEY: Final = 73
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_iqB = Struct(">iqB").unpack_from
_pack_u = Struct(">16s").pack
_pack_iq = Struct(">iq").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class PartitionData(Wire):
    """PartitionData."""

    __slots__ = ("partition_index",)

    partition_index: int

    def __init__(
        self,
        partition_index: int = 0,
    ) -> None:
        self.partition_index = partition_index


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
class AssignReplicasToDirsRequest(Wire):
    """AssignReplicasToDirsRequest."""

    __slots__ = ("broker_id", "broker_epoch", "directories")

    broker_id: int
    broker_epoch: int
    directories: list[DirectoryData]

    def __init__(
        self,
        broker_id: int = 0,
        broker_epoch: int = -1,
        directories: list[DirectoryData] = UNSET,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.directories = [] if directories is UNSET else directories


def _decode_0(buffer: memoryview, p: int) -> tuple[AssignReplicasToDirsRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    broker_id, broker_epoch, directories_count = _unpack_iqB(buffer, p)
    p += 13
    if directories_count > 127:
        directories_count, p = uvarint_tail(buffer, p, directories_count)
    if directories_count == 0:
        raise missing("AssignReplicasToDirsRequest.directories")
    directories_count -= 1
    if directories_count > room or directories_count * 18 > end - p:
        raise too_many("AssignReplicasToDirsRequest.directories", directories_count)
    room -= directories_count
    directories: list[DirectoryData] = []
    for _ in range(directories_count):
        id, topics_count = _unpack_uB(buffer, p)
        p += 17
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        if topics_count == 0:
            raise missing("AssignReplicasToDirsRequest.directories.topics")
        topics_count -= 1
        if topics_count > room or topics_count * 18 > end - p:
            raise too_many("AssignReplicasToDirsRequest.directories.topics", topics_count)
        room -= topics_count
        topics: list[TopicData] = []
        for _ in range(topics_count):
            topic_id, partitions_count = _unpack_uB(buffer, p)
            p += 17
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("AssignReplicasToDirsRequest.directories.topics.partitions")
            partitions_count -= 1
            if partitions_count > room or partitions_count * 5 > end - p:
                raise too_many("AssignReplicasToDirsRequest.directories.topics.partitions", partitions_count)
            room -= partitions_count
            partitions: list[PartitionData] = []
            for _ in range(partitions_count):
                partition_index, tags = _unpack_iB(buffer, p)
                p += 5
                if tags:
                    p = skip_tags(buffer, p, tags)
                partitions.append(PartitionData(partition_index))
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
    return AssignReplicasToDirsRequest(broker_id, broker_epoch, directories), p


def _encode_0(message: AssignReplicasToDirsRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    directories = message.directories
    directories_count = len(directories) + 1
    out += (
        _pack_iq(message.broker_id, message.broker_epoch),
        UVARINTS[directories_count] if directories_count < 256 else uvarint(directories_count),
    )
    for element in directories:
        id = element.id
        if len(id) != 16:
            raise bad_uuid("AssignReplicasToDirsRequest.directories.id")
        topics = element.topics
        topics_count = len(topics) + 1
        out += (_pack_u(id), UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
        for element_2 in topics:
            topic_id = element_2.topic_id
            if len(topic_id) != 16:
                raise bad_uuid("AssignReplicasToDirsRequest.directories.topics.topic_id")
            partitions = element_2.partitions
            partitions_count = len(partitions) + 1
            out += (
                _pack_u(topic_id),
                UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
            )
            out += [_pack_ix(element_3.partition_index) for element_3 in partitions]
            out.append(b"\0")
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AssignReplicasToDirsRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[AssignReplicasToDirsRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AssignReplicasToDirsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AssignReplicasToDirsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AssignReplicasToDirsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AssignReplicasToDirsRequest v{version} is cut short")
    return result


def encode(message: AssignReplicasToDirsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AssignReplicasToDirsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AssignReplicasToDirsRequest v{version}: {error}") from error
