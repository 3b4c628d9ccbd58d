"""A request to another broker, one at a time: given up when whoever it went to cannot be meant any more.

A machine that lost power closes no connection. The metadata tells that its broker was fenced, or has a new
life, long before ``request.timeout.ms`` is over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from riverlog.base import broker_configs
from riverlog.client.peer import Peer
from riverlog.env import Timer
from riverlog.protocol.apis import ApiKey

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker

LOOK_SECONDS = 0.5
"""So often a request without an answer looks whether it still has the right addressee."""


def address_of(broker: Broker, broker_id: int) -> tuple[str, int] | None:
    """Where a broker that lives is reached."""
    found = broker.metadata.image.brokers.get(broker_id)
    if broker.peers is None or found is None or found.fenced:
        return None
    return broker.replicas.fetchers.address_of(broker_id)


class BrokerCall:
    """To one broker, over a connection for one purpose."""

    __slots__ = ("_asked", "_broker", "_broker_id", "_done", "_is_right", "_purpose", "_timer")

    def __init__(self, broker: Broker, broker_id: int, purpose: str) -> None:
        self._broker = broker
        self._broker_id = broker_id
        self._purpose = purpose
        self._asked: tuple[Peer, int] | None = None
        """Whom the request under way went to, and which life of that broker (its epoch)."""
        self._done: Callable[[Any | None], None] | None = None
        self._is_right: Callable[[], bool] | None = None
        self._timer: Timer | None = None

    @property
    def is_under_way(self) -> bool:
        return self._done is not None

    def send(
        self,
        api_key: ApiKey,
        message: Any,
        done: Callable[[Any | None], None],
        *,
        is_right: Callable[[], bool] | None = None,
    ) -> bool:
        """``done`` gets the answer, or None if there is none, later. False if the broker cannot be reached.

        ``is_right``: whether it is still the one to ask; else the request is given up.
        """
        broker = self._broker
        assert self._done is None, "one at a time"
        address = address_of(broker, self._broker_id)
        if address is None or broker.peers is None:
            return False
        peer = broker.peers.to(*address, self._purpose)
        asked = self._asked = (peer, broker.replicas.fetchers.life_of(self._broker_id))
        self._done = done
        self._is_right = is_right
        peer.send(
            api_key,
            message,
            lambda response: self._answered(response) if self._asked is asked else None,
            timeout_seconds=broker.config[broker_configs.REQUEST_TIMEOUT_MS] / 1000,
        )
        self._timer = broker.clock.call_later(LOOK_SECONDS, self._look)
        return True

    def stop(self) -> None:
        self._asked = self._done = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        assert self._asked is not None
        broker = self._broker
        peer, life = self._asked
        found = broker.metadata.image.brokers.get(self._broker_id)
        is_same = found is not None and not found.fenced and found.broker_epoch == life
        if is_same and (self._is_right is None or self._is_right()):
            self._timer = broker.clock.call_later(LOOK_SECONDS, self._look)
        else:
            peer.close()
            self._answered(None)

    def _answered(self, response: Any | None) -> None:
        done = self._done
        assert done is not None
        self.stop()
        done(response)
        self._broker.run_look_again()
