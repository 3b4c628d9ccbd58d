"""Opening a log after each kind of stop."""

from __future__ import annotations

import pytest
from storage_world import FOLDER, NOW, World, append, batch, read_all, sync

from riverlog.base.errors import ErrorCode
from riverlog.storage import AppendError, Log, LogConfig
from riverlog.storage.checkpoints import parse_checkpoint

LOG = f"{FOLDER}/00000000000000000000.log"


def fill(log: Log, count: int, size: int = 50) -> list[tuple[int, bytes | None]]:
    for i in range(count):
        append(log, b"%d" % i + b"x" * size, timestamp=NOW + i)
    return read_all(log)


def close_cleanly(log: Log, world: World) -> None:
    files, folders = log.prepare_close()
    world.disk.sync(files)
    for folder in folders:
        world.disk.sync_folder(folder)
    log.closed()


def test_new_log_makes_no_files() -> None:
    world = World()
    log = world.open()
    assert world.disk.list_folder(FOLDER) == []
    assert (log.log_start_offset, log.log_end_offset, log.durable_end) == (0, 0, 0)


def test_clean_stop_reopens_without_recovery() -> None:
    world = World()
    log = world.open(LogConfig(segment_bytes=2000, index_interval_bytes=200))
    before = fill(log, 60)
    close_cleanly(log, world)
    names = world.disk.list_folder(FOLDER)
    world = world.killed()
    log = world.open(recovery_point=60, clean_shutdown=True)
    assert log.recovered.clean
    assert (log.log_end_offset, log.durable_end, log.recovery_point) == (60, 60, 60)
    assert read_all(log) == before
    assert world.disk.list_folder(FOLDER) == names
    assert f"{60:020d}.snapshot" in names


def test_clean_mark_with_a_torn_tail_is_not_believed() -> None:
    world = World()
    log = world.open()
    fill(log, 10)
    close_cleanly(log, world)
    world.disk.chop(LOG, log.size_bytes - 5)
    world = world.killed()
    log = world.open(recovery_point=10, clean_shutdown=True)
    assert not log.recovered.clean
    assert log.log_end_offset == 9
    assert log.needs_acceptance


def test_kill_keeps_everything_and_syncs_it() -> None:
    world = World()
    log = world.open(LogConfig(segment_bytes=1500, index_interval_bytes=200))
    before = fill(log, 50)
    world = world.killed()
    log = world.open(LogConfig(segment_bytes=1500, index_interval_bytes=200))
    assert read_all(log) == before
    assert log.durable_end == 50
    # After this the power may go: recovery itself made the tail durable.
    world = world.power_lost()
    log = world.open(recovery_point=50)
    assert read_all(log) == before


def test_torn_tail_past_the_recovery_point_is_cut() -> None:
    world = World()
    log = world.open()
    before = fill(log, 10)
    size = log.size_bytes
    world.disk.chop(LOG, size - 7)
    log = World(world.media).open(recovery_point=5)
    assert read_all(log) == before[:9]
    assert not log.suspect
    assert not log.refuses_writes
    append(log, b"next")
    assert log.log_end_offset == 10


def test_bad_batch_below_the_recovery_point_is_suspect_and_kept_aside() -> None:
    world = World()
    log = world.open()
    before = fill(log, 10)
    sync(log, world)
    batch_size = log.size_bytes // 10
    data = world.disk.read_file(LOG)
    world.disk.flip_bit(LOG, (3 * batch_size + 70) * 8)
    world = world.killed()
    log = world.open(recovery_point=10)
    assert log.suspect
    assert log.needs_acceptance
    assert read_all(log) == before[:3]
    (kept,) = [name for name in world.disk.list_folder(FOLDER) if name.endswith(".corrupt")]
    saved = world.disk.read_file(f"{FOLDER}/{kept}")
    assert len(saved) == len(data) - 3 * batch_size
    assert saved[batch_size:] == data[4 * batch_size :]


def test_sole_replica_refuses_writes_until_the_loss_is_accepted() -> None:
    world = World()
    log = world.open()
    fill(log, 10)
    sync(log, world)
    world.disk.flip_bit(LOG, 70 * 8)
    world = world.killed()
    log = world.open(recovery_point=10)
    with pytest.raises(AppendError) as raised:
        append(log)
    assert raised.value.code == ErrorCode.KAFKA_STORAGE_ERROR
    world = world.killed()
    log = world.open(recovery_point=0)
    assert log.needs_acceptance, "a restart does not accept the loss"
    log.accept_loss()
    append(log)
    world = world.killed()
    assert not world.open(recovery_point=0).needs_acceptance


def test_bad_batch_followed_by_a_good_one_is_suspect_but_cut_past_the_recovery_point() -> None:
    world = World()
    log = world.open()
    before = fill(log, 10)
    batch_size = log.size_bytes // 10
    world.disk.flip_bit(LOG, (6 * batch_size + 70) * 8)
    world = world.killed()
    log = world.open(recovery_point=5)
    assert log.suspect
    assert not log.needs_acceptance
    assert read_all(log) == before[:6]
    assert any(name.endswith(".corrupt") for name in world.disk.list_folder(FOLDER))
    append(log)


