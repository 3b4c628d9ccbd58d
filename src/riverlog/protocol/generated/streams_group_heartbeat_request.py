"""StreamsGroupHeartbeatRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    read_int16s,
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
    write_int16s,
    write_int32s,
)

NAME: Final = "StreamsGroupHeartbeatRequest"
API_KEY: Final = 88
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_zB = Struct(">?B").unpack_from
_unpack_HB = Struct(">HB").unpack_from
_unpack_b = Struct(">b").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ib = Struct(">ib").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_iiB = Struct(">iiB").unpack_from
_unpack_iqB = Struct(">iqB").unpack_from
_pack_zx = Struct(">?x").pack
_pack_Hx = Struct(">Hx").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ii = Struct(">ii").pack
_pack_iqx = Struct(">iqx").pack


@dataclass(init=False, repr=False, eq=False)
class CopartitionGroup(Wire):
    """CopartitionGroup."""

    __slots__ = ("source_topics", "source_topic_regex", "repartition_source_topics")

    source_topics: list[int]
    source_topic_regex: list[int]
    repartition_source_topics: list[int]

    def __init__(
        self,
        source_topics: list[int] = UNSET,
        source_topic_regex: list[int] = UNSET,
        repartition_source_topics: list[int] = UNSET,
    ) -> None:
        self.source_topics = [] if source_topics is UNSET else source_topics
        self.source_topic_regex = [] if source_topic_regex is UNSET else source_topic_regex
        self.repartition_source_topics = [] if repartition_source_topics is UNSET else repartition_source_topics


@dataclass(init=False, repr=False, eq=False)
class Subtopology(Wire):
    """Subtopology."""

    __slots__ = ("subtopology_id", "source_topics", "source_topic_regex", "state_changelog_topics", "repartition_sink_topics", "repartition_source_topics", "copartition_groups")

    subtopology_id: str
    source_topics: list[str]
    source_topic_regex: list[str]
    state_changelog_topics: list[TopicInfo]
    repartition_sink_topics: list[str]
    repartition_source_topics: list[TopicInfo]
    copartition_groups: list[CopartitionGroup]

    def __init__(
        self,
        subtopology_id: str = "",
        source_topics: list[str] = UNSET,
        source_topic_regex: list[str] = UNSET,
        state_changelog_topics: list[TopicInfo] = UNSET,
        repartition_sink_topics: list[str] = UNSET,
        repartition_source_topics: list[TopicInfo] = UNSET,
        copartition_groups: list[CopartitionGroup] = UNSET,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.source_topics = [] if source_topics is UNSET else source_topics
        self.source_topic_regex = [] if source_topic_regex is UNSET else source_topic_regex
        self.state_changelog_topics = [] if state_changelog_topics is UNSET else state_changelog_topics
        self.repartition_sink_topics = [] if repartition_sink_topics is UNSET else repartition_sink_topics
        self.repartition_source_topics = [] if repartition_source_topics is UNSET else repartition_source_topics
        self.copartition_groups = [] if copartition_groups is UNSET else copartition_groups


@dataclass(init=False, repr=False, eq=False)
class Topology(Wire):
    """Topology."""

    __slots__ = ("epoch", "subtopologies")

    epoch: int
    subtopologies: list[Subtopology]

    def __init__(
        self,
        epoch: int = 0,
        subtopologies: list[Subtopology] = UNSET,
    ) -> None:
        self.epoch = epoch
        self.subtopologies = [] if subtopologies is UNSET else subtopologies


@dataclass(init=False, repr=False, eq=False)
class KeyValue(Wire):
    """KeyValue."""

    __slots__ = ("key", "value")

    key: str
    value: str

    def __init__(
        self,
        key: str = "",
        value: str = "",
    ) -> None:
        self.key = key
        self.value = value


@dataclass(init=False, repr=False, eq=False)
class TopicInfo(Wire):
    """TopicInfo."""

    __slots__ = ("name", "partitions", "replication_factor", "topic_configs")

    name: str
    partitions: int
    replication_factor: int
    topic_configs: list[KeyValue]

    def __init__(
        self,
        name: str = "",
        partitions: int = 0,
        replication_factor: int = 0,
        topic_configs: list[KeyValue] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = partitions
        self.replication_factor = replication_factor
        self.topic_configs = [] if topic_configs is UNSET else topic_configs


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
class TaskOffset(Wire):
    """TaskOffset."""

    __slots__ = ("subtopology_id", "partition", "offset")

    subtopology_id: str
    partition: int
    offset: int

    def __init__(
        self,
        subtopology_id: str = "",
        partition: int = 0,
        offset: int = 0,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partition = partition
        self.offset = offset


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
class StreamsGroupHeartbeatRequest(Wire):
    """StreamsGroupHeartbeatRequest."""

    __slots__ = ("group_id", "member_id", "member_epoch", "endpoint_information_epoch", "instance_id", "rack_id", "rebalance_timeout_ms", "topology", "active_tasks", "standby_tasks", "warmup_tasks", "process_id", "user_endpoint", "client_tags", "task_offsets", "task_end_offsets", "shutdown_application")

    group_id: str
    member_id: str
    member_epoch: int
    endpoint_information_epoch: int
    instance_id: str | None
    rack_id: str | None
    rebalance_timeout_ms: int
    topology: Topology | None
    active_tasks: list[TaskIds] | None
    standby_tasks: list[TaskIds] | None
    warmup_tasks: list[TaskIds] | None
    process_id: str | None
    user_endpoint: Endpoint | None
    client_tags: list[KeyValue] | None
    task_offsets: list[TaskOffset] | None
    task_end_offsets: list[TaskOffset] | None
    shutdown_application: bool

    def __init__(
        self,
        group_id: str = "",
        member_id: str = "",
        member_epoch: int = 0,
        endpoint_information_epoch: int = 0,
        instance_id: str | None = None,
        rack_id: str | None = None,
        rebalance_timeout_ms: int = -1,
        topology: Topology | None = None,
        active_tasks: list[TaskIds] | None = None,
        standby_tasks: list[TaskIds] | None = None,
        warmup_tasks: list[TaskIds] | None = None,
        process_id: str | None = None,
        user_endpoint: Endpoint | None = None,
        client_tags: list[KeyValue] | None = None,
        task_offsets: list[TaskOffset] | None = None,
        task_end_offsets: list[TaskOffset] | None = None,
        shutdown_application: bool = False,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.endpoint_information_epoch = endpoint_information_epoch
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.topology = topology
        self.active_tasks = active_tasks
        self.standby_tasks = standby_tasks
        self.warmup_tasks = warmup_tasks
        self.process_id = process_id
        self.user_endpoint = user_endpoint
        self.client_tags = client_tags
        self.task_offsets = task_offsets
        self.task_end_offsets = task_end_offsets
        self.shutdown_application = shutdown_application


def _decode_0(buffer: memoryview, p: int) -> tuple[StreamsGroupHeartbeatRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("StreamsGroupHeartbeatRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    member_id_size = buffer[p]
    p += 1
    if member_id_size > 127:
        member_id_size, p = string_tail(buffer, p, member_id_size)
    if member_id_size == 0:
        raise missing("StreamsGroupHeartbeatRequest.member_id")
    stop = p + member_id_size - 1
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    member_epoch, endpoint_information_epoch, instance_id_size = _unpack_iiB(buffer, p)
    p += 9
    if instance_id_size > 127:
        instance_id_size, p = string_tail(buffer, p, instance_id_size)
    instance_id: str | None = None
    if instance_id_size:
        stop = p + instance_id_size - 1
        instance_id = buffer[p:stop].tobytes().decode()
        p = stop
    rack_id_size = buffer[p]
    p += 1
    if rack_id_size > 127:
        rack_id_size, p = string_tail(buffer, p, rack_id_size)
    rack_id: str | None = None
    if rack_id_size:
        stop = p + rack_id_size - 1
        rack_id = buffer[p:stop].tobytes().decode()
        p = stop
    rebalance_timeout_ms, topology_mark = _unpack_ib(buffer, p)
    p += 5
    topology: Topology | None = None
    if topology_mark >= 0:
        epoch, subtopologies_count = _unpack_iB(buffer, p)
        p += 5
        if subtopologies_count > 127:
            subtopologies_count, p = uvarint_tail(buffer, p, subtopologies_count)
        if subtopologies_count == 0:
            raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies")
        subtopologies_count -= 1
        if subtopologies_count > room or subtopologies_count * 8 > end - p:
            raise too_many("StreamsGroupHeartbeatRequest.topology.subtopologies", subtopologies_count)
        room -= subtopologies_count
        subtopologies: list[Subtopology] = []
        for _ in range(subtopologies_count):
            subtopology_id_size = buffer[p]
            p += 1
            if subtopology_id_size > 127:
                subtopology_id_size, p = string_tail(buffer, p, subtopology_id_size)
            if subtopology_id_size == 0:
                raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.subtopology_id")
            stop = p + subtopology_id_size - 1
            subtopology_id = buffer[p:stop].tobytes().decode()
            p = stop
            source_topics_count = buffer[p]
            p += 1
            if source_topics_count > 127:
                source_topics_count, p = uvarint_tail(buffer, p, source_topics_count)
            if source_topics_count == 0:
                raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.source_topics")
            source_topics_count -= 1
            if source_topics_count > room or source_topics_count > end - p:
                raise too_many("StreamsGroupHeartbeatRequest.topology.subtopologies.source_topics", source_topics_count)
            room -= source_topics_count
            source_topics: list[str] = []
            for _ in range(source_topics_count):
                element_size = buffer[p]
                p += 1
                if element_size > 127:
                    element_size, p = string_tail(buffer, p, element_size)
                if element_size == 0:
                    raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.source_topics")
                stop = p + element_size - 1
                element = buffer[p:stop].tobytes().decode()
                p = stop
                source_topics.append(element)
            source_topic_regex_count = buffer[p]
            p += 1
            if source_topic_regex_count > 127:
                source_topic_regex_count, p = uvarint_tail(buffer, p, source_topic_regex_count)
            if source_topic_regex_count == 0:
                raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.source_topic_regex")
            source_topic_regex_count -= 1
            if source_topic_regex_count > room or source_topic_regex_count > end - p:
                raise too_many("StreamsGroupHeartbeatRequest.topology.subtopologies.source_topic_regex", source_topic_regex_count)
            room -= source_topic_regex_count
            source_topic_regex: list[str] = []
            for _ in range(source_topic_regex_count):
                element_size_2 = buffer[p]
                p += 1
                if element_size_2 > 127:
                    element_size_2, p = string_tail(buffer, p, element_size_2)
                if element_size_2 == 0:
                    raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.source_topic_regex")
                stop = p + element_size_2 - 1
                element_2 = buffer[p:stop].tobytes().decode()
                p = stop
                source_topic_regex.append(element_2)
            state_changelog_topics_count = buffer[p]
            p += 1
            if state_changelog_topics_count > 127:
                state_changelog_topics_count, p = uvarint_tail(buffer, p, state_changelog_topics_count)
            if state_changelog_topics_count == 0:
                raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.state_changelog_topics")
            state_changelog_topics_count -= 1
            if state_changelog_topics_count > room or state_changelog_topics_count * 9 > end - p:
                raise too_many("StreamsGroupHeartbeatRequest.topology.subtopologies.state_changelog_topics", state_changelog_topics_count)
            room -= state_changelog_topics_count
            state_changelog_topics: list[TopicInfo] = []
            for _ in range(state_changelog_topics_count):
                name_size = buffer[p]
                p += 1
                if name_size > 127:
                    name_size, p = string_tail(buffer, p, name_size)
                if name_size == 0:
                    raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.state_changelog_topics.name")
                stop = p + name_size - 1
                name = buffer[p:stop].tobytes().decode()
                p = stop
                partitions, replication_factor, topic_configs_count = _unpack_ihB(buffer, p)
                p += 7
                if topic_configs_count > 127:
                    topic_configs_count, p = uvarint_tail(buffer, p, topic_configs_count)
                if topic_configs_count == 0:
                    raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.state_changelog_topics.topic_configs")
                topic_configs_count -= 1
                if topic_configs_count > room or topic_configs_count * 3 > end - p:
                    raise too_many("StreamsGroupHeartbeatRequest.topology.subtopologies.state_changelog_topics.topic_configs", topic_configs_count)
                room -= topic_configs_count
                topic_configs: list[KeyValue] = []
                for _ in range(topic_configs_count):
                    key_size = buffer[p]
                    p += 1
                    if key_size > 127:
                        key_size, p = string_tail(buffer, p, key_size)
                    if key_size == 0:
                        raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.state_changelog_topics.topic_configs.key")
                    stop = p + key_size - 1
                    key = buffer[p:stop].tobytes().decode()
                    p = stop
                    value_size = buffer[p]
                    p += 1
                    if value_size > 127:
                        value_size, p = string_tail(buffer, p, value_size)
                    if value_size == 0:
                        raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.state_changelog_topics.topic_configs.value")
                    stop = p + value_size - 1
                    value = buffer[p:stop].tobytes().decode()
                    p = stop
                    tags = buffer[p]
                    p += 1
                    if tags:
                        p = skip_tags(buffer, p, tags)
                    topic_configs.append(KeyValue(key, value))
                tags_2 = buffer[p]
                p += 1
                if tags_2:
                    p = skip_tags(buffer, p, tags_2)
                state_changelog_topics.append(TopicInfo(name, partitions, replication_factor, topic_configs))
            repartition_sink_topics_count = buffer[p]
            p += 1
            if repartition_sink_topics_count > 127:
                repartition_sink_topics_count, p = uvarint_tail(buffer, p, repartition_sink_topics_count)
            if repartition_sink_topics_count == 0:
                raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.repartition_sink_topics")
            repartition_sink_topics_count -= 1
            if repartition_sink_topics_count > room or repartition_sink_topics_count > end - p:
                raise too_many("StreamsGroupHeartbeatRequest.topology.subtopologies.repartition_sink_topics", repartition_sink_topics_count)
            room -= repartition_sink_topics_count
            repartition_sink_topics: list[str] = []
            for _ in range(repartition_sink_topics_count):
                element_size_3 = buffer[p]
                p += 1
                if element_size_3 > 127:
                    element_size_3, p = string_tail(buffer, p, element_size_3)
                if element_size_3 == 0:
                    raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.repartition_sink_topics")
                stop = p + element_size_3 - 1
                element_3 = buffer[p:stop].tobytes().decode()
                p = stop
                repartition_sink_topics.append(element_3)
            repartition_source_topics_count = buffer[p]
            p += 1
            if repartition_source_topics_count > 127:
                repartition_source_topics_count, p = uvarint_tail(buffer, p, repartition_source_topics_count)
            if repartition_source_topics_count == 0:
                raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.repartition_source_topics")
            repartition_source_topics_count -= 1
            if repartition_source_topics_count > room or repartition_source_topics_count * 9 > end - p:
                raise too_many("StreamsGroupHeartbeatRequest.topology.subtopologies.repartition_source_topics", repartition_source_topics_count)
            room -= repartition_source_topics_count
            repartition_source_topics: list[TopicInfo] = []
            for _ in range(repartition_source_topics_count):
                name_size_2 = buffer[p]
                p += 1
                if name_size_2 > 127:
                    name_size_2, p = string_tail(buffer, p, name_size_2)
                if name_size_2 == 0:
                    raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.repartition_source_topics.name")
                stop = p + name_size_2 - 1
                name_2 = buffer[p:stop].tobytes().decode()
                p = stop
                partitions_2, replication_factor_2, topic_configs_count_2 = _unpack_ihB(buffer, p)
                p += 7
                if topic_configs_count_2 > 127:
                    topic_configs_count_2, p = uvarint_tail(buffer, p, topic_configs_count_2)
                if topic_configs_count_2 == 0:
                    raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.repartition_source_topics.topic_configs")
                topic_configs_count_2 -= 1
                if topic_configs_count_2 > room or topic_configs_count_2 * 3 > end - p:
                    raise too_many("StreamsGroupHeartbeatRequest.topology.subtopologies.repartition_source_topics.topic_configs", topic_configs_count_2)
                room -= topic_configs_count_2
                topic_configs_2: list[KeyValue] = []
                for _ in range(topic_configs_count_2):
                    key_size_2 = buffer[p]
                    p += 1
                    if key_size_2 > 127:
                        key_size_2, p = string_tail(buffer, p, key_size_2)
                    if key_size_2 == 0:
                        raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.repartition_source_topics.topic_configs.key")
                    stop = p + key_size_2 - 1
                    key_2 = buffer[p:stop].tobytes().decode()
                    p = stop
                    value_size_2 = buffer[p]
                    p += 1
                    if value_size_2 > 127:
                        value_size_2, p = string_tail(buffer, p, value_size_2)
                    if value_size_2 == 0:
                        raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.repartition_source_topics.topic_configs.value")
                    stop = p + value_size_2 - 1
                    value_2 = buffer[p:stop].tobytes().decode()
                    p = stop
                    tags_3 = buffer[p]
                    p += 1
                    if tags_3:
                        p = skip_tags(buffer, p, tags_3)
                    topic_configs_2.append(KeyValue(key_2, value_2))
                tags_4 = buffer[p]
                p += 1
                if tags_4:
                    p = skip_tags(buffer, p, tags_4)
                repartition_source_topics.append(TopicInfo(name_2, partitions_2, replication_factor_2, topic_configs_2))
            copartition_groups_count = buffer[p]
            p += 1
            if copartition_groups_count > 127:
                copartition_groups_count, p = uvarint_tail(buffer, p, copartition_groups_count)
            if copartition_groups_count == 0:
                raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.copartition_groups")
            copartition_groups_count -= 1
            if copartition_groups_count > room or copartition_groups_count * 4 > end - p:
                raise too_many("StreamsGroupHeartbeatRequest.topology.subtopologies.copartition_groups", copartition_groups_count)
            room -= copartition_groups_count
            copartition_groups: list[CopartitionGroup] = []
            for _ in range(copartition_groups_count):
                source_topics_count_2 = buffer[p]
                p += 1
                if source_topics_count_2 > 127:
                    source_topics_count_2, p = uvarint_tail(buffer, p, source_topics_count_2)
                if source_topics_count_2 == 0:
                    raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.copartition_groups.source_topics")
                source_topics_count_2 -= 1
                source_topics_2 = read_int16s(buffer, p, source_topics_count_2)
                p += source_topics_count_2 * 2
                source_topic_regex_count_2 = buffer[p]
                p += 1
                if source_topic_regex_count_2 > 127:
                    source_topic_regex_count_2, p = uvarint_tail(buffer, p, source_topic_regex_count_2)
                if source_topic_regex_count_2 == 0:
                    raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.copartition_groups.source_topic_regex")
                source_topic_regex_count_2 -= 1
                source_topic_regex_2 = read_int16s(buffer, p, source_topic_regex_count_2)
                p += source_topic_regex_count_2 * 2
                repartition_source_topics_count_2 = buffer[p]
                p += 1
                if repartition_source_topics_count_2 > 127:
                    repartition_source_topics_count_2, p = uvarint_tail(buffer, p, repartition_source_topics_count_2)
                if repartition_source_topics_count_2 == 0:
                    raise missing("StreamsGroupHeartbeatRequest.topology.subtopologies.copartition_groups.repartition_source_topics")
                repartition_source_topics_count_2 -= 1
                repartition_source_topics_2 = read_int16s(buffer, p, repartition_source_topics_count_2)
                p += repartition_source_topics_count_2 * 2
                tags_5 = buffer[p]
                p += 1
                if tags_5:
                    p = skip_tags(buffer, p, tags_5)
                copartition_groups.append(CopartitionGroup(source_topics_2, source_topic_regex_2, repartition_source_topics_2))
            tags_6 = buffer[p]
            p += 1
            if tags_6:
                p = skip_tags(buffer, p, tags_6)
            subtopologies.append(Subtopology(subtopology_id, source_topics, source_topic_regex, state_changelog_topics, repartition_sink_topics, repartition_source_topics, copartition_groups))
        tags_7 = buffer[p]
        p += 1
        if tags_7:
            p = skip_tags(buffer, p, tags_7)
        topology = Topology(epoch, subtopologies)
    active_tasks_count = buffer[p]
    p += 1
    if active_tasks_count > 127:
        active_tasks_count, p = uvarint_tail(buffer, p, active_tasks_count)
    active_tasks: list[TaskIds] | None = None
    if active_tasks_count:
        active_tasks_count -= 1
        if active_tasks_count > room or active_tasks_count * 3 > end - p:
            raise too_many("StreamsGroupHeartbeatRequest.active_tasks", active_tasks_count)
        room -= active_tasks_count
        active_tasks = []
        for _ in range(active_tasks_count):
            subtopology_id_size_2 = buffer[p]
            p += 1
            if subtopology_id_size_2 > 127:
                subtopology_id_size_2, p = string_tail(buffer, p, subtopology_id_size_2)
            if subtopology_id_size_2 == 0:
                raise missing("StreamsGroupHeartbeatRequest.active_tasks.subtopology_id")
            stop = p + subtopology_id_size_2 - 1
            subtopology_id_2 = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count = buffer[p]
            p += 1
            if partitions_count > 127:
                partitions_count, p = uvarint_tail(buffer, p, partitions_count)
            if partitions_count == 0:
                raise missing("StreamsGroupHeartbeatRequest.active_tasks.partitions")
            partitions_count -= 1
            partitions_3 = read_int32s(buffer, p, partitions_count)
            p += partitions_count * 4
            tags_8 = buffer[p]
            p += 1
            if tags_8:
                p = skip_tags(buffer, p, tags_8)
            active_tasks.append(TaskIds(subtopology_id_2, partitions_3))
    standby_tasks_count = buffer[p]
    p += 1
    if standby_tasks_count > 127:
        standby_tasks_count, p = uvarint_tail(buffer, p, standby_tasks_count)
    standby_tasks: list[TaskIds] | None = None
    if standby_tasks_count:
        standby_tasks_count -= 1
        if standby_tasks_count > room or standby_tasks_count * 3 > end - p:
            raise too_many("StreamsGroupHeartbeatRequest.standby_tasks", standby_tasks_count)
        room -= standby_tasks_count
        standby_tasks = []
        for _ in range(standby_tasks_count):
            subtopology_id_size_3 = buffer[p]
            p += 1
            if subtopology_id_size_3 > 127:
                subtopology_id_size_3, p = string_tail(buffer, p, subtopology_id_size_3)
            if subtopology_id_size_3 == 0:
                raise missing("StreamsGroupHeartbeatRequest.standby_tasks.subtopology_id")
            stop = p + subtopology_id_size_3 - 1
            subtopology_id_3 = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count_2 = buffer[p]
            p += 1
            if partitions_count_2 > 127:
                partitions_count_2, p = uvarint_tail(buffer, p, partitions_count_2)
            if partitions_count_2 == 0:
                raise missing("StreamsGroupHeartbeatRequest.standby_tasks.partitions")
            partitions_count_2 -= 1
            partitions_4 = read_int32s(buffer, p, partitions_count_2)
            p += partitions_count_2 * 4
            tags_9 = buffer[p]
            p += 1
            if tags_9:
                p = skip_tags(buffer, p, tags_9)
            standby_tasks.append(TaskIds(subtopology_id_3, partitions_4))
    warmup_tasks_count = buffer[p]
    p += 1
    if warmup_tasks_count > 127:
        warmup_tasks_count, p = uvarint_tail(buffer, p, warmup_tasks_count)
    warmup_tasks: list[TaskIds] | None = None
    if warmup_tasks_count:
        warmup_tasks_count -= 1
        if warmup_tasks_count > room or warmup_tasks_count * 3 > end - p:
            raise too_many("StreamsGroupHeartbeatRequest.warmup_tasks", warmup_tasks_count)
        room -= warmup_tasks_count
        warmup_tasks = []
        for _ in range(warmup_tasks_count):
            subtopology_id_size_4 = buffer[p]
            p += 1
            if subtopology_id_size_4 > 127:
                subtopology_id_size_4, p = string_tail(buffer, p, subtopology_id_size_4)
            if subtopology_id_size_4 == 0:
                raise missing("StreamsGroupHeartbeatRequest.warmup_tasks.subtopology_id")
            stop = p + subtopology_id_size_4 - 1
            subtopology_id_4 = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_count_3 = buffer[p]
            p += 1
            if partitions_count_3 > 127:
                partitions_count_3, p = uvarint_tail(buffer, p, partitions_count_3)
            if partitions_count_3 == 0:
                raise missing("StreamsGroupHeartbeatRequest.warmup_tasks.partitions")
            partitions_count_3 -= 1
            partitions_5 = read_int32s(buffer, p, partitions_count_3)
            p += partitions_count_3 * 4
            tags_10 = buffer[p]
            p += 1
            if tags_10:
                p = skip_tags(buffer, p, tags_10)
            warmup_tasks.append(TaskIds(subtopology_id_4, partitions_5))
    process_id_size = buffer[p]
    p += 1
    if process_id_size > 127:
        process_id_size, p = string_tail(buffer, p, process_id_size)
    process_id: str | None = None
    if process_id_size:
        stop = p + process_id_size - 1
        process_id = buffer[p:stop].tobytes().decode()
        p = stop
    (user_endpoint_mark,) = _unpack_b(buffer, p)
    p += 1
    user_endpoint: Endpoint | None = None
    if user_endpoint_mark >= 0:
        host_size = buffer[p]
        p += 1
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("StreamsGroupHeartbeatRequest.user_endpoint.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, tags_11 = _unpack_HB(buffer, p)
        p += 3
        if tags_11:
            p = skip_tags(buffer, p, tags_11)
        user_endpoint = Endpoint(host, port)
    client_tags_count = buffer[p]
    p += 1
    if client_tags_count > 127:
        client_tags_count, p = uvarint_tail(buffer, p, client_tags_count)
    client_tags: list[KeyValue] | None = None
    if client_tags_count:
        client_tags_count -= 1
        if client_tags_count > room or client_tags_count * 3 > end - p:
            raise too_many("StreamsGroupHeartbeatRequest.client_tags", client_tags_count)
        room -= client_tags_count
        client_tags = []
        for _ in range(client_tags_count):
            key_size_3 = buffer[p]
            p += 1
            if key_size_3 > 127:
                key_size_3, p = string_tail(buffer, p, key_size_3)
            if key_size_3 == 0:
                raise missing("StreamsGroupHeartbeatRequest.client_tags.key")
            stop = p + key_size_3 - 1
            key_3 = buffer[p:stop].tobytes().decode()
            p = stop
            value_size_3 = buffer[p]
            p += 1
            if value_size_3 > 127:
                value_size_3, p = string_tail(buffer, p, value_size_3)
            if value_size_3 == 0:
                raise missing("StreamsGroupHeartbeatRequest.client_tags.value")
            stop = p + value_size_3 - 1
            value_3 = buffer[p:stop].tobytes().decode()
            p = stop
            tags_12 = buffer[p]
            p += 1
            if tags_12:
                p = skip_tags(buffer, p, tags_12)
            client_tags.append(KeyValue(key_3, value_3))
    task_offsets_count = buffer[p]
    p += 1
    if task_offsets_count > 127:
        task_offsets_count, p = uvarint_tail(buffer, p, task_offsets_count)
    task_offsets: list[TaskOffset] | None = None
    if task_offsets_count:
        task_offsets_count -= 1
        if task_offsets_count > room or task_offsets_count * 14 > end - p:
            raise too_many("StreamsGroupHeartbeatRequest.task_offsets", task_offsets_count)
        room -= task_offsets_count
        task_offsets = []
        for _ in range(task_offsets_count):
            subtopology_id_size_5 = buffer[p]
            p += 1
            if subtopology_id_size_5 > 127:
                subtopology_id_size_5, p = string_tail(buffer, p, subtopology_id_size_5)
            if subtopology_id_size_5 == 0:
                raise missing("StreamsGroupHeartbeatRequest.task_offsets.subtopology_id")
            stop = p + subtopology_id_size_5 - 1
            subtopology_id_5 = buffer[p:stop].tobytes().decode()
            p = stop
            partition, offset, tags_13 = _unpack_iqB(buffer, p)
            p += 13
            if tags_13:
                p = skip_tags(buffer, p, tags_13)
            task_offsets.append(TaskOffset(subtopology_id_5, partition, offset))
    task_end_offsets_count = buffer[p]
    p += 1
    if task_end_offsets_count > 127:
        task_end_offsets_count, p = uvarint_tail(buffer, p, task_end_offsets_count)
    task_end_offsets: list[TaskOffset] | None = None
    if task_end_offsets_count:
        task_end_offsets_count -= 1
        if task_end_offsets_count > room or task_end_offsets_count * 14 > end - p:
            raise too_many("StreamsGroupHeartbeatRequest.task_end_offsets", task_end_offsets_count)
        room -= task_end_offsets_count
        task_end_offsets = []
        for _ in range(task_end_offsets_count):
            subtopology_id_size_6 = buffer[p]
            p += 1
            if subtopology_id_size_6 > 127:
                subtopology_id_size_6, p = string_tail(buffer, p, subtopology_id_size_6)
            if subtopology_id_size_6 == 0:
                raise missing("StreamsGroupHeartbeatRequest.task_end_offsets.subtopology_id")
            stop = p + subtopology_id_size_6 - 1
            subtopology_id_6 = buffer[p:stop].tobytes().decode()
            p = stop
            partition_2, offset_2, tags_14 = _unpack_iqB(buffer, p)
            p += 13
            if tags_14:
                p = skip_tags(buffer, p, tags_14)
            task_end_offsets.append(TaskOffset(subtopology_id_6, partition_2, offset_2))
    shutdown_application, tags_15 = _unpack_zB(buffer, p)
    p += 2
    if tags_15:
        p = skip_tags(buffer, p, tags_15)
    return StreamsGroupHeartbeatRequest(group_id, member_id, member_epoch, endpoint_information_epoch, instance_id, rack_id, rebalance_timeout_ms, topology, active_tasks, standby_tasks, warmup_tasks, process_id, user_endpoint, client_tags, task_offsets, task_end_offsets, shutdown_application), p


def _encode_0(message: StreamsGroupHeartbeatRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    member_id = message.member_id.encode()
    member_id_size = len(member_id) + 1
    instance_id_value = message.instance_id
    if instance_id_value is None:
        instance_id_size, instance_id = 0, b""
    else:
        instance_id = instance_id_value.encode()
        instance_id_size = len(instance_id) + 1
    rack_id_value = message.rack_id
    if rack_id_value is None:
        rack_id_size, rack_id = 0, b""
    else:
        rack_id = rack_id_value.encode()
        rack_id_size = len(rack_id) + 1
    topology = message.topology
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        _pack_ii(message.member_epoch, message.endpoint_information_epoch),
        UVARINTS[instance_id_size] if instance_id_size < 256 else string_prefix(instance_id_size),
        instance_id,
        UVARINTS[rack_id_size] if rack_id_size < 256 else string_prefix(rack_id_size),
        rack_id,
        _pack_i(message.rebalance_timeout_ms),
    )
    if topology is None:
        out.append(b"\xff")
    else:
        subtopologies = topology.subtopologies
        subtopologies_count = len(subtopologies) + 1
        out += (
            b"\1",
            _pack_i(topology.epoch),
            UVARINTS[subtopologies_count] if subtopologies_count < 256 else uvarint(subtopologies_count),
        )
        for element in subtopologies:
            subtopology_id = element.subtopology_id.encode()
            subtopology_id_size = len(subtopology_id) + 1
            source_topics = element.source_topics
            source_topics_count = len(source_topics) + 1
            out += (
                UVARINTS[subtopology_id_size] if subtopology_id_size < 256 else string_prefix(subtopology_id_size),
                subtopology_id,
                UVARINTS[source_topics_count] if source_topics_count < 256 else uvarint(source_topics_count),
            )
            for element_2 in source_topics:
                text = element_2.encode()
                text_size = len(text) + 1
                out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
            source_topic_regex = element.source_topic_regex
            source_topic_regex_count = len(source_topic_regex) + 1
            out.append(UVARINTS[source_topic_regex_count] if source_topic_regex_count < 256 else uvarint(source_topic_regex_count))
            for element_3 in source_topic_regex:
                text_2 = element_3.encode()
                text_size_2 = len(text_2) + 1
                out += (UVARINTS[text_size_2] if text_size_2 < 256 else string_prefix(text_size_2), text_2)
            state_changelog_topics = element.state_changelog_topics
            state_changelog_topics_count = len(state_changelog_topics) + 1
            out.append(UVARINTS[state_changelog_topics_count] if state_changelog_topics_count < 256 else uvarint(state_changelog_topics_count))
            for element_4 in state_changelog_topics:
                name = element_4.name.encode()
                name_size = len(name) + 1
                topic_configs = element_4.topic_configs
                topic_configs_count = len(topic_configs) + 1
                out += (
                    UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                    name,
                    _pack_ih(element_4.partitions, element_4.replication_factor),
                    UVARINTS[topic_configs_count] if topic_configs_count < 256 else uvarint(topic_configs_count),
                )
                for element_5 in topic_configs:
                    key = element_5.key.encode()
                    key_size = len(key) + 1
                    value = element_5.value.encode()
                    value_size = len(value) + 1
                    out += (
                        UVARINTS[key_size] if key_size < 256 else string_prefix(key_size),
                        key,
                        UVARINTS[value_size] if value_size < 256 else string_prefix(value_size),
                        value,
                        b"\0",
                    )
                out.append(b"\0")
            repartition_sink_topics = element.repartition_sink_topics
            repartition_sink_topics_count = len(repartition_sink_topics) + 1
            out.append(UVARINTS[repartition_sink_topics_count] if repartition_sink_topics_count < 256 else uvarint(repartition_sink_topics_count))
            for element_6 in repartition_sink_topics:
                text_3 = element_6.encode()
                text_size_3 = len(text_3) + 1
                out += (UVARINTS[text_size_3] if text_size_3 < 256 else string_prefix(text_size_3), text_3)
            repartition_source_topics = element.repartition_source_topics
            repartition_source_topics_count = len(repartition_source_topics) + 1
            out.append(UVARINTS[repartition_source_topics_count] if repartition_source_topics_count < 256 else uvarint(repartition_source_topics_count))
            for element_7 in repartition_source_topics:
                name_2 = element_7.name.encode()
                name_size_2 = len(name_2) + 1
                topic_configs_2 = element_7.topic_configs
                topic_configs_count_2 = len(topic_configs_2) + 1
                out += (
                    UVARINTS[name_size_2] if name_size_2 < 256 else string_prefix(name_size_2),
                    name_2,
                    _pack_ih(element_7.partitions, element_7.replication_factor),
                    UVARINTS[topic_configs_count_2] if topic_configs_count_2 < 256 else uvarint(topic_configs_count_2),
                )
                for element_8 in topic_configs_2:
                    key_2 = element_8.key.encode()
                    key_size_2 = len(key_2) + 1
                    value_2 = element_8.value.encode()
                    value_size_2 = len(value_2) + 1
                    out += (
                        UVARINTS[key_size_2] if key_size_2 < 256 else string_prefix(key_size_2),
                        key_2,
                        UVARINTS[value_size_2] if value_size_2 < 256 else string_prefix(value_size_2),
                        value_2,
                        b"\0",
                    )
                out.append(b"\0")
            copartition_groups = element.copartition_groups
            copartition_groups_count = len(copartition_groups) + 1
            out.append(UVARINTS[copartition_groups_count] if copartition_groups_count < 256 else uvarint(copartition_groups_count))
            for element_9 in copartition_groups:
                source_topics_2 = element_9.source_topics
                source_topics_count_2 = len(source_topics_2) + 1
                source_topic_regex_2 = element_9.source_topic_regex
                source_topic_regex_count_2 = len(source_topic_regex_2) + 1
                repartition_source_topics_2 = element_9.repartition_source_topics
                repartition_source_topics_count_2 = len(repartition_source_topics_2) + 1
                out += (
                    UVARINTS[source_topics_count_2] if source_topics_count_2 < 256 else uvarint(source_topics_count_2),
                    write_int16s(source_topics_2),
                    UVARINTS[source_topic_regex_count_2] if source_topic_regex_count_2 < 256 else uvarint(source_topic_regex_count_2),
                    write_int16s(source_topic_regex_2),
                    UVARINTS[repartition_source_topics_count_2] if repartition_source_topics_count_2 < 256 else uvarint(repartition_source_topics_count_2),
                    write_int16s(repartition_source_topics_2),
                    b"\0",
                )
            out.append(b"\0")
        out.append(b"\0")
    active_tasks = message.active_tasks
    if active_tasks is None:
        out.append(b"\0")
    else:
        active_tasks_count = len(active_tasks) + 1
        out.append(UVARINTS[active_tasks_count] if active_tasks_count < 256 else uvarint(active_tasks_count))
        for element_10 in active_tasks:
            subtopology_id_2 = element_10.subtopology_id.encode()
            subtopology_id_size_2 = len(subtopology_id_2) + 1
            partitions = element_10.partitions
            partitions_count = len(partitions) + 1
            out += (
                UVARINTS[subtopology_id_size_2] if subtopology_id_size_2 < 256 else string_prefix(subtopology_id_size_2),
                subtopology_id_2,
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
        for element_11 in standby_tasks:
            subtopology_id_3 = element_11.subtopology_id.encode()
            subtopology_id_size_3 = len(subtopology_id_3) + 1
            partitions_2 = element_11.partitions
            partitions_count_2 = len(partitions_2) + 1
            out += (
                UVARINTS[subtopology_id_size_3] if subtopology_id_size_3 < 256 else string_prefix(subtopology_id_size_3),
                subtopology_id_3,
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
        for element_12 in warmup_tasks:
            subtopology_id_4 = element_12.subtopology_id.encode()
            subtopology_id_size_4 = len(subtopology_id_4) + 1
            partitions_3 = element_12.partitions
            partitions_count_3 = len(partitions_3) + 1
            out += (
                UVARINTS[subtopology_id_size_4] if subtopology_id_size_4 < 256 else string_prefix(subtopology_id_size_4),
                subtopology_id_4,
                UVARINTS[partitions_count_3] if partitions_count_3 < 256 else uvarint(partitions_count_3),
                write_int32s(partitions_3),
                b"\0",
            )
    process_id_value = message.process_id
    if process_id_value is None:
        process_id_size, process_id = 0, b""
    else:
        process_id = process_id_value.encode()
        process_id_size = len(process_id) + 1
    user_endpoint = message.user_endpoint
    out += (
        UVARINTS[process_id_size] if process_id_size < 256 else string_prefix(process_id_size),
        process_id,
    )
    if user_endpoint is None:
        out.append(b"\xff")
    else:
        host = user_endpoint.host.encode()
        host_size = len(host) + 1
        out += (
            b"\1",
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_Hx(user_endpoint.port),
        )
    client_tags = message.client_tags
    if client_tags is None:
        out.append(b"\0")
    else:
        client_tags_count = len(client_tags) + 1
        out.append(UVARINTS[client_tags_count] if client_tags_count < 256 else uvarint(client_tags_count))
        for element_13 in client_tags:
            key_3 = element_13.key.encode()
            key_size_3 = len(key_3) + 1
            value_3 = element_13.value.encode()
            value_size_3 = len(value_3) + 1
            out += (
                UVARINTS[key_size_3] if key_size_3 < 256 else string_prefix(key_size_3),
                key_3,
                UVARINTS[value_size_3] if value_size_3 < 256 else string_prefix(value_size_3),
                value_3,
                b"\0",
            )
    task_offsets = message.task_offsets
    if task_offsets is None:
        out.append(b"\0")
    else:
        task_offsets_count = len(task_offsets) + 1
        out.append(UVARINTS[task_offsets_count] if task_offsets_count < 256 else uvarint(task_offsets_count))
        for element_14 in task_offsets:
            subtopology_id_5 = element_14.subtopology_id.encode()
            subtopology_id_size_5 = len(subtopology_id_5) + 1
            out += (
                UVARINTS[subtopology_id_size_5] if subtopology_id_size_5 < 256 else string_prefix(subtopology_id_size_5),
                subtopology_id_5,
                _pack_iqx(element_14.partition, element_14.offset),
            )
    task_end_offsets = message.task_end_offsets
    if task_end_offsets is None:
        out.append(b"\0")
    else:
        task_end_offsets_count = len(task_end_offsets) + 1
        out.append(UVARINTS[task_end_offsets_count] if task_end_offsets_count < 256 else uvarint(task_end_offsets_count))
        for element_15 in task_end_offsets:
            subtopology_id_6 = element_15.subtopology_id.encode()
            subtopology_id_size_6 = len(subtopology_id_6) + 1
            out += (
                UVARINTS[subtopology_id_size_6] if subtopology_id_size_6 < 256 else string_prefix(subtopology_id_size_6),
                subtopology_id_6,
                _pack_iqx(element_15.partition, element_15.offset),
            )
    out.append(_pack_zx(message.shutdown_application))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[StreamsGroupHeartbeatRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[StreamsGroupHeartbeatRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[StreamsGroupHeartbeatRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"StreamsGroupHeartbeatRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"StreamsGroupHeartbeatRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"StreamsGroupHeartbeatRequest v{version} is cut short")
    return result


def encode(message: StreamsGroupHeartbeatRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"StreamsGroupHeartbeatRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"StreamsGroupHeartbeatRequest v{version}: {error}") from error
