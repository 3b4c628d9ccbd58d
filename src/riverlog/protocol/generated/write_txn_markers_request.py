"""WriteTxnMarkersRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "WriteTxnMarkersRequest"
API_KEY: Final = 27
VERSIONS: Final[tuple[int, int]] = (1, 2)
FLEXIBLE_FROM: Final = 1
LATEST_UNSTABLE: Final = False

_unpack_iB = Struct(">iB").unpack_from
_unpack_ibB = Struct(">ibB").unpack_from
_unpack_qhzB = Struct(">qh?B").unpack_from
_pack_ibx = Struct(">ibx").pack
_pack_ix = Struct(">ix").pack
_pack_qhz = Struct(">qh?").pack


@dataclass(init=False, repr=False, eq=False)
class WritableTxnMarkerTopic(Wire):
    """WritableTxnMarkerTopic."""

    __slots__ = ("name", "partition_indexes")

    name: str
    partition_indexes: list[int]

    def __init__(
        self,
        name: str = "",
        partition_indexes: list[int] = UNSET,
    ) -> None:
        self.name = name
        self.partition_indexes = [] if partition_indexes is UNSET else partition_indexes


@dataclass(init=False, repr=False, eq=False)
class WritableTxnMarker(Wire):
    """WritableTxnMarker."""

    __slots__ = ("producer_id", "producer_epoch", "transaction_result", "topics", "coordinator_epoch", "transaction_version")

    producer_id: int
    producer_epoch: int
    transaction_result: bool
    topics: list[WritableTxnMarkerTopic]
    coordinator_epoch: int
    transaction_version: int

    def __init__(
        self,
        producer_id: int = 0,
        producer_epoch: int = 0,
        transaction_result: bool = False,
        topics: list[WritableTxnMarkerTopic] = UNSET,
        coordinator_epoch: int = 0,
        transaction_version: int = 0,
    ) -> None:
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.transaction_result = transaction_result
        self.topics = [] if topics is UNSET else topics
        self.coordinator_epoch = coordinator_epoch
        self.transaction_version = transaction_version


@dataclass(init=False, repr=False, eq=False)
class WriteTxnMarkersRequest(Wire):
    """WriteTxnMarkersRequest."""

    __slots__ = ("markers",)

    markers: list[WritableTxnMarker]

    def __init__(
        self,
        markers: list[WritableTxnMarker] = UNSET,
    ) -> None:
        self.markers = [] if markers is UNSET else markers


def _decode_0(buffer: memoryview, p: int) -> tuple[WriteTxnMarkersRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    markers_count = buffer[p]
    p += 1
    if markers_count > 127:
        markers_count, p = uvarint_tail(buffer, p, markers_count)
    if markers_count == 0:
        raise missing("WriteTxnMarkersRequest.markers")
    markers_count -= 1
    if markers_count > room or markers_count * 17 > end - p:
        raise too_many("WriteTxnMarkersRequest.markers", markers_count)
    room -= markers_count
    markers: list[WritableTxnMarker] = []
    for _ in range(markers_count):
        producer_id, producer_epoch, transaction_result, topics_count = _unpack_qhzB(buffer, p)
        p += 12
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        if topics_count == 0:
            raise missing("WriteTxnMarkersRequest.markers.topics")
        topics_count -= 1
        if topics_count > room or topics_count * 3 > end - p:
            raise too_many("WriteTxnMarkersRequest.markers.topics", topics_count)
        room -= topics_count
        topics: list[WritableTxnMarkerTopic] = []
        for _ in range(topics_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("WriteTxnMarkersRequest.markers.topics.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            partition_indexes_count = buffer[p]
            p += 1
            if partition_indexes_count > 127:
                partition_indexes_count, p = uvarint_tail(buffer, p, partition_indexes_count)
            if partition_indexes_count == 0:
                raise missing("WriteTxnMarkersRequest.markers.topics.partition_indexes")
            partition_indexes_count -= 1
            partition_indexes = read_int32s(buffer, p, partition_indexes_count)
            p += partition_indexes_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            topics.append(WritableTxnMarkerTopic(name, partition_indexes))
        coordinator_epoch, tags_2 = _unpack_iB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        markers.append(WritableTxnMarker(producer_id, producer_epoch, transaction_result, topics, coordinator_epoch, 0))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return WriteTxnMarkersRequest(markers), p


def _decode_1(buffer: memoryview, p: int) -> tuple[WriteTxnMarkersRequest, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    markers_count = buffer[p]
    p += 1
    if markers_count > 127:
        markers_count, p = uvarint_tail(buffer, p, markers_count)
    if markers_count == 0:
        raise missing("WriteTxnMarkersRequest.markers")
    markers_count -= 1
    if markers_count > room or markers_count * 18 > end - p:
        raise too_many("WriteTxnMarkersRequest.markers", markers_count)
    room -= markers_count
    markers: list[WritableTxnMarker] = []
    for _ in range(markers_count):
        producer_id, producer_epoch, transaction_result, topics_count = _unpack_qhzB(buffer, p)
        p += 12
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        if topics_count == 0:
            raise missing("WriteTxnMarkersRequest.markers.topics")
        topics_count -= 1
        if topics_count > room or topics_count * 3 > end - p:
            raise too_many("WriteTxnMarkersRequest.markers.topics", topics_count)
        room -= topics_count
        topics: list[WritableTxnMarkerTopic] = []
        for _ in range(topics_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("WriteTxnMarkersRequest.markers.topics.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            partition_indexes_count = buffer[p]
            p += 1
            if partition_indexes_count > 127:
                partition_indexes_count, p = uvarint_tail(buffer, p, partition_indexes_count)
            if partition_indexes_count == 0:
                raise missing("WriteTxnMarkersRequest.markers.topics.partition_indexes")
            partition_indexes_count -= 1
            partition_indexes = read_int32s(buffer, p, partition_indexes_count)
            p += partition_indexes_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            topics.append(WritableTxnMarkerTopic(name, partition_indexes))
        coordinator_epoch, transaction_version, tags_2 = _unpack_ibB(buffer, p)
        p += 6
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        markers.append(WritableTxnMarker(producer_id, producer_epoch, transaction_result, topics, coordinator_epoch, transaction_version))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return WriteTxnMarkersRequest(markers), p


def _encode_0(message: WriteTxnMarkersRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    markers = message.markers
    markers_count = len(markers) + 1
    out.append(UVARINTS[markers_count] if markers_count < 256 else uvarint(markers_count))
    for element in markers:
        topics = element.topics
        topics_count = len(topics) + 1
        out += (
            _pack_qhz(element.producer_id, element.producer_epoch, element.transaction_result),
            UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
        )
        for element_2 in topics:
            name = element_2.name.encode()
            name_size = len(name) + 1
            partition_indexes = element_2.partition_indexes
            partition_indexes_count = len(partition_indexes) + 1
            out += (
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                UVARINTS[partition_indexes_count] if partition_indexes_count < 256 else uvarint(partition_indexes_count),
                write_int32s(partition_indexes),
                b"\0",
            )
        out.append(_pack_ix(element.coordinator_epoch))
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: WriteTxnMarkersRequest) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    markers = message.markers
    markers_count = len(markers) + 1
    out.append(UVARINTS[markers_count] if markers_count < 256 else uvarint(markers_count))
    for element in markers:
        topics = element.topics
        topics_count = len(topics) + 1
        out += (
            _pack_qhz(element.producer_id, element.producer_epoch, element.transaction_result),
            UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
        )
        for element_2 in topics:
            name = element_2.name.encode()
            name_size = len(name) + 1
            partition_indexes = element_2.partition_indexes
            partition_indexes_count = len(partition_indexes) + 1
            out += (
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                UVARINTS[partition_indexes_count] if partition_indexes_count < 256 else uvarint(partition_indexes_count),
                write_int32s(partition_indexes),
                b"\0",
            )
        out.append(_pack_ibx(element.coordinator_epoch, element.transaction_version))
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[WriteTxnMarkersRequest, int]]]] = {
    1: _decode_0,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[WriteTxnMarkersRequest], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[WriteTxnMarkersRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"WriteTxnMarkersRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"WriteTxnMarkersRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"WriteTxnMarkersRequest v{version} is cut short")
    return result


def encode(message: WriteTxnMarkersRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"WriteTxnMarkersRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"WriteTxnMarkersRequest v{version}: {error}") from error
