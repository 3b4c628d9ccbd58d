"""Transaction markers and Raft control batches."""

from __future__ import annotations

import pytest
from aiokafka.record.control_record import ABORT_MARKER, COMMIT_MARKER, ControlRecord

from riverlog.protocol.generated.kraft_version_record import KRaftVersionRecord
from riverlog.protocol.generated.leader_change_message import LeaderChangeMessage, Voter
from riverlog.protocol.generated.snapshot_footer_record import SnapshotFooterRecord
from riverlog.protocol.generated.snapshot_header_record import SnapshotHeaderRecord
from riverlog.protocol.generated.voters_record import VotersRecord
from riverlog.records import (
    ControlMessage,
    ControlType,
    CorruptBatch,
    control_batch,
    control_record,
    control_type,
    crc_ok,
    decode_control,
    decode_records,
    end_txn_marker,
    read_header,
)
from riverlog.records.control import decode_end_txn_marker


@pytest.mark.parametrize(("commit", "marker"), [(True, COMMIT_MARKER), (False, ABORT_MARKER)])
def test_end_markers_read_like_kafkas(commit: bool, marker: ControlRecord) -> None:
    data = end_txn_marker(
        commit=commit, producer_id=5, producer_epoch=3, coordinator_epoch=12, timestamp=99, base_offset=7
    )
    header = read_header(data)
    assert crc_ok(data, 0, header)
    assert header.is_control
    assert header.is_transactional
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (5, 3, -1)
    (record,) = decode_records(data, 0, header, max_bytes=1000)
    assert (record.offset, record.timestamp) == (7, 99)
    assert record.key is not None
    assert ControlRecord.parse(record.key) == marker
    assert control_type(record.key) is (ControlType.COMMIT if commit else ControlType.ABORT)
    assert record.value == b"\x00\x00\x00\x00\x00\x0c"
    assert decode_end_txn_marker(record.value) == 12


def test_raft_control_records_share_a_batch() -> None:
    data = control_batch(
        [(ControlType.KRAFT_VERSION, b"\x00\x00\x00\x01\x00"), (ControlType.KRAFT_VOTERS, b"voters")],
        base_offset=0,
        leader_epoch=1,
        timestamp=5,
    )
    header = read_header(data)
    assert header.is_control
    assert not header.is_transactional
    assert (header.partition_leader_epoch, header.record_count, header.producer_id) == (1, 2, -1)
    first, second = decode_records(data, 0, header, max_bytes=1000)
    assert first.key == b"\x00\x00\x00\x05"
    assert control_type(second.key) is ControlType.KRAFT_VOTERS
    assert second.value == b"voters"


MESSAGES: list[ControlMessage] = [
    LeaderChangeMessage(version=0, leader_id=3, voters=[Voter(voter_id=3)], granting_voters=[]),
    LeaderChangeMessage(version=1, leader_id=3, voters=[Voter(voter_id=3, voter_directory_id=b"d" * 16)]),
    SnapshotHeaderRecord(version=0, last_contained_log_timestamp=55),
    SnapshotFooterRecord(version=0),
    KRaftVersionRecord(version=0, kraft_version=1),
    VotersRecord(version=0, voters=[]),
]


def test_raft_messages_come_back_from_their_batch() -> None:
    data = control_batch(map(control_record, MESSAGES), base_offset=9, leader_epoch=1, timestamp=5)
    records = decode_records(data, 0, read_header(data), max_bytes=1000)
    assert [decode_control(record.key, record.value) for record in records] == MESSAGES


def test_raft_values_that_do_not_decode_are_corrupt_and_markers_are_no_messages() -> None:
    for value in (None, b"", b"\x00", b"\x00\x00", b"\x00\x01\x00"):
        with pytest.raises(CorruptBatch):
            decode_control(b"\x00\x00\x00\x02", value)
    assert decode_control(b"\x00\x00\x00\x01", b"") is None
    assert decode_control(b"\x00\x00\x00\x63", b"") is None


def test_control_types_from_the_future_are_skipped_and_bad_keys_refused() -> None:
    assert control_type(b"\x00\x00\x00\x63") is None
    for key in (None, b"", b"\x00\x00\x00"):
        with pytest.raises(CorruptBatch):
            control_type(key)
    for value in (None, b"\x00" * 5):
        with pytest.raises(CorruptBatch):
            decode_end_txn_marker(value)
