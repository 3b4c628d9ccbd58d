"""Group commit: dirty logs are synced, oldest first, one fsync in flight per log.

An fsync takes everything written to its log when it is submitted; what arrives meanwhile
goes with the next one. A failed fsync is never retried and an overdue one counts as
failed (RULES: durable end 3, 7, 8).
"""

from __future__ import annotations

from collections.abc import Callable

from riverlog.env import Clock, Disk, StorageError, Timer
from riverlog.storage.config import LONG_MAX
from riverlog.storage.log import Log
from riverlog.storage.logcore import SyncBatch
from riverlog.storage.names import METADATA_TOPIC
from riverlog.storage.overdue import WatchedTime

IN_FLIGHT_MAX = 64
"""Syncs submitted at once per log directory; more wait here, oldest first."""
CHECK_SECONDS = 1.0


class _InFlight:
    __slots__ = ("batch", "log", "queue", "started")

    def __init__(self, log: Log, batch: SyncBatch, started: float, queue: str) -> None:
        self.log = log
        self.queue = queue
        self.batch = batch
        self.started = started


class GroupCommit:
    """``attach`` a log, and its appends become durable by themselves."""

    def __init__(
        self,
        disk: Disk,
        clock: Clock,
        *,
        on_durable: Callable[[Log], None],
        on_failure: Callable[[Log, StorageError], None],
        timeout_seconds: float = 10.0,
        in_flight_max: int = IN_FLIGHT_MAX,
    ) -> None:
        self._disk = disk
        self._clock = clock
        self._on_durable = on_durable
        self._on_failure = on_failure
        self._timeout_seconds = timeout_seconds
        self._time = WatchedTime(clock)
        self._in_flight_max = in_flight_max
        self._queues: dict[str, dict[Log, None]] = {}
        """Due, per log directory, oldest first."""
        self._lazy: dict[Log, float] = {}
        """Due at a time, for logs whose acknowledgements do not wait."""
        self._in_flight: dict[Log, _InFlight] = {}
        self._in_flight_count: dict[str, int] = {}
        self._held: dict[Log, Callable[[], None] | None] = {}
        """Not to be synced for now, and who waits for the last sync."""
        self._run_timer: Timer | None = None
        self._lazy_timer: Timer | None = None
        self._check_timer: Timer | None = None
        self.sync_count = 0
        self.stopped = False

    def attach(self, log: Log) -> None:
        log.on_dirty = self.mark
        self._held.pop(log, None)
        if log.dirty:
            self.mark(log)

    def detach(self, log: Log) -> None:
        """The log is closed or deleted: a sync under way no longer matters."""
        self._queue(log).pop(log, None)
        self._lazy.pop(log, None)
        held = self._held.pop(log, None)
        flight = self._in_flight.pop(log, None)
        if flight is not None:
            self._in_flight_count[flight.queue] -= 1
        if held is not None:
            held()

    def hold(self, log: Log, held: Callable[[], None]) -> None:
        """Sync it no more until it is attached again; ``held`` once no sync of it is under way."""
        self._queue(log).pop(log, None)
        self._lazy.pop(log, None)
        if log in self._in_flight:
            self._held[log] = held
        else:
            self._held[log] = None
            held()

    @property
    def is_idle(self) -> bool:
        return not (self._lazy or self._in_flight or any(self._queues.values()))

    def mark(self, log: Log) -> None:
        """The log has something to sync. Cheap: called from the append."""
        if log in self._in_flight or self.stopped or log in self._held:
            return
        queue = self._queue(log)
        if log in queue:
            return
        config = log.config
        if (
            config.ack_after_fsync
            or log.has_unsynced_files
            or log.log_end_offset - log.durable_end >= config.flush_messages
        ):
            self._lazy.pop(log, None)
            queue[log] = None
            if self._run_timer is None:
                # The end of this loop turn: everything the turn appends goes with one fsync per log.
                self._run_timer = self._clock.call_later(0.0, self._run_due)
        elif config.flush_ms < LONG_MAX and log not in self._lazy:
            # ``ack.after.fsync`` is off: as in Kafka, synced when a segment rolls and by the flush settings.
            delay = config.flush_ms / 1000
            self._lazy[log] = self._clock.monotonic() + delay
            if self._lazy_timer is None:
                self._lazy_timer = self._clock.call_later(delay, self._run_lazy)

    def urge(self, log: Log) -> None:
        """Sync it now, even where acknowledgements do not wait."""
        if log not in self._in_flight and not self.stopped and log not in self._held:
            self._lazy.pop(log, None)
            self._queue(log)[log] = None
            self.run()

    def run(self) -> None:
        """Submit what is due, as far as the bound allows, oldest first."""
        for name, queue in list(self._queues.items()):
            while queue and self._in_flight_count.get(name, 0) < self._in_flight_max:
                log = next(iter(queue))
                del queue[log]
                if log.offline is None:
                    self._submit(log, name)

    def _queue(self, log: Log) -> dict[Log, None]:
        """One queue per log directory; the Raft log never waits behind others (RULES: durable end 8)."""
        name = log.folder if log.topic == METADATA_TOPIC else log.log_dir
        queue = self._queues.get(name)
        if queue is None:
            queue = self._queues[name] = {}
        return queue

    def stop(self) -> None:
        """No more syncs from here; shutdown waits for the disk itself."""
        self.stopped = True
        for timer in (self._run_timer, self._lazy_timer, self._check_timer):
            if timer is not None:
                timer.cancel()
        self._run_timer = self._lazy_timer = self._check_timer = None
        self._queues.clear()
        self._lazy.clear()
        for flight in self._in_flight.values():
            flight.log.abandon_sync(flight.batch)
        self._in_flight.clear()

    def _submit(self, log: Log, queue: str) -> None:
        batch = log.begin_sync()
        flight = _InFlight(log, batch, self._time.seconds, queue)
        self._in_flight[log] = flight
        self._in_flight_count[queue] = self._in_flight_count.get(queue, 0) + 1
        self.sync_count += 1
        if self._check_timer is None:
            self._check_timer = self._clock.call_later(CHECK_SECONDS, self._check_overdue)
        self._disk.submit_sync(batch.files, batch.folders, lambda error: self._finish(flight, error))

    def _finish(self, flight: _InFlight, error: StorageError | None) -> None:
        log = flight.log
        if self._in_flight.get(log) is not flight:
            return  # detached, stopped, or given up as overdue
        del self._in_flight[log]
        self._in_flight_count[flight.queue] -= 1
        if log.offline is not None:
            return
        if error is not None:
            self._on_failure(log, error)
            return
        if log.finish_sync(flight.batch):
            self._on_durable(log)
        held = self._held.get(log)
        if held is not None:
            self._held[log] = None
            held()
        elif log.dirty:
            self.mark(log)
        if self._queues.get(flight.queue):
            self.run()

    def _run_due(self) -> None:
        self._run_timer = None
        self.run()

    def _run_lazy(self) -> None:
        """All that are due; the dict is in order of time up to different ``flush.ms``."""
        self._lazy_timer = None
        now = self._clock.monotonic()
        for log in [log for log, due in self._lazy.items() if due <= now]:
            del self._lazy[log]
            self._queue(log)[log] = None
        if self._lazy:
            wait = max(min(self._lazy.values()) - now, 0.001)
            self._lazy_timer = self._clock.call_later(wait, self._run_lazy)
        self.run()

    def _check_overdue(self) -> None:
        self._check_timer = None
        limit = self._time.look() - self._timeout_seconds
        for log, flight in list(self._in_flight.items()):
            if flight.started >= limit:
                break  # in order of submission
            if self._in_flight.pop(log, None) is None:
                continue
            self._in_flight_count[flight.queue] -= 1
            self._on_failure(
                log, StorageError(log.folder, f"fsync not back within {self._timeout_seconds:g} s")
            )
        if self._in_flight:
            self._check_timer = self._clock.call_later(CHECK_SECONDS, self._check_overdue)
