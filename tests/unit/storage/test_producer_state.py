"""Idempotence and transactions as a log sees them."""

from __future__ import annotations

import pytest
from storage_world import FOLDER, NOW, World, batch

from riverlog.base.errors import ErrorCode
from riverlog.records import end_txn_marker, read_header
from riverlog.storage import AppendError, AppendInfo, Log, LogConfig, LogError
from riverlog.storage.snapshots import CorruptSnapshot, decode_snapshot, encode_snapshot

LAST = (1 << 31) - 1


def send(
    log: Log,
    sequence: int,
    count: int = 1,
    *,
    producer_id: int = 5,
    epoch: int = 0,
    transactional: bool = False,
    timestamp: int = NOW,
) -> AppendInfo:
    data, header = batch(
        [b"v"] * count,
        producer_id=producer_id,
        producer_epoch=epoch,
        sequence=sequence,
        transactional=transactional,
        timestamp=timestamp,
    )
    return log.append_as_leader(data, header, leader_epoch=0, now_ms=NOW)


def end(log: Log, *, commit: bool, producer_id: int = 5, epoch: int = 0, coordinator_epoch: int = 0) -> None:
    marker = bytearray(
        end_txn_marker(
            commit=commit,
            producer_id=producer_id,
            producer_epoch=epoch,
            coordinator_epoch=coordinator_epoch,
            timestamp=NOW,
        )
    )
    log.append_as_leader(marker, read_header(marker, 0), leader_epoch=0, now_ms=NOW)


def refusal(log: Log, *args: int, **given: object) -> ErrorCode:
    end_offset = log.log_end_offset
    with pytest.raises(AppendError) as raised:
        send(log, *args, **given)  # type: ignore[arg-type]
    assert log.log_end_offset == end_offset
    return raised.value.code


def test_duplicate_answers_the_original_offsets() -> None:
    log = World().open()
    send(log, 0, 3)
    send(log, 3, 2)
    again = send(log, 0, 3)
    assert (again.first_offset, again.last_offset, again.duplicate) == (0, 2, True)
    assert log.log_end_offset == 5


def test_duplicates_are_known_for_five_batches() -> None:
    log = World().open()
    for sequence in range(6):
        send(log, sequence)
    assert [send(log, sequence).first_offset for sequence in range(1, 6)] == [1, 2, 3, 4, 5]
    assert refusal(log, 0) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_gap_and_overlap_are_out_of_order() -> None:
    log = World().open()
    send(log, 0, 3)
    assert refusal(log, 4) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert refusal(log, 1, 2) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_unknown_producer_may_start_anywhere() -> None:
    log = World().open()
    assert send(log, 77).first_offset == 0


def test_sequence_wraps_to_zero() -> None:
    log = World().open()
    send(log, LAST - 1, 2)
    send(log, 0)
    log = World().open()
    send(log, LAST, 2)
    assert send(log, 1).first_offset == 2
    assert send(log, LAST, 2).duplicate


def test_new_epoch_starts_at_zero_and_fences_the_old_one() -> None:
    log = World().open()
    send(log, 0)
    assert refusal(log, 1, epoch=1) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    send(log, 0, epoch=1)
    assert refusal(log, 1, epoch=0) == ErrorCode.INVALID_PRODUCER_EPOCH


def test_state_survives_kill_and_clean_stop() -> None:
    world = World()
    log = world.open(LogConfig(segment_bytes=300))
    for sequence in range(8):
        send(log, sequence)
    world = world.killed()
    log = world.open(LogConfig(segment_bytes=300))
    assert [send(log, sequence).first_offset for sequence in range(3, 8)] == [3, 4, 5, 6, 7]
    files, _ = log.prepare_close()
    world.disk.sync(files)
    log.closed()
    world = world.killed()
    log = world.open(clean_shutdown=True, recovery_point=8)
    assert log.loaded_producers is None
    # A snapshot holds the last batch of each producer only, as in Kafka.
    assert send(log, 7).duplicate
    assert send(log, 8).first_offset == 8


def test_what_comes_after_the_wrap_is_not_taken_for_an_old_batch_of_a_restored_producer() -> None:
    world = World()
    log = world.open()
    send(log, LAST - 5, 3)
    files, _ = log.prepare_close()
    world.disk.sync(files)
    log.closed()
    log = world.killed().open(clean_shutdown=True, recovery_point=3)
    assert send(log, LAST - 8, 3).duplicate
    assert refusal(log, 4) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert not send(log, LAST - 2, 5).duplicate


def test_corrupt_snapshot_is_rebuilt_from_the_log() -> None:
    world = World()
    log = world.open(LogConfig(segment_bytes=300))
    for sequence in range(8):
        send(log, sequence)
    files, _ = log.prepare_close()
    world.disk.sync(files)
    log.closed()
    world.disk.flip_bit(f"{FOLDER}/{8:020d}.snapshot", 100)
    world = world.killed()
    log = world.open(clean_shutdown=True, recovery_point=8)
    assert send(log, 7).first_offset == 7
    assert send(log, 8).first_offset == 8


