"""The broker's side of one connection: requests in order, replies in the same order.

A later request is worked on while an earlier one waits (that is what makes group commit
pay off for a pipelining producer), but its reply waits its turn.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from riverlog.broker.context import RequestContext
from riverlog.env import Connection
from riverlog.protocol.primitives import Part

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.forwarding import Envelope


class Session:
    """State that lives as long as a connection."""

    __slots__ = (
        "_waiting",
        "broker",
        "client_software_name",
        "client_software_version",
        "closed",
        "closing",
        "connection",
        "entries",
        "envelope",
        "in_flight",
        "listener",
        "on_controller",
        "peer_host",
    )

    def __init__(self, broker: Broker, connection: Connection, *, listener: str, peer_host: str) -> None:
        self.broker = broker
        self.connection = connection
        self.listener = listener
        self.peer_host = peer_host
        self.client_software_name = "unknown"
        self.client_software_version = "unknown"
        self.closed = False
        self.closing = False
        """Closed by us."""
        self.on_controller = listener in broker.controller_listeners
        """Whether a broker or controller asks us as a controller."""
        self.entries = broker.controller_entries if self.on_controller else broker.entries
        """What is served here."""
        self.envelope: Envelope | None = None
        """Set where the requests of this session came wrapped in another one."""
        self.in_flight = 0
        self._waiting: deque[RequestContext] = deque()

    def on_frame(self, frame: memoryview) -> None:
        self.broker.dispatch(self, frame)

    def close(self, reason: str) -> None:
        """End the connection from this side."""
        self.closing = True
        self.connection.close(reason)

    def on_closed(self, reason: str) -> None:
        self.closed = True
        for context in self._waiting:
            if context.on_abandoned is not None and context.reply_parts is None:
                context.on_abandoned()
        self._waiting.clear()
        self.in_flight = 0
        self.broker.session_closed(self, reason)

    def send(self, context: RequestContext, parts: list[Part]) -> None:
        """A reply that is ready at once."""
        if self._waiting:
            context.reply_parts = parts
            self.wait_for(context)
        else:
            self.connection.send(parts)

    def wait_for(self, context: RequestContext) -> None:
        """Keep a place in the queue for a parked request's reply."""
        context.queued = True
        self._waiting.append(context)
        self.in_flight += 1

    def answered(self, context: RequestContext) -> None:
        """A parked request got its reply."""
        if not context.queued:
            return  # answered while still being handled: ``dispatch`` sends it
        waiting = self._waiting
        while waiting and (parts := waiting[0].reply_parts) is not None:
            waiting.popleft()
            self.in_flight -= 1
            self.connection.send(parts)
