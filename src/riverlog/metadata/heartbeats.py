"""Which brokers live: soft state of the active controller, by its monotonic clock.

A broker is fenced when nothing was heard of it for ``broker.session.timeout.ms``, and earlier when it
closed its heartbeat connection and did not come back (RULES: early fencing 1-4).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Mapping

from riverlog.env import Clock, Timer
from riverlog.metadata.image import BrokerState

EARLY_SECONDS = 1.0
"""From the close of a heartbeat connection to the fencing of its broker."""
WINDOW_SECONDS = 5.0
SMALL_CLUSTER_MAX = 7
"""Up to so many brokers one at most is fenced early within the window; in larger ones a quarter."""
LATE_SECONDS = 0.1
"""A timer later than this says that we stood still, not that the broker is gone."""
GRACE_SECONDS = 0.3
"""What brokers get after that: they retry every 200 ms."""
GRACES_MAX = 3
"""In a row: a controller that is always slow must fence as well."""
ROUNDING_SECONDS = 0.001
TURNS = 3
"""Loop turns before a broker is judged: pending connections are accepted and read first."""


class _Contact:
    """What is known of one incarnation."""

    __slots__ = ("broker_id", "closed", "due", "epoch", "graces", "heard", "session", "timer", "touched_at")

    def __init__(self, broker_id: int, epoch: int, now: float) -> None:
        self.broker_id = broker_id
        self.epoch = epoch
        self.touched_at = now
        self.heard = False
        """By this controller itself."""
        self.session: Hashable | None = None
        """The connection its heartbeats come by."""
        self.closed = False
        """The broker closed that connection and has not come back."""
        self.due = 0.0
        """When it is to be judged for that."""
        self.graces = 0
        self.timer: Timer | None = None

    def alive(self, now: float) -> None:
        self.touched_at = now
        self.heard = True
        self.closed = False
        self.quiet()

    def quiet(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class BrokerHeartbeats:
    """``begin`` when the node becomes the active controller, ``end`` when it no longer is."""

    def __init__(
        self,
        clock: Clock,
        *,
        session_timeout_seconds: float,
        brokers: Callable[[], Mapping[int, BrokerState]],
        fence: Callable[[int, int, str], None],
    ) -> None:
        """``fence`` gets broker id, broker epoch and a reason; one with many partitions takes some turns."""
        self.session_timeout_seconds = session_timeout_seconds
        self.exempt: int | None = None
        """A broker that lives as long as the controller does: a sole node's own."""
        self._clock = clock
        self._brokers = brokers
        self._fence = fence
        self._active = False
        self._contacts: dict[int, _Contact] = {}
        self._sessions: dict[Hashable, _Contact] = {}
        self._early: deque[float] = deque()
        """When brokers were judged by their closed connections, fenced or not."""
        self._timer: Timer | None = None
        self._timer_due = 0.0
        self._graces = 0

    # -- the controller comes and goes ----------------------------------------------------

    def begin(self) -> None:
        """Everyone registered gets the full session time-out (RULES: early fencing 2)."""
        self.end()
        self._active = True
        now = self._clock.monotonic()
        for broker in self._brokers().values():
            self._contacts[broker.broker_id] = _Contact(broker.broker_id, broker.broker_epoch, now)
        self._arm(now + self.session_timeout_seconds)

    def end(self) -> None:
        self._active = False
        for contact in self._contacts.values():
            contact.quiet()
        self._contacts.clear()
        self._sessions.clear()
        self._early.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def leader_lost(self, broker_id: int, seconds_ago: float) -> None:
        """The previous leader reset its Raft connection and refuses a new one (RULES: early fencing 2)."""
        broker = self._brokers().get(broker_id)
        if self._active and broker is not None:
            contact = self._contact(broker_id, broker.broker_epoch)
            if contact.session is None:
                self._closed(contact, seconds_ago)

    # -- what is heard ---------------------------------------------------------------------

    def touched(self, broker_id: int, epoch: int) -> None:
        """A heartbeat of this incarnation came, by whatever way."""
        if self._active:
            self._contact(broker_id, epoch).alive(self._clock.monotonic())

    def connected(self, broker_id: int, epoch: int, session_token: Hashable) -> None:
        """A heartbeat came by this connection."""
        if not self._active:
            return
        contact = self._contact(broker_id, epoch)
        contact.alive(self._clock.monotonic())
        if contact.session != session_token:
            if contact.session is not None:
                self._sessions.pop(contact.session, None)
            contact.session = session_token
            self._sessions[session_token] = contact

    def disconnected(self, session_token: Hashable, by_peer: bool) -> None:
        """A connection ended; what we closed ourselves says nothing about the broker."""
        contact = self._sessions.pop(session_token, None)
        if contact is None or contact.session != session_token:
            return
        contact.session = None
        if by_peer and self._contacts.get(contact.broker_id) is contact:
            self._closed(contact, 0.0)

    def has_session(self, broker_id: int, epoch: int) -> bool:
        """Whether this incarnation may still be there, so that another one must wait to register.

        Not once it closed its connection (RULES: early fencing 4), nor if it never had one to this
        controller: after a restart of all nodes nobody waits for those that are no more.
        """
        if broker_id == self.exempt:
            return True
        contact = self._contacts.get(broker_id)
        if contact is None or contact.epoch != epoch or contact.closed or not contact.heard:
            return False
        return self._clock.monotonic() - contact.touched_at < self.session_timeout_seconds

    def _contact(self, broker_id: int, epoch: int) -> _Contact:
        contact = self._contacts.get(broker_id)
        if contact is None or contact.epoch < epoch:
            if contact is not None:
                contact.quiet()
                if contact.session is not None:
                    self._sessions.pop(contact.session, None)
            contact = _Contact(broker_id, epoch, self._clock.monotonic())
            self._contacts[broker_id] = contact
        elif contact.epoch > epoch:
            # A heartbeat of an older incarnation: nothing that counts.
            return _Contact(broker_id, epoch, self._clock.monotonic())
        return contact

    # -- early fencing ---------------------------------------------------------------------

    def _closed(self, contact: _Contact, seconds_ago: float) -> None:
        contact.closed = True
        contact.graces = 0
        contact.due = self._clock.monotonic() + max(0.0, EARLY_SECONDS - seconds_ago)
        self._wait(contact)

    def _wait(self, contact: _Contact) -> None:
        contact.quiet()
        seconds = contact.due - self._clock.monotonic()
        contact.timer = self._clock.call_later(max(0.0, seconds), lambda: self._ripe(contact))

    def _ripe(self, contact: _Contact) -> None:
        now = self._clock.monotonic()
        if now - contact.due > LATE_SECONDS and contact.graces < GRACES_MAX:
            contact.graces += 1
            contact.due = now + GRACE_SECONDS
            self._wait(contact)
        else:
            self._turn(contact, TURNS)

    def _turn(self, contact: _Contact, turns: int) -> None:
        if turns:
            contact.timer = self._clock.call_later(0.0, lambda: self._turn(contact, turns - 1))
        else:
            contact.timer = None
            self._judge(contact)

    def _judge(self, contact: _Contact) -> None:
        """RULES: early fencing 3: if more would go than the limit, the session time-out decides."""
        if not contact.closed or not self._is_unfenced(contact):
            return
        now = self._clock.monotonic()
        early = self._early
        while early and early[0] <= now - WINDOW_SECONDS:
            early.popleft()
        waiting = sum(
            1
            for other in self._contacts.values()
            if other is not contact and other.timer is not None and self._is_unfenced(other)
        )
        early.append(now)
        if len(early) + waiting > self._early_max():
            return
        self._fence(contact.broker_id, contact.epoch, "it closed its connection and did not come back")

    def _early_max(self) -> int:
        count = len(self._brokers())
        return 1 if count <= SMALL_CLUSTER_MAX else count // 4

    def _is_unfenced(self, contact: _Contact) -> bool:
        broker = self._brokers().get(contact.broker_id)
        return broker is not None and broker.broker_epoch == contact.epoch and not broker.fenced

    # -- the session time-out --------------------------------------------------------------

    def _arm(self, due: float) -> None:
        self._timer_due = due
        seconds = max(0.0, due - self._clock.monotonic())
        self._timer = self._clock.call_later(seconds, lambda: self._expire(TURNS))

    def _expire(self, turns: int) -> None:
        now = self._clock.monotonic()
        if turns == TURNS and now - self._timer_due > LATE_SECONDS and self._graces < GRACES_MAX:
            self._graces += 1
            self._arm(now + GRACE_SECONDS)
            return
        if turns:
            self._timer = self._clock.call_later(0.0, lambda: self._expire(turns - 1))
            return
        self._graces = 0
        next_due = now + self.session_timeout_seconds
        for broker in list(self._brokers().values()):
            if broker.fenced or broker.broker_id == self.exempt:
                continue
            contact = self._contact(broker.broker_id, broker.broker_epoch)
            due = contact.touched_at + self.session_timeout_seconds
            if due <= now + ROUNDING_SECONDS:
                self._fence(broker.broker_id, broker.broker_epoch, "nothing was heard of it")
            else:
                next_due = min(next_due, due)
        if self._active:
            self._arm(next_due)
