"""AlterUserScramCredentialsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "AlterUserScramCredentialsResponse"
API_KEY: Final = 51
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_hB = Struct(">hB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class AlterUserScramCredentialsResult(Wire):
    """AlterUserScramCredentialsResult."""

    __slots__ = ("user", "error_code", "error_message")

    user: str
    error_code: int
    error_message: str | None

    def __init__(
        self,
        user: str = "",
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.user = user
        self.error_code = error_code
        self.error_message = error_message


@dataclass(init=False, repr=False, eq=False)
class AlterUserScramCredentialsResponse(Wire):
    """AlterUserScramCredentialsResponse."""

    __slots__ = ("throttle_time_ms", "results")

    throttle_time_ms: int
    results: list[AlterUserScramCredentialsResult]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[AlterUserScramCredentialsResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET else results


def _decode_0(buffer: memoryview, p: int) -> tuple[AlterUserScramCredentialsResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, results_count = _unpack_iB(buffer, p)
    p += 5
    if results_count > 127:
        results_count, p = uvarint_tail(buffer, p, results_count)
    if results_count == 0:
        raise missing("AlterUserScramCredentialsResponse.results")
    results_count -= 1
    if results_count > room or results_count * 5 > end - p:
        raise too_many("AlterUserScramCredentialsResponse.results", results_count)
    room -= results_count
    results: list[AlterUserScramCredentialsResult] = []
    for _ in range(results_count):
        user_size = buffer[p]
        p += 1
        if user_size > 127:
            user_size, p = string_tail(buffer, p, user_size)
        if user_size == 0:
            raise missing("AlterUserScramCredentialsResponse.results.user")
        stop = p + user_size - 1
        user = buffer[p:stop].tobytes().decode()
        p = stop
        error_code, error_message_size = _unpack_hB(buffer, p)
        p += 3
        if error_message_size > 127:
            error_message_size, p = string_tail(buffer, p, error_message_size)
        error_message: str | None = None
        if error_message_size:
            stop = p + error_message_size - 1
            error_message = buffer[p:stop].tobytes().decode()
            p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        results.append(AlterUserScramCredentialsResult(user, error_code, error_message))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return AlterUserScramCredentialsResponse(throttle_time_ms, results), p


def _encode_0(message: AlterUserScramCredentialsResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    results = message.results
    results_count = len(results) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[results_count] if results_count < 256 else uvarint(results_count),
    )
    for element in results:
        user = element.user.encode()
        user_size = len(user) + 1
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = 0, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message) + 1
        out += (
            UVARINTS[user_size] if user_size < 256 else string_prefix(user_size),
            user,
            _pack_h(element.error_code),
            UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
            error_message,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AlterUserScramCredentialsResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[AlterUserScramCredentialsResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AlterUserScramCredentialsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AlterUserScramCredentialsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AlterUserScramCredentialsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AlterUserScramCredentialsResponse v{version} is cut short")
    return result


def encode(message: AlterUserScramCredentialsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AlterUserScramCredentialsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AlterUserScramCredentialsResponse v{version}: {error}") from error
