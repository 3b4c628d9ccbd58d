"""Reads closed segments again, slowly, and has what is corrupt fetched anew from another replica.

Recovery looks only at what a crash may have touched; bits that flip in old segments are found here. A
follower first leaves the in-sync set (``ReplicaFetchers.repair``), then cuts its log before the bad batch and
fetches the rest. A leader cannot do that: it is reported, and repaired once another replica leads.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from riverlog.env import StorageError, Timer
from riverlog.records import CorruptBatch, crc_ok, iter_headers
from riverlog.storage import LogError

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.replication import Partition
    from riverlog.storage import Log
    from riverlog.storage.segment import Segment

logger = logging.getLogger("riverlog.broker")

STEP_SECONDS = 1.0
SLICE_BYTES = 256 * 1024
"""Read per step: some 20 GB a day."""
ROUND_SECONDS = 600.0
"""Between the end of one round and the next."""
PARTITIONS_PER_STEP = 200
_LENGTH_END = 12
"""Base offset and length: what tells how long a batch is."""


class Scrubber:
    """One slice at a time, through all partitions, over and over."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self.round_seconds = ROUND_SECONDS
        self._timer: Timer | None = None
        self._slices: Iterator[int] | None = None

    def start(self, seconds: float = STEP_SECONDS) -> None:
        if self._timer is None:
            self._timer = self._broker.clock.call_later(seconds, self._step)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _step(self) -> None:
        self._timer = None
        if self._slices is None:
            self._slices = self._round()
        left = SLICE_BYTES
        for size in self._slices:
            left -= size
            if left <= 0:
                self.start()
                return
        self._slices = None
        self.start(self.round_seconds)

    def _round(self) -> Iterator[int]:
        """Bytes read, slice by slice."""
        for number, partition in enumerate(list(self._broker.replicas.all())):
            if number % PARTITIONS_PER_STEP == PARTITIONS_PER_STEP - 1:
                yield SLICE_BYTES
            if len(partition.log.segments) > 1:
                yield from self._partition(partition)

    def _partition(self, partition: Partition) -> Iterator[int]:
        log = partition.log
        segments = list(log.segments)
        safe = segments[0].base_offset
        for segment, following in pairwise(segments):
            offset, position = segment.base_offset, 0
            while self._is_there(partition, log, segment) and position < segment.size:
                try:
                    size, offset, safe, is_good = _check(
                        log, segment, position, offset, safe, following.base_offset
                    )
                except StorageError as error:
                    if log.on_failure is not None:
                        log.on_failure(log, error)
                    return
                except LogError:
                    return  # it is reported where it failed
                if not is_good:
                    # Its own header may lie about where it is: the batch before it goes too.
                    self._found(partition, offset, cut=max(safe - 1, log.log_start_offset))
                    return
                position += size
                yield size

    def _is_there(self, partition: Partition, log: Log, segment: Segment) -> bool:
        """It was not deleted, compacted or moved since the last slice."""
        known = self._broker.logs.get(partition.topic, partition.index) is log
        return known and log.offline is None and segment in log.segments and segment is not log.active

    def _found(self, partition: Partition, offset: int, *, cut: int) -> None:
        name = f"{partition.topic}-{partition.index}"
        if partition.is_leader:
            logger.error("%s is corrupt at offset %d: repaired once another replica leads", name, offset)
        else:
            logger.error("%s is corrupt at offset %d: it is fetched again", name, offset)
            self._broker.replicas.repair(partition, cut)


def _check(
    log: Log, segment: Segment, position: int, offset: int, safe: int, offset_max: int
) -> tuple[int, int, int, bool]:
    """Size of the good batches at ``position``, the offset after them, whether what follows may be good.

    The third is an offset at which the log is surely good: where the last batch should start, as the next
    one has not confirmed it yet. Base offset and leader epoch are not covered by the CRC, so they must fit
    their neighbours and the epochs of the log. Raises ``LogError``.
    """
    data = memoryview(segment.file.read(position, min(SLICE_BYTES, segment.size - position)))
    first = _first_size(data)
    if len(data) < first <= segment.size - position:
        data = memoryview(segment.file.read(position, first))
    end = 0
    try:
        for at, header in iter_headers(data):
            if not offset <= header.base_offset < header.next_offset <= offset_max:
                return end, offset, safe, False
            epoch = log.epoch_for_offset(header.base_offset)
            if not crc_ok(data, at, header) or (epoch >= 0 and epoch != header.partition_leader_epoch):
                return end, offset, safe, False
            safe, offset = offset, header.next_offset
            end = at + header.size
    except CorruptBatch:
        return end, offset, safe, False
    return end, offset, safe, end > 0


def _first_size(data: memoryview) -> int:
    """Of the batch at the front, as its header says."""
    return _LENGTH_END + max(0, int.from_bytes(data[8:_LENGTH_END], "big", signed=True))
