"""Which batches a read_committed reader passes over."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from riverlog.records.control import ControlType, control_type
from riverlog.records.decoder import Record
from riverlog.records.header import BatchHeader


class AbortFilter:
    """Which batches of a fetch answer belong to aborted transactions.

    The broker lists the transactions that were aborted within the range it sends, each as producer id and
    first offset; each lasts from there to its abort marker.
    """

    def __init__(self, aborted: Iterable[tuple[int, int]]) -> None:
        self._starts = deque(sorted((first_offset, producer_id) for producer_id, first_offset in aborted))
        self._open: set[int] = set()

    @property
    def expects_any(self) -> bool:
        """Whether a batch of a transaction may have to be passed over."""
        return bool(self._starts or self._open)

    def skips(self, header: BatchHeader, records: list[Record]) -> bool:
        """Whether no record of the next batch is to be seen; only a control batch needs its ``records``."""
        while self._starts and self._starts[0][0] <= header.last_offset:
            self._open.add(self._starts.popleft()[1])
        if header.is_control:
            if records and control_type(records[0].key) is ControlType.ABORT:
                self._open.discard(header.producer_id)
            return True
        return header.is_transactional and header.producer_id in self._open
