"""BrokerHeartbeatResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "BrokerHeartbeatResponse"
API_KEY: Final = 63
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_ihzzzB = Struct(">ih???B").unpack_from
_pack_ihzzzx = Struct(">ih???x").pack


@dataclass(init=False, repr=False, eq=False)
class BrokerHeartbeatResponse(Wire):
    """BrokerHeartbeatResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "is_caught_up", "is_fenced", "should_shut_down")

    throttle_time_ms: int
    error_code: int
    is_caught_up: bool
    is_fenced: bool
    should_shut_down: bool

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        is_caught_up: bool = False,
        is_fenced: bool = True,
        should_shut_down: bool = False,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.is_caught_up = is_caught_up
        self.is_fenced = is_fenced
        self.should_shut_down = should_shut_down


def _decode_0(buffer: memoryview, p: int) -> tuple[BrokerHeartbeatResponse, int]:
    """Versions 0, 1, 2."""
    throttle_time_ms, error_code, is_caught_up, is_fenced, should_shut_down, tags = _unpack_ihzzzB(buffer, p)
    p += 10
    if tags:
        p = skip_tags(buffer, p, tags)
    return BrokerHeartbeatResponse(throttle_time_ms, error_code, is_caught_up, is_fenced, should_shut_down), p


def _encode_0(message: BrokerHeartbeatResponse) -> bytes:
    """Versions 0, 1, 2."""
    return _pack_ihzzzx(message.throttle_time_ms, message.error_code, message.is_caught_up, message.is_fenced, message.should_shut_down)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[BrokerHeartbeatResponse, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[BrokerHeartbeatResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[BrokerHeartbeatResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"BrokerHeartbeatResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"BrokerHeartbeatResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"BrokerHeartbeatResponse v{version} is cut short")
    return result


def encode(message: BrokerHeartbeatResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"BrokerHeartbeatResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"BrokerHeartbeatResponse v{version}: {error}") from error
