"""ShareAcknowledgeResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "ShareAcknowledgeResponse"
API_KEY: Final = 79
VERSIONS: Final[tuple[int, int]] = (1, 2)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_iiB = Struct(">iiB").unpack_from
_pack_u = Struct(">16s").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_iixx = Struct(">iixx").pack


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
class PartitionData(Wire):
    """PartitionData."""

    __slots__ = ("partition_index", "error_code", "error_message", "current_leader")

    partition_index: int
    error_code: int
    error_message: str | None
    current_leader: LeaderIdAndEpoch

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        current_leader: LeaderIdAndEpoch = UNSET,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.current_leader = LeaderIdAndEpoch() if current_leader is UNSET else current_leader


@dataclass(init=False, repr=False, eq=False)
class ShareAcknowledgeTopicResponse(Wire):
    """ShareAcknowledgeTopicResponse."""

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
class ShareAcknowledgeResponse(Wire):
    """ShareAcknowledgeResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "acquisition_lock_timeout_ms", "responses", "node_endpoints")

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    acquisition_lock_timeout_ms: int
    responses: list[ShareAcknowledgeTopicResponse]
    node_endpoints: list[NodeEndpoint]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        acquisition_lock_timeout_ms: int = 0,
        responses: list[ShareAcknowledgeTopicResponse] = UNSET,
        node_endpoints: list[NodeEndpoint] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.acquisition_lock_timeout_ms = acquisition_lock_timeout_ms
        self.responses = [] if responses is UNSET else responses
        self.node_endpoints = [] if node_endpoints is UNSET else node_endpoints


