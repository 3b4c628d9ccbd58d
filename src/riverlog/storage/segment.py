"""One segment of a log: the batches, and the three indexes beside them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from struct import Struct

from riverlog.base.errors import ErrorCode
from riverlog.env import Disk, File
from riverlog.env.disk import Buffer
from riverlog.records import HEADER_SIZE, BatchHeader, read_header
from riverlog.storage.errors import LogError
from riverlog.storage.index import OffsetIndex
from riverlog.storage.names import (
    INDEX_SUFFIX,
    LOG_SUFFIX,
    TIME_INDEX_SUFFIX,
    TXN_INDEX_SUFFIX,
    offset_name,
)
from riverlog.storage.timeindex import TimeIndex
from riverlog.storage.txnindex import TransactionIndex

UNKNOWN = -2
"""A timestamp not read from disk yet."""
SCAN_BYTES = 8192
RELATIVE_OFFSET_MAX = (1 << 31) - 1
_MIN_BATCH_LENGTH = HEADER_SIZE - 12

_bounds = Struct(">qi11xi").unpack_from
"""Base offset, batch length, last offset delta."""
_BOUNDS_SIZE = 27


class Segment:
    """Files are made when there is something to put in; ``size`` counts the bytes of batches."""

    __slots__ = (
        "_disk",
        "_file",
        "_max_timestamp",
        "_max_timestamp_offset",
        "base_offset",
        "bytes_since_index",
        "created_ms",
        "entries_max",
        "folder",
        "index",
        "offset_max",
        "roll_after",
        "size",
        "time_index",
        "txn_index",
    )

    def __init__(
        self, disk: Disk, folder: str, base_offset: int, *, names: Collection[str], now_ms: int
    ) -> None:
        """``names`` are the files of the folder, so that what exists is not asked for again."""
        self._disk = disk
        self.folder = folder
        self.base_offset = base_offset
        self.offset_max = base_offset + RELATIVE_OFFSET_MAX
        self.created_ms = now_ms
        self.bytes_since_index = 0
        self.entries_max = RELATIVE_OFFSET_MAX
        """With so many index entries the log looks whether to roll."""
        self.roll_after = UNKNOWN
        """A batch with a timestamp above this makes the log look whether to roll."""
        name = offset_name(base_offset, INDEX_SUFFIX)
        self.index = OffsetIndex(disk, f"{folder}/{name}", base_offset, on_disk=name in names)
        name = offset_name(base_offset, TIME_INDEX_SUFFIX)
        self.time_index = TimeIndex(disk, f"{folder}/{name}", base_offset, on_disk=name in names)
        name = offset_name(base_offset, TXN_INDEX_SUFFIX)
        self.txn_index = TransactionIndex(disk, f"{folder}/{name}", on_disk=name in names)
        name = offset_name(base_offset, LOG_SUFFIX)
        self._file: File | None = None
        self.size = 0
        self._max_timestamp = -1
        self._max_timestamp_offset = base_offset
        if name in names:
            self._file = disk.open(f"{folder}/{name}")
            self.size = self._file.size
            if self.size:
                self._max_timestamp = UNKNOWN

    @property
    def on_disk(self) -> bool:
        return self._file is not None

    @property
    def file(self) -> File:
        file = self._file
        if file is None:
            path = f"{self.folder}/{offset_name(self.base_offset, LOG_SUFFIX)}"
            file = self._file = self._disk.open(path, create=True)
            if file.size:
                file.truncate(0)
        return file

    def adopt(self, file: File) -> None:
        """Read from a file of another name."""
        self._file = file
        self.size = file.size

    # -- writing -------------------------------------------------------------------------

    def append(
        self, buffer: Buffer, size: int, last_offset: int, max_timestamp: int, index_interval: int
    ) -> int:
        """One batch, offsets set. Answers its position."""
        position = self.size
        (self._file or self.file).append(buffer)
        self.size = position + size
        self.note(position, size, last_offset, max_timestamp, index_interval)
        return position

    def note(
        self, position: int, size: int, last_offset: int, max_timestamp: int, index_interval: int
    ) -> None:
        """Index a batch that is in the file: after an append, or in recovery."""
        if max_timestamp > self._max_timestamp:
            if self._max_timestamp == UNKNOWN:
                self._load_max_timestamp()
            if max_timestamp > self._max_timestamp:
                self._max_timestamp = max_timestamp
                self._max_timestamp_offset = last_offset
        if self.bytes_since_index > index_interval:
            self.index.append(last_offset, position)
            self.time_index.maybe_append(self.max_timestamp, self._max_timestamp_offset)
            self.bytes_since_index = 0
            if self.index.entries >= self.entries_max:
                self.roll_after = UNKNOWN
        self.bytes_since_index += size

    def seal(self) -> None:
        """No more batches for now (roll or close): the time index gets its final entry, tails go to disk."""
        if self.size:
            self.time_index.maybe_append(self.max_timestamp, self._max_timestamp_offset)
            self.index.flush()
            self.time_index.flush()

    def files(self) -> list[File]:
        """What must be on disk before the recovery point may pass this segment."""
        found = [self.file] if self._file is not None else []
        found += [index.open_file() for index in (self.index, self.time_index) if index.on_disk]
        if self.txn_index.on_disk:
            found.append(self.txn_index.open_file())
        return found

    def reset_indexes(self) -> None:
        """Before a rebuild."""
        self.index.reset()
        self.time_index.reset()
        self.txn_index.reset()
        self.forget_timestamps()

    def forget_timestamps(self) -> None:
        self.bytes_since_index = 0
        self._max_timestamp = -1
        self._max_timestamp_offset = self.base_offset

    def truncate(self, position: int, offset: int, now_ms: int) -> None:
        """Cut the file at ``position``, where the batch at ``offset`` starts."""
        self.index.truncate_to(offset)
        self.time_index.truncate_to(offset)
        self.txn_index.truncate_to(offset)
        if position < self.size:
            self.file.truncate(position)
            self.size = position
        self.bytes_since_index = 0
        self.roll_after = UNKNOWN
        if position == 0:
            self.created_ms = now_ms
        self._max_timestamp = UNKNOWN if position else -1
        self._max_timestamp_offset = self.base_offset
        if position:
            self._rescan_max_timestamp()

    # -- timestamps ----------------------------------------------------------------------

    @property
    def max_timestamp(self) -> int:
        """Largest timestamp of a batch; -1 if there is none."""
        if self._max_timestamp == UNKNOWN:
            self._load_max_timestamp()
        return self._max_timestamp

    @property
    def max_timestamp_offset(self) -> int:
        """Last offset of the batch with the largest timestamp."""
        if self._max_timestamp == UNKNOWN:
            self._load_max_timestamp()
        return self._max_timestamp_offset

    @property
    def largest_timestamp(self) -> int:
        """For retention: when no batch has a timestamp, the time the segment was made."""
        found = self.max_timestamp
        return found if found >= 0 else self.created_ms

    def first_timestamp(self) -> int:
        """Largest timestamp of the first batch; -1 for an empty segment."""
        if self.size < HEADER_SIZE:
            return -1
        return self.header_at(0).max_timestamp

    def _load_max_timestamp(self) -> None:
        """The time index of a sealed segment ends with the largest one."""
        self._max_timestamp, self._max_timestamp_offset = self.time_index.last_entry()

    def _rescan_max_timestamp(self) -> None:
        """After a cut: the last index entry, and the batches behind it."""
        timestamp, offset = self.time_index.last_entry()
        start = self.index.lookup(offset)[1] if timestamp >= 0 else 0
        for _, header in self.headers(start):
            if header.max_timestamp > timestamp:
                timestamp, offset = header.max_timestamp, header.base_offset + header.last_offset_delta
        self._max_timestamp, self._max_timestamp_offset = timestamp, offset

    # -- reading -------------------------------------------------------------------------

    def find(self, offset: int) -> tuple[int, int, int] | None:
        """Position, size and base offset of the first batch that reaches ``offset``."""
        return self.find_from(offset, self.index.lookup(offset)[1])

    def find_from(self, offset: int, position: int) -> tuple[int, int, int] | None:
        """The same, walking on from the batch at ``position``."""
        end = self.size
        file = self.file
        while end - position >= HEADER_SIZE:
            data = file.read(position, min(SCAN_BYTES, end - position))
            at = 0
            while len(data) - at >= _BOUNDS_SIZE:
                base_offset, length, delta = _bounds(data, at)
                if length < _MIN_BATCH_LENGTH:
                    raise self._corrupt(position + at)
                if base_offset + delta >= offset:
                    return position + at, 12 + length, base_offset
                at += 12 + length
            if at == 0:
                raise self._corrupt(position)
            position += at
        return None

    def header_at(self, position: int) -> BatchHeader:
        return read_header(self.file.read(position, HEADER_SIZE), 0)

    def headers(self, position: int = 0) -> Iterator[tuple[int, BatchHeader]]:
        """Position and header of each batch from ``position`` on. Raises ``CorruptBatch``."""
        file = self.file
        end = self.size
        while end - position >= HEADER_SIZE:
            data = file.read(position, min(SCAN_BYTES, end - position))
            at = 0
            while len(data) - at >= HEADER_SIZE:
                header = read_header(data, at)
                yield position + at, header
                at += 12 + header.batch_length
            position += at

    def next_offset(self) -> int:
        """Where the log goes on after this segment: a walk from the last index entry."""
        position = self.index.last_entry()[1]
        found = self.base_offset
        for _, header in self.headers(position):
            found = header.base_offset + header.last_offset_delta + 1
        return found

    def _corrupt(self, position: int) -> LogError:
        return LogError(ErrorCode.CORRUPT_MESSAGE, f"{self.file.path}: no batch at {position}")

    # -- the files -----------------------------------------------------------------------

    def paths(self) -> list[str]:
        found = [self._file.path] if self._file is not None else []
        found += [index.path for index in (self.index, self.time_index, self.txn_index) if index.on_disk]
        return found

    def add_suffix(self, suffix: str) -> list[str]:
        """Rename all files; answers the new paths. The log first: indexes alone are swept up at start."""
        return self.change_suffix("", suffix)

    def change_suffix(self, old: str, new: str) -> list[str]:
        if self._file is not None:
            self._file.rename(self._file.path.removesuffix(old) + new)
        for index in (self.index, self.time_index, self.txn_index):
            if index.on_disk:
                index.rename(index.path.removesuffix(old) + new)
            else:
                index.path = index.path.removesuffix(old) + new
        return self.paths()

    def close(self) -> None:
        self.index.close()
        self.time_index.close()
        self.txn_index.close()
        if self._file is not None:
            self._file.close()
