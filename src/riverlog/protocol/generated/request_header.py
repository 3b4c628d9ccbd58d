"""RequestHeader. Written by `python -m codegen` from schemas/headers; do not edit."""

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
    missing,
    skip_tags,
    UNFIT,
    Wire,
)

NAME: Final = "RequestHeader"
API_KEY: Final = -1
VERSIONS: Final[tuple[int, int]] = (1, 2)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_hhih = Struct(">hhih").unpack_from
_pack_hhih = Struct(">hhih").pack


@dataclass(init=False, repr=False, eq=False)
class RequestHeader(Wire):
    """RequestHeader."""

    __slots__ = ("request_api_key", "request_api_version", "correlation_id", "client_id")

    request_api_key: int
    request_api_version: int
    correlation_id: int
    client_id: str | None

    def __init__(
        self,
        request_api_key: int = 0,
        request_api_version: int = 0,
        correlation_id: int = 0,
        client_id: str | None = "",
    ) -> None:
        self.request_api_key = request_api_key
        self.request_api_version = request_api_version
        self.correlation_id = correlation_id
        self.client_id = client_id


def _decode_0(buffer: memoryview, p: int) -> tuple[RequestHeader, int]:
    """Versions 1."""
    request_api_key, request_api_version, correlation_id, client_id_size = _unpack_hhih(buffer, p)
    p += 10
    client_id: str | None = None
    if client_id_size >= 0:
        stop = p + client_id_size
        client_id = buffer[p:stop].tobytes().decode()
        p = stop
    elif client_id_size != -1:
        raise missing("RequestHeader.client_id")
    return RequestHeader(request_api_key, request_api_version, correlation_id, client_id), p


def _decode_1(buffer: memoryview, p: int) -> tuple[RequestHeader, int]:
    """Versions 2."""
    request_api_key, request_api_version, correlation_id, client_id_size = _unpack_hhih(buffer, p)
    p += 10
    client_id: str | None = None
    if client_id_size >= 0:
        stop = p + client_id_size
        client_id = buffer[p:stop].tobytes().decode()
        p = stop
    elif client_id_size != -1:
        raise missing("RequestHeader.client_id")
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return RequestHeader(request_api_key, request_api_version, correlation_id, client_id), p


def _encode_0(message: RequestHeader) -> bytes:
    """Versions 1."""
    client_id_value = message.client_id
    if client_id_value is None:
        client_id_size, client_id = -1, b""
    else:
        client_id = client_id_value.encode()
        client_id_size = len(client_id)
    return b"".join((_pack_hhih(message.request_api_key, message.request_api_version, message.correlation_id, client_id_size), client_id))


def _encode_1(message: RequestHeader) -> bytes:
    """Versions 2."""
    client_id_value = message.client_id
    if client_id_value is None:
        client_id_size, client_id = -1, b""
    else:
        client_id = client_id_value.encode()
        client_id_size = len(client_id)
    return b"".join((_pack_hhih(message.request_api_key, message.request_api_version, message.correlation_id, client_id_size), client_id, b"\0"))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[RequestHeader, int]]]] = {
    1: _decode_0,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[RequestHeader], bytes]]] = {
    1: _encode_0,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[RequestHeader, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"RequestHeader has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"RequestHeader v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"RequestHeader v{version} is cut short")
    return result


def encode(message: RequestHeader, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"RequestHeader has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"RequestHeader v{version}: {error}") from error
