"""AddPartitionsToTxn: partitions become part of a transaction, or a broker asks whether they are.

Versions 0–5: 0–3 are sent by clients, for one transaction; 4 and 5 by brokers, for several, where
``verify_only`` changes nothing. If one partition of a transaction does not exist, none is added.
Differs from Kafka: additions to one transaction that come at once are all taken; Kafka answers all but the
first with ``CONCURRENT_TRANSACTIONS``. A client whose transaction before is still being ended waits for that
here, for at most ``add.partitions.to.txn.retry.backoff.max.ms``; Kafka lets it try again after 20 ms.
KIPs: 98, 588 (``PRODUCER_FENCED`` from 2), 890 (brokers ask from 4).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.broker.txn_adding import add_to_transaction
from riverlog.coordinator.txn.adding import verify_partitions
from riverlog.coordinator.txn.transaction import BUMPING_VERSION, TopicPartition
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTransaction,
)
from riverlog.protocol.generated.add_partitions_to_txn_response import (
    AddPartitionsToTxnPartitionResult,
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnResult,
    AddPartitionsToTxnTopicResult,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

_FENCED_VERSION_MIN = 2
_BATCHED_VERSION_MIN = 4

Errors = dict[TopicPartition, ErrorCode]


@handler(ApiKey.ADD_PARTITIONS_TO_TXN, versions=(0, 5))
def add_partitions_to_txn(
    broker: Broker, context: RequestContext, request: AddPartitionsToTxnRequest
) -> AddPartitionsToTxnResponse | Later:
    version = context.api_version
    transactions = request.transactions
    if version < _BATCHED_VERSION_MIN:
        transactions = [
            AddPartitionsToTxnTransaction(
                transactional_id=request.v3_and_below_transactional_id,
                producer_id=request.v3_and_below_producer_id,
                producer_epoch=request.v3_and_below_producer_epoch,
                topics=request.v3_and_below_topics,
            )
        ]
    results: list[AddPartitionsToTxnResult | None] = [None] * len(transactions)
    left = len(transactions)
    if left == 0:
        return AddPartitionsToTxnResponse()

    def done_with(number: int) -> Callable[[Errors], None]:
        def done(errors: Errors) -> None:
            nonlocal left
            results[number] = _result(transactions[number].transactional_id, errors)
            left -= 1
            if left == 0:
                context.reply(_response([one for one in results if one is not None], version))

        return done

    for number, transaction in enumerate(transactions):
        _add(broker, version, transaction, done_with(number))
    return PARKED


def _add(
    broker: Broker, version: int, transaction: AddPartitionsToTxnTransaction, done: Callable[[Errors], None]
) -> None:
    partitions = frozenset((topic.name, index) for topic in transaction.topics for index in topic.partitions)

    def all_(error: ErrorCode) -> None:
        if error is ErrorCode.PRODUCER_FENCED and version < _FENCED_VERSION_MIN:
            error = ErrorCode.INVALID_PRODUCER_EPOCH
        done(dict.fromkeys(sorted(partitions), error))

    if not transaction.transactional_id:
        all_(ErrorCode.INVALID_REQUEST)
        return
    image = broker.metadata.image
    missing = {partition for partition in partitions if image.partition(*partition) is None}
    if missing:
        unknown, kept = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.OPERATION_NOT_ATTEMPTED
        done({partition: unknown if partition in missing else kept for partition in sorted(partitions)})
        return
    transactional_id = transaction.transactional_id
    if transaction.verify_only:
        error = broker.transactions.submit(
            transactional_id,
            lambda machine, _now_ms: verify_partitions(
                machine,
                transactional_id,
                transaction.producer_id,
                transaction.producer_epoch,
                partitions,
                to=done,
            ),
        )
        if error:
            all_(error)
        return
    by_broker = version >= _BATCHED_VERSION_MIN
    add_to_transaction(
        broker,
        transactional_id,
        (transaction.producer_id, transaction.producer_epoch),
        partitions,
        all_,
        client_version=BUMPING_VERSION if by_broker else 0,
        hold=not by_broker,
    )


def _result(transactional_id: str, errors: Errors) -> AddPartitionsToTxnResult:
    topics: dict[str, list[AddPartitionsToTxnPartitionResult]] = {}
    for (topic, index), error in errors.items():
        topics.setdefault(topic, []).append(AddPartitionsToTxnPartitionResult(index, error))
    return AddPartitionsToTxnResult(
        transactional_id=transactional_id,
        topic_results=[AddPartitionsToTxnTopicResult(name, found) for name, found in topics.items()],
    )


def _response(results: list[AddPartitionsToTxnResult], version: int) -> AddPartitionsToTxnResponse:
    if version >= _BATCHED_VERSION_MIN:
        return AddPartitionsToTxnResponse(results_by_transaction=results)
    return AddPartitionsToTxnResponse(results_by_topic_v3_and_below=results[0].topic_results)
