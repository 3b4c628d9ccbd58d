"""DefaultPrincipalData. Written by `python -m codegen` from schemas/data; do not edit."""

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

NAME: Final = "DefaultPrincipalData"
API_KEY: Final = -1
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_zB = Struct(">?B").unpack_from
_pack_zx = Struct(">?x").pack


@dataclass(init=False, repr=False, eq=False)
class DefaultPrincipalData(Wire):
    """DefaultPrincipalData."""

    __slots__ = ("type", "name", "token_authenticated")

    type: str
    name: str
    token_authenticated: bool

    def __init__(
        self,
        type: str = "",
        name: str = "",
        token_authenticated: bool = False,
    ) -> None:
        self.type = type
        self.name = name
        self.token_authenticated = token_authenticated


def _decode_0(buffer: memoryview, p: int) -> tuple[DefaultPrincipalData, int]:
    """Versions 0."""
    type_size = buffer[p]
    p += 1
    if type_size > 127:
        type_size, p = string_tail(buffer, p, type_size)
    if type_size == 0:
        raise missing("DefaultPrincipalData.type")
    stop = p + type_size - 1
    type = buffer[p:stop].tobytes().decode()
    p = stop
    name_size = buffer[p]
    p += 1
    if name_size > 127:
        name_size, p = string_tail(buffer, p, name_size)
    if name_size == 0:
        raise missing("DefaultPrincipalData.name")
    stop = p + name_size - 1
    name = buffer[p:stop].tobytes().decode()
    p = stop
    token_authenticated, tags = _unpack_zB(buffer, p)
    p += 2
    if tags:
        p = skip_tags(buffer, p, tags)
    return DefaultPrincipalData(type, name, token_authenticated), p


def _encode_0(message: DefaultPrincipalData) -> bytes:
    """Versions 0."""
    type = message.type.encode()
    type_size = len(type) + 1
    name = message.name.encode()
    name_size = len(name) + 1
    return b"".join((UVARINTS[type_size] if type_size < 256 else string_prefix(type_size), type, UVARINTS[name_size] if name_size < 256 else string_prefix(name_size), name, _pack_zx(message.token_authenticated)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DefaultPrincipalData, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[DefaultPrincipalData], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DefaultPrincipalData, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DefaultPrincipalData has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DefaultPrincipalData v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DefaultPrincipalData v{version} is cut short")
    return result


def encode(message: DefaultPrincipalData, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DefaultPrincipalData has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DefaultPrincipalData v{version}: {error}") from error
