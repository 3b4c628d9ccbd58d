"""NoOpRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

# fmt: off
# ruff: noqa: A001, ARG001, N816
# Layout is fixed by the generator, so that it does not depend on the version of a formatter.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from riverlog.protocol.errors import DecodeError, EncodeError
from riverlog.protocol.primitives import (
    MALFORMED,
    skip_tags,
    UNFIT,
    Wire,
)

NAME: Final = "NoOpRecord"
API_KEY: Final = 20
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False


@dataclass(init=False, repr=False, eq=False)
class NoOpRecord(Wire):
    """NoOpRecord."""

    __slots__ = ()


def _decode_0(buffer: memoryview, p: int) -> tuple[NoOpRecord, int]:
    """Versions 0."""
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return NoOpRecord(), p


def _encode_0(message: NoOpRecord) -> bytes:
    """Versions 0."""
    return b"\0"


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[NoOpRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[NoOpRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[NoOpRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"NoOpRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"NoOpRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"NoOpRecord v{version} is cut short")
    return result


def encode(message: NoOpRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"NoOpRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"NoOpRecord v{version}: {error}") from error
