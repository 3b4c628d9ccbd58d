"""Offsets by time."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from storage_world import NOW, World, append, batch

from riverlog.records import BatchBuilder, Codec, read_header
from riverlog.storage import Log, LogConfig


def append_times(log: Log, *timestamps: int, codec: Codec = Codec.NONE) -> None:
    builder = BatchBuilder(compression=codec)
    for timestamp in timestamps:
        builder.append(key=None, value=b"v" * 20, timestamp=timestamp)
    data = bytearray(builder.build())
    log.append_as_leader(data, read_header(data, 0), leader_epoch=0, now_ms=NOW)


@pytest.mark.parametrize("codec", [Codec.NONE, Codec.LZ4])
def test_first_record_at_or_after_the_time(codec: Codec) -> None:
    log = World().open()
    append_times(log, 100, 300, 200, codec=codec)
    append_times(log, 50, 400, codec=codec)
    assert log.offset_for_timestamp(0) == (100, 0)
    assert log.offset_for_timestamp(101) == (300, 1)
    assert log.offset_for_timestamp(301) == (400, 4)
    assert log.offset_for_timestamp(401) is None


def test_empty_log_has_no_times() -> None:
    log = World().open()
    assert log.offset_for_timestamp(0) is None
    assert log.max_timestamp() == (-1, -1)


def test_max_timestamp_is_the_records_own_offset() -> None:
    log = World().open(LogConfig(segment_bytes=400))
    append_times(log, 10, 500, 20)
    for timestamp in (30, 40, 499, 60, 70):
        append_times(log, timestamp)
    assert len(log.segments) > 1
    assert log.max_timestamp() == (500, 1)


def test_deleted_records_are_not_found() -> None:
    log = World().open()
    append_times(log, 900, 100)
    append_times(log, 200)
    log.high_watermark = 3
    log.delete_records(1)
    assert log.offset_for_timestamp(150) == (200, 2)


def test_log_append_time_answers_the_first_offset_of_the_batch() -> None:
    log = World().open()
    append(log)
    builder = BatchBuilder(log_append_time_ms=NOW + 50)
    for _ in range(3):
        builder.append(key=None, value=b"v", timestamp=1)
    data = bytearray(builder.build())
    log.append_as_leader(data, read_header(data, 0), leader_epoch=0, now_ms=NOW)
    assert log.offset_for_timestamp(NOW + 1) == (NOW + 50, 1)
    assert log.max_timestamp() == (NOW + 50, 1)


@settings(max_examples=60, deadline=None)
@given(
    times=st.lists(st.integers(0, 60), min_size=1, max_size=60),
    start=st.integers(0, 60),
    reopen=st.booleans(),
)
def test_time_lookup_equals_a_scan(times: list[int], start: int, reopen: bool) -> None:
    world = World()
    config = LogConfig(segment_bytes=700, index_interval_bytes=100)
    log = world.open(config)
    for at in range(0, len(times), 3):
        append_times(log, *times[at : at + 3])
    start = min(start, len(times))
    if reopen:
        files, _ = log.prepare_close()
        world.disk.sync(files)
        log.closed()
        log = world.killed().open(config, clean_shutdown=True, recovery_point=len(times))
        assert log.recovered.clean
    log.high_watermark = len(times)
    log.delete_records(start)
    for target in range(62):
        expected = next(
            ((time, offset) for offset, time in enumerate(times) if time >= target and offset >= start), None
        )
        assert log.offset_for_timestamp(target) == expected
    found = log.max_timestamp()
    assert found[0] == max(times)
    assert times[found[1]] == found[0]


def test_time_index_ends_with_the_largest_timestamp() -> None:
    world = World()
    log = world.open(LogConfig(segment_bytes=500))
    data, header = batch([b"v" * 100], timestamp=NOW + 7)
    log.append_as_leader(data, header, leader_epoch=0, now_ms=NOW)
    for _ in range(4):
        append(log, b"v" * 100)
    assert log.segments[0].time_index.last_entry() == (NOW + 7, 0)
