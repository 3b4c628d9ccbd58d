"""What the simulator found in the storage engine, each as the shortest script that shows it."""

from __future__ import annotations

import pytest
from one_log import FOLDER, KEY, TOPIC_ID, OneLog

from riverlog.env.disk import StorageError
from riverlog.sim.checkers import check_lookups
from riverlog.sim.disk import Fault, Latency, PowerCut, Setup
from riverlog.sim.media import Media
from riverlog.sim.rng import SimRng
from riverlog.storage import LogConfig

pytestmark = pytest.mark.sim

SEEDS = 25


def test_segment_with_several_epochs_is_not_suspect() -> None:
    one = OneLog()
    for epoch in range(4):
        one.append(2, epoch=epoch)
    one.settle()
    one.append(epoch=4)
    one.kill()
    assert not one.log.suspect
    assert one.log.log_end_offset == 9
    assert one.log.epochs.entries == [(0, 0), (1, 2), (2, 4), (3, 6), (4, 8)]


def test_log_created_just_before_a_kill_survives_the_power_cut_after_it_was_used() -> None:
    """The kill left folder and ``partition.metadata`` in the page cache only."""
    for seed in range(SEEDS):
        one = OneLog()
        one.kill()
        one.append(4)
        one.settle(0.05)
        assert one.log.durable_end == 4
        one.lose_power(seed)
        assert one.log.log_end_offset == 4
        assert one.log.topic_id == TOPIC_ID


def test_truncation_before_the_first_sync_does_not_lose_the_creation() -> None:
    for seed in range(SEEDS):
        one = OneLog(setup=Setup(latency=Latency(0.02, 0.03)))
        one.append(4)
        one.settle(0.01)
        one.log.truncate_to(0, now_ms=0)
        one.append(3)
        one.stop_cleanly()
        one.lose_power(seed)
        assert one.log.log_end_offset == 3
        assert one.log.topic_id == TOPIC_ID


def test_truncation_in_the_middle_of_a_batch_takes_all_of_it() -> None:
    one = OneLog()
    one.append(2)
    one.append(5)
    one.settle()
    one.log.truncate_to(4, now_ms=0)
    assert one.log.log_end_offset == one.log.durable_end == one.log.recovery_point == 2
    one.kill()
    assert not one.log.suspect


def test_truncation_lowers_a_recovery_point_on_disk_that_is_above_the_one_in_memory() -> None:
    for seed in range(SEEDS):
        one = OneLog()
        one.append(5)
        one.append(5)
        one.settle()
        one.append(epoch=1)
        one.settle(0.05)  # durable, but its epoch is not: the recovery point waits
        one.kill()
        one.log.truncate_to(5, now_ms=0)
        one.lose_power(seed)
        assert one.log.log_end_offset == 5
        assert not one.log.needs_acceptance


def test_truncation_below_the_log_start_starts_over() -> None:
    one = OneLog()
    one.append(2)
    one.append(6)
    one.settle()
    one.node.logs.delete_records(one.log, 4, lambda error: None)
    one.settle()
    one.log.truncate_to(6, now_ms=0)
    assert (one.log.log_start_offset, one.log.log_end_offset) == (4, 4)
    one.stop_cleanly()
    assert (one.log.log_start_offset, one.log.log_end_offset) == (4, 4)
    assert one.append().first_offset == 4


def test_clean_stop_covers_what_a_sync_under_way_had_taken() -> None:
    """A rolled segment was in flight; the stop forgot it and called itself clean."""
    config = LogConfig(segment_bytes=600, index_interval_bytes=1)
    for seed in range(SEEDS):
        one = OneLog(config)
        for _ in range(3):
            one.append(2)
        one.settle()
        one.disk.setup.latency = Latency(5.0, 5.0)
        for _ in range(4):
            one.append(2)
            one.settle(0.01)
        before = one.batches()
        one.stop_cleanly()
        one.lose_power(seed)
        assert one.batches() == before
        check_lookups(one.log)


def test_indexes_of_a_segment_that_ends_at_the_recovery_point_are_checked() -> None:
    """Its batches are durable, but the roll that wrote the indexes was not synced."""
    config = LogConfig(segment_bytes=600, index_interval_bytes=1)
    for seed in range(2 * SEEDS):
        one = OneLog(config)
        for _ in range(3):
            one.append(2)
        one.settle()
        one.log.roll(0)
        if seed % 2:
            one.kill()
            one.append()
            one.settle(0.05)
        one.lose_power(seed)
        assert one.log.log_end_offset >= 6
        check_lookups(one.log)


