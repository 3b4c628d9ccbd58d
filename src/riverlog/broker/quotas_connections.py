"""How fast connections may be made: by all, and by one address (KIP-612)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base import broker_configs
from riverlog.base.config_types import INT_MAX
from riverlog.broker.quotas_rate import Rate
from riverlog.metadata.quotas import canonical_ip

if TYPE_CHECKING:
    from riverlog.base.config import BrokerConfig
    from riverlog.env import Clock

ADDRESSES_MAX = 20_000
"""Addresses measured at a time."""


class ConnectionRates:
    """Asked by whoever accepts connections."""

    def __init__(self, clock: Clock, config: BrokerConfig) -> None:
        self.active = False
        self._clock = clock
        self._config = config
        self._count = config[broker_configs.QUOTA_WINDOW_NUM]
        self._seconds = config[broker_configs.QUOTA_WINDOW_SIZE_SECONDS]
        self._all = Rate(self._count, self._seconds)
        self._all_max = INT_MAX
        self._limits: dict[str | None, float] = {}
        self._rates: dict[str, Rate] = {}
        self.load_config()

    def load_config(self) -> None:
        """After a change of the broker's settings."""
        self._all_max = self._config[broker_configs.MAX_CONNECTION_CREATION_RATE]
        self._set_active()

    def set_limits(self, limits: dict[str | None, float]) -> None:
        """Connections a second by address; None is the default."""
        self._limits = {
            (canonical_ip(address) or address) if address is not None else None: limit
            for address, limit in limits.items()
        }
        self._set_active()

    def _set_active(self) -> None:
        self.active = self._all_max < INT_MAX or bool(self._limits)

    def refusal_seconds(self, host: str) -> float:
        """How long the address of a new connection has to wait; 0 lets it in, and counts it."""
        address = canonical_ip(host) or host
        limit = self._limits.get(address, self._limits.get(None))
        if limit is None:
            return 0.0
        now = self._clock.monotonic()
        rate = self._rates.get(address)
        if rate is None:
            self._make_room(now)
            rate = self._rates[address] = Rate(self._count, self._seconds)
        wait = self._spend(rate, limit, now)
        if wait > 0:
            rate.record(-1, now)
        return wait

    def pause_seconds(self) -> float:
        """After a connection was let in: how long to accept no other."""
        if self._all_max >= INT_MAX:
            return 0.0
        return self._spend(self._all, self._all_max, self._clock.monotonic())

    def _spend(self, rate: Rate, limit: float, now: float) -> float:
        rate.record(1, now)
        # At most one sample of waiting, as in Kafka; with a limit of nothing always that much.
        return self._seconds if limit <= 0 else min(rate.excess_seconds(limit, now), self._seconds)

    def _make_room(self, now: float) -> None:
        if len(self._rates) >= ADDRESSES_MAX:
            for address in [one for one, rate in self._rates.items() if rate.is_idle(now)]:
                del self._rates[address]
        if len(self._rates) >= ADDRESSES_MAX:
            del self._rates[next(iter(self._rates))]
