"""UnregisterBroker: forget a broker that will not come back.

Version 0, forwarded to the active controller, decided there, answered once durable.
Differs from Kafka: nothing known.
KIPs: 631.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import BOTH, PARKED, Later, handler
from riverlog.metadata.broker_lifecycle import unregister
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.unregister_broker_request import UnregisterBrokerRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.UNREGISTER_BROKER, versions=(0, 0), on=BOTH, forward=True)
def unregister_broker(broker: Broker, context: RequestContext, request: UnregisterBrokerRequest) -> Later:
    broker.decide(context, lambda state: unregister(state, broker.metadata.settings, request))
    return PARKED
