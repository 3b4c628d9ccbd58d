"""ListConfigResourcesResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "ListConfigResourcesResponse"
API_KEY: Final = 74
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_bB = Struct(">bB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_pack_bx = Struct(">bx").pack
_pack_ih = Struct(">ih").pack


@dataclass(init=False, repr=False, eq=False)
class ConfigResource(Wire):
    """ConfigResource."""

    __slots__ = ("resource_name", "resource_type")

    resource_name: str
    resource_type: int

    def __init__(
        self,
        resource_name: str = "",
        resource_type: int = 16,
    ) -> None:
        self.resource_name = resource_name
        self.resource_type = resource_type


@dataclass(init=False, repr=False, eq=False)
class ListConfigResourcesResponse(Wire):
    """ListConfigResourcesResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "config_resources")

    throttle_time_ms: int
    error_code: int
    config_resources: list[ConfigResource]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        config_resources: list[ConfigResource] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.config_resources = [] if config_resources is UNSET else config_resources


def _decode_0(buffer: memoryview, p: int) -> tuple[ListConfigResourcesResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, config_resources_count = _unpack_ihB(buffer, p)
    p += 7
    if config_resources_count > 127:
        config_resources_count, p = uvarint_tail(buffer, p, config_resources_count)
    if config_resources_count == 0:
        raise missing("ListConfigResourcesResponse.config_resources")
    config_resources_count -= 1
    if config_resources_count > room or config_resources_count * 2 > end - p:
        raise too_many("ListConfigResourcesResponse.config_resources", config_resources_count)
    room -= config_resources_count
    config_resources: list[ConfigResource] = []
    for _ in range(config_resources_count):
        resource_name_size = buffer[p]
        p += 1
        if resource_name_size > 127:
            resource_name_size, p = string_tail(buffer, p, resource_name_size)
        if resource_name_size == 0:
            raise missing("ListConfigResourcesResponse.config_resources.resource_name")
        stop = p + resource_name_size - 1
        resource_name = buffer[p:stop].tobytes().decode()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        config_resources.append(ConfigResource(resource_name, 16))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return ListConfigResourcesResponse(throttle_time_ms, error_code, config_resources), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ListConfigResourcesResponse, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, config_resources_count = _unpack_ihB(buffer, p)
    p += 7
    if config_resources_count > 127:
        config_resources_count, p = uvarint_tail(buffer, p, config_resources_count)
    if config_resources_count == 0:
        raise missing("ListConfigResourcesResponse.config_resources")
    config_resources_count -= 1
    if config_resources_count > room or config_resources_count * 3 > end - p:
        raise too_many("ListConfigResourcesResponse.config_resources", config_resources_count)
    room -= config_resources_count
    config_resources: list[ConfigResource] = []
    for _ in range(config_resources_count):
        resource_name_size = buffer[p]
        p += 1
        if resource_name_size > 127:
            resource_name_size, p = string_tail(buffer, p, resource_name_size)
        if resource_name_size == 0:
            raise missing("ListConfigResourcesResponse.config_resources.resource_name")
        stop = p + resource_name_size - 1
        resource_name = buffer[p:stop].tobytes().decode()
        p = stop
        resource_type, tags = _unpack_bB(buffer, p)
        p += 2
        if tags:
            p = skip_tags(buffer, p, tags)
        config_resources.append(ConfigResource(resource_name, resource_type))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return ListConfigResourcesResponse(throttle_time_ms, error_code, config_resources), p


def _encode_0(message: ListConfigResourcesResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    config_resources = message.config_resources
    config_resources_count = len(config_resources) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[config_resources_count] if config_resources_count < 256 else uvarint(config_resources_count),
    )
    for element in config_resources:
        resource_name = element.resource_name.encode()
        resource_name_size = len(resource_name) + 1
        out += (
            UVARINTS[resource_name_size] if resource_name_size < 256 else string_prefix(resource_name_size),
            resource_name,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


def _encode_1(message: ListConfigResourcesResponse) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    config_resources = message.config_resources
    config_resources_count = len(config_resources) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[config_resources_count] if config_resources_count < 256 else uvarint(config_resources_count),
    )
    for element in config_resources:
        resource_name = element.resource_name.encode()
        resource_name_size = len(resource_name) + 1
        out += (
            UVARINTS[resource_name_size] if resource_name_size < 256 else string_prefix(resource_name_size),
            resource_name,
            _pack_bx(element.resource_type),
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ListConfigResourcesResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[ListConfigResourcesResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ListConfigResourcesResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ListConfigResourcesResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ListConfigResourcesResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ListConfigResourcesResponse v{version} is cut short")
    return result


def encode(message: ListConfigResourcesResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ListConfigResourcesResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ListConfigResourcesResponse v{version}: {error}") from error
