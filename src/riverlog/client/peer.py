"""Requests to another node, over a connection that is opened when needed and opened again when lost.

Requests to one ``Peer`` leave in order on one connection, without waiting for each other. When it
breaks, or a request is not answered in time, every request on it fails; whoever sent it decides
whether to send it again. The next one opens a new connection, after a pause that doubles from 20 to
200 ms while the peer cannot be reached, so that callers may try again at once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, assert_never

from riverlog.client.connection import (
    Answered,
    ClientConnection,
    Close,
    Connected,
    ConnectionEvent,
    Disconnected,
    Failed,
    Ready,
    Received,
    Request,
    SendBytes,
    State,
    Submitted,
)
from riverlog.env import Channel, Clock, Closed, Dialer, Timer

logger = logging.getLogger("riverlog.client")

RETRY_SECONDS_MIN = 0.02
RETRY_SECONDS_MAX = 0.2
SETUP_SECONDS_MAX = 10.0
"""So long may a connection take until the peer has said its versions (Kafka:
``socket.connection.setup.timeout.ms``)."""
PENDING_MAX = 10_000
"""Requests to one peer without an answer; one more fails."""
REPORTS_MAX = 100
"""Different reasons why a request cannot be sent; more are not reported."""
_ROUNDING_SECONDS = 1e-6

Done = Callable[[Any | None], None]


class Peers:
    """Every node that we talk to. One ``Peer``, so one connection, per address and purpose."""

    def __init__(self, network: Dialer, clock: Clock, *, client_id: str) -> None:
        self._network = network
        self._clock = clock
        self._client_id = client_id
        self._peers: dict[tuple[str, int, str], Peer] = {}
        self._closed = False

    def to(self, host: str, port: int, purpose: str = "") -> Peer:
        """The peer at this address for this purpose; it connects at its first request."""
        key = (host, port, purpose)
        peer = self._peers.get(key)
        if peer is None or peer.closed:
            peer = Peer(self._network, self._clock, host=host, port=port, client_id=self._client_id)
            if self._closed:
                peer.close()
            else:
                self._peers[key] = peer
        return peer

    def close(self) -> None:
        """Close all of them, and those asked for later."""
        self._closed = True
        for peer in list(self._peers.values()):
            peer.close()
        self._peers.clear()


class Peer:
    """One address. Made by ``Peers.to``."""

    def __init__(self, network: Dialer, clock: Clock, *, host: str, port: int, client_id: str) -> None:
        self.host = host
        self.port = port
        self.on_lost: Callable[[Closed], None] | None = None
        """Told when a connection broke, was refused, or was dropped because an answer was late; after the
        requests on it have failed."""
        self.closed = False
        self._network = network
        self._clock = clock
        self._client_id = client_id
        self._pending: dict[Request, _Pending] = {}
        self._link: _Link | None = None
        self._refused: set[tuple[int, str]] = set()
        """Requests that the peer cannot be sent, by API and reason: each is reported once."""
        self._pause_seconds = 0.0
        self._not_before = 0.0
        """No connection is opened before."""
        self._reconnect: Timer | None = None
        self._timer: Timer | None = None
        self._timer_at = 0.0

    @property
    def connected(self) -> bool:
        """Whether there is a connection over which requests leave at once."""
        return self._link is not None and self._link.machine.state is State.READY

    def send(
        self,
        api_key: int,
        message: Any,
        done: Done,
        *,
        timeout_seconds: float,
        max_version: int | None = None,
    ) -> None:
        """Send a request. ``done`` gets the response, or None if there is none; never inside this call.

        After None the peer may or may not have acted on it. After ``close`` nothing is called.
        """
        request = Request(api_key, message, max_version=max_version)
        if self.closed or len(self._pending) >= PENDING_MAX:
            self._clock.call_later(0.0, lambda: done(None))
            return
        deadline = self._clock.monotonic() + timeout_seconds
        self._pending[request] = _Pending(done, deadline)
        self._mind(deadline)
        if self._link is None:
            self._open()
            return
        outcomes = self._feed(self._link, Submitted(request))
        if outcomes:
            self._clock.call_later(0.0, lambda: self._settle(outcomes))

    def close(self) -> None:
        """Drop the connection and forget every request."""
        self.closed = True
        self._pending.clear()
        self._unlink()
        for timer in (self._timer, self._reconnect):
            if timer is not None:
                timer.cancel()
        self._timer = self._reconnect = None

    # -- connecting ----------------------------------------------------------------------

    def _open(self) -> None:
        """Connect, or wait for the end of the pause first."""
        if self._link is not None or self._reconnect is not None:
            return
        wait = self._not_before - self._clock.monotonic()
        if wait > _ROUNDING_SECONDS:
            self._reconnect = self._clock.call_later(wait, self._on_pause_over)
        else:
            self._connect()

    def _on_pause_over(self) -> None:
        self._reconnect = None
        if self._pending:
            self._connect()

    def _connect(self) -> None:
        machine = ClientConnection(client_id=self._client_id)
        link = self._link = _Link(machine, self._clock.monotonic() + SETUP_SECONDS_MAX)
        for request in self._pending:
            machine.handle(Submitted(request))  # they wait inside for the versions
        link.channel = self._network.connect(
            self.host,
            self.port,
            on_connected=lambda: self._on_event(link, Connected()),
            on_received=lambda data: self._on_event(link, Received(data)),
            on_closed=lambda closed: self._lose(link, closed),
        )
        self._mind(link.setup_deadline)

    def _unlink(self) -> None:
        link, self._link = self._link, None
        if link is not None and link.channel is not None:
            link.channel.close()

    # -- events --------------------------------------------------------------------------

    def _on_event(self, link: _Link, event: ConnectionEvent) -> None:
        if self._link is not link:
            return
        outcomes = self._feed(link, event)
        self._settle(outcomes)
        if link.machine.closed and self._link is link:
            self._lose(link, Closed(link.nonsense))

    def _feed(self, link: _Link, event: ConnectionEvent) -> list[Answered | Failed]:
        """Let the machine act; what it says about requests comes back, after all it sends has left."""
        outcomes: list[Answered | Failed] = []
        assert link.channel is not None
        for effect in link.machine.handle(event):
            match effect:
                case SendBytes():
                    link.channel.send(effect.data)
                case Answered() | Failed():
                    outcomes.append(effect)
                case Ready():
                    self._pause_seconds = 0.0
                case Close():
                    link.nonsense = effect.reason
                case _:
                    assert_never(effect)
        return outcomes

    def _settle(self, outcomes: list[Answered | Failed]) -> None:
        for outcome in outcomes:
            pending = self._pending.pop(outcome.request, None)
            if isinstance(outcome, Failed) and outcome.unsupported:
                self._report(outcome)
            if pending is not None:
                pending.done(outcome.message if isinstance(outcome, Answered) else None)

    def _report(self, failed: Failed) -> None:
        """Sending it again is no use: whoever does so would never be heard of."""
        known = (failed.request.api_key, failed.reason)
        if known not in self._refused and len(self._refused) < REPORTS_MAX:
            self._refused.add(known)
            logger.error(
                "request %d cannot be sent to %s:%d: %s",
                failed.request.api_key,
                self.host,
                self.port,
                failed.reason,
            )

    def _lose(self, link: _Link, closed: Closed) -> None:
        """The connection is gone: fail what was on it, and pause before the next."""
        if self._link is not link:
            return
        self._unlink()
        pause = min(max(2 * self._pause_seconds, RETRY_SECONDS_MIN), RETRY_SECONDS_MAX)
        self._pause_seconds = pause
        self._not_before = self._clock.monotonic() + pause
        link.machine.handle(Disconnected(closed.reason))
        self._fail(list(self._pending))
        if self.on_lost is not None and not self.closed:
            self.on_lost(closed)

    def _fail(self, requests: list[Request]) -> None:
        for request in requests:
            pending = self._pending.pop(request, None)  # a callback may have closed the peer
            if pending is not None:
                pending.done(None)

    # -- time ----------------------------------------------------------------------------

    def _mind(self, deadline: float) -> None:
        """Look again at this time, if not sooner. One timer serves all requests."""
        if self._timer is not None:
            if self._timer_at <= deadline:
                return
            self._timer.cancel()
        self._timer_at = deadline
        self._timer = self._clock.call_later(max(0.0, deadline - self._clock.monotonic()), self._on_deadline)

    def _on_deadline(self) -> None:
        self._timer = None
        due = self._clock.monotonic() + _ROUNDING_SECONDS
        link = self._link
        late = [request for request, pending in self._pending.items() if pending.deadline <= due]
        if link is None:
            self._fail(late)
        elif late:
            self._lose(link, Closed(f"no answer from {self.host}:{self.port} in time"))
        elif link.machine.state is not State.READY and link.setup_deadline <= due:
            self._lose(link, Closed(f"no connection to {self.host}:{self.port} in time"))
        self._mind_next()

    def _mind_next(self) -> None:
        if self.closed:
            return
        deadlines = [pending.deadline for pending in self._pending.values()]
        if self._link is not None and self._link.machine.state is not State.READY:
            deadlines.append(self._link.setup_deadline)
        if deadlines:
            self._mind(min(deadlines))


@dataclass(slots=True)
class _Pending:
    """Who waits for a request's answer, and until when."""

    done: Done
    deadline: float


@dataclass(slots=True, eq=False)
class _Link:
    """One connection, from the attempt to its end."""

    machine: ClientConnection
    setup_deadline: float
    channel: Channel | None = None
    nonsense: str = ""
    """What the peer sent that made us give up on it."""
