"""CreateTopicsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "CreateTopicsRequest"
API_KEY: Final = 19
VERSIONS: Final[tuple[int, int]] = (2, 7)
FLEXIBLE_FROM: Final = 5
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iz = Struct(">i?").unpack_from
_unpack_izB = Struct(">i?B").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ihi = Struct(">ihi").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_iz = Struct(">i?").pack
_pack_izx = Struct(">i?x").pack
_pack_ih = Struct(">ih").pack
_pack_ihi = Struct(">ihi").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class CreatableReplicaAssignment(Wire):
    """CreatableReplicaAssignment."""

    __slots__ = ("partition_index", "broker_ids")

    partition_index: int
    broker_ids: list[int]

    def __init__(
        self,
        partition_index: int = 0,
        broker_ids: list[int] = UNSET,
    ) -> None:
        self.partition_index = partition_index
        self.broker_ids = [] if broker_ids is UNSET else broker_ids


@dataclass(init=False, repr=False, eq=False)
class CreatableTopicConfig(Wire):
    """CreatableTopicConfig."""

    __slots__ = ("name", "value")

    name: str
    value: str | None

    def __init__(
        self,
        name: str = "",
        value: str | None = "",
    ) -> None:
        self.name = name
        self.value = value


@dataclass(init=False, repr=False, eq=False)
class CreatableTopic(Wire):
    """CreatableTopic."""

    __slots__ = ("name", "num_partitions", "replication_factor", "assignments", "configs")

    name: str
    num_partitions: int
    replication_factor: int
    assignments: list[CreatableReplicaAssignment]
    configs: list[CreatableTopicConfig]

    def __init__(
        self,
        name: str = "",
        num_partitions: int = 0,
        replication_factor: int = 0,
        assignments: list[CreatableReplicaAssignment] = UNSET,
        configs: list[CreatableTopicConfig] = UNSET,
    ) -> None:
        self.name = name
        self.num_partitions = num_partitions
        self.replication_factor = replication_factor
        self.assignments = [] if assignments is UNSET else assignments
        self.configs = [] if configs is UNSET else configs


@dataclass(init=False, repr=False, eq=False)
class CreateTopicsRequest(Wire):
    """CreateTopicsRequest."""

    __slots__ = ("topics", "timeout_ms", "validate_only")

    topics: list[CreatableTopic]
    timeout_ms: int
    validate_only: bool

    def __init__(
        self,
        topics: list[CreatableTopic] = UNSET,
        timeout_ms: int = 60000,
        validate_only: bool = False,
    ) -> None:
        self.topics = [] if topics is UNSET else topics
        self.timeout_ms = timeout_ms
        self.validate_only = validate_only


def _decode_0(buffer: memoryview, p: int) -> tuple[CreateTopicsRequest, int]:
    """Versions 2, 3, 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("CreateTopicsRequest.topics")
    if topics_count > room or topics_count * 16 > end - p:
        raise too_many("CreateTopicsRequest.topics", topics_count)
    room -= topics_count
    topics: list[CreatableTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("CreateTopicsRequest.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        num_partitions, replication_factor, assignments_count = _unpack_ihi(buffer, p)
        p += 10
        if assignments_count < 0:
            raise missing("CreateTopicsRequest.topics.assignments")
        if assignments_count > room or assignments_count * 8 > end - p:
            raise too_many("CreateTopicsRequest.topics.assignments", assignments_count)
        room -= assignments_count
        assignments: list[CreatableReplicaAssignment] = []
        for _ in range(assignments_count):
            partition_index, broker_ids_count = _unpack_ii(buffer, p)
            p += 8
            if broker_ids_count < 0:
                raise missing("CreateTopicsRequest.topics.assignments.broker_ids")
            broker_ids = read_int32s(buffer, p, broker_ids_count)
            p += broker_ids_count * 4
            assignments.append(CreatableReplicaAssignment(partition_index, broker_ids))
        (configs_count,) = _unpack_i(buffer, p)
        p += 4
        if configs_count < 0:
            raise missing("CreateTopicsRequest.topics.configs")
        if configs_count > room or configs_count * 4 > end - p:
            raise too_many("CreateTopicsRequest.topics.configs", configs_count)
        room -= configs_count
        configs: list[CreatableTopicConfig] = []
        for _ in range(configs_count):
            (name_size_2,) = _unpack_h(buffer, p)
            p += 2
            if name_size_2 < 0:
                raise missing("CreateTopicsRequest.topics.configs.name")
            stop = p + name_size_2
            name_2 = buffer[p:stop].tobytes().decode()
            p = stop
            (value_size,) = _unpack_h(buffer, p)
            p += 2
            value: str | None = None
            if value_size >= 0:
                stop = p + value_size
                value = buffer[p:stop].tobytes().decode()
                p = stop
            elif value_size != -1:
                raise missing("CreateTopicsRequest.topics.configs.value")
            configs.append(CreatableTopicConfig(name_2, value))
        topics.append(CreatableTopic(name, num_partitions, replication_factor, assignments, configs))
    timeout_ms, validate_only = _unpack_iz(buffer, p)
    p += 5
    return CreateTopicsRequest(topics, timeout_ms, validate_only), p


def _decode_1(buffer: memoryview, p: int) -> tuple[CreateTopicsRequest, int]:
    """Versions 5, 6, 7."""
    end = len(buffer)
    room = MAX_ELEMENTS
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("CreateTopicsRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 10 > end - p:
        raise too_many("CreateTopicsRequest.topics", topics_count)
    room -= topics_count
    topics: list[CreatableTopic] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("CreateTopicsRequest.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        num_partitions, replication_factor, assignments_count = _unpack_ihB(buffer, p)
        p += 7
        if assignments_count > 127:
            assignments_count, p = uvarint_tail(buffer, p, assignments_count)
        if assignments_count == 0:
            raise missing("CreateTopicsRequest.topics.assignments")
        assignments_count -= 1
        if assignments_count > room or assignments_count * 6 > end - p:
            raise too_many("CreateTopicsRequest.topics.assignments", assignments_count)
        room -= assignments_count
        assignments: list[CreatableReplicaAssignment] = []
        for _ in range(assignments_count):
            partition_index, broker_ids_count = _unpack_iB(buffer, p)
            p += 5
            if broker_ids_count > 127:
                broker_ids_count, p = uvarint_tail(buffer, p, broker_ids_count)
            if broker_ids_count == 0:
                raise missing("CreateTopicsRequest.topics.assignments.broker_ids")
            broker_ids_count -= 1
            broker_ids = read_int32s(buffer, p, broker_ids_count)
            p += broker_ids_count * 4
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            assignments.append(CreatableReplicaAssignment(partition_index, broker_ids))
        configs_count = buffer[p]
        p += 1
        if configs_count > 127:
            configs_count, p = uvarint_tail(buffer, p, configs_count)
        if configs_count == 0:
            raise missing("CreateTopicsRequest.topics.configs")
        configs_count -= 1
        if configs_count > room or configs_count * 3 > end - p:
            raise too_many("CreateTopicsRequest.topics.configs", configs_count)
        room -= configs_count
        configs: list[CreatableTopicConfig] = []
        for _ in range(configs_count):
            name_size_2 = buffer[p]
            p += 1
            if name_size_2 > 127:
                name_size_2, p = string_tail(buffer, p, name_size_2)
            if name_size_2 == 0:
                raise missing("CreateTopicsRequest.topics.configs.name")
            stop = p + name_size_2 - 1
            name_2 = buffer[p:stop].tobytes().decode()
            p = stop
            value_size = buffer[p]
            p += 1
            if value_size > 127:
                value_size, p = string_tail(buffer, p, value_size)
            value: str | None = None
            if value_size:
                stop = p + value_size - 1
                value = buffer[p:stop].tobytes().decode()
                p = stop
            tags_2 = buffer[p]
            p += 1
            if tags_2:
                p = skip_tags(buffer, p, tags_2)
            configs.append(CreatableTopicConfig(name_2, value))
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        topics.append(CreatableTopic(name, num_partitions, replication_factor, assignments, configs))
    timeout_ms, validate_only, tags_4 = _unpack_izB(buffer, p)
    p += 6
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return CreateTopicsRequest(topics, timeout_ms, validate_only), p


def _encode_0(message: CreateTopicsRequest) -> bytes:
    """Versions 2, 3, 4."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_i(len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        assignments = element.assignments
        out += (
            _pack_h(name_size),
            name,
            _pack_ihi(element.num_partitions, element.replication_factor, len(assignments)),
        )
        for element_2 in assignments:
            broker_ids = element_2.broker_ids
            out += (_pack_ii(element_2.partition_index, len(broker_ids)), write_int32s(broker_ids))
        configs = element.configs
        out.append(_pack_i(len(configs)))
        for element_3 in configs:
            name_2 = element_3.name.encode()
            name_size_2 = len(name_2)
            value_value = element_3.value
            if value_value is None:
                value_size, value = -1, b""
            else:
                value = value_value.encode()
                value_size = len(value)
            out += (_pack_h(name_size_2), name_2, _pack_h(value_size), value)
    out.append(_pack_iz(message.timeout_ms, message.validate_only))
    return b"".join(out)


def _encode_1(message: CreateTopicsRequest) -> bytes:
    """Versions 5, 6, 7."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
    for element in topics:
        name = element.name.encode()
        name_size = len(name) + 1
        assignments = element.assignments
        assignments_count = len(assignments) + 1
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            _pack_ih(element.num_partitions, element.replication_factor),
            UVARINTS[assignments_count] if assignments_count < 256 else uvarint(assignments_count),
        )
        for element_2 in assignments:
            broker_ids = element_2.broker_ids
            broker_ids_count = len(broker_ids) + 1
            out += (
                _pack_i(element_2.partition_index),
                UVARINTS[broker_ids_count] if broker_ids_count < 256 else uvarint(broker_ids_count),
                write_int32s(broker_ids),
                b"\0",
            )
        configs = element.configs
        configs_count = len(configs) + 1
        out.append(UVARINTS[configs_count] if configs_count < 256 else uvarint(configs_count))
        for element_3 in configs:
            name_2 = element_3.name.encode()
            name_size_2 = len(name_2) + 1
            value_value = element_3.value
            if value_value is None:
                value_size, value = 0, b""
            else:
                value = value_value.encode()
                value_size = len(value) + 1
            out += (
                UVARINTS[name_size_2] if name_size_2 < 256 else string_prefix(name_size_2),
                name_2,
                UVARINTS[value_size] if value_size < 256 else string_prefix(value_size),
                value,
                b"\0",
            )
        out.append(b"\0")
    out.append(_pack_izx(message.timeout_ms, message.validate_only))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[CreateTopicsRequest, int]]]] = {
    2: _decode_0,
    3: _decode_0,
    4: _decode_0,
    5: _decode_1,
    6: _decode_1,
    7: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[CreateTopicsRequest], bytes]]] = {
    2: _encode_0,
    3: _encode_0,
    4: _encode_0,
    5: _encode_1,
    6: _encode_1,
    7: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[CreateTopicsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"CreateTopicsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"CreateTopicsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"CreateTopicsRequest v{version} is cut short")
    return result


def encode(message: CreateTopicsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"CreateTopicsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"CreateTopicsRequest v{version}: {error}") from error
