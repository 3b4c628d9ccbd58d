"""A log moves to another directory while it is written, and a power cut at any moment loses nothing."""

from __future__ import annotations

import pytest
from storage_world import World, batch, read_all

from riverlog.env import StorageError
from riverlog.sim.disk import Fault, Latency, PowerCut
from riverlog.storage import Log, LogConfig, LogManager, LogMove
from riverlog.storage import moving as moving_module

TOPIC_ID = bytes(range(16))
ONE, TWO = "/one", "/two"
CONFIG = LogConfig(segment_bytes=800, index_interval_bytes=100, file_delete_delay_ms=100)


class Life:
    """One process that moves ``t-0`` from the first directory to the second while it writes to it."""

    def __init__(
        self, world: World, *, config: LogConfig = CONFIG, dirs: tuple[str, ...] = (ONE, TWO)
    ) -> None:
        self.world = world
        self.values: list[bytes] = []
        self.durable = 0
        self.start = 0
        self.moved: list[Log | None] = []
        self.manager: LogManager = world.manager(config=config, dirs=dirs, on_durable=self._on_durable)

    def _on_durable(self, log: Log) -> None:
        self.durable = max(self.durable, log.durable_end)

    @property
    def log(self) -> Log:
        log = self.manager.get("t", 0)
        assert log is not None
        return log

    def write(self, size: int = 30) -> None:
        value = b"%d" % self.log.log_end_offset + b"." * size
        now = self.world.clock.now_ms()
        entry = self.log.producers.entries.get(9)
        sequence = 0 if entry is None else entry.last_sequence + 1
        data, header = batch([value], timestamp=now, producer_id=9, producer_epoch=0, sequence=sequence)
        self.log.append_as_leader(data, header, leader_epoch=3, now_ms=now)
        self.values.append(value)

    def begin(self) -> LogMove:
        target = self.manager.log_dirs[1]
        assert self.log.log_dir == ONE
        move = LogMove(self.manager, self.log, target, self.moved.append)
        move.start()
        return move

    def delete_records(self, before: int) -> None:
        def done(error: StorageError | None) -> None:
            assert error is None
            self.start = before

        self.manager.delete_records(self.log, before, done)

    def run(self) -> None:
        """All of it."""
        self.manager.open()
        self.manager.create("t", 0, topic_id=TOPIC_ID, log_dir=self.manager.log_dirs[0])
        for _ in range(20):
            self.write()
        self.world.scheduler.run_for(0.5)
        self.delete_records(3)
        self.world.scheduler.run_for(0.2)
        self.begin()
        turn = 0
        while not self.moved:
            self.write()
            self.world.scheduler.run_for(0.0005)
            turn += 1
            if turn == 2:
                self.delete_records(7)
            assert turn < 500
        assert self.moved[0] is self.log
        for _ in range(3):
            self.write()
        self.world.scheduler.run_for(0.3)
        self.manager.tick()
        self.world.scheduler.run_for(0.3)
        self.write()


def check(manager: LogManager, life: Life) -> Log:
    log = manager.get("t", 0)
    if log is None:
        assert life.durable == 0
        raise LookupError("nothing was durable yet")
    assert not log.needs_acceptance
    assert log.log_end_offset >= life.durable
    assert log.log_start_offset >= life.start
    assert log.log_start_offset <= 7
    expected = list(enumerate(life.values))
    assert read_all(log) == expected[log.log_start_offset : log.log_end_offset]
    return log


def folders(world: World, path: str) -> list[str]:
    return [name for name in world.disk.list_folder(path) if world.disk.is_folder(f"{path}/{name}")]


