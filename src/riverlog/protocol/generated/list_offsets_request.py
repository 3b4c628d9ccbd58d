"""ListOffsetsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "ListOffsetsRequest"
API_KEY: Final = 2
VERSIONS: Final[tuple[int, int]] = (1, 11)
FLEXIBLE_FROM: Final = 6
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ibB = Struct(">ibB").unpack_from
_unpack_ibi = Struct(">ibi").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_unpack_iiqB = Struct(">iiqB").unpack_from
_iter_iiq = Struct(">iiq").iter_unpack
_iter_iq = Struct(">iq").iter_unpack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ib = Struct(">ib").pack
_pack_ibi = Struct(">ibi").pack
_pack_ii = Struct(">ii").pack
_pack_iiq = Struct(">iiq").pack
_pack_iiqx = Struct(">iiqx").pack
_pack_iq = Struct(">iq").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class ListOffsetsPartition(Wire):
    """ListOffsetsPartition."""

    __slots__ = ("partition_index", "current_leader_epoch", "timestamp")

    partition_index: int
    current_leader_epoch: int
    timestamp: int

    def __init__(
        self,
        partition_index: int = 0,
        current_leader_epoch: int = -1,
        timestamp: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.current_leader_epoch = current_leader_epoch
        self.timestamp = timestamp


@dataclass(init=False, repr=False, eq=False)
class ListOffsetsTopic(Wire):
    """ListOffsetsTopic."""

    __slots__ = ("name", "partitions")

    name: str
    partitions: list[ListOffsetsPartition]

    def __init__(
        self,
        name: str = "",
        partitions: list[ListOffsetsPartition] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class ListOffsetsRequest(Wire):
    """ListOffsetsRequest."""

    __slots__ = ("replica_id", "isolation_level", "topics", "timeout_ms")

    replica_id: int
    isolation_level: int
    topics: list[ListOffsetsTopic]
    timeout_ms: int

    def __init__(
        self,
        replica_id: int = 0,
        isolation_level: int = 0,
        topics: list[ListOffsetsTopic] = UNSET,
        timeout_ms: int = 0,
    ) -> None:
        self.replica_id = replica_id
        self.isolation_level = isolation_level
        self.topics = [] if topics is UNSET else topics
        self.timeout_ms = timeout_ms


def _decode_0(buffer: memoryview, p: int) -> tuple[ListOffsetsRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    replica_id, topics_count = _unpack_ii(buffer, p)
    p += 8
    if topics_count < 0:
        raise missing("ListOffsetsRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("ListOffsetsRequest.topics", topics_count)
    room -= topics_count
    topics: list[ListOffsetsTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("ListOffsetsRequest.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("ListOffsetsRequest.topics.partitions")
        if partitions_count > room or partitions_count * 12 > end - p:
            raise too_many("ListOffsetsRequest.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 12
        partitions: list[ListOffsetsPartition] = [ListOffsetsPartition(partition_index, -1, timestamp) for partition_index, timestamp in _iter_iq(buffer[p:stop])]
        p = stop
        topics.append(ListOffsetsTopic(name, partitions))
    return ListOffsetsRequest(replica_id, 0, topics, 0), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ListOffsetsRequest, int]:
    """Versions 2, 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    replica_id, isolation_level, topics_count = _unpack_ibi(buffer, p)
    p += 9
    if topics_count < 0:
        raise missing("ListOffsetsRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("ListOffsetsRequest.topics", topics_count)
    room -= topics_count
    topics: list[ListOffsetsTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("ListOffsetsRequest.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("ListOffsetsRequest.topics.partitions")
        if partitions_count > room or partitions_count * 12 > end - p:
            raise too_many("ListOffsetsRequest.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 12
        partitions: list[ListOffsetsPartition] = [ListOffsetsPartition(partition_index, -1, timestamp) for partition_index, timestamp in _iter_iq(buffer[p:stop])]
        p = stop
        topics.append(ListOffsetsTopic(name, partitions))
    return ListOffsetsRequest(replica_id, isolation_level, topics, 0), p


def _decode_2(buffer: memoryview, p: int) -> tuple[ListOffsetsRequest, int]:
    """Versions 4, 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    replica_id, isolation_level, topics_count = _unpack_ibi(buffer, p)
    p += 9
    if topics_count < 0:
        raise missing("ListOffsetsRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("ListOffsetsRequest.topics", topics_count)
    room -= topics_count
    topics: list[ListOffsetsTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("ListOffsetsRequest.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("ListOffsetsRequest.topics.partitions")
        if partitions_count > room or partitions_count * 16 > end - p:
            raise too_many("ListOffsetsRequest.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 16
        partitions: list[ListOffsetsPartition] = [ListOffsetsPartition(partition_index, current_leader_epoch, timestamp) for partition_index, current_leader_epoch, timestamp in _iter_iiq(buffer[p:stop])]
        p = stop
        topics.append(ListOffsetsTopic(name, partitions))
    return ListOffsetsRequest(replica_id, isolation_level, topics, 0), p


def _decode_3(buffer: memoryview, p: int) -> tuple[ListOffsetsRequest, int]:
    """Versions 6, 7, 8, 9."""
    end = len(buffer)
    room = MAX_ELEMENTS
    replica_id, isolation_level, topics_count = _unpack_ibB(buffer, p)
    p += 6
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("ListOffsetsRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("ListOffsetsRequest.topics", topics_count)
    room -= topics_count
    topics: list[ListOffsetsTopic] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("ListOffsetsRequest.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("ListOffsetsRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 17 > end - p:
            raise too_many("ListOffsetsRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[ListOffsetsPartition] = []
        for _ in range(partitions_count):
            partition_index, current_leader_epoch, timestamp, tags = _unpack_iiqB(buffer, p)
            p += 17
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(ListOffsetsPartition(partition_index, current_leader_epoch, timestamp))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(ListOffsetsTopic(name, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return ListOffsetsRequest(replica_id, isolation_level, topics, 0), p


def _decode_4(buffer: memoryview, p: int) -> tuple[ListOffsetsRequest, int]:
    """Versions 10, 11."""
    end = len(buffer)
    room = MAX_ELEMENTS
    replica_id, isolation_level, topics_count = _unpack_ibB(buffer, p)
    p += 6
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("ListOffsetsRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("ListOffsetsRequest.topics", topics_count)
    room -= topics_count
    topics: list[ListOffsetsTopic] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("ListOffsetsRequest.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("ListOffsetsRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 17 > end - p:
            raise too_many("ListOffsetsRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[ListOffsetsPartition] = []
        for _ in range(partitions_count):
            partition_index, current_leader_epoch, timestamp, tags = _unpack_iiqB(buffer, p)
            p += 17
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(ListOffsetsPartition(partition_index, current_leader_epoch, timestamp))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(ListOffsetsTopic(name, partitions))
    timeout_ms, tags_3 = _unpack_iB(buffer, p)
    p += 5
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return ListOffsetsRequest(replica_id, isolation_level, topics, timeout_ms), p


def _encode_0(message: ListOffsetsRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    if message.isolation_level != 0:
        raise not_in_version("ListOffsetsRequest.isolation_level")
    topics = message.topics
    out.append(_pack_ii(message.replica_id, len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        out += [_pack_iq(element_2.partition_index, element_2.timestamp) for element_2 in partitions]
    return b"".join(out)


def _encode_1(message: ListOffsetsRequest) -> bytes:
    """Versions 2, 3."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_ibi(message.replica_id, message.isolation_level, len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        out += [_pack_iq(element_2.partition_index, element_2.timestamp) for element_2 in partitions]
    return b"".join(out)


def _encode_2(message: ListOffsetsRequest) -> bytes:
    """Versions 4, 5."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_ibi(message.replica_id, message.isolation_level, len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        out += [_pack_iiq(element_2.partition_index, element_2.current_leader_epoch, element_2.timestamp) for element_2 in partitions]
    return b"".join(out)


def _encode_3(message: ListOffsetsRequest) -> bytes:
    """Versions 6, 7, 8, 9."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_ib(message.replica_id, message.isolation_level),
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
        out += [_pack_iiqx(element_2.partition_index, element_2.current_leader_epoch, element_2.timestamp) for element_2 in partitions]
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


def _encode_4(message: ListOffsetsRequest) -> bytes:
    """Versions 10, 11."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_ib(message.replica_id, message.isolation_level),
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
        out += [_pack_iiqx(element_2.partition_index, element_2.current_leader_epoch, element_2.timestamp) for element_2 in partitions]
        out.append(b"\0")
    out.append(_pack_ix(message.timeout_ms))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ListOffsetsRequest, int]]]] = {
    1: _decode_0,
    2: _decode_1,
    3: _decode_1,
    4: _decode_2,
    5: _decode_2,
    6: _decode_3,
    7: _decode_3,
    8: _decode_3,
    9: _decode_3,
    10: _decode_4,
    11: _decode_4,
}
_ENCODERS: Final[dict[int, Callable[[ListOffsetsRequest], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
    3: _encode_1,
    4: _encode_2,
    5: _encode_2,
    6: _encode_3,
    7: _encode_3,
    8: _encode_3,
    9: _encode_3,
    10: _encode_4,
    11: _encode_4,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ListOffsetsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ListOffsetsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ListOffsetsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ListOffsetsRequest v{version} is cut short")
    return result


def encode(message: ListOffsetsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ListOffsetsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ListOffsetsRequest v{version}: {error}") from error
