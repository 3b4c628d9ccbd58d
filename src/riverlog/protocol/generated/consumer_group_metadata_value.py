"""ConsumerGroupMetadataValue. Written by `python -m codegen` from schemas/group; do not edit."""

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
    read_tag,
    UNFIT,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
)

NAME: Final = "ConsumerGroupMetadataValue"
API_KEY: Final = 3
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_iB = Struct(">iB").unpack_from
_unpack_q = Struct(">q").unpack_from
_pack_i = Struct(">i").pack
_pack_q = Struct(">q").pack


@dataclass(init=False, repr=False, eq=False)
class ConsumerGroupMetadataValue(Wire):
    """ConsumerGroupMetadataValue."""

    __slots__ = ("epoch", "metadata_hash")

    epoch: int
    metadata_hash: int

    def __init__(
        self,
        epoch: int = 0,
        metadata_hash: int = 0,
    ) -> None:
        self.epoch = epoch
        self.metadata_hash = metadata_hash


def _decode_0(buffer: memoryview, p: int) -> tuple[ConsumerGroupMetadataValue, int]:
    """Versions 0."""
    epoch, tags = _unpack_iB(buffer, p)
    p += 5
    metadata_hash: int = 0
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                (metadata_hash_2,) = _unpack_q(buffer, p)
                p += 8
                metadata_hash = metadata_hash_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("ConsumerGroupMetadataValue: a tagged field is not of its size")
    return ConsumerGroupMetadataValue(epoch, metadata_hash), p


def _encode_0(message: ConsumerGroupMetadataValue) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    out.append(_pack_i(message.epoch))
    tags = 0
    tagged: list[bytes] = []
    if message.metadata_hash != 0:
        content: list[bytes] = []
        content.append(_pack_q(message.metadata_hash))
        joined = b"".join(content)
        joined_size = len(joined)
        tags += 1
        tagged += (UVARINTS[0], UVARINTS[joined_size] if joined_size < 256 else uvarint(joined_size), joined)
    if tags:
        out.append(UVARINTS[tags])
        out += tagged
    else:
        out.append(b"\0")
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ConsumerGroupMetadataValue, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ConsumerGroupMetadataValue], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ConsumerGroupMetadataValue, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ConsumerGroupMetadataValue has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ConsumerGroupMetadataValue v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ConsumerGroupMetadataValue v{version} is cut short")
    return result


def encode(message: ConsumerGroupMetadataValue, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ConsumerGroupMetadataValue has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ConsumerGroupMetadataValue v{version}: {error}") from error
