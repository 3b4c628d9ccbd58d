"""ZkMigrationStateRecord. Written by `python -m codegen` from schemas/metadata; do not edit."""

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
    skip_tags,
    UNFIT,
    Wire,
)

NAME: Final = "ZkMigrationStateRecord"
API_KEY: Final = 21
VERSIONS: Final[tuple[int, int]] = (0, 0)
FLEXIBLE_FROM: Final = 0
LATEST_UNSTABLE: Final = False

_unpack_bB = Struct(">bB").unpack_from
_pack_bx = Struct(">bx").pack


@dataclass(init=False, repr=False, eq=False)
class ZkMigrationStateRecord(Wire):
    """ZkMigrationStateRecord."""

    __slots__ = ("zk_migration_state",)

    zk_migration_state: int

    def __init__(
        self,
        zk_migration_state: int = 0,
    ) -> None:
        self.zk_migration_state = zk_migration_state


def _decode_0(buffer: memoryview, p: int) -> tuple[ZkMigrationStateRecord, int]:
    """Versions 0."""
    zk_migration_state, tags = _unpack_bB(buffer, p)
    p += 2
    if tags:
        p = skip_tags(buffer, p, tags)
    return ZkMigrationStateRecord(zk_migration_state), p


def _encode_0(message: ZkMigrationStateRecord) -> bytes:
    """Versions 0."""
    return _pack_bx(message.zk_migration_state)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ZkMigrationStateRecord, int]]]] = {
    0: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ZkMigrationStateRecord], bytes]]] = {
    0: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ZkMigrationStateRecord, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ZkMigrationStateRecord has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ZkMigrationStateRecord v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ZkMigrationStateRecord v{version} is cut short")
    return result


def encode(message: ZkMigrationStateRecord, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ZkMigrationStateRecord has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ZkMigrationStateRecord v{version}: {error}") from error
