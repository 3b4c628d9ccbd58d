"""Virtual time: a queue of events that jumps from one to the next.

One ``Scheduler`` for the whole simulated world; one ``SimClock`` per process, so that its
timers die with it and its wall clock can be wrong on its own.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Protocol

START_MS = 1_700_000_000_000
EVENTS_MAX = 1_000_000
"""Events waiting at once; more means that something schedules without end."""


class SimTimer:
    __slots__ = ("callback",)

    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        self.callback = None


class Events(Protocol):
    """Where a process puts its own events: the scheduler, or a ``Process`` that can be stopped."""

    @property
    def now(self) -> float: ...

    def call_later(self, seconds: float, callback: Callable[[], None]) -> SimTimer: ...


class Scheduler:
    """Events in order of time, and of submission where times are equal."""

    def __init__(self) -> None:
        self.now = 0.0
        self.ran = 0
        self._events: list[tuple[float, int, SimTimer]] = []
        self._number = 0

    def __len__(self) -> int:
        return sum(1 for _, _, event in self._events if event.callback is not None)

    def call_later(self, seconds: float, callback: Callable[[], None]) -> SimTimer:
        return self.call_at(self.now + max(0.0, seconds), callback)

    def call_at(self, at: float, callback: Callable[[], None]) -> SimTimer:
        """At an exact time: what must stay in order is not left to rounding."""
        assert len(self._events) < EVENTS_MAX, "too many events"
        self._number += 1
        timer = SimTimer(callback)
        heapq.heappush(self._events, (at, self._number, timer))
        return timer

    def step(self, until: float | None = None) -> bool:
        """Run the next event. False when there is none, or none before ``until``."""
        events = self._events
        while events:
            at, _, event = events[0]
            callback = event.callback
            if callback is None:
                heapq.heappop(events)
                continue
            if until is not None and at > until:
                return False
            heapq.heappop(events)
            event.callback = None
            self.now = max(self.now, at)
            self.ran += 1
            callback()
            return True
        return False

    def run_for(self, seconds: float) -> None:
        """Run everything due in this span; the clock then stands at its end."""
        until = self.now + seconds
        while self.step(until):
            pass
        self.now = max(self.now, until)

    def run_until(self, condition: Callable[[], bool], *, seconds_max: float) -> bool:
        """Run until the condition holds; False when the time is over first."""
        until = self.now + seconds_max
        while not condition():
            if not self.step(until):
                self.now = max(self.now, until)
                return condition()
        return True


class SimClock:
    """``env.Clock`` of one process."""

    def __init__(self, scheduler: Events, *, wall_offset_ms: int = 0) -> None:
        self.wall_offset_ms = wall_offset_ms
        self.alive = True
        self._scheduler = scheduler

    def now_ms(self) -> int:
        return START_MS + int(self._scheduler.now * 1000) + self.wall_offset_ms

    def monotonic(self) -> float:
        return self._scheduler.now

    def call_later(self, seconds: float, callback: Callable[[], None]) -> SimTimer:
        assert self.alive, "a dead process armed a timer"

        def fire() -> None:
            if self.alive:
                callback()

        return self._scheduler.call_later(seconds, fire)

    def jump_wall(self, milliseconds: int) -> None:
        """Move what ``now_ms`` says; timers do not care."""
        self.wall_offset_ms += milliseconds

    def kill(self) -> None:
        """No timer of this process fires any more."""
        self.alive = False
