"""StreamsGroupHeartbeatResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "StreamsGroupHeartbeatResponse"
API_KEY: Final = 88
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_HB = Struct(">HB").unpack_from
_unpack_bB = Struct(">bB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_iiiiB = Struct(">iiiiB").unpack_from
_pack_Hx = Struct(">Hx").pack
_pack_b = Struct(">b").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_iiii = Struct(">iiii").pack


@dataclass(init=False, repr=False, eq=False)
class EndpointToPartitions(Wire):
    """EndpointToPartitions."""

    __slots__ = ("user_endpoint", "active_partitions", "standby_partitions")

    user_endpoint: Endpoint
    active_partitions: list[TopicPartition]
    standby_partitions: list[TopicPartition]

    def __init__(
        self,
        user_endpoint: Endpoint = UNSET,
        active_partitions: list[TopicPartition] = UNSET,
        standby_partitions: list[TopicPartition] = UNSET,
    ) -> None:
        self.user_endpoint = Endpoint() if user_endpoint is UNSET else user_endpoint
        self.active_partitions = [] if active_partitions is UNSET else active_partitions
        self.standby_partitions = [] if standby_partitions is UNSET else standby_partitions


@dataclass(init=False, repr=False, eq=False)
class Status(Wire):
    """Status."""

    __slots__ = ("status_code", "status_detail")

    status_code: int
    status_detail: str

    def __init__(
        self,
        status_code: int = 0,
        status_detail: str = "",
    ) -> None:
        self.status_code = status_code
        self.status_detail = status_detail


@dataclass(init=False, repr=False, eq=False)
class TopicPartition(Wire):
    """TopicPartition."""

    __slots__ = ("topic", "partitions")

    topic: str
    partitions: list[int]

    def __init__(
        self,
        topic: str = "",
        partitions: list[int] = UNSET,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class TaskIds(Wire):
    """TaskIds."""

    __slots__ = ("subtopology_id", "partitions")

    subtopology_id: str
    partitions: list[int]

    def __init__(
        self,
        subtopology_id: str = "",
        partitions: list[int] = UNSET,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is UNSET else partitions


@dataclass(init=False, repr=False, eq=False)
class Endpoint(Wire):
    """Endpoint."""

    __slots__ = ("host", "port")

    host: str
    port: int

    def __init__(
        self,
        host: str = "",
        port: int = 0,
    ) -> None:
        self.host = host
        self.port = port


@dataclass(init=False, repr=False, eq=False)
class StreamsGroupHeartbeatResponse(Wire):
    """StreamsGroupHeartbeatResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "member_id", "member_epoch", "heartbeat_interval_ms", "acceptable_recovery_lag", "task_offset_interval_ms", "status", "active_tasks", "standby_tasks", "warmup_tasks", "endpoint_information_epoch", "partitions_by_user_endpoint")

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    member_id: str
    member_epoch: int
    heartbeat_interval_ms: int
    acceptable_recovery_lag: int
    task_offset_interval_ms: int
    status: list[Status] | None
    active_tasks: list[TaskIds] | None
    standby_tasks: list[TaskIds] | None
    warmup_tasks: list[TaskIds] | None
    endpoint_information_epoch: int
    partitions_by_user_endpoint: list[EndpointToPartitions] | None

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        member_id: str = "",
        member_epoch: int = 0,
        heartbeat_interval_ms: int = 0,
        acceptable_recovery_lag: int = 0,
        task_offset_interval_ms: int = 0,
        status: list[Status] | None = UNSET,
        active_tasks: list[TaskIds] | None = None,
        standby_tasks: list[TaskIds] | None = None,
        warmup_tasks: list[TaskIds] | None = None,
        endpoint_information_epoch: int = 0,
        partitions_by_user_endpoint: list[EndpointToPartitions] | None = None,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.heartbeat_interval_ms = heartbeat_interval_ms
        self.acceptable_recovery_lag = acceptable_recovery_lag
        self.task_offset_interval_ms = task_offset_interval_ms
        self.status = [] if status is UNSET else status
        self.active_tasks = active_tasks
        self.standby_tasks = standby_tasks
        self.warmup_tasks = warmup_tasks
        self.endpoint_information_epoch = endpoint_information_epoch
        self.partitions_by_user_endpoint = partitions_by_user_endpoint


