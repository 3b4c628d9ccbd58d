"""Power cut at every change of the disk: nothing that was reported durable may be missing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from storage_world import World, batch, read_all

from riverlog.sim.disk import PowerCut
from riverlog.storage import Log, LogConfig, LogManager
from riverlog.storage.names import TopicPartition

CONFIG = LogConfig(
    segment_bytes=600, index_interval_bytes=100, retention_ms=20_000, file_delete_delay_ms=2_000
)

LARGE = replace(CONFIG, segment_bytes=20_000, index_interval_bytes=4096)


@dataclass
class Promises:
    """What the outside world was told: per topic id, records and how far they are durable."""

    values: dict[bytes, list[bytes]] = field(default_factory=dict)
    durable: dict[bytes, int] = field(default_factory=dict)
    start: dict[bytes, int] = field(default_factory=dict)
    asked_start: dict[bytes, int] = field(default_factory=dict)
    retained: dict[bytes, int] = field(default_factory=dict)
    live: dict[TopicPartition, bytes] = field(default_factory=dict)
    shutdowns: int = 0


class Workload:
    """A short life of a broker's storage: create, append, roll, delete records, retire, recreate, restart."""

    def __init__(self, world: World, promises: Promises, generation: int) -> None:
        self.world = world
        self.promises = promises
        self.generation = generation
        self.epoch = generation
        self.value_bytes_max = 3000 if world.seed % 2 else 60
        self.config = CONFIG if world.seed % 2 == 0 else LARGE
        self.manager: LogManager = world.manager(config=self.config, on_durable=self._on_durable)

    def _on_durable(self, log: Log) -> None:
        topic_id = log.topic_id
        assert topic_id is not None
        self.promises.durable[topic_id] = max(self.promises.durable.get(topic_id, 0), log.durable_end)

    def run(self) -> None:
        self.manager.open()
        for name in ("a", "b"):
            self._create(name)
        for turn in range(14):
            self._append("a", turn)
            if turn % 3 == 0:
                self._append("b", turn)
            self.world.scheduler.run_for(0.001 if turn % 2 else 0.4)
            self.manager.tick()
            if turn == 6:
                self._delete_records("a", 4)
            if turn == 9:
                self._recreate("b")
            if turn == 11:
                self._retire("a")
        self.manager.shutdown(5)
        self.promises.shutdowns += 1

    def _create(self, name: str) -> None:
        promises = self.promises
        if (name, 0) in promises.live:
            return
        topic_id = bytes([len(promises.values)]) * 16
        promises.values[topic_id] = []
        promises.live[name, 0] = topic_id
        self.manager.create(name, 0, topic_id=topic_id)

    def _append(self, name: str, turn: int) -> None:
        log = self.manager.get(name, 0) or self.manager.create(name, 0, topic_id=self.promises.live[name, 0])
        values = self.promises.values[self.promises.live[name, 0]]
        del values[log.log_end_offset :]
        value = b"%d/%d/%d" % (self.generation, turn, log.log_end_offset)
        value += b"." * self.world.rng.random_int(0, self.value_bytes_max)
        now = self.world.clock.now_ms()
        entry = log.producers.entries.get(9)
        sequence = 0 if entry is None or entry.producer_epoch != self.epoch else entry.last_sequence + 1
        data, header = batch(
            [value, value + b"!"],
            timestamp=now,
            producer_id=9,
            producer_epoch=self.epoch,
            sequence=sequence,
        )
        values += [value, value + b"!"]
        log.append_as_leader(data, header, leader_epoch=self.epoch, now_ms=now)

    def _delete_records(self, name: str, before: int) -> None:
        log = self.manager.get(name, 0)
        assert log is not None
        before = min(before, log.high_watermark)
        topic_id = self.promises.live[name, 0]
        self.promises.asked_start[topic_id] = max(before, self.promises.asked_start.get(topic_id, 0))

        def done(error: object) -> None:
            assert error is None
            self.promises.start[topic_id] = max(before, self.promises.start.get(topic_id, 0))

        self.manager.delete_records(log, before, done)

    def _recreate(self, name: str) -> None:
        log = self.manager.get(name, 0)
        assert log is not None
        del self.promises.live[name, 0]
        self.manager.delete(log)
        self._create(name)

    def _retire(self, name: str) -> None:
        log = self.manager.get(name, 0)
        assert log is not None
        self.promises.retained[self.promises.live[name, 0]] = log.high_watermark
        self.manager.apply_retention(log, self.world.clock.now_ms() + 20_500)


