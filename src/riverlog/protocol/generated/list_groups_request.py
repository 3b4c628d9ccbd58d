"""ListGroupsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "ListGroupsRequest"
API_KEY: Final = 16
VERSIONS: Final[tuple[int, int]] = (0, 5)
FLEXIBLE_FROM: Final = 3
LATEST_UNSTABLE: Final = False


@dataclass(init=False, repr=False, eq=False)
class ListGroupsRequest(Wire):
    """ListGroupsRequest."""

    __slots__ = ("states_filter", "types_filter")

    states_filter: list[str]
    types_filter: list[str]

    def __init__(
        self,
        states_filter: list[str] = UNSET,
        types_filter: list[str] = UNSET,
    ) -> None:
        self.states_filter = [] if states_filter is UNSET else states_filter
        self.types_filter = [] if types_filter is UNSET else types_filter


def _decode_0(buffer: memoryview, p: int) -> tuple[ListGroupsRequest, int]:
    """Versions 0, 1, 2."""
    return ListGroupsRequest([], []), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ListGroupsRequest, int]:
    """Versions 3."""
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return ListGroupsRequest([], []), p


def _decode_2(buffer: memoryview, p: int) -> tuple[ListGroupsRequest, int]:
    """Versions 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    states_filter_count = buffer[p]
    p += 1
    if states_filter_count > 127:
        states_filter_count, p = uvarint_tail(buffer, p, states_filter_count)
    if states_filter_count == 0:
        raise missing("ListGroupsRequest.states_filter")
    states_filter_count -= 1
    if states_filter_count > room or states_filter_count > end - p:
        raise too_many("ListGroupsRequest.states_filter", states_filter_count)
    room -= states_filter_count
    states_filter: list[str] = []
    for _ in range(states_filter_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("ListGroupsRequest.states_filter")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        states_filter.append(element)
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return ListGroupsRequest(states_filter, []), p


def _decode_3(buffer: memoryview, p: int) -> tuple[ListGroupsRequest, int]:
    """Versions 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    states_filter_count = buffer[p]
    p += 1
    if states_filter_count > 127:
        states_filter_count, p = uvarint_tail(buffer, p, states_filter_count)
    if states_filter_count == 0:
        raise missing("ListGroupsRequest.states_filter")
    states_filter_count -= 1
    if states_filter_count > room or states_filter_count > end - p:
        raise too_many("ListGroupsRequest.states_filter", states_filter_count)
    room -= states_filter_count
    states_filter: list[str] = []
    for _ in range(states_filter_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("ListGroupsRequest.states_filter")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        states_filter.append(element)
    types_filter_count = buffer[p]
    p += 1
    if types_filter_count > 127:
        types_filter_count, p = uvarint_tail(buffer, p, types_filter_count)
    if types_filter_count == 0:
        raise missing("ListGroupsRequest.types_filter")
    types_filter_count -= 1
    if types_filter_count > room or types_filter_count > end - p:
        raise too_many("ListGroupsRequest.types_filter", types_filter_count)
    room -= types_filter_count
    types_filter: list[str] = []
    for _ in range(types_filter_count):
        element_size_2 = buffer[p]
        p += 1
        if element_size_2 > 127:
            element_size_2, p = string_tail(buffer, p, element_size_2)
        if element_size_2 == 0:
            raise missing("ListGroupsRequest.types_filter")
        stop = p + element_size_2 - 1
        element_2 = buffer[p:stop].tobytes().decode()
        p = stop
        types_filter.append(element_2)
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return ListGroupsRequest(states_filter, types_filter), p


def _encode_0(message: ListGroupsRequest) -> bytes:
    """Versions 0, 1, 2."""
    if message.states_filter:
        raise not_in_version("ListGroupsRequest.states_filter")
    if message.types_filter:
        raise not_in_version("ListGroupsRequest.types_filter")
    return b""


def _encode_1(message: ListGroupsRequest) -> bytes:
    """Versions 3."""
    if message.states_filter:
        raise not_in_version("ListGroupsRequest.states_filter")
    if message.types_filter:
        raise not_in_version("ListGroupsRequest.types_filter")
    return b"\0"


def _encode_2(message: ListGroupsRequest) -> bytes:
    """Versions 4."""
    out: list[bytes] = []
    states_filter = message.states_filter
    states_filter_count = len(states_filter) + 1
    out.append(UVARINTS[states_filter_count] if states_filter_count < 256 else uvarint(states_filter_count))
    for element in states_filter:
        text = element.encode()
        text_size = len(text) + 1
        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    if message.types_filter:
        raise not_in_version("ListGroupsRequest.types_filter")
    out.append(b"\0")
    return b"".join(out)


def _encode_3(message: ListGroupsRequest) -> bytes:
    """Versions 5."""
    out: list[bytes] = []
    states_filter = message.states_filter
    states_filter_count = len(states_filter) + 1
    out.append(UVARINTS[states_filter_count] if states_filter_count < 256 else uvarint(states_filter_count))
    for element in states_filter:
        text = element.encode()
        text_size = len(text) + 1
        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    types_filter = message.types_filter
    types_filter_count = len(types_filter) + 1
    out.append(UVARINTS[types_filter_count] if types_filter_count < 256 else uvarint(types_filter_count))
    for element_2 in types_filter:
        text_2 = element_2.encode()
        text_size_2 = len(text_2) + 1
        out += (UVARINTS[text_size_2] if text_size_2 < 256 else string_prefix(text_size_2), text_2)
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ListGroupsRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_0,
    3: _decode_1,
    4: _decode_2,
    5: _decode_3,
}
_ENCODERS: Final[dict[int, Callable[[ListGroupsRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_0,
    3: _encode_1,
    4: _encode_2,
    5: _encode_3,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ListGroupsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ListGroupsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ListGroupsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ListGroupsRequest v{version} is cut short")
    return result


def encode(message: ListGroupsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ListGroupsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ListGroupsRequest v{version}: {error}") from error
