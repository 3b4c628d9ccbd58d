"""UnregisterBrokerRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    UNFIT,
    Wire,
)

NAME: Final = "UnregisterBrokerRequest"
API_KEY: Final = 64
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iB = Struct(">iB").unpack_from
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class UnregisterBrokerRequest(Wire):
    """UnregisterBrokerRequest."""

    __slots__ = ("broker_id",)

    broker_id: int

    def __init__(
        self,
        broker_id: int = 0,
    ) -> None:
        self.broker_id = broker_id


def _decode_0(buffer: memoryview, p: int) -> tuple[UnregisterBrokerRequest, int]:
    """Versions 0."""
    broker_id, tags = _unpack_iB(buffer, p)
    p += 5
    if tags:
        p = skip_tags(buffer, p, tags)
    return UnregisterBrokerRequest(broker_id), p


def _encode_0(message: UnregisterBrokerRequest) -> bytes:
    """Versions 0."""
    return _pack_ix(message.broker_id)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[UnregisterBrokerRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[UnregisterBrokerRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[UnregisterBrokerRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"UnregisterBrokerRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"UnregisterBrokerRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"UnregisterBrokerRequest v{version} is cut short")
    return result


def encode(message: UnregisterBrokerRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"UnregisterBrokerRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"UnregisterBrokerRequest v{version}: {error}") from error
