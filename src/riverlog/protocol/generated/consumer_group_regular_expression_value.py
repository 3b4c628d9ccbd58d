"""ConsumerGroupRegularExpressionValue. Written by `python -m codegen` from schemas/group; do not edit."""

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

NAME: Final = "ConsumerGroupRegularExpressionValue"
API_KEY: Final = 16
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_qqB = Struct(">qqB").unpack_from
_pack_qqx = Struct(">qqx").pack


@dataclass(init=False, repr=False, eq=False)
class ConsumerGroupRegularExpressionValue(Wire):
    """ConsumerGroupRegularExpressionValue."""

    __slots__ = ("topics", "version", "timestamp")

    topics: list[str]
    version: int
    timestamp: int

    def __init__(
        self,
        topics: list[str] = UNSET,
        version: int = 0,
        timestamp: int = 0,
    ) -> None:
        self.topics = [] if topics is UNSET else topics
        self.version = version
        self.timestamp = timestamp


def _decode_0(buffer: memoryview, p: int) -> tuple[ConsumerGroupRegularExpressionValue, int]:
    """Versions 0."""
    end = len(buffer)
    room = MAX_ELEMENTS
    topics_count = buffer[p]
    p += 1
    if topics_count > 127:
        topics_count, p = uvarint_tail(buffer, p, topics_count)
    if topics_count == 0:
        raise missing("ConsumerGroupRegularExpressionValue.topics")
    topics_count -= 1
    if topics_count > room or topics_count > end - p:
        raise too_many("ConsumerGroupRegularExpressionValue.topics", topics_count)
    room -= topics_count
    topics: list[str] = []
    for _ in range(topics_count):
        element_size = buffer[p]
        p += 1
        if element_size > 127:
            element_size, p = string_tail(buffer, p, element_size)
        if element_size == 0:
            raise missing("ConsumerGroupRegularExpressionValue.topics")
        stop = p + element_size - 1
        element = buffer[p:stop].tobytes().decode()
        p = stop
        topics.append(element)
    version, timestamp, tags = _unpack_qqB(buffer, p)
    p += 17
    if tags:
        p = skip_tags(buffer, p, tags)
    return ConsumerGroupRegularExpressionValue(topics, version, timestamp), p


def _encode_0(message: ConsumerGroupRegularExpressionValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    topics = message.topics
    topics_count = len(topics) + 1
    out.append(UVARINTS[topics_count] if topics_count < 256 else uvarint(topics_count))
    for element in topics:
        text = element.encode()
        text_size = len(text) + 1
        out += (UVARINTS[text_size] if text_size < 256 else string_prefix(text_size), text)
    out.append(_pack_qqx(message.version, message.timestamp))
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ConsumerGroupRegularExpressionValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ConsumerGroupRegularExpressionValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ConsumerGroupRegularExpressionValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ConsumerGroupRegularExpressionValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ConsumerGroupRegularExpressionValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ConsumerGroupRegularExpressionValue v{version} is cut short")
    return result


def encode(message: ConsumerGroupRegularExpressionValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ConsumerGroupRegularExpressionValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ConsumerGroupRegularExpressionValue v{version}: {error}") from error
