"""Adding partitions to a transaction, for clients and for other brokers.

A client that begins its next transaction while the markers of the last one are on their way would be told to
try again, after a pause of its own that is mostly much longer than the markers take. So it is held for a
moment, at most ``add.partitions.to.txn.retry.backoff.max.ms``; then it hears what Kafka says at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base import broker_configs_txn as txn_configs
from riverlog.base.errors import ErrorCode
from riverlog.coordinator.txn.adding import add_partitions
from riverlog.coordinator.txn.transaction import TopicPartition

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker

Producer = tuple[int, int]
"""Id and epoch."""


def add_to_transaction(
    broker: Broker,
    transactional_id: str,
    producer: Producer,
    partitions: frozenset[TopicPartition],
    done: Callable[[ErrorCode], None],
    *,
    client_version: int,
    hold: bool,
) -> None:
    """Ask the coordinator on this broker; ``hold``: wait for the end of the transaction before."""

    clock = broker.clock
    hold_ms = broker.config[txn_configs.ADD_PARTITIONS_TO_TXN_RETRY_BACKOFF_MAX_MS] if hold else 0
    until = clock.monotonic() + hold_ms / 1000

    def answer(error: ErrorCode) -> None:
        left = until - clock.monotonic()
        if error is ErrorCode.CONCURRENT_TRANSACTIONS and left > 0:
            broker.txn_markers.wait(transactional_id, left, submit)
        else:
            done(error)

    def submit() -> None:
        error = broker.transactions.submit(
            transactional_id,
            lambda machine, now_ms: add_partitions(
                machine,
                transactional_id,
                *producer,
                partitions,
                client_version=client_version,
                now_ms=now_ms,
                to=answer,
            ),
        )
        if error:
            answer(error)

    submit()
