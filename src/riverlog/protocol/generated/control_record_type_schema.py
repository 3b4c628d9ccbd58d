"""ControlRecordTypeSchema. Written by `python -m codegen` from schemas/data; do not edit."""

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

NAME: Final = "ControlRecordTypeSchema"
API_KEY: Final = -1
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 32767
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_pack_h = Struct(">h").pack


@dataclass(init=False, repr=False, eq=False)
class ControlRecordTypeSchema(Wire):
    """ControlRecordTypeSchema."""

    __slots__ = ("type",)

    type: int

    def __init__(
        self,
        type: int = 0,
    ) -> None:
        self.type = type


def _decode_0(buffer: memoryview, p: int) -> tuple[ControlRecordTypeSchema, int]:
    """Versions 0."""
    (type,) = _unpack_h(buffer, p)
    p += 2
    return ControlRecordTypeSchema(type), p


def _encode_0(message: ControlRecordTypeSchema) -> bytes:
    """Versions 0."""
    return _pack_h(message.type)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ControlRecordTypeSchema, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ControlRecordTypeSchema], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ControlRecordTypeSchema, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ControlRecordTypeSchema has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ControlRecordTypeSchema v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ControlRecordTypeSchema v{version} is cut short")
    return result


def encode(message: ControlRecordTypeSchema, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ControlRecordTypeSchema has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ControlRecordTypeSchema v{version}: {error}") from error
