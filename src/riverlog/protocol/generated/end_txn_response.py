"""EndTxnResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    skip_tags,
    UNFIT,
    Wire,
)

NAME: Final = "EndTxnResponse"
API_KEY: Final = 26
VERSIONS: Final[tuple[int, int]] = (0, 5)
FLEXIBLE_FROM: Final = 3
LATEST_UNSTABLE: Final = False

_unpack_ih = Struct(">ih").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ihqhB = Struct(">ihqhB").unpack_from
_pack_ih = Struct(">ih").pack
_pack_ihqhx = Struct(">ihqhx").pack
_pack_ihx = Struct(">ihx").pack


@dataclass(init=False, repr=False, eq=False)
class EndTxnResponse(Wire):
    """EndTxnResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "producer_id", "producer_epoch")

    throttle_time_ms: int
    error_code: int
    producer_id: int
    producer_epoch: int

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id: int = -1,
        producer_epoch: int = -1,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch


def _decode_0(buffer: memoryview, p: int) -> tuple[EndTxnResponse, int]:
    """Versions 0, 1, 2."""
    throttle_time_ms, error_code = _unpack_ih(buffer, p)
    p += 6
    return EndTxnResponse(throttle_time_ms, error_code, -1, -1), p


def _decode_1(buffer: memoryview, p: int) -> tuple[EndTxnResponse, int]:
    """Versions 3, 4."""
    throttle_time_ms, error_code, tags = _unpack_ihB(buffer, p)
    p += 7
    if tags:
        p = skip_tags(buffer, p, tags)
    return EndTxnResponse(throttle_time_ms, error_code, -1, -1), p


def _decode_2(buffer: memoryview, p: int) -> tuple[EndTxnResponse, int]:
    """Versions 5."""
    throttle_time_ms, error_code, producer_id, producer_epoch, tags = _unpack_ihqhB(buffer, p)
    p += 17
    if tags:
        p = skip_tags(buffer, p, tags)
    return EndTxnResponse(throttle_time_ms, error_code, producer_id, producer_epoch), p


def _encode_0(message: EndTxnResponse) -> bytes:
    """Versions 0, 1, 2."""
    return _pack_ih(message.throttle_time_ms, message.error_code)


def _encode_1(message: EndTxnResponse) -> bytes:
    """Versions 3, 4."""
    return _pack_ihx(message.throttle_time_ms, message.error_code)


def _encode_2(message: EndTxnResponse) -> bytes:
    """Versions 5."""
    return _pack_ihqhx(message.throttle_time_ms, message.error_code, message.producer_id, message.producer_epoch)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[EndTxnResponse, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_0,
    3: _decode_1,
    4: _decode_1,
    5: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[EndTxnResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_0,
    3: _encode_1,
    4: _encode_1,
    5: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[EndTxnResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"EndTxnResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"EndTxnResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"EndTxnResponse v{version} is cut short")
    return result


def encode(message: EndTxnResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"EndTxnResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"EndTxnResponse v{version}: {error}") from error
