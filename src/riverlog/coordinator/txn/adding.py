"""AddPartitionsToTxn and AddOffsetsToTxn: from clients (versions 0 and 1) and from the leaders of
partitions, who add what is written to them (version 2) or only ask whether it was added (version 1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import Decision, Reply
from riverlog.coordinator.txn.states import TxnState
from riverlog.coordinator.txn.transaction import NO_TIME, TopicPartition, Transaction

if TYPE_CHECKING:
    from riverlog.coordinator.txn.machine import TransactionMachine


def add_partitions(
    machine: TransactionMachine,
    transactional_id: str,
    producer_id: int,
    producer_epoch: int,
    partitions: frozenset[TopicPartition],
    *,
    client_version: int,
    now_ms: int,
    to: Callable[[ErrorCode], None],
) -> Decision:
    """Nothing may be written to a partition before this is answered with NONE."""
    reply = Reply(to, ErrorCode.NONE, lambda error: error)
    transaction, records = machine.settled(transactional_id, now_ms)
    if transaction is not None and transaction.state.is_prepared:
        # Before who asks is looked at: the new id of a producer whose epochs are used up is not here yet.
        reply.response = ErrorCode.CONCURRENT_TRANSACTIONS
        return Decision(records, [reply])
    reply.response = _is_owner(transaction, producer_id, producer_epoch)
    if transaction is None or reply.response:
        return Decision(records, [reply])
    if transaction.state is not TxnState.ONGOING or not partitions <= transaction.partitions:
        step = transaction.added(partitions, client_version=client_version, now_ms=now_ms)
        records.append(machine.record(step))
    return Decision(records, [reply])


def verify_partitions(
    machine: TransactionMachine,
    transactional_id: str,
    producer_id: int,
    producer_epoch: int,
    partitions: frozenset[TopicPartition],
    *,
    to: Callable[[dict[TopicPartition, ErrorCode]], None],
) -> Decision:
    """Whether each partition is part of the producer's transaction."""
    # Of a transaction whose markers are written nothing is left to wait for, whatever the log says by now.
    transaction, _ = machine.settled(transactional_id, NO_TIME)
    error = _is_owner(transaction, producer_id, producer_epoch)
    known: frozenset[TopicPartition] = frozenset()
    if transaction is not None and not error:
        known = transaction.partitions
        if transaction.state.is_prepared:
            error = ErrorCode.CONCURRENT_TRANSACTIONS
    answer = {
        partition: error or (ErrorCode.NONE if partition in known else ErrorCode.TRANSACTION_ABORTABLE)
        for partition in sorted(partitions)
    }
    return Decision(replies=[Reply(to, answer, lambda error: dict.fromkeys(sorted(partitions), error))])


def _is_owner(transaction: Transaction | None, producer_id: int, producer_epoch: int) -> ErrorCode:
    if transaction is None or transaction.producer_id != producer_id:
        return ErrorCode.INVALID_PRODUCER_ID_MAPPING
    if transaction.producer_epoch != producer_epoch:
        return ErrorCode.PRODUCER_FENCED
    return ErrorCode.NONE
