"""GroupMetadataKey. Written by `python -m codegen` from schemas/group; do not edit."""

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

NAME: Final = "GroupMetadataKey"
API_KEY: Final = 2
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 32767
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_pack_h = Struct(">h").pack


@dataclass(init=False, repr=False, eq=False)
class GroupMetadataKey(Wire):
    """GroupMetadataKey."""

    __slots__ = ("group",)

    group: str

    def __init__(
        self,
        group: str = "",
    ) -> None:
        self.group = group


def _decode_0(buffer: memoryview, p: int) -> tuple[GroupMetadataKey, int]:
    """Versions 0."""
    (group_size,) = _unpack_h(buffer, p)
    p += 2
    if group_size < 0:
        raise missing("GroupMetadataKey.group")
    stop = p + group_size
    group = buffer[p:stop].tobytes().decode()
    p = stop
    return GroupMetadataKey(group), p


def _encode_0(message: GroupMetadataKey) -> bytes:
    """Versions 0."""
    group = message.group.encode()
    group_size = len(group)
    return b"".join((_pack_h(group_size), group))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[GroupMetadataKey, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[GroupMetadataKey], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[GroupMetadataKey, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"GroupMetadataKey has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"GroupMetadataKey v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"GroupMetadataKey v{version} is cut short")
    return result


def encode(message: GroupMetadataKey, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"GroupMetadataKey has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"GroupMetadataKey v{version}: {error}") from error
