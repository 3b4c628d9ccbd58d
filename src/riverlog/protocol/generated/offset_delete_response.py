"""OffsetDeleteResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    too_many,
    UNFIT,
    UNSET,
    Wire,
)

NAME: Final = "OffsetDeleteResponse"
API_KEY: Final = 47
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 32767
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_hii = Struct(">hii").unpack_from
_unpack_i = Struct(">i").unpack_from
_iter_ih = Struct(">ih").iter_unpack
_pack_h = Struct(">h").pack
_pack_hii = Struct(">hii").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack


@dataclass(init=False, repr=False, eq=False)
class OffsetDeleteResponsePartition(Wire):
    """OffsetDeleteResponsePartition."""

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
class OffsetDeleteResponseTopic(Wire):
    """OffsetDeleteResponseTopic."""

    __slots__ = ("name", "partitions")

    name: str
    partitions: list[OffsetDeleteResponsePartition]

    def __init__(
        self,
        name: str = "",
        partitions: list[OffsetDeleteResponsePartition] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class OffsetDeleteResponse(Wire):
    """OffsetDeleteResponse."""

    __slots__ = ("error_code", "throttle_time_ms", "topics")

    error_code: int
    throttle_time_ms: int
    topics: list[OffsetDeleteResponseTopic]

    def __init__(
        self,
        error_code: int = 0,
        throttle_time_ms: int = 0,
        topics: list[OffsetDeleteResponseTopic] = UNSET,
    ) -> None:
        self.error_code = error_code
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[OffsetDeleteResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    error_code, throttle_time_ms, topics_count = _unpack_hii(buffer, p)
    p += 10
    if topics_count < 0:
        raise missing("OffsetDeleteResponse.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("OffsetDeleteResponse.topics", topics_count)
    room -= topics_count
    topics: list[OffsetDeleteResponseTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("OffsetDeleteResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("OffsetDeleteResponse.topics.partitions")
        if partitions_count > room or partitions_count * 6 > end - p:
            raise too_many("OffsetDeleteResponse.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 6
        partitions: list[OffsetDeleteResponsePartition] = [OffsetDeleteResponsePartition(partition_index, error_code_2) for partition_index, error_code_2 in _iter_ih(buffer[p:stop])]
        p = stop
        topics.append(OffsetDeleteResponseTopic(name, partitions))
    return OffsetDeleteResponse(error_code, throttle_time_ms, topics), p


def _encode_0(message: OffsetDeleteResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_hii(message.error_code, message.throttle_time_ms, len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        out += [_pack_ih(element_2.partition_index, element_2.error_code) for element_2 in partitions]
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[OffsetDeleteResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[OffsetDeleteResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[OffsetDeleteResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"OffsetDeleteResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"OffsetDeleteResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"OffsetDeleteResponse v{version} is cut short")
    return result


def encode(message: OffsetDeleteResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"OffsetDeleteResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"OffsetDeleteResponse v{version}: {error}") from error
