"""AlterReplicaLogDirsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
)

NAME: Final = "AlterReplicaLogDirsResponse"
API_KEY: Final = 34
VERSIONS: Final[tuple[int, int]] = (1, 2)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_iter_ih = Struct(">ih").iter_unpack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ihx = Struct(">ihx").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class AlterReplicaLogDirPartitionResult(Wire):
    """AlterReplicaLogDirPartitionResult."""

    __slots__ = ("partition_index", "error_code")

    partition_index: int
    error_code: int

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code


@dataclass(init=False, repr=False, eq=False)
class AlterReplicaLogDirTopicResult(Wire):
    """AlterReplicaLogDirTopicResult."""

    __slots__ = ("topic_name", "partitions")

    topic_name: str
    partitions: list[AlterReplicaLogDirPartitionResult]

    def __init__(
        self,
        topic_name: str = "",
        partitions: list[AlterReplicaLogDirPartitionResult] = UNSET,
    ) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class AlterReplicaLogDirsResponse(Wire):
    """AlterReplicaLogDirsResponse."""

    __slots__ = ("throttle_time_ms", "results")

    throttle_time_ms: int
    results: list[AlterReplicaLogDirTopicResult]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[AlterReplicaLogDirTopicResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET else results


def _decode_0(buffer: memoryview, p: int) -> tuple[AlterReplicaLogDirsResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, results_count = _unpack_ii(buffer, p)
    p += 8
    if results_count < 0:
        raise missing("AlterReplicaLogDirsResponse.results")
    if results_count > room or results_count * 6 > end - p:
        raise too_many("AlterReplicaLogDirsResponse.results", results_count)
    room -= results_count
    results: list[AlterReplicaLogDirTopicResult] = []
    for _ in range(results_count):
        (topic_name_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_name_size < 0:
            raise missing("AlterReplicaLogDirsResponse.results.topic_name")
        stop = p + topic_name_size
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        (partitions_count,) = _unpack_i(buffer, p)
        p += 4
        if partitions_count < 0:
            raise missing("AlterReplicaLogDirsResponse.results.partitions")
        if partitions_count > room or partitions_count * 6 > end - p:
            raise too_many("AlterReplicaLogDirsResponse.results.partitions", partitions_count)
        room -= partitions_count
        stop = p + partitions_count * 6
        partitions: list[AlterReplicaLogDirPartitionResult] = [AlterReplicaLogDirPartitionResult(partition_index, error_code) for partition_index, error_code in _iter_ih(buffer[p:stop])]
        p = stop
        results.append(AlterReplicaLogDirTopicResult(topic_name, partitions))
    return AlterReplicaLogDirsResponse(throttle_time_ms, results), p


def _decode_1(buffer: memoryview, p: int) -> tuple[AlterReplicaLogDirsResponse, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, results_count = _unpack_iB(buffer, p)
    p += 5
    if results_count > 127:
        results_count, p = uvarint_tail(buffer, p, results_count)
    if results_count == 0:
        raise missing("AlterReplicaLogDirsResponse.results")
    results_count -= 1
    if results_count > room or results_count * 3 > end - p:
        raise too_many("AlterReplicaLogDirsResponse.results", results_count)
    room -= results_count
    results: list[AlterReplicaLogDirTopicResult] = []
    for _ in range(results_count):
        topic_name_size = buffer[p]
        p += 1
        if topic_name_size > 127:
            topic_name_size, p = string_tail(buffer, p, topic_name_size)
        if topic_name_size == 0:
            raise missing("AlterReplicaLogDirsResponse.results.topic_name")
        stop = p + topic_name_size - 1
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("AlterReplicaLogDirsResponse.results.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 7 > end - p:
            raise too_many("AlterReplicaLogDirsResponse.results.partitions", partitions_count)
        room -= partitions_count
        partitions: list[AlterReplicaLogDirPartitionResult] = []
        for _ in range(partitions_count):
            partition_index, error_code, tags = _unpack_ihB(buffer, p)
            p += 7
            if tags:
                p = skip_tags(buffer, p, tags)
            partitions.append(AlterReplicaLogDirPartitionResult(partition_index, error_code))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        results.append(AlterReplicaLogDirTopicResult(topic_name, partitions))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return AlterReplicaLogDirsResponse(throttle_time_ms, results), p


def _encode_0(message: AlterReplicaLogDirsResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    results = message.results
    out.append(_pack_ii(message.throttle_time_ms, len(results)))
    for element in results:
        topic_name = element.topic_name.encode()
        topic_name_size = len(topic_name)
        partitions = element.partitions
        out += (_pack_h(topic_name_size), topic_name, _pack_i(len(partitions)))
        out += [_pack_ih(element_2.partition_index, element_2.error_code) for element_2 in partitions]
    return b"".join(out)


def _encode_1(message: AlterReplicaLogDirsResponse) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    results = message.results
    results_count = len(results) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[results_count] if results_count < 256 else uvarint(results_count),
    )
    for element in results:
        topic_name = element.topic_name.encode()
        topic_name_size = len(topic_name) + 1
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
            topic_name,
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        out += [_pack_ihx(element_2.partition_index, element_2.error_code) for element_2 in partitions]
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AlterReplicaLogDirsResponse, int]]]] = {
    1: _decode_0,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[AlterReplicaLogDirsResponse], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AlterReplicaLogDirsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AlterReplicaLogDirsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AlterReplicaLogDirsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AlterReplicaLogDirsResponse v{version} is cut short")
    return result


def encode(message: AlterReplicaLogDirsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AlterReplicaLogDirsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AlterReplicaLogDirsResponse v{version}: {error}") from error
