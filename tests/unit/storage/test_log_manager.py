"""The manager: group commit, checkpoints, directories, deletion, retention."""

from __future__ import annotations

import pytest
from storage_world import NOW, World, append, batch, read_all

from riverlog.base.errors import ErrorCode
from riverlog.env import DiskFull, StorageError
from riverlog.sim.disk import Fault, Latency
from riverlog.storage import (
    AppendError,
    Log,
    LogConfig,
    LogError,
    LogManager,
    ManagerSettings,
    OffsetOutOfRange,
)
from riverlog.storage.checkpoints import read_offsets
from riverlog.storage.files import read_partition_metadata

TOPIC_ID = bytes(range(16))


def opened(world: World, **given: object) -> LogManager:
    manager = world.manager(**given)  # type: ignore[arg-type]
    manager.open()
    return manager


def settle(world: World, manager: LogManager, seconds: float = 3.0) -> None:
    """Ticks as the broker gives them."""
    for _ in range(int(seconds)):
        world.scheduler.run_for(1.0)
        manager.tick()
    world.scheduler.run_for(0.5)


# -- group commit ------------------------------------------------------------------------


def test_appends_of_one_turn_share_one_sync() -> None:
    world = World()
    manager = opened(world)
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    for _ in range(10):
        append(log)
    assert log.durable_end == 0
    world.scheduler.run_for(0.1)
    assert log.durable_end == 10
    assert manager.commit.sync_count == 1


def test_one_sync_in_flight_and_the_next_takes_all_that_came_meanwhile() -> None:
    world = World()
    world.setup.latency = Latency(0.01, 0.01)
    manager = opened(world)
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    for _ in range(30):
        append(log)
        world.scheduler.run_for(0.001)
    world.scheduler.run_for(1)
    assert log.durable_end == 30
    assert world.durable[0][1] == 1
    assert 3 <= manager.commit.sync_count <= 6


def test_oldest_dirty_log_is_synced_first() -> None:
    world = World()
    world.setup.latency = Latency(0.01, 0.01)
    manager = opened(world)
    logs = [manager.create("t", partition, topic_id=TOPIC_ID) for partition in range(200)]
    for log in reversed(logs):
        append(log)
    world.scheduler.run_for(5)
    assert [log.partition for log, _ in world.durable] == list(reversed(range(200)))


def test_without_ack_after_fsync_the_flush_settings_decide() -> None:
    world = World()
    manager = opened(world, config=LogConfig(ack_after_fsync=False, flush_messages=5))
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    world.scheduler.run_for(1)
    append(log)
    world.scheduler.run_for(1)
    first = log.durable_end
    for _ in range(4):
        append(log)
    world.scheduler.run_for(1)
    assert first <= 1
    for _ in range(10):
        append(log)
    world.scheduler.run_for(1)
    assert log.durable_end >= 10


def test_flush_ms_syncs_in_time() -> None:
    world = World()
    manager = opened(world, config=LogConfig(ack_after_fsync=False, flush_ms=2000))
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    append(log)
    world.scheduler.run_for(1)
    append(log)
    world.scheduler.run_for(3)
    assert log.durable_end == 2


def test_failed_sync_takes_the_directory_offline_and_is_not_retried() -> None:
    world = World()
    manager = opened(world)
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    other = manager.create("u", 0, topic_id=TOPIC_ID)
    append(log)
    world.setup.faults.append(Fault("sync", "t-0"))
    world.scheduler.run_for(1)
    assert [path for path, _ in world.offline] == ["/data"]
    count = manager.commit.sync_count
    world.scheduler.run_for(30)
    assert manager.commit.sync_count == count
    assert log.durable_end == 0
    for one in (log, other):
        with pytest.raises(AppendError) as raised:
            append(one)
        assert raised.value.code == ErrorCode.KAFKA_STORAGE_ERROR
        with pytest.raises(LogError):
            one.read(0, max_bytes=1, end_offset=1)


def test_overdue_sync_counts_as_failed() -> None:
    world = World()
    world.setup.latency = Latency(60.0, 60.0)
    manager = opened(world)
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    append(log)
    world.scheduler.run_for(9)
    assert not world.offline
    world.scheduler.run_for(3)
    assert len(world.offline) == 1
    world.scheduler.run_for(60)
    assert log.durable_end == 0, "a completion that comes too late says nothing"


