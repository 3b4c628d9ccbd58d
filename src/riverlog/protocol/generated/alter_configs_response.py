"""AlterConfigsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "AlterConfigsResponse"
API_KEY: Final = 33
VERSIONS: Final[tuple[int, int]] = (0, 2)
FLEXIBLE_FROM: Final = 2
LATEST_UNSTABLE: Final = False

_unpack_bB = Struct(">bB").unpack_from
_unpack_bh = Struct(">bh").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_hh = Struct(">hh").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_pack_b = Struct(">b").pack
_pack_bh = Struct(">bh").pack
_pack_h = Struct(">h").pack
_pack_hh = Struct(">hh").pack
_pack_i = Struct(">i").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class AlterConfigsResourceResponse(Wire):
    """AlterConfigsResourceResponse."""

    __slots__ = ("error_code", "error_message", "resource_type", "resource_name")

    error_code: int
    error_message: str | None
    resource_type: int
    resource_name: str

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        resource_type: int = 0,
        resource_name: str = "",
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.resource_type = resource_type
        self.resource_name = resource_name


@dataclass(init=False, repr=False, eq=False)
class AlterConfigsResponse(Wire):
    """AlterConfigsResponse."""

    __slots__ = ("throttle_time_ms", "responses")

    throttle_time_ms: int
    responses: list[AlterConfigsResourceResponse]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        responses: list[AlterConfigsResourceResponse] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.responses = [] if responses is UNSET else responses


def _decode_0(buffer: memoryview, p: int) -> tuple[AlterConfigsResponse, int]:
    """Versions 0, 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, responses_count = _unpack_ii(buffer, p)
    p += 8
    if responses_count < 0:
        raise missing("AlterConfigsResponse.responses")
    if responses_count > room or responses_count * 7 > end - p:
        raise too_many("AlterConfigsResponse.responses", responses_count)
    room -= responses_count
    responses: list[AlterConfigsResourceResponse] = []
    for _ in range(responses_count):
        error_code, error_message_size = _unpack_hh(buffer, p)
        p += 4
        error_message: str | None = None
        if error_message_size >= 0:
            stop = p + error_message_size
            error_message = buffer[p:stop].tobytes().decode()
            p = stop
        elif error_message_size != -1:
            raise missing("AlterConfigsResponse.responses.error_message")
        resource_type, resource_name_size = _unpack_bh(buffer, p)
        p += 3
        if resource_name_size < 0:
            raise missing("AlterConfigsResponse.responses.resource_name")
        stop = p + resource_name_size
        resource_name = buffer[p:stop].tobytes().decode()
        p = stop
        responses.append(AlterConfigsResourceResponse(error_code, error_message, resource_type, resource_name))
    return AlterConfigsResponse(throttle_time_ms, responses), p


def _decode_1(buffer: memoryview, p: int) -> tuple[AlterConfigsResponse, int]:
    """Versions 2."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, responses_count = _unpack_iB(buffer, p)
    p += 5
    if responses_count > 127:
        responses_count, p = uvarint_tail(buffer, p, responses_count)
    if responses_count == 0:
        raise missing("AlterConfigsResponse.responses")
    responses_count -= 1
    if responses_count > room or responses_count * 6 > end - p:
        raise too_many("AlterConfigsResponse.responses", responses_count)
    room -= responses_count
    responses: list[AlterConfigsResourceResponse] = []
    for _ in range(responses_count):
        error_code, error_message_size = _unpack_hB(buffer, p)
        p += 3
        if error_message_size > 127:
            error_message_size, p = string_tail(buffer, p, error_message_size)
        error_message: str | None = None
        if error_message_size:
            stop = p + error_message_size - 1
            error_message = buffer[p:stop].tobytes().decode()
            p = stop
        resource_type, resource_name_size = _unpack_bB(buffer, p)
        p += 2
        if resource_name_size > 127:
            resource_name_size, p = string_tail(buffer, p, resource_name_size)
        if resource_name_size == 0:
            raise missing("AlterConfigsResponse.responses.resource_name")
        stop = p + resource_name_size - 1
        resource_name = buffer[p:stop].tobytes().decode()
        p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        responses.append(AlterConfigsResourceResponse(error_code, error_message, resource_type, resource_name))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return AlterConfigsResponse(throttle_time_ms, responses), p


def _encode_0(message: AlterConfigsResponse) -> bytes:
    """Versions 0, 1."""
    out: list[bytes] = []
    responses = message.responses
    out.append(_pack_ii(message.throttle_time_ms, len(responses)))
    for element in responses:
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = -1, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message)
        resource_name = element.resource_name.encode()
        resource_name_size = len(resource_name)
        out += (
            _pack_hh(element.error_code, error_message_size),
            error_message,
            _pack_bh(element.resource_type, resource_name_size),
            resource_name,
        )
    return b"".join(out)


def _encode_1(message: AlterConfigsResponse) -> bytes:
    """Versions 2."""
    out: list[bytes] = []
    responses = message.responses
    responses_count = len(responses) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[responses_count] if responses_count < 256 else uvarint(responses_count),
    )
    for element in responses:
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = 0, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message) + 1
        resource_name = element.resource_name.encode()
        resource_name_size = len(resource_name) + 1
        out += (
            _pack_h(element.error_code),
            UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
            error_message,
            _pack_b(element.resource_type),
            UVARINTS[resource_name_size] if resource_name_size < 256 else string_prefix(resource_name_size),
            resource_name,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AlterConfigsResponse, int]]]] = {
    0: _decode_0,
    1: _decode_0,
    2: _decode_1,
}
_ENCODERS: Final[dict[int, Callable[[AlterConfigsResponse], bytes]]] = {
    0: _encode_0,
    1: _encode_0,
    2: _encode_1,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AlterConfigsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AlterConfigsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AlterConfigsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AlterConfigsResponse v{version} is cut short")
    return result


def encode(message: AlterConfigsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AlterConfigsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AlterConfigsResponse v{version}: {error}") from error
