"""ElectLeadersResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "ElectLeadersResponse"
API_KEY: Final = 43
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ihh = Struct(">ihh").unpack_from
_unpack_ihi = Struct(">ihi").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ihh = Struct(">ihh").pack
_pack_ihi = Struct(">ihi").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class PartitionResult(Wire):
    """PartitionResult."""

    __slots__ = ("partition_id", "error_code", "error_message")

    partition_id: int
    error_code: int
    error_message: str | None

    def __init__(
        self,
        partition_id: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.partition_id = partition_id
        self.error_code = error_code
        self.error_message = error_message


@dataclass(init=False, repr=False, eq=False)
class ReplicaElectionResult(Wire):
    """ReplicaElectionResult."""

    __slots__ = ("topic", "partition_result")

    topic: str
    partition_result: list[PartitionResult]

    def __init__(
        self,
        topic: str = "",
        partition_result: list[PartitionResult] = UNSET,
    ) -> None:
        self.topic = topic
        self.partition_result = [] if partition_result is UNSET else partition_result


@dataclass(init=False, repr=False, eq=False)
class ElectLeadersResponse(Wire):
    """ElectLeadersResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "replica_election_results")

    throttle_time_ms: int
    error_code: int
    replica_election_results: list[ReplicaElectionResult]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        replica_election_results: list[ReplicaElectionResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.replica_election_results = [] if replica_election_results is UNSET else replica_election_results


def _decode_0(buffer: memoryview, p: int) -> tuple[ElectLeadersResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, replica_election_results_count = _unpack_ii(buffer, p)
    p += 8
    if replica_election_results_count < 0:
        raise missing("ElectLeadersResponse.replica_election_results")
    if replica_election_results_count > room or replica_election_results_count * 6 > end - p:
        raise too_many("ElectLeadersResponse.replica_election_results", replica_election_results_count)
    room -= replica_election_results_count
    replica_election_results: list[ReplicaElectionResult] = []
    for _ in range(replica_election_results_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("ElectLeadersResponse.replica_election_results.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partition_result_count,) = _unpack_i(buffer, p)
        p += 4
        if partition_result_count < 0:
            raise missing("ElectLeadersResponse.replica_election_results.partition_result")
        if partition_result_count > room or partition_result_count * 8 > end - p:
            raise too_many("ElectLeadersResponse.replica_election_results.partition_result", partition_result_count)
        room -= partition_result_count
        partition_result: list[PartitionResult] = []
        for _ in range(partition_result_count):
            partition_id, error_code, error_message_size = _unpack_ihh(buffer, p)
            p += 8
            error_message: str | None = None
            if error_message_size >= 0:
                stop = p + error_message_size
                error_message = buffer[p:stop].tobytes().decode()
                p = stop
            elif error_message_size != -1:
                raise missing("ElectLeadersResponse.replica_election_results.partition_result.error_message")
            partition_result.append(PartitionResult(partition_id, error_code, error_message))
        replica_election_results.append(ReplicaElectionResult(topic, partition_result))
    return ElectLeadersResponse(throttle_time_ms, 0, replica_election_results), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ElectLeadersResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, replica_election_results_count = _unpack_ihi(buffer, p)
    p += 10
    if replica_election_results_count < 0:
        raise missing("ElectLeadersResponse.replica_election_results")
    if replica_election_results_count > room or replica_election_results_count * 6 > end - p:
        raise too_many("ElectLeadersResponse.replica_election_results", replica_election_results_count)
    room -= replica_election_results_count
    replica_election_results: list[ReplicaElectionResult] = []
    for _ in range(replica_election_results_count):
        (topic_size,) = _unpack_h(buffer, p)
        p += 2
        if topic_size < 0:
            raise missing("ElectLeadersResponse.replica_election_results.topic")
        stop = p + topic_size
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        (partition_result_count,) = _unpack_i(buffer, p)
        p += 4
        if partition_result_count < 0:
            raise missing("ElectLeadersResponse.replica_election_results.partition_result")
        if partition_result_count > room or partition_result_count * 8 > end - p:
            raise too_many("ElectLeadersResponse.replica_election_results.partition_result", partition_result_count)
        room -= partition_result_count
        partition_result: list[PartitionResult] = []
        for _ in range(partition_result_count):
            partition_id, error_code_2, error_message_size = _unpack_ihh(buffer, p)
            p += 8
            error_message: str | None = None
            if error_message_size >= 0:
                stop = p + error_message_size
                error_message = buffer[p:stop].tobytes().decode()
                p = stop
            elif error_message_size != -1:
                raise missing("ElectLeadersResponse.replica_election_results.partition_result.error_message")
            partition_result.append(PartitionResult(partition_id, error_code_2, error_message))
        replica_election_results.append(ReplicaElectionResult(topic, partition_result))
    return ElectLeadersResponse(throttle_time_ms, error_code, replica_election_results), p


def _decode_2(buffer: memoryview, p: int) -> tuple[ElectLeadersResponse, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, replica_election_results_count = _unpack_ihB(buffer, p)
    p += 7
    if replica_election_results_count > 127:
        replica_election_results_count, p = uvarint_tail(buffer, p, replica_election_results_count)
    if replica_election_results_count == 0:
        raise missing("ElectLeadersResponse.replica_election_results")
    replica_election_results_count -= 1
    if replica_election_results_count > room or replica_election_results_count * 3 > end - p:
        raise too_many("ElectLeadersResponse.replica_election_results", replica_election_results_count)
    room -= replica_election_results_count
    replica_election_results: list[ReplicaElectionResult] = []
    for _ in range(replica_election_results_count):
        topic_size = buffer[p]
        p += 1
        if topic_size > 127:
            topic_size, p = string_tail(buffer, p, topic_size)
        if topic_size == 0:
            raise missing("ElectLeadersResponse.replica_election_results.topic")
        stop = p + topic_size - 1
        topic = buffer[p:stop].tobytes().decode()
        p = stop
        partition_result_count = buffer[p]
        p += 1
        if partition_result_count > 127:
            partition_result_count, p = uvarint_tail(buffer, p, partition_result_count)
        if partition_result_count == 0:
            raise missing("ElectLeadersResponse.replica_election_results.partition_result")
        partition_result_count -= 1
        if partition_result_count > room or partition_result_count * 8 > end - p:
            raise too_many("ElectLeadersResponse.replica_election_results.partition_result", partition_result_count)
        room -= partition_result_count
        partition_result: list[PartitionResult] = []
        for _ in range(partition_result_count):
            partition_id, error_code_2, error_message_size = _unpack_ihB(buffer, p)
            p += 7
            if error_message_size > 127:
                error_message_size, p = string_tail(buffer, p, error_message_size)
            error_message: str | None = None
            if error_message_size:
                stop = p + error_message_size - 1
                error_message = buffer[p:stop].tobytes().decode()
                p = stop
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            partition_result.append(PartitionResult(partition_id, error_code_2, error_message))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        replica_election_results.append(ReplicaElectionResult(topic, partition_result))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return ElectLeadersResponse(throttle_time_ms, error_code, replica_election_results), p


def _encode_0(message: ElectLeadersResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    if message.error_code != 0:
        raise not_in_version("ElectLeadersResponse.error_code")
    replica_election_results = message.replica_election_results
    out.append(_pack_ii(message.throttle_time_ms, len(replica_election_results)))
    for element in replica_election_results:
        topic = element.topic.encode()
        topic_size = len(topic)
        partition_result = element.partition_result
        out += (_pack_h(topic_size), topic, _pack_i(len(partition_result)))
        for element_2 in partition_result:
            error_message_value = element_2.error_message
            if error_message_value is None:
                error_message_size, error_message = -1, b""
            else:
                error_message = error_message_value.encode()
                error_message_size = len(error_message)
            out += (
                _pack_ihh(element_2.partition_id, element_2.error_code, error_message_size),
                error_message,
            )
    return b"".join(out)


def _encode_1(message: ElectLeadersResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    replica_election_results = message.replica_election_results
    out.append(_pack_ihi(message.throttle_time_ms, message.error_code, len(replica_election_results)))
    for element in replica_election_results:
        topic = element.topic.encode()
        topic_size = len(topic)
        partition_result = element.partition_result
        out += (_pack_h(topic_size), topic, _pack_i(len(partition_result)))
        for element_2 in partition_result:
            error_message_value = element_2.error_message
            if error_message_value is None:
                error_message_size, error_message = -1, b""
            else:
                error_message = error_message_value.encode()
                error_message_size = len(error_message)
            out += (
                _pack_ihh(element_2.partition_id, element_2.error_code, error_message_size),
                error_message,
            )
    return b"".join(out)


def _encode_2(message: ElectLeadersResponse) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    replica_election_results = message.replica_election_results
    replica_election_results_count = len(replica_election_results) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[replica_election_results_count] if replica_election_results_count < 256 else uvarint(replica_election_results_count),
    )
    for element in replica_election_results:
        topic = element.topic.encode()
        topic_size = len(topic) + 1
        partition_result = element.partition_result
        partition_result_count = len(partition_result) + 1
        out += (
            UVARINTS[topic_size] if topic_size < 256 else string_prefix(topic_size),
            topic,
            UVARINTS[partition_result_count] if partition_result_count < 256 else uvarint(partition_result_count),
        )
        for element_2 in partition_result:
            error_message_value = element_2.error_message
            if error_message_value is None:
                error_message_size, error_message = 0, b""
            else:
                error_message = error_message_value.encode()
                error_message_size = len(error_message) + 1
            out += (
                _pack_ih(element_2.partition_id, element_2.error_code),
                UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
                error_message,
                b"\0",
            )
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ElectLeadersResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[ElectLeadersResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ElectLeadersResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ElectLeadersResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ElectLeadersResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ElectLeadersResponse v{version} is cut short")
    return result


def encode(message: ElectLeadersResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ElectLeadersResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ElectLeadersResponse v{version}: {error}") from error
