"""DescribeShareGroupOffsetsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DescribeShareGroupOffsetsResponse"
API_KEY: Final = 90
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_iqihB = Struct(">iqihB").unpack_from
_unpack_iqiqhB = Struct(">iqiqhB").unpack_from
_pack_u = Struct(">16s").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_iqih = Struct(">iqih").pack
_pack_iqiqh = Struct(">iqiqh").pack


@dataclass(init=False, repr=False, eq=False)
class DescribeShareGroupOffsetsResponsePartition(Wire):
    """DescribeShareGroupOffsetsResponsePartition."""

    __slots__ = ("partition_index", "start_offset", "leader_epoch", "lag", "error_code", "error_message")

    partition_index: int
    start_offset: int
    leader_epoch: int
    lag: int
    error_code: int
    error_message: str | None

    def __init__(
        self,
        partition_index: int = 0,
        start_offset: int = 0,
        leader_epoch: int = 0,
        lag: int = -1,
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.partition_index = partition_index
        self.start_offset = start_offset
        self.leader_epoch = leader_epoch
        self.lag = lag
        self.error_code = error_code
        self.error_message = error_message


@dataclass(init=False, repr=False, eq=False)
class DescribeShareGroupOffsetsResponseTopic(Wire):
    """DescribeShareGroupOffsetsResponseTopic."""

    __slots__ = ("topic_name", "topic_id", "partitions")

    topic_name: str
    topic_id: bytes
    partitions: list[DescribeShareGroupOffsetsResponsePartition]

    def __init__(
        self,
        topic_name: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: list[DescribeShareGroupOffsetsResponsePartition] = UNSET,
    ) -> None:
        self.topic_name = topic_name
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class DescribeShareGroupOffsetsResponseGroup(Wire):
    """DescribeShareGroupOffsetsResponseGroup."""

    __slots__ = ("group_id", "topics", "error_code", "error_message")

    group_id: str
    topics: list[DescribeShareGroupOffsetsResponseTopic]
    error_code: int
    error_message: str | None

    def __init__(
        self,
        group_id: str = "",
        topics: list[DescribeShareGroupOffsetsResponseTopic] = UNSET,
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics
        self.error_code = error_code
        self.error_message = error_message


@dataclass(init=False, repr=False, eq=False)
class DescribeShareGroupOffsetsResponse(Wire):
    """DescribeShareGroupOffsetsResponse."""

    __slots__ = ("throttle_time_ms", "groups")

    throttle_time_ms: int
    groups: list[DescribeShareGroupOffsetsResponseGroup]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        groups: list[DescribeShareGroupOffsetsResponseGroup] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups = [] if groups is UNSET else groups


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeShareGroupOffsetsResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, groups_count = _unpack_iB(buffer, p)
    p += 5
    if groups_count > 127:
        groups_count, p = uvarint_tail(buffer, p, groups_count)
    if groups_count == 0:
        raise missing("DescribeShareGroupOffsetsResponse.groups")
    groups_count -= 1
    if groups_count > room or groups_count * 6 > end - p:
        raise too_many("DescribeShareGroupOffsetsResponse.groups", groups_count)
    room -= groups_count
    groups: list[DescribeShareGroupOffsetsResponseGroup] = []
    for _ in range(groups_count):
        group_id_size = buffer[p]
        p += 1
        if group_id_size > 127:
            group_id_size, p = string_tail(buffer, p, group_id_size)
        if group_id_size == 0:
            raise missing("DescribeShareGroupOffsetsResponse.groups.group_id")
        stop = p + group_id_size - 1
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        topics_count = buffer[p]
        p += 1
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        if topics_count == 0:
            raise missing("DescribeShareGroupOffsetsResponse.groups.topics")
        topics_count -= 1
        if topics_count > room or topics_count * 19 > end - p:
            raise too_many("DescribeShareGroupOffsetsResponse.groups.topics", topics_count)
        room -= topics_count
        topics: list[DescribeShareGroupOffsetsResponseTopic] = []
        for _ in range(topics_count):
            topic_name_size = buffer[p]
            p += 1
            if topic_name_size > 127:
                topic_name_size, p = string_tail(buffer, p, topic_name_size)
            if topic_name_size == 0:
                raise missing("DescribeShareGroupOffsetsResponse.groups.topics.topic_name")
            stop = p + topic_name_size - 1
            topic_name = buffer[p:stop].tobytes().decode()
            p = stop
            topic_id, partitions_count = _unpack_uB(buffer, p)
            p += 17
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("DescribeShareGroupOffsetsResponse.groups.topics.partitions")
            partitions_count -= 1
            if partitions_count > room or partitions_count * 20 > end - p:
                raise too_many("DescribeShareGroupOffsetsResponse.groups.topics.partitions", partitions_count)
            room -= partitions_count
            partitions: list[DescribeShareGroupOffsetsResponsePartition] = []
            for _ in range(partitions_count):
                partition_index, start_offset, leader_epoch, error_code, error_message_size = _unpack_iqihB(buffer, p)
                p += 19
                if error_message_size > 127:
                    error_message_size, p = string_tail(buffer, p, error_message_size)
                error_message: str | None = None
                if error_message_size:
                    stop = p + error_message_size - 1
                    error_message = buffer[p:stop].tobytes().decode()
                    p = stop
                tags = buffer[p]
                p += 1
                if tags:
                    p = skip_tags(buffer, p, tags)
                partitions.append(DescribeShareGroupOffsetsResponsePartition(partition_index, start_offset, leader_epoch, -1, error_code, error_message))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            topics.append(DescribeShareGroupOffsetsResponseTopic(topic_name, topic_id, partitions))
        error_code_2, error_message_size_2 = _unpack_hB(buffer, p)
        p += 3
        if error_message_size_2 > 127:
            error_message_size_2, p = string_tail(buffer, p, error_message_size_2)
        error_message_2: str | None = None
        if error_message_size_2:
            stop = p + error_message_size_2 - 1
            error_message_2 = buffer[p:stop].tobytes().decode()
            p = stop
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        groups.append(DescribeShareGroupOffsetsResponseGroup(group_id, topics, error_code_2, error_message_2))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return DescribeShareGroupOffsetsResponse(throttle_time_ms, groups), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DescribeShareGroupOffsetsResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, groups_count = _unpack_iB(buffer, p)
    p += 5
    if groups_count > 127:
        groups_count, p = uvarint_tail(buffer, p, groups_count)
    if groups_count == 0:
        raise missing("DescribeShareGroupOffsetsResponse.groups")
    groups_count -= 1
    if groups_count > room or groups_count * 6 > end - p:
        raise too_many("DescribeShareGroupOffsetsResponse.groups", groups_count)
    room -= groups_count
    groups: list[DescribeShareGroupOffsetsResponseGroup] = []
    for _ in range(groups_count):
        group_id_size = buffer[p]
        p += 1
        if group_id_size > 127:
            group_id_size, p = string_tail(buffer, p, group_id_size)
        if group_id_size == 0:
            raise missing("DescribeShareGroupOffsetsResponse.groups.group_id")
        stop = p + group_id_size - 1
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        topics_count = buffer[p]
        p += 1
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        if topics_count == 0:
            raise missing("DescribeShareGroupOffsetsResponse.groups.topics")
        topics_count -= 1
        if topics_count > room or topics_count * 19 > end - p:
            raise too_many("DescribeShareGroupOffsetsResponse.groups.topics", topics_count)
        room -= topics_count
        topics: list[DescribeShareGroupOffsetsResponseTopic] = []
        for _ in range(topics_count):
            topic_name_size = buffer[p]
            p += 1
            if topic_name_size > 127:
                topic_name_size, p = string_tail(buffer, p, topic_name_size)
            if topic_name_size == 0:
                raise missing("DescribeShareGroupOffsetsResponse.groups.topics.topic_name")
            stop = p + topic_name_size - 1
            topic_name = buffer[p:stop].tobytes().decode()
            p = stop
            topic_id, partitions_count = _unpack_uB(buffer, p)
            p += 17
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("DescribeShareGroupOffsetsResponse.groups.topics.partitions")
            partitions_count -= 1
            if partitions_count > room or partitions_count * 28 > end - p:
                raise too_many("DescribeShareGroupOffsetsResponse.groups.topics.partitions", partitions_count)
            room -= partitions_count
            partitions: list[DescribeShareGroupOffsetsResponsePartition] = []
            for _ in range(partitions_count):
                partition_index, start_offset, leader_epoch, lag, error_code, error_message_size = _unpack_iqiqhB(buffer, p)
                p += 27
                if error_message_size > 127:
                    error_message_size, p = string_tail(buffer, p, error_message_size)
                error_message: str | None = None
                if error_message_size:
                    stop = p + error_message_size - 1
                    error_message = buffer[p:stop].tobytes().decode()
                    p = stop
                tags = buffer[p]
                p += 1
                if tags:
                    p = skip_tags(buffer, p, tags)
                partitions.append(DescribeShareGroupOffsetsResponsePartition(partition_index, start_offset, leader_epoch, lag, error_code, error_message))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            topics.append(DescribeShareGroupOffsetsResponseTopic(topic_name, topic_id, partitions))
        error_code_2, error_message_size_2 = _unpack_hB(buffer, p)
        p += 3
        if error_message_size_2 > 127:
            error_message_size_2, p = string_tail(buffer, p, error_message_size_2)
        error_message_2: str | None = None
        if error_message_size_2:
            stop = p + error_message_size_2 - 1
            error_message_2 = buffer[p:stop].tobytes().decode()
            p = stop
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        groups.append(DescribeShareGroupOffsetsResponseGroup(group_id, topics, error_code_2, error_message_2))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return DescribeShareGroupOffsetsResponse(throttle_time_ms, groups), p


def _encode_0(message: DescribeShareGroupOffsetsResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
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
            topic_name = element_2.topic_name.encode()
            topic_name_size = len(topic_name) + 1
            topic_id = element_2.topic_id
            if len(topic_id) != 16:
                raise bad_uuid("DescribeShareGroupOffsetsResponse.groups.topics.topic_id")
            partitions = element_2.partitions
            partitions_count = len(partitions) + 1
            out += (
                UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
                topic_name,
                _pack_u(topic_id),
                UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
            )
            for element_3 in partitions:
                error_message_value = element_3.error_message
                if error_message_value is None:
                    error_message_size, error_message = 0, b""
                else:
                    error_message = error_message_value.encode()
                    error_message_size = len(error_message) + 1
                out += (
                    _pack_iqih(element_3.partition_index, element_3.start_offset, element_3.leader_epoch, element_3.error_code),
                    UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
                    error_message,
                    b"\0",
                )
            out.append(b"\0")
        error_message_value_2 = element.error_message
        if error_message_value_2 is None:
            error_message_size_2, error_message_2 = 0, b""
        else:
            error_message_2 = error_message_value_2.encode()
            error_message_size_2 = len(error_message_2) + 1
        out += (
            _pack_h(element.error_code),
            UVARINTS[error_message_size_2] if error_message_size_2 < 256 else string_prefix(error_message_size_2),
            error_message_2,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: DescribeShareGroupOffsetsResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
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
            topic_name = element_2.topic_name.encode()
            topic_name_size = len(topic_name) + 1
            topic_id = element_2.topic_id
            if len(topic_id) != 16:
                raise bad_uuid("DescribeShareGroupOffsetsResponse.groups.topics.topic_id")
            partitions = element_2.partitions
            partitions_count = len(partitions) + 1
            out += (
                UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
                topic_name,
                _pack_u(topic_id),
                UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
            )
            for element_3 in partitions:
                error_message_value = element_3.error_message
                if error_message_value is None:
                    error_message_size, error_message = 0, b""
                else:
                    error_message = error_message_value.encode()
                    error_message_size = len(error_message) + 1
                out += (
                    _pack_iqiqh(element_3.partition_index, element_3.start_offset, element_3.leader_epoch, element_3.lag, element_3.error_code),
                    UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
                    error_message,
                    b"\0",
                )
            out.append(b"\0")
        error_message_value_2 = element.error_message
        if error_message_value_2 is None:
            error_message_size_2, error_message_2 = 0, b""
        else:
            error_message_2 = error_message_value_2.encode()
            error_message_size_2 = len(error_message_2) + 1
        out += (
            _pack_h(element.error_code),
            UVARINTS[error_message_size_2] if error_message_size_2 < 256 else string_prefix(error_message_size_2),
            error_message_2,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeShareGroupOffsetsResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[DescribeShareGroupOffsetsResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeShareGroupOffsetsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeShareGroupOffsetsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeShareGroupOffsetsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeShareGroupOffsetsResponse v{version} is cut short")
    return result


def encode(message: DescribeShareGroupOffsetsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeShareGroupOffsetsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeShareGroupOffsetsResponse v{version}: {error}") from error
