"""StreamsGroupTargetAssignmentMemberValue. Written by `python -m codegen` from schemas/group; do not edit."""

# fmt: off
# ruff: noqa: A001, ARG001, N816
# Layout is fixed by the generator, so that it does not depend on the version of a formatter.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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

NAME: Final = "StreamsGroupTargetAssignmentMemberValue"
API_KEY: Final = 21
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False


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
class StreamsGroupTargetAssignmentMemberValue(Wire):
    """StreamsGroupTargetAssignmentMemberValue."""

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


def _decode_0(buffer: memoryview, p: int) -> tuple[StreamsGroupTargetAssignmentMemberValue, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    active_tasks_count = buffer[p]
    p += 1
    if active_tasks_count > 127:
        active_tasks_count, p = uvarint_tail(buffer, p, active_tasks_count)
    if active_tasks_count == 0:
        raise missing("StreamsGroupTargetAssignmentMemberValue.active_tasks")
    active_tasks_count -= 1
    if active_tasks_count > room or active_tasks_count * 3 > end - p:
        raise too_many("StreamsGroupTargetAssignmentMemberValue.active_tasks", active_tasks_count)
    room -= active_tasks_count
    active_tasks: list[TaskIds] = []
    for _ in range(active_tasks_count):
        subtopology_id_size = buffer[p]
        p += 1
        if subtopology_id_size > 127:
            subtopology_id_size, p = string_tail(buffer, p, subtopology_id_size)
        if subtopology_id_size == 0:
            raise missing("StreamsGroupTargetAssignmentMemberValue.active_tasks.subtopology_id")
        stop = p + subtopology_id_size - 1
        subtopology_id = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("StreamsGroupTargetAssignmentMemberValue.active_tasks.partitions")
        partitions_count -= 1
        partitions = read_int32s(buffer, p, partitions_count)
        p += partitions_count * 4
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        active_tasks.append(TaskIds(subtopology_id, partitions))
    standby_tasks_count = buffer[p]
    p += 1
    if standby_tasks_count > 127:
        standby_tasks_count, p = uvarint_tail(buffer, p, standby_tasks_count)
    if standby_tasks_count == 0:
        raise missing("StreamsGroupTargetAssignmentMemberValue.standby_tasks")
    standby_tasks_count -= 1
    if standby_tasks_count > room or standby_tasks_count * 3 > end - p:
        raise too_many("StreamsGroupTargetAssignmentMemberValue.standby_tasks", standby_tasks_count)
    room -= standby_tasks_count
    standby_tasks: list[TaskIds] = []
    for _ in range(standby_tasks_count):
        subtopology_id_size_2 = buffer[p]
        p += 1
        if subtopology_id_size_2 > 127:
            subtopology_id_size_2, p = string_tail(buffer, p, subtopology_id_size_2)
        if subtopology_id_size_2 == 0:
            raise missing("StreamsGroupTargetAssignmentMemberValue.standby_tasks.subtopology_id")
        stop = p + subtopology_id_size_2 - 1
        subtopology_id_2 = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count_2 = buffer[p]
        p += 1
        if partitions_count_2 > 127:
            partitions_count_2, p = uvarint_tail(buffer, p, partitions_count_2)
        if partitions_count_2 == 0:
            raise missing("StreamsGroupTargetAssignmentMemberValue.standby_tasks.partitions")
        partitions_count_2 -= 1
        partitions_2 = read_int32s(buffer, p, partitions_count_2)
        p += partitions_count_2 * 4
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        standby_tasks.append(TaskIds(subtopology_id_2, partitions_2))
    warmup_tasks_count = buffer[p]
    p += 1
    if warmup_tasks_count > 127:
        warmup_tasks_count, p = uvarint_tail(buffer, p, warmup_tasks_count)
    if warmup_tasks_count == 0:
        raise missing("StreamsGroupTargetAssignmentMemberValue.warmup_tasks")
    warmup_tasks_count -= 1
    if warmup_tasks_count > room or warmup_tasks_count * 3 > end - p:
        raise too_many("StreamsGroupTargetAssignmentMemberValue.warmup_tasks", warmup_tasks_count)
    room -= warmup_tasks_count
    warmup_tasks: list[TaskIds] = []
    for _ in range(warmup_tasks_count):
        subtopology_id_size_3 = buffer[p]
        p += 1
        if subtopology_id_size_3 > 127:
            subtopology_id_size_3, p = string_tail(buffer, p, subtopology_id_size_3)
        if subtopology_id_size_3 == 0:
            raise missing("StreamsGroupTargetAssignmentMemberValue.warmup_tasks.subtopology_id")
        stop = p + subtopology_id_size_3 - 1
        subtopology_id_3 = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count_3 = buffer[p]
        p += 1
        if partitions_count_3 > 127:
            partitions_count_3, p = uvarint_tail(buffer, p, partitions_count_3)
        if partitions_count_3 == 0:
            raise missing("StreamsGroupTargetAssignmentMemberValue.warmup_tasks.partitions")
        partitions_count_3 -= 1
        partitions_3 = read_int32s(buffer, p, partitions_count_3)
        p += partitions_count_3 * 4
        tags_3 = buffer[p]
        p += 1
        if tags_3:
            p = skip_tags(buffer, p, tags_3)
        warmup_tasks.append(TaskIds(subtopology_id_3, partitions_3))
    tags_4 = buffer[p]
    p += 1
    if tags_4:
        p = skip_tags(buffer, p, tags_4)
    return StreamsGroupTargetAssignmentMemberValue(active_tasks, standby_tasks, warmup_tasks), p


def _encode_0(message: StreamsGroupTargetAssignmentMemberValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    active_tasks = message.active_tasks
    active_tasks_count = len(active_tasks) + 1
    out.append(UVARINTS[active_tasks_count] if active_tasks_count < 256 else uvarint(active_tasks_count))
    for element in active_tasks:
        subtopology_id = element.subtopology_id.encode()
        subtopology_id_size = len(subtopology_id) + 1
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            UVARINTS[subtopology_id_size] if subtopology_id_size < 256 else string_prefix(subtopology_id_size),
            subtopology_id,
            UVARINTS[partitions_count] if partitions_count < 256 else uvarint(partitions_count),
            write_int32s(partitions),
            b"\0",
        )
    standby_tasks = message.standby_tasks
    standby_tasks_count = len(standby_tasks) + 1
    out.append(UVARINTS[standby_tasks_count] if standby_tasks_count < 256 else uvarint(standby_tasks_count))
    for element_2 in standby_tasks:
        subtopology_id_2 = element_2.subtopology_id.encode()
        subtopology_id_size_2 = len(subtopology_id_2) + 1
        partitions_2 = element_2.partitions
        partitions_count_2 = len(partitions_2) + 1
        out += (
            UVARINTS[subtopology_id_size_2] if subtopology_id_size_2 < 256 else string_prefix(subtopology_id_size_2),
            subtopology_id_2,
            UVARINTS[partitions_count_2] if partitions_count_2 < 256 else uvarint(partitions_count_2),
            write_int32s(partitions_2),
            b"\0",
        )
    warmup_tasks = message.warmup_tasks
    warmup_tasks_count = len(warmup_tasks) + 1
    out.append(UVARINTS[warmup_tasks_count] if warmup_tasks_count < 256 else uvarint(warmup_tasks_count))
    for element_3 in warmup_tasks:
        subtopology_id_3 = element_3.subtopology_id.encode()
        subtopology_id_size_3 = len(subtopology_id_3) + 1
        partitions_3 = element_3.partitions
        partitions_count_3 = len(partitions_3) + 1
        out += (
            UVARINTS[subtopology_id_size_3] if subtopology_id_size_3 < 256 else string_prefix(subtopology_id_size_3),
            subtopology_id_3,
            UVARINTS[partitions_count_3] if partitions_count_3 < 256 else uvarint(partitions_count_3),
            write_int32s(partitions_3),
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[StreamsGroupTargetAssignmentMemberValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[StreamsGroupTargetAssignmentMemberValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[StreamsGroupTargetAssignmentMemberValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"StreamsGroupTargetAssignmentMemberValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"StreamsGroupTargetAssignmentMemberValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"StreamsGroupTargetAssignmentMemberValue v{version} is cut short")
    return result


def encode(message: StreamsGroupTargetAssignmentMemberValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"StreamsGroupTargetAssignmentMemberValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"StreamsGroupTargetAssignmentMemberValue v{version}: {error}") from error
