"""This controller tells the active one where it is and what it supports (KIP-919).

Looked at once a second: the registration in our image must be that of this life.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.base.listeners import SECURITY_PROTOCOLS
from riverlog.env import Rng, Timer
from riverlog.metadata.controller import random_uuid
from riverlog.metadata.forming import controller_endpoints
from riverlog.metadata.records import SUPPORTED_FEATURES
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.controller_registration_request import (
    ControllerRegistrationRequest,
    Feature,
    Listener,
)
from riverlog.protocol.generated.controller_registration_response import ControllerRegistrationResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker

logger = logging.getLogger("riverlog.broker")

INTERVAL_SECONDS = 1.0
TIMEOUT_SECONDS = 5.0


class Enrolment:
    def __init__(self, broker: Broker, rng: Rng) -> None:
        self._broker = broker
        self._rng = rng
        self._incarnation_id = b""
        self._timer: Timer | None = None

    def start(self) -> None:
        self._incarnation_id = random_uuid(self._rng)
        self._timer = self._broker.clock.call_later(INTERVAL_SECONDS, self._check)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check(self) -> None:
        broker = self._broker
        known = broker.metadata.image.controllers.get(broker.node_id)
        current = known is not None and known.incarnation_id == self._incarnation_id
        if current or broker.metadata.controller_id is None:
            self._later()
            return
        request = ControllerRegistrationRequest(
            controller_id=broker.node_id,
            incarnation_id=self._incarnation_id,
            listeners=[
                Listener(
                    name=one.listener,
                    host=one.host,
                    port=one.port,
                    security_protocol=SECURITY_PROTOCOLS[one.security_protocol],
                )
                for one in controller_endpoints(broker.config)
            ],
            features=[
                Feature(name=name, min_supported_version=low, max_supported_version=high)
                for name, (low, high) in SUPPORTED_FEATURES.items()
            ],
        )
        broker.controller.send(ApiKey.CONTROLLER_REGISTRATION, request, self._answered, TIMEOUT_SECONDS)

    def _answered(self, response: ControllerRegistrationResponse | None) -> None:
        if response is not None and response.error_code:
            logger.warning("this controller is not registered: %s", ErrorCode(response.error_code).name)
        self._later()

    def _later(self) -> None:
        self._timer = self._broker.clock.call_later(INTERVAL_SECONDS, self._check)
