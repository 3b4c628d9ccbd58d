"""One request on its way through the broker."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from riverlog.base.errors import ErrorCode
from riverlog.broker.refusals import refusal
from riverlog.protocol.errors import EncodeError
from riverlog.protocol.frames import encode_response
from riverlog.protocol.primitives import Part

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.quotas import Charge
    from riverlog.broker.session import Session


logger = logging.getLogger("riverlog.broker")

NOT_CONTROLLER = "This is not the active controller."
MESSAGE_LENGTH_MAX = 4000
"""Characters of an error message that is too long to be sent whole."""


class RequestContext:
    """Who asked, what for, since when; and the way to answer."""

    __slots__ = (
        "api_key",
        "api_version",
        "charge",
        "client_id",
        "correlation_id",
        "on_abandoned",
        "queued",
        "received",
        "reply_parts",
        "request",
        "session",
    )

    def __init__(
        self,
        session: Session,
        api_key: int,
        api_version: int,
        correlation_id: int,
        client_id: str | None,
        received: float,
    ) -> None:
        self.session = session
        self.api_key = api_key
        self.api_version = api_version
        self.correlation_id = correlation_id
        self.client_id = client_id
        self.received = received
        self.queued = False
        """Set once the session waits for this reply."""
        self.reply_parts: list[Part] | None = None
        self.on_abandoned: Callable[[], None] | None = None
        """Told when the connection is gone while the request is parked."""
        self.charge: Charge | None = None
        """What the request costs its client, where quotas are set."""
        self.request: Any = None
        """What was asked, kept only of requests that need the controller."""

    def encode(self, response: Any) -> list[Part]:
        if self.charge is not None:
            self.charge.settle(response)
        try:
            return encode_response(self.api_key, self.api_version, self.correlation_id, response)
        except EncodeError:
            if not _clip_messages(response):
                raise
            return encode_response(self.api_key, self.api_version, self.correlation_id, response)

    def reply(self, response: Any) -> None:
        """Answer a parked request. Replies still leave in the order of the requests."""
        assert self.reply_parts is None, "answered twice"
        if not self.session.closed:
            try:
                self.reply_parts = self.encode(response)
            except EncodeError as error:
                # Whoever calls, a callback of the disk perhaps, is not to blame: only this client loses.
                logger.error("a reply to %s cannot be encoded", self.session.peer_host, exc_info=error)
                self.session.close("the broker failed on a request")
                return
            self.session.answered(self)
            self.session.broker.answered(self)

    def lost_controller(self) -> None:
        """This node does not lead, or no longer: nobody knows what became of the request.

        One of a client is passed on to the next controller; who asked this node as the controller is told.
        """
        session = self.session
        if session.envelope is not None:
            session.envelope.not_controller()
        elif session.on_controller:
            self.reply(refusal(self.api_key, self.request, ErrorCode.NOT_CONTROLLER, NOT_CONTROLLER))
        else:
            session.broker.forwarding.forward(self)


class LocalContext(RequestContext):
    """A request that this node makes of itself."""

    __slots__ = ("_done",)

    def __init__(self, broker: Broker, api_key: int, api_version: int, done: Callable[[Any], None]) -> None:
        received = broker.clock.monotonic()
        super().__init__(broker.local_session, api_key, api_version, 0, None, received)
        self._done = done

    def reply(self, response: Any) -> None:
        self._done(response)


def _clip_messages(response: Any) -> bool:
    """Shorten error messages that do not fit into a string, such as those that quote a long name."""
    clipped = False
    for name in response.__slots__:
        value = getattr(response, name)
        if name == "error_message" and value is not None and len(value) > MESSAGE_LENGTH_MAX:
            setattr(response, name, value[:MESSAGE_LENGTH_MAX] + "…")
            clipped = True
        elif isinstance(value, list):
            for one in value:
                if hasattr(one, "__slots__"):
                    clipped = _clip_messages(one) or clipped
    return clipped
