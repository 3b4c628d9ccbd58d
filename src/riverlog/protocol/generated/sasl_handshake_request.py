"""SaslHandshakeRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    missing,
    UNFIT,
    Wire,
)

NAME: Final = "SaslHandshakeRequest"
API_KEY: Final = 17
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 32767
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_pack_h = Struct(">h").pack


@dataclass(init=False, repr=False, eq=False)
class SaslHandshakeRequest(Wire):
    """SaslHandshakeRequest."""

    __slots__ = ("mechanism",)

    mechanism: str

    def __init__(
        self,
        mechanism: str = "",
    ) -> None:
        self.mechanism = mechanism


def _decode_0(buffer: memoryview, p: int) -> tuple[SaslHandshakeRequest, int]:
    """Versions 0, 1."""
    (mechanism_size,) = _unpack_h(buffer, p)
    p += 2
    if mechanism_size < 0:
        raise missing("SaslHandshakeRequest.mechanism")
    stop = p + mechanism_size
    mechanism = buffer[p:stop].tobytes().decode()
    p = stop
    return SaslHandshakeRequest(mechanism), p


def _encode_0(message: SaslHandshakeRequest) -> bytes:
    """Versions 0, 1."""
    mechanism = message.mechanism.encode()
    mechanism_size = len(mechanism)
    return b"".join((_pack_h(mechanism_size), mechanism))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[SaslHandshakeRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[SaslHandshakeRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[SaslHandshakeRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"SaslHandshakeRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"SaslHandshakeRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"SaslHandshakeRequest v{version} is cut short")
    return result


def encode(message: SaslHandshakeRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"SaslHandshakeRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"SaslHandshakeRequest v{version}: {error}") from error
