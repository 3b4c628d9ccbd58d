"""SnapshotHeaderRecord. Written by `python -m codegen` from schemas/data; do not edit."""

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

NAME: Final = "SnapshotHeaderRecord"
API_KEY: Final = -1
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_hqB = Struct(">hqB").unpack_from
_pack_hqx = Struct(">hqx").pack


@dataclass(init=False, repr=False, eq=False)
class SnapshotHeaderRecord(Wire):
    """SnapshotHeaderRecord."""

    __slots__ = ("version", "last_contained_log_timestamp")

    version: int
    last_contained_log_timestamp: int

    def __init__(
        self,
        version: int = 0,
        last_contained_log_timestamp: int = 0,
    ) -> None:
        self.version = version
        self.last_contained_log_timestamp = last_contained_log_timestamp


def _decode_0(buffer: memoryview, p: int) -> tuple[SnapshotHeaderRecord, int]:
    """Versions 0."""
    version, last_contained_log_timestamp, tags = _unpack_hqB(buffer, p)
    p += 11
    if tags:
        p = skip_tags(buffer, p, tags)
    return SnapshotHeaderRecord(version, last_contained_log_timestamp), p


def _encode_0(message: SnapshotHeaderRecord) -> bytes:
    """Versions 0."""
    return _pack_hqx(message.version, message.last_contained_log_timestamp)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[SnapshotHeaderRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[SnapshotHeaderRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[SnapshotHeaderRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"SnapshotHeaderRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"SnapshotHeaderRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"SnapshotHeaderRecord v{version} is cut short")
    return result


def encode(message: SnapshotHeaderRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"SnapshotHeaderRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"SnapshotHeaderRecord v{version}: {error}") from error