def test_log_moves_while_it_is_written() -> None:
    life = Life(World())
    life.run()
    log = check(life.manager, life)
    assert log.log_dir == TWO
    assert log.topic_id == TOPIC_ID
    assert life.manager.dir_of(log).logs == {("t", 0): log}
    assert life.manager.log_dirs[0].logs == {}
    life.world.scheduler.run_for(1)
    assert folders(life.world, ONE) == []
    assert folders(life.world, TWO) == ["t-0"]
    assert life.durable == log.log_end_offset
    # A producer that retries its last batch is still recognised.
    entry = log.producers.entries[9]
    assert entry.batches[-1][3] == log.log_end_offset - 1
    assert log.epochs.latest_epoch == 3


def test_moved_log_is_whole_after_a_clean_stop() -> None:
    world = World()
    life = Life(world)
    life.run()
    life.manager.shutdown(5)
    world = world.power_lost()
    manager = world.manager(config=CONFIG, dirs=(ONE, TWO))
    assert manager.open().clean
    assert check(manager, life).log_end_offset == len(life.values)


def operations() -> int:
    world = World()
    Life(world).run()
    return world.disk.op_count


@pytest.mark.parametrize("how", ["power", "kill"])
def test_cut_at_every_change_of_the_disk(how: str) -> None:
    checked = 0
    for cut in range(1, operations() + 1):
        world = World()
        life = Life(world)
        world.disk.cut_at = cut
        with pytest.raises(PowerCut):
            life.run()
        world = world.power_lost(cut) if how == "power" else world.killed()
        manager = world.manager(config=CONFIG, dirs=(ONE, TWO))
        manager.open()
        try:
            log = check(manager, life)
        except LookupError:
            continue
        checked += 1
        # What is written now must not lose against what the cut left in the other directory.
        del life.values[log.log_end_offset :]
        second = Life(world)
        second.manager, second.values = manager, life.values
        for _ in range(3):
            second.write()
        world.scheduler.run_for(1)
        world = world.power_lost(cut + 1)
        manager = world.manager(config=CONFIG, dirs=(TWO, ONE))
        manager.open()
        assert check(manager, life).log_end_offset == len(life.values)
        world.scheduler.run_for(1)
        names = folders(world, ONE) + folders(world, TWO)
        assert [name for name in names if not name.endswith("-stray")] == ["t-0"]
    assert checked > 50


def running(world: World, *, config: LogConfig = CONFIG, records: int = 20) -> Life:
    life = Life(world, config=config)
    life.manager.open()
    life.manager.create("t", 0, topic_id=TOPIC_ID, log_dir=life.manager.log_dirs[0])
    for _ in range(records):
        life.write()
    world.scheduler.run_for(0.5)
    return life


def test_empty_log_moves() -> None:
    life = running(World(), records=0)
    life.begin()
    life.world.scheduler.run_for(1)
    assert life.moved == [life.log]
    life.write()
    life.world.scheduler.run_for(1)
    assert check(life.manager, life).log_dir == TWO
    assert life.durable == 1


def test_nothing_is_acknowledged_that_the_copy_does_not_have() -> None:
    """While the last sync of the copy is under way, the original becomes no more durable."""
    world = World()
    world.setup.latency = Latency(0.05, 0.05)
    life = running(world)
    move = life.begin()
    original = life.log
    while not move._held:
        life.write()
        world.scheduler.run_for(0.001)
    world.scheduler.run_for(0.06)  # a sync under way ends first
    before = life.durable
    while not life.moved:
        life.write()
        world.scheduler.run_for(0.001)
        if not life.moved:
            assert life.durable == original.durable_end == before
    assert life.log.durable_end >= before
    world.scheduler.run_for(1)
    assert life.durable == len(life.values)


def test_writer_faster_than_the_rounds_does_not_stop_the_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving_module, "LAST_BYTES_MAX", 0)
    world = World()
    world.setup.latency = Latency(0.01, 0.01)
    life = running(world)
    life.begin()
    for _ in range(2000):
        life.write()
        world.scheduler.run_for(0.001)
        if life.moved:
            break
    assert life.moved == [life.log]


