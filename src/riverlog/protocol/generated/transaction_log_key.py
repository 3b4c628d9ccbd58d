"""TransactionLogKey. Written by `python -m codegen` from schemas/transaction; do not edit."""

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

NAME: Final = "TransactionLogKey"
API_KEY: Final = 0
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 32767
LATEST_UNSTABLE: Final = False

_unpack_h = Struct(">h").unpack_from
_pack_h = Struct(">h").pack


@dataclass(init=False, repr=False, eq=False)
class TransactionLogKey(Wire):
    """TransactionLogKey."""

    __slots__ = ("transactional_id",)

    transactional_id: str

    def __init__(
        self,
        transactional_id: str = "",
    ) -> None:
        self.transactional_id = transactional_id


def _decode_0(buffer: memoryview, p: int) -> tuple[TransactionLogKey, int]:
    """Versions 0."""
    (transactional_id_size,) = _unpack_h(buffer, p)
    p += 2
    if transactional_id_size < 0:
        raise missing("TransactionLogKey.transactional_id")
    stop = p + transactional_id_size
    transactional_id = buffer[p:stop].tobytes().decode()
    p = stop
    return TransactionLogKey(transactional_id), p


def _encode_0(message: TransactionLogKey) -> bytes:
    """Versions 0."""
    transactional_id = message.transactional_id.encode()
    transactional_id_size = len(transactional_id)
    return b"".join((_pack_h(transactional_id_size), transactional_id))


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[TransactionLogKey, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[TransactionLogKey], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[TransactionLogKey, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"TransactionLogKey has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"TransactionLogKey v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"TransactionLogKey v{version} is cut short")
    return result


def encode(message: TransactionLogKey, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"TransactionLogKey has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"TransactionLogKey v{version}: {error}") from error
