"""AlterUserScramCredentialsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    MAX_ELEMENTS,
    missing,
    skip_tags,
    string_prefix,
    string_tail,
    too_many,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
)

NAME: Final = "AlterUserScramCredentialsRequest"
API_KEY: Final = 51
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_bB = Struct(">bB").unpack_from
_unpack_biB = Struct(">biB").unpack_from
_pack_bi = Struct(">bi").pack
_pack_bx = Struct(">bx").pack


@dataclass(init=False, repr=False, eq=False)
class ScramCredentialDeletion(Wire):
    """ScramCredentialDeletion."""

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


@dataclass(init=False, repr=False, eq=False)
class ScramCredentialUpsertion(Wire):
    """ScramCredentialUpsertion."""

    __slots__ = ("name", "mechanism", "iterations", "salt", "salted_password")

    name: str
    mechanism: int
    iterations: int
    salt: bytes
    salted_password: bytes

    def __init__(
        self,
        name: str = "",
        mechanism: int = 0,
        iterations: int = 0,
        salt: bytes = b"",
        salted_password: bytes = b"",
    ) -> None:
        self.name = name
        self.mechanism = mechanism
        self.iterations = iterations
        self.salt = salt
        self.salted_password = salted_password


@dataclass(init=False, repr=False, eq=False)
class AlterUserScramCredentialsRequest(Wire):
    """AlterUserScramCredentialsRequest."""

    __slots__ = ("deletions", "upsertions")

    deletions: list[ScramCredentialDeletion]
    upsertions: list[ScramCredentialUpsertion]

    def __init__(
        self,
        deletions: list[ScramCredentialDeletion] = UNSET,
        upsertions: list[ScramCredentialUpsertion] = UNSET,
    ) -> None:
        self.deletions = [] if deletions is UNSET else deletions
        self.upsertions = [] if upsertions is UNSET else upsertions


def _decode_0(buffer: memoryview, p: int) -> tuple[AlterUserScramCredentialsRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    deletions_count = buffer[p]
    p += 1
    if deletions_count > 127:
        deletions_count, p = uvarint_tail(buffer, p, deletions_count)
    if deletions_count == 0:
        raise missing("AlterUserScramCredentialsRequest.deletions")
    deletions_count -= 1
    if deletions_count > room or deletions_count * 3 > end - p:
        raise too_many("AlterUserScramCredentialsRequest.deletions", deletions_count)
    room -= deletions_count
    deletions: list[ScramCredentialDeletion] = []
    for _ in range(deletions_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("AlterUserScramCredentialsRequest.deletions.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        mechanism, tags = _unpack_bB(buffer, p)
        p += 2
        if tags:
            p = skip_tags(buffer, p, tags)
        deletions.append(ScramCredentialDeletion(name, mechanism))
    upsertions_count = buffer[p]
    p += 1
    if upsertions_count > 127:
        upsertions_count, p = uvarint_tail(buffer, p, upsertions_count)
    if upsertions_count == 0:
        raise missing("AlterUserScramCredentialsRequest.upsertions")
    upsertions_count -= 1
    if upsertions_count > room or upsertions_count * 9 > end - p:
        raise too_many("AlterUserScramCredentialsRequest.upsertions", upsertions_count)
    room -= upsertions_count
    upsertions: list[ScramCredentialUpsertion] = []
    for _ in range(upsertions_count):
        name_size_2 = buffer[p]
        p += 1
        if name_size_2 > 127:
            name_size_2, p = string_tail(buffer, p, name_size_2)
        if name_size_2 == 0:
            raise missing("AlterUserScramCredentialsRequest.upsertions.name")
        stop = p + name_size_2 - 1
        name_2 = buffer[p:stop].tobytes().decode()
        p = stop
        mechanism_2, iterations, salt_size = _unpack_biB(buffer, p)
        p += 6
        if salt_size > 127:
            salt_size, p = uvarint_tail(buffer, p, salt_size)
        if salt_size == 0:
            raise missing("AlterUserScramCredentialsRequest.upsertions.salt")
        stop = p + salt_size - 1
        salt = buffer[p:stop].tobytes()
        p = stop
        salted_password_size = buffer[p]
        p += 1
        if salted_password_size > 127:
            salted_password_size, p = uvarint_tail(buffer, p, salted_password_size)
        if salted_password_size == 0:
            raise missing("AlterUserScramCredentialsRequest.upsertions.salted_password")
        stop = p + salted_password_size - 1
        salted_password = buffer[p:stop].tobytes()
        p = stop
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        upsertions.append(ScramCredentialUpsertion(name_2, mechanism_2, iterations, salt, salted_password))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return AlterUserScramCredentialsRequest(deletions, upsertions), p


def _encode_0(message: AlterUserScramCredentialsRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    deletions = message.deletions
    deletions_count = len(deletions) + 1
    out.append(UVARINTS[deletions_count] if deletions_count < 256 else uvarint(deletions_count))
    for element in deletions:
        name = element.name.encode()
        name_size = len(name) + 1
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            _pack_bx(element.mechanism),
        )
    upsertions = message.upsertions
    upsertions_count = len(upsertions) + 1
    out.append(UVARINTS[upsertions_count] if upsertions_count < 256 else uvarint(upsertions_count))
    for element_2 in upsertions:
        name_2 = element_2.name.encode()
        name_size_2 = len(name_2) + 1
        salt = element_2.salt
        salt_size = len(salt) + 1
        salted_password = element_2.salted_password
        salted_password_size = len(salted_password) + 1
        out += (
            UVARINTS[name_size_2] if name_size_2 < 256 else string_prefix(name_size_2),
            name_2,
            _pack_bi(element_2.mechanism, element_2.iterations),
            UVARINTS[salt_size] if salt_size < 256 else uvarint(salt_size),
            salt,
            UVARINTS[salted_password_size] if salted_password_size < 256 else uvarint(salted_password_size),
            salted_password,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AlterUserScramCredentialsRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[AlterUserScramCredentialsRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AlterUserScramCredentialsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AlterUserScramCredentialsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AlterUserScramCredentialsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AlterUserScramCredentialsRequest v{version} is cut short")
    return result


def encode(message: AlterUserScramCredentialsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AlterUserScramCredentialsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AlterUserScramCredentialsRequest v{version}: {error}") from error
