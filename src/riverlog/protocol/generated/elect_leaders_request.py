"""ElectLeadersRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "ElectLeadersRequest"
API_KEY: Final = 43
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_bB = Struct(">bB").unpack_from
_unpack_bi = Struct(">bi").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_pack_b = Struct(">b").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class TopicPartitions(Wire):
    """TopicPartitions."""

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
class ElectLeadersRequest(Wire):
    """ElectLeadersRequest."""

    __slots__ = ("election_type", "topic_partitions", "timeout_ms")

    election_type: int
    topic_partitions: list[TopicPartitions] | None
    timeout_ms: int

    def __init__(
        self,
        election_type: int = 0,
        topic_partitions: list[TopicPartitions] | None = UNSET,
        timeout_ms: int = 60000,
    ) -> None:
        self.election_type = election_type
        self.topic_partitions = [] if topic_partitions is UNSET else topic_partitions
        self.timeout_ms = timeout_ms


def _decode_0(buffer: memoryview, p: int) -> tuple[ElectLeadersRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topic_partitions_count,) = _unpack_i(buffer, p)
    p += 4
    topic_partitions: list[TopicPartitions] | None = None
    if topic_partitions_count >= 0:
        if topic_partitions_count > room or topic_partitions_count * 6 > end - p:
            raise too_many("ElectLeadersRequest.topic_partitions", topic_partitions_count)
        room -= topic_partitions_count
        topic_partitions = []
        for _ in range(topic_partitions_count):
            (topic_size,) = _unpack_h(buffer, p)
            p += 2
            if topic_size < 0:
                raise missing("ElectLeadersRequest.topic_partitions.topic")
            stop = p + topic_size
            topic = buffer[p:stop].tobytes().decode()
            p = stop
            (partitions_count,) = _unpack_i(buffer, p)
            p += 4
            if partitions_count < 0:
                raise missing("ElectLeadersRequest.topic_partitions.partitions")
            partitions = read_int32s(buffer, p, partitions_count)
            p += partitions_count * 4
            topic_partitions.append(TopicPartitions(topic, partitions))
    elif topic_partitions_count != -1:
        raise missing("ElectLeadersRequest.topic_partitions")
    (timeout_ms,) = _unpack_i(buffer, p)
    p += 4
    return ElectLeadersRequest(0, topic_partitions, timeout_ms), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ElectLeadersRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    election_type, topic_partitions_count = _unpack_bi(buffer, p)
    p += 5
    topic_partitions: list[TopicPartitions] | None = None
    if topic_partitions_count >= 0:
        if topic_partitions_count > room or topic_partitions_count * 6 > end - p:
            raise too_many("ElectLeadersRequest.topic_partitions", topic_partitions_count)
        room -= topic_partitions_count
        topic_partitions = []
        for _ in range(topic_partitions_count):
            (topic_size,) = _unpack_h(buffer, p)
            p += 2
            if topic_size < 0:
                raise missing("ElectLeadersRequest.topic_partitions.topic")
            stop = p + topic_size
            topic = buffer[p:stop].tobytes().decode()
            p = stop
            (partitions_count,) = _unpack_i(buffer, p)
            p += 4
            if partitions_count < 0:
                raise missing("ElectLeadersRequest.topic_partitions.partitions")
            partitions = read_int32s(buffer, p, partitions_count)
            p += partitions_count * 4
            topic_partitions.append(TopicPartitions(topic, partitions))
    elif topic_partitions_count != -1:
        raise missing("ElectLeadersRequest.topic_partitions")
    (timeout_ms,) = _unpack_i(buffer, p)
    p += 4
    return ElectLeadersRequest(election_type, topic_partitions, timeout_ms), p


def _decode_2(buffer: memoryview, p: int) -> tuple[ElectLeadersRequest, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    election_type, topic_partitions_count = _unpack_bB(buffer, p)
    p += 2
    if topic_partitions_count > 127:
        topic_partitions_count, p = uvarint_tail(buffer, p, topic_partitions_count)
    topic_partitions: list[TopicPartitions] | None = None
    if topic_partitions_count:
        topic_partitions_count -= 1
        if topic_partitions_count > room or topic_partitions_count * 3 > end - p:
            raise too_many("ElectLeadersRequest.topic_partitions", topic_partitions_count)
        room -= topic_partitions_count
        topic_partitions = []
        for _ in range(topic_partitions_count):
            topic_size = buffer[p]
            p += 1
            if topic_size > 127:
                topic_size, p = string_tail(buffer, p, topic_size)
            if topic_size == 0:
                raise missing("ElectLeadersRequest.topic_partitions.topic")
            stop = p + topic_size - 1
            topic = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count = buffer[p]
            p += 1
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("ElectLeadersRequest.topic_partitions.partitions")
            partitions_count -= 1
            partitions = read_int32s(buffer, p, partitions_count)
            p += partitions_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            topic_partitions.append(TopicPartitions(topic, partitions))
    timeout_ms, tags_2 = _unpack_iB(buffer, p)
    p += 5
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return ElectLeadersRequest(election_type, topic_partitions, timeout_ms), p


def _encode_0(message: ElectLeadersRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    if message.election_type != 0:
        raise not_in_version("ElectLeadersRequest.election_type")
    topic_partitions = message.topic_partitions
    if topic_partitions is None:
        out.append(b"\xff\xff\xff\xff")
    else:
        out.append(_pack_i(len(topic_partitions)))
        for element in topic_partitions:
            topic = element.topic.encode()
            topic_size = len(topic)
            partitions = element.partitions
            out += (_pack_h(topic_size), topic, _pack_i(len(partitions)), write_int32s(partitions))
    out.append(_pack_i(message.timeout_ms))
    return b"".join(out)


def _encode_1(message: ElectLeadersRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    topic_partitions = message.topic_partitions
    out.append(_pack_b(message.election_type))
    if topic_partitions is None:
        out.append(b"\xff\xff\xff\xff")
    else:
        out.append(_pack_i(len(topic_partitions)))
        for element in topic_partitions:
            topic = element.topic.encode()
            topic_size = len(topic)
            partitions = element.partitions
            out += (_pack_h(topic_size), topic, _pack_i(len(partitions)), write_int32s(partitions))
    out.append(_pack_i(message.timeout_ms))
    return b"".join(out)


def _encode_2(message: ElectLeadersRequest) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    topic_partitions = message.topic_partitions
    out.append(_pack_b(message.election_type))
    if topic_partitions is None:
        out.append(b"\0")
    else:
        topic_partitions_count = len(topic_partitions) + 1
        out.append(UVARINTS[topic_partitions_count] if topic_partitions_count < 256 else uvarint(topic_partitions_count))
        for element in topic_partitions:
            topic = element.topic.encode()
            topic_size = len(topic) + 1
            partitions = element.partitions
            partitions_count = len(partitions) + 1
            out += (
                UVARINTS[topic_size] if topic_size < 256 else string_prefix(topic_size),
                topic,
                UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
                write_int32s(partitions),
                b"\0",
            )
    out.append(_pack_ix(message.timeout_ms))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ElectLeadersRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[ElectLeadersRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ElectLeadersRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ElectLeadersRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ElectLeadersRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ElectLeadersRequest v{version} is cut short")
    return result


def encode(message: ElectLeadersRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ElectLeadersRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ElectLeadersRequest v{version}: {error}") from error
