"""ShareFetchRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    read_int32s,
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
    write_int32s,
    write_int8s,
    ZERO_UUID,
)

NAME: Final = "ShareFetchRequest"
API_KEY: Final = 78
VERSIONS: Final[tuple[int, int]] = (1, 2)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_iiiiiiB = Struct(">iiiiiiB").unpack_from
_unpack_iiiiiibzB = Struct(">iiiiiib?B").unpack_from
_unpack_qqB = Struct(">qqB").unpack_from
_pack_u = Struct(">16s").pack
_pack_i = Struct(">i").pack
_pack_iiiiii = Struct(">iiiiii").pack
_pack_iiiiiibz = Struct(">iiiiiib?").pack
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
class FetchPartition(Wire):
    """FetchPartition."""

    __slots__ = ("partition_index", "partition_max_bytes", "acknowledgement_batches")

    partition_index: int
    partition_max_bytes: int
    acknowledgement_batches: list[AcknowledgementBatch]

    def __init__(
        self,
        partition_index: int = 0,
        partition_max_bytes: int = 0,
        acknowledgement_batches: list[AcknowledgementBatch] = UNSET,
    ) -> None:
        self.partition_index = partition_index
        self.partition_max_bytes = partition_max_bytes
        self.acknowledgement_batches = [] if acknowledgement_batches is UNSET else acknowledgement_batches


@dataclass(init=False, repr=False, eq=False)
class FetchTopic(Wire):
    """FetchTopic."""

    __slots__ = ("topic_id", "partitions")

    topic_id: bytes
    partitions: list[FetchPartition]

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: list[FetchPartition] = UNSET,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class ForgottenTopic(Wire):
    """ForgottenTopic."""

    __slots__ = ("topic_id", "partitions")

    topic_id: bytes
    partitions: list[int]

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: list[int] = UNSET,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class ShareFetchRequest(Wire):
    """ShareFetchRequest."""

    __slots__ = ("group_id", "member_id", "share_session_epoch", "max_wait_ms", "min_bytes", "max_bytes", "max_records", "batch_size", "share_acquire_mode", "is_renew_ack", "topics", "forgotten_topics_data")

    group_id: str | None
    member_id: str | None
    share_session_epoch: int
    max_wait_ms: int
    min_bytes: int
    max_bytes: int
    max_records: int
    batch_size: int
    share_acquire_mode: int
    is_renew_ack: bool
    topics: list[FetchTopic]
    forgotten_topics_data: list[ForgottenTopic]

    def __init__(
        self,
        group_id: str | None = None,
        member_id: str | None = "",
        share_session_epoch: int = 0,
        max_wait_ms: int = 0,
        min_bytes: int = 0,
        max_bytes: int = 2147483647,
        max_records: int = 0,
        batch_size: int = 0,
        share_acquire_mode: int = 0,
        is_renew_ack: bool = False,
        topics: list[FetchTopic] = UNSET,
        forgotten_topics_data: list[ForgottenTopic] = UNSET,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.share_session_epoch = share_session_epoch
        self.max_wait_ms = max_wait_ms
        self.min_bytes = min_bytes
        self.max_bytes = max_bytes
        self.max_records = max_records
        self.batch_size = batch_size
        self.share_acquire_mode = share_acquire_mode
        self.is_renew_ack = is_renew_ack
        self.topics = [] if topics is UNSET else topics
        self.forgotten_topics_data = [] if forgotten_topics_data is UNSET else forgotten_topics_data


def _decode_0(buffer: memoryview, p: int) -> tuple[ShareFetchRequest, int]:
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
    share_session_epoch, max_wait_ms, min_bytes, max_bytes, max_records, batch_size, topics_count = _unpack_iiiiiiB(buffer, p)
    p += 25
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("ShareFetchRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("ShareFetchRequest.topics", topics_count)
    room -= topics_count
    topics: list[FetchTopic] = []
    for _ in range(topics_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("ShareFetchRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 6 > end - p:
            raise too_many("ShareFetchRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[FetchPartition] = []
        for _ in range(partitions_count):
            partition_index, acknowledgement_batches_count = _unpack_iB(buffer, p)
            p += 5
            if acknowledgement_batches_count > 127:
                acknowledgement_batches_count, p = uvarint_tail(buffer, p, acknowledgement_batches_count)
            if acknowledgement_batches_count == 0:
                raise missing("ShareFetchRequest.topics.partitions.acknowledgement_batches")
            acknowledgement_batches_count -= 1
            if acknowledgement_batches_count > room or acknowledgement_batches_count * 18 > end - p:
                raise too_many("ShareFetchRequest.topics.partitions.acknowledgement_batches", acknowledgement_batches_count)
            room -= acknowledgement_batches_count
            acknowledgement_batches: list[AcknowledgementBatch] = []
            for _ in range(acknowledgement_batches_count):
                first_offset, last_offset, acknowledge_types_count = _unpack_qqB(buffer, p)
                p += 17
                if acknowledge_types_count > 127:
                    acknowledge_types_count, p = uvarint_tail(buffer, p, acknowledge_types_count)
                if acknowledge_types_count == 0:
                    raise missing("ShareFetchRequest.topics.partitions.acknowledgement_batches.acknowledge_types")
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
            partitions.append(FetchPartition(partition_index, 0, acknowledgement_batches))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(FetchTopic(topic_id, partitions))
    forgotten_topics_data_count = buffer[p]
    p += 1
    if forgotten_topics_data_count > 127:
        forgotten_topics_data_count, p = uvarint_tail(buffer, p, forgotten_topics_data_count)
    if forgotten_topics_data_count == 0:
        raise missing("ShareFetchRequest.forgotten_topics_data")
    forgotten_topics_data_count -= 1
    if forgotten_topics_data_count > room or forgotten_topics_data_count * 18 > end - p:
        raise too_many("ShareFetchRequest.forgotten_topics_data", forgotten_topics_data_count)
    room -= forgotten_topics_data_count
    forgotten_topics_data: list[ForgottenTopic] = []
    for _ in range(forgotten_topics_data_count):
        topic_id_2, partitions_count_2 = _unpack_uB(buffer, p)
        p += 17
        if partitions_count_2 > 127:
            partitions_count_2, p = uvarint_tail(buffer, p, partitions_count_2)
        if partitions_count_2 == 0:
            raise missing("ShareFetchRequest.forgotten_topics_data.partitions")
        partitions_count_2 -= 1
        partitions_2 = read_int32s(buffer, p, partitions_count_2)
        p += partitions_count_2 * 4
        tags_4 = buffer[p]
        p += 1
        if tags_4:
            p = skip_tags(buffer, p, tags_4)
        forgotten_topics_data.append(ForgottenTopic(topic_id_2, partitions_2))
    tags_5 = buffer[p]
    p += 1
    if tags_5:
        p = skip_tags(buffer, p, tags_5)
    return ShareFetchRequest(group_id, member_id, share_session_epoch, max_wait_ms, min_bytes, max_bytes, max_records, batch_size, 0, False, topics, forgotten_topics_data), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ShareFetchRequest, int]:
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
    share_session_epoch, max_wait_ms, min_bytes, max_bytes, max_records, batch_size, share_acquire_mode, is_renew_ack, topics_count = _unpack_iiiiiibzB(buffer, p)
    p += 27
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("ShareFetchRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("ShareFetchRequest.topics", topics_count)
    room -= topics_count
    topics: list[FetchTopic] = []
    for _ in range(topics_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("ShareFetchRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 6 > end - p:
            raise too_many("ShareFetchRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[FetchPartition] = []
        for _ in range(partitions_count):
            partition_index, acknowledgement_batches_count = _unpack_iB(buffer, p)
            p += 5
            if acknowledgement_batches_count > 127:
                acknowledgement_batches_count, p = uvarint_tail(buffer, p, acknowledgement_batches_count)
            if acknowledgement_batches_count == 0:
                raise missing("ShareFetchRequest.topics.partitions.acknowledgement_batches")
            acknowledgement_batches_count -= 1
            if acknowledgement_batches_count > room or acknowledgement_batches_count * 18 > end - p:
                raise too_many("ShareFetchRequest.topics.partitions.acknowledgement_batches", acknowledgement_batches_count)
            room -= acknowledgement_batches_count
            acknowledgement_batches: list[AcknowledgementBatch] = []
            for _ in range(acknowledgement_batches_count):
                first_offset, last_offset, acknowledge_types_count = _unpack_qqB(buffer, p)
                p += 17
                if acknowledge_types_count > 127:
                    acknowledge_types_count, p = uvarint_tail(buffer, p, acknowledge_types_count)
                if acknowledge_types_count == 0:
                    raise missing("ShareFetchRequest.topics.partitions.acknowledgement_batches.acknowledge_types")
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
            partitions.append(FetchPartition(partition_index, 0, acknowledgement_batches))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(FetchTopic(topic_id, partitions))
    forgotten_topics_data_count = buffer[p]
    p += 1
    if forgotten_topics_data_count > 127:
        forgotten_topics_data_count, p = uvarint_tail(buffer, p, forgotten_topics_data_count)
    if forgotten_topics_data_count == 0:
        raise missing("ShareFetchRequest.forgotten_topics_data")
    forgotten_topics_data_count -= 1
    if forgotten_topics_data_count > room or forgotten_topics_data_count * 18 > end - p:
        raise too_many("ShareFetchRequest.forgotten_topics_data", forgotten_topics_data_count)
    room -= forgotten_topics_data_count
    forgotten_topics_data: list[ForgottenTopic] = []
    for _ in range(forgotten_topics_data_count):
        topic_id_2, partitions_count_2 = _unpack_uB(buffer, p)
        p += 17
        if partitions_count_2 > 127:
            partitions_count_2, p = uvarint_tail(buffer, p, partitions_count_2)
        if partitions_count_2 == 0:
            raise missing("ShareFetchRequest.forgotten_topics_data.partitions")
        partitions_count_2 -= 1
        partitions_2 = read_int32s(buffer, p, partitions_count_2)
        p += partitions_count_2 * 4
        tags_4 = buffer[p]
        p += 1
        if tags_4:
            p = skip_tags(buffer, p, tags_4)
        forgotten_topics_data.append(ForgottenTopic(topic_id_2, partitions_2))
    tags_5 = buffer[p]
    p += 1
    if tags_5:
        p = skip_tags(buffer, p, tags_5)
    return ShareFetchRequest(group_id, member_id, share_session_epoch, max_wait_ms, min_bytes, max_bytes, max_records, batch_size, share_acquire_mode, is_renew_ack, topics, forgotten_topics_data), p


def _encode_0(message: ShareFetchRequest) -> bytes:
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
        raise not_in_version("ShareFetchRequest.is_renew_ack")
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        _pack_iiiiii(message.share_session_epoch, message.max_wait_ms, message.min_bytes, message.max_bytes, message.max_records, message.batch_size),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("ShareFetchRequest.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            if element_2.partition_max_bytes != 0:
                raise not_in_version("ShareFetchRequest.topics.partitions.partition_max_bytes")
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
    forgotten_topics_data = message.forgotten_topics_data
    forgotten_topics_data_count = len(forgotten_topics_data) + 1
    out.append(UVARINTS[forgotten_topics_data_count] if forgotten_topics_data_count < 256 else uvarint(forgotten_topics_data_count))
    for element_4 in forgotten_topics_data:
        topic_id_2 = element_4.topic_id
        if len(topic_id_2) != 16:
            raise bad_uuid("ShareFetchRequest.forgotten_topics_data.topic_id")
        partitions_2 = element_4.partitions
        partitions_count_2 = len(partitions_2) + 1
        out += (
            _pack_u(topic_id_2),
            UVARINTS[partitions_count_2] if partitions_count_2 < 256 else uvarint(partitions_count_2),
            write_int32s(partitions_2),
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: ShareFetchRequest) -> bytes:
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
        _pack_iiiiiibz(message.share_session_epoch, message.max_wait_ms, message.min_bytes, message.max_bytes, message.max_records, message.batch_size, message.share_acquire_mode, message.is_renew_ack),
        UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
    )
    for element in topics:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("ShareFetchRequest.topics.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            if element_2.partition_max_bytes != 0:
                raise not_in_version("ShareFetchRequest.topics.partitions.partition_max_bytes")
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
    forgotten_topics_data = message.forgotten_topics_data
    forgotten_topics_data_count = len(forgotten_topics_data) + 1
    out.append(UVARINTS[forgotten_topics_data_count] if forgotten_topics_data_count < 256 else uvarint(forgotten_topics_data_count))
    for element_4 in forgotten_topics_data:
        topic_id_2 = element_4.topic_id
        if len(topic_id_2) != 16:
            raise bad_uuid("ShareFetchRequest.forgotten_topics_data.topic_id")
        partitions_2 = element_4.partitions
        partitions_count_2 = len(partitions_2) + 1
        out += (
            _pack_u(topic_id_2),
            UVARINTS[partitions_count_2] if partitions_count_2 < 256 else uvarint(partitions_count_2),
            write_int32s(partitions_2),
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ShareFetchRequest, int]]]] = {
    1: _decode_0,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[ShareFetchRequest], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ShareFetchRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ShareFetchRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ShareFetchRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ShareFetchRequest v{version} is cut short")
    return result


def encode(message: ShareFetchRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ShareFetchRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ShareFetchRequest v{version}: {error}") from error
