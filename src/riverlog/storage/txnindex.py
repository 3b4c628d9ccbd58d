"""The transaction index of a segment: aborted transactions, in the order of their markers."""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple

from riverlog.env import Disk, File

_ENTRY = Struct(">hqqqq")
_VERSION = 0
_ENTRIES_READ = 120
"""At once: about a page."""


class AbortedTransaction(NamedTuple):
    """``last_offset`` is the marker's; ``last_stable_offset`` the one right after it was written."""

    producer_id: int
    first_offset: int
    last_offset: int
    last_stable_offset: int


class TransactionIndex:
    """The file is made with the first entry; most segments have none."""

    __slots__ = ("_disk", "_file", "_on_disk", "path")

    def __init__(self, disk: Disk, path: str, *, on_disk: bool) -> None:
        self.path = path
        self._disk = disk
        self._on_disk = on_disk
        self._file: File | None = None

    @property
    def on_disk(self) -> bool:
        return self._on_disk

    def open_file(self) -> File:
        file = self._file
        if file is None:
            file = self._file = self._disk.open(self.path, create=not self._on_disk)
            self._on_disk = True
        return file

    def append(self, aborted: AbortedTransaction) -> None:
        self.open_file().append(_ENTRY.pack(_VERSION, *aborted))

    def all(self) -> list[AbortedTransaction]:
        if not self._on_disk:
            return []
        file = self.open_file()
        data = file.read(0, file.size - file.size % _ENTRY.size)
        return [AbortedTransaction(*entry[1:]) for entry in _ENTRY.iter_unpack(data)]

    def collect(self, fetch_offset: int, end_offset: int) -> tuple[list[AbortedTransaction], bool]:
        """Those that overlap the range, and whether later segments can hold no more of them."""
        found: list[AbortedTransaction] = []
        if not self._on_disk:
            return found, False
        file = self.open_file()
        count = file.size // _ENTRY.size
        slot = self._first_from(file, count, fetch_offset)
        while slot < count:
            some = min(count - slot, _ENTRIES_READ)
            data = file.read(slot * _ENTRY.size, some * _ENTRY.size)
            for entry in _ENTRY.iter_unpack(data):
                aborted = AbortedTransaction(*entry[1:])
                if aborted.first_offset < end_offset:
                    found.append(aborted)
                if aborted.last_stable_offset >= end_offset:
                    return found, True
            slot += some
        return found, False

    @staticmethod
    def _first_from(file: File, count: int, offset: int) -> int:
        """The first slot whose marker is at ``offset`` or further: they stand in that order."""
        low, high = 0, count
        while low < high:
            middle = (low + high) >> 1
            if _ENTRY.unpack(file.read(middle * _ENTRY.size, _ENTRY.size))[3] < offset:
                low = middle + 1
            else:
                high = middle
        return low

    def is_plausible(self, base_offset: int) -> bool:
        if not self._on_disk:
            return True
        if self.open_file().size % _ENTRY.size:
            return False
        return all(aborted.last_offset >= base_offset for aborted in self.all())

    def truncate_to(self, offset: int) -> None:
        """Drop transactions whose marker is at ``offset`` or further."""
        for slot, aborted in enumerate(self.all()):
            if aborted.last_offset >= offset:
                self.open_file().truncate(slot * _ENTRY.size)
                return

    def reset(self) -> None:
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
