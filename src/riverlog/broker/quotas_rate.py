"""How a quota is measured: Kafka's average over samples, and its bucket of tokens.

Times are seconds of a monotonic clock.
"""

from __future__ import annotations

from collections import deque

_ELAPSED_SECONDS_MIN = 0.001
_BUCKET_IDLE_SECONDS = 3600.0


class Rate:
    """Amount per second, averaged over ``count`` samples of ``seconds`` each.

    The window is never taken as shorter than all samples but one, so that a client that has just come
    may burst.
    """

    __slots__ = ("_count", "_samples", "_seconds")

    def __init__(self, count: int, seconds: float) -> None:
        self._count = count
        self._seconds = seconds
        self._samples: deque[list[float]] = deque()
        """Start, last use and sum, oldest first."""

    def record(self, amount: float, now: float) -> None:
        samples = self._samples
        if not samples or now - samples[-1][0] >= self._seconds:
            samples.append([now, now, amount])
            if len(samples) > self._count + 1:
                samples.popleft()
        else:
            sample = samples[-1]
            sample[1] = now
            sample[2] += amount

    def total(self, now: float) -> float:
        """What the window holds."""
        samples = self._samples
        window = self._count * self._seconds
        while samples and now - samples[0][1] >= window:
            samples.popleft()
        return sum(sample[2] for sample in samples)

    def excess_seconds(self, limit: float, now: float) -> float:
        """How long until the average is back at ``limit``; 0 if it is not above it."""
        total = self.total(now)
        elapsed = now - self._samples[0][0] if self._samples else 0.0
        missing = self._count - 1 - int(elapsed / self._seconds)
        if missing > 0:
            elapsed += missing * self._seconds
        elapsed = max(elapsed, _ELAPSED_SECONDS_MIN)
        return max(0.0, total / limit - elapsed)

    def is_idle(self, now: float) -> bool:
        """Whether it says no more than a new one would."""
        return not self._samples or now - self._samples[-1][1] >= self._count * self._seconds


class TokenBucket:
    """Tokens that come back at the limit's rate, up to a whole window of them (KIP-599)."""

    __slots__ = ("_seconds", "_spent", "_updated")

    def __init__(self, count: int, seconds: float) -> None:
        self._seconds = count * seconds
        self._spent = 0.0
        self._updated = 0.0

    def record(self, amount: float, limit: float, now: float) -> None:
        self._refill(limit, now)
        self._spent += amount

    def excess_seconds(self, limit: float, now: float) -> float:
        """How long until there are tokens again; 0 if there are."""
        self._refill(limit, now)
        return max(0.0, self._spent / limit - self._seconds)

    def _refill(self, limit: float, now: float) -> None:
        self._spent = max(0.0, self._spent - limit * (now - self._updated))
        self._updated = now

    def is_idle(self, now: float) -> bool:
        return now - self._updated >= _BUCKET_IDLE_SECONDS
