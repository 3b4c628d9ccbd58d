"""VoteRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "VoteRequest"
API_KEY: Final = 52
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iB = Struct(">iB").unpack_from
_unpack_iiiuuiqzB = Struct(">iii16s16siq?B").unpack_from
_unpack_iiiuuiqB = Struct(">iii16s16siqB").unpack_from
_unpack_iiiiqB = Struct(">iiiiqB").unpack_from
_pack_i = Struct(">i").pack
_pack_iiiuuiqzx = Struct(">iii16s16siq?x").pack
_pack_iiiuuiqx = Struct(">iii16s16siqx").pack
_pack_iiiiqx = Struct(">iiiiqx").pack


@dataclass(init=False, repr=False, eq=False)
class PartitionData(Wire):
    """PartitionData."""

    __slots__ = ("partition_index", "replica_epoch", "replica_id", "replica_directory_id", "voter_directory_id", "last_offset_epoch", "last_offset", "pre_vote")

    partition_index: int
    replica_epoch: int
    replica_id: int
    replica_directory_id: bytes
    voter_directory_id: bytes
    last_offset_epoch: int
    last_offset: int
    pre_vote: bool

    def __init__(
        self,
        partition_index: int = 0,
        replica_epoch: int = 0,
        replica_id: int = 0,
        replica_directory_id: bytes = ZERO_UUID,
        voter_directory_id: bytes = ZERO_UUID,
        last_offset_epoch: int = 0,
        last_offset: int = 0,
        pre_vote: bool = False,
    ) -> None:
        self.partition_index = partition_index
        self.replica_epoch = replica_epoch
        self.replica_id = replica_id
        self.replica_directory_id = replica_directory_id
        self.voter_directory_id = voter_directory_id
        self.last_offset_epoch = last_offset_epoch
        self.last_offset = last_offset
        self.pre_vote = pre_vote


@dataclass(init=False, repr=False, eq=False)
class TopicData(Wire):
    """TopicData."""

    __slots__ = ("topic_name", "partitions")

    topic_name: str
    partitions: list[PartitionData]

    def __init__(
        self,
        topic_name: str = "",
        partitions: list[PartitionData] = UNSET,
    ) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class VoteRequest(Wire):
    """VoteRequest."""

    __slots__ = ("cluster_id", "voter_id", "topics")

    cluster_id: str | None
    voter_id: int
    topics: list[TopicData]

    def __init__(
        self,
        cluster_id: str | None = None,
        voter_id: int = -1,
        topics: list[TopicData] = UNSET,
    ) -> None:
        self.cluster_id = cluster_id
        self.voter_id = voter_id
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[VoteRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    cluster_id_size = buffer[p]
    p += 1
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    cluster_id: str | None = None
    if cluster_id_size:
        stop = p + cluster_id_size - 1
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("VoteRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("VoteRequest.topics", topics_count)
    room -= topics_count
    topics: list[TopicData] = []
    for _ in range(topics_count):
        topic_name_size = buffer[p]
        p += 1
        if topic_name_size > 127:
            topic_name_size, p = string_tail(buffer, p, topic_name_size)
        if topic_name_size == 0:
            raise missing("VoteRequest.topics.topic_name")
        stop = p + topic_name_size - 1
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("VoteRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 25 > end - p:
            raise too_many("VoteRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, replica_epoch, replica_id, last_offset_epoch, last_offset, tags = _unpack_iiiiqB(buffer, p)
            p += 25
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(PartitionData(partition_index, replica_epoch, replica_id, ZERO_UUID, ZERO_UUID, last_offset_epoch, last_offset, False))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(TopicData(topic_name, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return VoteRequest(cluster_id, -1, topics), p


def _decode_1(buffer: memoryview, p: int) -> tuple[VoteRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    cluster_id_size = buffer[p]
    p += 1
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    cluster_id: str | None = None
    if cluster_id_size:
        stop = p + cluster_id_size - 1
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    voter_id, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("VoteRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("VoteRequest.topics", topics_count)
    room -= topics_count
    topics: list[TopicData] = []
    for _ in range(topics_count):
        topic_name_size = buffer[p]
        p += 1
        if topic_name_size > 127:
            topic_name_size, p = string_tail(buffer, p, topic_name_size)
        if topic_name_size == 0:
            raise missing("VoteRequest.topics.topic_name")
        stop = p + topic_name_size - 1
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("VoteRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 57 > end - p:
            raise too_many("VoteRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, replica_epoch, replica_id, replica_directory_id, voter_directory_id, last_offset_epoch, last_offset, tags = _unpack_iiiuuiqB(buffer, p)
            p += 57
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(PartitionData(partition_index, replica_epoch, replica_id, replica_directory_id, voter_directory_id, last_offset_epoch, last_offset, False))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(TopicData(topic_name, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return VoteRequest(cluster_id, voter_id, topics), p


def _decode_2(buffer: memoryview, p: int) -> tuple[VoteRequest, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    cluster_id_size = buffer[p]
    p += 1
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    cluster_id: str | None = None
    if cluster_id_size:
        stop = p + cluster_id_size - 1
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    voter_id, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("VoteRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("VoteRequest.topics", topics_count)
    room -= topics_count
    topics: list[TopicData] = []
    for _ in range(topics_count):
        topic_name_size = buffer[p]
        p += 1
        if topic_name_size > 127:
            topic_name_size, p = string_tail(buffer, p, topic_name_size)
        if topic_name_size == 0:
            raise missing("VoteRequest.topics.topic_name")
        stop = p + topic_name_size - 1
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("VoteRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 58 > end - p:
            raise too_many("VoteRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, replica_epoch, replica_id, replica_directory_id, voter_directory_id, last_offset_epoch, last_offset, pre_vote, tags = _unpack_iiiuuiqzB(buffer, p)
            p += 58
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(PartitionData(partition_index, replica_epoch, replica_id, replica_directory_id, voter_directory_id, last_offset_epoch, last_offset, pre_vote))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(TopicData(topic_name, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return VoteRequest(cluster_id, voter_id, topics), p


def _encode_0(message: VoteRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    cluster_id_value = message.cluster_id
    if cluster_id_value is None:
        cluster_id_size, cluster_id = 0, b""
    else:
        cluster_id = cluster_id_value.encode()
        cluster_id_size = len(cluster_id) + 1
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
        cluster_id,
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_name = element.topic_name.encode()
        topic_name_size = len(topic_name) + 1
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
            topic_name,
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            if element_2.pre_vote:
                raise not_in_version("VoteRequest.topics.partitions.pre_vote")
            out.append(_pack_iiiiqx(element_2.partition_index, element_2.replica_epoch, element_2.replica_id, element_2.last_offset_epoch, element_2.last_offset))
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: VoteRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    cluster_id_value = message.cluster_id
    if cluster_id_value is None:
        cluster_id_size, cluster_id = 0, b""
    else:
        cluster_id = cluster_id_value.encode()
        cluster_id_size = len(cluster_id) + 1
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
        cluster_id,
        _pack_i(message.voter_id),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_name = element.topic_name.encode()
        topic_name_size = len(topic_name) + 1
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
            topic_name,
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            replica_directory_id = element_2.replica_directory_id
            if len(replica_directory_id) != 16:
                raise bad_uuid("VoteRequest.topics.partitions.replica_directory_id")
            voter_directory_id = element_2.voter_directory_id
            if len(voter_directory_id) != 16:
                raise bad_uuid("VoteRequest.topics.partitions.voter_directory_id")
            if element_2.pre_vote:
                raise not_in_version("VoteRequest.topics.partitions.pre_vote")
            out.append(_pack_iiiuuiqx(element_2.partition_index, element_2.replica_epoch, element_2.replica_id, replica_directory_id, voter_directory_id, element_2.last_offset_epoch, element_2.last_offset))
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


def _encode_2(message: VoteRequest) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    cluster_id_value = message.cluster_id
    if cluster_id_value is None:
        cluster_id_size, cluster_id = 0, b""
    else:
        cluster_id = cluster_id_value.encode()
        cluster_id_size = len(cluster_id) + 1
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
        cluster_id,
        _pack_i(message.voter_id),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_name = element.topic_name.encode()
        topic_name_size = len(topic_name) + 1
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
            topic_name,
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            replica_directory_id = element_2.replica_directory_id
            if len(replica_directory_id) != 16:
                raise bad_uuid("VoteRequest.topics.partitions.replica_directory_id")
            voter_directory_id = element_2.voter_directory_id
            if len(voter_directory_id) != 16:
                raise bad_uuid("VoteRequest.topics.partitions.voter_directory_id")
            out.append(_pack_iiiuuiqzx(element_2.partition_index, element_2.replica_epoch, element_2.replica_id, replica_directory_id, voter_directory_id, element_2.last_offset_epoch, element_2.last_offset, element_2.pre_vote))
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[VoteRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[VoteRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[VoteRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"VoteRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"VoteRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"VoteRequest v{version} is cut short")
    return result


def encode(message: VoteRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"VoteRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"VoteRequest v{version}: {error}") from error
