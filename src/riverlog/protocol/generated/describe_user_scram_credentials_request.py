"""DescribeUserScramCredentialsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

# fmt: off
# ruff: noqa: A001, ARG001, N816
# Layout is fixed by the generator, so that it does not depend on the version of a formatter.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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

NAME: Final = "DescribeUserScramCredentialsRequest"
API_KEY: Final = 50
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False


@dataclass(init=False, repr=False, eq=False)
class UserName(Wire):
    """UserName."""

    __slots__ = ("name",)

    name: str

    def __init__(
        self,
        name: str = "",
    ) -> None:
        self.name = name


@dataclass(init=False, repr=False, eq=False)
class DescribeUserScramCredentialsRequest(Wire):
    """DescribeUserScramCredentialsRequest."""

    __slots__ = ("users",)

    users: list[UserName] | None

    def __init__(
        self,
        users: list[UserName] | None = UNSET,
    ) -> None:
        self.users = [] if users is UNSET else users


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeUserScramCredentialsRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    users_count = buffer[p]
    p += 1
    if users_count > 127:
        users_count, p = uvarint_tail(buffer, p, users_count)
    users: list[UserName] | None = None
    if users_count:
        users_count -= 1
        if users_count > room or users_count * 2 > end - p:
            raise too_many("DescribeUserScramCredentialsRequest.users", users_count)
        room -= users_count
        users = []
        for _ in range(users_count):
            name_size = buffer[p]
            p += 1
            if name_size > 127:
                name_size, p = string_tail(buffer, p, name_size)
            if name_size == 0:
                raise missing("DescribeUserScramCredentialsRequest.users.name")
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
            tags = buffer[p]
            p += 1
            if tags:
                p = skip_tags(buffer, p, tags)
            users.append(UserName(name))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return DescribeUserScramCredentialsRequest(users), p


def _encode_0(message: DescribeUserScramCredentialsRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    users = message.users
    if users is None:
        out.append(b"\0")
    else:
        users_count = len(users) + 1
        out.append(UVARINTS[users_count] if users_count < 256 else uvarint(users_count))
        for element in users:
            name = element.name.encode()
            name_size = len(name) + 1
            out += (UVARINTS[name_size] if name_size < 256 else string_prefix(name_size), name, b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeUserScramCredentialsRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[DescribeUserScramCredentialsRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeUserScramCredentialsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeUserScramCredentialsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeUserScramCredentialsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeUserScramCredentialsRequest v{version} is cut short")
    return result


def encode(message: DescribeUserScramCredentialsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeUserScramCredentialsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeUserScramCredentialsRequest v{version}: {error}") from error
