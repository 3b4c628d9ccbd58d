"""Rows of Arrow columns written as the records of a batch, and the hash that chooses their partitions.

One source for two kernels, as in ``decode.py``. The columns come from outside and, compiled, no index is
checked by the language: whatever an Arrow offset says is compared with the bytes that are there.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from riverlog.pipeline.kernel import uncompiled as cython

if not cython.compiled:
    from riverlog.pipeline.kernel.uncompiled import Bytes, copy, readable, writable

RECORD_BYTES_MAX = (1 << 31) - 128
"""With a header before it, a length of 32 bits."""
MURMUR_SEED = 0x9747B28C
MURMUR_MULTIPLIER = 0x5BD1E995
LOW_32_BITS = 0xFFFFFFFF


def number_size(number: int) -> int:
    """Bytes of ``number`` as a zigzag varint."""
    raw = (number << 1) ^ (number >> 63)
    size = 1
    while raw >= 128:
        raw >>= 7
        size += 1
    return size


def write_number(out: memoryview, at: int, number: int) -> int:
    raw = (number << 1) ^ (number >> 63)
    while raw >= 128:
        out[at] = raw & 127 | 128
        raw >>= 7
        at += 1
    out[at] = raw
    return at + 1


class BytesField:
    """A binary Arrow column where it lies: ``ends`` has one place more than there are rows, ``valid`` a bit
    for each from ``first_bit`` on, or is empty."""

    def __init__(self, ends: memoryview, content: Bytes, valid: Bytes, first_bit: int) -> None:
        self.ends = ends
        self.content = content
        self.valid = valid
        self.first_bit = first_bit
        self.count = len(ends) - 1
        self.nullable = len(valid) > 0
        if self.nullable and (first_bit < 0 or len(valid) * 8 - first_bit < self.count):
            raise ValueError("an Arrow column has fewer validity bits than rows")

    def size(self, row: int) -> int:
        """Bytes of the field, -1 for null. The field lies within ``content``."""
        if self.nullable:
            bit = self.first_bit + row
            if not self.valid[bit >> 3] >> (bit & 7) & 1:
                return -1
        start = self.ends[row]
        size = self.ends[row + 1] - start
        if start < 0 or size < 0 or start > len(self.content) - size:
            raise ValueError("an Arrow column points beyond its bytes")
        return size

    def write(self, out: memoryview, at: int, row: int, size: int) -> int:
        at = write_number(out, at, size)
        if size > 0:
            copy(out, at, readable(self.content), self.ends[row], size)
            at += size
        return at


class HeaderFields:
    """An Arrow column of lists of headers, as ``BytesField`` says."""

    def __init__(
        self, ends: memoryview, valid: Bytes, first_bit: int, keys: BytesField, values: BytesField
    ) -> None:
        self.ends = ends
        self.valid = valid
        self.first_bit = first_bit
        self.rows = len(ends) - 1
        self.nullable = len(valid) > 0
        self.keys = keys
        self.values = values
        self.total = min(self.keys.count, self.values.count)
        if self.nullable and (first_bit < 0 or len(valid) * 8 - first_bit < self.rows):
            raise ValueError("an Arrow column has fewer validity bits than rows")

    def count(self, row: int) -> int:
        """Headers of the row; null is none."""
        if self.nullable:
            bit = self.first_bit + row
            if not self.valid[bit >> 3] >> (bit & 7) & 1:
                return 0
        start = self.ends[row]
        count = self.ends[row + 1] - start
        if start < 0 or count < 0 or start > self.total - count:
            raise ValueError("an Arrow list points beyond its items")
        return count

    def size(self, row: int, count: int) -> int:
        """Bytes of the row's headers."""
        total = number_size(count)
        first = self.ends[row]
        for item in range(first, first + count):
            key = self.keys.size(item)
            if key < 0:
                raise ValueError("a header has no key")
            value = self.values.size(item)
            total += number_size(key) + key + number_size(value)
            if value > 0:
                total += value
        return total

    def write(self, out: memoryview, at: int, row: int, count: int) -> int:
        at = write_number(out, at, count)
        first = self.ends[row]
        for item in range(first, first + count):
            at = self.keys.write(out, at, item, self.keys.size(item))
            at = self.values.write(out, at, item, self.values.size(item))
        return at


