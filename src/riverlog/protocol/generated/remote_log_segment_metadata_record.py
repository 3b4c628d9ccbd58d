"""RemoteLogSegmentMetadataRecord. Written by `python -m codegen` from schemas/storage; do not edit."""

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

NAME: Final = "RemoteLogSegmentMetadataRecord"
API_KEY: Final = 0
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_uiB = Struct(">16siB").unpack_from
_unpack_bB = Struct(">bB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_iqB = Struct(">iqB").unpack_from
_unpack_qqiqqB = Struct(">qqiqqB").unpack_from
_pack_uixuxqqiqq = Struct(">16six16sxqqiqq").pack
_pack_z = Struct(">?").pack
_pack_b = Struct(">b").pack
_pack_i = Struct(">i").pack
_pack_iqx = Struct(">iqx").pack


@dataclass(init=False, repr=False, eq=False)
class TopicIdPartitionEntry(Wire):
    """TopicIdPartitionEntry."""

    __slots__ = ("name", "id", "partition")

    name: str
    id: bytes
    partition: int

    def __init__(
        self,
        name: str = "",
        id: bytes = ZERO_UUID,
        partition: int = 0,
    ) -> None:
        self.name = name
        self.id = id
        self.partition = partition


@dataclass(init=False, repr=False, eq=False)
class RemoteLogSegmentIdEntry(Wire):
    """RemoteLogSegmentIdEntry."""

    __slots__ = ("topic_id_partition", "id")

    topic_id_partition: TopicIdPartitionEntry
    id: bytes

    def __init__(
        self,
        topic_id_partition: TopicIdPartitionEntry = UNSET,
        id: bytes = ZERO_UUID,
    ) -> None:
        self.topic_id_partition = TopicIdPartitionEntry() if topic_id_partition is UNSET else topic_id_partition
        self.id = id


@dataclass(init=False, repr=False, eq=False)
class SegmentLeaderEpochEntry(Wire):
    """SegmentLeaderEpochEntry."""

    __slots__ = ("leader_epoch", "offset")

    leader_epoch: int
    offset: int

    def __init__(
        self,
        leader_epoch: int = 0,
        offset: int = 0,
    ) -> None:
        self.leader_epoch = leader_epoch
        self.offset = offset


@dataclass(init=False, repr=False, eq=False)
class RemoteLogSegmentMetadataRecord(Wire):
    """RemoteLogSegmentMetadataRecord."""

    __slots__ = ("remote_log_segment_id", "start_offset", "end_offset", "broker_id", "max_timestamp_ms", "event_timestamp_ms", "segment_leader_epochs", "segment_size_in_bytes", "custom_metadata", "remote_log_segment_state", "txn_index_empty")

    remote_log_segment_id: RemoteLogSegmentIdEntry
    start_offset: int
    end_offset: int
    broker_id: int
    max_timestamp_ms: int
    event_timestamp_ms: int
    segment_leader_epochs: list[SegmentLeaderEpochEntry]
    segment_size_in_bytes: int
    custom_metadata: bytes | None
    remote_log_segment_state: int
    txn_index_empty: bool

    def __init__(
        self,
        remote_log_segment_id: RemoteLogSegmentIdEntry = UNSET,
        start_offset: int = 0,
        end_offset: int = 0,
        broker_id: int = 0,
        max_timestamp_ms: int = 0,
        event_timestamp_ms: int = 0,
        segment_leader_epochs: list[SegmentLeaderEpochEntry] = UNSET,
        segment_size_in_bytes: int = 0,
        custom_metadata: bytes | None = None,
        remote_log_segment_state: int = 0,
        txn_index_empty: bool = False,
    ) -> None:
        self.remote_log_segment_id = RemoteLogSegmentIdEntry() if remote_log_segment_id is UNSET else remote_log_segment_id
        self.start_offset = start_offset
        self.end_offset = end_offset
        self.broker_id = broker_id
        self.max_timestamp_ms = max_timestamp_ms
        self.event_timestamp_ms = event_timestamp_ms
        self.segment_leader_epochs = [] if segment_leader_epochs is UNSET else segment_leader_epochs
        self.segment_size_in_bytes = segment_size_in_bytes
        self.custom_metadata = custom_metadata
        self.remote_log_segment_state = remote_log_segment_state
        self.txn_index_empty = txn_index_empty


def _decode_0(buffer: memoryview, p: int) -> tuple[RemoteLogSegmentMetadataRecord, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    name_size = buffer[p]
    p += 1
    if name_size > 127:
        name_size, p = string_tail(buffer, p, name_size)
    if name_size == 0:
        raise missing("RemoteLogSegmentMetadataRecord.remote_log_segment_id.topic_id_partition.name")
    stop = p + name_size - 1
    name = buffer[p:stop].tobytes().decode()
    p = stop
    id, partition, tags = _unpack_uiB(buffer, p)
    p += 21
    if tags:
        p = skip_tags(buffer, p, tags)
    id_2, tags_2 = _unpack_uB(buffer, p)
    p += 17
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    start_offset, end_offset, broker_id, max_timestamp_ms, event_timestamp_ms, segment_leader_epochs_count = _unpack_qqiqqB(buffer, p)
    p += 37
    if segment_leader_epochs_count > 127:
        segment_leader_epochs_count, p = uvarint_tail(buffer, p, segment_leader_epochs_count)
    if segment_leader_epochs_count == 0:
        raise missing("RemoteLogSegmentMetadataRecord.segment_leader_epochs")
    segment_leader_epochs_count -= 1
    if segment_leader_epochs_count > room or segment_leader_epochs_count * 13 > end - p:
        raise too_many("RemoteLogSegmentMetadataRecord.segment_leader_epochs", segment_leader_epochs_count)
    room -= segment_leader_epochs_count
    segment_leader_epochs: list[SegmentLeaderEpochEntry] = []
    for _ in range(segment_leader_epochs_count):
        leader_epoch, offset, tags_3 = _unpack_iqB(buffer, p)
        p += 13
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        segment_leader_epochs.append(SegmentLeaderEpochEntry(leader_epoch, offset))
    segment_size_in_bytes, custom_metadata_size = _unpack_iB(buffer, p)
    p += 5
    if custom_metadata_size > 127:
        custom_metadata_size, p = uvarint_tail(buffer, p, custom_metadata_size)
    custom_metadata: bytes | None = None
    if custom_metadata_size:
        stop = p + custom_metadata_size - 1
        custom_metadata = buffer[p:stop].tobytes()
        p = stop
    remote_log_segment_state, tags_4 = _unpack_bB(buffer, p)
    p += 2
    txn_index_empty: bool = False
    if tags_4:
        if tags_4 > 127:
            tags_4, p = uvarint_tail(buffer, p, tags_4)
        tag = -1
        for _ in range(tags_4):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                txn_index_empty_2 = buffer[p] != 0
                p += 1
                txn_index_empty = txn_index_empty_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("RemoteLogSegmentMetadataRecord: a tagged field is not of its size")
    return RemoteLogSegmentMetadataRecord(RemoteLogSegmentIdEntry(TopicIdPartitionEntry(name, id, partition), id_2), start_offset, end_offset, broker_id, max_timestamp_ms, event_timestamp_ms, segment_leader_epochs, segment_size_in_bytes, custom_metadata, remote_log_segment_state, txn_index_empty), p


def _encode_0(message: RemoteLogSegmentMetadataRecord) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    remote_log_segment_id = message.remote_log_segment_id
    topic_id_partition = remote_log_segment_id.topic_id_partition
    name = topic_id_partition.name.encode()
    name_size = len(name) + 1
    id = topic_id_partition.id
    if len(id) != 16:
        raise bad_uuid("RemoteLogSegmentMetadataRecord.remote_log_segment_id.topic_id_partition.id")
    id_2 = remote_log_segment_id.id
    if len(id_2) != 16:
        raise bad_uuid("RemoteLogSegmentMetadataRecord.remote_log_segment_id.id")
    segment_leader_epochs = message.segment_leader_epochs
    segment_leader_epochs_count = len(segment_leader_epochs) + 1
    out += (
        UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
        name,
        _pack_uixuxqqiqq(id, topic_id_partition.partition, id_2, message.start_offset, message.end_offset, message.broker_id, message.max_timestamp_ms, message.event_timestamp_ms),
        UVARINTS[segment_leader_epochs_count] if segment_leader_epochs_count < 256 else uvarint(segment_leader_epochs_count),
    )
    out += [_pack_iqx(element.leader_epoch, element.offset) for element in segment_leader_epochs]
    custom_metadata_value = message.custom_metadata
    if custom_metadata_value is None:
        custom_metadata_size, custom_metadata = 0, b""
    else:
        custom_metadata = custom_metadata_value
        custom_metadata_size = len(custom_metadata) + 1
    out += (
        _pack_i(message.segment_size_in_bytes),
        UVARINTS[custom_metadata_size] if custom_metadata_size < 256 else uvarint(custom_metadata_size),
        custom_metadata,
        _pack_b(message.remote_log_segment_state),
    )
    tags = 0
    tagged: list[bytes] = []
    if message.txn_index_empty:
        content: list[bytes] = []
        content.append(_pack_z(message.txn_index_empty))
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


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[RemoteLogSegmentMetadataRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[RemoteLogSegmentMetadataRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[RemoteLogSegmentMetadataRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"RemoteLogSegmentMetadataRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"RemoteLogSegmentMetadataRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"RemoteLogSegmentMetadataRecord v{version} is cut short")
    return result


def encode(message: RemoteLogSegmentMetadataRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"RemoteLogSegmentMetadataRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"RemoteLogSegmentMetadataRecord v{version}: {error}") from error
