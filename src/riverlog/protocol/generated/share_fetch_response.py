"""ShareFetchResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    join_parts,
    MALFORMED,
    MAX_ELEMENTS,
    missing,
    null_refused,
    Part,
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
    ZERO_UUID,
)

NAME: Final = "ShareFetchResponse"
API_KEY: Final = 78
VERSIONS: Final[tuple[int, int]] = (1, 2)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_iiB = Struct(">iiB").unpack_from
_unpack_qqhB = Struct(">qqhB").unpack_from
_pack_u = Struct(">16s").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_iix = Struct(">iix").pack
_pack_qqhx = Struct(">qqhx").pack


@dataclass(init=False, repr=False, eq=False)
class LeaderIdAndEpoch(Wire):
    """LeaderIdAndEpoch."""

    __slots__ = ("leader_id", "leader_epoch")

    leader_id: int
    leader_epoch: int

    def __init__(
        self,
        leader_id: int = 0,
        leader_epoch: int = 0,
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


@dataclass(init=False, repr=False, eq=False)
class AcquiredRecords(Wire):
    """AcquiredRecords."""

    __slots__ = ("first_offset", "last_offset", "delivery_count")

    first_offset: int
    last_offset: int
    delivery_count: int

    def __init__(
        self,
        first_offset: int = 0,
        last_offset: int = 0,
        delivery_count: int = 0,
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.delivery_count = delivery_count


@dataclass(init=False, repr=False, eq=False)
class PartitionData(Wire):
    """PartitionData."""

    __slots__ = ("partition_index", "error_code", "error_message", "acknowledge_error_code", "acknowledge_error_message", "current_leader", "records", "acquired_records")

    partition_index: int
    error_code: int
    error_message: str | None
    acknowledge_error_code: int
    acknowledge_error_message: str | None
    current_leader: LeaderIdAndEpoch
    records: Part | None
    acquired_records: list[AcquiredRecords]

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        acknowledge_error_code: int = 0,
        acknowledge_error_message: str | None = None,
        current_leader: LeaderIdAndEpoch = UNSET,
        records: Part | None = None,
        acquired_records: list[AcquiredRecords] = UNSET,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.acknowledge_error_code = acknowledge_error_code
        self.acknowledge_error_message = acknowledge_error_message
        self.current_leader = LeaderIdAndEpoch() if current_leader is UNSET else current_leader
        self.records = records
        self.acquired_records = [] if acquired_records is UNSET else acquired_records


@dataclass(init=False, repr=False, eq=False)
class ShareFetchableTopicResponse(Wire):
    """ShareFetchableTopicResponse."""

    __slots__ = ("topic_id", "partitions")

    topic_id: bytes
    partitions: list[PartitionData]

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: list[PartitionData] = UNSET,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class NodeEndpoint(Wire):
    """NodeEndpoint."""

    __slots__ = ("node_id", "host", "port", "rack")

    node_id: int
    host: str
    port: int
    rack: str | None

    def __init__(
        self,
        node_id: int = 0,
        host: str = "",
        port: int = 0,
        rack: str | None = None,
    ) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port
        self.rack = rack


@dataclass(init=False, repr=False, eq=False)
class ShareFetchResponse(Wire):
    """ShareFetchResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "acquisition_lock_timeout_ms", "responses", "node_endpoints")

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    acquisition_lock_timeout_ms: int
    responses: list[ShareFetchableTopicResponse]
    node_endpoints: list[NodeEndpoint]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        acquisition_lock_timeout_ms: int = 0,
        responses: list[ShareFetchableTopicResponse] = UNSET,
        node_endpoints: list[NodeEndpoint] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.acquisition_lock_timeout_ms = acquisition_lock_timeout_ms
        self.responses = [] if responses is UNSET else responses
        self.node_endpoints = [] if node_endpoints is UNSET else node_endpoints


