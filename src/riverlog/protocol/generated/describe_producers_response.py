"""DescribeProducersResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DescribeProducersResponse"
API_KEY: Final = 61
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_qiiqiqB = Struct(">qiiqiqB").unpack_from
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_qiiqiqx = Struct(">qiiqiqx").pack


@dataclass(init=False, repr=False, eq=False)
class ProducerState(Wire):
    """ProducerState."""

    __slots__ = ("producer_id", "producer_epoch", "last_sequence", "last_timestamp", "coordinator_epoch", "current_txn_start_offset")

    producer_id: int
    producer_epoch: int
    last_sequence: int
    last_timestamp: int
    coordinator_epoch: int
    current_txn_start_offset: int

    def __init__(
        self,
        producer_id: int = 0,
        producer_epoch: int = 0,
        last_sequence: int = -1,
        last_timestamp: int = -1,
        coordinator_epoch: int = 0,
        current_txn_start_offset: int = -1,
    ) -> None:
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.last_sequence = last_sequence
        self.last_timestamp = last_timestamp
        self.coordinator_epoch = coordinator_epoch
        self.current_txn_start_offset = current_txn_start_offset


@dataclass(init=False, repr=False, eq=False)
class PartitionResponse(Wire):
    """PartitionResponse."""

    __slots__ = ("partition_index", "error_code", "error_message", "active_producers")

    partition_index: int
    error_code: int
    error_message: str | None
    active_producers: list[ProducerState]

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        active_producers: list[ProducerState] = UNSET,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.active_producers = [] if active_producers is UNSET else active_producers


@dataclass(init=False, repr=False, eq=False)
class TopicResponse(Wire):
    """TopicResponse."""

    __slots__ = ("name", "partitions")

    name: str
    partitions: list[PartitionResponse]

    def __init__(
        self,
        name: str = "",
        partitions: list[PartitionResponse] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class DescribeProducersResponse(Wire):
    """DescribeProducersResponse."""

    __slots__ = ("throttle_time_ms", "topics")

    throttle_time_ms: int
    topics: list[TopicResponse]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[TopicResponse] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeProducersResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("DescribeProducersResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("DescribeProducersResponse.topics", topics_count)
    room -= topics_count
    topics: list[TopicResponse] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("DescribeProducersResponse.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("DescribeProducersResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 9 > end - p:
            raise too_many("DescribeProducersResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionResponse] = []
        for _ in range(partitions_count):
            partition_index, error_code, error_message_size = _unpack_ihB(buffer, p)
            p += 7
            if error_message_size > 127:
                error_message_size, p = string_tail(buffer, p, error_message_size)
            error_message: str | None = None
            if error_message_size:
                stop = p + error_message_size - 1
                error_message = buffer[p:stop].tobytes().decode()
                p = stop
            active_producers_count = buffer[p]
            p += 1
            if active_producers_count > 127:
                active_producers_count, p = uvarint_tail(buffer, p, active_producers_count)
            if active_producers_count == 0:
                raise missing("DescribeProducersResponse.topics.partitions.active_producers")
            active_producers_count -= 1
            if active_producers_count > room or active_producers_count * 37 > end - p:
                raise too_many("DescribeProducersResponse.topics.partitions.active_producers", active_producers_count)
            room -= active_producers_count
            active_producers: list[ProducerState] = []
            for _ in range(active_producers_count):
                producer_id, producer_epoch, last_sequence, last_timestamp, coordinator_epoch, current_txn_start_offset, tags = _unpack_qiiqiqB(buffer, p)
                p += 37
                if tags:
                    p = skip_tags(buffer, p, tags)
                active_producers.append(ProducerState(producer_id, producer_epoch, last_sequence, last_timestamp, coordinator_epoch, current_txn_start_offset))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            partitions.append(PartitionResponse(partition_index, error_code, error_message, active_producers))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(TopicResponse(name, partitions))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return DescribeProducersResponse(throttle_time_ms, topics), p


def _encode_0(message: DescribeProducersResponse) -> bytes:
    """Versions 0."""
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
        for element_2 in partitions:
            error_message_value = element_2.error_message
            if error_message_value is None:
                error_message_size, error_message = 0, b""
            else:
                error_message = error_message_value.encode()
                error_message_size = len(error_message) + 1
            active_producers = element_2.active_producers
            active_producers_count = len(active_producers) + 1
            out += (
                _pack_ih(element_2.partition_index, element_2.error_code),
                UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
                error_message,
                UVARINTS[active_producers_count] if active_producers_count < 256 else uvarint(active_producers_count),
            )
            out += [_pack_qiiqiqx(element_3.producer_id, element_3.producer_epoch, element_3.last_sequence, element_3.last_timestamp, element_3.coordinator_epoch, element_3.current_txn_start_offset) for element_3 in active_producers]
            out.append(b"\0")
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeProducersResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[DescribeProducersResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeProducersResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeProducersResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeProducersResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeProducersResponse v{version} is cut short")
    return result


def encode(message: DescribeProducersResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeProducersResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeProducersResponse v{version}: {error}") from error
