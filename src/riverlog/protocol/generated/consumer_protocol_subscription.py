"""ConsumerProtocolSubscription. Written by `python -m codegen` from schemas/data; do not edit."""

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
    too_many,
    UNFIT,
    UNSET,
    Wire,
    write_int32s,
)

NAME: Final = "ConsumerProtocolSubscription"
API_KEY: Final = -1
VERSIONS: Final[tuple[int, int]] = (0, 3)
FLEXIBLE_FROM: Final = 32767
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_ih = Struct(">ih").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack


@dataclass(init=False, repr=False, eq=False)
class TopicPartition(Wire):
    """TopicPartition."""

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
class ConsumerProtocolSubscription(Wire):
    """ConsumerProtocolSubscription."""

    __slots__ = ("topics", "user_data", "owned_partitions", "generation_id", "rack_id")

    topics: list[str]
    user_data: bytes | None
    owned_partitions: list[TopicPartition]
    generation_id: int
    rack_id: str | None

    def __init__(
        self,
        topics: list[str] = UNSET,
        user_data: bytes | None = None,
        owned_partitions: list[TopicPartition] = UNSET,
        generation_id: int = -1,
        rack_id: str | None = None,
    ) -> None:
        self.topics = [] if topics is UNSET else topics
        self.user_data = user_data
        self.owned_partitions = [] if owned_partitions is UNSET else owned_partitions
        self.generation_id = generation_id
        self.rack_id = rack_id