class Rows:
    """Rows to be written as records. ``millis`` are their timestamps."""

    def __init__(
        self,
        keys: BytesField,
        values: BytesField,
        millis: memoryview,
        headers: HeaderFields | None = None,
    ) -> None:
        self.keys = keys
        self.values = values
        self.millis = millis
        self.headers = headers
        self.rows = len(millis)
        if self.keys.count != self.rows or self.values.count != self.rows:
            raise ValueError("the columns have different numbers of rows")
        if self.headers is not None and self.headers.rows != self.rows:
            raise ValueError("the columns have different numbers of rows")
        self.at = 0
        """Where the last record that was written ends."""
        self.missing = 0
        """Bytes of the record for which there was no room."""
        self.max_timestamp = -1

    def write(self, out: memoryview, at: int, limit: int, row: int) -> int:
        """Write records from ``row`` on into ``out``, from ``at`` up to ``limit``; answer the next row.

        Offsets count from 0, timestamps from that of the first row.
        """
        if not 0 <= at <= limit <= len(out) or not 0 <= row <= self.rows:
            raise ValueError("there is no such room or row")
        place = writable(out)
        first = row
        self.max_timestamp = -1
        while row < self.rows:
            key_size = self.keys.size(row)
            value_size = self.values.size(row)
            headers = 0
            header_bytes = 1
            if self.headers is not None:
                headers = self.headers.count(row)
                if headers:
                    header_bytes = self.headers.size(row, headers)
            delta = self.millis[row] - self.millis[first]
            size = 1 + number_size(delta) + number_size(row - first) + header_bytes
            size += number_size(key_size) + number_size(value_size)
            if key_size > 0:
                size += key_size
            if value_size > 0:
                size += value_size
            if size > RECORD_BYTES_MAX:
                raise ValueError("a record is larger than 2 GiB")
            if number_size(size) + size > limit - at:
                self.missing = number_size(size) + size
                break
            at = write_number(place, at, size)
            place[at] = 0
            at = write_number(place, at + 1, delta)
            at = write_number(place, at, row - first)
            at = self.keys.write(place, at, row, key_size)
            at = self.values.write(place, at, row, value_size)
            if headers and self.headers is not None:
                at = self.headers.write(place, at, row, headers)
            else:
                place[at] = 0
                at += 1
            self.max_timestamp = max(self.max_timestamp, self.millis[row])
            row += 1
        self.at = at
        return row


def murmur2(data: Bytes, start: int, size: int) -> int:
    """The 32-bit hash of Java's client over ``size`` bytes from ``start`` on."""
    hashed = (MURMUR_SEED ^ size) & LOW_32_BITS
    at = start
    stop = start + (size & ~3)
    while at < stop:
        # Step by step: in C, a shifted byte alone would be a signed number.
        word = data[at + 3]
        word = word << 8 | data[at + 2]
        word = word << 8 | data[at + 1]
        word = word << 8 | data[at]
        word = word * MURMUR_MULTIPLIER & LOW_32_BITS
        word ^= word >> 24
        hashed = (hashed * MURMUR_MULTIPLIER & LOW_32_BITS) ^ (word * MURMUR_MULTIPLIER & LOW_32_BITS)
        at += 4
    rest = size & 3
    if rest:
        if rest == 3:
            hashed ^= data[at + 2] << 16
        if rest >= 2:
            hashed ^= data[at + 1] << 8
        hashed ^= data[at]
        hashed = hashed * MURMUR_MULTIPLIER & LOW_32_BITS
    hashed ^= hashed >> 13
    hashed = hashed * MURMUR_MULTIPLIER & LOW_32_BITS
    return hashed ^ hashed >> 15


def choose_partitions(keys: BytesField, partitions: int, out: memoryview) -> None:
    """Kafka's default partition of each key into ``out``; what a null key leaves there means nothing."""
    if len(out) < keys.count or partitions < 1:
        raise ValueError("there is no room for the answer, or no partition")
    for row in range(keys.count):
        size = keys.size(row)
        if size >= 0:
            out[row] = (murmur2(readable(keys.content), keys.ends[row], size) & 0x7FFFFFFF) % partitions
        else:
            out[row] = 0
