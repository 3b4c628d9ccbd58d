"""DeleteTopicsRequest. Written by `python -m codegen` from schemas/apis; do not edit."""

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
    ZERO_UUID,
)

NAME: Final = "DeleteTopicsRequest"
API_KEY: Final = 20
VERSIONS: Final[tuple[int, int]] = (1, 6)
FLEXIBLE_FROM: Final = 4
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_unpack_iB = Struct(">iB").unpack_from
_pack_ux = Struct(">16sx").pack
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack
_pack_ix = Struct(">ix").pack


@dataclass(init=False, repr=False, eq=False)
class DeleteTopicState(Wire):
    """DeleteTopicState."""

    __slots__ = ("name", "topic_id")

    name: str | None
    topic_id: bytes

    def __init__(
        self,
        name: str | None = None,
        topic_id: bytes = ZERO_UUID,
    ) -> None:
        self.name = name
        self.topic_id = topic_id


@dataclass(init=False, repr=False, eq=False)
class DeleteTopicsRequest(Wire):
    """DeleteTopicsRequest."""

    __slots__ = ("topics", "topic_names", "timeout_ms")

    topics: list[DeleteTopicState]
    topic_names: list[str]
    timeout_ms: int

    def __init__(
        self,
        topics: list[DeleteTopicState] = UNSET,
        topic_names: list[str] = UNSET,
        timeout_ms: int = 0,
    ) -> None:
        self.topics = [] if topics is UNSET else topics
        self.topic_names = [] if topic_names is UNSET else topic_names
        self.timeout_ms = timeout_ms


def _decode_0(buffer: memoryview, p: int) -> tuple[DeleteTopicsRequest, int]:
    """Versions 1, 2, 3."""
    end = len(buffer)
    room = MAX_ELEMENTS
    (topic_names_count,) = _unpack_i(buffer, p)
    p += 4
    if topic_names_count < 0:
        raise missing("DeleteTopicsRequest.topic_names")
    if topic_names_count > room or topic_names_count * 2 > end - p:
        raise too_many("DeleteTopicsRequest.topic_names", topic_names_count)
    room -= topic_names_count
    topic_names: list[str] = []
    for _ in range(topic_names_count):
        (element_size,) = _unpack_h(buffer, p)
        p += 2
        if element_size < 0:
            raise missing("DeleteTopicsRequest.topic_names")
        stop = p + element_size
        element = buffer[p:stop].tobytes().decode()
        p = stop
        topic_names.append(element)
    (timeout_ms,) = _unpack_i(buffer, p)
    p += 4
    return DeleteTopicsRequest([], topic_names, timeout_ms), p


def _decode_1(buffer: memoryview, p: int) -> tuple[DeleteTopicsRequest, int]:
    """Versions 4, 5."""
    end = len(buffer)
    room = MAX_ELEMENTS
    topic_names_count = buffer[p]
    p += 1
    if topic_names_count > 127:
        topic_names_count, p = uvarint_tail(buffer, p, topic_names_count)
    if topic_names_count == 0:
        raise missing("DeleteTopicsRequest.topic_names")
    topic_names_count -= 1
    if topic_names_count > room or topic_names_count > end - p:
        raise too_many("DeleteTopicsRequest.topic_names", topic_names_count)
    room -= topic_names_count
    topic_names: list[str] = []
    for _ in range(topic_names_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("DeleteTopicsRequest.topic_names")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        topic_names.append(element)
    timeout_ms, tags = _unpack_iB(buffer, p)
    p += 5
    if tags:
        p = skip_tags(buffer, p, tags)
    return DeleteTopicsRequest([], topic_names, timeout_ms), p


def _decode_2(buffer: memoryview, p: int) -> tuple[DeleteTopicsRequest, int]:
    """Versions 6."""
    end = len(buffer)
    room = MAX_ELEMENTS
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("DeleteTopicsRequest.topics")
    topics_count -= 1
    if topics_count > room or topics_count * 18 > end - p:
        raise too_many("DeleteTopicsRequest.topics", topics_count)
    room -= topics_count
    topics: list[DeleteTopicState] = []
    for _ in range(topics_count):
        name_size = buffer[p]
        p += 1
        if name_size > 127:
            name_size, p = string_tail(buffer, p, name_size)
        name: str | None = None
        if name_size:
            stop = p + name_size - 1
            name = buffer[p:stop].tobytes().decode()
            p = stop
        topic_id, tags = _unpack_uB(buffer, p)
        p += 17
        if tags:
            p = skip_tags(buffer, p, tags)
        topics.append(DeleteTopicState(name, topic_id))
    timeout_ms, tags_2 = _unpack_iB(buffer, p)
    p += 5
    if tags_2:
        p = skip_tags(buffer, p, tags_2)
    return DeleteTopicsRequest(topics, [], timeout_ms), p


def _encode_0(message: DeleteTopicsRequest) -> bytes:
    """Versions 1, 2, 3."""
    out: list[bytes] = []
    if message.topics:
        raise not_in_version("DeleteTopicsRequest.topics")
    topic_names = message.topic_names
    out.append(_pack_i(len(topic_names)))
    for element in topic_names:
        text = element.encode()
        text_size = len(text)
        out += (_pack_h(text_size), text)
    out.append(_pack_i(message.timeout_ms))
    return b"".join(out)


def _encode_1(message: DeleteTopicsRequest) -> bytes:
    """Versions 4, 5."""
    out: list[bytes] = []
    if message.topics:
        raise not_in_version("DeleteTopicsRequest.topics")
    topic_names = message.topic_names
    topic_names_count = len(topic_names) + 1
    out.append(UVARINTS[topic_names_count] if topic_names_count < 256 else uvarint(topic_names_count))
    for element in topic_names:
        text = element.encode()
        text_size = len(text) + 1
        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    out.append(_pack_ix(message.timeout_ms))
    return b"".join(out)


def _encode_2(message: DeleteTopicsRequest) -> bytes:
    """Versions 6."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
    for element in topics:
        name_value = element.name
        if name_value is None:
            name_size, name = 0, b""
        else:
            name = name_value.encode()
            name_size = len(name) + 1
        topic_id = element.topic_id
        if len(topic_id) != 16:
            raise bad_uuid("DeleteTopicsRequest.topics.topic_id")
        out += (
            UVARINTS[name_size] if name_size < 256 else string_prefix(name_size),
            name,
            _pack_ux(topic_id),
        )
    out.append(_pack_ix(message.timeout_ms))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[DeleteTopicsRequest, int]]]] = {
    1: _decode_0,
    2: _decode_0,
    3: _decode_0,
    4: _decode_1,
    5: _decode_1,
    6: _decode_2,
}
_ENCODERS: Final[dict[int, Callable[[DeleteTopicsRequest], bytes]]] = {
    1: _encode_0,
    2: _encode_0,
    3: _encode_0,
    4: _encode_1,
    5: _encode_1,
    6: _encode_2,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[DeleteTopicsRequest, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"DeleteTopicsRequest has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"DeleteTopicsRequest v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"DeleteTopicsRequest v{version} is cut short")
    return result


def encode(message: DeleteTopicsRequest, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"DeleteTopicsRequest has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"DeleteTopicsRequest v{version}: {error}") from error