def _decode_0(buffer: memoryview, p: int) -> tuple[ConsumerProtocolSubscription, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("ConsumerProtocolSubscription.topics")
    if topics_count > room or topics_count * 2 > end - p:
        raise too_many("ConsumerProtocolSubscription.topics", topics_count)
    room -= topics_count
    topics: list[str] = []
    for _ in range(topics_count):
        (element_size,) = _unpack_h(buffer, p)
        p += 2
        if element_size < 0:
            raise missing("ConsumerProtocolSubscription.topics")
        stop = p + element_size
        element = buffer[p:stop].tobytes().decode()
        p = stop
        topics.append(element)
    (user_data_size,) = _unpack_i(buffer, p)
    p += 4
    user_data: bytes | None = None
    if user_data_size >= 0:
        stop = p + user_data_size
        user_data = buffer[p:stop].tobytes()
        p = stop
    elif user_data_size != -1:
        raise missing("ConsumerProtocolSubscription.user_data")
    return ConsumerProtocolSubscription(topics, user_data, [], -1, None), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ConsumerProtocolSubscription, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("ConsumerProtocolSubscription.topics")
    if topics_count > room or topics_count * 2 > end - p:
        raise too_many("ConsumerProtocolSubscription.topics", topics_count)
    room -= topics_count
    topics: list[str] = []
    for _ in range(topics_count):
        (element_size,) = _unpack_h(buffer, p)
        p += 2
        if element_size < 0:
            raise missing("ConsumerProtocolSubscription.topics")
        stop = p + element_size
        element = buffer[p:stop].tobytes().decode()
        p = stop
        topics.append(element)
    (user_data_size,) = _unpack_i(buffer, p)
    p += 4
    user_data: bytes | None = None
    if user_data_size >= 0:
        stop = p + user_data_size
        user_data = buffer[p:stop].tobytes()
        p = stop
    elif user_data_size != -1:
        raise missing("ConsumerProtocolSubscription.user_data")
    (owned_partitions_count,) = _unpack_i(buffer, p)
    p += 4
    if owned_partitions_count < 0:
        raise missing("ConsumerProtocolSubscription.owned_partitions")
    if owned_partitions_count > room or owned_partitions_count * 6 > end - p:
        raise too_many("ConsumerProtocolSubscription.owned_partitions", owned_partitions_count)
    room -= owned_partitions_count
    owned_partitions: list[TopicPartition] = []
    for _ in range(owned_partitions_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("ConsumerProtocolSubscription.owned_partitions.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("ConsumerProtocolSubscription.owned_partitions.partitions")
        partitions = read_int32s(buffer, p, partitions_count)
        p += partitions_count * 4
        owned_partitions.append(TopicPartition(topic, partitions))
    return ConsumerProtocolSubscription(topics, user_data, owned_partitions, -1, None), p


def _decode_2(buffer: memoryview, p: int) -> tuple[ConsumerProtocolSubscription, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("ConsumerProtocolSubscription.topics")
    if topics_count > room or topics_count * 2 > end - p:
        raise too_many("ConsumerProtocolSubscription.topics", topics_count)
    room -= topics_count
    topics: list[str] = []
    for _ in range(topics_count):
        (element_size,) = _unpack_h(buffer, p)
        p += 2
        if element_size < 0:
            raise missing("ConsumerProtocolSubscription.topics")
        stop = p + element_size
        element = buffer[p:stop].tobytes().decode()
        p = stop
        topics.append(element)
    (user_data_size,) = _unpack_i(buffer, p)
    p += 4
    user_data: bytes | None = None
    if user_data_size >= 0:
        stop = p + user_data_size
        user_data = buffer[p:stop].tobytes()
        p = stop
    elif user_data_size != -1:
        raise missing("ConsumerProtocolSubscription.user_data")
    (owned_partitions_count,) = _unpack_i(buffer, p)
    p += 4
    if owned_partitions_count < 0:
        raise missing("ConsumerProtocolSubscription.owned_partitions")
    if owned_partitions_count > room or owned_partitions_count * 6 > end - p:
        raise too_many("ConsumerProtocolSubscription.owned_partitions", owned_partitions_count)
    room -= owned_partitions_count
    owned_partitions: list[TopicPartition] = []
    for _ in range(owned_partitions_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("ConsumerProtocolSubscription.owned_partitions.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("ConsumerProtocolSubscription.owned_partitions.partitions")
        partitions = read_int32s(buffer, p, partitions_count)
        p += partitions_count * 4
        owned_partitions.append(TopicPartition(topic, partitions))
    (generation_id,) = _unpack_i(buffer, p)
    p += 4
    return ConsumerProtocolSubscription(topics, user_data, owned_partitions, generation_id, None), p


def _decode_3(buffer: memoryview, p: int) -> tuple[ConsumerProtocolSubscription, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("ConsumerProtocolSubscription.topics")
    if topics_count > room or topics_count * 2 > end - p:
        raise too_many("ConsumerProtocolSubscription.topics", topics_count)
    room -= topics_count
    topics: list[str] = []
    for _ in range(topics_count):
        (element_size,) = _unpack_h(buffer, p)
        p += 2
        if element_size < 0:
            raise missing("ConsumerProtocolSubscription.topics")
        stop = p + element_size
        element = buffer[p:stop].tobytes().decode()
        p = stop
        topics.append(element)
    (user_data_size,) = _unpack_i(buffer, p)
    p += 4
    user_data: bytes | None = None
    if user_data_size >= 0:
        stop = p + user_data_size
        user_data = buffer[p:stop].tobytes()
        p = stop
    elif user_data_size != -1:
        raise missing("ConsumerProtocolSubscription.user_data")
    (owned_partitions_count,) = _unpack_i(buffer, p)
    p += 4
    if owned_partitions_count < 0:
        raise missing("ConsumerProtocolSubscription.owned_partitions")
    if owned_partitions_count > room or owned_partitions_count * 6 > end - p:
        raise too_many("ConsumerProtocolSubscription.owned_partitions", owned_partitions_count)
    room -= owned_partitions_count
    owned_partitions: list[TopicPartition] = []
    for _ in range(owned_partitions_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("ConsumerProtocolSubscription.owned_partitions.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("ConsumerProtocolSubscription.owned_partitions.partitions")
        partitions = read_int32s(buffer, p, partitions_count)
        p += partitions_count * 4
        owned_partitions.append(TopicPartition(topic, partitions))
    generation_id, rack_id_size = _unpack_ih(buffer, p)
    p += 6
    rack_id: str | None = None
    if rack_id_size >= 0:
        stop = p + rack_id_size
        rack_id = buffer[p:stop].tobytes().decode()
        p = stop
    elif rack_id_size != -1:
        raise missing("ConsumerProtocolSubscription.rack_id")
    return ConsumerProtocolSubscription(topics, user_data, owned_partitions, generation_id, rack_id), p


def _encode_0(message: ConsumerProtocolSubscription) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_i(len(topics)))
    for element in topics:
        text = element.encode()
        text_size = len(text)
        out += (_pack_h(text_size), text)
    user_data_value = message.user_data
    if user_data_value is None:
        user_data_size, user_data = -1, b""
    else:
        user_data = user_data_value
        user_data_size = len(user_data)
    out += (_pack_i(user_data_size), user_data)
    return b"".join(out)


def _encode_1(message: ConsumerProtocolSubscription) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_i(len(topics)))
    for element in topics:
        text = element.encode()
        text_size = len(text)
        out += (_pack_h(text_size), text)
    user_data_value = message.user_data
    if user_data_value is None:
        user_data_size, user_data = -1, b""
    else:
        user_data = user_data_value
        user_data_size = len(user_data)
    owned_partitions = message.owned_partitions
    out += (_pack_i(user_data_size), user_data, _pack_i(len(owned_partitions)))
    for element_2 in owned_partitions:
        topic = element_2.topic.encode()
        topic_size = len(topic)
        partitions = element_2.partitions
        out += (_pack_h(topic_size), topic, _pack_i(len(partitions)), write_int32s(partitions))
    return b"".join(out)


def _encode_2(message: ConsumerProtocolSubscription) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_i(len(topics)))
    for element in topics:
        text = element.encode()
        text_size = len(text)
        out += (_pack_h(text_size), text)
    user_data_value = message.user_data
    if user_data_value is None:
        user_data_size, user_data = -1, b""
    else:
        user_data = user_data_value
        user_data_size = len(user_data)
    owned_partitions = message.owned_partitions
    out += (_pack_i(user_data_size), user_data, _pack_i(len(owned_partitions)))
    for element_2 in owned_partitions:
        topic = element_2.topic.encode()
        topic_size = len(topic)
        partitions = element_2.partitions
        out += (_pack_h(topic_size), topic, _pack_i(len(partitions)), write_int32s(partitions))
    out.append(_pack_i(message.generation_id))
    return b"".join(out)


def _encode_3(message: ConsumerProtocolSubscription) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_i(len(topics)))
    for element in topics:
        text = element.encode()
        text_size = len(text)
        out += (_pack_h(text_size), text)
    user_data_value = message.user_data
    if user_data_value is None:
        user_data_size, user_data = -1, b""
    else:
        user_data = user_data_value
        user_data_size = len(user_data)
    owned_partitions = message.owned_partitions
    out += (_pack_i(user_data_size), user_data, _pack_i(len(owned_partitions)))
    for element_2 in owned_partitions:
        topic = element_2.topic.encode()
        topic_size = len(topic)
        partitions = element_2.partitions
        out += (_pack_h(topic_size), topic, _pack_i(len(partitions)), write_int32s(partitions))
    rack_id_value = message.rack_id
    if rack_id_value is None:
        rack_id_size, rack_id = -1, b""
    else:
        rack_id = rack_id_value.encode()
        rack_id_size = len(rack_id)
    out += (_pack_ih(message.generation_id, rack_id_size), rack_id)
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ConsumerProtocolSubscription, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
    3: _decode_3,
}
_ENCODERS: Final[dict[int, Callable[[ConsumerProtocolSubscription], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
    3: _encode_3,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ConsumerProtocolSubscription, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ConsumerProtocolSubscription has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ConsumerProtocolSubscription v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ConsumerProtocolSubscription v{version} is cut short")
    return result


def encode(message: ConsumerProtocolSubscription, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ConsumerProtocolSubscription has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ConsumerProtocolSubscription v{version}: {error}") from error
