"""SaslAuthenticateRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    UNFIT,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
)

NAME: Final = "SaslAuthenticateRequest"
API_KEY: Final = 36
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_i = Struct(">i").unpack_from
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class SaslAuthenticateRequest(Wire):
    """SaslAuthenticateRequest."""

    __slots__ = ("auth_bytes",)

    auth_bytes: bytes

    def __init__(
        self,
        auth_bytes: bytes = b"",
    ) -> None:
        self.auth_bytes = auth_bytes


def _decode_0(buffer: memoryview, p: int) -> tuple[SaslAuthenticateRequest, int]:
    """Versions 0, 1."""
    (auth_bytes_size,) = _unpack_i(buffer, p)
    p += 4
    if auth_bytes_size < 0:
        raise missing("SaslAuthenticateRequest.auth_bytes")
    stop = p + auth_bytes_size
    auth_bytes = buffer[p:stop].tobytes()
    p = stop
    return SaslAuthenticateRequest(auth_bytes), p


def _decode_1(buffer: memoryview, p: int) -> tuple[SaslAuthenticateRequest, int]:
    """Versions 2."""
    auth_bytes_size = buffer[p]
    p += 1
    if auth_bytes_size > 127:
        auth_bytes_size, p = uvarint_tail(buffer, p, auth_bytes_size)
    if auth_bytes_size == 0:
        raise missing("SaslAuthenticateRequest.auth_bytes")
    stop = p + auth_bytes_size - 1
    auth_bytes = buffer[p:stop].tobytes()
    p = stop
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return SaslAuthenticateRequest(auth_bytes), p


def _encode_0(message: SaslAuthenticateRequest) -> bytes:
    """Versions 0, 1."""
    auth_bytes = message.auth_bytes
    auth_bytes_size = len(auth_bytes)
    return b"".join((_pack_i(auth_bytes_size), auth_bytes))


def _encode_1(message: SaslAuthenticateRequest) -> bytes:
    """Versions 2."""
    auth_bytes = message.auth_bytes
    auth_bytes_size = len(auth_bytes) + 1
    return b"".join((UVARINTS[auth_bytes_size] if auth_bytes_size < 256 else uvarint(auth_bytes_size), auth_bytes, b"\0"))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[SaslAuthenticateRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[SaslAuthenticateRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[SaslAuthenticateRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"SaslAuthenticateRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"SaslAuthenticateRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"SaslAuthenticateRequest v{version} is cut short")
    return result


def encode(message: SaslAuthenticateRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"SaslAuthenticateRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"SaslAuthenticateRequest v{version}: {error}") from error
