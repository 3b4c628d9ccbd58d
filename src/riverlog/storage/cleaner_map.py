"""The offset map of a compaction: the last offset of each key, in bounded memory.

A key is kept as a 16-byte hash with its offset, 24 bytes in all, in open-addressing tables. There are
many small tables instead of a large one, so that no step allocates or clears much at a time.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2s
from struct import Struct

ENTRY_BYTES = 24
TABLE_SLOTS = 32749
"""A prime, so that every step size visits every slot; one table takes 768 KiB."""
_SLOTS_MIN = 31
_FULL_MARGIN = 0.98
"""A single table may fill a little more than the average one."""

_halves = Struct(">QQ").unpack


class OffsetMap:
    """Key → last offset. ``latest_offset`` says how far the log is covered."""

    __slots__ = ("_counts", "_table_max", "_tables", "keys_max", "latest_offset", "size", "slots")

    def __init__(self, *, buffer_bytes: int, load_factor: float, records: int, start_offset: int) -> None:
        """Room for ``records`` keys, or for as many as ``buffer_bytes`` allows. ``allocate`` first."""
        most = max(buffer_bytes // ENTRY_BYTES, _SLOTS_MIN)
        wanted = int(records / min(load_factor, 0.75)) + 1
        tables = -(-min(most, max(wanted, _SLOTS_MIN)) // TABLE_SLOTS)
        self.slots = TABLE_SLOTS * tables
        if tables == 1:
            self.slots = _prime_from(min(most, max(wanted, _SLOTS_MIN)))
        elif self.slots > most:
            tables -= 1
            self.slots = TABLE_SLOTS * tables
        self.keys_max = max(int(self.slots * load_factor), 1)
        self.latest_offset = start_offset - 1
        self.size = 0
        self._counts = [0] * tables
        self._table_max = int(self.slots // tables * _FULL_MARGIN)
        self._tables: list[array[int]] = []

    def allocate(self) -> Iterator[None]:
        """Make the tables, one a step."""
        empty = bytes(self.slots // len(self._counts) * ENTRY_BYTES)
        for _ in self._counts:
            self._tables.append(array("Q", empty))
            yield

    def release(self) -> Iterator[None]:
        """Give the memory back, one table a step."""
        while self._tables:
            self._tables.pop()
            yield

    def put(self, keys: Iterable[tuple[bytes, int]]) -> bool:
        """Note the offsets of these keys, in log order. False if the map is full: some are missing then."""
        tables = self._tables
        counts = self._counts
        count = len(tables)
        slots = self.slots // count
        for key, offset in keys:
            high, low = _halves(blake2s(key, digest_size=16).digest())
            number = high % count
            table = tables[number]
            at = low % slots * 3
            while table[at + 2]:
                if table[at + 1] == low and table[at] == high:
                    table[at + 2] = offset + 1
                    break
                at = (at // 3 + 1 + (high >> 32) % (slots - 1)) % slots * 3
            else:
                if self.size >= self.keys_max or counts[number] >= self._table_max:
                    return False
                table[at] = high
                table[at + 1] = low
                table[at + 2] = offset + 1
                counts[number] += 1
                self.size += 1
        return True

    def find(self, keys: Sequence[bytes]) -> list[int]:
        """The last offset of each key; -1 for one that is not in the map."""
        tables = self._tables
        count = len(tables)
        slots = self.slots // count
        found: list[int] = []
        add = found.append
        for key in keys:
            high, low = _halves(blake2s(key, digest_size=16).digest())
            table = tables[high % count]
            at = low % slots * 3
            while table[at + 2]:
                if table[at + 1] == low and table[at] == high:
                    break
                at = (at // 3 + 1 + (high >> 32) % (slots - 1)) % slots * 3
            add(table[at + 2] - 1)
        return found

    @property
    def utilization(self) -> float:
        return self.size / self.slots


def _prime_from(number: int) -> int:
    """The largest prime not above ``number``."""
    while any(number % divisor == 0 for divisor in range(2, int(number**0.5) + 1)):
        number -= 1
    return number
