"""AddOffsetsToTxn: the offsets of a group become part of a transaction.

Versions 0–4. The group's partition of the offsets topic is added, as AddPartitionsToTxn would.
Differs from Kafka: as AddPartitionsToTxn does; where there is no offsets topic yet the answer is
``COORDINATOR_NOT_AVAILABLE``.
KIPs: 98, 588 (``PRODUCER_FENCED`` from 2), 890 (``TRANSACTION_ABORTABLE`` from 4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.auto_creation import OFFSETS_TOPIC
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.broker.txn_adding import add_to_transaction
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.add_offsets_to_txn_request import AddOffsetsToTxnRequest
from riverlog.protocol.generated.add_offsets_to_txn_response import AddOffsetsToTxnResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

_FENCED_VERSION_MIN = 2


@handler(ApiKey.ADD_OFFSETS_TO_TXN, versions=(0, 4))
def add_offsets_to_txn(
    broker: Broker, context: RequestContext, request: AddOffsetsToTxnRequest
) -> AddOffsetsToTxnResponse | Later:
    if not request.transactional_id:
        return AddOffsetsToTxnResponse(error_code=ErrorCode.INVALID_REQUEST)
    if not broker.groups.partition_count:
        return AddOffsetsToTxnResponse(error_code=ErrorCode.COORDINATOR_NOT_AVAILABLE)
    partitions = frozenset({(OFFSETS_TOPIC, broker.groups.shard_of(request.group_id))})

    def reply(error: ErrorCode) -> None:
        if error is ErrorCode.PRODUCER_FENCED and context.api_version < _FENCED_VERSION_MIN:
            error = ErrorCode.INVALID_PRODUCER_EPOCH
        context.reply(AddOffsetsToTxnResponse(error_code=error))

    add_to_transaction(
        broker,
        request.transactional_id,
        (request.producer_id, request.producer_epoch),
        partitions,
        reply,
        client_version=0,
        hold=True,
    )
    return PARKED
