"""FetchSnapshotResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    join_parts,
    MALFORMED,
    MAX_ELEMENTS,
    missing,
    not_in_version,
    null_refused,
    Part,
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

NAME: Final = "FetchSnapshotResponse"
API_KEY: Final = 59
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_HB = Struct(">HB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ihqiB = Struct(">ihqiB").unpack_from
_unpack_iiB = Struct(">iiB").unpack_from
_unpack_qqB = Struct(">qqB").unpack_from
_pack_Hx = Struct(">Hx").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ihqixqq = Struct(">ihqixqq").pack
_pack_iix = Struct(">iix").pack


@dataclass(init=False, repr=False, eq=False)
class SnapshotId(Wire):
    """SnapshotId."""

    __slots__ = ("end_offset", "epoch")

    end_offset: int
    epoch: int

    def __init__(
        self,
        end_offset: int = 0,
        epoch: int = 0,
    ) -> None:
        self.end_offset = end_offset
        self.epoch = epoch


@dataclass(init=False, repr=False, eq=False)
class LeaderIdAndEpoch(Wire):
    """LeaderIdAndEpoch."""

    __slots__ = ("leader_id", "leader_epoch")

    leader_id: int
    leader_epoch: int

    def __init__(
        self,
        leader_id: int = 0,
        leader_epoch: int = 0,
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


@dataclass(init=False, repr=False, eq=False)
class PartitionSnapshot(Wire):
    """PartitionSnapshot."""

    __slots__ = ("index", "error_code", "snapshot_id", "current_leader", "size", "position", "unaligned_records")

    index: int
    error_code: int
    snapshot_id: SnapshotId
    current_leader: LeaderIdAndEpoch
    size: int
    position: int
    unaligned_records: Part | None

    def __init__(
        self,
        index: int = 0,
        error_code: int = 0,
        snapshot_id: SnapshotId = UNSET,
        current_leader: LeaderIdAndEpoch = UNSET,
        size: int = 0,
        position: int = 0,
        unaligned_records: Part | None = None,
    ) -> None:
        self.index = index
        self.error_code = error_code
        self.snapshot_id = SnapshotId() if snapshot_id is UNSET else snapshot_id
        self.current_leader = LeaderIdAndEpoch() if current_leader is UNSET else current_leader
        self.size = size
        self.position = position
        self.unaligned_records = unaligned_records


@dataclass(init=False, repr=False, eq=False)
class TopicSnapshot(Wire):
    """TopicSnapshot."""

    __slots__ = ("name", "partitions")

    name: str
    partitions: list[PartitionSnapshot]

    def __init__(
        self,
        name: str = "",
        partitions: list[PartitionSnapshot] = UNSET,
    ) -> None:
        self.name = name
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
class FetchSnapshotResponse(Wire):
    """FetchSnapshotResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "topics", "node_endpoints")

    throttle_time_ms: int
    error_code: int
    topics: list[TopicSnapshot]
    node_endpoints: list[NodeEndpoint]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        topics: list[TopicSnapshot] = UNSET,
        node_endpoints: list[NodeEndpoint] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.topics = [] if topics is UNSET else topics
        self.node_endpoints = [] if node_endpoints is UNSET else node_endpoints


