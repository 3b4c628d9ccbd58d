"""How a compaction runs: bounded, throttled, abortable, and honest about what it cannot do."""

from __future__ import annotations

import pytest
from cleaner_world import FOLDER, HOUR_MS, KEY, Compacted, compacted
from storage_world import World

from riverlog.sim.clock import SimClock
from riverlog.sim.disk import Fault, Setup
from riverlog.storage import CleanerSettings
from riverlog.storage.checkpoints import parse_offsets
from riverlog.storage.names import CLEANER_CHECKPOINT


def filled(config: object = None, settings: CleanerSettings | None = None) -> Compacted:
    """Ten closed segments with few keys."""
    one = Compacted(config or compacted(segment_bytes=700), settings)  # type: ignore[arg-type]
    for number in range(10):
        one.put([(b"k%d" % (number * 4 + slot), b"x" * 100) for slot in range(4)], roll=True)
    for number in range(10):
        one.put([(b"k%d" % number, b"y" * 100)], roll=True)
    one.settle()
    return one


def run_until_named(one: Compacted, suffix: str) -> None:
    """Start a run and stop looking when files with this suffix are there."""
    one.manager.cleaner.start()
    assert one.world.scheduler.run_until(lambda: bool(one.names(suffix)), seconds_max=60.0)


# -- the checkpoint ------------------------------------------------------------------------------


def test_checkpoint_is_kafkas_file_and_outlives_a_restart() -> None:
    one = filled()
    one.clean()
    data = one.world.disk.read_file(f"/data/{CLEANER_CHECKPOINT}")
    assert data == b"0\n1\nt 0 50\n"
    one.restart()
    assert one.first_dirty == 50
    assert parse_offsets(data) == {KEY: 50}
    one.manager.cleaner.start()
    one.world.scheduler.run_for(5.0)
    assert one.manager.cleaner.totals.runs == 0


def test_checkpoint_past_the_log_end_is_void() -> None:
    one = filled()
    one.clean()
    offsets = one.manager.dir_of(one.log).cleaner_offsets
    offsets.set(KEY, 1000)
    offsets.write_now()
    one.restart()
    assert one.first_dirty is None
    assert parse_offsets(one.world.disk.read_file(f"/data/{CLEANER_CHECKPOINT}")) == {}


def test_checkpoint_before_the_log_start_is_void() -> None:
    one = filled()
    one.manager.dir_of(one.log).cleaner_offsets.set(KEY, 3)
    one.log.delete_records(8)
    one.clean()
    assert one.first_dirty == 50


def test_truncation_lowers_the_checkpoint_durably() -> None:
    one = filled()
    one.clean()
    one.log.truncate_to(45, now_ms=one.now_ms)
    assert parse_offsets(one.world.disk.read_file(f"/data/{CLEANER_CHECKPOINT}")) == {KEY: 45}


def test_deleted_log_takes_its_checkpoint_along() -> None:
    one = filled()
    one.clean()
    one.manager.delete(one.log)
    one.world.scheduler.run_for(2.0)
    one.manager.create(*KEY, topic_id=b"fedcba9876543210")
    assert one.first_dirty is None


# -- abort ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".log.cleaned", ".log.swap", ".log.deleted"])
def test_truncation_takes_back_a_run(suffix: str) -> None:
    one = filled()
    run_until_named(one, suffix)
    assert one.manager.cleaner.is_cleaning(one.log)
    one.log.truncate_to(45, now_ms=one.now_ms)
    assert not one.manager.cleaner.is_cleaning(one.log)
    assert one.names(".cleaned") == one.names(".swap") == []
    values = {key: value for _, key, value in one.pairs()}
    one.world.scheduler.run_for(30.0)
    one.restart()
    assert {key: value for _, key, value in one.pairs()} == values
    assert one.log.log_end_offset == 45
    one.clean()
    assert {key: value for _, key, value in one.pairs()} == values


