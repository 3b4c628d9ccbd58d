"""TopicRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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
    missing,
    skip_tags,
    string_prefix,
    string_tail,
    UNFIT,
    UVARINTS,
    Wire,
    ZERO_UUID,
)

NAME: Final = "TopicRecord"
API_KEY: Final = 2
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_pack_ux = Struct(">16sx").pack


@dataclass(init=False, repr=False, eq=False)
class TopicRecord(Wire):
    """TopicRecord."""

    __slots__ = ("name", "topic_id")

    name: str
    topic_id: bytes

    def __init__(
        self,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
    ) -> None:
        self.name = name
        self.topic_id = topic_id


def _decode_0(buffer: memoryview, p: int) -> tuple[TopicRecord, int]:
    """Versions 0."""
    name_size = buffer[p]
    p += 1
    if name_size > 127:
        name_size, p = string_tail(buffer, p, name_size)
    if name_size == 0:
        raise missing("TopicRecord.name")
    stop = p + name_size - 1
    name = buffer[p:stop].tobytes().decode()
    p = stop
    topic_id, tags = _unpack_uB(buffer, p)
    p += 17
    if tags:
        p = skip_tags(buffer, p, tags)
    return TopicRecord(name, topic_id), p


def _encode_0(message: TopicRecord) -> bytes:
    """Versions 0."""
    name = message.name.encode()
    name_size = len(name) + 1
    topic_id = message.topic_id
    if len(topic_id) != 16:
        raise bad_uuid("TopicRecord.topic_id")
    return b"".join((UVARINTS[name_size] if name_size < 256 else string_prefix(name_size), name, _pack_ux(topic_id)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[TopicRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[TopicRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[TopicRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"TopicRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"TopicRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"TopicRecord v{version} is cut short")
    return result


def encode(message: TopicRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"TopicRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"TopicRecord v{version}: {error}") from error
