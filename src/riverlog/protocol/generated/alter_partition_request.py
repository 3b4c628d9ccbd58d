"""AlterPartitionRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    not_in_version,
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

NAME: Final = "AlterPartitionRequest"
API_KEY: Final = 56
VERSIONS: Final[tuple[int, int]] = (2, 3)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_biB = Struct(">biB").unpack_from
_unpack_iiB = Struct(">iiB").unpack_from
_unpack_iqB = Struct(">iqB").unpack_from
_pack_u = Struct(">16s").pack
_pack_bix = Struct(">bix").pack
_pack_ii = Struct(">ii").pack
_pack_iq = Struct(">iq").pack
_pack_iqx = Struct(">iqx").pack


@dataclass(init=False, repr=False, eq=False)
class BrokerState(Wire):
    """BrokerState."""

    __slots__ = ("broker_id", "broker_epoch")

    broker_id: int
    broker_epoch: int

    def __init__(
        self,
        broker_id: int = 0,
        broker_epoch: int = -1,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch


@dataclass(init=False, repr=False, eq=False)
class PartitionData(Wire):
    """PartitionData."""

    __slots__ = ("partition_index", "leader_epoch", "new_isr", "new_isr_with_epochs", "leader_recovery_state", "partition_epoch")

    partition_index: int
    leader_epoch: int
    new_isr: list[int]
    new_isr_with_epochs: list[BrokerState]
    leader_recovery_state: int
    partition_epoch: int

    def __init__(
        self,
        partition_index: int = 0,
        leader_epoch: int = 0,
        new_isr: list[int] = UNSET,
        new_isr_with_epochs: list[BrokerState] = UNSET,
        leader_recovery_state: int = 0,
        partition_epoch: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.leader_epoch = leader_epoch
        self.new_isr = [] if new_isr is UNSET else new_isr
        self.new_isr_with_epochs = [] if new_isr_with_epochs is UNSET else new_isr_with_epochs
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
class AlterPartitionRequest(Wire):
    """AlterPartitionRequest."""

    __slots__ = ("broker_id", "broker_epoch", "topics")

    broker_id: int
    broker_epoch: int
    topics: list[TopicData]

    def __init__(
        self,
        broker_id: int = 0,
        broker_epoch: int = -1,
        topics: list[TopicData] = UNSET,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[AlterPartitionRequest, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    broker_id, broker_epoch, topics_count = _unpack_iqB(buffer, p)
    p += 13
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("AlterPartitionRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("AlterPartitionRequest.topics", topics_count)
    room -= topics_count
    topics: list[TopicData] = []
    for _ in range(topics_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("AlterPartitionRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 15 > end - p:
            raise too_many("AlterPartitionRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, leader_epoch, new_isr_count = _unpack_iiB(buffer, p)
            p += 9
            if new_isr_count > 127:
                new_isr_count, p = uvarint_tail(buffer, p, new_isr_count)
            if new_isr_count == 0:
                raise missing("AlterPartitionRequest.topics.partitions.new_isr")
            new_isr_count -= 1
            new_isr = read_int32s(buffer, p, new_isr_count)
            p += new_isr_count * 4
            leader_recovery_state, partition_epoch, tags = _unpack_biB(buffer, p)
            p += 6
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(PartitionData(partition_index, leader_epoch, new_isr, [], leader_recovery_state, partition_epoch))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(TopicData(topic_id, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return AlterPartitionRequest(broker_id, broker_epoch, topics), p


def _decode_1(buffer: memoryview, p: int) -> tuple[AlterPartitionRequest, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    broker_id, broker_epoch, topics_count = _unpack_iqB(buffer, p)
    p += 13
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("AlterPartitionRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("AlterPartitionRequest.topics", topics_count)
    room -= topics_count
    topics: list[TopicData] = []
    for _ in range(topics_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("AlterPartitionRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 15 > end - p:
            raise too_many("AlterPartitionRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, leader_epoch, new_isr_with_epochs_count = _unpack_iiB(buffer, p)
            p += 9
            if new_isr_with_epochs_count > 127:
                new_isr_with_epochs_count, p = uvarint_tail(buffer, p, new_isr_with_epochs_count)
            if new_isr_with_epochs_count == 0:
                raise missing("AlterPartitionRequest.topics.partitions.new_isr_with_epochs")
            new_isr_with_epochs_count -= 1
            if new_isr_with_epochs_count > room or new_isr_with_epochs_count * 13 > end - p:
                raise too_many("AlterPartitionRequest.topics.partitions.new_isr_with_epochs", new_isr_with_epochs_count)
            room -= new_isr_with_epochs_count
            new_isr_with_epochs: list[BrokerState] = []
            for _ in range(new_isr_with_epochs_count):
                broker_id_2, broker_epoch_2, tags = _unpack_iqB(buffer, p)
                p += 13
                if tags:
                    p = skip_tags(buffer, p, tags)
                new_isr_with_epochs.append(BrokerState(broker_id_2, broker_epoch_2))
            leader_recovery_state, partition_epoch, tags_2 = _unpack_biB(buffer, p)
            p += 6
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            partitions.append(PartitionData(partition_index, leader_epoch, [], new_isr_with_epochs, leader_recovery_state, partition_epoch))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(TopicData(topic_id, partitions))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return AlterPartitionRequest(broker_id, broker_epoch, topics), p


def _encode_0(message: AlterPartitionRequest) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_iq(message.broker_id, message.broker_epoch),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("AlterPartitionRequest.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            new_isr = element_2.new_isr
            new_isr_count = len(new_isr) + 1
            if element_2.new_isr_with_epochs:
                raise not_in_version("AlterPartitionRequest.topics.partitions.new_isr_with_epochs")
            out += (
                _pack_ii(element_2.partition_index, element_2.leader_epoch),
                UVARINTS[new_isr_count] if new_isr_count < 256 else uvarint(new_isr_count),
                write_int32s(new_isr),
                _pack_bix(element_2.leader_recovery_state, element_2.partition_epoch),
            )
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: AlterPartitionRequest) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_iq(message.broker_id, message.broker_epoch),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("AlterPartitionRequest.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            if element_2.new_isr:
                raise not_in_version("AlterPartitionRequest.topics.partitions.new_isr")
            new_isr_with_epochs = element_2.new_isr_with_epochs
            new_isr_with_epochs_count = len(new_isr_with_epochs) + 1
            out += (
                _pack_ii(element_2.partition_index, element_2.leader_epoch),
                UVARINTS[new_isr_with_epochs_count] if new_isr_with_epochs_count < 256 else uvarint(new_isr_with_epochs_count),
            )
            out += [_pack_iqx(element_3.broker_id, element_3.broker_epoch) for element_3 in new_isr_with_epochs]
            out.append(_pack_bix(element_2.leader_recovery_state, element_2.partition_epoch))
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AlterPartitionRequest, int]]]] = {
    2: _decode_0,
    3: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[AlterPartitionRequest], bytes]]] = {
    2: _encode_0,
    3: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AlterPartitionRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AlterPartitionRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AlterPartitionRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AlterPartitionRequest v{version} is cut short")
    return result


def encode(message: AlterPartitionRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AlterPartitionRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AlterPartitionRequest v{version}: {error}") from error