def test_truncation_voids_a_sync_under_way() -> None:
    world = World()
    world.setup.latency = Latency(0.1, 0.1)
    manager = opened(world)
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    append(log, b"a")
    append(log, b"b")
    world.scheduler.run_for(0.05)
    log.truncate_to(1, now_ms=NOW)
    append(log, b"c", epoch=1)
    world.scheduler.run_for(0.06)
    assert log.durable_end <= 1
    world.scheduler.run_for(1)
    assert log.durable_end == 2
    assert read_all(log) == [(0, b"a"), (1, b"c")]


# -- checkpoints -------------------------------------------------------------------------


def test_recovery_point_is_durable_within_two_ticks_under_load() -> None:
    world = World()
    manager = opened(world)
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    for _ in range(40):
        append(log)
        world.scheduler.run_for(0.1)
        if round(world.scheduler.now * 10) % 10 == 0:
            manager.tick()
    stored = read_offsets(world.power_lost().disk, "/data/recovery-point-offset-checkpoint")
    assert stored["t", 0] >= 20


def test_idle_logs_cost_no_writes() -> None:
    world = World()
    manager = opened(world)
    for partition in range(5):
        append(manager.create("t", partition, topic_id=TOPIC_ID))
    settle(world, manager, 10)
    count = world.disk.op_count
    settle(world, manager, 60)
    assert world.disk.op_count == count
    assert not manager.log_dirs[0].moved


def test_unsynced_idle_logs_are_settled_too() -> None:
    world = World()
    manager = opened(world, config=LogConfig(ack_after_fsync=False))
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    settle(world, manager)
    append(log)
    log.high_watermark = 1
    settle(world, manager, 10)
    assert not manager.log_dirs[0].moved
    append(log)
    log.high_watermark = 2
    settle(world, manager, 10)
    assert read_offsets(world.disk, "/data/replication-offset-checkpoint") == {("t", 0): 2}


def test_delete_records_is_done_when_the_checkpoint_is_durable() -> None:
    world = World()
    manager = opened(world)
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    for _ in range(10):
        append(log)
    world.scheduler.run_for(1)
    told: list[StorageError | None] = []
    manager.delete_records(log, 4, told.append)
    assert told == []
    with pytest.raises(OffsetOutOfRange):
        manager.delete_records(log, 11, told.append)
    assert world.scheduler.run_until(lambda: bool(told), seconds_max=1)
    assert told == [None]
    world = world.power_lost()
    manager = opened(world)
    found = manager.get("t", 0)
    assert found is not None
    assert (found.log_start_offset, found.log_end_offset) == (4, 10)


def test_failed_checkpoint_fails_delete_records_and_the_directory() -> None:
    world = World()
    manager = opened(world)
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    append(log)
    world.scheduler.run_for(1)
    told: list[StorageError | None] = []
    world.setup.faults.append(Fault("sync", "log-start"))
    manager.delete_records(log, -1, told.append)
    world.scheduler.run_for(1)
    assert len(told) == 1
    assert told[0] is not None
    assert world.offline


def test_overdue_checkpoint_fails_the_directory() -> None:
    world = World()
    manager = opened(world)
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    append(log)
    world.scheduler.run_for(1)
    told: list[StorageError | None] = []
    world.setup.latency = Latency(100.0, 100.0)
    manager.delete_records(log, -1, told.append)
    settle(world, manager, 12)
    assert len(told) == 1
    assert told[0] is not None
    assert world.offline


def test_a_paused_process_takes_in_its_completions_before_it_gives_up() -> None:
    world = World()
    manager = opened(world)
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    append(log)
    world.scheduler.run_for(1)
    told: list[StorageError | None] = []
    world.setup.latency = Latency(12.5, 12.5)
    manager.delete_records(log, -1, told.append)
    world.scheduler.run_for(12)
    manager.tick()
    assert not world.offline, "the write may be long done, its answer not taken in"
    world.setup.latency = Latency(0.001, 0.001)
    settle(world, manager, 2)
    assert told == [None]


# -- directories -------------------------------------------------------------------------


