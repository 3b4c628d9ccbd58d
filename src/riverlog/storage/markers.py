"""End-of-transaction markers: the one record of a control batch."""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple

from riverlog.records import BatchHeader, CorruptBatch, decode_records

ABORT = 0
COMMIT = 1
_KEY = Struct(">hh")
_VALUE = Struct(">hi")
MARKER_BYTES_MAX = 1 << 16


class EndTransactionMarker(NamedTuple):
    aborted: bool
    coordinator_epoch: int
    timestamp: int


def read_marker(
    buffer: bytes | bytearray | memoryview, position: int, header: BatchHeader
) -> EndTransactionMarker | None:
    """None for a control batch that ends no transaction (or one emptied by compaction)."""
    if header.record_count == 0:
        return None
    record = decode_records(buffer, position, header, max_bytes=MARKER_BYTES_MAX)[0]
    key, value = record.key, record.value
    if key is None or len(key) < _KEY.size:
        raise CorruptBatch("control record without a type")
    kind = _KEY.unpack_from(key)[1]
    if kind not in (ABORT, COMMIT):
        return None
    if value is None or len(value) < _VALUE.size:
        raise CorruptBatch("end marker without a coordinator epoch")
    return EndTransactionMarker(kind == ABORT, _VALUE.unpack_from(value)[1], record.timestamp)
