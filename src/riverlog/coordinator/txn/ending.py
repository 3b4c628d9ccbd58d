"""EndTxn, and what follows: markers, then the record that says all partitions have theirs.

A transaction is decided by its prepare record. While its markers are on their way every other request for
the id is answered ``CONCURRENT_TRANSACTIONS``, as in Kafka.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import Decision, Reply
from riverlog.coordinator.txn.markers import MarkerOrder
from riverlog.coordinator.txn.states import TxnState
from riverlog.coordinator.txn.transaction import (
    BUMPING_VERSION,
    EPOCH_GIVEN_MAX,
    NO_EPOCH,
    NO_PRODUCER_ID,
    Transaction,
)

if TYPE_CHECKING:
    from riverlog.coordinator.txn.machine import TransactionMachine

logger = logging.getLogger("riverlog.coordinator")

RETRY_MS = 100
"""Until a record that did not get through to other replicas is looked at again."""
COMPLETE_MS = 10
"""How long the record of a complete transaction waits for the next request of its producer. Nobody waits for
it, and it would have the disk write while the next transaction begins."""


class Ended(NamedTuple):
    """Answer to EndTxn; the producer goes on with this id and epoch (version 2)."""

    error: ErrorCode
    producer_id: int = NO_PRODUCER_ID
    producer_epoch: int = NO_EPOCH


def end_transaction(
    machine: TransactionMachine,
    transactional_id: str,
    producer_id: int,
    producer_epoch: int,
    *,
    committed: bool,
    client_version: int,
    now_ms: int,
    to: Callable[[Ended], None],
) -> Decision:
    transaction, records = machine.settled(transactional_id, now_ms)

    def refuse(answer: Ended) -> Decision:
        return Decision(records, [Reply(to, answer, Ended)])

    if transaction is None:
        return refuse(Ended(ErrorCode.INVALID_PRODUCER_ID_MAPPING))
    check = _check_bumping if client_version >= BUMPING_VERSION else _check_plain
    found = check(transaction, producer_id, producer_epoch, committed)
    if found is not None:
        return refuse(found)
    next_producer_id = NO_PRODUCER_ID
    if client_version >= BUMPING_VERSION and transaction.is_exhausted:
        taken = machine.new_producer_id()
        if taken is None:
            return refuse(Ended(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS))
        next_producer_id = taken
    step = transaction.prepared(
        committed=committed, client_version=client_version, now_ms=now_ms, next_producer_id=next_producer_id
    )
    answer = Ended(ErrorCode.NONE)
    if next_producer_id != NO_PRODUCER_ID:
        answer = Ended(ErrorCode.NONE, next_producer_id, 0)
    elif client_version >= BUMPING_VERSION:
        answer = Ended(ErrorCode.NONE, step.producer_id, step.producer_epoch)
    records.append(machine.record(step))
    return Decision(records, [Reply(to, answer, Ended), when_committed(machine, step)])


def _check_plain(
    transaction: Transaction, producer_id: int, producer_epoch: int, committed: bool
) -> Ended | None:
    """Versions 0 and 1: the epoch stays, so a retry looks like the first try. None: go on."""
    if transaction.producer_id != producer_id:
        return Ended(ErrorCode.INVALID_PRODUCER_ID_MAPPING)
    if transaction.producer_epoch != producer_epoch:
        return Ended(ErrorCode.PRODUCER_FENCED)
    if transaction.state.is_prepared:
        return Ended(ErrorCode.CONCURRENT_TRANSACTIONS)
    if transaction.state is TxnState.ONGOING:
        return None
    done = TxnState.COMPLETE_COMMIT if committed else TxnState.COMPLETE_ABORT
    return Ended(ErrorCode.NONE if transaction.state is done else ErrorCode.INVALID_TXN_STATE)


def _check_bumping(
    transaction: Transaction, producer_id: int, producer_epoch: int, committed: bool
) -> Ended | None:
    """Version 2: the epoch tells a retry from the end of the next transaction. None: go on."""
    state = transaction.state
    if state.is_prepared:
        return Ended(ErrorCode.CONCURRENT_TRANSACTIONS)
    over_rotation = (
        transaction.previous_producer_id == producer_id
        and producer_epoch == EPOCH_GIVEN_MAX
        and transaction.producer_epoch == 0
    )
    if transaction.producer_id != producer_id and not over_rotation:
        return Ended(ErrorCode.INVALID_PRODUCER_ID_MAPPING)
    completed = state in (TxnState.COMPLETE_COMMIT, TxnState.COMPLETE_ABORT)
    # Only who ends transactions with a new epoch asks again with the one before: after the end of an older
    # client's transaction that epoch is a fenced one.
    is_retry = (
        completed
        and transaction.client_version >= BUMPING_VERSION
        and (over_rotation or transaction.producer_epoch == producer_epoch + 1)
    )
    if not is_retry:
        if transaction.producer_epoch != producer_epoch or transaction.producer_id != producer_id:
            return Ended(ErrorCode.PRODUCER_FENCED)
        # An abort of a transaction that added nothing, as far as this coordinator knows, is welcome: it
        # gives the producer an epoch in which nothing late of its own can come.
        if state is TxnState.ONGOING or not committed:
            return None
        return Ended(ErrorCode.INVALID_TXN_STATE)
    if committed == (state is TxnState.COMPLETE_COMMIT):
        return Ended(ErrorCode.NONE, transaction.producer_id, transaction.producer_epoch)
    # A commit that finds its transaction aborted was overtaken by the coordinator (KAFKA-20785).
    return Ended(ErrorCode.PRODUCER_FENCED if committed else ErrorCode.INVALID_TXN_STATE)


def fence(machine: TransactionMachine, transaction: Transaction, now_ms: int) -> Transaction | None:
    """The coordinator's own abort; None if it needs a producer id and there is none now."""
    server_version = machine.transaction_version()
    next_producer_id = NO_PRODUCER_ID
    if server_version >= BUMPING_VERSION and transaction.is_exhausted:
        taken = machine.new_producer_id()
        if taken is None:
            return None
        next_producer_id = taken
    return transaction.fenced(server_version=server_version, now_ms=now_ms, next_producer_id=next_producer_id)


