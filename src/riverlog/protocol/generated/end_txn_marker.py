"""EndTxnMarker. Written by `python -m codegen` from schemas/data; do not edit."""

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
    UNFIT,
    Wire,
)

NAME: Final = "EndTxnMarker"
API_KEY: Final = -1
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 32767
LATEST_UNSTABLE: Final = False

_unpack_i = Struct(">i").unpack_from
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class EndTxnMarker(Wire):
    """EndTxnMarker."""

    __slots__ = ("coordinator_epoch",)

    coordinator_epoch: int

    def __init__(
        self,
        coordinator_epoch: int = 0,
    ) -> None:
        self.coordinator_epoch = coordinator_epoch


def _decode_0(buffer: memoryview, p: int) -> tuple[EndTxnMarker, int]:
    """Versions 0."""
    (coordinator_epoch,) = _unpack_i(buffer, p)
    p += 4
    return EndTxnMarker(coordinator_epoch), p


def _encode_0(message: EndTxnMarker) -> bytes:
    """Versions 0."""
    return _pack_i(message.coordinator_epoch)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[EndTxnMarker, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[EndTxnMarker], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[EndTxnMarker, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"EndTxnMarker has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"EndTxnMarker v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"EndTxnMarker v{version} is cut short")
    return result


def encode(message: EndTxnMarker, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"EndTxnMarker has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"EndTxnMarker v{version}: {error}") from error
