"""What compaction keeps and what it drops, rule by rule, as Kafka's cleaner does."""

from __future__ import annotations

from itertools import pairwise

import pytest
from cleaner_world import HOUR_MS, Compacted, compacted

from riverlog.base.errors import ErrorCode
from riverlog.records import Codec, iter_headers
from riverlog.storage import AppendError, CleanerSettings
from riverlog.storage.retention import apply_retention

DAY_MS = 24 * HOUR_MS


def test_last_value_of_each_key_stays_at_its_offset() -> None:
    one = Compacted()
    one.put([(b"a", b"1"), (b"b", b"1"), (b"c", b"1")], roll=True)
    one.put([(b"a", b"2"), (b"b", b"2")], roll=True)
    one.put([(b"a", b"3")], roll=True)
    one.clean()
    assert one.pairs() == [(2, b"c", b"1"), (4, b"b", b"2"), (5, b"a", b"3")]
    assert one.log.log_end_offset == 6
    assert one.first_dirty == 6


def test_batches_keep_their_offset_range() -> None:
    one = Compacted()
    one.put([(b"a", b"1"), (b"b", b"1"), (b"a", b"2"), (b"b", b"2"), (b"a", b"3")], roll=True)
    one.clean()
    (header,) = one.headers()
    assert (header.base_offset, header.last_offset_delta, header.record_count) == (0, 4, 2)
    assert one.pairs() == [(3, b"b", b"2"), (4, b"a", b"3")]


def test_active_segment_is_never_touched() -> None:
    one = Compacted()
    one.put([(b"a", b"1")], roll=True)
    one.put([(b"a", b"2")])
    one.put([(b"a", b"3")])
    one.clean()
    assert one.pairs() == [(0, b"a", b"1"), (1, b"a", b"2"), (2, b"a", b"3")]
    assert one.first_dirty == 1


def test_nothing_past_the_high_watermark_is_compacted() -> None:
    one = Compacted()
    for number in range(4):
        one.put([(b"a", b"%d" % number)], roll=True)
    one.settle()
    one.log.high_watermark = 2
    one.clean()
    assert [offset for offset, _, _ in one.pairs()] == [1, 2, 3]


def test_nothing_past_the_recovery_point_is_compacted() -> None:
    one = Compacted(compacted(ack_after_fsync=False))
    one.put([(b"a", b"1")], roll=True)
    one.log.recovery_point = 0
    one.log.high_watermark = 1
    one.manager.cleaner.start()
    one.world.scheduler.run_until(lambda: one.manager.cleaner.is_idle, seconds_max=5.0)
    assert one.manager.cleaner.totals.runs == 0


def test_records_without_a_key_go() -> None:
    one = Compacted()
    one.put([(None, b"x"), (b"a", b"1"), (None, b"y")], roll=True)
    one.clean()
    assert one.pairs() == [(1, b"a", b"1")]


@pytest.mark.parametrize("codec", list(Codec))
def test_rewritten_batches_keep_codec_headers_and_timestamps(codec: Codec) -> None:
    one = Compacted()
    one.put(
        [(b"a", b"1"), (b"b", b"1"), (b"a", b"2"), (b"c", None)], compression=codec, timestamp=5000, roll=True
    )
    one.clean()
    (header,) = one.headers()
    assert header.compression == codec
    assert [(stored.offset, stored.timestamp) for stored in one.records()] == [
        (1, 5001),
        (2, 5002),
        (3, 5003),
    ]
    assert header.max_timestamp == 5003


def test_largest_timestamp_is_that_of_what_stays() -> None:
    one = Compacted()
    one.put([(b"a", b"1"), (b"b", b"1"), (b"c", b"1")], timestamp=5000, roll=True)
    one.put([(b"c", b"2")], timestamp=100, roll=True)
    one.clean()
    assert one.headers()[0].max_timestamp == 5001
    assert one.log.max_timestamp() == (5001, 1)
    assert one.log.offset_for_timestamp(5001) == (5001, 1)


