"""Producers, markers, cuts and restarts in random order: the log says what a list of batches says."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest
from storage_world import NOW, World, batch, sync

from riverlog.storage import AppendError, Log, LogConfig

SEEDS = 60
STEPS = 150
WEIGHTS = {
    "data": 10,
    "marker": 8,
    "watermark": 6,
    "sync": 2,
    "truncate": 1,
    "kill": 1,
    "power": 0.5,
    "stop": 0.5,
    "front": 0.3,
}
CONFIG = LogConfig(segment_bytes=600, index_interval_bytes=150)


class Entry(NamedTuple):
    """One batch of the model."""

    first: int
    last: int
    producer_id: int
    epoch: int
    sequence: int
    kind: str
    """``data``, ``txn``, ``commit`` or ``abort``."""


class Transaction(NamedTuple):
    producer_id: int
    first: int
    marker: int | None
    aborted: bool


class Model:
    def __init__(self) -> None:
        self.batches: list[Entry] = []
        self.reloaded_at = 0
        """Below this a log may have forgotten that a marker was not replicated when it restarted."""

    @property
    def end(self) -> int:
        return self.batches[-1].last + 1 if self.batches else 0

    def cut(self, offset: int) -> None:
        self.batches = [entry for entry in self.batches if entry.last < offset]
        self.reloaded_at = self.end

    def transactions(self) -> list[Transaction]:
        opened: dict[int, int] = {}
        found = []
        for entry in self.batches:
            if entry.kind == "txn":
                opened.setdefault(entry.producer_id, entry.first)
            elif entry.kind in ("commit", "abort") and entry.producer_id in opened:
                first = opened.pop(entry.producer_id)
                found.append(Transaction(entry.producer_id, first, entry.first, entry.kind == "abort"))
        return found + [Transaction(producer_id, first, None, False) for producer_id, first in opened.items()]

    def last_stable_offsets(self, high_watermark: int, log_start: int) -> tuple[int, int]:
        """The strict one, and the one after a restart: markers that are here are taken as replicated."""
        strict = lenient = high_watermark
        for one in self.transactions():
            if one.marker is None:
                strict, lenient = min(strict, one.first), min(lenient, one.first)
            elif one.marker >= high_watermark:
                strict = min(strict, one.first)
                if one.marker >= self.reloaded_at:
                    lenient = min(lenient, one.first)
        return max(strict, log_start), max(lenient, log_start)

    def aborted(self, start: int, end: int) -> list[tuple[int, int, int]]:
        return sorted(
            (one.producer_id, one.first, one.marker)
            for one in self.transactions()
            if one.aborted and one.marker is not None and one.marker >= start and one.first < end
        )

    def producers(self) -> dict[int, tuple[int, int, int]]:
        """Epoch, last sequence, where the open transaction began."""
        found: dict[int, tuple[int, int, int]] = {}
        for entry in self.batches:
            epoch, sequence, opened = found.get(entry.producer_id, (-1, -1, -1))
            if entry.kind in ("commit", "abort"):
                found[entry.producer_id] = entry.epoch, sequence if entry.epoch == epoch else -1, -1
            else:
                if entry.kind == "txn" and opened < 0:
                    opened = entry.first
                found[entry.producer_id] = entry.epoch, entry.sequence + entry.last - entry.first, opened
        return found


class Run:
    """One log and its model through one random life."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.world = World(seed=seed)
        self.world.disk.make_folder("/data")
        self.world.disk.sync_folder("/")
        self.log: Log = self.world.open(CONFIG)
        self.model = Model()
        self.lost_front = False

    def step(self) -> None:
        (name,) = self.random.choices(list(WEIGHTS), list(WEIGHTS.values()))
        getattr(self, f"_on_{name}")()
        self.check()

    def _on_data(self) -> None:
        producer_id = self.random.randrange(4)
        epoch, sequence, opened = self.model.producers().get(producer_id, (0, -1, -1))
        transactional = opened >= 0 or self.random.random() < 0.7
        count = self.random.randrange(1, 4)
        data, header = batch(
            [b"v"] * count,
            producer_id=producer_id,
            producer_epoch=epoch,
            sequence=sequence + 1,
            transactional=transactional,
        )
        guard = None
        if transactional:
            guard = self.log.begin_verification(producer_id, epoch, sequence + 1, starts_at_zero=False)
            assert (guard is None) == (opened >= 0)
        info = self.log.append_as_leader(data, header, leader_epoch=0, now_ms=NOW, guard=guard)
        assert not info.duplicate
        self.model.batches.append(
            Entry(
                info.first_offset,
                info.last_offset,
                producer_id,
                epoch,
                sequence + 1,
                "txn" if transactional else "data",
            )
        )

    def _on_marker(self) -> None:
        producer_id = self.random.randrange(4)
        version = self.random.choice([1, 2])
        known = self.model.producers().get(producer_id)
        epoch, _, opened = known or (0, -1, -1)
        bump = version == 2 and self.random.random() < 0.8
        committed = self.random.random() < 0.5
        may_be_late = version == 2 and not bump and opened >= 0
        try:
            info = self.log.append_marker(
                producer_id,
                epoch + bump,
                coordinator_epoch=0,
                committed=committed,
                transaction_version=version,
                leader_epoch=0,
                now_ms=NOW,
            )
        except AppendError:
            assert may_be_late
            return
        assert not may_be_late
        if not info.duplicate:
            kind = "commit" if committed else "abort"
            self.model.batches.append(
                Entry(info.first_offset, info.last_offset, producer_id, epoch + bump, -1, kind)
            )
        else:
            assert opened < 0

    def _on_watermark(self) -> None:
        log = self.log
        log.high_watermark = self.random.randint(log.high_watermark, log.log_end_offset)

    def _on_sync(self) -> None:
        sync(self.log, self.world)

    def _on_truncate(self) -> None:
        log = self.log
        if log.log_end_offset > log.high_watermark:
            log.truncate_to(self.random.randint(log.high_watermark, log.log_end_offset - 1), now_ms=NOW)
            self._follow()

    def _on_kill(self) -> None:
        self._reopen(self.world.killed(), clean=False)

    def _on_power(self) -> None:
        self._reopen(self.world.power_lost(self.random.randrange(1000)), clean=False)

    def _on_stop(self) -> None:
        files, folders = self.log.prepare_close()
        self.world.disk.sync(files)
        for folder in folders:
            self.world.disk.sync_folder(folder)
        self.log.closed()
        self._reopen(self.world.killed(), clean=True)

    def _on_front(self) -> None:
        log = self.log
        if len(log.segments) > 2 and log.high_watermark >= log.segments[1].base_offset:
            sync(log, self.world)
            log.delete_first_segments(1, NOW)
            sync(log, self.world)
            self.lost_front = True

    def _reopen(self, world: World, *, clean: bool) -> None:
        old = self.log
        self.world = world
        self.log = world.open(
            CONFIG,
            recovery_point=old.recovery_point,
            log_start_offset=old.log_start_offset,
            clean_shutdown=clean,
        )
        self.log.high_watermark = min(old.high_watermark, self.log.log_end_offset)
        self._follow()

    def _follow(self) -> None:
        self.model.cut(self.log.log_end_offset)
        assert self.log.log_end_offset in (self.model.end, self.log.log_start_offset)

    def check(self) -> None:
        log, model = self.log, self.model
        start = log.log_start_offset
        strict, lenient = model.last_stable_offsets(log.high_watermark, start)
        assert strict <= min(log.high_watermark, log.last_stable_offset) <= lenient
        low = self.random.randint(start, log.log_end_offset)
        high = self.random.randint(low, log.log_end_offset)
        found = log.aborted_transactions(low, high)
        assert sorted(one[:3] for one in found) == model.aborted(low, high)
        if not self.lost_front:
            states = {
                state.producer_id: (state.producer_epoch, state.last_sequence, state.txn_first_offset)
                for state in log.producer_states()
            }
            assert states == model.producers()


@pytest.mark.parametrize("seed", range(SEEDS))
def test_log_says_what_its_batches_say(seed: int) -> None:
    run = Run(seed)
    for _ in range(STEPS):
        run.step()
