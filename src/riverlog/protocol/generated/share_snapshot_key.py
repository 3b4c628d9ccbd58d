"""ShareSnapshotKey. Written by `python -m codegen` from schemas/share; do not edit."""

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
    UNFIT,
    Wire,
    ZERO_UUID,
)

NAME: Final = "ShareSnapshotKey"
API_KEY: Final = 0
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 32767
LATEST_UNSTABLE: Final = False

_unpack_ui = Struct(">16si").unpack_from
_unpack_h = Struct(">h").unpack_from
_pack_ui = Struct(">16si").pack
_pack_h = Struct(">h").pack


@dataclass(init=False, repr=False, eq=False)
class ShareSnapshotKey(Wire):
    """ShareSnapshotKey."""

    __slots__ = ("group_id", "topic_id", "partition")

    group_id: str
    topic_id: bytes
    partition: int

    def __init__(
        self,
        group_id: str = "",
        topic_id: bytes = ZERO_UUID,
        partition: int = 0,
    ) -> None:
        self.group_id = group_id
        self.topic_id = topic_id
        self.partition = partition


def _decode_0(buffer: memoryview, p: int) -> tuple[ShareSnapshotKey, int]:
    """Versions 0."""
    (group_id_size,) = _unpack_h(buffer, p)
    p += 2
    if group_id_size < 0:
        raise missing("ShareSnapshotKey.group_id")
    stop = p + group_id_size
    group_id = buffer[p:stop].tobytes().decode()
    p = stop
    topic_id, partition = _unpack_ui(buffer, p)
    p += 20
    return ShareSnapshotKey(group_id, topic_id, partition), p


def _encode_0(message: ShareSnapshotKey) -> bytes:
    """Versions 0."""
    group_id = message.group_id.encode()
    group_id_size = len(group_id)
    topic_id = message.topic_id
    if len(topic_id) != 16:
        raise bad_uuid("ShareSnapshotKey.topic_id")
    return b"".join((_pack_h(group_id_size), group_id, _pack_ui(topic_id, message.partition)))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ShareSnapshotKey, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ShareSnapshotKey], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ShareSnapshotKey, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ShareSnapshotKey has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ShareSnapshotKey v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ShareSnapshotKey v{version} is cut short")
    return result


def encode(message: ShareSnapshotKey, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ShareSnapshotKey has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ShareSnapshotKey v{version}: {error}") from error
