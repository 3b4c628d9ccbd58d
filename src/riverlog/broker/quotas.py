"""Quotas of users and client ids: bytes produced and fetched, time spent on requests, partitions made.

Who exceeds one is told how long to wait (``throttle_time_ms``), and its connection is not read for that
time; the reply leaves at once (KIP-219). The most specific quota counts: user and client id, user, client
id, each before its default. Until there is security everybody is the user ``ANONYMOUS``.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from riverlog.base import broker_configs
from riverlog.base.errors import ErrorCode
from riverlog.broker.quotas_connections import ConnectionRates
from riverlog.broker.quotas_rate import Rate, TokenBucket
from riverlog.broker.registry import Later
from riverlog.metadata.controller import Refused, Spend, free
from riverlog.metadata.quotas import (
    CLIENT_ID,
    CONNECTION_CREATION_RATE,
    CONSUMER_BYTE_RATE,
    CONTROLLER_MUTATION_RATE,
    IP,
    PRODUCER_BYTE_RATE,
    REQUEST_PERCENTAGE,
    USER,
)
from riverlog.protocol.apis import ApiKey

if TYPE_CHECKING:
    from riverlog.base.config import BrokerConfig
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.broker.registry import Handle
    from riverlog.env import Clock
    from riverlog.metadata.image import ClusterState

ANONYMOUS = "ANONYMOUS"

METERS_MAX = 20_000
"""Clients measured at a time, for each kind of quota."""
_THROTTLE_MS_MAX = 2**31 - 1

_DEFAULT: Final = ""
"""In place of a name: the default of its kind. Names are never empty."""

Scope = tuple[str | None, str | None]
"""User and client id that a quota is for, or that share a measured rate; None where it is for any."""


class Meter:
    """The rate of all who share a quota, and its limit."""

    __slots__ = ("limit", "rate")

    def __init__(self, rate: Rate, limit: float) -> None:
        self.rate = rate
        self.limit = limit

    def spend(self, amount: float, now: float) -> float:
        """Count it; answers how long to wait."""
        self.rate.record(amount, now)
        return self.rate.excess_seconds(self.limit, now)

    def try_spend(self, amount: float, now: float) -> float:
        """As ``spend``, but nothing is counted if there is a wait.

        Into an empty window anything goes: what is larger than a whole window could never pass.
        """
        rate = self.rate
        fresh = rate.total(now) <= 0
        rate.record(amount, now)
        wait = rate.excess_seconds(self.limit, now)
        if wait > 0 and not fresh:
            rate.record(-amount, now)
            return wait
        return 0.0


class _Limits:
    """The quotas of one key, by scope."""

    def __init__(self) -> None:
        self.by_scope: dict[Scope, float] = {}

    def find(self, user: str, client_id: str) -> tuple[Scope, float] | None:
        """Who shares the rate of this client, and the limit; None if there is none."""
        for scope in (
            (user, client_id),
            (user, _DEFAULT),
            (user, None),
            (_DEFAULT, client_id),
            (_DEFAULT, _DEFAULT),
            (_DEFAULT, None),
            (None, client_id),
            (None, _DEFAULT),
        ):
            limit = self.by_scope.get(scope)
            if limit is not None:
                return (None if scope[0] is None else user, None if scope[1] is None else client_id), limit
        return None


class Quotas:
    """Limits from the published metadata, and how much of them is used."""

    def __init__(self, clock: Clock, config: BrokerConfig) -> None:
        self.active = False
        """Whether any user or client id has a quota: what a request without one pays for all this."""
        self.connections = ConnectionRates(clock, config)
        self._clock = clock
        self._count = config[broker_configs.QUOTA_WINDOW_NUM]
        self._seconds = config[broker_configs.QUOTA_WINDOW_SIZE_SECONDS]
        self._bucket = (
            config[broker_configs.CONTROLLER_QUOTA_WINDOW_NUM],
            config[broker_configs.CONTROLLER_QUOTA_WINDOW_SIZE_SECONDS],
        )
        self._limits = {
            key: _Limits()
            for key in (
                PRODUCER_BYTE_RATE,
                CONSUMER_BYTE_RATE,
                REQUEST_PERCENTAGE,
                CONTROLLER_MUTATION_RATE,
            )
        }
        self._meters: dict[tuple[str, str, str], Meter | None] = {}
        self._rates: dict[tuple[str, Scope], Rate] = {}
        self._buckets: dict[Scope, TokenBucket] = {}

    # -- limits --------------------------------------------------------------------------

    def apply(self, records: Sequence[Any], image: ClusterState) -> None:
        """Committed metadata records."""
        if any(type(record).__name__ == "ClientQuotaRecord" for record in records):
            self.load(image)

    def load(self, image: ClusterState) -> None:
        """Take the limits of the image; what has been used stays."""
        for limits in self._limits.values():
            limits.by_scope.clear()
        addresses: dict[str | None, float] = {}
        for (entity, key), record in image.quotas.items():
            names = dict(entity)
            if key == CONNECTION_CREATION_RATE and IP in names:
                addresses[names[IP]] = record.value
            elif key in self._limits and IP not in names and record.value > 0:
                self._limits[key].by_scope[_scope_name(names, USER), _scope_name(names, CLIENT_ID)] = (
                    record.value
                )
        self._meters.clear()
        self.active = any(limits.by_scope for limits in self._limits.values())
        self.connections.set_limits(addresses)

    def meter(self, key: str, client_id: str) -> Meter | None:
        """The rate a client counts towards; None if it is unlimited."""
        who = (key, ANONYMOUS, client_id)
        if who in self._meters:
            return self._meters[who]
        found = self._limits[key].find(ANONYMOUS, client_id)
        meter = None
        if found is not None:
            scope, limit = found
            rate = self._rates.get((key, scope))
            if rate is None:
                self._make_room(self._rates)
                rate = self._rates[key, scope] = Rate(self._count, self._seconds)
            meter = Meter(rate, limit)
        if len(self._meters) >= METERS_MAX:
            self._meters.clear()
        self._meters[who] = meter
        return meter

    def _make_room(self, measured: dict[Any, Rate] | dict[Any, TokenBucket]) -> None:
        if len(measured) < METERS_MAX:
            return
        now = self._clock.monotonic()
        for key in [key for key, rate in measured.items() if rate.is_idle(now)]:
            del measured[key]
        if len(measured) >= METERS_MAX:
            del measured[next(iter(measured))]
        self._meters.clear()

    # -- requests ------------------------------------------------------------------------

    def handle(self, handle: Handle, broker: Broker, context: RequestContext, request: Any, size: int) -> Any:
        """Let a handler work while its time is taken. Replicas that follow have no quota of clients."""
        if context.api_key == ApiKey.FETCH and max(request.replica_id, request.replica_state.replica_id) >= 0:
            return handle(broker, context, request)
        charge = context.charge = Charge(self, context, size)
        result = handle(broker, context, request)
        if result is Later.PARKED:
            charge.worked()
        elif result is Later.NO_REPLY:
            charge.settle(None)
        return result

    def request_wait(self, client_id: str, seconds: float, now: float) -> float:
        """Count time spent on a request; never more than one sample of waiting for it, as in Kafka."""
        meter = self.meter(REQUEST_PERCENTAGE, client_id)
        return 0.0 if meter is None else min(meter.spend(seconds * 100, now), self._seconds)

    def fetch_bytes_max(self, client_id: str, wanted: int) -> int:
        """The most that may be fetched at once without being held back for certain."""
        meter = self.meter(CONSUMER_BYTE_RATE, client_id)
        if meter is None:
            return wanted
        return min(wanted, int(meter.limit * max(1, self._count - 1) * self._seconds))

    # -- partitions made and deleted -----------------------------------------------------

    def spend_mutations(self, client_id: str, partitions: int, *, strict: bool) -> tuple[bool, float]:
        """Whether a client may create or delete so many partitions, and how long it is to wait.

        A strict client is refused while its tokens are used up; others only wait (KIP-599).
        """
        found = self._limits[CONTROLLER_MUTATION_RATE].find(ANONYMOUS, client_id)
        if found is None:
            return True, 0.0
        scope, limit = found
        now = self._clock.monotonic()
        bucket = self._bucket_of(scope)
        if strict:
            wait = bucket.excess_seconds(limit, now)
            if wait > 0:
                return False, wait
        bucket.record(partitions, limit, now)
        return True, 0.0 if strict else bucket.excess_seconds(limit, now)

    def _bucket_of(self, scope: Scope) -> TokenBucket:
        bucket = self._buckets.get(scope)
        if bucket is None:
            self._make_room(self._buckets)
            bucket = self._buckets[scope] = TokenBucket(*self._bucket)
        return bucket


def _scope_name(names: dict[str, str | None], kind: str) -> str | None:
    if kind not in names:
        return None
    name = names[kind]
    return _DEFAULT if name is None else name


class Charge:
    """What one request costs its client."""

    __slots__ = ("_context", "_least", "_quotas", "_size", "_wait", "_worked_seconds")

    def __init__(self, quotas: Quotas, context: RequestContext, size: int) -> None:
        self._quotas = quotas
        self._context = context
        self._size = size
        self._worked_seconds: float | None = None
        self._wait: float | None = None
        self._least = 0.0

    @property
    def client_id(self) -> str:
        return self._context.client_id or ""

    def worked(self) -> None:
        """The handler is done for now: what it waits for costs nothing."""
        if self._worked_seconds is None:
            self._worked_seconds = self._quotas._clock.monotonic() - self._context.received

    def fetch_bytes_max(self, wanted: int) -> int:
        """How much a fetch may bring at once."""
        return self._quotas.fetch_bytes_max(self.client_id, wanted)

    def holds_back(self, fetched_bytes: int) -> bool:
        """Whether a fetch of so many bytes is over its quota: it is answered empty and not counted."""
        now = self._quotas._clock.monotonic()
        wait = self._request_wait(now)
        meter = self._quotas.meter(CONSUMER_BYTE_RATE, self.client_id)
        if meter is not None:
            wait = max(wait, meter.try_spend(fetched_bytes, now))
        self._wait = wait
        return wait > 0

    def at_least(self, seconds: float) -> None:
        """Wait so long, whatever else the request costs."""
        self._least = max(self._least, seconds)

    def _request_wait(self, now: float) -> float:
        self.worked()
        assert self._worked_seconds is not None
        return self._quotas.request_wait(self.client_id, self._worked_seconds, now)

    def settle(self, response: Any) -> None:
        """Before the reply (None where none is due) leaves: say how long to wait, and see to it."""
        wait = self._wait
        if wait is None:
            now = self._quotas._clock.monotonic()
            # Without a reply the time is not counted, as in Kafka.
            wait = 0.0 if response is None else self._request_wait(now)
            if self._context.api_key == ApiKey.PRODUCE:
                meter = self._quotas.meter(PRODUCER_BYTE_RATE, self.client_id)
                if meter is not None:
                    wait = max(wait, meter.spend(self._size, now))
        # Rounded up: who comes back after this time must not find that a moment is missing.
        throttle_ms = ceil(min(max(wait, self._least) * 1000, _THROTTLE_MS_MAX))
        if throttle_ms <= 0:
            return
        if hasattr(response, "throttle_time_ms"):
            response.throttle_time_ms = throttle_ms
        self._context.session.connection.pause_for(throttle_ms / 1000)


def mutation_quota(context: RequestContext, *, strict_from: int) -> Spend:
    """Pays for partitions that a request creates or deletes."""
    charge = context.charge
    if charge is None:
        return free
    quotas = context.session.broker.quotas
    strict = context.api_version >= strict_from

    def spend(partitions: int) -> None:
        allowed, wait = quotas.spend_mutations(context.client_id or "", partitions, strict=strict)
        charge.at_least(wait)
        if not allowed:
            message = "The throttling quota has been exceeded."
            raise Refused(ErrorCode.THROTTLING_QUOTA_EXCEEDED, message)

    return spend
