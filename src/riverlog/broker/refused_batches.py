"""Batches that this broker refused because it does not lead their partition, or does not know it yet.

It may do so a moment later, while the producer's next batch is on its way: the log must hear of them
(``storage/refused.py``), and may not exist yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.protocol.generated.produce_request import PartitionProduceData
from riverlog.records import HEADER_SIZE, CorruptBatch, read_header
from riverlog.storage import Log, RefusedSequences

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker

UNCLAIMED_MAX = 1000
"""Partitions that are not here and may come; the oldest is forgotten first."""

Key = tuple[str | bytes, int]


class RefusedBatches:
    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._unclaimed: dict[Key, RefusedSequences] = {}
        """By name or id of the topic."""

    def note(self, topic: str | bytes, data: PartitionProduceData) -> None:
        """``topic`` is the name if it is known, else the id."""
        records = data.records
        if not isinstance(records, memoryview) or len(records) < HEADER_SIZE:
            return
        try:
            header = read_header(records)
        except CorruptBatch:
            return
        now_ms = self._broker.clock.now_ms()
        partition = self._broker.replicas.get(topic, data.index) if isinstance(topic, str) else None
        if partition is not None and not isinstance(partition, ErrorCode):
            partition.log.note_refused(header, now_ms)
        elif header.has_producer_id:
            key = (topic, data.index)
            self._unclaimed.setdefault(key, RefusedSequences()).note(header, now_ms)
            if len(self._unclaimed) > UNCLAIMED_MAX:
                del self._unclaimed[next(iter(self._unclaimed))]

    def claim(self, log: Log, topic_id: bytes) -> None:
        """The log is here now."""
        if self._unclaimed:
            found = [self._unclaimed.pop((topic, log.partition), None) for topic in (log.topic, topic_id)]
            log.refused = found[1] or found[0] or log.refused
