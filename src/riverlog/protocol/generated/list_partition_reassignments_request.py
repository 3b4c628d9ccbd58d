"""ListPartitionReassignmentsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "ListPartitionReassignmentsRequest"
API_KEY: Final = 46
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iB = Struct(">iB").unpack_from
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class ListPartitionReassignmentsTopics(Wire):
    """ListPartitionReassignmentsTopics."""

    __slots__ = ("name", "partition_indexes")

    name: str
    partition_indexes: list[int]

    def __init__(
        self,
        name: str = "",
        partition_indexes: list[int] = UNSET,
    ) -> None:
        self.name = name
        self.partition_indexes = [] if partition_indexes is UNSET else partition_indexes


@dataclass(init=False, repr=False, eq=False)
class ListPartitionReassignmentsRequest(Wire):
    """ListPartitionReassignmentsRequest."""

    __slots__ = ("timeout_ms", "topics")

    timeout_ms: int
    topics: list[ListPartitionReassignmentsTopics] | None

    def __init__(
        self,
        timeout_ms: int = 60000,
        topics: list[ListPartitionReassignmentsTopics] | None = None,
    ) -> None:
        self.timeout_ms = timeout_ms
        self.topics = topics


def _decode_0(buffer: memoryview, p: int) -> tuple[ListPartitionReassignmentsRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    timeout_ms, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    topics: list[ListPartitionReassignmentsTopics] | None = None
    if topics_count:
        topics_count -= 1
        if topics_count > room or topics_count * 3 > end - p:
            raise too_many("ListPartitionReassignmentsRequest.topics", topics_count)
        room -= topics_count
        topics = []
        for _ in range(topics_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("ListPartitionReassignmentsRequest.topics.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            partition_indexes_count = buffer[p]
            p += 1
            if partition_indexes_count > 127:
                partition_indexes_count, p = uvarint_tail(buffer, p, partition_indexes_count)
            if partition_indexes_count == 0:
                raise missing("ListPartitionReassignmentsRequest.topics.partition_indexes")
            partition_indexes_count -= 1
            partition_indexes = read_int32s(buffer, p, partition_indexes_count)
            p += partition_indexes_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            topics.append(ListPartitionReassignmentsTopics(name, partition_indexes))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return ListPartitionReassignmentsRequest(timeout_ms, topics), p


def _encode_0(message: ListPartitionReassignmentsRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_i(message.timeout_ms))
    if topics is None:
        out.append(b"\0")
    else:
        topics_count = len(topics) + 1
        out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
        for element in topics:
            name = element.name.encode()
            name_size = len(name) + 1
            partition_indexes = element.partition_indexes
            partition_indexes_count = len(partition_indexes) + 1
            out += (
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                UVARINTS[partition_indexes_count] if partition_indexes_count < 256 else uvarint(partition_indexes_count),
                write_int32s(partition_indexes),
                b"\0",
            )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ListPartitionReassignmentsRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ListPartitionReassignmentsRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ListPartitionReassignmentsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ListPartitionReassignmentsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ListPartitionReassignmentsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ListPartitionReassignmentsRequest v{version} is cut short")
    return result


def encode(message: ListPartitionReassignmentsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ListPartitionReassignmentsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ListPartitionReassignmentsRequest v{version}: {error}") from error
