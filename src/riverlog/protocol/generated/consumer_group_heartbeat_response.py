"""ConsumerGroupHeartbeatResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    ZERO_UUID,
)

NAME: Final = "ConsumerGroupHeartbeatResponse"
API_KEY: Final = 68
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_iib = Struct(">iib").unpack_from
_pack_u = Struct(">16s").pack
_pack_ih = Struct(">ih").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class Assignment(Wire):
    """Assignment."""

    __slots__ = ("topic_partitions",)

    topic_partitions: list[TopicPartitions]

    def __init__(
        self,
        topic_partitions: list[TopicPartitions] = UNSET,
    ) -> None:
        self.topic_partitions = [] if topic_partitions is UNSET else topic_partitions


@dataclass(init=False, repr=False, eq=False)
class TopicPartitions(Wire):
    """TopicPartitions."""

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
class ConsumerGroupHeartbeatResponse(Wire):
    """ConsumerGroupHeartbeatResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "member_id", "member_epoch", "heartbeat_interval_ms", "assignment")

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    member_id: str | None
    member_epoch: int
    heartbeat_interval_ms: int
    assignment: Assignment | None

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        member_id: str | None = None,
        member_epoch: int = 0,
        heartbeat_interval_ms: int = 0,
        assignment: Assignment | None = None,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.heartbeat_interval_ms = heartbeat_interval_ms
        self.assignment = assignment


def _decode_0(buffer: memoryview, p: int) -> tuple[ConsumerGroupHeartbeatResponse, int]:
    """Versions 0, 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, error_message_size = _unpack_ihB(buffer, p)
    p += 7
    if error_message_size > 127:
        error_message_size, p = string_tail(buffer, p, error_message_size)
    error_message: str | None = None
    if error_message_size:
        stop = p + error_message_size - 1
        error_message = buffer[p:stop].tobytes().decode()
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
    member_epoch, heartbeat_interval_ms, assignment_mark = _unpack_iib(buffer, p)
    p += 9
    assignment: Assignment | None = None
    if assignment_mark >= 0:
        topic_partitions_count = buffer[p]
        p += 1
        if topic_partitions_count > 127:
            topic_partitions_count, p = uvarint_tail(buffer, p, topic_partitions_count)
        if topic_partitions_count == 0:
            raise missing("ConsumerGroupHeartbeatResponse.assignment.topic_partitions")
        topic_partitions_count -= 1
        if topic_partitions_count > room or topic_partitions_count * 18 > end - p:
            raise too_many("ConsumerGroupHeartbeatResponse.assignment.topic_partitions", topic_partitions_count)
        room -= topic_partitions_count
        topic_partitions: list[TopicPartitions] = []
        for _ in range(topic_partitions_count):
            topic_id, partitions_count = _unpack_uB(buffer, p)
            p += 17
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("ConsumerGroupHeartbeatResponse.assignment.topic_partitions.partitions")
            partitions_count -= 1
            partitions = read_int32s(buffer, p, partitions_count)
            p += partitions_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            topic_partitions.append(TopicPartitions(topic_id, partitions))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        assignment = Assignment(topic_partitions)
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return ConsumerGroupHeartbeatResponse(throttle_time_ms, error_code, error_message, member_id, member_epoch, heartbeat_interval_ms, assignment), p


def _encode_0(message: ConsumerGroupHeartbeatResponse) -> bytes:
    """Versions 0, 1."""
    out: list[bytes] = []
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    member_id_value = message.member_id
    if member_id_value is None:
        member_id_size, member_id = 0, b""
    else:
        member_id = member_id_value.encode()
        member_id_size = len(member_id) + 1
    assignment = message.assignment
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
        error_message,
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        _pack_ii(message.member_epoch, message.heartbeat_interval_ms),
    )
    if assignment is None:
        out.append(b"\xff")
    else:
        topic_partitions = assignment.topic_partitions
        topic_partitions_count = len(topic_partitions) + 1
        out += (
            b"\1",
            UVARINTS[topic_partitions_count] if topic_partitions_count < 256 else uvarint(topic_partitions_count),
        )
        for element in topic_partitions:
            topic_id = element.topic_id
            if len(topic_id) != 16:
                raise bad_uuid("ConsumerGroupHeartbeatResponse.assignment.topic_partitions.topic_id")
            partitions = element.partitions
            partitions_count = len(partitions) + 1
            out += (
                _pack_u(topic_id),
                UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
                write_int32s(partitions),
                b"\0",
            )
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ConsumerGroupHeartbeatResponse, int]]]] = {
    0: _decode_0,
    1: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ConsumerGroupHeartbeatResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ConsumerGroupHeartbeatResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ConsumerGroupHeartbeatResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ConsumerGroupHeartbeatResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ConsumerGroupHeartbeatResponse v{version} is cut short")
    return result


def encode(message: ConsumerGroupHeartbeatResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ConsumerGroupHeartbeatResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ConsumerGroupHeartbeatResponse v{version}: {error}") from error
