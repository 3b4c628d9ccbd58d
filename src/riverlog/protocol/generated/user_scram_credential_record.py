"""UserScramCredentialRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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

NAME: Final = "UserScramCredentialRecord"
API_KEY: Final = 11
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_bB = Struct(">bB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_pack_b = Struct(">b").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class UserScramCredentialRecord(Wire):
    """UserScramCredentialRecord."""

    __slots__ = ("name", "mechanism", "salt", "stored_key", "server_key", "iterations")

    name: str
    mechanism: int
    salt: bytes
    stored_key: bytes
    server_key: bytes
    iterations: int

    def __init__(
        self,
        name: str = "",
        mechanism: int = 0,
        salt: bytes = b"",
        stored_key: bytes = b"",
        server_key: bytes = b"",
        iterations: int = 0,
    ) -> None:
        self.name = name
        self.mechanism = mechanism
        self.salt = salt
        self.stored_key = stored_key
        self.server_key = server_key
        self.iterations = iterations


def _decode_0(buffer: memoryview, p: int) -> tuple[UserScramCredentialRecord, int]:
    """Versions 0."""
    name_size = buffer[p]
    p += 1
    if name_size > 127:
        name_size, p = string_tail(buffer, p, name_size)
    if name_size == 0:
        raise missing("UserScramCredentialRecord.name")
    stop = p + name_size - 1
    name = buffer[p:stop].tobytes().decode()
    p = stop
    mechanism, salt_size = _unpack_bB(buffer, p)
    p += 2
    if salt_size > 127:
        salt_size, p = uvarint_tail(buffer, p, salt_size)
    if salt_size == 0:
        raise missing("UserScramCredentialRecord.salt")
    stop = p + salt_size - 1
    salt = buffer[p:stop].tobytes()
    p = stop
    stored_key_size = buffer[p]
    p += 1
    if stored_key_size > 127:
        stored_key_size, p = uvarint_tail(buffer, p, stored_key_size)
    if stored_key_size == 0:
        raise missing("UserScramCredentialRecord.stored_key")
    stop = p + stored_key_size - 1
    stored_key = buffer[p:stop].tobytes()
    p = stop
    server_key_size = buffer[p]
    p += 1
    if server_key_size > 127:
        server_key_size, p = uvarint_tail(buffer, p, server_key_size)
    if server_key_size == 0:
        raise missing("UserScramCredentialRecord.server_key")
    stop = p + server_key_size - 1
    server_key = buffer[p:stop].tobytes()
    p = stop
    iterations, tags = _unpack_iB(buffer, p)
    p += 5
    if tags:
        p = skip_tags(buffer, p, tags)
    return UserScramCredentialRecord(name, mechanism, salt, stored_key, server_key, iterations), p


def _encode_0(message: UserScramCredentialRecord) -> bytes:
    """Versions 0."""
    name = message.name.encode()
    name_size = len(name) + 1
    salt = message.salt
    salt_size = len(salt) + 1
    stored_key = message.stored_key
    stored_key_size = len(stored_key) + 1
    server_key = message.server_key
    server_key_size = len(server_key) + 1
    return b"".join((UVARINTS[name_size] if name_size < 256 else string_prefix(name_size), name, _pack_b(message.mechanism), UVARINTS[salt_size] if salt_size < 256 else uvarint(salt_size), salt, UVARINTS[stored_key_size] if stored_key_size < 256 else uvarint(stored_key_size), stored_key, UVARINTS[server_key_size] if server_key_size < 256 else uvarint(server_key_size), server_key, _pack_ix(message.iterations)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[UserScramCredentialRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[UserScramCredentialRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[UserScramCredentialRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"UserScramCredentialRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"UserScramCredentialRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"UserScramCredentialRecord v{version} is cut short")
    return result


def encode(message: UserScramCredentialRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"UserScramCredentialRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"UserScramCredentialRecord v{version}: {error}") from error