@pytest.mark.parametrize("suffix", [".log.cleaned", ".log.swap", ".log.deleted"])
def test_deletion_takes_back_a_run(suffix: str) -> None:
    one = filled()
    run_until_named(one, suffix)
    one.manager.delete(one.log)
    assert one.manager.cleaner.is_idle
    one.world.scheduler.run_for(120.0)
    one.manager.tick()
    one.world.scheduler.run_for(30.0)
    assert one.world.offline == []
    assert not one.world.disk.exists(FOLDER)


@pytest.mark.parametrize("suffix", [".log.cleaned", ".log.swap", ".log.deleted"])
def test_clean_stop_in_the_middle(suffix: str) -> None:
    one = filled()
    values = {key: value for _, key, value in one.pairs()}
    run_until_named(one, suffix)
    one.restart(clean=True)
    assert one.log.recovered.clean
    assert {key: value for _, key, value in one.pairs()} == values
    assert one.names(".cleaned") == one.names(".swap") == one.names(".deleted") == []


def test_retention_waits_for_a_run() -> None:
    one = filled(compacted(cleanup_policy="compact,delete", retention_ms=HOUR_MS, segment_bytes=700))
    run_until_named(one, ".log.cleaned")
    assert one.manager.apply_retention(one.log, one.now_ms + 2 * HOUR_MS) == 0
    assert one.world.scheduler.run_until(lambda: one.manager.cleaner.is_idle, seconds_max=60.0)
    assert one.manager.apply_retention(one.log, one.now_ms + 2 * HOUR_MS) > 0


# -- readers -------------------------------------------------------------------------------------


def test_reader_of_a_replaced_segment_goes_on_reading() -> None:
    one = filled()
    piece = one.log.read(0, max_bytes=1 << 20, end_offset=50)
    assert piece is not None
    before = piece.read()
    one.clean()
    assert piece.read() == before
    assert one.names(".deleted")
    one.world.scheduler.run_for(61.0)
    one.manager.tick()
    one.world.scheduler.run_for(1.0)
    assert one.names(".deleted") == []


def test_every_offset_reads_on_after_compaction() -> None:
    one = filled()
    one.clean()
    kept = [offset for offset, _, _ in one.pairs()]
    for offset in range(50):
        piece = one.log.read(offset, max_bytes=1, end_offset=50)
        if piece is None:
            assert all(other < offset for other in kept)
        else:
            assert piece.read()


# -- bounds --------------------------------------------------------------------------------------


class SlowClock(SimClock):
    """Each look at it takes a millisecond, so that a slice is over after a few pieces of work."""

    looks = 0

    def monotonic(self) -> float:
        self.looks += 1
        return super().monotonic() + self.looks / 1000


def test_a_step_ends_when_its_time_is_over() -> None:
    world = World()
    world.clock = SlowClock(world.scheduler)
    one = Compacted(world=world)
    for number in range(300):
        one.put([(b"k%d" % number, b"x")])
    one.put([(b"n%d" % number, b"x") for number in range(3000)], roll=True)
    one.settle()
    ran = world.scheduler.ran
    one.manager.cleaner.start()
    assert world.scheduler.run_until(lambda: one.manager.cleaner.is_idle, seconds_max=60.0)
    assert one.manager.cleaner.totals.runs == 1
    assert world.scheduler.ran - ran > 200


def test_io_is_throttled() -> None:
    one = filled(settings=CleanerSettings(io_max_bytes_per_second=1000.0))
    start = one.world.scheduler.now
    one.manager.cleaner.start()
    assert one.world.scheduler.run_until(lambda: one.manager.cleaner.is_idle, seconds_max=600.0)
    last = one.manager.cleaner.totals.last_run
    assert last is not None
    assert one.world.scheduler.now - start >= last.io_bytes / 1000 - 2.0


def test_map_too_small_for_all_keys_takes_several_rounds() -> None:
    settings = CleanerSettings(dedupe_buffer_size=31 * 24, io_buffer_load_factor=0.5)
    one = filled(settings=settings)
    expected = {key: value for _, key, value in one.pairs()}
    one.clean()
    assert one.manager.cleaner.totals.runs > 1
    assert one.first_dirty == 50
    found = one.pairs()
    assert {key: value for _, key, value in found} == expected
    assert len(found) == len(expected)


