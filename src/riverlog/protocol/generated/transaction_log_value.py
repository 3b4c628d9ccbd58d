"""TransactionLogValue. Written by `python -m codegen` from schemas/transaction; do not edit."""

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
    read_int32s,
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
    write_int32s,
)

NAME: Final = "TransactionLogValue"
API_KEY: Final = 0
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 1
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_q = Struct(">q").unpack_from
_unpack_qhibB = Struct(">qhibB").unpack_from
_unpack_qhibi = Struct(">qhibi").unpack_from
_unpack_qq = Struct(">qq").unpack_from
_unpack_qqB = Struct(">qqB").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_q = Struct(">q").pack
_pack_qhib = Struct(">qhib").pack
_pack_qq = Struct(">qq").pack


@dataclass(init=False, repr=False, eq=False)
class PartitionsSchema(Wire):
    """PartitionsSchema."""

    __slots__ = ("topic", "partition_ids")

    topic: str
    partition_ids: list[int]

    def __init__(
        self,
        topic: str = "",
        partition_ids: list[int] = UNSET,
    ) -> None:
        self.topic = topic
        self.partition_ids = [] if partition_ids is UNSET else partition_ids


@dataclass(init=False, repr=False, eq=False)
class TransactionLogValue(Wire):
    """TransactionLogValue."""

    __slots__ = ("producer_id", "previous_producer_id", "next_producer_id", "producer_epoch", "next_producer_epoch", "transaction_timeout_ms", "transaction_status", "transaction_partitions", "transaction_last_update_timestamp_ms", "transaction_start_timestamp_ms", "client_transaction_version")

    producer_id: int
    previous_producer_id: int
    next_producer_id: int
    producer_epoch: int
    next_producer_epoch: int
    transaction_timeout_ms: int
    transaction_status: int
    transaction_partitions: list[PartitionsSchema] | None
    transaction_last_update_timestamp_ms: int
    transaction_start_timestamp_ms: int
    client_transaction_version: int

    def __init__(
        self,
        producer_id: int = 0,
        previous_producer_id: int = -1,
        next_producer_id: int = -1,
        producer_epoch: int = 0,
        next_producer_epoch: int = -1,
        transaction_timeout_ms: int = 0,
        transaction_status: int = 0,
        transaction_partitions: list[PartitionsSchema] | None = UNSET,
        transaction_last_update_timestamp_ms: int = 0,
        transaction_start_timestamp_ms: int = 0,
        client_transaction_version: int = 0,
    ) -> None:
        self.producer_id = producer_id
        self.previous_producer_id = previous_producer_id
        self.next_producer_id = next_producer_id
        self.producer_epoch = producer_epoch
        self.next_producer_epoch = next_producer_epoch
        self.transaction_timeout_ms = transaction_timeout_ms
        self.transaction_status = transaction_status
        self.transaction_partitions = [] if transaction_partitions is UNSET else transaction_partitions
        self.transaction_last_update_timestamp_ms = transaction_last_update_timestamp_ms
        self.transaction_start_timestamp_ms = transaction_start_timestamp_ms
        self.client_transaction_version = client_transaction_version


