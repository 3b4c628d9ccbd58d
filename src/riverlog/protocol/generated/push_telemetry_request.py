"""PushTelemetryRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    bad_uuid,
    MALFORMED,
    missing,
    skip_tags,
    UNFIT,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
    ZERO_UUID,
)

NAME: Final = "PushTelemetryRequest"
API_KEY: Final = 72
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uizbB = Struct(">16si?bB").unpack_from
_pack_uizb = Struct(">16si?b").pack


@dataclass(init=False, repr=False, eq=False)
class PushTelemetryRequest(Wire):
    """PushTelemetryRequest."""

    __slots__ = ("client_instance_id", "subscription_id", "terminating", "compression_type", "metrics")

    client_instance_id: bytes
    subscription_id: int
    terminating: bool
    compression_type: int
    metrics: bytes

    def __init__(
        self,
        client_instance_id: bytes = ZERO_UUID,
        subscription_id: int = 0,
        terminating: bool = False,
        compression_type: int = 0,
        metrics: bytes = b"",
    ) -> None:
        self.client_instance_id = client_instance_id
        self.subscription_id = subscription_id
        self.terminating = terminating
        self.compression_type = compression_type
        self.metrics = metrics


def _decode_0(buffer: memoryview, p: int) -> tuple[PushTelemetryRequest, int]:
    """Versions 0."""
    client_instance_id, subscription_id, terminating, compression_type, metrics_size = _unpack_uizbB(buffer, p)
    p += 23
    if metrics_size > 127:
        metrics_size, p = uvarint_tail(buffer, p, metrics_size)
    if metrics_size == 0:
        raise missing("PushTelemetryRequest.metrics")
    stop = p + metrics_size - 1
    metrics = buffer[p:stop].tobytes()
    p = stop
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return PushTelemetryRequest(client_instance_id, subscription_id, terminating, compression_type, metrics), p


def _encode_0(message: PushTelemetryRequest) -> bytes:
    """Versions 0."""
    client_instance_id = message.client_instance_id
    if len(client_instance_id) != 16:
        raise bad_uuid("PushTelemetryRequest.client_instance_id")
    metrics = message.metrics
    metrics_size = len(metrics) + 1
    return b"".join((_pack_uizb(client_instance_id, message.subscription_id, message.terminating, message.compression_type), UVARINTS[metrics_size] if metrics_size < 256 else uvarint(metrics_size), metrics, b"\0"))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[PushTelemetryRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[PushTelemetryRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[PushTelemetryRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"PushTelemetryRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"PushTelemetryRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"PushTelemetryRequest v{version} is cut short")
    return result


def encode(message: PushTelemetryRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"PushTelemetryRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"PushTelemetryRequest v{version}: {error}") from error
