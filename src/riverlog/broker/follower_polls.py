"""Fetches of followers that wait at this leader, and when they must not wait for long.

A follower has one request out, so a partition that we begin to lead is asked for only when the present one
has come back. Right after an election polls are therefore answered at once, and the next ones soon: else
every new leader would stand still for as long as a poll may wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

HURRY_SECONDS = 1.0
"""How long after an election."""
HURRY_WAIT_MS = 20


class FollowerPolls:
    """Parked polls by follower."""

    def __init__(self) -> None:
        self._parked: dict[int, dict[int, Callable[[], None]]] = {}
        self._hurry_until: dict[int, float] = {}

    def park(self, broker_id: int, number: int, answer_now: Callable[[], None]) -> None:
        self._parked.setdefault(broker_id, {})[number] = answer_now

    def finished(self, broker_id: int, number: int) -> None:
        self._parked.get(broker_id, {}).pop(number, None)

    def wait_ms(self, broker_id: int, wanted_ms: int, now: float) -> int:
        """How long this follower's poll may wait."""
        return min(wanted_ms, HURRY_WAIT_MS) if now < self._hurry_until.get(broker_id, now) else wanted_ms

    def elected(self, followers: Iterable[int], now: float) -> None:
        """We lead a partition that these follow, in a new epoch."""
        for broker_id in followers:
            self._hurry_until[broker_id] = now + HURRY_SECONDS
            for answer_now in list(self._parked.get(broker_id, {}).values()):
                answer_now()
