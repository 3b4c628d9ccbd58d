"""ApiVersionsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    read_tag,
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

NAME: Final = "ApiVersionsResponse"
API_KEY: Final = 18
VERSIONS: Final[tuple[int, int]] = (0, 4)
FLEXIBLE_FROM: Final = 3
LATEST_UNSTABLE: Final = False

_unpack_hB = Struct(">hB").unpack_from
_unpack_hhB = Struct(">hhB").unpack_from
_unpack_hhhB = Struct(">hhhB").unpack_from
_unpack_hi = Struct(">hi").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_q = Struct(">q").unpack_from
_iter_hhh = Struct(">hhh").iter_unpack
_pack_z = Struct(">?").pack
_pack_h = Struct(">h").pack
_pack_hhh = Struct(">hhh").pack
_pack_hhhx = Struct(">hhhx").pack
_pack_hhx = Struct(">hhx").pack
_pack_hi = Struct(">hi").pack
_pack_i = Struct(">i").pack
_pack_q = Struct(">q").pack


@dataclass(init=False, repr=False, eq=False)
class ApiVersion(Wire):
    """ApiVersion."""

    __slots__ = ("api_key", "min_version", "max_version")

    api_key: int
    min_version: int
    max_version: int

    def __init__(
        self,
        api_key: int = 0,
        min_version: int = 0,
        max_version: int = 0,
    ) -> None:
        self.api_key = api_key
        self.min_version = min_version
        self.max_version = max_version


@dataclass(init=False, repr=False, eq=False)
class SupportedFeatureKey(Wire):
    """SupportedFeatureKey."""

    __slots__ = ("name", "min_version", "max_version")

    name: str
    min_version: int
    max_version: int

    def __init__(
        self,
        name: str = "",
        min_version: int = 0,
        max_version: int = 0,
    ) -> None:
        self.name = name
        self.min_version = min_version
        self.max_version = max_version


@dataclass(init=False, repr=False, eq=False)
class FinalizedFeatureKey(Wire):
    """FinalizedFeatureKey."""

    __slots__ = ("name", "max_version_level", "min_version_level")

    name: str
    max_version_level: int
    min_version_level: int

    def __init__(
        self,
        name: str = "",
        max_version_level: int = 0,
        min_version_level: int = 0,
    ) -> None:
        self.name = name
        self.max_version_level = max_version_level
        self.min_version_level = min_version_level


@dataclass(init=False, repr=False, eq=False)
class ApiVersionsResponse(Wire):
    """ApiVersionsResponse."""

    __slots__ = ("error_code", "api_keys", "throttle_time_ms", "supported_features", "finalized_features_epoch", "finalized_features", "zk_migration_ready")

    error_code: int
    api_keys: list[ApiVersion]
    throttle_time_ms: int
    supported_features: list[SupportedFeatureKey]
    finalized_features_epoch: int
    finalized_features: list[FinalizedFeatureKey]
    zk_migration_ready: bool

    def __init__(
        self,
        error_code: int = 0,
        api_keys: list[ApiVersion] = UNSET,
        throttle_time_ms: int = 0,
        supported_features: list[SupportedFeatureKey] = UNSET,
        finalized_features_epoch: int = -1,
        finalized_features: list[FinalizedFeatureKey] = UNSET,
        zk_migration_ready: bool = False,
    ) -> None:
        self.error_code = error_code
        self.api_keys = [] if api_keys is UNSET else api_keys
        self.throttle_time_ms = throttle_time_ms
        self.supported_features = [] if supported_features is UNSET else supported_features
        self.finalized_features_epoch = finalized_features_epoch
        self.finalized_features = [] if finalized_features is UNSET else finalized_features
        self.zk_migration_ready = zk_migration_ready


def _decode_0(buffer: memoryview, p: int) -> tuple[ApiVersionsResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    error_code, api_keys_count = _unpack_hi(buffer, p)
    p += 6
    if api_keys_count < 0:
        raise missing("ApiVersionsResponse.api_keys")
    if api_keys_count > room or api_keys_count * 6 > end - p:
        raise too_many("ApiVersionsResponse.api_keys", api_keys_count)
    room -= api_keys_count
    stop = p + api_keys_count * 6
    api_keys: list[ApiVersion] = [ApiVersion(api_key, min_version, max_version) for api_key, min_version, max_version in _iter_hhh(buffer[p:stop])]
    p = stop
    return ApiVersionsResponse(error_code, api_keys, 0, [], -1, [], False), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ApiVersionsResponse, int]:
    """Versions 1, 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    error_code, api_keys_count = _unpack_hi(buffer, p)
    p += 6
    if api_keys_count < 0:
        raise missing("ApiVersionsResponse.api_keys")
    if api_keys_count > room or api_keys_count * 6 > end - p:
        raise too_many("ApiVersionsResponse.api_keys", api_keys_count)
    room -= api_keys_count
    stop = p + api_keys_count * 6
    api_keys: list[ApiVersion] = [ApiVersion(api_key, min_version, max_version) for api_key, min_version, max_version in _iter_hhh(buffer[p:stop])]
    p = stop
    (throttle_time_ms,) = _unpack_i(buffer, p)
    p += 4
    return ApiVersionsResponse(error_code, api_keys, throttle_time_ms, [], -1, [], False), p


