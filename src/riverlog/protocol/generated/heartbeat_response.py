"""HeartbeatResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "HeartbeatResponse"
API_KEY: Final = 12
VERSIONS: Final[tuple[int, int]] = (0, 4)
FLEXIBLE_FROM: Final = 4
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_ih = Struct(">ih").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_pack_h = Struct(">h").pack
_pack_ih = Struct(">ih").pack
_pack_ihx = Struct(">ihx").pack


@dataclass(init=False, repr=False, eq=False)
class HeartbeatResponse(Wire):
    """HeartbeatResponse."""

    __slots__ = ("throttle_time_ms", "error_code")

    throttle_time_ms: int
    error_code: int

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code


def _decode_0(buffer: memoryview, p: int) -> tuple[HeartbeatResponse, int]:
    """Versions 0."""
    (error_code,) = _unpack_h(buffer, p)
    p += 2
    return HeartbeatResponse(0, error_code), p


def _decode_1(buffer: memoryview, p: int) -> tuple[HeartbeatResponse, int]:
    """Versions 1, 2, 3."""
    throttle_time_ms, error_code = _unpack_ih(buffer, p)
    p += 6
    return HeartbeatResponse(throttle_time_ms, error_code), p


def _decode_2(buffer: memoryview, p: int) -> tuple[HeartbeatResponse, int]:
    """Versions 4."""
    throttle_time_ms, error_code, tags = _unpack_ihB(buffer, p)
    p += 7
    if tags:
        p = skip_tags(buffer, p, tags)
    return HeartbeatResponse(throttle_time_ms, error_code), p


def _encode_0(message: HeartbeatResponse) -> bytes:
    """Versions 0."""
    return _pack_h(message.error_code)


def _encode_1(message: HeartbeatResponse) -> bytes:
    """Versions 1, 2, 3."""
    return _pack_ih(message.throttle_time_ms, message.error_code)


def _encode_2(message: HeartbeatResponse) -> bytes:
    """Versions 4."""
    return _pack_ihx(message.throttle_time_ms, message.error_code)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[HeartbeatResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_1,
    3: _decode_1,
    4: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[HeartbeatResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_1,
    3: _encode_1,
    4: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[HeartbeatResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"HeartbeatResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"HeartbeatResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"HeartbeatResponse v{version} is cut short")
    return result


def encode(message: HeartbeatResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"HeartbeatResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"HeartbeatResponse v{version}: {error}") from error
