"""GetTelemetrySubscriptionsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    MAX_ELEMENTS,
    missing,
    read_int8s,
    skip_tags,
    string_prefix,
    string_tail,
    too_many,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
    write_int8s,
    ZERO_UUID,
)

NAME: Final = "GetTelemetrySubscriptionsResponse"
API_KEY: Final = 71
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_ihuiB = Struct(">ih16siB").unpack_from
_unpack_iizB = Struct(">ii?B").unpack_from
_pack_ihui = Struct(">ih16si").pack
_pack_iiz = Struct(">ii?").pack


@dataclass(init=False, repr=False, eq=False)
class GetTelemetrySubscriptionsResponse(Wire):
    """GetTelemetrySubscriptionsResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "client_instance_id", "subscription_id", "accepted_compression_types", "push_interval_ms", "telemetry_max_bytes", "delta_temporality", "requested_metrics")

    throttle_time_ms: int
    error_code: int
    client_instance_id: bytes
    subscription_id: int
    accepted_compression_types: list[int]
    push_interval_ms: int
    telemetry_max_bytes: int
    delta_temporality: bool
    requested_metrics: list[str]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        client_instance_id: bytes = ZERO_UUID,
        subscription_id: int = 0,
        accepted_compression_types: list[int] = UNSET,
        push_interval_ms: int = 0,
        telemetry_max_bytes: int = 0,
        delta_temporality: bool = False,
        requested_metrics: list[str] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.client_instance_id = client_instance_id
        self.subscription_id = subscription_id
        self.accepted_compression_types = [] if accepted_compression_types is UNSET else accepted_compression_types
        self.push_interval_ms = push_interval_ms
        self.telemetry_max_bytes = telemetry_max_bytes
        self.delta_temporality = delta_temporality
        self.requested_metrics = [] if requested_metrics is UNSET else requested_metrics


def _decode_0(buffer: memoryview, p: int) -> tuple[GetTelemetrySubscriptionsResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, client_instance_id, subscription_id, accepted_compression_types_count = _unpack_ihuiB(buffer, p)
    p += 27
    if accepted_compression_types_count > 127:
        accepted_compression_types_count, p = uvarint_tail(buffer, p, accepted_compression_types_count)
    if accepted_compression_types_count == 0:
        raise missing("GetTelemetrySubscriptionsResponse.accepted_compression_types")
    accepted_compression_types_count -= 1
    accepted_compression_types = read_int8s(buffer, p, accepted_compression_types_count)
    p += accepted_compression_types_count
    push_interval_ms, telemetry_max_bytes, delta_temporality, requested_metrics_count = _unpack_iizB(buffer, p)
    p += 10
    if requested_metrics_count > 127:
        requested_metrics_count, p = uvarint_tail(buffer, p, requested_metrics_count)
    if requested_metrics_count == 0:
        raise missing("GetTelemetrySubscriptionsResponse.requested_metrics")
    requested_metrics_count -= 1
    if requested_metrics_count > room or requested_metrics_count > end - p:
        raise too_many("GetTelemetrySubscriptionsResponse.requested_metrics", requested_metrics_count)
    room -= requested_metrics_count
    requested_metrics: list[str] = []
    for _ in range(requested_metrics_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("GetTelemetrySubscriptionsResponse.requested_metrics")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        requested_metrics.append(element)
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return GetTelemetrySubscriptionsResponse(throttle_time_ms, error_code, client_instance_id, subscription_id, accepted_compression_types, push_interval_ms, telemetry_max_bytes, delta_temporality, requested_metrics), p


def _encode_0(message: GetTelemetrySubscriptionsResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    client_instance_id = message.client_instance_id
    if len(client_instance_id) != 16:
        raise bad_uuid("GetTelemetrySubscriptionsResponse.client_instance_id")
    accepted_compression_types = message.accepted_compression_types
    accepted_compression_types_count = len(accepted_compression_types) + 1
    requested_metrics = message.requested_metrics
    requested_metrics_count = len(requested_metrics) + 1
    out += (
        _pack_ihui(message.throttle_time_ms, message.error_code, client_instance_id, message.subscription_id),
        UVARINTS[accepted_compression_types_count] if accepted_compression_types_count < 256 else uvarint(accepted_compression_types_count),
        write_int8s(accepted_compression_types),
        _pack_iiz(message.push_interval_ms, message.telemetry_max_bytes, message.delta_temporality),
        UVARINTS[requested_metrics_count] if requested_metrics_count < 256 else uvarint(requested_metrics_count),
    )
    for element in requested_metrics:
        text = element.encode()
        text_size = len(text) + 1
        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[GetTelemetrySubscriptionsResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[GetTelemetrySubscriptionsResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[GetTelemetrySubscriptionsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"GetTelemetrySubscriptionsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"GetTelemetrySubscriptionsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"GetTelemetrySubscriptionsResponse v{version} is cut short")
    return result


def encode(message: GetTelemetrySubscriptionsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"GetTelemetrySubscriptionsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"GetTelemetrySubscriptionsResponse v{version}: {error}") from error