def _decode_0(buffer: memoryview, p: int) -> tuple[StreamsGroupHeartbeatResponse, int]:
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
    member_id_size = buffer[p]
    p += 1
    if member_id_size > 127:
        member_id_size, p = string_tail(buffer, p, member_id_size)
    if member_id_size == 0:
        raise missing("StreamsGroupHeartbeatResponse.member_id")
    stop = p + member_id_size - 1
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    member_epoch, heartbeat_interval_ms, acceptable_recovery_lag, task_offset_interval_ms, status_count = _unpack_iiiiB(buffer, p)
    p += 17
    if status_count > 127:
        status_count, p = uvarint_tail(buffer, p, status_count)
    status: list[Status] | None = None
    if status_count:
        status_count -= 1
        if status_count > room or status_count * 3 > end - p:
            raise too_many("StreamsGroupHeartbeatResponse.status", status_count)
        room -= status_count
        status = []
        for _ in range(status_count):
            status_code, status_detail_size = _unpack_bB(buffer, p)
            p += 2
            if status_detail_size > 127:
                status_detail_size, p = string_tail(buffer, p, status_detail_size)
            if status_detail_size == 0:
                raise missing("StreamsGroupHeartbeatResponse.status.status_detail")
            stop = p + status_detail_size - 1
            status_detail = buffer[p:stop].tobytes().decode()
            p = stop
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            status.append(Status(status_code, status_detail))
    active_tasks_count = buffer[p]
    p += 1
    if active_tasks_count > 127:
        active_tasks_count, p = uvarint_tail(buffer, p, active_tasks_count)
    active_tasks: list[TaskIds] | None = None
    if active_tasks_count:
        active_tasks_count -= 1
        if active_tasks_count > room or active_tasks_count * 3 > end - p:
            raise too_many("StreamsGroupHeartbeatResponse.active_tasks", active_tasks_count)
        room -= active_tasks_count
        active_tasks = []
        for _ in range(active_tasks_count):
            subtopology_id_size = buffer[p]
            p += 1
            if subtopology_id_size > 127:
                subtopology_id_size, p = string_tail(buffer, p, subtopology_id_size)
            if subtopology_id_size == 0:
                raise missing("StreamsGroupHeartbeatResponse.active_tasks.subtopology_id")
            stop = p + subtopology_id_size - 1
            subtopology_id = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count = buffer[p]
            p += 1
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("StreamsGroupHeartbeatResponse.active_tasks.partitions")
            partitions_count -= 1
            partitions = read_int32s(buffer, p, partitions_count)
            p += partitions_count * 4
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            active_tasks.append(TaskIds(subtopology_id, partitions))
    standby_tasks_count = buffer[p]
    p += 1
    if standby_tasks_count > 127:
        standby_tasks_count, p = uvarint_tail(buffer, p, standby_tasks_count)
    standby_tasks: list[TaskIds] | None = None
    if standby_tasks_count:
        standby_tasks_count -= 1
        if standby_tasks_count > room or standby_tasks_count * 3 > end - p:
            raise too_many("StreamsGroupHeartbeatResponse.standby_tasks", standby_tasks_count)
        room -= standby_tasks_count
        standby_tasks = []
        for _ in range(standby_tasks_count):
            subtopology_id_size_2 = buffer[p]
            p += 1
            if subtopology_id_size_2 > 127:
                subtopology_id_size_2, p = string_tail(buffer, p, subtopology_id_size_2)
            if subtopology_id_size_2 == 0:
                raise missing("StreamsGroupHeartbeatResponse.standby_tasks.subtopology_id")
            stop = p + subtopology_id_size_2 - 1
            subtopology_id_2 = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count_2 = buffer[p]
            p += 1
            if partitions_count_2 > 127:
                partitions_count_2, p = uvarint_tail(buffer, p, partitions_count_2)
            if partitions_count_2 == 0:
                raise missing("StreamsGroupHeartbeatResponse.standby_tasks.partitions")
            partitions_count_2 -= 1
            partitions_2 = read_int32s(buffer, p, partitions_count_2)
            p += partitions_count_2 * 4
            tags_3 = buffer[p]
            p += 1
            if tags_3:
                p = skip_tags(buffer, p, tags_3)
            standby_tasks.append(TaskIds(subtopology_id_2, partitions_2))
    warmup_tasks_count = buffer[p]
    p += 1
    if warmup_tasks_count > 127:
        warmup_tasks_count, p = uvarint_tail(buffer, p, warmup_tasks_count)
    warmup_tasks: list[TaskIds] | None = None
    if warmup_tasks_count:
        warmup_tasks_count -= 1
        if warmup_tasks_count > room or warmup_tasks_count * 3 > end - p:
            raise too_many("StreamsGroupHeartbeatResponse.warmup_tasks", warmup_tasks_count)
        room -= warmup_tasks_count
        warmup_tasks = []
        for _ in range(warmup_tasks_count):
            subtopology_id_size_3 = buffer[p]
            p += 1
            if subtopology_id_size_3 > 127:
                subtopology_id_size_3, p = string_tail(buffer, p, subtopology_id_size_3)
            if subtopology_id_size_3 == 0:
                raise missing("StreamsGroupHeartbeatResponse.warmup_tasks.subtopology_id")
            stop = p + subtopology_id_size_3 - 1
            subtopology_id_3 = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count_3 = buffer[p]
            p += 1
            if partitions_count_3 > 127:
                partitions_count_3, p = uvarint_tail(buffer, p, partitions_count_3)
            if partitions_count_3 == 0:
                raise missing("StreamsGroupHeartbeatResponse.warmup_tasks.partitions")
            partitions_count_3 -= 1
            partitions_3 = read_int32s(buffer, p, partitions_count_3)
            p += partitions_count_3 * 4
            tags_4 = buffer[p]
            p += 1
            if tags_4:
                p = skip_tags(buffer, p, tags_4)
            warmup_tasks.append(TaskIds(subtopology_id_3, partitions_3))
    endpoint_information_epoch, partitions_by_user_endpoint_count = _unpack_iB(buffer, p)
    p += 5
    if partitions_by_user_endpoint_count > 127:
        partitions_by_user_endpoint_count, p = uvarint_tail(buffer, p, partitions_by_user_endpoint_count)
    partitions_by_user_endpoint: list[EndpointToPartitions] | None = None
    if partitions_by_user_endpoint_count:
        partitions_by_user_endpoint_count -= 1
        if partitions_by_user_endpoint_count > room or partitions_by_user_endpoint_count * 7 > end - p:
            raise too_many("StreamsGroupHeartbeatResponse.partitions_by_user_endpoint", partitions_by_user_endpoint_count)
        room -= partitions_by_user_endpoint_count
        partitions_by_user_endpoint = []
        for _ in range(partitions_by_user_endpoint_count):
            host_size = buffer[p]
            p += 1
            if host_size > 127:
                host_size, p = string_tail(buffer, p, host_size)
            if host_size == 0:
                raise missing("StreamsGroupHeartbeatResponse.partitions_by_user_endpoint.user_endpoint.host")
            stop = p + host_size - 1
            host = buffer[p:stop].tobytes().decode()
            p = stop
            port, tags_5 = _unpack_HB(buffer, p)
            p += 3
            if tags_5:
                p = skip_tags(buffer, p, tags_5)
            active_partitions_count = buffer[p]
            p += 1
            if active_partitions_count > 127:
                active_partitions_count, p = uvarint_tail(buffer, p, active_partitions_count)
            if active_partitions_count == 0:
                raise missing("StreamsGroupHeartbeatResponse.partitions_by_user_endpoint.active_partitions")
            active_partitions_count -= 1
            if active_partitions_count > room or active_partitions_count * 3 > end - p:
                raise too_many("StreamsGroupHeartbeatResponse.partitions_by_user_endpoint.active_partitions", active_partitions_count)
            room -= active_partitions_count
            active_partitions: list[TopicPartition] = []
            for _ in range(active_partitions_count):
                topic_size = buffer[p]
                p += 1
                if topic_size > 127:
                    topic_size, p = string_tail(buffer, p, topic_size)
                if topic_size == 0:
                    raise missing("StreamsGroupHeartbeatResponse.partitions_by_user_endpoint.active_partitions.topic")
                stop = p + topic_size - 1
                topic = buffer[p:stop].tobytes().decode()
                p = stop
                partitions_count_4 = buffer[p]
                p += 1
                if partitions_count_4 > 127:
                    partitions_count_4, p = uvarint_tail(buffer, p, partitions_count_4)
                if partitions_count_4 == 0:
                    raise missing("StreamsGroupHeartbeatResponse.partitions_by_user_endpoint.active_partitions.partitions")
                partitions_count_4 -= 1
                partitions_4 = read_int32s(buffer, p, partitions_count_4)
                p += partitions_count_4 * 4
                tags_6 = buffer[p]
                p += 1
                if tags_6:
                    p = skip_tags(buffer, p, tags_6)
                active_partitions.append(TopicPartition(topic, partitions_4))
            standby_partitions_count = buffer[p]
            p += 1
            if standby_partitions_count > 127:
                standby_partitions_count, p = uvarint_tail(buffer, p, standby_partitions_count)
            if standby_partitions_count == 0:
                raise missing("StreamsGroupHeartbeatResponse.partitions_by_user_endpoint.standby_partitions")
            standby_partitions_count -= 1
            if standby_partitions_count > room or standby_partitions_count * 3 > end - p:
                raise too_many("StreamsGroupHeartbeatResponse.partitions_by_user_endpoint.standby_partitions", standby_partitions_count)
            room -= standby_partitions_count
            standby_partitions: list[TopicPartition] = []
            for _ in range(standby_partitions_count):
                topic_size_2 = buffer[p]
                p += 1
                if topic_size_2 > 127:
                    topic_size_2, p = string_tail(buffer, p, topic_size_2)
                if topic_size_2 == 0:
                    raise missing("StreamsGroupHeartbeatResponse.partitions_by_user_endpoint.standby_partitions.topic")
                stop = p + topic_size_2 - 1
                topic_2 = buffer[p:stop].tobytes().decode()
                p = stop
                partitions_count_5 = buffer[p]
                p += 1
                if partitions_count_5 > 127:
                    partitions_count_5, p = uvarint_tail(buffer, p, partitions_count_5)
                if partitions_count_5 == 0:
                    raise missing("StreamsGroupHeartbeatResponse.partitions_by_user_endpoint.standby_partitions.partitions")
                partitions_count_5 -= 1
                partitions_5 = read_int32s(buffer, p, partitions_count_5)
                p += partitions_count_5 * 4
                tags_7 = buffer[p]
                p += 1
                if tags_7:
                    p = skip_tags(buffer, p, tags_7)
                standby_partitions.append(TopicPartition(topic_2, partitions_5))
            tags_8 = buffer[p]
            p += 1
            if tags_8:
                p = skip_tags(buffer, p, tags_8)
            partitions_by_user_endpoint.append(EndpointToPartitions(Endpoint(host, port), active_partitions, standby_partitions))
    tags_9 = buffer[p]
    p += 1
    if tags_9:
        p = skip_tags(buffer, p, tags_9)
    return StreamsGroupHeartbeatResponse(throttle_time_ms, error_code, error_message, member_id, member_epoch, heartbeat_interval_ms, acceptable_recovery_lag, task_offset_interval_ms, status, active_tasks, standby_tasks, warmup_tasks, endpoint_information_epoch, partitions_by_user_endpoint), p