def test_producers_expire_unless_in_a_transaction() -> None:
    log = World().open()
    send(log, 0, producer_id=1, timestamp=NOW)
    send(log, 0, producer_id=2, timestamp=NOW + 5)
    send(log, 0, producer_id=3, timestamp=NOW, transactional=True)
    log.producers.remove_expired(NOW + 1000, 1000)
    assert list(log.producers.entries) == [2, 3]


def test_open_transaction_holds_the_last_stable_offset() -> None:
    log = World().open()
    send(log, 0, producer_id=1)
    send(log, 0, producer_id=2, transactional=True)
    send(log, 1, producer_id=1)
    log.high_watermark = log.log_end_offset
    assert log.last_stable_offset == 1
    end(log, commit=True, producer_id=2)
    assert log.last_stable_offset == 1, "the marker is not below the watermark yet"
    log.high_watermark = log.log_end_offset
    assert log.last_stable_offset == log.log_end_offset


def test_aborted_transactions_are_found_by_range() -> None:
    log = World().open(LogConfig(segment_bytes=400))
    for turn in range(6):
        send(log, turn, transactional=True)
        end(log, commit=turn % 2 == 0)
    assert len(log.segments) > 1
    found = log.aborted_transactions(0, log.log_end_offset)
    assert [(one.producer_id, one.first_offset, one.last_offset) for one in found] == [
        (5, 2, 3),
        (5, 6, 7),
        (5, 10, 11),
    ]
    assert [one.first_offset for one in log.aborted_transactions(4, 7)] == [6]
    assert log.aborted_transactions(4, 6) == []


def test_transaction_state_is_replayed_from_the_log() -> None:
    world = World()
    log = world.open()
    send(log, 0, producer_id=1, transactional=True)
    send(log, 0, producer_id=2, transactional=True)
    end(log, commit=False, producer_id=1)
    aborted = log.aborted_transactions(0, 100)
    world = world.killed()
    log = world.open()
    log.high_watermark = log.log_end_offset
    assert log.aborted_transactions(0, 100) == aborted
    assert aborted[0].last_stable_offset == 1
    assert log.last_stable_offset == 1


def test_write_outside_the_open_transaction_is_refused() -> None:
    log = World().open()
    send(log, 0, transactional=True)
    assert refusal(log, 1) == ErrorCode.INVALID_TXN_STATE


def test_markers_of_old_coordinators_and_epochs_are_refused() -> None:
    log = World().open()
    send(log, 0, transactional=True, epoch=3)
    end(log, commit=True, epoch=3, coordinator_epoch=7)
    with pytest.raises(AppendError) as raised:
        end(log, commit=True, epoch=3, coordinator_epoch=6)
    assert raised.value.code == ErrorCode.TRANSACTION_COORDINATOR_FENCED
    with pytest.raises(AppendError) as raised:
        end(log, commit=True, epoch=2, coordinator_epoch=7)
    assert raised.value.code == ErrorCode.INVALID_PRODUCER_EPOCH


def test_marker_with_a_new_epoch_starts_sequences_over() -> None:
    log = World().open()
    send(log, 0, transactional=True)
    end(log, commit=True, epoch=1)
    assert refusal(log, 1, transactional=True, epoch=0) == ErrorCode.INVALID_PRODUCER_EPOCH
    assert send(log, 0, transactional=True, epoch=1).first_offset == 2


def test_last_stable_offset_of_a_log_that_cannot_be_read_back() -> None:
    world = World()
    config = LogConfig(segment_bytes=300)
    log = world.open(config)
    for sequence in range(8):
        send(log, sequence)
    files, _ = log.prepare_close()
    world.disk.sync(files)
    log.closed()
    world = world.killed()
    for name in world.disk.list_folder(FOLDER):
        if name.endswith(".snapshot"):
            world.disk.flip_bit(f"{FOLDER}/{name}", 100)
    world.disk.flip_bit(f"{FOLDER}/{0:020d}.log", 16 * 8)
    log = world.open(config, clean_shutdown=True, recovery_point=8)
    with pytest.raises(LogError) as raised:
        _ = log.last_stable_offset
    assert raised.value.code == ErrorCode.CORRUPT_MESSAGE


def test_snapshot_bytes_are_kafkas() -> None:
    entry = (9, 2, 41, 100, 3, NOW, 7, -1)
    data = encode_snapshot([entry])
    assert data[:2] == b"\x00\x01"
    assert len(data) == 2 + 4 + 4 + 46
    assert decode_snapshot(data) == [entry]
    for damaged in (data[:-1], data[:5], b"\x00\x02" + data[2:], data[:20] + b"\xff" + data[21:]):
        with pytest.raises(CorruptSnapshot):
            decode_snapshot(damaged)


def test_snapshots_of_earlier_stops_do_not_pile_up() -> None:
    world = World()
    for turn in range(4):
        log = world.open(clean_shutdown=turn > 0, recovery_point=turn)
        send(log, turn)
        files, _ = log.prepare_close()
        world.disk.sync(files)
        log.closed()
        world = world.killed()
    names = [name for name in world.disk.list_folder(FOLDER) if name.endswith(".snapshot")]
    assert names == [f"{4:020d}.snapshot"]
