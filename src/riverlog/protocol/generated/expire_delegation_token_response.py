"""ExpireDelegationTokenResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "ExpireDelegationTokenResponse"
API_KEY: Final = 40
VERSIONS: Final[tuple[int, int]] = (1, 2)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_hqi = Struct(">hqi").unpack_from
_unpack_hqiB = Struct(">hqiB").unpack_from
_pack_hqi = Struct(">hqi").pack
_pack_hqix = Struct(">hqix").pack


@dataclass(init=False, repr=False, eq=False)
class ExpireDelegationTokenResponse(Wire):
    """ExpireDelegationTokenResponse."""

    __slots__ = ("error_code", "expiry_timestamp_ms", "throttle_time_ms")

    error_code: int
    expiry_timestamp_ms: int
    throttle_time_ms: int

    def __init__(
        self,
        error_code: int = 0,
        expiry_timestamp_ms: int = 0,
        throttle_time_ms: int = 0,
    ) -> None:
        self.error_code = error_code
        self.expiry_timestamp_ms = expiry_timestamp_ms
        self.throttle_time_ms = throttle_time_ms


def _decode_0(buffer: memoryview, p: int) -> tuple[ExpireDelegationTokenResponse, int]:
    """Versions 1."""
    error_code, expiry_timestamp_ms, throttle_time_ms = _unpack_hqi(buffer, p)
    p += 14
    return ExpireDelegationTokenResponse(error_code, expiry_timestamp_ms, throttle_time_ms), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ExpireDelegationTokenResponse, int]:
    """Versions 2."""
    error_code, expiry_timestamp_ms, throttle_time_ms, tags = _unpack_hqiB(buffer, p)
    p += 15
    if tags:
        p = skip_tags(buffer, p, tags)
    return ExpireDelegationTokenResponse(error_code, expiry_timestamp_ms, throttle_time_ms), p


def _encode_0(message: ExpireDelegationTokenResponse) -> bytes:
    """Versions 1."""
    return _pack_hqi(message.error_code, message.expiry_timestamp_ms, message.throttle_time_ms)


def _encode_1(message: ExpireDelegationTokenResponse) -> bytes:
    """Versions 2."""
    return _pack_hqix(message.error_code, message.expiry_timestamp_ms, message.throttle_time_ms)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ExpireDelegationTokenResponse, int]]]] = {
    1: _decode_0,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[ExpireDelegationTokenResponse], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ExpireDelegationTokenResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ExpireDelegationTokenResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ExpireDelegationTokenResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ExpireDelegationTokenResponse v{version} is cut short")
    return result


def encode(message: ExpireDelegationTokenResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ExpireDelegationTokenResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ExpireDelegationTokenResponse v{version}: {error}") from error
