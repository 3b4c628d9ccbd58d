"""BeginQuorumEpochResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    read_tag,
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

NAME: Final = "BeginQuorumEpochResponse"
API_KEY: Final = 53
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 1
LATEST_UNSTABLE: Final = False

_unpack_HB = Struct(">HB").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_hi = Struct(">hi").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ihiiB = Struct(">ihiiB").unpack_from
_iter_ihii = Struct(">ihii").iter_unpack
_pack_Hx = Struct(">Hx").pack
_pack_h = Struct(">h").pack
_pack_hi = Struct(">hi").pack
_pack_i = Struct(">i").pack
_pack_ihii = Struct(">ihii").pack
_pack_ihiix = Struct(">ihiix").pack


@dataclass(init=False, repr=False, eq=False)
class PartitionData(Wire):
    """PartitionData."""

    __slots__ = ("partition_index", "error_code", "leader_id", "leader_epoch")

    partition_index: int
    error_code: int
    leader_id: int
    leader_epoch: int

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        leader_id: int = 0,
        leader_epoch: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


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
class NodeEndpoint(Wire):
    """NodeEndpoint."""

    __slots__ = ("node_id", "host", "port")

    node_id: int
    host: str
    port: int

    def __init__(
        self,
        node_id: int = 0,
        host: str = "",
        port: int = 0,
    ) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port


@dataclass(init=False, repr=False, eq=False)
class BeginQuorumEpochResponse(Wire):
    """BeginQuorumEpochResponse."""

    __slots__ = ("error_code", "topics", "node_endpoints")

    error_code: int
    topics: list[TopicData]
    node_endpoints: list[NodeEndpoint]

    def __init__(
        self,
        error_code: int = 0,
        topics: list[TopicData] = UNSET,
        node_endpoints: list[NodeEndpoint] = UNSET,
    ) -> None:
        self.error_code = error_code
        self.topics = [] if topics is UNSET else topics
        self.node_endpoints = [] if node_endpoints is UNSET else node_endpoints


def _decode_0(buffer: memoryview, p: int) -> tuple[BeginQuorumEpochResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    error_code, topics_count = _unpack_hi(buffer, p)
    p += 6
    if topics_count < 0:
        raise missing("BeginQuorumEpochResponse.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("BeginQuorumEpochResponse.topics", topics_count)
    room -= topics_count
    topics: list[TopicData] = []
    for _ in range(topics_count):
        (topic_name_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_name_size < 0:
            raise missing("BeginQuorumEpochResponse.topics.topic_name")
        stop = p + topic_name_size
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("BeginQuorumEpochResponse.topics.partitions")
        if partitions_count > room or partitions_count * 14 > end - p:
            raise too_many("BeginQuorumEpochResponse.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 14
        partitions: list[PartitionData] = [PartitionData(partition_index, error_code_2, leader_id, leader_epoch) for partition_index, error_code_2, leader_id, leader_epoch in _iter_ihii(buffer[p:stop])]
        p = stop
        topics.append(TopicData(topic_name, partitions))
    return BeginQuorumEpochResponse(error_code, topics, []), p


def _decode_1(buffer: memoryview, p: int) -> tuple[BeginQuorumEpochResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    error_code, topics_count = _unpack_hB(buffer, p)
    p += 3
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("BeginQuorumEpochResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("BeginQuorumEpochResponse.topics", topics_count)
    room -= topics_count
    topics: list[TopicData] = []
    for _ in range(topics_count):
        topic_name_size = buffer[p]
        p += 1
        if topic_name_size > 127:
            topic_name_size, p = string_tail(buffer, p, topic_name_size)
        if topic_name_size == 0:
            raise missing("BeginQuorumEpochResponse.topics.topic_name")
        stop = p + topic_name_size - 1
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("BeginQuorumEpochResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 15 > end - p:
            raise too_many("BeginQuorumEpochResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, error_code_2, leader_id, leader_epoch, tags = _unpack_ihiiB(buffer, p)
            p += 15
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(PartitionData(partition_index, error_code_2, leader_id, leader_epoch))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(TopicData(topic_name, partitions))
    tags_3 = buffer[p]
    p += 1
    node_endpoints: list[NodeEndpoint] = []
    if tags_3:
        if tags_3 > 127:
            tags_3, p = uvarint_tail(buffer, p, tags_3)
        tag = -1
        for _ in range(tags_3):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                node_endpoints_count = buffer[p]
                p += 1
                if node_endpoints_count > 127:
                    node_endpoints_count, p = uvarint_tail(buffer, p, node_endpoints_count)
                if node_endpoints_count == 0:
                    raise missing("BeginQuorumEpochResponse.node_endpoints")
                node_endpoints_count -= 1
                if node_endpoints_count > room or node_endpoints_count * 8 > end - p:
                    raise too_many("BeginQuorumEpochResponse.node_endpoints", node_endpoints_count)
                room -= node_endpoints_count
                node_endpoints_2: list[NodeEndpoint] = []
                for _ in range(node_endpoints_count):
                    node_id, host_size = _unpack_iB(buffer, p)
                    p += 5
                    if host_size > 127:
                        host_size, p = string_tail(buffer, p, host_size)
                    if host_size == 0:
                        raise missing("BeginQuorumEpochResponse.node_endpoints.host")
                    stop = p + host_size - 1
                    host = buffer[p:stop].tobytes().decode()
                    p = stop
                    port, tags_4 = _unpack_HB(buffer, p)
                    p += 3
                    if tags_4:
                        p = skip_tags(buffer, p, tags_4)
                    node_endpoints_2.append(NodeEndpoint(node_id, host, port))
                node_endpoints = node_endpoints_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("BeginQuorumEpochResponse: a tagged field is not of its size")
    return BeginQuorumEpochResponse(error_code, topics, node_endpoints), p


def _encode_0(message: BeginQuorumEpochResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_hi(message.error_code, len(topics)))
    for element in topics:
        topic_name = element.topic_name.encode()
        topic_name_size = len(topic_name)
        partitions = element.partitions
        out += (_pack_h(topic_name_size), topic_name, _pack_i(len(partitions)))
        out += [_pack_ihii(element_2.partition_index, element_2.error_code, element_2.leader_id, element_2.leader_epoch) for element_2 in partitions]
    if message.node_endpoints:
        raise not_in_version("BeginQuorumEpochResponse.node_endpoints")
    return b"".join(out)


def _encode_1(message: BeginQuorumEpochResponse) -> bytes:
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
        out += [_pack_ihiix(element_2.partition_index, element_2.error_code, element_2.leader_id, element_2.leader_epoch) for element_2 in partitions]
        out.append(b"\0")
    tags = 0
    tagged: list[bytes] = []
    if message.node_endpoints:
        content: list[bytes] = []
        node_endpoints = message.node_endpoints
        node_endpoints_count = len(node_endpoints) + 1
        content.append(UVARINTS[node_endpoints_count] if node_endpoints_count < 256 else uvarint(node_endpoints_count))
        for element_3 in node_endpoints:
            host = element_3.host.encode()
            host_size = len(host) + 1
            content += (
                _pack_i(element_3.node_id),
                UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
                host,
                _pack_Hx(element_3.port),
            )
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[BeginQuorumEpochResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[BeginQuorumEpochResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[BeginQuorumEpochResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"BeginQuorumEpochResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"BeginQuorumEpochResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"BeginQuorumEpochResponse v{version} is cut short")
    return result


def encode(message: BeginQuorumEpochResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"BeginQuorumEpochResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"BeginQuorumEpochResponse v{version}: {error}") from error
