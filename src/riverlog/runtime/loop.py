"""The event loop: one thread, epoll, timers, and a door for other threads.

A turn: wait for sockets or the next timer, run what is ready, run completions that
threads handed in, then flush every connection that was written to in this turn (one
send per turn and connection, however many replies it got).

What a callback raises is a fault of ours, and nobody knows what it left half done: it ends the loop, and
with it the node, which recovers when it starts again. Nothing is caught and forgotten here.
"""

from __future__ import annotations

import heapq
import logging
import os
import select
import time
from collections import deque
from collections.abc import Callable
from itertools import count
from typing import Protocol

logger = logging.getLogger("riverlog.runtime")

READ = select.POLLIN
WRITE = select.POLLOUT

_WAIT_SECONDS_MAX = 60.0
_TIMERS_DEAD_MAX = 1000


class Flushable(Protocol):
    def flush(self) -> None: ...


class _Poll:
    """``select.poll`` with epoll's call shape, for systems without epoll."""

    def __init__(self) -> None:
        self._poll = select.poll()
        self.register = self._poll.register
        self.modify = self._poll.modify
        self.unregister = self._poll.unregister

    def poll(self, timeout: float) -> list[tuple[int, int]]:
        return self._poll.poll(timeout * 1000)

    def close(self) -> None:
        return None


class TimerHandle:
    """A timer in the loop's heap."""

    __slots__ = ("_loop", "callback")

    def __init__(self, loop: Loop, callback: Callable[[], None]) -> None:
        self._loop = loop
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        if self.callback is not None:
            self.callback = None
            self._loop._timer_cancelled()


class Loop:
    """Implements ``env.Clock`` too: the loop is where time passes."""

    def __init__(self) -> None:
        self._poller = select.epoll() if hasattr(select, "epoll") else _Poll()
        self._handlers: dict[int, Callable[[int], None]] = {}
        self._timers: list[tuple[float, int, TimerHandle]] = []
        self._timers_dead = 0
        self._sequence = count()
        self._completions: deque[Callable[[], None]] = deque()
        self._soon: deque[Callable[[], None]] = deque()
        self._dirty: list[Flushable] = []
        self._stopping = False
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self.add(self._wake_read, READ, self._on_wake)
        self.turns = 0
        self.busy_seconds_max = 0.0
        """The longest turn since someone last looked (the event-loop lag metric resets it)."""

    # -- clock ---------------------------------------------------------------------------

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        return time.monotonic()

    def call_later(self, seconds: float, callback: Callable[[], None]) -> TimerHandle:
        handle = TimerHandle(self, callback)
        heapq.heappush(self._timers, (time.monotonic() + seconds, next(self._sequence), handle))
        return handle

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Run ``callback`` later in this turn. Loop thread only."""
        self._soon.append(callback)

    def call_threadsafe(self, callback: Callable[[], None]) -> None:
        """Run ``callback`` on the loop's thread; callable from any thread."""
        self._completions.append(callback)
        try:
            os.write(self._wake_write, b"\0")
        except BlockingIOError:
            pass  # the pipe is full of wake-ups already
        except OSError:
            if not self._stopping:
                raise

    # -- sockets -------------------------------------------------------------------------

    def add(self, fd: int, events: int, handler: Callable[[int], None]) -> None:
        self._handlers[fd] = handler
        self._poller.register(fd, events)

    def modify(self, fd: int, events: int) -> None:
        self._poller.modify(fd, events)

    def remove(self, fd: int) -> None:
        if self._handlers.pop(fd, None) is not None:
            self._poller.unregister(fd)

    def flush_later(self, connection: Flushable) -> None:
        """Flush ``connection`` once at the end of this turn."""
        self._dirty.append(connection)

    # -- running -------------------------------------------------------------------------

    def run(self) -> None:
        """Until ``stop``, or until a callback fails: that is logged and raised."""
        try:
            while not self._stopping:
                self.run_once()
        except Exception:
            logger.critical("a callback failed, the node ends here", exc_info=True)
            raise

    def run_once(self) -> None:
        """One turn."""
        ready = self._poller.poll(self._wait_seconds())
        started = time.monotonic()
        handlers = self._handlers
        for fd, events in ready:
            handler = handlers.get(fd)
            if handler is not None:
                handler(events)
        completions = self._completions
        while completions:
            completions.popleft()()
        self._run_timers(time.monotonic())
        soon = self._soon
        while soon:
            soon.popleft()()
        while self._dirty:
            dirty, self._dirty = self._dirty, []
            for connection in dirty:
                connection.flush()
        self.turns += 1
        busy = time.monotonic() - started
        self.busy_seconds_max = max(self.busy_seconds_max, busy)

    def stop(self) -> None:
        """End ``run`` after this turn. Callable from any thread and from a signal handler."""
        self._stopping = True
        self.call_threadsafe(_nothing)

    def close(self) -> None:
        self._poller.close()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _wait_seconds(self) -> float:
        if self._soon or self._dirty or self._completions:
            return 0.0
        timers = self._timers
        while timers and timers[0][2].callback is None:
            heapq.heappop(timers)
            self._timers_dead -= 1
        if not timers:
            return _WAIT_SECONDS_MAX
        return min(_WAIT_SECONDS_MAX, max(0.0, timers[0][0] - time.monotonic()))

    def _run_timers(self, now: float) -> None:
        timers = self._timers
        while timers and timers[0][0] <= now:
            handle = heapq.heappop(timers)[2]
            callback = handle.callback
            if callback is None:
                self._timers_dead -= 1
            else:
                handle.callback = None
                callback()

    def _timer_cancelled(self) -> None:
        self._timers_dead += 1
        if self._timers_dead > _TIMERS_DEAD_MAX and self._timers_dead * 2 > len(self._timers):
            # In place: ``_run_timers`` may be on its way through this list.
            self._timers[:] = [entry for entry in self._timers if entry[2].callback is not None]
            heapq.heapify(self._timers)
            self._timers_dead = 0

    def _on_wake(self, _events: int) -> None:
        try:
            while len(os.read(self._wake_read, 4096)) == 4096:
                pass
        except BlockingIOError:
            pass


def _nothing() -> None:
    return None
