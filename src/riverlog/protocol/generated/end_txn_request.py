"""EndTxnRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    string_prefix,
    string_tail,
    UNFIT,
    UVARINTS,
    Wire,
)

NAME: Final = "EndTxnRequest"
API_KEY: Final = 26
VERSIONS: Final[tuple[int, int]] = (0, 5)
FLEXIBLE_FROM: Final = 3
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_qhz = Struct(">qh?").unpack_from
_unpack_qhzB = Struct(">qh?B").unpack_from
_pack_h = Struct(">h").pack
_pack_qhz = Struct(">qh?").pack
_pack_qhzx = Struct(">qh?x").pack


@dataclass(init=False, repr=False, eq=False)
class EndTxnRequest(Wire):
    """EndTxnRequest."""

    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "committed")

    transactional_id: str
    producer_id: int
    producer_epoch: int
    committed: bool

    def __init__(
        self,
        transactional_id: str = "",
        producer_id: int = 0,
        producer_epoch: int = 0,
        committed: bool = False,
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.committed = committed


def _decode_0(buffer: memoryview, p: int) -> tuple[EndTxnRequest, int]:
    """Versions 0, 1, 2."""
    (transactional_id_size,) = _unpack_h(buffer, p)
    p += 2
    if transactional_id_size < 0:
        raise missing("EndTxnRequest.transactional_id")
    stop = p + transactional_id_size
    transactional_id = buffer[p:stop].tobytes().decode()
    p = stop
    producer_id, producer_epoch, committed = _unpack_qhz(buffer, p)
    p += 11
    return EndTxnRequest(transactional_id, producer_id, producer_epoch, committed), p


def _decode_1(buffer: memoryview, p: int) -> tuple[EndTxnRequest, int]:
    """Versions 3, 4, 5."""
    transactional_id_size = buffer[p]
    p += 1
    if transactional_id_size > 127:
        transactional_id_size, p = string_tail(buffer, p, transactional_id_size)
    if transactional_id_size == 0:
        raise missing("EndTxnRequest.transactional_id")
    stop = p + transactional_id_size - 1
    transactional_id = buffer[p:stop].tobytes().decode()
    p = stop
    producer_id, producer_epoch, committed, tags = _unpack_qhzB(buffer, p)
    p += 12
    if tags:
        p = skip_tags(buffer, p, tags)
    return EndTxnRequest(transactional_id, producer_id, producer_epoch, committed), p


def _encode_0(message: EndTxnRequest) -> bytes:
    """Versions 0, 1, 2."""
    transactional_id = message.transactional_id.encode()
    transactional_id_size = len(transactional_id)
    return b"".join((_pack_h(transactional_id_size), transactional_id, _pack_qhz(message.producer_id, message.producer_epoch, message.committed)))


def _encode_1(message: EndTxnRequest) -> bytes:
    """Versions 3, 4, 5."""
    transactional_id = message.transactional_id.encode()
    transactional_id_size = len(transactional_id) + 1
    return b"".join((UVARINTS[transactional_id_size] if transactional_id_size < 256 else string_prefix(transactional_id_size), transactional_id, _pack_qhzx(message.producer_id, message.producer_epoch, message.committed)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[EndTxnRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_0,
    3: _decode_1,
    4: _decode_1,
    5: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[EndTxnRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_0,
    3: _encode_1,
    4: _encode_1,
    5: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[EndTxnRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"EndTxnRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"EndTxnRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"EndTxnRequest v{version} is cut short")
    return result


def encode(message: EndTxnRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"EndTxnRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"EndTxnRequest v{version}: {error}") from error
