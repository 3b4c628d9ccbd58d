"""A log loses records at its front (retention, DeleteRecords) or at its end (truncation)."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, cast

from riverlog.env import File, StorageError
from riverlog.storage.errors import OffsetOutOfRange
from riverlog.storage.logcore import NEVER, LogCore, base_offset_of
from riverlog.storage.recovery import replay_producers
from riverlog.storage.segment import UNKNOWN

if TYPE_CHECKING:
    from riverlog.storage.log import Log


class LogTrim(LogCore):
    """What takes records away."""

    __slots__ = ()

    # -- the front goes ------------------------------------------------------------------

    def delete_records(self, before: int) -> None:
        """Move the log start up to ``before`` (-1: the high watermark).

        Raises ``OffsetOutOfRange``. Only the checkpoint makes it last (RULES: watermark 8).
        """
        target = self.high_watermark if before == -1 else before
        if target < 0 or target > self.high_watermark:
            raise OffsetOutOfRange(f"offset {target} is not in 0 … {self.high_watermark}")
        self.move_log_start(target)

    def move_log_start(self, offset: int) -> bool:
        """True if that moved it. Segments wholly below go with the next retention run."""
        if offset <= self.log_start_offset:
            return False
        self.log_start_offset = offset
        self._touched = True
        if self._epochs is not None:
            self._epochs.truncate_from_start(offset)
        return True

    def delete_first_segments(self, count: int, now_ms: int) -> None:
        """Take the oldest ``count`` segments out; the log start follows. All of them: roll first."""
        if count <= 0:
            return
        if count >= len(self.segments):
            self.roll(now_ms)
            count = min(count, len(self.segments) - 1)
        gone = self.segments[:count]
        self.move_log_start(self.segments[count].base_offset)
        del self.segments[:count]
        try:
            for segment in gone:
                self._discard_segment(segment)
        except StorageError as error:
            raise self._fail(error) from error
        self._touch_folder()
        if not self.dirty:
            self.dirty = True
            self.on_dirty(cast("Log", self))

    # -- the end goes --------------------------------------------------------------------

    def truncate_to(self, offset: int, *, now_ms: int) -> None:
        """Drop everything from ``offset`` on, durably (RULES: durable end 3 and 4). Waits for the disk."""
        if offset >= self.log_end_offset:
            self._drop_empty_epoch()
            return
        if offset <= self.segments[0].base_offset or offset < self.log_start_offset:
            self.truncate_fully(offset, now_ms=now_ms)
            return
        try:
            slot = bisect_right(self.segments, offset, key=base_offset_of) - 1
            segment = self.segments[slot]
            found = segment.find(offset) if segment.size else None
            if found is not None:
                offset = min(offset, found[2])  # batches go whole
            if offset < self.log_start_offset:
                self.truncate_fully(self.log_start_offset, now_ms=now_ms)  # nothing that counts is left
                return
            self._begin_truncation(offset)
            while self.active is not segment:
                self._remove_last_segment()
            self._disk.sync_folder(self.folder)
            if found is not None:
                segment.truncate(found[0], offset, now_ms)
            synced = self._files_from(self.recovery_point)
            self._disk.sync(synced)
            self._unsynced_files = [file for file in self._unsynced_files if file not in synced]
            self._finish_truncation(offset)
        except StorageError as error:
            raise self._fail(error) from error

    def _drop_empty_epoch(self) -> None:
        """An epoch in which we led and wrote nothing stands at the end: it is not the new leader's."""
        try:
            self.epochs.truncate_from_end(self.log_end_offset)
        except StorageError as error:
            raise self._fail(error) from error
        self._last_epoch = UNKNOWN

    def truncate_fully(self, offset: int, *, now_ms: int) -> None:
        """Drop everything and start over at ``offset``, as a follower does that fell behind the log start."""
        try:
            self._begin_truncation(min(offset, self.log_start_offset))
            while self.segments:
                self._remove_last_segment()
            self._disk.sync_folder(self.folder)
            self.epochs.clear()
            self.producers.clear(offset)
            self.log_start_offset = self.log_end_offset = self.high_watermark = offset
            self._last_epoch = UNKNOWN
            self._start_segment(offset, now_ms)
        except StorageError as error:
            raise self._fail(error) from error

    def _begin_truncation(self, offset: int) -> None:
        """A sync under way no longer counts, and no later start may trust the old recovery point."""
        self.generation += 1
        self._touched = True
        self.durable_end = min(self.durable_end, offset)
        self.recovery_point = min(self.recovery_point, offset)
        if self.on_truncate is not None:
            # Always: the point on disk may be higher than ours, which an epoch change holds back.
            self.on_truncate(cast("Log", self), offset)

    def _remove_last_segment(self) -> None:
        segment = self.segments.pop()
        self._discard_segment(segment)
        if self.segments:
            self.active = self.segments[-1]

    def _finish_truncation(self, offset: int) -> None:
        self.log_end_offset = offset
        self.high_watermark = min(self.high_watermark, offset)
        self.forget_recent()
        self.epochs.truncate_from_end(offset)
        self._last_epoch = UNKNOWN
        producers = self.producers
        producers.load(0, offset, 0, NEVER)
        start = producers.map_end_offset if producers.snapshots else self.log_start_offset
        replay_producers(self.segments, producers, start, offset)
        if self.durable_end < offset:
            self.dirty = True
            self.on_dirty(cast("Log", self))

    def _files_from(self, offset: int) -> list[File]:
        """Log files that may hold something not synced at or past ``offset``, and what belongs to them."""
        first = max(bisect_right(self.segments, offset, key=base_offset_of) - 1, 0)
        return [file for segment in self.segments[first:] for file in segment.files()]
