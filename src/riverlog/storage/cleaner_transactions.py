"""Transactions as a compaction meets them: whose data goes, and when their markers may.

Data of an aborted transaction goes. A marker stays while any batch of its transaction was met, even an
emptied one: without it a replay would leave the transaction open.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush

from riverlog.env.disk import Buffer
from riverlog.records import BatchHeader
from riverlog.storage.markers import read_marker
from riverlog.storage.txnindex import AbortedTransaction, TransactionIndex


class _Aborted:
    __slots__ = ("met", "transaction")

    def __init__(self, transaction: AbortedTransaction) -> None:
        self.transaction = transaction
        self.met = False


class CleanedTransactions:
    """Carried from segment to segment, in offset order."""

    __slots__ = ("_aborted", "_committed", "_upcoming", "index")

    def __init__(self) -> None:
        self.index: TransactionIndex | None = None
        """Where aborted transactions go whose marker stays."""
        self._upcoming: list[tuple[int, AbortedTransaction]] = []
        self._aborted: dict[int, _Aborted] = {}
        self._committed: set[int] = set()

    def add(self, aborted: Iterable[AbortedTransaction]) -> None:
        """Aborted transactions that the batches to come may belong to; the same one may come twice."""
        for transaction in aborted:
            heappush(self._upcoming, (transaction.first_offset, transaction))

    def on_data(self, header: BatchHeader) -> bool:
        """Whether this batch belongs to an aborted transaction."""
        if not header.is_transactional:
            return False
        self._open(header.last_offset)
        aborted = self._aborted.get(header.producer_id)
        if aborted is None:
            self._committed.add(header.producer_id)
            return False
        aborted.met = True
        return True

    def on_control(self, header: BatchHeader, data: Buffer, at: int) -> bool:
        """Whether this marker is of no more use: nothing is left of its transaction."""
        self._open(header.last_offset)
        if header.record_count == 0:
            return True
        marker = read_marker(data, at, header)
        if marker is None:
            return False
        if not marker.aborted:
            known = header.producer_id in self._committed
            self._committed.discard(header.producer_id)
            return not known
        aborted = self._aborted.pop(header.producer_id, None)
        if aborted is None or not aborted.met:
            return True
        if self.index is not None:
            self.index.append(aborted.transaction)
        return False

    def _open(self, offset: int) -> None:
        upcoming = self._upcoming
        while upcoming and upcoming[0][0] <= offset:
            transaction = heappop(upcoming)[1]
            self._aborted.setdefault(transaction.producer_id, _Aborted(transaction))
