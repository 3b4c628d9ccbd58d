"""InitProducerId with a transactional id: a producer takes the id over, or goes on with a new epoch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from riverlog.base import broker_configs_txn as txn_configs
from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import Decision, Reply
from riverlog.coordinator.txn.ending import fence, when_committed
from riverlog.coordinator.txn.states import TxnState
from riverlog.coordinator.txn.transaction import NO_EPOCH, NO_PRODUCER_ID, Transaction, is_exhausted

if TYPE_CHECKING:
    from riverlog.coordinator.txn.machine import TransactionMachine


class Given(NamedTuple):
    """Answer to InitProducerId."""

    error: ErrorCode
    producer_id: int = NO_PRODUCER_ID
    producer_epoch: int = NO_EPOCH


class Brought(NamedTuple):
    """What a producer had until now, and wants to go on with (KIP-360)."""

    producer_id: int
    producer_epoch: int


def init_producer_id(
    machine: TransactionMachine,
    transactional_id: str,
    *,
    timeout_ms: int,
    brought: Brought | None,
    now_ms: int,
    to: Callable[[Given], None],
) -> Decision:
    transaction, records = machine.settled(transactional_id, now_ms)

    def refuse(error: ErrorCode) -> Decision:
        return Decision(records, [Reply(to, Given(error), Given)])

    if not 0 < timeout_ms <= machine.config[txn_configs.TRANSACTION_MAX_TIMEOUT_MS]:
        return refuse(ErrorCode.INVALID_TRANSACTION_TIMEOUT)
    if transaction is None:
        producer_id = machine.new_producer_id()
        if producer_id is None:
            return refuse(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
        transaction = Transaction(transactional_id, producer_id, timeout_ms, now_ms)
    if transaction.state.is_prepared:
        return refuse(ErrorCode.CONCURRENT_TRANSACTIONS)
    if brought is not None and not _may_go_on(transaction, brought):
        return refuse(ErrorCode.PRODUCER_FENCED)
    if transaction.state is TxnState.ONGOING:
        if brought is not None and brought.producer_epoch != transaction.producer_epoch:
            # Refused in the end; Kafka first aborts the transaction of whoever fenced it.
            return refuse(ErrorCode.PRODUCER_FENCED)
        aborted = fence(machine, transaction, now_ms)
        if aborted is None:
            return refuse(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
        # The transaction that its last owner left open ends first; the client is to ask again.
        again = Given(ErrorCode.CONCURRENT_TRANSACTIONS)
        return Decision(
            [machine.record(aborted)], [Reply(to, again, Given), when_committed(machine, aborted)]
        )
    step = _next_epoch(machine, transaction, timeout_ms, brought, now_ms)
    if isinstance(step, ErrorCode):
        return refuse(step)
    if step.last_epoch == NO_EPOCH:
        machine.given.pop(transactional_id, None)  # also one that could not be written
    else:
        machine.given[transactional_id] = step
    records.append(machine.record(step))
    return Decision(records, [Reply(to, Given(ErrorCode.NONE, step.producer_id, step.producer_epoch), Given)])


def _may_go_on(transaction: Transaction, brought: Brought) -> bool:
    """Whether the id is the producer's: also before the id's last change, if that was for want of epochs."""
    return (
        transaction.producer_epoch == NO_EPOCH
        or brought.producer_id == transaction.producer_id
        or (brought.producer_id == transaction.previous_producer_id and is_exhausted(brought.producer_epoch))
    )


def _next_epoch(
    machine: TransactionMachine,
    transaction: Transaction,
    timeout_ms: int,
    brought: Brought | None,
    now_ms: int,
) -> Transaction | ErrorCode:
    epoch = transaction.producer_epoch
    if transaction.is_exhausted and (brought is None or brought.producer_epoch == epoch):
        producer_id = machine.new_producer_id()
        if producer_id is None:
            return ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
        return transaction.rotated(
            producer_id, keep_epoch=brought is not None, timeout_ms=timeout_ms, now_ms=now_ms
        )
    if brought is None:
        new = (epoch + 1, NO_EPOCH)
    elif epoch in (NO_EPOCH, brought.producer_epoch):
        new = (epoch + 1, epoch)
    elif brought.producer_epoch == transaction.last_epoch:
        new = (epoch, transaction.last_epoch)  # again, because the answer was lost
    else:
        return ErrorCode.PRODUCER_FENCED
    return transaction.initialized(*new, timeout_ms=timeout_ms, now_ms=now_ms)
