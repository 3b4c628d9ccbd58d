"""Control batches: transaction markers and the Raft log's own records.

A control record's key is (version, type), two 16-bit numbers; its value depends on the type.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from struct import Struct
from typing import assert_never, cast

from riverlog.protocol.apis import Codec
from riverlog.protocol.errors import DecodeError
from riverlog.protocol.generated import (
    kraft_version_record,
    leader_change_message,
    snapshot_footer_record,
    snapshot_header_record,
    voters_record,
)
from riverlog.protocol.generated.kraft_version_record import KRaftVersionRecord
from riverlog.protocol.generated.leader_change_message import LeaderChangeMessage
from riverlog.protocol.generated.snapshot_footer_record import SnapshotFooterRecord
from riverlog.protocol.generated.snapshot_header_record import SnapshotHeaderRecord
from riverlog.protocol.generated.voters_record import VotersRecord
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


_CODECS: dict[ControlType, Codec] = {
    ControlType.LEADER_CHANGE: leader_change_message,
    ControlType.SNAPSHOT_HEADER: snapshot_header_record,
    ControlType.SNAPSHOT_FOOTER: snapshot_footer_record,
    ControlType.KRAFT_VERSION: kraft_version_record,
    ControlType.KRAFT_VOTERS: voters_record,
}


def control_type(key: bytes | None) -> ControlType | None:
    """The type in a control record's key; None for one from the future, to be skipped."""
    if key is None or len(key) < _KEY.size:
        raise CorruptBatch("control record without a key of 4 bytes")
    number = _KEY.unpack_from(key)[1]
    try:
        return ControlType(number)
    except ValueError:
        return None


ControlMessage = (
    LeaderChangeMessage | SnapshotHeaderRecord | SnapshotFooterRecord | KRaftVersionRecord | VotersRecord
)


def control_record(message: ControlMessage) -> tuple[ControlType, bytes]:
    """Type and value of a Raft control record; a message's own ``version`` field says how it is written."""
    match message:
        case LeaderChangeMessage():
            return ControlType.LEADER_CHANGE, leader_change_message.encode(message, message.version)
        case SnapshotHeaderRecord():
            return ControlType.SNAPSHOT_HEADER, snapshot_header_record.encode(message, message.version)
        case SnapshotFooterRecord():
            return ControlType.SNAPSHOT_FOOTER, snapshot_footer_record.encode(message, message.version)
        case KRaftVersionRecord():
            return ControlType.KRAFT_VERSION, kraft_version_record.encode(message, message.version)
        case VotersRecord():
            return ControlType.KRAFT_VOTERS, voters_record.encode(message, message.version)
        case _:
            assert_never(message)


def decode_control(key: bytes | None, value: bytes | None) -> ControlMessage | None:
    """The message of a Raft control record; None for transaction markers and types from the future."""
    kind = control_type(key)
    if kind is None or kind not in _CODECS:
        return None
    # Every such message starts with its version.
    if value is None or len(value) < 2:
        raise CorruptBatch("control record without a version")
    version = int.from_bytes(value[:2], "big", signed=True)
    codec = _CODECS[kind]
    low, high = codec.VERSIONS
    try:
        return cast(ControlMessage, codec.decode(memoryview(value), 0, min(max(version, low), high))[0])
    except DecodeError as problem:
        raise CorruptBatch(f"control record does not decode: {problem}") from None


def control_batch(
    records: Iterable[tuple[ControlType, bytes]], *, base_offset: int, leader_epoch: int, timestamp: int
) -> bytes:
    """A batch of Raft control records; ``control_record`` gives them."""
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
