"""DeleteRecordsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DeleteRecordsRequest"
API_KEY: Final = 21
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_iqB = Struct(">iqB").unpack_from
_iter_iq = Struct(">iq").iter_unpack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_iq = Struct(">iq").pack
_pack_iqx = Struct(">iqx").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class DeleteRecordsPartition(Wire):
    """DeleteRecordsPartition."""

    __slots__ = ("partition_index", "offset")

    partition_index: int
    offset: int

    def __init__(
        self,
        partition_index: int = 0,
        offset: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.offset = offset


@dataclass(init=False, repr=False, eq=False)
class DeleteRecordsTopic(Wire):
    """DeleteRecordsTopic."""

    __slots__ = ("name", "partitions")

    name: str
    partitions: list[DeleteRecordsPartition]

    def __init__(
        self,
        name: str = "",
        partitions: list[DeleteRecordsPartition] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class DeleteRecordsRequest(Wire):
    """DeleteRecordsRequest."""

    __slots__ = ("topics", "timeout_ms")

    topics: list[DeleteRecordsTopic]
    timeout_ms: int

    def __init__(
        self,
        topics: list[DeleteRecordsTopic] = UNSET,
        timeout_ms: int = 0,
    ) -> None:
        self.topics = [] if topics is UNSET else topics
        self.timeout_ms = timeout_ms


def _decode_0(buffer: memoryview, p: int) -> tuple[DeleteRecordsRequest, int]:
    """Versions 0, 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("DeleteRecordsRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("DeleteRecordsRequest.topics", topics_count)
    room -= topics_count
    topics: list[DeleteRecordsTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("DeleteRecordsRequest.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("DeleteRecordsRequest.topics.partitions")
        if partitions_count > room or partitions_count * 12 > end - p:
            raise too_many("DeleteRecordsRequest.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 12
        partitions: list[DeleteRecordsPartition] = [DeleteRecordsPartition(partition_index, offset) for partition_index, offset in _iter_iq(buffer[p:stop])]
        p = stop
        topics.append(DeleteRecordsTopic(name, partitions))
    (timeout_ms,) = _unpack_i(buffer, p)
    p += 4
    return DeleteRecordsRequest(topics, timeout_ms), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DeleteRecordsRequest, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("DeleteRecordsRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("DeleteRecordsRequest.topics", topics_count)
    room -= topics_count
    topics: list[DeleteRecordsTopic] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("DeleteRecordsRequest.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("DeleteRecordsRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 13 > end - p:
            raise too_many("DeleteRecordsRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[DeleteRecordsPartition] = []
        for _ in range(partitions_count):
            partition_index, offset, tags = _unpack_iqB(buffer, p)
            p += 13
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(DeleteRecordsPartition(partition_index, offset))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(DeleteRecordsTopic(name, partitions))
    timeout_ms, tags_3 = _unpack_iB(buffer, p)
    p += 5
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return DeleteRecordsRequest(topics, timeout_ms), p


def _encode_0(message: DeleteRecordsRequest) -> bytes:
    """Versions 0, 1."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_i(len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        out += [_pack_iq(element_2.partition_index, element_2.offset) for element_2 in partitions]
    out.append(_pack_i(message.timeout_ms))
    return b"".join(out)


def _encode_1(message: DeleteRecordsRequest) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
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
        out += [_pack_iqx(element_2.partition_index, element_2.offset) for element_2 in partitions]
        out.append(b"\0")
    out.append(_pack_ix(message.timeout_ms))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DeleteRecordsRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[DeleteRecordsRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DeleteRecordsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DeleteRecordsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DeleteRecordsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DeleteRecordsRequest v{version} is cut short")
    return result


def encode(message: DeleteRecordsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DeleteRecordsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DeleteRecordsRequest v{version}: {error}") from error
