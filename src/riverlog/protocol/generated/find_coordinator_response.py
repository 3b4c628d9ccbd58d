"""FindCoordinatorResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "FindCoordinatorResponse"
API_KEY: Final = 10
VERSIONS: Final[tuple[int, int]] = (0, 6)
FLEXIBLE_FROM: Final = 3
LATEST_UNSTABLE: Final = False

_unpack_hih = Struct(">hih").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ih = Struct(">ih").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_unpack_ihh = Struct(">ihh").unpack_from
_pack_hih = Struct(">hih").pack
_pack_i = Struct(">i").pack
_pack_ih = Struct(">ih").pack
_pack_ihh = Struct(">ihh").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class Coordinator(Wire):
    """Coordinator."""

    __slots__ = ("key", "node_id", "host", "port", "error_code", "error_message")

    key: str
    node_id: int
    host: str
    port: int
    error_code: int
    error_message: str | None

    def __init__(
        self,
        key: str = "",
        node_id: int = 0,
        host: str = "",
        port: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.key = key
        self.node_id = node_id
        self.host = host
        self.port = port
        self.error_code = error_code
        self.error_message = error_message


@dataclass(init=False, repr=False, eq=False)
class FindCoordinatorResponse(Wire):
    """FindCoordinatorResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "node_id", "host", "port", "coordinators")

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    node_id: int
    host: str
    port: int
    coordinators: list[Coordinator]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        node_id: int = 0,
        host: str = "",
        port: int = 0,
        coordinators: list[Coordinator] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.node_id = node_id
        self.host = host
        self.port = port
        self.coordinators = [] if coordinators is UNSET else coordinators


def _decode_0(buffer: memoryview, p: int) -> tuple[FindCoordinatorResponse, int]:
    """Versions 0."""
    error_code, node_id, host_size = _unpack_hih(buffer, p)
    p += 8
    if host_size < 0:
        raise missing("FindCoordinatorResponse.host")
    stop = p + host_size
    host = buffer[p:stop].tobytes().decode()
    p = stop
    (port,) = _unpack_i(buffer, p)
    p += 4
    return FindCoordinatorResponse(0, error_code, "", node_id, host, port, []), p


def _decode_1(buffer: memoryview, p: int) -> tuple[FindCoordinatorResponse, int]:
    """Versions 1, 2."""
    throttle_time_ms, error_code, error_message_size = _unpack_ihh(buffer, p)
    p += 8
    error_message: str | None = None
    if error_message_size >= 0:
        stop = p + error_message_size
        error_message = buffer[p:stop].tobytes().decode()
        p = stop
    elif error_message_size != -1:
        raise missing("FindCoordinatorResponse.error_message")
    node_id, host_size = _unpack_ih(buffer, p)
    p += 6
    if host_size < 0:
        raise missing("FindCoordinatorResponse.host")
    stop = p + host_size
    host = buffer[p:stop].tobytes().decode()
    p = stop
    (port,) = _unpack_i(buffer, p)
    p += 4
    return FindCoordinatorResponse(throttle_time_ms, error_code, error_message, node_id, host, port, []), p


def _decode_2(buffer: memoryview, p: int) -> tuple[FindCoordinatorResponse, int]:
    """Versions 3."""
    throttle_time_ms, error_code, error_message_size = _unpack_ihB(buffer, p)
    p += 7
    if error_message_size > 127:
        error_message_size, p = string_tail(buffer, p, error_message_size)
    error_message: str | None = None
    if error_message_size:
        stop = p + error_message_size - 1
        error_message = buffer[p:stop].tobytes().decode()
        p = stop
    node_id, host_size = _unpack_iB(buffer, p)
    p += 5
    if host_size > 127:
        host_size, p = string_tail(buffer, p, host_size)
    if host_size == 0:
        raise missing("FindCoordinatorResponse.host")
    stop = p + host_size - 1
    host = buffer[p:stop].tobytes().decode()
    p = stop
    port, tags = _unpack_iB(buffer, p)
    p += 5
    if tags:
        p = skip_tags(buffer, p, tags)
    return FindCoordinatorResponse(throttle_time_ms, error_code, error_message, node_id, host, port, []), p


