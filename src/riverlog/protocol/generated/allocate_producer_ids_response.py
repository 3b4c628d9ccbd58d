"""AllocateProducerIdsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "AllocateProducerIdsResponse"
API_KEY: Final = 67
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_ihqiB = Struct(">ihqiB").unpack_from
_pack_ihqix = Struct(">ihqix").pack


@dataclass(init=False, repr=False, eq=False)
class AllocateProducerIdsResponse(Wire):
    """AllocateProducerIdsResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "producer_id_start", "producer_id_len")

    throttle_time_ms: int
    error_code: int
    producer_id_start: int
    producer_id_len: int

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id_start: int = 0,
        producer_id_len: int = 0,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.producer_id_start = producer_id_start
        self.producer_id_len = producer_id_len


def _decode_0(buffer: memoryview, p: int) -> tuple[AllocateProducerIdsResponse, int]:
    """Versions 0."""
    throttle_time_ms, error_code, producer_id_start, producer_id_len, tags = _unpack_ihqiB(buffer, p)
    p += 19
    if tags:
        p = skip_tags(buffer, p, tags)
    return AllocateProducerIdsResponse(throttle_time_ms, error_code, producer_id_start, producer_id_len), p


def _encode_0(message: AllocateProducerIdsResponse) -> bytes:
    """Versions 0."""
    return _pack_ihqix(message.throttle_time_ms, message.error_code, message.producer_id_start, message.producer_id_len)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AllocateProducerIdsResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[AllocateProducerIdsResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AllocateProducerIdsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AllocateProducerIdsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AllocateProducerIdsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AllocateProducerIdsResponse v{version} is cut short")
    return result


def encode(message: AllocateProducerIdsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AllocateProducerIdsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AllocateProducerIdsResponse v{version}: {error}") from error
