"""AddPartitionsToTxnRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "AddPartitionsToTxnRequest"
API_KEY: Final = 24
VERSIONS: Final[tuple[int, int]] = (0, 5)
FLEXIBLE_FROM: Final = 3
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_qhzB = Struct(">qh?B").unpack_from
_unpack_qhB = Struct(">qhB").unpack_from
_unpack_qhi = Struct(">qhi").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_qh = Struct(">qh").pack
_pack_qhz = Struct(">qh?").pack
_pack_qhi = Struct(">qhi").pack


@dataclass(init=False, repr=False, eq=False)
class AddPartitionsToTxnTransaction(Wire):
    """AddPartitionsToTxnTransaction."""

    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "verify_only", "topics")

    transactional_id: str
    producer_id: int
    producer_epoch: int
    verify_only: bool
    topics: list[AddPartitionsToTxnTopic]

    def __init__(
        self,
        transactional_id: str = "",
        producer_id: int = 0,
        producer_epoch: int = 0,
        verify_only: bool = False,
        topics: list[AddPartitionsToTxnTopic] = UNSET,
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.verify_only = verify_only
        self.topics = [] if topics is UNSET else topics


@dataclass(init=False, repr=False, eq=False)
class AddPartitionsToTxnTopic(Wire):
    """AddPartitionsToTxnTopic."""

    __slots__ = ("name", "partitions")

    name: str
    partitions: list[int]

    def __init__(
        self,
        name: str = "",
        partitions: list[int] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class AddPartitionsToTxnRequest(Wire):
    """AddPartitionsToTxnRequest."""

    __slots__ = ("transactions", "v3_and_below_transactional_id", "v3_and_below_producer_id", "v3_and_below_producer_epoch", "v3_and_below_topics")

    transactions: list[AddPartitionsToTxnTransaction]
    v3_and_below_transactional_id: str
    v3_and_below_producer_id: int
    v3_and_below_producer_epoch: int
    v3_and_below_topics: list[AddPartitionsToTxnTopic]

    def __init__(
        self,
        transactions: list[AddPartitionsToTxnTransaction] = UNSET,
        v3_and_below_transactional_id: str = "",
        v3_and_below_producer_id: int = 0,
        v3_and_below_producer_epoch: int = 0,
        v3_and_below_topics: list[AddPartitionsToTxnTopic] = UNSET,
    ) -> None:
        self.transactions = [] if transactions is UNSET else transactions
        self.v3_and_below_transactional_id = v3_and_below_transactional_id
        self.v3_and_below_producer_id = v3_and_below_producer_id
        self.v3_and_below_producer_epoch = v3_and_below_producer_epoch
        self.v3_and_below_topics = [] if v3_and_below_topics is UNSET else v3_and_below_topics


def _decode_0(buffer: memoryview, p: int) -> tuple[AddPartitionsToTxnRequest, int]:
    """Versions 0, 1, 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (v3_and_below_transactional_id_size,) = _unpack_h(buffer, p)
    p += 2
    if v3_and_below_transactional_id_size < 0:
        raise missing("AddPartitionsToTxnRequest.v3_and_below_transactional_id")
    stop = p + v3_and_below_transactional_id_size
    v3_and_below_transactional_id = buffer[p:stop].tobytes().decode()
    p = stop
    v3_and_below_producer_id, v3_and_below_producer_epoch, v3_and_below_topics_count = _unpack_qhi(buffer, p)
    p += 14
    if v3_and_below_topics_count < 0:
        raise missing("AddPartitionsToTxnRequest.v3_and_below_topics")
    if v3_and_below_topics_count > room or v3_and_below_topics_count * 6 > end - p:
        raise too_many("AddPartitionsToTxnRequest.v3_and_below_topics", v3_and_below_topics_count)
    room -= v3_and_below_topics_count
    v3_and_below_topics: list[AddPartitionsToTxnTopic] = []
    for _ in range(v3_and_below_topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("AddPartitionsToTxnRequest.v3_and_below_topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("AddPartitionsToTxnRequest.v3_and_below_topics.partitions")
        partitions = read_int32s(buffer, p, partitions_count)
        p += partitions_count * 4
        v3_and_below_topics.append(AddPartitionsToTxnTopic(name, partitions))
    return AddPartitionsToTxnRequest([], v3_and_below_transactional_id, v3_and_below_producer_id, v3_and_below_producer_epoch, v3_and_below_topics), p


def _decode_1(buffer: memoryview, p: int) -> tuple[AddPartitionsToTxnRequest, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    v3_and_below_transactional_id_size = buffer[p]
    p += 1
    if v3_and_below_transactional_id_size > 127:
        v3_and_below_transactional_id_size, p = string_tail(buffer, p, v3_and_below_transactional_id_size)
    if v3_and_below_transactional_id_size == 0:
        raise missing("AddPartitionsToTxnRequest.v3_and_below_transactional_id")
    stop = p + v3_and_below_transactional_id_size - 1
    v3_and_below_transactional_id = buffer[p:stop].tobytes().decode()
    p = stop
    v3_and_below_producer_id, v3_and_below_producer_epoch, v3_and_below_topics_count = _unpack_qhB(buffer, p)
    p += 11
    if v3_and_below_topics_count > 127:
        v3_and_below_topics_count, p = uvarint_tail(buffer, p, v3_and_below_topics_count)
    if v3_and_below_topics_count == 0:
        raise missing("AddPartitionsToTxnRequest.v3_and_below_topics")
    v3_and_below_topics_count -= 1
    if v3_and_below_topics_count > room or v3_and_below_topics_count * 3 > end - p:
        raise too_many("AddPartitionsToTxnRequest.v3_and_below_topics", v3_and_below_topics_count)
    room -= v3_and_below_topics_count
    v3_and_below_topics: list[AddPartitionsToTxnTopic] = []
    for _ in range(v3_and_below_topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("AddPartitionsToTxnRequest.v3_and_below_topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("AddPartitionsToTxnRequest.v3_and_below_topics.partitions")
        partitions_count -= 1
        partitions = read_int32s(buffer, p, partitions_count)
        p += partitions_count * 4
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        v3_and_below_topics.append(AddPartitionsToTxnTopic(name, partitions))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return AddPartitionsToTxnRequest([], v3_and_below_transactional_id, v3_and_below_producer_id, v3_and_below_producer_epoch, v3_and_below_topics), p


def _decode_2(buffer: memoryview, p: int) -> tuple[AddPartitionsToTxnRequest, int]:
    """Versions 4, 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    transactions_count = buffer[p]
    p += 1
    if transactions_count > 127:
        transactions_count, p = uvarint_tail(buffer, p, transactions_count)
    if transactions_count == 0:
        raise missing("AddPartitionsToTxnRequest.transactions")
    transactions_count -= 1
    if transactions_count > room or transactions_count * 14 > end - p:
        raise too_many("AddPartitionsToTxnRequest.transactions", transactions_count)
    room -= transactions_count
    transactions: list[AddPartitionsToTxnTransaction] = []
    for _ in range(transactions_count):
        transactional_id_size = buffer[p]
        p += 1
        if transactional_id_size > 127:
            transactional_id_size, p = string_tail(buffer, p, transactional_id_size)
        if transactional_id_size == 0:
            raise missing("AddPartitionsToTxnRequest.transactions.transactional_id")
        stop = p + transactional_id_size - 1
        transactional_id = buffer[p:stop].tobytes().decode()
        p = stop
        producer_id, producer_epoch, verify_only, topics_count = _unpack_qhzB(buffer, p)
        p += 12
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        if topics_count == 0:
            raise missing("AddPartitionsToTxnRequest.transactions.topics")
        topics_count -= 1
        if topics_count > room or topics_count * 3 > end - p:
            raise too_many("AddPartitionsToTxnRequest.transactions.topics", topics_count)
        room -= topics_count
        topics: list[AddPartitionsToTxnTopic] = []
        for _ in range(topics_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("AddPartitionsToTxnRequest.transactions.topics.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count = buffer[p]
            p += 1
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("AddPartitionsToTxnRequest.transactions.topics.partitions")
            partitions_count -= 1
            partitions = read_int32s(buffer, p, partitions_count)
            p += partitions_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            topics.append(AddPartitionsToTxnTopic(name, partitions))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        transactions.append(AddPartitionsToTxnTransaction(transactional_id, producer_id, producer_epoch, verify_only, topics))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return AddPartitionsToTxnRequest(transactions, "", 0, 0, []), p


def _encode_0(message: AddPartitionsToTxnRequest) -> bytes:
    """Versions 0, 1, 2."""
    out: list[bytes] = []
    if message.transactions:
        raise not_in_version("AddPartitionsToTxnRequest.transactions")
    v3_and_below_transactional_id = message.v3_and_below_transactional_id.encode()
    v3_and_below_transactional_id_size = len(v3_and_below_transactional_id)
    v3_and_below_topics = message.v3_and_below_topics
    out += (
        _pack_h(v3_and_below_transactional_id_size),
        v3_and_below_transactional_id,
        _pack_qhi(message.v3_and_below_producer_id, message.v3_and_below_producer_epoch, len(v3_and_below_topics)),
    )
    for element in v3_and_below_topics:
        name = element.name.encode()
        name_size = len(name)
        partitions = element.partitions
        out += (_pack_h(name_size), name, _pack_i(len(partitions)), write_int32s(partitions))
    return b"".join(out)


def _encode_1(message: AddPartitionsToTxnRequest) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    if message.transactions:
        raise not_in_version("AddPartitionsToTxnRequest.transactions")
    v3_and_below_transactional_id = message.v3_and_below_transactional_id.encode()
    v3_and_below_transactional_id_size = len(v3_and_below_transactional_id) + 1
    v3_and_below_topics = message.v3_and_below_topics
    v3_and_below_topics_count = len(v3_and_below_topics) + 1
    out += (
        UVARINTS[v3_and_below_transactional_id_size] if v3_and_below_transactional_id_size < 256 else string_prefix(v3_and_below_transactional_id_size),
        v3_and_below_transactional_id,
        _pack_qh(message.v3_and_below_producer_id, message.v3_and_below_producer_epoch),
        UVARINTS[v3_and_below_topics_count] if v3_and_below_topics_count < 256 else uvarint(v3_and_below_topics_count),
    )
    for element in v3_and_below_topics:
        name = element.name.encode()
        name_size = len(name) + 1
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
            write_int32s(partitions),
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


def _encode_2(message: AddPartitionsToTxnRequest) -> bytes:
    """Versions 4, 5."""
    out: list[bytes] = []
    transactions = message.transactions
    transactions_count = len(transactions) + 1
    out.append(UVARINTS[transactions_count] if transactions_count < 256 else uvarint(transactions_count))
    for element in transactions:
        transactional_id = element.transactional_id.encode()
        transactional_id_size = len(transactional_id) + 1
        topics = element.topics
        topics_count = len(topics) + 1
        out += (
            UVARINTS[transactional_id_size] if transactional_id_size < 256 else string_prefix(transactional_id_size),
            transactional_id,
            _pack_qhz(element.producer_id, element.producer_epoch, element.verify_only),
            UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
        )
        for element_2 in topics:
            name = element_2.name.encode()
            name_size = len(name) + 1
            partitions = element_2.partitions
            partitions_count = len(partitions) + 1
            out += (
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
                write_int32s(partitions),
                b"\0",
            )
        out.append(b"\0")
    if message.v3_and_below_transactional_id != "":
        raise not_in_version("AddPartitionsToTxnRequest.v3_and_below_transactional_id")
    if message.v3_and_below_producer_id != 0:
        raise not_in_version("AddPartitionsToTxnRequest.v3_and_below_producer_id")
    if message.v3_and_below_producer_epoch != 0:
        raise not_in_version("AddPartitionsToTxnRequest.v3_and_below_producer_epoch")
    if message.v3_and_below_topics:
        raise not_in_version("AddPartitionsToTxnRequest.v3_and_below_topics")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AddPartitionsToTxnRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_0,
    3: _decode_1,
    4: _decode_2,
    5: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[AddPartitionsToTxnRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_0,
    3: _encode_1,
    4: _encode_2,
    5: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AddPartitionsToTxnRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AddPartitionsToTxnRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AddPartitionsToTxnRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AddPartitionsToTxnRequest v{version} is cut short")
    return result


def encode(message: AddPartitionsToTxnRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AddPartitionsToTxnRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AddPartitionsToTxnRequest v{version}: {error}") from error
