"""ShareAcknowledgeRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    read_int8s,
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
    write_int8s,
    ZERO_UUID,
)

NAME: Final = "ShareAcknowledgeRequest"
API_KEY: Final = 79
VERSIONS: Final[tuple[int, int]] = (1, 2)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_izB = Struct(">i?B").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_qqB = Struct(">qqB").unpack_from
_pack_u = Struct(">16s").pack
_pack_i = Struct(">i").pack
_pack_iz = Struct(">i?").pack
_pack_qq = Struct(">qq").pack


@dataclass(init=False, repr=False, eq=False)
class AcknowledgementBatch(Wire):
    """AcknowledgementBatch."""

    __slots__ = ("first_offset", "last_offset", "acknowledge_types")

    first_offset: int
    last_offset: int
    acknowledge_types: list[int]

    def __init__(
        self,
        first_offset: int = 0,
        last_offset: int = 0,
        acknowledge_types: list[int] = UNSET,
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.acknowledge_types = [] if acknowledge_types is UNSET else acknowledge_types


@dataclass(init=False, repr=False, eq=False)
class AcknowledgePartition(Wire):
    """AcknowledgePartition."""

    __slots__ = ("partition_index", "acknowledgement_batches")

    partition_index: int
    acknowledgement_batches: list[AcknowledgementBatch]

    def __init__(
        self,
        partition_index: int = 0,
        acknowledgement_batches: list[AcknowledgementBatch] = UNSET,
    ) -> None:
        self.partition_index = partition_index
        self.acknowledgement_batches = [] if acknowledgement_batches is UNSET else acknowledgement_batches


@dataclass(init=False, repr=False, eq=False)
class AcknowledgeTopic(Wire):
    """AcknowledgeTopic."""

    __slots__ = ("topic_id", "partitions")

    topic_id: bytes
    partitions: list[AcknowledgePartition]

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: list[AcknowledgePartition] = UNSET,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class ShareAcknowledgeRequest(Wire):
    """ShareAcknowledgeRequest."""

    __slots__ = ("group_id", "member_id", "share_session_epoch", "is_renew_ack", "topics")

    group_id: str | None
    member_id: str | None
    share_session_epoch: int
    is_renew_ack: bool
    topics: list[AcknowledgeTopic]

    def __init__(
        self,
        group_id: str | None = None,
        member_id: str | None = "",
        share_session_epoch: int = 0,
        is_renew_ack: bool = False,
        topics: list[AcknowledgeTopic] = UNSET,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.share_session_epoch = share_session_epoch
        self.is_renew_ack = is_renew_ack
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[ShareAcknowledgeRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    group_id: str | None = None
    if group_id_size:
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
    share_session_epoch, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("ShareAcknowledgeRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("ShareAcknowledgeRequest.topics", topics_count)
    room -= topics_count
    topics: list[AcknowledgeTopic] = []
    for _ in range(topics_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("ShareAcknowledgeRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 6 > end - p:
            raise too_many("ShareAcknowledgeRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[AcknowledgePartition] = []
        for _ in range(partitions_count):
            partition_index, acknowledgement_batches_count = _unpack_iB(buffer, p)
            p += 5
            if acknowledgement_batches_count > 127:
                acknowledgement_batches_count, p = uvarint_tail(buffer, p, acknowledgement_batches_count)
            if acknowledgement_batches_count == 0:
                raise missing("ShareAcknowledgeRequest.topics.partitions.acknowledgement_batches")
            acknowledgement_batches_count -= 1
            if acknowledgement_batches_count > room or acknowledgement_batches_count * 18 > end - p:
                raise too_many("ShareAcknowledgeRequest.topics.partitions.acknowledgement_batches", acknowledgement_batches_count)
            room -= acknowledgement_batches_count
            acknowledgement_batches: list[AcknowledgementBatch] = []
            for _ in range(acknowledgement_batches_count):
                first_offset, last_offset, acknowledge_types_count = _unpack_qqB(buffer, p)
                p += 17
                if acknowledge_types_count > 127:
                    acknowledge_types_count, p = uvarint_tail(buffer, p, acknowledge_types_count)
                if acknowledge_types_count == 0:
                    raise missing("ShareAcknowledgeRequest.topics.partitions.acknowledgement_batches.acknowledge_types")
                acknowledge_types_count -= 1
                acknowledge_types = read_int8s(buffer, p, acknowledge_types_count)
                p += acknowledge_types_count
                tags = buffer[p]
                p += 1
                if tags:
                    p = skip_tags(buffer, p, tags)
                acknowledgement_batches.append(AcknowledgementBatch(first_offset, last_offset, acknowledge_types))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            partitions.append(AcknowledgePartition(partition_index, acknowledgement_batches))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(AcknowledgeTopic(topic_id, partitions))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return ShareAcknowledgeRequest(group_id, member_id, share_session_epoch, False, topics), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ShareAcknowledgeRequest, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    group_id: str | None = None
    if group_id_size:
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
    share_session_epoch, is_renew_ack, topics_count = _unpack_izB(buffer, p)
    p += 6
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("ShareAcknowledgeRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("ShareAcknowledgeRequest.topics", topics_count)
    room -= topics_count
    topics: list[AcknowledgeTopic] = []
    for _ in range(topics_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("ShareAcknowledgeRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 6 > end - p:
            raise too_many("ShareAcknowledgeRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[AcknowledgePartition] = []
        for _ in range(partitions_count):
            partition_index, acknowledgement_batches_count = _unpack_iB(buffer, p)
            p += 5
            if acknowledgement_batches_count > 127:
                acknowledgement_batches_count, p = uvarint_tail(buffer, p, acknowledgement_batches_count)
            if acknowledgement_batches_count == 0:
                raise missing("ShareAcknowledgeRequest.topics.partitions.acknowledgement_batches")
            acknowledgement_batches_count -= 1
            if acknowledgement_batches_count > room or acknowledgement_batches_count * 18 > end - p:
                raise too_many("ShareAcknowledgeRequest.topics.partitions.acknowledgement_batches", acknowledgement_batches_count)
            room -= acknowledgement_batches_count
            acknowledgement_batches: list[AcknowledgementBatch] = []
            for _ in range(acknowledgement_batches_count):
                first_offset, last_offset, acknowledge_types_count = _unpack_qqB(buffer, p)
                p += 17
                if acknowledge_types_count > 127:
                    acknowledge_types_count, p = uvarint_tail(buffer, p, acknowledge_types_count)
                if acknowledge_types_count == 0:
                    raise missing("ShareAcknowledgeRequest.topics.partitions.acknowledgement_batches.acknowledge_types")
                acknowledge_types_count -= 1
                acknowledge_types = read_int8s(buffer, p, acknowledge_types_count)
                p += acknowledge_types_count
                tags = buffer[p]
                p += 1
                if tags:
                    p = skip_tags(buffer, p, tags)
                acknowledgement_batches.append(AcknowledgementBatch(first_offset, last_offset, acknowledge_types))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            partitions.append(AcknowledgePartition(partition_index, acknowledgement_batches))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(AcknowledgeTopic(topic_id, partitions))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return ShareAcknowledgeRequest(group_id, member_id, share_session_epoch, is_renew_ack, topics), p


def _encode_0(message: ShareAcknowledgeRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    group_id_value = message.group_id
    if group_id_value is None:
        group_id_size, group_id = 0, b""
    else:
        group_id = group_id_value.encode()
        group_id_size = len(group_id) + 1
    member_id_value = message.member_id
    if member_id_value is None:
        member_id_size, member_id = 0, b""
    else:
        member_id = member_id_value.encode()
        member_id_size = len(member_id) + 1
    if message.is_renew_ack:
        raise not_in_version("ShareAcknowledgeRequest.is_renew_ack")
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        _pack_i(message.share_session_epoch),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("ShareAcknowledgeRequest.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            acknowledgement_batches = element_2.acknowledgement_batches
            acknowledgement_batches_count = len(acknowledgement_batches) + 1
            out += (
                _pack_i(element_2.partition_index),
                UVARINTS[acknowledgement_batches_count] if acknowledgement_batches_count < 256 else uvarint(acknowledgement_batches_count),
            )
            for element_3 in acknowledgement_batches:
                acknowledge_types = element_3.acknowledge_types
                acknowledge_types_count = len(acknowledge_types) + 1
                out += (
                    _pack_qq(element_3.first_offset, element_3.last_offset),
                    UVARINTS[acknowledge_types_count] if acknowledge_types_count < 256 else uvarint(acknowledge_types_count),
                    write_int8s(acknowledge_types),
                    b"\0",
                )
            out.append(b"\0")
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: ShareAcknowledgeRequest) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    group_id_value = message.group_id
    if group_id_value is None:
        group_id_size, group_id = 0, b""
    else:
        group_id = group_id_value.encode()
        group_id_size = len(group_id) + 1
    member_id_value = message.member_id
    if member_id_value is None:
        member_id_size, member_id = 0, b""
    else:
        member_id = member_id_value.encode()
        member_id_size = len(member_id) + 1
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        _pack_iz(message.share_session_epoch, message.is_renew_ack),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("ShareAcknowledgeRequest.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            acknowledgement_batches = element_2.acknowledgement_batches
            acknowledgement_batches_count = len(acknowledgement_batches) + 1
            out += (
                _pack_i(element_2.partition_index),
                UVARINTS[acknowledgement_batches_count] if acknowledgement_batches_count < 256 else uvarint(acknowledgement_batches_count),
            )
            for element_3 in acknowledgement_batches:
                acknowledge_types = element_3.acknowledge_types
                acknowledge_types_count = len(acknowledge_types) + 1
                out += (
                    _pack_qq(element_3.first_offset, element_3.last_offset),
                    UVARINTS[acknowledge_types_count] if acknowledge_types_count < 256 else uvarint(acknowledge_types_count),
                    write_int8s(acknowledge_types),
                    b"\0",
                )
            out.append(b"\0")
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ShareAcknowledgeRequest, int]]]] = {
    1: _decode_0,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[ShareAcknowledgeRequest], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ShareAcknowledgeRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ShareAcknowledgeRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ShareAcknowledgeRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ShareAcknowledgeRequest v{version} is cut short")
    return result


def encode(message: ShareAcknowledgeRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ShareAcknowledgeRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ShareAcknowledgeRequest v{version}: {error}") from error
