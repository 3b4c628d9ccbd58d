"""FeatureLevelRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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
    skip_tags,
    string_prefix,
    string_tail,
    UNFIT,
    UVARINTS,
    Wire,
)

NAME: Final = "FeatureLevelRecord"
API_KEY: Final = 12
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_hB = Struct(">hB").unpack_from
_pack_hx = Struct(">hx").pack


@dataclass(init=False, repr=False, eq=False)
class FeatureLevelRecord(Wire):
    """FeatureLevelRecord."""

    __slots__ = ("name", "feature_level")

    name: str
    feature_level: int

    def __init__(
        self,
        name: str = "",
        feature_level: int = 0,
    ) -> None:
        self.name = name
        self.feature_level = feature_level


def _decode_0(buffer: memoryview, p: int) -> tuple[FeatureLevelRecord, int]:
    """Versions 0."""
    name_size = buffer[p]
    p += 1
    if name_size > 127:
        name_size, p = string_tail(buffer, p, name_size)
    if name_size == 0:
        raise missing("FeatureLevelRecord.name")
    stop = p + name_size - 1
    name = buffer[p:stop].tobytes().decode()
    p = stop
    feature_level, tags = _unpack_hB(buffer, p)
    p += 3
    if tags:
        p = skip_tags(buffer, p, tags)
    return FeatureLevelRecord(name, feature_level), p


def _encode_0(message: FeatureLevelRecord) -> bytes:
    """Versions 0."""
    name = message.name.encode()
    name_size = len(name) + 1
    return b"".join((UVARINTS[name_size] if name_size < 256 else string_prefix(name_size), name, _pack_hx(message.feature_level)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[FeatureLevelRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[FeatureLevelRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[FeatureLevelRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"FeatureLevelRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"FeatureLevelRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"FeatureLevelRecord v{version} is cut short")
    return result


def encode(message: FeatureLevelRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"FeatureLevelRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"FeatureLevelRecord v{version}: {error}") from error