def _decode_3(buffer: memoryview, p: int) -> tuple[FindCoordinatorResponse, int]:
    """Versions 4, 5, 6."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, coordinators_count = _unpack_iB(buffer, p)
    p += 5
    if coordinators_count > 127:
        coordinators_count, p = uvarint_tail(buffer, p, coordinators_count)
    if coordinators_count == 0:
        raise missing("FindCoordinatorResponse.coordinators")
    coordinators_count -= 1
    if coordinators_count > room or coordinators_count * 14 > end - p:
        raise too_many("FindCoordinatorResponse.coordinators", coordinators_count)
    room -= coordinators_count
    coordinators: list[Coordinator] = []
    for _ in range(coordinators_count):
        key_size = buffer[p]
        p += 1
        if key_size > 127:
            key_size, p = string_tail(buffer, p, key_size)
        if key_size == 0:
            raise missing("FindCoordinatorResponse.coordinators.key")
        stop = p + key_size - 1
        key = buffer[p:stop].tobytes().decode()
        p = stop
        node_id, host_size = _unpack_iB(buffer, p)
        p += 5
        if host_size > 127:
            host_size, p = string_tail(buffer, p, host_size)
        if host_size == 0:
            raise missing("FindCoordinatorResponse.coordinators.host")
        stop = p + host_size - 1
        host = buffer[p:stop].tobytes().decode()
        p = stop
        port, error_code, error_message_size = _unpack_ihB(buffer, p)
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
        coordinators.append(Coordinator(key, node_id, host, port, error_code, error_message))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return FindCoordinatorResponse(throttle_time_ms, 0, "", 0, "", 0, coordinators), p


def _encode_0(message: FindCoordinatorResponse) -> bytes:
    """Versions 0."""
    host = message.host.encode()
    host_size = len(host)
    if message.coordinators:
        raise not_in_version("FindCoordinatorResponse.coordinators")
    return b"".join((_pack_hih(message.error_code, message.node_id, host_size), host, _pack_i(message.port)))


def _encode_1(message: FindCoordinatorResponse) -> bytes:
    """Versions 1, 2."""
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = -1, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message)
    host = message.host.encode()
    host_size = len(host)
    if message.coordinators:
        raise not_in_version("FindCoordinatorResponse.coordinators")
    return b"".join((_pack_ihh(message.throttle_time_ms, message.error_code, error_message_size), error_message, _pack_ih(message.node_id, host_size), host, _pack_i(message.port)))


def _encode_2(message: FindCoordinatorResponse) -> bytes:
    """Versions 3."""
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    host = message.host.encode()
    host_size = len(host) + 1
    if message.coordinators:
        raise not_in_version("FindCoordinatorResponse.coordinators")
    return b"".join((_pack_ih(message.throttle_time_ms, message.error_code), UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size), error_message, _pack_i(message.node_id), UVARINTS[host_size] if host_size < 256 else string_prefix(host_size), host, _pack_ix(message.port)))


def _encode_3(message: FindCoordinatorResponse) -> bytes:
    """Versions 4, 5, 6."""
    out: list[bytes] = []
    if message.error_code != 0:
        raise not_in_version("FindCoordinatorResponse.error_code")
    if message.node_id != 0:
        raise not_in_version("FindCoordinatorResponse.node_id")
    if message.host != "":
        raise not_in_version("FindCoordinatorResponse.host")
    if message.port != 0:
        raise not_in_version("FindCoordinatorResponse.port")
    coordinators = message.coordinators
    coordinators_count = len(coordinators) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[coordinators_count] if coordinators_count < 256 else uvarint(coordinators_count),
    )
    for element in coordinators:
        key = element.key.encode()
        key_size = len(key) + 1
        host = element.host.encode()
        host_size = len(host) + 1
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = 0, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message) + 1
        out += (
            UVARINTS[key_size] if key_size < 256 else string_prefix(key_size),
            key,
            _pack_i(element.node_id),
            UVARINTS[host_size] if host_size < 256 else string_prefix(host_size),
            host,
            _pack_ih(element.port, element.error_code),
            UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
            error_message,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[FindCoordinatorResponse, int]]]] = {
    0: _decode_0,
    1: _decode_1,
    2: _decode_1,
    3: _decode_2,
    4: _decode_3,
    5: _decode_3,
    6: _decode_3,
}
_ENCODERS: Final[dict[int, Callable[[FindCoordinatorResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_1,
    2: _encode_1,
    3: _encode_2,
    4: _encode_3,
    5: _encode_3,
    6: _encode_3,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[FindCoordinatorResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"FindCoordinatorResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"FindCoordinatorResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"FindCoordinatorResponse v{version} is cut short")
    return result


def encode(message: FindCoordinatorResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"FindCoordinatorResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"FindCoordinatorResponse v{version}: {error}") from error
