"""LegacyOffsetCommitValue. Written by `python -m codegen` from schemas/group; do not edit."""

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

NAME: Final = "LegacyOffsetCommitValue"
API_KEY: Final = 0
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 32767
LATEST_UNSTABLE: Final = False

_unpack_q = Struct(">q").unpack_from
_unpack_qh = Struct(">qh").unpack_from
_pack_q = Struct(">q").pack
_pack_qh = Struct(">qh").pack


@dataclass(init=False, repr=False, eq=False)
class LegacyOffsetCommitValue(Wire):
    """LegacyOffsetCommitValue."""

    __slots__ = ("offset", "metadata", "commit_timestamp")

    offset: int
    metadata: str
    commit_timestamp: int

    def __init__(
        self,
        offset: int = 0,
        metadata: str = "",
        commit_timestamp: int = 0,
    ) -> None:
        self.offset = offset
        self.metadata = metadata
        self.commit_timestamp = commit_timestamp


def _decode_0(buffer: memoryview, p: int) -> tuple[LegacyOffsetCommitValue, int]:
    """Versions 0."""
    offset, metadata_size = _unpack_qh(buffer, p)
    p += 10
    if metadata_size < 0:
        raise missing("LegacyOffsetCommitValue.metadata")
    stop = p + metadata_size
    metadata = buffer[p:stop].tobytes().decode()
    p = stop
    (commit_timestamp,) = _unpack_q(buffer, p)
    p += 8
    return LegacyOffsetCommitValue(offset, metadata, commit_timestamp), p


def _encode_0(message: LegacyOffsetCommitValue) -> bytes:
    """Versions 0."""
    metadata = message.metadata.encode()
    metadata_size = len(metadata)
    return b"".join((_pack_qh(message.offset, metadata_size), metadata, _pack_q(message.commit_timestamp)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[LegacyOffsetCommitValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[LegacyOffsetCommitValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[LegacyOffsetCommitValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"LegacyOffsetCommitValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"LegacyOffsetCommitValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"LegacyOffsetCommitValue v{version} is cut short")
    return result


def encode(message: LegacyOffsetCommitValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"LegacyOffsetCommitValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"LegacyOffsetCommitValue v{version}: {error}") from error
