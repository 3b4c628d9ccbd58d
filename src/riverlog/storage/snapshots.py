"""Producer snapshot files: Kafka's format, version 1, guarded by a CRC-32C."""

from __future__ import annotations

from collections.abc import Iterable
from struct import Struct

from crc32c import crc32c

_HEAD = Struct(">hI")
_COUNT = Struct(">i")
_ENTRY = Struct(">qhiqiqiq")
_VERSION = 1

SnapshotEntry = tuple[int, int, int, int, int, int, int, int]
"""Producer id, epoch, last sequence, last offset, offset delta, timestamp, coordinator epoch,
first offset of the open transaction (-1: none)."""


class CorruptSnapshot(Exception):
    """The file is torn or not a snapshot."""


def encode_snapshot(entries: Iterable[SnapshotEntry]) -> bytes:
    packed = [_ENTRY.pack(*entry) for entry in entries]
    body = _COUNT.pack(len(packed)) + b"".join(packed)
    return _HEAD.pack(_VERSION, crc32c(body)) + body


def decode_snapshot(data: bytes) -> list[SnapshotEntry]:
    """Raises ``CorruptSnapshot``."""
    start = _HEAD.size + _COUNT.size
    if len(data) < start:
        raise CorruptSnapshot(f"{len(data)} bytes")
    version, crc = _HEAD.unpack_from(data)
    if version != _VERSION:
        raise CorruptSnapshot(f"version {version}")
    if crc32c(data[_HEAD.size :]) != crc:
        raise CorruptSnapshot("wrong CRC")
    count = _COUNT.unpack_from(data, _HEAD.size)[0]
    if len(data) != start + count * _ENTRY.size:
        raise CorruptSnapshot(f"{count} entries announced, {len(data)} bytes")
    return list(_ENTRY.iter_unpack(data[start:]))
