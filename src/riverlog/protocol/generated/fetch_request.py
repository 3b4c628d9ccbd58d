"""FetchRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    write_int32s,
    ZERO_UUID,
)

NAME: Final = "FetchRequest"
API_KEY: Final = 1
VERSIONS: Final[tuple[int, int]] = (4, 18)
FLEXIBLE_FROM: Final = 12
LATEST_UNSTABLE: Final = False

_unpack_u = Struct(">16s").unpack_from
_unpack_uB = Struct(">16sB").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iiibiiB = Struct(">iiibiiB").unpack_from
_unpack_iiiibi = Struct(">iiiibi").unpack_from
_unpack_iiiibiiB = Struct(">iiiibiiB").unpack_from
_unpack_iiiibiii = Struct(">iiiibiii").unpack_from
_unpack_iiqiqiB = Struct(">iiqiqiB").unpack_from
_unpack_iqB = Struct(">iqB").unpack_from
_unpack_q = Struct(">q").unpack_from
_iter_iiqqi = Struct(">iiqqi").iter_unpack
_iter_iqi = Struct(">iqi").iter_unpack
_iter_iqqi = Struct(">iqqi").iter_unpack
_pack_u = Struct(">16s").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_iiibii = Struct(">iiibii").pack
_pack_iiiibi = Struct(">iiiibi").pack
_pack_iiiibii = Struct(">iiiibii").pack
_pack_iiiibiii = Struct(">iiiibiii").pack
_pack_iiqiqi = Struct(">iiqiqi").pack
_pack_iiqiqix = Struct(">iiqiqix").pack
_pack_iiqqi = Struct(">iiqqi").pack
_pack_iqi = Struct(">iqi").pack
_pack_iqqi = Struct(">iqqi").pack
_pack_iqx = Struct(">iqx").pack
_pack_q = Struct(">q").pack


@dataclass(init=False, repr=False, eq=False)
class ReplicaState(Wire):
    """ReplicaState."""

    __slots__ = ("replica_id", "replica_epoch")

    replica_id: int
    replica_epoch: int

    def __init__(
        self,
        replica_id: int = -1,
        replica_epoch: int = -1,
    ) -> None:
        self.replica_id = replica_id
        self.replica_epoch = replica_epoch


@dataclass(init=False, repr=False, eq=False)
class FetchPartition(Wire):
    """FetchPartition."""

    __slots__ = ("partition", "current_leader_epoch", "fetch_offset", "last_fetched_epoch", "log_start_offset", "partition_max_bytes", "replica_directory_id", "high_watermark")

    partition: int
    current_leader_epoch: int
    fetch_offset: int
    last_fetched_epoch: int
    log_start_offset: int
    partition_max_bytes: int
    replica_directory_id: bytes
    high_watermark: int

    def __init__(
        self,
        partition: int = 0,
        current_leader_epoch: int = -1,
        fetch_offset: int = 0,
        last_fetched_epoch: int = -1,
        log_start_offset: int = -1,
        partition_max_bytes: int = 0,
        replica_directory_id: bytes = ZERO_UUID,
        high_watermark: int = 9223372036854775807,
    ) -> None:
        self.partition = partition
        self.current_leader_epoch = current_leader_epoch
        self.fetch_offset = fetch_offset
        self.last_fetched_epoch = last_fetched_epoch
        self.log_start_offset = log_start_offset
        self.partition_max_bytes = partition_max_bytes
        self.replica_directory_id = replica_directory_id
        self.high_watermark = high_watermark


@dataclass(init=False, repr=False, eq=False)
class FetchTopic(Wire):
    """FetchTopic."""

    __slots__ = ("topic", "topic_id", "partitions")

    topic: str
    topic_id: bytes
    partitions: list[FetchPartition]

    def __init__(
        self,
        topic: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: list[FetchPartition] = UNSET,
    ) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class ForgottenTopic(Wire):
    """ForgottenTopic."""

    __slots__ = ("topic", "topic_id", "partitions")

    topic: str
    topic_id: bytes
    partitions: list[int]

    def __init__(
        self,
        topic: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: list[int] = UNSET,
    ) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class FetchRequest(Wire):
    """FetchRequest."""

    __slots__ = ("cluster_id", "replica_id", "replica_state", "max_wait_ms", "min_bytes", "max_bytes", "isolation_level", "session_id", "session_epoch", "topics", "forgotten_topics_data", "rack_id")

    cluster_id: str | None
    replica_id: int
    replica_state: ReplicaState
    max_wait_ms: int
    min_bytes: int
    max_bytes: int
    isolation_level: int
    session_id: int
    session_epoch: int
    topics: list[FetchTopic]
    forgotten_topics_data: list[ForgottenTopic]
    rack_id: str

    def __init__(
        self,
        cluster_id: str | None = None,
        replica_id: int = -1,
        replica_state: ReplicaState = UNSET,
        max_wait_ms: int = 0,
        min_bytes: int = 0,
        max_bytes: int = 2147483647,
        isolation_level: int = 0,
        session_id: int = 0,
        session_epoch: int = -1,
        topics: list[FetchTopic] = UNSET,
        forgotten_topics_data: list[ForgottenTopic] = UNSET,
        rack_id: str = "",
    ) -> None:
        self.cluster_id = cluster_id
        self.replica_id = replica_id
        self.replica_state = ReplicaState() if replica_state is UNSET else replica_state
        self.max_wait_ms = max_wait_ms
        self.min_bytes = min_bytes
        self.max_bytes = max_bytes
        self.isolation_level = isolation_level
        self.session_id = session_id
        self.session_epoch = session_epoch
        self.topics = [] if topics is UNSET else topics
        self.forgotten_topics_data = [] if forgotten_topics_data is UNSET else forgotten_topics_data
        self.rack_id = rack_id


def _decode_0(buffer: memoryview, p: int) -> tuple[FetchRequest, int]:
    """Versions 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, topics_count = _unpack_iiiibi(buffer, p)
    p += 21
    if topics_count < 0:
        raise missing("FetchRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("FetchRequest.topics", topics_count)
    room -= topics_count
    topics: list[FetchTopic] = []
    for _ in range(topics_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("FetchRequest.topics.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("FetchRequest.topics.partitions")
        if partitions_count > room or partitions_count * 16 > end - p:
            raise too_many("FetchRequest.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 16
        partitions: list[FetchPartition] = [FetchPartition(partition, -1, fetch_offset, -1, -1, partition_max_bytes, ZERO_UUID, 9223372036854775807) for partition, fetch_offset, partition_max_bytes in _iter_iqi(buffer[p:stop])]
        p = stop
        topics.append(FetchTopic(topic, ZERO_UUID, partitions))
    return FetchRequest(None, replica_id, ReplicaState(), max_wait_ms, min_bytes, max_bytes, isolation_level, 0, -1, topics, [], ""), p


def _decode_1(buffer: memoryview, p: int) -> tuple[FetchRequest, int]:
    """Versions 5, 6."""
    end = len(buffer)
    room = MAX_ELEMENTS
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, topics_count = _unpack_iiiibi(buffer, p)
    p += 21
    if topics_count < 0:
        raise missing("FetchRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("FetchRequest.topics", topics_count)
    room -= topics_count
    topics: list[FetchTopic] = []
    for _ in range(topics_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("FetchRequest.topics.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("FetchRequest.topics.partitions")
        if partitions_count > room or partitions_count * 24 > end - p:
            raise too_many("FetchRequest.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 24
        partitions: list[FetchPartition] = [FetchPartition(partition, -1, fetch_offset, -1, log_start_offset, partition_max_bytes, ZERO_UUID, 9223372036854775807) for partition, fetch_offset, log_start_offset, partition_max_bytes in _iter_iqqi(buffer[p:stop])]
        p = stop
        topics.append(FetchTopic(topic, ZERO_UUID, partitions))
    return FetchRequest(None, replica_id, ReplicaState(), max_wait_ms, min_bytes, max_bytes, isolation_level, 0, -1, topics, [], ""), p


def _decode_2(buffer: memoryview, p: int) -> tuple[FetchRequest, int]:
    """Versions 7, 8."""
    end = len(buffer)
    room = MAX_ELEMENTS
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics_count = _unpack_iiiibiii(buffer, p)
    p += 29
    if topics_count < 0:
        raise missing("FetchRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("FetchRequest.topics", topics_count)
    room -= topics_count
    topics: list[FetchTopic] = []
    for _ in range(topics_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("FetchRequest.topics.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("FetchRequest.topics.partitions")
        if partitions_count > room or partitions_count * 24 > end - p:
            raise too_many("FetchRequest.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 24
        partitions: list[FetchPartition] = [FetchPartition(partition, -1, fetch_offset, -1, log_start_offset, partition_max_bytes, ZERO_UUID, 9223372036854775807) for partition, fetch_offset, log_start_offset, partition_max_bytes in _iter_iqqi(buffer[p:stop])]
        p = stop
        topics.append(FetchTopic(topic, ZERO_UUID, partitions))
    (forgotten_topics_data_count,) = _unpack_i(buffer, p)
    p += 4
    if forgotten_topics_data_count < 0:
        raise missing("FetchRequest.forgotten_topics_data")
    if forgotten_topics_data_count > room or forgotten_topics_data_count * 6 > end - p:
        raise too_many("FetchRequest.forgotten_topics_data", forgotten_topics_data_count)
    room -= forgotten_topics_data_count
    forgotten_topics_data: list[ForgottenTopic] = []
    for _ in range(forgotten_topics_data_count):
        (topic_size_2,) = _unpack_h(buffer, p)
        p += 2
        if topic_size_2 < 0:
            raise missing("FetchRequest.forgotten_topics_data.topic")
        stop = p + topic_size_2
        topic_2 = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count_2,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count_2 < 0:
            raise missing("FetchRequest.forgotten_topics_data.partitions")
        partitions_2 = read_int32s(buffer, p, partitions_count_2)
        p += partitions_count_2 * 4
        forgotten_topics_data.append(ForgottenTopic(topic_2, ZERO_UUID, partitions_2))
    return FetchRequest(None, replica_id, ReplicaState(), max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, ""), p


def _decode_3(buffer: memoryview, p: int) -> tuple[FetchRequest, int]:
    """Versions 9, 10."""
    end = len(buffer)
    room = MAX_ELEMENTS
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics_count = _unpack_iiiibiii(buffer, p)
    p += 29
    if topics_count < 0:
        raise missing("FetchRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("FetchRequest.topics", topics_count)
    room -= topics_count
    topics: list[FetchTopic] = []
    for _ in range(topics_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("FetchRequest.topics.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("FetchRequest.topics.partitions")
        if partitions_count > room or partitions_count * 28 > end - p:
            raise too_many("FetchRequest.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 28
        partitions: list[FetchPartition] = [FetchPartition(partition, current_leader_epoch, fetch_offset, -1, log_start_offset, partition_max_bytes, ZERO_UUID, 9223372036854775807) for partition, current_leader_epoch, fetch_offset, log_start_offset, partition_max_bytes in _iter_iiqqi(buffer[p:stop])]
        p = stop
        topics.append(FetchTopic(topic, ZERO_UUID, partitions))
    (forgotten_topics_data_count,) = _unpack_i(buffer, p)
    p += 4
    if forgotten_topics_data_count < 0:
        raise missing("FetchRequest.forgotten_topics_data")
    if forgotten_topics_data_count > room or forgotten_topics_data_count * 6 > end - p:
        raise too_many("FetchRequest.forgotten_topics_data", forgotten_topics_data_count)
    room -= forgotten_topics_data_count
    forgotten_topics_data: list[ForgottenTopic] = []
    for _ in range(forgotten_topics_data_count):
        (topic_size_2,) = _unpack_h(buffer, p)
        p += 2
        if topic_size_2 < 0:
            raise missing("FetchRequest.forgotten_topics_data.topic")
        stop = p + topic_size_2
        topic_2 = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count_2,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count_2 < 0:
            raise missing("FetchRequest.forgotten_topics_data.partitions")
        partitions_2 = read_int32s(buffer, p, partitions_count_2)
        p += partitions_count_2 * 4
        forgotten_topics_data.append(ForgottenTopic(topic_2, ZERO_UUID, partitions_2))
    return FetchRequest(None, replica_id, ReplicaState(), max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, ""), p


def _decode_4(buffer: memoryview, p: int) -> tuple[FetchRequest, int]:
    """Versions 11."""
    end = len(buffer)
    room = MAX_ELEMENTS
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics_count = _unpack_iiiibiii(buffer, p)
    p += 29
    if topics_count < 0:
        raise missing("FetchRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("FetchRequest.topics", topics_count)
    room -= topics_count
    topics: list[FetchTopic] = []
    for _ in range(topics_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("FetchRequest.topics.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("FetchRequest.topics.partitions")
        if partitions_count > room or partitions_count * 28 > end - p:
            raise too_many("FetchRequest.topics.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 28
        partitions: list[FetchPartition] = [FetchPartition(partition, current_leader_epoch, fetch_offset, -1, log_start_offset, partition_max_bytes, ZERO_UUID, 9223372036854775807) for partition, current_leader_epoch, fetch_offset, log_start_offset, partition_max_bytes in _iter_iiqqi(buffer[p:stop])]
        p = stop
        topics.append(FetchTopic(topic, ZERO_UUID, partitions))
    (forgotten_topics_data_count,) = _unpack_i(buffer, p)
    p += 4
    if forgotten_topics_data_count < 0:
        raise missing("FetchRequest.forgotten_topics_data")
    if forgotten_topics_data_count > room or forgotten_topics_data_count * 6 > end - p:
        raise too_many("FetchRequest.forgotten_topics_data", forgotten_topics_data_count)
    room -= forgotten_topics_data_count
    forgotten_topics_data: list[ForgottenTopic] = []
    for _ in range(forgotten_topics_data_count):
        (topic_size_2,) = _unpack_h(buffer, p)
        p += 2
        if topic_size_2 < 0:
            raise missing("FetchRequest.forgotten_topics_data.topic")
        stop = p + topic_size_2
        topic_2 = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count_2,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count_2 < 0:
            raise missing("FetchRequest.forgotten_topics_data.partitions")
        partitions_2 = read_int32s(buffer, p, partitions_count_2)
        p += partitions_count_2 * 4
        forgotten_topics_data.append(ForgottenTopic(topic_2, ZERO_UUID, partitions_2))
    (rack_id_size,) = _unpack_h(buffer, p)
    p += 2
    if rack_id_size < 0:
        raise missing("FetchRequest.rack_id")
    stop = p + rack_id_size
    rack_id = buffer[p:stop].tobytes().decode()
    p = stop
    return FetchRequest(None, replica_id, ReplicaState(), max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, rack_id), p


def _decode_5(buffer: memoryview, p: int) -> tuple[FetchRequest, int]:
    """Versions 12."""
    end = len(buffer)
    room = MAX_ELEMENTS
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics_count = _unpack_iiiibiiB(buffer, p)
    p += 26
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("FetchRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("FetchRequest.topics", topics_count)
    room -= topics_count
    topics: list[FetchTopic] = []
    for _ in range(topics_count):
        topic_size = buffer[p]
        p += 1
        if topic_size > 127:
            topic_size, p = string_tail(buffer, p, topic_size)
        if topic_size == 0:
            raise missing("FetchRequest.topics.topic")
        stop = p + topic_size - 1
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("FetchRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 33 > end - p:
            raise too_many("FetchRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[FetchPartition] = []
        for _ in range(partitions_count):
            partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, tags = _unpack_iiqiqiB(buffer, p)
            p += 33
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(FetchPartition(partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, ZERO_UUID, 9223372036854775807))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(FetchTopic(topic, ZERO_UUID, partitions))
    forgotten_topics_data_count = buffer[p]
    p += 1
    if forgotten_topics_data_count > 127:
        forgotten_topics_data_count, p = uvarint_tail(buffer, p, forgotten_topics_data_count)
    if forgotten_topics_data_count == 0:
        raise missing("FetchRequest.forgotten_topics_data")
    forgotten_topics_data_count -= 1
    if forgotten_topics_data_count > room or forgotten_topics_data_count * 3 > end - p:
        raise too_many("FetchRequest.forgotten_topics_data", forgotten_topics_data_count)
    room -= forgotten_topics_data_count
    forgotten_topics_data: list[ForgottenTopic] = []
    for _ in range(forgotten_topics_data_count):
        topic_size_2 = buffer[p]
        p += 1
        if topic_size_2 > 127:
            topic_size_2, p = string_tail(buffer, p, topic_size_2)
        if topic_size_2 == 0:
            raise missing("FetchRequest.forgotten_topics_data.topic")
        stop = p + topic_size_2 - 1
        topic_2 = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count_2 = buffer[p]
        p += 1
        if partitions_count_2 > 127:
            partitions_count_2, p = uvarint_tail(buffer, p, partitions_count_2)
        if partitions_count_2 == 0:
            raise missing("FetchRequest.forgotten_topics_data.partitions")
        partitions_count_2 -= 1
        partitions_2 = read_int32s(buffer, p, partitions_count_2)
        p += partitions_count_2 * 4
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        forgotten_topics_data.append(ForgottenTopic(topic_2, ZERO_UUID, partitions_2))
    rack_id_size = buffer[p]
    p += 1
    if rack_id_size > 127:
        rack_id_size, p = string_tail(buffer, p, rack_id_size)
    if rack_id_size == 0:
        raise missing("FetchRequest.rack_id")
    stop = p + rack_id_size - 1
    rack_id = buffer[p:stop].tobytes().decode()
    p = stop
    tags_4 = buffer[p]
    p += 1
    cluster_id: str | None = None
    if tags_4:
        if tags_4 > 127:
            tags_4, p = uvarint_tail(buffer, p, tags_4)
        tag = -1
        for _ in range(tags_4):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                cluster_id_size = buffer[p]
                p += 1
                if cluster_id_size > 127:
                    cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
                cluster_id_2: str | None = None
                if cluster_id_size:
                    stop = p + cluster_id_size - 1
                    cluster_id_2 = buffer[p:stop].tobytes().decode()
                    p = stop
                cluster_id = cluster_id_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("FetchRequest: a tagged field is not of its size")
    return FetchRequest(cluster_id, replica_id, ReplicaState(), max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, rack_id), p


def _decode_6(buffer: memoryview, p: int) -> tuple[FetchRequest, int]:
    """Versions 13, 14."""
    end = len(buffer)
    room = MAX_ELEMENTS
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics_count = _unpack_iiiibiiB(buffer, p)
    p += 26
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("FetchRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("FetchRequest.topics", topics_count)
    room -= topics_count
    topics: list[FetchTopic] = []
    for _ in range(topics_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("FetchRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 33 > end - p:
            raise too_many("FetchRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[FetchPartition] = []
        for _ in range(partitions_count):
            partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, tags = _unpack_iiqiqiB(buffer, p)
            p += 33
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(FetchPartition(partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, ZERO_UUID, 9223372036854775807))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(FetchTopic("", topic_id, partitions))
    forgotten_topics_data_count = buffer[p]
    p += 1
    if forgotten_topics_data_count > 127:
        forgotten_topics_data_count, p = uvarint_tail(buffer, p, forgotten_topics_data_count)
    if forgotten_topics_data_count == 0:
        raise missing("FetchRequest.forgotten_topics_data")
    forgotten_topics_data_count -= 1
    if forgotten_topics_data_count > room or forgotten_topics_data_count * 18 > end - p:
        raise too_many("FetchRequest.forgotten_topics_data", forgotten_topics_data_count)
    room -= forgotten_topics_data_count
    forgotten_topics_data: list[ForgottenTopic] = []
    for _ in range(forgotten_topics_data_count):
        topic_id_2, partitions_count_2 = _unpack_uB(buffer, p)
        p += 17
        if partitions_count_2 > 127:
            partitions_count_2, p = uvarint_tail(buffer, p, partitions_count_2)
        if partitions_count_2 == 0:
            raise missing("FetchRequest.forgotten_topics_data.partitions")
        partitions_count_2 -= 1
        partitions_2 = read_int32s(buffer, p, partitions_count_2)
        p += partitions_count_2 * 4
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        forgotten_topics_data.append(ForgottenTopic("", topic_id_2, partitions_2))
    rack_id_size = buffer[p]
    p += 1
    if rack_id_size > 127:
        rack_id_size, p = string_tail(buffer, p, rack_id_size)
    if rack_id_size == 0:
        raise missing("FetchRequest.rack_id")
    stop = p + rack_id_size - 1
    rack_id = buffer[p:stop].tobytes().decode()
    p = stop
    tags_4 = buffer[p]
    p += 1
    cluster_id: str | None = None
    if tags_4:
        if tags_4 > 127:
            tags_4, p = uvarint_tail(buffer, p, tags_4)
        tag = -1
        for _ in range(tags_4):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                cluster_id_size = buffer[p]
                p += 1
                if cluster_id_size > 127:
                    cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
                cluster_id_2: str | None = None
                if cluster_id_size:
                    stop = p + cluster_id_size - 1
                    cluster_id_2 = buffer[p:stop].tobytes().decode()
                    p = stop
                cluster_id = cluster_id_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("FetchRequest: a tagged field is not of its size")
    return FetchRequest(cluster_id, replica_id, ReplicaState(), max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, rack_id), p


def _decode_7(buffer: memoryview, p: int) -> tuple[FetchRequest, int]:
    """Versions 15, 16."""
    end = len(buffer)
    room = MAX_ELEMENTS
    max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics_count = _unpack_iiibiiB(buffer, p)
    p += 22
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("FetchRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("FetchRequest.topics", topics_count)
    room -= topics_count
    topics: list[FetchTopic] = []
    for _ in range(topics_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("FetchRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 33 > end - p:
            raise too_many("FetchRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[FetchPartition] = []
        for _ in range(partitions_count):
            partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, tags = _unpack_iiqiqiB(buffer, p)
            p += 33
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(FetchPartition(partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, ZERO_UUID, 9223372036854775807))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(FetchTopic("", topic_id, partitions))
    forgotten_topics_data_count = buffer[p]
    p += 1
    if forgotten_topics_data_count > 127:
        forgotten_topics_data_count, p = uvarint_tail(buffer, p, forgotten_topics_data_count)
    if forgotten_topics_data_count == 0:
        raise missing("FetchRequest.forgotten_topics_data")
    forgotten_topics_data_count -= 1
    if forgotten_topics_data_count > room or forgotten_topics_data_count * 18 > end - p:
        raise too_many("FetchRequest.forgotten_topics_data", forgotten_topics_data_count)
    room -= forgotten_topics_data_count
    forgotten_topics_data: list[ForgottenTopic] = []
    for _ in range(forgotten_topics_data_count):
        topic_id_2, partitions_count_2 = _unpack_uB(buffer, p)
        p += 17
        if partitions_count_2 > 127:
            partitions_count_2, p = uvarint_tail(buffer, p, partitions_count_2)
        if partitions_count_2 == 0:
            raise missing("FetchRequest.forgotten_topics_data.partitions")
        partitions_count_2 -= 1
        partitions_2 = read_int32s(buffer, p, partitions_count_2)
        p += partitions_count_2 * 4
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        forgotten_topics_data.append(ForgottenTopic("", topic_id_2, partitions_2))
    rack_id_size = buffer[p]
    p += 1
    if rack_id_size > 127:
        rack_id_size, p = string_tail(buffer, p, rack_id_size)
    if rack_id_size == 0:
        raise missing("FetchRequest.rack_id")
    stop = p + rack_id_size - 1
    rack_id = buffer[p:stop].tobytes().decode()
    p = stop
    tags_4 = buffer[p]
    p += 1
    cluster_id: str | None = None
    replica_state: ReplicaState = ReplicaState()
    if tags_4:
        if tags_4 > 127:
            tags_4, p = uvarint_tail(buffer, p, tags_4)
        tag = -1
        for _ in range(tags_4):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                cluster_id_size = buffer[p]
                p += 1
                if cluster_id_size > 127:
                    cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
                cluster_id_2: str | None = None
                if cluster_id_size:
                    stop = p + cluster_id_size - 1
                    cluster_id_2 = buffer[p:stop].tobytes().decode()
                    p = stop
                cluster_id = cluster_id_2
            elif tag == 1:
                replica_id, replica_epoch, tags_5 = _unpack_iqB(buffer, p)
                p += 13
                if tags_5:
                    p = skip_tags(buffer, p, tags_5)
                replica_state = ReplicaState(replica_id, replica_epoch)
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("FetchRequest: a tagged field is not of its size")
    return FetchRequest(cluster_id, -1, replica_state, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, rack_id), p


def _decode_8(buffer: memoryview, p: int) -> tuple[FetchRequest, int]:
    """Versions 17."""
    end = len(buffer)
    room = MAX_ELEMENTS
    max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics_count = _unpack_iiibiiB(buffer, p)
    p += 22
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("FetchRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("FetchRequest.topics", topics_count)
    room -= topics_count
    topics: list[FetchTopic] = []
    for _ in range(topics_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("FetchRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 33 > end - p:
            raise too_many("FetchRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[FetchPartition] = []
        for _ in range(partitions_count):
            partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, tags = _unpack_iiqiqiB(buffer, p)
            p += 33
            replica_directory_id: bytes = ZERO_UUID
            if tags:
                if tags > 127:
                    tags, p = uvarint_tail(buffer, p, tags)
                tag = -1
                for _ in range(tags):
                    tag, tag_stop, p = read_tag(buffer, p, tag)
                    if tag == 0:
                        (replica_directory_id_2,) = _unpack_u(buffer, p)
                        p += 16
                        replica_directory_id = replica_directory_id_2
                    else:
                        p = tag_stop
                    if p != tag_stop:
                        raise DecodeError("FetchRequest.topics.partitions: a tagged field is not of its size")
            partitions.append(FetchPartition(partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, replica_directory_id, 9223372036854775807))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(FetchTopic("", topic_id, partitions))
    forgotten_topics_data_count = buffer[p]
    p += 1
    if forgotten_topics_data_count > 127:
        forgotten_topics_data_count, p = uvarint_tail(buffer, p, forgotten_topics_data_count)
    if forgotten_topics_data_count == 0:
        raise missing("FetchRequest.forgotten_topics_data")
    forgotten_topics_data_count -= 1
    if forgotten_topics_data_count > room or forgotten_topics_data_count * 18 > end - p:
        raise too_many("FetchRequest.forgotten_topics_data", forgotten_topics_data_count)
    room -= forgotten_topics_data_count
    forgotten_topics_data: list[ForgottenTopic] = []
    for _ in range(forgotten_topics_data_count):
        topic_id_2, partitions_count_2 = _unpack_uB(buffer, p)
        p += 17
        if partitions_count_2 > 127:
            partitions_count_2, p = uvarint_tail(buffer, p, partitions_count_2)
        if partitions_count_2 == 0:
            raise missing("FetchRequest.forgotten_topics_data.partitions")
        partitions_count_2 -= 1
        partitions_2 = read_int32s(buffer, p, partitions_count_2)
        p += partitions_count_2 * 4
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        forgotten_topics_data.append(ForgottenTopic("", topic_id_2, partitions_2))
    rack_id_size = buffer[p]
    p += 1
    if rack_id_size > 127:
        rack_id_size, p = string_tail(buffer, p, rack_id_size)
    if rack_id_size == 0:
        raise missing("FetchRequest.rack_id")
    stop = p + rack_id_size - 1
    rack_id = buffer[p:stop].tobytes().decode()
    p = stop
    tags_4 = buffer[p]
    p += 1
    cluster_id: str | None = None
    replica_state: ReplicaState = ReplicaState()
    if tags_4:
        if tags_4 > 127:
            tags_4, p = uvarint_tail(buffer, p, tags_4)
        tag_2 = -1
        for _ in range(tags_4):
            tag_2, tag_stop_2, p = read_tag(buffer, p, tag_2)
            if tag_2 == 0:
                cluster_id_size = buffer[p]
                p += 1
                if cluster_id_size > 127:
                    cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
                cluster_id_2: str | None = None
                if cluster_id_size:
                    stop = p + cluster_id_size - 1
                    cluster_id_2 = buffer[p:stop].tobytes().decode()
                    p = stop
                cluster_id = cluster_id_2
            elif tag_2 == 1:
                replica_id, replica_epoch, tags_5 = _unpack_iqB(buffer, p)
                p += 13
                if tags_5:
                    p = skip_tags(buffer, p, tags_5)
                replica_state = ReplicaState(replica_id, replica_epoch)
            else:
                p = tag_stop_2
            if p != tag_stop_2:
                raise DecodeError("FetchRequest: a tagged field is not of its size")
    return FetchRequest(cluster_id, -1, replica_state, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, rack_id), p


def _decode_9(buffer: memoryview, p: int) -> tuple[FetchRequest, int]:
    """Versions 18."""
    end = len(buffer)
    room = MAX_ELEMENTS
    max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics_count = _unpack_iiibiiB(buffer, p)
    p += 22
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("FetchRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("FetchRequest.topics", topics_count)
    room -= topics_count
    topics: list[FetchTopic] = []
    for _ in range(topics_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("FetchRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 33 > end - p:
            raise too_many("FetchRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[FetchPartition] = []
        for _ in range(partitions_count):
            partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, tags = _unpack_iiqiqiB(buffer, p)
            p += 33
            replica_directory_id: bytes = ZERO_UUID
            high_watermark: int = 9223372036854775807
            if tags:
                if tags > 127:
                    tags, p = uvarint_tail(buffer, p, tags)
                tag = -1
                for _ in range(tags):
                    tag, tag_stop, p = read_tag(buffer, p, tag)
                    if tag == 0:
                        (replica_directory_id_2,) = _unpack_u(buffer, p)
                        p += 16
                        replica_directory_id = replica_directory_id_2
                    elif tag == 1:
                        (high_watermark_2,) = _unpack_q(buffer, p)
                        p += 8
                        high_watermark = high_watermark_2
                    else:
                        p = tag_stop
                    if p != tag_stop:
                        raise DecodeError("FetchRequest.topics.partitions: a tagged field is not of its size")
            partitions.append(FetchPartition(partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, replica_directory_id, high_watermark))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(FetchTopic("", topic_id, partitions))
    forgotten_topics_data_count = buffer[p]
    p += 1
    if forgotten_topics_data_count > 127:
        forgotten_topics_data_count, p = uvarint_tail(buffer, p, forgotten_topics_data_count)
    if forgotten_topics_data_count == 0:
        raise missing("FetchRequest.forgotten_topics_data")
    forgotten_topics_data_count -= 1
    if forgotten_topics_data_count > room or forgotten_topics_data_count * 18 > end - p:
        raise too_many("FetchRequest.forgotten_topics_data", forgotten_topics_data_count)
    room -= forgotten_topics_data_count
    forgotten_topics_data: list[ForgottenTopic] = []
    for _ in range(forgotten_topics_data_count):
        topic_id_2, partitions_count_2 = _unpack_uB(buffer, p)
        p += 17
        if partitions_count_2 > 127:
            partitions_count_2, p = uvarint_tail(buffer, p, partitions_count_2)
        if partitions_count_2 == 0:
            raise missing("FetchRequest.forgotten_topics_data.partitions")
        partitions_count_2 -= 1
        partitions_2 = read_int32s(buffer, p, partitions_count_2)
        p += partitions_count_2 * 4
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        forgotten_topics_data.append(ForgottenTopic("", topic_id_2, partitions_2))
    rack_id_size = buffer[p]
    p += 1
    if rack_id_size > 127:
        rack_id_size, p = string_tail(buffer, p, rack_id_size)
    if rack_id_size == 0:
        raise missing("FetchRequest.rack_id")
    stop = p + rack_id_size - 1
    rack_id = buffer[p:stop].tobytes().decode()
    p = stop
    tags_4 = buffer[p]
    p += 1
    cluster_id: str | None = None
    replica_state: ReplicaState = ReplicaState()
    if tags_4:
        if tags_4 > 127:
            tags_4, p = uvarint_tail(buffer, p, tags_4)
        tag_2 = -1
        for _ in range(tags_4):
            tag_2, tag_stop_2, p = read_tag(buffer, p, tag_2)
            if tag_2 == 0:
                cluster_id_size = buffer[p]
                p += 1
                if cluster_id_size > 127:
                    cluster_id_size, p = string_tail(buffer, p, cluster_id_size)
                cluster_id_2: str | None = None
                if cluster_id_size:
                    stop = p + cluster_id_size - 1
                    cluster_id_2 = buffer[p:stop].tobytes().decode()
                    p = stop
                cluster_id = cluster_id_2
            elif tag_2 == 1:
                replica_id, replica_epoch, tags_5 = _unpack_iqB(buffer, p)
                p += 13
                if tags_5:
                    p = skip_tags(buffer, p, tags_5)
                replica_state = ReplicaState(replica_id, replica_epoch)
            else:
                p = tag_stop_2
            if p != tag_stop_2:
                raise DecodeError("FetchRequest: a tagged field is not of its size")
    return FetchRequest(cluster_id, -1, replica_state, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, rack_id), p


def _encode_0(message: FetchRequest) -> bytes:
    """Versions 4."""
    out: list[bytes] = []
    if message.replica_state.replica_id != -1 or message.replica_state.replica_epoch != -1:
        raise not_in_version("FetchRequest.replica_state")
    topics = message.topics
    out.append(_pack_iiiibi(message.replica_id, message.max_wait_ms, message.min_bytes, message.max_bytes, message.isolation_level, len(topics)))
    for element in topics:
        topic = element.topic.encode()
        topic_size = len(topic)
        partitions = element.partitions
        out += (_pack_h(topic_size), topic, _pack_i(len(partitions)))
        for element_2 in partitions:
            if element_2.last_fetched_epoch != -1:
                raise not_in_version("FetchRequest.topics.partitions.last_fetched_epoch")
            out.append(_pack_iqi(element_2.partition, element_2.fetch_offset, element_2.partition_max_bytes))
    if message.forgotten_topics_data:
        raise not_in_version("FetchRequest.forgotten_topics_data")
    return b"".join(out)


def _encode_1(message: FetchRequest) -> bytes:
    """Versions 5, 6."""
    out: list[bytes] = []
    if message.replica_state.replica_id != -1 or message.replica_state.replica_epoch != -1:
        raise not_in_version("FetchRequest.replica_state")
    topics = message.topics
    out.append(_pack_iiiibi(message.replica_id, message.max_wait_ms, message.min_bytes, message.max_bytes, message.isolation_level, len(topics)))
    for element in topics:
        topic = element.topic.encode()
        topic_size = len(topic)
        partitions = element.partitions
        out += (_pack_h(topic_size), topic, _pack_i(len(partitions)))
        for element_2 in partitions:
            if element_2.last_fetched_epoch != -1:
                raise not_in_version("FetchRequest.topics.partitions.last_fetched_epoch")
            out.append(_pack_iqqi(element_2.partition, element_2.fetch_offset, element_2.log_start_offset, element_2.partition_max_bytes))
    if message.forgotten_topics_data:
        raise not_in_version("FetchRequest.forgotten_topics_data")
    return b"".join(out)


def _encode_2(message: FetchRequest) -> bytes:
    """Versions 7, 8."""
    out: list[bytes] = []
    if message.replica_state.replica_id != -1 or message.replica_state.replica_epoch != -1:
        raise not_in_version("FetchRequest.replica_state")
    topics = message.topics
    out.append(_pack_iiiibiii(message.replica_id, message.max_wait_ms, message.min_bytes, message.max_bytes, message.isolation_level, message.session_id, message.session_epoch, len(topics)))
    for element in topics:
        topic = element.topic.encode()
        topic_size = len(topic)
        partitions = element.partitions
        out += (_pack_h(topic_size), topic, _pack_i(len(partitions)))
        for element_2 in partitions:
            if element_2.last_fetched_epoch != -1:
                raise not_in_version("FetchRequest.topics.partitions.last_fetched_epoch")
            out.append(_pack_iqqi(element_2.partition, element_2.fetch_offset, element_2.log_start_offset, element_2.partition_max_bytes))
    forgotten_topics_data = message.forgotten_topics_data
    out.append(_pack_i(len(forgotten_topics_data)))
    for element_3 in forgotten_topics_data:
        topic_2 = element_3.topic.encode()
        topic_size_2 = len(topic_2)
        partitions_2 = element_3.partitions
        out += (_pack_h(topic_size_2), topic_2, _pack_i(len(partitions_2)), write_int32s(partitions_2))
    return b"".join(out)


def _encode_3(message: FetchRequest) -> bytes:
    """Versions 9, 10."""
    out: list[bytes] = []
    if message.replica_state.replica_id != -1 or message.replica_state.replica_epoch != -1:
        raise not_in_version("FetchRequest.replica_state")
    topics = message.topics
    out.append(_pack_iiiibiii(message.replica_id, message.max_wait_ms, message.min_bytes, message.max_bytes, message.isolation_level, message.session_id, message.session_epoch, len(topics)))
    for element in topics:
        topic = element.topic.encode()
        topic_size = len(topic)
        partitions = element.partitions
        out += (_pack_h(topic_size), topic, _pack_i(len(partitions)))
        for element_2 in partitions:
            if element_2.last_fetched_epoch != -1:
                raise not_in_version("FetchRequest.topics.partitions.last_fetched_epoch")
            out.append(_pack_iiqqi(element_2.partition, element_2.current_leader_epoch, element_2.fetch_offset, element_2.log_start_offset, element_2.partition_max_bytes))
    forgotten_topics_data = message.forgotten_topics_data
    out.append(_pack_i(len(forgotten_topics_data)))
    for element_3 in forgotten_topics_data:
        topic_2 = element_3.topic.encode()
        topic_size_2 = len(topic_2)
        partitions_2 = element_3.partitions
        out += (_pack_h(topic_size_2), topic_2, _pack_i(len(partitions_2)), write_int32s(partitions_2))
    return b"".join(out)


def _encode_4(message: FetchRequest) -> bytes:
    """Versions 11."""
    out: list[bytes] = []
    if message.replica_state.replica_id != -1 or message.replica_state.replica_epoch != -1:
        raise not_in_version("FetchRequest.replica_state")
    topics = message.topics
    out.append(_pack_iiiibiii(message.replica_id, message.max_wait_ms, message.min_bytes, message.max_bytes, message.isolation_level, message.session_id, message.session_epoch, len(topics)))
    for element in topics:
        topic = element.topic.encode()
        topic_size = len(topic)
        partitions = element.partitions
        out += (_pack_h(topic_size), topic, _pack_i(len(partitions)))
        for element_2 in partitions:
            if element_2.last_fetched_epoch != -1:
                raise not_in_version("FetchRequest.topics.partitions.last_fetched_epoch")
            out.append(_pack_iiqqi(element_2.partition, element_2.current_leader_epoch, element_2.fetch_offset, element_2.log_start_offset, element_2.partition_max_bytes))
    forgotten_topics_data = message.forgotten_topics_data
    out.append(_pack_i(len(forgotten_topics_data)))
    for element_3 in forgotten_topics_data:
        topic_2 = element_3.topic.encode()
        topic_size_2 = len(topic_2)
        partitions_2 = element_3.partitions
        out += (_pack_h(topic_size_2), topic_2, _pack_i(len(partitions_2)), write_int32s(partitions_2))
    rack_id = message.rack_id.encode()
    rack_id_size = len(rack_id)
    out += (_pack_h(rack_id_size), rack_id)
    return b"".join(out)


def _encode_5(message: FetchRequest) -> bytes:
    """Versions 12."""
    out: list[bytes] = []
    if message.replica_state.replica_id != -1 or message.replica_state.replica_epoch != -1:
        raise not_in_version("FetchRequest.replica_state")
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_iiiibii(message.replica_id, message.max_wait_ms, message.min_bytes, message.max_bytes, message.isolation_level, message.session_id, message.session_epoch),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic = element.topic.encode()
        topic_size = len(topic) + 1
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            UVARINTS[topic_size] if topic_size < 256 else string_prefix(topic_size),
            topic,
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        out += [_pack_iiqiqix(element_2.partition, element_2.current_leader_epoch, element_2.fetch_offset, element_2.last_fetched_epoch, element_2.log_start_offset, element_2.partition_max_bytes) for element_2 in partitions]
        out.append(b"\0")
    forgotten_topics_data = message.forgotten_topics_data
    forgotten_topics_data_count = len(forgotten_topics_data) + 1
    out.append(UVARINTS[forgotten_topics_data_count] if forgotten_topics_data_count < 256 else uvarint(forgotten_topics_data_count))
    for element_3 in forgotten_topics_data:
        topic_2 = element_3.topic.encode()
        topic_size_2 = len(topic_2) + 1
        partitions_2 = element_3.partitions
        partitions_count_2 = len(partitions_2) + 1
        out += (
            UVARINTS[topic_size_2] if topic_size_2 < 256 else string_prefix(topic_size_2),
            topic_2,
            UVARINTS[partitions_count_2] if partitions_count_2 < 256 else uvarint(partitions_count_2),
            write_int32s(partitions_2),
            b"\0",
        )
    rack_id = message.rack_id.encode()
    rack_id_size = len(rack_id) + 1
    out += (UVARINTS[rack_id_size] if rack_id_size < 256 else string_prefix(rack_id_size), rack_id)
    tags = 0
    tagged: list[bytes] = []
    if message.cluster_id is not None:
        content: list[bytes] = []
        cluster_id = message.cluster_id.encode()
        cluster_id_size = len(cluster_id) + 1
        content += (
            UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
            cluster_id,
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


def _encode_6(message: FetchRequest) -> bytes:
    """Versions 13, 14."""
    out: list[bytes] = []
    if message.replica_state.replica_id != -1 or message.replica_state.replica_epoch != -1:
        raise not_in_version("FetchRequest.replica_state")
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_iiiibii(message.replica_id, message.max_wait_ms, message.min_bytes, message.max_bytes, message.isolation_level, message.session_id, message.session_epoch),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("FetchRequest.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        out += [_pack_iiqiqix(element_2.partition, element_2.current_leader_epoch, element_2.fetch_offset, element_2.last_fetched_epoch, element_2.log_start_offset, element_2.partition_max_bytes) for element_2 in partitions]
        out.append(b"\0")
    forgotten_topics_data = message.forgotten_topics_data
    forgotten_topics_data_count = len(forgotten_topics_data) + 1
    out.append(UVARINTS[forgotten_topics_data_count] if forgotten_topics_data_count < 256 else uvarint(forgotten_topics_data_count))
    for element_3 in forgotten_topics_data:
        topic_id_2 = element_3.topic_id
        if len(topic_id_2) != 16:
            raise bad_uuid("FetchRequest.forgotten_topics_data.topic_id")
        partitions_2 = element_3.partitions
        partitions_count_2 = len(partitions_2) + 1
        out += (
            _pack_u(topic_id_2),
            UVARINTS[partitions_count_2] if partitions_count_2 < 256 else uvarint(partitions_count_2),
            write_int32s(partitions_2),
            b"\0",
        )
    rack_id = message.rack_id.encode()
    rack_id_size = len(rack_id) + 1
    out += (UVARINTS[rack_id_size] if rack_id_size < 256 else string_prefix(rack_id_size), rack_id)
    tags = 0
    tagged: list[bytes] = []
    if message.cluster_id is not None:
        content: list[bytes] = []
        cluster_id = message.cluster_id.encode()
        cluster_id_size = len(cluster_id) + 1
        content += (
            UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
            cluster_id,
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


def _encode_7(message: FetchRequest) -> bytes:
    """Versions 15, 16."""
    out: list[bytes] = []
    if message.replica_id != -1:
        raise not_in_version("FetchRequest.replica_id")
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_iiibii(message.max_wait_ms, message.min_bytes, message.max_bytes, message.isolation_level, message.session_id, message.session_epoch),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("FetchRequest.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        out += [_pack_iiqiqix(element_2.partition, element_2.current_leader_epoch, element_2.fetch_offset, element_2.last_fetched_epoch, element_2.log_start_offset, element_2.partition_max_bytes) for element_2 in partitions]
        out.append(b"\0")
    forgotten_topics_data = message.forgotten_topics_data
    forgotten_topics_data_count = len(forgotten_topics_data) + 1
    out.append(UVARINTS[forgotten_topics_data_count] if forgotten_topics_data_count < 256 else uvarint(forgotten_topics_data_count))
    for element_3 in forgotten_topics_data:
        topic_id_2 = element_3.topic_id
        if len(topic_id_2) != 16:
            raise bad_uuid("FetchRequest.forgotten_topics_data.topic_id")
        partitions_2 = element_3.partitions
        partitions_count_2 = len(partitions_2) + 1
        out += (
            _pack_u(topic_id_2),
            UVARINTS[partitions_count_2] if partitions_count_2 < 256 else uvarint(partitions_count_2),
            write_int32s(partitions_2),
            b"\0",
        )
    rack_id = message.rack_id.encode()
    rack_id_size = len(rack_id) + 1
    out += (UVARINTS[rack_id_size] if rack_id_size < 256 else string_prefix(rack_id_size), rack_id)
    tags = 0
    tagged: list[bytes] = []
    if message.cluster_id is not None:
        content: list[bytes] = []
        cluster_id = message.cluster_id.encode()
        cluster_id_size = len(cluster_id) + 1
        content += (
            UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
            cluster_id,
        )
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if message.replica_state.replica_id != -1 or message.replica_state.replica_epoch != -1:
        content_2: list[bytes] = []
        replica_state = message.replica_state
        content_2.append(_pack_iqx(replica_state.replica_id, replica_state.replica_epoch))
        joined_2 = b"".join(content_2)
        joined_size_2 = len(joined_2)
        tags += 1
        tagged += (
            UVARINTS[1],
            UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
            joined_2,
        )
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


def _encode_8(message: FetchRequest) -> bytes:
    """Versions 17."""
    out: list[bytes] = []
    if message.replica_id != -1:
        raise not_in_version("FetchRequest.replica_id")
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_iiibii(message.max_wait_ms, message.min_bytes, message.max_bytes, message.isolation_level, message.session_id, message.session_epoch),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("FetchRequest.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            out.append(_pack_iiqiqi(element_2.partition, element_2.current_leader_epoch, element_2.fetch_offset, element_2.last_fetched_epoch, element_2.log_start_offset, element_2.partition_max_bytes))
            tags = 0
            tagged: list[bytes] = []
            if element_2.replica_directory_id != ZERO_UUID:
                content: list[bytes] = []
                replica_directory_id = element_2.replica_directory_id
                if len(replica_directory_id) != 16:
                    raise bad_uuid("FetchRequest.topics.partitions.replica_directory_id")
                content.append(_pack_u(replica_directory_id))
                joined = b"".join(content)
                joined_size = len(joined)
                tags += 1
                tagged += (
                    UVARINTS[0],
                    UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size),
                    joined,
                )
            if tags:
                out.append(UVARINTS[tags])
                out += tagged
            else:
                out.append(b"\0")
        out.append(b"\0")
    forgotten_topics_data = message.forgotten_topics_data
    forgotten_topics_data_count = len(forgotten_topics_data) + 1
    out.append(UVARINTS[forgotten_topics_data_count] if forgotten_topics_data_count < 256 else uvarint(forgotten_topics_data_count))
    for element_3 in forgotten_topics_data:
        topic_id_2 = element_3.topic_id
        if len(topic_id_2) != 16:
            raise bad_uuid("FetchRequest.forgotten_topics_data.topic_id")
        partitions_2 = element_3.partitions
        partitions_count_2 = len(partitions_2) + 1
        out += (
            _pack_u(topic_id_2),
            UVARINTS[partitions_count_2] if partitions_count_2 < 256 else uvarint(partitions_count_2),
            write_int32s(partitions_2),
            b"\0",
        )
    rack_id = message.rack_id.encode()
    rack_id_size = len(rack_id) + 1
    out += (UVARINTS[rack_id_size] if rack_id_size < 256 else string_prefix(rack_id_size), rack_id)
    tags_2 = 0
    tagged_2: list[bytes] = []
    if message.cluster_id is not None:
        content_2: list[bytes] = []
        cluster_id = message.cluster_id.encode()
        cluster_id_size = len(cluster_id) + 1
        content_2 += (
            UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
            cluster_id,
        )
        joined_2 = b"".join(content_2)
        joined_size_2 = len(joined_2)
        tags_2 += 1
        tagged_2 += (
            UVARINTS[0],
            UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
            joined_2,
        )
    if message.replica_state.replica_id != -1 or message.replica_state.replica_epoch != -1:
        content_3: list[bytes] = []
        replica_state = message.replica_state
        content_3.append(_pack_iqx(replica_state.replica_id, replica_state.replica_epoch))
        joined_3 = b"".join(content_3)
        joined_size_3 = len(joined_3)
        tags_2 += 1
        tagged_2 += (
            UVARINTS[1],
            UVARINTS[joined_size_3] if joined_size_3 < 256 else uvarint(joined_size_3),
            joined_3,
        )
    if tags_2:
        out.append(UVARINTS[tags_2])
        out += tagged_2
    else:
        out.append(b"\0")
    return b"".join(out)


def _encode_9(message: FetchRequest) -> bytes:
    """Versions 18."""
    out: list[bytes] = []
    if message.replica_id != -1:
        raise not_in_version("FetchRequest.replica_id")
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_iiibii(message.max_wait_ms, message.min_bytes, message.max_bytes, message.isolation_level, message.session_id, message.session_epoch),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("FetchRequest.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            out.append(_pack_iiqiqi(element_2.partition, element_2.current_leader_epoch, element_2.fetch_offset, element_2.last_fetched_epoch, element_2.log_start_offset, element_2.partition_max_bytes))
            tags = 0
            tagged: list[bytes] = []
            if element_2.replica_directory_id != ZERO_UUID:
                content: list[bytes] = []
                replica_directory_id = element_2.replica_directory_id
                if len(replica_directory_id) != 16:
                    raise bad_uuid("FetchRequest.topics.partitions.replica_directory_id")
                content.append(_pack_u(replica_directory_id))
                joined = b"".join(content)
                joined_size = len(joined)
                tags += 1
                tagged += (
                    UVARINTS[0],
                    UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size),
                    joined,
                )
            if element_2.high_watermark != 9223372036854775807:
                content_2: list[bytes] = []
                content_2.append(_pack_q(element_2.high_watermark))
                joined_2 = b"".join(content_2)
                joined_size_2 = len(joined_2)
                tags += 1
                tagged += (
                    UVARINTS[1],
                    UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
                    joined_2,
                )
            if tags:
                out.append(UVARINTS[tags])
                out += tagged
            else:
                out.append(b"\0")
        out.append(b"\0")
    forgotten_topics_data = message.forgotten_topics_data
    forgotten_topics_data_count = len(forgotten_topics_data) + 1
    out.append(UVARINTS[forgotten_topics_data_count] if forgotten_topics_data_count < 256 else uvarint(forgotten_topics_data_count))
    for element_3 in forgotten_topics_data:
        topic_id_2 = element_3.topic_id
        if len(topic_id_2) != 16:
            raise bad_uuid("FetchRequest.forgotten_topics_data.topic_id")
        partitions_2 = element_3.partitions
        partitions_count_2 = len(partitions_2) + 1
        out += (
            _pack_u(topic_id_2),
            UVARINTS[partitions_count_2] if partitions_count_2 < 256 else uvarint(partitions_count_2),
            write_int32s(partitions_2),
            b"\0",
        )
    rack_id = message.rack_id.encode()
    rack_id_size = len(rack_id) + 1
    out += (UVARINTS[rack_id_size] if rack_id_size < 256 else string_prefix(rack_id_size), rack_id)
    tags_2 = 0
    tagged_2: list[bytes] = []
    if message.cluster_id is not None:
        content_3: list[bytes] = []
        cluster_id = message.cluster_id.encode()
        cluster_id_size = len(cluster_id) + 1
        content_3 += (
            UVARINTS[cluster_id_size] if cluster_id_size < 256 else string_prefix(cluster_id_size),
            cluster_id,
        )
        joined_3 = b"".join(content_3)
        joined_size_3 = len(joined_3)
        tags_2 += 1
        tagged_2 += (
            UVARINTS[0],
            UVARINTS[joined_size_3] if joined_size_3 < 256 else uvarint(joined_size_3),
            joined_3,
        )
    if message.replica_state.replica_id != -1 or message.replica_state.replica_epoch != -1:
        content_4: list[bytes] = []
        replica_state = message.replica_state
        content_4.append(_pack_iqx(replica_state.replica_id, replica_state.replica_epoch))
        joined_4 = b"".join(content_4)
        joined_size_4 = len(joined_4)
        tags_2 += 1
        tagged_2 += (
            UVARINTS[1],
            UVARINTS[joined_size_4] if joined_size_4 < 256 else uvarint(joined_size_4),
            joined_4,
        )
    if tags_2:
        out.append(UVARINTS[tags_2])
        out += tagged_2
    else:
        out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[FetchRequest, int]]]] = {
    4: _decode_0,
    5: _decode_1,
    6: _decode_1,
    7: _decode_2,
    8: _decode_2,
    9: _decode_3,
    10: _decode_3,
    11: _decode_4,
    12: _decode_5,
    13: _decode_6,
    14: _decode_6,
    15: _decode_7,
    16: _decode_7,
    17: _decode_8,
    18: _decode_9,
}
_ENCODERS: Final[dict[int, Callable[[FetchRequest], bytes]]] = {
    4: _encode_0,
    5: _encode_1,
    6: _encode_1,
    7: _encode_2,
    8: _encode_2,
    9: _encode_3,
    10: _encode_3,
    11: _encode_4,
    12: _encode_5,
    13: _encode_6,
    14: _encode_6,
    15: _encode_7,
    16: _encode_7,
    17: _encode_8,
    18: _encode_9,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[FetchRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"FetchRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"FetchRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"FetchRequest v{version} is cut short")
    return result


def encode(message: FetchRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"FetchRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"FetchRequest v{version}: {error}") from error
