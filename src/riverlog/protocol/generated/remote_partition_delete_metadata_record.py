"""RemotePartitionDeleteMetadataRecord. Written by `python -m codegen` from schemas/storage; do not edit."""

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
    UVARINTS,
    Wire,
    ZERO_UUID,
)

NAME: Final = "RemotePartitionDeleteMetadataRecord"
API_KEY: Final = 2
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uiB = Struct(">16siB").unpack_from
_unpack_iqbB = Struct(">iqbB").unpack_from
_pack_uixiqbx = Struct(">16sixiqbx").pack


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
class RemotePartitionDeleteMetadataRecord(Wire):
    """RemotePartitionDeleteMetadataRecord."""

    __slots__ = ("topic_id_partition", "broker_id", "event_timestamp_ms", "remote_partition_delete_state")

    topic_id_partition: TopicIdPartitionEntry
    broker_id: int
    event_timestamp_ms: int
    remote_partition_delete_state: int

    def __init__(
        self,
        topic_id_partition: TopicIdPartitionEntry = UNSET,
        broker_id: int = 0,
        event_timestamp_ms: int = 0,
        remote_partition_delete_state: int = 0,
    ) -> None:
        self.topic_id_partition = TopicIdPartitionEntry() if topic_id_partition is UNSET else topic_id_partition
        self.broker_id = broker_id
        self.event_timestamp_ms = event_timestamp_ms
        self.remote_partition_delete_state = remote_partition_delete_state


def _decode_0(buffer: memoryview, p: int) -> tuple[RemotePartitionDeleteMetadataRecord, int]:
    """Versions 0."""
    name_size = buffer[p]
    p += 1
    if name_size > 127:
        name_size, p = string_tail(buffer, p, name_size)
    if name_size == 0:
        raise missing("RemotePartitionDeleteMetadataRecord.topic_id_partition.name")
    stop = p + name_size - 1
    name = buffer[p:stop].tobytes().decode()
    p = stop
    id, partition, tags = _unpack_uiB(buffer, p)
    p += 21
    if tags:
        p = skip_tags(buffer, p, tags)
    broker_id, event_timestamp_ms, remote_partition_delete_state, tags_2 = _unpack_iqbB(buffer, p)
    p += 14
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return RemotePartitionDeleteMetadataRecord(TopicIdPartitionEntry(name, id, partition), broker_id, event_timestamp_ms, remote_partition_delete_state), p


def _encode_0(message: RemotePartitionDeleteMetadataRecord) -> bytes:
    """Versions 0."""
    topic_id_partition = message.topic_id_partition
    name = topic_id_partition.name.encode()
    name_size = len(name) + 1
    id = topic_id_partition.id
    if len(id) != 16:
        raise bad_uuid("RemotePartitionDeleteMetadataRecord.topic_id_partition.id")
    return b"".join((UVARINTS[name_size] if name_size < 256 else string_prefix(name_size), name, _pack_uixiqbx(id, topic_id_partition.partition, message.broker_id, message.event_timestamp_ms, message.remote_partition_delete_state)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[RemotePartitionDeleteMetadataRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[RemotePartitionDeleteMetadataRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[RemotePartitionDeleteMetadataRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"RemotePartitionDeleteMetadataRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"RemotePartitionDeleteMetadataRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"RemotePartitionDeleteMetadataRecord v{version} is cut short")
    return result


def encode(message: RemotePartitionDeleteMetadataRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"RemotePartitionDeleteMetadataRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"RemotePartitionDeleteMetadataRecord v{version}: {error}") from error
