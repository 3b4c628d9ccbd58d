"""TxnOffsetCommitResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "TxnOffsetCommitResponse"
API_KEY: Final = 28
VERSIONS: Final[tuple[int, int]] = (0, 5)
FLEXIBLE_FROM: Final = 3
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_iter_ih = Struct(">ih").iter_unpack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ihx = Struct(">ihx").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class TxnOffsetCommitResponsePartition(Wire):
    """TxnOffsetCommitResponsePartition."""

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
class TxnOffsetCommitResponseTopic(Wire):
    """TxnOffsetCommitResponseTopic."""

    __slots__ = ("name", "partitions")

    name: str
    partitions: list[TxnOffsetCommitResponsePartition]

    def __init__(
        self,
        name: str = "",
        partitions: list[TxnOffsetCommitResponsePartition] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class TxnOffsetCommitResponse(Wire):
    """TxnOffsetCommitResponse."""

    __slots__ = ("throttle_time_ms", "topics")

    throttle_time_ms: int
    topics: list[TxnOffsetCommitResponseTopic]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[TxnOffsetCommitResponseTopic] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[TxnOffsetCommitResponse, int]:
    """Versions 0, 1, 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_ii(buffer, p)
    p += 8
    if topics_count < 0:
        raise missing("TxnOffsetCommitResponse.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("TxnOffsetCommitResponse.topics", topics_count)
    room -= topics_count
    topics: list[TxnOffsetCommitResponseTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("TxnOffsetCommitResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("TxnOffsetCommitResponse.topics.partitions")
        if partitions_count > room or partitions_count * 6 > end - p:
            raise too_many("TxnOffsetCommitResponse.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 6
        partitions: list[TxnOffsetCommitResponsePartition] = [TxnOffsetCommitResponsePartition(partition_index, error_code) for partition_index, error_code in _iter_ih(buffer[p:stop])]
        p = stop
        topics.append(TxnOffsetCommitResponseTopic(name, partitions))
    return TxnOffsetCommitResponse(throttle_time_ms, topics), p


def _decode_1(buffer: memoryview, p: int) -> tuple[TxnOffsetCommitResponse, int]:
    """Versions 3, 4, 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("TxnOffsetCommitResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("TxnOffsetCommitResponse.topics", topics_count)
    room -= topics_count
    topics: list[TxnOffsetCommitResponseTopic] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("TxnOffsetCommitResponse.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("TxnOffsetCommitResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 7 > end - p:
            raise too_many("TxnOffsetCommitResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[TxnOffsetCommitResponsePartition] = []
        for _ in range(partitions_count):
            partition_index, error_code, tags = _unpack_ihB(buffer, p)
            p += 7
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(TxnOffsetCommitResponsePartition(partition_index, error_code))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(TxnOffsetCommitResponseTopic(name, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return TxnOffsetCommitResponse(throttle_time_ms, topics), p


def _encode_0(message: TxnOffsetCommitResponse) -> bytes:
    """Versions 0, 1, 2."""
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


def _encode_1(message: TxnOffsetCommitResponse) -> bytes:
    """Versions 3, 4, 5."""
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


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[TxnOffsetCommitResponse, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_0,
    3: _decode_1,
    4: _decode_1,
    5: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[TxnOffsetCommitResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_0,
    3: _encode_1,
    4: _encode_1,
    5: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[TxnOffsetCommitResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"TxnOffsetCommitResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"TxnOffsetCommitResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"TxnOffsetCommitResponse v{version} is cut short")
    return result


def encode(message: TxnOffsetCommitResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"TxnOffsetCommitResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"TxnOffsetCommitResponse v{version}: {error}") from error
