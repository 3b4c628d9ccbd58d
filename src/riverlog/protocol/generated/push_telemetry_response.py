"""PushTelemetryResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "PushTelemetryResponse"
API_KEY: Final = 72
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_ihB = Struct(">ihB").unpack_from
_pack_ihx = Struct(">ihx").pack


@dataclass(init=False, repr=False, eq=False)
class PushTelemetryResponse(Wire):
    """PushTelemetryResponse."""

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


def _decode_0(buffer: memoryview, p: int) -> tuple[PushTelemetryResponse, int]:
    """Versions 0."""
    throttle_time_ms, error_code, tags = _unpack_ihB(buffer, p)
    p += 7
    if tags:
        p = skip_tags(buffer, p, tags)
    return PushTelemetryResponse(throttle_time_ms, error_code), p


def _encode_0(message: PushTelemetryResponse) -> bytes:
    """Versions 0."""
    return _pack_ihx(message.throttle_time_ms, message.error_code)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[PushTelemetryResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[PushTelemetryResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[PushTelemetryResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"PushTelemetryResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"PushTelemetryResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"PushTelemetryResponse v{version} is cut short")
    return result


def encode(message: PushTelemetryResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"PushTelemetryResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"PushTelemetryResponse v{version}: {error}") from error
