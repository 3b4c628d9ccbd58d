"""The records of batches, taken apart into columns.

One source for two kernels: Python runs it as it stands, Cython compiles it with the C types in
``decode.pxd``. Compiled, no index is checked by the language. So every position is compared before it is
used: a record lies within its batch, a field within its record, and room is left for what is still to come.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from riverlog.pipeline.kernel import uncompiled as cython

from riverlog.records.errors import CorruptBatch
from riverlog.records.header import (
    ATTRIBUTES_POSITION,
    HEADER_SIZE,
    LOG_OVERHEAD,
    MAGIC,
    MAGIC_POSITION,
    MAX_TIMESTAMP_POSITION,
    compute_crc,
)

if not cython.compiled:
    from riverlog.pipeline.kernel.uncompiled import Bytes, copy, readable, writable

RECORD_BYTES_MIN = 6
"""Attributes, timestamp, offset, key, value, count of headers: a byte each at least."""
INT32_MAX = (1 << 31) - 1
RECORD_BYTES_MAX = INT32_MAX
MILLIS_MAX = ((1 << 63) - 1) // 1000
"""The latest time that microseconds can say. Times beyond become this one, or the earliest."""
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1
OFFSET_MAX = HIGHEST - 1
NO_ROOM = -2
ALONE = -1
"""Attributes of a batch behind which nobody looks."""
FAR = 1 << 62
"""A timestamp up to this can be taken from ``MILLIS_MAX`` in 64 bits."""
_LENGTH, _MAGIC, _ATTRIBUTES, _COUNT = LOG_OVERHEAD - 4, MAGIC_POSITION, ATTRIBUTES_POSITION, HEADER_SIZE - 4
_CRC, _LAST_DELTA, _BASE_TIME, _MAX_TIME = 17, 23, 27, MAX_TIMESTAMP_POSITION


def read_number(data: Bytes, at: int, limit: int) -> tuple[int, int]:
    """A zigzag number of up to 64 bits that ends at ``limit`` or before, and the position after it."""
    raw = 0
    shift = 0
    while at < limit:
        byte = data[at]
        at += 1
        if byte < 128:
            if shift == 63 and byte > 1:
                break
            raw |= byte << shift
            return (raw >> 1) ^ -(raw & 1), at
        if shift == 63:
            break
        raw |= (byte & 127) << shift
        shift += 7
    raise CorruptBatch("a number in a record is too long or cut short")


def read_int(data: Bytes, at: int, size: int) -> int:
    """The ``size`` bytes at ``at`` as a number, the first one the highest. Of eight, that is below 128."""
    number = 0
    for place in range(at, at + size):
        number = number << 8 | data[place]
    return number


class Batch:
    """A place within the records of one batch, and which of them are wanted.

    Among batches that are not compressed it goes on with the next one by itself, if that has the same
    ``attributes``. Small batches would otherwise take longer to begin than to read.
    """

    def __init__(
        self,
        view: Bytes,
        *,
        at: int,
        limit: int,
        count: int,
        base_offset: int,
        last_delta: int,
        timestamp: int,
        append_time: bool,
        start: int,
        end: int,
        place: int = 0,
        attributes: int = ALONE,
    ) -> None:
        """The records lie in ``view`` from ``at`` to ``limit``, those from offset ``start`` on and before
        ``end`` are wanted. With ``append_time``, ``timestamp`` is that of them all.

        ``place`` is where the batch starts in what was fetched. If that is ``view``, ``attributes`` are those
        of the batch, and batches behind it that are alike may be read as well.
        """
        if not 0 <= at <= limit <= len(view) or count < 0:
            raise CorruptBatch("there is no such place in the batch")
        if last_delta < 0 or not 0 <= base_offset <= OFFSET_MAX - last_delta:
            raise CorruptBatch("the offsets of the batch are out of range")
        self.view = view
        self.whole = view
        self.size = len(view)
        self.place = place
        self.attributes = attributes
        self.at = at
        self.limit = limit
        self.left = count
        self.base_offset = base_offset
        self.last_delta = last_delta
        self.delta = -1
        self.timestamp = timestamp
        self.earliest = max(-MILLIS_MAX - timestamp, LOWEST)
        self.latest = min(MILLIS_MAX - timestamp, HIGHEST)
        self.append_time = append_time
        self.start = start
        self.end = end

    @property
    def trailing_bytes(self) -> int:
        """What lies behind the last record, where all of them have been read."""
        return 0 if self.left else self.limit - self.at

    @property
    def next_offset(self) -> int:
        """Offset behind the last record that was looked at."""
        return self.base_offset + self.delta + 1

    @property
    def offset_behind(self) -> int:
        """Offset behind the last one of the batch."""
        return self.base_offset + self.last_delta + 1

    def advance(self) -> bool:
        """Go on with the next batch if it is all there, sound, and alike.

        False says no more than that the caller has to look at it.
        """
        start = self.limit
        left = self.size - start
        if self.attributes < 0 or self.at != start or left < HEADER_SIZE:
            return False
        data = readable(self.view)
        size = read_int(data, start + _LENGTH, 4) + LOG_OVERHEAD
        if size < HEADER_SIZE or size > left or data[start + _MAGIC] != MAGIC:
            return False
        if read_int(data, start + _ATTRIBUTES, 2) != self.attributes:
            return False
        time_at = start + (_MAX_TIME if self.append_time else _BASE_TIME)
        if data[start] > 127 or data[time_at] > 127:
            return False
        base_offset = read_int(data, start, 8)
        last_delta = read_int(data, start + _LAST_DELTA, 4)
        if base_offset > OFFSET_MAX - last_delta or base_offset <= self.base_offset + self.last_delta:
            return False
        count = read_int(data, start + _COUNT, 4)
        if base_offset >= self.end or not 0 < count <= INT32_MAX or last_delta > INT32_MAX:
            return False
        timestamp = read_int(data, time_at, 8)
        if timestamp > FAR or compute_crc(self.whole, start, size) != read_int(data, start + _CRC, 4):
            return False
        self.place = start
        self.at = start + HEADER_SIZE
        self.limit = start + size
        self.left = count
        self.base_offset = base_offset
        self.last_delta = last_delta
        self.delta = -1
        self.timestamp = timestamp
        self.earliest = -MILLIS_MAX - self.timestamp
        self.latest = MILLIS_MAX - self.timestamp
        return True


class BytesColumn:
    """A binary column: where each field ends, their bytes, and a bit for each that is not null.

    ``ends`` has one place more than there may be fields, ``valid`` starts with all bits set.
    """

    def __init__(self, ends: memoryview, content: memoryview, valid: memoryview) -> None:
        ends[0] = 0
        self.ends = ends
        self.content = content
        self.valid = valid
        self.slots = min(len(ends) - 1, len(valid) * 8)
        self.room = min(len(content), RECORD_BYTES_MAX)  # as far as 32-bit ends go
        self.count = 0
        self.end = 0
        self.nulls = 0

    def add(self, data: Bytes, at: int, limit: int) -> int:
        """Append the field at ``at``, and answer where it ends: at ``limit`` or before.

        The caller has seen to it that there is a slot, room for ``limit - at`` bytes, and a byte at ``at``.
        """
        size = data[at]
        at += 1
        if size < 128:
            size = (size >> 1) ^ -(size & 1)
        else:
            size, at = read_number(data, at - 1, limit)
        if at > limit or size > limit - at:
            raise CorruptBatch("a field reaches beyond its record")
        if size > 0:
            copy(writable(self.content), self.end, data, at, size)
            self.end += size
            at += size
        elif size < 0:
            if size != -1:
                raise CorruptBatch("a field has a negative length")
            self.valid[self.count >> 3] &= 255 ^ (1 << (self.count & 7))
            self.nulls += 1
        self.count += 1
        self.ends[self.count] = self.end
        return at


class HeaderColumns:
    """Lists of headers: where each record's list ends, a bit for each that is not empty, and the headers."""

    def __init__(self, ends: memoryview, valid: memoryview, keys: BytesColumn, values: BytesColumn) -> None:
        ends[0] = 0
        self.ends = ends
        self.valid = valid
        self.keys = keys
        self.values = values
        self.rows_max = min(len(ends) - 1, len(valid) * 8)
        self.slots = min(self.keys.slots, self.values.slots)
        self.room = min(self.keys.room, self.values.room)
        self.missing = 0
        """Headers of the record for which there was no room."""

    def add(self, data: Bytes, at: int, limit: int, row: int) -> int:
        """Append the headers at ``at`` for ``row``, and answer where they end, or that they have no room."""
        size = data[at]
        if size == 0:
            self.valid[row >> 3] &= 255 ^ (1 << (row & 7))
            self.ends[row + 1] = self.keys.count
            return at + 1
        count, at = read_number(data, at, limit)
        # A header takes two bytes at least, so a larger count is a lie.
        if count < 0 or count > (limit - at) // 2:
            raise CorruptBatch("a record has fewer headers than it says")
        if count > self.slots - self.keys.count:
            self.missing = count
            return NO_ROOM
        for _ in range(count):
            if limit - at < 2:
                raise CorruptBatch("headers reach beyond their record")
            at = self.keys.add(data, at, limit - 1)
            at = self.values.add(data, at, limit)
        if self.keys.nulls:
            raise CorruptBatch("a header has no key")
        if count == 0:
            self.valid[row >> 3] &= 255 ^ (1 << (row & 7))
        self.ends[row + 1] = self.keys.count
        return at


