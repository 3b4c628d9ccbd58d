"""Cutting the end of a log."""

from __future__ import annotations

import pytest
from storage_world import NOW, World, append, read_all

from riverlog.sim.disk import PowerCut
from riverlog.storage import Log, LogConfig, LogManager
from riverlog.storage.checkpoints import read_offsets

CONFIG = LogConfig(segment_bytes=600, index_interval_bytes=100)


def filled(world: World) -> tuple[LogManager, Log]:
    manager = world.manager(config=CONFIG)
    manager.open()
    log = manager.create("t", 0, topic_id=bytes(16))
    for turn in range(30):
        append(log, b"old %d" % turn + b"v" * 40, epoch=turn // 10)
        world.scheduler.run_for(0.01)
    world.scheduler.run_for(1)
    manager.tick()
    world.scheduler.run_for(1)
    manager.tick()
    world.scheduler.run_for(1)
    return manager, log


@pytest.mark.parametrize("cut", [0, 1, 7, 15, 29, 30, 31])
def test_truncate_keeps_exactly_the_prefix(cut: int) -> None:
    world = World()
    _, log = filled(world)
    before = read_all(log)
    generation = log.generation
    log.truncate_to(cut, now_ms=NOW)
    end = min(cut, 30)
    assert log.log_end_offset == end
    assert read_all(log) == before[:end]
    assert log.durable_end == end
    assert log.recovery_point <= end
    assert log.generation == generation + (cut < 30)
    assert all(start < max(end, 1) for _, start in log.epochs.entries)
    assert append(log, b"new", epoch=9) == end
    assert log.offset_for_timestamp(0) is not None


def test_truncate_inside_a_batch_drops_the_whole_batch() -> None:
    world = World()
    log = world.open()
    append(log, b"a")
    append(log, b"b", b"c", b"d")
    log.truncate_to(2, now_ms=NOW)
    assert log.log_end_offset == 1
    assert read_all(log) == [(0, b"a")]


def test_truncate_fully_starts_over() -> None:
    world = World()
    _, log = filled(world)
    log.truncate_fully(100, now_ms=NOW)
    assert (log.log_start_offset, log.log_end_offset) == (100, 100)
    assert append(log, epoch=5) == 100
    assert log.epochs.entries == [(5, 100)]


def test_stored_recovery_point_goes_down_before_the_log() -> None:
    world = World()
    _, log = filled(world)
    assert read_offsets(world.disk, "/data/recovery-point-offset-checkpoint") == {("t", 0): 30}
    log.truncate_to(12, now_ms=NOW)
    assert read_offsets(world.power_lost().disk, "/data/recovery-point-offset-checkpoint") == {("t", 0): 12}


class Rewrite:
    """Cuts a log at 13 and writes other records."""

    def __init__(self, world: World, cut_at: int) -> None:
        _, self.log = filled(world)
        self.old = read_all(self.log)
        self.new: list[tuple[int, bytes | None]] = []
        self.durable = 0
        self.world = world
        world.disk.cut_at = cut_at

    def run(self) -> None:
        self.log.truncate_to(13, now_ms=NOW)
        for turn in range(40):
            value = b"new %d" % turn + b"w" * 50
            self.new.append((self.log.log_end_offset, value))
            append(self.log, value, epoch=7)
            self.world.scheduler.run_for(0.01)
            self.durable = self.log.durable_end


def test_power_cut_during_truncation_and_rewriting() -> None:
    """Old or new records below what is durable, never a mix, never a call for the operator."""
    world = World()
    filled(world)
    start = world.disk.op_count
    for cut_at in range(start + 1, start + 60):
        world = World()
        rewrite = Rewrite(world, cut_at)
        with pytest.raises(PowerCut):
            rewrite.run()
        manager = world.power_lost(cut_at).manager(config=CONFIG)
        manager.open()
        found = manager.get("t", 0)
        assert found is not None
        assert not found.needs_acceptance
        records = read_all(found)
        both = rewrite.old[:13] + rewrite.new
        assert records in (rewrite.old[: len(records)], both[: len(records)])
        assert len(records) >= max(13, rewrite.durable)
        if rewrite.durable > 13:
            assert records == both[: len(records)]
