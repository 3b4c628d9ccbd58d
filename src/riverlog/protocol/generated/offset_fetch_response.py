"""OffsetFetchResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "OffsetFetchResponse"
API_KEY: Final = 9
VERSIONS: Final[tuple[int, int]] = (1, 10)
FLEXIBLE_FROM: Final = 6
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_unpack_iqh = Struct(">iqh").unpack_from
_unpack_iqiB = Struct(">iqiB").unpack_from
_unpack_iqih = Struct(">iqih").unpack_from
_pack_u = Struct(">16s").pack
_pack_h = Struct(">h").pack
_pack_hx = Struct(">hx").pack
_pack_i = Struct(">i").pack
_pack_ii = Struct(">ii").pack
_pack_iqh = Struct(">iqh").pack
_pack_iqi = Struct(">iqi").pack
_pack_iqih = Struct(">iqih").pack


@dataclass(init=False, repr=False, eq=False)
class OffsetFetchResponsePartition(Wire):
    """OffsetFetchResponsePartition."""

    __slots__ = ("partition_index", "committed_offset", "committed_leader_epoch", "metadata", "error_code")

    partition_index: int
    committed_offset: int
    committed_leader_epoch: int
    metadata: str | None
    error_code: int

    def __init__(
        self,
        partition_index: int = 0,
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        metadata: str | None = "",
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.committed_offset = committed_offset
        self.committed_leader_epoch = committed_leader_epoch
        self.metadata = metadata
        self.error_code = error_code


@dataclass(init=False, repr=False, eq=False)
class OffsetFetchResponseTopic(Wire):
    """OffsetFetchResponseTopic."""

    __slots__ = ("name", "partitions")

    name: str
    partitions: list[OffsetFetchResponsePartition]

    def __init__(
        self,
        name: str = "",
        partitions: list[OffsetFetchResponsePartition] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class OffsetFetchResponsePartitions(Wire):
    """OffsetFetchResponsePartitions."""

    __slots__ = ("partition_index", "committed_offset", "committed_leader_epoch", "metadata", "error_code")

    partition_index: int
    committed_offset: int
    committed_leader_epoch: int
    metadata: str | None
    error_code: int

    def __init__(
        self,
        partition_index: int = 0,
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        metadata: str | None = "",
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.committed_offset = committed_offset
        self.committed_leader_epoch = committed_leader_epoch
        self.metadata = metadata
        self.error_code = error_code


@dataclass(init=False, repr=False, eq=False)
class OffsetFetchResponseTopics(Wire):
    """OffsetFetchResponseTopics."""

    __slots__ = ("name", "topic_id", "partitions")

    name: str
    topic_id: bytes
    partitions: list[OffsetFetchResponsePartitions]

    def __init__(
        self,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: list[OffsetFetchResponsePartitions] = UNSET,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class OffsetFetchResponseGroup(Wire):
    """OffsetFetchResponseGroup."""

    __slots__ = ("group_id", "topics", "error_code")

    group_id: str
    topics: list[OffsetFetchResponseTopics]
    error_code: int

    def __init__(
        self,
        group_id: str = "",
        topics: list[OffsetFetchResponseTopics] = UNSET,
        error_code: int = 0,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics
        self.error_code = error_code


@dataclass(init=False, repr=False, eq=False)
class OffsetFetchResponse(Wire):
    """OffsetFetchResponse."""

    __slots__ = ("throttle_time_ms", "topics", "error_code", "groups")

    throttle_time_ms: int
    topics: list[OffsetFetchResponseTopic]
    error_code: int
    groups: list[OffsetFetchResponseGroup]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[OffsetFetchResponseTopic] = UNSET,
        error_code: int = 0,
        groups: list[OffsetFetchResponseGroup] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET else topics
        self.error_code = error_code
        self.groups = [] if groups is UNSET else groups


def _decode_0(buffer: memoryview, p: int) -> tuple[OffsetFetchResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("OffsetFetchResponse.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("OffsetFetchResponse.topics", topics_count)
    room -= topics_count
    topics: list[OffsetFetchResponseTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("OffsetFetchResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("OffsetFetchResponse.topics.partitions")
        if partitions_count > room or partitions_count * 16 > end - p:
            raise too_many("OffsetFetchResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[OffsetFetchResponsePartition] = []
        for _ in range(partitions_count):
            partition_index, committed_offset, metadata_size = _unpack_iqh(buffer, p)
            p += 14
            metadata: str | None = None
            if metadata_size >= 0:
                stop = p + metadata_size
                metadata = buffer[p:stop].tobytes().decode()
                p = stop
            elif metadata_size != -1:
                raise missing("OffsetFetchResponse.topics.partitions.metadata")
            (error_code,) = _unpack_h(buffer, p)
            p += 2
            partitions.append(OffsetFetchResponsePartition(partition_index, committed_offset, -1, metadata, error_code))
        topics.append(OffsetFetchResponseTopic(name, partitions))
    return OffsetFetchResponse(0, topics, 0, []), p


def _decode_1(buffer: memoryview, p: int) -> tuple[OffsetFetchResponse, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("OffsetFetchResponse.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("OffsetFetchResponse.topics", topics_count)
    room -= topics_count
    topics: list[OffsetFetchResponseTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("OffsetFetchResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("OffsetFetchResponse.topics.partitions")
        if partitions_count > room or partitions_count * 16 > end - p:
            raise too_many("OffsetFetchResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[OffsetFetchResponsePartition] = []
        for _ in range(partitions_count):
            partition_index, committed_offset, metadata_size = _unpack_iqh(buffer, p)
            p += 14
            metadata: str | None = None
            if metadata_size >= 0:
                stop = p + metadata_size
                metadata = buffer[p:stop].tobytes().decode()
                p = stop
            elif metadata_size != -1:
                raise missing("OffsetFetchResponse.topics.partitions.metadata")
            (error_code,) = _unpack_h(buffer, p)
            p += 2
            partitions.append(OffsetFetchResponsePartition(partition_index, committed_offset, -1, metadata, error_code))
        topics.append(OffsetFetchResponseTopic(name, partitions))
    (error_code_2,) = _unpack_h(buffer, p)
    p += 2
    return OffsetFetchResponse(0, topics, error_code_2, []), p


def _decode_2(buffer: memoryview, p: int) -> tuple[OffsetFetchResponse, int]:
    """Versions 3, 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_ii(buffer, p)
    p += 8
    if topics_count < 0:
        raise missing("OffsetFetchResponse.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("OffsetFetchResponse.topics", topics_count)
    room -= topics_count
    topics: list[OffsetFetchResponseTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("OffsetFetchResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("OffsetFetchResponse.topics.partitions")
        if partitions_count > room or partitions_count * 16 > end - p:
            raise too_many("OffsetFetchResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[OffsetFetchResponsePartition] = []
        for _ in range(partitions_count):
            partition_index, committed_offset, metadata_size = _unpack_iqh(buffer, p)
            p += 14
            metadata: str | None = None
            if metadata_size >= 0:
                stop = p + metadata_size
                metadata = buffer[p:stop].tobytes().decode()
                p = stop
            elif metadata_size != -1:
                raise missing("OffsetFetchResponse.topics.partitions.metadata")
            (error_code,) = _unpack_h(buffer, p)
            p += 2
            partitions.append(OffsetFetchResponsePartition(partition_index, committed_offset, -1, metadata, error_code))
        topics.append(OffsetFetchResponseTopic(name, partitions))
    (error_code_2,) = _unpack_h(buffer, p)
    p += 2
    return OffsetFetchResponse(throttle_time_ms, topics, error_code_2, []), p


def _decode_3(buffer: memoryview, p: int) -> tuple[OffsetFetchResponse, int]:
    """Versions 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_ii(buffer, p)
    p += 8
    if topics_count < 0:
        raise missing("OffsetFetchResponse.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("OffsetFetchResponse.topics", topics_count)
    room -= topics_count
    topics: list[OffsetFetchResponseTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("OffsetFetchResponse.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("OffsetFetchResponse.topics.partitions")
        if partitions_count > room or partitions_count * 20 > end - p:
            raise too_many("OffsetFetchResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[OffsetFetchResponsePartition] = []
        for _ in range(partitions_count):
            partition_index, committed_offset, committed_leader_epoch, metadata_size = _unpack_iqih(buffer, p)
            p += 18
            metadata: str | None = None
            if metadata_size >= 0:
                stop = p + metadata_size
                metadata = buffer[p:stop].tobytes().decode()
                p = stop
            elif metadata_size != -1:
                raise missing("OffsetFetchResponse.topics.partitions.metadata")
            (error_code,) = _unpack_h(buffer, p)
            p += 2
            partitions.append(OffsetFetchResponsePartition(partition_index, committed_offset, committed_leader_epoch, metadata, error_code))
        topics.append(OffsetFetchResponseTopic(name, partitions))
    (error_code_2,) = _unpack_h(buffer, p)
    p += 2
    return OffsetFetchResponse(throttle_time_ms, topics, error_code_2, []), p


def _decode_4(buffer: memoryview, p: int) -> tuple[OffsetFetchResponse, int]:
    """Versions 6, 7."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("OffsetFetchResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("OffsetFetchResponse.topics", topics_count)
    room -= topics_count
    topics: list[OffsetFetchResponseTopic] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("OffsetFetchResponse.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("OffsetFetchResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 20 > end - p:
            raise too_many("OffsetFetchResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[OffsetFetchResponsePartition] = []
        for _ in range(partitions_count):
            partition_index, committed_offset, committed_leader_epoch, metadata_size = _unpack_iqiB(buffer, p)
            p += 17
            if metadata_size > 127:
                metadata_size, p = string_tail(buffer, p, metadata_size)
            metadata: str | None = None
            if metadata_size:
                stop = p + metadata_size - 1
                metadata = buffer[p:stop].tobytes().decode()
                p = stop
            error_code, tags = _unpack_hB(buffer, p)
            p += 3
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(OffsetFetchResponsePartition(partition_index, committed_offset, committed_leader_epoch, metadata, error_code))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(OffsetFetchResponseTopic(name, partitions))
    error_code_2, tags_3 = _unpack_hB(buffer, p)
    p += 3
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return OffsetFetchResponse(throttle_time_ms, topics, error_code_2, []), p


def _decode_5(buffer: memoryview, p: int) -> tuple[OffsetFetchResponse, int]:
    """Versions 8, 9."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, groups_count = _unpack_iB(buffer, p)
    p += 5
    if groups_count > 127:
        groups_count, p = uvarint_tail(buffer, p, groups_count)
    if groups_count == 0:
        raise missing("OffsetFetchResponse.groups")
    groups_count -= 1
    if groups_count > room or groups_count * 5 > end - p:
        raise too_many("OffsetFetchResponse.groups", groups_count)
    room -= groups_count
    groups: list[OffsetFetchResponseGroup] = []
    for _ in range(groups_count):
        group_id_size = buffer[p]
        p += 1
        if group_id_size > 127:
            group_id_size, p = string_tail(buffer, p, group_id_size)
        if group_id_size == 0:
            raise missing("OffsetFetchResponse.groups.group_id")
        stop = p + group_id_size - 1
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        topics_count = buffer[p]
        p += 1
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        if topics_count == 0:
            raise missing("OffsetFetchResponse.groups.topics")
        topics_count -= 1
        if topics_count > room or topics_count * 3 > end - p:
            raise too_many("OffsetFetchResponse.groups.topics", topics_count)
        room -= topics_count
        topics: list[OffsetFetchResponseTopics] = []
        for _ in range(topics_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("OffsetFetchResponse.groups.topics.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count = buffer[p]
            p += 1
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("OffsetFetchResponse.groups.topics.partitions")
            partitions_count -= 1
            if partitions_count > room or partitions_count * 20 > end - p:
                raise too_many("OffsetFetchResponse.groups.topics.partitions", partitions_count)
            room -= partitions_count
            partitions: list[OffsetFetchResponsePartitions] = []
            for _ in range(partitions_count):
                partition_index, committed_offset, committed_leader_epoch, metadata_size = _unpack_iqiB(buffer, p)
                p += 17
                if metadata_size > 127:
                    metadata_size, p = string_tail(buffer, p, metadata_size)
                metadata: str | None = None
                if metadata_size:
                    stop = p + metadata_size - 1
                    metadata = buffer[p:stop].tobytes().decode()
                    p = stop
                error_code, tags = _unpack_hB(buffer, p)
                p += 3
                if tags:
                    p = skip_tags(buffer, p, tags)
                partitions.append(OffsetFetchResponsePartitions(partition_index, committed_offset, committed_leader_epoch, metadata, error_code))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            topics.append(OffsetFetchResponseTopics(name, ZERO_UUID, partitions))
        error_code_2, tags_3 = _unpack_hB(buffer, p)
        p += 3
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        groups.append(OffsetFetchResponseGroup(group_id, topics, error_code_2))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return OffsetFetchResponse(throttle_time_ms, [], 0, groups), p


def _decode_6(buffer: memoryview, p: int) -> tuple[OffsetFetchResponse, int]:
    """Versions 10."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, groups_count = _unpack_iB(buffer, p)
    p += 5
    if groups_count > 127:
        groups_count, p = uvarint_tail(buffer, p, groups_count)
    if groups_count == 0:
        raise missing("OffsetFetchResponse.groups")
    groups_count -= 1
    if groups_count > room or groups_count * 5 > end - p:
        raise too_many("OffsetFetchResponse.groups", groups_count)
    room -= groups_count
    groups: list[OffsetFetchResponseGroup] = []
    for _ in range(groups_count):
        group_id_size = buffer[p]
        p += 1
        if group_id_size > 127:
            group_id_size, p = string_tail(buffer, p, group_id_size)
        if group_id_size == 0:
            raise missing("OffsetFetchResponse.groups.group_id")
        stop = p + group_id_size - 1
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        topics_count = buffer[p]
        p += 1
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        if topics_count == 0:
            raise missing("OffsetFetchResponse.groups.topics")
        topics_count -= 1
        if topics_count > room or topics_count * 18 > end - p:
            raise too_many("OffsetFetchResponse.groups.topics", topics_count)
        room -= topics_count
        topics: list[OffsetFetchResponseTopics] = []
        for _ in range(topics_count):
            topic_id, partitions_count = _unpack_uB(buffer, p)
            p += 17
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("OffsetFetchResponse.groups.topics.partitions")
            partitions_count -= 1
            if partitions_count > room or partitions_count * 20 > end - p:
                raise too_many("OffsetFetchResponse.groups.topics.partitions", partitions_count)
            room -= partitions_count
            partitions: list[OffsetFetchResponsePartitions] = []
            for _ in range(partitions_count):
                partition_index, committed_offset, committed_leader_epoch, metadata_size = _unpack_iqiB(buffer, p)
                p += 17
                if metadata_size > 127:
                    metadata_size, p = string_tail(buffer, p, metadata_size)
                metadata: str | None = None
                if metadata_size:
                    stop = p + metadata_size - 1
                    metadata = buffer[p:stop].tobytes().decode()
                    p = stop
                error_code, tags = _unpack_hB(buffer, p)
                p += 3
                if tags:
                    p = skip_tags(buffer, p, tags)
                partitions.append(OffsetFetchResponsePartitions(partition_index, committed_offset, committed_leader_epoch, metadata, error_code))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            topics.append(OffsetFetchResponseTopics("", topic_id, partitions))
        error_code_2, tags_3 = _unpack_hB(buffer, p)
        p += 3
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        groups.append(OffsetFetchResponseGroup(group_id, topics, error_code_2))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return OffsetFetchResponse(throttle_time_ms, [], 0, groups), p


def _encode_0(message: OffsetFetchResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_i(len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        for element_2 in partitions:
            metadata_value = element_2.metadata
            if metadata_value is None:
                metadata_size, metadata = -1, b""
            else:
                metadata = metadata_value.encode()
                metadata_size = len(metadata)
            out += (
                _pack_iqh(element_2.partition_index, element_2.committed_offset, metadata_size),
                metadata,
                _pack_h(element_2.error_code),
            )
    if message.groups:
        raise not_in_version("OffsetFetchResponse.groups")
    return b"".join(out)


def _encode_1(message: OffsetFetchResponse) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_i(len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        for element_2 in partitions:
            metadata_value = element_2.metadata
            if metadata_value is None:
                metadata_size, metadata = -1, b""
            else:
                metadata = metadata_value.encode()
                metadata_size = len(metadata)
            out += (
                _pack_iqh(element_2.partition_index, element_2.committed_offset, metadata_size),
                metadata,
                _pack_h(element_2.error_code),
            )
    if message.groups:
        raise not_in_version("OffsetFetchResponse.groups")
    out.append(_pack_h(message.error_code))
    return b"".join(out)


def _encode_2(message: OffsetFetchResponse) -> bytes:
    """Versions 3, 4."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_ii(message.throttle_time_ms, len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        for element_2 in partitions:
            metadata_value = element_2.metadata
            if metadata_value is None:
                metadata_size, metadata = -1, b""
            else:
                metadata = metadata_value.encode()
                metadata_size = len(metadata)
            out += (
                _pack_iqh(element_2.partition_index, element_2.committed_offset, metadata_size),
                metadata,
                _pack_h(element_2.error_code),
            )
    if message.groups:
        raise not_in_version("OffsetFetchResponse.groups")
    out.append(_pack_h(message.error_code))
    return b"".join(out)


def _encode_3(message: OffsetFetchResponse) -> bytes:
    """Versions 5."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_ii(message.throttle_time_ms, len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        for element_2 in partitions:
            metadata_value = element_2.metadata
            if metadata_value is None:
                metadata_size, metadata = -1, b""
            else:
                metadata = metadata_value.encode()
                metadata_size = len(metadata)
            out += (
                _pack_iqih(element_2.partition_index, element_2.committed_offset, element_2.committed_leader_epoch, metadata_size),
                metadata,
                _pack_h(element_2.error_code),
            )
    if message.groups:
        raise not_in_version("OffsetFetchResponse.groups")
    out.append(_pack_h(message.error_code))
    return b"".join(out)


def _encode_4(message: OffsetFetchResponse) -> bytes:
    """Versions 6, 7."""
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
            metadata_value = element_2.metadata
            if metadata_value is None:
                metadata_size, metadata = 0, b""
            else:
                metadata = metadata_value.encode()
                metadata_size = len(metadata) + 1
            out += (
                _pack_iqi(element_2.partition_index, element_2.committed_offset, element_2.committed_leader_epoch),
                UVARINTS[metadata_size] if metadata_size < 256 else string_prefix(metadata_size),
                metadata,
                _pack_hx(element_2.error_code),
            )
        out.append(b"\0")
    if message.groups:
        raise not_in_version("OffsetFetchResponse.groups")
    out.append(_pack_hx(message.error_code))
    return b"".join(out)


def _encode_5(message: OffsetFetchResponse) -> bytes:
    """Versions 8, 9."""
    out: list[bytes] = []
    if message.topics:
        raise not_in_version("OffsetFetchResponse.topics")
    groups = message.groups
    groups_count = len(groups) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[groups_count] if groups_count < 256 else uvarint(groups_count),
    )
    for element in groups:
        group_id = element.group_id.encode()
        group_id_size = len(group_id) + 1
        topics = element.topics
        topics_count = len(topics) + 1
        out += (
            UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
            group_id,
            UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
        )
        for element_2 in topics:
            name = element_2.name.encode()
            name_size = len(name) + 1
            partitions = element_2.partitions
            partitions_count = len(partitions) + 1
            out += (
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
            )
            for element_3 in partitions:
                metadata_value = element_3.metadata
                if metadata_value is None:
                    metadata_size, metadata = 0, b""
                else:
                    metadata = metadata_value.encode()
                    metadata_size = len(metadata) + 1
                out += (
                    _pack_iqi(element_3.partition_index, element_3.committed_offset, element_3.committed_leader_epoch),
                    UVARINTS[metadata_size] if metadata_size < 256 else string_prefix(metadata_size),
                    metadata,
                    _pack_hx(element_3.error_code),
                )
            out.append(b"\0")
        out.append(_pack_hx(element.error_code))
    out.append(b"\0")
    return b"".join(out)


def _encode_6(message: OffsetFetchResponse) -> bytes:
    """Versions 10."""
    out: list[bytes] = []
    if message.topics:
        raise not_in_version("OffsetFetchResponse.topics")
    groups = message.groups
    groups_count = len(groups) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[groups_count] if groups_count < 256 else uvarint(groups_count),
    )
    for element in groups:
        group_id = element.group_id.encode()
        group_id_size = len(group_id) + 1
        topics = element.topics
        topics_count = len(topics) + 1
        out += (
            UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
            group_id,
            UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
        )
        for element_2 in topics:
            topic_id = element_2.topic_id
            if len(topic_id) != 16:
                raise bad_uuid("OffsetFetchResponse.groups.topics.topic_id")
            partitions = element_2.partitions
            partitions_count = len(partitions) + 1
            out += (
                _pack_u(topic_id),
                UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
            )
            for element_3 in partitions:
                metadata_value = element_3.metadata
                if metadata_value is None:
                    metadata_size, metadata = 0, b""
                else:
                    metadata = metadata_value.encode()
                    metadata_size = len(metadata) + 1
                out += (
                    _pack_iqi(element_3.partition_index, element_3.committed_offset, element_3.committed_leader_epoch),
                    UVARINTS[metadata_size] if metadata_size < 256 else string_prefix(metadata_size),
                    metadata,
                    _pack_hx(element_3.error_code),
                )
            out.append(b"\0")
        out.append(_pack_hx(element.error_code))
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[OffsetFetchResponse, int]]]] = {
    1: _decode_0,
    2: _decode_1,
    3: _decode_2,
    4: _decode_2,
    5: _decode_3,
    6: _decode_4,
    7: _decode_4,
    8: _decode_5,
    9: _decode_5,
    10: _decode_6,
}
_ENCODERS: Final[dict[int, Callable[[OffsetFetchResponse], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
    3: _encode_2,
    4: _encode_2,
    5: _encode_3,
    6: _encode_4,
    7: _encode_4,
    8: _encode_5,
    9: _encode_5,
    10: _encode_6,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[OffsetFetchResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"OffsetFetchResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"OffsetFetchResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"OffsetFetchResponse v{version} is cut short")
    return result


def encode(message: OffsetFetchResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"OffsetFetchResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"OffsetFetchResponse v{version}: {error}") from error