def test_new_logs_go_to_the_emptiest_directory_and_a_failed_one_takes_only_its_own() -> None:
    world = World()
    manager = opened(world, dirs=("/one", "/two"))
    logs = [manager.create("t", partition, topic_id=TOPIC_ID) for partition in range(4)]
    assert [log.log_dir for log in logs] == ["/one", "/two", "/one", "/two"]
    world.setup.faults.append(Fault("write", "/two/t-1/"))
    with pytest.raises(AppendError):
        append(logs[1])
    for partition, log in enumerate(logs):
        if partition % 2:
            assert log.offline is not None
        else:
            append(log)
    world.scheduler.run_for(1)
    assert [log.durable_end for log in logs] == [1, 0, 1, 0]
    assert manager.create("t", 9, topic_id=TOPIC_ID).log_dir == "/one"
    manager.shutdown()
    assert world.disk.exists("/one/.kafka_cleanshutdown")
    assert not world.disk.exists("/two/.kafka_cleanshutdown")


@pytest.mark.parametrize("torn", [True, False])
def test_disk_full_leaves_no_corrupt_log(torn: bool) -> None:
    world = World()
    manager = opened(world)
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    append(log, b"a" * 100)
    world.scheduler.run_for(1)
    world.setup.faults.append(Fault("write", ".log", kind=DiskFull, torn=torn))
    with pytest.raises(AppendError) as raised:
        append(log, b"b" * 100)
    assert raised.value.code == ErrorCode.KAFKA_STORAGE_ERROR
    assert isinstance(world.offline[0][1], DiskFull)
    world.setup.faults.clear()
    world = world.killed()
    manager = opened(world)
    found = manager.get("t", 0)
    assert found is not None
    assert read_all(found) == [(0, b"a" * 100)]
    assert not found.suspect
    append(found, b"b")


def test_directory_that_cannot_be_read_is_reported_and_the_rest_serves() -> None:
    world = World()
    manager = opened(world, dirs=("/one", "/two"))
    for partition in range(2):
        append(manager.create("t", partition, topic_id=TOPIC_ID))
    manager.shutdown()
    world = world.killed()
    world.setup.faults.append(Fault("read", "/two/recovery-point"))
    manager = world.manager(dirs=("/one", "/two"))
    report = manager.open()
    assert [log_dir.path for log_dir in report.offline] == ["/two"]
    assert list(manager.logs) == [("t", 0)]
    world = world.killed()
    world.setup.faults.append(Fault("read", "recovery-point", times=9))
    with pytest.raises(StorageError):
        world.manager(dirs=("/one", "/two")).open()


# -- life of a log -----------------------------------------------------------------------


def test_clean_stop_and_start() -> None:
    world = World()
    manager = opened(world, config=LogConfig(segment_bytes=500))
    for partition in range(3):
        log = manager.create("t", partition, topic_id=TOPIC_ID)
        for turn in range(partition * 10):
            append(log, b"%d" % turn)
    world.scheduler.run_for(1)
    append(log, b"last")
    manager.shutdown(33)
    world = world.power_lost()
    manager = world.manager()
    report = manager.open()
    assert (report.clean, report.log_count, report.recovered_count) == (True, 3, 0)
    assert manager.log_dirs[0].clean_shutdown_epoch == 33
    for partition in range(3):
        found = manager.get("t", partition)
        assert found is not None
        assert len(read_all(found)) == partition * 10 + (partition == 2)
        assert found.topic_id == TOPIC_ID
        assert found.high_watermark == partition * 10
        assert found.durable_end == found.log_end_offset
    world = world.killed()
    assert not world.manager().open().clean, "the mark of the stop counts once"


def test_deleted_folder_is_renamed_at_once_and_removed_later() -> None:
    world = World()
    manager = opened(world)
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    append(log)
    told: list[StorageError | None] = []
    manager.delete(log, told.append)
    (name,) = [name for name in world.disk.list_folder("/data") if name.startswith("t-0")]
    assert name.endswith("-delete")
    assert manager.get("t", 0) is None
    world.scheduler.run_for(1)
    assert told == [None]
    assert not [name for name in world.disk.list_folder("/data") if name.startswith("t-0")]


