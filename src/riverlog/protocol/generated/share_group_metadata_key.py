"""ShareGroupMetadataKey. Written by `python -m codegen` from schemas/group; do not edit."""

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

NAME: Final = "ShareGroupMetadataKey"
API_KEY: Final = 11
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 32767
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_pack_h = Struct(">h").pack


@dataclass(init=False, repr=False, eq=False)
class ShareGroupMetadataKey(Wire):
    """ShareGroupMetadataKey."""

    __slots__ = ("group_id",)

    group_id: str

    def __init__(
        self,
        group_id: str = "",
    ) -> None:
        self.group_id = group_id


def _decode_0(buffer: memoryview, p: int) -> tuple[ShareGroupMetadataKey, int]:
    """Versions 0."""
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("ShareGroupMetadataKey.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    return ShareGroupMetadataKey(group_id), p


def _encode_0(message: ShareGroupMetadataKey) -> bytes:
    """Versions 0."""
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    return b"".join((_pack_h(group_id_size), group_id))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ShareGroupMetadataKey, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ShareGroupMetadataKey], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ShareGroupMetadataKey, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ShareGroupMetadataKey has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ShareGroupMetadataKey v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ShareGroupMetadataKey v{version} is cut short")
    return result


def encode(message: ShareGroupMetadataKey, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ShareGroupMetadataKey has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ShareGroupMetadataKey v{version}: {error}") from error
