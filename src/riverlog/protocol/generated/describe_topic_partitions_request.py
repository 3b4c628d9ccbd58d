"""DescribeTopicPartitionsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DescribeTopicPartitionsRequest"
API_KEY: Final = 75
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iB = Struct(">iB").unpack_from
_unpack_ib = Struct(">ib").unpack_from
_pack_i = Struct(">i").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class TopicRequest(Wire):
    """TopicRequest."""

    __slots__ = ("name",)

    name: str

    def __init__(
        self,
        name: str = "",
    ) -> None:
        self.name = name


@dataclass(init=False, repr=False, eq=False)
class Cursor(Wire):
    """Cursor."""

    __slots__ = ("topic_name", "partition_index")

    topic_name: str
    partition_index: int

    def __init__(
        self,
        topic_name: str = "",
        partition_index: int = 0,
    ) -> None:
        self.topic_name = topic_name
        self.partition_index = partition_index


@dataclass(init=False, repr=False, eq=False)
class DescribeTopicPartitionsRequest(Wire):
    """DescribeTopicPartitionsRequest."""

    __slots__ = ("topics", "response_partition_limit", "cursor")

    topics: list[TopicRequest]
    response_partition_limit: int
    cursor: Cursor | None

    def __init__(
        self,
        topics: list[TopicRequest] = UNSET,
        response_partition_limit: int = 2000,
        cursor: Cursor | None = None,
    ) -> None:
        self.topics = [] if topics is UNSET else topics
        self.response_partition_limit = response_partition_limit
        self.cursor = cursor


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeTopicPartitionsRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("DescribeTopicPartitionsRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 2 > end - p:
        raise too_many("DescribeTopicPartitionsRequest.topics", topics_count)
    room -= topics_count
    topics: list[TopicRequest] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("DescribeTopicPartitionsRequest.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        topics.append(TopicRequest(name))
    response_partition_limit, cursor_mark = _unpack_ib(buffer, p)
    p += 5
    cursor: Cursor | None = None
    if cursor_mark >= 0:
        topic_name_size = buffer[p]
        p += 1
        if topic_name_size > 127:
            topic_name_size, p = string_tail(buffer, p, topic_name_size)
        if topic_name_size == 0:
            raise missing("DescribeTopicPartitionsRequest.cursor.topic_name")
        stop = p + topic_name_size - 1
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        partition_index, tags_2 = _unpack_iB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        cursor = Cursor(topic_name, partition_index)
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return DescribeTopicPartitionsRequest(topics, response_partition_limit, cursor), p


def _encode_0(message: DescribeTopicPartitionsRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
    for element in topics:
        name = element.name.encode()
        name_size = len(name) + 1
        out += (UVARINTS[name_size] if name_size < 256 else string_prefix(name_size), name, b"\0")
    cursor = message.cursor
    out.append(_pack_i(message.response_partition_limit))
    if cursor is None:
        out.append(b"\xff")
    else:
        topic_name = cursor.topic_name.encode()
        topic_name_size = len(topic_name) + 1
        out += (
            b"\1",
            UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
            topic_name,
            _pack_ix(cursor.partition_index),
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeTopicPartitionsRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[DescribeTopicPartitionsRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeTopicPartitionsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeTopicPartitionsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeTopicPartitionsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeTopicPartitionsRequest v{version} is cut short")
    return result


def encode(message: DescribeTopicPartitionsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeTopicPartitionsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeTopicPartitionsRequest v{version}: {error}") from error
