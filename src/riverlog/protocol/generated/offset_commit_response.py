"""OffsetCommitResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "OffsetCommitResponse"
API_KEY: Final = 8
VERSIONS: Final[tuple[int, int]] = (2, 10)
FLEXIBLE_FROM: Final = 8
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_iter_ih = Struct(">ih").iter_unpack
_pack_u = Struct(">16s").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ihx = Struct(">ihx").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class OffsetCommitResponsePartition(Wire):
    """OffsetCommitResponsePartition."""

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
class OffsetCommitResponseTopic(Wire):
    """OffsetCommitResponseTopic."""

    __slots__ = ("name", "topic_id", "partitions")

    name: str
    topic_id: bytes
    partitions: list[OffsetCommitResponsePartition]

    def __init__(
        self,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: list[OffsetCommitResponsePartition] = UNSET,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class OffsetCommitResponse(Wire):
    """OffsetCommitResponse."""

    __slots__ = ("throttle_time_ms", "topics")

    throttle_time_ms: int
    topics: list[OffsetCommitResponseTopic]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[OffsetCommitResponseTopic] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[OffsetCommitResponse, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("OffsetCommitResponse.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("OffsetCommitResponse.topics", topics_count)
    room -= topics_count
    topics: list[OffsetCommitResponseTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("OffsetCommitResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("OffsetCommitResponse.topics.partitions")
        if partitions_count > room or partitions_count * 6 > end - p:
            raise too_many("OffsetCommitResponse.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 6
        partitions: list[OffsetCommitResponsePartition] = [OffsetCommitResponsePartition(partition_index, error_code) for partition_index, error_code in _iter_ih(buffer[p:stop])]
        p = stop
        topics.append(OffsetCommitResponseTopic(name, ZERO_UUID, partitions))
    return OffsetCommitResponse(0, topics), p


def _decode_1(buffer: memoryview, p: int) -> tuple[OffsetCommitResponse, int]:
    """Versions 3, 4, 5, 6, 7."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_ii(buffer, p)
    p += 8
    if topics_count < 0:
        raise missing("OffsetCommitResponse.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("OffsetCommitResponse.topics", topics_count)
    room -= topics_count
    topics: list[OffsetCommitResponseTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("OffsetCommitResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("OffsetCommitResponse.topics.partitions")
        if partitions_count > room or partitions_count * 6 > end - p:
            raise too_many("OffsetCommitResponse.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 6
        partitions: list[OffsetCommitResponsePartition] = [OffsetCommitResponsePartition(partition_index, error_code) for partition_index, error_code in _iter_ih(buffer[p:stop])]
        p = stop
        topics.append(OffsetCommitResponseTopic(name, ZERO_UUID, partitions))
    return OffsetCommitResponse(throttle_time_ms, topics), p


def _decode_2(buffer: memoryview, p: int) -> tuple[OffsetCommitResponse, int]:
    """Versions 8, 9."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("OffsetCommitResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("OffsetCommitResponse.topics", topics_count)
    room -= topics_count
    topics: list[OffsetCommitResponseTopic] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("OffsetCommitResponse.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("OffsetCommitResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 7 > end - p:
            raise too_many("OffsetCommitResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[OffsetCommitResponsePartition] = []
        for _ in range(partitions_count):
            partition_index, error_code, tags = _unpack_ihB(buffer, p)
            p += 7
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(OffsetCommitResponsePartition(partition_index, error_code))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(OffsetCommitResponseTopic(name, ZERO_UUID, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return OffsetCommitResponse(throttle_time_ms, topics), p


def _decode_3(buffer: memoryview, p: int) -> tuple[OffsetCommitResponse, int]:
    """Versions 10."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("OffsetCommitResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("OffsetCommitResponse.topics", topics_count)
    room -= topics_count
    topics: list[OffsetCommitResponseTopic] = []
    for _ in range(topics_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("OffsetCommitResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 7 > end - p:
            raise too_many("OffsetCommitResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[OffsetCommitResponsePartition] = []
        for _ in range(partitions_count):
            partition_index, error_code, tags = _unpack_ihB(buffer, p)
            p += 7
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(OffsetCommitResponsePartition(partition_index, error_code))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(OffsetCommitResponseTopic("", topic_id, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return OffsetCommitResponse(throttle_time_ms, topics), p


def _encode_0(message: OffsetCommitResponse) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_i(len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        out += [_pack_ih(element_2.partition_index, element_2.error_code) for element_2 in partitions]
    return b"".join(out)


def _encode_1(message: OffsetCommitResponse) -> bytes:
    """Versions 3, 4, 5, 6, 7."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_ii(message.throttle_time_ms, len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        out += [_pack_ih(element_2.partition_index, element_2.error_code) for element_2 in partitions]
    return b"".join(out)


def _encode_2(message: OffsetCommitResponse) -> bytes:
    """Versions 8, 9."""
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
        out += [_pack_ihx(element_2.partition_index, element_2.error_code) for element_2 in partitions]
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


def _encode_3(message: OffsetCommitResponse) -> bytes:
    """Versions 10."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("OffsetCommitResponse.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        out += [_pack_ihx(element_2.partition_index, element_2.error_code) for element_2 in partitions]
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[OffsetCommitResponse, int]]]] = {
    2: _decode_0,
    3: _decode_1,
    4: _decode_1,
    5: _decode_1,
    6: _decode_1,
    7: _decode_1,
    8: _decode_2,
    9: _decode_2,
    10: _decode_3,
}
_ENCODERS: Final[dict[int, Callable[[OffsetCommitResponse], bytes]]] = {
    2: _encode_0,
    3: _encode_1,
    4: _encode_1,
    5: _encode_1,
    6: _encode_1,
    7: _encode_1,
    8: _encode_2,
    9: _encode_2,
    10: _encode_3,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[OffsetCommitResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"OffsetCommitResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"OffsetCommitResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"OffsetCommitResponse v{version} is cut short")
    return result


def encode(message: OffsetCommitResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"OffsetCommitResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"OffsetCommitResponse v{version}: {error}") from error
