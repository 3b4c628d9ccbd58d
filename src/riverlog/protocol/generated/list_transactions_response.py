"""ListTransactionsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "ListTransactionsResponse"
API_KEY: Final = 66
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_ihB = Struct(">ihB").unpack_from
_unpack_qB = Struct(">qB").unpack_from
_pack_ih = Struct(">ih").pack
_pack_q = Struct(">q").pack


@dataclass(init=False, repr=False, eq=False)
class TransactionState(Wire):
    """TransactionState."""

    __slots__ = ("transactional_id", "producer_id", "transaction_state")

    transactional_id: str
    producer_id: int
    transaction_state: str

    def __init__(
        self,
        transactional_id: str = "",
        producer_id: int = 0,
        transaction_state: str = "",
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.transaction_state = transaction_state


@dataclass(init=False, repr=False, eq=False)
class ListTransactionsResponse(Wire):
    """ListTransactionsResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "unknown_state_filters", "transaction_states")

    throttle_time_ms: int
    error_code: int
    unknown_state_filters: list[str]
    transaction_states: list[TransactionState]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        unknown_state_filters: list[str] = UNSET,
        transaction_states: list[TransactionState] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.unknown_state_filters = [] if unknown_state_filters is UNSET else unknown_state_filters
        self.transaction_states = [] if transaction_states is UNSET else transaction_states


def _decode_0(buffer: memoryview, p: int) -> tuple[ListTransactionsResponse, int]:
    """Versions 0, 1, 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, unknown_state_filters_count = _unpack_ihB(buffer, p)
    p += 7
    if unknown_state_filters_count > 127:
        unknown_state_filters_count, p = uvarint_tail(buffer, p, unknown_state_filters_count)
    if unknown_state_filters_count == 0:
        raise missing("ListTransactionsResponse.unknown_state_filters")
    unknown_state_filters_count -= 1
    if unknown_state_filters_count > room or unknown_state_filters_count > end - p:
        raise too_many("ListTransactionsResponse.unknown_state_filters", unknown_state_filters_count)
    room -= unknown_state_filters_count
    unknown_state_filters: list[str] = []
    for _ in range(unknown_state_filters_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("ListTransactionsResponse.unknown_state_filters")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        unknown_state_filters.append(element)
    transaction_states_count = buffer[p]
    p += 1
    if transaction_states_count > 127:
        transaction_states_count, p = uvarint_tail(buffer, p, transaction_states_count)
    if transaction_states_count == 0:
        raise missing("ListTransactionsResponse.transaction_states")
    transaction_states_count -= 1
    if transaction_states_count > room or transaction_states_count * 11 > end - p:
        raise too_many("ListTransactionsResponse.transaction_states", transaction_states_count)
    room -= transaction_states_count
    transaction_states: list[TransactionState] = []
    for _ in range(transaction_states_count):
        transactional_id_size = buffer[p]
        p += 1
        if transactional_id_size > 127:
            transactional_id_size, p = string_tail(buffer, p, transactional_id_size)
        if transactional_id_size == 0:
            raise missing("ListTransactionsResponse.transaction_states.transactional_id")
        stop = p + transactional_id_size - 1
        transactional_id = buffer[p:stop].tobytes().decode()
        p = stop
        producer_id, transaction_state_size = _unpack_qB(buffer, p)
        p += 9
        if transaction_state_size > 127:
            transaction_state_size, p = string_tail(buffer, p, transaction_state_size)
        if transaction_state_size == 0:
            raise missing("ListTransactionsResponse.transaction_states.transaction_state")
        stop = p + transaction_state_size - 1
        transaction_state = buffer[p:stop].tobytes().decode()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        transaction_states.append(TransactionState(transactional_id, producer_id, transaction_state))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return ListTransactionsResponse(throttle_time_ms, error_code, unknown_state_filters, transaction_states), p


def _encode_0(message: ListTransactionsResponse) -> bytes:
    """Versions 0, 1, 2."""
    out: list[bytes] = []
    unknown_state_filters = message.unknown_state_filters
    unknown_state_filters_count = len(unknown_state_filters) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[unknown_state_filters_count] if unknown_state_filters_count < 256 else uvarint(unknown_state_filters_count),
    )
    for element in unknown_state_filters:
        text = element.encode()
        text_size = len(text) + 1
        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    transaction_states = message.transaction_states
    transaction_states_count = len(transaction_states) + 1
    out.append(UVARINTS[transaction_states_count] if transaction_states_count < 256 else uvarint(transaction_states_count))
    for element_2 in transaction_states:
        transactional_id = element_2.transactional_id.encode()
        transactional_id_size = len(transactional_id) + 1
        transaction_state = element_2.transaction_state.encode()
        transaction_state_size = len(transaction_state) + 1
        out += (
            UVARINTS[transactional_id_size] if transactional_id_size < 256 else string_prefix(transactional_id_size),
            transactional_id,
            _pack_q(element_2.producer_id),
            UVARINTS[transaction_state_size] if transaction_state_size < 256 else string_prefix(transaction_state_size),
            transaction_state,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ListTransactionsResponse, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ListTransactionsResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ListTransactionsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ListTransactionsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ListTransactionsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ListTransactionsResponse v{version} is cut short")
    return result


def encode(message: ListTransactionsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ListTransactionsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ListTransactionsResponse v{version}: {error}") from error
