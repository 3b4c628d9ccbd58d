"""EnvelopeRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    UNFIT,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
)

NAME: Final = "EnvelopeRequest"
API_KEY: Final = 58
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False


@dataclass(init=False, repr=False, eq=False)
class EnvelopeRequest(Wire):
    """EnvelopeRequest."""

    __slots__ = ("request_data", "request_principal", "client_host_address")

    request_data: bytes
    request_principal: bytes | None
    client_host_address: bytes

    def __init__(
        self,
        request_data: bytes = b"",
        request_principal: bytes | None = b"",
        client_host_address: bytes = b"",
    ) -> None:
        self.request_data = request_data
        self.request_principal = request_principal
        self.client_host_address = client_host_address


def _decode_0(buffer: memoryview, p: int) -> tuple[EnvelopeRequest, int]:
    """Versions 0."""
    request_data_size = buffer[p]
    p += 1
    if request_data_size > 127:
        request_data_size, p = uvarint_tail(buffer, p, request_data_size)
    if request_data_size == 0:
        raise missing("EnvelopeRequest.request_data")
    stop = p + request_data_size - 1
    request_data = buffer[p:stop].tobytes()
    p = stop
    request_principal_size = buffer[p]
    p += 1
    if request_principal_size > 127:
        request_principal_size, p = uvarint_tail(buffer, p, request_principal_size)
    request_principal: bytes | None = None
    if request_principal_size:
        stop = p + request_principal_size - 1
        request_principal = buffer[p:stop].tobytes()
        p = stop
    client_host_address_size = buffer[p]
    p += 1
    if client_host_address_size > 127:
        client_host_address_size, p = uvarint_tail(buffer, p, client_host_address_size)
    if client_host_address_size == 0:
        raise missing("EnvelopeRequest.client_host_address")
    stop = p + client_host_address_size - 1
    client_host_address = buffer[p:stop].tobytes()
    p = stop
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return EnvelopeRequest(request_data, request_principal, client_host_address), p


def _encode_0(message: EnvelopeRequest) -> bytes:
    """Versions 0."""
    request_data = message.request_data
    request_data_size = len(request_data) + 1
    request_principal_value = message.request_principal
    if request_principal_value is None:
        request_principal_size, request_principal = 0, b""
    else:
        request_principal = request_principal_value
        request_principal_size = len(request_principal) + 1
    client_host_address = message.client_host_address
    client_host_address_size = len(client_host_address) + 1
    return b"".join((UVARINTS[request_data_size] if request_data_size < 256 else uvarint(request_data_size), request_data, UVARINTS[request_principal_size] if request_principal_size < 256 else uvarint(request_principal_size), request_principal, UVARINTS[client_host_address_size] if client_host_address_size < 256 else uvarint(client_host_address_size), client_host_address, b"\0"))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[EnvelopeRequest, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[EnvelopeRequest], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[EnvelopeRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"EnvelopeRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"EnvelopeRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"EnvelopeRequest v{version} is cut short")
    return result


def encode(message: EnvelopeRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"EnvelopeRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"EnvelopeRequest v{version}: {error}") from error
