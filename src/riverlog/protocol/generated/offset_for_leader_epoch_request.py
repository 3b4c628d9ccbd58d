"""OffsetForLeaderEpochRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
)

NAME: Final = "OffsetForLeaderEpochRequest"
API_KEY: Final = 23
VERSIONS: Final[tuple[int, int]] = (2, 4)
FLEXIBLE_FROM: Final = 4
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_unpack_iiiB = Struct(">iiiB").unpack_from
_iter_iii = Struct(">iii").iter_unpack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ii = Struct(">ii").pack
_pack_iii = Struct(">iii").pack
_pack_iiix = Struct(">iiix").pack


@dataclass(init=False, repr=False, eq=False)
class OffsetForLeaderPartition(Wire):
    """OffsetForLeaderPartition."""

    __slots__ = ("partition", "current_leader_epoch", "leader_epoch")

    partition: int
    current_leader_epoch: int
    leader_epoch: int

    def __init__(
        self,
        partition: int = 0,
        current_leader_epoch: int = -1,
        leader_epoch: int = 0,
    ) -> None:
        self.partition = partition
        self.current_leader_epoch = current_leader_epoch
        self.leader_epoch = leader_epoch


@dataclass(init=False, repr=False, eq=False)
class OffsetForLeaderTopic(Wire):
    """OffsetForLeaderTopic."""

    __slots__ = ("topic", "partitions")

    topic: str
    partitions: list[OffsetForLeaderPartition]

    def __init__(
        self,
        topic: str = "",
        partitions: list[OffsetForLeaderPartition] = UNSET,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class OffsetForLeaderEpochRequest(Wire):
    """OffsetForLeaderEpochRequest."""

    __slots__ = ("replica_id", "topics")

    replica_id: int
    topics: list[OffsetForLeaderTopic]

    def __init__(
        self,
        replica_id: int = -2,
        topics: list[OffsetForLeaderTopic] = UNSET,
    ) -> None:
        self.replica_id = replica_id
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[OffsetForLeaderEpochRequest, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("OffsetForLeaderEpochRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("OffsetForLeaderEpochRequest.topics", topics_count)
    room -= topics_count
    topics: list[OffsetForLeaderTopic] = []
    for _ in range(topics_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("OffsetForLeaderEpochRequest.topics.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("OffsetForLeaderEpochRequest.topics.partitions")
        if partitions_count > room or partitions_count * 12 > end - p:
            raise too_many("OffsetForLeaderEpochRequest.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 12
        partitions: list[OffsetForLeaderPartition] = [OffsetForLeaderPartition(partition, current_leader_epoch, leader_epoch) for partition, current_leader_epoch, leader_epoch in _iter_iii(buffer[p:stop])]
        p = stop
        topics.append(OffsetForLeaderTopic(topic, partitions))
    return OffsetForLeaderEpochRequest(-2, topics), p


def _decode_1(buffer: memoryview, p: int) -> tuple[OffsetForLeaderEpochRequest, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    replica_id, topics_count = _unpack_ii(buffer, p)
    p += 8
    if topics_count < 0:
        raise missing("OffsetForLeaderEpochRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("OffsetForLeaderEpochRequest.topics", topics_count)
    room -= topics_count
    topics: list[OffsetForLeaderTopic] = []
    for _ in range(topics_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("OffsetForLeaderEpochRequest.topics.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("OffsetForLeaderEpochRequest.topics.partitions")
        if partitions_count > room or partitions_count * 12 > end - p:
            raise too_many("OffsetForLeaderEpochRequest.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 12
        partitions: list[OffsetForLeaderPartition] = [OffsetForLeaderPartition(partition, current_leader_epoch, leader_epoch) for partition, current_leader_epoch, leader_epoch in _iter_iii(buffer[p:stop])]
        p = stop
        topics.append(OffsetForLeaderTopic(topic, partitions))
    return OffsetForLeaderEpochRequest(replica_id, topics), p


def _decode_2(buffer: memoryview, p: int) -> tuple[OffsetForLeaderEpochRequest, int]:
    """Versions 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    replica_id, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("OffsetForLeaderEpochRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("OffsetForLeaderEpochRequest.topics", topics_count)
    room -= topics_count
    topics: list[OffsetForLeaderTopic] = []
    for _ in range(topics_count):
        topic_size = buffer[p]
        p += 1
        if topic_size > 127:
            topic_size, p = string_tail(buffer, p, topic_size)
        if topic_size == 0:
            raise missing("OffsetForLeaderEpochRequest.topics.topic")
        stop = p + topic_size - 1
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("OffsetForLeaderEpochRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 13 > end - p:
            raise too_many("OffsetForLeaderEpochRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[OffsetForLeaderPartition] = []
        for _ in range(partitions_count):
            partition, current_leader_epoch, leader_epoch, tags = _unpack_iiiB(buffer, p)
            p += 13
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(OffsetForLeaderPartition(partition, current_leader_epoch, leader_epoch))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(OffsetForLeaderTopic(topic, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return OffsetForLeaderEpochRequest(replica_id, topics), p


def _encode_0(message: OffsetForLeaderEpochRequest) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_i(len(topics)))
    for element in topics:
        topic = element.topic.encode()
        topic_size = len(topic)
        partitions = element.partitions
        out += (_pack_h(topic_size), topic, _pack_i(len(partitions)))
        out += [_pack_iii(element_2.partition, element_2.current_leader_epoch, element_2.leader_epoch) for element_2 in partitions]
    return b"".join(out)


def _encode_1(message: OffsetForLeaderEpochRequest) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_ii(message.replica_id, len(topics)))
    for element in topics:
        topic = element.topic.encode()
        topic_size = len(topic)
        partitions = element.partitions
        out += (_pack_h(topic_size), topic, _pack_i(len(partitions)))
        out += [_pack_iii(element_2.partition, element_2.current_leader_epoch, element_2.leader_epoch) for element_2 in partitions]
    return b"".join(out)


def _encode_2(message: OffsetForLeaderEpochRequest) -> bytes:
    """Versions 4."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_i(message.replica_id),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic = element.topic.encode()
        topic_size = len(topic) + 1
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            UVARINTS[topic_size] if topic_size < 256 else string_prefix(topic_size),
            topic,
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        out += [_pack_iiix(element_2.partition, element_2.current_leader_epoch, element_2.leader_epoch) for element_2 in partitions]
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[OffsetForLeaderEpochRequest, int]]]] = {
    2: _decode_0,
    3: _decode_1,
    4: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[OffsetForLeaderEpochRequest], bytes]]] = {
    2: _encode_0,
    3: _encode_1,
    4: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[OffsetForLeaderEpochRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"OffsetForLeaderEpochRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"OffsetForLeaderEpochRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"OffsetForLeaderEpochRequest v{version} is cut short")
    return result


def encode(message: OffsetForLeaderEpochRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"OffsetForLeaderEpochRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"OffsetForLeaderEpochRequest v{version}: {error}") from error
