"""ShareGroupStatePartitionMetadataValue. Written by `python -m codegen` from schemas/group; do not edit."""

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
    string_prefix,
    string_tail,
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

NAME: Final = "ShareGroupStatePartitionMetadataValue"
API_KEY: Final = 15
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_pack_u = Struct(">16s").pack


@dataclass(init=False, repr=False, eq=False)
class TopicPartitionsInfo(Wire):
    """TopicPartitionsInfo."""

    __slots__ = ("topic_id", "topic_name", "partitions")

    topic_id: bytes
    topic_name: str
    partitions: list[int]

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        topic_name: str = "",
        partitions: list[int] = UNSET,
    ) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class TopicInfo(Wire):
    """TopicInfo."""

    __slots__ = ("topic_id", "topic_name")

    topic_id: bytes
    topic_name: str

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        topic_name: str = "",
    ) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name


@dataclass(init=False, repr=False, eq=False)
class ShareGroupStatePartitionMetadataValue(Wire):
    """ShareGroupStatePartitionMetadataValue."""

    __slots__ = ("initializing_topics", "initialized_topics", "deleting_topics")

    initializing_topics: list[TopicPartitionsInfo]
    initialized_topics: list[TopicPartitionsInfo]
    deleting_topics: list[TopicInfo]

    def __init__(
        self,
        initializing_topics: list[TopicPartitionsInfo] = UNSET,
        initialized_topics: list[TopicPartitionsInfo] = UNSET,
        deleting_topics: list[TopicInfo] = UNSET,
    ) -> None:
        self.initializing_topics = [] if initializing_topics is UNSET else initializing_topics
        self.initialized_topics = [] if initialized_topics is UNSET else initialized_topics
        self.deleting_topics = [] if deleting_topics is UNSET else deleting_topics


