"""LegacyOffsetCommitKey. Written by `python -m codegen` from schemas/group; do not edit."""

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
    UNFIT,
    Wire,
)

NAME: Final = "LegacyOffsetCommitKey"
API_KEY: Final = 0
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 32767
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_unpack_i = Struct(">i").unpack_from
_pack_h = Struct(">h").pack
_pack_i = Struct(">i").pack


@dataclass(init=False, repr=False, eq=False)
class LegacyOffsetCommitKey(Wire):
    """LegacyOffsetCommitKey."""

    __slots__ = ("group", "topic", "partition")

    group: str
    topic: str
    partition: int

    def __init__(
        self,
        group: str = "",
        topic: str = "",
        partition: int = 0,
    ) -> None:
        self.group = group
        self.topic = topic
        self.partition = partition


def _decode_0(buffer: memoryview, p: int) -> tuple[LegacyOffsetCommitKey, int]:
    """Versions 0."""
    (group_size,) = _unpack_h(buffer, p)
    p += 2
    if group_size < 0:
        raise missing("LegacyOffsetCommitKey.group")
    stop = p + group_size
    group = buffer[p:stop].tobytes().decode()
    p = stop
    (topic_size,) = _unpack_h(buffer, p)
    p += 2
    if topic_size < 0:
        raise missing("LegacyOffsetCommitKey.topic")
    stop = p + topic_size
    topic = buffer[p:stop].tobytes().decode()
    p = stop
    (partition,) = _unpack_i(buffer, p)
    p += 4
    return LegacyOffsetCommitKey(group, topic, partition), p


def _encode_0(message: LegacyOffsetCommitKey) -> bytes:
    """Versions 0."""
    group = message.group.encode()
    group_size = len(group)
    topic = message.topic.encode()
    topic_size = len(topic)
    return b"".join((_pack_h(group_size), group, _pack_h(topic_size), topic, _pack_i(message.partition)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[LegacyOffsetCommitKey, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[LegacyOffsetCommitKey], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[LegacyOffsetCommitKey, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"LegacyOffsetCommitKey has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"LegacyOffsetCommitKey v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"LegacyOffsetCommitKey v{version} is cut short")
    return result


def encode(message: LegacyOffsetCommitKey, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"LegacyOffsetCommitKey has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"LegacyOffsetCommitKey v{version}: {error}") from error