def test_log_append_time_of_a_batch_stays() -> None:
    one = Compacted()
    one.put([(b"a", b"1"), (b"a", b"2")], timestamp=7000, log_append_time=True, roll=True)
    one.clean()
    (header,) = one.headers()
    assert header.is_log_append_time
    assert header.max_timestamp == 7000


# -- tombstones --------------------------------------------------------------------------------


def test_tombstone_stays_for_delete_retention_and_then_goes() -> None:
    one = Compacted()
    one.put([(b"a", b"1"), (b"b", b"1")], roll=True)
    one.put([(b"a", None)], roll=True)
    one.clean()
    cleaned_ms = one.now_ms
    assert one.pairs() == [(1, b"b", b"1"), (2, b"a", None)]
    header = one.headers()[-1]
    assert header.has_delete_horizon
    assert cleaned_ms - 2000 <= header.base_timestamp - DAY_MS <= cleaned_ms
    assert one.records()[-1].timestamp < cleaned_ms  # the record's own time did not change
    one.wait(DAY_MS - 10_000)
    one.put([(b"c", b"1")], roll=True)
    one.clean()
    assert (2, b"a", None) in one.pairs()
    one.wait(10_000)
    one.put([(b"c", b"2")], roll=True)
    one.clean()
    assert [key for _, key, _ in one.pairs()] == [b"b", b"c"]


def test_value_before_a_tombstone_never_comes_back() -> None:
    """It is gone, on disk, before the tombstone can be."""
    one = Compacted()
    one.put([(b"a", b"1")], roll=True)
    one.put([(b"a", None)], roll=True)
    for _ in range(4):
        one.put([(b"x", b"y")], roll=True)
        one.clean()
        one.wait(DAY_MS)
        assert (0, b"a", b"1") not in one.pairs()


def test_horizon_of_a_batch_is_set_once() -> None:
    one = Compacted()
    one.put([(b"a", None)], roll=True)
    one.clean()
    before = one.headers()[0].base_timestamp
    one.wait(HOUR_MS)
    one.put([(b"b", None)], roll=True)
    one.clean()
    after = [header.base_timestamp for header in one.headers()]
    assert after[0] == before
    assert after[1] >= before + HOUR_MS


def test_tombstone_beyond_the_map_gets_no_horizon() -> None:
    """Its older values are still there: it must live as long again from when they go."""
    settings = CleanerSettings(dedupe_buffer_size=31 * 24, io_buffer_load_factor=0.9)
    one = Compacted(settings=settings)
    one.put([(b"%d" % number, b"1") for number in range(27)])
    one.put([(b"0", None)] + [(b"k%d" % number, b"1") for number in range(10)], roll=True)
    one.settle()
    cleaner = one.manager.cleaner
    cleaner.start()
    assert one.world.scheduler.run_until(lambda: cleaner.totals.runs == 1, seconds_max=60.0)
    assert one.first_dirty == 27
    assert [header.has_delete_horizon for header in one.headers()] == [False, False]
    one.clean()
    assert [header.has_delete_horizon for header in one.headers()] == [False, True]


# -- when ----------------------------------------------------------------------------------------


def test_dirty_ratio_decides() -> None:
    one = Compacted(compacted(min_cleanable_dirty_ratio=0.5))
    one.put([(b"k%d" % number, b"x" * 50) for number in range(20)], roll=True)
    one.clean()
    assert one.manager.cleaner.totals.runs == 1  # all of it was dirty
    one.put([(b"k0", b"y" * 50)], roll=True)
    one.clean()
    assert one.manager.cleaner.totals.runs == 1
    assert 0 < one.manager.cleaner.totals.dirtiest_ratio < 0.5
    one.put([(b"k%d" % number, b"z" * 50) for number in range(25)], roll=True)
    one.clean()
    assert one.manager.cleaner.totals.runs == 2
    assert len(one.pairs()) == 25


