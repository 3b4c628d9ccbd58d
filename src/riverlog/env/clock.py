"""Time: wall clock for what clients see, monotonic clock and timers for what we wait for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    def cancel(self) -> None:
        """Never fires after this; cancelling twice, or after firing, is fine."""
        ...


class Clock(Protocol):
    def now_ms(self) -> int:
        """Milliseconds since the epoch. May jump either way."""
        ...

    def monotonic(self) -> float:
        """Seconds since some start. Never goes back."""
        ...

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        """Run ``callback`` on the owning loop, once, after ``seconds``."""
        ...
