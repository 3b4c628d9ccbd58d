"""The time index of a segment: (largest timestamp so far → last offset of the batch that has it)."""

from __future__ import annotations

from struct import Struct

from riverlog.env import Disk
from riverlog.storage.index import TAIL_BYTES_MAX, IndexFile, floor_slot

NO_TIMESTAMP = -1


class TimeIndex(IndexFile):
    """Timestamps and offsets both grow from entry to entry."""

    ENTRY_SIZE = 12
    _entry = Struct(">qi")
    _offset = Struct(">8xi")
    __slots__ = ("_last",)

    def __init__(self, disk: Disk, path: str, base_offset: int, *, on_disk: bool) -> None:
        super().__init__(disk, path, base_offset, self.ENTRY_SIZE, on_disk=on_disk)
        self._last: tuple[int, int] | None = None if on_disk else (NO_TIMESTAMP, base_offset)

    def maybe_append(self, timestamp: int, offset: int) -> None:
        """Add the entry unless its timestamp is not larger than the last one's."""
        last_timestamp, last_offset = self.last_entry()
        if timestamp <= last_timestamp or offset < last_offset:
            return
        tail = self._tail
        tail += self._entry.pack(timestamp, offset - self.base_offset)
        self._last = (timestamp, offset)
        if len(tail) >= TAIL_BYTES_MAX:
            self.flush()

    def last_entry(self) -> tuple[int, int]:
        """(timestamp, offset) of the last entry; (-1, base offset) if there is none."""
        last = self._last
        if last is None:
            last = self._last = self._read_last()
        return last

    def lookup(self, timestamp: int) -> tuple[int, int]:
        """The last entry whose timestamp is not above ``timestamp``."""
        unpack = self._entry.unpack_from
        tail = self._tail
        if tail and unpack(tail, 0)[0] <= timestamp:
            slot = floor_slot(unpack, tail, len(tail) // 12, 12, timestamp)
            found = unpack(tail, slot * 12)
        else:
            view = self._view()
            slot = floor_slot(unpack, view, self._count, 12, timestamp)
            if slot < 0:
                return NO_TIMESTAMP, self.base_offset
            found = unpack(view, slot * 12)
        return found[0], self.base_offset + found[1]

    def truncate_to(self, offset: int) -> None:
        """Drop entries that point at ``offset`` or further."""
        relative = offset - self.base_offset - 1
        unpack = self._offset.unpack_from
        tail = self._tail
        slot = floor_slot(unpack, tail, len(tail) // 12, 12, relative)
        if slot >= 0:
            self._cut(self._flushed() + slot + 1)
        else:
            view = self._view()
            slot = floor_slot(unpack, view, self._flushed(), 12, relative)
            del view  # a live map of a file that shrinks is not safe
            self._cut(slot + 1)
        self._last = None

    def reset(self) -> None:
        super().reset()
        self._last = (NO_TIMESTAMP, self.base_offset)

    def is_plausible(self) -> bool:
        """Whether the entries can be what we wrote: whole, and the last not before the first."""
        if not self.is_whole():
            return False
        if self.entries == 0:
            return True
        first = self._entry.unpack(self.open_file().read(0, 12))
        timestamp, offset = self.last_entry()
        return timestamp >= first[0] and offset >= self.base_offset

    def _read_last(self) -> tuple[int, int]:
        if self._tail:
            found = self._entry.unpack_from(self._tail, len(self._tail) - 12)
        else:
            count = self._flushed()
            if count == 0:
                return NO_TIMESTAMP, self.base_offset
            found = self._entry.unpack(self.open_file().read((count - 1) * 12, 12))
        return found[0], self.base_offset + found[1]
