"""ProducerSnapshot. Written by `python -m codegen` from schemas/storage; do not edit."""

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
    too_many,
    UNFIT,
    UNSET,
    Wire,
)

NAME: Final = "ProducerSnapshot"
API_KEY: Final = -1
VERSIONS: Final[tuple[int, int]] = (1, 1)
FLEXIBLE_FROM: Final = 32767
LATEST_UNSTABLE: Final = False

_unpack_Ii = Struct(">Ii").unpack_from
_iter_qhiqiqiq = Struct(">qhiqiqiq").iter_unpack
_pack_Ii = Struct(">Ii").pack
_pack_qhiqiqiq = Struct(">qhiqiqiq").pack


@dataclass(init=False, repr=False, eq=False)
class ProducerEntry(Wire):
    """ProducerEntry."""

    __slots__ = ("producer_id", "epoch", "last_sequence", "last_offset", "offset_delta", "timestamp", "coordinator_epoch", "current_txn_first_offset")

    producer_id: int
    epoch: int
    last_sequence: int
    last_offset: int
    offset_delta: int
    timestamp: int
    coordinator_epoch: int
    current_txn_first_offset: int

    def __init__(
        self,
        producer_id: int = 0,
        epoch: int = 0,
        last_sequence: int = 0,
        last_offset: int = 0,
        offset_delta: int = 0,
        timestamp: int = 0,
        coordinator_epoch: int = 0,
        current_txn_first_offset: int = 0,
    ) -> None:
        self.producer_id = producer_id
        self.epoch = epoch
        self.last_sequence = last_sequence
        self.last_offset = last_offset
        self.offset_delta = offset_delta
        self.timestamp = timestamp
        self.coordinator_epoch = coordinator_epoch
        self.current_txn_first_offset = current_txn_first_offset


@dataclass(init=False, repr=False, eq=False)
class ProducerSnapshot(Wire):
    """ProducerSnapshot."""

    __slots__ = ("crc", "producer_entries")

    crc: int
    producer_entries: list[ProducerEntry]

    def __init__(
        self,
        crc: int = 0,
        producer_entries: list[ProducerEntry] = UNSET,
    ) -> None:
        self.crc = crc
        self.producer_entries = [] if producer_entries is UNSET else producer_entries


def _decode_0(buffer: memoryview, p: int) -> tuple[ProducerSnapshot, int]:
    """Versions 1."""
    end = len(buffer)
    room = MAX_ELEMENTS
    crc, producer_entries_count = _unpack_Ii(buffer, p)
    p += 8
    if producer_entries_count < 0:
        raise missing("ProducerSnapshot.producer_entries")
    if producer_entries_count > room or producer_entries_count * 46 > end - p:
        raise too_many("ProducerSnapshot.producer_entries", producer_entries_count)
    room -= producer_entries_count
    stop = p + producer_entries_count * 46
    producer_entries: list[ProducerEntry] = [ProducerEntry(producer_id, epoch, last_sequence, last_offset, offset_delta, timestamp, coordinator_epoch, current_txn_first_offset) for producer_id, epoch, last_sequence, last_offset, offset_delta, timestamp, coordinator_epoch, current_txn_first_offset in _iter_qhiqiqiq(buffer[p:stop])]
    p = stop
    return ProducerSnapshot(crc, producer_entries), p


def _encode_0(message: ProducerSnapshot) -> bytes:
    """Versions 1."""
    out: list[bytes] = []
    producer_entries = message.producer_entries
    out.append(_pack_Ii(message.crc, len(producer_entries)))
    out += [_pack_qhiqiqiq(element.producer_id, element.epoch, element.last_sequence, element.last_offset, element.offset_delta, element.timestamp, element.coordinator_epoch, element.current_txn_first_offset) for element in producer_entries]
    return b"".join(out)


_DECODERS: Final[dict[int, Callable[[memoryview, int], tuple[ProducerSnapshot, int]]]] = {
    1: _decode_0,
}
_ENCODERS: Final[dict[int, Callable[[ProducerSnapshot], bytes]]] = {
    1: _encode_0,
}


def decode(buffer: memoryview, position: int, version: int) -> tuple[ProducerSnapshot, int]:
    """The message at ``position`` and the position after it."""
    decoder = _DECODERS.get(version)
    if decoder is None:
        raise DecodeError(f"ProducerSnapshot has no version {version}")
    try:
        result = decoder(buffer, position)
    except MALFORMED as error:
        raise DecodeError(f"ProducerSnapshot v{version}: {error}") from error
    if result[1] > len(buffer):
        raise DecodeError(f"ProducerSnapshot v{version} is cut short")
    return result


def encode(message: ProducerSnapshot, version: int) -> bytes:
    """The encoded message."""
    encoder = _ENCODERS.get(version)
    if encoder is None:
        raise EncodeError(f"ProducerSnapshot has no version {version}")
    try:
        return encoder(message)
    except UNFIT as error:
        raise EncodeError(f"ProducerSnapshot v{version}: {error}") from error
