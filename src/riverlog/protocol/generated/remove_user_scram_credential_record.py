"""RemoveUserScramCredentialRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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

NAME: Final = "RemoveUserScramCredentialRecord"
API_KEY: Final = 22
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_bB = Struct(">bB").unpack_from
_pack_bx = Struct(">bx").pack


@dataclass(init=False, repr=False, eq=False)
class RemoveUserScramCredentialRecord(Wire):
    """RemoveUserScramCredentialRecord."""

    __slots__ = ("name", "mechanism")

    name: str
    mechanism: int

    def __init__(
        self,
        name: str = "",
        mechanism: int = 0,
    ) -> None:
        self.name = name
        self.mechanism = mechanism


def _decode_0(buffer: memoryview, p: int) -> tuple[RemoveUserScramCredentialRecord, int]:
    """Versions 0."""
    name_size = buffer[p]
    p += 1
    if name_size > 127:
        name_size, p = string_tail(buffer, p, name_size)
    if name_size == 0:
        raise missing("RemoveUserScramCredentialRecord.name")
    stop = p + name_size - 1
    name = buffer[p:stop].tobytes().decode()
    p = stop
    mechanism, tags = _unpack_bB(buffer, p)
    p += 2
    if tags:
        p = skip_tags(buffer, p, tags)
    return RemoveUserScramCredentialRecord(name, mechanism), p


def _encode_0(message: RemoveUserScramCredentialRecord) -> bytes:
    """Versions 0."""
    name = message.name.encode()
    name_size = len(name) + 1
    return b"".join((UVARINTS[name_size] if name_size < 256 else string_prefix(name_size), name, _pack_bx(message.mechanism)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[RemoveUserScramCredentialRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[RemoveUserScramCredentialRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[RemoveUserScramCredentialRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"RemoveUserScramCredentialRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"RemoveUserScramCredentialRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"RemoveUserScramCredentialRecord v{version} is cut short")
    return result


def encode(message: RemoveUserScramCredentialRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"RemoveUserScramCredentialRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"RemoveUserScramCredentialRecord v{version}: {error}") from error
