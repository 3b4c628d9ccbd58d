"""Threads that process records: one key always on the same thread, commits in the order of offsets."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from riverlog.clients.errors import ProcessingFailed
from riverlog.clients.in_order import InOrder
from riverlog.clients.offset_store import Position

if TYPE_CHECKING:
    from riverlog.clients.consumer import Record


class Workers:
    """``submit`` and ``take_committable`` are called by one thread, the consumer's."""

    def __init__(self, handler: Callable[[Record], None], *, workers: int, queue_max: int) -> None:
        self._handler = handler
        self._queue_max = queue_max
        self._queues: list[queue.SimpleQueue[Record | None]] = [queue.SimpleQueue() for _ in range(workers)]
        self._lock = threading.Condition()
        self._partitions: dict[tuple[str, int], InOrder] = {}
        self._taken: dict[tuple[str, int], int] = {}
        self._pending = 0
        self.failure: tuple[Record, Exception] | None = None
        self._threads = [
            threading.Thread(target=self._work, args=(one,), name=f"riverlog-worker-{number}", daemon=True)
            for number, one in enumerate(self._queues)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def is_full(self) -> bool:
        return self._pending >= self._queue_max

    def submit(self, record: Record) -> None:
        place = (record.topic, record.partition)
        with self._lock:
            self._pending += 1
            self._partitions.setdefault(place, InOrder()).begin(record.offset)
        lane = crc32(record.key) if record.key is not None else record.offset
        self._queues[lane % len(self._queues)].put(record)

    def take_committable(self) -> list[Position]:
        """Positions that moved since the last call."""
        with self._lock:
            moved = []
            for place, order in self._partitions.items():
                offset = order.committable
                if offset is not None and self._taken.get(place) != offset:
                    self._taken[place] = offset
                    moved.append(Position(*place, offset))
            return moved

    def drain(self) -> None:
        """Wait until everything submitted is done, or something failed."""
        with self._lock:
            self._lock.wait_for(lambda: self._pending == 0 or self.failure is not None)

    def forget(self, partitions: Sequence[tuple[str, int]]) -> None:
        """These belong to somebody else now."""
        with self._lock:
            for place in partitions:
                self._partitions.pop(place, None)
                self._taken.pop(place, None)

    def raise_failure(self) -> None:
        if self.failure is not None:
            record, error = self.failure
            raise ProcessingFailed(
                f"{record.topic}-{record.partition} offset {record.offset}: {error}"
            ) from error

    def close(self) -> None:
        for one in self._queues:
            one.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self, records: queue.SimpleQueue[Record | None]) -> None:
        while (record := records.get()) is not None:
            if self.failure is not None:
                continue  # nothing after a failure is processed
            error: Exception | None = None
            try:
                self._handler(record)
            except Exception as raised:  # noqa: BLE001 - the user's code: whatever it raises ends the processing
                error = raised
            with self._lock:
                self._pending -= 1
                if error is not None:
                    self._fail(record, error)
                else:
                    order = self._partitions.get((record.topic, record.partition))
                    if order is not None:
                        order.done(record.offset)
                self._lock.notify_all()

    def _fail(self, record: Record, error: Exception) -> None:
        """The first failure counts; others may come from threads that had begun before it."""
        if self.failure is None:
            self.failure = (record, error)
