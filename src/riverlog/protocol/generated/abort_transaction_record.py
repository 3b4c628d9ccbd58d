"""AbortTransactionRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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
    read_tag,
    string_prefix,
    string_tail,
    UNFIT,
    uvarint,
    uvarint_tail,
    UVARINTS,
    Wire,
)

NAME: Final = "AbortTransactionRecord"
API_KEY: Final = 25
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False


@dataclass(init=False, repr=False, eq=False)
class AbortTransactionRecord(Wire):
    """AbortTransactionRecord."""

    __slots__ = ("reason",)

    reason: str | None

    def __init__(
        self,
        reason: str | None = None,
    ) -> None:
        self.reason = reason


def _decode_0(buffer: memoryview, p: int) -> tuple[AbortTransactionRecord, int]:
    """Versions 0."""
    tags = buffer[p]
    p += 1
    reason: str | None = None
    if tags:
        if tags > 127:
            tags, p = uvarint_tail(buffer, p, tags)
        tag = -1
        for _ in range(tags):
            tag, tag_stop, p = read_tag(buffer, p, tag)
            if tag == 0:
                reason_size = buffer[p]
                p += 1
                if reason_size > 127:
                    reason_size, p = string_tail(buffer, p, reason_size)
                reason_2: str | None = None
                if reason_size:
                    stop = p + reason_size - 1
                    reason_2 = buffer[p:stop].tobytes().decode()
                    p = stop
                reason = reason_2
            else:
                p = tag_stop
            if p != tag_stop:
                raise DecodeError("AbortTransactionRecord: a tagged field is not of its size")
    return AbortTransactionRecord(reason), p


def _encode_0(message: AbortTransactionRecord) -> bytes:
    """Versions 0."""
    out: list[bytes] = []
    tags = 0
    tagged: list[bytes] = []
    if message.reason is not None:
        content: list[bytes] = []
        reason = message.reason.encode()
        reason_size = len(reason) + 1
        content += (UVARINTS[reason_size] if reason_size < 256 else string_prefix(reason_size), reason)
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


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[AbortTransactionRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[AbortTransactionRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[AbortTransactionRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"AbortTransactionRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"AbortTransactionRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"AbortTransactionRecord v{version} is cut short")
    return result


def encode(message: AbortTransactionRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"AbortTransactionRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"AbortTransactionRecord v{version}: {error}") from error