def test_interrupted_start_over_is_no_loss() -> None:
    """Deleted records, then a lost tail: the log ends before its start and begins anew there."""
    config = LogConfig(segment_bytes=600, ack_after_fsync=False)

    def damaged() -> OneLog:
        one = OneLog(config)
        for _ in range(5):
            one.append(2)
        one.node.logs.commit.urge(one.log)
        one.settle()
        assert one.log.recovery_point == 10
        one.append(1)
        one.log.high_watermark = one.log.log_end_offset
        one.node.logs.delete_records(one.log, 11, lambda error: None)
        one.settle(0.05)
        return one

    def start_from(media: Media) -> OneLog:
        one = OneLog(config)
        one.node.kill()
        one.media = media
        one.node = one.start()
        return one

    def copy(media: Media) -> Media:
        return media.power_loss(SimRng(0))  # of what survived a cut all is durable

    whole = damaged().media
    survivors = [whole.power_loss(SimRng(seed)) for seed in range(SEEDS)]
    cut_off = [one for one in survivors if start_from(copy(one)).log.segments[0].base_offset == 11]
    assert cut_off, "no seed lost the tail"
    for cut_at in range(2, 16):
        for draw in range(10):
            one = OneLog(config)
            one.node.kill()
            one.media = copy(cut_off[0])
            try:
                one.node = one.start(cut_at=cut_at)
            except PowerCut:
                one.node = start_from(one.media.power_loss(SimRng(draw))).node
            assert not one.log.needs_acceptance, (cut_at, draw)
            assert one.log.log_start_offset == one.log.log_end_offset == 11


def test_epoch_file_cut_for_a_log_start_that_was_not_durable_is_rebuilt() -> None:
    one = OneLog(LogConfig(segment_bytes=400))
    for epoch in range(6):
        one.append(3, epoch=epoch)
    one.settle()
    one.log.move_log_start(10)  # in memory only; no checkpoint holds it
    one.settle(1.0)
    one.node.logs.log_dirs[0].log_starts.remove(KEY)
    one.node.kill()
    one.media.file(f"{FOLDER}/leader-epoch-checkpoint").content[:] = b"0\n1\n5 15\n"
    one.kill()
    assert one.log.epochs.epoch_for_offset(one.log.log_start_offset) >= 0


def test_producer_of_the_batch_that_holds_the_log_start_is_remembered() -> None:
    one = OneLog()
    one.append(5, producer_id=9, base_sequence=0)
    one.append(3)
    one.append(3)
    one.settle()
    one.node.logs.delete_records(one.log, 2, lambda error: None)
    one.settle()
    one.log.truncate_to(8, now_ms=0)
    assert one.append(5, producer_id=9, base_sequence=0).duplicate


def test_deleting_a_log_while_its_epochs_are_being_written_takes_nothing_offline() -> None:
    one = OneLog(setup=Setup(latency=Latency(0.2, 0.2)))
    one.append()
    one.scheduler.run_until(lambda: one.disk.exists(f"{FOLDER}/leader-epoch-checkpoint.tmp"), seconds_max=5.0)
    one.node.logs.delete(one.log)
    one.settle()
    assert one.node.offline is None


def test_disk_that_fails_during_the_periodic_work_stops_only_its_folder() -> None:
    one = OneLog()
    other = one.node.create(("other", 0), TOPIC_ID)
    one.append()
    one.settle(0.05)
    one.disk.setup.faults.append(Fault("create", "leader-epoch-checkpoint.tmp"))
    one.settle()
    assert isinstance(one.node.offline, StorageError)
    assert other.offline is not None


def test_empty_log_kept_over_a_clean_stop_is_durable_once_it_is_used() -> None:
    for seed in range(SEEDS):
        one = OneLog()
        one.stop_cleanly()
        one.append(4)
        one.settle(0.05)
        assert one.log.durable_end == 4
        one.lose_power(seed)
        assert one.log.log_end_offset == 4
        assert one.log.topic_id == TOPIC_ID
