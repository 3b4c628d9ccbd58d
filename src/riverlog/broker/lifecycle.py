"""The life of this broker in the cluster: register, catch up, be unfenced, run, shut down in order.

Starting: registers with the active controller until it is accepted. Catching up: until our own image has
that registration; then the partitions are taken over. Recovering: heartbeats ask to be unfenced; when our
image says that we are, clients may come. Leaving (controlled shutdown): leadership moves away before we go.

RULES: early fencing 1: heartbeats have a connection of their own, and a lost one is tried again within
200 ms. A broker that the controller no longer knows registers again; that gives every partition it led a
new leader epoch (RULES: watermark 6).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

from riverlog.base import broker_configs
from riverlog.base.errors import ErrorCode
from riverlog.base.listeners import SECURITY_PROTOCOLS, Endpoint
from riverlog.broker.controller_channel import ControllerChannel
from riverlog.env import Rng, StorageError, Timer
from riverlog.metadata.controller import random_uuid
from riverlog.metadata.records import SUPPORTED_FEATURES
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from riverlog.protocol.generated.broker_heartbeat_response import BrokerHeartbeatResponse
from riverlog.protocol.generated.broker_registration_request import (
    BrokerRegistrationRequest,
    Feature,
    Listener,
)
from riverlog.protocol.generated.broker_registration_response import BrokerRegistrationResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker

logger = logging.getLogger("riverlog.broker")

RETRY_SECONDS = 0.1
STARTING_INTERVAL_SECONDS = 0.05
"""Between heartbeats while we wait to be unfenced: nobody can use us yet."""
LEAVING_INTERVAL_SECONDS = 0.05
"""Between heartbeats while the controller moves leadership away."""
LEAVING_SECONDS_MAX = 60.0
LEAVING_SILENCE_SECONDS_MAX = 3.0
"""A controller that does not answer a leaving broker for so long is not waited for."""
HAND_OVER_SECONDS_MAX = 2.0
HAND_OVER_LOOK_SECONDS = 0.01
HEARTBEAT_TIMEOUT_SECONDS = 5.0


class Phase(Enum):
    NOT_STARTED = "not started"
    STARTING = "starting"
    CATCHING_UP = "catching up"
    RECOVERING = "recovering"
    RUNNING = "running"
    LEAVING = "leaving"
    STOPPED = "stopped"


class Lifecycle:
    """``start`` once; ``leave`` before the end."""

    def __init__(self, broker: Broker, rng: Rng) -> None:
        self.phase = Phase.NOT_STARTED
        self.broker_epoch = -1
        """Of the newest registration that the controller confirmed."""
        self.offline_log_dirs: dict[bytes, None] = {}
        """Directory ids that failed in this life."""
        self._broker = broker
        self._rng = rng
        self._channel = ControllerChannel(broker, "heartbeat", on_lost=self._soon)
        self._previous_epoch = -1
        self._endpoints: Sequence[Endpoint] = ()
        self._incarnation_id = b""
        self._caught_up: Callable[[], None] | None = None
        self._ready: Callable[[], None] | None = None
        self._failed: Callable[[StorageError], None] | None = None
        self._left: Callable[[], None] | None = None
        self._timer: Timer | None = None
        self._leaving_timer: Timer | None = None
        self._in_flight = False
        self._deadline = 0.0
        self._answered_at = 0.0

    # -- registering ---------------------------------------------------------------------

    def start(
        self,
        endpoints: Sequence[Endpoint],
        *,
        previous_epoch: int,
        caught_up: Callable[[], None],
        ready: Callable[[], None],
    ) -> None:
        """Register. ``previous_epoch`` is that of the last clean stop, -1 without one.

        ``caught_up`` when our image has the registration, ``ready`` when we are unfenced.
        """
        self._endpoints = endpoints
        self._previous_epoch = previous_epoch
        self._caught_up = caught_up
        self._ready = ready
        self._broker.metadata.subscribe(self._committed, reset=self._image_changed)
        self._register_anew()

    def take_over(self, endpoints: Sequence[Endpoint], broker_epoch: int) -> None:
        """The node was alone and is not any more: it is registered and runs, from now on with heartbeats."""
        self._endpoints = endpoints
        self.broker_epoch = self._previous_epoch = broker_epoch
        self.phase = Phase.RUNNING
        self._broker.metadata.subscribe(self._committed, reset=self._image_changed)
        self._communicate()

    def _register_anew(self) -> None:
        self.phase = Phase.STARTING
        self._incarnation_id = random_uuid(self._rng)
        self._communicate()

    def _register(self) -> None:
        broker = self._broker
        if not broker.metadata.cluster_id:  # the quorum is not formed yet
            self._later(RETRY_SECONDS)
            return
        request = BrokerRegistrationRequest(
            broker_id=broker.node_id,
            cluster_id=broker.metadata.cluster_id,
            incarnation_id=self._incarnation_id,
            listeners=[
                Listener(
                    name=one.listener,
                    host=one.host,
                    port=one.port,
                    security_protocol=SECURITY_PROTOCOLS[one.security_protocol],
                )
                for one in self._endpoints
            ],
            features=[
                Feature(name=name, min_supported_version=low, max_supported_version=high)
                for name, (low, high) in SUPPORTED_FEATURES.items()
            ],
            rack=broker.config[broker_configs.BROKER_RACK],
            log_dirs=[found for found in broker.online_directory_ids() if found not in self.offline_log_dirs],
            previous_broker_epoch=self._previous_epoch,
        )
        self._in_flight = True
        self._channel.send(ApiKey.BROKER_REGISTRATION, request, self._registered, HEARTBEAT_TIMEOUT_SECONDS)

    def _registered(self, response: BrokerRegistrationResponse | None) -> None:
        self._in_flight = False
        if self.phase is not Phase.STARTING:
            return
        if response is None or response.error_code:
            if response is not None:
                logger.warning("not registered yet: %s", ErrorCode(response.error_code).name)
            self._later(RETRY_SECONDS)
            return
        self.broker_epoch = self._previous_epoch = response.broker_epoch
        logger.info("registered with broker epoch %d", response.broker_epoch)
        self.phase = Phase.CATCHING_UP
        self._communicate()
        self._image_changed()

    # -- our own image -------------------------------------------------------------------

    def _committed(self, records: Sequence[Any]) -> None:
        if any(getattr(record, "in_controlled_shutdown", 0) for record in records):
            self._soon()  # the one that leaves waits until all others say that they know
        self._image_changed()

    def _image_changed(self) -> None:
        """Committed records, or a whole new image: has our registration arrived, are we unfenced?"""
        found = self._broker.metadata.image.brokers.get(self._broker.node_id)
        if found is None or found.broker_epoch != self.broker_epoch:
            return
        if self.phase is Phase.CATCHING_UP:
            self.phase = Phase.RECOVERING
            if self._caught_up is not None:
                caught_up, self._caught_up = self._caught_up, None
                caught_up()
            self._soon()
        elif self.phase is Phase.RECOVERING and not found.fenced:
            self.phase = Phase.RUNNING
            logger.info("unfenced: serving")
            if self._ready is not None:
                ready, self._ready = self._ready, None
                ready()
        elif self.phase is Phase.RUNNING and found.fenced:
            logger.warning("the controller fenced this broker")
            self.phase = Phase.RECOVERING
            self._soon()

    # -- heartbeats ----------------------------------------------------------------------

    def _communicate(self) -> None:
        """Register or send a heartbeat, whichever is due; the next one follows its answer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._in_flight or self.phase in (Phase.NOT_STARTED, Phase.STOPPED):
            return
        if self.phase is Phase.STARTING or self.broker_epoch < 0:
            self._register()
            return
        request = BrokerHeartbeatRequest(
            broker_id=self._broker.node_id,
            broker_epoch=self.broker_epoch,
            current_metadata_offset=self._broker.metadata.raft.applied_offset - 1,  # control records too
            want_fence=self.phase is Phase.CATCHING_UP,
            want_shut_down=self.phase is Phase.LEAVING,
            offline_log_dirs=list(self.offline_log_dirs),
            # Not before our settings are the newest.
            cordoned_log_dirs=self._broker.cordon.told() if self.phase is not Phase.CATCHING_UP else None,
        )
        self._in_flight = True
        self._channel.send(ApiKey.BROKER_HEARTBEAT, request, self._beaten, HEARTBEAT_TIMEOUT_SECONDS)

    def _beaten(self, response: BrokerHeartbeatResponse | None) -> None:
        self._in_flight = False
        if self.phase is Phase.STOPPED:
            return
        if response is None:
            self._later(RETRY_SECONDS)
            return
        self._answered_at = self._broker.clock.monotonic()
        if response.error_code:
            self._refused(ErrorCode(response.error_code))
        elif self.phase is Phase.LEAVING:
            if response.should_shut_down:
                self._finish_leaving()
            else:
                self._later(LEAVING_INTERVAL_SECONDS)
        elif self.phase is Phase.RUNNING:
            self._later(self._broker.config[broker_configs.BROKER_HEARTBEAT_INTERVAL_MS] / 1000)
        else:
            self._later(STARTING_INTERVAL_SECONDS)

    def _refused(self, error: ErrorCode) -> None:
        if error not in (ErrorCode.STALE_BROKER_EPOCH, ErrorCode.BROKER_ID_NOT_REGISTERED):
            logger.warning("heartbeat refused: %s", error.name)
            self._later(RETRY_SECONDS)
        elif self.phase is Phase.LEAVING:
            self._finish_leaving()
        else:
            logger.warning("the controller does not know this broker any more: registering again")
            self._register_anew()

    def cordon_changed(self) -> None:
        """Told at once, so that no new replica comes meanwhile."""
        if self.phase is Phase.RUNNING:
            self._soon()

    def log_dir_failed(self, directory_id: bytes) -> None:
        """Told to the controller at once: it elects other leaders."""
        self.offline_log_dirs[directory_id] = None
        self._soon()

    def _soon(self) -> None:
        if self._in_flight or self.phase in (Phase.NOT_STARTED, Phase.STOPPED):
            return  # what is under way is followed by the next one
        self._later(0.0)

    def _later(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._broker.clock.call_later(seconds, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        self._communicate()

    # -- leaving -------------------------------------------------------------------------

    def leave(self, done: Callable[[], None]) -> None:
        """Ask the controller to move leadership away; ``done`` when it has, or does not answer.

        A node that leads the metadata quorum hands that over as well.
        """
        if self.phase in (Phase.NOT_STARTED, Phase.STARTING, Phase.CATCHING_UP, Phase.STOPPED):
            self.stop()
            self._broker.clock.call_later(0.0, lambda: self._hand_over(done))
            return
        self.phase = Phase.LEAVING
        self._left = done
        now = self._broker.clock.monotonic()
        self._answered_at = now
        self._deadline = now + LEAVING_SECONDS_MAX
        self._watch_leaving()
        self._soon()

    def _watch_leaving(self) -> None:
        self._leaving_timer = None
        now = self._broker.clock.monotonic()
        if now >= self._deadline or now - self._answered_at >= LEAVING_SILENCE_SECONDS_MAX:
            logger.warning("stopping without a controlled shutdown: the controller did not agree in time")
            self._finish_leaving()
        else:
            self._leaving_timer = self._broker.clock.call_later(RETRY_SECONDS, self._watch_leaving)

    def _finish_leaving(self) -> None:
        left, self._left = self._left, None
        self.stop()
        if left is not None:
            self._hand_over(left)

    def _hand_over(self, done: Callable[[], None]) -> None:
        """The leader of the metadata quorum resigns, and waits a moment until another one leads."""
        metadata, clock = self._broker.metadata, self._broker.clock
        if metadata.closed or metadata.is_sole or not metadata.raft.leading:
            done()
            return
        metadata.raft.resign()
        deadline = clock.monotonic() + HAND_OVER_SECONDS_MAX

        def look() -> None:
            if metadata.closed:
                return
            if metadata.controller_id is not None or clock.monotonic() >= deadline:
                done()
            else:
                clock.call_later(HAND_OVER_LOOK_SECONDS, look)

        look()

    def stop(self) -> None:
        """No more heartbeats."""
        self.phase = Phase.STOPPED
        self._channel.close()
        for timer in (self._timer, self._leaving_timer):
            if timer is not None:
                timer.cancel()
        self._timer = self._leaving_timer = None
