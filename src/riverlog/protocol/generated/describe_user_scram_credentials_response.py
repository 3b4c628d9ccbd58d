"""DescribeUserScramCredentialsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DescribeUserScramCredentialsResponse"
API_KEY: Final = 50
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_biB = Struct(">biB").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_pack_bix = Struct(">bix").pack
_pack_h = Struct(">h").pack
_pack_ih = Struct(">ih").pack


@dataclass(init=False, repr=False, eq=False)
class CredentialInfo(Wire):
    """CredentialInfo."""

    __slots__ = ("mechanism", "iterations")

    mechanism: int
    iterations: int

    def __init__(
        self,
        mechanism: int = 0,
        iterations: int = 0,
    ) -> None:
        self.mechanism = mechanism
        self.iterations = iterations


@dataclass(init=False, repr=False, eq=False)
class DescribeUserScramCredentialsResult(Wire):
    """DescribeUserScramCredentialsResult."""

    __slots__ = ("user", "error_code", "error_message", "credential_infos")

    user: str
    error_code: int
    error_message: str | None
    credential_infos: list[CredentialInfo]

    def __init__(
        self,
        user: str = "",
        error_code: int = 0,
        error_message: str | None = "",
        credential_infos: list[CredentialInfo] = UNSET,
    ) -> None:
        self.user = user
        self.error_code = error_code
        self.error_message = error_message
        self.credential_infos = [] if credential_infos is UNSET else credential_infos


@dataclass(init=False, repr=False, eq=False)
class DescribeUserScramCredentialsResponse(Wire):
    """DescribeUserScramCredentialsResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "results")

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    results: list[DescribeUserScramCredentialsResult]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        results: list[DescribeUserScramCredentialsResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.results = [] if results is UNSET else results


def _decode_0(buffer: memoryview, p: int) -> tuple[DescribeUserScramCredentialsResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, error_message_size = _unpack_ihB(buffer, p)
    p += 7
    if error_message_size > 127:
        error_message_size, p = string_tail(buffer, p, error_message_size)
    error_message: str | None = None
    if error_message_size:
        stop = p + error_message_size - 1
        error_message = buffer[p:stop].tobytes().decode()
        p = stop
    results_count = buffer[p]
    p += 1
    if results_count > 127:
        results_count, p = uvarint_tail(buffer, p, results_count)
    if results_count == 0:
        raise missing("DescribeUserScramCredentialsResponse.results")
    results_count -= 1
    if results_count > room or results_count * 6 > end - p:
        raise too_many("DescribeUserScramCredentialsResponse.results", results_count)
    room -= results_count
    results: list[DescribeUserScramCredentialsResult] = []
    for _ in range(results_count):
        user_size = buffer[p]
        p += 1
        if user_size > 127:
            user_size, p = string_tail(buffer, p, user_size)
        if user_size == 0:
            raise missing("DescribeUserScramCredentialsResponse.results.user")
        stop = p + user_size - 1
        user = buffer[p:stop].tobytes().decode()
        p = stop
        error_code_2, error_message_size_2 = _unpack_hB(buffer, p)
        p += 3
        if error_message_size_2 > 127:
            error_message_size_2, p = string_tail(buffer, p, error_message_size_2)
        error_message_2: str | None = None
        if error_message_size_2:
            stop = p + error_message_size_2 - 1
            error_message_2 = buffer[p:stop].tobytes().decode()
            p = stop
        credential_infos_count = buffer[p]
        p += 1
        if credential_infos_count > 127:
            credential_infos_count, p = uvarint_tail(buffer, p, credential_infos_count)
        if credential_infos_count == 0:
            raise missing("DescribeUserScramCredentialsResponse.results.credential_infos")
        credential_infos_count -= 1
        if credential_infos_count > room or credential_infos_count * 6 > end - p:
            raise too_many("DescribeUserScramCredentialsResponse.results.credential_infos", credential_infos_count)
        room -= credential_infos_count
        credential_infos: list[CredentialInfo] = []
        for _ in range(credential_infos_count):
            mechanism, iterations, tags = _unpack_biB(buffer, p)
            p += 6
            if tags:
                p = skip_tags(buffer, p, tags)
            credential_infos.append(CredentialInfo(mechanism, iterations))
        tags_2 = buffer[p]
        p += 1
        if tags_2:
            p = skip_tags(buffer, p, tags_2)
        results.append(DescribeUserScramCredentialsResult(user, error_code_2, error_message_2, credential_infos))
    tags_3 = buffer[p]
    p += 1
    if tags_3:
        p = skip_tags(buffer, p, tags_3)
    return DescribeUserScramCredentialsResponse(throttle_time_ms, error_code, error_message, results), p


def _encode_0(message: DescribeUserScramCredentialsResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    results = message.results
    results_count = len(results) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
        error_message,
        UVARINTS[results_count] if results_count < 256 else uvarint(results_count),
    )
    for element in results:
        user = element.user.encode()
        user_size = len(user) + 1
        error_message_value_2 = element.error_message
        if error_message_value_2 is None:
            error_message_size_2, error_message_2 = 0, b""
        else:
            error_message_2 = error_message_value_2.encode()
            error_message_size_2 = len(error_message_2) + 1
        credential_infos = element.credential_infos
        credential_infos_count = len(credential_infos) + 1
        out += (
            UVARINTS[user_size] if user_size < 256 else string_prefix(user_size),
            user,
            _pack_h(element.error_code),
            UVARINTS[error_message_size_2] if error_message_size_2 < 256 else string_prefix(error_message_size_2),
            error_message_2,
            UVARINTS[credential_infos_count] if credential_infos_count < 256 else uvarint(credential_infos_count),
        )
        out += [_pack_bix(element_2.mechanism, element_2.iterations) for element_2 in credential_infos]
        out.append(b"\0")
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DescribeUserScramCredentialsResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[DescribeUserScramCredentialsResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DescribeUserScramCredentialsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DescribeUserScramCredentialsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DescribeUserScramCredentialsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DescribeUserScramCredentialsResponse v{version} is cut short")
    return result


def encode(message: DescribeUserScramCredentialsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DescribeUserScramCredentialsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DescribeUserScramCredentialsResponse v{version}: {error}") from error
