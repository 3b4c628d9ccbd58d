"""CreateAclsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "CreateAclsResponse"
API_KEY: Final = 30
VERSIONS: Final[tuple[int, int]] = (1, 3)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_hB = Struct(">hB").unpack_from
_unpack_hh = Struct(">hh").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_pack_h = Struct(">h").pack
_pack_hh = Struct(">hh").pack
_pack_i = Struct(">i").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class AclCreationResult(Wire):
    """AclCreationResult."""

    __slots__ = ("error_code", "error_message")

    error_code: int
    error_message: str | None

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message


@dataclass(init=False, repr=False, eq=False)
class CreateAclsResponse(Wire):
    """CreateAclsResponse."""

    __slots__ = ("throttle_time_ms", "results")

    throttle_time_ms: int
    results: list[AclCreationResult]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[AclCreationResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET else results


def _decode_0(buffer: memoryview, p: int) -> tuple[CreateAclsResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, results_count = _unpack_ii(buffer, p)
    p += 8
    if results_count < 0:
        raise missing("CreateAclsResponse.results")
    if results_count > room or results_count * 4 > end - p:
        raise too_many("CreateAclsResponse.results", results_count)
    room -= results_count
    results: list[AclCreationResult] = []
    for _ in range(results_count):
        error_code, error_message_size = _unpack_hh(buffer, p)
        p += 4
        error_message: str | None = None
        if error_message_size >= 0:
            stop = p + error_message_size
            error_message = buffer[p:stop].tobytes().decode()
            p = stop
        elif error_message_size != -1:
            raise missing("CreateAclsResponse.results.error_message")
        results.append(AclCreationResult(error_code, error_message))
    return CreateAclsResponse(throttle_time_ms, results), p


def _decode_1(buffer: memoryview, p: int) -> tuple[CreateAclsResponse, int]:
    """Versions 2, 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, results_count = _unpack_iB(buffer, p)
    p += 5
    if results_count > 127:
        results_count, p = uvarint_tail(buffer, p, results_count)
    if results_count == 0:
        raise missing("CreateAclsResponse.results")
    results_count -= 1
    if results_count > room or results_count * 4 > end - p:
        raise too_many("CreateAclsResponse.results", results_count)
    room -= results_count
    results: list[AclCreationResult] = []
    for _ in range(results_count):
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
        results.append(AclCreationResult(error_code, error_message))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return CreateAclsResponse(throttle_time_ms, results), p


def _encode_0(message: CreateAclsResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    results = message.results
    out.append(_pack_ii(message.throttle_time_ms, len(results)))
    for element in results:
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = -1, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message)
        out += (_pack_hh(element.error_code, error_message_size), error_message)
    return b"".join(out)


def _encode_1(message: CreateAclsResponse) -> bytes:
    """Versions 2, 3."""
    out: list[bytes] = []
    results = message.results
    results_count = len(results) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[results_count] if results_count < 256 else uvarint(results_count),
    )
    for element in results:
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = 0, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message) + 1
        out += (
            _pack_h(element.error_code),
            UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
            error_message,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[CreateAclsResponse, int]]]] = {
    1: _decode_0,
    2: _decode_1,
    3: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[CreateAclsResponse], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
    3: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[CreateAclsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"CreateAclsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"CreateAclsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"CreateAclsResponse v{version} is cut short")
    return result


def encode(message: CreateAclsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"CreateAclsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"CreateAclsResponse v{version}: {error}") from error
