"""ApiVersionsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    skip_tags,
    string_prefix,
    string_tail,
    UNFIT,
    UVARINTS,
    Wire,
)

NAME: Final = "ApiVersionsRequest"
API_KEY: Final = 18
VERSIONS: Final[tuple[int, int]] = (0, 4)
FLEXIBLE_FROM: Final = 3
LATEST_UNSTABLE: Final = False


@dataclass(init=False, repr=False, eq=False)
class ApiVersionsRequest(Wire):
    """ApiVersionsRequest."""

    __slots__ = ("client_software_name", "client_software_version")

    client_software_name: str
    client_software_version: str

    def __init__(
        self,
        client_software_name: str = "",
        client_software_version: str = "",
    ) -> None:
        self.client_software_name = client_software_name
        self.client_software_version = client_software_version


def _decode_0(buffer: memoryview, p: int) -> tuple[ApiVersionsRequest, int]:
    """Versions 0, 1, 2."""
    return ApiVersionsRequest("", ""), p


def _decode_1(buffer: memoryview, p: int) -> tuple[ApiVersionsRequest, int]:
    """Versions 3, 4."""
    client_software_name_size = buffer[p]
    p += 1
    if client_software_name_size > 127:
        client_software_name_size, p = string_tail(buffer, p, client_software_name_size)
    if client_software_name_size == 0:
        raise missing("ApiVersionsRequest.client_software_name")
    stop = p + client_software_name_size - 1
    client_software_name = buffer[p:stop].tobytes().decode()
    p = stop
    client_software_version_size = buffer[p]
    p += 1
    if client_software_version_size > 127:
        client_software_version_size, p = string_tail(buffer, p, client_software_version_size)
    if client_software_version_size == 0:
        raise missing("ApiVersionsRequest.client_software_version")
    stop = p + client_software_version_size - 1
    client_software_version = buffer[p:stop].tobytes().decode()
    p = stop
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return ApiVersionsRequest(client_software_name, client_software_version), p


def _encode_0(message: ApiVersionsRequest) -> bytes:
    """Versions 0, 1, 2."""
    return b""


def _encode_1(message: ApiVersionsRequest) -> bytes:
    """Versions 3, 4."""
    client_software_name = message.client_software_name.encode()
    client_software_name_size = len(client_software_name) + 1
    client_software_version = message.client_software_version.encode()
    client_software_version_size = len(client_software_version) + 1
    return b"".join((UVARINTS[client_software_name_size] if client_software_name_size < 256 else string_prefix(client_software_name_size), client_software_name, UVARINTS[client_software_version_size] if client_software_version_size < 256 else string_prefix(client_software_version_size), client_software_version, b"\0"))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ApiVersionsRequest, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_0,
    3: _decode_1,
    4: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[ApiVersionsRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_0,
    3: _encode_1,
    4: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ApiVersionsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ApiVersionsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ApiVersionsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ApiVersionsRequest v{version} is cut short")
    return result


def encode(message: ApiVersionsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ApiVersionsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ApiVersionsRequest v{version}: {error}") from error
