"""AddRaftVoterResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    skip_tags,
    string_prefix,
    string_tail,
    UNFIT,
    UVARINTS,
    Wire,
)

NAME: Final = "AddRaftVoterResponse"
API_KEY: Final = 80
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_ihB = Struct(">ihB").unpack_from
_pack_ih = Struct(">ih").pack


@dataclass(init=False, repr=False, eq=False)
class AddRaftVoterResponse(Wire):
    """AddRaftVoterResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message")

    throttle_time_ms: int
    error_code: int
    error_message: str | None

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message


def _decode_0(buffer: memoryview, p: int) -> tuple[AddRaftVoterResponse, int]:
    """Versions 0, 1."""
    throttle_time_ms, error_code, error_message_size = _unpack_ihB(buffer, p)
    p += 7
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
    return AddRaftVoterResponse(throttle_time_ms, error_code, error_message), p


def _encode_0(message: AddRaftVoterResponse) -> bytes:
    """Versions 0, 1."""
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    return b"".join((_pack_ih(message.throttle_time_ms, message.error_code), UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size), error_message, b"\0"))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AddRaftVoterResponse, int]]]] = {
    0: _decode_0,
    1: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[AddRaftVoterResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AddRaftVoterResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AddRaftVoterResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AddRaftVoterResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AddRaftVoterResponse v{version} is cut short")
    return result


def encode(message: AddRaftVoterResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AddRaftVoterResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AddRaftVoterResponse v{version}: {error}") from error
