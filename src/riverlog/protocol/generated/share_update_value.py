"""ShareUpdateValue. Written by `python -m codegen` from schemas/share; do not edit."""

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
    read_tag,
    skip_tags,
    too_many,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
)

NAME: Final = "ShareUpdateValue"
API_KEY: Final = 1
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_i = Struct(">i").unpack_from
_unpack_iiqB = Struct(">iiqB").unpack_from
_unpack_qqbhB = Struct(">qqbhB").unpack_from
_pack_i = Struct(">i").pack
_pack_iiq = Struct(">iiq").pack
_pack_qqbhx = Struct(">qqbhx").pack


@dataclass(init=False, repr=False, eq=False)
class StateBatch(Wire):
    """StateBatch."""

    __slots__ = ("first_offset", "last_offset", "delivery_state", "delivery_count")

    first_offset: int
    last_offset: int
    delivery_state: int
    delivery_count: int

    def __init__(
        self,
        first_offset: int = 0,
        last_offset: int = 0,
        delivery_state: int = 0,
        delivery_count: int = 0,
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.delivery_state = delivery_state
        self.delivery_count = delivery_count


@dataclass(init=False, repr=False, eq=False)
class ShareUpdateValue(Wire):
    """ShareUpdateValue."""

    __slots__ = ("snapshot_epoch", "leader_epoch", "start_offset", "delivery_complete_count", "state_batches")

    snapshot_epoch: int
    leader_epoch: int
    start_offset: int
    delivery_complete_count: int
    state_batches: list[StateBatch]

    def __init__(
        self,
        snapshot_epoch: int = 0,
        leader_epoch: int = 0,
        start_offset: int = 0,
        delivery_complete_count: int = -1,
        state_batches: list[StateBatch] = UNSET,
    ) -> None:
        self.snapshot_epoch = snapshot_epoch
        self.leader_epoch = leader_epoch
        self.start_offset = start_offset
        self.delivery_complete_count = delivery_complete_count
        self.state_batches = [] if state_batches is UNSET else state_batches


def _decode_0(buffer: memoryview, p: int) -> tuple[ShareUpdateValue, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    snapshot_epoch, leader_epoch, start_offset, state_batches_count = _unpack_iiqB(buffer, p)
    p += 17
    if state_batches_count > 127:
        state_batches_count, p = uvarint_tail(buffer, p, state_batches_count)
    if state_batches_count == 0:
        raise missing("ShareUpdateValue.state_batches")
    state_batches_count -= 1
    if state_batches_count > room or state_batches_count * 20 > end - p:
        raise too_many("ShareUpdateValue.state_batches", state_batches_count)
    room -= state_batches_count
    state_batches: list[StateBatch] = []
    for _ in range(state_batches_count):
        first_offset, last_offset, delivery_state, delivery_count, tags = _unpack_qqbhB(buffer, p)
        p += 20
        if tags:
            p = skip_tags(buffer, p, tags)
        state_batches.append(StateBatch(first_offset, last_offset, delivery_state, delivery_count))
    tags_2 = buffer[p]
    p += 1
    delivery_complete_count: int = -1
    if tags_2:
        if tags_2 > 127:
            tags_2, p = uvarint_tail(buffer, p, tags_2)
        tag = -1
        for _ in range(tags_2):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                (delivery_complete_count_2,) = _unpack_i(buffer, p)
                p += 4
                delivery_complete_count = delivery_complete_count_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("ShareUpdateValue: a tagged field is not of its size")
    return ShareUpdateValue(snapshot_epoch, leader_epoch, start_offset, delivery_complete_count, state_batches), p


def _encode_0(message: ShareUpdateValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    state_batches = message.state_batches
    state_batches_count = len(state_batches) + 1
    out += (
        _pack_iiq(message.snapshot_epoch, message.leader_epoch, message.start_offset),
        UVARINTS[state_batches_count] if state_batches_count < 256 else uvarint(state_batches_count),
    )
    out += [_pack_qqbhx(element.first_offset, element.last_offset, element.delivery_state, element.delivery_count) for element in state_batches]
    tags = 0
    tagged: list[bytes] = []
    if message.delivery_complete_count != -1:
        content: list[bytes] = []
        content.append(_pack_i(message.delivery_complete_count))
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


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ShareUpdateValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ShareUpdateValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ShareUpdateValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ShareUpdateValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ShareUpdateValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ShareUpdateValue v{version} is cut short")
    return result


def encode(message: ShareUpdateValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ShareUpdateValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ShareUpdateValue v{version}: {error}") from error
