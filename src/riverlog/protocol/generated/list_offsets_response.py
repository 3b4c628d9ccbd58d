"""ListOffsetsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
)

NAME: Final = "ListOffsetsResponse"
API_KEY: Final = 2
VERSIONS: Final[tuple[int, int]] = (1, 11)
FLEXIBLE_FROM: Final = 6
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ihqqiB = Struct(">ihqqiB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_iter_ihqq = Struct(">ihqq").iter_unpack
_iter_ihqqi = Struct(">ihqqi").iter_unpack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ihqq = Struct(">ihqq").pack
_pack_ihqqi = Struct(">ihqqi").pack
_pack_ihqqix = Struct(">ihqqix").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class ListOffsetsPartitionResponse(Wire):
    """ListOffsetsPartitionResponse."""

    __slots__ = ("partition_index", "error_code", "timestamp", "offset", "leader_epoch")

    partition_index: int
    error_code: int
    timestamp: int
    offset: int
    leader_epoch: int

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        timestamp: int = -1,
        offset: int = -1,
        leader_epoch: int = -1,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.timestamp = timestamp
        self.offset = offset
        self.leader_epoch = leader_epoch


@dataclass(init=False, repr=False, eq=False)
class ListOffsetsTopicResponse(Wire):
    """ListOffsetsTopicResponse."""

    __slots__ = ("name", "partitions")

    name: str
    partitions: list[ListOffsetsPartitionResponse]

    def __init__(
        self,
        name: str = "",
        partitions: list[ListOffsetsPartitionResponse] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class ListOffsetsResponse(Wire):
    """ListOffsetsResponse."""

    __slots__ = ("throttle_time_ms", "topics")

    throttle_time_ms: int
    topics: list[ListOffsetsTopicResponse]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[ListOffsetsTopicResponse] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[ListOffsetsResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("ListOffsetsResponse.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("ListOffsetsResponse.topics", topics_count)
    room -= topics_count
    topics: list[ListOffsetsTopicResponse] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("ListOffsetsResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("ListOffsetsResponse.topics.partitions")
        if partitions_count > room or partitions_count * 22 > end - p:
            raise too_many("ListOffsetsResponse.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 22
        partitions: list[ListOffsetsPartitionResponse] = [ListOffsetsPartitionResponse(partition_index, error_code, timestamp, offset, -1) for partition_index, error_code, timestamp, offset in _iter_ihqq(buffer[p:stop])]
        p = stop
        topics.append(ListOffsetsTopicResponse(name, partitions))
    return ListOffsetsResponse(0, topics), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ListOffsetsResponse, int]:
    """Versions 2, 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_ii(buffer, p)
    p += 8
    if topics_count < 0:
        raise missing("ListOffsetsResponse.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("ListOffsetsResponse.topics", topics_count)
    room -= topics_count
    topics: list[ListOffsetsTopicResponse] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("ListOffsetsResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("ListOffsetsResponse.topics.partitions")
        if partitions_count > room or partitions_count * 22 > end - p:
            raise too_many("ListOffsetsResponse.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 22
        partitions: list[ListOffsetsPartitionResponse] = [ListOffsetsPartitionResponse(partition_index, error_code, timestamp, offset, -1) for partition_index, error_code, timestamp, offset in _iter_ihqq(buffer[p:stop])]
        p = stop
        topics.append(ListOffsetsTopicResponse(name, partitions))
    return ListOffsetsResponse(throttle_time_ms, topics), p


def _decode_2(buffer: memoryview, p: int) -> tuple[ListOffsetsResponse, int]:
    """Versions 4, 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_ii(buffer, p)
    p += 8
    if topics_count < 0:
        raise missing("ListOffsetsResponse.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("ListOffsetsResponse.topics", topics_count)
    room -= topics_count
    topics: list[ListOffsetsTopicResponse] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("ListOffsetsResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("ListOffsetsResponse.topics.partitions")
        if partitions_count > room or partitions_count * 26 > end - p:
            raise too_many("ListOffsetsResponse.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 26
        partitions: list[ListOffsetsPartitionResponse] = [ListOffsetsPartitionResponse(partition_index, error_code, timestamp, offset, leader_epoch) for partition_index, error_code, timestamp, offset, leader_epoch in _iter_ihqqi(buffer[p:stop])]
        p = stop
        topics.append(ListOffsetsTopicResponse(name, partitions))
    return ListOffsetsResponse(throttle_time_ms, topics), p


def _decode_3(buffer: memoryview, p: int) -> tuple[ListOffsetsResponse, int]:
    """Versions 6, 7, 8, 9, 10, 11."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("ListOffsetsResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("ListOffsetsResponse.topics", topics_count)
    room -= topics_count
    topics: list[ListOffsetsTopicResponse] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("ListOffsetsResponse.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("ListOffsetsResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 27 > end - p:
            raise too_many("ListOffsetsResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[ListOffsetsPartitionResponse] = []
        for _ in range(partitions_count):
            partition_index, error_code, timestamp, offset, leader_epoch, tags = _unpack_ihqqiB(buffer, p)
            p += 27
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(ListOffsetsPartitionResponse(partition_index, error_code, timestamp, offset, leader_epoch))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(ListOffsetsTopicResponse(name, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return ListOffsetsResponse(throttle_time_ms, topics), p


def _encode_0(message: ListOffsetsResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_i(len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        for element_2 in partitions:
            if element_2.leader_epoch != -1:
                raise not_in_version("ListOffsetsResponse.topics.partitions.leader_epoch")
            out.append(_pack_ihqq(element_2.partition_index, element_2.error_code, element_2.timestamp, element_2.offset))
    return b"".join(out)


def _encode_1(message: ListOffsetsResponse) -> bytes:
    """Versions 2, 3."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_ii(message.throttle_time_ms, len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        for element_2 in partitions:
            if element_2.leader_epoch != -1:
                raise not_in_version("ListOffsetsResponse.topics.partitions.leader_epoch")
            out.append(_pack_ihqq(element_2.partition_index, element_2.error_code, element_2.timestamp, element_2.offset))
    return b"".join(out)


def _encode_2(message: ListOffsetsResponse) -> bytes:
    """Versions 4, 5."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_ii(message.throttle_time_ms, len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        out += [_pack_ihqqi(element_2.partition_index, element_2.error_code, element_2.timestamp, element_2.offset, element_2.leader_epoch) for element_2 in partitions]
    return b"".join(out)


def _encode_3(message: ListOffsetsResponse) -> bytes:
    """Versions 6, 7, 8, 9, 10, 11."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        name = element.name.encode()
        name_size = len(name) + 1
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        out += [_pack_ihqqix(element_2.partition_index, element_2.error_code, element_2.timestamp, element_2.offset, element_2.leader_epoch) for element_2 in partitions]
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ListOffsetsResponse, int]]]] = {
    1: _decode_0,
    2: _decode_1,
    3: _decode_1,
    4: _decode_2,
    5: _decode_2,
    6: _decode_3,
    7: _decode_3,
    8: _decode_3,
    9: _decode_3,
    10: _decode_3,
    11: _decode_3,
}
_ENCODERS: Final[dict[int, Callable[[ListOffsetsResponse], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
    3: _encode_1,
    4: _encode_2,
    5: _encode_2,
    6: _encode_3,
    7: _encode_3,
    8: _encode_3,
    9: _encode_3,
    10: _encode_3,
    11: _encode_3,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ListOffsetsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ListOffsetsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ListOffsetsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ListOffsetsResponse v{version} is cut short")
    return result


def encode(message: ListOffsetsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ListOffsetsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ListOffsetsResponse v{version}: {error}") from error
