"""One request on its way through the broker."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from riverlog.protocol.errors import EncodeError
from riverlog.protocol.frames import encode_response
from riverlog.protocol.primitives import Part

if TYPE_CHECKING:
    from riverlog.broker.quotas import Charge
    from riverlog.broker.session import Session


logger = logging.getLogger("riverlog.broker")

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
                self.session.connection.close("the broker failed on a request")
                return
            self.session.answered(self)
            self.session.broker.answered(self)


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
