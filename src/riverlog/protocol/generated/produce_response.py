"""ProduceResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    not_in_version,
    read_tag,
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

NAME: Final = "ProduceResponse"
API_KEY: Final = 0
VERSIONS: Final[tuple[int, int]] = (3, 13)
FLEXIBLE_FROM: Final = 9
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ih = Struct(">ih").unpack_from
_unpack_ihqqqB = Struct(">ihqqqB").unpack_from
_unpack_ihqqqi = Struct(">ihqqqi").unpack_from
_unpack_iiB = Struct(">iiB").unpack_from
_iter_ihqq = Struct(">ihqq").iter_unpack
_iter_ihqqq = Struct(">ihqqq").iter_unpack
_pack_u = Struct(">16s").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ihqq = Struct(">ihqq").pack
_pack_ihqqq = Struct(">ihqqq").pack
_pack_ihqqqi = Struct(">ihqqqi").pack
_pack_iix = Struct(">iix").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class BatchIndexAndErrorMessage(Wire):
    """BatchIndexAndErrorMessage."""

    __slots__ = ("batch_index", "batch_index_error_message")

    batch_index: int
    batch_index_error_message: str | None

    def __init__(
        self,
        batch_index: int = 0,
        batch_index_error_message: str | None = None,
    ) -> None:
        self.batch_index = batch_index
        self.batch_index_error_message = batch_index_error_message


@dataclass(init=False, repr=False, eq=False)
class LeaderIdAndEpoch(Wire):
    """LeaderIdAndEpoch."""

    __slots__ = ("leader_id", "leader_epoch")

    leader_id: int
    leader_epoch: int

    def __init__(
        self,
        leader_id: int = -1,
        leader_epoch: int = -1,
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


@dataclass(init=False, repr=False, eq=False)
class PartitionProduceResponse(Wire):
    """PartitionProduceResponse."""

    __slots__ = ("index", "error_code", "base_offset", "log_append_time_ms", "log_start_offset", "record_errors", "error_message", "current_leader")

    index: int
    error_code: int
    base_offset: int
    log_append_time_ms: int
    log_start_offset: int
    record_errors: list[BatchIndexAndErrorMessage]
    error_message: str | None
    current_leader: LeaderIdAndEpoch

    def __init__(
        self,
        index: int = 0,
        error_code: int = 0,
        base_offset: int = 0,
        log_append_time_ms: int = -1,
        log_start_offset: int = -1,
        record_errors: list[BatchIndexAndErrorMessage] = UNSET,
        error_message: str | None = None,
        current_leader: LeaderIdAndEpoch = UNSET,
    ) -> None:
        self.index = index
        self.error_code = error_code
        self.base_offset = base_offset
        self.log_append_time_ms = log_append_time_ms
        self.log_start_offset = log_start_offset
        self.record_errors = [] if record_errors is UNSET else record_errors
        self.error_message = error_message
        self.current_leader = LeaderIdAndEpoch() if current_leader is UNSET else current_leader


@dataclass(init=False, repr=False, eq=False)
class TopicProduceResponse(Wire):
    """TopicProduceResponse."""

    __slots__ = ("name", "topic_id", "partition_responses")

    name: str
    topic_id: bytes
    partition_responses: list[PartitionProduceResponse]

    def __init__(
        self,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partition_responses: list[PartitionProduceResponse] = UNSET,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partition_responses = [] if partition_responses is UNSET else partition_responses


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
class ProduceResponse(Wire):
    """ProduceResponse."""

    __slots__ = ("responses", "throttle_time_ms", "node_endpoints")

    responses: list[TopicProduceResponse]
    throttle_time_ms: int
    node_endpoints: list[NodeEndpoint]

    def __init__(
        self,
        responses: list[TopicProduceResponse] = UNSET,
        throttle_time_ms: int = 0,
        node_endpoints: list[NodeEndpoint] = UNSET,
    ) -> None:
        self.responses = [] if responses is UNSET else responses
        self.throttle_time_ms = throttle_time_ms
        self.node_endpoints = [] if node_endpoints is UNSET else node_endpoints


def _decode_0(buffer: memoryview, p: int) -> tuple[ProduceResponse, int]:
    """Versions 3, 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (responses_count,) = _unpack_i(buffer, p)
    p += 4
    if responses_count < 0:
        raise missing("ProduceResponse.responses")
    if responses_count > room or responses_count * 6 > end - p:
        raise too_many("ProduceResponse.responses", responses_count)
    room -= responses_count
    responses: list[TopicProduceResponse] = []
    for _ in range(responses_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("ProduceResponse.responses.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partition_responses_count,) = _unpack_i(buffer, p)
        p += 4
        if partition_responses_count < 0:
            raise missing("ProduceResponse.responses.partition_responses")
        if partition_responses_count > room or partition_responses_count * 22 > end - p:
            raise too_many("ProduceResponse.responses.partition_responses", partition_responses_count)
        room -= partition_responses_count
        stop = p + partition_responses_count * 22
        partition_responses: list[PartitionProduceResponse] = [PartitionProduceResponse(index, error_code, base_offset, log_append_time_ms, -1, [], None, LeaderIdAndEpoch()) for index, error_code, base_offset, log_append_time_ms in _iter_ihqq(buffer[p:stop])]
        p = stop
        responses.append(TopicProduceResponse(name, ZERO_UUID, partition_responses))
    (throttle_time_ms,) = _unpack_i(buffer, p)
    p += 4
    return ProduceResponse(responses, throttle_time_ms, []), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ProduceResponse, int]:
    """Versions 5, 6, 7."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (responses_count,) = _unpack_i(buffer, p)
    p += 4
    if responses_count < 0:
        raise missing("ProduceResponse.responses")
    if responses_count > room or responses_count * 6 > end - p:
        raise too_many("ProduceResponse.responses", responses_count)
    room -= responses_count
    responses: list[TopicProduceResponse] = []
    for _ in range(responses_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("ProduceResponse.responses.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partition_responses_count,) = _unpack_i(buffer, p)
        p += 4
        if partition_responses_count < 0:
            raise missing("ProduceResponse.responses.partition_responses")
        if partition_responses_count > room or partition_responses_count * 30 > end - p:
            raise too_many("ProduceResponse.responses.partition_responses", partition_responses_count)
        room -= partition_responses_count
        stop = p + partition_responses_count * 30
        partition_responses: list[PartitionProduceResponse] = [PartitionProduceResponse(index, error_code, base_offset, log_append_time_ms, log_start_offset, [], None, LeaderIdAndEpoch()) for index, error_code, base_offset, log_append_time_ms, log_start_offset in _iter_ihqqq(buffer[p:stop])]
        p = stop
        responses.append(TopicProduceResponse(name, ZERO_UUID, partition_responses))
    (throttle_time_ms,) = _unpack_i(buffer, p)
    p += 4
    return ProduceResponse(responses, throttle_time_ms, []), p


def _decode_2(buffer: memoryview, p: int) -> tuple[ProduceResponse, int]:
    """Versions 8."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (responses_count,) = _unpack_i(buffer, p)
    p += 4
    if responses_count < 0:
        raise missing("ProduceResponse.responses")
    if responses_count > room or responses_count * 6 > end - p:
        raise too_many("ProduceResponse.responses", responses_count)
    room -= responses_count
    responses: list[TopicProduceResponse] = []
    for _ in range(responses_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("ProduceResponse.responses.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (partition_responses_count,) = _unpack_i(buffer, p)
        p += 4
        if partition_responses_count < 0:
            raise missing("ProduceResponse.responses.partition_responses")
        if partition_responses_count > room or partition_responses_count * 36 > end - p:
            raise too_many("ProduceResponse.responses.partition_responses", partition_responses_count)
        room -= partition_responses_count
        partition_responses: list[PartitionProduceResponse] = []
        for _ in range(partition_responses_count):
            index, error_code, base_offset, log_append_time_ms, log_start_offset, record_errors_count = _unpack_ihqqqi(buffer, p)
            p += 34
            if record_errors_count < 0:
                raise missing("ProduceResponse.responses.partition_responses.record_errors")
            if record_errors_count > room or record_errors_count * 6 > end - p:
                raise too_many("ProduceResponse.responses.partition_responses.record_errors", record_errors_count)
            room -= record_errors_count
            record_errors: list[BatchIndexAndErrorMessage] = []
            for _ in range(record_errors_count):
                batch_index, batch_index_error_message_size = _unpack_ih(buffer, p)
                p += 6
                batch_index_error_message: str | None = None
                if batch_index_error_message_size >= 0:
                    stop = p + batch_index_error_message_size
                    batch_index_error_message = buffer[p:stop].tobytes().decode()
                    p = stop
                elif batch_index_error_message_size != -1:
                    raise missing("ProduceResponse.responses.partition_responses.record_errors.batch_index_error_message")
                record_errors.append(BatchIndexAndErrorMessage(batch_index, batch_index_error_message))
            (error_message_size,) = _unpack_h(buffer, p)
            p += 2
            error_message: str | None = None
            if error_message_size >= 0:
                stop = p + error_message_size
                error_message = buffer[p:stop].tobytes().decode()
                p = stop
            elif error_message_size != -1:
                raise missing("ProduceResponse.responses.partition_responses.error_message")
            partition_responses.append(PartitionProduceResponse(index, error_code, base_offset, log_append_time_ms, log_start_offset, record_errors, error_message, LeaderIdAndEpoch()))
        responses.append(TopicProduceResponse(name, ZERO_UUID, partition_responses))
    (throttle_time_ms,) = _unpack_i(buffer, p)
    p += 4
    return ProduceResponse(responses, throttle_time_ms, []), p


def _decode_3(buffer: memoryview, p: int) -> tuple[ProduceResponse, int]:
    """Versions 9."""
    end = len(buffer)
    room = MAX_ELEMENTS
    responses_count = buffer[p]
    p += 1
    if responses_count > 127:
        responses_count, p = uvarint_tail(buffer, p, responses_count)
    if responses_count == 0:
        raise missing("ProduceResponse.responses")
    responses_count -= 1
    if responses_count > room or responses_count * 3 > end - p:
        raise too_many("ProduceResponse.responses", responses_count)
    room -= responses_count
    responses: list[TopicProduceResponse] = []
    for _ in range(responses_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("ProduceResponse.responses.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partition_responses_count = buffer[p]
        p += 1
        if partition_responses_count > 127:
            partition_responses_count, p = uvarint_tail(buffer, p, partition_responses_count)
        if partition_responses_count == 0:
            raise missing("ProduceResponse.responses.partition_responses")
        partition_responses_count -= 1
        if partition_responses_count > room or partition_responses_count * 33 > end - p:
            raise too_many("ProduceResponse.responses.partition_responses", partition_responses_count)
        room -= partition_responses_count
        partition_responses: list[PartitionProduceResponse] = []
        for _ in range(partition_responses_count):
            index, error_code, base_offset, log_append_time_ms, log_start_offset, record_errors_count = _unpack_ihqqqB(buffer, p)
            p += 31
            if record_errors_count > 127:
                record_errors_count, p = uvarint_tail(buffer, p, record_errors_count)
            if record_errors_count == 0:
                raise missing("ProduceResponse.responses.partition_responses.record_errors")
            record_errors_count -= 1
            if record_errors_count > room or record_errors_count * 6 > end - p:
                raise too_many("ProduceResponse.responses.partition_responses.record_errors", record_errors_count)
            room -= record_errors_count
            record_errors: list[BatchIndexAndErrorMessage] = []
            for _ in range(record_errors_count):
                batch_index, batch_index_error_message_size = _unpack_iB(buffer, p)
                p += 5
                if batch_index_error_message_size > 127:
                    batch_index_error_message_size, p = string_tail(buffer, p, batch_index_error_message_size)
                batch_index_error_message: str | None = None
                if batch_index_error_message_size:
                    stop = p + batch_index_error_message_size - 1
                    batch_index_error_message = buffer[p:stop].tobytes().decode()
                    p = stop
                tags = buffer[p]
                p += 1
                if tags:
                    p = skip_tags(buffer, p, tags)
                record_errors.append(BatchIndexAndErrorMessage(batch_index, batch_index_error_message))
            error_message_size = buffer[p]
            p += 1
            if error_message_size > 127:
                error_message_size, p = string_tail(buffer, p, error_message_size)
            error_message: str | None = None
            if error_message_size:
                stop = p + error_message_size - 1
                error_message = buffer[p:stop].tobytes().decode()
                p = stop
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            partition_responses.append(PartitionProduceResponse(index, error_code, base_offset, log_append_time_ms, log_start_offset, record_errors, error_message, LeaderIdAndEpoch()))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        responses.append(TopicProduceResponse(name, ZERO_UUID, partition_responses))
    throttle_time_ms, tags_4 = _unpack_iB(buffer, p)
    p += 5
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return ProduceResponse(responses, throttle_time_ms, []), p


def _decode_4(buffer: memoryview, p: int) -> tuple[ProduceResponse, int]:
    """Versions 10, 11, 12."""
    end = len(buffer)
    room = MAX_ELEMENTS
    responses_count = buffer[p]
    p += 1
    if responses_count > 127:
        responses_count, p = uvarint_tail(buffer, p, responses_count)
    if responses_count == 0:
        raise missing("ProduceResponse.responses")
    responses_count -= 1
    if responses_count > room or responses_count * 3 > end - p:
        raise too_many("ProduceResponse.responses", responses_count)
    room -= responses_count
    responses: list[TopicProduceResponse] = []
    for _ in range(responses_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("ProduceResponse.responses.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        partition_responses_count = buffer[p]
        p += 1
        if partition_responses_count > 127:
            partition_responses_count, p = uvarint_tail(buffer, p, partition_responses_count)
        if partition_responses_count == 0:
            raise missing("ProduceResponse.responses.partition_responses")
        partition_responses_count -= 1
        if partition_responses_count > room or partition_responses_count * 33 > end - p:
            raise too_many("ProduceResponse.responses.partition_responses", partition_responses_count)
        room -= partition_responses_count
        partition_responses: list[PartitionProduceResponse] = []
        for _ in range(partition_responses_count):
            index, error_code, base_offset, log_append_time_ms, log_start_offset, record_errors_count = _unpack_ihqqqB(buffer, p)
            p += 31
            if record_errors_count > 127:
                record_errors_count, p = uvarint_tail(buffer, p, record_errors_count)
            if record_errors_count == 0:
                raise missing("ProduceResponse.responses.partition_responses.record_errors")
            record_errors_count -= 1
            if record_errors_count > room or record_errors_count * 6 > end - p:
                raise too_many("ProduceResponse.responses.partition_responses.record_errors", record_errors_count)
            room -= record_errors_count
            record_errors: list[BatchIndexAndErrorMessage] = []
            for _ in range(record_errors_count):
                batch_index, batch_index_error_message_size = _unpack_iB(buffer, p)
                p += 5
                if batch_index_error_message_size > 127:
                    batch_index_error_message_size, p = string_tail(buffer, p, batch_index_error_message_size)
                batch_index_error_message: str | None = None
                if batch_index_error_message_size:
                    stop = p + batch_index_error_message_size - 1
                    batch_index_error_message = buffer[p:stop].tobytes().decode()
                    p = stop
                tags = buffer[p]
                p += 1
                if tags:
                    p = skip_tags(buffer, p, tags)
                record_errors.append(BatchIndexAndErrorMessage(batch_index, batch_index_error_message))
            error_message_size = buffer[p]
            p += 1
            if error_message_size > 127:
                error_message_size, p = string_tail(buffer, p, error_message_size)
            error_message: str | None = None
            if error_message_size:
                stop = p + error_message_size - 1
                error_message = buffer[p:stop].tobytes().decode()
                p = stop
            tags_2 = buffer[p]
            p += 1
            current_leader: LeaderIdAndEpoch = LeaderIdAndEpoch()
            if tags_2:
                if tags_2 > 127:
                    tags_2, p = uvarint_tail(buffer, p, tags_2)
                tag = -1
                for _ in range(tags_2):
                    tag, tag_stop, p = read_tag(buffer, p, tag)
                    if tag == 0:
                        leader_id, leader_epoch, tags_3 = _unpack_iiB(buffer, p)
                        p += 9
                        if tags_3:
                            p = skip_tags(buffer, p, tags_3)
                        current_leader = LeaderIdAndEpoch(leader_id, leader_epoch)
                    else:
                        p = tag_stop
                    if p != tag_stop:
                        raise DecodeError("ProduceResponse.responses.partition_responses: a tagged field is not of its size")
            partition_responses.append(PartitionProduceResponse(index, error_code, base_offset, log_append_time_ms, log_start_offset, record_errors, error_message, current_leader))
        tags_4 = buffer[p]
        p += 1
        if tags_4:
            p = skip_tags(buffer, p, tags_4)
        responses.append(TopicProduceResponse(name, ZERO_UUID, partition_responses))
    throttle_time_ms, tags_5 = _unpack_iB(buffer, p)
    p += 5
    node_endpoints: list[NodeEndpoint] = []
    if tags_5:
        if tags_5 > 127:
            tags_5, p = uvarint_tail(buffer, p, tags_5)
        tag_2 = -1
        for _ in range(tags_5):
            tag_2, tag_stop_2, p = read_tag(buffer, p, tag_2)
            if tag_2 == 0:
                node_endpoints_count = buffer[p]
                p += 1
                if node_endpoints_count > 127:
                    node_endpoints_count, p = uvarint_tail(buffer, p, node_endpoints_count)
                if node_endpoints_count == 0:
                    raise missing("ProduceResponse.node_endpoints")
                node_endpoints_count -= 1
                if node_endpoints_count > room or node_endpoints_count * 11 > end - p:
                    raise too_many("ProduceResponse.node_endpoints", node_endpoints_count)
                room -= node_endpoints_count
                node_endpoints_2: list[NodeEndpoint] = []
                for _ in range(node_endpoints_count):
                    node_id, host_size = _unpack_iB(buffer, p)
                    p += 5
                    if host_size > 127:
                        host_size, p = string_tail(buffer, p, host_size)
                    if host_size == 0:
                        raise missing("ProduceResponse.node_endpoints.host")
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
                    tags_6 = buffer[p]
                    p += 1
                    if tags_6:
                        p = skip_tags(buffer, p, tags_6)
                    node_endpoints_2.append(NodeEndpoint(node_id, host, port, rack))
                node_endpoints = node_endpoints_2
            else:
                p = tag_stop_2
            if p != tag_stop_2:
                raise DecodeError("ProduceResponse: a tagged field is not of its size")
    return ProduceResponse(responses, throttle_time_ms, node_endpoints), p


def _decode_5(buffer: memoryview, p: int) -> tuple[ProduceResponse, int]:
    """Versions 13."""
    end = len(buffer)
    room = MAX_ELEMENTS
    responses_count = buffer[p]
    p += 1
    if responses_count > 127:
        responses_count, p = uvarint_tail(buffer, p, responses_count)
    if responses_count == 0:
        raise missing("ProduceResponse.responses")
    responses_count -= 1
    if responses_count > room or responses_count * 18 > end - p:
        raise too_many("ProduceResponse.responses", responses_count)
    room -= responses_count
    responses: list[TopicProduceResponse] = []
    for _ in range(responses_count):
        topic_id, partition_responses_count = _unpack_uB(buffer, p)
        p += 17
        if partition_responses_count > 127:
            partition_responses_count, p = uvarint_tail(buffer, p, partition_responses_count)
        if partition_responses_count == 0:
            raise missing("ProduceResponse.responses.partition_responses")
        partition_responses_count -= 1
        if partition_responses_count > room or partition_responses_count * 33 > end - p:
            raise too_many("ProduceResponse.responses.partition_responses", partition_responses_count)
        room -= partition_responses_count
        partition_responses: list[PartitionProduceResponse] = []
        for _ in range(partition_responses_count):
            index, error_code, base_offset, log_append_time_ms, log_start_offset, record_errors_count = _unpack_ihqqqB(buffer, p)
            p += 31
            if record_errors_count > 127:
                record_errors_count, p = uvarint_tail(buffer, p, record_errors_count)
            if record_errors_count == 0:
                raise missing("ProduceResponse.responses.partition_responses.record_errors")
            record_errors_count -= 1
            if record_errors_count > room or record_errors_count * 6 > end - p:
                raise too_many("ProduceResponse.responses.partition_responses.record_errors", record_errors_count)
            room -= record_errors_count
            record_errors: list[BatchIndexAndErrorMessage] = []
            for _ in range(record_errors_count):
                batch_index, batch_index_error_message_size = _unpack_iB(buffer, p)
                p += 5
                if batch_index_error_message_size > 127:
                    batch_index_error_message_size, p = string_tail(buffer, p, batch_index_error_message_size)
                batch_index_error_message: str | None = None
                if batch_index_error_message_size:
                    stop = p + batch_index_error_message_size - 1
                    batch_index_error_message = buffer[p:stop].tobytes().decode()
                    p = stop
                tags = buffer[p]
                p += 1
                if tags:
                    p = skip_tags(buffer, p, tags)
                record_errors.append(BatchIndexAndErrorMessage(batch_index, batch_index_error_message))
            error_message_size = buffer[p]
            p += 1
            if error_message_size > 127:
                error_message_size, p = string_tail(buffer, p, error_message_size)
            error_message: str | None = None
            if error_message_size:
                stop = p + error_message_size - 1
                error_message = buffer[p:stop].tobytes().decode()
                p = stop
            tags_2 = buffer[p]
            p += 1
            current_leader: LeaderIdAndEpoch = LeaderIdAndEpoch()
            if tags_2:
                if tags_2 > 127:
                    tags_2, p = uvarint_tail(buffer, p, tags_2)
                tag = -1
                for _ in range(tags_2):
                    tag, tag_stop, p = read_tag(buffer, p, tag)
                    if tag == 0:
                        leader_id, leader_epoch, tags_3 = _unpack_iiB(buffer, p)
                        p += 9
                        if tags_3:
                            p = skip_tags(buffer, p, tags_3)
                        current_leader = LeaderIdAndEpoch(leader_id, leader_epoch)
                    else:
                        p = tag_stop
                    if p != tag_stop:
                        raise DecodeError("ProduceResponse.responses.partition_responses: a tagged field is not of its size")
            partition_responses.append(PartitionProduceResponse(index, error_code, base_offset, log_append_time_ms, log_start_offset, record_errors, error_message, current_leader))
        tags_4 = buffer[p]
        p += 1
        if tags_4:
            p = skip_tags(buffer, p, tags_4)
        responses.append(TopicProduceResponse("", topic_id, partition_responses))
    throttle_time_ms, tags_5 = _unpack_iB(buffer, p)
    p += 5
    node_endpoints: list[NodeEndpoint] = []
    if tags_5:
        if tags_5 > 127:
            tags_5, p = uvarint_tail(buffer, p, tags_5)
        tag_2 = -1
        for _ in range(tags_5):
            tag_2, tag_stop_2, p = read_tag(buffer, p, tag_2)
            if tag_2 == 0:
                node_endpoints_count = buffer[p]
                p += 1
                if node_endpoints_count > 127:
                    node_endpoints_count, p = uvarint_tail(buffer, p, node_endpoints_count)
                if node_endpoints_count == 0:
                    raise missing("ProduceResponse.node_endpoints")
                node_endpoints_count -= 1
                if node_endpoints_count > room or node_endpoints_count * 11 > end - p:
                    raise too_many("ProduceResponse.node_endpoints", node_endpoints_count)
                room -= node_endpoints_count
                node_endpoints_2: list[NodeEndpoint] = []
                for _ in range(node_endpoints_count):
                    node_id, host_size = _unpack_iB(buffer, p)
                    p += 5
                    if host_size > 127:
                        host_size, p = string_tail(buffer, p, host_size)
                    if host_size == 0:
                        raise missing("ProduceResponse.node_endpoints.host")
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
                    tags_6 = buffer[p]
                    p += 1
                    if tags_6:
                        p = skip_tags(buffer, p, tags_6)
                    node_endpoints_2.append(NodeEndpoint(node_id, host, port, rack))
                node_endpoints = node_endpoints_2
            else:
                p = tag_stop_2
            if p != tag_stop_2:
                raise DecodeError("ProduceResponse: a tagged field is not of its size")
    return ProduceResponse(responses, throttle_time_ms, node_endpoints), p


def _encode_0(message: ProduceResponse) -> bytes:
    """Versions 3, 4."""
    out: list[bytes] = []
    responses = message.responses
    out.append(_pack_i(len(responses)))
    for element in responses:
        name = element.name.encode()
        name_size = len(name)
        partition_responses = element.partition_responses
        out += (_pack_h(name_size), name, _pack_i(len(partition_responses)))
        for element_2 in partition_responses:
            if element_2.current_leader.leader_id != -1 or element_2.current_leader.leader_epoch != -1:
                raise not_in_version("ProduceResponse.responses.partition_responses.current_leader")
            out.append(_pack_ihqq(element_2.index, element_2.error_code, element_2.base_offset, element_2.log_append_time_ms))
    if message.node_endpoints:
        raise not_in_version("ProduceResponse.node_endpoints")
    out.append(_pack_i(message.throttle_time_ms))
    return b"".join(out)


def _encode_1(message: ProduceResponse) -> bytes:
    """Versions 5, 6, 7."""
    out: list[bytes] = []
    responses = message.responses
    out.append(_pack_i(len(responses)))
    for element in responses:
        name = element.name.encode()
        name_size = len(name)
        partition_responses = element.partition_responses
        out += (_pack_h(name_size), name, _pack_i(len(partition_responses)))
        for element_2 in partition_responses:
            if element_2.current_leader.leader_id != -1 or element_2.current_leader.leader_epoch != -1:
                raise not_in_version("ProduceResponse.responses.partition_responses.current_leader")
            out.append(_pack_ihqqq(element_2.index, element_2.error_code, element_2.base_offset, element_2.log_append_time_ms, element_2.log_start_offset))
    if message.node_endpoints:
        raise not_in_version("ProduceResponse.node_endpoints")
    out.append(_pack_i(message.throttle_time_ms))
    return b"".join(out)


def _encode_2(message: ProduceResponse) -> bytes:
    """Versions 8."""
    out: list[bytes] = []
    responses = message.responses
    out.append(_pack_i(len(responses)))
    for element in responses:
        name = element.name.encode()
        name_size = len(name)
        partition_responses = element.partition_responses
        out += (_pack_h(name_size), name, _pack_i(len(partition_responses)))
        for element_2 in partition_responses:
            record_errors = element_2.record_errors
            out.append(_pack_ihqqqi(element_2.index, element_2.error_code, element_2.base_offset, element_2.log_append_time_ms, element_2.log_start_offset, len(record_errors)))
            for element_3 in record_errors:
                batch_index_error_message_value = element_3.batch_index_error_message
                if batch_index_error_message_value is None:
                    batch_index_error_message_size, batch_index_error_message = -1, b""
                else:
                    batch_index_error_message = batch_index_error_message_value.encode()
                    batch_index_error_message_size = len(batch_index_error_message)
                out += (
                    _pack_ih(element_3.batch_index, batch_index_error_message_size),
                    batch_index_error_message,
                )
            error_message_value = element_2.error_message
            if error_message_value is None:
                error_message_size, error_message = -1, b""
            else:
                error_message = error_message_value.encode()
                error_message_size = len(error_message)
            if element_2.current_leader.leader_id != -1 or element_2.current_leader.leader_epoch != -1:
                raise not_in_version("ProduceResponse.responses.partition_responses.current_leader")
            out += (_pack_h(error_message_size), error_message)
    if message.node_endpoints:
        raise not_in_version("ProduceResponse.node_endpoints")
    out.append(_pack_i(message.throttle_time_ms))
    return b"".join(out)


def _encode_3(message: ProduceResponse) -> bytes:
    """Versions 9."""
    out: list[bytes] = []
    responses = message.responses
    responses_count = len(responses) + 1
    out.append(UVARINTS[responses_count] if responses_count < 256 else uvarint(responses_count))
    for element in responses:
        name = element.name.encode()
        name_size = len(name) + 1
        partition_responses = element.partition_responses
        partition_responses_count = len(partition_responses) + 1
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            UVARINTS[partition_responses_count] if partition_responses_count < 256 else uvarint(partition_responses_count),
        )
        for element_2 in partition_responses:
            record_errors = element_2.record_errors
            record_errors_count = len(record_errors) + 1
            out += (
                _pack_ihqqq(element_2.index, element_2.error_code, element_2.base_offset, element_2.log_append_time_ms, element_2.log_start_offset),
                UVARINTS[record_errors_count] if record_errors_count < 256 else uvarint(record_errors_count),
            )
            for element_3 in record_errors:
                batch_index_error_message_value = element_3.batch_index_error_message
                if batch_index_error_message_value is None:
                    batch_index_error_message_size, batch_index_error_message = 0, b""
                else:
                    batch_index_error_message = batch_index_error_message_value.encode()
                    batch_index_error_message_size = len(batch_index_error_message) + 1
                out += (
                    _pack_i(element_3.batch_index),
                    UVARINTS[batch_index_error_message_size] if batch_index_error_message_size < 256 else string_prefix(batch_index_error_message_size),
                    batch_index_error_message,
                    b"\0",
                )
            error_message_value = element_2.error_message
            if error_message_value is None:
                error_message_size, error_message = 0, b""
            else:
                error_message = error_message_value.encode()
                error_message_size = len(error_message) + 1
            if element_2.current_leader.leader_id != -1 or element_2.current_leader.leader_epoch != -1:
                raise not_in_version("ProduceResponse.responses.partition_responses.current_leader")
            out += (
                UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
                error_message,
                b"\0",
            )
        out.append(b"\0")
    if message.node_endpoints:
        raise not_in_version("ProduceResponse.node_endpoints")
    out.append(_pack_ix(message.throttle_time_ms))
    return b"".join(out)


def _encode_4(message: ProduceResponse) -> bytes:
    """Versions 10, 11, 12."""
    out: list[bytes] = []
    responses = message.responses
    responses_count = len(responses) + 1
    out.append(UVARINTS[responses_count] if responses_count < 256 else uvarint(responses_count))
    for element in responses:
        name = element.name.encode()
        name_size = len(name) + 1
        partition_responses = element.partition_responses
        partition_responses_count = len(partition_responses) + 1
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            UVARINTS[partition_responses_count] if partition_responses_count < 256 else uvarint(partition_responses_count),
        )
        for element_2 in partition_responses:
            record_errors = element_2.record_errors
            record_errors_count = len(record_errors) + 1
            out += (
                _pack_ihqqq(element_2.index, element_2.error_code, element_2.base_offset, element_2.log_append_time_ms, element_2.log_start_offset),
                UVARINTS[record_errors_count] if record_errors_count < 256 else uvarint(record_errors_count),
            )
            for element_3 in record_errors:
                batch_index_error_message_value = element_3.batch_index_error_message
                if batch_index_error_message_value is None:
                    batch_index_error_message_size, batch_index_error_message = 0, b""
                else:
                    batch_index_error_message = batch_index_error_message_value.encode()
                    batch_index_error_message_size = len(batch_index_error_message) + 1
                out += (
                    _pack_i(element_3.batch_index),
                    UVARINTS[batch_index_error_message_size] if batch_index_error_message_size < 256 else string_prefix(batch_index_error_message_size),
                    batch_index_error_message,
                    b"\0",
                )
            error_message_value = element_2.error_message
            if error_message_value is None:
                error_message_size, error_message = 0, b""
            else:
                error_message = error_message_value.encode()
                error_message_size = len(error_message) + 1
            out += (
                UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
                error_message,
            )
            tags = 0
            tagged: list[bytes] = []
            if element_2.current_leader.leader_id != -1 or element_2.current_leader.leader_epoch != -1:
                content: list[bytes] = []
                current_leader = element_2.current_leader
                content.append(_pack_iix(current_leader.leader_id, current_leader.leader_epoch))
                joined = b"".join(content)
                joined_size = len(joined)
                tags += 1
                tagged += (
                    UVARINTS[0],
                    UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size),
                    joined,
                )
            if tags:
                out.append(UVARINTS[tags])
                out += tagged
            else:
                out.append(b"\0")
        out.append(b"\0")
    out.append(_pack_i(message.throttle_time_ms))
    tags_2 = 0
    tagged_2: list[bytes] = []
    if message.node_endpoints:
        content_2: list[bytes] = []
        node_endpoints = message.node_endpoints
        node_endpoints_count = len(node_endpoints) + 1
        content_2.append(UVARINTS[node_endpoints_count] if node_endpoints_count < 256 else uvarint(node_endpoints_count))
        for element_4 in node_endpoints:
            host = element_4.host.encode()
            host_size = len(host) + 1
            rack_value = element_4.rack
            if rack_value is None:
                rack_size, rack = 0, b""
            else:
                rack = rack_value.encode()
                rack_size = len(rack) + 1
            content_2 += (
                _pack_i(element_4.node_id),
                UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
                host,
                _pack_i(element_4.port),
                UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
                rack,
                b"\0",
            )
        joined_2 = b"".join(content_2)
        joined_size_2 = len(joined_2)
        tags_2 += 1
        tagged_2 += (
            UVARINTS[0],
            UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
            joined_2,
        )
    if tags_2:
        out.append(UVARINTS[tags_2])
        out += tagged_2
    else:
        out.append(b"\0")
    return b"".join(out)


def _encode_5(message: ProduceResponse) -> bytes:
    """Versions 13."""
    out: list[bytes] = []
    responses = message.responses
    responses_count = len(responses) + 1
    out.append(UVARINTS[responses_count] if responses_count < 256 else uvarint(responses_count))
    for element in responses:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("ProduceResponse.responses.topic_id")
        partition_responses = element.partition_responses
        partition_responses_count = len(partition_responses) + 1
        out += (
            _pack_u(topic_id),
            UVARINTS[partition_responses_count] if partition_responses_count < 256 else uvarint(partition_responses_count),
        )
        for element_2 in partition_responses:
            record_errors = element_2.record_errors
            record_errors_count = len(record_errors) + 1
            out += (
                _pack_ihqqq(element_2.index, element_2.error_code, element_2.base_offset, element_2.log_append_time_ms, element_2.log_start_offset),
                UVARINTS[record_errors_count] if record_errors_count < 256 else uvarint(record_errors_count),
            )
            for element_3 in record_errors:
                batch_index_error_message_value = element_3.batch_index_error_message
                if batch_index_error_message_value is None:
                    batch_index_error_message_size, batch_index_error_message = 0, b""
                else:
                    batch_index_error_message = batch_index_error_message_value.encode()
                    batch_index_error_message_size = len(batch_index_error_message) + 1
                out += (
                    _pack_i(element_3.batch_index),
                    UVARINTS[batch_index_error_message_size] if batch_index_error_message_size < 256 else string_prefix(batch_index_error_message_size),
                    batch_index_error_message,
                    b"\0",
                )
            error_message_value = element_2.error_message
            if error_message_value is None:
                error_message_size, error_message = 0, b""
            else:
                error_message = error_message_value.encode()
                error_message_size = len(error_message) + 1
            out += (
                UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
                error_message,
            )
            tags = 0
            tagged: list[bytes] = []
            if element_2.current_leader.leader_id != -1 or element_2.current_leader.leader_epoch != -1:
                content: list[bytes] = []
                current_leader = element_2.current_leader
                content.append(_pack_iix(current_leader.leader_id, current_leader.leader_epoch))
                joined = b"".join(content)
                joined_size = len(joined)
                tags += 1
                tagged += (
                    UVARINTS[0],
                    UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size),
                    joined,
                )
            if tags:
                out.append(UVARINTS[tags])
                out += tagged
            else:
                out.append(b"\0")
        out.append(b"\0")
    out.append(_pack_i(message.throttle_time_ms))
    tags_2 = 0
    tagged_2: list[bytes] = []
    if message.node_endpoints:
        content_2: list[bytes] = []
        node_endpoints = message.node_endpoints
        node_endpoints_count = len(node_endpoints) + 1
        content_2.append(UVARINTS[node_endpoints_count] if node_endpoints_count < 256 else uvarint(node_endpoints_count))
        for element_4 in node_endpoints:
            host = element_4.host.encode()
            host_size = len(host) + 1
            rack_value = element_4.rack
            if rack_value is None:
                rack_size, rack = 0, b""
            else:
                rack = rack_value.encode()
                rack_size = len(rack) + 1
            content_2 += (
                _pack_i(element_4.node_id),
                UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
                host,
                _pack_i(element_4.port),
                UVARINTS[rack_size] if rack_size < 256 else string_prefix(rack_size),
                rack,
                b"\0",
            )
        joined_2 = b"".join(content_2)
        joined_size_2 = len(joined_2)
        tags_2 += 1
        tagged_2 += (
            UVARINTS[0],
            UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
            joined_2,
        )
    if tags_2:
        out.append(UVARINTS[tags_2])
        out += tagged_2
    else:
        out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ProduceResponse, int]]]] = {
    3: _decode_0,
    4: _decode_0,
    5: _decode_1,
    6: _decode_1,
    7: _decode_1,
    8: _decode_2,
    9: _decode_3,
    10: _decode_4,
    11: _decode_4,
    12: _decode_4,
    13: _decode_5,
}
_ENCODERS: Final[dict[int, Callable[[ProduceResponse], bytes]]] = {
    3: _encode_0,
    4: _encode_0,
    5: _encode_1,
    6: _encode_1,
    7: _encode_1,
    8: _encode_2,
    9: _encode_3,
    10: _encode_4,
    11: _encode_4,
    12: _encode_4,
    13: _encode_5,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ProduceResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ProduceResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ProduceResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ProduceResponse v{version} is cut short")
    return result


def encode(message: ProduceResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ProduceResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ProduceResponse v{version}: {error}") from error
