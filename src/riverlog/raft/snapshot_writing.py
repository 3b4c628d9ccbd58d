"""A snapshot of the metadata, written in slices of the loop, then synced and named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from riverlog.env import Clock, Disk, StorageError, Timer
from riverlog.raft.snapshots import SnapshotId, SnapshotWriter
from riverlog.records.control import ControlMessage

SNAPSHOT_RECORDS_PER_SLICE = 200
"""A slice of a snapshot takes about 3 ms of the loop."""


class SnapshotInProgress:
    """``done`` once, with the size of the file or the error; never after ``cancel``."""

    def __init__(
        self,
        disk: Disk,
        clock: Clock,
        folder: str,
        snapshot_id: SnapshotId,
        values: Iterator[bytes],
        *,
        last_timestamp: int,
        control: Sequence[ControlMessage],
        done: Callable[[int, StorageError | None], None],
    ) -> None:
        self.snapshot_id = snapshot_id
        self._disk = disk
        self._clock = clock
        self._folder = folder
        self._values = values
        self._done = done
        self._timer: Timer | None = None
        self._cancelled = False
        self._writer = SnapshotWriter(
            disk,
            folder,
            snapshot_id,
            now_ms=clock.now_ms(),
            last_contained_timestamp=last_timestamp,
            control=control,
        )

    def step(self) -> None:
        """One slice."""
        self._timer = None
        values = []
        for value in self._values:
            values.append(value)
            if len(values) >= SNAPSHOT_RECORDS_PER_SLICE:
                break
        try:
            if values:
                self._writer.append(values)
                self._timer = self._clock.call_later(0.0, self.step)
                return
            self._writer.finish()
            self._disk.submit_sync([self._writer.file], [], self._synced)
        except StorageError as error:
            self._finish(error)

    def _synced(self, error: StorageError | None) -> None:
        if self._cancelled:
            return
        if error is not None:
            self._finish(error)
            return
        try:
            self._writer.publish()
            self._disk.submit_sync([], [self._folder], self._named)
        except StorageError as failure:
            self._finish(failure)

    def _named(self, error: StorageError | None) -> None:
        if not self._cancelled:
            self._finish(error)

    def _finish(self, error: StorageError | None) -> None:
        if error is not None:
            self._writer.abandon()
        self._done(self._writer.file.size, error)

    def cancel(self) -> None:
        """What is there is swept up at the next start."""
        self._cancelled = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
