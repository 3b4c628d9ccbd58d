"""EnvelopeResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
)

NAME: Final = "EnvelopeResponse"
API_KEY: Final = 58
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_hB = Struct(">hB").unpack_from
_pack_hx = Struct(">hx").pack


@dataclass(init=False, repr=False, eq=False)
class EnvelopeResponse(Wire):
    """EnvelopeResponse."""

    __slots__ = ("response_data", "error_code")

    response_data: bytes | None
    error_code: int

    def __init__(
        self,
        response_data: bytes | None = None,
        error_code: int = 0,
    ) -> None:
        self.response_data = response_data
        self.error_code = error_code


def _decode_0(buffer: memoryview, p: int) -> tuple[EnvelopeResponse, int]:
    """Versions 0."""
    response_data_size = buffer[p]
    p += 1
    if response_data_size > 127:
        response_data_size, p = uvarint_tail(buffer, p, response_data_size)
    response_data: bytes | None = None
    if response_data_size:
        stop = p + response_data_size - 1
        response_data = buffer[p:stop].tobytes()
        p = stop
    error_code, tags = _unpack_hB(buffer, p)
    p += 3
    if tags:
        p = skip_tags(buffer, p, tags)
    return EnvelopeResponse(response_data, error_code), p


def _encode_0(message: EnvelopeResponse) -> bytes:
    """Versions 0."""
    response_data_value = message.response_data
    if response_data_value is None:
        response_data_size, response_data = 0, b""
    else:
        response_data = response_data_value
        response_data_size = len(response_data) + 1
    return b"".join((UVARINTS[response_data_size] if response_data_size < 256 else uvarint(response_data_size), response_data, _pack_hx(message.error_code)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[EnvelopeResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[EnvelopeResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[EnvelopeResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"EnvelopeResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"EnvelopeResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"EnvelopeResponse v{version} is cut short")
    return result


def encode(message: EnvelopeResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"EnvelopeResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"EnvelopeResponse v{version}: {error}") from error
