"""InitProducerId for idempotent producers.

Versions 0–5. Ids come in blocks of 1,000 from the metadata log, so none is given out twice.
With a transactional id: ``COORDINATOR_NOT_AVAILABLE`` until transactions are served.
KIPs: 98, 360.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest
from riverlog.protocol.generated.init_producer_id_response import InitProducerIdResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.INIT_PRODUCER_ID, versions=(0, 5))
def init_producer_id(
    broker: Broker, context: RequestContext, request: InitProducerIdRequest
) -> InitProducerIdResponse | Later:
    if request.transactional_id == "" or (request.producer_id < 0) != (request.producer_epoch < 0):
        return InitProducerIdResponse(error_code=ErrorCode.INVALID_REQUEST, producer_epoch=-1)
    if request.transactional_id is not None:
        return InitProducerIdResponse(error_code=ErrorCode.COORDINATOR_NOT_AVAILABLE, producer_epoch=-1)

    def taken(producer_id: int | None) -> None:
        if producer_id is None:
            error = ErrorCode.COORDINATOR_LOAD_IN_PROGRESS  # clients try again
            context.reply(InitProducerIdResponse(error_code=error, producer_epoch=-1))
        else:
            context.reply(InitProducerIdResponse(producer_id=producer_id, producer_epoch=0))

    broker.producer_ids.take(taken)
    return PARKED
