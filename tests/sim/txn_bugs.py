"""Bugs of transactions on purpose: each breaks one of INVARIANTS 10 to 14, and the simulator must notice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.base.slices import FileSlice
from riverlog.broker.auto_creation import OFFSETS_TOPIC
from riverlog.broker.broker import Broker
from riverlog.broker.txn_markers import Done, TopicPartition, TxnMarkers, write_marker
from riverlog.broker.txn_verification import Done as Verified
from riverlog.broker.txn_verification import Errors, TxnVerification
from riverlog.coordinator.group import offsets_txn
from riverlog.coordinator.group.offsets import Offsets
from riverlog.coordinator.txn.markers import MarkerOrder
from riverlog.replication import Partition
from riverlog.sim.cluster import Plant
from riverlog.storage import Log
from riverlog.storage.txnindex import AbortedTransaction


class LosesMarkers(TxnMarkers):
    """One partition of several gets no marker, and the coordinator is told that all have it."""

    def send(self, shard: int, order: MarkerOrder, done: Done) -> None:
        kept = sorted(order.partitions)[-1:] if len(order.partitions) > 1 else order.partitions
        super().send(shard, order._replace(partitions=frozenset(kept)), done)


class WritesMarkersTwice(TxnMarkers):
    """A marker is sent again when its transaction is long over, whatever is open then."""

    def send(self, shard: int, order: MarkerOrder, done: Done) -> None:
        def ended(error: ErrorCode) -> None:
            done(error)
            if not error and not self._stopped:
                self.broker.clock.call_later(0.15, again)

        def again() -> None:
            for partition in sorted(order.partitions):
                write_marker(self.broker, partition, order, lambda _error: None)

        super().send(shard, order, ended)


class TearsTransactions(TxnMarkers):
    """An aborted transaction commits the offsets that it sent (Jepsen on Bufstream, 2024, in other words)."""

    def send(self, shard: int, order: MarkerOrder, done: Done) -> None:
        if not order.committed:
            offsets = sorted(one for one in order.partitions if one[0] == OFFSETS_TOPIC)
            for partition in offsets:
                write_marker(self.broker, partition, order._replace(committed=True), lambda _error: None)
        super().send(shard, order, done)


class ShowsAborts(Log):
    """A reader is not told which transactions were aborted."""

    __slots__ = ()

    def aborted_in(self, piece: FileSlice, fetch_offset: int, end_offset: int) -> list[AbortedTransaction]:
        return []


class VerifiesNothing(TxnVerification):
    """What the coordinator says against a write is not heard: one that comes late begins a transaction."""

    def verify(
        self,
        transactional_id: str,
        producer_id: int,
        producer_epoch: int,
        partitions: Sequence[TopicPartition],
        *,
        add: bool,
        done: Verified,
        abortable: bool = True,
    ) -> None:
        def heard(errors: Errors) -> None:
            done({one: ErrorCode.NONE if error in _LATE else error for one, error in errors.items()})

        super().verify(
            transactional_id,
            producer_id,
            producer_epoch,
            partitions,
            add=add,
            done=heard,
            abortable=abortable,
        )


_LATE = (
    ErrorCode.INVALID_PRODUCER_EPOCH,
    ErrorCode.INVALID_PRODUCER_ID_MAPPING,
    ErrorCode.INVALID_TXN_STATE,
    ErrorCode.TRANSACTION_ABORTABLE,
)


class _StableTooEarly(Partition):
    """Open transactions do not hold readers back."""

    __slots__ = ()

    def readable_end(self, isolation_level: int) -> int:
        return self.high_watermark


def with_markers(markers: type[TxnMarkers]) -> Plant:
    def prepare(broker: Broker) -> None:
        broker.txn_markers.__class__ = markers

    return Plant(prepare=prepare)


def _verifies_nothing(broker: Broker) -> None:
    broker.txn_verification.__class__ = VerifiesNothing


def _stable_too_early(broker: Broker) -> None:
    for partition in broker.replicas.all():
        partition.__class__ = _StableTooEarly


def _shows_aborts(broker: Broker) -> None:
    for partition in broker.replicas.all():
        partition.log.__class__ = ShowsAborts


def _no_error(*_args: Any, **_keywords: Any) -> ErrorCode:
    """INVARIANTS 16: whoever asks may commit."""
    return ErrorCode.NONE


def _nothing_open(*_args: Any) -> bool:
    """KIP-447: the next owner of a partition does not wait for the end of the last one's transaction."""
    return False


BUGS: dict[str, tuple[Plant, int]] = {
    "marker lost": (with_markers(LosesMarkers), 2),
    "marker twice": (with_markers(WritesMarkersTwice), 5),
    "last stable offset too early": (Plant(touch=_stable_too_early), 2),
    "late produce accepted": (Plant(prepare=_verifies_nothing), 8),
    "torn transaction": (with_markers(TearsTransactions), 2),
    "a stale member's offsets are taken": (Plant(), 20),
    "offsets that may still change are given": (Plant(), 20),
    "aborts are not told": (Plant(touch=_shows_aborts), 2),
}
"""Name → (the bug, within how many seeds it is caught)."""

SUBSTITUTES: dict[str, list[tuple[Any, str, Callable[..., Any]]]] = {
    "a stale member's offsets are taken": [(offsets_txn, "_check", _no_error)],
    "offsets that may still change are given": [(Offsets, "has_open_transactions", _nothing_open)],
}
"""Name → decisions of the group coordinator that are wrong, where a bug is not in one object."""
