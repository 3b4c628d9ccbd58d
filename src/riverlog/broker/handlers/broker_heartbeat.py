"""BrokerHeartbeat: a broker lives, and says what it wants to become.

Versions 0–2, on controller listeners. Answered once what it changes is committed.
RULES: early fencing 1: the connection it comes by is watched.
Differs from Kafka: nothing known.
KIPs: 631, 858 (log directories), 1066 (cordoned ones).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import CONTROLLER, PARKED, Later, handler
from riverlog.metadata.broker_lifecycle import heartbeat
from riverlog.metadata.controller import Decision
from riverlog.metadata.image import ClusterState
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from riverlog.protocol.generated.broker_heartbeat_response import BrokerHeartbeatResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.BROKER_HEARTBEAT, versions=(0, 2), on=CONTROLLER, forward=True)
def broker_heartbeat(broker: Broker, context: RequestContext, request: BrokerHeartbeatRequest) -> Later:
    contacts = broker.contacts
    broker_id, epoch = request.broker_id, request.broker_epoch
    is_known = moved = False

    def decide(state: ClusterState) -> Decision[BrokerHeartbeatResponse]:
        nonlocal is_known, moved
        known = state.brokers.get(broker_id)
        first = False
        if known is not None and known.broker_epoch == epoch:
            is_known = True
            # Heard now, not when it is committed: a slow commit must not cost a broker its session.
            first = contacts.heard(broker_id, epoch, request.current_metadata_offset)
            broker.heard_of(context, broker_id, epoch)
        decision = heartbeat(
            state,
            broker.metadata.settings,
            request,
            first_contact=first,
            others_caught_up=contacts.others_caught_up(state, broker_id, epoch),
        )
        moved = bool(decision.records)
        return decision

    broker.decide(context, decide)
    if request.want_shut_down and is_known:
        contacts.leaving(broker_id, epoch, broker.metadata.raft.log.log_end_offset, moved=moved)
    return PARKED