class Columns:
    """Room for a number of rows, and for a number of bytes in them."""

    def __init__(
        self,
        offsets: memoryview,
        timestamps: memoryview,
        keys: BytesColumn,
        values: BytesColumn,
        headers: HeaderColumns | None = None,
    ) -> None:
        """Without ``headers``, those of the records are skipped unseen."""
        self.offsets = offsets
        self.timestamps = timestamps
        self.keys = keys
        self.values = values
        self.headers = headers
        self.rows_max = min(len(offsets), len(timestamps), self.keys.slots, self.values.slots)
        self.room = min(self.keys.room, self.values.room)
        if self.headers is not None:
            self.rows_max = min(self.rows_max, self.headers.rows_max)
            self.room = min(self.room, self.headers.room)
        self.rows = 0
        self.missing = 0
        """Bytes of the record for which there was no room."""

    def fill(self, batch: Batch) -> bool:
        """Take records up to the end of the batches; True if there was no room for the next one.

        Of a batch that turns out to be malformed the rows before that place remain. Nothing may be added to
        the columns after that, or after they were full.
        """
        while True:
            if self._fill(batch):
                return True
            if batch.left or not batch.advance():
                return False

    def _fill(self, batch: Batch) -> bool:
        data = readable(batch.view)
        while batch.left:
            length, at = read_number(data, batch.at, batch.limit)
            if length < RECORD_BYTES_MIN or length > batch.limit - at or length > RECORD_BYTES_MAX:
                raise CorruptBatch("the length of a record does not fit")
            stop = at + length
            millis, at = self._timestamp(batch, data, at + 1, stop - 4)
            delta = data[at]
            at += 1
            if delta < 128:
                delta = (delta >> 1) ^ -(delta & 1)
            else:
                delta, at = read_number(data, at - 1, stop - 3)
            if delta <= batch.delta or delta > batch.last_delta:
                raise CorruptBatch("an offset is out of order or beyond its batch")
            offset = batch.base_offset + delta
            if offset >= batch.end:
                batch.at = batch.limit
                batch.left = 0
                return False
            if offset >= batch.start:
                if self.rows == self.rows_max or length > self.room:
                    self.missing = length
                    return True
                at = self.keys.add(data, at, stop - 2)
                at = self.values.add(data, at, stop - 1)
                if self.headers is not None:
                    at = self.headers.add(data, at, stop, self.rows)
                    if at == NO_ROOM:
                        self.missing = length
                        return True
                    if at != stop:
                        raise CorruptBatch("the length of a record does not match its content")
                self.offsets[self.rows] = offset
                self.timestamps[self.rows] = millis * 1000
                self.rows += 1
                self.room -= length
            batch.delta = delta
            batch.at = stop
            batch.left -= 1
        return False

    def _timestamp(self, batch: Batch, data: Bytes, at: int, limit: int) -> tuple[int, int]:
        """The timestamp in ms at ``at``, kept within what microseconds can say; and the position after it."""
        delta = data[at]
        at += 1
        if delta < 128:
            delta = (delta >> 1) ^ -(delta & 1)
        else:
            delta, at = read_number(data, at - 1, limit)
        if batch.append_time:
            delta = 0
        return batch.timestamp + min(max(delta, batch.earliest), batch.latest), at
