"""StreamsGroupTopologyValue. Written by `python -m codegen` from schemas/group; do not edit."""

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
)

NAME: Final = "StreamsGroupTopologyValue"
API_KEY: Final = 23
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack


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
class TopicConfig(Wire):
    """TopicConfig."""

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
    topic_configs: list[TopicConfig]

    def __init__(
        self,
        name: str = "",
        partitions: int = 0,
        replication_factor: int = 0,
        topic_configs: list[TopicConfig] = UNSET,
    ) -> None:
        self.name = name
        self.partitions = partitions
        self.replication_factor = replication_factor
        self.topic_configs = [] if topic_configs is UNSET else topic_configs


@dataclass(init=False, repr=False, eq=False)
class StreamsGroupTopologyValue(Wire):
    """StreamsGroupTopologyValue."""

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


def _decode_0(buffer: memoryview, p: int) -> tuple[StreamsGroupTopologyValue, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    epoch, subtopologies_count = _unpack_iB(buffer, p)
    p += 5
    if subtopologies_count > 127:
        subtopologies_count, p = uvarint_tail(buffer, p, subtopologies_count)
    if subtopologies_count == 0:
        raise missing("StreamsGroupTopologyValue.subtopologies")
    subtopologies_count -= 1
    if subtopologies_count > room or subtopologies_count * 8 > end - p:
        raise too_many("StreamsGroupTopologyValue.subtopologies", subtopologies_count)
    room -= subtopologies_count
    subtopologies: list[Subtopology] = []
    for _ in range(subtopologies_count):
        subtopology_id_size = buffer[p]
        p += 1
        if subtopology_id_size > 127:
            subtopology_id_size, p = string_tail(buffer, p, subtopology_id_size)
        if subtopology_id_size == 0:
            raise missing("StreamsGroupTopologyValue.subtopologies.subtopology_id")
        stop = p + subtopology_id_size - 1
        subtopology_id = buffer[p:stop].tobytes().decode()
        p = stop
        source_topics_count = buffer[p]
        p += 1
        if source_topics_count > 127:
            source_topics_count, p = uvarint_tail(buffer, p, source_topics_count)
        if source_topics_count == 0:
            raise missing("StreamsGroupTopologyValue.subtopologies.source_topics")
        source_topics_count -= 1
        if source_topics_count > room or source_topics_count > end - p:
            raise too_many("StreamsGroupTopologyValue.subtopologies.source_topics", source_topics_count)
        room -= source_topics_count
        source_topics: list[str] = []
        for _ in range(source_topics_count):
            element_size = buffer[p]
            p += 1
            if element_size > 127:
                element_size, p = string_tail(buffer, p, element_size)
            if element_size == 0:
                raise missing("StreamsGroupTopologyValue.subtopologies.source_topics")
            stop = p + element_size - 1
            element = buffer[p:stop].tobytes().decode()
            p = stop
            source_topics.append(element)
        source_topic_regex_count = buffer[p]
        p += 1
        if source_topic_regex_count > 127:
            source_topic_regex_count, p = uvarint_tail(buffer, p, source_topic_regex_count)
        if source_topic_regex_count == 0:
            raise missing("StreamsGroupTopologyValue.subtopologies.source_topic_regex")
        source_topic_regex_count -= 1
        if source_topic_regex_count > room or source_topic_regex_count > end - p:
            raise too_many("StreamsGroupTopologyValue.subtopologies.source_topic_regex", source_topic_regex_count)
        room -= source_topic_regex_count
        source_topic_regex: list[str] = []
        for _ in range(source_topic_regex_count):
            element_size_2 = buffer[p]
            p += 1
            if element_size_2 > 127:
                element_size_2, p = string_tail(buffer, p, element_size_2)
            if element_size_2 == 0:
                raise missing("StreamsGroupTopologyValue.subtopologies.source_topic_regex")
            stop = p + element_size_2 - 1
            element_2 = buffer[p:stop].tobytes().decode()
            p = stop
            source_topic_regex.append(element_2)
        state_changelog_topics_count = buffer[p]
        p += 1
        if state_changelog_topics_count > 127:
            state_changelog_topics_count, p = uvarint_tail(buffer, p, state_changelog_topics_count)
        if state_changelog_topics_count == 0:
            raise missing("StreamsGroupTopologyValue.subtopologies.state_changelog_topics")
        state_changelog_topics_count -= 1
        if state_changelog_topics_count > room or state_changelog_topics_count * 9 > end - p:
            raise too_many("StreamsGroupTopologyValue.subtopologies.state_changelog_topics", state_changelog_topics_count)
        room -= state_changelog_topics_count
        state_changelog_topics: list[TopicInfo] = []
        for _ in range(state_changelog_topics_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("StreamsGroupTopologyValue.subtopologies.state_changelog_topics.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            partitions, replication_factor, topic_configs_count = _unpack_ihB(buffer, p)
            p += 7
            if topic_configs_count > 127:
                topic_configs_count, p = uvarint_tail(buffer, p, topic_configs_count)
            if topic_configs_count == 0:
                raise missing("StreamsGroupTopologyValue.subtopologies.state_changelog_topics.topic_configs")
            topic_configs_count -= 1
            if topic_configs_count > room or topic_configs_count * 3 > end - p:
                raise too_many("StreamsGroupTopologyValue.subtopologies.state_changelog_topics.topic_configs", topic_configs_count)
            room -= topic_configs_count
            topic_configs: list[TopicConfig] = []
            for _ in range(topic_configs_count):
                key_size = buffer[p]
                p += 1
                if key_size > 127:
                    key_size, p = string_tail(buffer, p, key_size)
                if key_size == 0:
                    raise missing("StreamsGroupTopologyValue.subtopologies.state_changelog_topics.topic_configs.key")
                stop = p + key_size - 1
                key = buffer[p:stop].tobytes().decode()
                p = stop
                value_size = buffer[p]
                p += 1
                if value_size > 127:
                    value_size, p = string_tail(buffer, p, value_size)
                if value_size == 0:
                    raise missing("StreamsGroupTopologyValue.subtopologies.state_changelog_topics.topic_configs.value")
                stop = p + value_size - 1
                value = buffer[p:stop].tobytes().decode()
                p = stop
                tags = buffer[p]
                p += 1
                if tags:
                    p = skip_tags(buffer, p, tags)
                topic_configs.append(TopicConfig(key, value))
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
            raise missing("StreamsGroupTopologyValue.subtopologies.repartition_sink_topics")
        repartition_sink_topics_count -= 1
        if repartition_sink_topics_count > room or repartition_sink_topics_count > end - p:
            raise too_many("StreamsGroupTopologyValue.subtopologies.repartition_sink_topics", repartition_sink_topics_count)
        room -= repartition_sink_topics_count
        repartition_sink_topics: list[str] = []
        for _ in range(repartition_sink_topics_count):
            element_size_3 = buffer[p]
            p += 1
            if element_size_3 > 127:
                element_size_3, p = string_tail(buffer, p, element_size_3)
            if element_size_3 == 0:
                raise missing("StreamsGroupTopologyValue.subtopologies.repartition_sink_topics")
            stop = p + element_size_3 - 1
            element_3 = buffer[p:stop].tobytes().decode()
            p = stop
            repartition_sink_topics.append(element_3)
        repartition_source_topics_count = buffer[p]
        p += 1
        if repartition_source_topics_count > 127:
            repartition_source_topics_count, p = uvarint_tail(buffer, p, repartition_source_topics_count)
        if repartition_source_topics_count == 0:
            raise missing("StreamsGroupTopologyValue.subtopologies.repartition_source_topics")
        repartition_source_topics_count -= 1
        if repartition_source_topics_count > room or repartition_source_topics_count * 9 > end - p:
            raise too_many("StreamsGroupTopologyValue.subtopologies.repartition_source_topics", repartition_source_topics_count)
        room -= repartition_source_topics_count
        repartition_source_topics: list[TopicInfo] = []
        for _ in range(repartition_source_topics_count):
            name_size_2 = buffer[p]
            p += 1
            if name_size_2 > 127:
                name_size_2, p = string_tail(buffer, p, name_size_2)
            if name_size_2 == 0:
                raise missing("StreamsGroupTopologyValue.subtopologies.repartition_source_topics.name")
            stop = p + name_size_2 - 1
            name_2 = buffer[p:stop].tobytes().decode()
            p = stop
            partitions_2, replication_factor_2, topic_configs_count_2 = _unpack_ihB(buffer, p)
            p += 7
            if topic_configs_count_2 > 127:
                topic_configs_count_2, p = uvarint_tail(buffer, p, topic_configs_count_2)
            if topic_configs_count_2 == 0:
                raise missing("StreamsGroupTopologyValue.subtopologies.repartition_source_topics.topic_configs")
            topic_configs_count_2 -= 1
            if topic_configs_count_2 > room or topic_configs_count_2 * 3 > end - p:
                raise too_many("StreamsGroupTopologyValue.subtopologies.repartition_source_topics.topic_configs", topic_configs_count_2)
            room -= topic_configs_count_2
            topic_configs_2: list[TopicConfig] = []
            for _ in range(topic_configs_count_2):
                key_size_2 = buffer[p]
                p += 1
                if key_size_2 > 127:
                    key_size_2, p = string_tail(buffer, p, key_size_2)
                if key_size_2 == 0:
                    raise missing("StreamsGroupTopologyValue.subtopologies.repartition_source_topics.topic_configs.key")
                stop = p + key_size_2 - 1
                key_2 = buffer[p:stop].tobytes().decode()
                p = stop
                value_size_2 = buffer[p]
                p += 1
                if value_size_2 > 127:
                    value_size_2, p = string_tail(buffer, p, value_size_2)
                if value_size_2 == 0:
                    raise missing("StreamsGroupTopologyValue.subtopologies.repartition_source_topics.topic_configs.value")
                stop = p + value_size_2 - 1
                value_2 = buffer[p:stop].tobytes().decode()
                p = stop
                tags_3 = buffer[p]
                p += 1
                if tags_3:
                    p = skip_tags(buffer, p, tags_3)
                topic_configs_2.append(TopicConfig(key_2, value_2))
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
            raise missing("StreamsGroupTopologyValue.subtopologies.copartition_groups")
        copartition_groups_count -= 1
        if copartition_groups_count > room or copartition_groups_count * 4 > end - p:
            raise too_many("StreamsGroupTopologyValue.subtopologies.copartition_groups", copartition_groups_count)
        room -= copartition_groups_count
        copartition_groups: list[CopartitionGroup] = []
        for _ in range(copartition_groups_count):
            source_topics_count_2 = buffer[p]
            p += 1
            if source_topics_count_2 > 127:
                source_topics_count_2, p = uvarint_tail(buffer, p, source_topics_count_2)
            if source_topics_count_2 == 0:
                raise missing("StreamsGroupTopologyValue.subtopologies.copartition_groups.source_topics")
            source_topics_count_2 -= 1
            source_topics_2 = read_int16s(buffer, p, source_topics_count_2)
            p += source_topics_count_2 * 2
            source_topic_regex_count_2 = buffer[p]
            p += 1
            if source_topic_regex_count_2 > 127:
                source_topic_regex_count_2, p = uvarint_tail(buffer, p, source_topic_regex_count_2)
            if source_topic_regex_count_2 == 0:
                raise missing("StreamsGroupTopologyValue.subtopologies.copartition_groups.source_topic_regex")
            source_topic_regex_count_2 -= 1
            source_topic_regex_2 = read_int16s(buffer, p, source_topic_regex_count_2)
            p += source_topic_regex_count_2 * 2
            repartition_source_topics_count_2 = buffer[p]
            p += 1
            if repartition_source_topics_count_2 > 127:
                repartition_source_topics_count_2, p = uvarint_tail(buffer, p, repartition_source_topics_count_2)
            if repartition_source_topics_count_2 == 0:
                raise missing("StreamsGroupTopologyValue.subtopologies.copartition_groups.repartition_source_topics")
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
    return StreamsGroupTopologyValue(epoch, subtopologies), p


def _encode_0(message: StreamsGroupTopologyValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    subtopologies = message.subtopologies
    subtopologies_count = len(subtopologies) + 1
    out += (
        _pack_i(message.epoch),
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
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[StreamsGroupTopologyValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[StreamsGroupTopologyValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[StreamsGroupTopologyValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"StreamsGroupTopologyValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"StreamsGroupTopologyValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"StreamsGroupTopologyValue v{version} is cut short")
    return result


def encode(message: StreamsGroupTopologyValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"StreamsGroupTopologyValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"StreamsGroupTopologyValue v{version}: {error}") from error