def test_gaps_of_compaction_and_a_start_far_from_zero_are_kept() -> None:
    world = World()
    life = running(world, records=0)
    log = life.log
    log.truncate_fully(1000, now_ms=0)
    for base in (1000, 1005, 1010):
        data, _ = batch([b"%d" % base], base_offset=base, leader_epoch=1)
        log.append_as_follower(bytes(data))
    world.scheduler.run_for(1)
    before = read_all(log)
    life.begin()
    world.scheduler.run_for(1)
    assert life.moved == [life.log]
    assert life.log.log_dir == TWO
    assert (life.log.log_start_offset, life.log.log_end_offset) == (1000, 1011)
    assert read_all(life.log) == before


def test_retention_that_overtakes_the_copy_is_followed() -> None:
    world = World()
    life = running(world, records=60)
    life.begin()
    world.scheduler.run_for(0)
    life.log.delete_first_segments(3, world.clock.now_ms())
    start = life.log.log_start_offset
    assert start > 0
    world.scheduler.run_for(1)
    assert life.moved == [life.log]
    assert life.log.log_start_offset == start
    assert len(read_all(life.log)) == 60 - start


@pytest.mark.parametrize("moment", [0.0, 0.001, 0.05])
def test_cancelled_move_leaves_the_log_where_it_is(moment: float) -> None:
    world = World()
    world.setup.latency = Latency(0.02, 0.02)
    life = running(world)
    move = life.begin()
    world.scheduler.run_for(moment)
    move.cancel()
    for _ in range(5):
        life.write()
    world.scheduler.run_for(1)
    assert life.moved == []
    assert check(life.manager, life).log_dir == ONE
    assert life.durable == len(life.values)
    assert folders(world, TWO) == []


def test_deleted_log_ends_its_move() -> None:
    world = World()
    world.setup.latency = Latency(0.02, 0.02)
    life = running(world)
    life.begin()
    world.scheduler.run_for(0.001)
    life.manager.delete(life.log)
    world.scheduler.run_for(1)
    assert life.moved == [None]
    assert folders(world, ONE) == folders(world, TWO) == []


@pytest.mark.parametrize("call", ["write", "create", "rename", "sync", "sync_folder"])
def test_target_that_fails_takes_only_itself_offline(call: str) -> None:
    failed = 0
    for skip in range(20):
        world = World()
        life = running(world)
        life.begin()
        world.setup.faults.append(Fault(call, TWO, skip=skip))
        while not life.moved:
            life.write()
            world.scheduler.run_for(0.001)
        if life.moved == [None]:
            failed += 1
            life.write()
            world.scheduler.run_for(1)
            assert [path for path, _ in world.offline] == [TWO]
            # Still there, still written to, and everything acknowledged.
            assert check(life.manager, life).log_dir == ONE
            assert life.durable == len(life.values)
            # The next start takes the right one of the two, if there are two.
            world = world.killed()
            manager = world.manager(config=CONFIG, dirs=(TWO, ONE))
            manager.open()
            assert check(manager, life).log_end_offset == len(life.values)
    assert failed >= 2


def test_source_that_fails_ends_the_move() -> None:
    world = World()
    world.setup.latency = Latency(0.02, 0.02)
    life = running(world)
    world.setup.faults.append(Fault("sync", f"{ONE}/t-0"))
    life.write()
    world.scheduler.run_for(0.001)
    life.begin()
    world.scheduler.run_for(1)
    assert life.moved == [None]
    assert [path for path, _ in world.offline] == [ONE]
    assert life.manager.log_dirs[1].is_online


def test_corrupt_batch_ends_the_move_and_is_not_copied() -> None:
    world = World()
    life = running(world)
    segment = life.log.segments[1]
    segment.file.write_at(80, b"\xff\xff")
    life.begin()
    world.scheduler.run_for(1)
    assert life.moved == [None]
    assert life.log.log_dir == ONE
    assert not world.offline
