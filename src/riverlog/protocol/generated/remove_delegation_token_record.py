"""RemoveDelegationTokenRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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
    missing,
    skip_tags,
    string_prefix,
    string_tail,
    UNFIT,
    UVARINTS,
    Wire,
)

NAME: Final = "RemoveDelegationTokenRecord"
API_KEY: Final = 26
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False


@dataclass(init=False, repr=False, eq=False)
class RemoveDelegationTokenRecord(Wire):
    """RemoveDelegationTokenRecord."""

    __slots__ = ("token_id",)

    token_id: str

    def __init__(
        self,
        token_id: str = "",
    ) -> None:
        self.token_id = token_id


def _decode_0(buffer: memoryview, p: int) -> tuple[RemoveDelegationTokenRecord, int]:
    """Versions 0."""
    token_id_size = buffer[p]
    p += 1
    if token_id_size > 127:
        token_id_size, p = string_tail(buffer, p, token_id_size)
    if token_id_size == 0:
        raise missing("RemoveDelegationTokenRecord.token_id")
    stop = p + token_id_size - 1
    token_id = buffer[p:stop].tobytes().decode()
    p = stop
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return RemoveDelegationTokenRecord(token_id), p


def _encode_0(message: RemoveDelegationTokenRecord) -> bytes:
    """Versions 0."""
    token_id = message.token_id.encode()
    token_id_size = len(token_id) + 1
    return b"".join((UVARINTS[token_id_size] if token_id_size < 256 else string_prefix(token_id_size), token_id, b"\0"))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[RemoveDelegationTokenRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[RemoveDelegationTokenRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[RemoveDelegationTokenRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"RemoveDelegationTokenRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"RemoveDelegationTokenRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"RemoveDelegationTokenRecord v{version} is cut short")
    return result


def encode(message: RemoveDelegationTokenRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"RemoveDelegationTokenRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"RemoveDelegationTokenRecord v{version}: {error}") from error
