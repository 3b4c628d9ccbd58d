"""OffsetForLeaderEpochResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "OffsetForLeaderEpochResponse"
API_KEY: Final = 23
VERSIONS: Final[tuple[int, int]] = (2, 4)
FLEXIBLE_FROM: Final = 4
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_hiiqB = Struct(">hiiqB").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_iter_hiiq = Struct(">hiiq").iter_unpack
_pack_h = Struct(">h").pack
_pack_hiiq = Struct(">hiiq").pack
_pack_hiiqx = Struct(">hiiqx").pack
_pack_i = Struct(">i").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class EpochEndOffset(Wire):
    """EpochEndOffset."""

    __slots__ = ("error_code", "partition", "leader_epoch", "end_offset")

    error_code: int
    partition: int
    leader_epoch: int
    end_offset: int

    def __init__(
        self,
        error_code: int = 0,
        partition: int = 0,
        leader_epoch: int = -1,
        end_offset: int = -1,
    ) -> None:
        self.error_code = error_code
        self.partition = partition
        self.leader_epoch = leader_epoch
        self.end_offset = end_offset


@dataclass(init=False, repr=False, eq=False)
class OffsetForLeaderTopicResult(Wire):
    """OffsetForLeaderTopicResult."""

    __slots__ = ("topic", "partitions")

    topic: str
    partitions: list[EpochEndOffset]

    def __init__(
        self,
        topic: str = "",
        partitions: list[EpochEndOffset] = UNSET,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class OffsetForLeaderEpochResponse(Wire):
    """OffsetForLeaderEpochResponse."""

    __slots__ = ("throttle_time_ms", "topics")

    throttle_time_ms: int
    topics: list[OffsetForLeaderTopicResult]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[OffsetForLeaderTopicResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[OffsetForLeaderEpochResponse, int]:
    """Versions 2, 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_ii(buffer, p)
    p += 8
    if topics_count < 0:
        raise missing("OffsetForLeaderEpochResponse.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("OffsetForLeaderEpochResponse.topics", topics_count)
    room -= topics_count
    topics: list[OffsetForLeaderTopicResult] = []
    for _ in range(topics_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("OffsetForLeaderEpochResponse.topics.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("OffsetForLeaderEpochResponse.topics.partitions")
        if partitions_count > room or partitions_count * 18 > end - p:
            raise too_many("OffsetForLeaderEpochResponse.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 18
        partitions: list[EpochEndOffset] = [EpochEndOffset(error_code, partition, leader_epoch, end_offset) for error_code, partition, leader_epoch, end_offset in _iter_hiiq(buffer[p:stop])]
        p = stop
        topics.append(OffsetForLeaderTopicResult(topic, partitions))
    return OffsetForLeaderEpochResponse(throttle_time_ms, topics), p


def _decode_1(buffer: memoryview, p: int) -> tuple[OffsetForLeaderEpochResponse, int]:
    """Versions 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("OffsetForLeaderEpochResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("OffsetForLeaderEpochResponse.topics", topics_count)
    room -= topics_count
    topics: list[OffsetForLeaderTopicResult] = []
    for _ in range(topics_count):
        topic_size = buffer[p]
        p += 1
        if topic_size > 127:
            topic_size, p = string_tail(buffer, p, topic_size)
        if topic_size == 0:
            raise missing("OffsetForLeaderEpochResponse.topics.topic")
        stop = p + topic_size - 1
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("OffsetForLeaderEpochResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 19 > end - p:
            raise too_many("OffsetForLeaderEpochResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[EpochEndOffset] = []
        for _ in range(partitions_count):
            error_code, partition, leader_epoch, end_offset, tags = _unpack_hiiqB(buffer, p)
            p += 19
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(EpochEndOffset(error_code, partition, leader_epoch, end_offset))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(OffsetForLeaderTopicResult(topic, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return OffsetForLeaderEpochResponse(throttle_time_ms, topics), p


def _encode_0(message: OffsetForLeaderEpochResponse) -> bytes:
    """Versions 2, 3."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_ii(message.throttle_time_ms, len(topics)))
    for element in topics:
        topic = element.topic.encode()
        topic_size = len(topic)
        partitions = element.partitions
        out += (_pack_h(topic_size), topic, _pack_i(len(partitions)))
        out += [_pack_hiiq(element_2.error_code, element_2.partition, element_2.leader_epoch, element_2.end_offset) for element_2 in partitions]
    return b"".join(out)


def _encode_1(message: OffsetForLeaderEpochResponse) -> bytes:
    """Versions 4."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_i(message.throttle_time_ms),
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
        out += [_pack_hiiqx(element_2.error_code, element_2.partition, element_2.leader_epoch, element_2.end_offset) for element_2 in partitions]
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[OffsetForLeaderEpochResponse, int]]]] = {
    2: _decode_0,
    3: _decode_0,
    4: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[OffsetForLeaderEpochResponse], bytes]]] = {
    2: _encode_0,
    3: _encode_0,
    4: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[OffsetForLeaderEpochResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"OffsetForLeaderEpochResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"OffsetForLeaderEpochResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"OffsetForLeaderEpochResponse v{version} is cut short")
    return result


def encode(message: OffsetForLeaderEpochResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"OffsetForLeaderEpochResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"OffsetForLeaderEpochResponse v{version}: {error}") from error