def test_deletion_cut_short_is_finished_at_the_next_start() -> None:
    world = World()
    manager = opened(world)
    manager.delete(manager.create("t", 0, topic_id=TOPIC_ID))
    world = world.killed()
    manager = opened(world)
    assert not manager.logs
    world.scheduler.run_for(1)
    assert not [name for name in world.disk.list_folder("/data") if name.startswith("t-0")]


def test_recreated_topic_inherits_nothing() -> None:
    world = World()
    manager = opened(world)
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    for _ in range(20):
        append(log)
    world.scheduler.run_for(1)
    manager.delete_records(log, 15, lambda error: None)
    settle(world, manager)
    manager.delete(log)
    log = manager.create("t", 0, topic_id=bytes(16))
    append(log, b"new")
    world.scheduler.run_for(0.01)
    assert log.durable_end == 1
    world = world.power_lost()
    manager = opened(world)
    found = manager.get("t", 0)
    assert found is not None
    assert found.topic_id == bytes(16)
    assert read_all(found) == [(0, b"new")]
    assert not found.needs_acceptance


def test_partition_metadata_comes_with_the_folder() -> None:
    world = World()
    manager = opened(world)
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    assert (
        world.disk.read_file("/data/t-0/partition.metadata")
        == b"version: 0\ntopic_id: AAECAwQFBgcICQoLDA0ODw"
    )
    append(log)
    world.scheduler.run_for(1)
    assert read_partition_metadata(world.power_lost().disk, "/data/t-0") == TOPIC_ID


def test_create_twice_gives_the_same_log() -> None:
    manager = opened(World())
    assert manager.create("t", 0, topic_id=TOPIC_ID) is manager.create("t", 0, topic_id=TOPIC_ID)


# -- retention ---------------------------------------------------------------------------


def filled(world: World, config: LogConfig, count: int = 30) -> tuple[LogManager, Log]:
    manager = opened(world, config=config)
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    now = world.clock.now_ms()
    for turn in range(count):
        append(log, b"%d" % turn + b"v" * 100, timestamp=now + turn * 1000)
    world.scheduler.run_for(0.1)
    return manager, log


def test_retention_by_time_keeps_segments_with_young_records() -> None:
    world = World()
    manager, log = filled(world, LogConfig(segment_bytes=700, retention_ms=10_000))
    now = world.clock.now_ms()
    assert manager.apply_retention(log, now) == 0
    assert manager.apply_retention(log, now + 25_000) > 0
    assert 10 < log.log_start_offset <= 16
    first = log.segments[0]
    assert first.base_offset == log.log_start_offset
    assert now + 25_000 - first.largest_timestamp <= 10_100
    assert [offset for offset, _ in read_all(log)] == list(range(log.log_start_offset, 30))


def test_retention_of_everything_keeps_the_log_end() -> None:
    world = World()
    manager, log = filled(world, LogConfig(segment_bytes=700, retention_ms=10_000))
    manager.apply_retention(log, world.clock.now_ms() + 100_000)
    assert (log.log_start_offset, log.log_end_offset, log.size_bytes) == (30, 30, 0)
    world.scheduler.run_for(1)
    world = world.power_lost()
    manager = opened(world)
    found = manager.get("t", 0)
    assert found is not None
    assert found.log_end_offset == 30
    assert append(found) == 30


def test_retention_by_size_keeps_at_least_that_much() -> None:
    world = World()
    manager, log = filled(world, LogConfig(segment_bytes=700, retention_bytes=2000))
    manager.apply_retention(log, world.clock.now_ms())
    assert 2000 <= log.size_bytes < 2000 + 700
    assert log.log_start_offset == log.segments[0].base_offset


def test_nothing_above_the_watermark_is_retired() -> None:
    world = World()
    manager, log = filled(world, LogConfig(segment_bytes=700, retention_ms=1000, retention_bytes=0))
    log.high_watermark = 12
    manager.apply_retention(log, world.clock.now_ms() + 10_000_000)
    assert log.log_start_offset <= 12


def test_compacted_topics_are_not_retired() -> None:
    world = World()
    manager, log = filled(world, LogConfig(segment_bytes=700, retention_ms=1000, cleanup_policy="compact"))
    assert manager.apply_retention(log, world.clock.now_ms() + 10_000_000) == 0


