"""SnapshotFooterRecord. Written by `python -m codegen` from schemas/data; do not edit."""

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

NAME: Final = "SnapshotFooterRecord"
API_KEY: Final = -1
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_hB = Struct(">hB").unpack_from
_pack_hx = Struct(">hx").pack


@dataclass(init=False, repr=False, eq=False)
class SnapshotFooterRecord(Wire):
    """SnapshotFooterRecord."""

    __slots__ = ("version",)

    version: int

    def __init__(
        self,
        version: int = 0,
    ) -> None:
        self.version = version


def _decode_0(buffer: memoryview, p: int) -> tuple[SnapshotFooterRecord, int]:
    """Versions 0."""
    version, tags = _unpack_hB(buffer, p)
    p += 3
    if tags:
        p = skip_tags(buffer, p, tags)
    return SnapshotFooterRecord(version), p


def _encode_0(message: SnapshotFooterRecord) -> bytes:
    """Versions 0."""
    return _pack_hx(message.version)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[SnapshotFooterRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[SnapshotFooterRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[SnapshotFooterRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"SnapshotFooterRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"SnapshotFooterRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"SnapshotFooterRecord v{version} is cut short")
    return result


def encode(message: SnapshotFooterRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"SnapshotFooterRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"SnapshotFooterRecord v{version}: {error}") from error
