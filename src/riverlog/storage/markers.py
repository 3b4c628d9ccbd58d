"""End-of-transaction markers: the one record of a control batch."""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple

from riverlog.records import HEADER_SIZE, BatchHeader, CorruptBatch, decode_records
from riverlog.records.header import (
    CONTROL_FLAG,
    CRC_POSITION,
    HEADER,
    LOG_OVERHEAD,
    MAGIC,
    NO_SEQUENCE,
    TRANSACTIONAL_FLAG,
    compute_crc,
)

ABORT = 0
COMMIT = 1
_KEY = Struct(">hh")
_VALUE = Struct(">hi")
MARKER_BYTES_MAX = 1 << 16

_RECORD = Struct(">5shhchic")
"""The usual one: lengths and deltas of a byte each, version and type, version and epoch, no headers."""
_BEFORE_KEY = b"\x20\x00\x00\x00\x08"
_BEFORE_VALUE = b"\x0c"
_NO_HEADERS = b"\x00"
_SIZE = HEADER_SIZE + _RECORD.size
_CRC = Struct(">I")


class EndTransactionMarker(NamedTuple):
    aborted: bool
    coordinator_epoch: int
    timestamp: int


def marker_batch(
    *, committed: bool, producer_id: int, producer_epoch: int, coordinator_epoch: int, timestamp: int
) -> tuple[bytearray, BatchHeader]:
    """The batch that ends one producer's transaction, as Kafka writes it."""
    batch = bytearray(_SIZE)
    fields = (
        0,
        _SIZE - LOG_OVERHEAD,
        -1,
        MAGIC,
        0,
        TRANSACTIONAL_FLAG | CONTROL_FLAG,
        0,
        timestamp,
        timestamp,
        producer_id,
        producer_epoch,
        NO_SEQUENCE,
        1,
    )
    HEADER.pack_into(batch, 0, *fields)
    kind = COMMIT if committed else ABORT
    _RECORD.pack_into(
        batch, HEADER_SIZE, _BEFORE_KEY, 0, kind, _BEFORE_VALUE, 0, coordinator_epoch, _NO_HEADERS
    )
    header = BatchHeader(*fields)
    header.crc = compute_crc(batch, 0, _SIZE)
    _CRC.pack_into(batch, CRC_POSITION, header.crc)
    return batch, header


def read_marker(
    buffer: bytes | bytearray | memoryview, position: int, header: BatchHeader
) -> EndTransactionMarker | None:
    """None for a control batch that ends no transaction (or one emptied by compaction)."""
    if header.record_count == 0:
        return None
    if header.size == _SIZE:
        before_key, _, kind, before_value, _, epoch, behind = _RECORD.unpack_from(
            buffer, position + HEADER_SIZE
        )
        usual = before_key == _BEFORE_KEY and before_value == _BEFORE_VALUE and behind == _NO_HEADERS
        if usual and kind in (ABORT, COMMIT) and not header.has_delete_horizon:
            return EndTransactionMarker(kind == ABORT, epoch, header.base_timestamp)
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