def check(manager: LogManager, promises: Promises) -> None:
    for key, topic_id in promises.live.items():
        log = manager.get(*key)
        durable = promises.durable.get(topic_id, 0)
        if log is None or log.topic_id != topic_id:
            # The folder of a new topic may not have survived, but then nothing in it was durable.
            assert durable == 0, f"{key} lost with {durable} durable records"
            continue
        assert not log.needs_acceptance, "a power cut alone never asks for the operator"
        assert log.log_end_offset >= durable
        assert log.durable_end == log.log_end_offset
        assert log.log_start_offset >= promises.start.get(topic_id, 0)
        start_max = max(promises.asked_start.get(topic_id, 0), promises.retained.get(topic_id, 0))
        assert log.log_start_offset <= start_max
        expected = list(enumerate(promises.values[topic_id]))
        found = read_all(log)
        assert found == expected[log.log_start_offset : log.log_end_offset]
        for offset in range(log.log_start_offset, log.log_end_offset):
            piece = log.read(offset, max_bytes=1, end_offset=log.log_end_offset)
            assert piece is not None
            assert int.from_bytes(piece.read()[:8], "big") <= offset
        for epoch, start_offset in log.epochs.entries:
            assert start_offset <= log.log_end_offset, (epoch, start_offset)
        check_producer(log)


def check_producer(log: Log) -> None:
    """The last batches in the log are the ones that a retry would be recognised by."""
    batches = [header for segment in log.segments for _, header in segment.headers()]
    entry = log.producers.entries.get(9)
    if batches:
        assert entry is not None
        last = batches[-1]
        assert entry.producer_epoch == last.producer_epoch
        assert entry.batches[-1][:4] == (
            last.base_sequence,
            last.last_sequence,
            last.base_offset,
            last.last_offset,
        )


def ops_of_a_life(seed: int) -> int:
    world = World(seed=seed)
    Workload(world, Promises(), 1).run()
    return world.disk.op_count


def live_until(world: World, promises: Promises, cut_at: int, generation: int) -> None:
    world.disk.cut_at = cut_at
    with pytest.raises(PowerCut):
        Workload(world, promises, generation).run()


def reset_lost(manager: LogManager, promises: Promises) -> None:
    """Forget topics whose folder did not survive, and records that did not."""
    for key, topic_id in list(promises.live.items()):
        log = manager.get(*key)
        if log is None or log.topic_id != topic_id:
            if log is not None:
                manager.delete(log)
            del promises.live[key]
        else:
            del promises.values[topic_id][log.log_end_offset :]


@pytest.mark.parametrize("seed", range(4))
def test_power_cut_at_every_change(seed: int) -> None:
    for cut in range(1, ops_of_a_life(seed) + 1):
        world = World(seed=seed)
        promises = Promises()
        live_until(world, promises, cut, 1)
        world = world.power_lost(seed * 100_000 + cut)
        manager = world.manager(config=CONFIG)
        manager.open()
        check(manager, promises)


@pytest.mark.parametrize("seed", [10, 11])
def test_second_life_after_a_cut_is_as_safe(seed: int) -> None:
    total = ops_of_a_life(seed)
    for cut in range(5, total, 7):
        world = World(seed=seed)
        promises = Promises()
        live_until(world, promises, cut, 1)
        world = world.power_lost(cut)
        manager = world.manager(config=CONFIG)
        manager.open()
        check(manager, promises)
        reset_lost(manager, promises)
        world.scheduler.run_for(1)
        world.disk.kill()
        world.clock.kill()
        second = World(world.media, seed=seed)
        live_until(second, promises, (cut * 13) % (total // 2) + 20, 2)
        third = second.power_lost(cut + 7)
        manager = third.manager(config=CONFIG)
        manager.open()
        check(manager, promises)


@pytest.mark.parametrize("seed", [20, 21])
def test_kill_at_every_change_keeps_what_was_appended(seed: int) -> None:
    for cut in range(3, ops_of_a_life(seed), 3):
        world = World(seed=seed)
        promises = Promises()
        live_until(world, promises, cut, 1)
        world = world.killed()
        manager = world.manager(config=CONFIG)
        manager.open()
        check(manager, promises)
        for log in manager.logs.values():
            assert not log.suspect


def test_power_cut_after_a_clean_stop_changes_nothing() -> None:
    for seed in range(6):
        world = World(seed=seed)
        promises = Promises()
        Workload(world, promises, 1).run()
        world = world.power_lost(seed)
        manager = world.manager(config=CONFIG)
        report = manager.open()
        assert report.clean
        assert report.recovered_count == 0
        check(manager, promises)
        for topic_id in promises.live.values():
            (log,) = [log for log in manager.logs.values() if log.topic_id == topic_id]
            assert log.log_end_offset == len(promises.values[topic_id])
