"""DeleteTopicsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    bad_uuid,
    MALFORMED,
    MAX_ELEMENTS,
    missing,
    null_refused,
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
    ZERO_UUID,
)

NAME: Final = "DeleteTopicsResponse"
API_KEY: Final = 20
VERSIONS: Final[tuple[int, int]] = (1, 6)
FLEXIBLE_FROM: Final = 4
LATEST_UNSTABLE: Final = False

_unpack_uhB = Struct(">16shB").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_hB = Struct(">hB").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_unpack_ii = Struct(">ii").unpack_from
_pack_uh = Struct(">16sh").pack
_pack_h = Struct(">h").pack
_pack_hx = Struct(">hx").pack
_pack_i = Struct(">i").pack
_pack_ii = Struct(">ii").pack


@dataclass(init=False, repr=False, eq=False)
class DeletableTopicResult(Wire):
    """DeletableTopicResult."""

    __slots__ = ("name", "topic_id", "error_code", "error_message")

    name: str | None
    topic_id: bytes
    error_code: int
    error_message: str | None

    def __init__(
        self,
        name: str | None = "",
        topic_id: bytes = ZERO_UUID,
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.error_code = error_code
        self.error_message = error_message


@dataclass(init=False, repr=False, eq=False)
class DeleteTopicsResponse(Wire):
    """DeleteTopicsResponse."""

    __slots__ = ("throttle_time_ms", "responses")

    throttle_time_ms: int
    responses: list[DeletableTopicResult]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        responses: list[DeletableTopicResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.responses = [] if responses is UNSET else responses


def _decode_0(buffer: memoryview, p: int) -> tuple[DeleteTopicsResponse, int]:
    """Versions 1, 2, 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, responses_count = _unpack_ii(buffer, p)
    p += 8
    if responses_count < 0:
        raise missing("DeleteTopicsResponse.responses")
    if responses_count > room or responses_count * 4 > end - p:
        raise too_many("DeleteTopicsResponse.responses", responses_count)
    room -= responses_count
    responses: list[DeletableTopicResult] = []
    for _ in range(responses_count):
        (name_size,) = _unpack_h(buffer, p)
        p += 2
        if name_size < 0:
            raise missing("DeleteTopicsResponse.responses.name")
        stop = p + name_size
        name = buffer[p:stop].tobytes().decode()
        p = stop
        (error_code,) = _unpack_h(buffer, p)
        p += 2
        responses.append(DeletableTopicResult(name, ZERO_UUID, error_code, None))
    return DeleteTopicsResponse(throttle_time_ms, responses), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DeleteTopicsResponse, int]:
    """Versions 4."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, responses_count = _unpack_iB(buffer, p)
    p += 5
    if responses_count > 127:
        responses_count, p = uvarint_tail(buffer, p, responses_count)
    if responses_count == 0:
        raise missing("DeleteTopicsResponse.responses")
    responses_count -= 1
    if responses_count > room or responses_count * 4 > end - p:
        raise too_many("DeleteTopicsResponse.responses", responses_count)
    room -= responses_count
    responses: list[DeletableTopicResult] = []
    for _ in range(responses_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("DeleteTopicsResponse.responses.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        error_code, tags = _unpack_hB(buffer, p)
        p += 3
        if tags:
            p = skip_tags(buffer, p, tags)
        responses.append(DeletableTopicResult(name, ZERO_UUID, error_code, None))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return DeleteTopicsResponse(throttle_time_ms, responses), p


def _decode_2(buffer: memoryview, p: int) -> tuple[DeleteTopicsResponse, int]:
    """Versions 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, responses_count = _unpack_iB(buffer, p)
    p += 5
    if responses_count > 127:
        responses_count, p = uvarint_tail(buffer, p, responses_count)
    if responses_count == 0:
        raise missing("DeleteTopicsResponse.responses")
    responses_count -= 1
    if responses_count > room or responses_count * 5 > end - p:
        raise too_many("DeleteTopicsResponse.responses", responses_count)
    room -= responses_count
    responses: list[DeletableTopicResult] = []
    for _ in range(responses_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        if name_size == 0:
            raise missing("DeleteTopicsResponse.responses.name")
        stop = p + name_size - 1
        name = buffer[p:stop].tobytes().decode()
        p = stop
        error_code, error_message_size = _unpack_hB(buffer, p)
        p += 3
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
        responses.append(DeletableTopicResult(name, ZERO_UUID, error_code, error_message))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return DeleteTopicsResponse(throttle_time_ms, responses), p


def _decode_3(buffer: memoryview, p: int) -> tuple[DeleteTopicsResponse, int]:
    """Versions 6."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, responses_count = _unpack_iB(buffer, p)
    p += 5
    if responses_count > 127:
        responses_count, p = uvarint_tail(buffer, p, responses_count)
    if responses_count == 0:
        raise missing("DeleteTopicsResponse.responses")
    responses_count -= 1
    if responses_count > room or responses_count * 21 > end - p:
        raise too_many("DeleteTopicsResponse.responses", responses_count)
    room -= responses_count
    responses: list[DeletableTopicResult] = []
    for _ in range(responses_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        name: str | None = None
        if name_size:
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
        topic_id, error_code, error_message_size = _unpack_uhB(buffer, p)
        p += 19
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
        responses.append(DeletableTopicResult(name, topic_id, error_code, error_message))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return DeleteTopicsResponse(throttle_time_ms, responses), p


def _encode_0(message: DeleteTopicsResponse) -> bytes:
    """Versions 1, 2, 3."""
    out: list[bytes] = []
    responses = message.responses
    out.append(_pack_ii(message.throttle_time_ms, len(responses)))
    for element in responses:
        name_value = element.name
        if name_value is None:
            raise null_refused("DeleteTopicsResponse.responses.name")
        name = name_value.encode()
        name_size = len(name)
        out += (_pack_h(name_size), name, _pack_h(element.error_code))
    return b"".join(out)


def _encode_1(message: DeleteTopicsResponse) -> bytes:
    """Versions 4."""
    out: list[bytes] = []
    responses = message.responses
    responses_count = len(responses) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[responses_count] if responses_count < 256 else uvarint(responses_count),
    )
    for element in responses:
        name_value = element.name
        if name_value is None:
            raise null_refused("DeleteTopicsResponse.responses.name")
        name = name_value.encode()
        name_size = len(name) + 1
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            _pack_hx(element.error_code),
        )
    out.append(b"\0")
    return b"".join(out)


def _encode_2(message: DeleteTopicsResponse) -> bytes:
    """Versions 5."""
    out: list[bytes] = []
    responses = message.responses
    responses_count = len(responses) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[responses_count] if responses_count < 256 else uvarint(responses_count),
    )
    for element in responses:
        name_value = element.name
        if name_value is None:
            raise null_refused("DeleteTopicsResponse.responses.name")
        name = name_value.encode()
        name_size = len(name) + 1
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = 0, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message) + 1
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            _pack_h(element.error_code),
            UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
            error_message,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


def _encode_3(message: DeleteTopicsResponse) -> bytes:
    """Versions 6."""
    out: list[bytes] = []
    responses = message.responses
    responses_count = len(responses) + 1
    out += (
        _pack_i(message.throttle_time_ms),
        UVARINTS[responses_count] if responses_count < 256 else uvarint(responses_count),
    )
    for element in responses:
        name_value = element.name
        if name_value is None:
            name_size, name = 0, b""
        else:
            name = name_value.encode()
            name_size = len(name) + 1
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("DeleteTopicsResponse.responses.topic_id")
        error_message_value = element.error_message
        if error_message_value is None:
            error_message_size, error_message = 0, b""
        else:
            error_message = error_message_value.encode()
            error_message_size = len(error_message) + 1
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            _pack_uh(topic_id, element.error_code),
            UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
            error_message,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DeleteTopicsResponse, int]]]] = {
    1: _decode_0,
    2: _decode_0,
    3: _decode_0,
    4: _decode_1,
    5: _decode_2,
    6: _decode_3,
}
_ENCODERS: Final[dict[int, Callable[[DeleteTopicsResponse], bytes]]] = {
    1: _encode_0,
    2: _encode_0,
    3: _encode_0,
    4: _encode_1,
    5: _encode_2,
    6: _encode_3,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DeleteTopicsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DeleteTopicsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DeleteTopicsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DeleteTopicsResponse v{version} is cut short")
    return result


def encode(message: DeleteTopicsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DeleteTopicsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DeleteTopicsResponse v{version}: {error}") from error
