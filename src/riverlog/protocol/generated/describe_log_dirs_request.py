"""DescribeLogDirsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
)

NAME: Final = "DescribeLogDirsRequest"
API_KEY: Final = 35
VERSIONS: Final[tuple[int, int]] = (1, 5)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class DescribableLogDirTopic(Wire):
    """DescribableLogDirTopic."""

    __slots__ = ("topic", "partitions")

    topic: str
    partitions: list[int]

    def __init__(
        self,
        topic: str = "",
        partitions: list[int] = UNSET,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class DescribeLogDirsRequest(Wire):
    """DescribeLogDirsRequest."""

    __slots__ = ("topics",)

    topics: list[DescribableLogDirTopic] | None

    def __init__(
        self,
        topics: list[DescribableLogDirTopic] | None = UNSET,
    ) -> None:
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeLogDirsRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    topics: list[DescribableLogDirTopic] | None = None
    if topics_count >= 0:
        if topics_count > room or topics_count * 6 > end - p:
            raise too_many("DescribeLogDirsRequest.topics", topics_count)
        room -= topics_count
        topics = []
        for _ in range(topics_count):
            (topic_size,) = _unpack_h(buffer, p)
            p += 2
            if topic_size < 0:
                raise missing("DescribeLogDirsRequest.topics.topic")
            stop = p + topic_size
            topic = buffer[p:stop].tobytes().decode()
            p = stop
            (partitions_count,) = _unpack_i(buffer, p)
            p += 4
            if partitions_count < 0:
                raise missing("DescribeLogDirsRequest.topics.partitions")
            partitions = read_int32s(buffer, p, partitions_count)
            p += partitions_count * 4
            topics.append(DescribableLogDirTopic(topic, partitions))
    elif topics_count != -1:
        raise missing("DescribeLogDirsRequest.topics")
    return DescribeLogDirsRequest(topics), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DescribeLogDirsRequest, int]:
    """Versions 2, 3, 4, 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    topics: list[DescribableLogDirTopic] | None = None
    if topics_count:
        topics_count -= 1
        if topics_count > room or topics_count * 3 > end - p:
            raise too_many("DescribeLogDirsRequest.topics", topics_count)
        room -= topics_count
        topics = []
        for _ in range(topics_count):
            topic_size = buffer[p]
            p += 1
            if topic_size > 127:
                topic_size, p = string_tail(buffer, p, topic_size)
            if topic_size == 0:
                raise missing("DescribeLogDirsRequest.topics.topic")
            stop = p + topic_size - 1
            topic = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count = buffer[p]
            p += 1
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("DescribeLogDirsRequest.topics.partitions")
            partitions_count -= 1
            partitions = read_int32s(buffer, p, partitions_count)
            p += partitions_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            topics.append(DescribableLogDirTopic(topic, partitions))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return DescribeLogDirsRequest(topics), p


def _encode_0(message: DescribeLogDirsRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    topics = message.topics
    if topics is None:
        out.append(b"\xff\xff\xff\xff")
    else:
        out.append(_pack_i(len(topics)))
        for element in topics:
            topic = element.topic.encode()
            topic_size = len(topic)
            partitions = element.partitions
            out += (_pack_h(topic_size), topic, _pack_i(len(partitions)), write_int32s(partitions))
    return b"".join(out)


def _encode_1(message: DescribeLogDirsRequest) -> bytes:
    """Versions 2, 3, 4, 5."""
    out: list[bytes] = []
    topics = message.topics
    if topics is None:
        out.append(b"\0")
    else:
        topics_count = len(topics) + 1
        out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
        for element in topics:
            topic = element.topic.encode()
            topic_size = len(topic) + 1
            partitions = element.partitions
            partitions_count = len(partitions) + 1
            out += (
                UVARINTS[topic_size] if topic_size < 256 else string_prefix(topic_size),
                topic,
                UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
                write_int32s(partitions),
                b"\0",
            )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeLogDirsRequest, int]]]] = {
    1: _decode_0,
    2: _decode_1,
    3: _decode_1,
    4: _decode_1,
    5: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[DescribeLogDirsRequest], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
    3: _encode_1,
    4: _encode_1,
    5: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeLogDirsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeLogDirsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeLogDirsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeLogDirsRequest v{version} is cut short")
    return result


def encode(message: DescribeLogDirsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeLogDirsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeLogDirsRequest v{version}: {error}") from error
