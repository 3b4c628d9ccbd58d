"""TxnOffsetCommitRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
)

NAME: Final = "TxnOffsetCommitRequest"
API_KEY: Final = 28
VERSIONS: Final[tuple[int, int]] = (0, 5)
FLEXIBLE_FROM: Final = 3
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iqh = Struct(">iqh").unpack_from
_unpack_iqiB = Struct(">iqiB").unpack_from
_unpack_iqih = Struct(">iqih").unpack_from
_unpack_qhi = Struct(">qhi").unpack_from
_unpack_qhiB = Struct(">qhiB").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_iqh = Struct(">iqh").pack
_pack_iqi = Struct(">iqi").pack
_pack_iqih = Struct(">iqih").pack
_pack_qhi = Struct(">qhi").pack


@dataclass(init=False, repr=False, eq=False)
class TxnOffsetCommitRequestPartition(Wire):
    """TxnOffsetCommitRequestPartition."""

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
class TxnOffsetCommitRequestTopic(Wire):
    """TxnOffsetCommitRequestTopic."""

    __slots__ = ("name", "partitions")

    name: str
    partitions: list[TxnOffsetCommitRequestPartition]

    def __init__(
        self,
        name: str = "",
        partitions: list[TxnOffsetCommitRequestPartition] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class TxnOffsetCommitRequest(Wire):
    """TxnOffsetCommitRequest."""

    __slots__ = ("transactional_id", "group_id", "producer_id", "producer_epoch", "generation_id", "member_id", "group_instance_id", "topics")

    transactional_id: str
    group_id: str
    producer_id: int
    producer_epoch: int
    generation_id: int
    member_id: str
    group_instance_id: str | None
    topics: list[TxnOffsetCommitRequestTopic]

    def __init__(
        self,
        transactional_id: str = "",
        group_id: str = "",
        producer_id: int = 0,
        producer_epoch: int = 0,
        generation_id: int = -1,
        member_id: str = "",
        group_instance_id: str | None = None,
        topics: list[TxnOffsetCommitRequestTopic] = UNSET,
    ) -> None:
        self.transactional_id = transactional_id
        self.group_id = group_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.generation_id = generation_id
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[TxnOffsetCommitRequest, int]:
    """Versions 0, 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (transactional_id_size,) = _unpack_h(buffer, p)
    p += 2
    if transactional_id_size < 0:
        raise missing("TxnOffsetCommitRequest.transactional_id")
    stop = p + transactional_id_size
    transactional_id = buffer[p:stop].tobytes().decode()
    p = stop
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("TxnOffsetCommitRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    producer_id, producer_epoch, topics_count = _unpack_qhi(buffer, p)
    p += 14
    if topics_count < 0:
        raise missing("TxnOffsetCommitRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("TxnOffsetCommitRequest.topics", topics_count)
    room -= topics_count
    topics: list[TxnOffsetCommitRequestTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("TxnOffsetCommitRequest.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("TxnOffsetCommitRequest.topics.partitions")
        if partitions_count > room or partitions_count * 14 > end - p:
            raise too_many("TxnOffsetCommitRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[TxnOffsetCommitRequestPartition] = []
        for _ in range(partitions_count):
            partition_index, committed_offset, committed_metadata_size = _unpack_iqh(buffer, p)
            p += 14
            committed_metadata: str | None = None
            if committed_metadata_size >= 0:
                stop = p + committed_metadata_size
                committed_metadata = buffer[p:stop].tobytes().decode()
                p = stop
            elif committed_metadata_size != -1:
                raise missing("TxnOffsetCommitRequest.topics.partitions.committed_metadata")
            partitions.append(TxnOffsetCommitRequestPartition(partition_index, committed_offset, -1, committed_metadata))
        topics.append(TxnOffsetCommitRequestTopic(name, partitions))
    return TxnOffsetCommitRequest(transactional_id, group_id, producer_id, producer_epoch, -1, "", None, topics), p


def _decode_1(buffer: memoryview, p: int) -> tuple[TxnOffsetCommitRequest, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (transactional_id_size,) = _unpack_h(buffer, p)
    p += 2
    if transactional_id_size < 0:
        raise missing("TxnOffsetCommitRequest.transactional_id")
    stop = p + transactional_id_size
    transactional_id = buffer[p:stop].tobytes().decode()
    p = stop
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("TxnOffsetCommitRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    producer_id, producer_epoch, topics_count = _unpack_qhi(buffer, p)
    p += 14
    if topics_count < 0:
        raise missing("TxnOffsetCommitRequest.topics")
    if topics_count > room or topics_count * 6 > end - p:
        raise too_many("TxnOffsetCommitRequest.topics", topics_count)
    room -= topics_count
    topics: list[TxnOffsetCommitRequestTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("TxnOffsetCommitRequest.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("TxnOffsetCommitRequest.topics.partitions")
        if partitions_count > room or partitions_count * 18 > end - p:
            raise too_many("TxnOffsetCommitRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[TxnOffsetCommitRequestPartition] = []
        for _ in range(partitions_count):
            partition_index, committed_offset, committed_leader_epoch, committed_metadata_size = _unpack_iqih(buffer, p)
            p += 18
            committed_metadata: str | None = None
            if committed_metadata_size >= 0:
                stop = p + committed_metadata_size
                committed_metadata = buffer[p:stop].tobytes().decode()
                p = stop
            elif committed_metadata_size != -1:
                raise missing("TxnOffsetCommitRequest.topics.partitions.committed_metadata")
            partitions.append(TxnOffsetCommitRequestPartition(partition_index, committed_offset, committed_leader_epoch, committed_metadata))
        topics.append(TxnOffsetCommitRequestTopic(name, partitions))
    return TxnOffsetCommitRequest(transactional_id, group_id, producer_id, producer_epoch, -1, "", None, topics), p


def _decode_2(buffer: memoryview, p: int) -> tuple[TxnOffsetCommitRequest, int]:
    """Versions 3, 4, 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    transactional_id_size = buffer[p]
    p += 1
    if transactional_id_size > 127:
        transactional_id_size, p = string_tail(buffer, p, transactional_id_size)
    if transactional_id_size == 0:
        raise missing("TxnOffsetCommitRequest.transactional_id")
    stop = p + transactional_id_size - 1
    transactional_id = buffer[p:stop].tobytes().decode()
    p = stop
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("TxnOffsetCommitRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    producer_id, producer_epoch, generation_id, member_id_size = _unpack_qhiB(buffer, p)
    p += 15
    if member_id_size > 127:
        member_id_size, p = string_tail(buffer, p, member_id_size)
    if member_id_size == 0:
        raise missing("TxnOffsetCommitRequest.member_id")
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
        raise missing("TxnOffsetCommitRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("TxnOffsetCommitRequest.topics", topics_count)
    room -= topics_count
    topics: list[TxnOffsetCommitRequestTopic] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("TxnOffsetCommitRequest.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("TxnOffsetCommitRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 18 > end - p:
            raise too_many("TxnOffsetCommitRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[TxnOffsetCommitRequestPartition] = []
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
            partitions.append(TxnOffsetCommitRequestPartition(partition_index, committed_offset, committed_leader_epoch, committed_metadata))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(TxnOffsetCommitRequestTopic(name, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return TxnOffsetCommitRequest(transactional_id, group_id, producer_id, producer_epoch, generation_id, member_id, group_instance_id, topics), p


def _encode_0(message: TxnOffsetCommitRequest) -> bytes:
    """Versions 0, 1."""
    out: list[bytes] = []
    transactional_id = message.transactional_id.encode()
    transactional_id_size = len(transactional_id)
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    if message.generation_id != -1:
        raise not_in_version("TxnOffsetCommitRequest.generation_id")
    if message.member_id != "":
        raise not_in_version("TxnOffsetCommitRequest.member_id")
    if message.group_instance_id is not None:
        raise not_in_version("TxnOffsetCommitRequest.group_instance_id")
    topics = message.topics
    out += (
        _pack_h(transactional_id_size),
        transactional_id,
        _pack_h(group_id_size),
        group_id,
        _pack_qhi(message.producer_id, message.producer_epoch, len(topics)),
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


def _encode_1(message: TxnOffsetCommitRequest) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    transactional_id = message.transactional_id.encode()
    transactional_id_size = len(transactional_id)
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    if message.generation_id != -1:
        raise not_in_version("TxnOffsetCommitRequest.generation_id")
    if message.member_id != "":
        raise not_in_version("TxnOffsetCommitRequest.member_id")
    if message.group_instance_id is not None:
        raise not_in_version("TxnOffsetCommitRequest.group_instance_id")
    topics = message.topics
    out += (
        _pack_h(transactional_id_size),
        transactional_id,
        _pack_h(group_id_size),
        group_id,
        _pack_qhi(message.producer_id, message.producer_epoch, len(topics)),
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


def _encode_2(message: TxnOffsetCommitRequest) -> bytes:
    """Versions 3, 4, 5."""
    out: list[bytes] = []
    transactional_id = message.transactional_id.encode()
    transactional_id_size = len(transactional_id) + 1
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
        UVARINTS[transactional_id_size] if transactional_id_size < 256 else string_prefix(transactional_id_size),
        transactional_id,
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        _pack_qhi(message.producer_id, message.producer_epoch, message.generation_id),
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


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[TxnOffsetCommitRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_1,
    3: _decode_2,
    4: _decode_2,
    5: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[TxnOffsetCommitRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_1,
    3: _encode_2,
    4: _encode_2,
    5: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[TxnOffsetCommitRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"TxnOffsetCommitRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"TxnOffsetCommitRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"TxnOffsetCommitRequest v{version} is cut short")
    return result


def encode(message: TxnOffsetCommitRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"TxnOffsetCommitRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"TxnOffsetCommitRequest v{version}: {error}") from error
