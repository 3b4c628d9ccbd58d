"""ListConfigResourcesRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

# fmt: off
# ruff: noqa: A001, ARG001, N816
# Layout is fixed by the generator, so that it does not depend on the version of a formatter.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from riverlog.protocol.errors import DecodeError, EncodeError
from riverlog.protocol.primitives import (
    MALFORMED,
    missing,
    not_in_version,
    read_int8s,
    skip_tags,
    UNFIT,
    UNSET,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
    write_int8s,
)

NAME: Final = "ListConfigResourcesRequest"
API_KEY: Final = 74
VERSIONS: Final[tuple[int, int]] = (0, 1)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False


@dataclass(init=False, repr=False, eq=False)
class ListConfigResourcesRequest(Wire):
    """ListConfigResourcesRequest."""

    __slots__ = ("resource_types",)

    resource_types: list[int]

    def __init__(
        self,
        resource_types: list[int] = UNSET,
    ) -> None:
        self.resource_types = [] if resource_types is UNSET else resource_types


def _decode_0(buffer: memoryview, p: int) -> tuple[ListConfigResourcesRequest, int]:
    """Versions 0."""
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return ListConfigResourcesRequest([]), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ListConfigResourcesRequest, int]:
    """Versions 1."""
    resource_types_count = buffer[p]
    p += 1
    if resource_types_count > 127:
        resource_types_count, p = uvarint_tail(buffer, p, resource_types_count)
    if resource_types_count == 0:
        raise missing("ListConfigResourcesRequest.resource_types")
    resource_types_count -= 1
    resource_types = read_int8s(buffer, p, resource_types_count)
    p += resource_types_count
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return ListConfigResourcesRequest(resource_types), p


def _encode_0(message: ListConfigResourcesRequest) -> bytes:
    """Versions 0."""
    if message.resource_types:
        raise not_in_version("ListConfigResourcesRequest.resource_types")
    return b"\0"


def _encode_1(message: ListConfigResourcesRequest) -> bytes:
    """Versions 1."""
    resource_types = message.resource_types
    resource_types_count = len(resource_types) + 1
    return b"".join((UVARINTS[resource_types_count] if resource_types_count < 256 else uvarint(resource_types_count), write_int8s(resource_types), b"\0"))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ListConfigResourcesRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[ListConfigResourcesRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ListConfigResourcesRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ListConfigResourcesRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ListConfigResourcesRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ListConfigResourcesRequest v{version} is cut short")
    return result


def encode(message: ListConfigResourcesRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ListConfigResourcesRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ListConfigResourcesRequest v{version}: {error}") from error
