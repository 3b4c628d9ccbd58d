"""SyncGroupRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    not_in_version,
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
)

NAME: Final = "SyncGroupRequest"
API_KEY: Final = 14
VERSIONS: Final[tuple[int, int]] = (0, 5)
FLEXIBLE_FROM: Final = 4
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ih = Struct(">ih").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack


@dataclass(init=False, repr=False, eq=False)
class SyncGroupRequestAssignment(Wire):
    """SyncGroupRequestAssignment."""

    __slots__ = ("member_id", "assignment")

    member_id: str
    assignment: bytes

    def __init__(
        self,
        member_id: str = "",
        assignment: bytes = b"",
    ) -> None:
        self.member_id = member_id
        self.assignment = assignment


@dataclass(init=False, repr=False, eq=False)
class SyncGroupRequest(Wire):
    """SyncGroupRequest."""

    __slots__ = ("group_id", "generation_id", "member_id", "group_instance_id", "protocol_type", "protocol_name", "assignments")

    group_id: str
    generation_id: int
    member_id: str
    group_instance_id: str | None
    protocol_type: str | None
    protocol_name: str | None
    assignments: list[SyncGroupRequestAssignment]

    def __init__(
        self,
        group_id: str = "",
        generation_id: int = 0,
        member_id: str = "",
        group_instance_id: str | None = None,
        protocol_type: str | None = None,
        protocol_name: str | None = None,
        assignments: list[SyncGroupRequestAssignment] = UNSET,
    ) -> None:
        self.group_id = group_id
        self.generation_id = generation_id
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.protocol_type = protocol_type
        self.protocol_name = protocol_name
        self.assignments = [] if assignments is UNSET else assignments


def _decode_0(buffer: memoryview, p: int) -> tuple[SyncGroupRequest, int]:
    """Versions 0, 1, 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("SyncGroupRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    generation_id, member_id_size = _unpack_ih(buffer, p)
    p += 6
    if member_id_size < 0:
        raise missing("SyncGroupRequest.member_id")
    stop = p + member_id_size
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    (assignments_count,) = _unpack_i(buffer, p)
    p += 4
    if assignments_count < 0:
        raise missing("SyncGroupRequest.assignments")
    if assignments_count > room or assignments_count * 6 > end - p:
        raise too_many("SyncGroupRequest.assignments", assignments_count)
    room -= assignments_count
    assignments: list[SyncGroupRequestAssignment] = []
    for _ in range(assignments_count):
        (member_id_size_2,) = _unpack_h(buffer, p)
        p += 2
        if member_id_size_2 < 0:
            raise missing("SyncGroupRequest.assignments.member_id")
        stop = p + member_id_size_2
        member_id_2 = buffer[p:stop].tobytes().decode()
        p = stop
        (assignment_size,) = _unpack_i(buffer, p)
        p += 4
        if assignment_size < 0:
            raise missing("SyncGroupRequest.assignments.assignment")
        stop = p + assignment_size
        assignment = buffer[p:stop].tobytes()
        p = stop
        assignments.append(SyncGroupRequestAssignment(member_id_2, assignment))
    return SyncGroupRequest(group_id, generation_id, member_id, None, None, None, assignments), p


def _decode_1(buffer: memoryview, p: int) -> tuple[SyncGroupRequest, int]:
    """Versions 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("SyncGroupRequest.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    generation_id, member_id_size = _unpack_ih(buffer, p)
    p += 6
    if member_id_size < 0:
        raise missing("SyncGroupRequest.member_id")
    stop = p + member_id_size
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    (group_instance_id_size,) = _unpack_h(buffer, p)
    p += 2
    group_instance_id: str | None = None
    if group_instance_id_size >= 0:
        stop = p + group_instance_id_size
        group_instance_id = buffer[p:stop].tobytes().decode()
        p = stop
    elif group_instance_id_size != -1:
        raise missing("SyncGroupRequest.group_instance_id")
    (assignments_count,) = _unpack_i(buffer, p)
    p += 4
    if assignments_count < 0:
        raise missing("SyncGroupRequest.assignments")
    if assignments_count > room or assignments_count * 6 > end - p:
        raise too_many("SyncGroupRequest.assignments", assignments_count)
    room -= assignments_count
    assignments: list[SyncGroupRequestAssignment] = []
    for _ in range(assignments_count):
        (member_id_size_2,) = _unpack_h(buffer, p)
        p += 2
        if member_id_size_2 < 0:
            raise missing("SyncGroupRequest.assignments.member_id")
        stop = p + member_id_size_2
        member_id_2 = buffer[p:stop].tobytes().decode()
        p = stop
        (assignment_size,) = _unpack_i(buffer, p)
        p += 4
        if assignment_size < 0:
            raise missing("SyncGroupRequest.assignments.assignment")
        stop = p + assignment_size
        assignment = buffer[p:stop].tobytes()
        p = stop
        assignments.append(SyncGroupRequestAssignment(member_id_2, assignment))
    return SyncGroupRequest(group_id, generation_id, member_id, group_instance_id, None, None, assignments), p


def _decode_2(buffer: memoryview, p: int) -> tuple[SyncGroupRequest, int]:
    """Versions 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("SyncGroupRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    generation_id, member_id_size = _unpack_iB(buffer, p)
    p += 5
    if member_id_size > 127:
        member_id_size, p = string_tail(buffer, p, member_id_size)
    if member_id_size == 0:
        raise missing("SyncGroupRequest.member_id")
    stop = p + member_id_size - 1
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    group_instance_id_size = buffer[p]
    p += 1
    if group_instance_id_size > 127:
        group_instance_id_size, p = string_tail(buffer, p, group_instance_id_size)
    group_instance_id: str | None = None
    if group_instance_id_size:
        stop = p + group_instance_id_size - 1
        group_instance_id = buffer[p:stop].tobytes().decode()
        p = stop
    assignments_count = buffer[p]
    p += 1
    if assignments_count > 127:
        assignments_count, p = uvarint_tail(buffer, p, assignments_count)
    if assignments_count == 0:
        raise missing("SyncGroupRequest.assignments")
    assignments_count -= 1
    if assignments_count > room or assignments_count * 3 > end - p:
        raise too_many("SyncGroupRequest.assignments", assignments_count)
    room -= assignments_count
    assignments: list[SyncGroupRequestAssignment] = []
    for _ in range(assignments_count):
        member_id_size_2 = buffer[p]
        p += 1
        if member_id_size_2 > 127:
            member_id_size_2, p = string_tail(buffer, p, member_id_size_2)
        if member_id_size_2 == 0:
            raise missing("SyncGroupRequest.assignments.member_id")
        stop = p + member_id_size_2 - 1
        member_id_2 = buffer[p:stop].tobytes().decode()
        p = stop
        assignment_size = buffer[p]
        p += 1
        if assignment_size > 127:
            assignment_size, p = uvarint_tail(buffer, p, assignment_size)
        if assignment_size == 0:
            raise missing("SyncGroupRequest.assignments.assignment")
        stop = p + assignment_size - 1
        assignment = buffer[p:stop].tobytes()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        assignments.append(SyncGroupRequestAssignment(member_id_2, assignment))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return SyncGroupRequest(group_id, generation_id, member_id, group_instance_id, None, None, assignments), p


def _decode_3(buffer: memoryview, p: int) -> tuple[SyncGroupRequest, int]:
    """Versions 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_id_size = buffer[p]
    p += 1
    if group_id_size > 127:
        group_id_size, p = string_tail(buffer, p, group_id_size)
    if group_id_size == 0:
        raise missing("SyncGroupRequest.group_id")
    stop = p + group_id_size - 1
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    generation_id, member_id_size = _unpack_iB(buffer, p)
    p += 5
    if member_id_size > 127:
        member_id_size, p = string_tail(buffer, p, member_id_size)
    if member_id_size == 0:
        raise missing("SyncGroupRequest.member_id")
    stop = p + member_id_size - 1
    member_id = buffer[p:stop].tobytes().decode()
    p = stop
    group_instance_id_size = buffer[p]
    p += 1
    if group_instance_id_size > 127:
        group_instance_id_size, p = string_tail(buffer, p, group_instance_id_size)
    group_instance_id: str | None = None
    if group_instance_id_size:
        stop = p + group_instance_id_size - 1
        group_instance_id = buffer[p:stop].tobytes().decode()
        p = stop
    protocol_type_size = buffer[p]
    p += 1
    if protocol_type_size > 127:
        protocol_type_size, p = string_tail(buffer, p, protocol_type_size)
    protocol_type: str | None = None
    if protocol_type_size:
        stop = p + protocol_type_size - 1
        protocol_type = buffer[p:stop].tobytes().decode()
        p = stop
    protocol_name_size = buffer[p]
    p += 1
    if protocol_name_size > 127:
        protocol_name_size, p = string_tail(buffer, p, protocol_name_size)
    protocol_name: str | None = None
    if protocol_name_size:
        stop = p + protocol_name_size - 1
        protocol_name = buffer[p:stop].tobytes().decode()
        p = stop
    assignments_count = buffer[p]
    p += 1
    if assignments_count > 127:
        assignments_count, p = uvarint_tail(buffer, p, assignments_count)
    if assignments_count == 0:
        raise missing("SyncGroupRequest.assignments")
    assignments_count -= 1
    if assignments_count > room or assignments_count * 3 > end - p:
        raise too_many("SyncGroupRequest.assignments", assignments_count)
    room -= assignments_count
    assignments: list[SyncGroupRequestAssignment] = []
    for _ in range(assignments_count):
        member_id_size_2 = buffer[p]
        p += 1
        if member_id_size_2 > 127:
            member_id_size_2, p = string_tail(buffer, p, member_id_size_2)
        if member_id_size_2 == 0:
            raise missing("SyncGroupRequest.assignments.member_id")
        stop = p + member_id_size_2 - 1
        member_id_2 = buffer[p:stop].tobytes().decode()
        p = stop
        assignment_size = buffer[p]
        p += 1
        if assignment_size > 127:
            assignment_size, p = uvarint_tail(buffer, p, assignment_size)
        if assignment_size == 0:
            raise missing("SyncGroupRequest.assignments.assignment")
        stop = p + assignment_size - 1
        assignment = buffer[p:stop].tobytes()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        assignments.append(SyncGroupRequestAssignment(member_id_2, assignment))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return SyncGroupRequest(group_id, generation_id, member_id, group_instance_id, protocol_type, protocol_name, assignments), p


def _encode_0(message: SyncGroupRequest) -> bytes:
    """Versions 0, 1, 2."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    member_id = message.member_id.encode()
    member_id_size = len(member_id)
    if message.group_instance_id is not None:
        raise not_in_version("SyncGroupRequest.group_instance_id")
    assignments = message.assignments
    out += (
        _pack_h(group_id_size),
        group_id,
        _pack_ih(message.generation_id, member_id_size),
        member_id,
        _pack_i(len(assignments)),
    )
    for element in assignments:
        member_id_2 = element.member_id.encode()
        member_id_size_2 = len(member_id_2)
        assignment = element.assignment
        assignment_size = len(assignment)
        out += (_pack_h(member_id_size_2), member_id_2, _pack_i(assignment_size), assignment)
    return b"".join(out)


def _encode_1(message: SyncGroupRequest) -> bytes:
    """Versions 3."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    member_id = message.member_id.encode()
    member_id_size = len(member_id)
    group_instance_id_value = message.group_instance_id
    if group_instance_id_value is None:
        group_instance_id_size, group_instance_id = -1, b""
    else:
        group_instance_id = group_instance_id_value.encode()
        group_instance_id_size = len(group_instance_id)
    assignments = message.assignments
    out += (
        _pack_h(group_id_size),
        group_id,
        _pack_ih(message.generation_id, member_id_size),
        member_id,
        _pack_h(group_instance_id_size),
        group_instance_id,
        _pack_i(len(assignments)),
    )
    for element in assignments:
        member_id_2 = element.member_id.encode()
        member_id_size_2 = len(member_id_2)
        assignment = element.assignment
        assignment_size = len(assignment)
        out += (_pack_h(member_id_size_2), member_id_2, _pack_i(assignment_size), assignment)
    return b"".join(out)


def _encode_2(message: SyncGroupRequest) -> bytes:
    """Versions 4."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    member_id = message.member_id.encode()
    member_id_size = len(member_id) + 1
    group_instance_id_value = message.group_instance_id
    if group_instance_id_value is None:
        group_instance_id_size, group_instance_id = 0, b""
    else:
        group_instance_id = group_instance_id_value.encode()
        group_instance_id_size = len(group_instance_id) + 1
    assignments = message.assignments
    assignments_count = len(assignments) + 1
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        _pack_i(message.generation_id),
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        UVARINTS[group_instance_id_size] if group_instance_id_size < 256 else string_prefix(group_instance_id_size),
        group_instance_id,
        UVARINTS[assignments_count] if assignments_count < 256 else uvarint(assignments_count),
    )
    for element in assignments:
        member_id_2 = element.member_id.encode()
        member_id_size_2 = len(member_id_2) + 1
        assignment = element.assignment
        assignment_size = len(assignment) + 1
        out += (
            UVARINTS[member_id_size_2] if member_id_size_2 < 256 else string_prefix(member_id_size_2),
            member_id_2,
            UVARINTS[assignment_size] if assignment_size < 256 else uvarint(assignment_size),
            assignment,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


def _encode_3(message: SyncGroupRequest) -> bytes:
    """Versions 5."""
    out: list[bytes] = []
    group_id = message.group_id.encode()
    group_id_size = len(group_id) + 1
    member_id = message.member_id.encode()
    member_id_size = len(member_id) + 1
    group_instance_id_value = message.group_instance_id
    if group_instance_id_value is None:
        group_instance_id_size, group_instance_id = 0, b""
    else:
        group_instance_id = group_instance_id_value.encode()
        group_instance_id_size = len(group_instance_id) + 1
    protocol_type_value = message.protocol_type
    if protocol_type_value is None:
        protocol_type_size, protocol_type = 0, b""
    else:
        protocol_type = protocol_type_value.encode()
        protocol_type_size = len(protocol_type) + 1
    protocol_name_value = message.protocol_name
    if protocol_name_value is None:
        protocol_name_size, protocol_name = 0, b""
    else:
        protocol_name = protocol_name_value.encode()
        protocol_name_size = len(protocol_name) + 1
    assignments = message.assignments
    assignments_count = len(assignments) + 1
    out += (
        UVARINTS[group_id_size] if group_id_size < 256 else string_prefix(group_id_size),
        group_id,
        _pack_i(message.generation_id),
        UVARINTS[member_id_size] if member_id_size < 256 else string_prefix(member_id_size),
        member_id,
        UVARINTS[group_instance_id_size] if group_instance_id_size < 256 else string_prefix(group_instance_id_size),
        group_instance_id,
        UVARINTS[protocol_type_size] if protocol_type_size < 256 else string_prefix(protocol_type_size),
        protocol_type,
        UVARINTS[protocol_name_size] if protocol_name_size < 256 else string_prefix(protocol_name_size),
        protocol_name,
        UVARINTS[assignments_count] if assignments_count < 256 else uvarint(assignments_count),
    )
    for element in assignments:
        member_id_2 = element.member_id.encode()
        member_id_size_2 = len(member_id_2) + 1
        assignment = element.assignment
        assignment_size = len(assignment) + 1
        out += (
            UVARINTS[member_id_size_2] if member_id_size_2 < 256 else string_prefix(member_id_size_2),
            member_id_2,
            UVARINTS[assignment_size] if assignment_size < 256 else uvarint(assignment_size),
            assignment,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[SyncGroupRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_0,
    3: _decode_1,
    4: _decode_2,
    5: _decode_3,
}
_ENCODERS: Final[dict[int, Callable[[SyncGroupRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_0,
    3: _encode_1,
    4: _encode_2,
    5: _encode_3,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[SyncGroupRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"SyncGroupRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"SyncGroupRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"SyncGroupRequest v{version} is cut short")
    return result


def encode(message: SyncGroupRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"SyncGroupRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"SyncGroupRequest v{version}: {error}") from error
