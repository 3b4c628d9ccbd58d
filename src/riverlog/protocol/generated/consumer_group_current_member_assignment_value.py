"""ConsumerGroupCurrentMemberAssignmentValue. Written by `python -m codegen` from schemas/group; do not edit."""

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
    read_int32s,
    read_tag,
    skip_tags,
    too_many,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
    write_int32s,
    ZERO_UUID,
)

NAME: Final = "ConsumerGroupCurrentMemberAssignmentValue"
API_KEY: Final = 8
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_iibB = Struct(">iibB").unpack_from
_pack_u = Struct(">16s").pack
_pack_iib = Struct(">iib").pack


@dataclass(init=False, repr=False, eq=False)
class TopicPartitions(Wire):
    """TopicPartitions."""

    __slots__ = ("topic_id", "partitions", "assignment_epochs")

    topic_id: bytes
    partitions: list[int]
    assignment_epochs: list[int] | None

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: list[int] = UNSET,
        assignment_epochs: list[int] | None = UNSET,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions
        self.assignment_epochs = [] if assignment_epochs is UNSET else assignment_epochs


@dataclass(init=False, repr=False, eq=False)
class ConsumerGroupCurrentMemberAssignmentValue(Wire):
    """ConsumerGroupCurrentMemberAssignmentValue."""

    __slots__ = ("member_epoch", "previous_member_epoch", "state", "assigned_partitions", "partitions_pending_revocation")

    member_epoch: int
    previous_member_epoch: int
    state: int
    assigned_partitions: list[TopicPartitions]
    partitions_pending_revocation: list[TopicPartitions]

    def __init__(
        self,
        member_epoch: int = 0,
        previous_member_epoch: int = 0,
        state: int = 0,
        assigned_partitions: list[TopicPartitions] = UNSET,
        partitions_pending_revocation: list[TopicPartitions] = UNSET,
    ) -> None:
        self.member_epoch = member_epoch
        self.previous_member_epoch = previous_member_epoch
        self.state = state
        self.assigned_partitions = [] if assigned_partitions is UNSET else assigned_partitions
        self.partitions_pending_revocation = [] if partitions_pending_revocation is UNSET else partitions_pending_revocation


def _decode_0(buffer: memoryview, p: int) -> tuple[ConsumerGroupCurrentMemberAssignmentValue, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    member_epoch, previous_member_epoch, state, assigned_partitions_count = _unpack_iibB(buffer, p)
    p += 10
    if assigned_partitions_count > 127:
        assigned_partitions_count, p = uvarint_tail(buffer, p, assigned_partitions_count)
    if assigned_partitions_count == 0:
        raise missing("ConsumerGroupCurrentMemberAssignmentValue.assigned_partitions")
    assigned_partitions_count -= 1
    if assigned_partitions_count > room or assigned_partitions_count * 18 > end - p:
        raise too_many("ConsumerGroupCurrentMemberAssignmentValue.assigned_partitions", assigned_partitions_count)
    room -= assigned_partitions_count
    assigned_partitions: list[TopicPartitions] = []
    for _ in range(assigned_partitions_count):
        topic_id, partitions_count = _unpack_uB(buffer, p)
        p += 17
        if partitions_count > 127:
            partitions_count, p = uvarint_tail(buffer, p, partitions_count)
        if partitions_count == 0:
            raise missing("ConsumerGroupCurrentMemberAssignmentValue.assigned_partitions.partitions")
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
                    raise DecodeError("ConsumerGroupCurrentMemberAssignmentValue.assigned_partitions: a tagged field is not of its size")
        assigned_partitions.append(TopicPartitions(topic_id, partitions, assignment_epochs))
    partitions_pending_revocation_count = buffer[p]
    p += 1
    if partitions_pending_revocation_count > 127:
        partitions_pending_revocation_count, p = uvarint_tail(buffer, p, partitions_pending_revocation_count)
    if partitions_pending_revocation_count == 0:
        raise missing("ConsumerGroupCurrentMemberAssignmentValue.partitions_pending_revocation")
    partitions_pending_revocation_count -= 1
    if partitions_pending_revocation_count > room or partitions_pending_revocation_count * 18 > end - p:
        raise too_many("ConsumerGroupCurrentMemberAssignmentValue.partitions_pending_revocation", partitions_pending_revocation_count)
    room -= partitions_pending_revocation_count
    partitions_pending_revocation: list[TopicPartitions] = []
    for _ in range(partitions_pending_revocation_count):
        topic_id_2, partitions_count_2 = _unpack_uB(buffer, p)
        p += 17
        if partitions_count_2 > 127:
            partitions_count_2, p = uvarint_tail(buffer, p, partitions_count_2)
        if partitions_count_2 == 0:
            raise missing("ConsumerGroupCurrentMemberAssignmentValue.partitions_pending_revocation.partitions")
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
                    raise DecodeError("ConsumerGroupCurrentMemberAssignmentValue.partitions_pending_revocation: a tagged field is not of its size")
        partitions_pending_revocation.append(TopicPartitions(topic_id_2, partitions_2, assignment_epochs_3))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return ConsumerGroupCurrentMemberAssignmentValue(member_epoch, previous_member_epoch, state, assigned_partitions, partitions_pending_revocation), p


def _encode_0(message: ConsumerGroupCurrentMemberAssignmentValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    assigned_partitions = message.assigned_partitions
    assigned_partitions_count = len(assigned_partitions) + 1
    out += (
        _pack_iib(message.member_epoch, message.previous_member_epoch, message.state),
        UVARINTS[assigned_partitions_count] if assigned_partitions_count < 256 else uvarint(assigned_partitions_count),
    )
    for element in assigned_partitions:
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("ConsumerGroupCurrentMemberAssignmentValue.assigned_partitions.topic_id")
        partitions = element.partitions
        partitions_count = len(partitions) + 1
        out += (
            _pack_u(topic_id),
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
    partitions_pending_revocation = message.partitions_pending_revocation
    partitions_pending_revocation_count = len(partitions_pending_revocation) + 1
    out.append(UVARINTS[partitions_pending_revocation_count] if partitions_pending_revocation_count < 256 else uvarint(partitions_pending_revocation_count))
    for element_2 in partitions_pending_revocation:
        topic_id_2 = element_2.topic_id
        if len(topic_id_2) != 16:
            raise bad_uuid("ConsumerGroupCurrentMemberAssignmentValue.partitions_pending_revocation.topic_id")
        partitions_2 = element_2.partitions
        partitions_count_2 = len(partitions_2) + 1
        out += (
            _pack_u(topic_id_2),
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
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ConsumerGroupCurrentMemberAssignmentValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ConsumerGroupCurrentMemberAssignmentValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ConsumerGroupCurrentMemberAssignmentValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ConsumerGroupCurrentMemberAssignmentValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ConsumerGroupCurrentMemberAssignmentValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ConsumerGroupCurrentMemberAssignmentValue v{version} is cut short")
    return result


def encode(message: ConsumerGroupCurrentMemberAssignmentValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ConsumerGroupCurrentMemberAssignmentValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ConsumerGroupCurrentMemberAssignmentValue v{version}: {error}") from error
