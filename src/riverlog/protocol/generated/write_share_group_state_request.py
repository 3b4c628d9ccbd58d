"""WriteShareGroupStateRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "WriteShareGroupStateRequest"
API_KEY: Final = 85
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_iiiqB = Struct(">iiiqB").unpack_from
_unpack_iiiqiB = Struct(">iiiqiB").unpack_from
_unpack_qqbhB = Struct(">qqbhB").unpack_from
_pack_u = Struct(">16s").pack
_pack_iiiq = Struct(">iiiq").pack
_pack_iiiqi = Struct(">iiiqi").pack
_pack_qqbhx = Struct(">qqbhx").pack


@dataclass(init=False, repr=False, eq=False)
class StateBatch(Wire):
    """StateBatch."""

    __slots__ = ("first_offset", "last_offset", "delivery_state", "delivery_count")

    first_offset: int
    last_offset: int
    delivery_state: int
    delivery_count: int

    def __init__(
        self,
        first_offset: int = 0,
        last_offset: int = 0,
        delivery_state: int = 0,
        delivery_count: int = 0,
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.delivery_state = delivery_state
        self.delivery_count = delivery_count


@dataclass(init=False, repr=False, eq=False)
class PartitionData(Wire):
    """PartitionData."""

    __slots__ = ("partition", "state_epoch", "leader_epoch", "start_offset", "delivery_complete_count", "state_batches")

    partition: int
    state_epoch: int
    leader_epoch: int
    start_offset: int
    delivery_complete_count: int
    state_batches: list[StateBatch]

    def __init__(
        self,
        partition: int = 0,
        state_epoch: int = 0,
        leader_epoch: int = 0,
        start_offset: int = 0,
        delivery_complete_count: int = -1,
        state_batches: list[StateBatch] = UNSET,
    ) -> None:
        self.partition = partition
        self.state_epoch = state_epoch
        self.leader_epoch = leader_epoch
        self.start_offset = start_offset
        self.delivery_complete_count = delivery_complete_count
        self.state_batches = [] if state_batches is UNSET else state_batches


@dataclass(init=False, repr=False, eq=False)
class WriteStateData(Wire):
    """WriteStateData."""

    __slots__ = ("topic_id", "partitions")

    topic_id: bytes
    partitions: list[PartitionData]

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: list[PartitionData] = UNSET,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class WriteShareGroupStateRequest(Wire):
    """WriteShareGroupStateRequest."""

    __slots__ = ("group_id", "topics")

    group_id: str
    topics: list[WriteStateData]

    def __init__(
        self,
        group_id: str = "",
        topics: list[WriteStateData] = UNSET,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[WriteShareGroupStateRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("WriteShareGroupStateRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("WriteShareGroupStateRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("WriteShareGroupStateRequest.topics", topics_count)
    room -= topics_count
    topics: list[WriteStateData] = []
    for _ in range(topics_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("WriteShareGroupStateRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 22 > end - p:
            raise too_many("WriteShareGroupStateRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition, state_epoch, leader_epoch, start_offset, state_batches_count = _unpack_iiiqB(buffer, p)
            p += 21
            if state_batches_count > 127:
                state_batches_count, p = uvarint_tail(buffer, p, state_batches_count)
            if state_batches_count == 0:
                raise missing("WriteShareGroupStateRequest.topics.partitions.state_batches")
            state_batches_count -= 1
            if state_batches_count > room or state_batches_count * 20 > end - p:
                raise too_many("WriteShareGroupStateRequest.topics.partitions.state_batches", state_batches_count)
            room -= state_batches_count
            state_batches: list[StateBatch] = []
            for _ in range(state_batches_count):
                first_offset, last_offset, delivery_state, delivery_count, tags = _unpack_qqbhB(buffer, p)
                p += 20
                if tags:
                    p = skip_tags(buffer, p, tags)
                state_batches.append(StateBatch(first_offset, last_offset, delivery_state, delivery_count))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            partitions.append(PartitionData(partition, state_epoch, leader_epoch, start_offset, -1, state_batches))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(WriteStateData(topic_id, partitions))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return WriteShareGroupStateRequest(group_id, topics), p


def _decode_1(buffer: memoryview, p: int) -> tuple[WriteShareGroupStateRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("WriteShareGroupStateRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("WriteShareGroupStateRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("WriteShareGroupStateRequest.topics", topics_count)
    room -= topics_count
    topics: list[WriteStateData] = []
    for _ in range(topics_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("WriteShareGroupStateRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 26 > end - p:
            raise too_many("WriteShareGroupStateRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition, state_epoch, leader_epoch, start_offset, delivery_complete_count, state_batches_count = _unpack_iiiqiB(buffer, p)
            p += 25
            if state_batches_count > 127:
                state_batches_count, p = uvarint_tail(buffer, p, state_batches_count)
            if state_batches_count == 0:
                raise missing("WriteShareGroupStateRequest.topics.partitions.state_batches")
            state_batches_count -= 1
            if state_batches_count > room or state_batches_count * 20 > end - p:
                raise too_many("WriteShareGroupStateRequest.topics.partitions.state_batches", state_batches_count)
            room -= state_batches_count
            state_batches: list[StateBatch] = []
            for _ in range(state_batches_count):
                first_offset, last_offset, delivery_state, delivery_count, tags = _unpack_qqbhB(buffer, p)
                p += 20
                if tags:
                    p = skip_tags(buffer, p, tags)
                state_batches.append(StateBatch(first_offset, last_offset, delivery_state, delivery_count))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            partitions.append(PartitionData(partition, state_epoch, leader_epoch, start_offset, delivery_complete_count, state_batches))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(WriteStateData(topic_id, partitions))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return WriteShareGroupStateRequest(group_id, topics), p


def _encode_0(message: WriteShareGroupStateRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("WriteShareGroupStateRequest.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            state_batches = element_2.state_batches
            state_batches_count = len(state_batches) + 1
            out += (
                _pack_iiiq(element_2.partition, element_2.state_epoch, element_2.leader_epoch, element_2.start_offset),
                UVARINTS[state_batches_count] if state_batches_count < 256 else uvarint(state_batches_count),
            )
            out += [_pack_qqbhx(element_3.first_offset, element_3.last_offset, element_3.delivery_state, element_3.delivery_count) for element_3 in state_batches]
            out.append(b"\0")
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: WriteShareGroupStateRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("WriteShareGroupStateRequest.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            state_batches = element_2.state_batches
            state_batches_count = len(state_batches) + 1
            out += (
                _pack_iiiqi(element_2.partition, element_2.state_epoch, element_2.leader_epoch, element_2.start_offset, element_2.delivery_complete_count),
                UVARINTS[state_batches_count] if state_batches_count < 256 else uvarint(state_batches_count),
            )
            out += [_pack_qqbhx(element_3.first_offset, element_3.last_offset, element_3.delivery_state, element_3.delivery_count) for element_3 in state_batches]
            out.append(b"\0")
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[WriteShareGroupStateRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[WriteShareGroupStateRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[WriteShareGroupStateRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"WriteShareGroupStateRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"WriteShareGroupStateRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"WriteShareGroupStateRequest v{version} is cut short")
    return result


def encode(message: WriteShareGroupStateRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"WriteShareGroupStateRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"WriteShareGroupStateRequest v{version}: {error}") from error
