"""SaslAuthenticateResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
)

NAME: Final = "SaslAuthenticateResponse"
API_KEY: Final = 36
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_hB = Struct(">hB").unpack_from
_unpack_hh = Struct(">hh").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_q = Struct(">q").unpack_from
_unpack_qB = Struct(">qB").unpack_from
_pack_h = Struct(">h").pack
_pack_hh = Struct(">hh").pack
_pack_i = Struct(">i").pack
_pack_q = Struct(">q").pack
_pack_qx = Struct(">qx").pack


@dataclass(init=False, repr=False, eq=False)
class SaslAuthenticateResponse(Wire):
    """SaslAuthenticateResponse."""

    __slots__ = ("error_code", "error_message", "auth_bytes", "session_lifetime_ms")

    error_code: int
    error_message: str | None
    auth_bytes: bytes
    session_lifetime_ms: int

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        auth_bytes: bytes = b"",
        session_lifetime_ms: int = 0,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.auth_bytes = auth_bytes
        self.session_lifetime_ms = session_lifetime_ms


def _decode_0(buffer: memoryview, p: int) -> tuple[SaslAuthenticateResponse, int]:
    """Versions 0."""
    error_code, error_message_size = _unpack_hh(buffer, p)
    p += 4
    error_message: str | None = None
    if error_message_size >= 0:
        stop = p + error_message_size
        error_message = buffer[p:stop].tobytes().decode()
        p = stop
    elif error_message_size != -1:
        raise missing("SaslAuthenticateResponse.error_message")
    (auth_bytes_size,) = _unpack_i(buffer, p)
    p += 4
    if auth_bytes_size < 0:
        raise missing("SaslAuthenticateResponse.auth_bytes")
    stop = p + auth_bytes_size
    auth_bytes = buffer[p:stop].tobytes()
    p = stop
    return SaslAuthenticateResponse(error_code, error_message, auth_bytes, 0), p


def _decode_1(buffer: memoryview, p: int) -> tuple[SaslAuthenticateResponse, int]:
    """Versions 1."""
    error_code, error_message_size = _unpack_hh(buffer, p)
    p += 4
    error_message: str | None = None
    if error_message_size >= 0:
        stop = p + error_message_size
        error_message = buffer[p:stop].tobytes().decode()
        p = stop
    elif error_message_size != -1:
        raise missing("SaslAuthenticateResponse.error_message")
    (auth_bytes_size,) = _unpack_i(buffer, p)
    p += 4
    if auth_bytes_size < 0:
        raise missing("SaslAuthenticateResponse.auth_bytes")
    stop = p + auth_bytes_size
    auth_bytes = buffer[p:stop].tobytes()
    p = stop
    (session_lifetime_ms,) = _unpack_q(buffer, p)
    p += 8
    return SaslAuthenticateResponse(error_code, error_message, auth_bytes, session_lifetime_ms), p


def _decode_2(buffer: memoryview, p: int) -> tuple[SaslAuthenticateResponse, int]:
    """Versions 2."""
    error_code, error_message_size = _unpack_hB(buffer, p)
    p += 3
    if error_message_size > 127:
        error_message_size, p = string_tail(buffer, p, error_message_size)
    error_message: str | None = None
    if error_message_size:
        stop = p + error_message_size - 1
        error_message = buffer[p:stop].tobytes().decode()
        p = stop
    auth_bytes_size = buffer[p]
    p += 1
    if auth_bytes_size > 127:
        auth_bytes_size, p = uvarint_tail(buffer, p, auth_bytes_size)
    if auth_bytes_size == 0:
        raise missing("SaslAuthenticateResponse.auth_bytes")
    stop = p + auth_bytes_size - 1
    auth_bytes = buffer[p:stop].tobytes()
    p = stop
    session_lifetime_ms, tags = _unpack_qB(buffer, p)
    p += 9
    if tags:
        p = skip_tags(buffer, p, tags)
    return SaslAuthenticateResponse(error_code, error_message, auth_bytes, session_lifetime_ms), p


def _encode_0(message: SaslAuthenticateResponse) -> bytes:
    """Versions 0."""
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = -1, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message)
    auth_bytes = message.auth_bytes
    auth_bytes_size = len(auth_bytes)
    return b"".join((_pack_hh(message.error_code, error_message_size), error_message, _pack_i(auth_bytes_size), auth_bytes))


def _encode_1(message: SaslAuthenticateResponse) -> bytes:
    """Versions 1."""
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = -1, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message)
    auth_bytes = message.auth_bytes
    auth_bytes_size = len(auth_bytes)
    return b"".join((_pack_hh(message.error_code, error_message_size), error_message, _pack_i(auth_bytes_size), auth_bytes, _pack_q(message.session_lifetime_ms)))


def _encode_2(message: SaslAuthenticateResponse) -> bytes:
    """Versions 2."""
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    auth_bytes = message.auth_bytes
    auth_bytes_size = len(auth_bytes) + 1
    return b"".join((_pack_h(message.error_code), UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size), error_message, UVARINTS[auth_bytes_size] if auth_bytes_size < 256 else uvarint(auth_bytes_size), auth_bytes, _pack_qx(message.session_lifetime_ms)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[SaslAuthenticateResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[SaslAuthenticateResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[SaslAuthenticateResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"SaslAuthenticateResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"SaslAuthenticateResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"SaslAuthenticateResponse v{version} is cut short")
    return result


def encode(message: SaslAuthenticateResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"SaslAuthenticateResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"SaslAuthenticateResponse v{version}: {error}") from error