# -- markers -------------------------------------------------------------------------------


def when_committed(machine: TransactionMachine, prepared: Transaction) -> Reply:
    """Have the markers written, once the decision cannot be lost any more (INVARIANTS 11)."""

    def outcome(error: ErrorCode) -> None:
        if not _is_current(machine, prepared):
            return  # it was not appended
        if not error:
            send_order(machine, prepared)
            return
        # In the log, and not known to be committed: it still may be. If this shard goes, its heir asks.
        machine.shard.schedule(
            f"order:{prepared.transactional_id}",
            RETRY_MS,
            lambda machine, _now_ms: Decision(replies=[when_committed(machine, prepared)]),
        )

    return Reply(outcome, ErrorCode.NONE, lambda error: error)


def _is_current(machine: TransactionMachine, prepared: Transaction) -> bool:
    transaction = machine.transactions.get(prepared.transactional_id)
    return (
        transaction is not None
        and transaction.state is prepared.state
        and transaction.has_producer_of(prepared)
        and transaction.update_ms == prepared.update_ms
    )


def send_order(machine: TransactionMachine, prepared: Transaction) -> None:
    def done(error: ErrorCode) -> None:
        if error:
            logger.warning(
                "the markers of %s, producer %d epoch %d, are refused: %s",
                prepared.transactional_id,
                prepared.producer_id,
                prepared.producer_epoch,
                error.name,
            )
            return
        if _is_current(machine, prepared):  # else it was reported before
            machine.ended[prepared.transactional_id] = prepared
            _complete_soon(machine, prepared.transactional_id, COMPLETE_MS)

    if not prepared.partitions:
        done(ErrorCode.NONE)
        return
    shard = machine.shard
    order = MarkerOrder(
        transactional_id=prepared.transactional_id,
        producer_id=prepared.producer_id,
        producer_epoch=prepared.producer_epoch,
        coordinator_epoch=shard.partition.leader_epoch,
        committed=prepared.state is TxnState.PREPARE_COMMIT,
        transaction_version=prepared.client_version,
        partitions=prepared.partitions,
    )
    machine.markers.send(shard.index, order, done)


def _complete_soon(machine: TransactionMachine, transactional_id: str, delay_ms: int) -> None:
    """Unless a decision on the id comes first, and takes the record along."""

    def complete(machine: TransactionMachine, now_ms: int) -> Decision:
        _, records = machine.settled(transactional_id, now_ms)
        return Decision(
            records, on_refused=lambda _error: _complete_soon(machine, transactional_id, RETRY_MS)
        )

    machine.shard.schedule(f"complete:{transactional_id}", delay_ms, complete)
