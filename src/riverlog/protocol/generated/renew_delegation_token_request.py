"""RenewDelegationTokenRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "RenewDelegationTokenRequest"
API_KEY: Final = 39
VERSIONS: Final[tuple[int, int]] = (1, 2)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_i = Struct(">i").unpack_from
_unpack_q = Struct(">q").unpack_from
_unpack_qB = Struct(">qB").unpack_from
_pack_i = Struct(">i").pack
_pack_q = Struct(">q").pack
_pack_qx = Struct(">qx").pack


@dataclass(init=False, repr=False, eq=False)
class RenewDelegationTokenRequest(Wire):
    """RenewDelegationTokenRequest."""

    __slots__ = ("hmac", "renew_period_ms")

    hmac: bytes
    renew_period_ms: int

    def __init__(
        self,
        hmac: bytes = b"",
        renew_period_ms: int = 0,
    ) -> None:
        self.hmac = hmac
        self.renew_period_ms = renew_period_ms


def _decode_0(buffer: memoryview, p: int) -> tuple[RenewDelegationTokenRequest, int]:
    """Versions 1."""
    (hmac_size,) = _unpack_i(buffer, p)
    p += 4
    if hmac_size < 0:
        raise missing("RenewDelegationTokenRequest.hmac")
    stop = p + hmac_size
    hmac = buffer[p:stop].tobytes()
    p = stop
    (renew_period_ms,) = _unpack_q(buffer, p)
    p += 8
    return RenewDelegationTokenRequest(hmac, renew_period_ms), p


def _decode_1(buffer: memoryview, p: int) -> tuple[RenewDelegationTokenRequest, int]:
    """Versions 2."""
    hmac_size = buffer[p]
    p += 1
    if hmac_size > 127:
        hmac_size, p = uvarint_tail(buffer, p, hmac_size)
    if hmac_size == 0:
        raise missing("RenewDelegationTokenRequest.hmac")
    stop = p + hmac_size - 1
    hmac = buffer[p:stop].tobytes()
    p = stop
    renew_period_ms, tags = _unpack_qB(buffer, p)
    p += 9
    if tags:
        p = skip_tags(buffer, p, tags)
    return RenewDelegationTokenRequest(hmac, renew_period_ms), p


def _encode_0(message: RenewDelegationTokenRequest) -> bytes:
    """Versions 1."""
    hmac = message.hmac
    hmac_size = len(hmac)
    return b"".join((_pack_i(hmac_size), hmac, _pack_q(message.renew_period_ms)))


def _encode_1(message: RenewDelegationTokenRequest) -> bytes:
    """Versions 2."""
    hmac = message.hmac
    hmac_size = len(hmac) + 1
    return b"".join((UVARINTS[hmac_size] if hmac_size < 256 else uvarint(hmac_size), hmac, _pack_qx(message.renew_period_ms)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[RenewDelegationTokenRequest, int]]]] = {
    1: _decode_0,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[RenewDelegationTokenRequest], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[RenewDelegationTokenRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"RenewDelegationTokenRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"RenewDelegationTokenRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"RenewDelegationTokenRequest v{version} is cut short")
    return result


def encode(message: RenewDelegationTokenRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"RenewDelegationTokenRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"RenewDelegationTokenRequest v{version}: {error}") from error
