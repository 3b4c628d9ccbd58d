"""EndTxn: commit or abort.

Versions 0–5. Answered when the decision is committed; markers are written after that. From version 5 on the
client is of transaction version 2: the answer has the producer id and epoch that it goes on with, a retry is
known by its old epoch, and an abort without any partition is taken.
Differs from Kafka: a client of version 5 may end its transaction after ``transaction.version`` was lowered
below 2, in its way; Kafka answers ``UNSUPPORTED_VERSION``.
KIPs: 98, 588 (``PRODUCER_FENCED`` from 2), 890 (from 4, epochs from 5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.coordinator.txn.ending import Ended, end_transaction
from riverlog.coordinator.txn.transaction import BUMPING_VERSION
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.end_txn_request import EndTxnRequest
from riverlog.protocol.generated.end_txn_response import EndTxnResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

_FENCED_VERSION_MIN = 2
_BUMPING_VERSION_MIN = 5


@handler(ApiKey.END_TXN, versions=(0, 5))
def end_txn(broker: Broker, context: RequestContext, request: EndTxnRequest) -> EndTxnResponse | Later:
    if not request.transactional_id:
        return EndTxnResponse(error_code=ErrorCode.INVALID_REQUEST)

    def reply(ended: Ended) -> None:
        error = ended.error
        if error is ErrorCode.PRODUCER_FENCED and context.api_version < _FENCED_VERSION_MIN:
            error = ErrorCode.INVALID_PRODUCER_EPOCH
        response = EndTxnResponse(error_code=error)
        if context.api_version >= _BUMPING_VERSION_MIN:
            response.producer_id, response.producer_epoch = ended.producer_id, ended.producer_epoch
        context.reply(response)

    error = broker.transactions.submit(
        request.transactional_id,
        lambda machine, now_ms: end_transaction(
            machine,
            request.transactional_id,
            request.producer_id,
            request.producer_epoch,
            committed=request.committed,
            client_version=BUMPING_VERSION if context.api_version >= _BUMPING_VERSION_MIN else 0,
            now_ms=now_ms,
            to=reply,
        ),
    )
    if error:
        reply(Ended(error))
    return PARKED