def test_min_compaction_lag_protects_young_records() -> None:
    one = Compacted(compacted(min_compaction_lag_ms=HOUR_MS))
    one.put([(b"a", b"1")], roll=True)
    one.put([(b"a", b"2")], roll=True)
    one.wait(HOUR_MS // 2)
    one.put([(b"a", b"3")], roll=True)
    one.clean()
    assert len(one.pairs()) == 3
    one.wait(HOUR_MS // 2)
    one.clean()
    assert [offset for offset, _, _ in one.pairs()] == [1, 2]
    one.wait(HOUR_MS)
    one.clean()
    assert [offset for offset, _, _ in one.pairs()] == [2]


def test_max_compaction_lag_overrules_the_ratio() -> None:
    one = Compacted(compacted(min_cleanable_dirty_ratio=1.0, max_compaction_lag_ms=HOUR_MS))
    one.put([(b"a", b"1")], roll=True)
    one.put([(b"a", b"2")], roll=True)
    one.clean()
    assert len(one.pairs()) == 2
    one.wait(HOUR_MS + 1000)
    one.clean()
    assert one.pairs() == [(1, b"a", b"2")]


def test_max_compaction_lag_rolls_the_active_segment() -> None:
    one = Compacted(compacted(max_compaction_lag_ms=HOUR_MS))
    one.put([(b"a", b"1")])
    one.wait(HOUR_MS + 1)
    one.put([(b"a", b"2")])
    assert len(one.log.segments) == 2


def test_compact_alone_is_not_touched_by_retention() -> None:
    one = Compacted(compacted(retention_ms=1, retention_bytes=1))
    one.put([(b"a", b"1")], roll=True)
    one.put([(b"b", b"1")], roll=True)
    one.clean()
    one.wait(DAY_MS)
    assert apply_retention(one.log, one.now_ms) == 0
    assert len(one.pairs()) == 2


def test_compact_and_delete_does_both() -> None:
    one = Compacted(compacted(cleanup_policy="compact,delete", retention_ms=HOUR_MS, segment_bytes=200))
    one.put([(b"a", b"1" * 50), (b"b", b"1" * 50)], roll=True)
    one.put([(b"a", b"2" * 50)], roll=True)
    one.clean()
    assert [offset for offset, _, _ in one.pairs()] == [1, 2]
    one.wait(2 * HOUR_MS)
    one.put([(b"c", b"1")])
    one.settle()
    one.manager.apply_retention(one.log, one.now_ms)
    assert one.log.log_start_offset == 3
    assert one.pairs() == [(3, b"c", b"1")]


def test_disabled_cleaner_does_nothing() -> None:
    one = Compacted(settings=CleanerSettings(enable=False, backoff_ms=0))
    one.put([(b"a", b"1")], roll=True)
    one.put([(b"a", b"2")], roll=True)
    one.settle()
    one.world.scheduler.run_for(5.0)
    assert one.manager.cleaner.is_idle
    assert len(one.pairs()) == 2


def test_tick_starts_a_run_after_the_backoff() -> None:
    one = Compacted(settings=CleanerSettings(backoff_ms=15_000))
    one.put([(b"a", b"1")], roll=True)
    one.put([(b"a", b"2")], roll=True)
    one.settle()
    assert one.manager.cleaner.totals.runs == 0
    one.world.scheduler.run_for(15.0)
    one.manager.tick()
    one.world.scheduler.run_for(1.0)
    assert one.manager.cleaner.totals.runs == 1


# -- producers and transactions ------------------------------------------------------------------


def test_emptied_last_batch_of_a_producer_keeps_its_sequence() -> None:
    one = Compacted()
    one.put([(b"a", b"1"), (b"b", b"1")], producer_id=7, sequence=0)
    one.put([(b"a", b"2"), (b"b", b"2")], producer_id=7, sequence=2, roll=True)
    one.put([(b"a", b"3"), (b"b", b"3")], roll=True)
    one.clean()
    kept = [header for header in one.headers() if header.producer_id == 7]
    assert [(header.base_offset, header.record_count) for header in kept] == [(0, 0), (2, 0)]
    one.restart()
    assert one.log.producers.entries[7].last_sequence == 3
    with pytest.raises(AppendError) as refused:
        one.put([(b"a", b"4")], producer_id=7, sequence=9)
    assert refused.value.code == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert one.put([(b"a", b"4")], producer_id=7, sequence=4) == 6


def test_as_many_emptied_batches_stay_as_duplicates_are_recognised() -> None:
    """A replica that fetches what is left knows a retry when it leads (seed cluster-faults-3697888769)."""
    one = Compacted()
    for sequence in range(7):
        one.put([(b"a", b"%d" % sequence)], producer_id=7, sequence=sequence, roll=sequence == 6)
    one.put([(b"a", b"last")], roll=True)
    one.clean()
    kept = [header for header in one.headers() if header.producer_id == 7]
    assert [(header.base_sequence, header.record_count) for header in kept] == [(n, 0) for n in range(2, 7)]
    replica = Compacted()
    for segment in one.log.segments:
        if segment.size:
            replica.log.append_as_follower(segment.file.read(0, segment.size))
    assert replica.put([(b"a", b"3")], producer_id=7, sequence=3) == 3
    assert replica.log.log_end_offset == 8


def test_a_replica_gets_the_emptied_batch_a_consumer_does_not() -> None:
    """Else it does not know the last sequence when it leads; librdkafka would stand still on it."""
    one = Compacted()
    one.put([(b"a", b"1")], producer_id=7, sequence=0, roll=True)
    one.put([(b"a", b"2")], roll=True)
    one.clean()
    log = one.log

    def first(*, to_replica: bool) -> tuple[int, int]:
        found = log.read(0, max_bytes=1 << 20, end_offset=log.log_end_offset, to_replica=to_replica)
        assert found is not None
        header = next(header for _, header in iter_headers(found.read()))
        return header.base_offset, header.record_count

    assert first(to_replica=True) == (0, 0)
    assert first(to_replica=False) == (1, 1)


def test_aborted_data_goes_at_once_and_hides_nothing() -> None:
    one = Compacted()
    one.put([(b"a", b"1")], roll=True)
    one.put([(b"a", b"aborted")], producer_id=7, sequence=0, transactional=True)
    one.end(7, commit=False)
    one.put([(b"z", b"1")], roll=True)
    one.clean()
    assert one.pairs() == [(0, b"a", b"1"), (3, b"z", b"1")]
    assert [header.base_offset for header in one.markers()] == [2]


def test_abort_marker_goes_when_nothing_of_its_transaction_is_left() -> None:
    one = Compacted()
    one.put([(b"a", b"1")], producer_id=7, sequence=0, transactional=True)
    one.end(7, commit=False)
    one.put([(b"b", b"1")], producer_id=7, sequence=1, roll=True)
    one.clean()  # the data goes, the marker stays
    assert len(one.log.aborted_transactions(0, 10)) == 1
    one.put([(b"c", b"1")], roll=True)
    one.clean()  # nothing of the transaction is met: the marker gets its horizon
    assert [header.has_delete_horizon for header in one.markers()] == [True]
    assert one.log.aborted_transactions(0, 10) == []
    one.wait(DAY_MS)
    one.put([(b"c", b"2")], roll=True)
    one.clean()
    assert one.markers() == []
    assert [key for _, key, _ in one.pairs()] == [b"b", b"c"]


def test_commit_marker_stays_as_long_as_its_data() -> None:
    one = Compacted()
    one.put([(b"a", b"1")], producer_id=7, sequence=0, transactional=True)
    one.end(7, commit=True)
    one.put([(b"x", b"1")], producer_id=7, sequence=1, roll=True)
    for _ in range(3):
        one.put([(b"b", b"1")], roll=True)
        one.clean()
        one.wait(DAY_MS)
        assert len(one.markers()) == 1
    one.put([(b"a", b"2")], roll=True)
    one.clean()
    assert [header.has_delete_horizon for header in one.markers()] == [False]
    one.put([(b"b", b"2")], roll=True)
    one.clean()
    assert [header.has_delete_horizon for header in one.markers()] == [True]
    one.wait(DAY_MS)
    one.put([(b"b", b"3")], roll=True)
    one.clean()
    assert one.markers() == []


def test_marker_that_holds_the_epoch_of_a_producer_stays_as_a_header() -> None:
    """Without data of that epoch it is all that fences the older one."""
    one = Compacted(compacted(producer_id_expiration_ms=100 * DAY_MS))
    one.put([(b"a", b"1")], producer_id=7, sequence=0, transactional=True)
    one.end(7, commit=False, epoch=3, roll=True)
    for _ in range(4):
        one.put([(b"b", b"1")], roll=True)
        one.clean()
        one.wait(DAY_MS)
    kept = [header for header in one.headers() if header.producer_id == 7]
    assert [(header.record_count, header.producer_epoch) for header in kept] == [(0, 3)]
    one.drop_snapshots()
    one.restart()
    with pytest.raises(AppendError) as raised:
        one.put([(b"a", b"2")], producer_id=7, epoch=2, sequence=0)
    assert raised.value.code == ErrorCode.INVALID_PRODUCER_EPOCH


def test_open_transaction_stops_compaction() -> None:
    one = Compacted()
    one.put([(b"a", b"1")], roll=True)
    one.put([(b"a", b"2")], producer_id=7, sequence=0, transactional=True, roll=True)
    one.put([(b"a", b"3")], roll=True)
    one.clean()
    assert len(one.pairs()) == 3
    assert one.first_dirty == 1
    one.end(7, commit=True, roll=True)
    one.clean()
    assert one.pairs() == [(2, b"a", b"3")]


def test_transaction_over_several_segments() -> None:
    one = Compacted()
    one.put([(b"a", b"1")], roll=True)
    one.put([(b"a", b"2")], producer_id=7, sequence=0, transactional=True, roll=True)
    one.put([(b"b", b"2")], producer_id=7, sequence=1, transactional=True, roll=True)
    one.end(7, commit=False, roll=True)
    one.clean()
    assert one.pairs() == [(0, b"a", b"1")]
    one.restart()
    assert one.log.last_stable_offset == one.log.log_end_offset
    assert one.pairs() == [(0, b"a", b"1")]


# -- segments ------------------------------------------------------------------------------------


def test_segments_are_joined_up_to_segment_bytes() -> None:
    one = Compacted(compacted(segment_bytes=1000))
    for number in range(12):
        one.put([(b"k%d" % number, b"x" * 200)], roll=True)
    one.clean()
    sizes = [segment.size for segment in one.log.segments[:-1]]
    assert len(sizes) == 4
    assert all(size <= 1000 for size in sizes)
    assert len(one.pairs()) == 12


def test_segments_meet_without_a_gap() -> None:
    """So that recovery can tell a segment that lost its end, whatever the policy is by then."""
    one = Compacted(compacted(segment_bytes=300))
    for number in range(10):
        one.put([(b"a", b"%d" % number * 100)], roll=True)
    one.clean()
    segments = one.log.segments
    assert len(segments) > 2
    for segment, following in pairwise(segments):
        assert segment.next_offset() == following.base_offset
    one.log.config = one.config = compacted(cleanup_policy="delete", segment_bytes=300)
    one.manager.dir_of(one.log).recovery_points.set(("t", 0), 0)
    one.manager.dir_of(one.log).recovery_points.write_now()
    one.restart()
    assert not one.log.suspect
    assert one.pairs() == [(9, b"a", b"9" * 100)]


def test_unchanged_segment_is_not_replaced() -> None:
    one = Compacted(compacted(segment_bytes=300))
    one.put([(b"a", b"1" * 150)], roll=True)
    one.put([(b"b", b"1" * 150)], roll=True)
    one.clean()
    first = one.log.segments[0]
    one.put([(b"b", b"2" * 150)], roll=True)
    one.clean()
    assert one.log.segments[0] is first
    assert one.names(".cleaned") == []
