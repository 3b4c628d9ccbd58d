"""Writes that do not come back: counted as failed after a while (RULES: durable end 7).

The while is time that this process saw pass. One that was paused finds, when it wakes, writes that are long
done and whose answers it has not taken in yet; they get a few looks before they are given up.
"""

from __future__ import annotations

from collections.abc import Callable

from riverlog.env import Clock, StorageError
from riverlog.env.disk import SyncDone
from riverlog.storage.logdir import LogDir

STEP_SECONDS_MAX = 2.0
"""Counted between two looks, however far apart they are; a second, unless something is wrong."""


class WatchedTime:
    """Seconds as seen by someone who looks at the clock about once a second."""

    __slots__ = ("_clock", "_last", "seconds")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = clock.monotonic()
        self.seconds = 0.0

    def look(self) -> float:
        now = self._clock.monotonic()
        self.seconds += min(now - self._last, STEP_SECONDS_MAX)
        self._last = now
        return self.seconds


class BackgroundWrites:
    """Writes whose failure, or failure to come back, takes their directory offline."""

    def __init__(
        self, clock: Clock, timeout_ms: int, on_failure: Callable[[LogDir, StorageError], None]
    ) -> None:
        self._time = WatchedTime(clock)
        self._timeout_ms = timeout_ms
        self._on_failure = on_failure
        self._under_way: dict[int, tuple[float, LogDir, SyncDone | None]] = {}
        """Oldest first."""
        self._number = 0

    def submit(
        self, log_dir: LogDir, request: Callable[[SyncDone], None], done: SyncDone | None = None
    ) -> None:
        self._number += 1
        number = self._number
        self._under_way[number] = (self._time.seconds, log_dir, done)

        def finished(error: StorageError | None) -> None:
            if self._under_way.pop(number, None) is None:
                return  # given up as overdue
            if error is not None:
                self._on_failure(log_dir, error)
            if done is not None:
                done(error)

        request(finished)

    def fail_overdue(self) -> None:
        """Call about once a second."""
        limit = self._time.look() - self._timeout_ms / 1000
        for number, (started, log_dir, done) in list(self._under_way.items()):
            if started >= limit:
                break  # in order of time
            del self._under_way[number]
            error = StorageError(log_dir.path, f"checkpoint not written within {self._timeout_ms} ms")
            self._on_failure(log_dir, error)
            if done is not None:
                done(error)
