"""Batches of idempotent producers that were refused before they reached the log.

A producer sends several batches without waiting. If the first is refused for a passing reason (too few
in-sync replicas) and the reason passes, the second must not be taken in its place: of a producer that the log
does not know any sequence is taken, and the first could never follow (INVARIANTS 9). Kafka takes it.
"""

from __future__ import annotations

from riverlog.records import BatchHeader

REFUSED_MAX = 10_000
"""Producers remembered at once; the oldest is forgotten first."""
_NO_PRODUCER = -1


class RefusedSequences:
    """Lowest refused sequence by producer id and epoch, while this broker leads."""

    __slots__ = ("_lowest",)

    def __init__(self) -> None:
        self._lowest: dict[tuple[int, int], int] = {}

    def __len__(self) -> int:
        return len(self._lowest)

    def note(self, header: BatchHeader) -> None:
        if header.producer_id == _NO_PRODUCER:
            return
        key = (header.producer_id, header.producer_epoch)
        self._lowest[key] = min(self._lowest.get(key, header.base_sequence), header.base_sequence)
        if len(self._lowest) > REFUSED_MAX:
            del self._lowest[next(iter(self._lowest))]

    def allows(self, header: BatchHeader) -> bool:
        """False for a batch that comes after a refused one which has not come again."""
        key = (header.producer_id, header.producer_epoch)
        lowest = self._lowest.get(key)
        if lowest is None:
            return True
        if header.base_sequence > lowest:
            return False
        del self._lowest[key]
        return True

    def clear(self) -> None:
        self._lowest.clear()