def test_map_too_small_for_a_batch_gives_up_and_says_so() -> None:
    settings = CleanerSettings(dedupe_buffer_size=24, io_buffer_load_factor=0.1)
    one = Compacted(settings=settings)
    one.put([(b"k%d" % number, b"x") for number in range(50)], roll=True)
    before = one.pairs()
    one.clean()
    assert "dedupe.buffer" in one.manager.cleaner.uncleanable[KEY]
    assert one.pairs() == before


def test_dirtiest_log_comes_first() -> None:
    one = Compacted(compacted(min_cleanable_dirty_ratio=0.1))
    other = one.manager.create("u", 0, topic_id=b"u123456789abcdef")
    order: list[str] = []
    report = one.manager.cleaner._on_cleaned
    one.manager.cleaner._on_cleaned = lambda log: (order.append(log.topic), report(log))[1]
    one.put([(b"a", b"x" * 500), (b"b", b"x" * 500)], roll=True)
    one.clean()
    one.put([(b"a", b"y" * 500)], roll=True)
    log = one.log
    one.manager.logs[KEY] = other
    one.put([(b"a", b"x")], roll=True)
    one.manager.logs[KEY] = log
    one.clean()
    assert order == ["t", "u", "t"]


# -- trouble -------------------------------------------------------------------------------------


def test_corrupt_batch_makes_the_log_uncleanable_and_is_not_repaired_by_accident() -> None:
    one = filled()
    file = one.log.segments[3].file
    byte = file.read(100, 1)[0]
    file.write_at(100, bytes([byte ^ 1]))
    before = {name: one.world.disk.read_file(f"{FOLDER}/{name}") for name in one.names(".log")}
    one.manager.cleaner.start()
    one.world.scheduler.run_for(30.0)
    assert "CRC" in one.manager.cleaner.uncleanable[KEY]
    assert {name: one.world.disk.read_file(f"{FOLDER}/{name}") for name in one.names(".log")} == before
    assert one.names(".cleaned") == []
    assert one.world.offline == []


@pytest.mark.parametrize("call", ["write", "sync", "sync_folder", "rename", "create"])
def test_failing_disk_takes_the_directory_offline_and_nothing_is_lost(call: str) -> None:
    one = filled()
    values = {key: value for _, key, value in one.pairs()}
    path = ".cleaned" if call in ("write", "create", "sync") else "t-0"
    one.world.disk.setup.faults.append(Fault(call, path))
    one.manager.cleaner.start()
    one.world.scheduler.run_for(60.0)
    assert [path for path, _ in one.world.offline] == ["/data"]
    assert one.manager.cleaner.is_idle
    one.world.setup = Setup()
    one.restart()
    assert {key: value for _, key, value in one.pairs()} == values
    one.clean()
    assert {key: value for _, key, value in one.pairs()} == values


# -- what a stop leaves --------------------------------------------------------------------------


def test_cleaned_files_are_dropped_at_the_next_start() -> None:
    one = filled()
    before = one.pairs()
    run_until_named(one, ".index.cleaned")
    one.restart()
    assert one.names(".cleaned") == []
    assert one.pairs() == before


def test_swap_is_finished_at_the_next_start() -> None:
    one = filled()
    values = {key: value for _, key, value in one.pairs()}
    count = len(one.pairs())
    run_until_named(one, ".timeindex.swap")
    one.restart()
    assert one.names(".swap") == []
    assert {key: value for _, key, value in one.pairs()} == values
    assert len(one.pairs()) < count


def test_swap_without_all_its_files_is_dropped() -> None:
    """Renaming to ``.swap`` had begun: the log file went first."""
    one = filled()
    before = one.pairs()
    run_until_named(one, ".timeindex.swap")
    name = one.names(".timeindex.swap")[0]
    one.world.disk.rename(f"{FOLDER}/{name}", f"{FOLDER}/{name.removesuffix('.swap')}.cleaned")
    one.restart()
    assert one.names(".swap") == one.names(".cleaned") == []
    assert one.pairs() == before
