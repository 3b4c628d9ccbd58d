"""BeginQuorumEpochRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "BeginQuorumEpochRequest"
API_KEY: Final = 53
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 1
LATEST_UNSTABLE: Final = False

_unpack_HB = Struct(">HB").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iuiiB = Struct(">i16siiB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_iter_iii = Struct(">iii").iter_unpack
_pack_Hx = Struct(">Hx").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_iuiix = Struct(">i16siix").pack
_pack_iii = Struct(">iii").pack


@dataclass(init=False, repr=False, eq=False)
class PartitionData(Wire):
    """PartitionData."""

    __slots__ = ("partition_index", "voter_directory_id", "leader_id", "leader_epoch")

    partition_index: int
    voter_directory_id: bytes
    leader_id: int
    leader_epoch: int

    def __init__(
        self,
        partition_index: int = 0,
        voter_directory_id: bytes = ZERO_UUID,
        leader_id: int = 0,
        leader_epoch: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.voter_directory_id = voter_directory_id
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
class LeaderEndpoint(Wire):
    """LeaderEndpoint."""

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
class BeginQuorumEpochRequest(Wire):
    """BeginQuorumEpochRequest."""

    __slots__ = ("cluster_id", "voter_id", "topics", "leader_endpoints")

    cluster_id: str | None
    voter_id: int
    topics: list[TopicData]
    leader_endpoints: list[LeaderEndpoint]

    def __init__(
        self,
        cluster_id: str | None = None,
        voter_id: int = -1,
        topics: list[TopicData] = UNSET,
        leader_endpoints: list[LeaderEndpoint] = UNSET,
    ) -> None:
        self.cluster_id = cluster_id
        self.voter_id = voter_id
        self.topics = [] if topics is UNSET else topics
        self.leader_endpoints = [] if leader_endpoints is UNSET else leader_endpoints


def _decode_0(buffer: memoryview, p: int) -> tuple[BeginQuorumEpochRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (cluster_id_size,) = _unpack_h(buffer, p)
    p += 2
    cluster_id: str | None = None
    if cluster_id_size >= 0:
        stop = p + cluster_id_size
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    elif cluster_id_size != -1:
        raise missing("BeginQuorumEpochRequest.cluster_id")
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("BeginQuorumEpochRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("BeginQuorumEpochRequest.topics", topics_count)
    room -= topics_count
    topics: list[TopicData] = []
    for _ in range(topics_count):
        (topic_name_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_name_size < 0:
            raise missing("BeginQuorumEpochRequest.topics.topic_name")
        stop = p + topic_name_size
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("BeginQuorumEpochRequest.topics.partitions")
        if partitions_count > room or partitions_count * 12 > end - p:
            raise too_many("BeginQuorumEpochRequest.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 12
        partitions: list[PartitionData] = [PartitionData(partition_index, ZERO_UUID, leader_id, leader_epoch) for partition_index, leader_id, leader_epoch in _iter_iii(buffer[p:stop])]
        p = stop
        topics.append(TopicData(topic_name, partitions))
    return BeginQuorumEpochRequest(cluster_id, -1, topics, []), p


def _decode_1(buffer: memoryview, p: int) -> tuple[BeginQuorumEpochRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    cluster_id_size = buffer[p]
    p += 1
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    cluster_id: str | None = None
    if cluster_id_size:
        stop = p + cluster_id_size - 1
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    voter_id, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("BeginQuorumEpochRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("BeginQuorumEpochRequest.topics", topics_count)
    room -= topics_count
    topics: list[TopicData] = []
    for _ in range(topics_count):
        topic_name_size = buffer[p]
        p += 1
        if topic_name_size > 127:
            topic_name_size, p = string_tail(buffer, p, topic_name_size)
        if topic_name_size == 0:
            raise missing("BeginQuorumEpochRequest.topics.topic_name")
        stop = p + topic_name_size - 1
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("BeginQuorumEpochRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 29 > end - p:
            raise too_many("BeginQuorumEpochRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, voter_directory_id, leader_id, leader_epoch, tags = _unpack_iuiiB(buffer, p)
            p += 29
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(PartitionData(partition_index, voter_directory_id, leader_id, leader_epoch))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(TopicData(topic_name, partitions))
    leader_endpoints_count = buffer[p]
    p += 1
    if leader_endpoints_count > 127:
        leader_endpoints_count, p = uvarint_tail(buffer, p, leader_endpoints_count)
    if leader_endpoints_count == 0:
        raise missing("BeginQuorumEpochRequest.leader_endpoints")
    leader_endpoints_count -= 1
    if leader_endpoints_count > room or leader_endpoints_count * 5 > end - p:
        raise too_many("BeginQuorumEpochRequest.leader_endpoints", leader_endpoints_count)
    room -= leader_endpoints_count
    leader_endpoints: list[LeaderEndpoint] = []
    for _ in range(leader_endpoints_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("BeginQuorumEpochRequest.leader_endpoints.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("BeginQuorumEpochRequest.leader_endpoints.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, tags_3 = _unpack_HB(buffer, p)
        p += 3
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        leader_endpoints.append(LeaderEndpoint(name, host, port))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return BeginQuorumEpochRequest(cluster_id, voter_id, topics, leader_endpoints), p


def _encode_0(message: BeginQuorumEpochRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    cluster_id_value = message.cluster_id
    if cluster_id_value is None:
        cluster_id_size, cluster_id = -1, b""
    else:
        cluster_id = cluster_id_value.encode()
        cluster_id_size = len(cluster_id)
    topics = message.topics
    out += (_pack_h(cluster_id_size), cluster_id, _pack_i(len(topics)))
    for element in topics:
        topic_name = element.topic_name.encode()
        topic_name_size = len(topic_name)
        partitions = element.partitions
        out += (_pack_h(topic_name_size), topic_name, _pack_i(len(partitions)))
        out += [_pack_iii(element_2.partition_index, element_2.leader_id, element_2.leader_epoch) for element_2 in partitions]
    return b"".join(out)


def _encode_1(message: BeginQuorumEpochRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    cluster_id_value = message.cluster_id
    if cluster_id_value is None:
        cluster_id_size, cluster_id = 0, b""
    else:
        cluster_id = cluster_id_value.encode()
        cluster_id_size = len(cluster_id) + 1
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
        cluster_id,
        _pack_i(message.voter_id),
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
            voter_directory_id = element_2.voter_directory_id
            if len(voter_directory_id) != 16:
                raise bad_uuid("BeginQuorumEpochRequest.topics.partitions.voter_directory_id")
            out.append(_pack_iuiix(element_2.partition_index, voter_directory_id, element_2.leader_id, element_2.leader_epoch))
        out.append(b"\0")
    leader_endpoints = message.leader_endpoints
    leader_endpoints_count = len(leader_endpoints) + 1
    out.append(UVARINTS[leader_endpoints_count] if leader_endpoints_count < 256 else uvarint(leader_endpoints_count))
    for element_3 in leader_endpoints:
        name = element_3.name.encode()
        name_size = len(name) + 1
        host = element_3.host.encode()
        host_size = len(host) + 1
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_Hx(element_3.port),
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[BeginQuorumEpochRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[BeginQuorumEpochRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[BeginQuorumEpochRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"BeginQuorumEpochRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"BeginQuorumEpochRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"BeginQuorumEpochRequest v{version} is cut short")
    return result


def encode(message: BeginQuorumEpochRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"BeginQuorumEpochRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"BeginQuorumEpochRequest v{version}: {error}") from error
