"""FindCoordinatorRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "FindCoordinatorRequest"
API_KEY: Final = 10
VERSIONS: Final[tuple[int, int]] = (0, 6)
FLEXIBLE_FROM: Final = 3
LATEST_UNSTABLE: Final = False

_unpack_b = Struct(">b").unpack_from
_unpack_bB = Struct(">bB").unpack_from
_unpack_h = Struct(">h").unpack_from
_pack_b = Struct(">b").pack
_pack_bx = Struct(">bx").pack
_pack_h = Struct(">h").pack


@dataclass(init=False, repr=False, eq=False)
class FindCoordinatorRequest(Wire):
    """FindCoordinatorRequest."""

    __slots__ = ("key", "key_type", "coordinator_keys")

    key: str
    key_type: int
    coordinator_keys: list[str]

    def __init__(
        self,
        key: str = "",
        key_type: int = 0,
        coordinator_keys: list[str] = UNSET,
    ) -> None:
        self.key = key
        self.key_type = key_type
        self.coordinator_keys = [] if coordinator_keys is UNSET else coordinator_keys


def _decode_0(buffer: memoryview, p: int) -> tuple[FindCoordinatorRequest, int]:
    """Versions 0."""
    (key_size,) = _unpack_h(buffer, p)
    p += 2
    if key_size < 0:
        raise missing("FindCoordinatorRequest.key")
    stop = p + key_size
    key = buffer[p:stop].tobytes().decode()
    p = stop
    return FindCoordinatorRequest(key, 0, []), p


def _decode_1(buffer: memoryview, p: int) -> tuple[FindCoordinatorRequest, int]:
    """Versions 1, 2."""
    (key_size,) = _unpack_h(buffer, p)
    p += 2
    if key_size < 0:
        raise missing("FindCoordinatorRequest.key")
    stop = p + key_size
    key = buffer[p:stop].tobytes().decode()
    p = stop
    (key_type,) = _unpack_b(buffer, p)
    p += 1
    return FindCoordinatorRequest(key, key_type, []), p


def _decode_2(buffer: memoryview, p: int) -> tuple[FindCoordinatorRequest, int]:
    """Versions 3."""
    key_size = buffer[p]
    p += 1
    if key_size > 127:
        key_size, p = string_tail(buffer, p, key_size)
    if key_size == 0:
        raise missing("FindCoordinatorRequest.key")
    stop = p + key_size - 1
    key = buffer[p:stop].tobytes().decode()
    p = stop
    key_type, tags = _unpack_bB(buffer, p)
    p += 2
    if tags:
        p = skip_tags(buffer, p, tags)
    return FindCoordinatorRequest(key, key_type, []), p


def _decode_3(buffer: memoryview, p: int) -> tuple[FindCoordinatorRequest, int]:
    """Versions 4, 5, 6."""
    end = len(buffer)
    room = MAX_ELEMENTS
    key_type, coordinator_keys_count = _unpack_bB(buffer, p)
    p += 2
    if coordinator_keys_count > 127:
        coordinator_keys_count, p = uvarint_tail(buffer, p, coordinator_keys_count)
    if coordinator_keys_count == 0:
        raise missing("FindCoordinatorRequest.coordinator_keys")
    coordinator_keys_count -= 1
    if coordinator_keys_count > room or coordinator_keys_count > end - p:
        raise too_many("FindCoordinatorRequest.coordinator_keys", coordinator_keys_count)
    room -= coordinator_keys_count
    coordinator_keys: list[str] = []
    for _ in range(coordinator_keys_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("FindCoordinatorRequest.coordinator_keys")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        coordinator_keys.append(element)
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return FindCoordinatorRequest("", key_type, coordinator_keys), p


def _encode_0(message: FindCoordinatorRequest) -> bytes:
    """Versions 0."""
    key = message.key.encode()
    key_size = len(key)
    if message.key_type != 0:
        raise not_in_version("FindCoordinatorRequest.key_type")
    if message.coordinator_keys:
        raise not_in_version("FindCoordinatorRequest.coordinator_keys")
    return b"".join((_pack_h(key_size), key))


def _encode_1(message: FindCoordinatorRequest) -> bytes:
    """Versions 1, 2."""
    key = message.key.encode()
    key_size = len(key)
    if message.coordinator_keys:
        raise not_in_version("FindCoordinatorRequest.coordinator_keys")
    return b"".join((_pack_h(key_size), key, _pack_b(message.key_type)))


def _encode_2(message: FindCoordinatorRequest) -> bytes:
    """Versions 3."""
    key = message.key.encode()
    key_size = len(key) + 1
    if message.coordinator_keys:
        raise not_in_version("FindCoordinatorRequest.coordinator_keys")
    return b"".join((UVARINTS[key_size] if key_size < 256 else string_prefix(key_size), key, _pack_bx(message.key_type)))


def _encode_3(message: FindCoordinatorRequest) -> bytes:
    """Versions 4, 5, 6."""
    out: list[bytes] = []
    if message.key != "":
        raise not_in_version("FindCoordinatorRequest.key")
    coordinator_keys = message.coordinator_keys
    coordinator_keys_count = len(coordinator_keys) + 1
    out += (
        _pack_b(message.key_type),
        UVARINTS[coordinator_keys_count] if coordinator_keys_count < 256 else uvarint(coordinator_keys_count),
    )
    for element in coordinator_keys:
        text = element.encode()
        text_size = len(text) + 1
        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[FindCoordinatorRequest, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_1,
    3: _decode_2,
    4: _decode_3,
    5: _decode_3,
    6: _decode_3,
}
_ENCODERS: Final[dict[int, Callable[[FindCoordinatorRequest], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_1,
    3: _encode_2,
    4: _encode_3,
    5: _encode_3,
    6: _encode_3,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[FindCoordinatorRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"FindCoordinatorRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"FindCoordinatorRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"FindCoordinatorRequest v{version} is cut short")
    return result


def encode(message: FindCoordinatorRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"FindCoordinatorRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"FindCoordinatorRequest v{version}: {error}") from error