def test_good_batch_in_a_later_segment_makes_the_bad_one_suspect() -> None:
    config = LogConfig(segment_bytes=700)
    world = World()
    log = world.open(config)
    before = fill(log, 12)
    first = log.segments[1]
    world.disk.flip_bit(first.file.path, (first.size - 3) * 8)
    bad = log.segments[2].base_offset - 1
    world = world.killed()
    log = world.open(config)
    assert log.suspect
    assert read_all(log) == before[:bad]
    assert [segment.base_offset for segment in log.segments] == [0, first.base_offset]
    assert sum(name.endswith(".log.corrupt") for name in world.disk.list_folder(FOLDER)) >= 1


def test_segment_that_lost_its_end_before_another_is_bad() -> None:
    config = LogConfig(segment_bytes=700)
    world = World()
    log = world.open(config)
    before = fill(log, 12)
    first = log.segments[0]
    batch_size = first.header_at(0).size
    world.disk.chop(first.file.path, first.size - batch_size)
    log = World(world.media).open(config)
    assert log.suspect
    assert len(log.segments) == 1
    assert read_all(log) == before[: log.log_end_offset]


def test_files_lost_below_the_recovery_point_are_suspect() -> None:
    world = World()
    world.disk.make_folder(FOLDER)
    log = world.open(recovery_point=5)
    assert log.needs_acceptance
    with pytest.raises(AppendError):
        append(log)


def test_zeros_at_the_end_are_a_torn_tail() -> None:
    world = World()
    log = world.open()
    before = fill(log, 5)
    log.active.file.append(bytes(5000))
    log = World(world.media).open()
    assert read_all(log) == before
    assert not log.suspect


def test_epochs_at_or_past_the_recovery_point_are_rebuilt_from_the_headers() -> None:
    world = World()
    log = world.open()
    append(log, epoch=1)
    append(log, epoch=1)
    append(log, epoch=4)
    world.disk.open(f"{FOLDER}/leader-epoch-checkpoint", create=True).append(b"0\n3\n1 0\n2 1\n9 2\n")
    world = world.killed()
    log = world.open(recovery_point=1)
    assert log.epochs.entries == [(1, 0), (4, 2)]
    assert log.epochs.is_dirty


def test_missing_epoch_file_is_rebuilt_from_all_segments() -> None:
    config = LogConfig(segment_bytes=300)
    world = World()
    log = world.open(config)
    for epoch in (0, 0, 2, 2, 2, 5, 5, 5):
        append(log, b"x" * 50, epoch=epoch)
    entries = log.epochs.entries
    assert len(log.segments) > 3
    log = World(world.media).open(config, recovery_point=8)
    assert log.epochs.entries == entries == [(0, 0), (2, 2), (5, 5)]


def test_indexes_are_rebuilt_when_missing_or_broken() -> None:
    config = LogConfig(segment_bytes=3000, index_interval_bytes=200)
    world = World()
    log = world.open(config)
    before = fill(log, 100)
    close_cleanly(log, world)
    closed = log.segments[1].base_offset
    good = world.disk.read_file(f"{FOLDER}/{closed:020d}.index")
    times = world.disk.read_file(f"{FOLDER}/{closed:020d}.timeindex")
    world.disk.remove(f"{FOLDER}/{closed:020d}.index")
    world.disk.open(f"{FOLDER}/{closed:020d}.timeindex").append(b"abc")
    for clean in (True, False):
        world = world.killed()
        log = world.open(config, recovery_point=100, clean_shutdown=clean)
        assert read_all(log) == before
        assert world.disk.read_file(f"{FOLDER}/{closed:020d}.index") == good
    assert world.disk.read_file(f"{FOLDER}/{closed:020d}.timeindex") == times


def test_recovered_indexes_equal_the_original_ones() -> None:
    config = LogConfig(segment_bytes=3000, index_interval_bytes=200)
    world = World()
    log = world.open(config)
    fill(log, 100)
    close_cleanly(log, world)
    names = [name for name in world.disk.list_folder(FOLDER) if name.endswith("index")]
    original = {name: world.disk.read_file(f"{FOLDER}/{name}") for name in names}
    world = world.killed()
    log = world.open(config)
    log.active.seal()
    assert {name: world.disk.read_file(f"{FOLDER}/{name}") for name in names} == original


