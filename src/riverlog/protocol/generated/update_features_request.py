"""UpdateFeaturesRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    not_in_version,
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

NAME: Final = "UpdateFeaturesRequest"
API_KEY: Final = 57
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_zB = Struct(">?B").unpack_from
_unpack_hzB = Struct(">h?B").unpack_from
_unpack_hbB = Struct(">hbB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_pack_zx = Struct(">?x").pack
_pack_hzx = Struct(">h?x").pack
_pack_hbx = Struct(">hbx").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class FeatureUpdateKey(Wire):
    """FeatureUpdateKey."""

    __slots__ = ("feature", "max_version_level", "allow_downgrade", "upgrade_type")

    feature: str
    max_version_level: int
    allow_downgrade: bool
    upgrade_type: int

    def __init__(
        self,
        feature: str = "",
        max_version_level: int = 0,
        allow_downgrade: bool = False,
        upgrade_type: int = 1,
    ) -> None:
        self.feature = feature
        self.max_version_level = max_version_level
        self.allow_downgrade = allow_downgrade
        self.upgrade_type = upgrade_type


@dataclass(init=False, repr=False, eq=False)
class UpdateFeaturesRequest(Wire):
    """UpdateFeaturesRequest."""

    __slots__ = ("timeout_ms", "feature_updates", "validate_only")

    timeout_ms: int
    feature_updates: list[FeatureUpdateKey]
    validate_only: bool

    def __init__(
        self,
        timeout_ms: int = 60000,
        feature_updates: list[FeatureUpdateKey] = UNSET,
        validate_only: bool = False,
    ) -> None:
        self.timeout_ms = timeout_ms
        self.feature_updates = [] if feature_updates is UNSET else feature_updates
        self.validate_only = validate_only


def _decode_0(buffer: memoryview, p: int) -> tuple[UpdateFeaturesRequest, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    timeout_ms, feature_updates_count = _unpack_iB(buffer, p)
    p += 5
    if feature_updates_count > 127:
        feature_updates_count, p = uvarint_tail(buffer, p, feature_updates_count)
    if feature_updates_count == 0:
        raise missing("UpdateFeaturesRequest.feature_updates")
    feature_updates_count -= 1
    if feature_updates_count > room or feature_updates_count * 5 > end - p:
        raise too_many("UpdateFeaturesRequest.feature_updates", feature_updates_count)
    room -= feature_updates_count
    feature_updates: list[FeatureUpdateKey] = []
    for _ in range(feature_updates_count):
        feature_size = buffer[p]
        p += 1
        if feature_size > 127:
            feature_size, p = string_tail(buffer, p, feature_size)
        if feature_size == 0:
            raise missing("UpdateFeaturesRequest.feature_updates.feature")
        stop = p + feature_size - 1
        feature = buffer[p:stop].tobytes().decode()
        p = stop
        max_version_level, allow_downgrade, tags = _unpack_hzB(buffer, p)
        p += 4
        if tags:
            p = skip_tags(buffer, p, tags)
        feature_updates.append(FeatureUpdateKey(feature, max_version_level, allow_downgrade, 1))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return UpdateFeaturesRequest(timeout_ms, feature_updates, False), p


def _decode_1(buffer: memoryview, p: int) -> tuple[UpdateFeaturesRequest, int]:
    """Versions 1, 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    timeout_ms, feature_updates_count = _unpack_iB(buffer, p)
    p += 5
    if feature_updates_count > 127:
        feature_updates_count, p = uvarint_tail(buffer, p, feature_updates_count)
    if feature_updates_count == 0:
        raise missing("UpdateFeaturesRequest.feature_updates")
    feature_updates_count -= 1
    if feature_updates_count > room or feature_updates_count * 5 > end - p:
        raise too_many("UpdateFeaturesRequest.feature_updates", feature_updates_count)
    room -= feature_updates_count
    feature_updates: list[FeatureUpdateKey] = []
    for _ in range(feature_updates_count):
        feature_size = buffer[p]
        p += 1
        if feature_size > 127:
            feature_size, p = string_tail(buffer, p, feature_size)
        if feature_size == 0:
            raise missing("UpdateFeaturesRequest.feature_updates.feature")
        stop = p + feature_size - 1
        feature = buffer[p:stop].tobytes().decode()
        p = stop
        max_version_level, upgrade_type, tags = _unpack_hbB(buffer, p)
        p += 4
        if tags:
            p = skip_tags(buffer, p, tags)
        feature_updates.append(FeatureUpdateKey(feature, max_version_level, False, upgrade_type))
    validate_only, tags_2 = _unpack_zB(buffer, p)
    p += 2
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return UpdateFeaturesRequest(timeout_ms, feature_updates, validate_only), p


def _encode_0(message: UpdateFeaturesRequest) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    feature_updates = message.feature_updates
    feature_updates_count = len(feature_updates) + 1
    out += (
        _pack_i(message.timeout_ms),
        UVARINTS[feature_updates_count] if feature_updates_count < 256 else uvarint(feature_updates_count),
    )
    for element in feature_updates:
        feature = element.feature.encode()
        feature_size = len(feature) + 1
        if element.upgrade_type != 1:
            raise not_in_version("UpdateFeaturesRequest.feature_updates.upgrade_type")
        out += (
            UVARINTS[feature_size] if feature_size < 256 else string_prefix(feature_size),
            feature,
            _pack_hzx(element.max_version_level, element.allow_downgrade),
        )
    if message.validate_only:
        raise not_in_version("UpdateFeaturesRequest.validate_only")
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: UpdateFeaturesRequest) -> bytes:
    """Versions 1, 2."""
    out: list[bytes] = []
    feature_updates = message.feature_updates
    feature_updates_count = len(feature_updates) + 1
    out += (
        _pack_i(message.timeout_ms),
        UVARINTS[feature_updates_count] if feature_updates_count < 256 else uvarint(feature_updates_count),
    )
    for element in feature_updates:
        feature = element.feature.encode()
        feature_size = len(feature) + 1
        if element.allow_downgrade:
            raise not_in_version("UpdateFeaturesRequest.feature_updates.allow_downgrade")
        out += (
            UVARINTS[feature_size] if feature_size < 256 else string_prefix(feature_size),
            feature,
            _pack_hbx(element.max_version_level, element.upgrade_type),
        )
    out.append(_pack_zx(message.validate_only))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[UpdateFeaturesRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[UpdateFeaturesRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[UpdateFeaturesRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"UpdateFeaturesRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"UpdateFeaturesRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"UpdateFeaturesRequest v{version} is cut short")
    return result


def encode(message: UpdateFeaturesRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"UpdateFeaturesRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"UpdateFeaturesRequest v{version}: {error}") from error