def _encode_0(message: StreamsGroupHeartbeatResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    member_id = message.member_id.encode()
    member_id_size = len(member_id) + 1
    status = message.status
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
        error_message,
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        _pack_iiii(message.member_epoch, message.heartbeat_interval_ms, message.acceptable_recovery_lag, message.task_offset_interval_ms),
    )
    if status is None:
        out.append(b"\0")
    else:
        status_count = len(status) + 1
        out.append(UVARINTS[status_count] if status_count < 256 else uvarint(status_count))
        for element in status:
            status_detail = element.status_detail.encode()
            status_detail_size = len(status_detail) + 1
            out += (
                _pack_b(element.status_code),
                UVARINTS[status_detail_size] if status_detail_size < 256 else string_prefix(status_detail_size),
                status_detail,
                b"\0",
            )
    active_tasks = message.active_tasks
    if active_tasks is None:
        out.append(b"\0")
    else:
        active_tasks_count = len(active_tasks) + 1
        out.append(UVARINTS[active_tasks_count] if active_tasks_count < 256 else uvarint(active_tasks_count))
        for element_2 in active_tasks:
            subtopology_id = element_2.subtopology_id.encode()
            subtopology_id_size = len(subtopology_id) + 1
            partitions = element_2.partitions
            partitions_count = len(partitions) + 1
            out += (
                UVARINTS[subtopology_id_size] if subtopology_id_size < 256 else string_prefix(subtopology_id_size),
                subtopology_id,
                UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
                write_int32s(partitions),
                b"\0",
            )
    standby_tasks = message.standby_tasks
    if standby_tasks is None:
        out.append(b"\0")
    else:
        standby_tasks_count = len(standby_tasks) + 1
        out.append(UVARINTS[standby_tasks_count] if standby_tasks_count < 256 else uvarint(standby_tasks_count))
        for element_3 in standby_tasks:
            subtopology_id_2 = element_3.subtopology_id.encode()
            subtopology_id_size_2 = len(subtopology_id_2) + 1
            partitions_2 = element_3.partitions
            partitions_count_2 = len(partitions_2) + 1
            out += (
                UVARINTS[subtopology_id_size_2] if subtopology_id_size_2 < 256 else string_prefix(subtopology_id_size_2),
                subtopology_id_2,
                UVARINTS[partitions_count_2] if partitions_count_2 < 256 else uvarint(partitions_count_2),
                write_int32s(partitions_2),
                b"\0",
            )
    warmup_tasks = message.warmup_tasks
    if warmup_tasks is None:
        out.append(b"\0")
    else:
        warmup_tasks_count = len(warmup_tasks) + 1
        out.append(UVARINTS[warmup_tasks_count] if warmup_tasks_count < 256 else uvarint(warmup_tasks_count))
        for element_4 in warmup_tasks:
            subtopology_id_3 = element_4.subtopology_id.encode()
            subtopology_id_size_3 = len(subtopology_id_3) + 1
            partitions_3 = element_4.partitions
            partitions_count_3 = len(partitions_3) + 1
            out += (
                UVARINTS[subtopology_id_size_3] if subtopology_id_size_3 < 256 else string_prefix(subtopology_id_size_3),
                subtopology_id_3,
                UVARINTS[partitions_count_3] if partitions_count_3 < 256 else uvarint(partitions_count_3),
                write_int32s(partitions_3),
                b"\0",
            )
    partitions_by_user_endpoint = message.partitions_by_user_endpoint
    out.append(_pack_i(message.endpoint_information_epoch))
    if partitions_by_user_endpoint is None:
        out.append(b"\0")
    else:
        partitions_by_user_endpoint_count = len(partitions_by_user_endpoint) + 1
        out.append(UVARINTS[partitions_by_user_endpoint_count] if partitions_by_user_endpoint_count < 256 else uvarint(partitions_by_user_endpoint_count))
        for element_5 in partitions_by_user_endpoint:
            user_endpoint = element_5.user_endpoint
            host = user_endpoint.host.encode()
            host_size = len(host) + 1
            active_partitions = element_5.active_partitions
            active_partitions_count = len(active_partitions) + 1
            out += (
                UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
                host,
                _pack_Hx(user_endpoint.port),
                UVARINTS[active_partitions_count] if active_partitions_count < 256 else uvarint(active_partitions_count),
            )
            for element_6 in active_partitions:
                topic = element_6.topic.encode()
                topic_size = len(topic) + 1
                partitions_4 = element_6.partitions
                partitions_count_4 = len(partitions_4) + 1
                out += (
                    UVARINTS[topic_size] if topic_size < 256 else string_prefix(topic_size),
                    topic,
                    UVARINTS[partitions_count_4] if partitions_count_4 < 256 else uvarint(partitions_count_4),
                    write_int32s(partitions_4),
                    b"\0",
                )
            standby_partitions = element_5.standby_partitions
            standby_partitions_count = len(standby_partitions) + 1
            out.append(UVARINTS[standby_partitions_count] if standby_partitions_count < 256 else uvarint(standby_partitions_count))
            for element_7 in standby_partitions:
                topic_2 = element_7.topic.encode()
                topic_size_2 = len(topic_2) + 1
                partitions_5 = element_7.partitions
                partitions_count_5 = len(partitions_5) + 1
                out += (
                    UVARINTS[topic_size_2] if topic_size_2 < 256 else string_prefix(topic_size_2),
                    topic_2,
                    UVARINTS[partitions_count_5] if partitions_count_5 < 256 else uvarint(partitions_count_5),
                    write_int32s(partitions_5),
                    b"\0",
                )
            out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[StreamsGroupHeartbeatResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[StreamsGroupHeartbeatResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[StreamsGroupHeartbeatResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"StreamsGroupHeartbeatResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"StreamsGroupHeartbeatResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"StreamsGroupHeartbeatResponse v{version} is cut short")
    return result


def encode(message: StreamsGroupHeartbeatResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"StreamsGroupHeartbeatResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"StreamsGroupHeartbeatResponse v{version}: {error}") from error
