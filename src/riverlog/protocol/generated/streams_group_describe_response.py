"""StreamsGroupDescribeResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "StreamsGroupDescribeResponse"
API_KEY: Final = 89
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_zB = Struct(">?B").unpack_from
_unpack_HB = Struct(">HB").unpack_from
_unpack_b = Struct(">b").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_iib = Struct(">iib").unpack_from
_unpack_iqB = Struct(">iqB").unpack_from
_pack_Hx = Struct(">Hx").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ii = Struct(">ii").pack
_pack_iqx = Struct(">iqx").pack
_pack_ix = Struct(">ix").pack
_pack_xzx = Struct(">x?x").pack


@dataclass(init=False, repr=False, eq=False)
class Subtopology(Wire):
    """Subtopology."""

    __slots__ = ("subtopology_id", "source_topics", "repartition_sink_topics", "state_changelog_topics", "repartition_source_topics")

    subtopology_id: str
    source_topics: list[str]
    repartition_sink_topics: list[str]
    state_changelog_topics: list[TopicInfo]
    repartition_source_topics: list[TopicInfo]

    def __init__(
        self,
        subtopology_id: str = "",
        source_topics: list[str] = UNSET,
        repartition_sink_topics: list[str] = UNSET,
        state_changelog_topics: list[TopicInfo] = UNSET,
        repartition_source_topics: list[TopicInfo] = UNSET,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.source_topics = [] if source_topics is UNSET else source_topics
        self.repartition_sink_topics = [] if repartition_sink_topics is UNSET else repartition_sink_topics
        self.state_changelog_topics = [] if state_changelog_topics is UNSET else state_changelog_topics
        self.repartition_source_topics = [] if repartition_source_topics is UNSET else repartition_source_topics


@dataclass(init=False, repr=False, eq=False)
class Topology(Wire):
    """Topology."""

    __slots__ = ("epoch", "subtopologies")

    epoch: int
    subtopologies: list[Subtopology] | None

    def __init__(
        self,
        epoch: int = 0,
        subtopologies: list[Subtopology] | None = None,
    ) -> None:
        self.epoch = epoch
        self.subtopologies = subtopologies


@dataclass(init=False, repr=False, eq=False)
class Member(Wire):
    """Member."""

    __slots__ = ("member_id", "member_epoch", "instance_id", "rack_id", "client_id", "client_host", "topology_epoch", "process_id", "user_endpoint", "client_tags", "task_offsets", "task_end_offsets", "assignment", "target_assignment", "is_classic")

    member_id: str
    member_epoch: int
    instance_id: str | None
    rack_id: str | None
    client_id: str
    client_host: str
    topology_epoch: int
    process_id: str
    user_endpoint: Endpoint | None
    client_tags: list[KeyValue]
    task_offsets: list[TaskOffset]
    task_end_offsets: list[TaskOffset]
    assignment: Assignment
    target_assignment: Assignment
    is_classic: bool

    def __init__(
        self,
        member_id: str = "",
        member_epoch: int = 0,
        instance_id: str | None = None,
        rack_id: str | None = None,
        client_id: str = "",
        client_host: str = "",
        topology_epoch: int = 0,
        process_id: str = "",
        user_endpoint: Endpoint | None = None,
        client_tags: list[KeyValue] = UNSET,
        task_offsets: list[TaskOffset] = UNSET,
        task_end_offsets: list[TaskOffset] = UNSET,
        assignment: Assignment = UNSET,
        target_assignment: Assignment = UNSET,
        is_classic: bool = False,
    ) -> None:
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.client_id = client_id
        self.client_host = client_host
        self.topology_epoch = topology_epoch
        self.process_id = process_id
        self.user_endpoint = user_endpoint
        self.client_tags = [] if client_tags is UNSET else client_tags
        self.task_offsets = [] if task_offsets is UNSET else task_offsets
        self.task_end_offsets = [] if task_end_offsets is UNSET else task_end_offsets
        self.assignment = Assignment() if assignment is UNSET else assignment
        self.target_assignment = Assignment() if target_assignment is UNSET else target_assignment
        self.is_classic = is_classic


@dataclass(init=False, repr=False, eq=False)
class DescribedGroup(Wire):
    """DescribedGroup."""

    __slots__ = ("error_code", "error_message", "group_id", "group_state", "group_epoch", "assignment_epoch", "topology", "members", "authorized_operations")

    error_code: int
    error_message: str | None
    group_id: str
    group_state: str
    group_epoch: int
    assignment_epoch: int
    topology: Topology | None
    members: list[Member]
    authorized_operations: int

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: str = "",
        group_state: str = "",
        group_epoch: int = 0,
        assignment_epoch: int = 0,
        topology: Topology | None = None,
        members: list[Member] = UNSET,
        authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.group_id = group_id
        self.group_state = group_state
        self.group_epoch = group_epoch
        self.assignment_epoch = assignment_epoch
        self.topology = topology
        self.members = [] if members is UNSET else members
        self.authorized_operations = authorized_operations


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
class Assignment(Wire):
    """Assignment."""

    __slots__ = ("active_tasks", "standby_tasks", "warmup_tasks")

    active_tasks: list[TaskIds]
    standby_tasks: list[TaskIds]
    warmup_tasks: list[TaskIds]

    def __init__(
        self,
        active_tasks: list[TaskIds] = UNSET,
        standby_tasks: list[TaskIds] = UNSET,
        warmup_tasks: list[TaskIds] = UNSET,
    ) -> None:
        self.active_tasks = [] if active_tasks is UNSET else active_tasks
        self.standby_tasks = [] if standby_tasks is UNSET else standby_tasks
        self.warmup_tasks = [] if warmup_tasks is UNSET else warmup_tasks


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
class StreamsGroupDescribeResponse(Wire):
    """StreamsGroupDescribeResponse."""

    __slots__ = ("throttle_time_ms", "groups")

    throttle_time_ms: int
    groups: list[DescribedGroup]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        groups: list[DescribedGroup] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups = [] if groups is UNSET else groups


def _decode_0(buffer: memoryview, p: int) -> tuple[StreamsGroupDescribeResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, groups_count = _unpack_iB(buffer, p)
    p += 5
    if groups_count > 127:
        groups_count, p = uvarint_tail(buffer, p, groups_count)
    if groups_count == 0:
        raise missing("StreamsGroupDescribeResponse.groups")
    groups_count -= 1
    if groups_count > room or groups_count * 20 > end - p:
        raise too_many("StreamsGroupDescribeResponse.groups", groups_count)
    room -= groups_count
    groups: list[DescribedGroup] = []
    for _ in range(groups_count):
        error_code, error_message_size = _unpack_hB(buffer, p)
        p += 3
        if error_message_size > 127:
            error_message_size, p = string_tail(buffer, p, error_message_size)
        error_message: str | None = None
        if error_message_size:
            stop = p + error_message_size - 1
            error_message = buffer[p:stop].tobytes().decode()
            p = stop
        group_id_size = buffer[p]
        p += 1
        if group_id_size > 127:
            group_id_size, p = string_tail(buffer, p, group_id_size)
        if group_id_size == 0:
            raise missing("StreamsGroupDescribeResponse.groups.group_id")
        stop = p + group_id_size - 1
        group_id = buffer[p:stop].tobytes().decode()
        p = stop
        group_state_size = buffer[p]
        p += 1
        if group_state_size > 127:
            group_state_size, p = string_tail(buffer, p, group_state_size)
        if group_state_size == 0:
            raise missing("StreamsGroupDescribeResponse.groups.group_state")
        stop = p + group_state_size - 1
        group_state = buffer[p:stop].tobytes().decode()
        p = stop
        group_epoch, assignment_epoch, topology_mark = _unpack_iib(buffer, p)
        p += 9
        topology: Topology | None = None
        if topology_mark >= 0:
            epoch, subtopologies_count = _unpack_iB(buffer, p)
            p += 5
            if subtopologies_count > 127:
                subtopologies_count, p = uvarint_tail(buffer, p, subtopologies_count)
            subtopologies: list[Subtopology] | None = None
            if subtopologies_count:
                subtopologies_count -= 1
                if subtopologies_count > room or subtopologies_count * 6 > end - p:
                    raise too_many("StreamsGroupDescribeResponse.groups.topology.subtopologies", subtopologies_count)
                room -= subtopologies_count
                subtopologies = []
                for _ in range(subtopologies_count):
                    subtopology_id_size = buffer[p]
                    p += 1
                    if subtopology_id_size > 127:
                        subtopology_id_size, p = string_tail(buffer, p, subtopology_id_size)
                    if subtopology_id_size == 0:
                        raise missing("StreamsGroupDescribeResponse.groups.topology.subtopologies.subtopology_id")
                    stop = p + subtopology_id_size - 1
                    subtopology_id = buffer[p:stop].tobytes().decode()
                    p = stop
                    source_topics_count = buffer[p]
                    p += 1
                    if source_topics_count > 127:
                        source_topics_count, p = uvarint_tail(buffer, p, source_topics_count)
                    if source_topics_count == 0:
                        raise missing("StreamsGroupDescribeResponse.groups.topology.subtopologies.source_topics")
                    source_topics_count -= 1
                    if source_topics_count > room or source_topics_count > end - p:
                        raise too_many("StreamsGroupDescribeResponse.groups.topology.subtopologies.source_topics", source_topics_count)
                    room -= source_topics_count
                    source_topics: list[str] = []
                    for _ in range(source_topics_count):
                        element_size = buffer[p]
                        p += 1
                        if element_size > 127:
                            element_size, p = string_tail(buffer, p, element_size)
                        if element_size == 0:
                            raise missing("StreamsGroupDescribeResponse.groups.topology.subtopologies.source_topics")
                        stop = p + element_size - 1
                        element = buffer[p:stop].tobytes().decode()
                        p = stop
                        source_topics.append(element)
                    repartition_sink_topics_count = buffer[p]
                    p += 1
                    if repartition_sink_topics_count > 127:
                        repartition_sink_topics_count, p = uvarint_tail(buffer, p, repartition_sink_topics_count)
                    if repartition_sink_topics_count == 0:
                        raise missing("StreamsGroupDescribeResponse.groups.topology.subtopologies.repartition_sink_topics")
                    repartition_sink_topics_count -= 1
                    if repartition_sink_topics_count > room or repartition_sink_topics_count > end - p:
                        raise too_many("StreamsGroupDescribeResponse.groups.topology.subtopologies.repartition_sink_topics", repartition_sink_topics_count)
                    room -= repartition_sink_topics_count
                    repartition_sink_topics: list[str] = []
                    for _ in range(repartition_sink_topics_count):
                        element_size_2 = buffer[p]
                        p += 1
                        if element_size_2 > 127:
                            element_size_2, p = string_tail(buffer, p, element_size_2)
                        if element_size_2 == 0:
                            raise missing("StreamsGroupDescribeResponse.groups.topology.subtopologies.repartition_sink_topics")
                        stop = p + element_size_2 - 1
                        element_2 = buffer[p:stop].tobytes().decode()
                        p = stop
                        repartition_sink_topics.append(element_2)
                    state_changelog_topics_count = buffer[p]
                    p += 1
                    if state_changelog_topics_count > 127:
                        state_changelog_topics_count, p = uvarint_tail(buffer, p, state_changelog_topics_count)
                    if state_changelog_topics_count == 0:
                        raise missing("StreamsGroupDescribeResponse.groups.topology.subtopologies.state_changelog_topics")
                    state_changelog_topics_count -= 1
                    if state_changelog_topics_count > room or state_changelog_topics_count * 9 > end - p:
                        raise too_many("StreamsGroupDescribeResponse.groups.topology.subtopologies.state_changelog_topics", state_changelog_topics_count)
                    room -= state_changelog_topics_count
                    state_changelog_topics: list[TopicInfo] = []
                    for _ in range(state_changelog_topics_count):
                        name_size = buffer[p]
                        p += 1
                        if name_size > 127:
                            name_size, p = string_tail(buffer, p, name_size)
                        if name_size == 0:
                            raise missing("StreamsGroupDescribeResponse.groups.topology.subtopologies.state_changelog_topics.name")
                        stop = p + name_size - 1
                        name = buffer[p:stop].tobytes().decode()
                        p = stop
                        partitions, replication_factor, topic_configs_count = _unpack_ihB(buffer, p)
                        p += 7
                        if topic_configs_count > 127:
                            topic_configs_count, p = uvarint_tail(buffer, p, topic_configs_count)
                        if topic_configs_count == 0:
                            raise missing("StreamsGroupDescribeResponse.groups.topology.subtopologies.state_changelog_topics.topic_configs")
                        topic_configs_count -= 1
                        if topic_configs_count > room or topic_configs_count * 3 > end - p:
                            raise too_many("StreamsGroupDescribeResponse.groups.topology.subtopologies.state_changelog_topics.topic_configs", topic_configs_count)
                        room -= topic_configs_count
                        topic_configs: list[KeyValue] = []
                        for _ in range(topic_configs_count):
                            key_size = buffer[p]
                            p += 1
                            if key_size > 127:
                                key_size, p = string_tail(buffer, p, key_size)
                            if key_size == 0:
                                raise missing("StreamsGroupDescribeResponse.groups.topology.subtopologies.state_changelog_topics.topic_configs.key")
                            stop = p + key_size - 1
                            key = buffer[p:stop].tobytes().decode()
                            p = stop
                            value_size = buffer[p]
                            p += 1
                            if value_size > 127:
                                value_size, p = string_tail(buffer, p, value_size)
                            if value_size == 0:
                                raise missing("StreamsGroupDescribeResponse.groups.topology.subtopologies.state_changelog_topics.topic_configs.value")
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
                    repartition_source_topics_count = buffer[p]
                    p += 1
                    if repartition_source_topics_count > 127:
                        repartition_source_topics_count, p = uvarint_tail(buffer, p, repartition_source_topics_count)
                    if repartition_source_topics_count == 0:
                        raise missing("StreamsGroupDescribeResponse.groups.topology.subtopologies.repartition_source_topics")
                    repartition_source_topics_count -= 1
                    if repartition_source_topics_count > room or repartition_source_topics_count * 9 > end - p:
                        raise too_many("StreamsGroupDescribeResponse.groups.topology.subtopologies.repartition_source_topics", repartition_source_topics_count)
                    room -= repartition_source_topics_count
                    repartition_source_topics: list[TopicInfo] = []
                    for _ in range(repartition_source_topics_count):
                        name_size_2 = buffer[p]
                        p += 1
                        if name_size_2 > 127:
                            name_size_2, p = string_tail(buffer, p, name_size_2)
                        if name_size_2 == 0:
                            raise missing("StreamsGroupDescribeResponse.groups.topology.subtopologies.repartition_source_topics.name")
                        stop = p + name_size_2 - 1
                        name_2 = buffer[p:stop].tobytes().decode()
                        p = stop
                        partitions_2, replication_factor_2, topic_configs_count_2 = _unpack_ihB(buffer, p)
                        p += 7
                        if topic_configs_count_2 > 127:
                            topic_configs_count_2, p = uvarint_tail(buffer, p, topic_configs_count_2)
                        if topic_configs_count_2 == 0:
                            raise missing("StreamsGroupDescribeResponse.groups.topology.subtopologies.repartition_source_topics.topic_configs")
                        topic_configs_count_2 -= 1
                        if topic_configs_count_2 > room or topic_configs_count_2 * 3 > end - p:
                            raise too_many("StreamsGroupDescribeResponse.groups.topology.subtopologies.repartition_source_topics.topic_configs", topic_configs_count_2)
                        room -= topic_configs_count_2
                        topic_configs_2: list[KeyValue] = []
                        for _ in range(topic_configs_count_2):
                            key_size_2 = buffer[p]
                            p += 1
                            if key_size_2 > 127:
                                key_size_2, p = string_tail(buffer, p, key_size_2)
                            if key_size_2 == 0:
                                raise missing("StreamsGroupDescribeResponse.groups.topology.subtopologies.repartition_source_topics.topic_configs.key")
                            stop = p + key_size_2 - 1
                            key_2 = buffer[p:stop].tobytes().decode()
                            p = stop
                            value_size_2 = buffer[p]
                            p += 1
                            if value_size_2 > 127:
                                value_size_2, p = string_tail(buffer, p, value_size_2)
                            if value_size_2 == 0:
                                raise missing("StreamsGroupDescribeResponse.groups.topology.subtopologies.repartition_source_topics.topic_configs.value")
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
                    tags_5 = buffer[p]
                    p += 1
                    if tags_5:
                        p = skip_tags(buffer, p, tags_5)
                    subtopologies.append(Subtopology(subtopology_id, source_topics, repartition_sink_topics, state_changelog_topics, repartition_source_topics))
            tags_6 = buffer[p]
            p += 1
            if tags_6:
                p = skip_tags(buffer, p, tags_6)
            topology = Topology(epoch, subtopologies)
        members_count = buffer[p]
        p += 1
        if members_count > 127:
            members_count, p = uvarint_tail(buffer, p, members_count)
        if members_count == 0:
            raise missing("StreamsGroupDescribeResponse.groups.members")
        members_count -= 1
        if members_count > room or members_count * 28 > end - p:
            raise too_many("StreamsGroupDescribeResponse.groups.members", members_count)
        room -= members_count
        members: list[Member] = []
        for _ in range(members_count):
            member_id_size = buffer[p]
            p += 1
            if member_id_size > 127:
                member_id_size, p = string_tail(buffer, p, member_id_size)
            if member_id_size == 0:
                raise missing("StreamsGroupDescribeResponse.groups.members.member_id")
            stop = p + member_id_size - 1
            member_id = buffer[p:stop].tobytes().decode()
            p = stop
            member_epoch, instance_id_size = _unpack_iB(buffer, p)
            p += 5
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
            client_id_size = buffer[p]
            p += 1
            if client_id_size > 127:
                client_id_size, p = string_tail(buffer, p, client_id_size)
            if client_id_size == 0:
                raise missing("StreamsGroupDescribeResponse.groups.members.client_id")
            stop = p + client_id_size - 1
            client_id = buffer[p:stop].tobytes().decode()
            p = stop
            client_host_size = buffer[p]
            p += 1
            if client_host_size > 127:
                client_host_size, p = string_tail(buffer, p, client_host_size)
            if client_host_size == 0:
                raise missing("StreamsGroupDescribeResponse.groups.members.client_host")
            stop = p + client_host_size - 1
            client_host = buffer[p:stop].tobytes().decode()
            p = stop
            topology_epoch, process_id_size = _unpack_iB(buffer, p)
            p += 5
            if process_id_size > 127:
                process_id_size, p = string_tail(buffer, p, process_id_size)
            if process_id_size == 0:
                raise missing("StreamsGroupDescribeResponse.groups.members.process_id")
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
                    raise missing("StreamsGroupDescribeResponse.groups.members.user_endpoint.host")
                stop = p + host_size - 1
                host = buffer[p:stop].tobytes().decode()
                p = stop
                port, tags_7 = _unpack_HB(buffer, p)
                p += 3
                if tags_7:
                    p = skip_tags(buffer, p, tags_7)
                user_endpoint = Endpoint(host, port)
            client_tags_count = buffer[p]
            p += 1
            if client_tags_count > 127:
                client_tags_count, p = uvarint_tail(buffer, p, client_tags_count)
            if client_tags_count == 0:
                raise missing("StreamsGroupDescribeResponse.groups.members.client_tags")
            client_tags_count -= 1
            if client_tags_count > room or client_tags_count * 3 > end - p:
                raise too_many("StreamsGroupDescribeResponse.groups.members.client_tags", client_tags_count)
            room -= client_tags_count
            client_tags: list[KeyValue] = []
            for _ in range(client_tags_count):
                key_size_3 = buffer[p]
                p += 1
                if key_size_3 > 127:
                    key_size_3, p = string_tail(buffer, p, key_size_3)
                if key_size_3 == 0:
                    raise missing("StreamsGroupDescribeResponse.groups.members.client_tags.key")
                stop = p + key_size_3 - 1
                key_3 = buffer[p:stop].tobytes().decode()
                p = stop
                value_size_3 = buffer[p]
                p += 1
                if value_size_3 > 127:
                    value_size_3, p = string_tail(buffer, p, value_size_3)
                if value_size_3 == 0:
                    raise missing("StreamsGroupDescribeResponse.groups.members.client_tags.value")
                stop = p + value_size_3 - 1
                value_3 = buffer[p:stop].tobytes().decode()
                p = stop
                tags_8 = buffer[p]
                p += 1
                if tags_8:
                    p = skip_tags(buffer, p, tags_8)
                client_tags.append(KeyValue(key_3, value_3))
            task_offsets_count = buffer[p]
            p += 1
            if task_offsets_count > 127:
                task_offsets_count, p = uvarint_tail(buffer, p, task_offsets_count)
            if task_offsets_count == 0:
                raise missing("StreamsGroupDescribeResponse.groups.members.task_offsets")
            task_offsets_count -= 1
            if task_offsets_count > room or task_offsets_count * 14 > end - p:
                raise too_many("StreamsGroupDescribeResponse.groups.members.task_offsets", task_offsets_count)
            room -= task_offsets_count
            task_offsets: list[TaskOffset] = []
            for _ in range(task_offsets_count):
                subtopology_id_size_2 = buffer[p]
                p += 1
                if subtopology_id_size_2 > 127:
                    subtopology_id_size_2, p = string_tail(buffer, p, subtopology_id_size_2)
                if subtopology_id_size_2 == 0:
                    raise missing("StreamsGroupDescribeResponse.groups.members.task_offsets.subtopology_id")
                stop = p + subtopology_id_size_2 - 1
                subtopology_id_2 = buffer[p:stop].tobytes().decode()
                p = stop
                partition, offset, tags_9 = _unpack_iqB(buffer, p)
                p += 13
                if tags_9:
                    p = skip_tags(buffer, p, tags_9)
                task_offsets.append(TaskOffset(subtopology_id_2, partition, offset))
            task_end_offsets_count = buffer[p]
            p += 1
            if task_end_offsets_count > 127:
                task_end_offsets_count, p = uvarint_tail(buffer, p, task_end_offsets_count)
            if task_end_offsets_count == 0:
                raise missing("StreamsGroupDescribeResponse.groups.members.task_end_offsets")
            task_end_offsets_count -= 1
            if task_end_offsets_count > room or task_end_offsets_count * 14 > end - p:
                raise too_many("StreamsGroupDescribeResponse.groups.members.task_end_offsets", task_end_offsets_count)
            room -= task_end_offsets_count
            task_end_offsets: list[TaskOffset] = []
            for _ in range(task_end_offsets_count):
                subtopology_id_size_3 = buffer[p]
                p += 1
                if subtopology_id_size_3 > 127:
                    subtopology_id_size_3, p = string_tail(buffer, p, subtopology_id_size_3)
                if subtopology_id_size_3 == 0:
                    raise missing("StreamsGroupDescribeResponse.groups.members.task_end_offsets.subtopology_id")
                stop = p + subtopology_id_size_3 - 1
                subtopology_id_3 = buffer[p:stop].tobytes().decode()
                p = stop
                partition_2, offset_2, tags_10 = _unpack_iqB(buffer, p)
                p += 13
                if tags_10:
                    p = skip_tags(buffer, p, tags_10)
                task_end_offsets.append(TaskOffset(subtopology_id_3, partition_2, offset_2))
            active_tasks_count = buffer[p]
            p += 1
            if active_tasks_count > 127:
                active_tasks_count, p = uvarint_tail(buffer, p, active_tasks_count)
            if active_tasks_count == 0:
                raise missing("StreamsGroupDescribeResponse.groups.members.assignment.active_tasks")
            active_tasks_count -= 1
            if active_tasks_count > room or active_tasks_count * 3 > end - p:
                raise too_many("StreamsGroupDescribeResponse.groups.members.assignment.active_tasks", active_tasks_count)
            room -= active_tasks_count
            active_tasks: list[TaskIds] = []
            for _ in range(active_tasks_count):
                subtopology_id_size_4 = buffer[p]
                p += 1
                if subtopology_id_size_4 > 127:
                    subtopology_id_size_4, p = string_tail(buffer, p, subtopology_id_size_4)
                if subtopology_id_size_4 == 0:
                    raise missing("StreamsGroupDescribeResponse.groups.members.assignment.active_tasks.subtopology_id")
                stop = p + subtopology_id_size_4 - 1
                subtopology_id_4 = buffer[p:stop].tobytes().decode()
                p = stop
                partitions_count = buffer[p]
                p += 1
                if partitions_count > 127:
                    partitions_count, p = uvarint_tail(buffer, p, partitions_count)
                if partitions_count == 0:
                    raise missing("StreamsGroupDescribeResponse.groups.members.assignment.active_tasks.partitions")
                partitions_count -= 1
                partitions_3 = read_int32s(buffer, p, partitions_count)
                p += partitions_count * 4
                tags_11 = buffer[p]
                p += 1
                if tags_11:
                    p = skip_tags(buffer, p, tags_11)
                active_tasks.append(TaskIds(subtopology_id_4, partitions_3))
            standby_tasks_count = buffer[p]
            p += 1
            if standby_tasks_count > 127:
                standby_tasks_count, p = uvarint_tail(buffer, p, standby_tasks_count)
            if standby_tasks_count == 0:
                raise missing("StreamsGroupDescribeResponse.groups.members.assignment.standby_tasks")
            standby_tasks_count -= 1
            if standby_tasks_count > room or standby_tasks_count * 3 > end - p:
                raise too_many("StreamsGroupDescribeResponse.groups.members.assignment.standby_tasks", standby_tasks_count)
            room -= standby_tasks_count
            standby_tasks: list[TaskIds] = []
            for _ in range(standby_tasks_count):
                subtopology_id_size_5 = buffer[p]
                p += 1
                if subtopology_id_size_5 > 127:
                    subtopology_id_size_5, p = string_tail(buffer, p, subtopology_id_size_5)
                if subtopology_id_size_5 == 0:
                    raise missing("StreamsGroupDescribeResponse.groups.members.assignment.standby_tasks.subtopology_id")
                stop = p + subtopology_id_size_5 - 1
                subtopology_id_5 = buffer[p:stop].tobytes().decode()
                p = stop
                partitions_count_2 = buffer[p]
                p += 1
                if partitions_count_2 > 127:
                    partitions_count_2, p = uvarint_tail(buffer, p, partitions_count_2)
                if partitions_count_2 == 0:
                    raise missing("StreamsGroupDescribeResponse.groups.members.assignment.standby_tasks.partitions")
                partitions_count_2 -= 1
                partitions_4 = read_int32s(buffer, p, partitions_count_2)
                p += partitions_count_2 * 4
                tags_12 = buffer[p]
                p += 1
                if tags_12:
                    p = skip_tags(buffer, p, tags_12)
                standby_tasks.append(TaskIds(subtopology_id_5, partitions_4))
            warmup_tasks_count = buffer[p]
            p += 1
            if warmup_tasks_count > 127:
                warmup_tasks_count, p = uvarint_tail(buffer, p, warmup_tasks_count)
            if warmup_tasks_count == 0:
                raise missing("StreamsGroupDescribeResponse.groups.members.assignment.warmup_tasks")
            warmup_tasks_count -= 1
            if warmup_tasks_count > room or warmup_tasks_count * 3 > end - p:
                raise too_many("StreamsGroupDescribeResponse.groups.members.assignment.warmup_tasks", warmup_tasks_count)
            room -= warmup_tasks_count
            warmup_tasks: list[TaskIds] = []
            for _ in range(warmup_tasks_count):
                subtopology_id_size_6 = buffer[p]
                p += 1
                if subtopology_id_size_6 > 127:
                    subtopology_id_size_6, p = string_tail(buffer, p, subtopology_id_size_6)
                if subtopology_id_size_6 == 0:
                    raise missing("StreamsGroupDescribeResponse.groups.members.assignment.warmup_tasks.subtopology_id")
                stop = p + subtopology_id_size_6 - 1
                subtopology_id_6 = buffer[p:stop].tobytes().decode()
                p = stop
                partitions_count_3 = buffer[p]
                p += 1
                if partitions_count_3 > 127:
                    partitions_count_3, p = uvarint_tail(buffer, p, partitions_count_3)
                if partitions_count_3 == 0:
                    raise missing("StreamsGroupDescribeResponse.groups.members.assignment.warmup_tasks.partitions")
                partitions_count_3 -= 1
                partitions_5 = read_int32s(buffer, p, partitions_count_3)
                p += partitions_count_3 * 4
                tags_13 = buffer[p]
                p += 1
                if tags_13:
                    p = skip_tags(buffer, p, tags_13)
                warmup_tasks.append(TaskIds(subtopology_id_6, partitions_5))
            tags_14 = buffer[p]
            p += 1
            if tags_14:
                p = skip_tags(buffer, p, tags_14)
            active_tasks_count_2 = buffer[p]
            p += 1
            if active_tasks_count_2 > 127:
                active_tasks_count_2, p = uvarint_tail(buffer, p, active_tasks_count_2)
            if active_tasks_count_2 == 0:
                raise missing("StreamsGroupDescribeResponse.groups.members.target_assignment.active_tasks")
            active_tasks_count_2 -= 1
            if active_tasks_count_2 > room or active_tasks_count_2 * 3 > end - p:
                raise too_many("StreamsGroupDescribeResponse.groups.members.target_assignment.active_tasks", active_tasks_count_2)
            room -= active_tasks_count_2
            active_tasks_2: list[TaskIds] = []
            for _ in range(active_tasks_count_2):
                subtopology_id_size_7 = buffer[p]
                p += 1
                if subtopology_id_size_7 > 127:
                    subtopology_id_size_7, p = string_tail(buffer, p, subtopology_id_size_7)
                if subtopology_id_size_7 == 0:
                    raise missing("StreamsGroupDescribeResponse.groups.members.target_assignment.active_tasks.subtopology_id")
                stop = p + subtopology_id_size_7 - 1
                subtopology_id_7 = buffer[p:stop].tobytes().decode()
                p = stop
                partitions_count_4 = buffer[p]
                p += 1
                if partitions_count_4 > 127:
                    partitions_count_4, p = uvarint_tail(buffer, p, partitions_count_4)
                if partitions_count_4 == 0:
                    raise missing("StreamsGroupDescribeResponse.groups.members.target_assignment.active_tasks.partitions")
                partitions_count_4 -= 1
                partitions_6 = read_int32s(buffer, p, partitions_count_4)
                p += partitions_count_4 * 4
                tags_15 = buffer[p]
                p += 1
                if tags_15:
                    p = skip_tags(buffer, p, tags_15)
                active_tasks_2.append(TaskIds(subtopology_id_7, partitions_6))
            standby_tasks_count_2 = buffer[p]
            p += 1
            if standby_tasks_count_2 > 127:
                standby_tasks_count_2, p = uvarint_tail(buffer, p, standby_tasks_count_2)
            if standby_tasks_count_2 == 0:
                raise missing("StreamsGroupDescribeResponse.groups.members.target_assignment.standby_tasks")
            standby_tasks_count_2 -= 1
            if standby_tasks_count_2 > room or standby_tasks_count_2 * 3 > end - p:
                raise too_many("StreamsGroupDescribeResponse.groups.members.target_assignment.standby_tasks", standby_tasks_count_2)
            room -= standby_tasks_count_2
            standby_tasks_2: list[TaskIds] = []
            for _ in range(standby_tasks_count_2):
                subtopology_id_size_8 = buffer[p]
                p += 1
                if subtopology_id_size_8 > 127:
                    subtopology_id_size_8, p = string_tail(buffer, p, subtopology_id_size_8)
                if subtopology_id_size_8 == 0:
                    raise missing("StreamsGroupDescribeResponse.groups.members.target_assignment.standby_tasks.subtopology_id")
                stop = p + subtopology_id_size_8 - 1
                subtopology_id_8 = buffer[p:stop].tobytes().decode()
                p = stop
                partitions_count_5 = buffer[p]
                p += 1
                if partitions_count_5 > 127:
                    partitions_count_5, p = uvarint_tail(buffer, p, partitions_count_5)
                if partitions_count_5 == 0:
                    raise missing("StreamsGroupDescribeResponse.groups.members.target_assignment.standby_tasks.partitions")
                partitions_count_5 -= 1
                partitions_7 = read_int32s(buffer, p, partitions_count_5)
                p += partitions_count_5 * 4
                tags_16 = buffer[p]
                p += 1
                if tags_16:
                    p = skip_tags(buffer, p, tags_16)
                standby_tasks_2.append(TaskIds(subtopology_id_8, partitions_7))
            warmup_tasks_count_2 = buffer[p]
            p += 1
            if warmup_tasks_count_2 > 127:
                warmup_tasks_count_2, p = uvarint_tail(buffer, p, warmup_tasks_count_2)
            if warmup_tasks_count_2 == 0:
                raise missing("StreamsGroupDescribeResponse.groups.members.target_assignment.warmup_tasks")
            warmup_tasks_count_2 -= 1
            if warmup_tasks_count_2 > room or warmup_tasks_count_2 * 3 > end - p:
                raise too_many("StreamsGroupDescribeResponse.groups.members.target_assignment.warmup_tasks", warmup_tasks_count_2)
            room -= warmup_tasks_count_2
            warmup_tasks_2: list[TaskIds] = []
            for _ in range(warmup_tasks_count_2):
                subtopology_id_size_9 = buffer[p]
                p += 1
                if subtopology_id_size_9 > 127:
                    subtopology_id_size_9, p = string_tail(buffer, p, subtopology_id_size_9)
                if subtopology_id_size_9 == 0:
                    raise missing("StreamsGroupDescribeResponse.groups.members.target_assignment.warmup_tasks.subtopology_id")
                stop = p + subtopology_id_size_9 - 1
                subtopology_id_9 = buffer[p:stop].tobytes().decode()
                p = stop
                partitions_count_6 = buffer[p]
                p += 1
                if partitions_count_6 > 127:
                    partitions_count_6, p = uvarint_tail(buffer, p, partitions_count_6)
                if partitions_count_6 == 0:
                    raise missing("StreamsGroupDescribeResponse.groups.members.target_assignment.warmup_tasks.partitions")
                partitions_count_6 -= 1
                partitions_8 = read_int32s(buffer, p, partitions_count_6)
                p += partitions_count_6 * 4
                tags_17 = buffer[p]
                p += 1
                if tags_17:
                    p = skip_tags(buffer, p, tags_17)
                warmup_tasks_2.append(TaskIds(subtopology_id_9, partitions_8))
            tags_18 = buffer[p]
            p += 1
            if tags_18:
                p = skip_tags(buffer, p, tags_18)
            is_classic, tags_19 = _unpack_zB(buffer, p)
            p += 2
            if tags_19:
                p = skip_tags(buffer, p, tags_19)
            members.append(Member(member_id, member_epoch, instance_id, rack_id, client_id, client_host, topology_epoch, process_id, user_endpoint, client_tags, task_offsets, task_end_offsets, Assignment(active_tasks, standby_tasks, warmup_tasks), Assignment(active_tasks_2, standby_tasks_2, warmup_tasks_2), is_classic))
        authorized_operations, tags_20 = _unpack_iB(buffer, p)
        p += 5
        if tags_20:
            p = skip_tags(buffer, p, tags_20)
        groups.append(DescribedGroup(error_code, error_message, group_id, group_state, group_epoch, assignment_epoch, topology, members, authorized_operations))
    tags_21 = buffer[p]
    p += 1
    if tags_21:
        p = skip_tags(buffer, p, tags_21)
    return StreamsGroupDescribeResponse(throttle_time_ms, groups), p


def _encode_0(message: StreamsGroupDescribeResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    groups = message.groups
    groups_count = len(groups) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[groups_count] if groups_count < 256 else uvarint(groups_count),
    )
    for element in groups:
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = 0, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message) + 1
        group_id = element.group_id.encode()
        group_id_size = len(group_id) + 1
        group_state = element.group_state.encode()
        group_state_size = len(group_state) + 1
        topology = element.topology
        out += (
            _pack_h(element.error_code),
            UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
            error_message,
            UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
            group_id,
            UVARINTS[group_state_size] if group_state_size < 256 else string_prefix(group_state_size),
            group_state,
            _pack_ii(element.group_epoch, element.assignment_epoch),
        )
        if topology is None:
            out.append(b"\xff")
        else:
            subtopologies = topology.subtopologies
            out += (b"\1", _pack_i(topology.epoch))
            if subtopologies is None:
                out.append(b"\0")
            else:
                subtopologies_count = len(subtopologies) + 1
                out.append(UVARINTS[subtopologies_count] if subtopologies_count < 256 else uvarint(subtopologies_count))
                for element_2 in subtopologies:
                    subtopology_id = element_2.subtopology_id.encode()
                    subtopology_id_size = len(subtopology_id) + 1
                    source_topics = element_2.source_topics
                    source_topics_count = len(source_topics) + 1
                    out += (
                        UVARINTS[subtopology_id_size] if subtopology_id_size < 256 else string_prefix(subtopology_id_size),
                        subtopology_id,
                        UVARINTS[source_topics_count] if source_topics_count < 256 else uvarint(source_topics_count),
                    )
                    for element_3 in source_topics:
                        text = element_3.encode()
                        text_size = len(text) + 1
                        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
                    repartition_sink_topics = element_2.repartition_sink_topics
                    repartition_sink_topics_count = len(repartition_sink_topics) + 1
                    out.append(UVARINTS[repartition_sink_topics_count] if repartition_sink_topics_count < 256 else uvarint(repartition_sink_topics_count))
                    for element_4 in repartition_sink_topics:
                        text_2 = element_4.encode()
                        text_size_2 = len(text_2) + 1
                        out += (
                            UVARINTS[text_size_2] if text_size_2 < 256 else string_prefix(text_size_2),
                            text_2,
                        )
                    state_changelog_topics = element_2.state_changelog_topics
                    state_changelog_topics_count = len(state_changelog_topics) + 1
                    out.append(UVARINTS[state_changelog_topics_count] if state_changelog_topics_count < 256 else uvarint(state_changelog_topics_count))
                    for element_5 in state_changelog_topics:
                        name = element_5.name.encode()
                        name_size = len(name) + 1
                        topic_configs = element_5.topic_configs
                        topic_configs_count = len(topic_configs) + 1
                        out += (
                            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                            name,
                            _pack_ih(element_5.partitions, element_5.replication_factor),
                            UVARINTS[topic_configs_count] if topic_configs_count < 256 else uvarint(topic_configs_count),
                        )
                        for element_6 in topic_configs:
                            key = element_6.key.encode()
                            key_size = len(key) + 1
                            value = element_6.value.encode()
                            value_size = len(value) + 1
                            out += (
                                UVARINTS[key_size] if key_size < 256 else string_prefix(key_size),
                                key,
                                UVARINTS[value_size] if value_size < 256 else string_prefix(value_size),
                                value,
                                b"\0",
                            )
                        out.append(b"\0")
                    repartition_source_topics = element_2.repartition_source_topics
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
                    out.append(b"\0")
            out.append(b"\0")
        members = element.members
        members_count = len(members) + 1
        out.append(UVARINTS[members_count] if members_count < 256 else uvarint(members_count))
        for element_9 in members:
            member_id = element_9.member_id.encode()
            member_id_size = len(member_id) + 1
            instance_id_value = element_9.instance_id
            if instance_id_value is None:
                instance_id_size, instance_id = 0, b""
            else:
                instance_id = instance_id_value.encode()
                instance_id_size = len(instance_id) + 1
            rack_id_value = element_9.rack_id
            if rack_id_value is None:
                rack_id_size, rack_id = 0, b""
            else:
                rack_id = rack_id_value.encode()
                rack_id_size = len(rack_id) + 1
            client_id = element_9.client_id.encode()
            client_id_size = len(client_id) + 1
            client_host = element_9.client_host.encode()
            client_host_size = len(client_host) + 1
            process_id = element_9.process_id.encode()
            process_id_size = len(process_id) + 1
            user_endpoint = element_9.user_endpoint
            out += (
                UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
                member_id,
                _pack_i(element_9.member_epoch),
                UVARINTS[instance_id_size] if instance_id_size < 256 else string_prefix(instance_id_size),
                instance_id,
                UVARINTS[rack_id_size] if rack_id_size < 256 else string_prefix(rack_id_size),
                rack_id,
                UVARINTS[client_id_size] if client_id_size < 256 else string_prefix(client_id_size),
                client_id,
                UVARINTS[client_host_size] if client_host_size < 256 else string_prefix(client_host_size),
                client_host,
                _pack_i(element_9.topology_epoch),
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
            client_tags = element_9.client_tags
            client_tags_count = len(client_tags) + 1
            out.append(UVARINTS[client_tags_count] if client_tags_count < 256 else uvarint(client_tags_count))
            for element_10 in client_tags:
                key_3 = element_10.key.encode()
                key_size_3 = len(key_3) + 1
                value_3 = element_10.value.encode()
                value_size_3 = len(value_3) + 1
                out += (
                    UVARINTS[key_size_3] if key_size_3 < 256 else string_prefix(key_size_3),
                    key_3,
                    UVARINTS[value_size_3] if value_size_3 < 256 else string_prefix(value_size_3),
                    value_3,
                    b"\0",
                )
            task_offsets = element_9.task_offsets
            task_offsets_count = len(task_offsets) + 1
            out.append(UVARINTS[task_offsets_count] if task_offsets_count < 256 else uvarint(task_offsets_count))
            for element_11 in task_offsets:
                subtopology_id_2 = element_11.subtopology_id.encode()
                subtopology_id_size_2 = len(subtopology_id_2) + 1
                out += (
                    UVARINTS[subtopology_id_size_2] if subtopology_id_size_2 < 256 else string_prefix(subtopology_id_size_2),
                    subtopology_id_2,
                    _pack_iqx(element_11.partition, element_11.offset),
                )
            task_end_offsets = element_9.task_end_offsets
            task_end_offsets_count = len(task_end_offsets) + 1
            out.append(UVARINTS[task_end_offsets_count] if task_end_offsets_count < 256 else uvarint(task_end_offsets_count))
            for element_12 in task_end_offsets:
                subtopology_id_3 = element_12.subtopology_id.encode()
                subtopology_id_size_3 = len(subtopology_id_3) + 1
                out += (
                    UVARINTS[subtopology_id_size_3] if subtopology_id_size_3 < 256 else string_prefix(subtopology_id_size_3),
                    subtopology_id_3,
                    _pack_iqx(element_12.partition, element_12.offset),
                )
            assignment = element_9.assignment
            active_tasks = assignment.active_tasks
            active_tasks_count = len(active_tasks) + 1
            out.append(UVARINTS[active_tasks_count] if active_tasks_count < 256 else uvarint(active_tasks_count))
            for element_13 in active_tasks:
                subtopology_id_4 = element_13.subtopology_id.encode()
                subtopology_id_size_4 = len(subtopology_id_4) + 1
                partitions = element_13.partitions
                partitions_count = len(partitions) + 1
                out += (
                    UVARINTS[subtopology_id_size_4] if subtopology_id_size_4 < 256 else string_prefix(subtopology_id_size_4),
                    subtopology_id_4,
                    UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
                    write_int32s(partitions),
                    b"\0",
                )
            standby_tasks = assignment.standby_tasks
            standby_tasks_count = len(standby_tasks) + 1
            out.append(UVARINTS[standby_tasks_count] if standby_tasks_count < 256 else uvarint(standby_tasks_count))
            for element_14 in standby_tasks:
                subtopology_id_5 = element_14.subtopology_id.encode()
                subtopology_id_size_5 = len(subtopology_id_5) + 1
                partitions_2 = element_14.partitions
                partitions_count_2 = len(partitions_2) + 1
                out += (
                    UVARINTS[subtopology_id_size_5] if subtopology_id_size_5 < 256 else string_prefix(subtopology_id_size_5),
                    subtopology_id_5,
                    UVARINTS[partitions_count_2] if partitions_count_2 < 256 else uvarint(partitions_count_2),
                    write_int32s(partitions_2),
                    b"\0",
                )
            warmup_tasks = assignment.warmup_tasks
            warmup_tasks_count = len(warmup_tasks) + 1
            out.append(UVARINTS[warmup_tasks_count] if warmup_tasks_count < 256 else uvarint(warmup_tasks_count))
            for element_15 in warmup_tasks:
                subtopology_id_6 = element_15.subtopology_id.encode()
                subtopology_id_size_6 = len(subtopology_id_6) + 1
                partitions_3 = element_15.partitions
                partitions_count_3 = len(partitions_3) + 1
                out += (
                    UVARINTS[subtopology_id_size_6] if subtopology_id_size_6 < 256 else string_prefix(subtopology_id_size_6),
                    subtopology_id_6,
                    UVARINTS[partitions_count_3] if partitions_count_3 < 256 else uvarint(partitions_count_3),
                    write_int32s(partitions_3),
                    b"\0",
                )
            target_assignment = element_9.target_assignment
            active_tasks_2 = target_assignment.active_tasks
            active_tasks_count_2 = len(active_tasks_2) + 1
            out += (
                b"\0",
                UVARINTS[active_tasks_count_2] if active_tasks_count_2 < 256 else uvarint(active_tasks_count_2),
            )
            for element_16 in active_tasks_2:
                subtopology_id_7 = element_16.subtopology_id.encode()
                subtopology_id_size_7 = len(subtopology_id_7) + 1
                partitions_4 = element_16.partitions
                partitions_count_4 = len(partitions_4) + 1
                out += (
                    UVARINTS[subtopology_id_size_7] if subtopology_id_size_7 < 256 else string_prefix(subtopology_id_size_7),
                    subtopology_id_7,
                    UVARINTS[partitions_count_4] if partitions_count_4 < 256 else uvarint(partitions_count_4),
                    write_int32s(partitions_4),
                    b"\0",
                )
            standby_tasks_2 = target_assignment.standby_tasks
            standby_tasks_count_2 = len(standby_tasks_2) + 1
            out.append(UVARINTS[standby_tasks_count_2] if standby_tasks_count_2 < 256 else uvarint(standby_tasks_count_2))
            for element_17 in standby_tasks_2:
                subtopology_id_8 = element_17.subtopology_id.encode()
                subtopology_id_size_8 = len(subtopology_id_8) + 1
                partitions_5 = element_17.partitions
                partitions_count_5 = len(partitions_5) + 1
                out += (
                    UVARINTS[subtopology_id_size_8] if subtopology_id_size_8 < 256 else string_prefix(subtopology_id_size_8),
                    subtopology_id_8,
                    UVARINTS[partitions_count_5] if partitions_count_5 < 256 else uvarint(partitions_count_5),
                    write_int32s(partitions_5),
                    b"\0",
                )
            warmup_tasks_2 = target_assignment.warmup_tasks
            warmup_tasks_count_2 = len(warmup_tasks_2) + 1
            out.append(UVARINTS[warmup_tasks_count_2] if warmup_tasks_count_2 < 256 else uvarint(warmup_tasks_count_2))
            for element_18 in warmup_tasks_2:
                subtopology_id_9 = element_18.subtopology_id.encode()
                subtopology_id_size_9 = len(subtopology_id_9) + 1
                partitions_6 = element_18.partitions
                partitions_count_6 = len(partitions_6) + 1
                out += (
                    UVARINTS[subtopology_id_size_9] if subtopology_id_size_9 < 256 else string_prefix(subtopology_id_size_9),
                    subtopology_id_9,
                    UVARINTS[partitions_count_6] if partitions_count_6 < 256 else uvarint(partitions_count_6),
                    write_int32s(partitions_6),
                    b"\0",
                )
            out.append(_pack_xzx(element_9.is_classic))
        out.append(_pack_ix(element.authorized_operations))
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[StreamsGroupDescribeResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[StreamsGroupDescribeResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[StreamsGroupDescribeResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"StreamsGroupDescribeResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"StreamsGroupDescribeResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"StreamsGroupDescribeResponse v{version} is cut short")
    return result


def encode(message: StreamsGroupDescribeResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"StreamsGroupDescribeResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"StreamsGroupDescribeResponse v{version}: {error}") from error
