"""One request on its way through the broker."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from riverlog.protocol.frames import encode_response
from riverlog.protocol.primitives import Part

if TYPE_CHECKING:
    from riverlog.broker.quotas import Charge
    from riverlog.broker.session import Session


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
        return encode_response(self.api_key, self.api_version, self.correlation_id, response)

    def reply(self, response: Any) -> None:
        """Answer a parked request. Replies still leave in the order of the requests."""
        assert self.reply_parts is None, "answered twice"
        if not self.session.closed:
            self.reply_parts = self.encode(response)
            self.session.answered(self)
            self.session.broker.answered(self)
