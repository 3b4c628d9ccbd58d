"""InitProducerId: a producer's id and epoch, for idempotence or under a transactional id.

Versions 0–5; not 6 (two-phase commit). Ids come in blocks of 1,000 from the metadata log, so that none is
given out twice. A transaction that the last owner of the id left open is aborted first; the client is
answered ``CONCURRENT_TRANSACTIONS`` and asks again.
Differs from Kafka: a producer that was fenced and asks with its old epoch is refused at once, and does not
abort the transaction of the one that fenced it.
KIPs: 98, 360 (going on with id and epoch from 3), 588 (``PRODUCER_FENCED`` from 4), 890 (from 5).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.coordinator.txn.init import Brought, Given
from riverlog.coordinator.txn.init import init_producer_id as init
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest
from riverlog.protocol.generated.init_producer_id_response import InitProducerIdResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

_FENCED_VERSION_MIN = 4


@handler(ApiKey.INIT_PRODUCER_ID, versions=(0, 5))
def init_producer_id(
    broker: Broker, context: RequestContext, request: InitProducerIdRequest
) -> InitProducerIdResponse | Later:
    if request.transactional_id == "" or (request.producer_id < 0) != (request.producer_epoch < 0):
        return _answer(context, Given(ErrorCode.INVALID_REQUEST))
    if request.transactional_id is None:
        _without_transactions(broker, context)
    else:
        _with_transactions(broker, context, request, request.transactional_id)
    return PARKED


def _without_transactions(broker: Broker, context: RequestContext) -> None:
    def taken(producer_id: int | None) -> None:
        if producer_id is None:
            given = Given(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)  # clients try again
        else:
            given = Given(ErrorCode.NONE, producer_id, 0)
        context.reply(_answer(context, given))

    broker.producer_ids.take(taken)


def _with_transactions(
    broker: Broker, context: RequestContext, request: InitProducerIdRequest, transactional_id: str
) -> None:
    brought = None
    if request.producer_id >= 0:
        brought = Brought(request.producer_id, request.producer_epoch)

    def submit(to: Callable[[Given], None]) -> None:
        error = broker.transactions.submit(
            transactional_id,
            lambda machine, now_ms: init(
                machine,
                transactional_id,
                timeout_ms=request.transaction_timeout_ms,
                brought=brought,
                now_ms=now_ms,
                to=to,
            ),
        )
        if error:
            reply(Given(error))

    def reply(given: Given) -> None:
        context.reply(_answer(context, given))

    def first(given: Given) -> None:
        if given.error is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS:
            # Most ids have their producer id already; one that needs it waits for the controller here.
            broker.producer_ids.when_in_stock(lambda: submit(reply))
        else:
            reply(given)

    submit(first)


def _answer(context: RequestContext, given: Given) -> InitProducerIdResponse:
    error = given.error
    if error is ErrorCode.PRODUCER_FENCED and context.api_version < _FENCED_VERSION_MIN:
        error = ErrorCode.INVALID_PRODUCER_EPOCH
    return InitProducerIdResponse(
        error_code=error, producer_id=given.producer_id, producer_epoch=given.producer_epoch
    )
