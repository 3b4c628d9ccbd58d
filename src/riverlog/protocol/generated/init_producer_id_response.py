"""InitProducerIdResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    not_in_version,
    skip_tags,
    UNFIT,
    Wire,
)

NAME: Final = "InitProducerIdResponse"
API_KEY: Final = 22
VERSIONS: Final[tuple[int, int]] = (0, 6)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_ihqh = Struct(">ihqh").unpack_from
_unpack_ihqhB = Struct(">ihqhB").unpack_from
_unpack_ihqhqhB = Struct(">ihqhqhB").unpack_from
_pack_ihqh = Struct(">ihqh").pack
_pack_ihqhqhx = Struct(">ihqhqhx").pack
_pack_ihqhx = Struct(">ihqhx").pack


@dataclass(init=False, repr=False, eq=False)
class InitProducerIdResponse(Wire):
    """InitProducerIdResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "producer_id", "producer_epoch", "ongoing_txn_producer_id", "ongoing_txn_producer_epoch")

    throttle_time_ms: int
    error_code: int
    producer_id: int
    producer_epoch: int
    ongoing_txn_producer_id: int
    ongoing_txn_producer_epoch: int

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id: int = -1,
        producer_epoch: int = 0,
        ongoing_txn_producer_id: int = -1,
        ongoing_txn_producer_epoch: int = -1,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.ongoing_txn_producer_id = ongoing_txn_producer_id
        self.ongoing_txn_producer_epoch = ongoing_txn_producer_epoch


def _decode_0(buffer: memoryview, p: int) -> tuple[InitProducerIdResponse, int]:
    """Versions 0, 1."""
    throttle_time_ms, error_code, producer_id, producer_epoch = _unpack_ihqh(buffer, p)
    p += 16
    return InitProducerIdResponse(throttle_time_ms, error_code, producer_id, producer_epoch, -1, -1), p


def _decode_1(buffer: memoryview, p: int) -> tuple[InitProducerIdResponse, int]:
    """Versions 2, 3, 4, 5."""
    throttle_time_ms, error_code, producer_id, producer_epoch, tags = _unpack_ihqhB(buffer, p)
    p += 17
    if tags:
        p = skip_tags(buffer, p, tags)
    return InitProducerIdResponse(throttle_time_ms, error_code, producer_id, producer_epoch, -1, -1), p


def _decode_2(buffer: memoryview, p: int) -> tuple[InitProducerIdResponse, int]:
    """Versions 6."""
    throttle_time_ms, error_code, producer_id, producer_epoch, ongoing_txn_producer_id, ongoing_txn_producer_epoch, tags = _unpack_ihqhqhB(buffer, p)
    p += 27
    if tags:
        p = skip_tags(buffer, p, tags)
    return InitProducerIdResponse(throttle_time_ms, error_code, producer_id, producer_epoch, ongoing_txn_producer_id, ongoing_txn_producer_epoch), p


def _encode_0(message: InitProducerIdResponse) -> bytes:
    """Versions 0, 1."""
    if message.ongoing_txn_producer_id != -1:
        raise not_in_version("InitProducerIdResponse.ongoing_txn_producer_id")
    if message.ongoing_txn_producer_epoch != -1:
        raise not_in_version("InitProducerIdResponse.ongoing_txn_producer_epoch")
    return _pack_ihqh(message.throttle_time_ms, message.error_code, message.producer_id, message.producer_epoch)


def _encode_1(message: InitProducerIdResponse) -> bytes:
    """Versions 2, 3, 4, 5."""
    if message.ongoing_txn_producer_id != -1:
        raise not_in_version("InitProducerIdResponse.ongoing_txn_producer_id")
    if message.ongoing_txn_producer_epoch != -1:
        raise not_in_version("InitProducerIdResponse.ongoing_txn_producer_epoch")
    return _pack_ihqhx(message.throttle_time_ms, message.error_code, message.producer_id, message.producer_epoch)


def _encode_2(message: InitProducerIdResponse) -> bytes:
    """Versions 6."""
    return _pack_ihqhqhx(message.throttle_time_ms, message.error_code, message.producer_id, message.producer_epoch, message.ongoing_txn_producer_id, message.ongoing_txn_producer_epoch)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[InitProducerIdResponse, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_1,
    3: _decode_1,
    4: _decode_1,
    5: _decode_1,
    6: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[InitProducerIdResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_1,
    3: _encode_1,
    4: _encode_1,
    5: _encode_1,
    6: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[InitProducerIdResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"InitProducerIdResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"InitProducerIdResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"InitProducerIdResponse v{version} is cut short")
    return result


def encode(message: InitProducerIdResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"InitProducerIdResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"InitProducerIdResponse v{version}: {error}") from error
