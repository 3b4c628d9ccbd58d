"""RemoveTopicRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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
    skip_tags,
    UNFIT,
    Wire,
    ZERO_UUID,
)

NAME: Final = "RemoveTopicRecord"
API_KEY: Final = 9
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_uB = Struct(">16sB").unpack_from
_pack_ux = Struct(">16sx").pack


@dataclass(init=False, repr=False, eq=False)
class RemoveTopicRecord(Wire):
    """RemoveTopicRecord."""

    __slots__ = ("topic_id",)

    topic_id: bytes

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
    ) -> None:
        self.topic_id = topic_id


def _decode_0(buffer: memoryview, p: int) -> tuple[RemoveTopicRecord, int]:
    """Versions 0."""
    topic_id, tags = _unpack_uB(buffer, p)
    p += 17
    if tags:
        p = skip_tags(buffer, p, tags)
    return RemoveTopicRecord(topic_id), p


def _encode_0(message: RemoveTopicRecord) -> bytes:
    """Versions 0."""
    topic_id = message.topic_id
    if len(topic_id) != 16:
        raise bad_uuid("RemoveTopicRecord.topic_id")
    return _pack_ux(topic_id)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[RemoveTopicRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[RemoveTopicRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[RemoveTopicRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"RemoveTopicRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"RemoveTopicRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"RemoveTopicRecord v{version} is cut short")
    return result


def encode(message: RemoveTopicRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"RemoveTopicRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"RemoveTopicRecord v{version}: {error}") from error
