"""BrokerRegistration: a broker that starts tells the controller who and where it is.

Versions 0–4, on controller listeners. Answered once committed.
Differs from Kafka: what an unclean stop costs a replica (``metadata/registration.py``).
KIPs: 631, 858 (log directories), 966 (previous epoch).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import CONTROLLER, PARKED, Later, handler
from riverlog.metadata.controller import Decision
from riverlog.metadata.image import ClusterState
from riverlog.metadata.registration import register_broker
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.broker_registration_request import BrokerRegistrationRequest
from riverlog.protocol.generated.broker_registration_response import BrokerRegistrationResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.BROKER_REGISTRATION, versions=(0, 4), on=CONTROLLER, forward=True)
def broker_registration(broker: Broker, context: RequestContext, request: BrokerRegistrationRequest) -> Later:
    metadata = broker.metadata
    broker_id = request.broker_id

    def decide(state: ClusterState) -> Decision[BrokerRegistrationResponse]:
        known = state.brokers.get(broker_id)
        alive = known is not None and metadata.heartbeats.has_session(broker_id, known.broker_epoch)
        decision = register_broker(
            state,
            metadata.settings,
            request,
            cluster_id=metadata.cluster_id,
            offset=metadata.raft.log.log_end_offset,
            session_alive=alive,
            in_contact=broker.contacts.in_contact,
        )
        if decision.records:
            broker.contacts.forget(broker_id)
        return decision

    def reply(response: BrokerRegistrationResponse) -> None:
        if not response.error_code:
            broker.heard_of(context, broker_id, response.broker_epoch)
        context.reply(response)

    metadata.decide(decide, reply, context.lost_controller)
    return PARKED
