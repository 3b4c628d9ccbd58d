"""BrokerRegistrationResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "BrokerRegistrationResponse"
API_KEY: Final = 62
VERSIONS: Final[tuple[int, int]] = (0, 4)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_ihqB = Struct(">ihqB").unpack_from
_pack_ihqx = Struct(">ihqx").pack


@dataclass(init=False, repr=False, eq=False)
class BrokerRegistrationResponse(Wire):
    """BrokerRegistrationResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "broker_epoch")

    throttle_time_ms: int
    error_code: int
    broker_epoch: int

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        broker_epoch: int = -1,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.broker_epoch = broker_epoch


def _decode_0(buffer: memoryview, p: int) -> tuple[BrokerRegistrationResponse, int]:
    """Versions 0, 1, 2, 3, 4."""
    throttle_time_ms, error_code, broker_epoch, tags = _unpack_ihqB(buffer, p)
    p += 15
    if tags:
        p = skip_tags(buffer, p, tags)
    return BrokerRegistrationResponse(throttle_time_ms, error_code, broker_epoch), p


def _encode_0(message: BrokerRegistrationResponse) -> bytes:
    """Versions 0, 1, 2, 3, 4."""
    return _pack_ihqx(message.throttle_time_ms, message.error_code, message.broker_epoch)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[BrokerRegistrationResponse, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_0,
    3: _decode_0,
    4: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[BrokerRegistrationResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_0,
    3: _encode_0,
    4: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[BrokerRegistrationResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"BrokerRegistrationResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"BrokerRegistrationResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"BrokerRegistrationResponse v{version} is cut short")
    return result


def encode(message: BrokerRegistrationResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"BrokerRegistrationResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"BrokerRegistrationResponse v{version}: {error}") from error