def _decode_0(buffer: memoryview, p: int) -> tuple[FetchSnapshotResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, topics_count = _unpack_ihB(buffer, p)
    p += 7
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("FetchSnapshotResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("FetchSnapshotResponse.topics", topics_count)
    room -= topics_count
    topics: list[TopicSnapshot] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("FetchSnapshotResponse.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("FetchSnapshotResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 37 > end - p:
            raise too_many("FetchSnapshotResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionSnapshot] = []
        for _ in range(partitions_count):
            index, error_code_2, end_offset, epoch, tags = _unpack_ihqiB(buffer, p)
            p += 19
            if tags:
                p = skip_tags(buffer, p, tags)
            size, position, unaligned_records_size = _unpack_qqB(buffer, p)
            p += 17
            if unaligned_records_size > 127:
                unaligned_records_size, p = uvarint_tail(buffer, p, unaligned_records_size)
            if unaligned_records_size == 0:
                raise missing("FetchSnapshotResponse.topics.partitions.unaligned_records")
            stop = p + unaligned_records_size - 1
            unaligned_records = buffer[p:stop]
            p = stop
            tags_2 = buffer[p]
            p += 1
            current_leader: LeaderIdAndEpoch = LeaderIdAndEpoch()
            if tags_2:
                if tags_2 > 127:
                    tags_2, p = uvarint_tail(buffer, p, tags_2)
                tag = -1
                for _ in range(tags_2):
                    tag, tag_stop, p = read_tag(buffer, p, tag)
                    if tag == 0:
                        leader_id, leader_epoch, tags_3 = _unpack_iiB(buffer, p)
                        p += 9
                        if tags_3:
                            p = skip_tags(buffer, p, tags_3)
                        current_leader = LeaderIdAndEpoch(leader_id, leader_epoch)
                    else:
                        p = tag_stop
                    if p != tag_stop:
                        raise DecodeError("FetchSnapshotResponse.topics.partitions: a tagged field is not of its size")
            partitions.append(PartitionSnapshot(index, error_code_2, SnapshotId(end_offset, epoch), current_leader, size, position, unaligned_records))
        tags_4 = buffer[p]
        p += 1
        if tags_4:
            p = skip_tags(buffer, p, tags_4)
        topics.append(TopicSnapshot(name, partitions))
    tags_5 = buffer[p]
    p += 1
    if tags_5:
        p = skip_tags(buffer, p, tags_5)
    return FetchSnapshotResponse(throttle_time_ms, error_code, topics, []), p


def _decode_1(buffer: memoryview, p: int) -> tuple[FetchSnapshotResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, topics_count = _unpack_ihB(buffer, p)
    p += 7
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("FetchSnapshotResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("FetchSnapshotResponse.topics", topics_count)
    room -= topics_count
    topics: list[TopicSnapshot] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("FetchSnapshotResponse.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("FetchSnapshotResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 37 > end - p:
            raise too_many("FetchSnapshotResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionSnapshot] = []
        for _ in range(partitions_count):
            index, error_code_2, end_offset, epoch, tags = _unpack_ihqiB(buffer, p)
            p += 19
            if tags:
                p = skip_tags(buffer, p, tags)
            size, position, unaligned_records_size = _unpack_qqB(buffer, p)
            p += 17
            if unaligned_records_size > 127:
                unaligned_records_size, p = uvarint_tail(buffer, p, unaligned_records_size)
            if unaligned_records_size == 0:
                raise missing("FetchSnapshotResponse.topics.partitions.unaligned_records")
            stop = p + unaligned_records_size - 1
            unaligned_records = buffer[p:stop]
            p = stop
            tags_2 = buffer[p]
            p += 1
            current_leader: LeaderIdAndEpoch = LeaderIdAndEpoch()
            if tags_2:
                if tags_2 > 127:
                    tags_2, p = uvarint_tail(buffer, p, tags_2)
                tag = -1
                for _ in range(tags_2):
                    tag, tag_stop, p = read_tag(buffer, p, tag)
                    if tag == 0:
                        leader_id, leader_epoch, tags_3 = _unpack_iiB(buffer, p)
                        p += 9
                        if tags_3:
                            p = skip_tags(buffer, p, tags_3)
                        current_leader = LeaderIdAndEpoch(leader_id, leader_epoch)
                    else:
                        p = tag_stop
                    if p != tag_stop:
                        raise DecodeError("FetchSnapshotResponse.topics.partitions: a tagged field is not of its size")
            partitions.append(PartitionSnapshot(index, error_code_2, SnapshotId(end_offset, epoch), current_leader, size, position, unaligned_records))
        tags_4 = buffer[p]
        p += 1
        if tags_4:
            p = skip_tags(buffer, p, tags_4)
        topics.append(TopicSnapshot(name, partitions))
    tags_5 = buffer[p]
    p += 1
    node_endpoints: list[NodeEndpoint] = []
    if tags_5:
        if tags_5 > 127:
            tags_5, p = uvarint_tail(buffer, p, tags_5)
        tag_2 = -1
        for _ in range(tags_5):
            tag_2, tag_stop_2, p = read_tag(buffer, p, tag_2)
            if tag_2 == 0:
                node_endpoints_count = buffer[p]
                p += 1
                if node_endpoints_count > 127:
                    node_endpoints_count, p = uvarint_tail(buffer, p, node_endpoints_count)
                if node_endpoints_count == 0:
                    raise missing("FetchSnapshotResponse.node_endpoints")
                node_endpoints_count -= 1
                if node_endpoints_count > room or node_endpoints_count * 8 > end - p:
                    raise too_many("FetchSnapshotResponse.node_endpoints", node_endpoints_count)
                room -= node_endpoints_count
                node_endpoints_2: list[NodeEndpoint] = []
                for _ in range(node_endpoints_count):
                    node_id, host_size = _unpack_iB(buffer, p)
                    p += 5
                    if host_size > 127:
                        host_size, p = string_tail(buffer, p, host_size)
                    if host_size == 0:
                        raise missing("FetchSnapshotResponse.node_endpoints.host")
                    stop = p + host_size - 1
                    host = buffer[p:stop].tobytes().decode()
                    p = stop
                    port, tags_6 = _unpack_HB(buffer, p)
                    p += 3
                    if tags_6:
                        p = skip_tags(buffer, p, tags_6)
                    node_endpoints_2.append(NodeEndpoint(node_id, host, port))
                node_endpoints = node_endpoints_2
            else:
                p = tag_stop_2
            if p != tag_stop_2:
                raise DecodeError("FetchSnapshotResponse: a tagged field is not of its size")
    return FetchSnapshotResponse(throttle_time_ms, error_code, topics, node_endpoints), p


def _encode_0(message: FetchSnapshotResponse) -> list[Part]:
    """Versions 0."""
    out: list[bytes] = []
    parts: list[Part] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
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
            snapshot_id = element_2.snapshot_id
            unaligned_records_value = element_2.unaligned_records
            if unaligned_records_value is None:
                raise null_refused("FetchSnapshotResponse.topics.partitions.unaligned_records")
            unaligned_records = unaligned_records_value
            unaligned_records_size = len(unaligned_records) + 1
            out += (
                _pack_ihqixqq(element_2.index, element_2.error_code, snapshot_id.end_offset, snapshot_id.epoch, element_2.size, element_2.position),
                UVARINTS[unaligned_records_size] if unaligned_records_size < 256 else uvarint(unaligned_records_size),
            )
            if unaligned_records:
                parts.append(b"".join(out))
                parts.append(unaligned_records)
                out = []
            tags = 0
            tagged: list[bytes] = []
            if element_2.current_leader.leader_id != 0 or element_2.current_leader.leader_epoch != 0:
                content: list[bytes] = []
                current_leader = element_2.current_leader
                content.append(_pack_iix(current_leader.leader_id, current_leader.leader_epoch))
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
    if message.node_endpoints:
        raise not_in_version("FetchSnapshotResponse.node_endpoints")
    out.append(b"\0")
    if out:
        parts.append(b"".join(out))
    return parts


def _encode_1(message: FetchSnapshotResponse) -> list[Part]:
    """Versions 1."""
    out: list[bytes] = []
    parts: list[Part] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
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
            snapshot_id = element_2.snapshot_id
            unaligned_records_value = element_2.unaligned_records
            if unaligned_records_value is None:
                raise null_refused("FetchSnapshotResponse.topics.partitions.unaligned_records")
            unaligned_records = unaligned_records_value
            unaligned_records_size = len(unaligned_records) + 1
            out += (
                _pack_ihqixqq(element_2.index, element_2.error_code, snapshot_id.end_offset, snapshot_id.epoch, element_2.size, element_2.position),
                UVARINTS[unaligned_records_size] if unaligned_records_size < 256 else uvarint(unaligned_records_size),
            )
            if unaligned_records:
                parts.append(b"".join(out))
                parts.append(unaligned_records)
                out = []
            tags = 0
            tagged: list[bytes] = []
            if element_2.current_leader.leader_id != 0 or element_2.current_leader.leader_epoch != 0:
                content: list[bytes] = []
                current_leader = element_2.current_leader
                content.append(_pack_iix(current_leader.leader_id, current_leader.leader_epoch))
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
    tags_2 = 0
    tagged_2: list[bytes] = []
    if message.node_endpoints:
        content_2: list[bytes] = []
        node_endpoints = message.node_endpoints
        node_endpoints_count = len(node_endpoints) + 1
        content_2.append(UVARINTS[node_endpoints_count] if node_endpoints_count < 256 else uvarint(node_endpoints_count))
        for element_3 in node_endpoints:
            host = element_3.host.encode()
            host_size = len(host) + 1
            content_2 += (
                _pack_i(element_3.node_id),
                UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
                host,
                _pack_Hx(element_3.port),
            )
        joined_2 = b"".join(content_2)
        joined_size_2 = len(joined_2)
        tags_2 += 1
        tagged_2 += (
            UVARINTS[0],
            UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
            joined_2,
        )
    if tags_2:
        out.append(UVARINTS[tags_2])
        out += tagged_2
    else:
        out.append(b"\0")
    if out:
        parts.append(b"".join(out))
    return parts


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[FetchSnapshotResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[FetchSnapshotResponse], list[Part]]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[FetchSnapshotResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"FetchSnapshotResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"FetchSnapshotResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"FetchSnapshotResponse v{version} is cut short")
    return result


def encode_parts(message: FetchSnapshotResponse, version: int) -> list[Part]:
    """The encoded message in pieces; records are passed on as they are."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"FetchSnapshotResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"FetchSnapshotResponse v{version}: {error}") from error


def encode(message: FetchSnapshotResponse, version: int) -> bytes:
    """The encoded message in one piece; file slices are read."""
    return join_parts(encode_parts(message, version))
