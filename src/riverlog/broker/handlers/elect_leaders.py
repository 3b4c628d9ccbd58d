"""ElectLeaders: the preferred replica, or (unclean) any that lives.

Versions 0–2. Forwarded to the active controller, decided there, answered once durable.
Differs from Kafka: nothing known. A single node leads all it holds: ``ELECTION_NOT_NEEDED``.
KIPs: 183, 460 (unclean).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import BOTH, PARKED, Later, handler
from riverlog.metadata import election
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.elect_leaders_request import ElectLeadersRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.ELECT_LEADERS, versions=(0, 2), on=BOTH, forward=True)
def elect_leaders(broker: Broker, context: RequestContext, request: ElectLeadersRequest) -> Later:
    broker.decide(context, lambda state: election.elect_leaders(state, request, broker.metadata.settings))
    return PARKED
