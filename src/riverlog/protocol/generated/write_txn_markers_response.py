"""WriteTxnMarkersResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "WriteTxnMarkersResponse"
API_KEY: Final = 27
VERSIONS: Final[tuple[int, int]] = (1, 2)
FLEXIBLE_FROM: Final = 1
LATEST_UNSTABLE: Final = False

_unpack_ihB = Struct(">ihB").unpack_from
_unpack_qB = Struct(">qB").unpack_from
_pack_ihx = Struct(">ihx").pack
_pack_q = Struct(">q").pack


@dataclass(init=False, repr=False, eq=False)
class WritableTxnMarkerPartitionResult(Wire):
    """WritableTxnMarkerPartitionResult."""

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
class WritableTxnMarkerTopicResult(Wire):
    """WritableTxnMarkerTopicResult."""

    __slots__ = ("name", "partitions")

    name: str
    partitions: list[WritableTxnMarkerPartitionResult]

    def __init__(
        self,
        name: str = "",
        partitions: list[WritableTxnMarkerPartitionResult] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class WritableTxnMarkerResult(Wire):
    """WritableTxnMarkerResult."""

    __slots__ = ("producer_id", "topics")

    producer_id: int
    topics: list[WritableTxnMarkerTopicResult]

    def __init__(
        self,
        producer_id: int = 0,
        topics: list[WritableTxnMarkerTopicResult] = UNSET,
    ) -> None:
        self.producer_id = producer_id
        self.topics = [] if topics is UNSET else topics


@dataclass(init=False, repr=False, eq=False)
class WriteTxnMarkersResponse(Wire):
    """WriteTxnMarkersResponse."""

    __slots__ = ("markers",)

    markers: list[WritableTxnMarkerResult]

    def __init__(
        self,
        markers: list[WritableTxnMarkerResult] = UNSET,
    ) -> None:
        self.markers = [] if markers is UNSET else markers


def _decode_0(buffer: memoryview, p: int) -> tuple[WriteTxnMarkersResponse, int]:
    """Versions 1, 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    markers_count = buffer[p]
    p += 1
    if markers_count > 127:
        markers_count, p = uvarint_tail(buffer, p, markers_count)
    if markers_count == 0:
        raise missing("WriteTxnMarkersResponse.markers")
    markers_count -= 1
    if markers_count > room or markers_count * 10 > end - p:
        raise too_many("WriteTxnMarkersResponse.markers", markers_count)
    room -= markers_count
    markers: list[WritableTxnMarkerResult] = []
    for _ in range(markers_count):
        producer_id, topics_count = _unpack_qB(buffer, p)
        p += 9
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        if topics_count == 0:
            raise missing("WriteTxnMarkersResponse.markers.topics")
        topics_count -= 1
        if topics_count > room or topics_count * 3 > end - p:
            raise too_many("WriteTxnMarkersResponse.markers.topics", topics_count)
        room -= topics_count
        topics: list[WritableTxnMarkerTopicResult] = []
        for _ in range(topics_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("WriteTxnMarkersResponse.markers.topics.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count = buffer[p]
            p += 1
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("WriteTxnMarkersResponse.markers.topics.partitions")
            partitions_count -= 1
            if partitions_count > room or partitions_count * 7 > end - p:
                raise too_many("WriteTxnMarkersResponse.markers.topics.partitions", partitions_count)
            room -= partitions_count
            partitions: list[WritableTxnMarkerPartitionResult] = []
            for _ in range(partitions_count):
                partition_index, error_code, tags = _unpack_ihB(buffer, p)
                p += 7
                if tags:
                    p = skip_tags(buffer, p, tags)
                partitions.append(WritableTxnMarkerPartitionResult(partition_index, error_code))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            topics.append(WritableTxnMarkerTopicResult(name, partitions))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        markers.append(WritableTxnMarkerResult(producer_id, topics))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return WriteTxnMarkersResponse(markers), p


def _encode_0(message: WriteTxnMarkersResponse) -> bytes:
    """Versions 1, 2."""
    out: list[bytes] = []
    markers = message.markers
    markers_count = len(markers) + 1
    out.append(UVARINTS[markers_count] if markers_count < 256 else uvarint(markers_count))
    for element in markers:
        topics = element.topics
        topics_count = len(topics) + 1
        out += (
            _pack_q(element.producer_id),
            UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
        )
        for element_2 in topics:
            name = element_2.name.encode()
            name_size = len(name) + 1
            partitions = element_2.partitions
            partitions_count = len(partitions) + 1
            out += (
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
            )
            out += [_pack_ihx(element_3.partition_index, element_3.error_code) for element_3 in partitions]
            out.append(b"\0")
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[WriteTxnMarkersResponse, int]]]] = {
    1: _decode_0,
    2: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[WriteTxnMarkersResponse], bytes]]] = {
    1: _encode_0,
    2: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[WriteTxnMarkersResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"WriteTxnMarkersResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"WriteTxnMarkersResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"WriteTxnMarkersResponse v{version} is cut short")
    return result


def encode(message: WriteTxnMarkersResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"WriteTxnMarkersResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"WriteTxnMarkersResponse v{version}: {error}") from error
