"""RemoveAccessControlEntryRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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
    bad_uuid,
    MALFORMED,
    skip_tags,
    UNFIT,
    Wire,
    ZERO_UUID,
)

NAME: Final = "RemoveAccessControlEntryRecord"
API_KEY: Final = 19
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_pack_ux = Struct(">16sx").pack


@dataclass(init=False, repr=False, eq=False)
class RemoveAccessControlEntryRecord(Wire):
    """RemoveAccessControlEntryRecord."""

    __slots__ = ("id",)

    id: bytes

    def __init__(
        self,
        id: bytes = ZERO_UUID,
    ) -> None:
        self.id = id


def _decode_0(buffer: memoryview, p: int) -> tuple[RemoveAccessControlEntryRecord, int]:
    """Versions 0."""
    id, tags = _unpack_uB(buffer, p)
    p += 17
    if tags:
        p = skip_tags(buffer, p, tags)
    return RemoveAccessControlEntryRecord(id), p


def _encode_0(message: RemoveAccessControlEntryRecord) -> bytes:
    """Versions 0."""
    id = message.id
    if len(id) != 16:
        raise bad_uuid("RemoveAccessControlEntryRecord.id")
    return _pack_ux(id)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[RemoveAccessControlEntryRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[RemoveAccessControlEntryRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[RemoveAccessControlEntryRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"RemoveAccessControlEntryRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"RemoveAccessControlEntryRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"RemoveAccessControlEntryRecord v{version} is cut short")
    return result


def encode(message: RemoveAccessControlEntryRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"RemoveAccessControlEntryRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"RemoveAccessControlEntryRecord v{version}: {error}") from error
