"""OffsetFetchRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "OffsetFetchRequest"
API_KEY: Final = 9
VERSIONS: Final[tuple[int, int]] = (1, 10)
FLEXIBLE_FROM: Final = 6
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_zB = Struct(">?B").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_pack_u = Struct(">16s").pack
_pack_zx = Struct(">?x").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class OffsetFetchRequestTopic(Wire):
    """OffsetFetchRequestTopic."""

    __slots__ = ("name", "partition_indexes")

    name: str
    partition_indexes: list[int]

    def __init__(
        self,
        name: str = "",
        partition_indexes: list[int] = UNSET,
    ) -> None:
        self.name = name
        self.partition_indexes = [] if partition_indexes is UNSET else partition_indexes


@dataclass(init=False, repr=False, eq=False)
class OffsetFetchRequestTopics(Wire):
    """OffsetFetchRequestTopics."""

    __slots__ = ("name", "topic_id", "partition_indexes")

    name: str
    topic_id: bytes
    partition_indexes: list[int]

    def __init__(
        self,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partition_indexes: list[int] = UNSET,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partition_indexes = [] if partition_indexes is UNSET else partition_indexes


@dataclass(init=False, repr=False, eq=False)
class OffsetFetchRequestGroup(Wire):
    """OffsetFetchRequestGroup."""

    __slots__ = ("group_id", "member_id", "member_epoch", "topics")

    group_id: str
    member_id: str | None
    member_epoch: int
    topics: list[OffsetFetchRequestTopics] | None

    def __init__(
        self,
        group_id: str = "",
        member_id: str | None = None,
        member_epoch: int = -1,
        topics: list[OffsetFetchRequestTopics] | None = UNSET,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.topics = [] if topics is UNSET else topics


@dataclass(init=False, repr=False, eq=False)
class OffsetFetchRequest(Wire):
    """OffsetFetchRequest."""

    __slots__ = ("group_id", "topics", "groups", "require_stable")

    group_id: str
    topics: list[OffsetFetchRequestTopic] | None
    groups: list[OffsetFetchRequestGroup]
    require_stable: bool

    def __init__(
        self,
        group_id: str = "",
        topics: list[OffsetFetchRequestTopic] | None = UNSET,
        groups: list[OffsetFetchRequestGroup] = UNSET,
        require_stable: bool = False,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics
        self.groups = [] if groups is UNSET else groups
        self.require_stable = require_stable


def _decode_0(buffer: memoryview, p: int) -> tuple[OffsetFetchRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("OffsetFetchRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("OffsetFetchRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("OffsetFetchRequest.topics", topics_count)
    room -= topics_count
    topics: list[OffsetFetchRequestTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("OffsetFetchRequest.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partition_indexes_count,) = _unpack_i(buffer, p)
        p += 4
        if partition_indexes_count < 0:
            raise missing("OffsetFetchRequest.topics.partition_indexes")
        partition_indexes = read_int32s(buffer, p, partition_indexes_count)
        p += partition_indexes_count * 4
        topics.append(OffsetFetchRequestTopic(name, partition_indexes))
    return OffsetFetchRequest(group_id, topics, [], False), p


def _decode_1(buffer: memoryview, p: int) -> tuple[OffsetFetchRequest, int]:
    """Versions 2, 3, 4, 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("OffsetFetchRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    topics: list[OffsetFetchRequestTopic] | None = None
    if topics_count >= 0:
        if topics_count > room or topics_count * 6 > end - p:
            raise too_many("OffsetFetchRequest.topics", topics_count)
        room -= topics_count
        topics = []
        for _ in range(topics_count):
            (name_size,) = _unpack_h(buffer, p)
            p += 2
            if name_size < 0:
                raise missing("OffsetFetchRequest.topics.name")
            stop = p + name_size
            name = buffer[p:stop].tobytes().decode()
            p = stop
            (partition_indexes_count,) = _unpack_i(buffer, p)
            p += 4
            if partition_indexes_count < 0:
                raise missing("OffsetFetchRequest.topics.partition_indexes")
            partition_indexes = read_int32s(buffer, p, partition_indexes_count)
            p += partition_indexes_count * 4
            topics.append(OffsetFetchRequestTopic(name, partition_indexes))
    elif topics_count != -1:
        raise missing("OffsetFetchRequest.topics")
    return OffsetFetchRequest(group_id, topics, [], False), p


def _decode_2(buffer: memoryview, p: int) -> tuple[OffsetFetchRequest, int]:
    """Versions 6."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("OffsetFetchRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    topics: list[OffsetFetchRequestTopic] | None = None
    if topics_count:
        topics_count -= 1
        if topics_count > room or topics_count * 3 > end - p:
            raise too_many("OffsetFetchRequest.topics", topics_count)
        room -= topics_count
        topics = []
        for _ in range(topics_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("OffsetFetchRequest.topics.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            partition_indexes_count = buffer[p]
            p += 1
            if partition_indexes_count > 127:
                partition_indexes_count, p = uvarint_tail(buffer, p, partition_indexes_count)
            if partition_indexes_count == 0:
                raise missing("OffsetFetchRequest.topics.partition_indexes")
            partition_indexes_count -= 1
            partition_indexes = read_int32s(buffer, p, partition_indexes_count)
            p += partition_indexes_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            topics.append(OffsetFetchRequestTopic(name, partition_indexes))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return OffsetFetchRequest(group_id, topics, [], False), p


def _decode_3(buffer: memoryview, p: int) -> tuple[OffsetFetchRequest, int]:
    """Versions 7."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("OffsetFetchRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    topics: list[OffsetFetchRequestTopic] | None = None
    if topics_count:
        topics_count -= 1
        if topics_count > room or topics_count * 3 > end - p:
            raise too_many("OffsetFetchRequest.topics", topics_count)
        room -= topics_count
        topics = []
        for _ in range(topics_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("OffsetFetchRequest.topics.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            partition_indexes_count = buffer[p]
            p += 1
            if partition_indexes_count > 127:
                partition_indexes_count, p = uvarint_tail(buffer, p, partition_indexes_count)
            if partition_indexes_count == 0:
                raise missing("OffsetFetchRequest.topics.partition_indexes")
            partition_indexes_count -= 1
            partition_indexes = read_int32s(buffer, p, partition_indexes_count)
            p += partition_indexes_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            topics.append(OffsetFetchRequestTopic(name, partition_indexes))
    require_stable, tags_2 = _unpack_zB(buffer, p)
    p += 2
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return OffsetFetchRequest(group_id, topics, [], require_stable), p


def _decode_4(buffer: memoryview, p: int) -> tuple[OffsetFetchRequest, int]:
    """Versions 8."""
    end = len(buffer)
    room = MAX_ELEMENTS
    groups_count = buffer[p]
    p += 1
    if groups_count > 127:
        groups_count, p = uvarint_tail(buffer, p, groups_count)
    if groups_count == 0:
        raise missing("OffsetFetchRequest.groups")
    groups_count -= 1
    if groups_count > room or groups_count * 3 > end - p:
        raise too_many("OffsetFetchRequest.groups", groups_count)
    room -= groups_count
    groups: list[OffsetFetchRequestGroup] = []
    for _ in range(groups_count):
        group_id_size = buffer[p]
        p += 1
        if group_id_size > 127:
            group_id_size, p = string_tail(buffer, p, group_id_size)
        if group_id_size == 0:
            raise missing("OffsetFetchRequest.groups.group_id")
        stop = p + group_id_size - 1
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        topics_count = buffer[p]
        p += 1
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        topics: list[OffsetFetchRequestTopics] | None = None
        if topics_count:
            topics_count -= 1
            if topics_count > room or topics_count * 3 > end - p:
                raise too_many("OffsetFetchRequest.groups.topics", topics_count)
            room -= topics_count
            topics = []
            for _ in range(topics_count):
                name_size = buffer[p]
                p += 1
                if name_size > 127:
                    name_size, p = string_tail(buffer, p, name_size)
                if name_size == 0:
                    raise missing("OffsetFetchRequest.groups.topics.name")
                stop = p + name_size - 1
                name = buffer[p:stop].tobytes().decode()
                p = stop
                partition_indexes_count = buffer[p]
                p += 1
                if partition_indexes_count > 127:
                    partition_indexes_count, p = uvarint_tail(buffer, p, partition_indexes_count)
                if partition_indexes_count == 0:
                    raise missing("OffsetFetchRequest.groups.topics.partition_indexes")
                partition_indexes_count -= 1
                partition_indexes = read_int32s(buffer, p, partition_indexes_count)
                p += partition_indexes_count * 4
                tags = buffer[p]
                p += 1
                if tags:
                    p = skip_tags(buffer, p, tags)
                topics.append(OffsetFetchRequestTopics(name, ZERO_UUID, partition_indexes))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        groups.append(OffsetFetchRequestGroup(group_id, None, -1, topics))
    require_stable, tags_3 = _unpack_zB(buffer, p)
    p += 2
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return OffsetFetchRequest("", [], groups, require_stable), p


def _decode_5(buffer: memoryview, p: int) -> tuple[OffsetFetchRequest, int]:
    """Versions 9."""
    end = len(buffer)
    room = MAX_ELEMENTS
    groups_count = buffer[p]
    p += 1
    if groups_count > 127:
        groups_count, p = uvarint_tail(buffer, p, groups_count)
    if groups_count == 0:
        raise missing("OffsetFetchRequest.groups")
    groups_count -= 1
    if groups_count > room or groups_count * 8 > end - p:
        raise too_many("OffsetFetchRequest.groups", groups_count)
    room -= groups_count
    groups: list[OffsetFetchRequestGroup] = []
    for _ in range(groups_count):
        group_id_size = buffer[p]
        p += 1
        if group_id_size > 127:
            group_id_size, p = string_tail(buffer, p, group_id_size)
        if group_id_size == 0:
            raise missing("OffsetFetchRequest.groups.group_id")
        stop = p + group_id_size - 1
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        member_id_size = buffer[p]
        p += 1
        if member_id_size > 127:
            member_id_size, p = string_tail(buffer, p, member_id_size)
        member_id: str | None = None
        if member_id_size:
            stop = p + member_id_size - 1
            member_id = buffer[p:stop].tobytes().decode()
            p = stop
        member_epoch, topics_count = _unpack_iB(buffer, p)
        p += 5
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        topics: list[OffsetFetchRequestTopics] | None = None
        if topics_count:
            topics_count -= 1
            if topics_count > room or topics_count * 3 > end - p:
                raise too_many("OffsetFetchRequest.groups.topics", topics_count)
            room -= topics_count
            topics = []
            for _ in range(topics_count):
                name_size = buffer[p]
                p += 1
                if name_size > 127:
                    name_size, p = string_tail(buffer, p, name_size)
                if name_size == 0:
                    raise missing("OffsetFetchRequest.groups.topics.name")
                stop = p + name_size - 1
                name = buffer[p:stop].tobytes().decode()
                p = stop
                partition_indexes_count = buffer[p]
                p += 1
                if partition_indexes_count > 127:
                    partition_indexes_count, p = uvarint_tail(buffer, p, partition_indexes_count)
                if partition_indexes_count == 0:
                    raise missing("OffsetFetchRequest.groups.topics.partition_indexes")
                partition_indexes_count -= 1
                partition_indexes = read_int32s(buffer, p, partition_indexes_count)
                p += partition_indexes_count * 4
                tags = buffer[p]
                p += 1
                if tags:
                    p = skip_tags(buffer, p, tags)
                topics.append(OffsetFetchRequestTopics(name, ZERO_UUID, partition_indexes))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        groups.append(OffsetFetchRequestGroup(group_id, member_id, member_epoch, topics))
    require_stable, tags_3 = _unpack_zB(buffer, p)
    p += 2
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return OffsetFetchRequest("", [], groups, require_stable), p


def _decode_6(buffer: memoryview, p: int) -> tuple[OffsetFetchRequest, int]:
    """Versions 10."""
    end = len(buffer)
    room = MAX_ELEMENTS
    groups_count = buffer[p]
    p += 1
    if groups_count > 127:
        groups_count, p = uvarint_tail(buffer, p, groups_count)
    if groups_count == 0:
        raise missing("OffsetFetchRequest.groups")
    groups_count -= 1
    if groups_count > room or groups_count * 8 > end - p:
        raise too_many("OffsetFetchRequest.groups", groups_count)
    room -= groups_count
    groups: list[OffsetFetchRequestGroup] = []
    for _ in range(groups_count):
        group_id_size = buffer[p]
        p += 1
        if group_id_size > 127:
            group_id_size, p = string_tail(buffer, p, group_id_size)
        if group_id_size == 0:
            raise missing("OffsetFetchRequest.groups.group_id")
        stop = p + group_id_size - 1
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        member_id_size = buffer[p]
        p += 1
        if member_id_size > 127:
            member_id_size, p = string_tail(buffer, p, member_id_size)
        member_id: str | None = None
        if member_id_size:
            stop = p + member_id_size - 1
            member_id = buffer[p:stop].tobytes().decode()
            p = stop
        member_epoch, topics_count = _unpack_iB(buffer, p)
        p += 5
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        topics: list[OffsetFetchRequestTopics] | None = None
        if topics_count:
            topics_count -= 1
            if topics_count > room or topics_count * 18 > end - p:
                raise too_many("OffsetFetchRequest.groups.topics", topics_count)
            room -= topics_count
            topics = []
            for _ in range(topics_count):
                topic_id, partition_indexes_count = _unpack_uB(buffer, p)
                p += 17
                if partition_indexes_count > 127:
                    partition_indexes_count, p = uvarint_tail(buffer, p, partition_indexes_count)
                if partition_indexes_count == 0:
                    raise missing("OffsetFetchRequest.groups.topics.partition_indexes")
                partition_indexes_count -= 1
                partition_indexes = read_int32s(buffer, p, partition_indexes_count)
                p += partition_indexes_count * 4
                tags = buffer[p]
                p += 1
                if tags:
                    p = skip_tags(buffer, p, tags)
                topics.append(OffsetFetchRequestTopics("", topic_id, partition_indexes))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        groups.append(OffsetFetchRequestGroup(group_id, member_id, member_epoch, topics))
    require_stable, tags_3 = _unpack_zB(buffer, p)
    p += 2
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return OffsetFetchRequest("", [], groups, require_stable), p


def _encode_0(message: OffsetFetchRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    topics_value = message.topics
    if topics_value is None:
        raise null_refused("OffsetFetchRequest.topics")
    topics = topics_value
    out += (_pack_h(group_id_size), group_id, _pack_i(len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        partition_indexes = element.partition_indexes
        out += (_pack_h(name_size), name, _pack_i(len(partition_indexes)), write_int32s(partition_indexes))
    if message.groups:
        raise not_in_version("OffsetFetchRequest.groups")
    if message.require_stable:
        raise not_in_version("OffsetFetchRequest.require_stable")
    return b"".join(out)


def _encode_1(message: OffsetFetchRequest) -> bytes:
    """Versions 2, 3, 4, 5."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    topics = message.topics
    out += (_pack_h(group_id_size), group_id)
    if topics is None:
        out.append(b"\xff\xff\xff\xff")
    else:
        out.append(_pack_i(len(topics)))
        for element in topics:
            name = element.name.encode()
            name_size = len(name)
            partition_indexes = element.partition_indexes
            out += (
                _pack_h(name_size),
                name,
                _pack_i(len(partition_indexes)),
                write_int32s(partition_indexes),
            )
    if message.groups:
        raise not_in_version("OffsetFetchRequest.groups")
    if message.require_stable:
        raise not_in_version("OffsetFetchRequest.require_stable")
    return b"".join(out)


def _encode_2(message: OffsetFetchRequest) -> bytes:
    """Versions 6."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    topics = message.topics
    out += (UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size), group_id)
    if topics is None:
        out.append(b"\0")
    else:
        topics_count = len(topics) + 1
        out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
        for element in topics:
            name = element.name.encode()
            name_size = len(name) + 1
            partition_indexes = element.partition_indexes
            partition_indexes_count = len(partition_indexes) + 1
            out += (
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                UVARINTS[partition_indexes_count] if partition_indexes_count < 256 else uvarint(partition_indexes_count),
                write_int32s(partition_indexes),
                b"\0",
            )
    if message.groups:
        raise not_in_version("OffsetFetchRequest.groups")
    if message.require_stable:
        raise not_in_version("OffsetFetchRequest.require_stable")
    out.append(b"\0")
    return b"".join(out)


def _encode_3(message: OffsetFetchRequest) -> bytes:
    """Versions 7."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    topics = message.topics
    out += (UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size), group_id)
    if topics is None:
        out.append(b"\0")
    else:
        topics_count = len(topics) + 1
        out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
        for element in topics:
            name = element.name.encode()
            name_size = len(name) + 1
            partition_indexes = element.partition_indexes
            partition_indexes_count = len(partition_indexes) + 1
            out += (
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                UVARINTS[partition_indexes_count] if partition_indexes_count < 256 else uvarint(partition_indexes_count),
                write_int32s(partition_indexes),
                b"\0",
            )
    if message.groups:
        raise not_in_version("OffsetFetchRequest.groups")
    out.append(_pack_zx(message.require_stable))
    return b"".join(out)


def _encode_4(message: OffsetFetchRequest) -> bytes:
    """Versions 8."""
    out: list[bytes] = []
    if message.group_id != "":
        raise not_in_version("OffsetFetchRequest.group_id")
    if message.topics is None or message.topics:
        raise not_in_version("OffsetFetchRequest.topics")
    groups = message.groups
    groups_count = len(groups) + 1
    out.append(UVARINTS[groups_count] if groups_count < 256 else uvarint(groups_count))
    for element in groups:
        group_id = element.group_id.encode()
        group_id_size = len(group_id) + 1
        topics = element.topics
        out += (UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size), group_id)
        if topics is None:
            out.append(b"\0")
        else:
            topics_count = len(topics) + 1
            out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
            for element_2 in topics:
                name = element_2.name.encode()
                name_size = len(name) + 1
                partition_indexes = element_2.partition_indexes
                partition_indexes_count = len(partition_indexes) + 1
                out += (
                    UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                    name,
                    UVARINTS[partition_indexes_count] if partition_indexes_count < 256 else uvarint(partition_indexes_count),
                    write_int32s(partition_indexes),
                    b"\0",
                )
        out.append(b"\0")
    out.append(_pack_zx(message.require_stable))
    return b"".join(out)


def _encode_5(message: OffsetFetchRequest) -> bytes:
    """Versions 9."""
    out: list[bytes] = []
    if message.group_id != "":
        raise not_in_version("OffsetFetchRequest.group_id")
    if message.topics is None or message.topics:
        raise not_in_version("OffsetFetchRequest.topics")
    groups = message.groups
    groups_count = len(groups) + 1
    out.append(UVARINTS[groups_count] if groups_count < 256 else uvarint(groups_count))
    for element in groups:
        group_id = element.group_id.encode()
        group_id_size = len(group_id) + 1
        member_id_value = element.member_id
        if member_id_value is None:
            member_id_size, member_id = 0, b""
        else:
            member_id = member_id_value.encode()
            member_id_size = len(member_id) + 1
        topics = element.topics
        out += (
            UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
            group_id,
            UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
            member_id,
            _pack_i(element.member_epoch),
        )
        if topics is None:
            out.append(b"\0")
        else:
            topics_count = len(topics) + 1
            out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
            for element_2 in topics:
                name = element_2.name.encode()
                name_size = len(name) + 1
                partition_indexes = element_2.partition_indexes
                partition_indexes_count = len(partition_indexes) + 1
                out += (
                    UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                    name,
                    UVARINTS[partition_indexes_count] if partition_indexes_count < 256 else uvarint(partition_indexes_count),
                    write_int32s(partition_indexes),
                    b"\0",
                )
        out.append(b"\0")
    out.append(_pack_zx(message.require_stable))
    return b"".join(out)


def _encode_6(message: OffsetFetchRequest) -> bytes:
    """Versions 10."""
    out: list[bytes] = []
    if message.group_id != "":
        raise not_in_version("OffsetFetchRequest.group_id")
    if message.topics is None or message.topics:
        raise not_in_version("OffsetFetchRequest.topics")
    groups = message.groups
    groups_count = len(groups) + 1
    out.append(UVARINTS[groups_count] if groups_count < 256 else uvarint(groups_count))
    for element in groups:
        group_id = element.group_id.encode()
        group_id_size = len(group_id) + 1
        member_id_value = element.member_id
        if member_id_value is None:
            member_id_size, member_id = 0, b""
        else:
            member_id = member_id_value.encode()
            member_id_size = len(member_id) + 1
        topics = element.topics
        out += (
            UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
            group_id,
            UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
            member_id,
            _pack_i(element.member_epoch),
        )
        if topics is None:
            out.append(b"\0")
        else:
            topics_count = len(topics) + 1
            out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
            for element_2 in topics:
                topic_id = element_2.topic_id
                if len(topic_id) != 16:
                    raise bad_uuid("OffsetFetchRequest.groups.topics.topic_id")
                partition_indexes = element_2.partition_indexes
                partition_indexes_count = len(partition_indexes) + 1
                out += (
                    _pack_u(topic_id),
                    UVARINTS[partition_indexes_count] if partition_indexes_count < 256 else uvarint(partition_indexes_count),
                    write_int32s(partition_indexes),
                    b"\0",
                )
        out.append(b"\0")
    out.append(_pack_zx(message.require_stable))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[OffsetFetchRequest, int]]]] = {
    1: _decode_0,
    2: _decode_1,
    3: _decode_1,
    4: _decode_1,
    5: _decode_1,
    6: _decode_2,
    7: _decode_3,
    8: _decode_4,
    9: _decode_5,
    10: _decode_6,
}
_ENCODERS: Final[dict[int, Callable[[OffsetFetchRequest], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
    3: _encode_1,
    4: _encode_1,
    5: _encode_1,
    6: _encode_2,
    7: _encode_3,
    8: _encode_4,
    9: _encode_5,
    10: _encode_6,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[OffsetFetchRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"OffsetFetchRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"OffsetFetchRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"OffsetFetchRequest v{version} is cut short")
    return result


def encode(message: OffsetFetchRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"OffsetFetchRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"OffsetFetchRequest v{version}: {error}") from error
