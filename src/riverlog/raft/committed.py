"""Committed batches on their way to the listener, in slices: a long log does not hold the loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from riverlog.env import Clock, Timer
from riverlog.raft.quorum_log import QuorumLog
from riverlog.raft.types import CommittedBatch

RECORDS_PER_SLICE = 1000
"""About 5 ms of the loop."""


class CommittedReader:
    """Hands over everything below the high watermark once, in order."""

    def __init__(
        self,
        clock: Clock,
        log: QuorumLog,
        *,
        offset: int,
        epoch: int,
        deliver: Callable[[Sequence[CommittedBatch]], None],
        caught_up: Callable[[], None],
    ) -> None:
        self.offset = offset
        """Everything below was handed over."""
        self.epoch = epoch
        """Of the last record handed over."""
        self._clock = clock
        self._log = log
        self._deliver = deliver
        self._caught_up = caught_up
        self._end = offset
        self._timer: Timer | None = None
        self._running = False
        self._cancelled = False

    def advance(self, high_watermark: int) -> None:
        """The first slice now, the rest soon."""
        self._end = max(self._end, high_watermark)
        self._cancelled = False
        if self._timer is None and not self._running:
            self._step()

    def finish(self, high_watermark: int) -> None:
        """All of it now: at start-up and at the end, when nobody else waits."""
        self._end = max(self._end, high_watermark)
        self.cancel()
        while self.offset < self._end and not self._log.has_failed():
            before = self.offset
            self._slice()
            if self.offset == before:
                break

    def restart(self, offset: int, epoch: int) -> None:
        """The listener has a snapshot of everything below ``offset``."""
        self.cancel()
        self.offset = self._end = offset
        self.epoch = epoch

    def cancel(self) -> None:
        """Hand over nothing more by itself."""
        self._cancelled = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _step(self) -> None:
        self._timer = None
        if self._log.has_failed():
            return
        self._running = True
        self._slice()
        self._running = False
        if self._log.has_failed() or self._cancelled:
            return
        if self.offset < self._end:
            self._timer = self._clock.call_later(0.0, self._step)
        else:
            self._caught_up()

    def _slice(self) -> None:
        batches: list[CommittedBatch] = []
        count = 0
        appended = self._log.appended
        while appended and appended[0].end_offset <= self.offset:
            appended.popleft()
        while self.offset < self._end and count < RECORDS_PER_SLICE:
            if appended and appended[0].base_offset == self.offset:
                # Our own: no need to read it back.
                batch = appended.popleft()
                batches.append(batch)
                count += len(batch.values)
                self.offset, self.epoch = batch.end_offset, batch.epoch
                continue
            stop = min(self._end, appended[0].base_offset) if appended else self._end
            if stop <= self.offset:
                stop = self._end
            before = self.offset
            for header, records in self._log.read(self.offset, stop):
                if not header.is_control:
                    values = [record.value for record in records if record.value is not None]
                    batches.append(
                        CommittedBatch(
                            header.base_offset, header.partition_leader_epoch, header.max_timestamp, values
                        )
                    )
                    count += len(values)
                self.offset, self.epoch = header.next_offset, header.partition_leader_epoch
                if count >= RECORDS_PER_SLICE:
                    break
            if self.offset == before:
                break
        if batches:
            self._deliver(batches)
