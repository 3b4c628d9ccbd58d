"""ConfigRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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
    string_prefix,
    string_tail,
    UNFIT,
    UVARINTS,
    Wire,
)

NAME: Final = "ConfigRecord"
API_KEY: Final = 4
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_bB = Struct(">bB").unpack_from
_pack_b = Struct(">b").pack


@dataclass(init=False, repr=False, eq=False)
class ConfigRecord(Wire):
    """ConfigRecord."""

    __slots__ = ("resource_type", "resource_name", "name", "value")

    resource_type: int
    resource_name: str
    name: str
    value: str | None

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = "",
        name: str = "",
        value: str | None = "",
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.name = name
        self.value = value


def _decode_0(buffer: memoryview, p: int) -> tuple[ConfigRecord, int]:
    """Versions 0."""
    resource_type, resource_name_size = _unpack_bB(buffer, p)
    p += 2
    if resource_name_size > 127:
        resource_name_size, p = string_tail(buffer, p, resource_name_size)
    if resource_name_size == 0:
        raise missing("ConfigRecord.resource_name")
    stop = p + resource_name_size - 1
    resource_name = buffer[p:stop].tobytes().decode()
    p = stop
    name_size = buffer[p]
    p += 1
    if name_size > 127:
        name_size, p = string_tail(buffer, p, name_size)
    if name_size == 0:
        raise missing("ConfigRecord.name")
    stop = p + name_size - 1
    name = buffer[p:stop].tobytes().decode()
    p = stop
    value_size = buffer[p]
    p += 1
    if value_size > 127:
        value_size, p = string_tail(buffer, p, value_size)
    value: str | None = None
    if value_size:
        stop = p + value_size - 1
        value = buffer[p:stop].tobytes().decode()
        p = stop
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return ConfigRecord(resource_type, resource_name, name, value), p


def _encode_0(message: ConfigRecord) -> bytes:
    """Versions 0."""
    resource_name = message.resource_name.encode()
    resource_name_size = len(resource_name) + 1
    name = message.name.encode()
    name_size = len(name) + 1
    value_value = message.value
    if value_value is None:
        value_size, value = 0, b""
    else:
        value = value_value.encode()
        value_size = len(value) + 1
    return b"".join((_pack_b(message.resource_type), UVARINTS[resource_name_size] if resource_name_size < 256 else string_prefix(resource_name_size), resource_name, UVARINTS[name_size] if name_size < 256 else string_prefix(name_size), name, UVARINTS[value_size] if value_size < 256 else string_prefix(value_size), value, b"\0"))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ConfigRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ConfigRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ConfigRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ConfigRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ConfigRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ConfigRecord v{version} is cut short")
    return result


def encode(message: ConfigRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ConfigRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ConfigRecord v{version}: {error}") from error
