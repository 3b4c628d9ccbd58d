"""Log compaction: the last value of each key stays, tombstones for a while, offsets for ever.

One log at a time, the dirtiest first, in steps of a few milliseconds between which the loop runs. What a
step may have half done is taken back on ``abort``, or finished or dropped at the next start
(``leftovers.py``).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass

from riverlog.env import Clock, Disk, File, StorageError, Timer
from riverlog.env.disk import SyncDone
from riverlog.records import CorruptBatch
from riverlog.storage.cleaner_run import CleanerSettings, Cleaning, CleaningStats, Step, Sync, Uncleanable
from riverlog.storage.cleaner_select import Candidate, examine
from riverlog.storage.errors import LogError
from riverlog.storage.log import Log
from riverlog.storage.logdir import OffsetCheckpoint
from riverlog.storage.names import TopicPartition

logger = logging.getLogger("riverlog.storage")

SLICE_SECONDS = 0.002
"""A step begins no more work after this long; single pieces of work are shorter still."""
PIECES_PER_SLICE = 200
LOGS_PER_PIECE = 10
"""Logs looked at in one piece of work while the dirtiest is searched."""
CREDIT_SECONDS = 1.0
"""How much unused IO allowance is carried on."""

SubmitSync = Callable[[Log, list[File], list[str], Callable[[], bool], SyncDone], None]
"""Log, files and folders; whether the run still waits for it, without which an error means nothing: the
files of an aborted run are gone; and whom to tell."""


@dataclass(slots=True)
class CleanerTotals:
    """Since the start, for metrics."""

    runs: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    records_in: int = 0
    records_out: int = 0
    dirtiest_ratio: float = 0.0
    """Of the logs looked at last time."""
    last_run: CleaningStats | None = None
    last_run_seconds: float = 0.0

    def add(self, stats: CleaningStats, seconds: float) -> None:
        self.runs += 1
        self.bytes_in += stats.bytes_in
        self.bytes_out += stats.bytes_out
        self.records_in += stats.records_in
        self.records_out += stats.records_out
        self.last_run = stats
        self.last_run_seconds = seconds


class LogCleaner:
    """Driven by ``tick``; works through the clock's timers in between."""

    def __init__(
        self,
        disk: Disk,
        clock: Clock,
        settings: CleanerSettings,
        *,
        logs: Callable[[], Iterable[Log]],
        offsets_of: Callable[[Log], OffsetCheckpoint],
        submit_sync: SubmitSync,
        on_cleaned: Callable[[Log], None],
    ) -> None:
        self.settings = settings
        self.totals = CleanerTotals()
        self.uncleanable: dict[TopicPartition, str] = {}
        """Logs that failed for reasons of their own, and why; left alone until the next start."""
        self._disk = disk
        self._clock = clock
        self._logs = logs
        self._offsets_of = offsets_of
        self._submit_sync = submit_sync
        self._on_cleaned = on_cleaned
        self._steps: Generator[Step, None, None] | None = None
        self._cleaning: Cleaning | None = None
        self._timer: Timer | None = None
        self._stopped = False
        self._flight = 0
        """Numbers the syncs: one of an aborted run must not wake the next."""
        self._next_check = clock.monotonic() + settings.backoff_ms / 1000
        self._started = 0.0
        self._io_counted = 0
        self._io_debt = 0.0
        """Seconds that the bytes moved so far take at the allowed rate, less the time that passed."""
        self._io_seen = 0.0

    # -- what the owner does ----------------------------------------------------------------

    def tick(self) -> None:
        """About once a second: look for work when it is time."""
        if self.settings.enable and self._clock.monotonic() >= self._next_check:
            self.start()

    def start(self) -> None:
        """Look for the dirtiest log now."""
        if self._steps is None and not self._stopped:
            self._io_seen = self._clock.monotonic()
            self._io_debt = 0.0
            self._steps = self._work()
            self._timer = self._clock.call_later(0.0, self._run_slice)

    def is_cleaning(self, log: Log) -> bool:
        return self._cleaning is not None and self._cleaning.log is log

    @property
    def is_idle(self) -> bool:
        return self._steps is None

    def abort(self, log: Log) -> None:
        """The log is about to be truncated or deleted: take back what is half done, at once."""
        cleaning = self._cleaning
        if cleaning is None or cleaning.log is not log:
            return
        self._drop()
        if log.offline is None:
            self._take_back(cleaning)

    def _take_back(self, cleaning: Cleaning) -> None:
        try:
            cleaning.abort()
        except StorageError as error:
            self._failed(cleaning.log, error)

    def forget(self, log: Log) -> None:
        """The log is gone; another one of its name starts afresh."""
        self.uncleanable.pop(log.topic_partition, None)

    def drop_offline(self) -> None:
        """A directory failed: if the log at hand is in it, nothing there is touched any more."""
        if self._cleaning is not None and self._cleaning.log.offline is not None:
            self._drop()

    def stop(self) -> None:
        if self._cleaning is not None:
            self.abort(self._cleaning.log)
        self._drop()
        self._stopped = True

    def _drop(self) -> None:
        self._flight += 1
        self._steps = None
        self._cleaning = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._next_check = self._clock.monotonic() + self.settings.backoff_ms / 1000

    # -- the loop's side --------------------------------------------------------------------

    def _run_slice(self) -> None:
        self._timer = None
        steps = self._steps
        clock = self._clock
        end = clock.monotonic() + SLICE_SECONDS
        for _ in range(PIECES_PER_SLICE):
            if steps is None or self._steps is not steps:
                return  # dropped from inside: the disk failed
            try:
                step = next(steps)
            except StopIteration:
                self._steps = None
                return
            if step is not None:
                self._wait(step)
                return
            if clock.monotonic() >= end:
                break
        self._timer = clock.call_later(self._throttle(), self._run_slice)

    def _wait(self, step: Sync) -> None:
        cleaning = self._cleaning
        assert cleaning is not None, "only a run waits for the disk"
        self._flight += 1
        number = self._flight

        def is_awaited() -> bool:
            return self._flight == number

        def done(error: StorageError | None) -> None:
            if error is None and is_awaited():
                self._timer = self._clock.call_later(self._throttle(), self._run_slice)

        self._submit_sync(cleaning.log, step.files, step.folders, is_awaited, done)

    def _throttle(self) -> float:
        """Seconds to wait so that no more than the allowed bytes a second are read and written."""
        rate = self.settings.io_max_bytes_per_second
        cleaning = self._cleaning
        now = self._clock.monotonic()
        if cleaning is not None and rate > 0:
            moved = cleaning.stats.io_bytes - self._io_counted
            self._io_counted += moved
            self._io_debt = max(self._io_debt - (now - self._io_seen), -CREDIT_SECONDS) + moved / rate
        self._io_seen = now
        return max(self._io_debt, 0.0)

    # -- the work -----------------------------------------------------------------------------

    def _work(self) -> Generator[Step, None, None]:
        """One log after the other until none is due; each is chosen anew."""
        while True:
            candidate = yield from self._dirtiest()
            if candidate is None or not self.settings.enable:
                self._next_check = self._clock.monotonic() + self.settings.backoff_ms / 1000
                return
            yield from self._clean(candidate)

    def _dirtiest(self) -> Generator[Step, None, Candidate | None]:
        best: Candidate | None = None
        highest = 0.0
        for number, log in enumerate(list(self._logs())):
            if number % LOGS_PER_PIECE == 0:
                yield None
            if not log.config.is_compacted or len(log.segments) < 2 or log.suspect:
                continue
            if log.offline is not None or log.topic_partition in self.uncleanable:
                continue
            try:
                checkpoint = self._offsets_of(log).offsets.get(log.topic_partition)
                found = examine(log, checkpoint, self._clock.now_ms())
            except StorageError as error:
                self._failed(log, error)
                continue
            except (CorruptBatch, LogError) as error:
                self._give_up(log, str(error))
                continue
            if found is None:
                continue
            highest = max(highest, found.ratio)
            if found.is_due and (best is None or found.ratio > best.ratio):
                best = found
        self.totals.dirtiest_ratio = highest
        return best

    def _clean(self, candidate: Candidate) -> Generator[Step, None, None]:
        log = candidate.log
        cleaning = Cleaning(self._disk, candidate, self.settings, self._clock.now_ms())
        self._cleaning = cleaning
        self._io_counted = 0
        self._started = self._clock.monotonic()
        try:
            yield from cleaning.steps()
        except StorageError as error:
            self._failed(log, error)
        except (CorruptBatch, LogError, Uncleanable) as error:
            if log.offline is None:  # else the disk failed, and whoever raised it told the owner
                self._give_up(log, str(error))
                self._take_back(cleaning)
        else:
            self._offsets_of(log).set(log.topic_partition, cleaning.end_offset)
            self._report(cleaning, candidate)
            self._on_cleaned(log)
        self._cleaning = None

    def _report(self, cleaning: Cleaning, candidate: Candidate) -> None:
        seconds = self._clock.monotonic() - self._started
        stats = cleaning.stats
        self.totals.add(stats, seconds)
        logger.info(
            "%s: compacted to offset %d in %.1f s: %d → %d records, %d → %d bytes, %d → %d segments",
            candidate.log.folder,
            cleaning.end_offset,
            seconds,
            stats.records_in,
            stats.records_out,
            stats.bytes_in,
            stats.bytes_out,
            stats.segments_in,
            stats.segments_out,
        )

    def _give_up(self, log: Log, reason: str) -> None:
        self.uncleanable[log.topic_partition] = reason
        logger.error("%s: not compacted until the next start: %s", log.folder, reason)

    def _failed(self, log: Log, error: StorageError) -> None:
        """The directory goes offline; the run in it is dropped by ``drop_offline``."""
        log.fail(error)
        if log.on_failure is not None:
            log.on_failure(log, error)
