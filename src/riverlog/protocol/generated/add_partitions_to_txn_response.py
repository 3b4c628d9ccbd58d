"""AddPartitionsToTxnResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "AddPartitionsToTxnResponse"
API_KEY: Final = 24
VERSIONS: Final[tuple[int, int]] = (0, 5)
FLEXIBLE_FROM: Final = 3
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
class AddPartitionsToTxnResult(Wire):
    """AddPartitionsToTxnResult."""

    __slots__ = ("transactional_id", "topic_results")

    transactional_id: str
    topic_results: list[AddPartitionsToTxnTopicResult]

    def __init__(
        self,
        transactional_id: str = "",
        topic_results: list[AddPartitionsToTxnTopicResult] = UNSET,
    ) -> None:
        self.transactional_id = transactional_id
        self.topic_results = [] if topic_results is UNSET else topic_results


@dataclass(init=False, repr=False, eq=False)
class AddPartitionsToTxnTopicResult(Wire):
    """AddPartitionsToTxnTopicResult."""

    __slots__ = ("name", "results_by_partition")

    name: str
    results_by_partition: list[AddPartitionsToTxnPartitionResult]

    def __init__(
        self,
        name: str = "",
        results_by_partition: list[AddPartitionsToTxnPartitionResult] = UNSET,
    ) -> None:
        self.name = name
        self.results_by_partition = [] if results_by_partition is UNSET else results_by_partition


@dataclass(init=False, repr=False, eq=False)
class AddPartitionsToTxnPartitionResult(Wire):
    """AddPartitionsToTxnPartitionResult."""

    __slots__ = ("partition_index", "partition_error_code")

    partition_index: int
    partition_error_code: int

    def __init__(
        self,
        partition_index: int = 0,
        partition_error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.partition_error_code = partition_error_code


@dataclass(init=False, repr=False, eq=False)
class AddPartitionsToTxnResponse(Wire):
    """AddPartitionsToTxnResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "results_by_transaction", "results_by_topic_v3_and_below")

    throttle_time_ms: int
    error_code: int
    results_by_transaction: list[AddPartitionsToTxnResult]
    results_by_topic_v3_and_below: list[AddPartitionsToTxnTopicResult]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        results_by_transaction: list[AddPartitionsToTxnResult] = UNSET,
        results_by_topic_v3_and_below: list[AddPartitionsToTxnTopicResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.results_by_transaction = [] if results_by_transaction is UNSET else results_by_transaction
        self.results_by_topic_v3_and_below = [] if results_by_topic_v3_and_below is UNSET else results_by_topic_v3_and_below


def _decode_0(buffer: memoryview, p: int) -> tuple[AddPartitionsToTxnResponse, int]:
    """Versions 0, 1, 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, results_by_topic_v3_and_below_count = _unpack_ii(buffer, p)
    p += 8
    if results_by_topic_v3_and_below_count < 0:
        raise missing("AddPartitionsToTxnResponse.results_by_topic_v3_and_below")
    if results_by_topic_v3_and_below_count > room or results_by_topic_v3_and_below_count * 6 > end - p:
        raise too_many("AddPartitionsToTxnResponse.results_by_topic_v3_and_below", results_by_topic_v3_and_below_count)
    room -= results_by_topic_v3_and_below_count
    results_by_topic_v3_and_below: list[AddPartitionsToTxnTopicResult] = []
    for _ in range(results_by_topic_v3_and_below_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("AddPartitionsToTxnResponse.results_by_topic_v3_and_below.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (results_by_partition_count,) = _unpack_i(buffer, p)
        p += 4
        if results_by_partition_count < 0:
            raise missing("AddPartitionsToTxnResponse.results_by_topic_v3_and_below.results_by_partition")
        if results_by_partition_count > room or results_by_partition_count * 6 > end - p:
            raise too_many("AddPartitionsToTxnResponse.results_by_topic_v3_and_below.results_by_partition", results_by_partition_count)
        room -= results_by_partition_count
        stop = p + results_by_partition_count * 6
        results_by_partition: list[AddPartitionsToTxnPartitionResult] = [AddPartitionsToTxnPartitionResult(partition_index, partition_error_code) for partition_index, partition_error_code in _iter_ih(buffer[p:stop])]
        p = stop
        results_by_topic_v3_and_below.append(AddPartitionsToTxnTopicResult(name, results_by_partition))
    return AddPartitionsToTxnResponse(throttle_time_ms, 0, [], results_by_topic_v3_and_below), p


def _decode_1(buffer: memoryview, p: int) -> tuple[AddPartitionsToTxnResponse, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, results_by_topic_v3_and_below_count = _unpack_iB(buffer, p)
    p += 5
    if results_by_topic_v3_and_below_count > 127:
        results_by_topic_v3_and_below_count, p = uvarint_tail(buffer, p, results_by_topic_v3_and_below_count)
    if results_by_topic_v3_and_below_count == 0:
        raise missing("AddPartitionsToTxnResponse.results_by_topic_v3_and_below")
    results_by_topic_v3_and_below_count -= 1
    if results_by_topic_v3_and_below_count > room or results_by_topic_v3_and_below_count * 3 > end - p:
        raise too_many("AddPartitionsToTxnResponse.results_by_topic_v3_and_below", results_by_topic_v3_and_below_count)
    room -= results_by_topic_v3_and_below_count
    results_by_topic_v3_and_below: list[AddPartitionsToTxnTopicResult] = []
    for _ in range(results_by_topic_v3_and_below_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("AddPartitionsToTxnResponse.results_by_topic_v3_and_below.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        results_by_partition_count = buffer[p]
        p += 1
        if results_by_partition_count > 127:
            results_by_partition_count, p = uvarint_tail(buffer, p, results_by_partition_count)
        if results_by_partition_count == 0:
            raise missing("AddPartitionsToTxnResponse.results_by_topic_v3_and_below.results_by_partition")
        results_by_partition_count -= 1
        if results_by_partition_count > room or results_by_partition_count * 7 > end - p:
            raise too_many("AddPartitionsToTxnResponse.results_by_topic_v3_and_below.results_by_partition", results_by_partition_count)
        room -= results_by_partition_count
        results_by_partition: list[AddPartitionsToTxnPartitionResult] = []
        for _ in range(results_by_partition_count):
            partition_index, partition_error_code, tags = _unpack_ihB(buffer, p)
            p += 7
            if tags:
                p = skip_tags(buffer, p, tags)
            results_by_partition.append(AddPartitionsToTxnPartitionResult(partition_index, partition_error_code))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        results_by_topic_v3_and_below.append(AddPartitionsToTxnTopicResult(name, results_by_partition))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return AddPartitionsToTxnResponse(throttle_time_ms, 0, [], results_by_topic_v3_and_below), p


def _decode_2(buffer: memoryview, p: int) -> tuple[AddPartitionsToTxnResponse, int]:
    """Versions 4, 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, results_by_transaction_count = _unpack_ihB(buffer, p)
    p += 7
    if results_by_transaction_count > 127:
        results_by_transaction_count, p = uvarint_tail(buffer, p, results_by_transaction_count)
    if results_by_transaction_count == 0:
        raise missing("AddPartitionsToTxnResponse.results_by_transaction")
    results_by_transaction_count -= 1
    if results_by_transaction_count > room or results_by_transaction_count * 3 > end - p:
        raise too_many("AddPartitionsToTxnResponse.results_by_transaction", results_by_transaction_count)
    room -= results_by_transaction_count
    results_by_transaction: list[AddPartitionsToTxnResult] = []
    for _ in range(results_by_transaction_count):
        transactional_id_size = buffer[p]
        p += 1
        if transactional_id_size > 127:
            transactional_id_size, p = string_tail(buffer, p, transactional_id_size)
        if transactional_id_size == 0:
            raise missing("AddPartitionsToTxnResponse.results_by_transaction.transactional_id")
        stop = p + transactional_id_size - 1
        transactional_id = buffer[p:stop].tobytes().decode()
        p = stop
        topic_results_count = buffer[p]
        p += 1
        if topic_results_count > 127:
            topic_results_count, p = uvarint_tail(buffer, p, topic_results_count)
        if topic_results_count == 0:
            raise missing("AddPartitionsToTxnResponse.results_by_transaction.topic_results")
        topic_results_count -= 1
        if topic_results_count > room or topic_results_count * 3 > end - p:
            raise too_many("AddPartitionsToTxnResponse.results_by_transaction.topic_results", topic_results_count)
        room -= topic_results_count
        topic_results: list[AddPartitionsToTxnTopicResult] = []
        for _ in range(topic_results_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("AddPartitionsToTxnResponse.results_by_transaction.topic_results.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            results_by_partition_count = buffer[p]
            p += 1
            if results_by_partition_count > 127:
                results_by_partition_count, p = uvarint_tail(buffer, p, results_by_partition_count)
            if results_by_partition_count == 0:
                raise missing("AddPartitionsToTxnResponse.results_by_transaction.topic_results.results_by_partition")
            results_by_partition_count -= 1
            if results_by_partition_count > room or results_by_partition_count * 7 > end - p:
                raise too_many("AddPartitionsToTxnResponse.results_by_transaction.topic_results.results_by_partition", results_by_partition_count)
            room -= results_by_partition_count
            results_by_partition: list[AddPartitionsToTxnPartitionResult] = []
            for _ in range(results_by_partition_count):
                partition_index, partition_error_code, tags = _unpack_ihB(buffer, p)
                p += 7
                if tags:
                    p = skip_tags(buffer, p, tags)
                results_by_partition.append(AddPartitionsToTxnPartitionResult(partition_index, partition_error_code))
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            topic_results.append(AddPartitionsToTxnTopicResult(name, results_by_partition))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        results_by_transaction.append(AddPartitionsToTxnResult(transactional_id, topic_results))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return AddPartitionsToTxnResponse(throttle_time_ms, error_code, results_by_transaction, []), p


def _encode_0(message: AddPartitionsToTxnResponse) -> bytes:
    """Versions 0, 1, 2."""
    out: list[bytes] = []
    if message.results_by_transaction:
        raise not_in_version("AddPartitionsToTxnResponse.results_by_transaction")
    results_by_topic_v3_and_below = message.results_by_topic_v3_and_below
    out.append(_pack_ii(message.throttle_time_ms, len(results_by_topic_v3_and_below)))
    for element in results_by_topic_v3_and_below:
        name = element.name.encode()
        name_size = len(name)
        results_by_partition = element.results_by_partition
        out += (_pack_h(name_size), name, _pack_i(len(results_by_partition)))
        out += [_pack_ih(element_2.partition_index, element_2.partition_error_code) for element_2 in results_by_partition]
    return b"".join(out)


def _encode_1(message: AddPartitionsToTxnResponse) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    if message.results_by_transaction:
        raise not_in_version("AddPartitionsToTxnResponse.results_by_transaction")
    results_by_topic_v3_and_below = message.results_by_topic_v3_and_below
    results_by_topic_v3_and_below_count = len(results_by_topic_v3_and_below) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[results_by_topic_v3_and_below_count] if results_by_topic_v3_and_below_count < 256 else uvarint(results_by_topic_v3_and_below_count),
    )
    for element in results_by_topic_v3_and_below:
        name = element.name.encode()
        name_size = len(name) + 1
        results_by_partition = element.results_by_partition
        results_by_partition_count = len(results_by_partition) + 1
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            UVARINTS[results_by_partition_count] if results_by_partition_count < 256 else uvarint(results_by_partition_count),
        )
        out += [_pack_ihx(element_2.partition_index, element_2.partition_error_code) for element_2 in results_by_partition]
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


def _encode_2(message: AddPartitionsToTxnResponse) -> bytes:
    """Versions 4, 5."""
    out: list[bytes] = []
    results_by_transaction = message.results_by_transaction
    results_by_transaction_count = len(results_by_transaction) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[results_by_transaction_count] if results_by_transaction_count < 256 else uvarint(results_by_transaction_count),
    )
    for element in results_by_transaction:
        transactional_id = element.transactional_id.encode()
        transactional_id_size = len(transactional_id) + 1
        topic_results = element.topic_results
        topic_results_count = len(topic_results) + 1
        out += (
            UVARINTS[transactional_id_size] if transactional_id_size < 256 else string_prefix(transactional_id_size),
            transactional_id,
            UVARINTS[topic_results_count] if topic_results_count < 256 else uvarint(topic_results_count),
        )
        for element_2 in topic_results:
            name = element_2.name.encode()
            name_size = len(name) + 1
            results_by_partition = element_2.results_by_partition
            results_by_partition_count = len(results_by_partition) + 1
            out += (
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                UVARINTS[results_by_partition_count] if results_by_partition_count < 256 else uvarint(results_by_partition_count),
            )
            out += [_pack_ihx(element_3.partition_index, element_3.partition_error_code) for element_3 in results_by_partition]
            out.append(b"\0")
        out.append(b"\0")
    if message.results_by_topic_v3_and_below:
        raise not_in_version("AddPartitionsToTxnResponse.results_by_topic_v3_and_below")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AddPartitionsToTxnResponse, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_0,
    3: _decode_1,
    4: _decode_2,
    5: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[AddPartitionsToTxnResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_0,
    3: _encode_1,
    4: _encode_2,
    5: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AddPartitionsToTxnResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AddPartitionsToTxnResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AddPartitionsToTxnResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AddPartitionsToTxnResponse v{version} is cut short")
    return result


def encode(message: AddPartitionsToTxnResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AddPartitionsToTxnResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AddPartitionsToTxnResponse v{version}: {error}") from error
