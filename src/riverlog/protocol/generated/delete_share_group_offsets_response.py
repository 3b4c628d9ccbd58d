"""DeleteShareGroupOffsetsResponse. Written by `python -m codegen` from schemas/apis; do not edit."""

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

NAME: Final = "DeleteShareGroupOffsetsResponse"
API_KEY: Final = 92
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uhB = Struct(">16shB").unpack_from
_unpack_ihB = Struct(">ihB").unpack_from
_pack_uh = Struct(">16sh").pack
_pack_ih = Struct(">ih").pack


@dataclass(init=False, repr=False, eq=False)
class DeleteShareGroupOffsetsResponseTopic(Wire):
    """DeleteShareGroupOffsetsResponseTopic."""

    __slots__ = ("topic_name", "topic_id", "error_code", "error_message")

    topic_name: str
    topic_id: bytes
    error_code: int
    error_message: str | None

    def __init__(
        self,
        topic_name: str = "",
        topic_id: bytes = ZERO_UUID,
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.topic_name = topic_name
        self.topic_id = topic_id
        self.error_code = error_code
        self.error_message = error_message


@dataclass(init=False, repr=False, eq=False)
class DeleteShareGroupOffsetsResponse(Wire):
    """DeleteShareGroupOffsetsResponse."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "responses")

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    responses: list[DeleteShareGroupOffsetsResponseTopic]

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        responses: list[DeleteShareGroupOffsetsResponseTopic] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.responses = [] if responses is UNSET else responses


def _decode_0(buffer: memoryview, p: int) -> tuple[DeleteShareGroupOffsetsResponse, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    throttle_time_ms, error_code, error_message_size = _unpack_ihB(buffer, p)
    p += 7
    if error_message_size > 127:
        error_message_size, p = string_tail(buffer, p, error_message_size)
    error_message: str | None = None
    if error_message_size:
        stop = p + error_message_size - 1
        error_message = buffer[p:stop].tobytes().decode()
        p = stop
    responses_count = buffer[p]
    p += 1
    if responses_count > 127:
        responses_count, p = uvarint_tail(buffer, p, responses_count)
    if responses_count == 0:
        raise missing("DeleteShareGroupOffsetsResponse.responses")
    responses_count -= 1
    if responses_count > room or responses_count * 21 > end - p:
        raise too_many("DeleteShareGroupOffsetsResponse.responses", responses_count)
    room -= responses_count
    responses: list[DeleteShareGroupOffsetsResponseTopic] = []
    for _ in range(responses_count):
        topic_name_size = buffer[p]
        p += 1
        if topic_name_size > 127:
            topic_name_size, p = string_tail(buffer, p, topic_name_size)
        if topic_name_size == 0:
            raise missing("DeleteShareGroupOffsetsResponse.responses.topic_name")
        stop = p + topic_name_size - 1
        topic_name = buffer[p:stop].tobytes().decode()
        p = stop
        topic_id, error_code_2, error_message_size_2 = _unpack_uhB(buffer, p)
        p += 19
        if error_message_size_2 > 127:
            error_message_size_2, p = string_tail(buffer, p, error_message_size_2)
        error_message_2: str | None = None
        if error_message_size_2:
            stop = p + error_message_size_2 - 1
            error_message_2 = buffer[p:stop].tobytes().decode()
            p = stop
        tags = buffer[p]
        p += 1
        if tags:
            p = skip_tags(buffer, p, tags)
        responses.append(DeleteShareGroupOffsetsResponseTopic(topic_name, topic_id, error_code_2, error_message_2))
    tags_2 = buffer[p]
    p += 1
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return DeleteShareGroupOffsetsResponse(throttle_time_ms, error_code, error_message, responses), p


def _encode_0(message: DeleteShareGroupOffsetsResponse) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    error_message_value = message.error_message
    if error_message_value is None:
        error_message_size, error_message = 0, b""
    else:
        error_message = error_message_value.encode()
        error_message_size = len(error_message) + 1
    responses = message.responses
    responses_count = len(responses) + 1
    out += (
        _pack_ih(message.throttle_time_ms, message.error_code),
        UVARINTS[error_message_size] if error_message_size < 256 else string_prefix(error_message_size),
        error_message,
        UVARINTS[responses_count] if responses_count < 256 else uvarint(responses_count),
    )
    for element in responses:
        topic_name = element.topic_name.encode()
        topic_name_size = len(topic_name) + 1
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("DeleteShareGroupOffsetsResponse.responses.topic_id")
        error_message_value_2 = element.error_message
        if error_message_value_2 is None:
            error_message_size_2, error_message_2 = 0, b""
        else:
            error_message_2 = error_message_value_2.encode()
            error_message_size_2 = len(error_message_2) + 1
        out += (
            UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size),
            topic_name,
            _pack_uh(topic_id, element.error_code),
            UVARINTS[error_message_size_2] if error_message_size_2 < 256 else string_prefix(error_message_size_2),
            error_message_2,
            b"\0",
        )
    out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DeleteShareGroupOffsetsResponse, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[DeleteShareGroupOffsetsResponse], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DeleteShareGroupOffsetsResponse, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DeleteShareGroupOffsetsResponse has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DeleteShareGroupOffsetsResponse v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DeleteShareGroupOffsetsResponse v{version} is cut short")
    return result


def encode(message: DeleteShareGroupOffsetsResponse, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DeleteShareGroupOffsetsResponse has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DeleteShareGroupOffsetsResponse v{version}: {error}") from error
