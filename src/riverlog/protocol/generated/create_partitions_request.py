"""CreatePartitionsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "CreatePartitionsRequest"
API_KEY: Final = 37
VERSIONS: Final[tuple[int, int]] = (0, 3)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iz = Struct(">i?").unpack_from
_unpack_izB = Struct(">i?B").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_iz = Struct(">i?").pack
_pack_izx = Struct(">i?x").pack


@dataclass(init=False, repr=False, eq=False)
class CreatePartitionsAssignment(Wire):
    """CreatePartitionsAssignment."""

    __slots__ = ("broker_ids",)

    broker_ids: list[int]

    def __init__(
        self,
        broker_ids: list[int] = UNSET,
    ) -> None:
        self.broker_ids = [] if broker_ids is UNSET else broker_ids


@dataclass(init=False, repr=False, eq=False)
class CreatePartitionsTopic(Wire):
    """CreatePartitionsTopic."""

    __slots__ = ("name", "count", "assignments")

    name: str
    count: int
    assignments: list[CreatePartitionsAssignment] | None

    def __init__(
        self,
        name: str = "",
        count: int = 0,
        assignments: list[CreatePartitionsAssignment] | None = UNSET,
    ) -> None:
        self.name = name
        self.count = count
        self.assignments = [] if assignments is UNSET else assignments


@dataclass(init=False, repr=False, eq=False)
class CreatePartitionsRequest(Wire):
    """CreatePartitionsRequest."""

    __slots__ = ("topics", "timeout_ms", "validate_only")

    topics: list[CreatePartitionsTopic]
    timeout_ms: int
    validate_only: bool

    def __init__(
        self,
        topics: list[CreatePartitionsTopic] = UNSET,
        timeout_ms: int = 0,
        validate_only: bool = False,
    ) -> None:
        self.topics = [] if topics is UNSET else topics
        self.timeout_ms = timeout_ms
        self.validate_only = validate_only


def _decode_0(buffer: memoryview, p: int) -> tuple[CreatePartitionsRequest, int]:
    """Versions 0, 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topics_count,) = _unpack_i(buffer, p)
    p += 4
    if topics_count < 0:
        raise missing("CreatePartitionsRequest.topics")
    if topics_count > room or topics_count * 10 > end - p:
        raise too_many("CreatePartitionsRequest.topics", topics_count)
    room -= topics_count
    topics: list[CreatePartitionsTopic] = []
    for _ in range(topics_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("CreatePartitionsRequest.topics.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        count, assignments_count = _unpack_ii(buffer, p)
        p += 8
        assignments: list[CreatePartitionsAssignment] | None = None
        if assignments_count >= 0:
            if assignments_count > room or assignments_count * 4 > end - p:
                raise too_many("CreatePartitionsRequest.topics.assignments", assignments_count)
            room -= assignments_count
            assignments = []
            for _ in range(assignments_count):
                (broker_ids_count,) = _unpack_i(buffer, p)
                p += 4
                if broker_ids_count < 0:
                    raise missing("CreatePartitionsRequest.topics.assignments.broker_ids")
                broker_ids = read_int32s(buffer, p, broker_ids_count)
                p += broker_ids_count * 4
                assignments.append(CreatePartitionsAssignment(broker_ids))
        elif assignments_count != -1:
            raise missing("CreatePartitionsRequest.topics.assignments")
        topics.append(CreatePartitionsTopic(name, count, assignments))
    timeout_ms, validate_only = _unpack_iz(buffer, p)
    p += 5
    return CreatePartitionsRequest(topics, timeout_ms, validate_only), p


def _decode_1(buffer: memoryview, p: int) -> tuple[CreatePartitionsRequest, int]:
    """Versions 2, 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("CreatePartitionsRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 7 > end - p:
        raise too_many("CreatePartitionsRequest.topics", topics_count)
    room -= topics_count
    topics: list[CreatePartitionsTopic] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("CreatePartitionsRequest.topics.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        count, assignments_count = _unpack_iB(buffer, p)
        p += 5
        if assignments_count > 127:
            assignments_count, p = uvarint_tail(buffer, p, assignments_count)
        assignments: list[CreatePartitionsAssignment] | None = None
        if assignments_count:
            assignments_count -= 1
            if assignments_count > room or assignments_count * 2 > end - p:
                raise too_many("CreatePartitionsRequest.topics.assignments", assignments_count)
            room -= assignments_count
            assignments = []
            for _ in range(assignments_count):
                broker_ids_count = buffer[p]
                p += 1
                if broker_ids_count > 127:
                    broker_ids_count, p = uvarint_tail(buffer, p, broker_ids_count)
                if broker_ids_count == 0:
                    raise missing("CreatePartitionsRequest.topics.assignments.broker_ids")
                broker_ids_count -= 1
                broker_ids = read_int32s(buffer, p, broker_ids_count)
                p += broker_ids_count * 4
                tags = buffer[p]
                p += 1
                if tags:
                    p = skip_tags(buffer, p, tags)
                assignments.append(CreatePartitionsAssignment(broker_ids))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        topics.append(CreatePartitionsTopic(name, count, assignments))
    timeout_ms, validate_only, tags_3 = _unpack_izB(buffer, p)
    p += 6
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return CreatePartitionsRequest(topics, timeout_ms, validate_only), p


def _encode_0(message: CreatePartitionsRequest) -> bytes:
    """Versions 0, 1."""
    out: list[bytes] = []
    topics = message.topics
    out.append(_pack_i(len(topics)))
    for element in topics:
        name = element.name.encode()
        name_size = len(name)
        assignments = element.assignments
        out += (_pack_h(name_size), name, _pack_i(element.count))
        if assignments is None:
            out.append(b"\xff\xff\xff\xff")
        else:
            out.append(_pack_i(len(assignments)))
            for element_2 in assignments:
                broker_ids = element_2.broker_ids
                out += (_pack_i(len(broker_ids)), write_int32s(broker_ids))
    out.append(_pack_iz(message.timeout_ms, message.validate_only))
    return b"".join(out)


def _encode_1(message: CreatePartitionsRequest) -> bytes:
    """Versions 2, 3."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
    for element in topics:
        name = element.name.encode()
        name_size = len(name) + 1
        assignments = element.assignments
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            _pack_i(element.count),
        )
        if assignments is None:
            out.append(b"\0")
        else:
            assignments_count = len(assignments) + 1
            out.append(UVARINTS[assignments_count] if assignments_count < 256 else uvarint(assignments_count))
            for element_2 in assignments:
                broker_ids = element_2.broker_ids
                broker_ids_count = len(broker_ids) + 1
                out += (
                    UVARINTS[broker_ids_count] if broker_ids_count < 256 else uvarint(broker_ids_count),
                    write_int32s(broker_ids),
                    b"\0",
                )
        out.append(b"\0")
    out.append(_pack_izx(message.timeout_ms, message.validate_only))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[CreatePartitionsRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_1,
    3: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[CreatePartitionsRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_1,
    3: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[CreatePartitionsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"CreatePartitionsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"CreatePartitionsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"CreatePartitionsRequest v{version} is cut short")
    return result


def encode(message: CreatePartitionsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"CreatePartitionsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"CreatePartitionsRequest v{version}: {error}") from error
