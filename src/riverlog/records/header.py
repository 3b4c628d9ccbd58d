"""The fixed 61-byte header of a record batch (message format 2), read and patched in place.

The CRC covers everything from ``attributes`` on; base offset and leader epoch lie
before it, so a broker sets them without touching the checksum.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct, error

from crc32c import crc32c

from riverlog.records.errors import CorruptBatch, UnsupportedMagic

Buffer = bytes | bytearray | memoryview

HEADER_SIZE = 61
LOG_OVERHEAD = 12
"""Base offset and length: what ``batch_length`` does not count."""
MAGIC = 2
MAGIC_POSITION = 16
CRC_POSITION = 17
ATTRIBUTES_POSITION = 21
MAX_TIMESTAMP_POSITION = 35
PRODUCER_POSITION = 43

COMPRESSION_MASK = 0x07
LOG_APPEND_TIME_FLAG = 0x08
TRANSACTIONAL_FLAG = 0x10
CONTROL_FLAG = 0x20
DELETE_HORIZON_FLAG = 0x40

NO_TIMESTAMP = -1
NO_PRODUCER_ID = -1
NO_PRODUCER_EPOCH = -1
NO_SEQUENCE = -1
NO_LEADER_EPOCH = -1

_SEQUENCE_SPAN = 1 << 31
_MIN_BATCH_LENGTH = HEADER_SIZE - LOG_OVERHEAD

HEADER = Struct(">qiibIhiqqqhii")
_unpack_header = HEADER.unpack_from
_pack_long = Struct(">q").pack_into
_pack_int = Struct(">i").pack_into
_unpack_int = Struct(">i").unpack_from
_pack_short = Struct(">h").pack_into
_pack_uint = Struct(">I").pack_into
_pack_producer = Struct(">qhi").pack_into


class BatchHeader:
    """The header's fields by Kafka's names."""

    __slots__ = (
        "attributes",
        "base_offset",
        "base_sequence",
        "base_timestamp",
        "batch_length",
        "crc",
        "last_offset_delta",
        "magic",
        "max_timestamp",
        "partition_leader_epoch",
        "producer_epoch",
        "producer_id",
        "record_count",
    )

    def __init__(
        self,
        base_offset: int,
        batch_length: int,
        partition_leader_epoch: int,
        magic: int,
        crc: int,
        attributes: int,
        last_offset_delta: int,
        base_timestamp: int,
        max_timestamp: int,
        producer_id: int,
        producer_epoch: int,
        base_sequence: int,
        record_count: int,
    ) -> None:
        self.base_offset = base_offset
        self.batch_length = batch_length
        self.partition_leader_epoch = partition_leader_epoch
        self.magic = magic
        self.crc = crc
        self.attributes = attributes
        self.last_offset_delta = last_offset_delta
        self.base_timestamp = base_timestamp
        self.max_timestamp = max_timestamp
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.base_sequence = base_sequence
        self.record_count = record_count

    @property
    def size(self) -> int:
        """Bytes of the whole batch, header included."""
        return LOG_OVERHEAD + self.batch_length

    @property
    def last_offset(self) -> int:
        return self.base_offset + self.last_offset_delta

    @property
    def next_offset(self) -> int:
        return self.base_offset + self.last_offset_delta + 1

    @property
    def compression(self) -> int:
        """Kafka's codec id: 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd (5 to 7 mean nothing)."""
        return self.attributes & COMPRESSION_MASK

    @property
    def is_log_append_time(self) -> bool:
        return self.attributes & LOG_APPEND_TIME_FLAG != 0

    @property
    def is_transactional(self) -> bool:
        return self.attributes & TRANSACTIONAL_FLAG != 0

    @property
    def is_control(self) -> bool:
        return self.attributes & CONTROL_FLAG != 0

    @property
    def has_delete_horizon(self) -> bool:
        """Whether ``base_timestamp`` is the delete horizon of a compacted batch."""
        return self.attributes & DELETE_HORIZON_FLAG != 0

    @property
    def has_producer_id(self) -> bool:
        return self.producer_id > NO_PRODUCER_ID

    @property
    def last_sequence(self) -> int:
        """Sequence of the last record; sequences wrap to 0 after 2^31 - 1."""
        if self.base_sequence == NO_SEQUENCE:
            return NO_SEQUENCE
        return (self.base_sequence + self.last_offset_delta) % _SEQUENCE_SPAN

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)}" for name in self.__slots__)
        return f"BatchHeader({fields})"


