"""Waiting for the high watermarks of several partitions, for a bounded time."""

from __future__ import annotations

from collections.abc import Callable

from riverlog.base.errors import ErrorCode
from riverlog.env import Clock
from riverlog.replication import Partition

Failed = Callable[[ErrorCode], None]


class Gather:
    """Add what to wait for with ``wait``, then ``begin``."""

    __slots__ = ("_clock", "_done", "_open", "_timer", "_waits")

    def __init__(self, clock: Clock, done: Callable[[], None]) -> None:
        self._clock = clock
        self._done = done
        self._waits: list[tuple[Partition, int, int, Failed]] = []
        """With the leader epoch of the partition: in the next one the offset may be another record's."""
        self._open: dict[int, Failed] = {}

    def wait(self, partition: Partition, offset: int, failed: Failed) -> None:
        """For the watermark to pass ``offset``; ``failed`` is told why it will not."""
        self._waits.append((partition, partition.leader_epoch, offset, failed))

    def begin(self, timeout_ms: int) -> bool:
        """Call ``done`` once, later; False if there is nothing to wait for."""
        for number, (partition, epoch, offset, failed) in enumerate(self._waits):
            if epoch != partition.leader_epoch or not partition.is_leader:
                failed(ErrorCode.NOT_LEADER_OR_FOLLOWER)  # INVARIANTS 1
                continue
            if offset < partition.high_watermark:
                continue
            if partition.log.offline is not None:
                failed(ErrorCode.KAFKA_STORAGE_ERROR)  # went while the request was being handled
            elif partition.when_committed(offset, self._passed(number)):
                self._open[number] = failed
        if not self._open:
            return False
        self._timer = self._clock.call_later(max(0, timeout_ms) / 1000, self._timed_out)
        return True

    def _passed(self, number: int) -> Failed:
        def passed(error: ErrorCode) -> None:
            failed = self._open.pop(number, None)
            if failed is None:
                return  # timed out before
            if error:
                failed(error)
            if not self._open:
                self._timer.cancel()
                self._done()

        return passed

    def _timed_out(self) -> None:
        waiting = list(self._open.values())
        self._open.clear()
        for failed in waiting:
            failed(ErrorCode.REQUEST_TIMED_OUT)
        self._done()