def _decode_0(buffer: memoryview, p: int) -> tuple[ShareGroupStatePartitionMetadataValue, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    initializing_topics_count = buffer[p]
    p += 1
    if initializing_topics_count > 127:
        initializing_topics_count, p = uvarint_tail(buffer, p, initializing_topics_count)
    if initializing_topics_count == 0:
        raise missing("ShareGroupStatePartitionMetadataValue.initializing_topics")
    initializing_topics_count -= 1
    if initializing_topics_count > room or initializing_topics_count * 19 > end - p:
        raise too_many("ShareGroupStatePartitionMetadataValue.initializing_topics", initializing_topics_count)
    room -= initializing_topics_count
    initializing_topics: list[TopicPartitionsInfo] = []
    for _ in range(initializing_topics_count):
        topic_id, topic_name_size = _unpack_uB(buffer, p)
        p += 17
        if topic_name_size > 127:
            topic_name_size, p = string_tail(buffer, p, topic_name_size)
        if topic_name_size == 0:
            raise missing("ShareGroupStatePartitionMetadataValue.initializing_topics.topic_name")
        stop = p + topic_name_size - 1
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("ShareGroupStatePartitionMetadataValue.initializing_topics.partitions")
        partitions_count -= 1
        partitions = read_int32s(buffer, p, partitions_count)
        p += partitions_count * 4
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        initializing_topics.append(TopicPartitionsInfo(topic_id, topic_name, partitions))
    initialized_topics_count = buffer[p]
    p += 1
    if initialized_topics_count > 127:
        initialized_topics_count, p = uvarint_tail(buffer, p, initialized_topics_count)
    if initialized_topics_count == 0:
        raise missing("ShareGroupStatePartitionMetadataValue.initialized_topics")
    initialized_topics_count -= 1
    if initialized_topics_count > room or initialized_topics_count * 19 > end - p:
        raise too_many("ShareGroupStatePartitionMetadataValue.initialized_topics", initialized_topics_count)
    room -= initialized_topics_count
    initialized_topics: list[TopicPartitionsInfo] = []
    for _ in range(initialized_topics_count):
        topic_id_2, topic_name_size_2 = _unpack_uB(buffer, p)
        p += 17
        if topic_name_size_2 > 127:
            topic_name_size_2, p = string_tail(buffer, p, topic_name_size_2)
        if topic_name_size_2 == 0:
            raise missing("ShareGroupStatePartitionMetadataValue.initialized_topics.topic_name")
        stop = p + topic_name_size_2 - 1
        topic_name_2 = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count_2 = buffer[p]
        p += 1
        if partitions_count_2 > 127:
            partitions_count_2, p = uvarint_tail(buffer, p, partitions_count_2)
        if partitions_count_2 == 0:
            raise missing("ShareGroupStatePartitionMetadataValue.initialized_topics.partitions")
        partitions_count_2 -= 1
        partitions_2 = read_int32s(buffer, p, partitions_count_2)
        p += partitions_count_2 * 4
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        initialized_topics.append(TopicPartitionsInfo(topic_id_2, topic_name_2, partitions_2))
    deleting_topics_count = buffer[p]
    p += 1
    if deleting_topics_count > 127:
        deleting_topics_count, p = uvarint_tail(buffer, p, deleting_topics_count)
    if deleting_topics_count == 0:
        raise missing("ShareGroupStatePartitionMetadataValue.deleting_topics")
    deleting_topics_count -= 1
    if deleting_topics_count > room or deleting_topics_count * 18 > end - p:
        raise too_many("ShareGroupStatePartitionMetadataValue.deleting_topics", deleting_topics_count)
    room -= deleting_topics_count
    deleting_topics: list[TopicInfo] = []
    for _ in range(deleting_topics_count):
        topic_id_3, topic_name_size_3 = _unpack_uB(buffer, p)
        p += 17
        if topic_name_size_3 > 127:
            topic_name_size_3, p = string_tail(buffer, p, topic_name_size_3)
        if topic_name_size_3 == 0:
            raise missing("ShareGroupStatePartitionMetadataValue.deleting_topics.topic_name")
        stop = p + topic_name_size_3 - 1
        topic_name_3 = buffer[p:stop].tobytes().decode()
        p = stop
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        deleting_topics.append(TopicInfo(topic_id_3, topic_name_3))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return ShareGroupStatePartitionMetadataValue(initializing_topics, initialized_topics, deleting_topics), p


def _encode_0(message: ShareGroupStatePartitionMetadataValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    initializing_topics = message.initializing_topics
    initializing_topics_count = len(initializing_topics) + 1
    out.append(UVARINTS[initializing_topics_count] if initializing_topics_count < 256 else uvarint(initializing_topics_count))
    for element in initializing_topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("ShareGroupStatePartitionMetadataValue.initializing_topics.topic_id")
        topic_name = element.topic_name.encode()
        topic_name_size = len(topic_name) + 1
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
            topic_name,
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
            write_int32s(partitions),
            b"\0",
        )
    initialized_topics = message.initialized_topics
    initialized_topics_count = len(initialized_topics) + 1
    out.append(UVARINTS[initialized_topics_count] if initialized_topics_count < 256 else uvarint(initialized_topics_count))
    for element_2 in initialized_topics:
        topic_id_2 = element_2.topic_id
        if len(topic_id_2) != 16:
            raise bad_uuid("ShareGroupStatePartitionMetadataValue.initialized_topics.topic_id")
        topic_name_2 = element_2.topic_name.encode()
        topic_name_size_2 = len(topic_name_2) + 1
        partitions_2 = element_2.partitions
        partitions_count_2 = len(partitions_2) + 1
        out += (
            _pack_u(topic_id_2),
            UVARINTS[topic_name_size_2] if topic_name_size_2 < 256 else string_prefix(topic_name_size_2),
            topic_name_2,
            UVARINTS[partitions_count_2] if partitions_count_2 < 256 else uvarint(partitions_count_2),
            write_int32s(partitions_2),
            b"\0",
        )
    deleting_topics = message.deleting_topics
    deleting_topics_count = len(deleting_topics) + 1
    out.append(UVARINTS[deleting_topics_count] if deleting_topics_count < 256 else uvarint(deleting_topics_count))
    for element_3 in deleting_topics:
        topic_id_3 = element_3.topic_id
        if len(topic_id_3) != 16:
            raise bad_uuid("ShareGroupStatePartitionMetadataValue.deleting_topics.topic_id")
        topic_name_3 = element_3.topic_name.encode()
        topic_name_size_3 = len(topic_name_3) + 1
        out += (
            _pack_u(topic_id_3),
            UVARINTS[topic_name_size_3] if topic_name_size_3 < 256 else string_prefix(topic_name_size_3),
            topic_name_3,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ShareGroupStatePartitionMetadataValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ShareGroupStatePartitionMetadataValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ShareGroupStatePartitionMetadataValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ShareGroupStatePartitionMetadataValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ShareGroupStatePartitionMetadataValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ShareGroupStatePartitionMetadataValue v{version} is cut short")
    return result


def encode(message: ShareGroupStatePartitionMetadataValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ShareGroupStatePartitionMetadataValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ShareGroupStatePartitionMetadataValue v{version}: {error}") from error