def _decode_0(buffer: memoryview, p: int) -> tuple[ShareFetchResponse, int]:
    """Versions 1, 2."""
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
    acquisition_lock_timeout_ms, responses_count = _unpack_iB(buffer, p)
    p += 5
    if responses_count > 127:
        responses_count, p = uvarint_tail(buffer, p, responses_count)
    if responses_count == 0:
        raise missing("ShareFetchResponse.responses")
    responses_count -= 1
    if responses_count > room or responses_count * 18 > end - p:
        raise too_many("ShareFetchResponse.responses", responses_count)
    room -= responses_count
    responses: list[ShareFetchableTopicResponse] = []
    for _ in range(responses_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("ShareFetchResponse.responses.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 22 > end - p:
            raise too_many("ShareFetchResponse.responses.partitions", partitions_count)
        room -= partitions_count
        partitions: list[PartitionData] = []
        for _ in range(partitions_count):
            partition_index, error_code_2, error_message_size_2 = _unpack_ihB(buffer, p)
            p += 7
            if error_message_size_2 > 127:
                error_message_size_2, p = string_tail(buffer, p, error_message_size_2)
            error_message_2: str | None = None
            if error_message_size_2:
                stop = p + error_message_size_2 - 1
                error_message_2 = buffer[p:stop].tobytes().decode()
                p = stop
            acknowledge_error_code, acknowledge_error_message_size = _unpack_hB(buffer, p)
            p += 3
            if acknowledge_error_message_size > 127:
                acknowledge_error_message_size, p = string_tail(buffer, p, acknowledge_error_message_size)
            acknowledge_error_message: str | None = None
            if acknowledge_error_message_size:
                stop = p + acknowledge_error_message_size - 1
                acknowledge_error_message = buffer[p:stop].tobytes().decode()
                p = stop
            leader_id, leader_epoch, tags = _unpack_iiB(buffer, p)
            p += 9
            if tags:
                p = skip_tags(buffer, p, tags)
            records_size = buffer[p]
            p += 1
            if records_size > 127:
                records_size, p = uvarint_tail(buffer, p, records_size)
            if records_size == 0:
                raise missing("ShareFetchResponse.responses.partitions.records")
            stop = p + records_size - 1
            records = buffer[p:stop]
            p = stop
            acquired_records_count = buffer[p]
            p += 1
            if acquired_records_count > 127:
                acquired_records_count, p = uvarint_tail(buffer, p, acquired_records_count)
            if acquired_records_count == 0:
                raise missing("ShareFetchResponse.responses.partitions.acquired_records")
            acquired_records_count -= 1
            if acquired_records_count > room or acquired_records_count * 19 > end - p:
                raise too_many("ShareFetchResponse.responses.partitions.acquired_records", acquired_records_count)
            room -= acquired_records_count
            acquired_records: list[AcquiredRecords] = []
            for _ in range(acquired_records_count):
                first_offset, last_offset, delivery_count, tags_2 = _unpack_qqhB(buffer, p)
                p += 19
                if tags_2:
                    p = skip_tags(buffer, p, tags_2)
                acquired_records.append(AcquiredRecords(first_offset, last_offset, delivery_count))
            tags_3 = buffer[p]
            p += 1
            if tags_3:
                p = skip_tags(buffer, p, tags_3)
            partitions.append(PartitionData(partition_index, error_code_2, error_message_2, acknowledge_error_code, acknowledge_error_message, LeaderIdAndEpoch(leader_id, leader_epoch), records, acquired_records))
        tags_4 = buffer[p]
        p += 1
        if tags_4:
            p = skip_tags(buffer, p, tags_4)
        responses.append(ShareFetchableTopicResponse(topic_id, partitions))
    node_endpoints_count = buffer[p]
    p += 1
    if node_endpoints_count > 127:
        node_endpoints_count, p = uvarint_tail(buffer, p, node_endpoints_count)
    if node_endpoints_count == 0:
        raise missing("ShareFetchResponse.node_endpoints")
    node_endpoints_count -= 1
    if node_endpoints_count > room or node_endpoints_count * 11 > end - p:
        raise too_many("ShareFetchResponse.node_endpoints", node_endpoints_count)
    room -= node_endpoints_count
    node_endpoints: list[NodeEndpoint] = []
    for _ in range(node_endpoints_count):
        node_id, host_size = _unpack_iB(buffer, p)
        p += 5
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("ShareFetchResponse.node_endpoints.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, rack_size = _unpack_iB(buffer, p)
        p += 5
        if rack_size > 127:
            rack_size, p = string_tail(buffer, p, rack_size)
        rack: str | None = None
        if rack_size:
            stop = p + rack_size - 1
            rack = buffer[p:stop].tobytes().decode()
            p = stop
        tags_5 = buffer[p]
        p += 1
        if tags_5:
            p = skip_tags(buffer, p, tags_5)
        node_endpoints.append(NodeEndpoint(node_id, host, port, rack))
    tags_6 = buffer[p]
    p += 1
    if tags_6:
        p = skip_tags(buffer, p, tags_6)
    return ShareFetchResponse(throttle_time_ms, error_code, error_message, acquisition_lock_timeout_ms, responses, node_endpoints), p


def _encode_0(message: ShareFetchResponse) -> list[Part]:
    """Versions 1, 2."""
    out: list[bytes] = []
    parts: list[Part] = []
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    responses = message.responses
    responses_count = len(responses) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
        error_message,
        _pack_i(message.acquisition_lock_timeout_ms),
        UVARINTS[responses_count] if responses_count < 256 else uvarint(responses_count),
    )
    for element in responses:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("ShareFetchResponse.responses.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
        )
        for element_2 in partitions:
            error_message_value_2 = element_2.error_message
            if error_message_value_2 is None:
                error_message_size_2, error_message_2 = 0, b""
            else:
                error_message_2 = error_message_value_2.encode()
                error_message_size_2 = len(error_message_2) + 1
            acknowledge_error_message_value = element_2.acknowledge_error_message
            if acknowledge_error_message_value is None:
                acknowledge_error_message_size, acknowledge_error_message = 0, b""
            else:
                acknowledge_error_message = acknowledge_error_message_value.encode()
                acknowledge_error_message_size = len(acknowledge_error_message) + 1
            current_leader = element_2.current_leader
            records_value = element_2.records
            if records_value is None:
                raise null_refused("ShareFetchResponse.responses.partitions.records")
            records = records_value
            records_size = len(records) + 1
            out += (
                _pack_ih(element_2.partition_index, element_2.error_code),
                UVARINTS[error_message_size_2] if error_message_size_2 < 256 else string_prefix(error_message_size_2),
                error_message_2,
                _pack_h(element_2.acknowledge_error_code),
                UVARINTS[acknowledge_error_message_size] if acknowledge_error_message_size < 256 else string_prefix(acknowledge_error_message_size),
                acknowledge_error_message,
                _pack_iix(current_leader.leader_id, current_leader.leader_epoch),
                UVARINTS[records_size] if records_size < 256 else uvarint(records_size),
            )
            if records:
                parts.append(b"".join(out))
                parts.append(records)
                out = []
            acquired_records = element_2.acquired_records
            acquired_records_count = len(acquired_records) + 1
            out.append(UVARINTS[acquired_records_count] if acquired_records_count < 256 else uvarint(acquired_records_count))
            out += [_pack_qqhx(element_3.first_offset, element_3.last_offset, element_3.delivery_count) for element_3 in acquired_records]
            out.append(b"\0")
        out.append(b"\0")
    node_endpoints = message.node_endpoints
    node_endpoints_count = len(node_endpoints) + 1
    out.append(UVARINTS[node_endpoints_count] if node_endpoints_count < 256 else uvarint(node_endpoints_count))
    for element_4 in node_endpoints:
        host = element_4.host.encode()
        host_size = len(host) + 1
        rack_value = element_4.rack
        if rack_value is None:
            rack_size, rack = 0, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack) + 1
        out += (
            _pack_i(element_4.node_id),
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_i(element_4.port),
            UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
            rack,
            b"\0",
        )
    out.append(b"\0")
    if out:
        parts.append(b"".join(out))
    return parts


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ShareFetchResponse, int]]]] = {
    1: _decode_0,
    2: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ShareFetchResponse], list[Part]]]] = {
    1: _encode_0,
    2: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ShareFetchResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ShareFetchResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ShareFetchResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ShareFetchResponse v{version} is cut short")
    return result


def encode_parts(message: ShareFetchResponse, version: int) -> list[Part]:
    """The encoded message in pieces; records are passed on as they are."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ShareFetchResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ShareFetchResponse v{version}: {error}") from error


def encode(message: ShareFetchResponse, version: int) -> bytes:
    """The encoded message in one piece; file slices are read."""
    return join_parts(encode_parts(message, version))
