"""Requests of this node to the active controller, wherever it is.

When it is this node, the handler is called without a socket. An answer ``NOT_CONTROLLER``, a lost
connection or an unknown controller mean: try the next one, until the time is over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from riverlog.base.errors import ErrorCode
from riverlog.broker.context import LocalContext
from riverlog.broker.registry import Later
from riverlog.client.peer import Peer
from riverlog.env import Closed, Timer
from riverlog.protocol.apis import ApiKey

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker

TIMEOUT_SECONDS = 30.0
ATTEMPT_SECONDS_MAX = 5.0
"""A controller that does not answer for so long is asked again, or another one is."""
RETRY_SECONDS_MIN = 0.02
RETRY_SECONDS_MAX = 0.2
LOOK_SECONDS = 0.1
"""So often a request that waits looks whether there is another controller by now."""

Done = Callable[[Any | None], None]


class ControllerChannel:
    """One connection to the controller, for one purpose."""

    def __init__(
        self, broker: Broker, purpose: str = "controller", *, on_lost: Callable[[], None] | None = None
    ) -> None:
        """``on_lost``: told when the connection broke or was refused."""
        self._broker = broker
        self._purpose = purpose
        self._on_lost = on_lost
        self._closed = False

    def _peer(self, address: tuple[str, int]) -> Peer:
        assert self._broker.peers is not None
        peer = self._broker.peers.to(*address, self._purpose)
        if self._on_lost is not None:
            peer.on_lost = self._lost
        return peer

    def _lost(self, _closed: Closed) -> None:
        if self._on_lost is not None and not self._closed:
            self._on_lost()

    def send(
        self, api_key: ApiKey, message: Any, done: Done, timeout_seconds: float = TIMEOUT_SECONDS
    ) -> None:
        """``done`` gets the controller's response, or None when none came in time; never inside this call."""
        deadline = self._broker.clock.monotonic() + timeout_seconds
        _Sending(self, api_key, message, done, deadline).attempt()

    def close(self) -> None:
        """Nothing is answered any more."""
        self._closed = True


class _Sending:
    """One request on its way."""

    __slots__ = (
        "_api_key",
        "_attempts",
        "_broker",
        "_channel",
        "_deadline",
        "_done",
        "_message",
        "_pause",
        "_timer",
    )

    def __init__(
        self, channel: ControllerChannel, api_key: ApiKey, message: Any, done: Done, deadline: float
    ) -> None:
        self._channel = channel
        self._broker = channel._broker
        self._api_key = api_key
        self._message = message
        self._done = done
        self._deadline = deadline
        self._pause = RETRY_SECONDS_MIN
        self._timer: Timer | None = None
        self._attempts = 0

    def attempt(self) -> None:
        if self._channel._closed:
            return
        self._attempts += 1
        broker = self._broker
        remaining = self._deadline - broker.clock.monotonic()
        if remaining <= 0:
            broker.clock.call_later(0.0, lambda: self._done(None))
            return
        if broker.metadata.is_active:
            call_locally(broker, self._api_key, self._message, self._answered_here)
            return
        address = broker.metadata.controller_address()
        if address is None or broker.peers is None:
            self._again()
            return
        number = self._attempts
        self._channel._peer(address).send(
            self._api_key,
            self._message,
            lambda response: self._answered(response) if number == self._attempts else None,
            timeout_seconds=min(remaining, ATTEMPT_SECONDS_MAX),
        )
        self._watch(number, address)

    def _watch(self, number: int, address: tuple[str, int]) -> None:
        """A controller that is cut off does not answer, nor say that it is none: its successor is asked."""

        def look() -> None:
            if number != self._attempts or self._channel._closed:
                return
            metadata = self._broker.metadata
            if metadata.is_active or metadata.controller_address() not in (None, address):
                self.attempt()
            else:
                self._watch(number, address)

        self._timer = self._broker.clock.call_later(LOOK_SECONDS, look)

    def _answered_here(self, response: Any) -> None:
        self._broker.clock.call_later(0.0, lambda: self._answered(response))

    def _answered(self, response: Any | None) -> None:
        if self._channel._closed:
            return
        self._attempts += 1
        if self._timer is not None:
            self._timer.cancel()
        if response is None or _not_controller(response):
            self._again()
        else:
            self._done(response)

    def _again(self) -> None:
        clock = self._broker.clock
        pause = min(self._pause, max(0.0, self._deadline - clock.monotonic()))
        self._pause = min(2 * self._pause, RETRY_SECONDS_MAX)
        self._timer = clock.call_later(pause, self.attempt)


def _not_controller(response: Any) -> bool:
    """As the whole answer, or as that to each of its items."""
    error = getattr(response, "error_code", None)
    if error is not None:
        return bool(error == ErrorCode.NOT_CONTROLLER)
    for name in ("topics", "responses", "results", "entries"):
        items = getattr(response, name, None)
        if items:
            return any(item.error_code == ErrorCode.NOT_CONTROLLER for item in items)
    return False


def call_locally(broker: Broker, api_key: ApiKey, message: Any, done: Callable[[Any], None]) -> None:
    """Let a handler of the controller listeners answer ``message``, as if it had come over one."""
    versions, _, handle, _ = broker.controller_entries[api_key]
    result = handle(broker, LocalContext(broker, api_key, versions[1], done), message)
    if not isinstance(result, Later):
        done(result)