def test_retired_files_are_removed_after_the_delay() -> None:
    world = World()
    config = LogConfig(segment_bytes=700, retention_bytes=1000, file_delete_delay_ms=5_000)
    manager, log = filled(world, config)
    piece = log.read(0, max_bytes=1 << 20, end_offset=30)
    assert piece is not None
    manager.apply_retention(log, world.clock.now_ms())
    assert log.log_start_offset > 0
    assert piece.read(), "a slice on its way out can still be read"
    assert any(name.endswith(".deleted") for name in world.disk.list_folder("/data/t-0"))
    settle(world, manager, 8)
    assert not any(name.endswith(".deleted") for name in world.disk.list_folder("/data/t-0"))


def test_deleted_records_free_their_segments_at_the_next_round() -> None:
    world = World()
    manager, log = filled(world, LogConfig(segment_bytes=700))
    manager.delete_records(log, 12, lambda error: None)
    count = len(log.segments)
    assert manager.apply_retention(log, world.clock.now_ms()) == count - len(log.segments) > 0
    assert log.segments[0].base_offset <= 12 == log.log_start_offset


def test_tick_runs_retention_in_slices() -> None:
    world = World()
    settings = ManagerSettings(retention_check_interval_ms=5_000)
    manager = opened(world, config=LogConfig(segment_bytes=300, retention_bytes=0), settings=settings)
    logs = [manager.create("t", partition, topic_id=TOPIC_ID) for partition in range(3)]
    for log in logs:
        for _ in range(5):
            append(log, b"v" * 100)
    settle(world, manager, 10)
    assert [log.log_start_offset for log in logs] == [5, 5, 5]


def test_tick_expires_producers() -> None:
    world = World()
    manager = opened(
        world,
        config=LogConfig(producer_id_expiration_ms=60_000),
        settings=ManagerSettings(producer_expiration_check_interval_ms=10_000),
    )
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    data, header = batch(producer_id=3, producer_epoch=0, sequence=0, timestamp=world.clock.now_ms())
    log.append_as_leader(data, header, leader_epoch=0, now_ms=NOW)
    settle(world, manager, 30)
    assert 3 in log.producers.entries
    settle(world, manager, 60)
    assert not log.producers.entries


def test_folder_of_a_deleted_topic_of_the_same_name_is_not_taken_over() -> None:
    world = World()
    manager = opened(world)
    append(manager.create("t", 0, topic_id=TOPIC_ID), b"old")
    world.scheduler.run_for(1)
    world = world.killed()
    manager = opened(world)
    log = manager.create("t", 0, topic_id=bytes(16))
    assert (log.log_end_offset, log.topic_id) == (0, bytes(16))
    append(log, b"new")
    world.scheduler.run_for(1)
    world = world.power_lost()
    manager = opened(world)
    found = manager.create("t", 0, topic_id=bytes(16))
    assert read_all(found) == [(0, b"new")]


def test_empty_log_that_lost_its_topic_id_gets_it_again() -> None:
    world = World()
    manager = opened(world)
    manager.create("t", 0, topic_id=TOPIC_ID)
    manager.shutdown()
    world.disk.open("/data/t-0/partition.metadata").truncate(0)
    world = world.killed()
    manager = opened(world)
    log = manager.create("t", 0, topic_id=TOPIC_ID)
    append(log)
    world.scheduler.run_for(1)
    assert read_partition_metadata(world.power_lost().disk, "/data/t-0") == TOPIC_ID


def test_deletion_and_shutdown_while_the_epoch_file_is_being_written() -> None:
    for stop in (False, True):
        world = World()
        world.setup.latency = Latency(0.2, 0.2)
        manager = opened(world)
        log = manager.create("t", 0, topic_id=TOPIC_ID)
        append(log, epoch=3)
        world.scheduler.run_for(0.5)
        manager.tick()
        world.scheduler.run_for(0.05)
        if stop:
            manager.shutdown()
        else:
            manager.delete(log)
        world.scheduler.run_for(5)
        if not stop:
            settle(world, manager, 20)
        assert not world.offline
    world = world.power_lost()
    manager = opened(world)
    found = manager.get("t", 0)
    assert found is not None
    assert found.recovered.clean
    assert found.epochs.entries == [(3, 0)]
