"""One simulated process: its events wait while it is stopped, and are gone once it is dead."""

from __future__ import annotations

from collections.abc import Callable

from riverlog.sim.clock import Scheduler, SimTimer


class Process:
    """The scheduler as one process sees it: what it has asked for comes to it alone."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.alive = True
        self.paused = False
        self._scheduler = scheduler
        self._held: list[SimTimer] = []

    @property
    def now(self) -> float:
        return self._scheduler.now

    def call_later(self, seconds: float, callback: Callable[[], None]) -> SimTimer:
        return self._timer(self._scheduler.now + max(0.0, seconds), callback)

    def _timer(self, at: float, callback: Callable[[], None]) -> SimTimer:
        def fire() -> None:
            if self.paused:
                timer.callback = callback  # may still be cancelled while it waits
                self._held.append(timer)
            elif self.alive:
                callback()

        timer = self._scheduler.call_at(at, fire)
        return timer

    def deliver(self, callback: Callable[[], None]) -> None:
        """Something from outside: now, or when the process goes on."""
        if self.paused:
            timer = SimTimer(callback)
            self._held.append(timer)
        elif self.alive:
            callback()

    def pause(self) -> None:
        """SIGSTOP: fault Z."""
        self.paused = True

    def resume(self) -> None:
        """SIGCONT: all that came meanwhile, in order, late."""
        if not self.paused:
            return
        self.paused = False
        held, self._held = self._held, []
        for timer in held:
            self._scheduler.call_later(0.0, self._late(timer))

    def _late(self, timer: SimTimer) -> Callable[[], None]:
        return lambda: self._run_late(timer)

    def _run_late(self, timer: SimTimer) -> None:
        callback, timer.callback = timer.callback, None
        if callback is None:
            return
        if self.paused:
            timer.callback = callback
            self._held.append(timer)
        elif self.alive:
            callback()

    def kill(self) -> None:
        self.alive = False
        self.paused = False
        self._held.clear()
