"""ConsumerGroupDescribeRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "ConsumerGroupDescribeRequest"
API_KEY: Final = 69
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_zB = Struct(">?B").unpack_from
_pack_zx = Struct(">?x").pack


@dataclass(init=False, repr=False, eq=False)
class ConsumerGroupDescribeRequest(Wire):
    """ConsumerGroupDescribeRequest."""

    __slots__ = ("group_ids", "include_authorized_operations")

    group_ids: list[str]
    include_authorized_operations: bool

    def __init__(
        self,
        group_ids: list[str] = UNSET,
        include_authorized_operations: bool = False,
    ) -> None:
        self.group_ids = [] if group_ids is UNSET else group_ids
        self.include_authorized_operations = include_authorized_operations


def _decode_0(buffer: memoryview, p: int) -> tuple[ConsumerGroupDescribeRequest, int]:
    """Versions 0, 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    group_ids_count = buffer[p]
    p += 1
    if group_ids_count > 127:
        group_ids_count, p = uvarint_tail(buffer, p, group_ids_count)
    if group_ids_count == 0:
        raise missing("ConsumerGroupDescribeRequest.group_ids")
    group_ids_count -= 1
    if group_ids_count > room or group_ids_count > end - p:
        raise too_many("ConsumerGroupDescribeRequest.group_ids", group_ids_count)
    room -= group_ids_count
    group_ids: list[str] = []
    for _ in range(group_ids_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("ConsumerGroupDescribeRequest.group_ids")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        group_ids.append(element)
    include_authorized_operations, tags = _unpack_zB(buffer, p)
    p += 2
    if tags:
        p = skip_tags(buffer, p, tags)
    return ConsumerGroupDescribeRequest(group_ids, include_authorized_operations), p


def _encode_0(message: ConsumerGroupDescribeRequest) -> bytes:
    """Versions 0, 1."""
    out: list[bytes] = []
    group_ids = message.group_ids
    group_ids_count = len(group_ids) + 1
    out.append(UVARINTS[group_ids_count] if group_ids_count < 256 else uvarint(group_ids_count))
    for element in group_ids:
        text = element.encode()
        text_size = len(text) + 1
        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    out.append(_pack_zx(message.include_authorized_operations))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ConsumerGroupDescribeRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ConsumerGroupDescribeRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ConsumerGroupDescribeRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ConsumerGroupDescribeRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ConsumerGroupDescribeRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ConsumerGroupDescribeRequest v{version} is cut short")
    return result


def encode(message: ConsumerGroupDescribeRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ConsumerGroupDescribeRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ConsumerGroupDescribeRequest v{version}: {error}") from error
