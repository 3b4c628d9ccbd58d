"""FetchSnapshotRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    ZERO_UUID,
)

NAME: Final = "FetchSnapshotRequest"
API_KEY: Final = 59
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_u = Struct(">16s").unpack_from
_unpack_iiB = Struct(">iiB").unpack_from
_unpack_iiqiB = Struct(">iiqiB").unpack_from
_unpack_qB = Struct(">qB").unpack_from
_pack_u = Struct(">16s").pack
_pack_ii = Struct(">ii").pack
_pack_iiqixq = Struct(">iiqixq").pack
_pack_iiqixqx = Struct(">iiqixqx").pack


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
class PartitionSnapshot(Wire):
    """PartitionSnapshot."""

    __slots__ = ("partition", "current_leader_epoch", "snapshot_id", "position", "replica_directory_id")

    partition: int
    current_leader_epoch: int
    snapshot_id: SnapshotId
    position: int
    replica_directory_id: bytes

    def __init__(
        self,
        partition: int = 0,
        current_leader_epoch: int = 0,
        snapshot_id: SnapshotId = UNSET,
        position: int = 0,
        replica_directory_id: bytes = ZERO_UUID,
    ) -> None:
        self.partition = partition
        self.current_leader_epoch = current_leader_epoch
        self.snapshot_id = SnapshotId() if snapshot_id is UNSET else snapshot_id
        self.position = position
        self.replica_directory_id = replica_directory_id


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
class FetchSnapshotRequest(Wire):
    """FetchSnapshotRequest."""

    __slots__ = ("cluster_id", "replica_id", "max_bytes", "topics")

    cluster_id: str | None
    replica_id: int
    max_bytes: int
    topics: list[TopicSnapshot]

    def __init__(
        self,
        cluster_id: str | None = None,
        replica_id: int = -1,
        max_bytes: int = 2147483647,
        topics: list[TopicSnapshot] = UNSET,
    ) -> None:
        self.cluster_id = cluster_id
        self.replica_id = replica_id
        self.max_bytes = max_bytes
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[FetchSnapshotRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    replica_id, max_bytes, topics_count = _unpack_iiB(buffer, p)
    p += 9
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("FetchSnapshotRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("FetchSnapshotRequest.topics", topics_count)
    room -= topics_count
    topics: list[TopicSnapshot] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("FetchSnapshotRequest.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("FetchSnapshotRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 30 > end - p:
            raise too_many("FetchSnapshotRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionSnapshot] = []
        for _ in range(partitions_count):
            partition, current_leader_epoch, end_offset, epoch, tags = _unpack_iiqiB(buffer, p)
            p += 21
            if tags:
                p = skip_tags(buffer, p, tags)
            position, tags_2 = _unpack_qB(buffer, p)
            p += 9
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            partitions.append(PartitionSnapshot(partition, current_leader_epoch, SnapshotId(end_offset, epoch), position, ZERO_UUID))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(TopicSnapshot(name, partitions))
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
                raise DecodeError("FetchSnapshotRequest: a tagged field is not of its size")
    return FetchSnapshotRequest(cluster_id, replica_id, max_bytes, topics), p


def _decode_1(buffer: memoryview, p: int) -> tuple[FetchSnapshotRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    replica_id, max_bytes, topics_count = _unpack_iiB(buffer, p)
    p += 9
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("FetchSnapshotRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("FetchSnapshotRequest.topics", topics_count)
    room -= topics_count
    topics: list[TopicSnapshot] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("FetchSnapshotRequest.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("FetchSnapshotRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 30 > end - p:
            raise too_many("FetchSnapshotRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionSnapshot] = []
        for _ in range(partitions_count):
            partition, current_leader_epoch, end_offset, epoch, tags = _unpack_iiqiB(buffer, p)
            p += 21
            if tags:
                p = skip_tags(buffer, p, tags)
            position, tags_2 = _unpack_qB(buffer, p)
            p += 9
            replica_directory_id: bytes = ZERO_UUID
            if tags_2:
                if tags_2 > 127:
                    tags_2, p = uvarint_tail(buffer, p, tags_2)
                tag = -1
                for _ in range(tags_2):
                    tag, tag_stop, p = read_tag(buffer, p, tag)
                    if tag == 0:
                        (replica_directory_id_2,) = _unpack_u(buffer, p)
                        p += 16
                        replica_directory_id = replica_directory_id_2
                    else:
                        p = tag_stop
                    if p != tag_stop:
                        raise DecodeError("FetchSnapshotRequest.topics.partitions: a tagged field is not of its size")
            partitions.append(PartitionSnapshot(partition, current_leader_epoch, SnapshotId(end_offset, epoch), position, replica_directory_id))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(TopicSnapshot(name, partitions))
    tags_4 = buffer[p]
    p += 1
    cluster_id: str | None = None
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
            else:
                p = tag_stop_2
            if p != tag_stop_2:
                raise DecodeError("FetchSnapshotRequest: a tagged field is not of its size")
    return FetchSnapshotRequest(cluster_id, replica_id, max_bytes, topics), p


def _encode_0(message: FetchSnapshotRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_ii(message.replica_id, message.max_bytes),
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
            out.append(_pack_iiqixqx(element_2.partition, element_2.current_leader_epoch, snapshot_id.end_offset, snapshot_id.epoch, element_2.position))
        out.append(b"\0")
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


def _encode_1(message: FetchSnapshotRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_ii(message.replica_id, message.max_bytes),
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
            out.append(_pack_iiqixq(element_2.partition, element_2.current_leader_epoch, snapshot_id.end_offset, snapshot_id.epoch, element_2.position))
            tags = 0
            tagged: list[bytes] = []
            if element_2.replica_directory_id != ZERO_UUID:
                content: list[bytes] = []
                replica_directory_id = element_2.replica_directory_id
                if len(replica_directory_id) != 16:
                    raise bad_uuid("FetchSnapshotRequest.topics.partitions.replica_directory_id")
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
    if tags_2:
        out.append(UVARINTS[tags_2])
        out += tagged_2
    else:
        out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[FetchSnapshotRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[FetchSnapshotRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[FetchSnapshotRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"FetchSnapshotRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"FetchSnapshotRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"FetchSnapshotRequest v{version} is cut short")
    return result


def encode(message: FetchSnapshotRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"FetchSnapshotRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"FetchSnapshotRequest v{version}: {error}") from error
