"""ShareGroupMetadataValue. Written by `python -m codegen` from schemas/group; do not edit."""

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

NAME: Final = "ShareGroupMetadataValue"
API_KEY: Final = 11
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iqB = Struct(">iqB").unpack_from
_pack_iqx = Struct(">iqx").pack


@dataclass(init=False, repr=False, eq=False)
class ShareGroupMetadataValue(Wire):
    """ShareGroupMetadataValue."""

    __slots__ = ("epoch", "metadata_hash")

    epoch: int
    metadata_hash: int

    def __init__(
        self,
        epoch: int = 0,
        metadata_hash: int = 0,
    ) -> None:
        self.epoch = epoch
        self.metadata_hash = metadata_hash


def _decode_0(buffer: memoryview, p: int) -> tuple[ShareGroupMetadataValue, int]:
    """Versions 0."""
    epoch, metadata_hash, tags = _unpack_iqB(buffer, p)
    p += 13
    if tags:
        p = skip_tags(buffer, p, tags)
    return ShareGroupMetadataValue(epoch, metadata_hash), p


def _encode_0(message: ShareGroupMetadataValue) -> bytes:
    """Versions 0."""
    return _pack_iqx(message.epoch, message.metadata_hash)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ShareGroupMetadataValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ShareGroupMetadataValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ShareGroupMetadataValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ShareGroupMetadataValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ShareGroupMetadataValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ShareGroupMetadataValue v{version} is cut short")
    return result


def encode(message: ShareGroupMetadataValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ShareGroupMetadataValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ShareGroupMetadataValue v{version}: {error}") from error
