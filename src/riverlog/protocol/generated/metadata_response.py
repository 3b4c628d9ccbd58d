"""MetadataResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    null_refused,
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

NAME: Final = "MetadataResponse"
API_KEY: Final = 3
VERSIONS: Final[tuple[int, int]] = (0, 13)
FLEXIBLE_FROM: Final = 9
LATEST_UNSTABLE: Final = False

_unpack_uzB = Struct(">16s?B").unpack_from
_unpack_zB = Struct(">?B").unpack_from
_unpack_zi = Struct(">?i").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_hh = Struct(">hh").unpack_from
_unpack_hiii = Struct(">hiii").unpack_from
_unpack_hiiiB = Struct(">hiiiB").unpack_from
_unpack_hiiii = Struct(">hiiii").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ih = Struct(">ih").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_pack_uz = Struct(">16s?").pack
_pack_z = Struct(">?").pack
_pack_zi = Struct(">?i").pack
_pack_h = Struct(">h").pack
_pack_hh = Struct(">hh").pack
_pack_hiii = Struct(">hiii").pack
_pack_hiiii = Struct(">hiiii").pack
_pack_hx = Struct(">hx").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ii = Struct(">ii").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class MetadataResponseBroker(Wire):
    """MetadataResponseBroker."""

    __slots__ = ("node_id", "host", "port", "rack")

    node_id: int
    host: str
    port: int
    rack: str | None

    def __init__(
        self,
        node_id: int = 0,
        host: str = "",
        port: int = 0,
        rack: str | None = None,
    ) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port
        self.rack = rack


@dataclass(init=False, repr=False, eq=False)
class MetadataResponsePartition(Wire):
    """MetadataResponsePartition."""

    __slots__ = ("error_code", "partition_index", "leader_id", "leader_epoch", "replica_nodes", "isr_nodes", "offline_replicas")

    error_code: int
    partition_index: int
    leader_id: int
    leader_epoch: int
    replica_nodes: list[int]
    isr_nodes: list[int]
    offline_replicas: list[int]

    def __init__(
        self,
        error_code: int = 0,
        partition_index: int = 0,
        leader_id: int = 0,
        leader_epoch: int = -1,
        replica_nodes: list[int] = UNSET,
        isr_nodes: list[int] = UNSET,
        offline_replicas: list[int] = UNSET,
    ) -> None:
        self.error_code = error_code
        self.partition_index = partition_index
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.replica_nodes = [] if replica_nodes is UNSET else replica_nodes
        self.isr_nodes = [] if isr_nodes is UNSET else isr_nodes
        self.offline_replicas = [] if offline_replicas is UNSET else offline_replicas


@dataclass(init=False, repr=False, eq=False)
class MetadataResponseTopic(Wire):
    """MetadataResponseTopic."""

    __slots__ = ("error_code", "name", "topic_id", "is_internal", "partitions", "topic_authorized_operations")

    error_code: int
    name: str | None
    topic_id: bytes
    is_internal: bool
    partitions: list[MetadataResponsePartition]
    topic_authorized_operations: int

    def __init__(
        self,
        error_code: int = 0,
        name: str | None = "",
        topic_id: bytes = ZERO_UUID,
        is_internal: bool = False,
        partitions: list[MetadataResponsePartition] = UNSET,
        topic_authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.name = name
        self.topic_id = topic_id
        self.is_internal = is_internal
        self.partitions = [] if partitions is UNSET else partitions
        self.topic_authorized_operations = topic_authorized_operations


@dataclass(init=False, repr=False, eq=False)
class MetadataResponse(Wire):
    """MetadataResponse."""

    __slots__ = ("throttle_time_ms", "brokers", "cluster_id", "controller_id", "topics", "cluster_authorized_operations", "error_code")

    throttle_time_ms: int
    brokers: list[MetadataResponseBroker]
    cluster_id: str | None
    controller_id: int
    topics: list[MetadataResponseTopic]
    cluster_authorized_operations: int
    error_code: int

    def __init__(
        self,
        throttle_time_ms: int = 0,
        brokers: list[MetadataResponseBroker] = UNSET,
        cluster_id: str | None = None,
        controller_id: int = -1,
        topics: list[MetadataResponseTopic] = UNSET,
        cluster_authorized_operations: int = -2147483648,
        error_code: int = 0,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.brokers = [] if brokers is UNSET else brokers
        self.cluster_id = cluster_id
        self.controller_id = controller_id
        self.topics = [] if topics is UNSET else topics
        self.cluster_authorized_operations = cluster_authorized_operations
        self.error_code = error_code


def _decode_0(buffer: memoryview, p: int) -> tuple[MetadataResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (brokers_count,) = _unpack_i(buffer, p)
    p += 4
    if brokers_count < 0:
        raise missing("MetadataResponse.brokers")
    if brokers_count > room or brokers_count * 10 > end - p:
        raise too_many("MetadataResponse.brokers", brokers_count)
    room -= brokers_count
    brokers: list[MetadataResponseBroker] = []
    for _ in range(brokers_count):
        node_id, host_size = _unpack_ih(buffer, p)
        p += 6
        if host_size < 0:
            raise missing("MetadataResponse.brokers.host")
        stop = p + host_size
        host = buffer[p:stop].tobytes().decode()
        p = stop
        (port,) = _unpack_i(buffer, p)
        p += 4
        brokers.append(MetadataResponseBroker(node_id, host, port, None))
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("MetadataResponse.topics")
    if topics_count > room or topics_count * 8 > end - p:
        raise too_many("MetadataResponse.topics", topics_count)
    room -= topics_count
    topics: list[MetadataResponseTopic] = []
    for _ in range(topics_count):
        error_code, name_size = _unpack_hh(buffer, p)
        p += 4
        if name_size < 0:
            raise missing("MetadataResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("MetadataResponse.topics.partitions")
        if partitions_count > room or partitions_count * 18 > end - p:
            raise too_many("MetadataResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[MetadataResponsePartition] = []
        for _ in range(partitions_count):
            error_code_2, partition_index, leader_id, replica_nodes_count = _unpack_hiii(buffer, p)
            p += 14
            if replica_nodes_count < 0:
                raise missing("MetadataResponse.topics.partitions.replica_nodes")
            replica_nodes = read_int32s(buffer, p, replica_nodes_count)
            p += replica_nodes_count * 4
            (isr_nodes_count,) = _unpack_i(buffer, p)
            p += 4
            if isr_nodes_count < 0:
                raise missing("MetadataResponse.topics.partitions.isr_nodes")
            isr_nodes = read_int32s(buffer, p, isr_nodes_count)
            p += isr_nodes_count * 4
            partitions.append(MetadataResponsePartition(error_code_2, partition_index, leader_id, -1, replica_nodes, isr_nodes, []))
        topics.append(MetadataResponseTopic(error_code, name, ZERO_UUID, False, partitions, -2147483648))
    return MetadataResponse(0, brokers, None, -1, topics, -2147483648, 0), p


def _decode_1(buffer: memoryview, p: int) -> tuple[MetadataResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (brokers_count,) = _unpack_i(buffer, p)
    p += 4
    if brokers_count < 0:
        raise missing("MetadataResponse.brokers")
    if brokers_count > room or brokers_count * 12 > end - p:
        raise too_many("MetadataResponse.brokers", brokers_count)
    room -= brokers_count
    brokers: list[MetadataResponseBroker] = []
    for _ in range(brokers_count):
        node_id, host_size = _unpack_ih(buffer, p)
        p += 6
        if host_size < 0:
            raise missing("MetadataResponse.brokers.host")
        stop = p + host_size
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, rack_size = _unpack_ih(buffer, p)
        p += 6
        rack: str | None = None
        if rack_size >= 0:
            stop = p + rack_size
            rack = buffer[p:stop].tobytes().decode()
            p = stop
        elif rack_size != -1:
            raise missing("MetadataResponse.brokers.rack")
        brokers.append(MetadataResponseBroker(node_id, host, port, rack))
    controller_id, topics_count = _unpack_ii(buffer, p)
    p += 8
    if topics_count < 0:
        raise missing("MetadataResponse.topics")
    if topics_count > room or topics_count * 9 > end - p:
        raise too_many("MetadataResponse.topics", topics_count)
    room -= topics_count
    topics: list[MetadataResponseTopic] = []
    for _ in range(topics_count):
        error_code, name_size = _unpack_hh(buffer, p)
        p += 4
        if name_size < 0:
            raise missing("MetadataResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        is_internal, partitions_count = _unpack_zi(buffer, p)
        p += 5
        if partitions_count < 0:
            raise missing("MetadataResponse.topics.partitions")
        if partitions_count > room or partitions_count * 18 > end - p:
            raise too_many("MetadataResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[MetadataResponsePartition] = []
        for _ in range(partitions_count):
            error_code_2, partition_index, leader_id, replica_nodes_count = _unpack_hiii(buffer, p)
            p += 14
            if replica_nodes_count < 0:
                raise missing("MetadataResponse.topics.partitions.replica_nodes")
            replica_nodes = read_int32s(buffer, p, replica_nodes_count)
            p += replica_nodes_count * 4
            (isr_nodes_count,) = _unpack_i(buffer, p)
            p += 4
            if isr_nodes_count < 0:
                raise missing("MetadataResponse.topics.partitions.isr_nodes")
            isr_nodes = read_int32s(buffer, p, isr_nodes_count)
            p += isr_nodes_count * 4
            partitions.append(MetadataResponsePartition(error_code_2, partition_index, leader_id, -1, replica_nodes, isr_nodes, []))
        topics.append(MetadataResponseTopic(error_code, name, ZERO_UUID, is_internal, partitions, -2147483648))
    return MetadataResponse(0, brokers, None, controller_id, topics, -2147483648, 0), p


def _decode_2(buffer: memoryview, p: int) -> tuple[MetadataResponse, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (brokers_count,) = _unpack_i(buffer, p)
    p += 4
    if brokers_count < 0:
        raise missing("MetadataResponse.brokers")
    if brokers_count > room or brokers_count * 12 > end - p:
        raise too_many("MetadataResponse.brokers", brokers_count)
    room -= brokers_count
    brokers: list[MetadataResponseBroker] = []
    for _ in range(brokers_count):
        node_id, host_size = _unpack_ih(buffer, p)
        p += 6
        if host_size < 0:
            raise missing("MetadataResponse.brokers.host")
        stop = p + host_size
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, rack_size = _unpack_ih(buffer, p)
        p += 6
        rack: str | None = None
        if rack_size >= 0:
            stop = p + rack_size
            rack = buffer[p:stop].tobytes().decode()
            p = stop
        elif rack_size != -1:
            raise missing("MetadataResponse.brokers.rack")
        brokers.append(MetadataResponseBroker(node_id, host, port, rack))
    (cluster_id_size,) = _unpack_h(buffer, p)
    p += 2
    cluster_id: str | None = None
    if cluster_id_size >= 0:
        stop = p + cluster_id_size
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    elif cluster_id_size != -1:
        raise missing("MetadataResponse.cluster_id")
    controller_id, topics_count = _unpack_ii(buffer, p)
    p += 8
    if topics_count < 0:
        raise missing("MetadataResponse.topics")
    if topics_count > room or topics_count * 9 > end - p:
        raise too_many("MetadataResponse.topics", topics_count)
    room -= topics_count
    topics: list[MetadataResponseTopic] = []
    for _ in range(topics_count):
        error_code, name_size = _unpack_hh(buffer, p)
        p += 4
        if name_size < 0:
            raise missing("MetadataResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        is_internal, partitions_count = _unpack_zi(buffer, p)
        p += 5
        if partitions_count < 0:
            raise missing("MetadataResponse.topics.partitions")
        if partitions_count > room or partitions_count * 18 > end - p:
            raise too_many("MetadataResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[MetadataResponsePartition] = []
        for _ in range(partitions_count):
            error_code_2, partition_index, leader_id, replica_nodes_count = _unpack_hiii(buffer, p)
            p += 14
            if replica_nodes_count < 0:
                raise missing("MetadataResponse.topics.partitions.replica_nodes")
            replica_nodes = read_int32s(buffer, p, replica_nodes_count)
            p += replica_nodes_count * 4
            (isr_nodes_count,) = _unpack_i(buffer, p)
            p += 4
            if isr_nodes_count < 0:
                raise missing("MetadataResponse.topics.partitions.isr_nodes")
            isr_nodes = read_int32s(buffer, p, isr_nodes_count)
            p += isr_nodes_count * 4
            partitions.append(MetadataResponsePartition(error_code_2, partition_index, leader_id, -1, replica_nodes, isr_nodes, []))
        topics.append(MetadataResponseTopic(error_code, name, ZERO_UUID, is_internal, partitions, -2147483648))
    return MetadataResponse(0, brokers, cluster_id, controller_id, topics, -2147483648, 0), p


def _decode_3(buffer: memoryview, p: int) -> tuple[MetadataResponse, int]:
    """Versions 3, 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, brokers_count = _unpack_ii(buffer, p)
    p += 8
    if brokers_count < 0:
        raise missing("MetadataResponse.brokers")
    if brokers_count > room or brokers_count * 12 > end - p:
        raise too_many("MetadataResponse.brokers", brokers_count)
    room -= brokers_count
    brokers: list[MetadataResponseBroker] = []
    for _ in range(brokers_count):
        node_id, host_size = _unpack_ih(buffer, p)
        p += 6
        if host_size < 0:
            raise missing("MetadataResponse.brokers.host")
        stop = p + host_size
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, rack_size = _unpack_ih(buffer, p)
        p += 6
        rack: str | None = None
        if rack_size >= 0:
            stop = p + rack_size
            rack = buffer[p:stop].tobytes().decode()
            p = stop
        elif rack_size != -1:
            raise missing("MetadataResponse.brokers.rack")
        brokers.append(MetadataResponseBroker(node_id, host, port, rack))
    (cluster_id_size,) = _unpack_h(buffer, p)
    p += 2
    cluster_id: str | None = None
    if cluster_id_size >= 0:
        stop = p + cluster_id_size
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    elif cluster_id_size != -1:
        raise missing("MetadataResponse.cluster_id")
    controller_id, topics_count = _unpack_ii(buffer, p)
    p += 8
    if topics_count < 0:
        raise missing("MetadataResponse.topics")
    if topics_count > room or topics_count * 9 > end - p:
        raise too_many("MetadataResponse.topics", topics_count)
    room -= topics_count
    topics: list[MetadataResponseTopic] = []
    for _ in range(topics_count):
        error_code, name_size = _unpack_hh(buffer, p)
        p += 4
        if name_size < 0:
            raise missing("MetadataResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        is_internal, partitions_count = _unpack_zi(buffer, p)
        p += 5
        if partitions_count < 0:
            raise missing("MetadataResponse.topics.partitions")
        if partitions_count > room or partitions_count * 18 > end - p:
            raise too_many("MetadataResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[MetadataResponsePartition] = []
        for _ in range(partitions_count):
            error_code_2, partition_index, leader_id, replica_nodes_count = _unpack_hiii(buffer, p)
            p += 14
            if replica_nodes_count < 0:
                raise missing("MetadataResponse.topics.partitions.replica_nodes")
            replica_nodes = read_int32s(buffer, p, replica_nodes_count)
            p += replica_nodes_count * 4
            (isr_nodes_count,) = _unpack_i(buffer, p)
            p += 4
            if isr_nodes_count < 0:
                raise missing("MetadataResponse.topics.partitions.isr_nodes")
            isr_nodes = read_int32s(buffer, p, isr_nodes_count)
            p += isr_nodes_count * 4
            partitions.append(MetadataResponsePartition(error_code_2, partition_index, leader_id, -1, replica_nodes, isr_nodes, []))
        topics.append(MetadataResponseTopic(error_code, name, ZERO_UUID, is_internal, partitions, -2147483648))
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics, -2147483648, 0), p


def _decode_4(buffer: memoryview, p: int) -> tuple[MetadataResponse, int]:
    """Versions 5, 6."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, brokers_count = _unpack_ii(buffer, p)
    p += 8
    if brokers_count < 0:
        raise missing("MetadataResponse.brokers")
    if brokers_count > room or brokers_count * 12 > end - p:
        raise too_many("MetadataResponse.brokers", brokers_count)
    room -= brokers_count
    brokers: list[MetadataResponseBroker] = []
    for _ in range(brokers_count):
        node_id, host_size = _unpack_ih(buffer, p)
        p += 6
        if host_size < 0:
            raise missing("MetadataResponse.brokers.host")
        stop = p + host_size
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, rack_size = _unpack_ih(buffer, p)
        p += 6
        rack: str | None = None
        if rack_size >= 0:
            stop = p + rack_size
            rack = buffer[p:stop].tobytes().decode()
            p = stop
        elif rack_size != -1:
            raise missing("MetadataResponse.brokers.rack")
        brokers.append(MetadataResponseBroker(node_id, host, port, rack))
    (cluster_id_size,) = _unpack_h(buffer, p)
    p += 2
    cluster_id: str | None = None
    if cluster_id_size >= 0:
        stop = p + cluster_id_size
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    elif cluster_id_size != -1:
        raise missing("MetadataResponse.cluster_id")
    controller_id, topics_count = _unpack_ii(buffer, p)
    p += 8
    if topics_count < 0:
        raise missing("MetadataResponse.topics")
    if topics_count > room or topics_count * 9 > end - p:
        raise too_many("MetadataResponse.topics", topics_count)
    room -= topics_count
    topics: list[MetadataResponseTopic] = []
    for _ in range(topics_count):
        error_code, name_size = _unpack_hh(buffer, p)
        p += 4
        if name_size < 0:
            raise missing("MetadataResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        is_internal, partitions_count = _unpack_zi(buffer, p)
        p += 5
        if partitions_count < 0:
            raise missing("MetadataResponse.topics.partitions")
        if partitions_count > room or partitions_count * 22 > end - p:
            raise too_many("MetadataResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[MetadataResponsePartition] = []
        for _ in range(partitions_count):
            error_code_2, partition_index, leader_id, replica_nodes_count = _unpack_hiii(buffer, p)
            p += 14
            if replica_nodes_count < 0:
                raise missing("MetadataResponse.topics.partitions.replica_nodes")
            replica_nodes = read_int32s(buffer, p, replica_nodes_count)
            p += replica_nodes_count * 4
            (isr_nodes_count,) = _unpack_i(buffer, p)
            p += 4
            if isr_nodes_count < 0:
                raise missing("MetadataResponse.topics.partitions.isr_nodes")
            isr_nodes = read_int32s(buffer, p, isr_nodes_count)
            p += isr_nodes_count * 4
            (offline_replicas_count,) = _unpack_i(buffer, p)
            p += 4
            if offline_replicas_count < 0:
                raise missing("MetadataResponse.topics.partitions.offline_replicas")
            offline_replicas = read_int32s(buffer, p, offline_replicas_count)
            p += offline_replicas_count * 4
            partitions.append(MetadataResponsePartition(error_code_2, partition_index, leader_id, -1, replica_nodes, isr_nodes, offline_replicas))
        topics.append(MetadataResponseTopic(error_code, name, ZERO_UUID, is_internal, partitions, -2147483648))
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics, -2147483648, 0), p


def _decode_5(buffer: memoryview, p: int) -> tuple[MetadataResponse, int]:
    """Versions 7."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, brokers_count = _unpack_ii(buffer, p)
    p += 8
    if brokers_count < 0:
        raise missing("MetadataResponse.brokers")
    if brokers_count > room or brokers_count * 12 > end - p:
        raise too_many("MetadataResponse.brokers", brokers_count)
    room -= brokers_count
    brokers: list[MetadataResponseBroker] = []
    for _ in range(brokers_count):
        node_id, host_size = _unpack_ih(buffer, p)
        p += 6
        if host_size < 0:
            raise missing("MetadataResponse.brokers.host")
        stop = p + host_size
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, rack_size = _unpack_ih(buffer, p)
        p += 6
        rack: str | None = None
        if rack_size >= 0:
            stop = p + rack_size
            rack = buffer[p:stop].tobytes().decode()
            p = stop
        elif rack_size != -1:
            raise missing("MetadataResponse.brokers.rack")
        brokers.append(MetadataResponseBroker(node_id, host, port, rack))
    (cluster_id_size,) = _unpack_h(buffer, p)
    p += 2
    cluster_id: str | None = None
    if cluster_id_size >= 0:
        stop = p + cluster_id_size
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    elif cluster_id_size != -1:
        raise missing("MetadataResponse.cluster_id")
    controller_id, topics_count = _unpack_ii(buffer, p)
    p += 8
    if topics_count < 0:
        raise missing("MetadataResponse.topics")
    if topics_count > room or topics_count * 9 > end - p:
        raise too_many("MetadataResponse.topics", topics_count)
    room -= topics_count
    topics: list[MetadataResponseTopic] = []
    for _ in range(topics_count):
        error_code, name_size = _unpack_hh(buffer, p)
        p += 4
        if name_size < 0:
            raise missing("MetadataResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        is_internal, partitions_count = _unpack_zi(buffer, p)
        p += 5
        if partitions_count < 0:
            raise missing("MetadataResponse.topics.partitions")
        if partitions_count > room or partitions_count * 26 > end - p:
            raise too_many("MetadataResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[MetadataResponsePartition] = []
        for _ in range(partitions_count):
            error_code_2, partition_index, leader_id, leader_epoch, replica_nodes_count = _unpack_hiiii(buffer, p)
            p += 18
            if replica_nodes_count < 0:
                raise missing("MetadataResponse.topics.partitions.replica_nodes")
            replica_nodes = read_int32s(buffer, p, replica_nodes_count)
            p += replica_nodes_count * 4
            (isr_nodes_count,) = _unpack_i(buffer, p)
            p += 4
            if isr_nodes_count < 0:
                raise missing("MetadataResponse.topics.partitions.isr_nodes")
            isr_nodes = read_int32s(buffer, p, isr_nodes_count)
            p += isr_nodes_count * 4
            (offline_replicas_count,) = _unpack_i(buffer, p)
            p += 4
            if offline_replicas_count < 0:
                raise missing("MetadataResponse.topics.partitions.offline_replicas")
            offline_replicas = read_int32s(buffer, p, offline_replicas_count)
            p += offline_replicas_count * 4
            partitions.append(MetadataResponsePartition(error_code_2, partition_index, leader_id, leader_epoch, replica_nodes, isr_nodes, offline_replicas))
        topics.append(MetadataResponseTopic(error_code, name, ZERO_UUID, is_internal, partitions, -2147483648))
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics, -2147483648, 0), p


def _decode_6(buffer: memoryview, p: int) -> tuple[MetadataResponse, int]:
    """Versions 8."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, brokers_count = _unpack_ii(buffer, p)
    p += 8
    if brokers_count < 0:
        raise missing("MetadataResponse.brokers")
    if brokers_count > room or brokers_count * 12 > end - p:
        raise too_many("MetadataResponse.brokers", brokers_count)
    room -= brokers_count
    brokers: list[MetadataResponseBroker] = []
    for _ in range(brokers_count):
        node_id, host_size = _unpack_ih(buffer, p)
        p += 6
        if host_size < 0:
            raise missing("MetadataResponse.brokers.host")
        stop = p + host_size
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, rack_size = _unpack_ih(buffer, p)
        p += 6
        rack: str | None = None
        if rack_size >= 0:
            stop = p + rack_size
            rack = buffer[p:stop].tobytes().decode()
            p = stop
        elif rack_size != -1:
            raise missing("MetadataResponse.brokers.rack")
        brokers.append(MetadataResponseBroker(node_id, host, port, rack))
    (cluster_id_size,) = _unpack_h(buffer, p)
    p += 2
    cluster_id: str | None = None
    if cluster_id_size >= 0:
        stop = p + cluster_id_size
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    elif cluster_id_size != -1:
        raise missing("MetadataResponse.cluster_id")
    controller_id, topics_count = _unpack_ii(buffer, p)
    p += 8
    if topics_count < 0:
        raise missing("MetadataResponse.topics")
    if topics_count > room or topics_count * 13 > end - p:
        raise too_many("MetadataResponse.topics", topics_count)
    room -= topics_count
    topics: list[MetadataResponseTopic] = []
    for _ in range(topics_count):
        error_code, name_size = _unpack_hh(buffer, p)
        p += 4
        if name_size < 0:
            raise missing("MetadataResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        is_internal, partitions_count = _unpack_zi(buffer, p)
        p += 5
        if partitions_count < 0:
            raise missing("MetadataResponse.topics.partitions")
        if partitions_count > room or partitions_count * 26 > end - p:
            raise too_many("MetadataResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[MetadataResponsePartition] = []
        for _ in range(partitions_count):
            error_code_2, partition_index, leader_id, leader_epoch, replica_nodes_count = _unpack_hiiii(buffer, p)
            p += 18
            if replica_nodes_count < 0:
                raise missing("MetadataResponse.topics.partitions.replica_nodes")
            replica_nodes = read_int32s(buffer, p, replica_nodes_count)
            p += replica_nodes_count * 4
            (isr_nodes_count,) = _unpack_i(buffer, p)
            p += 4
            if isr_nodes_count < 0:
                raise missing("MetadataResponse.topics.partitions.isr_nodes")
            isr_nodes = read_int32s(buffer, p, isr_nodes_count)
            p += isr_nodes_count * 4
            (offline_replicas_count,) = _unpack_i(buffer, p)
            p += 4
            if offline_replicas_count < 0:
                raise missing("MetadataResponse.topics.partitions.offline_replicas")
            offline_replicas = read_int32s(buffer, p, offline_replicas_count)
            p += offline_replicas_count * 4
            partitions.append(MetadataResponsePartition(error_code_2, partition_index, leader_id, leader_epoch, replica_nodes, isr_nodes, offline_replicas))
        (topic_authorized_operations,) = _unpack_i(buffer, p)
        p += 4
        topics.append(MetadataResponseTopic(error_code, name, ZERO_UUID, is_internal, partitions, topic_authorized_operations))
    (cluster_authorized_operations,) = _unpack_i(buffer, p)
    p += 4
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics, cluster_authorized_operations, 0), p


def _decode_7(buffer: memoryview, p: int) -> tuple[MetadataResponse, int]:
    """Versions 9."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, brokers_count = _unpack_iB(buffer, p)
    p += 5
    if brokers_count > 127:
        brokers_count, p = uvarint_tail(buffer, p, brokers_count)
    if brokers_count == 0:
        raise missing("MetadataResponse.brokers")
    brokers_count -= 1
    if brokers_count > room or brokers_count * 11 > end - p:
        raise too_many("MetadataResponse.brokers", brokers_count)
    room -= brokers_count
    brokers: list[MetadataResponseBroker] = []
    for _ in range(brokers_count):
        node_id, host_size = _unpack_iB(buffer, p)
        p += 5
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("MetadataResponse.brokers.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, rack_size = _unpack_iB(buffer, p)
        p += 5
        if rack_size > 127:
            rack_size, p = string_tail(buffer, p, rack_size)
        rack: str | None = None
        if rack_size:
            stop = p + rack_size - 1
            rack = buffer[p:stop].tobytes().decode()
            p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        brokers.append(MetadataResponseBroker(node_id, host, port, rack))
    cluster_id_size = buffer[p]
    p += 1
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    cluster_id: str | None = None
    if cluster_id_size:
        stop = p + cluster_id_size - 1
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    controller_id, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("MetadataResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 10 > end - p:
        raise too_many("MetadataResponse.topics", topics_count)
    room -= topics_count
    topics: list[MetadataResponseTopic] = []
    for _ in range(topics_count):
        error_code, name_size = _unpack_hB(buffer, p)
        p += 3
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("MetadataResponse.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        is_internal, partitions_count = _unpack_zB(buffer, p)
        p += 2
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("MetadataResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 18 > end - p:
            raise too_many("MetadataResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[MetadataResponsePartition] = []
        for _ in range(partitions_count):
            error_code_2, partition_index, leader_id, leader_epoch, replica_nodes_count = _unpack_hiiiB(buffer, p)
            p += 15
            if replica_nodes_count > 127:
                replica_nodes_count, p = uvarint_tail(buffer, p, replica_nodes_count)
            if replica_nodes_count == 0:
                raise missing("MetadataResponse.topics.partitions.replica_nodes")
            replica_nodes_count -= 1
            replica_nodes = read_int32s(buffer, p, replica_nodes_count)
            p += replica_nodes_count * 4
            isr_nodes_count = buffer[p]
            p += 1
            if isr_nodes_count > 127:
                isr_nodes_count, p = uvarint_tail(buffer, p, isr_nodes_count)
            if isr_nodes_count == 0:
                raise missing("MetadataResponse.topics.partitions.isr_nodes")
            isr_nodes_count -= 1
            isr_nodes = read_int32s(buffer, p, isr_nodes_count)
            p += isr_nodes_count * 4
            offline_replicas_count = buffer[p]
            p += 1
            if offline_replicas_count > 127:
                offline_replicas_count, p = uvarint_tail(buffer, p, offline_replicas_count)
            if offline_replicas_count == 0:
                raise missing("MetadataResponse.topics.partitions.offline_replicas")
            offline_replicas_count -= 1
            offline_replicas = read_int32s(buffer, p, offline_replicas_count)
            p += offline_replicas_count * 4
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            partitions.append(MetadataResponsePartition(error_code_2, partition_index, leader_id, leader_epoch, replica_nodes, isr_nodes, offline_replicas))
        topic_authorized_operations, tags_3 = _unpack_iB(buffer, p)
        p += 5
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(MetadataResponseTopic(error_code, name, ZERO_UUID, is_internal, partitions, topic_authorized_operations))
    cluster_authorized_operations, tags_4 = _unpack_iB(buffer, p)
    p += 5
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics, cluster_authorized_operations, 0), p


def _decode_8(buffer: memoryview, p: int) -> tuple[MetadataResponse, int]:
    """Versions 10."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, brokers_count = _unpack_iB(buffer, p)
    p += 5
    if brokers_count > 127:
        brokers_count, p = uvarint_tail(buffer, p, brokers_count)
    if brokers_count == 0:
        raise missing("MetadataResponse.brokers")
    brokers_count -= 1
    if brokers_count > room or brokers_count * 11 > end - p:
        raise too_many("MetadataResponse.brokers", brokers_count)
    room -= brokers_count
    brokers: list[MetadataResponseBroker] = []
    for _ in range(brokers_count):
        node_id, host_size = _unpack_iB(buffer, p)
        p += 5
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("MetadataResponse.brokers.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, rack_size = _unpack_iB(buffer, p)
        p += 5
        if rack_size > 127:
            rack_size, p = string_tail(buffer, p, rack_size)
        rack: str | None = None
        if rack_size:
            stop = p + rack_size - 1
            rack = buffer[p:stop].tobytes().decode()
            p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        brokers.append(MetadataResponseBroker(node_id, host, port, rack))
    cluster_id_size = buffer[p]
    p += 1
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    cluster_id: str | None = None
    if cluster_id_size:
        stop = p + cluster_id_size - 1
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    controller_id, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("MetadataResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 26 > end - p:
        raise too_many("MetadataResponse.topics", topics_count)
    room -= topics_count
    topics: list[MetadataResponseTopic] = []
    for _ in range(topics_count):
        error_code, name_size = _unpack_hB(buffer, p)
        p += 3
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("MetadataResponse.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        topic_id, is_internal, partitions_count = _unpack_uzB(buffer, p)
        p += 18
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("MetadataResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 18 > end - p:
            raise too_many("MetadataResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[MetadataResponsePartition] = []
        for _ in range(partitions_count):
            error_code_2, partition_index, leader_id, leader_epoch, replica_nodes_count = _unpack_hiiiB(buffer, p)
            p += 15
            if replica_nodes_count > 127:
                replica_nodes_count, p = uvarint_tail(buffer, p, replica_nodes_count)
            if replica_nodes_count == 0:
                raise missing("MetadataResponse.topics.partitions.replica_nodes")
            replica_nodes_count -= 1
            replica_nodes = read_int32s(buffer, p, replica_nodes_count)
            p += replica_nodes_count * 4
            isr_nodes_count = buffer[p]
            p += 1
            if isr_nodes_count > 127:
                isr_nodes_count, p = uvarint_tail(buffer, p, isr_nodes_count)
            if isr_nodes_count == 0:
                raise missing("MetadataResponse.topics.partitions.isr_nodes")
            isr_nodes_count -= 1
            isr_nodes = read_int32s(buffer, p, isr_nodes_count)
            p += isr_nodes_count * 4
            offline_replicas_count = buffer[p]
            p += 1
            if offline_replicas_count > 127:
                offline_replicas_count, p = uvarint_tail(buffer, p, offline_replicas_count)
            if offline_replicas_count == 0:
                raise missing("MetadataResponse.topics.partitions.offline_replicas")
            offline_replicas_count -= 1
            offline_replicas = read_int32s(buffer, p, offline_replicas_count)
            p += offline_replicas_count * 4
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            partitions.append(MetadataResponsePartition(error_code_2, partition_index, leader_id, leader_epoch, replica_nodes, isr_nodes, offline_replicas))
        topic_authorized_operations, tags_3 = _unpack_iB(buffer, p)
        p += 5
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(MetadataResponseTopic(error_code, name, topic_id, is_internal, partitions, topic_authorized_operations))
    cluster_authorized_operations, tags_4 = _unpack_iB(buffer, p)
    p += 5
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics, cluster_authorized_operations, 0), p


def _decode_9(buffer: memoryview, p: int) -> tuple[MetadataResponse, int]:
    """Versions 11."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, brokers_count = _unpack_iB(buffer, p)
    p += 5
    if brokers_count > 127:
        brokers_count, p = uvarint_tail(buffer, p, brokers_count)
    if brokers_count == 0:
        raise missing("MetadataResponse.brokers")
    brokers_count -= 1
    if brokers_count > room or brokers_count * 11 > end - p:
        raise too_many("MetadataResponse.brokers", brokers_count)
    room -= brokers_count
    brokers: list[MetadataResponseBroker] = []
    for _ in range(brokers_count):
        node_id, host_size = _unpack_iB(buffer, p)
        p += 5
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("MetadataResponse.brokers.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, rack_size = _unpack_iB(buffer, p)
        p += 5
        if rack_size > 127:
            rack_size, p = string_tail(buffer, p, rack_size)
        rack: str | None = None
        if rack_size:
            stop = p + rack_size - 1
            rack = buffer[p:stop].tobytes().decode()
            p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        brokers.append(MetadataResponseBroker(node_id, host, port, rack))
    cluster_id_size = buffer[p]
    p += 1
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    cluster_id: str | None = None
    if cluster_id_size:
        stop = p + cluster_id_size - 1
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    controller_id, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("MetadataResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 26 > end - p:
        raise too_many("MetadataResponse.topics", topics_count)
    room -= topics_count
    topics: list[MetadataResponseTopic] = []
    for _ in range(topics_count):
        error_code, name_size = _unpack_hB(buffer, p)
        p += 3
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("MetadataResponse.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        topic_id, is_internal, partitions_count = _unpack_uzB(buffer, p)
        p += 18
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("MetadataResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 18 > end - p:
            raise too_many("MetadataResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[MetadataResponsePartition] = []
        for _ in range(partitions_count):
            error_code_2, partition_index, leader_id, leader_epoch, replica_nodes_count = _unpack_hiiiB(buffer, p)
            p += 15
            if replica_nodes_count > 127:
                replica_nodes_count, p = uvarint_tail(buffer, p, replica_nodes_count)
            if replica_nodes_count == 0:
                raise missing("MetadataResponse.topics.partitions.replica_nodes")
            replica_nodes_count -= 1
            replica_nodes = read_int32s(buffer, p, replica_nodes_count)
            p += replica_nodes_count * 4
            isr_nodes_count = buffer[p]
            p += 1
            if isr_nodes_count > 127:
                isr_nodes_count, p = uvarint_tail(buffer, p, isr_nodes_count)
            if isr_nodes_count == 0:
                raise missing("MetadataResponse.topics.partitions.isr_nodes")
            isr_nodes_count -= 1
            isr_nodes = read_int32s(buffer, p, isr_nodes_count)
            p += isr_nodes_count * 4
            offline_replicas_count = buffer[p]
            p += 1
            if offline_replicas_count > 127:
                offline_replicas_count, p = uvarint_tail(buffer, p, offline_replicas_count)
            if offline_replicas_count == 0:
                raise missing("MetadataResponse.topics.partitions.offline_replicas")
            offline_replicas_count -= 1
            offline_replicas = read_int32s(buffer, p, offline_replicas_count)
            p += offline_replicas_count * 4
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            partitions.append(MetadataResponsePartition(error_code_2, partition_index, leader_id, leader_epoch, replica_nodes, isr_nodes, offline_replicas))
        topic_authorized_operations, tags_3 = _unpack_iB(buffer, p)
        p += 5
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(MetadataResponseTopic(error_code, name, topic_id, is_internal, partitions, topic_authorized_operations))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics, -2147483648, 0), p


def _decode_10(buffer: memoryview, p: int) -> tuple[MetadataResponse, int]:
    """Versions 12."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, brokers_count = _unpack_iB(buffer, p)
    p += 5
    if brokers_count > 127:
        brokers_count, p = uvarint_tail(buffer, p, brokers_count)
    if brokers_count == 0:
        raise missing("MetadataResponse.brokers")
    brokers_count -= 1
    if brokers_count > room or brokers_count * 11 > end - p:
        raise too_many("MetadataResponse.brokers", brokers_count)
    room -= brokers_count
    brokers: list[MetadataResponseBroker] = []
    for _ in range(brokers_count):
        node_id, host_size = _unpack_iB(buffer, p)
        p += 5
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("MetadataResponse.brokers.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, rack_size = _unpack_iB(buffer, p)
        p += 5
        if rack_size > 127:
            rack_size, p = string_tail(buffer, p, rack_size)
        rack: str | None = None
        if rack_size:
            stop = p + rack_size - 1
            rack = buffer[p:stop].tobytes().decode()
            p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        brokers.append(MetadataResponseBroker(node_id, host, port, rack))
    cluster_id_size = buffer[p]
    p += 1
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    cluster_id: str | None = None
    if cluster_id_size:
        stop = p + cluster_id_size - 1
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    controller_id, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("MetadataResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 26 > end - p:
        raise too_many("MetadataResponse.topics", topics_count)
    room -= topics_count
    topics: list[MetadataResponseTopic] = []
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
            raise missing("MetadataResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 18 > end - p:
            raise too_many("MetadataResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[MetadataResponsePartition] = []
        for _ in range(partitions_count):
            error_code_2, partition_index, leader_id, leader_epoch, replica_nodes_count = _unpack_hiiiB(buffer, p)
            p += 15
            if replica_nodes_count > 127:
                replica_nodes_count, p = uvarint_tail(buffer, p, replica_nodes_count)
            if replica_nodes_count == 0:
                raise missing("MetadataResponse.topics.partitions.replica_nodes")
            replica_nodes_count -= 1
            replica_nodes = read_int32s(buffer, p, replica_nodes_count)
            p += replica_nodes_count * 4
            isr_nodes_count = buffer[p]
            p += 1
            if isr_nodes_count > 127:
                isr_nodes_count, p = uvarint_tail(buffer, p, isr_nodes_count)
            if isr_nodes_count == 0:
                raise missing("MetadataResponse.topics.partitions.isr_nodes")
            isr_nodes_count -= 1
            isr_nodes = read_int32s(buffer, p, isr_nodes_count)
            p += isr_nodes_count * 4
            offline_replicas_count = buffer[p]
            p += 1
            if offline_replicas_count > 127:
                offline_replicas_count, p = uvarint_tail(buffer, p, offline_replicas_count)
            if offline_replicas_count == 0:
                raise missing("MetadataResponse.topics.partitions.offline_replicas")
            offline_replicas_count -= 1
            offline_replicas = read_int32s(buffer, p, offline_replicas_count)
            p += offline_replicas_count * 4
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            partitions.append(MetadataResponsePartition(error_code_2, partition_index, leader_id, leader_epoch, replica_nodes, isr_nodes, offline_replicas))
        topic_authorized_operations, tags_3 = _unpack_iB(buffer, p)
        p += 5
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(MetadataResponseTopic(error_code, name, topic_id, is_internal, partitions, topic_authorized_operations))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics, -2147483648, 0), p


def _decode_11(buffer: memoryview, p: int) -> tuple[MetadataResponse, int]:
    """Versions 13."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, brokers_count = _unpack_iB(buffer, p)
    p += 5
    if brokers_count > 127:
        brokers_count, p = uvarint_tail(buffer, p, brokers_count)
    if brokers_count == 0:
        raise missing("MetadataResponse.brokers")
    brokers_count -= 1
    if brokers_count > room or brokers_count * 11 > end - p:
        raise too_many("MetadataResponse.brokers", brokers_count)
    room -= brokers_count
    brokers: list[MetadataResponseBroker] = []
    for _ in range(brokers_count):
        node_id, host_size = _unpack_iB(buffer, p)
        p += 5
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("MetadataResponse.brokers.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, rack_size = _unpack_iB(buffer, p)
        p += 5
        if rack_size > 127:
            rack_size, p = string_tail(buffer, p, rack_size)
        rack: str | None = None
        if rack_size:
            stop = p + rack_size - 1
            rack = buffer[p:stop].tobytes().decode()
            p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        brokers.append(MetadataResponseBroker(node_id, host, port, rack))
    cluster_id_size = buffer[p]
    p += 1
    if cluster_id_size > 127:
        cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
    cluster_id: str | None = None
    if cluster_id_size:
        stop = p + cluster_id_size - 1
        cluster_id = buffer[p:stop].tobytes().decode()
        p = stop
    controller_id, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("MetadataResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 26 > end - p:
        raise too_many("MetadataResponse.topics", topics_count)
    room -= topics_count
    topics: list[MetadataResponseTopic] = []
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
            raise missing("MetadataResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 18 > end - p:
            raise too_many("MetadataResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[MetadataResponsePartition] = []
        for _ in range(partitions_count):
            error_code_2, partition_index, leader_id, leader_epoch, replica_nodes_count = _unpack_hiiiB(buffer, p)
            p += 15
            if replica_nodes_count > 127:
                replica_nodes_count, p = uvarint_tail(buffer, p, replica_nodes_count)
            if replica_nodes_count == 0:
                raise missing("MetadataResponse.topics.partitions.replica_nodes")
            replica_nodes_count -= 1
            replica_nodes = read_int32s(buffer, p, replica_nodes_count)
            p += replica_nodes_count * 4
            isr_nodes_count = buffer[p]
            p += 1
            if isr_nodes_count > 127:
                isr_nodes_count, p = uvarint_tail(buffer, p, isr_nodes_count)
            if isr_nodes_count == 0:
                raise missing("MetadataResponse.topics.partitions.isr_nodes")
            isr_nodes_count -= 1
            isr_nodes = read_int32s(buffer, p, isr_nodes_count)
            p += isr_nodes_count * 4
            offline_replicas_count = buffer[p]
            p += 1
            if offline_replicas_count > 127:
                offline_replicas_count, p = uvarint_tail(buffer, p, offline_replicas_count)
            if offline_replicas_count == 0:
                raise missing("MetadataResponse.topics.partitions.offline_replicas")
            offline_replicas_count -= 1
            offline_replicas = read_int32s(buffer, p, offline_replicas_count)
            p += offline_replicas_count * 4
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            partitions.append(MetadataResponsePartition(error_code_2, partition_index, leader_id, leader_epoch, replica_nodes, isr_nodes, offline_replicas))
        topic_authorized_operations, tags_3 = _unpack_iB(buffer, p)
        p += 5
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(MetadataResponseTopic(error_code, name, topic_id, is_internal, partitions, topic_authorized_operations))
    error_code_3, tags_4 = _unpack_hB(buffer, p)
    p += 3
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics, -2147483648, error_code_3), p


def _encode_0(message: MetadataResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    brokers = message.brokers
    out.append(_pack_i(len(brokers)))
    for element in brokers:
        host = element.host.encode()
        host_size = len(host)
        out += (_pack_ih(element.node_id, host_size), host, _pack_i(element.port))
    topics = message.topics
    out.append(_pack_i(len(topics)))
    for element_2 in topics:
        name_value = element_2.name
        if name_value is None:
            raise null_refused("MetadataResponse.topics.name")
        name = name_value.encode()
        name_size = len(name)
        partitions = element_2.partitions
        out += (_pack_hh(element_2.error_code, name_size), name, _pack_i(len(partitions)))
        for element_3 in partitions:
            replica_nodes = element_3.replica_nodes
            isr_nodes = element_3.isr_nodes
            out += (
                _pack_hiii(element_3.error_code, element_3.partition_index, element_3.leader_id, len(replica_nodes)),
                write_int32s(replica_nodes),
                _pack_i(len(isr_nodes)),
                write_int32s(isr_nodes),
            )
        if element_2.topic_authorized_operations != -2147483648:
            raise not_in_version("MetadataResponse.topics.topic_authorized_operations")
    if message.cluster_authorized_operations != -2147483648:
        raise not_in_version("MetadataResponse.cluster_authorized_operations")
    return b"".join(out)


def _encode_1(message: MetadataResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    brokers = message.brokers
    out.append(_pack_i(len(brokers)))
    for element in brokers:
        host = element.host.encode()
        host_size = len(host)
        rack_value = element.rack
        if rack_value is None:
            rack_size, rack = -1, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack)
        out += (_pack_ih(element.node_id, host_size), host, _pack_ih(element.port, rack_size), rack)
    topics = message.topics
    out.append(_pack_ii(message.controller_id, len(topics)))
    for element_2 in topics:
        name_value = element_2.name
        if name_value is None:
            raise null_refused("MetadataResponse.topics.name")
        name = name_value.encode()
        name_size = len(name)
        partitions = element_2.partitions
        out += (
            _pack_hh(element_2.error_code, name_size),
            name,
            _pack_zi(element_2.is_internal, len(partitions)),
        )
        for element_3 in partitions:
            replica_nodes = element_3.replica_nodes
            isr_nodes = element_3.isr_nodes
            out += (
                _pack_hiii(element_3.error_code, element_3.partition_index, element_3.leader_id, len(replica_nodes)),
                write_int32s(replica_nodes),
                _pack_i(len(isr_nodes)),
                write_int32s(isr_nodes),
            )
        if element_2.topic_authorized_operations != -2147483648:
            raise not_in_version("MetadataResponse.topics.topic_authorized_operations")
    if message.cluster_authorized_operations != -2147483648:
        raise not_in_version("MetadataResponse.cluster_authorized_operations")
    return b"".join(out)


def _encode_2(message: MetadataResponse) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    brokers = message.brokers
    out.append(_pack_i(len(brokers)))
    for element in brokers:
        host = element.host.encode()
        host_size = len(host)
        rack_value = element.rack
        if rack_value is None:
            rack_size, rack = -1, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack)
        out += (_pack_ih(element.node_id, host_size), host, _pack_ih(element.port, rack_size), rack)
    cluster_id_value = message.cluster_id
    if cluster_id_value is None:
        cluster_id_size, cluster_id = -1, b""
    else:
        cluster_id = cluster_id_value.encode()
        cluster_id_size = len(cluster_id)
    topics = message.topics
    out += (_pack_h(cluster_id_size), cluster_id, _pack_ii(message.controller_id, len(topics)))
    for element_2 in topics:
        name_value = element_2.name
        if name_value is None:
            raise null_refused("MetadataResponse.topics.name")
        name = name_value.encode()
        name_size = len(name)
        partitions = element_2.partitions
        out += (
            _pack_hh(element_2.error_code, name_size),
            name,
            _pack_zi(element_2.is_internal, len(partitions)),
        )
        for element_3 in partitions:
            replica_nodes = element_3.replica_nodes
            isr_nodes = element_3.isr_nodes
            out += (
                _pack_hiii(element_3.error_code, element_3.partition_index, element_3.leader_id, len(replica_nodes)),
                write_int32s(replica_nodes),
                _pack_i(len(isr_nodes)),
                write_int32s(isr_nodes),
            )
        if element_2.topic_authorized_operations != -2147483648:
            raise not_in_version("MetadataResponse.topics.topic_authorized_operations")
    if message.cluster_authorized_operations != -2147483648:
        raise not_in_version("MetadataResponse.cluster_authorized_operations")
    return b"".join(out)


def _encode_3(message: MetadataResponse) -> bytes:
    """Versions 3, 4."""
    out: list[bytes] = []
    brokers = message.brokers
    out.append(_pack_ii(message.throttle_time_ms, len(brokers)))
    for element in brokers:
        host = element.host.encode()
        host_size = len(host)
        rack_value = element.rack
        if rack_value is None:
            rack_size, rack = -1, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack)
        out += (_pack_ih(element.node_id, host_size), host, _pack_ih(element.port, rack_size), rack)
    cluster_id_value = message.cluster_id
    if cluster_id_value is None:
        cluster_id_size, cluster_id = -1, b""
    else:
        cluster_id = cluster_id_value.encode()
        cluster_id_size = len(cluster_id)
    topics = message.topics
    out += (_pack_h(cluster_id_size), cluster_id, _pack_ii(message.controller_id, len(topics)))
    for element_2 in topics:
        name_value = element_2.name
        if name_value is None:
            raise null_refused("MetadataResponse.topics.name")
        name = name_value.encode()
        name_size = len(name)
        partitions = element_2.partitions
        out += (
            _pack_hh(element_2.error_code, name_size),
            name,
            _pack_zi(element_2.is_internal, len(partitions)),
        )
        for element_3 in partitions:
            replica_nodes = element_3.replica_nodes
            isr_nodes = element_3.isr_nodes
            out += (
                _pack_hiii(element_3.error_code, element_3.partition_index, element_3.leader_id, len(replica_nodes)),
                write_int32s(replica_nodes),
                _pack_i(len(isr_nodes)),
                write_int32s(isr_nodes),
            )
        if element_2.topic_authorized_operations != -2147483648:
            raise not_in_version("MetadataResponse.topics.topic_authorized_operations")
    if message.cluster_authorized_operations != -2147483648:
        raise not_in_version("MetadataResponse.cluster_authorized_operations")
    return b"".join(out)


def _encode_4(message: MetadataResponse) -> bytes:
    """Versions 5, 6."""
    out: list[bytes] = []
    brokers = message.brokers
    out.append(_pack_ii(message.throttle_time_ms, len(brokers)))
    for element in brokers:
        host = element.host.encode()
        host_size = len(host)
        rack_value = element.rack
        if rack_value is None:
            rack_size, rack = -1, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack)
        out += (_pack_ih(element.node_id, host_size), host, _pack_ih(element.port, rack_size), rack)
    cluster_id_value = message.cluster_id
    if cluster_id_value is None:
        cluster_id_size, cluster_id = -1, b""
    else:
        cluster_id = cluster_id_value.encode()
        cluster_id_size = len(cluster_id)
    topics = message.topics
    out += (_pack_h(cluster_id_size), cluster_id, _pack_ii(message.controller_id, len(topics)))
    for element_2 in topics:
        name_value = element_2.name
        if name_value is None:
            raise null_refused("MetadataResponse.topics.name")
        name = name_value.encode()
        name_size = len(name)
        partitions = element_2.partitions
        out += (
            _pack_hh(element_2.error_code, name_size),
            name,
            _pack_zi(element_2.is_internal, len(partitions)),
        )
        for element_3 in partitions:
            replica_nodes = element_3.replica_nodes
            isr_nodes = element_3.isr_nodes
            offline_replicas = element_3.offline_replicas
            out += (
                _pack_hiii(element_3.error_code, element_3.partition_index, element_3.leader_id, len(replica_nodes)),
                write_int32s(replica_nodes),
                _pack_i(len(isr_nodes)),
                write_int32s(isr_nodes),
                _pack_i(len(offline_replicas)),
                write_int32s(offline_replicas),
            )
        if element_2.topic_authorized_operations != -2147483648:
            raise not_in_version("MetadataResponse.topics.topic_authorized_operations")
    if message.cluster_authorized_operations != -2147483648:
        raise not_in_version("MetadataResponse.cluster_authorized_operations")
    return b"".join(out)


def _encode_5(message: MetadataResponse) -> bytes:
    """Versions 7."""
    out: list[bytes] = []
    brokers = message.brokers
    out.append(_pack_ii(message.throttle_time_ms, len(brokers)))
    for element in brokers:
        host = element.host.encode()
        host_size = len(host)
        rack_value = element.rack
        if rack_value is None:
            rack_size, rack = -1, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack)
        out += (_pack_ih(element.node_id, host_size), host, _pack_ih(element.port, rack_size), rack)
    cluster_id_value = message.cluster_id
    if cluster_id_value is None:
        cluster_id_size, cluster_id = -1, b""
    else:
        cluster_id = cluster_id_value.encode()
        cluster_id_size = len(cluster_id)
    topics = message.topics
    out += (_pack_h(cluster_id_size), cluster_id, _pack_ii(message.controller_id, len(topics)))
    for element_2 in topics:
        name_value = element_2.name
        if name_value is None:
            raise null_refused("MetadataResponse.topics.name")
        name = name_value.encode()
        name_size = len(name)
        partitions = element_2.partitions
        out += (
            _pack_hh(element_2.error_code, name_size),
            name,
            _pack_zi(element_2.is_internal, len(partitions)),
        )
        for element_3 in partitions:
            replica_nodes = element_3.replica_nodes
            isr_nodes = element_3.isr_nodes
            offline_replicas = element_3.offline_replicas
            out += (
                _pack_hiiii(element_3.error_code, element_3.partition_index, element_3.leader_id, element_3.leader_epoch, len(replica_nodes)),
                write_int32s(replica_nodes),
                _pack_i(len(isr_nodes)),
                write_int32s(isr_nodes),
                _pack_i(len(offline_replicas)),
                write_int32s(offline_replicas),
            )
        if element_2.topic_authorized_operations != -2147483648:
            raise not_in_version("MetadataResponse.topics.topic_authorized_operations")
    if message.cluster_authorized_operations != -2147483648:
        raise not_in_version("MetadataResponse.cluster_authorized_operations")
    return b"".join(out)


def _encode_6(message: MetadataResponse) -> bytes:
    """Versions 8."""
    out: list[bytes] = []
    brokers = message.brokers
    out.append(_pack_ii(message.throttle_time_ms, len(brokers)))
    for element in brokers:
        host = element.host.encode()
        host_size = len(host)
        rack_value = element.rack
        if rack_value is None:
            rack_size, rack = -1, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack)
        out += (_pack_ih(element.node_id, host_size), host, _pack_ih(element.port, rack_size), rack)
    cluster_id_value = message.cluster_id
    if cluster_id_value is None:
        cluster_id_size, cluster_id = -1, b""
    else:
        cluster_id = cluster_id_value.encode()
        cluster_id_size = len(cluster_id)
    topics = message.topics
    out += (_pack_h(cluster_id_size), cluster_id, _pack_ii(message.controller_id, len(topics)))
    for element_2 in topics:
        name_value = element_2.name
        if name_value is None:
            raise null_refused("MetadataResponse.topics.name")
        name = name_value.encode()
        name_size = len(name)
        partitions = element_2.partitions
        out += (
            _pack_hh(element_2.error_code, name_size),
            name,
            _pack_zi(element_2.is_internal, len(partitions)),
        )
        for element_3 in partitions:
            replica_nodes = element_3.replica_nodes
            isr_nodes = element_3.isr_nodes
            offline_replicas = element_3.offline_replicas
            out += (
                _pack_hiiii(element_3.error_code, element_3.partition_index, element_3.leader_id, element_3.leader_epoch, len(replica_nodes)),
                write_int32s(replica_nodes),
                _pack_i(len(isr_nodes)),
                write_int32s(isr_nodes),
                _pack_i(len(offline_replicas)),
                write_int32s(offline_replicas),
            )
        out.append(_pack_i(element_2.topic_authorized_operations))
    out.append(_pack_i(message.cluster_authorized_operations))
    return b"".join(out)


def _encode_7(message: MetadataResponse) -> bytes:
    """Versions 9."""
    out: list[bytes] = []
    brokers = message.brokers
    brokers_count = len(brokers) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[brokers_count] if brokers_count < 256 else uvarint(brokers_count),
    )
    for element in brokers:
        host = element.host.encode()
        host_size = len(host) + 1
        rack_value = element.rack
        if rack_value is None:
            rack_size, rack = 0, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack) + 1
        out += (
            _pack_i(element.node_id),
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_i(element.port),
            UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
            rack,
            b"\0",
        )
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
        _pack_i(message.controller_id),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element_2 in topics:
        name_value = element_2.name
        if name_value is None:
            raise null_refused("MetadataResponse.topics.name")
        name = name_value.encode()
        name_size = len(name) + 1
        partitions = element_2.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_h(element_2.error_code),
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            _pack_z(element_2.is_internal),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_3 in partitions:
            replica_nodes = element_3.replica_nodes
            replica_nodes_count = len(replica_nodes) + 1
            isr_nodes = element_3.isr_nodes
            isr_nodes_count = len(isr_nodes) + 1
            offline_replicas = element_3.offline_replicas
            offline_replicas_count = len(offline_replicas) + 1
            out += (
                _pack_hiii(element_3.error_code, element_3.partition_index, element_3.leader_id, element_3.leader_epoch),
                UVARINTS[replica_nodes_count] if replica_nodes_count < 256 else uvarint(replica_nodes_count),
                write_int32s(replica_nodes),
                UVARINTS[isr_nodes_count] if isr_nodes_count < 256 else uvarint(isr_nodes_count),
                write_int32s(isr_nodes),
                UVARINTS[offline_replicas_count] if offline_replicas_count < 256 else uvarint(offline_replicas_count),
                write_int32s(offline_replicas),
                b"\0",
            )
        out.append(_pack_ix(element_2.topic_authorized_operations))
    out.append(_pack_ix(message.cluster_authorized_operations))
    return b"".join(out)


def _encode_8(message: MetadataResponse) -> bytes:
    """Versions 10."""
    out: list[bytes] = []
    brokers = message.brokers
    brokers_count = len(brokers) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[brokers_count] if brokers_count < 256 else uvarint(brokers_count),
    )
    for element in brokers:
        host = element.host.encode()
        host_size = len(host) + 1
        rack_value = element.rack
        if rack_value is None:
            rack_size, rack = 0, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack) + 1
        out += (
            _pack_i(element.node_id),
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_i(element.port),
            UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
            rack,
            b"\0",
        )
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
        _pack_i(message.controller_id),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element_2 in topics:
        name_value = element_2.name
        if name_value is None:
            raise null_refused("MetadataResponse.topics.name")
        name = name_value.encode()
        name_size = len(name) + 1
        topic_id = element_2.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("MetadataResponse.topics.topic_id")
        partitions = element_2.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_h(element_2.error_code),
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            _pack_uz(topic_id, element_2.is_internal),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_3 in partitions:
            replica_nodes = element_3.replica_nodes
            replica_nodes_count = len(replica_nodes) + 1
            isr_nodes = element_3.isr_nodes
            isr_nodes_count = len(isr_nodes) + 1
            offline_replicas = element_3.offline_replicas
            offline_replicas_count = len(offline_replicas) + 1
            out += (
                _pack_hiii(element_3.error_code, element_3.partition_index, element_3.leader_id, element_3.leader_epoch),
                UVARINTS[replica_nodes_count] if replica_nodes_count < 256 else uvarint(replica_nodes_count),
                write_int32s(replica_nodes),
                UVARINTS[isr_nodes_count] if isr_nodes_count < 256 else uvarint(isr_nodes_count),
                write_int32s(isr_nodes),
                UVARINTS[offline_replicas_count] if offline_replicas_count < 256 else uvarint(offline_replicas_count),
                write_int32s(offline_replicas),
                b"\0",
            )
        out.append(_pack_ix(element_2.topic_authorized_operations))
    out.append(_pack_ix(message.cluster_authorized_operations))
    return b"".join(out)


def _encode_9(message: MetadataResponse) -> bytes:
    """Versions 11."""
    out: list[bytes] = []
    brokers = message.brokers
    brokers_count = len(brokers) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[brokers_count] if brokers_count < 256 else uvarint(brokers_count),
    )
    for element in brokers:
        host = element.host.encode()
        host_size = len(host) + 1
        rack_value = element.rack
        if rack_value is None:
            rack_size, rack = 0, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack) + 1
        out += (
            _pack_i(element.node_id),
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_i(element.port),
            UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
            rack,
            b"\0",
        )
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
        _pack_i(message.controller_id),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element_2 in topics:
        name_value = element_2.name
        if name_value is None:
            raise null_refused("MetadataResponse.topics.name")
        name = name_value.encode()
        name_size = len(name) + 1
        topic_id = element_2.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("MetadataResponse.topics.topic_id")
        partitions = element_2.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_h(element_2.error_code),
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            _pack_uz(topic_id, element_2.is_internal),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_3 in partitions:
            replica_nodes = element_3.replica_nodes
            replica_nodes_count = len(replica_nodes) + 1
            isr_nodes = element_3.isr_nodes
            isr_nodes_count = len(isr_nodes) + 1
            offline_replicas = element_3.offline_replicas
            offline_replicas_count = len(offline_replicas) + 1
            out += (
                _pack_hiii(element_3.error_code, element_3.partition_index, element_3.leader_id, element_3.leader_epoch),
                UVARINTS[replica_nodes_count] if replica_nodes_count < 256 else uvarint(replica_nodes_count),
                write_int32s(replica_nodes),
                UVARINTS[isr_nodes_count] if isr_nodes_count < 256 else uvarint(isr_nodes_count),
                write_int32s(isr_nodes),
                UVARINTS[offline_replicas_count] if offline_replicas_count < 256 else uvarint(offline_replicas_count),
                write_int32s(offline_replicas),
                b"\0",
            )
        out.append(_pack_ix(element_2.topic_authorized_operations))
    if message.cluster_authorized_operations != -2147483648:
        raise not_in_version("MetadataResponse.cluster_authorized_operations")
    out.append(b"\0")
    return b"".join(out)


def _encode_10(message: MetadataResponse) -> bytes:
    """Versions 12."""
    out: list[bytes] = []
    brokers = message.brokers
    brokers_count = len(brokers) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[brokers_count] if brokers_count < 256 else uvarint(brokers_count),
    )
    for element in brokers:
        host = element.host.encode()
        host_size = len(host) + 1
        rack_value = element.rack
        if rack_value is None:
            rack_size, rack = 0, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack) + 1
        out += (
            _pack_i(element.node_id),
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_i(element.port),
            UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
            rack,
            b"\0",
        )
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
        _pack_i(message.controller_id),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element_2 in topics:
        name_value = element_2.name
        if name_value is None:
            name_size, name = 0, b""
        else:
            name = name_value.encode()
            name_size = len(name) + 1
        topic_id = element_2.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("MetadataResponse.topics.topic_id")
        partitions = element_2.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_h(element_2.error_code),
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            _pack_uz(topic_id, element_2.is_internal),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_3 in partitions:
            replica_nodes = element_3.replica_nodes
            replica_nodes_count = len(replica_nodes) + 1
            isr_nodes = element_3.isr_nodes
            isr_nodes_count = len(isr_nodes) + 1
            offline_replicas = element_3.offline_replicas
            offline_replicas_count = len(offline_replicas) + 1
            out += (
                _pack_hiii(element_3.error_code, element_3.partition_index, element_3.leader_id, element_3.leader_epoch),
                UVARINTS[replica_nodes_count] if replica_nodes_count < 256 else uvarint(replica_nodes_count),
                write_int32s(replica_nodes),
                UVARINTS[isr_nodes_count] if isr_nodes_count < 256 else uvarint(isr_nodes_count),
                write_int32s(isr_nodes),
                UVARINTS[offline_replicas_count] if offline_replicas_count < 256 else uvarint(offline_replicas_count),
                write_int32s(offline_replicas),
                b"\0",
            )
        out.append(_pack_ix(element_2.topic_authorized_operations))
    if message.cluster_authorized_operations != -2147483648:
        raise not_in_version("MetadataResponse.cluster_authorized_operations")
    out.append(b"\0")
    return b"".join(out)


def _encode_11(message: MetadataResponse) -> bytes:
    """Versions 13."""
    out: list[bytes] = []
    brokers = message.brokers
    brokers_count = len(brokers) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[brokers_count] if brokers_count < 256 else uvarint(brokers_count),
    )
    for element in brokers:
        host = element.host.encode()
        host_size = len(host) + 1
        rack_value = element.rack
        if rack_value is None:
            rack_size, rack = 0, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack) + 1
        out += (
            _pack_i(element.node_id),
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_i(element.port),
            UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
            rack,
            b"\0",
        )
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
        _pack_i(message.controller_id),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element_2 in topics:
        name_value = element_2.name
        if name_value is None:
            name_size, name = 0, b""
        else:
            name = name_value.encode()
            name_size = len(name) + 1
        topic_id = element_2.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("MetadataResponse.topics.topic_id")
        partitions = element_2.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_h(element_2.error_code),
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            _pack_uz(topic_id, element_2.is_internal),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_3 in partitions:
            replica_nodes = element_3.replica_nodes
            replica_nodes_count = len(replica_nodes) + 1
            isr_nodes = element_3.isr_nodes
            isr_nodes_count = len(isr_nodes) + 1
            offline_replicas = element_3.offline_replicas
            offline_replicas_count = len(offline_replicas) + 1
            out += (
                _pack_hiii(element_3.error_code, element_3.partition_index, element_3.leader_id, element_3.leader_epoch),
                UVARINTS[replica_nodes_count] if replica_nodes_count < 256 else uvarint(replica_nodes_count),
                write_int32s(replica_nodes),
                UVARINTS[isr_nodes_count] if isr_nodes_count < 256 else uvarint(isr_nodes_count),
                write_int32s(isr_nodes),
                UVARINTS[offline_replicas_count] if offline_replicas_count < 256 else uvarint(offline_replicas_count),
                write_int32s(offline_replicas),
                b"\0",
            )
        out.append(_pack_ix(element_2.topic_authorized_operations))
    if message.cluster_authorized_operations != -2147483648:
        raise not_in_version("MetadataResponse.cluster_authorized_operations")
    out.append(_pack_hx(message.error_code))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[MetadataResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
    3: _decode_3,
    4: _decode_3,
    5: _decode_4,
    6: _decode_4,
    7: _decode_5,
    8: _decode_6,
    9: _decode_7,
    10: _decode_8,
    11: _decode_9,
    12: _decode_10,
    13: _decode_11,
}
_ENCODERS: Final[dict[int, Callable[[MetadataResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
    3: _encode_3,
    4: _encode_3,
    5: _encode_4,
    6: _encode_4,
    7: _encode_5,
    8: _encode_6,
    9: _encode_7,
    10: _encode_8,
    11: _encode_9,
    12: _encode_10,
    13: _encode_11,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[MetadataResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"MetadataResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"MetadataResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"MetadataResponse v{version} is cut short")
    return result


def encode(message: MetadataResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"MetadataResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"MetadataResponse v{version}: {error}") from error
