"""Fetching records: each answer is decoded, trimmed to the cursor, and freed of what was aborted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from riverlog.base.errors import ErrorCode
from riverlog.client.cluster import TopicPartition
from riverlog.client.cursors import (
    READ_COMMITTED,
    READ_UNCOMMITTED,
    Cursor,
    CursorMachine,
    Effect,
    FetcherConfig,
    PartitionFailed,
)
from riverlog.client.events import SendRequest
from riverlog.protocol.generated.fetch_response import AbortedTransaction, PartitionData
from riverlog.records import (
    AbortFilter,
    CorruptBatch,
    Record,
    crc_ok,
    decode_records,
    iter_headers,
)

__all__ = [
    "READ_COMMITTED",
    "READ_UNCOMMITTED",
    "Fetched",
    "Fetcher",
    "FetcherConfig",
    "FetcherEffect",
    "PartitionFailed",
    "ReachedEnd",
]


@dataclass(slots=True)
class Fetched:
    """Records of one partition, from the cursor on, in order."""

    topic: str
    partition: int
    records: list[Record]


@dataclass(slots=True)
class ReachedEnd:
    """The cursor is at the end of what may be read now. Said again each time a fetch finds it so."""

    topic: str
    partition: int
    offset: int


Found = Fetched | ReachedEnd
FetcherEffect = SendRequest | PartitionFailed | Found


class Fetcher(CursorMachine[Found]):
    """The machine. ``assign`` sets cursors; ``handle`` fetches from them."""

    def _take(self, key: TopicPartition, cursor: Cursor, data: PartitionData) -> list[Effect[Found]]:
        effects: list[Effect[Found]] = []
        raw = data.records
        if raw is not None and len(raw):
            assert isinstance(raw, bytes | bytearray | memoryview)
            try:
                records, cursor.offset = self._decode(raw, cursor.offset, data.aborted_transactions or ())
            except CorruptBatch as problem:
                return [self._drop(key, cursor, ErrorCode.CORRUPT_MESSAGE, str(problem))]
            if records:
                effects.append(Fetched(*key, records))
        if cursor.offset >= self._readable_end(data):
            effects.append(ReachedEnd(*key, cursor.offset))
        return effects

    def _decode(
        self, raw: bytes | bytearray | memoryview, offset: int, aborted: Sequence[AbortedTransaction]
    ) -> tuple[list[Record], int]:
        """Records from ``offset`` on, without control records and aborted ones; and the next offset."""
        records: list[Record] = []
        filtered: AbortFilter | None = None
        if self.config.isolation_level == READ_COMMITTED:
            filtered = AbortFilter((row.producer_id, row.first_offset) for row in aborted)
        for position, header in iter_headers(raw):
            if not crc_ok(raw, position, header):
                raise CorruptBatch(f"checksum mismatch in the batch at offset {header.base_offset}")
            if header.next_offset <= offset:
                continue
            found: list[Record] = []
            if header.record_count:
                found = decode_records(raw, position, header, max_bytes=self.config.max_decompressed_bytes)
            skip = filtered.skips(header, found) if filtered is not None else header.is_control
            if not skip:
                records += [record for record in found if record.offset >= offset]
            offset = header.next_offset
        return records, offset
