"""StreamsGroupTargetAssignmentMetadataValue. Written by `python -m codegen` from schemas/group; do not edit."""

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
    read_tag,
    UNFIT,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
)

NAME: Final = "StreamsGroupTargetAssignmentMetadataValue"
API_KEY: Final = 20
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iB = Struct(">iB").unpack_from
_unpack_q = Struct(">q").unpack_from
_pack_i = Struct(">i").pack
_pack_q = Struct(">q").pack


@dataclass(init=False, repr=False, eq=False)
class StreamsGroupTargetAssignmentMetadataValue(Wire):
    """StreamsGroupTargetAssignmentMetadataValue."""

    __slots__ = ("assignment_epoch", "assignment_timestamp")

    assignment_epoch: int
    assignment_timestamp: int

    def __init__(
        self,
        assignment_epoch: int = 0,
        assignment_timestamp: int = 0,
    ) -> None:
        self.assignment_epoch = assignment_epoch
        self.assignment_timestamp = assignment_timestamp


def _decode_0(buffer: memoryview, p: int) -> tuple[StreamsGroupTargetAssignmentMetadataValue, int]:
    """Versions 0."""
    assignment_epoch, tags = _unpack_iB(buffer, p)
    p += 5
    assignment_timestamp: int = 0
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                (assignment_timestamp_2,) = _unpack_q(buffer, p)
                p += 8
                assignment_timestamp = assignment_timestamp_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("StreamsGroupTargetAssignmentMetadataValue: a tagged field is not of its size")
    return StreamsGroupTargetAssignmentMetadataValue(assignment_epoch, assignment_timestamp), p


def _encode_0(message: StreamsGroupTargetAssignmentMetadataValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    out.append(_pack_i(message.assignment_epoch))
    tags = 0
    tagged: list[bytes] = []
    if message.assignment_timestamp != 0:
        content: list[bytes] = []
        content.append(_pack_q(message.assignment_timestamp))
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[StreamsGroupTargetAssignmentMetadataValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[StreamsGroupTargetAssignmentMetadataValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[StreamsGroupTargetAssignmentMetadataValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"StreamsGroupTargetAssignmentMetadataValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"StreamsGroupTargetAssignmentMetadataValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"StreamsGroupTargetAssignmentMetadataValue v{version} is cut short")
    return result


def encode(message: StreamsGroupTargetAssignmentMetadataValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"StreamsGroupTargetAssignmentMetadataValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"StreamsGroupTargetAssignmentMetadataValue v{version}: {error}") from error
