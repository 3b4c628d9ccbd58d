"""OffsetCommitRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "OffsetCommitRequest"
API_KEY: Final = 8
VERSIONS: Final[tuple[int, int]] = (2, 10)
FLEXIBLE_FROM: Final = 8
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ih = Struct(">ih").unpack_from
_unpack_iqh = Struct(">iqh").unpack_from
_unpack_iqiB = Struct(">iqiB").unpack_from
_unpack_iqih = Struct(">iqih").unpack_from
_unpack_qi = Struct(">qi").unpack_from
_pack_u = Struct(">16s").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_iqh = Struct(">iqh").pack
_pack_iqi = Struct(">iqi").pack
_pack_iqih = Struct(">iqih").pack
_pack_qi = Struct(">qi").pack


@dataclass(init=False, repr=False, eq=False)
class OffsetCommitRequestPartition(Wire):
    """OffsetCommitRequestPartition."""

    __slots__ = ("partition_index", "committed_offset", "committed_leader_epoch", "committed_metadata")

    partition_index: int
    committed_offset: int
    committed_leader_epoch: int
    committed_metadata: str | None

    def __init__(
        self,
        partition_index: int = 0,
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        committed_metadata: str | None = "",
    ) -> None:
        self.partition_index = partition_index
        self.committed_offset = committed_offset
        self.committed_leader_epoch = committed_leader_epoch
        self.committed_metadata = committed_metadata


@dataclass(init=False, repr=False, eq=False)
class OffsetCommitRequestTopic(Wire):
    """OffsetCommitRequestTopic."""

    __slots__ = ("name", "topic_id", "partitions")

    name: str
    topic_id: bytes
    partitions: list[OffsetCommitRequestPartition]

    def __init__(
        self,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: list[OffsetCommitRequestPartition] = UNSET,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class OffsetCommitRequest(Wire):
    """OffsetCommitRequest."""

    __slots__ = ("group_id", "generation_id_or_member_epoch", "member_id", "group_instance_id", "retention_time_ms", "topics")

    group_id: str
    generation_id_or_member_epoch: int
    member_id: str
    group_instance_id: str | None
    retention_time_ms: int
    topics: list[OffsetCommitRequestTopic]

    def __init__(
        self,
        group_id: str = "",
        generation_id_or_member_epoch: int = -1,
        member_id: str = "",
        group_instance_id: str | None = None,
        retention_time_ms: int = -1,
        topics: list[OffsetCommitRequestTopic] = UNSET,
    ) -> None:
        self.group_id = group_id
        self.generation_id_or_member_epoch = generation_id_or_member_epoch
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.retention_time_ms = retention_time_ms
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[OffsetCommitRequest, int]:
    """Versions 2, 3, 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("OffsetCommitRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    generation_id_or_member_epoch, member_id_size = _unpack_ih(buffer, p)
    p += 6
    if member_id_size < 0:
        raise missing("OffsetCommitRequest.member_id")
    stop = p + member_id_size
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    retention_time_ms, topics_count = _unpack_qi(buffer, p)
    p += 12
    if topics_count < 0:
        raise missing("OffsetCommitRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("OffsetCommitRequest.topics", topics_count)
    room -= topics_count
    topics: list[OffsetCommitRequestTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("OffsetCommitRequest.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("OffsetCommitRequest.topics.partitions")
        if partitions_count > room or partitions_count * 14 > end - p:
            raise too_many("OffsetCommitRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[OffsetCommitRequestPartition] = []
        for _ in range(partitions_count):
            partition_index, committed_offset, committed_metadata_size = _unpack_iqh(buffer, p)
            p += 14
            committed_metadata: str | None = None
            if committed_metadata_size >= 0:
                stop = p + committed_metadata_size
                committed_metadata = buffer[p:stop].tobytes().decode()
                p = stop
            elif committed_metadata_size != -1:
                raise missing("OffsetCommitRequest.topics.partitions.committed_metadata")
            partitions.append(OffsetCommitRequestPartition(partition_index, committed_offset, -1, committed_metadata))
        topics.append(OffsetCommitRequestTopic(name, ZERO_UUID, partitions))
    return OffsetCommitRequest(group_id, generation_id_or_member_epoch, member_id, None, retention_time_ms, topics), p


def _decode_1(buffer: memoryview, p: int) -> tuple[OffsetCommitRequest, int]:
    """Versions 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("OffsetCommitRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    generation_id_or_member_epoch, member_id_size = _unpack_ih(buffer, p)
    p += 6
    if member_id_size < 0:
        raise missing("OffsetCommitRequest.member_id")
    stop = p + member_id_size
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("OffsetCommitRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("OffsetCommitRequest.topics", topics_count)
    room -= topics_count
    topics: list[OffsetCommitRequestTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("OffsetCommitRequest.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("OffsetCommitRequest.topics.partitions")
        if partitions_count > room or partitions_count * 14 > end - p:
            raise too_many("OffsetCommitRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[OffsetCommitRequestPartition] = []
        for _ in range(partitions_count):
            partition_index, committed_offset, committed_metadata_size = _unpack_iqh(buffer, p)
            p += 14
            committed_metadata: str | None = None
            if committed_metadata_size >= 0:
                stop = p + committed_metadata_size
                committed_metadata = buffer[p:stop].tobytes().decode()
                p = stop
            elif committed_metadata_size != -1:
                raise missing("OffsetCommitRequest.topics.partitions.committed_metadata")
            partitions.append(OffsetCommitRequestPartition(partition_index, committed_offset, -1, committed_metadata))
        topics.append(OffsetCommitRequestTopic(name, ZERO_UUID, partitions))
    return OffsetCommitRequest(group_id, generation_id_or_member_epoch, member_id, None, -1, topics), p


def _decode_2(buffer: memoryview, p: int) -> tuple[OffsetCommitRequest, int]:
    """Versions 6."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("OffsetCommitRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    generation_id_or_member_epoch, member_id_size = _unpack_ih(buffer, p)
    p += 6
    if member_id_size < 0:
        raise missing("OffsetCommitRequest.member_id")
    stop = p + member_id_size
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("OffsetCommitRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("OffsetCommitRequest.topics", topics_count)
    room -= topics_count
    topics: list[OffsetCommitRequestTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("OffsetCommitRequest.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("OffsetCommitRequest.topics.partitions")
        if partitions_count > room or partitions_count * 18 > end - p:
            raise too_many("OffsetCommitRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[OffsetCommitRequestPartition] = []
        for _ in range(partitions_count):
            partition_index, committed_offset, committed_leader_epoch, committed_metadata_size = _unpack_iqih(buffer, p)
            p += 18
            committed_metadata: str | None = None
            if committed_metadata_size >= 0:
                stop = p + committed_metadata_size
                committed_metadata = buffer[p:stop].tobytes().decode()
                p = stop
            elif committed_metadata_size != -1:
                raise missing("OffsetCommitRequest.topics.partitions.committed_metadata")
            partitions.append(OffsetCommitRequestPartition(partition_index, committed_offset, committed_leader_epoch, committed_metadata))
        topics.append(OffsetCommitRequestTopic(name, ZERO_UUID, partitions))
    return OffsetCommitRequest(group_id, generation_id_or_member_epoch, member_id, None, -1, topics), p


def _decode_3(buffer: memoryview, p: int) -> tuple[OffsetCommitRequest, int]:
    """Versions 7."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("OffsetCommitRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    generation_id_or_member_epoch, member_id_size = _unpack_ih(buffer, p)
    p += 6
    if member_id_size < 0:
        raise missing("OffsetCommitRequest.member_id")
    stop = p + member_id_size
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    (group_instance_id_size,) = _unpack_h(buffer, p)
    p += 2
    group_instance_id: str | None = None
    if group_instance_id_size >= 0:
        stop = p + group_instance_id_size
        group_instance_id = buffer[p:stop].tobytes().decode()
        p = stop
    elif group_instance_id_size != -1:
        raise missing("OffsetCommitRequest.group_instance_id")
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("OffsetCommitRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("OffsetCommitRequest.topics", topics_count)
    room -= topics_count
    topics: list[OffsetCommitRequestTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("OffsetCommitRequest.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("OffsetCommitRequest.topics.partitions")
        if partitions_count > room or partitions_count * 18 > end - p:
            raise too_many("OffsetCommitRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[OffsetCommitRequestPartition] = []
        for _ in range(partitions_count):
            partition_index, committed_offset, committed_leader_epoch, committed_metadata_size = _unpack_iqih(buffer, p)
            p += 18
            committed_metadata: str | None = None
            if committed_metadata_size >= 0:
                stop = p + committed_metadata_size
                committed_metadata = buffer[p:stop].tobytes().decode()
                p = stop
            elif committed_metadata_size != -1:
                raise missing("OffsetCommitRequest.topics.partitions.committed_metadata")
            partitions.append(OffsetCommitRequestPartition(partition_index, committed_offset, committed_leader_epoch, committed_metadata))
        topics.append(OffsetCommitRequestTopic(name, ZERO_UUID, partitions))
    return OffsetCommitRequest(group_id, generation_id_or_member_epoch, member_id, group_instance_id, -1, topics), p


def _decode_4(buffer: memoryview, p: int) -> tuple[OffsetCommitRequest, int]:
    """Versions 8, 9."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("OffsetCommitRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    generation_id_or_member_epoch, member_id_size = _unpack_iB(buffer, p)
    p += 5
    if member_id_size > 127:
        member_id_size, p = string_tail(buffer, p, member_id_size)
    if member_id_size == 0:
        raise missing("OffsetCommitRequest.member_id")
    stop = p + member_id_size - 1
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    group_instance_id_size = buffer[p]
    p += 1
    if group_instance_id_size > 127:
        group_instance_id_size, p = string_tail(buffer, p, group_instance_id_size)
    group_instance_id: str | None = None
    if group_instance_id_size:
        stop = p + group_instance_id_size - 1
        group_instance_id = buffer[p:stop].tobytes().decode()
        p = stop
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("OffsetCommitRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("OffsetCommitRequest.topics", topics_count)
    room -= topics_count
    topics: list[OffsetCommitRequestTopic] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("OffsetCommitRequest.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("OffsetCommitRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 18 > end - p:
            raise too_many("OffsetCommitRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[OffsetCommitRequestPartition] = []
        for _ in range(partitions_count):
            partition_index, committed_offset, committed_leader_epoch, committed_metadata_size = _unpack_iqiB(buffer, p)
            p += 17
            if committed_metadata_size > 127:
                committed_metadata_size, p = string_tail(buffer, p, committed_metadata_size)
            committed_metadata: str | None = None
            if committed_metadata_size:
                stop = p + committed_metadata_size - 1
                committed_metadata = buffer[p:stop].tobytes().decode()
                p = stop
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(OffsetCommitRequestPartition(partition_index, committed_offset, committed_leader_epoch, committed_metadata))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(OffsetCommitRequestTopic(name, ZERO_UUID, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return OffsetCommitRequest(group_id, generation_id_or_member_epoch, member_id, group_instance_id, -1, topics), p


def _decode_5(buffer: memoryview, p: int) -> tuple[OffsetCommitRequest, int]:
    """Versions 10."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("OffsetCommitRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    generation_id_or_member_epoch, member_id_size = _unpack_iB(buffer, p)
    p += 5
    if member_id_size > 127:
        member_id_size, p = string_tail(buffer, p, member_id_size)
    if member_id_size == 0:
        raise missing("OffsetCommitRequest.member_id")
    stop = p + member_id_size - 1
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    group_instance_id_size = buffer[p]
    p += 1
    if group_instance_id_size > 127:
        group_instance_id_size, p = string_tail(buffer, p, group_instance_id_size)
    group_instance_id: str | None = None
    if group_instance_id_size:
        stop = p + group_instance_id_size - 1
        group_instance_id = buffer[p:stop].tobytes().decode()
        p = stop
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("OffsetCommitRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("OffsetCommitRequest.topics", topics_count)
    room -= topics_count
    topics: list[OffsetCommitRequestTopic] = []
    for _ in range(topics_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("OffsetCommitRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 18 > end - p:
            raise too_many("OffsetCommitRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[OffsetCommitRequestPartition] = []
        for _ in range(partitions_count):
            partition_index, committed_offset, committed_leader_epoch, committed_metadata_size = _unpack_iqiB(buffer, p)
            p += 17
            if committed_metadata_size > 127:
                committed_metadata_size, p = string_tail(buffer, p, committed_metadata_size)
            committed_metadata: str | None = None
            if committed_metadata_size:
                stop = p + committed_metadata_size - 1
                committed_metadata = buffer[p:stop].tobytes().decode()
                p = stop
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(OffsetCommitRequestPartition(partition_index, committed_offset, committed_leader_epoch, committed_metadata))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(OffsetCommitRequestTopic("", topic_id, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return OffsetCommitRequest(group_id, generation_id_or_member_epoch, member_id, group_instance_id, -1, topics), p


def _encode_0(message: OffsetCommitRequest) -> bytes:
    """Versions 2, 3, 4."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    member_id = message.member_id.encode()
    member_id_size = len(member_id)
    if message.group_instance_id is not None:
        raise not_in_version("OffsetCommitRequest.group_instance_id")
    topics = message.topics
    out += (
        _pack_h(group_id_size),
        group_id,
        _pack_ih(message.generation_id_or_member_epoch, member_id_size),
        member_id,
        _pack_qi(message.retention_time_ms, len(topics)),
    )
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        for element_2 in partitions:
            committed_metadata_value = element_2.committed_metadata
            if committed_metadata_value is None:
                committed_metadata_size, committed_metadata = -1, b""
            else:
                committed_metadata = committed_metadata_value.encode()
                committed_metadata_size = len(committed_metadata)
            out += (
                _pack_iqh(element_2.partition_index, element_2.committed_offset, committed_metadata_size),
                committed_metadata,
            )
    return b"".join(out)


def _encode_1(message: OffsetCommitRequest) -> bytes:
    """Versions 5."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    member_id = message.member_id.encode()
    member_id_size = len(member_id)
    if message.group_instance_id is not None:
        raise not_in_version("OffsetCommitRequest.group_instance_id")
    topics = message.topics
    out += (
        _pack_h(group_id_size),
        group_id,
        _pack_ih(message.generation_id_or_member_epoch, member_id_size),
        member_id,
        _pack_i(len(topics)),
    )
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        for element_2 in partitions:
            committed_metadata_value = element_2.committed_metadata
            if committed_metadata_value is None:
                committed_metadata_size, committed_metadata = -1, b""
            else:
                committed_metadata = committed_metadata_value.encode()
                committed_metadata_size = len(committed_metadata)
            out += (
                _pack_iqh(element_2.partition_index, element_2.committed_offset, committed_metadata_size),
                committed_metadata,
            )
    return b"".join(out)


def _encode_2(message: OffsetCommitRequest) -> bytes:
    """Versions 6."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    member_id = message.member_id.encode()
    member_id_size = len(member_id)
    if message.group_instance_id is not None:
        raise not_in_version("OffsetCommitRequest.group_instance_id")
    topics = message.topics
    out += (
        _pack_h(group_id_size),
        group_id,
        _pack_ih(message.generation_id_or_member_epoch, member_id_size),
        member_id,
        _pack_i(len(topics)),
    )
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        for element_2 in partitions:
            committed_metadata_value = element_2.committed_metadata
            if committed_metadata_value is None:
                committed_metadata_size, committed_metadata = -1, b""
            else:
                committed_metadata = committed_metadata_value.encode()
                committed_metadata_size = len(committed_metadata)
            out += (
                _pack_iqih(element_2.partition_index, element_2.committed_offset, element_2.committed_leader_epoch, committed_metadata_size),
                committed_metadata,
            )
    return b"".join(out)


def _encode_3(message: OffsetCommitRequest) -> bytes:
    """Versions 7."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    member_id = message.member_id.encode()
    member_id_size = len(member_id)
    group_instance_id_value = message.group_instance_id
    if group_instance_id_value is None:
        group_instance_id_size, group_instance_id = -1, b""
    else:
        group_instance_id = group_instance_id_value.encode()
        group_instance_id_size = len(group_instance_id)
    topics = message.topics
    out += (
        _pack_h(group_id_size),
        group_id,
        _pack_ih(message.generation_id_or_member_epoch, member_id_size),
        member_id,
        _pack_h(group_instance_id_size),
        group_instance_id,
        _pack_i(len(topics)),
    )
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)))
        for element_2 in partitions:
            committed_metadata_value = element_2.committed_metadata
            if committed_metadata_value is None:
                committed_metadata_size, committed_metadata = -1, b""
            else:
                committed_metadata = committed_metadata_value.encode()
                committed_metadata_size = len(committed_metadata)
            out += (
                _pack_iqih(element_2.partition_index, element_2.committed_offset, element_2.committed_leader_epoch, committed_metadata_size),
                committed_metadata,
            )
    return b"".join(out)


def _encode_4(message: OffsetCommitRequest) -> bytes:
    """Versions 8, 9."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    member_id = message.member_id.encode()
    member_id_size = len(member_id) + 1
    group_instance_id_value = message.group_instance_id
    if group_instance_id_value is None:
        group_instance_id_size, group_instance_id = 0, b""
    else:
        group_instance_id = group_instance_id_value.encode()
        group_instance_id_size = len(group_instance_id) + 1
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        _pack_i(message.generation_id_or_member_epoch),
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        UVARINTS[group_instance_id_size] if group_instance_id_size < 256 else string_prefix(group_instance_id_size),
        group_instance_id,
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
            committed_metadata_value = element_2.committed_metadata
            if committed_metadata_value is None:
                committed_metadata_size, committed_metadata = 0, b""
            else:
                committed_metadata = committed_metadata_value.encode()
                committed_metadata_size = len(committed_metadata) + 1
            out += (
                _pack_iqi(element_2.partition_index, element_2.committed_offset, element_2.committed_leader_epoch),
                UVARINTS[committed_metadata_size] if committed_metadata_size < 256 else string_prefix(committed_metadata_size),
                committed_metadata,
                b"\0",
            )
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


def _encode_5(message: OffsetCommitRequest) -> bytes:
    """Versions 10."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    member_id = message.member_id.encode()
    member_id_size = len(member_id) + 1
    group_instance_id_value = message.group_instance_id
    if group_instance_id_value is None:
        group_instance_id_size, group_instance_id = 0, b""
    else:
        group_instance_id = group_instance_id_value.encode()
        group_instance_id_size = len(group_instance_id) + 1
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        _pack_i(message.generation_id_or_member_epoch),
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        UVARINTS[group_instance_id_size] if group_instance_id_size < 256 else string_prefix(group_instance_id_size),
        group_instance_id,
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("OffsetCommitRequest.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            committed_metadata_value = element_2.committed_metadata
            if committed_metadata_value is None:
                committed_metadata_size, committed_metadata = 0, b""
            else:
                committed_metadata = committed_metadata_value.encode()
                committed_metadata_size = len(committed_metadata) + 1
            out += (
                _pack_iqi(element_2.partition_index, element_2.committed_offset, element_2.committed_leader_epoch),
                UVARINTS[committed_metadata_size] if committed_metadata_size < 256 else string_prefix(committed_metadata_size),
                committed_metadata,
                b"\0",
            )
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[OffsetCommitRequest, int]]]] = {
    2: _decode_0,
    3: _decode_0,
    4: _decode_0,
    5: _decode_1,
    6: _decode_2,
    7: _decode_3,
    8: _decode_4,
    9: _decode_4,
    10: _decode_5,
}
_ENCODERS: Final[dict[int, Callable[[OffsetCommitRequest], bytes]]] = {
    2: _encode_0,
    3: _encode_0,
    4: _encode_0,
    5: _encode_1,
    6: _encode_2,
    7: _encode_3,
    8: _encode_4,
    9: _encode_4,
    10: _encode_5,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[OffsetCommitRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"OffsetCommitRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"OffsetCommitRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"OffsetCommitRequest v{version} is cut short")
    return result


def encode(message: OffsetCommitRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"OffsetCommitRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"OffsetCommitRequest v{version}: {error}") from error
