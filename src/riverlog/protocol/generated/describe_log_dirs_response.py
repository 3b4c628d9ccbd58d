"""DescribeLogDirsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DescribeLogDirsResponse"
API_KEY: Final = 35
VERSIONS: Final[tuple[int, int]] = (1, 5)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_hh = Struct(">hh").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_unpack_iqqzB = Struct(">iqq?B").unpack_from
_unpack_qqzB = Struct(">qq?B").unpack_from
_unpack_qqB = Struct(">qqB").unpack_from
_iter_iqqz = Struct(">iqq?").iter_unpack
_pack_h = Struct(">h").pack
_pack_hh = Struct(">hh").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ii = Struct(">ii").pack
_pack_iqqz = Struct(">iqq?").pack
_pack_iqqzx = Struct(">iqq?x").pack
_pack_qqzx = Struct(">qq?x").pack
_pack_qqx = Struct(">qqx").pack


@dataclass(init=False, repr=False, eq=False)
class DescribeLogDirsPartition(Wire):
    """DescribeLogDirsPartition."""

    __slots__ = ("partition_index", "partition_size", "offset_lag", "is_future_key")

    partition_index: int
    partition_size: int
    offset_lag: int
    is_future_key: bool

    def __init__(
        self,
        partition_index: int = 0,
        partition_size: int = 0,
        offset_lag: int = 0,
        is_future_key: bool = False,
    ) -> None:
        self.partition_index = partition_index
        self.partition_size = partition_size
        self.offset_lag = offset_lag
        self.is_future_key = is_future_key


@dataclass(init=False, repr=False, eq=False)
class DescribeLogDirsTopic(Wire):
    """DescribeLogDirsTopic."""

    __slots__ = ("name", "partitions")

    name: str
    partitions: list[DescribeLogDirsPartition]

    def __init__(
        self,
        name: str = "",
        partitions: list[DescribeLogDirsPartition] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class DescribeLogDirsResult(Wire):
    """DescribeLogDirsResult."""

    __slots__ = ("error_code", "log_dir", "topics", "total_bytes", "usable_bytes", "is_cordoned")

    error_code: int
    log_dir: str
    topics: list[DescribeLogDirsTopic]
    total_bytes: int
    usable_bytes: int
    is_cordoned: bool

    def __init__(
        self,
        error_code: int = 0,
        log_dir: str = "",
        topics: list[DescribeLogDirsTopic] = UNSET,
        total_bytes: int = -1,
        usable_bytes: int = -1,
        is_cordoned: bool = False,
    ) -> None:
        self.error_code = error_code
        self.log_dir = log_dir
        self.topics = [] if topics is UNSET else topics
        self.total_bytes = total_bytes
        self.usable_bytes = usable_bytes
        self.is_cordoned = is_cordoned


@dataclass(init=False, repr=False, eq=False)
class DescribeLogDirsResponse(Wire):
    """DescribeLogDirsResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "results")

    throttle_time_ms: int
    error_code: int
    results: list[DescribeLogDirsResult]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        results: list[DescribeLogDirsResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.results = [] if results is UNSET else results


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeLogDirsResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, results_count = _unpack_ii(buffer, p)
    p += 8
    if results_count < 0:
        raise missing("DescribeLogDirsResponse.results")
    if results_count > room or results_count * 8 > end - p:
        raise too_many("DescribeLogDirsResponse.results", results_count)
    room -= results_count
    results: list[DescribeLogDirsResult] = []
    for _ in range(results_count):
        error_code, log_dir_size = _unpack_hh(buffer, p)
        p += 4
        if log_dir_size < 0:
            raise missing("DescribeLogDirsResponse.results.log_dir")
        stop = p + log_dir_size
        log_dir = buffer[p:stop].tobytes().decode()
        p = stop
        (topics_count,) = _unpack_i(buffer, p)
        p += 4
        if topics_count < 0:
            raise missing("DescribeLogDirsResponse.results.topics")
        if topics_count > room or topics_count * 6 > end - p:
            raise too_many("DescribeLogDirsResponse.results.topics", topics_count)
        room -= topics_count
        topics: list[DescribeLogDirsTopic] = []
        for _ in range(topics_count):
            (name_size,) = _unpack_h(buffer, p)
            p += 2
            if name_size < 0:
                raise missing("DescribeLogDirsResponse.results.topics.name")
            stop = p + name_size
            name = buffer[p:stop].tobytes().decode()
            p = stop
            (partitions_count,) = _unpack_i(buffer, p)
            p += 4
            if partitions_count < 0:
                raise missing("DescribeLogDirsResponse.results.topics.partitions")
            if partitions_count > room or partitions_count * 21 > end - p:
                raise too_many("DescribeLogDirsResponse.results.topics.partitions", partitions_count)
            room -= partitions_count
            stop = p + partitions_count * 21
            partitions: list[DescribeLogDirsPartition] = [DescribeLogDirsPartition(partition_index, partition_size, offset_lag, is_future_key) for partition_index, partition_size, offset_lag, is_future_key in _iter_iqqz(buffer[p:stop])]
            p = stop
            topics.append(DescribeLogDirsTopic(name, partitions))
        results.append(DescribeLogDirsResult(error_code, log_dir, topics, -1, -1, False))
    return DescribeLogDirsResponse(throttle_time_ms, 0, results), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DescribeLogDirsResponse, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, results_count = _unpack_iB(buffer, p)
    p += 5
    if results_count > 127:
        results_count, p = uvarint_tail(buffer, p, results_count)
    if results_count == 0:
        raise missing("DescribeLogDirsResponse.results")
    results_count -= 1
    if results_count > room or results_count * 5 > end - p:
        raise too_many("DescribeLogDirsResponse.results", results_count)
    room -= results_count
    results: list[DescribeLogDirsResult] = []
    for _ in range(results_count):
        error_code, log_dir_size = _unpack_hB(buffer, p)
        p += 3
        if log_dir_size > 127:
            log_dir_size, p = string_tail(buffer, p, log_dir_size)
        if log_dir_size == 0:
            raise missing("DescribeLogDirsResponse.results.log_dir")
        stop = p + log_dir_size - 1
        log_dir = buffer[p:stop].tobytes().decode()
        p = stop
        topics_count = buffer[p]
        p += 1
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        if topics_count == 0:
            raise missing("DescribeLogDirsResponse.results.topics")
        topics_count -= 1
        if topics_count > room or topics_count * 3 > end - p:
            raise too_many("DescribeLogDirsResponse.results.topics", topics_count)
        room -= topics_count
        topics: list[DescribeLogDirsTopic] = []
        for _ in range(topics_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("DescribeLogDirsResponse.results.topics.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count = buffer[p]
            p += 1
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("DescribeLogDirsResponse.results.topics.partitions")
            partitions_count -= 1
            if partitions_count > room or partitions_count * 22 > end - p:
                raise too_many("DescribeLogDirsResponse.results.topics.partitions", partitions_count)
            room -= partitions_count
            partitions: list[DescribeLogDirsPartition] = []
            for _ in range(partitions_count):
                partition_index, partition_size, offset_lag, is_future_key, tags = _unpack_iqqzB(buffer, p)
                p += 22
                if tags:
                    p = skip_tags(buffer, p, tags)
                partitions.append(DescribeLogDirsPartition(partition_index, partition_size, offset_lag, is_future_key))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            topics.append(DescribeLogDirsTopic(name, partitions))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        results.append(DescribeLogDirsResult(error_code, log_dir, topics, -1, -1, False))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return DescribeLogDirsResponse(throttle_time_ms, 0, results), p


def _decode_2(buffer: memoryview, p: int) -> tuple[DescribeLogDirsResponse, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, results_count = _unpack_ihB(buffer, p)
    p += 7
    if results_count > 127:
        results_count, p = uvarint_tail(buffer, p, results_count)
    if results_count == 0:
        raise missing("DescribeLogDirsResponse.results")
    results_count -= 1
    if results_count > room or results_count * 5 > end - p:
        raise too_many("DescribeLogDirsResponse.results", results_count)
    room -= results_count
    results: list[DescribeLogDirsResult] = []
    for _ in range(results_count):
        error_code_2, log_dir_size = _unpack_hB(buffer, p)
        p += 3
        if log_dir_size > 127:
            log_dir_size, p = string_tail(buffer, p, log_dir_size)
        if log_dir_size == 0:
            raise missing("DescribeLogDirsResponse.results.log_dir")
        stop = p + log_dir_size - 1
        log_dir = buffer[p:stop].tobytes().decode()
        p = stop
        topics_count = buffer[p]
        p += 1
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        if topics_count == 0:
            raise missing("DescribeLogDirsResponse.results.topics")
        topics_count -= 1
        if topics_count > room or topics_count * 3 > end - p:
            raise too_many("DescribeLogDirsResponse.results.topics", topics_count)
        room -= topics_count
        topics: list[DescribeLogDirsTopic] = []
        for _ in range(topics_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("DescribeLogDirsResponse.results.topics.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count = buffer[p]
            p += 1
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("DescribeLogDirsResponse.results.topics.partitions")
            partitions_count -= 1
            if partitions_count > room or partitions_count * 22 > end - p:
                raise too_many("DescribeLogDirsResponse.results.topics.partitions", partitions_count)
            room -= partitions_count
            partitions: list[DescribeLogDirsPartition] = []
            for _ in range(partitions_count):
                partition_index, partition_size, offset_lag, is_future_key, tags = _unpack_iqqzB(buffer, p)
                p += 22
                if tags:
                    p = skip_tags(buffer, p, tags)
                partitions.append(DescribeLogDirsPartition(partition_index, partition_size, offset_lag, is_future_key))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            topics.append(DescribeLogDirsTopic(name, partitions))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        results.append(DescribeLogDirsResult(error_code_2, log_dir, topics, -1, -1, False))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return DescribeLogDirsResponse(throttle_time_ms, error_code, results), p


def _decode_3(buffer: memoryview, p: int) -> tuple[DescribeLogDirsResponse, int]:
    """Versions 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, results_count = _unpack_ihB(buffer, p)
    p += 7
    if results_count > 127:
        results_count, p = uvarint_tail(buffer, p, results_count)
    if results_count == 0:
        raise missing("DescribeLogDirsResponse.results")
    results_count -= 1
    if results_count > room or results_count * 21 > end - p:
        raise too_many("DescribeLogDirsResponse.results", results_count)
    room -= results_count
    results: list[DescribeLogDirsResult] = []
    for _ in range(results_count):
        error_code_2, log_dir_size = _unpack_hB(buffer, p)
        p += 3
        if log_dir_size > 127:
            log_dir_size, p = string_tail(buffer, p, log_dir_size)
        if log_dir_size == 0:
            raise missing("DescribeLogDirsResponse.results.log_dir")
        stop = p + log_dir_size - 1
        log_dir = buffer[p:stop].tobytes().decode()
        p = stop
        topics_count = buffer[p]
        p += 1
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        if topics_count == 0:
            raise missing("DescribeLogDirsResponse.results.topics")
        topics_count -= 1
        if topics_count > room or topics_count * 3 > end - p:
            raise too_many("DescribeLogDirsResponse.results.topics", topics_count)
        room -= topics_count
        topics: list[DescribeLogDirsTopic] = []
        for _ in range(topics_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("DescribeLogDirsResponse.results.topics.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count = buffer[p]
            p += 1
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("DescribeLogDirsResponse.results.topics.partitions")
            partitions_count -= 1
            if partitions_count > room or partitions_count * 22 > end - p:
                raise too_many("DescribeLogDirsResponse.results.topics.partitions", partitions_count)
            room -= partitions_count
            partitions: list[DescribeLogDirsPartition] = []
            for _ in range(partitions_count):
                partition_index, partition_size, offset_lag, is_future_key, tags = _unpack_iqqzB(buffer, p)
                p += 22
                if tags:
                    p = skip_tags(buffer, p, tags)
                partitions.append(DescribeLogDirsPartition(partition_index, partition_size, offset_lag, is_future_key))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            topics.append(DescribeLogDirsTopic(name, partitions))
        total_bytes, usable_bytes, tags_3 = _unpack_qqB(buffer, p)
        p += 17
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        results.append(DescribeLogDirsResult(error_code_2, log_dir, topics, total_bytes, usable_bytes, False))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return DescribeLogDirsResponse(throttle_time_ms, error_code, results), p


def _decode_4(buffer: memoryview, p: int) -> tuple[DescribeLogDirsResponse, int]:
    """Versions 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, results_count = _unpack_ihB(buffer, p)
    p += 7
    if results_count > 127:
        results_count, p = uvarint_tail(buffer, p, results_count)
    if results_count == 0:
        raise missing("DescribeLogDirsResponse.results")
    results_count -= 1
    if results_count > room or results_count * 22 > end - p:
        raise too_many("DescribeLogDirsResponse.results", results_count)
    room -= results_count
    results: list[DescribeLogDirsResult] = []
    for _ in range(results_count):
        error_code_2, log_dir_size = _unpack_hB(buffer, p)
        p += 3
        if log_dir_size > 127:
            log_dir_size, p = string_tail(buffer, p, log_dir_size)
        if log_dir_size == 0:
            raise missing("DescribeLogDirsResponse.results.log_dir")
        stop = p + log_dir_size - 1
        log_dir = buffer[p:stop].tobytes().decode()
        p = stop
        topics_count = buffer[p]
        p += 1
        if topics_count > 127:
            topics_count, p = uvarint_tail(buffer, p, topics_count)
        if topics_count == 0:
            raise missing("DescribeLogDirsResponse.results.topics")
        topics_count -= 1
        if topics_count > room or topics_count * 3 > end - p:
            raise too_many("DescribeLogDirsResponse.results.topics", topics_count)
        room -= topics_count
        topics: list[DescribeLogDirsTopic] = []
        for _ in range(topics_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("DescribeLogDirsResponse.results.topics.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count = buffer[p]
            p += 1
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("DescribeLogDirsResponse.results.topics.partitions")
            partitions_count -= 1
            if partitions_count > room or partitions_count * 22 > end - p:
                raise too_many("DescribeLogDirsResponse.results.topics.partitions", partitions_count)
            room -= partitions_count
            partitions: list[DescribeLogDirsPartition] = []
            for _ in range(partitions_count):
                partition_index, partition_size, offset_lag, is_future_key, tags = _unpack_iqqzB(buffer, p)
                p += 22
                if tags:
                    p = skip_tags(buffer, p, tags)
                partitions.append(DescribeLogDirsPartition(partition_index, partition_size, offset_lag, is_future_key))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            topics.append(DescribeLogDirsTopic(name, partitions))
        total_bytes, usable_bytes, is_cordoned, tags_3 = _unpack_qqzB(buffer, p)
        p += 18
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        results.append(DescribeLogDirsResult(error_code_2, log_dir, topics, total_bytes, usable_bytes, is_cordoned))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return DescribeLogDirsResponse(throttle_time_ms, error_code, results), p


def _encode_0(message: DescribeLogDirsResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    results = message.results
    out.append(_pack_ii(message.throttle_time_ms, len(results)))
    for element in results:
        log_dir = element.log_dir.encode()
        log_dir_size = len(log_dir)
        topics = element.topics
        out += (_pack_hh(element.error_code, log_dir_size), log_dir, _pack_i(len(topics)))
        for element_2 in topics:
            name = element_2.name.encode()
            name_size = len(name)
            partitions = element_2.partitions
            out += (_pack_h(name_size), name, _pack_i(len(partitions)))
            out += [_pack_iqqz(element_3.partition_index, element_3.partition_size, element_3.offset_lag, element_3.is_future_key) for element_3 in partitions]
    return b"".join(out)


def _encode_1(message: DescribeLogDirsResponse) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    results = message.results
    results_count = len(results) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[results_count] if results_count < 256 else uvarint(results_count),
    )
    for element in results:
        log_dir = element.log_dir.encode()
        log_dir_size = len(log_dir) + 1
        topics = element.topics
        topics_count = len(topics) + 1
        out += (
            _pack_h(element.error_code),
            UVARINTS[log_dir_size] if log_dir_size < 256 else string_prefix(log_dir_size),
            log_dir,
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
            )
            out += [_pack_iqqzx(element_3.partition_index, element_3.partition_size, element_3.offset_lag, element_3.is_future_key) for element_3 in partitions]
            out.append(b"\0")
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


def _encode_2(message: DescribeLogDirsResponse) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    results = message.results
    results_count = len(results) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[results_count] if results_count < 256 else uvarint(results_count),
    )
    for element in results:
        log_dir = element.log_dir.encode()
        log_dir_size = len(log_dir) + 1
        topics = element.topics
        topics_count = len(topics) + 1
        out += (
            _pack_h(element.error_code),
            UVARINTS[log_dir_size] if log_dir_size < 256 else string_prefix(log_dir_size),
            log_dir,
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
            )
            out += [_pack_iqqzx(element_3.partition_index, element_3.partition_size, element_3.offset_lag, element_3.is_future_key) for element_3 in partitions]
            out.append(b"\0")
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


def _encode_3(message: DescribeLogDirsResponse) -> bytes:
    """Versions 4."""
    out: list[bytes] = []
    results = message.results
    results_count = len(results) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[results_count] if results_count < 256 else uvarint(results_count),
    )
    for element in results:
        log_dir = element.log_dir.encode()
        log_dir_size = len(log_dir) + 1
        topics = element.topics
        topics_count = len(topics) + 1
        out += (
            _pack_h(element.error_code),
            UVARINTS[log_dir_size] if log_dir_size < 256 else string_prefix(log_dir_size),
            log_dir,
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
            )
            out += [_pack_iqqzx(element_3.partition_index, element_3.partition_size, element_3.offset_lag, element_3.is_future_key) for element_3 in partitions]
            out.append(b"\0")
        out.append(_pack_qqx(element.total_bytes, element.usable_bytes))
    out.append(b"\0")
    return b"".join(out)


def _encode_4(message: DescribeLogDirsResponse) -> bytes:
    """Versions 5."""
    out: list[bytes] = []
    results = message.results
    results_count = len(results) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[results_count] if results_count < 256 else uvarint(results_count),
    )
    for element in results:
        log_dir = element.log_dir.encode()
        log_dir_size = len(log_dir) + 1
        topics = element.topics
        topics_count = len(topics) + 1
        out += (
            _pack_h(element.error_code),
            UVARINTS[log_dir_size] if log_dir_size < 256 else string_prefix(log_dir_size),
            log_dir,
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
            )
            out += [_pack_iqqzx(element_3.partition_index, element_3.partition_size, element_3.offset_lag, element_3.is_future_key) for element_3 in partitions]
            out.append(b"\0")
        out.append(_pack_qqzx(element.total_bytes, element.usable_bytes, element.is_cordoned))
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeLogDirsResponse, int]]]] = {
    1: _decode_0,
    2: _decode_1,
    3: _decode_2,
    4: _decode_3,
    5: _decode_4,
}
_ENCODERS: Final[dict[int, Callable[[DescribeLogDirsResponse], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
    3: _encode_2,
    4: _encode_3,
    5: _encode_4,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeLogDirsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeLogDirsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeLogDirsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeLogDirsResponse v{version} is cut short")
    return result


def encode(message: DescribeLogDirsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeLogDirsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeLogDirsResponse v{version}: {error}") from error
