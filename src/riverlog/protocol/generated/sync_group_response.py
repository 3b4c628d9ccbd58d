"""SyncGroupResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    missing,
    skip_tags,
    string_prefix,
    string_tail,
    UNFIT,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
)

NAME: Final = "SyncGroupResponse"
API_KEY: Final = 14
VERSIONS: Final[tuple[int, int]] = (0, 5)
FLEXIBLE_FROM: Final = 4
LATEST_UNSTABLE: Final = False

_unpack_hi = Struct(">hi").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ihi = Struct(">ihi").unpack_from
_pack_hi = Struct(">hi").pack
_pack_ih = Struct(">ih").pack
_pack_ihi = Struct(">ihi").pack


@dataclass(init=False, repr=False, eq=False)
class SyncGroupResponse(Wire):
    """SyncGroupResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "protocol_type", "protocol_name", "assignment")

    throttle_time_ms: int
    error_code: int
    protocol_type: str | None
    protocol_name: str | None
    assignment: bytes

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        protocol_type: str | None = None,
        protocol_name: str | None = None,
        assignment: bytes = b"",
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.protocol_type = protocol_type
        self.protocol_name = protocol_name
        self.assignment = assignment


def _decode_0(buffer: memoryview, p: int) -> tuple[SyncGroupResponse, int]:
    """Versions 0."""
    error_code, assignment_size = _unpack_hi(buffer, p)
    p += 6
    if assignment_size < 0:
        raise missing("SyncGroupResponse.assignment")
    stop = p + assignment_size
    assignment = buffer[p:stop].tobytes()
    p = stop
    return SyncGroupResponse(0, error_code, None, None, assignment), p


def _decode_1(buffer: memoryview, p: int) -> tuple[SyncGroupResponse, int]:
    """Versions 1, 2, 3."""
    throttle_time_ms, error_code, assignment_size = _unpack_ihi(buffer, p)
    p += 10
    if assignment_size < 0:
        raise missing("SyncGroupResponse.assignment")
    stop = p + assignment_size
    assignment = buffer[p:stop].tobytes()
    p = stop
    return SyncGroupResponse(throttle_time_ms, error_code, None, None, assignment), p


def _decode_2(buffer: memoryview, p: int) -> tuple[SyncGroupResponse, int]:
    """Versions 4."""
    throttle_time_ms, error_code, assignment_size = _unpack_ihB(buffer, p)
    p += 7
    if assignment_size > 127:
        assignment_size, p = uvarint_tail(buffer, p, assignment_size)
    if assignment_size == 0:
        raise missing("SyncGroupResponse.assignment")
    stop = p + assignment_size - 1
    assignment = buffer[p:stop].tobytes()
    p = stop
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return SyncGroupResponse(throttle_time_ms, error_code, None, None, assignment), p


def _decode_3(buffer: memoryview, p: int) -> tuple[SyncGroupResponse, int]:
    """Versions 5."""
    throttle_time_ms, error_code, protocol_type_size = _unpack_ihB(buffer, p)
    p += 7
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
    assignment_size = buffer[p]
    p += 1
    if assignment_size > 127:
        assignment_size, p = uvarint_tail(buffer, p, assignment_size)
    if assignment_size == 0:
        raise missing("SyncGroupResponse.assignment")
    stop = p + assignment_size - 1
    assignment = buffer[p:stop].tobytes()
    p = stop
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return SyncGroupResponse(throttle_time_ms, error_code, protocol_type, protocol_name, assignment), p


def _encode_0(message: SyncGroupResponse) -> bytes:
    """Versions 0."""
    assignment = message.assignment
    assignment_size = len(assignment)
    return b"".join((_pack_hi(message.error_code, assignment_size), assignment))


def _encode_1(message: SyncGroupResponse) -> bytes:
    """Versions 1, 2, 3."""
    assignment = message.assignment
    assignment_size = len(assignment)
    return b"".join((_pack_ihi(message.throttle_time_ms, message.error_code, assignment_size), assignment))


def _encode_2(message: SyncGroupResponse) -> bytes:
    """Versions 4."""
    assignment = message.assignment
    assignment_size = len(assignment) + 1
    return b"".join((_pack_ih(message.throttle_time_ms, message.error_code), UVARINTS[assignment_size] if assignment_size < 256 else uvarint(assignment_size), assignment, b"\0"))


def _encode_3(message: SyncGroupResponse) -> bytes:
    """Versions 5."""
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
    assignment = message.assignment
    assignment_size = len(assignment) + 1
    return b"".join((_pack_ih(message.throttle_time_ms, message.error_code), UVARINTS[protocol_type_size] if protocol_type_size < 256 else string_prefix(protocol_type_size), protocol_type, UVARINTS[protocol_name_size] if protocol_name_size < 256 else string_prefix(protocol_name_size), protocol_name, UVARINTS[assignment_size] if assignment_size < 256 else uvarint(assignment_size), assignment, b"\0"))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[SyncGroupResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_1,
    3: _decode_1,
    4: _decode_2,
    5: _decode_3,
}
_ENCODERS: Final[dict[int, Callable[[SyncGroupResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_1,
    3: _encode_1,
    4: _encode_2,
    5: _encode_3,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[SyncGroupResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"SyncGroupResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"SyncGroupResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"SyncGroupResponse v{version} is cut short")
    return result


def encode(message: SyncGroupResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"SyncGroupResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"SyncGroupResponse v{version}: {error}") from error
