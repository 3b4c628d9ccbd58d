"""Appending to a log and reading it back."""

from __future__ import annotations

import pytest
from storage_world import NOW, World, append, batch, read_all, sync

from riverlog.base.errors import ErrorCode
from riverlog.storage import AppendError, LogConfig, OffsetOutOfRange


def test_append_assigns_offsets_and_epoch_in_place() -> None:
    log = World().open()
    data, header = batch([b"a", b"b"])
    first = log.append_as_leader(data, header, leader_epoch=7, now_ms=NOW)
    second = log.append_as_leader(*batch([b"c"]), leader_epoch=7, now_ms=NOW)
    assert (first.first_offset, first.last_offset, second.first_offset) == (0, 1, 2)
    assert int.from_bytes(data[12:16], "big") == 7
    assert log.log_end_offset == 3
    assert log.epochs.entries == [(7, 0)]
    assert read_all(log) == [(0, b"a"), (1, b"b"), (2, b"c")]


def test_read_inside_a_batch_returns_the_whole_batch() -> None:
    log = World().open()
    append(log, b"a", b"b", b"c")
    append(log, b"d")
    piece = log.read(1, max_bytes=1, end_offset=4)
    assert piece is not None
    assert piece.position == 0
    assert piece.length == len(batch([b"a", b"b", b"c"])[0])


def test_read_never_passes_the_end_offset() -> None:
    log = World().open()
    sizes = []
    for value in (b"a", b"bb", b"ccc"):
        append(log, value)
        sizes.append(log.size_bytes)
    piece = log.read(0, max_bytes=1 << 20, end_offset=2)
    assert piece is not None
    assert piece.length == sizes[1]
    assert log.read(2, max_bytes=1 << 20, end_offset=2) is None


def test_read_without_min_one_gives_nothing_smaller_than_a_batch() -> None:
    log = World().open()
    append(log, b"a" * 100)
    assert log.read(0, max_bytes=10, end_offset=1, min_one=False) is None


def test_read_out_of_range() -> None:
    log = World().open()
    append(log)
    with pytest.raises(OffsetOutOfRange):
        log.read(2, max_bytes=1, end_offset=2)
    log.high_watermark = 1
    log.delete_records(1)
    with pytest.raises(OffsetOutOfRange):
        log.read(0, max_bytes=1, end_offset=1)
    assert log.read(1, max_bytes=1, end_offset=1) is None


def test_roll_by_size_and_read_across_segments() -> None:
    log = World().open(LogConfig(segment_bytes=1000))
    values = [bytes([65 + i % 26]) * 100 for i in range(60)]
    for value in values:
        append(log, value)
    assert len(log.segments) > 5
    assert read_all(log) == list(enumerate(values))
    assert [segment.base_offset for segment in log.segments][:2] == [0, log.segments[1].base_offset]
    for offset in range(60):
        piece = log.read(offset, max_bytes=1, end_offset=60)
        assert piece is not None
        assert int.from_bytes(piece.read()[:8], "big") == offset


def test_sparse_index_finds_every_offset() -> None:
    log = World().open(LogConfig(index_interval_bytes=300))
    for i in range(500):
        append(log, b"v" * (i % 90))
    assert log.active.index.entries > 50
    log.forget_recent()
    for offset in range(500):
        piece = log.read(offset, max_bytes=1, end_offset=500)
        assert piece is not None
        assert int.from_bytes(piece.read()[:8], "big") == offset


def test_roll_by_time_of_the_records() -> None:
    log = World().open(LogConfig(segment_ms=1000))
    append(log, timestamp=NOW)
    append(log, timestamp=NOW + 1000)
    assert len(log.segments) == 1
    append(log, timestamp=NOW + 1001)
    assert len(log.segments) == 2


def test_roll_when_the_index_is_full() -> None:
    log = World().open(LogConfig(segment_index_bytes=60, index_interval_bytes=50))
    for i in range(20):
        append(log, timestamp=NOW + i)
    assert len(log.segments) > 2
    assert all(segment.time_index.entries <= 5 for segment in log.segments)
    assert len(read_all(log)) == 20


def test_batch_larger_than_a_segment_is_refused() -> None:
    log = World().open(LogConfig(segment_bytes=100))
    with pytest.raises(AppendError) as raised:
        append(log, b"x" * 200)
    assert raised.value.code == ErrorCode.RECORD_LIST_TOO_LARGE
    assert log.log_end_offset == 0


def test_follower_append_keeps_offsets_and_epochs() -> None:
    log = World().open()
    first, _ = batch([b"a", b"b"], base_offset=0, leader_epoch=3)
    second, _ = batch([b"c"], base_offset=2, leader_epoch=5)
    info = log.append_as_follower(bytes(first) + bytes(second) + bytes(second)[:30])
    assert info is not None
    assert (info.first_offset, info.last_offset) == (0, 2)
    assert log.epochs.entries == [(3, 0), (5, 2)]
    assert read_all(log) == [(0, b"a"), (1, b"b"), (2, b"c")]


def test_follower_append_refuses_a_wrong_crc_and_old_offsets() -> None:
    log = World().open()
    good, _ = batch([b"a"], base_offset=0, leader_epoch=0)
    bad, _ = batch([b"b"], base_offset=1, leader_epoch=0)
    bad[-1] ^= 1
    with pytest.raises(AppendError) as raised:
        log.append_as_follower(bytes(good) + bytes(bad))
    assert raised.value.code == ErrorCode.CORRUPT_MESSAGE
    assert log.log_end_offset == 1
    with pytest.raises(AppendError):
        log.append_as_follower(good)


def test_follower_reads_over_a_gap() -> None:
    log = World().open()
    log.append_as_follower(batch([b"a"], base_offset=0, leader_epoch=0)[0])
    log.append_as_follower(batch([b"b"], base_offset=10, leader_epoch=0)[0])
    piece = log.read(5, max_bytes=1, end_offset=11)
    assert piece is not None
    assert int.from_bytes(piece.read()[:8], "big") == 10


def test_sync_moves_the_durable_end_to_what_was_written_then() -> None:
    world = World()
    log = world.open()
    append(log)
    work = log.begin_sync()
    append(log)
    log.finish_sync(work)
    assert (log.durable_end, log.log_end_offset) == (1, 2)
    assert log.dirty
    sync(log, world)
    assert log.durable_end == 2


def test_recovery_point_waits_for_the_epoch_file() -> None:
    world = World()
    log = world.open()
    append(log, epoch=4)
    sync(log, world)
    assert (log.durable_end, log.recovery_point) == (1, 0)
    log.epochs_persisted(log.epochs.changes)
    assert log.recovery_point == 1
