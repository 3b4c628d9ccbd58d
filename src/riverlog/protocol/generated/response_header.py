"""ResponseHeader. Written by `python -m codegen` from schemas/headers; do not edit."""

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

NAME: Final = "ResponseHeader"
API_KEY: Final = -1
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 1
LATEST_UNSTABLE: Final = False

_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_pack_i = Struct(">i").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class ResponseHeader(Wire):
    """ResponseHeader."""

    __slots__ = ("correlation_id",)

    correlation_id: int

    def __init__(
        self,
        correlation_id: int = 0,
    ) -> None:
        self.correlation_id = correlation_id


def _decode_0(buffer: memoryview, p: int) -> tuple[ResponseHeader, int]:
    """Versions 0."""
    (correlation_id,) = _unpack_i(buffer, p)
    p += 4
    return ResponseHeader(correlation_id), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ResponseHeader, int]:
    """Versions 1."""
    correlation_id, tags = _unpack_iB(buffer, p)
    p += 5
    if tags:
        p = skip_tags(buffer, p, tags)
    return ResponseHeader(correlation_id), p


def _encode_0(message: ResponseHeader) -> bytes:
    """Versions 0."""
    return _pack_i(message.correlation_id)


def _encode_1(message: ResponseHeader) -> bytes:
    """Versions 1."""
    return _pack_ix(message.correlation_id)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ResponseHeader, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[ResponseHeader], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ResponseHeader, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ResponseHeader has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ResponseHeader v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ResponseHeader v{version} is cut short")
    return result


def encode(message: ResponseHeader, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ResponseHeader has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ResponseHeader v{version}: {error}") from error
