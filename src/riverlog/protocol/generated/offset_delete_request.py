"""OffsetDeleteRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "OffsetDeleteRequest"
API_KEY: Final = 47
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 32767
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_iter_i = Struct(">i").iter_unpack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class OffsetDeleteRequestPartition(Wire):
    """OffsetDeleteRequestPartition."""

    __slots__ = ("partition_index",)

    partition_index: int

    def __init__(
        self,
        partition_index: int = 0,
    ) -> None:
        self.partition_index = partition_index


@dataclass(init=False, repr=False, eq=False)
class OffsetDeleteRequestTopic(Wire):
    """OffsetDeleteRequestTopic."""

    __slots__ = ("name", "partitions")

    name: str
    partitions: list[OffsetDeleteRequestPartition]

    def __init__(
        self,
        name: str = "",
        partitions: list[OffsetDeleteRequestPartition] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class OffsetDeleteRequest(Wire):
    """OffsetDeleteRequest."""

    __slots__ = ("group_id", "topics")

    group_id: str
    topics: list[OffsetDeleteRequestTopic]

    def __init__(
        self,
        group_id: str = "",
        topics: list[OffsetDeleteRequestTopic] = UNSET,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[OffsetDeleteRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("OffsetDeleteRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("OffsetDeleteRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("OffsetDeleteRequest.topics", topics_count)
    room -= topics_count
    topics: list[OffsetDeleteRequestTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("OffsetDeleteRequest.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("OffsetDeleteRequest.topics.partitions")
        if partitions_count > room or partitions_count * 4 > end - p:
            raise too_many("OffsetDeleteRequest.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 4
        partitions: list[OffsetDeleteRequestPartition] = [OffsetDeleteRequestPartition(partition_index) for partition_index, in _iter_i(buffer[p:stop])]
        p = stop
        topics.append(OffsetDeleteRequestTopic(name, partitions))
    return OffsetDeleteRequest(group_id, topics), p


def _encode_0(message: OffsetDeleteRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    topics = message.topics
    out += (_pack_h(group_id_size), group_id, _pack_i(len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        out += [_pack_i(element_2.partition_index) for element_2 in partitions]
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[OffsetDeleteRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[OffsetDeleteRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[OffsetDeleteRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"OffsetDeleteRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"OffsetDeleteRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"OffsetDeleteRequest v{version} is cut short")
    return result


def encode(message: OffsetDeleteRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"OffsetDeleteRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"OffsetDeleteRequest v{version}: {error}") from error
