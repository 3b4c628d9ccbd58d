"""FenceBrokerRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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

NAME: Final = "FenceBrokerRecord"
API_KEY: Final = 7
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iqB = Struct(">iqB").unpack_from
_pack_iqx = Struct(">iqx").pack


@dataclass(init=False, repr=False, eq=False)
class FenceBrokerRecord(Wire):
    """FenceBrokerRecord."""

    __slots__ = ("id", "epoch")

    id: int
    epoch: int

    def __init__(
        self,
        id: int = 0,
        epoch: int = 0,
    ) -> None:
        self.id = id
        self.epoch = epoch


def _decode_0(buffer: memoryview, p: int) -> tuple[FenceBrokerRecord, int]:
    """Versions 0."""
    id, epoch, tags = _unpack_iqB(buffer, p)
    p += 13
    if tags:
        p = skip_tags(buffer, p, tags)
    return FenceBrokerRecord(id, epoch), p


def _encode_0(message: FenceBrokerRecord) -> bytes:
    """Versions 0."""
    return _pack_iqx(message.id, message.epoch)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[FenceBrokerRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[FenceBrokerRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[FenceBrokerRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"FenceBrokerRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"FenceBrokerRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"FenceBrokerRecord v{version} is cut short")
    return result


def encode(message: FenceBrokerRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"FenceBrokerRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"FenceBrokerRecord v{version}: {error}") from error
