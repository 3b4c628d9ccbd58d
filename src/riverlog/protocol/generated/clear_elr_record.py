"""ClearElrRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

# fmt: off
# ruff: noqa: A001, ARG001, N816
# Layout is fixed by the generator, so that it does not depend on the version of a formatter.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from riverlog.protocol.errors import DecodeError, EncodeError
from riverlog.protocol.primitives import (
    MALFORMED,
    missing,
    skip_tags,
    string_prefix,
    string_tail,
    UNFIT,
    UVARINTS,
    Wire,
)

NAME: Final = "ClearElrRecord"
API_KEY: Final = 28
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False


@dataclass(init=False, repr=False, eq=False)
class ClearElrRecord(Wire):
    """ClearElrRecord."""

    __slots__ = ("topic_name",)

    topic_name: str

    def __init__(
        self,
        topic_name: str = "",
    ) -> None:
        self.topic_name = topic_name


def _decode_0(buffer: memoryview, p: int) -> tuple[ClearElrRecord, int]:
    """Versions 0."""
    topic_name_size = buffer[p]
    p += 1
    if topic_name_size > 127:
        topic_name_size, p = string_tail(buffer, p, topic_name_size)
    if topic_name_size == 0:
        raise missing("ClearElrRecord.topic_name")
    stop = p + topic_name_size - 1
    topic_name = buffer[p:stop].tobytes().decode()
    p = stop
    tags = buffer[p]
    p += 1
    if tags:
        p = skip_tags(buffer, p, tags)
    return ClearElrRecord(topic_name), p


def _encode_0(message: ClearElrRecord) -> bytes:
    """Versions 0."""
    topic_name = message.topic_name.encode()
    topic_name_size = len(topic_name) + 1
    return b"".join((UVARINTS[topic_name_size] if topic_name_size < 256 else string_prefix(topic_name_size), topic_name, b"\0"))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ClearElrRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ClearElrRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ClearElrRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ClearElrRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ClearElrRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ClearElrRecord v{version} is cut short")
    return result


def encode(message: ClearElrRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ClearElrRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ClearElrRecord v{version}: {error}") from error
