"""DescribeShareGroupOffsetsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

# fmt: off
# ruff: noqa: A001, ARG001, N816
# Layout is fixed by the generator, so that it does not depend on the version of a formatter.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from riverlog.protocol.errors import DecodeError, EncodeError
from riverlog.protocol.primitives import (
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
)

NAME: Final = "DescribeShareGroupOffsetsRequest"
API_KEY: Final = 90
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False


@dataclass(init=False, repr=False, eq=False)
class DescribeShareGroupOffsetsRequestTopic(Wire):
    """DescribeShareGroupOffsetsRequestTopic."""

    __slots__ = ("topic_name", "partitions")

    topic_name: str
    partitions: list[int]

    def __init__(
        self,
        topic_name: str = "",
        partitions: list[int] = UNSET,
    ) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class DescribeShareGroupOffsetsRequestGroup(Wire):
    """DescribeShareGroupOffsetsRequestGroup."""

    __slots__ = ("group_id", "topics")

    group_id: str
    topics: list[DescribeShareGroupOffsetsRequestTopic] | None

    def __init__(
        self,
        group_id: str = "",
        topics: list[DescribeShareGroupOffsetsRequestTopic] | None = UNSET,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET else topics


@dataclass(init=False, repr=False, eq=False)
class DescribeShareGroupOffsetsRequest(Wire):
    """DescribeShareGroupOffsetsRequest."""

    __slots__ = ("groups",)

    groups: list[DescribeShareGroupOffsetsRequestGroup]

    def __init__(
        self,
        groups: list[DescribeShareGroupOffsetsRequestGroup] = UNSET,
    ) -> None:
        self.groups = [] if groups is UNSET else groups


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeShareGroupOffsetsRequest, int]:
    """Versions 0, 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    groups_count = buffer[p]
    p += 1
    if groups_count > 127:
        groups_count, p = uvarint_tail(buffer, p, groups_count)
    if groups_count == 0:
        raise missing("DescribeShareGroupOffsetsRequest.groups")
    groups_count -= 1
    if groups_count > room or groups_count * 3 > end - p:
        raise too_many("DescribeShareGroupOffsetsRequest.groups", groups_count)
    room -= groups_count
    groups: list[DescribeShareGroupOffsetsRequestGroup] = []
    for _ in range(groups_count):
        group_id_size = buffer[p]
        p += 1
        if group_id_size > 127:
            group_id_size, p = string_tail(buffer, p, group_id_size)
        if group_id_size == 0:
            raise missing("DescribeShareGroupOffsetsRequest.groups.group_id")
        stop = p + group_id_size - 1
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        topics_count = buffer[p]
        p += 1
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        topics: list[DescribeShareGroupOffsetsRequestTopic] | None = None
        if topics_count:
            topics_count -= 1
            if topics_count > room or topics_count * 3 > end - p:
                raise too_many("DescribeShareGroupOffsetsRequest.groups.topics", topics_count)
            room -= topics_count
            topics = []
            for _ in range(topics_count):
                topic_name_size = buffer[p]
                p += 1
                if topic_name_size > 127:
                    topic_name_size, p = string_tail(buffer, p, topic_name_size)
                if topic_name_size == 0:
                    raise missing("DescribeShareGroupOffsetsRequest.groups.topics.topic_name")
                stop = p + topic_name_size - 1
                topic_name = buffer[p:stop].tobytes().decode()
                p = stop
                partitions_count = buffer[p]
                p += 1
                if partitions_count > 127:
                    partitions_count, p = uvarint_tail(buffer, p, partitions_count)
                if partitions_count == 0:
                    raise missing("DescribeShareGroupOffsetsRequest.groups.topics.partitions")
                partitions_count -= 1
                partitions = read_int32s(buffer, p, partitions_count)
                p += partitions_count * 4
                tags = buffer[p]
                p += 1
                if tags:
                    p = skip_tags(buffer, p, tags)
                topics.append(DescribeShareGroupOffsetsRequestTopic(topic_name, partitions))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        groups.append(DescribeShareGroupOffsetsRequestGroup(group_id, topics))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return DescribeShareGroupOffsetsRequest(groups), p


def _encode_0(message: DescribeShareGroupOffsetsRequest) -> bytes:
    """Versions 0, 1."""
    out: list[bytes] = []
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
                topic_name = element_2.topic_name.encode()
                topic_name_size = len(topic_name) + 1
                partitions = element_2.partitions
                partitions_count = len(partitions) + 1
                out += (
                    UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
                    topic_name,
                    UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
                    write_int32s(partitions),
                    b"\0",
                )
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeShareGroupOffsetsRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[DescribeShareGroupOffsetsRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeShareGroupOffsetsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeShareGroupOffsetsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeShareGroupOffsetsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeShareGroupOffsetsRequest v{version} is cut short")
    return result


def encode(message: DescribeShareGroupOffsetsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeShareGroupOffsetsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeShareGroupOffsetsRequest v{version}: {error}") from error
