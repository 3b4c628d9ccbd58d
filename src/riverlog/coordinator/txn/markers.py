"""What a coordinator asks of the broker: that a transaction's end be written to all its partitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from riverlog.base.errors import ErrorCode


class MarkerOrder(NamedTuple):
    """What must be written to end one transaction."""

    transactional_id: str
    producer_id: int
    producer_epoch: int
    coordinator_epoch: int
    """Leader epoch of the coordinator's partition."""
    committed: bool
    transaction_version: int
    partitions: frozenset[tuple[str, int]]


class MarkerSender(Protocol):
    def send(self, shard: int, order: MarkerOrder, done: Callable[[ErrorCode], None]) -> None:
        """Retried until every partition has its marker, then ``done(NONE)``; ``done`` with an error if this
        coordinator or the producer was fenced."""
        ...

    def cancel(self, shard: int) -> None:
        """The shard resigned: its orders are given up, and their ``done`` is not called."""
        ...
