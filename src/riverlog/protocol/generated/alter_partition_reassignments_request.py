"""AlterPartitionReassignmentsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "AlterPartitionReassignmentsRequest"
API_KEY: Final = 45
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_izB = Struct(">i?B").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_pack_i = Struct(">i").pack
_pack_iz = Struct(">i?").pack


@dataclass(init=False, repr=False, eq=False)
class ReassignablePartition(Wire):
    """ReassignablePartition."""

    __slots__ = ("partition_index", "replicas")

    partition_index: int
    replicas: list[int] | None

    def __init__(
        self,
        partition_index: int = 0,
        replicas: list[int] | None = None,
    ) -> None:
        self.partition_index = partition_index
        self.replicas = replicas


@dataclass(init=False, repr=False, eq=False)
class ReassignableTopic(Wire):
    """ReassignableTopic."""

    __slots__ = ("name", "partitions")

    name: str
    partitions: list[ReassignablePartition]

    def __init__(
        self,
        name: str = "",
        partitions: list[ReassignablePartition] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class AlterPartitionReassignmentsRequest(Wire):
    """AlterPartitionReassignmentsRequest."""

    __slots__ = ("timeout_ms", "allow_replication_factor_change", "topics")

    timeout_ms: int
    allow_replication_factor_change: bool
    topics: list[ReassignableTopic]

    def __init__(
        self,
        timeout_ms: int = 60000,
        allow_replication_factor_change: bool = True,
        topics: list[ReassignableTopic] = UNSET,
    ) -> None:
        self.timeout_ms = timeout_ms
        self.allow_replication_factor_change = allow_replication_factor_change
        self.topics = [] if topics is UNSET else topics


def _decode_0(buffer: memoryview, p: int) -> tuple[AlterPartitionReassignmentsRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    timeout_ms, topics_count = _unpack_iB(buffer, p)
    p += 5
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("AlterPartitionReassignmentsRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("AlterPartitionReassignmentsRequest.topics", topics_count)
    room -= topics_count
    topics: list[ReassignableTopic] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("AlterPartitionReassignmentsRequest.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("AlterPartitionReassignmentsRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 6 > end - p:
            raise too_many("AlterPartitionReassignmentsRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[ReassignablePartition] = []
        for _ in range(partitions_count):
            partition_index, replicas_count = _unpack_iB(buffer, p)
            p += 5
            if replicas_count > 127:
                replicas_count, p = uvarint_tail(buffer, p, replicas_count)
            replicas: list[int] | None = None
            if replicas_count:
                replicas_count -= 1
                replicas = read_int32s(buffer, p, replicas_count)
                p += replicas_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(ReassignablePartition(partition_index, replicas))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(ReassignableTopic(name, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return AlterPartitionReassignmentsRequest(timeout_ms, True, topics), p


def _decode_1(buffer: memoryview, p: int) -> tuple[AlterPartitionReassignmentsRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    timeout_ms, allow_replication_factor_change, topics_count = _unpack_izB(buffer, p)
    p += 6
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("AlterPartitionReassignmentsRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 3 > end - p:
        raise too_many("AlterPartitionReassignmentsRequest.topics", topics_count)
    room -= topics_count
    topics: list[ReassignableTopic] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("AlterPartitionReassignmentsRequest.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("AlterPartitionReassignmentsRequest.topics.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 6 > end - p:
            raise too_many("AlterPartitionReassignmentsRequest.topics.partitions", partitions_count)
        room -= partitions_count
        partitions: list[ReassignablePartition] = []
        for _ in range(partitions_count):
            partition_index, replicas_count = _unpack_iB(buffer, p)
            p += 5
            if replicas_count > 127:
                replicas_count, p = uvarint_tail(buffer, p, replicas_count)
            replicas: list[int] | None = None
            if replicas_count:
                replicas_count -= 1
                replicas = read_int32s(buffer, p, replicas_count)
                p += replicas_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(ReassignablePartition(partition_index, replicas))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(ReassignableTopic(name, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return AlterPartitionReassignmentsRequest(timeout_ms, allow_replication_factor_change, topics), p


def _encode_0(message: AlterPartitionReassignmentsRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    if not message.allow_replication_factor_change:
        raise not_in_version("AlterPartitionReassignmentsRequest.allow_replication_factor_change")
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_i(message.timeout_ms),
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
            out.append(_pack_i(element_2.partition_index))
            if replicas is None:
                out.append(b"\0")
            else:
                replicas_count = len(replicas) + 1
                out += (
                    UVARINTS[replicas_count] if replicas_count < 256 else uvarint(replicas_count),
                    write_int32s(replicas),
                )
            out.append(b"\0")
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: AlterPartitionReassignmentsRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out += (
        _pack_iz(message.timeout_ms, message.allow_replication_factor_change),
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
            out.append(_pack_i(element_2.partition_index))
            if replicas is None:
                out.append(b"\0")
            else:
                replicas_count = len(replicas) + 1
                out += (
                    UVARINTS[replicas_count] if replicas_count < 256 else uvarint(replicas_count),
                    write_int32s(replicas),
                )
            out.append(b"\0")
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AlterPartitionReassignmentsRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[AlterPartitionReassignmentsRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AlterPartitionReassignmentsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AlterPartitionReassignmentsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AlterPartitionReassignmentsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AlterPartitionReassignmentsRequest v{version} is cut short")
    return result


def encode(message: AlterPartitionReassignmentsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AlterPartitionReassignmentsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AlterPartitionReassignmentsRequest v{version}: {error}") from error
