"""ControllerRegistration: a controller tells where it is and what it supports.

Version 0, on controller listeners. Answered once committed.
Differs from Kafka: nothing known.
KIPs: 919.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import CONTROLLER, PARKED, Later, handler
from riverlog.metadata.registration import register_controller
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.controller_registration_request import ControllerRegistrationRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.CONTROLLER_REGISTRATION, versions=(0, 0), on=CONTROLLER, forward=True)
def controller_registration(
    broker: Broker, context: RequestContext, request: ControllerRegistrationRequest
) -> Later:
    broker.decide(context, lambda state: register_controller(state, request))
    return PARKED
