"""AlterPartitionResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    read_int32s,
    skip_tags,
    too_many,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
    write_int32s,
    ZERO_UUID,
)

NAME: Final = "AlterPartitionResponse"
API_KEY: Final = 56
VERSIONS: Final[tuple[int, int]] = (2, 3)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_biB = Struct(">biB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ihiiB = Struct(">ihiiB").unpack_from
_pack_u = Struct(">16s").pack
_pack_bix = Struct(">bix").pack
_pack_ih = Struct(">ih").pack
_pack_ihii = Struct(">ihii").pack


@dataclass(init=False, repr=False, eq=False)
class PartitionData(Wire):
    """PartitionData."""

    __slots__ = ("partition_index", "error_code", "leader_id", "leader_epoch", "isr", "leader_recovery_state", "partition_epoch")

    partition_index: int
    error_code: int
    leader_id: int
    leader_epoch: int
    isr: list[int]
    leader_recovery_state: int
    partition_epoch: int

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        leader_id: int = 0,
        leader_epoch: int = 0,
        isr: list[int] = UNSET,
        leader_recovery_state: int = 0,
        partition_epoch: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.isr = [] if isr is UNSET else isr
        self.leader_recovery_state = leader_recovery_state
        self.partition_epoch = partition_epoch


@dataclass(init=False, repr=False, eq=False)
class TopicData(Wire):
    """TopicData."""

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
class AlterPartitionResponse(Wire):
    """AlterPartitionResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "topics")

    throttle_time_ms: int
    error_code: int
    topics: list[TopicData]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        topics: list[TopicData] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[AlterPartitionResponse, int]:
    """Versions 2, 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, topics_count = _unpack_ihB(buffer, p)
    p += 7
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("AlterPartitionResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("AlterPartitionResponse.topics", topics_count)
    room -= topics_count
    topics: list[TopicData] = []
    for _ in range(topics_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("AlterPartitionResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 21 > end - p:
            raise too_many("AlterPartitionResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, error_code_2, leader_id, leader_epoch, isr_count = _unpack_ihiiB(buffer, p)
            p += 15
            if isr_count > 127:
                isr_count, p = uvarint_tail(buffer, p, isr_count)
            if isr_count == 0:
                raise missing("AlterPartitionResponse.topics.partitions.isr")
            isr_count -= 1
            isr = read_int32s(buffer, p, isr_count)
            p += isr_count * 4
            leader_recovery_state, partition_epoch, tags = _unpack_biB(buffer, p)
            p += 6
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(PartitionData(partition_index, error_code_2, leader_id, leader_epoch, isr, leader_recovery_state, partition_epoch))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(TopicData(topic_id, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return AlterPartitionResponse(throttle_time_ms, error_code, topics), p


def _encode_0(message: AlterPartitionResponse) -> bytes:
    """Versions 2, 3."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("AlterPartitionResponse.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            isr = element_2.isr
            isr_count = len(isr) + 1
            out += (
                _pack_ihii(element_2.partition_index, element_2.error_code, element_2.leader_id, element_2.leader_epoch),
                UVARINTS[isr_count] if isr_count < 256 else uvarint(isr_count),
                write_int32s(isr),
                _pack_bix(element_2.leader_recovery_state, element_2.partition_epoch),
            )
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AlterPartitionResponse, int]]]] = {
    2: _decode_0,
    3: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[AlterPartitionResponse], bytes]]] = {
    2: _encode_0,
    3: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AlterPartitionResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AlterPartitionResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AlterPartitionResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AlterPartitionResponse v{version} is cut short")
    return result


def encode(message: AlterPartitionResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AlterPartitionResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AlterPartitionResponse v{version}: {error}") from error
