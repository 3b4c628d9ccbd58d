"""StreamsGroupCurrentMemberAssignmentValue. Written by `python -m codegen` from schemas/group; do not edit."""

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
    write_int32s,
)

NAME: Final = "StreamsGroupCurrentMemberAssignmentValue"
API_KEY: Final = 22
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iibB = Struct(">iibB").unpack_from
_pack_iib = Struct(">iib").pack


@dataclass(init=False, repr=False, eq=False)
class TaskIds(Wire):
    """TaskIds."""

    __slots__ = ("subtopology_id", "partitions", "assignment_epochs")

    subtopology_id: str
    partitions: list[int]
    assignment_epochs: list[int] | None

    def __init__(
        self,
        subtopology_id: str = "",
        partitions: list[int] = UNSET,
        assignment_epochs: list[int] | None = UNSET,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is UNSET else partitions
        self.assignment_epochs = [] if assignment_epochs is UNSET else assignment_epochs


@dataclass(init=False, repr=False, eq=False)
class StreamsGroupCurrentMemberAssignmentValue(Wire):
    """StreamsGroupCurrentMemberAssignmentValue."""

    __slots__ = ("member_epoch", "previous_member_epoch", "state", "active_tasks", "standby_tasks", "warmup_tasks", "active_tasks_pending_revocation", "standby_tasks_pending_revocation", "warmup_tasks_pending_revocation")

    member_epoch: int
    previous_member_epoch: int
    state: int
    active_tasks: list[TaskIds]
    standby_tasks: list[TaskIds]
    warmup_tasks: list[TaskIds]
    active_tasks_pending_revocation: list[TaskIds]
    standby_tasks_pending_revocation: list[TaskIds]
    warmup_tasks_pending_revocation: list[TaskIds]

    def __init__(
        self,
        member_epoch: int = 0,
        previous_member_epoch: int = 0,
        state: int = 0,
        active_tasks: list[TaskIds] = UNSET,
        standby_tasks: list[TaskIds] = UNSET,
        warmup_tasks: list[TaskIds] = UNSET,
        active_tasks_pending_revocation: list[TaskIds] = UNSET,
        standby_tasks_pending_revocation: list[TaskIds] = UNSET,
        warmup_tasks_pending_revocation: list[TaskIds] = UNSET,
    ) -> None:
        self.member_epoch = member_epoch
        self.previous_member_epoch = previous_member_epoch
        self.state = state
        self.active_tasks = [] if active_tasks is UNSET else active_tasks
        self.standby_tasks = [] if standby_tasks is UNSET else standby_tasks
        self.warmup_tasks = [] if warmup_tasks is UNSET else warmup_tasks
        self.active_tasks_pending_revocation = [] if active_tasks_pending_revocation is UNSET else active_tasks_pending_revocation
        self.standby_tasks_pending_revocation = [] if standby_tasks_pending_revocation is UNSET else standby_tasks_pending_revocation
        self.warmup_tasks_pending_revocation = [] if warmup_tasks_pending_revocation is UNSET else warmup_tasks_pending_revocation


def _decode_0(buffer: memoryview, p: int) -> tuple[StreamsGroupCurrentMemberAssignmentValue, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    member_epoch, previous_member_epoch, state, active_tasks_count = _unpack_iibB(buffer, p)
    p += 10
    if active_tasks_count > 127:
        active_tasks_count, p = uvarint_tail(buffer, p, active_tasks_count)
    if active_tasks_count == 0:
        raise missing("StreamsGroupCurrentMemberAssignmentValue.active_tasks")
    active_tasks_count -= 1
    if active_tasks_count > room or active_tasks_count * 3 > end - p:
        raise too_many("StreamsGroupCurrentMemberAssignmentValue.active_tasks", active_tasks_count)
    room -= active_tasks_count
    active_tasks: list[TaskIds] = []
    for _ in range(active_tasks_count):
        subtopology_id_size = buffer[p]
        p += 1
        if subtopology_id_size > 127:
            subtopology_id_size, p = string_tail(buffer, p, subtopology_id_size)
        if subtopology_id_size == 0:
            raise missing("StreamsGroupCurrentMemberAssignmentValue.active_tasks.subtopology_id")
        stop = p + subtopology_id_size - 1
        subtopology_id = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count = buffer[p]
        p += 1
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("StreamsGroupCurrentMemberAssignmentValue.active_tasks.partitions")
        partitions_count -= 1
        partitions = read_int32s(buffer, p, partitions_count)
        p += partitions_count * 4
        tags = buffer[p]
        p += 1
        assignment_epochs: list[int] | None = []
        if tags:
            if tags > 127:
                tags, p = uvarint_tail(buffer, p, tags)
            tag = -1
            for _ in range(tags):
                tag, tag_stop, p = read_tag(buffer, p, tag)
                if tag == 0:
                    assignment_epochs_count = buffer[p]
                    p += 1
                    if assignment_epochs_count > 127:
                        assignment_epochs_count, p = uvarint_tail(buffer, p, assignment_epochs_count)
                    assignment_epochs_2: list[int] | None = None
                    if assignment_epochs_count:
                        assignment_epochs_count -= 1
                        assignment_epochs_2 = read_int32s(buffer, p, assignment_epochs_count)
                        p += assignment_epochs_count * 4
                    assignment_epochs = assignment_epochs_2
                else:
                    p = tag_stop
                if p != tag_stop:
                    raise DecodeError("StreamsGroupCurrentMemberAssignmentValue.active_tasks: a tagged field is not of its size")
        active_tasks.append(TaskIds(subtopology_id, partitions, assignment_epochs))
    standby_tasks_count = buffer[p]
    p += 1
    if standby_tasks_count > 127:
        standby_tasks_count, p = uvarint_tail(buffer, p, standby_tasks_count)
    if standby_tasks_count == 0:
        raise missing("StreamsGroupCurrentMemberAssignmentValue.standby_tasks")
    standby_tasks_count -= 1
    if standby_tasks_count > room or standby_tasks_count * 3 > end - p:
        raise too_many("StreamsGroupCurrentMemberAssignmentValue.standby_tasks", standby_tasks_count)
    room -= standby_tasks_count
    standby_tasks: list[TaskIds] = []
    for _ in range(standby_tasks_count):
        subtopology_id_size_2 = buffer[p]
        p += 1
        if subtopology_id_size_2 > 127:
            subtopology_id_size_2, p = string_tail(buffer, p, subtopology_id_size_2)
        if subtopology_id_size_2 == 0:
            raise missing("StreamsGroupCurrentMemberAssignmentValue.standby_tasks.subtopology_id")
        stop = p + subtopology_id_size_2 - 1
        subtopology_id_2 = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count_2 = buffer[p]
        p += 1
        if partitions_count_2 > 127:
            partitions_count_2, p = uvarint_tail(buffer, p, partitions_count_2)
        if partitions_count_2 == 0:
            raise missing("StreamsGroupCurrentMemberAssignmentValue.standby_tasks.partitions")
        partitions_count_2 -= 1
        partitions_2 = read_int32s(buffer, p, partitions_count_2)
        p += partitions_count_2 * 4
        tags_2 = buffer[p]
        p += 1
        assignment_epochs_3: list[int] | None = []
        if tags_2:
            if tags_2 > 127:
                tags_2, p = uvarint_tail(buffer, p, tags_2)
            tag_2 = -1
            for _ in range(tags_2):
                tag_2, tag_stop_2, p = read_tag(buffer, p, tag_2)
                if tag_2 == 0:
                    assignment_epochs_count_2 = buffer[p]
                    p += 1
                    if assignment_epochs_count_2 > 127:
                        assignment_epochs_count_2, p = uvarint_tail(buffer, p, assignment_epochs_count_2)
                    assignment_epochs_4: list[int] | None = None
                    if assignment_epochs_count_2:
                        assignment_epochs_count_2 -= 1
                        assignment_epochs_4 = read_int32s(buffer, p, assignment_epochs_count_2)
                        p += assignment_epochs_count_2 * 4
                    assignment_epochs_3 = assignment_epochs_4
                else:
                    p = tag_stop_2
                if p != tag_stop_2:
                    raise DecodeError("StreamsGroupCurrentMemberAssignmentValue.standby_tasks: a tagged field is not of its size")
        standby_tasks.append(TaskIds(subtopology_id_2, partitions_2, assignment_epochs_3))
    warmup_tasks_count = buffer[p]
    p += 1
    if warmup_tasks_count > 127:
        warmup_tasks_count, p = uvarint_tail(buffer, p, warmup_tasks_count)
    if warmup_tasks_count == 0:
        raise missing("StreamsGroupCurrentMemberAssignmentValue.warmup_tasks")
    warmup_tasks_count -= 1
    if warmup_tasks_count > room or warmup_tasks_count * 3 > end - p:
        raise too_many("StreamsGroupCurrentMemberAssignmentValue.warmup_tasks", warmup_tasks_count)
    room -= warmup_tasks_count
    warmup_tasks: list[TaskIds] = []
    for _ in range(warmup_tasks_count):
        subtopology_id_size_3 = buffer[p]
        p += 1
        if subtopology_id_size_3 > 127:
            subtopology_id_size_3, p = string_tail(buffer, p, subtopology_id_size_3)
        if subtopology_id_size_3 == 0:
            raise missing("StreamsGroupCurrentMemberAssignmentValue.warmup_tasks.subtopology_id")
        stop = p + subtopology_id_size_3 - 1
        subtopology_id_3 = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count_3 = buffer[p]
        p += 1
        if partitions_count_3 > 127:
            partitions_count_3, p = uvarint_tail(buffer, p, partitions_count_3)
        if partitions_count_3 == 0:
            raise missing("StreamsGroupCurrentMemberAssignmentValue.warmup_tasks.partitions")
        partitions_count_3 -= 1
        partitions_3 = read_int32s(buffer, p, partitions_count_3)
        p += partitions_count_3 * 4
        tags_3 = buffer[p]
        p += 1
        assignment_epochs_5: list[int] | None = []
        if tags_3:
            if tags_3 > 127:
                tags_3, p = uvarint_tail(buffer, p, tags_3)
            tag_3 = -1
            for _ in range(tags_3):
                tag_3, tag_stop_3, p = read_tag(buffer, p, tag_3)
                if tag_3 == 0:
                    assignment_epochs_count_3 = buffer[p]
                    p += 1
                    if assignment_epochs_count_3 > 127:
                        assignment_epochs_count_3, p = uvarint_tail(buffer, p, assignment_epochs_count_3)
                    assignment_epochs_6: list[int] | None = None
                    if assignment_epochs_count_3:
                        assignment_epochs_count_3 -= 1
                        assignment_epochs_6 = read_int32s(buffer, p, assignment_epochs_count_3)
                        p += assignment_epochs_count_3 * 4
                    assignment_epochs_5 = assignment_epochs_6
                else:
                    p = tag_stop_3
                if p != tag_stop_3:
                    raise DecodeError("StreamsGroupCurrentMemberAssignmentValue.warmup_tasks: a tagged field is not of its size")
        warmup_tasks.append(TaskIds(subtopology_id_3, partitions_3, assignment_epochs_5))
    active_tasks_pending_revocation_count = buffer[p]
    p += 1
    if active_tasks_pending_revocation_count > 127:
        active_tasks_pending_revocation_count, p = uvarint_tail(buffer, p, active_tasks_pending_revocation_count)
    if active_tasks_pending_revocation_count == 0:
        raise missing("StreamsGroupCurrentMemberAssignmentValue.active_tasks_pending_revocation")
    active_tasks_pending_revocation_count -= 1
    if active_tasks_pending_revocation_count > room or active_tasks_pending_revocation_count * 3 > end - p:
        raise too_many("StreamsGroupCurrentMemberAssignmentValue.active_tasks_pending_revocation", active_tasks_pending_revocation_count)
    room -= active_tasks_pending_revocation_count
    active_tasks_pending_revocation: list[TaskIds] = []
    for _ in range(active_tasks_pending_revocation_count):
        subtopology_id_size_4 = buffer[p]
        p += 1
        if subtopology_id_size_4 > 127:
            subtopology_id_size_4, p = string_tail(buffer, p, subtopology_id_size_4)
        if subtopology_id_size_4 == 0:
            raise missing("StreamsGroupCurrentMemberAssignmentValue.active_tasks_pending_revocation.subtopology_id")
        stop = p + subtopology_id_size_4 - 1
        subtopology_id_4 = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count_4 = buffer[p]
        p += 1
        if partitions_count_4 > 127:
            partitions_count_4, p = uvarint_tail(buffer, p, partitions_count_4)
        if partitions_count_4 == 0:
            raise missing("StreamsGroupCurrentMemberAssignmentValue.active_tasks_pending_revocation.partitions")
        partitions_count_4 -= 1
        partitions_4 = read_int32s(buffer, p, partitions_count_4)
        p += partitions_count_4 * 4
        tags_4 = buffer[p]
        p += 1
        assignment_epochs_7: list[int] | None = []
        if tags_4:
            if tags_4 > 127:
                tags_4, p = uvarint_tail(buffer, p, tags_4)
            tag_4 = -1
            for _ in range(tags_4):
                tag_4, tag_stop_4, p = read_tag(buffer, p, tag_4)
                if tag_4 == 0:
                    assignment_epochs_count_4 = buffer[p]
                    p += 1
                    if assignment_epochs_count_4 > 127:
                        assignment_epochs_count_4, p = uvarint_tail(buffer, p, assignment_epochs_count_4)
                    assignment_epochs_8: list[int] | None = None
                    if assignment_epochs_count_4:
                        assignment_epochs_count_4 -= 1
                        assignment_epochs_8 = read_int32s(buffer, p, assignment_epochs_count_4)
                        p += assignment_epochs_count_4 * 4
                    assignment_epochs_7 = assignment_epochs_8
                else:
                    p = tag_stop_4
                if p != tag_stop_4:
                    raise DecodeError("StreamsGroupCurrentMemberAssignmentValue.active_tasks_pending_revocation: a tagged field is not of its size")
        active_tasks_pending_revocation.append(TaskIds(subtopology_id_4, partitions_4, assignment_epochs_7))
    standby_tasks_pending_revocation_count = buffer[p]
    p += 1
    if standby_tasks_pending_revocation_count > 127:
        standby_tasks_pending_revocation_count, p = uvarint_tail(buffer, p, standby_tasks_pending_revocation_count)
    if standby_tasks_pending_revocation_count == 0:
        raise missing("StreamsGroupCurrentMemberAssignmentValue.standby_tasks_pending_revocation")
    standby_tasks_pending_revocation_count -= 1
    if standby_tasks_pending_revocation_count > room or standby_tasks_pending_revocation_count * 3 > end - p:
        raise too_many("StreamsGroupCurrentMemberAssignmentValue.standby_tasks_pending_revocation", standby_tasks_pending_revocation_count)
    room -= standby_tasks_pending_revocation_count
    standby_tasks_pending_revocation: list[TaskIds] = []
    for _ in range(standby_tasks_pending_revocation_count):
        subtopology_id_size_5 = buffer[p]
        p += 1
        if subtopology_id_size_5 > 127:
            subtopology_id_size_5, p = string_tail(buffer, p, subtopology_id_size_5)
        if subtopology_id_size_5 == 0:
            raise missing("StreamsGroupCurrentMemberAssignmentValue.standby_tasks_pending_revocation.subtopology_id")
        stop = p + subtopology_id_size_5 - 1
        subtopology_id_5 = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count_5 = buffer[p]
        p += 1
        if partitions_count_5 > 127:
            partitions_count_5, p = uvarint_tail(buffer, p, partitions_count_5)
        if partitions_count_5 == 0:
            raise missing("StreamsGroupCurrentMemberAssignmentValue.standby_tasks_pending_revocation.partitions")
        partitions_count_5 -= 1
        partitions_5 = read_int32s(buffer, p, partitions_count_5)
        p += partitions_count_5 * 4
        tags_5 = buffer[p]
        p += 1
        assignment_epochs_9: list[int] | None = []
        if tags_5:
            if tags_5 > 127:
                tags_5, p = uvarint_tail(buffer, p, tags_5)
            tag_5 = -1
            for _ in range(tags_5):
                tag_5, tag_stop_5, p = read_tag(buffer, p, tag_5)
                if tag_5 == 0:
                    assignment_epochs_count_5 = buffer[p]
                    p += 1
                    if assignment_epochs_count_5 > 127:
                        assignment_epochs_count_5, p = uvarint_tail(buffer, p, assignment_epochs_count_5)
                    assignment_epochs_10: list[int] | None = None
                    if assignment_epochs_count_5:
                        assignment_epochs_count_5 -= 1
                        assignment_epochs_10 = read_int32s(buffer, p, assignment_epochs_count_5)
                        p += assignment_epochs_count_5 * 4
                    assignment_epochs_9 = assignment_epochs_10
                else:
                    p = tag_stop_5
                if p != tag_stop_5:
                    raise DecodeError("StreamsGroupCurrentMemberAssignmentValue.standby_tasks_pending_revocation: a tagged field is not of its size")
        standby_tasks_pending_revocation.append(TaskIds(subtopology_id_5, partitions_5, assignment_epochs_9))
    warmup_tasks_pending_revocation_count = buffer[p]
    p += 1
    if warmup_tasks_pending_revocation_count > 127:
        warmup_tasks_pending_revocation_count, p = uvarint_tail(buffer, p, warmup_tasks_pending_revocation_count)
    if warmup_tasks_pending_revocation_count == 0:
        raise missing("StreamsGroupCurrentMemberAssignmentValue.warmup_tasks_pending_revocation")
    warmup_tasks_pending_revocation_count -= 1
    if warmup_tasks_pending_revocation_count > room or warmup_tasks_pending_revocation_count * 3 > end - p:
        raise too_many("StreamsGroupCurrentMemberAssignmentValue.warmup_tasks_pending_revocation", warmup_tasks_pending_revocation_count)
    room -= warmup_tasks_pending_revocation_count
    warmup_tasks_pending_revocation: list[TaskIds] = []
    for _ in range(warmup_tasks_pending_revocation_count):
        subtopology_id_size_6 = buffer[p]
        p += 1
        if subtopology_id_size_6 > 127:
            subtopology_id_size_6, p = string_tail(buffer, p, subtopology_id_size_6)
        if subtopology_id_size_6 == 0:
            raise missing("StreamsGroupCurrentMemberAssignmentValue.warmup_tasks_pending_revocation.subtopology_id")
        stop = p + subtopology_id_size_6 - 1
        subtopology_id_6 = buffer[p:stop].tobytes().decode()
        p = stop
        partitions_count_6 = buffer[p]
        p += 1
        if partitions_count_6 > 127:
            partitions_count_6, p = uvarint_tail(buffer, p, partitions_count_6)
        if partitions_count_6 == 0:
            raise missing("StreamsGroupCurrentMemberAssignmentValue.warmup_tasks_pending_revocation.partitions")
        partitions_count_6 -= 1
        partitions_6 = read_int32s(buffer, p, partitions_count_6)
        p += partitions_count_6 * 4
        tags_6 = buffer[p]
        p += 1
        assignment_epochs_11: list[int] | None = []
        if tags_6:
            if tags_6 > 127:
                tags_6, p = uvarint_tail(buffer, p, tags_6)
            tag_6 = -1
            for _ in range(tags_6):
                tag_6, tag_stop_6, p = read_tag(buffer, p, tag_6)
                if tag_6 == 0:
                    assignment_epochs_count_6 = buffer[p]
                    p += 1
                    if assignment_epochs_count_6 > 127:
                        assignment_epochs_count_6, p = uvarint_tail(buffer, p, assignment_epochs_count_6)
                    assignment_epochs_12: list[int] | None = None
                    if assignment_epochs_count_6:
                        assignment_epochs_count_6 -= 1
                        assignment_epochs_12 = read_int32s(buffer, p, assignment_epochs_count_6)
                        p += assignment_epochs_count_6 * 4
                    assignment_epochs_11 = assignment_epochs_12
                else:
                    p = tag_stop_6
                if p != tag_stop_6:
                    raise DecodeError("StreamsGroupCurrentMemberAssignmentValue.warmup_tasks_pending_revocation: a tagged field is not of its size")
        warmup_tasks_pending_revocation.append(TaskIds(subtopology_id_6, partitions_6, assignment_epochs_11))
    tags_7 = buffer[p]
    p += 1
    if tags_7:
        p = skip_tags(buffer, p, tags_7)
    return StreamsGroupCurrentMemberAssignmentValue(member_epoch, previous_member_epoch, state, active_tasks, standby_tasks, warmup_tasks, active_tasks_pending_revocation, standby_tasks_pending_revocation, warmup_tasks_pending_revocation), p


def _encode_0(message: StreamsGroupCurrentMemberAssignmentValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    active_tasks = message.active_tasks
    active_tasks_count = len(active_tasks) + 1
    out += (
        _pack_iib(message.member_epoch, message.previous_member_epoch, message.state),
        UVARINTS[active_tasks_count] if active_tasks_count < 256 else uvarint(active_tasks_count),
    )
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
        )
        tags = 0
        tagged: list[bytes] = []
        if element.assignment_epochs is None or element.assignment_epochs:
            content: list[bytes] = []
            assignment_epochs = element.assignment_epochs
            if assignment_epochs is None:
                content.append(b"\0")
            else:
                assignment_epochs_count = len(assignment_epochs) + 1
                content += (
                    UVARINTS[assignment_epochs_count] if assignment_epochs_count < 256 else uvarint(assignment_epochs_count),
                    write_int32s(assignment_epochs),
                )
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
        )
        tags_2 = 0
        tagged_2: list[bytes] = []
        if element_2.assignment_epochs is None or element_2.assignment_epochs:
            content_2: list[bytes] = []
            assignment_epochs_2 = element_2.assignment_epochs
            if assignment_epochs_2 is None:
                content_2.append(b"\0")
            else:
                assignment_epochs_count_2 = len(assignment_epochs_2) + 1
                content_2 += (
                    UVARINTS[assignment_epochs_count_2] if assignment_epochs_count_2 < 256 else uvarint(assignment_epochs_count_2),
                    write_int32s(assignment_epochs_2),
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
        )
        tags_3 = 0
        tagged_3: list[bytes] = []
        if element_3.assignment_epochs is None or element_3.assignment_epochs:
            content_3: list[bytes] = []
            assignment_epochs_3 = element_3.assignment_epochs
            if assignment_epochs_3 is None:
                content_3.append(b"\0")
            else:
                assignment_epochs_count_3 = len(assignment_epochs_3) + 1
                content_3 += (
                    UVARINTS[assignment_epochs_count_3] if assignment_epochs_count_3 < 256 else uvarint(assignment_epochs_count_3),
                    write_int32s(assignment_epochs_3),
                )
            joined_3 = b"".join(content_3)
            joined_size_3 = len(joined_3)
            tags_3 += 1
            tagged_3 += (
                UVARINTS[0],
                UVARINTS[joined_size_3] if joined_size_3 < 256 else uvarint(joined_size_3),
                joined_3,
            )
        if tags_3:
            out.append(UVARINTS[tags_3])
            out += tagged_3
        else:
            out.append(b"\0")
    active_tasks_pending_revocation = message.active_tasks_pending_revocation
    active_tasks_pending_revocation_count = len(active_tasks_pending_revocation) + 1
    out.append(UVARINTS[active_tasks_pending_revocation_count] if active_tasks_pending_revocation_count < 256 else uvarint(active_tasks_pending_revocation_count))
    for element_4 in active_tasks_pending_revocation:
        subtopology_id_4 = element_4.subtopology_id.encode()
        subtopology_id_size_4 = len(subtopology_id_4) + 1
        partitions_4 = element_4.partitions
        partitions_count_4 = len(partitions_4) + 1
        out += (
            UVARINTS[subtopology_id_size_4] if subtopology_id_size_4 < 256 else string_prefix(subtopology_id_size_4),
            subtopology_id_4,
            UVARINTS[partitions_count_4] if partitions_count_4 < 256 else uvarint(partitions_count_4),
            write_int32s(partitions_4),
        )
        tags_4 = 0
        tagged_4: list[bytes] = []
        if element_4.assignment_epochs is None or element_4.assignment_epochs:
            content_4: list[bytes] = []
            assignment_epochs_4 = element_4.assignment_epochs
            if assignment_epochs_4 is None:
                content_4.append(b"\0")
            else:
                assignment_epochs_count_4 = len(assignment_epochs_4) + 1
                content_4 += (
                    UVARINTS[assignment_epochs_count_4] if assignment_epochs_count_4 < 256 else uvarint(assignment_epochs_count_4),
                    write_int32s(assignment_epochs_4),
                )
            joined_4 = b"".join(content_4)
            joined_size_4 = len(joined_4)
            tags_4 += 1
            tagged_4 += (
                UVARINTS[0],
                UVARINTS[joined_size_4] if joined_size_4 < 256 else uvarint(joined_size_4),
                joined_4,
            )
        if tags_4:
            out.append(UVARINTS[tags_4])
            out += tagged_4
        else:
            out.append(b"\0")
    standby_tasks_pending_revocation = message.standby_tasks_pending_revocation
    standby_tasks_pending_revocation_count = len(standby_tasks_pending_revocation) + 1
    out.append(UVARINTS[standby_tasks_pending_revocation_count] if standby_tasks_pending_revocation_count < 256 else uvarint(standby_tasks_pending_revocation_count))
    for element_5 in standby_tasks_pending_revocation:
        subtopology_id_5 = element_5.subtopology_id.encode()
        subtopology_id_size_5 = len(subtopology_id_5) + 1
        partitions_5 = element_5.partitions
        partitions_count_5 = len(partitions_5) + 1
        out += (
            UVARINTS[subtopology_id_size_5] if subtopology_id_size_5 < 256 else string_prefix(subtopology_id_size_5),
            subtopology_id_5,
            UVARINTS[partitions_count_5] if partitions_count_5 < 256 else uvarint(partitions_count_5),
            write_int32s(partitions_5),
        )
        tags_5 = 0
        tagged_5: list[bytes] = []
        if element_5.assignment_epochs is None or element_5.assignment_epochs:
            content_5: list[bytes] = []
            assignment_epochs_5 = element_5.assignment_epochs
            if assignment_epochs_5 is None:
                content_5.append(b"\0")
            else:
                assignment_epochs_count_5 = len(assignment_epochs_5) + 1
                content_5 += (
                    UVARINTS[assignment_epochs_count_5] if assignment_epochs_count_5 < 256 else uvarint(assignment_epochs_count_5),
                    write_int32s(assignment_epochs_5),
                )
            joined_5 = b"".join(content_5)
            joined_size_5 = len(joined_5)
            tags_5 += 1
            tagged_5 += (
                UVARINTS[0],
                UVARINTS[joined_size_5] if joined_size_5 < 256 else uvarint(joined_size_5),
                joined_5,
            )
        if tags_5:
            out.append(UVARINTS[tags_5])
            out += tagged_5
        else:
            out.append(b"\0")
    warmup_tasks_pending_revocation = message.warmup_tasks_pending_revocation
    warmup_tasks_pending_revocation_count = len(warmup_tasks_pending_revocation) + 1
    out.append(UVARINTS[warmup_tasks_pending_revocation_count] if warmup_tasks_pending_revocation_count < 256 else uvarint(warmup_tasks_pending_revocation_count))
    for element_6 in warmup_tasks_pending_revocation:
        subtopology_id_6 = element_6.subtopology_id.encode()
        subtopology_id_size_6 = len(subtopology_id_6) + 1
        partitions_6 = element_6.partitions
        partitions_count_6 = len(partitions_6) + 1
        out += (
            UVARINTS[subtopology_id_size_6] if subtopology_id_size_6 < 256 else string_prefix(subtopology_id_size_6),
            subtopology_id_6,
            UVARINTS[partitions_count_6] if partitions_count_6 < 256 else uvarint(partitions_count_6),
            write_int32s(partitions_6),
        )
        tags_6 = 0
        tagged_6: list[bytes] = []
        if element_6.assignment_epochs is None or element_6.assignment_epochs:
            content_6: list[bytes] = []
            assignment_epochs_6 = element_6.assignment_epochs
            if assignment_epochs_6 is None:
                content_6.append(b"\0")
            else:
                assignment_epochs_count_6 = len(assignment_epochs_6) + 1
                content_6 += (
                    UVARINTS[assignment_epochs_count_6] if assignment_epochs_count_6 < 256 else uvarint(assignment_epochs_count_6),
                    write_int32s(assignment_epochs_6),
                )
            joined_6 = b"".join(content_6)
            joined_size_6 = len(joined_6)
            tags_6 += 1
            tagged_6 += (
                UVARINTS[0],
                UVARINTS[joined_size_6] if joined_size_6 < 256 else uvarint(joined_size_6),
                joined_6,
            )
        if tags_6:
            out.append(UVARINTS[tags_6])
            out += tagged_6
        else:
            out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[StreamsGroupCurrentMemberAssignmentValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[StreamsGroupCurrentMemberAssignmentValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[StreamsGroupCurrentMemberAssignmentValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"StreamsGroupCurrentMemberAssignmentValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"StreamsGroupCurrentMemberAssignmentValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"StreamsGroupCurrentMemberAssignmentValue v{version} is cut short")
    return result


def encode(message: StreamsGroupCurrentMemberAssignmentValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"StreamsGroupCurrentMemberAssignmentValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"StreamsGroupCurrentMemberAssignmentValue v{version}: {error}") from error