def test_preallocated_index_of_kafka_is_accepted_and_trimmed() -> None:
    config = LogConfig(index_interval_bytes=200)
    world = World()
    log = world.open(config)
    before = fill(log, 50)
    close_cleanly(log, world)
    index = world.disk.open(f"{FOLDER}/00000000000000000000.index")
    entries = index.size // 8
    index.append(bytes(8 * 1000))
    world.disk.open(f"{FOLDER}/00000000000000000000.timeindex").append(bytes(12 * 1000))
    world = world.killed()
    log = world.open(config, recovery_point=50, clean_shutdown=True)
    assert log.recovered.clean
    assert log.active.index.entries == entries
    assert read_all(log) == before
    fill(log, 50)
    close_cleanly(log, world)
    assert world.disk.open(f"{FOLDER}/00000000000000000000.index").size == log.active.index.entries * 8


def test_leftovers_of_deletion_and_checkpoints_are_swept() -> None:
    world = World()
    log = world.open()
    before = fill(log, 5)
    for name in (
        "00000000000000000000.index.deleted",
        "00000000000000000099.index",
        "00000000000000000007.log.cleaned",
        "leader-epoch-checkpoint.tmp",
    ):
        world.disk.open(f"{FOLDER}/{name}", create=True)
    world.disk.open(f"{FOLDER}/00000000000000000004-0000000001.checkpoint.deleted", create=True)
    world = world.killed()
    log = world.open()
    assert read_all(log) == before
    left = world.disk.list_folder(FOLDER)
    assert left == ["00000000000000000000.log", "00000000000000000004-0000000001.checkpoint.deleted"]


def test_interrupted_swap_is_finished() -> None:
    config = LogConfig(segment_bytes=400, cleanup_policy="compact")
    world = World()
    log = world.open(config)
    before = fill(log, 9)
    close_cleanly(log, world)
    merged = b"".join(world.disk.read_file(segment.file.path) for segment in log.segments[:2])
    world.disk.open(f"{FOLDER}/00000000000000000000.log.swap", create=True).append(merged)
    count = len(log.segments)
    world = world.killed()
    log = world.open(config)
    assert read_all(log) == before
    assert len(log.segments) == count - 1


def test_log_that_ends_before_its_start_begins_anew() -> None:
    world = World()
    log = world.open()
    fill(log, 5)
    log = World(world.media).open(log_start_offset=20)
    assert (log.log_start_offset, log.log_end_offset) == (20, 20)
    assert append(log) == 20


def test_segments_before_the_recovery_point_are_not_read() -> None:
    config = LogConfig(segment_bytes=700)
    world = World()
    log = world.open(config)
    before = fill(log, 30)
    sync(log, world)
    world.disk.flip_bit(LOG, 70 * 8)
    world = world.killed()
    log = world.open(config, recovery_point=30)
    assert not log.suspect
    assert log.log_end_offset == 30
    assert read_all(log, 10) == before[10:]


def test_suspect_marker_names_what_was_lost() -> None:
    world = World()
    log = world.open()
    fill(log, 10)
    sync(log, world)
    world.disk.flip_bit(LOG, 70 * 8)
    world = world.killed()
    world.open(recovery_point=10)
    marker = world.disk.read_file(f"{FOLDER}/suspect-offset-checkpoint")
    assert parse_checkpoint(marker) == [["0", "10"]]


def test_rewritten_tail_survives_even_after_a_failed_sync() -> None:
    """After a failed fsync the pages count as clean: another fsync alone saves nothing."""
    from riverlog.env import StorageError
    from riverlog.sim.disk import Fault

    world = World()
    log = world.open()
    before = fill(log, 10)
    world.disk.sync_folder("/data")
    world.disk.sync_folder(FOLDER)
    world.setup.faults.append(Fault("sync", ".log"))
    with pytest.raises(StorageError):
        sync(log, world)
    world = world.killed()
    log = world.open()
    assert log.durable_end == 10
    world = world.power_lost()
    assert read_all(world.open()) == before


def test_batch_order_is_checked_in_recovery() -> None:
    world = World()
    log = world.open()
    append(log, epoch=5)
    stale, _ = batch([b"old"], base_offset=1, leader_epoch=3)
    log.active.file.append(stale)
    again, _ = batch([b"again"], base_offset=0, leader_epoch=5)
    log = World(world.media).open()
    assert log.log_end_offset == 1
    log.active.file.append(again)
    log = World(world.media).open()
    assert log.log_end_offset == 1


@pytest.mark.parametrize("clean", [True, False])
def test_unreadable_batch_in_an_old_segment_makes_recovery_check_all(clean: bool) -> None:
    config = LogConfig(segment_bytes=700)
    world = World()
    log = world.open(config)
    before = fill(log, 30)
    close_cleanly(log, world)
    second = log.segments[1]
    world.disk.flip_bit(second.file.path, 16 * 8)  # the magic of its first batch
    world.disk.remove(f"{FOLDER}/{second.base_offset:020d}.index")
    world = world.killed()
    log = world.open(config, recovery_point=30, clean_shutdown=clean)
    assert log.suspect
    assert log.needs_acceptance
    assert read_all(log) == before[: second.base_offset]
