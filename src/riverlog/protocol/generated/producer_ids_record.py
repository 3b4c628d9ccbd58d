"""ProducerIdsRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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

NAME: Final = "ProducerIdsRecord"
API_KEY: Final = 15
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iqqB = Struct(">iqqB").unpack_from
_pack_iqqx = Struct(">iqqx").pack


@dataclass(init=False, repr=False, eq=False)
class ProducerIdsRecord(Wire):
    """ProducerIdsRecord."""

    __slots__ = ("broker_id", "broker_epoch", "next_producer_id")

    broker_id: int
    broker_epoch: int
    next_producer_id: int

    def __init__(
        self,
        broker_id: int = 0,
        broker_epoch: int = -1,
        next_producer_id: int = 0,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.next_producer_id = next_producer_id


def _decode_0(buffer: memoryview, p: int) -> tuple[ProducerIdsRecord, int]:
    """Versions 0."""
    broker_id, broker_epoch, next_producer_id, tags = _unpack_iqqB(buffer, p)
    p += 21
    if tags:
        p = skip_tags(buffer, p, tags)
    return ProducerIdsRecord(broker_id, broker_epoch, next_producer_id), p


def _encode_0(message: ProducerIdsRecord) -> bytes:
    """Versions 0."""
    return _pack_iqqx(message.broker_id, message.broker_epoch, message.next_producer_id)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ProducerIdsRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ProducerIdsRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ProducerIdsRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ProducerIdsRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ProducerIdsRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ProducerIdsRecord v{version} is cut short")
    return result


def encode(message: ProducerIdsRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ProducerIdsRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ProducerIdsRecord v{version}: {error}") from error