def read_header(buffer: Buffer, position: int = 0) -> BatchHeader:
    """The header at ``position``. The records behind it need not be there."""
    try:
        header = BatchHeader(*_unpack_header(buffer, position))
    except error:
        raise _why_unreadable(buffer, position) from None
    if header.magic != MAGIC or header.batch_length < _MIN_BATCH_LENGTH:
        raise _why_unreadable(buffer, position)
    return header


def _why_unreadable(buffer: Buffer, position: int) -> CorruptBatch:
    """Name what is wrong, older formats first: their messages may be shorter than our header."""
    available = len(buffer) - position
    if position < 0 or available <= MAGIC_POSITION:
        return CorruptBatch(f"{max(available, 0)} bytes left, too few for a batch header")
    magic = buffer[position + MAGIC_POSITION]
    if magic in (0, 1):
        return UnsupportedMagic(magic)
    if magic != MAGIC:
        return CorruptBatch(f"unknown magic {magic}")
    length = _unpack_int(buffer, position + 8)[0]
    if length < _MIN_BATCH_LENGTH:
        return CorruptBatch(f"batch length {length} is smaller than a header")
    return CorruptBatch(f"{available} bytes left, too few for a batch header")


def iter_headers(buffer: Buffer, position: int = 0) -> Iterator[tuple[int, BatchHeader]]:
    """Position and header of each whole batch; a partial one at the end is left out."""
    end = len(buffer)
    while end - position >= HEADER_SIZE:
        header = read_header(buffer, position)
        next_position = position + LOG_OVERHEAD + header.batch_length
        if next_position > end:
            return
        yield position, header
        position = next_position


def compute_crc(buffer: Buffer, position: int, size: int) -> int:
    """CRC-32C of the batch of ``size`` bytes at ``position``, as it should stand in its header."""
    return crc32c(memoryview(buffer)[position + ATTRIBUTES_POSITION : position + size])


def crc_ok(buffer: Buffer, position: int, header: BatchHeader) -> bool:
    """Whether the batch is all there and its checksum fits."""
    end = position + LOG_OVERHEAD + header.batch_length
    if end > len(buffer):
        return False
    return crc32c(memoryview(buffer)[position + ATTRIBUTES_POSITION : end]) == header.crc


def patch(buffer: bytearray | memoryview, position: int, *, base_offset: int, leader_epoch: int) -> None:
    """Set what the leader decides. Both fields lie outside the CRC."""
    _pack_long(buffer, position, base_offset)
    _pack_int(buffer, position + LOG_OVERHEAD, leader_epoch)


def patch_timestamp(
    buffer: bytearray | memoryview, position: int, header: BatchHeader, *, attributes: int, max_timestamp: int
) -> None:
    """Set attributes and max timestamp, in ``header`` too, and renew the CRC."""
    header.attributes = attributes
    header.max_timestamp = max_timestamp
    _pack_short(buffer, position + ATTRIBUTES_POSITION, attributes)
    _pack_long(buffer, position + MAX_TIMESTAMP_POSITION, max_timestamp)
    header.crc = compute_crc(buffer, position, header.size)
    _pack_uint(buffer, position + CRC_POSITION, header.crc)


def patch_producer(
    buffer: bytearray | memoryview,
    position: int,
    size: int,
    *,
    producer_id: int,
    producer_epoch: int,
    base_sequence: int,
) -> None:
    """Set who produced the batch of ``size`` bytes, and renew the CRC."""
    _pack_producer(buffer, position + PRODUCER_POSITION, producer_id, producer_epoch, base_sequence)
    _pack_uint(buffer, position + CRC_POSITION, compute_crc(buffer, position, size))
