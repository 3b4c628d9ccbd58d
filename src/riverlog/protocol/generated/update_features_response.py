"""UpdateFeaturesResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    MAX_ELEMENTS,
    missing,
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
)

NAME: Final = "UpdateFeaturesResponse"
API_KEY: Final = 57
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_hB = Struct(">hB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_pack_h = Struct(">h").pack
_pack_ih = Struct(">ih").pack


@dataclass(init=False, repr=False, eq=False)
class UpdatableFeatureResult(Wire):
    """UpdatableFeatureResult."""

    __slots__ = ("feature", "error_code", "error_message")

    feature: str
    error_code: int
    error_message: str | None

    def __init__(
        self,
        feature: str = "",
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.feature = feature
        self.error_code = error_code
        self.error_message = error_message


@dataclass(init=False, repr=False, eq=False)
class UpdateFeaturesResponse(Wire):
    """UpdateFeaturesResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "results")

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    results: list[UpdatableFeatureResult]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        results: list[UpdatableFeatureResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.results = [] if results is UNSET else results


def _decode_0(buffer: memoryview, p: int) -> tuple[UpdateFeaturesResponse, int]:
    """Versions 0, 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, error_message_size = _unpack_ihB(buffer, p)
    p += 7
    if error_message_size > 127:
        error_message_size, p = string_tail(buffer, p, error_message_size)
    error_message: str | None = None
    if error_message_size:
        stop = p + error_message_size - 1
        error_message = buffer[p:stop].tobytes().decode()
        p = stop
    results_count = buffer[p]
    p += 1
    if results_count > 127:
        results_count, p = uvarint_tail(buffer, p, results_count)
    if results_count == 0:
        raise missing("UpdateFeaturesResponse.results")
    results_count -= 1
    if results_count > room or results_count * 5 > end - p:
        raise too_many("UpdateFeaturesResponse.results", results_count)
    room -= results_count
    results: list[UpdatableFeatureResult] = []
    for _ in range(results_count):
        feature_size = buffer[p]
        p += 1
        if feature_size > 127:
            feature_size, p = string_tail(buffer, p, feature_size)
        if feature_size == 0:
            raise missing("UpdateFeaturesResponse.results.feature")
        stop = p + feature_size - 1
        feature = buffer[p:stop].tobytes().decode()
        p = stop
        error_code_2, error_message_size_2 = _unpack_hB(buffer, p)
        p += 3
        if error_message_size_2 > 127:
            error_message_size_2, p = string_tail(buffer, p, error_message_size_2)
        error_message_2: str | None = None
        if error_message_size_2:
            stop = p + error_message_size_2 - 1
            error_message_2 = buffer[p:stop].tobytes().decode()
            p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        results.append(UpdatableFeatureResult(feature, error_code_2, error_message_2))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return UpdateFeaturesResponse(throttle_time_ms, error_code, error_message, results), p


def _decode_1(buffer: memoryview, p: int) -> tuple[UpdateFeaturesResponse, int]:
    """Versions 2."""
    throttle_time_ms, error_code, error_message_size = _unpack_ihB(buffer, p)
    p += 7
    if error_message_size > 127:
        error_message_size, p = string_tail(buffer, p, error_message_size)
    error_message: str | None = None
    if error_message_size:
        stop = p + error_message_size - 1
        error_message = buffer[p:stop].tobytes().decode()
        p = stop
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return UpdateFeaturesResponse(throttle_time_ms, error_code, error_message, []), p


def _encode_0(message: UpdateFeaturesResponse) -> bytes:
    """Versions 0, 1."""
    out: list[bytes] = []
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    results = message.results
    results_count = len(results) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
        error_message,
        UVARINTS[results_count] if results_count < 256 else uvarint(results_count),
    )
    for element in results:
        feature = element.feature.encode()
        feature_size = len(feature) + 1
        error_message_value_2 = element.error_message
        if error_message_value_2 is None:
            error_message_size_2, error_message_2 = 0, b""
        else:
            error_message_2 = error_message_value_2.encode()
            error_message_size_2 = len(error_message_2) + 1
        out += (
            UVARINTS[feature_size] if feature_size < 256 else string_prefix(feature_size),
            feature,
            _pack_h(element.error_code),
            UVARINTS[error_message_size_2] if error_message_size_2 < 256 else string_prefix(error_message_size_2),
            error_message_2,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: UpdateFeaturesResponse) -> bytes:
    """Versions 2."""
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    return b"".join((_pack_ih(message.throttle_time_ms, message.error_code), UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size), error_message, b"\0"))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[UpdateFeaturesResponse, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[UpdateFeaturesResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[UpdateFeaturesResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"UpdateFeaturesResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"UpdateFeaturesResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"UpdateFeaturesResponse v{version} is cut short")
    return result


def encode(message: UpdateFeaturesResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"UpdateFeaturesResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"UpdateFeaturesResponse v{version}: {error}") from error
