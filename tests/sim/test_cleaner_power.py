"""Compaction and the end of the world: the power goes, or the process dies, after every change of the disk.

Whatever is left, recovery finds a whole log in which each key has its last value, every offset names the
record it always did, and a compaction from there on ends where an undisturbed one does (invariant 20).
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence

import pytest
from compacted_log import DELETE_RETENTION_MS, CompactedLog

from riverlog.env.disk import File, SyncDone
from riverlog.records import CorruptBatch
from riverlog.sim.disk import PowerCut, Setup, SimDisk
from riverlog.sim.media import Journal, Mark, Media
from riverlog.sim.rng import SimRng
from riverlog.sim.storage import Policies
from riverlog.storage import Log, LogError

pytestmark = pytest.mark.sim

IDEMPOTENT, TRANSACTIONAL = 7, 8
TURNS = 6


def fill(one: CompactedLog) -> None:
    """A few segments: overwritten keys, tombstones, all codecs, idempotent and transactional producers."""
    for turn in range(TURNS):
        one.put([(b"k%d" % key, b"%d" % turn * 20) for key in range(turn, turn + 6)], compression=turn % 5)
        one.put([(b"p%d" % (turn % 2), b"%d" % turn * 30)], producer_id=IDEMPOTENT, sequence=turn)
        commit = turn % 2 == 0
        one.put(
            [(b"t", b"%d" % turn * 20), (b"u%d" % turn, b"x")],
            producer_id=TRANSACTIONAL,
            sequence=2 * turn,
            transactional=True,
            aborted=not commit,
        )
        one.end(TRANSACTIONAL, commit=commit)
        one.put([(b"k%d" % turn, None), (b"d%d" % turn, None)])
        one.settle(0.5)
    one.log.roll(0)
    one.put([(b"active", b"1")])
    one.settle(3.0)


class Run:
    """One undisturbed run on a journalled disk: fill and compact, or also grow old and compact again."""

    def __init__(self, *, rounds: int, policies: Policies | None = None) -> None:
        self.journal = Journal()
        one = CompactedLog(setup=Setup(journal=self.journal), policies=policies)
        fill(one)
        if rounds == 2:
            one.clean()
            one.settle(DELETE_RETENTION_MS / 1000)
            one.put([(b"late", b"1")])
            one.log.roll(0)
            one.put([(b"active", b"2")])
            one.settle(3.0)
        self.first_op = len(self.journal.ops)
        self.before = one.offsets()
        one.clean()
        self.after = one.offsets()
        self.one = one
        self.tombstones = rounds == 1

    def cuts(self) -> Iterator[tuple[int, Media]]:
        """The last compaction, after each change: the number of the change, and the medium."""
        for number, op, media in self.journal.cuts():
            if number > self.first_op and not isinstance(op, Mark):
                yield number, media

    def check(self, other: CompactedLog) -> None:
        assert other.log.log_end_offset == self.one.log.log_end_offset
        other.check(tombstones=self.tombstones)
        check_producers(other.log)


def check_producers(log: Log) -> None:
    """Everyone's last sequence is known, and no transaction is open."""
    entries = log.producers.entries
    assert entries[IDEMPOTENT].last_sequence == TURNS - 1
    assert entries[TRANSACTIONAL].last_sequence == 2 * TURNS - 1
    assert entries[TRANSACTIONAL].txn_first_offset == -1
    assert log.last_stable_offset == log.log_end_offset


@pytest.fixture(scope="module", params=[1, 2], ids=["first", "second"])
def run(request: pytest.FixtureRequest) -> Run:
    return Run(rounds=request.param)


def test_undisturbed_run_compacts(run: Run) -> None:
    run.check(run.one)
    assert len(run.after) < len(run.before)
    assert len(list(run.cuts())) > 60
    live = {offset for offset, value in run.one.last().values() if value is not None}
    gone = {offset for offset, value in run.one.last().values() if value is None} - set(run.after)
    assert live <= set(run.after)
    assert bool(gone) != run.tombstones


def test_batches_alone_tell_all_about_the_producers(run: Run) -> None:
    """Snapshots get lost; then the emptied batches and the markers that stayed are what is left."""
    rebuilt = run.one.rebuilt()
    assert not rebuilt.suspect
    assert rebuilt.log_end_offset == run.one.log.log_end_offset
    check_producers(rebuilt)


def test_power_cut_after_every_change(run: Run) -> None:
    for number, media in run.cuts():
        for seed in range(3):
            other = run.one.reopened(media.power_loss(SimRng(f"{number} {seed}")))
            run.check(other)


def test_kill_after_every_change_and_compaction_goes_on(run: Run) -> None:
    """The page cache stays; what comes out in the end is what an undisturbed run leaves, and stays so."""
    for number, media in run.cuts():
        if number % 4:
            continue
        left = copy.deepcopy(media)
        left.process_death()
        other = run.one.reopened(left)
        run.check(other)
        other.clean()
        run.check(other)
        assert other.offsets() == run.after
        other.kill()
        other.clean()
        assert other.offsets() == run.after


def test_power_cut_in_the_recovery_after_a_power_cut(run: Run) -> None:
    """Finishing or dropping a swap is itself interrupted, at every change it makes."""
    interrupted = 0
    for number, media in run.cuts():
        if not any(path.endswith((".swap", ".cleaned")) for path, _ in media.files()):
            continue
        first = media.power_loss(SimRng(f"first {number}"))
        for cut_at in range(1, 14, 2):
            again = copy.deepcopy(first)
            try:
                run.one.reopened(again, cut_at=cut_at)
            except PowerCut:
                interrupted += 1
            run.check(run.one.reopened(again.power_loss(SimRng(f"second {number} {cut_at}"))))
    assert interrupted > 50


class CleanedWithoutSync(SimDisk):
    """A bug on purpose: the new segment is swapped in before its content is on disk."""

    def submit_sync(self, files: Sequence[File], folders: Sequence[str], done: SyncDone) -> None:
        super().submit_sync([file for file in files if not file.path.endswith(".cleaned")], folders, done)


def test_forgotten_sync_is_noticed() -> None:
    planted = Run(rounds=1, policies=Policies(disk=CleanedWithoutSync))
    with pytest.raises((AssertionError, CorruptBatch, LogError)):
        test_power_cut_after_every_change(planted)
