"""The offset index of a segment: (last offset of a batch → where that batch starts).

The file holds exact entries; those not yet written wait in a small tail in memory. The index
is a cache of the segment: recovery rebuilds it, so nothing waits for it to be durable
except the recovery point, which passes a closed segment only when its index is synced.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any

from riverlog.env import Disk, File

TAIL_BYTES_MAX = 4096
"""Entries kept in memory before they are appended to the file."""
MAP_BYTES_MIN = 16384
"""Smaller files are read: mapping costs more."""

_RELATIVE_MAX = (1 << 31) - 1


def floor_slot(
    unpack: Callable[..., tuple[Any, ...]],
    buffer: bytes | bytearray | memoryview,
    count: int,
    entry_size: int,
    target: int,
) -> int:
    """Last slot whose key is not above ``target``; -1 if there is none."""
    low = 0
    high = count
    while low < high:
        middle = (low + high) >> 1
        if unpack(buffer, middle * entry_size)[0] <= target:
            low = middle + 1
        else:
            high = middle
    return low - 1


class IndexFile:
    """What both indexes share: a file of fixed-size entries, opened late, with a tail in memory."""

    __slots__ = ("_count", "_disk", "_entry_size", "_file", "_on_disk", "_tail", "base_offset", "path")

    def __init__(self, disk: Disk, path: str, base_offset: int, entry_size: int, *, on_disk: bool) -> None:
        self.path = path
        self.base_offset = base_offset
        self._disk = disk
        self._entry_size = entry_size
        self._on_disk = on_disk
        self._file: File | None = None
        self._count = -1 if on_disk else 0
        self._tail = bytearray()

    @property
    def entries(self) -> int:
        return self._flushed() + len(self._tail) // self._entry_size

    @property
    def on_disk(self) -> bool:
        return self._on_disk

    def open_file(self) -> File:
        """The file, created if it is not there."""
        file = self._file
        if file is None:
            file = self._file = self._disk.open(self.path, create=not self._on_disk)
            self._on_disk = True
        return file

    def flush(self) -> File:
        """Append the tail to the file, which is created even when empty."""
        count = self._flushed()
        file = self.open_file()
        tail = self._tail
        if file.size != count * self._entry_size:
            file.truncate(count * self._entry_size)  # Kafka's preallocated zeros, or half an entry
        if tail:
            file.append(bytes(tail))
            self._count = count + len(tail) // self._entry_size
            tail.clear()
        return file

    def reset(self) -> None:
        """Forget all entries, in the file too."""
        self._tail.clear()
        self._count = 0
        if self._on_disk:
            self.open_file().truncate(0)

    def rename(self, path: str) -> None:
        if self._file is not None:
            self._file.rename(path)
        elif self._on_disk:
            self._disk.rename(self.path, path)
        self.path = path

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def is_whole(self) -> bool:
        """Whether the file is there and made of whole entries."""
        return self._on_disk and self.open_file().size % self._entry_size == 0

    def _flushed(self) -> int:
        """Entries in the file; counted when first asked."""
        if self._count < 0:
            file = self.open_file()
            self._count = self._count_entries(file)
        return self._count

    def _count_entries(self, file: File) -> int:
        """Kafka preallocates the index of the active segment: the zeros at its end are no entries.

        An all-zero entry never stands behind another one, so its first place is found by halving.
        """
        size = self._entry_size
        count = file.size // size
        zero = bytes(size)
        if count < 2 or file.read((count - 1) * size, size) != zero:
            if count == 1 and size == OffsetIndex.ENTRY_SIZE and file.read(0, size) == zero:
                return 0
            return count
        low, high = 0, count - 1
        while low < high:
            middle = (low + high) >> 1
            if file.read(middle * size, size) == zero:
                high = middle
            else:
                low = middle + 1
        return low

    def _view(self) -> bytes | memoryview:
        """The entries in the file."""
        length = self._flushed() * self._entry_size
        if length == 0:
            return b""
        file = self.open_file()
        return file.read(0, length) if length < MAP_BYTES_MIN else file.map()

    def _cut(self, count: int) -> None:
        """Keep the first ``count`` entries."""
        flushed = self._flushed()
        if count >= flushed:
            del self._tail[(count - flushed) * self._entry_size :]
            return
        self._tail.clear()
        self._count = count
        self.open_file().truncate(count * self._entry_size)


class OffsetIndex(IndexFile):
    """Sparse: one entry per ``index.interval.bytes`` of log."""

    ENTRY_SIZE = 8
    _entry = Struct(">ii")
    _position = Struct(">4xi")
    __slots__ = ()

    def __init__(self, disk: Disk, path: str, base_offset: int, *, on_disk: bool) -> None:
        super().__init__(disk, path, base_offset, self.ENTRY_SIZE, on_disk=on_disk)

    def append(self, offset: int, position: int) -> None:
        tail = self._tail
        tail += self._entry.pack(offset - self.base_offset, position)
        if len(tail) >= TAIL_BYTES_MAX:
            self.flush()

    def lookup(self, offset: int) -> tuple[int, int]:
        """The entry at or before ``offset``: (offset, position); the segment's start if there is none."""
        relative = min(offset - self.base_offset, _RELATIVE_MAX)
        unpack = self._entry.unpack_from
        tail = self._tail
        if tail and unpack(tail, 0)[0] <= relative:
            slot = floor_slot(unpack, tail, len(tail) // 8, 8, relative)
            found = unpack(tail, slot * 8)
        else:
            view = self._view()
            slot = floor_slot(unpack, view, self._count, 8, relative)
            if slot < 0:
                return self.base_offset, 0
            found = unpack(view, slot * 8)
        return self.base_offset + found[0], found[1]

    def offset_from(self, position: int) -> int | None:
        """An offset that no batch before ``position`` reaches; None if the entries do not tell."""
        unpack = self._position.unpack_from
        view = self._view()
        for entries, count in ((view, self._flushed()), (self._tail, len(self._tail) // 8)):
            slot = floor_slot(unpack, entries, count, 8, position - 1) + 1
            if slot < count:
                return self.base_offset + int(self._entry.unpack_from(entries, slot * 8)[0])
        return None

    def last_entry(self) -> tuple[int, int]:
        """(offset, position) of the last entry; the segment's start if there is none."""
        if self._tail:
            found = self._entry.unpack_from(self._tail, len(self._tail) - 8)
        else:
            count = self._flushed()
            if count == 0:
                return self.base_offset, 0
            found = self._entry.unpack(self.open_file().read((count - 1) * 8, 8))
        return self.base_offset + found[0], found[1]

    def truncate_to(self, offset: int) -> None:
        """Drop entries of batches that reach ``offset`` or further."""
        relative = offset - self.base_offset - 1
        unpack = self._entry.unpack_from
        tail = self._tail
        slot = floor_slot(unpack, tail, len(tail) // 8, 8, relative)
        if slot >= 0:
            self._cut(self._flushed() + slot + 1)
            return
        view = self._view()
        slot = floor_slot(unpack, view, self._flushed(), 8, relative)
        del view  # a live map of a file that shrinks is not safe
        self._cut(slot + 1)

    def is_plausible(self, log_size: int) -> bool:
        """Whether the file can belong to a segment of ``log_size`` bytes."""
        if not self.is_whole():
            return False
        offset, position = self.last_entry()
        return self.entries == 0 or (offset >= self.base_offset and 0 < position < log_size)
