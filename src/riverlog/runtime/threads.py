"""Bounded thread pools for system calls that wait: fsync, cold reads, deletes.

All bookkeeping happens on the loop's thread; a worker only runs the call it was given
and hands the answer back through ``completions``. So there are no locks here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TypeVar

T = TypeVar("T")

Completions = Callable[[Callable[[], None]], None]
"""Takes a callback from any thread and runs it on the loop's thread."""

QUEUE_MAX = 1 << 17
"""Jobs waiting or running in one pool; one per log would be far below this."""


class WorkerPool:
    """Up to ``threads_max`` daemon threads, started when there is work for them."""

    __slots__ = ("_closed", "_completions", "_jobs", "_name", "_threads", "in_flight", "threads_max")

    def __init__(self, name: str, threads_max: int, completions: Completions) -> None:
        assert threads_max > 0
        self.threads_max = threads_max
        self.in_flight = 0
        self._name = name
        self._completions = completions
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._closed = False

    def submit(self, work: Callable[[], T], done: Callable[[T], None]) -> bool:
        """Run ``work`` in a thread, then ``done`` with its answer on the loop.

        False, and nothing happens, when the queue is full or the pool is closed.
        """
        if self._closed or self.in_flight >= QUEUE_MAX:
            return False
        self.in_flight += 1
        if self.in_flight > len(self._threads) < self.threads_max:
            thread = threading.Thread(
                target=_work_loop, args=(self._jobs,), name=f"{self._name}-{len(self._threads)}", daemon=True
            )
            self._threads.append(thread)
            thread.start()

        def finish(answer: T) -> None:
            self.in_flight -= 1
            done(answer)

        completions = self._completions

        def job() -> None:
            try:
                answer = work()
            except BaseException as error:  # our bug: it must fail the loop, not vanish with a worker
                completions(lambda error=error: self._fail(error))  # type: ignore[misc]
            else:
                completions(lambda: finish(answer))

        self._jobs.put(job)
        return True

    def _fail(self, error: BaseException) -> None:
        self.in_flight -= 1
        raise error

    def close(self, wait_seconds: float = 0.0) -> None:
        """Let the queued jobs finish; waits at most ``wait_seconds`` for each thread.

        A thread stuck in the kernel is left behind: it is a daemon and holds no state of ours.
        """
        self._closed = True
        for _ in self._threads:
            self._jobs.put(None)
        if wait_seconds > 0:
            for thread in self._threads:
                thread.join(wait_seconds)


def _work_loop(jobs: SimpleQueue[Callable[[], None] | None]) -> None:
    while True:
        job = jobs.get()
        if job is None:
            return
        job()
        del job  # or the last job keeps its files alive while the thread waits