def _decode_0(buffer: memoryview, p: int) -> tuple[ShareAcknowledgeResponse, int]:
    """Versions 1."""
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
    responses_count = buffer[p]
    p += 1
    if responses_count > 127:
        responses_count, p = uvarint_tail(buffer, p, responses_count)
    if responses_count == 0:
        raise missing("ShareAcknowledgeResponse.responses")
    responses_count -= 1
    if responses_count > room or responses_count * 18 > end - p:
        raise too_many("ShareAcknowledgeResponse.responses", responses_count)
    room -= responses_count
    responses: list[ShareAcknowledgeTopicResponse] = []
    for _ in range(responses_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("ShareAcknowledgeResponse.responses.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 17 > end - p:
            raise too_many("ShareAcknowledgeResponse.responses.partitions", partitions_count)
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
            leader_id, leader_epoch, tags = _unpack_iiB(buffer, p)
            p += 9
            if tags:
                p = skip_tags(buffer, p, tags)
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            partitions.append(PartitionData(partition_index, error_code_2, error_message_2, LeaderIdAndEpoch(leader_id, leader_epoch)))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        responses.append(ShareAcknowledgeTopicResponse(topic_id, partitions))
    node_endpoints_count = buffer[p]
    p += 1
    if node_endpoints_count > 127:
        node_endpoints_count, p = uvarint_tail(buffer, p, node_endpoints_count)
    if node_endpoints_count == 0:
        raise missing("ShareAcknowledgeResponse.node_endpoints")
    node_endpoints_count -= 1
    if node_endpoints_count > room or node_endpoints_count * 11 > end - p:
        raise too_many("ShareAcknowledgeResponse.node_endpoints", node_endpoints_count)
    room -= node_endpoints_count
    node_endpoints: list[NodeEndpoint] = []
    for _ in range(node_endpoints_count):
        node_id, host_size = _unpack_iB(buffer, p)
        p += 5
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("ShareAcknowledgeResponse.node_endpoints.host")
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
        tags_4 = buffer[p]
        p += 1
        if tags_4:
            p = skip_tags(buffer, p, tags_4)
        node_endpoints.append(NodeEndpoint(node_id, host, port, rack))
    tags_5 = buffer[p]
    p += 1
    if tags_5:
        p = skip_tags(buffer, p, tags_5)
    return ShareAcknowledgeResponse(throttle_time_ms, error_code, error_message, 0, responses, node_endpoints), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ShareAcknowledgeResponse, int]:
    """Versions 2."""
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
        raise missing("ShareAcknowledgeResponse.responses")
    responses_count -= 1
    if responses_count > room or responses_count * 18 > end - p:
        raise too_many("ShareAcknowledgeResponse.responses", responses_count)
    room -= responses_count
    responses: list[ShareAcknowledgeTopicResponse] = []
    for _ in range(responses_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("ShareAcknowledgeResponse.responses.partitions")
        partitions_count -= 1
        if partitions_count > room or partitions_count * 17 > end - p:
            raise too_many("ShareAcknowledgeResponse.responses.partitions", partitions_count)
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
            leader_id, leader_epoch, tags = _unpack_iiB(buffer, p)
            p += 9
            if tags:
                p = skip_tags(buffer, p, tags)
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            partitions.append(PartitionData(partition_index, error_code_2, error_message_2, LeaderIdAndEpoch(leader_id, leader_epoch)))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        responses.append(ShareAcknowledgeTopicResponse(topic_id, partitions))
    node_endpoints_count = buffer[p]
    p += 1
    if node_endpoints_count > 127:
        node_endpoints_count, p = uvarint_tail(buffer, p, node_endpoints_count)
    if node_endpoints_count == 0:
        raise missing("ShareAcknowledgeResponse.node_endpoints")
    node_endpoints_count -= 1
    if node_endpoints_count > room or node_endpoints_count * 11 > end - p:
        raise too_many("ShareAcknowledgeResponse.node_endpoints", node_endpoints_count)
    room -= node_endpoints_count
    node_endpoints: list[NodeEndpoint] = []
    for _ in range(node_endpoints_count):
        node_id, host_size = _unpack_iB(buffer, p)
        p += 5
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("ShareAcknowledgeResponse.node_endpoints.host")
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
        tags_4 = buffer[p]
        p += 1
        if tags_4:
            p = skip_tags(buffer, p, tags_4)
        node_endpoints.append(NodeEndpoint(node_id, host, port, rack))
    tags_5 = buffer[p]
    p += 1
    if tags_5:
        p = skip_tags(buffer, p, tags_5)
    return ShareAcknowledgeResponse(throttle_time_ms, error_code, error_message, acquisition_lock_timeout_ms, responses, node_endpoints), p


def _encode_0(message: ShareAcknowledgeResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
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
        UVARINTS[responses_count] if responses_count < 256 else uvarint(responses_count),
    )
    for element in responses:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("ShareAcknowledgeResponse.responses.topic_id")
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
            current_leader = element_2.current_leader
            out += (
                _pack_ih(element_2.partition_index, element_2.error_code),
                UVARINTS[error_message_size_2] if error_message_size_2 < 256 else string_prefix(error_message_size_2),
                error_message_2,
                _pack_iixx(current_leader.leader_id, current_leader.leader_epoch),
            )
        out.append(b"\0")
    node_endpoints = message.node_endpoints
    node_endpoints_count = len(node_endpoints) + 1
    out.append(UVARINTS[node_endpoints_count] if node_endpoints_count < 256 else uvarint(node_endpoints_count))
    for element_3 in node_endpoints:
        host = element_3.host.encode()
        host_size = len(host) + 1
        rack_value = element_3.rack
        if rack_value is None:
            rack_size, rack = 0, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack) + 1
        out += (
            _pack_i(element_3.node_id),
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_i(element_3.port),
            UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
            rack,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: ShareAcknowledgeResponse) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
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
            raise bad_uuid("ShareAcknowledgeResponse.responses.topic_id")
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
            current_leader = element_2.current_leader
            out += (
                _pack_ih(element_2.partition_index, element_2.error_code),
                UVARINTS[error_message_size_2] if error_message_size_2 < 256 else string_prefix(error_message_size_2),
                error_message_2,
                _pack_iixx(current_leader.leader_id, current_leader.leader_epoch),
            )
        out.append(b"\0")
    node_endpoints = message.node_endpoints
    node_endpoints_count = len(node_endpoints) + 1
    out.append(UVARINTS[node_endpoints_count] if node_endpoints_count < 256 else uvarint(node_endpoints_count))
    for element_3 in node_endpoints:
        host = element_3.host.encode()
        host_size = len(host) + 1
        rack_value = element_3.rack
        if rack_value is None:
            rack_size, rack = 0, b""
        else:
            rack = rack_value.encode()
            rack_size = len(rack) + 1
        out += (
            _pack_i(element_3.node_id),
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_i(element_3.port),
            UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
            rack,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ShareAcknowledgeResponse, int]]]] = {
    1: _decode_0,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[ShareAcknowledgeResponse], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ShareAcknowledgeResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ShareAcknowledgeResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ShareAcknowledgeResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ShareAcknowledgeResponse v{version} is cut short")
    return result


def encode(message: ShareAcknowledgeResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ShareAcknowledgeResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ShareAcknowledgeResponse v{version}: {error}") from error
