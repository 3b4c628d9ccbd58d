"""GetTelemetrySubscriptionsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    skip_tags,
    UNFIT,
    Wire,
    ZERO_UUID,
)

NAME: Final = "GetTelemetrySubscriptionsRequest"
API_KEY: Final = 71
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_pack_ux = Struct(">16sx").pack


@dataclass(init=False, repr=False, eq=False)
class GetTelemetrySubscriptionsRequest(Wire):
    """GetTelemetrySubscriptionsRequest."""

    __slots__ = ("client_instance_id",)

    client_instance_id: bytes

    def __init__(
        self,
        client_instance_id: bytes = ZERO_UUID,
    ) -> None:
        self.client_instance_id = client_instance_id


def _decode_0(buffer: memoryview, p: int) -> tuple[GetTelemetrySubscriptionsRequest, int]:
    """Versions 0."""
    client_instance_id, tags = _unpack_uB(buffer, p)
    p += 17
    if tags:
        p = skip_tags(buffer, p, tags)
    return GetTelemetrySubscriptionsRequest(client_instance_id), p


def _encode_0(message: GetTelemetrySubscriptionsRequest) -> bytes:
    """Versions 0."""
    client_instance_id = message.client_instance_id
    if len(client_instance_id) != 16:
        raise bad_uuid("GetTelemetrySubscriptionsRequest.client_instance_id")
    return _pack_ux(client_instance_id)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[GetTelemetrySubscriptionsRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[GetTelemetrySubscriptionsRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[GetTelemetrySubscriptionsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"GetTelemetrySubscriptionsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"GetTelemetrySubscriptionsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"GetTelemetrySubscriptionsRequest v{version} is cut short")
    return result


def encode(message: GetTelemetrySubscriptionsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"GetTelemetrySubscriptionsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"GetTelemetrySubscriptionsRequest v{version}: {error}") from error
