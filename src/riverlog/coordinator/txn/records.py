"""Records of ``__transaction_state``: a transactional id and all that is known of it."""

from __future__ import annotations

from riverlog.coordinator.decision import CoordinatorRecord
from riverlog.coordinator.txn.states import TxnState
from riverlog.coordinator.txn.transaction import (
    BUMPING_VERSION,
    EPOCH_GIVEN_MAX,
    NO_EPOCH,
    NO_PRODUCER_ID,
    Transaction,
)
from riverlog.protocol.errors import DecodeError
from riverlog.protocol.generated.transaction_log_key import TransactionLogKey
from riverlog.protocol.generated.transaction_log_value import PartitionsSchema, TransactionLogValue

_VALUE_VERSION = 1
_OLDEST_VALUE_VERSION = 0
"""What ``transaction.version`` 0 writes: it has no place for other producer ids."""


def transaction_record(transaction: Transaction, *, transaction_version: int) -> CoordinatorRecord:
    partitions: list[PartitionsSchema] | None = None
    if transaction.state is not TxnState.EMPTY:
        by_topic: dict[str, list[int]] = {}
        for topic, index in sorted(transaction.partitions):
            by_topic.setdefault(topic, []).append(index)
        partitions = [PartitionsSchema(topic, indexes) for topic, indexes in by_topic.items()]
    value = TransactionLogValue(
        producer_id=transaction.producer_id,
        producer_epoch=transaction.producer_epoch,
        transaction_timeout_ms=transaction.timeout_ms,
        transaction_status=int(transaction.state),
        transaction_partitions=partitions,
        transaction_last_update_timestamp_ms=transaction.update_ms,
        transaction_start_timestamp_ms=transaction.start_ms,
    )
    version = _OLDEST_VALUE_VERSION
    if transaction_version > 0 or transaction.client_version > 0:
        version = _VALUE_VERSION
        value.previous_producer_id = transaction.previous_producer_id
        value.next_producer_id = transaction.next_producer_id
        value.client_transaction_version = transaction.client_version
    return CoordinatorRecord(TransactionLogKey(transaction.transactional_id), value, version=version)


def tombstone(transactional_id: str) -> CoordinatorRecord:
    return CoordinatorRecord(TransactionLogKey(transactional_id), None)


def read_transaction(
    transactional_id: str, value: TransactionLogValue, before: Transaction | None
) -> Transaction:
    """What a record says; ``before`` is what was known until then. Raises ``DecodeError``."""
    try:
        state = TxnState(value.transaction_status)
    except ValueError:
        raise DecodeError(f"{value.transaction_status} is no state of a transaction") from None
    partitions: frozenset[tuple[str, int]] = frozenset()
    if state is not TxnState.EMPTY:
        partitions = frozenset(
            (topic.topic, index)
            for topic in value.transaction_partitions or ()
            for index in topic.partition_ids
        )
    transaction = Transaction(
        transactional_id,
        value.producer_id,
        value.transaction_timeout_ms,
        value.transaction_last_update_timestamp_ms,
        state,
        value.producer_epoch,
        NO_EPOCH,
        value.previous_producer_id,
        value.next_producer_id,
        partitions,
        value.transaction_start_timestamp_ms,
        value.client_transaction_version,
    )
    return transaction._replace(last_epoch=_last_epoch(transaction, before))


def _last_epoch(after: Transaction, before: Transaction | None) -> int:
    """The epoch before, as far as a record tells. What InitProducerId gives is known to nobody else."""
    if after.state is TxnState.EMPTY:
        return NO_EPOCH
    if after.state is TxnState.ONGOING:
        return NO_EPOCH if before is None else before.last_epoch
    if after.client_version < BUMPING_VERSION:
        same = before is not None and before.producer_epoch == after.producer_epoch
        return before.last_epoch if before is not None and same else NO_EPOCH
    if after.producer_id != after.previous_producer_id != NO_PRODUCER_ID:
        return EPOCH_GIVEN_MAX
    return after.producer_epoch - 1
