"""RemoteLogSegmentMetadataUpdateRecord. Written by `python -m codegen` from schemas/storage; do not edit."""

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
    missing,
    skip_tags,
    string_prefix,
    string_tail,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
    ZERO_UUID,
)

NAME: Final = "RemoteLogSegmentMetadataUpdateRecord"
API_KEY: Final = 1
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_uiB = Struct(">16siB").unpack_from
_unpack_bB = Struct(">bB").unpack_from
_unpack_iqB = Struct(">iqB").unpack_from
_pack_uixuxiq = Struct(">16six16sxiq").pack
_pack_bx = Struct(">bx").pack


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
class RemoteLogSegmentMetadataUpdateRecord(Wire):
    """RemoteLogSegmentMetadataUpdateRecord."""

    __slots__ = ("remote_log_segment_id", "broker_id", "event_timestamp_ms", "custom_metadata", "remote_log_segment_state")

    remote_log_segment_id: RemoteLogSegmentIdEntry
    broker_id: int
    event_timestamp_ms: int
    custom_metadata: bytes | None
    remote_log_segment_state: int

    def __init__(
        self,
        remote_log_segment_id: RemoteLogSegmentIdEntry = UNSET,
        broker_id: int = 0,
        event_timestamp_ms: int = 0,
        custom_metadata: bytes | None = None,
        remote_log_segment_state: int = 0,
    ) -> None:
        self.remote_log_segment_id = RemoteLogSegmentIdEntry() if remote_log_segment_id is UNSET else remote_log_segment_id
        self.broker_id = broker_id
        self.event_timestamp_ms = event_timestamp_ms
        self.custom_metadata = custom_metadata
        self.remote_log_segment_state = remote_log_segment_state


def _decode_0(buffer: memoryview, p: int) -> tuple[RemoteLogSegmentMetadataUpdateRecord, int]:
    """Versions 0."""
    name_size = buffer[p]
    p += 1
    if name_size > 127:
        name_size, p = string_tail(buffer, p, name_size)
    if name_size == 0:
        raise missing("RemoteLogSegmentMetadataUpdateRecord.remote_log_segment_id.topic_id_partition.name")
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
    broker_id, event_timestamp_ms, custom_metadata_size = _unpack_iqB(buffer, p)
    p += 13
    if custom_metadata_size > 127:
        custom_metadata_size, p = uvarint_tail(buffer, p, custom_metadata_size)
    custom_metadata: bytes | None = None
    if custom_metadata_size:
        stop = p + custom_metadata_size - 1
        custom_metadata = buffer[p:stop].tobytes()
        p = stop
    remote_log_segment_state, tags_3 = _unpack_bB(buffer, p)
    p += 2
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return RemoteLogSegmentMetadataUpdateRecord(RemoteLogSegmentIdEntry(TopicIdPartitionEntry(name, id, partition), id_2), broker_id, event_timestamp_ms, custom_metadata, remote_log_segment_state), p


def _encode_0(message: RemoteLogSegmentMetadataUpdateRecord) -> bytes:
    """Versions 0."""
    remote_log_segment_id = message.remote_log_segment_id
    topic_id_partition = remote_log_segment_id.topic_id_partition
    name = topic_id_partition.name.encode()
    name_size = len(name) + 1
    id = topic_id_partition.id
    if len(id) != 16:
        raise bad_uuid("RemoteLogSegmentMetadataUpdateRecord.remote_log_segment_id.topic_id_partition.id")
    id_2 = remote_log_segment_id.id
    if len(id_2) != 16:
        raise bad_uuid("RemoteLogSegmentMetadataUpdateRecord.remote_log_segment_id.id")
    custom_metadata_value = message.custom_metadata
    if custom_metadata_value is None:
        custom_metadata_size, custom_metadata = 0, b""
    else:
        custom_metadata = custom_metadata_value
        custom_metadata_size = len(custom_metadata) + 1
    return b"".join((UVARINTS[name_size] if name_size < 256 else string_prefix(name_size), name, _pack_uixuxiq(id, topic_id_partition.partition, id_2, message.broker_id, message.event_timestamp_ms), UVARINTS[custom_metadata_size] if custom_metadata_size < 256 else uvarint(custom_metadata_size), custom_metadata, _pack_bx(message.remote_log_segment_state)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[RemoteLogSegmentMetadataUpdateRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[RemoteLogSegmentMetadataUpdateRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[RemoteLogSegmentMetadataUpdateRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"RemoteLogSegmentMetadataUpdateRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"RemoteLogSegmentMetadataUpdateRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"RemoteLogSegmentMetadataUpdateRecord v{version} is cut short")
    return result


def encode(message: RemoteLogSegmentMetadataUpdateRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"RemoteLogSegmentMetadataUpdateRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"RemoteLogSegmentMetadataUpdateRecord v{version}: {error}") from error
