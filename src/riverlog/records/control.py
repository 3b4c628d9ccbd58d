"""Control batches: transaction markers and the Raft log's own records.

A control record's key is (version, type), two 16-bit numbers; its value depends on the type.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from struct import Struct

from riverlog.records.builder import BatchBuilder
from riverlog.records.errors import CorruptBatch
from riverlog.records.header import NO_LEADER_EPOCH

_KEY = Struct(">hh")
_END_TXN_MARKER = Struct(">hi")
_KEY_VERSION = 0
_END_TXN_MARKER_VERSION = 0


class ControlType(IntEnum):
    ABORT = 0
    COMMIT = 1
    LEADER_CHANGE = 2
    SNAPSHOT_HEADER = 3
    SNAPSHOT_FOOTER = 4
    KRAFT_VERSION = 5
    KRAFT_VOTERS = 6


def control_type(key: bytes | None) -> ControlType | None:
    """The type in a control record's key; None for one from the future, to be skipped."""
    if key is None or len(key) < _KEY.size:
        raise CorruptBatch("control record without a key of 4 bytes")
    number = _KEY.unpack_from(key)[1]
    try:
        return ControlType(number)
    except ValueError:
        return None


def control_batch(
    records: Iterable[tuple[ControlType, bytes]], *, base_offset: int, leader_epoch: int, timestamp: int
) -> bytes:
    """A batch of Raft control records; the values are encoded messages (LeaderChangeMessage …)."""
    builder = BatchBuilder(base_offset=base_offset, leader_epoch=leader_epoch, control=True)
    for kind, value in records:
        builder.append(timestamp=timestamp, key=_KEY.pack(_KEY_VERSION, kind), value=value)
    return builder.build()


def end_txn_marker(
    *,
    commit: bool,
    producer_id: int,
    producer_epoch: int,
    coordinator_epoch: int,
    timestamp: int,
    base_offset: int = 0,
    leader_epoch: int = NO_LEADER_EPOCH,
) -> bytes:
    """The batch that ends one producer's transaction in a partition."""
    builder = BatchBuilder(
        base_offset=base_offset,
        leader_epoch=leader_epoch,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        transactional=True,
        control=True,
    )
    kind = ControlType.COMMIT if commit else ControlType.ABORT
    builder.append(
        timestamp=timestamp,
        key=_KEY.pack(_KEY_VERSION, kind),
        value=_END_TXN_MARKER.pack(_END_TXN_MARKER_VERSION, coordinator_epoch),
    )
    return builder.build()


def decode_end_txn_marker(value: bytes | None) -> int:
    """The coordinator epoch in a marker's value."""
    if value is None or len(value) < _END_TXN_MARKER.size:
        raise CorruptBatch("transaction marker without a value of 6 bytes")
    return int(_END_TXN_MARKER.unpack_from(value)[1])
