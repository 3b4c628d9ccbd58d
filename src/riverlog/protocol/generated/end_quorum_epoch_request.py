"""EndQuorumEpochRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "EndQuorumEpochRequest"
API_KEY: Final = 54
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 1
LATEST_UNSTABLE: Final = False

_unpack_HB = Struct(">HB").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iuB = Struct(">i16sB").unpack_from
_unpack_iiiB = Struct(">iiiB").unpack_from
_unpack_iiii = Struct(">iiii").unpack_from
_pack_Hx = Struct(">Hx").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_iux = Struct(">i16sx").pack
_pack_iii = Struct(">iii").pack
_pack_iiii = Struct(">iiii").pack


@dataclass(init=False, repr=False, eq=False)
class ReplicaInfo(Wire):
    """ReplicaInfo."""

    __slots__ = ("candidate_id", "candidate_directory_id")

    candidate_id: int
    candidate_directory_id: bytes

    def __init__(
        self,
        candidate_id: int = 0,
        candidate_directory_id: bytes = ZERO_UUID,
    ) -> None:
        self.candidate_id = candidate_id
        self.candidate_directory_id = candidate_directory_id


@dataclass(init=False, repr=False, eq=False)
class PartitionData(Wire):
    """PartitionData."""

    __slots__ = ("partition_index", "leader_id", "leader_epoch", "preferred_successors", "preferred_candidates")

    partition_index: int
    leader_id: int
    leader_epoch: int
    preferred_successors: list[int]
    preferred_candidates: list[ReplicaInfo]

    def __init__(
        self,
        partition_index: int = 0,
        leader_id: int = 0,
        leader_epoch: int = 0,
        preferred_successors: list[int] = UNSET,
        preferred_candidates: list[ReplicaInfo] = UNSET,
    ) -> None:
        self.partition_index = partition_index
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.preferred_successors = [] if preferred_successors is UNSET else preferred_successors
        self.preferred_candidates = [] if preferred_candidates is UNSET else preferred_candidates


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
class EndQuorumEpochRequest(Wire):
    """EndQuorumEpochRequest."""

    __slots__ = ("cluster_id", "topics", "leader_endpoints")

    cluster_id: str | None
    topics: list[TopicData]
    leader_endpoints: list[LeaderEndpoint]

    def __init__(
        self,
        cluster_id: str | None = None,
        topics: list[TopicData] = UNSET,
        leader_endpoints: list[LeaderEndpoint] = UNSET,
    ) -> None:
        self.cluster_id = cluster_id
        self.topics = [] if topics is UNSET else topics
        self.leader_endpoints = [] if leader_endpoints is UNSET else leader_endpoints


def _decode_0(buffer: memoryview, p: int) -> tuple[EndQuorumEpochRequest, int]:
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
        raise missing("EndQuorumEpochRequest.cluster_id")
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("EndQuorumEpochRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("EndQuorumEpochRequest.topics", topics_count)
    room -= topics_count
    topics: list[TopicData] = []
    for _ in range(topics_count):
        (topic_name_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_name_size < 0:
            raise missing("EndQuorumEpochRequest.topics.topic_name")
        stop = p + topic_name_size
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("EndQuorumEpochRequest.topics.partitions")
        if partitions_count > room or partitions_count * 16 > end - p:
            raise too_many("EndQuorumEpochRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, leader_id, leader_epoch, preferred_successors_count = _unpack_iiii(buffer, p)
            p += 16
            if preferred_successors_count < 0:
                raise missing("EndQuorumEpochRequest.topics.partitions.preferred_successors")
            preferred_successors = read_int32s(buffer, p, preferred_successors_count)
            p += preferred_successors_count * 4
            partitions.append(PartitionData(partition_index, leader_id, leader_epoch, preferred_successors, []))
        topics.append(TopicData(topic_name, partitions))
    return EndQuorumEpochRequest(cluster_id, topics, []), p


def _decode_1(buffer: memoryview, p: int) -> tuple[EndQuorumEpochRequest, int]:
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
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("EndQuorumEpochRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("EndQuorumEpochRequest.topics", topics_count)
    room -= topics_count
    topics: list[TopicData] = []
    for _ in range(topics_count):
        topic_name_size = buffer[p]
        p += 1
        if topic_name_size > 127:
            topic_name_size, p = string_tail(buffer, p, topic_name_size)
        if topic_name_size == 0:
            raise missing("EndQuorumEpochRequest.topics.topic_name")
        stop = p + topic_name_size - 1
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("EndQuorumEpochRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 14 > end - p:
            raise too_many("EndQuorumEpochRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, leader_id, leader_epoch, preferred_candidates_count = _unpack_iiiB(buffer, p)
            p += 13
            if preferred_candidates_count > 127:
                preferred_candidates_count, p = uvarint_tail(buffer, p, preferred_candidates_count)
            if preferred_candidates_count == 0:
                raise missing("EndQuorumEpochRequest.topics.partitions.preferred_candidates")
            preferred_candidates_count -= 1
            if preferred_candidates_count > room or preferred_candidates_count * 21 > end - p:
                raise too_many("EndQuorumEpochRequest.topics.partitions.preferred_candidates", preferred_candidates_count)
            room -= preferred_candidates_count
            preferred_candidates: list[ReplicaInfo] = []
            for _ in range(preferred_candidates_count):
                candidate_id, candidate_directory_id, tags = _unpack_iuB(buffer, p)
                p += 21
                if tags:
                    p = skip_tags(buffer, p, tags)
                preferred_candidates.append(ReplicaInfo(candidate_id, candidate_directory_id))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            partitions.append(PartitionData(partition_index, leader_id, leader_epoch, [], preferred_candidates))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(TopicData(topic_name, partitions))
    leader_endpoints_count = buffer[p]
    p += 1
    if leader_endpoints_count > 127:
        leader_endpoints_count, p = uvarint_tail(buffer, p, leader_endpoints_count)
    if leader_endpoints_count == 0:
        raise missing("EndQuorumEpochRequest.leader_endpoints")
    leader_endpoints_count -= 1
    if leader_endpoints_count > room or leader_endpoints_count * 5 > end - p:
        raise too_many("EndQuorumEpochRequest.leader_endpoints", leader_endpoints_count)
    room -= leader_endpoints_count
    leader_endpoints: list[LeaderEndpoint] = []
    for _ in range(leader_endpoints_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("EndQuorumEpochRequest.leader_endpoints.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("EndQuorumEpochRequest.leader_endpoints.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, tags_4 = _unpack_HB(buffer, p)
        p += 3
        if tags_4:
            p = skip_tags(buffer, p, tags_4)
        leader_endpoints.append(LeaderEndpoint(name, host, port))
    tags_5 = buffer[p]
    p += 1
    if tags_5:
        p = skip_tags(buffer, p, tags_5)
    return EndQuorumEpochRequest(cluster_id, topics, leader_endpoints), p


def _encode_0(message: EndQuorumEpochRequest) -> bytes:
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
        for element_2 in partitions:
            preferred_successors = element_2.preferred_successors
            out += (
                _pack_iiii(element_2.partition_index, element_2.leader_id, element_2.leader_epoch, len(preferred_successors)),
                write_int32s(preferred_successors),
            )
    return b"".join(out)


def _encode_1(message: EndQuorumEpochRequest) -> bytes:
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
            preferred_candidates = element_2.preferred_candidates
            preferred_candidates_count = len(preferred_candidates) + 1
            out += (
                _pack_iii(element_2.partition_index, element_2.leader_id, element_2.leader_epoch),
                UVARINTS[preferred_candidates_count] if preferred_candidates_count < 256 else uvarint(preferred_candidates_count),
            )
            for element_3 in preferred_candidates:
                candidate_directory_id = element_3.candidate_directory_id
                if len(candidate_directory_id) != 16:
                    raise bad_uuid("EndQuorumEpochRequest.topics.partitions.preferred_candidates.candidate_directory_id")
                out.append(_pack_iux(element_3.candidate_id, candidate_directory_id))
            out.append(b"\0")
        out.append(b"\0")
    leader_endpoints = message.leader_endpoints
    leader_endpoints_count = len(leader_endpoints) + 1
    out.append(UVARINTS[leader_endpoints_count] if leader_endpoints_count < 256 else uvarint(leader_endpoints_count))
    for element_4 in leader_endpoints:
        name = element_4.name.encode()
        name_size = len(name) + 1
        host = element_4.host.encode()
        host_size = len(host) + 1
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_Hx(element_4.port),
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[EndQuorumEpochRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[EndQuorumEpochRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[EndQuorumEpochRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"EndQuorumEpochRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"EndQuorumEpochRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"EndQuorumEpochRequest v{version} is cut short")
    return result


def encode(message: EndQuorumEpochRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"EndQuorumEpochRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"EndQuorumEpochRequest v{version}: {error}") from error
