"""SaslHandshakeResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    too_many,
    UNFIT,
    UNSET,
    Wire,
)

NAME: Final = "SaslHandshakeResponse"
API_KEY: Final = 17
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 32767
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_hi = Struct(">hi").unpack_from
_pack_h = Struct(">h").pack
_pack_hi = Struct(">hi").pack


@dataclass(init=False, repr=False, eq=False)
class SaslHandshakeResponse(Wire):
    """SaslHandshakeResponse."""

    __slots__ = ("error_code", "mechanisms")

    error_code: int
    mechanisms: list[str]

    def __init__(
        self,
        error_code: int = 0,
        mechanisms: list[str] = UNSET,
    ) -> None:
        self.error_code = error_code
        self.mechanisms = [] if mechanisms is UNSET else mechanisms


def _decode_0(buffer: memoryview, p: int) -> tuple[SaslHandshakeResponse, int]:
    """Versions 0, 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    error_code, mechanisms_count = _unpack_hi(buffer, p)
    p += 6
    if mechanisms_count < 0:
        raise missing("SaslHandshakeResponse.mechanisms")
    if mechanisms_count > room or mechanisms_count * 2 > end - p:
        raise too_many("SaslHandshakeResponse.mechanisms", mechanisms_count)
    room -= mechanisms_count
    mechanisms: list[str] = []
    for _ in range(mechanisms_count):
        (element_size,) = _unpack_h(buffer, p)
        p += 2
        if element_size < 0:
            raise missing("SaslHandshakeResponse.mechanisms")
        stop = p + element_size
        element = buffer[p:stop].tobytes().decode()
        p = stop
        mechanisms.append(element)
    return SaslHandshakeResponse(error_code, mechanisms), p


def _encode_0(message: SaslHandshakeResponse) -> bytes:
    """Versions 0, 1."""
    out: list[bytes] = []
    mechanisms = message.mechanisms
    out.append(_pack_hi(message.error_code, len(mechanisms)))
    for element in mechanisms:
        text = element.encode()
        text_size = len(text)
        out += (_pack_h(text_size), text)
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[SaslHandshakeResponse, int]]]] = {
    0: _decode_0,
    1: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[SaslHandshakeResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[SaslHandshakeResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"SaslHandshakeResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"SaslHandshakeResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"SaslHandshakeResponse v{version} is cut short")
    return result


def encode(message: SaslHandshakeResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"SaslHandshakeResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"SaslHandshakeResponse v{version}: {error}") from error