def _decode_0(buffer: memoryview, p: int) -> tuple[TransactionLogValue, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    producer_id, producer_epoch, transaction_timeout_ms, transaction_status, transaction_partitions_count = _unpack_qhibi(buffer, p)
    p += 19
    transaction_partitions: list[PartitionsSchema] | None = None
    if transaction_partitions_count >= 0:
        if transaction_partitions_count > room or transaction_partitions_count * 6 > end - p:
            raise too_many("TransactionLogValue.transaction_partitions", transaction_partitions_count)
        room -= transaction_partitions_count
        transaction_partitions = []
        for _ in range(transaction_partitions_count):
            (topic_size,) = _unpack_h(buffer, p)
            p += 2
            if topic_size < 0:
                raise missing("TransactionLogValue.transaction_partitions.topic")
            stop = p + topic_size
            topic = buffer[p:stop].tobytes().decode()
            p = stop
            (partition_ids_count,) = _unpack_i(buffer, p)
            p += 4
            if partition_ids_count < 0:
                raise missing("TransactionLogValue.transaction_partitions.partition_ids")
            partition_ids = read_int32s(buffer, p, partition_ids_count)
            p += partition_ids_count * 4
            transaction_partitions.append(PartitionsSchema(topic, partition_ids))
    elif transaction_partitions_count != -1:
        raise missing("TransactionLogValue.transaction_partitions")
    transaction_last_update_timestamp_ms, transaction_start_timestamp_ms = _unpack_qq(buffer, p)
    p += 16
    return TransactionLogValue(producer_id, -1, -1, producer_epoch, -1, transaction_timeout_ms, transaction_status, transaction_partitions, transaction_last_update_timestamp_ms, transaction_start_timestamp_ms, 0), p


def _decode_1(buffer: memoryview, p: int) -> tuple[TransactionLogValue, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    producer_id, producer_epoch, transaction_timeout_ms, transaction_status, transaction_partitions_count = _unpack_qhibB(buffer, p)
    p += 16
    if transaction_partitions_count > 127:
        transaction_partitions_count, p = uvarint_tail(buffer, p, transaction_partitions_count)
    transaction_partitions: list[PartitionsSchema] | None = None
    if transaction_partitions_count:
        transaction_partitions_count -= 1
        if transaction_partitions_count > room or transaction_partitions_count * 3 > end - p:
            raise too_many("TransactionLogValue.transaction_partitions", transaction_partitions_count)
        room -= transaction_partitions_count
        transaction_partitions = []
        for _ in range(transaction_partitions_count):
            topic_size = buffer[p]
            p += 1
            if topic_size > 127:
                topic_size, p = string_tail(buffer, p, topic_size)
            if topic_size == 0:
                raise missing("TransactionLogValue.transaction_partitions.topic")
            stop = p + topic_size - 1
            topic = buffer[p:stop].tobytes().decode()
            p = stop
            partition_ids_count = buffer[p]
            p += 1
            if partition_ids_count > 127:
                partition_ids_count, p = uvarint_tail(buffer, p, partition_ids_count)
            if partition_ids_count == 0:
                raise missing("TransactionLogValue.transaction_partitions.partition_ids")
            partition_ids_count -= 1
            partition_ids = read_int32s(buffer, p, partition_ids_count)
            p += partition_ids_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            transaction_partitions.append(PartitionsSchema(topic, partition_ids))
    transaction_last_update_timestamp_ms, transaction_start_timestamp_ms, tags_2 = _unpack_qqB(buffer, p)
    p += 17
    previous_producer_id: int = -1
    next_producer_id: int = -1
    next_producer_epoch: int = -1
    client_transaction_version: int = 0
    if tags_2:
        if tags_2 > 127:
            tags_2, p = uvarint_tail(buffer, p, tags_2)
        tag = -1
        for _ in range(tags_2):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                (previous_producer_id_2,) = _unpack_q(buffer, p)
                p += 8
                previous_producer_id = previous_producer_id_2
            elif tag == 1:
                (next_producer_id_2,) = _unpack_q(buffer, p)
                p += 8
                next_producer_id = next_producer_id_2
            elif tag == 2:
                (client_transaction_version_2,) = _unpack_h(buffer, p)
                p += 2
                client_transaction_version = client_transaction_version_2
            elif tag == 3:
                (next_producer_epoch_2,) = _unpack_h(buffer, p)
                p += 2
                next_producer_epoch = next_producer_epoch_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("TransactionLogValue: a tagged field is not of its size")
    return TransactionLogValue(producer_id, previous_producer_id, next_producer_id, producer_epoch, next_producer_epoch, transaction_timeout_ms, transaction_status, transaction_partitions, transaction_last_update_timestamp_ms, transaction_start_timestamp_ms, client_transaction_version), p


def _encode_0(message: TransactionLogValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    if message.previous_producer_id != -1:
        raise not_in_version("TransactionLogValue.previous_producer_id")
    if message.next_producer_id != -1:
        raise not_in_version("TransactionLogValue.next_producer_id")
    if message.next_producer_epoch != -1:
        raise not_in_version("TransactionLogValue.next_producer_epoch")
    transaction_partitions = message.transaction_partitions
    out.append(_pack_qhib(message.producer_id, message.producer_epoch, message.transaction_timeout_ms, message.transaction_status))
    if transaction_partitions is None:
        out.append(b"\xff\xff\xff\xff")
    else:
        out.append(_pack_i(len(transaction_partitions)))
        for element in transaction_partitions:
            topic = element.topic.encode()
            topic_size = len(topic)
            partition_ids = element.partition_ids
            out += (_pack_h(topic_size), topic, _pack_i(len(partition_ids)), write_int32s(partition_ids))
    if message.client_transaction_version != 0:
        raise not_in_version("TransactionLogValue.client_transaction_version")
    out.append(_pack_qq(message.transaction_last_update_timestamp_ms, message.transaction_start_timestamp_ms))
    return b"".join(out)


def _encode_1(message: TransactionLogValue) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    transaction_partitions = message.transaction_partitions
    out.append(_pack_qhib(message.producer_id, message.producer_epoch, message.transaction_timeout_ms, message.transaction_status))
    if transaction_partitions is None:
        out.append(b"\0")
    else:
        transaction_partitions_count = len(transaction_partitions) + 1
        out.append(UVARINTS[transaction_partitions_count] if transaction_partitions_count < 256 else uvarint(transaction_partitions_count))
        for element in transaction_partitions:
            topic = element.topic.encode()
            topic_size = len(topic) + 1
            partition_ids = element.partition_ids
            partition_ids_count = len(partition_ids) + 1
            out += (
                UVARINTS[topic_size] if topic_size < 256 else string_prefix(topic_size),
                topic,
                UVARINTS[partition_ids_count] if partition_ids_count < 256 else uvarint(partition_ids_count),
                write_int32s(partition_ids),
                b"\0",
            )
    out.append(_pack_qq(message.transaction_last_update_timestamp_ms, message.transaction_start_timestamp_ms))
    tags = 0
    tagged: list[bytes] = []
    if message.previous_producer_id != -1:
        content: list[bytes] = []
        content.append(_pack_q(message.previous_producer_id))
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if message.next_producer_id != -1:
        content_2: list[bytes] = []
        content_2.append(_pack_q(message.next_producer_id))
        joined_2 = b"".join(content_2)
        joined_size_2 = len(joined_2)
        tags += 1
        tagged += (
            UVARINTS[1],
            UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
            joined_2,
        )
    if message.client_transaction_version != 0:
        content_3: list[bytes] = []
        content_3.append(_pack_h(message.client_transaction_version))
        joined_3 = b"".join(content_3)
        joined_size_3 = len(joined_3)
        tags += 1
        tagged += (
            UVARINTS[2],
            UVARINTS[joined_size_3] if joined_size_3 < 256 else uvarint(joined_size_3),
            joined_3,
        )
    if message.next_producer_epoch != -1:
        content_4: list[bytes] = []
        content_4.append(_pack_h(message.next_producer_epoch))
        joined_4 = b"".join(content_4)
        joined_size_4 = len(joined_4)
        tags += 1
        tagged += (
            UVARINTS[3],
            UVARINTS[joined_size_4] if joined_size_4 < 256 else uvarint(joined_size_4),
            joined_4,
        )
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[TransactionLogValue, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[TransactionLogValue], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[TransactionLogValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"TransactionLogValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"TransactionLogValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"TransactionLogValue v{version} is cut short")
    return result


def encode(message: TransactionLogValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"TransactionLogValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"TransactionLogValue v{version}: {error}") from error
