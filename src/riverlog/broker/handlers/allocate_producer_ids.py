"""AllocateProducerIds: a block of producer ids for a broker.

Version 0, on controller listeners. Answered once the block is in the committed metadata log.
Differs from Kafka: nothing known.
KIPs: 730.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import CONTROLLER, PARKED, Later, handler
from riverlog.metadata import producer_ids
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.allocate_producer_ids_request import AllocateProducerIdsRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.ALLOCATE_PRODUCER_IDS, versions=(0, 0), on=CONTROLLER, forward=True)
def allocate_producer_ids(
    broker: Broker, context: RequestContext, request: AllocateProducerIdsRequest
) -> Later:
    broker.decide(
        context,
        lambda state: producer_ids.allocate_producer_ids(
            state, broker_id=request.broker_id, broker_epoch=request.broker_epoch
        ),
    )
    return PARKED
