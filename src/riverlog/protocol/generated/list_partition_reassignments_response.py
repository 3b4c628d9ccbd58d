"""ListPartitionReassignmentsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "ListPartitionReassignmentsResponse"
API_KEY: Final = 46
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack


@dataclass(init=False, repr=False, eq=False)
class OngoingPartitionReassignment(Wire):
    """OngoingPartitionReassignment."""

    __slots__ = ("partition_index", "replicas", "adding_replicas", "removing_replicas")

    partition_index: int
    replicas: list[int]
    adding_replicas: list[int]
    removing_replicas: list[int]

    def __init__(
        self,
        partition_index: int = 0,
        replicas: list[int] = UNSET,
        adding_replicas: list[int] = UNSET,
        removing_replicas: list[int] = UNSET,
    ) -> None:
        self.partition_index = partition_index
        self.replicas = [] if replicas is UNSET else replicas
        self.adding_replicas = [] if adding_replicas is UNSET else adding_replicas
        self.removing_replicas = [] if removing_replicas is UNSET else removing_replicas


@dataclass(init=False, repr=False, eq=False)
class OngoingTopicReassignment(Wire):
    """OngoingTopicReassignment."""

    __slots__ = ("name", "partitions")

    name: str
    partitions: list[OngoingPartitionReassignment]

    def __init__(
        self,
        name: str = "",
        partitions: list[OngoingPartitionReassignment] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class ListPartitionReassignmentsResponse(Wire):
    """ListPartitionReassignmentsResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "topics")

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    topics: list[OngoingTopicReassignment]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        topics: list[OngoingTopicReassignment] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[ListPartitionReassignmentsResponse, int]:
    """Versions 0."""
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
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("ListPartitionReassignmentsResponse.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("ListPartitionReassignmentsResponse.topics", topics_count)
    room -= topics_count
    topics: list[OngoingTopicReassignment] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("ListPartitionReassignmentsResponse.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("ListPartitionReassignmentsResponse.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 8 > end - p:
            raise too_many("ListPartitionReassignmentsResponse.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[OngoingPartitionReassignment] = []
        for _ in range(partitions_count):
            partition_index, replicas_count = _unpack_iB(buffer, p)
            p += 5
            if replicas_count > 127:
                replicas_count, p = uvarint_tail(buffer, p, replicas_count)
            if replicas_count == 0:
                raise missing("ListPartitionReassignmentsResponse.topics.partitions.replicas")
            replicas_count -= 1
            replicas = read_int32s(buffer, p, replicas_count)
            p += replicas_count * 4
            adding_replicas_count = buffer[p]
            p += 1
            if adding_replicas_count > 127:
                adding_replicas_count, p = uvarint_tail(buffer, p, adding_replicas_count)
            if adding_replicas_count == 0:
                raise missing("ListPartitionReassignmentsResponse.topics.partitions.adding_replicas")
            adding_replicas_count -= 1
            adding_replicas = read_int32s(buffer, p, adding_replicas_count)
            p += adding_replicas_count * 4
            removing_replicas_count = buffer[p]
            p += 1
            if removing_replicas_count > 127:
                removing_replicas_count, p = uvarint_tail(buffer, p, removing_replicas_count)
            if removing_replicas_count == 0:
                raise missing("ListPartitionReassignmentsResponse.topics.partitions.removing_replicas")
            removing_replicas_count -= 1
            removing_replicas = read_int32s(buffer, p, removing_replicas_count)
            p += removing_replicas_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(OngoingPartitionReassignment(partition_index, replicas, adding_replicas, removing_replicas))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(OngoingTopicReassignment(name, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return ListPartitionReassignmentsResponse(throttle_time_ms, error_code, error_message, topics), p


def _encode_0(message: ListPartitionReassignmentsResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
        error_message,
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
            replicas = element_2.replicas
            replicas_count = len(replicas) + 1
            adding_replicas = element_2.adding_replicas
            adding_replicas_count = len(adding_replicas) + 1
            removing_replicas = element_2.removing_replicas
            removing_replicas_count = len(removing_replicas) + 1
            out += (
                _pack_i(element_2.partition_index),
                UVARINTS[replicas_count] if replicas_count < 256 else uvarint(replicas_count),
                write_int32s(replicas),
                UVARINTS[adding_replicas_count] if adding_replicas_count < 256 else uvarint(adding_replicas_count),
                write_int32s(adding_replicas),
                UVARINTS[removing_replicas_count] if removing_replicas_count < 256 else uvarint(removing_replicas_count),
                write_int32s(removing_replicas),
                b"\0",
            )
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ListPartitionReassignmentsResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ListPartitionReassignmentsResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ListPartitionReassignmentsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ListPartitionReassignmentsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ListPartitionReassignmentsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ListPartitionReassignmentsResponse v{version} is cut short")
    return result


def encode(message: ListPartitionReassignmentsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ListPartitionReassignmentsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ListPartitionReassignmentsResponse v{version}: {error}") from error
