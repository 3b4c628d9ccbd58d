"""ConsumerProtocolAssignment. Written by `python -m codegen` from schemas/data; do not edit."""

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

NAME: Final = "ConsumerProtocolAssignment"
API_KEY: Final = -1
VERSIONS: Final[tuple[int, int]] = (0, 3)
FLEXIBLE_FROM: Final = 32767
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack


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
class ConsumerProtocolAssignment(Wire):
    """ConsumerProtocolAssignment."""

    __slots__ = ("assigned_partitions", "user_data")

    assigned_partitions: list[TopicPartition]
    user_data: bytes | None

    def __init__(
        self,
        assigned_partitions: list[TopicPartition] = UNSET,
        user_data: bytes | None = None,
    ) -> None:
        self.assigned_partitions = [] if assigned_partitions is UNSET else assigned_partitions
        self.user_data = user_data


def _decode_0(buffer: memoryview, p: int) -> tuple[ConsumerProtocolAssignment, int]:
    """Versions 0, 1, 2, 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (assigned_partitions_count,) = _unpack_i(buffer, p)
    p += 4
    if assigned_partitions_count < 0:
        raise missing("ConsumerProtocolAssignment.assigned_partitions")
    if assigned_partitions_count > room or assigned_partitions_count * 6 > end - p:
        raise too_many("ConsumerProtocolAssignment.assigned_partitions", assigned_partitions_count)
    room -= assigned_partitions_count
    assigned_partitions: list[TopicPartition] = []
    for _ in range(assigned_partitions_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("ConsumerProtocolAssignment.assigned_partitions.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("ConsumerProtocolAssignment.assigned_partitions.partitions")
        partitions = read_int32s(buffer, p, partitions_count)
        p += partitions_count * 4
        assigned_partitions.append(TopicPartition(topic, partitions))
    (user_data_size,) = _unpack_i(buffer, p)
    p += 4
    user_data: bytes | None = None
    if user_data_size >= 0:
        stop = p + user_data_size
        user_data = buffer[p:stop].tobytes()
        p = stop
    elif user_data_size != -1:
        raise missing("ConsumerProtocolAssignment.user_data")
    return ConsumerProtocolAssignment(assigned_partitions, user_data), p


def _encode_0(message: ConsumerProtocolAssignment) -> bytes:
    """Versions 0, 1, 2, 3."""
    out: list[bytes] = []
    assigned_partitions = message.assigned_partitions
    out.append(_pack_i(len(assigned_partitions)))
    for element in assigned_partitions:
        topic = element.topic.encode()
        topic_size = len(topic)
        partitions = element.partitions
        out += (_pack_h(topic_size), topic, _pack_i(len(partitions)), write_int32s(partitions))
    user_data_value = message.user_data
    if user_data_value is None:
        user_data_size, user_data = -1, b""
    else:
        user_data = user_data_value
        user_data_size = len(user_data)
    out += (_pack_i(user_data_size), user_data)
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ConsumerProtocolAssignment, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_0,
    3: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ConsumerProtocolAssignment], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_0,
    3: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ConsumerProtocolAssignment, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ConsumerProtocolAssignment has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ConsumerProtocolAssignment v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ConsumerProtocolAssignment v{version} is cut short")
    return result


def encode(message: ConsumerProtocolAssignment, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ConsumerProtocolAssignment has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ConsumerProtocolAssignment v{version}: {error}") from error
