"""DescribeTransactions and ListTransactions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.txn.states import TxnState
from riverlog.protocol.generated.describe_transactions_response import TopicData
from riverlog.protocol.generated.describe_transactions_response import TransactionState as Described
from riverlog.protocol.generated.list_transactions_response import TransactionState as Listed

if TYPE_CHECKING:
    from riverlog.coordinator.txn.machine import TransactionMachine


class Filter(NamedTuple):
    """What is listed; an empty filter takes all."""

    states: frozenset[TxnState] | None = None
    producer_ids: frozenset[int] = frozenset()
    duration_ms: int = -1
    """Only transactions that began longer ago."""


def listed(machine: TransactionMachine, wanted: Filter, now_ms: int) -> list[Listed]:
    return [
        Listed(
            transactional_id=transaction.transactional_id,
            producer_id=transaction.producer_id,
            transaction_state=transaction.state.kafka_name,
        )
        for transaction in machine.transactions.values()
        if (wanted.states is None or transaction.state in wanted.states)
        and (not wanted.producer_ids or transaction.producer_id in wanted.producer_ids)
        and (wanted.duration_ms < 0 or now_ms - transaction.start_ms > wanted.duration_ms)
    ]


def described(machine: TransactionMachine, transactional_id: str) -> Described:
    transaction = machine.transactions.get(transactional_id)
    if transaction is None:
        return not_described(transactional_id, ErrorCode.TRANSACTIONAL_ID_NOT_FOUND)
    topics: dict[str, list[int]] = {}
    for topic, index in sorted(transaction.partitions):
        topics.setdefault(topic, []).append(index)
    return Described(
        transactional_id=transactional_id,
        transaction_state=transaction.state.kafka_name,
        transaction_timeout_ms=transaction.timeout_ms,
        transaction_start_time_ms=transaction.start_ms,
        producer_id=transaction.producer_id,
        producer_epoch=transaction.producer_epoch,
        topics=[TopicData(topic, indexes) for topic, indexes in topics.items()],
    )


def not_described(transactional_id: str, error: ErrorCode) -> Described:
    return Described(transactional_id=transactional_id, error_code=error)
