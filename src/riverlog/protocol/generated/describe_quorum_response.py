"""DescribeQuorumResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DescribeQuorumResponse"
API_KEY: Final = 55
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_HB = Struct(">HB").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_iuqqqB = Struct(">i16sqqqB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ihiiqB = Struct(">ihiiqB").unpack_from
_unpack_iiqB = Struct(">iiqB").unpack_from
_unpack_iqB = Struct(">iqB").unpack_from
_unpack_iqqqB = Struct(">iqqqB").unpack_from
_pack_Hx = Struct(">Hx").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_iuqqqx = Struct(">i16sqqqx").pack
_pack_ih = Struct(">ih").pack
_pack_ihiiq = Struct(">ihiiq").pack
_pack_iiq = Struct(">iiq").pack
_pack_iqqqx = Struct(">iqqqx").pack
_pack_iqx = Struct(">iqx").pack


@dataclass(init=False, repr=False, eq=False)
class PartitionData(Wire):
    """PartitionData."""

    __slots__ = ("partition_index", "error_code", "error_message", "leader_id", "leader_epoch", "high_watermark", "current_voters", "observers")

    partition_index: int
    error_code: int
    error_message: str | None
    leader_id: int
    leader_epoch: int
    high_watermark: int
    current_voters: list[ReplicaState]
    observers: list[ReplicaState]

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        leader_id: int = 0,
        leader_epoch: int = 0,
        high_watermark: int = 0,
        current_voters: list[ReplicaState] = UNSET,
        observers: list[ReplicaState] = UNSET,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.high_watermark = high_watermark
        self.current_voters = [] if current_voters is UNSET else current_voters
        self.observers = [] if observers is UNSET else observers


@dataclass(init=False, repr=False, eq=False)
class TopicData(Wire):
    """TopicData."""

    __slots__ = ("topic_name", "partitions")

    topic_name: str
    partitions: list[PartitionData]

    def __init__(
        self,
        topic_name: str = "",
        partitions: list[PartitionData] = UNSET,
    ) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class Listener(Wire):
    """Listener."""

    __slots__ = ("name", "host", "port")

    name: str
    host: str
    port: int

    def __init__(
        self,
        name: str = "",
        host: str = "",
        port: int = 0,
    ) -> None:
        self.name = name
        self.host = host
        self.port = port


@dataclass(init=False, repr=False, eq=False)
class Node(Wire):
    """Node."""

    __slots__ = ("node_id", "listeners")

    node_id: int
    listeners: list[Listener]

    def __init__(
        self,
        node_id: int = 0,
        listeners: list[Listener] = UNSET,
    ) -> None:
        self.node_id = node_id
        self.listeners = [] if listeners is UNSET else listeners


@dataclass(init=False, repr=False, eq=False)
class ReplicaState(Wire):
    """ReplicaState."""

    __slots__ = ("replica_id", "replica_directory_id", "log_end_offset", "last_fetch_timestamp", "last_caught_up_timestamp")

    replica_id: int
    replica_directory_id: bytes
    log_end_offset: int
    last_fetch_timestamp: int
    last_caught_up_timestamp: int

    def __init__(
        self,
        replica_id: int = 0,
        replica_directory_id: bytes = ZERO_UUID,
        log_end_offset: int = 0,
        last_fetch_timestamp: int = -1,
        last_caught_up_timestamp: int = -1,
    ) -> None:
        self.replica_id = replica_id
        self.replica_directory_id = replica_directory_id
        self.log_end_offset = log_end_offset
        self.last_fetch_timestamp = last_fetch_timestamp
        self.last_caught_up_timestamp = last_caught_up_timestamp


@dataclass(init=False, repr=False, eq=False)
class DescribeQuorumResponse(Wire):
    """DescribeQuorumResponse."""

    __slots__ = ("error_code", "error_message", "topics", "nodes")

    error_code: int
    error_message: str | None
    topics: list[TopicData]
    nodes: list[Node]

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        topics: list[TopicData] = UNSET,
        nodes: list[Node] = UNSET,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.topics = [] if topics is UNSET else topics
        self.nodes = [] if nodes is UNSET else nodes


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeQuorumResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    error_code, topics_count = _unpack_hB(buffer, p)
    p += 3
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("DescribeQuorumResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("DescribeQuorumResponse.topics", topics_count)
    room -= topics_count
    topics: list[TopicData] = []
    for _ in range(topics_count):
        topic_name_size = buffer[p]
        p += 1
        if topic_name_size > 127:
            topic_name_size, p = string_tail(buffer, p, topic_name_size)
        if topic_name_size == 0:
            raise missing("DescribeQuorumResponse.topics.topic_name")
        stop = p + topic_name_size - 1
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("DescribeQuorumResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 25 > end - p:
            raise too_many("DescribeQuorumResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, error_code_2, leader_id, leader_epoch, high_watermark, current_voters_count = _unpack_ihiiqB(buffer, p)
            p += 23
            if current_voters_count > 127:
                current_voters_count, p = uvarint_tail(buffer, p, current_voters_count)
            if current_voters_count == 0:
                raise missing("DescribeQuorumResponse.topics.partitions.current_voters")
            current_voters_count -= 1
            if current_voters_count > room or current_voters_count * 13 > end - p:
                raise too_many("DescribeQuorumResponse.topics.partitions.current_voters", current_voters_count)
            room -= current_voters_count
            current_voters: list[ReplicaState] = []
            for _ in range(current_voters_count):
                replica_id, log_end_offset, tags = _unpack_iqB(buffer, p)
                p += 13
                if tags:
                    p = skip_tags(buffer, p, tags)
                current_voters.append(ReplicaState(replica_id, ZERO_UUID, log_end_offset, -1, -1))
            observers_count = buffer[p]
            p += 1
            if observers_count > 127:
                observers_count, p = uvarint_tail(buffer, p, observers_count)
            if observers_count == 0:
                raise missing("DescribeQuorumResponse.topics.partitions.observers")
            observers_count -= 1
            if observers_count > room or observers_count * 13 > end - p:
                raise too_many("DescribeQuorumResponse.topics.partitions.observers", observers_count)
            room -= observers_count
            observers: list[ReplicaState] = []
            for _ in range(observers_count):
                replica_id_2, log_end_offset_2, tags_2 = _unpack_iqB(buffer, p)
                p += 13
                if tags_2:
                    p = skip_tags(buffer, p, tags_2)
                observers.append(ReplicaState(replica_id_2, ZERO_UUID, log_end_offset_2, -1, -1))
            tags_3 = buffer[p]
            p += 1
            if tags_3:
                p = skip_tags(buffer, p, tags_3)
            partitions.append(PartitionData(partition_index, error_code_2, "", leader_id, leader_epoch, high_watermark, current_voters, observers))
        tags_4 = buffer[p]
        p += 1
        if tags_4:
            p = skip_tags(buffer, p, tags_4)
        topics.append(TopicData(topic_name, partitions))
    tags_5 = buffer[p]
    p += 1
    if tags_5:
        p = skip_tags(buffer, p, tags_5)
    return DescribeQuorumResponse(error_code, "", topics, []), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DescribeQuorumResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    error_code, topics_count = _unpack_hB(buffer, p)
    p += 3
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("DescribeQuorumResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("DescribeQuorumResponse.topics", topics_count)
    room -= topics_count
    topics: list[TopicData] = []
    for _ in range(topics_count):
        topic_name_size = buffer[p]
        p += 1
        if topic_name_size > 127:
            topic_name_size, p = string_tail(buffer, p, topic_name_size)
        if topic_name_size == 0:
            raise missing("DescribeQuorumResponse.topics.topic_name")
        stop = p + topic_name_size - 1
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("DescribeQuorumResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 25 > end - p:
            raise too_many("DescribeQuorumResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, error_code_2, leader_id, leader_epoch, high_watermark, current_voters_count = _unpack_ihiiqB(buffer, p)
            p += 23
            if current_voters_count > 127:
                current_voters_count, p = uvarint_tail(buffer, p, current_voters_count)
            if current_voters_count == 0:
                raise missing("DescribeQuorumResponse.topics.partitions.current_voters")
            current_voters_count -= 1
            if current_voters_count > room or current_voters_count * 29 > end - p:
                raise too_many("DescribeQuorumResponse.topics.partitions.current_voters", current_voters_count)
            room -= current_voters_count
            current_voters: list[ReplicaState] = []
            for _ in range(current_voters_count):
                replica_id, log_end_offset, last_fetch_timestamp, last_caught_up_timestamp, tags = _unpack_iqqqB(buffer, p)
                p += 29
                if tags:
                    p = skip_tags(buffer, p, tags)
                current_voters.append(ReplicaState(replica_id, ZERO_UUID, log_end_offset, last_fetch_timestamp, last_caught_up_timestamp))
            observers_count = buffer[p]
            p += 1
            if observers_count > 127:
                observers_count, p = uvarint_tail(buffer, p, observers_count)
            if observers_count == 0:
                raise missing("DescribeQuorumResponse.topics.partitions.observers")
            observers_count -= 1
            if observers_count > room or observers_count * 29 > end - p:
                raise too_many("DescribeQuorumResponse.topics.partitions.observers", observers_count)
            room -= observers_count
            observers: list[ReplicaState] = []
            for _ in range(observers_count):
                replica_id_2, log_end_offset_2, last_fetch_timestamp_2, last_caught_up_timestamp_2, tags_2 = _unpack_iqqqB(buffer, p)
                p += 29
                if tags_2:
                    p = skip_tags(buffer, p, tags_2)
                observers.append(ReplicaState(replica_id_2, ZERO_UUID, log_end_offset_2, last_fetch_timestamp_2, last_caught_up_timestamp_2))
            tags_3 = buffer[p]
            p += 1
            if tags_3:
                p = skip_tags(buffer, p, tags_3)
            partitions.append(PartitionData(partition_index, error_code_2, "", leader_id, leader_epoch, high_watermark, current_voters, observers))
        tags_4 = buffer[p]
        p += 1
        if tags_4:
            p = skip_tags(buffer, p, tags_4)
        topics.append(TopicData(topic_name, partitions))
    tags_5 = buffer[p]
    p += 1
    if tags_5:
        p = skip_tags(buffer, p, tags_5)
    return DescribeQuorumResponse(error_code, "", topics, []), p


def _decode_2(buffer: memoryview, p: int) -> tuple[DescribeQuorumResponse, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    error_code, error_message_size = _unpack_hB(buffer, p)
    p += 3
    if error_message_size > 127:
        error_message_size, p = string_tail(buffer, p, error_message_size)
    error_message: str | None = None
    if error_message_size:
        stop = p + error_message_size - 1
        error_message = buffer[p:stop].tobytes().decode()
        p = stop
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("DescribeQuorumResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("DescribeQuorumResponse.topics", topics_count)
    room -= topics_count
    topics: list[TopicData] = []
    for _ in range(topics_count):
        topic_name_size = buffer[p]
        p += 1
        if topic_name_size > 127:
            topic_name_size, p = string_tail(buffer, p, topic_name_size)
        if topic_name_size == 0:
            raise missing("DescribeQuorumResponse.topics.topic_name")
        stop = p + topic_name_size - 1
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("DescribeQuorumResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 26 > end - p:
            raise too_many("DescribeQuorumResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, error_code_2, error_message_size_2 = _unpack_ihB(buffer, p)
            p += 7
            if error_message_size_2 > 127:
                error_message_size_2, p = string_tail(buffer, p, error_message_size_2)
            error_message_2: str | None = None
            if error_message_size_2:
                stop = p + error_message_size_2 - 1
                error_message_2 = buffer[p:stop].tobytes().decode()
                p = stop
            leader_id, leader_epoch, high_watermark, current_voters_count = _unpack_iiqB(buffer, p)
            p += 17
            if current_voters_count > 127:
                current_voters_count, p = uvarint_tail(buffer, p, current_voters_count)
            if current_voters_count == 0:
                raise missing("DescribeQuorumResponse.topics.partitions.current_voters")
            current_voters_count -= 1
            if current_voters_count > room or current_voters_count * 45 > end - p:
                raise too_many("DescribeQuorumResponse.topics.partitions.current_voters", current_voters_count)
            room -= current_voters_count
            current_voters: list[ReplicaState] = []
            for _ in range(current_voters_count):
                replica_id, replica_directory_id, log_end_offset, last_fetch_timestamp, last_caught_up_timestamp, tags = _unpack_iuqqqB(buffer, p)
                p += 45
                if tags:
                    p = skip_tags(buffer, p, tags)
                current_voters.append(ReplicaState(replica_id, replica_directory_id, log_end_offset, last_fetch_timestamp, last_caught_up_timestamp))
            observers_count = buffer[p]
            p += 1
            if observers_count > 127:
                observers_count, p = uvarint_tail(buffer, p, observers_count)
            if observers_count == 0:
                raise missing("DescribeQuorumResponse.topics.partitions.observers")
            observers_count -= 1
            if observers_count > room or observers_count * 45 > end - p:
                raise too_many("DescribeQuorumResponse.topics.partitions.observers", observers_count)
            room -= observers_count
            observers: list[ReplicaState] = []
            for _ in range(observers_count):
                replica_id_2, replica_directory_id_2, log_end_offset_2, last_fetch_timestamp_2, last_caught_up_timestamp_2, tags_2 = _unpack_iuqqqB(buffer, p)
                p += 45
                if tags_2:
                    p = skip_tags(buffer, p, tags_2)
                observers.append(ReplicaState(replica_id_2, replica_directory_id_2, log_end_offset_2, last_fetch_timestamp_2, last_caught_up_timestamp_2))
            tags_3 = buffer[p]
            p += 1
            if tags_3:
                p = skip_tags(buffer, p, tags_3)
            partitions.append(PartitionData(partition_index, error_code_2, error_message_2, leader_id, leader_epoch, high_watermark, current_voters, observers))
        tags_4 = buffer[p]
        p += 1
        if tags_4:
            p = skip_tags(buffer, p, tags_4)
        topics.append(TopicData(topic_name, partitions))
    nodes_count = buffer[p]
    p += 1
    if nodes_count > 127:
        nodes_count, p = uvarint_tail(buffer, p, nodes_count)
    if nodes_count == 0:
        raise missing("DescribeQuorumResponse.nodes")
    nodes_count -= 1
    if nodes_count > room or nodes_count * 6 > end - p:
        raise too_many("DescribeQuorumResponse.nodes", nodes_count)
    room -= nodes_count
    nodes: list[Node] = []
    for _ in range(nodes_count):
        node_id, listeners_count = _unpack_iB(buffer, p)
        p += 5
        if listeners_count > 127:
            listeners_count, p = uvarint_tail(buffer, p, listeners_count)
        if listeners_count == 0:
            raise missing("DescribeQuorumResponse.nodes.listeners")
        listeners_count -= 1
        if listeners_count > room or listeners_count * 5 > end - p:
            raise too_many("DescribeQuorumResponse.nodes.listeners", listeners_count)
        room -= listeners_count
        listeners: list[Listener] = []
        for _ in range(listeners_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("DescribeQuorumResponse.nodes.listeners.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            host_size = buffer[p]
            p += 1
            if host_size > 127:
                host_size, p = string_tail(buffer, p, host_size)
            if host_size == 0:
                raise missing("DescribeQuorumResponse.nodes.listeners.host")
            stop = p + host_size - 1
            host = buffer[p:stop].tobytes().decode()
            p = stop
            port, tags_5 = _unpack_HB(buffer, p)
            p += 3
            if tags_5:
                p = skip_tags(buffer, p, tags_5)
            listeners.append(Listener(name, host, port))
        tags_6 = buffer[p]
        p += 1
        if tags_6:
            p = skip_tags(buffer, p, tags_6)
        nodes.append(Node(node_id, listeners))
    tags_7 = buffer[p]
    p += 1
    if tags_7:
        p = skip_tags(buffer, p, tags_7)
    return DescribeQuorumResponse(error_code, error_message, topics, nodes), p


def _encode_0(message: DescribeQuorumResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_h(message.error_code),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_name = element.topic_name.encode()
        topic_name_size = len(topic_name) + 1
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
            topic_name,
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            current_voters = element_2.current_voters
            current_voters_count = len(current_voters) + 1
            out += (
                _pack_ihiiq(element_2.partition_index, element_2.error_code, element_2.leader_id, element_2.leader_epoch, element_2.high_watermark),
                UVARINTS[current_voters_count] if current_voters_count < 256 else uvarint(current_voters_count),
            )
            for element_3 in current_voters:
                if element_3.replica_directory_id != ZERO_UUID:
                    raise not_in_version("DescribeQuorumResponse.topics.partitions.current_voters.replica_directory_id")
                out.append(_pack_iqx(element_3.replica_id, element_3.log_end_offset))
            observers = element_2.observers
            observers_count = len(observers) + 1
            out.append(UVARINTS[observers_count] if observers_count < 256 else uvarint(observers_count))
            for element_4 in observers:
                if element_4.replica_directory_id != ZERO_UUID:
                    raise not_in_version("DescribeQuorumResponse.topics.partitions.observers.replica_directory_id")
                out.append(_pack_iqx(element_4.replica_id, element_4.log_end_offset))
            out.append(b"\0")
        out.append(b"\0")
    if message.nodes:
        raise not_in_version("DescribeQuorumResponse.nodes")
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: DescribeQuorumResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_h(message.error_code),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_name = element.topic_name.encode()
        topic_name_size = len(topic_name) + 1
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
            topic_name,
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            current_voters = element_2.current_voters
            current_voters_count = len(current_voters) + 1
            out += (
                _pack_ihiiq(element_2.partition_index, element_2.error_code, element_2.leader_id, element_2.leader_epoch, element_2.high_watermark),
                UVARINTS[current_voters_count] if current_voters_count < 256 else uvarint(current_voters_count),
            )
            for element_3 in current_voters:
                if element_3.replica_directory_id != ZERO_UUID:
                    raise not_in_version("DescribeQuorumResponse.topics.partitions.current_voters.replica_directory_id")
                out.append(_pack_iqqqx(element_3.replica_id, element_3.log_end_offset, element_3.last_fetch_timestamp, element_3.last_caught_up_timestamp))
            observers = element_2.observers
            observers_count = len(observers) + 1
            out.append(UVARINTS[observers_count] if observers_count < 256 else uvarint(observers_count))
            for element_4 in observers:
                if element_4.replica_directory_id != ZERO_UUID:
                    raise not_in_version("DescribeQuorumResponse.topics.partitions.observers.replica_directory_id")
                out.append(_pack_iqqqx(element_4.replica_id, element_4.log_end_offset, element_4.last_fetch_timestamp, element_4.last_caught_up_timestamp))
            out.append(b"\0")
        out.append(b"\0")
    if message.nodes:
        raise not_in_version("DescribeQuorumResponse.nodes")
    out.append(b"\0")
    return b"".join(out)


def _encode_2(message: DescribeQuorumResponse) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_h(message.error_code),
        UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
        error_message,
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_name = element.topic_name.encode()
        topic_name_size = len(topic_name) + 1
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
            topic_name,
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            error_message_value_2 = element_2.error_message
            if error_message_value_2 is None:
                error_message_size_2, error_message_2 = 0, b""
            else:
                error_message_2 = error_message_value_2.encode()
                error_message_size_2 = len(error_message_2) + 1
            current_voters = element_2.current_voters
            current_voters_count = len(current_voters) + 1
            out += (
                _pack_ih(element_2.partition_index, element_2.error_code),
                UVARINTS[error_message_size_2] if error_message_size_2 < 256 else string_prefix(error_message_size_2),
                error_message_2,
                _pack_iiq(element_2.leader_id, element_2.leader_epoch, element_2.high_watermark),
                UVARINTS[current_voters_count] if current_voters_count < 256 else uvarint(current_voters_count),
            )
            for element_3 in current_voters:
                replica_directory_id = element_3.replica_directory_id
                if len(replica_directory_id) != 16:
                    raise bad_uuid("DescribeQuorumResponse.topics.partitions.current_voters.replica_directory_id")
                out.append(_pack_iuqqqx(element_3.replica_id, replica_directory_id, element_3.log_end_offset, element_3.last_fetch_timestamp, element_3.last_caught_up_timestamp))
            observers = element_2.observers
            observers_count = len(observers) + 1
            out.append(UVARINTS[observers_count] if observers_count < 256 else uvarint(observers_count))
            for element_4 in observers:
                replica_directory_id_2 = element_4.replica_directory_id
                if len(replica_directory_id_2) != 16:
                    raise bad_uuid("DescribeQuorumResponse.topics.partitions.observers.replica_directory_id")
                out.append(_pack_iuqqqx(element_4.replica_id, replica_directory_id_2, element_4.log_end_offset, element_4.last_fetch_timestamp, element_4.last_caught_up_timestamp))
            out.append(b"\0")
        out.append(b"\0")
    nodes = message.nodes
    nodes_count = len(nodes) + 1
    out.append(UVARINTS[nodes_count] if nodes_count < 256 else uvarint(nodes_count))
    for element_5 in nodes:
        listeners = element_5.listeners
        listeners_count = len(listeners) + 1
        out += (
            _pack_i(element_5.node_id),
            UVARINTS[listeners_count] if listeners_count < 256 else uvarint(listeners_count),
        )
        for element_6 in listeners:
            name = element_6.name.encode()
            name_size = len(name) + 1
            host = element_6.host.encode()
            host_size = len(host) + 1
            out += (
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
                host,
                _pack_Hx(element_6.port),
            )
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeQuorumResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[DescribeQuorumResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeQuorumResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeQuorumResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeQuorumResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeQuorumResponse v{version} is cut short")
    return result


def encode(message: DescribeQuorumResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeQuorumResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeQuorumResponse v{version}: {error}") from error
