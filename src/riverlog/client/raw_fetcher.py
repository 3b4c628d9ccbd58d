"""Fetching bytes: answers are handed on as they came, for readers that decode them in their own way.

While the reader works on an answer the next one is on its way: of an answer only the headers of the batches
are looked at, to know where the next one starts.
"""

from __future__ import annotations

from dataclasses import dataclass

from riverlog.client.cluster import TopicPartition
from riverlog.client.cursors import Cursor, CursorMachine, Effect
from riverlog.protocol.generated.fetch_response import PartitionData
from riverlog.records import CorruptBatch, iter_headers


@dataclass(slots=True)
class FetchedRaw:
    """What an answer has of one partition. It may begin before ``offset`` and end in a partial batch."""

    topic: str
    partition: int
    offset: int
    """What was asked for."""
    records: bytes | bytearray | memoryview
    aborted: list[tuple[int, int]]
    """Producer id and first offset of aborted transactions."""
    readable_end: int
    """High watermark, or last stable offset for readers of committed records."""


class RawFetcher(CursorMachine[FetchedRaw]):
    """The machine. A partition is fetched up to its ``stop``; one with a corrupt header no further."""

    def _take(self, key: TopicPartition, cursor: Cursor, data: PartitionData) -> list[Effect[FetchedRaw]]:
        raw = b"" if data.records is None else data.records
        assert isinstance(raw, bytes | bytearray | memoryview)
        aborted = [(row.producer_id, row.first_offset) for row in data.aborted_transactions or ()]
        found = FetchedRaw(*key, cursor.offset, raw, aborted, self._readable_end(data))
        following = _next_offset(raw, cursor.offset)
        if following is None or (cursor.stop is not None and following >= cursor.stop):
            self.unassign(*key)
        else:
            cursor.offset = following
        return [found]


def _next_offset(raw: bytes | bytearray | memoryview, offset: int) -> int | None:
    """Where the next fetch starts, or None if that cannot be told."""
    try:
        for _, header in iter_headers(raw):
            offset = max(offset, header.next_offset)
    except CorruptBatch:
        return None
    return offset