def _decode_2(buffer: memoryview, p: int) -> tuple[ApiVersionsResponse, int]:
    """Versions 3, 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    error_code, api_keys_count = _unpack_hB(buffer, p)
    p += 3
    if api_keys_count > 127:
        api_keys_count, p = uvarint_tail(buffer, p, api_keys_count)
    if api_keys_count == 0:
        raise missing("ApiVersionsResponse.api_keys")
    api_keys_count -= 1
    if api_keys_count > room or api_keys_count * 7 > end - p:
        raise too_many("ApiVersionsResponse.api_keys", api_keys_count)
    room -= api_keys_count
    api_keys: list[ApiVersion] = []
    for _ in range(api_keys_count):
        api_key, min_version, max_version, tags = _unpack_hhhB(buffer, p)
        p += 7
        if tags:
            p = skip_tags(buffer, p, tags)
        api_keys.append(ApiVersion(api_key, min_version, max_version))
    throttle_time_ms, tags_2 = _unpack_iB(buffer, p)
    p += 5
    supported_features: list[SupportedFeatureKey] = []
    finalized_features_epoch: int = -1
    finalized_features: list[FinalizedFeatureKey] = []
    zk_migration_ready: bool = False
    if tags_2:
        if tags_2 > 127:
            tags_2, p = uvarint_tail(buffer, p, tags_2)
        tag = -1
        for _ in range(tags_2):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                supported_features_count = buffer[p]
                p += 1
                if supported_features_count > 127:
                    supported_features_count, p = uvarint_tail(buffer, p, supported_features_count)
                if supported_features_count == 0:
                    raise missing("ApiVersionsResponse.supported_features")
                supported_features_count -= 1
                if supported_features_count > room or supported_features_count * 6 > end - p:
                    raise too_many("ApiVersionsResponse.supported_features", supported_features_count)
                room -= supported_features_count
                supported_features_2: list[SupportedFeatureKey] = []
                for _ in range(supported_features_count):
                    name_size = buffer[p]
                    p += 1
                    if name_size > 127:
                        name_size, p = string_tail(buffer, p, name_size)
                    if name_size == 0:
                        raise missing("ApiVersionsResponse.supported_features.name")
                    stop = p + name_size - 1
                    name = buffer[p:stop].tobytes().decode()
                    p = stop
                    min_version_2, max_version_2, tags_3 = _unpack_hhB(buffer, p)
                    p += 5
                    if tags_3:
                        p = skip_tags(buffer, p, tags_3)
                    supported_features_2.append(SupportedFeatureKey(name, min_version_2, max_version_2))
                supported_features = supported_features_2
            elif tag == 1:
                (finalized_features_epoch_2,) = _unpack_q(buffer, p)
                p += 8
                finalized_features_epoch = finalized_features_epoch_2
            elif tag == 2:
                finalized_features_count = buffer[p]
                p += 1
                if finalized_features_count > 127:
                    finalized_features_count, p = uvarint_tail(buffer, p, finalized_features_count)
                if finalized_features_count == 0:
                    raise missing("ApiVersionsResponse.finalized_features")
                finalized_features_count -= 1
                if finalized_features_count > room or finalized_features_count * 6 > end - p:
                    raise too_many("ApiVersionsResponse.finalized_features", finalized_features_count)
                room -= finalized_features_count
                finalized_features_2: list[FinalizedFeatureKey] = []
                for _ in range(finalized_features_count):
                    name_size_2 = buffer[p]
                    p += 1
                    if name_size_2 > 127:
                        name_size_2, p = string_tail(buffer, p, name_size_2)
                    if name_size_2 == 0:
                        raise missing("ApiVersionsResponse.finalized_features.name")
                    stop = p + name_size_2 - 1
                    name_2 = buffer[p:stop].tobytes().decode()
                    p = stop
                    max_version_level, min_version_level, tags_4 = _unpack_hhB(buffer, p)
                    p += 5
                    if tags_4:
                        p = skip_tags(buffer, p, tags_4)
                    finalized_features_2.append(FinalizedFeatureKey(name_2, max_version_level, min_version_level))
                finalized_features = finalized_features_2
            elif tag == 3:
                zk_migration_ready_2 = buffer[p] != 0
                p += 1
                zk_migration_ready = zk_migration_ready_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("ApiVersionsResponse: a tagged field is not of its size")
    return ApiVersionsResponse(error_code, api_keys, throttle_time_ms, supported_features, finalized_features_epoch, finalized_features, zk_migration_ready), p


def _encode_0(message: ApiVersionsResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    api_keys = message.api_keys
    out.append(_pack_hi(message.error_code, len(api_keys)))
    out += [_pack_hhh(element.api_key, element.min_version, element.max_version) for element in api_keys]
    return b"".join(out)


def _encode_1(message: ApiVersionsResponse) -> bytes:
    """Versions 1, 2."""
    out: list[bytes] = []
    api_keys = message.api_keys
    out.append(_pack_hi(message.error_code, len(api_keys)))
    out += [_pack_hhh(element.api_key, element.min_version, element.max_version) for element in api_keys]
    out.append(_pack_i(message.throttle_time_ms))
    return b"".join(out)


def _encode_2(message: ApiVersionsResponse) -> bytes:
    """Versions 3, 4."""
    out: list[bytes] = []
    api_keys = message.api_keys
    api_keys_count = len(api_keys) + 1
    out += (
        _pack_h(message.error_code),
        UVARINTS[api_keys_count] if api_keys_count < 256 else uvarint(api_keys_count),
    )
    out += [_pack_hhhx(element.api_key, element.min_version, element.max_version) for element in api_keys]
    out.append(_pack_i(message.throttle_time_ms))
    tags = 0
    tagged: list[bytes] = []
    if message.supported_features:
        content: list[bytes] = []
        supported_features = message.supported_features
        supported_features_count = len(supported_features) + 1
        content.append(UVARINTS[supported_features_count] if supported_features_count < 256 else uvarint(supported_features_count))
        for element_2 in supported_features:
            name = element_2.name.encode()
            name_size = len(name) + 1
            content += (
                UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
                name,
                _pack_hhx(element_2.min_version, element_2.max_version),
            )
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if message.finalized_features_epoch != -1:
        content_2: list[bytes] = []
        content_2.append(_pack_q(message.finalized_features_epoch))
        joined_2 = b"".join(content_2)
        joined_size_2 = len(joined_2)
        tags += 1
        tagged += (
            UVARINTS[1],
            UVARINTS[joined_size_2] if joined_size_2 < 256 else uvarint(joined_size_2),
            joined_2,
        )
    if message.finalized_features:
        content_3: list[bytes] = []
        finalized_features = message.finalized_features
        finalized_features_count = len(finalized_features) + 1
        content_3.append(UVARINTS[finalized_features_count] if finalized_features_count < 256 else uvarint(finalized_features_count))
        for element_3 in finalized_features:
            name_2 = element_3.name.encode()
            name_size_2 = len(name_2) + 1
            content_3 += (
                UVARINTS[name_size_2] if name_size_2 < 256 else string_prefix(name_size_2),
                name_2,
                _pack_hhx(element_3.max_version_level, element_3.min_version_level),
            )
        joined_3 = b"".join(content_3)
        joined_size_3 = len(joined_3)
        tags += 1
        tagged += (
            UVARINTS[2],
            UVARINTS[joined_size_3] if joined_size_3 < 256 else uvarint(joined_size_3),
            joined_3,
        )
    if message.zk_migration_ready:
        content_4: list[bytes] = []
        content_4.append(_pack_z(message.zk_migration_ready))
        joined_4 = b"".join(content_4)
        joined_size_4 = len(joined_4)
        tags += 1
        tagged += (
            UVARINTS[3],
            UVARINTS[joined_size_4] if joined_size_4 < 256 else uvarint(joined_size_4),
            joined_4,
        )
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ApiVersionsResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_1,
    3: _decode_2,
    4: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[ApiVersionsResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_1,
    3: _encode_2,
    4: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ApiVersionsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ApiVersionsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ApiVersionsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ApiVersionsResponse v{version} is cut short")
    return result


def encode(message: ApiVersionsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ApiVersionsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ApiVersionsResponse v{version}: {error}") from error
