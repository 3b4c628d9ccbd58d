"""DescribeTopicPartitionsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    ZERO_UUID,
)

NAME: Final = "DescribeTopicPartitionsResponse"
API_KEY: Final = 75
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uzB = Struct(">16s?B").unpack_from
_unpack_b = Struct(">b").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_hiiiB = Struct(">hiiiB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_pack_uz = Struct(">16s?").pack
_pack_h = Struct(">h").pack
_pack_hiii = Struct(">hiii").pack
_pack_i = Struct(">i").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class DescribeTopicPartitionsResponsePartition(Wire):
    """DescribeTopicPartitionsResponsePartition."""

    __slots__ = ("error_code", "partition_index", "leader_id", "leader_epoch", "replica_nodes", "isr_nodes", "eligible_leader_replicas", "last_known_elr", "offline_replicas")

    error_code: int
    partition_index: int
    leader_id: int
    leader_epoch: int
    replica_nodes: list[int]
    isr_nodes: list[int]
    eligible_leader_replicas: list[int] | None
    last_known_elr: list[int] | None
    offline_replicas: list[int]

    def __init__(
        self,
        error_code: int = 0,
        partition_index: int = 0,
        leader_id: int = 0,
        leader_epoch: int = -1,
        replica_nodes: list[int] = UNSET,
        isr_nodes: list[int] = UNSET,
        eligible_leader_replicas: list[int] | None = None,
        last_known_elr: list[int] | None = None,
        offline_replicas: list[int] = UNSET,
    ) -> None:
        self.error_code = error_code
        self.partition_index = partition_index
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.replica_nodes = [] if replica_nodes is UNSET else replica_nodes
        self.isr_nodes = [] if isr_nodes is UNSET else isr_nodes
        self.eligible_leader_replicas = eligible_leader_replicas
        self.last_known_elr = last_known_elr
        self.offline_replicas = [] if offline_replicas is UNSET else offline_replicas


@dataclass(init=False, repr=False, eq=False)
class DescribeTopicPartitionsResponseTopic(Wire):
    """DescribeTopicPartitionsResponseTopic."""

    __slots__ = ("error_code", "name", "topic_id", "is_internal", "partitions", "topic_authorized_operations")

    error_code: int
    name: str | None
    topic_id: bytes
    is_internal: bool
    partitions: list[DescribeTopicPartitionsResponsePartition]
    topic_authorized_operations: int

    def __init__(
        self,
        error_code: int = 0,
        name: str | None = "",
        topic_id: bytes = ZERO_UUID,
        is_internal: bool = False,
        partitions: list[DescribeTopicPartitionsResponsePartition] = UNSET,
        topic_authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.name = name
        self.topic_id = topic_id
        self.is_internal = is_internal
        self.partitions = [] if partitions is UNSET else partitions
        self.topic_authorized_operations = topic_authorized_operations


@dataclass(init=False, repr=False, eq=False)
class Cursor(Wire):
    """Cursor."""

    __slots__ = ("topic_name", "partition_index")

    topic_name: str
    partition_index: int

    def __init__(
        self,
        topic_name: str = "",
        partition_index: int = 0,
    ) -> None:
        self.topic_name = topic_name
        self.partition_index = partition_index


@dataclass(init=False, repr=False, eq=False)
class DescribeTopicPartitionsResponse(Wire):
    """DescribeTopicPartitionsResponse."""

    __slots__ = ("throttle_time_ms", "topics", "next_cursor")

    throttle_time_ms: int
    topics: list[DescribeTopicPartitionsResponseTopic]
    next_cursor: Cursor | None

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[DescribeTopicPartitionsResponseTopic] = UNSET,
        next_cursor: Cursor | None = None,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics
        self.next_cursor = next_cursor


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeTopicPartitionsResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("DescribeTopicPartitionsResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 26 > end - p:
        raise too_many("DescribeTopicPartitionsResponse.topics", topics_count)
    room -= topics_count
    topics: list[DescribeTopicPartitionsResponseTopic] = []
    for _ in range(topics_count):
        error_code, name_size = _unpack_hB(buffer, p)
        p += 3
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        name: str | None = None
        if name_size:
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
        topic_id, is_internal, partitions_count = _unpack_uzB(buffer, p)
        p += 18
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("DescribeTopicPartitionsResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 20 > end - p:
            raise too_many("DescribeTopicPartitionsResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[DescribeTopicPartitionsResponsePartition] = []
        for _ in range(partitions_count):
            error_code_2, partition_index, leader_id, leader_epoch, replica_nodes_count = _unpack_hiiiB(buffer, p)
            p += 15
            if replica_nodes_count > 127:
                replica_nodes_count, p = uvarint_tail(buffer, p, replica_nodes_count)
            if replica_nodes_count == 0:
                raise missing("DescribeTopicPartitionsResponse.topics.partitions.replica_nodes")
            replica_nodes_count -= 1
            replica_nodes = read_int32s(buffer, p, replica_nodes_count)
            p += replica_nodes_count * 4
            isr_nodes_count = buffer[p]
            p += 1
            if isr_nodes_count > 127:
                isr_nodes_count, p = uvarint_tail(buffer, p, isr_nodes_count)
            if isr_nodes_count == 0:
                raise missing("DescribeTopicPartitionsResponse.topics.partitions.isr_nodes")
            isr_nodes_count -= 1
            isr_nodes = read_int32s(buffer, p, isr_nodes_count)
            p += isr_nodes_count * 4
            eligible_leader_replicas_count = buffer[p]
            p += 1
            if eligible_leader_replicas_count > 127:
                eligible_leader_replicas_count, p = uvarint_tail(buffer, p, eligible_leader_replicas_count)
            eligible_leader_replicas: list[int] | None = None
            if eligible_leader_replicas_count:
                eligible_leader_replicas_count -= 1
                eligible_leader_replicas = read_int32s(buffer, p, eligible_leader_replicas_count)
                p += eligible_leader_replicas_count * 4
            last_known_elr_count = buffer[p]
            p += 1
            if last_known_elr_count > 127:
                last_known_elr_count, p = uvarint_tail(buffer, p, last_known_elr_count)
            last_known_elr: list[int] | None = None
            if last_known_elr_count:
                last_known_elr_count -= 1
                last_known_elr = read_int32s(buffer, p, last_known_elr_count)
                p += last_known_elr_count * 4
            offline_replicas_count = buffer[p]
            p += 1
            if offline_replicas_count > 127:
                offline_replicas_count, p = uvarint_tail(buffer, p, offline_replicas_count)
            if offline_replicas_count == 0:
                raise missing("DescribeTopicPartitionsResponse.topics.partitions.offline_replicas")
            offline_replicas_count -= 1
            offline_replicas = read_int32s(buffer, p, offline_replicas_count)
            p += offline_replicas_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(DescribeTopicPartitionsResponsePartition(error_code_2, partition_index, leader_id, leader_epoch, replica_nodes, isr_nodes, eligible_leader_replicas, last_known_elr, offline_replicas))
        topic_authorized_operations, tags_2 = _unpack_iB(buffer, p)
        p += 5
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(DescribeTopicPartitionsResponseTopic(error_code, name, topic_id, is_internal, partitions, topic_authorized_operations))
    (next_cursor_mark,) = _unpack_b(buffer, p)
    p += 1
    next_cursor: Cursor | None = None
    if next_cursor_mark >= 0:
        topic_name_size = buffer[p]
        p += 1
        if topic_name_size > 127:
            topic_name_size, p = string_tail(buffer, p, topic_name_size)
        if topic_name_size == 0:
            raise missing("DescribeTopicPartitionsResponse.next_cursor.topic_name")
        stop = p + topic_name_size - 1
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        partition_index_2, tags_3 = _unpack_iB(buffer, p)
        p += 5
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        next_cursor = Cursor(topic_name, partition_index_2)
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return DescribeTopicPartitionsResponse(throttle_time_ms, topics, next_cursor), p


def _encode_0(message: DescribeTopicPartitionsResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        name_value = element.name
        if name_value is None:
            name_size, name = 0, b""
        else:
            name = name_value.encode()
            name_size = len(name) + 1
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("DescribeTopicPartitionsResponse.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_h(element.error_code),
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            _pack_uz(topic_id, element.is_internal),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            replica_nodes = element_2.replica_nodes
            replica_nodes_count = len(replica_nodes) + 1
            isr_nodes = element_2.isr_nodes
            isr_nodes_count = len(isr_nodes) + 1
            eligible_leader_replicas = element_2.eligible_leader_replicas
            out += (
                _pack_hiii(element_2.error_code, element_2.partition_index, element_2.leader_id, element_2.leader_epoch),
                UVARINTS[replica_nodes_count] if replica_nodes_count < 256 else uvarint(replica_nodes_count),
                write_int32s(replica_nodes),
                UVARINTS[isr_nodes_count] if isr_nodes_count < 256 else uvarint(isr_nodes_count),
                write_int32s(isr_nodes),
            )
            if eligible_leader_replicas is None:
                out.append(b"\0")
            else:
                eligible_leader_replicas_count = len(eligible_leader_replicas) + 1
                out += (
                    UVARINTS[eligible_leader_replicas_count] if eligible_leader_replicas_count < 256 else uvarint(eligible_leader_replicas_count),
                    write_int32s(eligible_leader_replicas),
                )
            last_known_elr = element_2.last_known_elr
            if last_known_elr is None:
                out.append(b"\0")
            else:
                last_known_elr_count = len(last_known_elr) + 1
                out += (
                    UVARINTS[last_known_elr_count] if last_known_elr_count < 256 else uvarint(last_known_elr_count),
                    write_int32s(last_known_elr),
                )
            offline_replicas = element_2.offline_replicas
            offline_replicas_count = len(offline_replicas) + 1
            out += (
                UVARINTS[offline_replicas_count] if offline_replicas_count < 256 else uvarint(offline_replicas_count),
                write_int32s(offline_replicas),
                b"\0",
            )
        out.append(_pack_ix(element.topic_authorized_operations))
    next_cursor = message.next_cursor
    if next_cursor is None:
        out.append(b"\xff")
    else:
        topic_name = next_cursor.topic_name.encode()
        topic_name_size = len(topic_name) + 1
        out += (
            b"\1",
            UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
            topic_name,
            _pack_ix(next_cursor.partition_index),
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeTopicPartitionsResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[DescribeTopicPartitionsResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeTopicPartitionsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeTopicPartitionsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeTopicPartitionsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeTopicPartitionsResponse v{version} is cut short")
    return result


def encode(message: DescribeTopicPartitionsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeTopicPartitionsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeTopicPartitionsResponse v{version}: {error}") from error
