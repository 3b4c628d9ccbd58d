"""ConsumerGroupPartitionMetadataValue. Written by `python -m codegen` from schemas/group; do not edit."""

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

NAME: Final = "ConsumerGroupPartitionMetadataValue"
API_KEY: Final = 4
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_pack_u = Struct(">16s").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class PartitionMetadata(Wire):
    """PartitionMetadata."""

    __slots__ = ("partition", "racks")

    partition: int
    racks: list[str]

    def __init__(
        self,
        partition: int = 0,
        racks: list[str] = UNSET,
    ) -> None:
        self.partition = partition
        self.racks = [] if racks is UNSET else racks


@dataclass(init=False, repr=False, eq=False)
class TopicMetadata(Wire):
    """TopicMetadata."""

    __slots__ = ("topic_id", "topic_name", "num_partitions", "partition_metadata")

    topic_id: bytes
    topic_name: str
    num_partitions: int
    partition_metadata: list[PartitionMetadata]

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        topic_name: str = "",
        num_partitions: int = 0,
        partition_metadata: list[PartitionMetadata] = UNSET,
    ) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name
        self.num_partitions = num_partitions
        self.partition_metadata = [] if partition_metadata is UNSET else partition_metadata


@dataclass(init=False, repr=False, eq=False)
class ConsumerGroupPartitionMetadataValue(Wire):
    """ConsumerGroupPartitionMetadataValue."""

    __slots__ = ("topics",)

    topics: list[TopicMetadata]

    def __init__(
        self,
        topics: list[TopicMetadata] = UNSET,
    ) -> None:
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[ConsumerGroupPartitionMetadataValue, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("ConsumerGroupPartitionMetadataValue.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 23 > end - p:
        raise too_many("ConsumerGroupPartitionMetadataValue.topics", topics_count)
    room -= topics_count
    topics: list[TopicMetadata] = []
    for _ in range(topics_count):
        topic_id, topic_name_size = _unpack_uB(buffer, p)
        p += 17
        if topic_name_size > 127:
            topic_name_size, p = string_tail(buffer, p, topic_name_size)
        if topic_name_size == 0:
            raise missing("ConsumerGroupPartitionMetadataValue.topics.topic_name")
        stop = p + topic_name_size - 1
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        num_partitions, partition_metadata_count = _unpack_iB(buffer, p)
        p += 5
        if partition_metadata_count > 127:
            partition_metadata_count, p = uvarint_tail(buffer, p, partition_metadata_count)
        if partition_metadata_count == 0:
            raise missing("ConsumerGroupPartitionMetadataValue.topics.partition_metadata")
        partition_metadata_count -= 1
        if partition_metadata_count > room or partition_metadata_count * 6 > end - p:
            raise too_many("ConsumerGroupPartitionMetadataValue.topics.partition_metadata", partition_metadata_count)
        room -= partition_metadata_count
        partition_metadata: list[PartitionMetadata] = []
        for _ in range(partition_metadata_count):
            partition, racks_count = _unpack_iB(buffer, p)
            p += 5
            if racks_count > 127:
                racks_count, p = uvarint_tail(buffer, p, racks_count)
            if racks_count == 0:
                raise missing("ConsumerGroupPartitionMetadataValue.topics.partition_metadata.racks")
            racks_count -= 1
            if racks_count > room or racks_count > end - p:
                raise too_many("ConsumerGroupPartitionMetadataValue.topics.partition_metadata.racks", racks_count)
            room -= racks_count
            racks: list[str] = []
            for _ in range(racks_count):
                element_size = buffer[p]
                p += 1
                if element_size > 127:
                    element_size, p = string_tail(buffer, p, element_size)
                if element_size == 0:
                    raise missing("ConsumerGroupPartitionMetadataValue.topics.partition_metadata.racks")
                stop = p + element_size - 1
                element = buffer[p:stop].tobytes().decode()
                p = stop
                racks.append(element)
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            partition_metadata.append(PartitionMetadata(partition, racks))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(TopicMetadata(topic_id, topic_name, num_partitions, partition_metadata))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return ConsumerGroupPartitionMetadataValue(topics), p


def _encode_0(message: ConsumerGroupPartitionMetadataValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("ConsumerGroupPartitionMetadataValue.topics.topic_id")
        topic_name = element.topic_name.encode()
        topic_name_size = len(topic_name) + 1
        partition_metadata = element.partition_metadata
        partition_metadata_count = len(partition_metadata) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
            topic_name,
            _pack_i(element.num_partitions),
            UVARINTS[partition_metadata_count] if partition_metadata_count < 256 else uvarint(partition_metadata_count),
        )
        for element_2 in partition_metadata:
            racks = element_2.racks
            racks_count = len(racks) + 1
            out += (
                _pack_i(element_2.partition),
                UVARINTS[racks_count] if racks_count < 256 else uvarint(racks_count),
            )
            for element_3 in racks:
                text = element_3.encode()
                text_size = len(text) + 1
                out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
            out.append(b"\0")
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ConsumerGroupPartitionMetadataValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ConsumerGroupPartitionMetadataValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ConsumerGroupPartitionMetadataValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ConsumerGroupPartitionMetadataValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ConsumerGroupPartitionMetadataValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ConsumerGroupPartitionMetadataValue v{version} is cut short")
    return result


def encode(message: ConsumerGroupPartitionMetadataValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ConsumerGroupPartitionMetadataValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ConsumerGroupPartitionMetadataValue v{version}: {error}") from error
