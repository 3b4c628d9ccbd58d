"""The segment that a compaction writes, from its first byte to its place in the log.

``.cleaned`` while it is written: dropped at the next start. ``.swap`` once all of it is on disk: the next
start finishes the swap. Then the old segments become ``.deleted`` and this one takes its name. Between
these states the folder is synced, and within one the files are renamed in the order that ``leftovers.py``
relies on: the log before its indexes.
"""

from __future__ import annotations

from riverlog.env import Disk, File
from riverlog.env.disk import Buffer
from riverlog.records import BatchHeader, read_header
from riverlog.storage.names import CLEANED_SUFFIX, LOG_SUFFIX, SWAP_SUFFIX, offset_name
from riverlog.storage.segment import Segment

WRITE_BYTES = 256 << 10
"""Batches are collected up to this size and written together."""
SIZE_MAX = (1 << 31) - 1


class CleanedSegment:
    """Takes batches in order. One at a time per folder."""

    __slots__ = ("_disk", "_index_interval", "_parts", "_pending", "segment")

    def __init__(
        self, disk: Disk, folder: str, base_offset: int, *, created_ms: int, index_interval: int
    ) -> None:
        self._disk = disk
        self._index_interval = index_interval
        self._parts: list[Buffer] = []
        self._pending = 0
        segment = Segment(disk, folder, base_offset, names=(), now_ms=created_ms)
        path = f"{folder}/{offset_name(base_offset, LOG_SUFFIX)}{CLEANED_SUFFIX}"
        for index in (segment.index, segment.time_index, segment.txn_index):
            index.path += CLEANED_SUFFIX
        for left in (path, segment.index.path, segment.time_index.path, segment.txn_index.path):
            if disk.exists(left):
                disk.remove(left)
        segment.adopt(disk.open(path, create=True))
        self.segment = segment

    @property
    def size(self) -> int:
        return self.segment.size

    def append(self, batch: Buffer, header: BatchHeader | None = None) -> int:
        """One batch; ``header`` where it is known. Answers the bytes written to the file."""
        found = read_header(batch) if header is None else header
        segment = self.segment
        position = segment.size
        assert position + found.size <= SIZE_MAX, "a compacted segment outgrew its index"
        self._parts.append(batch)
        self._pending += found.size
        segment.size = position + found.size
        segment.note(position, found.size, found.last_offset, found.max_timestamp, self._index_interval)
        return self.flush() if self._pending >= WRITE_BYTES else 0

    def flush(self) -> int:
        written = self._pending
        if written:
            self.segment.file.append_many(self._parts)
            self._parts.clear()
            self._pending = 0
        return written

    def finish(self) -> list[File]:
        """Nothing more comes: all files, to be synced."""
        self.flush()
        self.segment.seal()
        return self.segment.files()

    def become_swap(self) -> None:
        self.segment.change_suffix(CLEANED_SUFFIX, SWAP_SUFFIX)

    def discard(self) -> None:
        """Take it back. The log goes last: alone it would be a whole swap, an index alone would be put
        beside the old log."""
        self._parts.clear()
        paths = self.segment.paths()
        self.segment.close()
        for path in reversed(paths):
            if self._disk.exists(path):
                self._disk.remove(path)
