"""ListTransactionsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    read_int64s,
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
    write_int64s,
)

NAME: Final = "ListTransactionsRequest"
API_KEY: Final = 66
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_qB = Struct(">qB").unpack_from
_pack_q = Struct(">q").pack
_pack_qx = Struct(">qx").pack


@dataclass(init=False, repr=False, eq=False)
class ListTransactionsRequest(Wire):
    """ListTransactionsRequest."""

    __slots__ = ("state_filters", "producer_id_filters", "duration_filter", "transactional_id_pattern")

    state_filters: list[str]
    producer_id_filters: list[int]
    duration_filter: int
    transactional_id_pattern: str | None

    def __init__(
        self,
        state_filters: list[str] = UNSET,
        producer_id_filters: list[int] = UNSET,
        duration_filter: int = -1,
        transactional_id_pattern: str | None = None,
    ) -> None:
        self.state_filters = [] if state_filters is UNSET else state_filters
        self.producer_id_filters = [] if producer_id_filters is UNSET else producer_id_filters
        self.duration_filter = duration_filter
        self.transactional_id_pattern = transactional_id_pattern


def _decode_0(buffer: memoryview, p: int) -> tuple[ListTransactionsRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    state_filters_count = buffer[p]
    p += 1
    if state_filters_count > 127:
        state_filters_count, p = uvarint_tail(buffer, p, state_filters_count)
    if state_filters_count == 0:
        raise missing("ListTransactionsRequest.state_filters")
    state_filters_count -= 1
    if state_filters_count > room or state_filters_count > end - p:
        raise too_many("ListTransactionsRequest.state_filters", state_filters_count)
    room -= state_filters_count
    state_filters: list[str] = []
    for _ in range(state_filters_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("ListTransactionsRequest.state_filters")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        state_filters.append(element)
    producer_id_filters_count = buffer[p]
    p += 1
    if producer_id_filters_count > 127:
        producer_id_filters_count, p = uvarint_tail(buffer, p, producer_id_filters_count)
    if producer_id_filters_count == 0:
        raise missing("ListTransactionsRequest.producer_id_filters")
    producer_id_filters_count -= 1
    producer_id_filters = read_int64s(buffer, p, producer_id_filters_count)
    p += producer_id_filters_count * 8
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return ListTransactionsRequest(state_filters, producer_id_filters, -1, None), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ListTransactionsRequest, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    state_filters_count = buffer[p]
    p += 1
    if state_filters_count > 127:
        state_filters_count, p = uvarint_tail(buffer, p, state_filters_count)
    if state_filters_count == 0:
        raise missing("ListTransactionsRequest.state_filters")
    state_filters_count -= 1
    if state_filters_count > room or state_filters_count > end - p:
        raise too_many("ListTransactionsRequest.state_filters", state_filters_count)
    room -= state_filters_count
    state_filters: list[str] = []
    for _ in range(state_filters_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("ListTransactionsRequest.state_filters")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        state_filters.append(element)
    producer_id_filters_count = buffer[p]
    p += 1
    if producer_id_filters_count > 127:
        producer_id_filters_count, p = uvarint_tail(buffer, p, producer_id_filters_count)
    if producer_id_filters_count == 0:
        raise missing("ListTransactionsRequest.producer_id_filters")
    producer_id_filters_count -= 1
    producer_id_filters = read_int64s(buffer, p, producer_id_filters_count)
    p += producer_id_filters_count * 8
    duration_filter, tags = _unpack_qB(buffer, p)
    p += 9
    if tags:
        p = skip_tags(buffer, p, tags)
    return ListTransactionsRequest(state_filters, producer_id_filters, duration_filter, None), p


def _decode_2(buffer: memoryview, p: int) -> tuple[ListTransactionsRequest, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    state_filters_count = buffer[p]
    p += 1
    if state_filters_count > 127:
        state_filters_count, p = uvarint_tail(buffer, p, state_filters_count)
    if state_filters_count == 0:
        raise missing("ListTransactionsRequest.state_filters")
    state_filters_count -= 1
    if state_filters_count > room or state_filters_count > end - p:
        raise too_many("ListTransactionsRequest.state_filters", state_filters_count)
    room -= state_filters_count
    state_filters: list[str] = []
    for _ in range(state_filters_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("ListTransactionsRequest.state_filters")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        state_filters.append(element)
    producer_id_filters_count = buffer[p]
    p += 1
    if producer_id_filters_count > 127:
        producer_id_filters_count, p = uvarint_tail(buffer, p, producer_id_filters_count)
    if producer_id_filters_count == 0:
        raise missing("ListTransactionsRequest.producer_id_filters")
    producer_id_filters_count -= 1
    producer_id_filters = read_int64s(buffer, p, producer_id_filters_count)
    p += producer_id_filters_count * 8
    duration_filter, transactional_id_pattern_size = _unpack_qB(buffer, p)
    p += 9
    if transactional_id_pattern_size > 127:
        transactional_id_pattern_size, p = string_tail(buffer, p, transactional_id_pattern_size)
    transactional_id_pattern: str | None = None
    if transactional_id_pattern_size:
        stop = p + transactional_id_pattern_size - 1
        transactional_id_pattern = buffer[p:stop].tobytes().decode()
        p = stop
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return ListTransactionsRequest(state_filters, producer_id_filters, duration_filter, transactional_id_pattern), p


def _encode_0(message: ListTransactionsRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    state_filters = message.state_filters
    state_filters_count = len(state_filters) + 1
    out.append(UVARINTS[state_filters_count] if state_filters_count < 256 else uvarint(state_filters_count))
    for element in state_filters:
        text = element.encode()
        text_size = len(text) + 1
        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    producer_id_filters = message.producer_id_filters
    producer_id_filters_count = len(producer_id_filters) + 1
    if message.duration_filter != -1:
        raise not_in_version("ListTransactionsRequest.duration_filter")
    if message.transactional_id_pattern is not None:
        raise not_in_version("ListTransactionsRequest.transactional_id_pattern")
    out += (
        UVARINTS[producer_id_filters_count] if producer_id_filters_count < 256 else uvarint(producer_id_filters_count),
        write_int64s(producer_id_filters),
        b"\0",
    )
    return b"".join(out)


def _encode_1(message: ListTransactionsRequest) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    state_filters = message.state_filters
    state_filters_count = len(state_filters) + 1
    out.append(UVARINTS[state_filters_count] if state_filters_count < 256 else uvarint(state_filters_count))
    for element in state_filters:
        text = element.encode()
        text_size = len(text) + 1
        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    producer_id_filters = message.producer_id_filters
    producer_id_filters_count = len(producer_id_filters) + 1
    if message.transactional_id_pattern is not None:
        raise not_in_version("ListTransactionsRequest.transactional_id_pattern")
    out += (
        UVARINTS[producer_id_filters_count] if producer_id_filters_count < 256 else uvarint(producer_id_filters_count),
        write_int64s(producer_id_filters),
        _pack_qx(message.duration_filter),
    )
    return b"".join(out)


def _encode_2(message: ListTransactionsRequest) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    state_filters = message.state_filters
    state_filters_count = len(state_filters) + 1
    out.append(UVARINTS[state_filters_count] if state_filters_count < 256 else uvarint(state_filters_count))
    for element in state_filters:
        text = element.encode()
        text_size = len(text) + 1
        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    producer_id_filters = message.producer_id_filters
    producer_id_filters_count = len(producer_id_filters) + 1
    transactional_id_pattern_value = message.transactional_id_pattern
    if transactional_id_pattern_value is None:
        transactional_id_pattern_size, transactional_id_pattern = 0, b""
    else:
        transactional_id_pattern = transactional_id_pattern_value.encode()
        transactional_id_pattern_size = len(transactional_id_pattern) + 1
    out += (
        UVARINTS[producer_id_filters_count] if producer_id_filters_count < 256 else uvarint(producer_id_filters_count),
        write_int64s(producer_id_filters),
        _pack_q(message.duration_filter),
        UVARINTS[transactional_id_pattern_size] if transactional_id_pattern_size < 256 else string_prefix(transactional_id_pattern_size),
        transactional_id_pattern,
        b"\0",
    )
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ListTransactionsRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[ListTransactionsRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ListTransactionsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ListTransactionsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ListTransactionsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ListTransactionsRequest v{version} is cut short")
    return result


def encode(message: ListTransactionsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ListTransactionsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ListTransactionsRequest v{version}: {error}") from error
