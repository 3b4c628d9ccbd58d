"""AllocateProducerIdsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "AllocateProducerIdsRequest"
API_KEY: Final = 67
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iqB = Struct(">iqB").unpack_from
_pack_iqx = Struct(">iqx").pack


@dataclass(init=False, repr=False, eq=False)
class AllocateProducerIdsRequest(Wire):
    """AllocateProducerIdsRequest."""

    __slots__ = ("broker_id", "broker_epoch")

    broker_id: int
    broker_epoch: int

    def __init__(
        self,
        broker_id: int = 0,
        broker_epoch: int = -1,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch


def _decode_0(buffer: memoryview, p: int) -> tuple[AllocateProducerIdsRequest, int]:
    """Versions 0."""
    broker_id, broker_epoch, tags = _unpack_iqB(buffer, p)
    p += 13
    if tags:
        p = skip_tags(buffer, p, tags)
    return AllocateProducerIdsRequest(broker_id, broker_epoch), p


def _encode_0(message: AllocateProducerIdsRequest) -> bytes:
    """Versions 0."""
    return _pack_iqx(message.broker_id, message.broker_epoch)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AllocateProducerIdsRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[AllocateProducerIdsRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AllocateProducerIdsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AllocateProducerIdsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AllocateProducerIdsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AllocateProducerIdsRequest v{version} is cut short")
    return result


def encode(message: AllocateProducerIdsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AllocateProducerIdsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AllocateProducerIdsRequest v{version}: {error}") from error
