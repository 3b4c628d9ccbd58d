"""DescribeTransactionsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DescribeTransactionsResponse"
API_KEY: Final = 65
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_hB = Struct(">hB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_iqqhB = Struct(">iqqhB").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_iqqh = Struct(">iqqh").pack


@dataclass(init=False, repr=False, eq=False)
class TopicData(Wire):
    """TopicData."""

    __slots__ = ("topic", "partitions")

    topic: str
    partitions: list[int]

    def __init__(
        self,
        topic: str = "",
        partitions: list[int] = UNSET,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class TransactionState(Wire):
    """TransactionState."""

    __slots__ = ("error_code", "transactional_id", "transaction_state", "transaction_timeout_ms", "transaction_start_time_ms", "producer_id", "producer_epoch", "topics")

    error_code: int
    transactional_id: str
    transaction_state: str
    transaction_timeout_ms: int
    transaction_start_time_ms: int
    producer_id: int
    producer_epoch: int
    topics: list[TopicData]

    def __init__(
        self,
        error_code: int = 0,
        transactional_id: str = "",
        transaction_state: str = "",
        transaction_timeout_ms: int = 0,
        transaction_start_time_ms: int = 0,
        producer_id: int = 0,
        producer_epoch: int = 0,
        topics: list[TopicData] = UNSET,
    ) -> None:
        self.error_code = error_code
        self.transactional_id = transactional_id
        self.transaction_state = transaction_state
        self.transaction_timeout_ms = transaction_timeout_ms
        self.transaction_start_time_ms = transaction_start_time_ms
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.topics = [] if topics is UNSET else topics


@dataclass(init=False, repr=False, eq=False)
class DescribeTransactionsResponse(Wire):
    """DescribeTransactionsResponse."""

    __slots__ = ("throttle_time_ms", "transaction_states")

    throttle_time_ms: int
    transaction_states: list[TransactionState]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        transaction_states: list[TransactionState] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.transaction_states = [] if transaction_states is UNSET else transaction_states


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeTransactionsResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, transaction_states_count = _unpack_iB(buffer, p)
    p += 5
    if transaction_states_count > 127:
        transaction_states_count, p = uvarint_tail(buffer, p, transaction_states_count)
    if transaction_states_count == 0:
        raise missing("DescribeTransactionsResponse.transaction_states")
    transaction_states_count -= 1
    if transaction_states_count > room or transaction_states_count * 28 > end - p:
        raise too_many("DescribeTransactionsResponse.transaction_states", transaction_states_count)
    room -= transaction_states_count
    transaction_states: list[TransactionState] = []
    for _ in range(transaction_states_count):
        error_code, transactional_id_size = _unpack_hB(buffer, p)
        p += 3
        if transactional_id_size > 127:
            transactional_id_size, p = string_tail(buffer, p, transactional_id_size)
        if transactional_id_size == 0:
            raise missing("DescribeTransactionsResponse.transaction_states.transactional_id")
        stop = p + transactional_id_size - 1
        transactional_id = buffer[p:stop].tobytes().decode()
        p = stop
        transaction_state_size = buffer[p]
        p += 1
        if transaction_state_size > 127:
            transaction_state_size, p = string_tail(buffer, p, transaction_state_size)
        if transaction_state_size == 0:
            raise missing("DescribeTransactionsResponse.transaction_states.transaction_state")
        stop = p + transaction_state_size - 1
        transaction_state = buffer[p:stop].tobytes().decode()
        p = stop
        transaction_timeout_ms, transaction_start_time_ms, producer_id, producer_epoch, topics_count = _unpack_iqqhB(buffer, p)
        p += 23
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        if topics_count == 0:
            raise missing("DescribeTransactionsResponse.transaction_states.topics")
        topics_count -= 1
        if topics_count > room or topics_count * 3 > end - p:
            raise too_many("DescribeTransactionsResponse.transaction_states.topics", topics_count)
        room -= topics_count
        topics: list[TopicData] = []
        for _ in range(topics_count):
            topic_size = buffer[p]
            p += 1
            if topic_size > 127:
                topic_size, p = string_tail(buffer, p, topic_size)
            if topic_size == 0:
                raise missing("DescribeTransactionsResponse.transaction_states.topics.topic")
            stop = p + topic_size - 1
            topic = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count = buffer[p]
            p += 1
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("DescribeTransactionsResponse.transaction_states.topics.partitions")
            partitions_count -= 1
            partitions = read_int32s(buffer, p, partitions_count)
            p += partitions_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            topics.append(TopicData(topic, partitions))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        transaction_states.append(TransactionState(error_code, transactional_id, transaction_state, transaction_timeout_ms, transaction_start_time_ms, producer_id, producer_epoch, topics))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return DescribeTransactionsResponse(throttle_time_ms, transaction_states), p


def _encode_0(message: DescribeTransactionsResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    transaction_states = message.transaction_states
    transaction_states_count = len(transaction_states) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[transaction_states_count] if transaction_states_count < 256 else uvarint(transaction_states_count),
    )
    for element in transaction_states:
        transactional_id = element.transactional_id.encode()
        transactional_id_size = len(transactional_id) + 1
        transaction_state = element.transaction_state.encode()
        transaction_state_size = len(transaction_state) + 1
        topics = element.topics
        topics_count = len(topics) + 1
        out += (
            _pack_h(element.error_code),
            UVARINTS[transactional_id_size] if transactional_id_size < 256 else string_prefix(transactional_id_size),
            transactional_id,
            UVARINTS[transaction_state_size] if transaction_state_size < 256 else string_prefix(transaction_state_size),
            transaction_state,
            _pack_iqqh(element.transaction_timeout_ms, element.transaction_start_time_ms, element.producer_id, element.producer_epoch),
            UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count),
        )
        for element_2 in topics:
            topic = element_2.topic.encode()
            topic_size = len(topic) + 1
            partitions = element_2.partitions
            partitions_count = len(partitions) + 1
            out += (
                UVARINTS[topic_size] if topic_size < 256 else string_prefix(topic_size),
                topic,
                UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
                write_int32s(partitions),
                b"\0",
            )
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeTransactionsResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[DescribeTransactionsResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeTransactionsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeTransactionsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeTransactionsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeTransactionsResponse v{version} is cut short")
    return result


def encode(message: DescribeTransactionsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeTransactionsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeTransactionsResponse v{version}: {error}") from error
