"""Batches of idempotent producers that were refused before they reached the log.

A producer sends several batches without waiting. If the first is refused for a passing reason (this broker
did not know yet that it leads, too few replicas are in sync) and the reason passes, the second must not be
taken in its place: of a producer that the log does not know any sequence is taken, and the first could never
follow (INVARIANTS 9). Kafka takes it.
"""

from __future__ import annotations

from riverlog.base.errors import ErrorCode
from riverlog.records import BatchHeader
from riverlog.storage.errors import AppendError
from riverlog.storage.verification import is_after

REFUSED_MAX = 100
"""Producers remembered at once in a log; the oldest is forgotten first."""
REMEMBERED_MS = 120_000
"""As long as clients try again (``delivery.timeout.ms``): who gave the batch up may go on without it."""


class RefusedSequences:
    """Lowest refused sequence by producer id and epoch, and when that was."""

    __slots__ = ("_lowest",)

    def __init__(self) -> None:
        self._lowest: dict[tuple[int, int], tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self._lowest)

    def note(self, header: BatchHeader, now_ms: int) -> None:
        sequence = header.base_sequence
        if header.producer_id < 0 or sequence < 0:
            return
        key = (header.producer_id, header.producer_epoch)
        self._forget(now_ms)
        known = self._lowest.pop(key, None)
        if known is not None and is_after(sequence, known[0]):
            sequence = known[0]
        self._lowest[key] = sequence, now_ms
        if len(self._lowest) > REFUSED_MAX:
            del self._lowest[next(iter(self._lowest))]

    def check(self, header: BatchHeader, now_ms: int, *, is_known: bool) -> None:
        """Raises ``AppendError`` for a batch that comes after a refused one which has not come again.

        ``is_known``: the log knows the producer, and so what must come next.
        """
        self._forget(now_ms)
        key = (header.producer_id, header.producer_epoch)
        found = self._lowest.get(key)
        if found is None:
            return
        if not is_known and is_after(header.base_sequence, found[0]):
            raise AppendError(
                ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
                f"producer {key[0]}: sequence {header.base_sequence} before {found[0]}, "
                "which was refused and has not come again",
            )
        del self._lowest[key]

    def _forget(self, now_ms: int) -> None:
        while self._lowest:
            oldest = next(iter(self._lowest))
            if abs(now_ms - self._lowest[oldest][1]) < REMEMBERED_MS:
                return
            del self._lowest[oldest]
