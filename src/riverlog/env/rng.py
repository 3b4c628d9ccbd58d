"""Randomness, one seeded stream per subsystem under simulation."""

from __future__ import annotations

from typing import Protocol


class Rng(Protocol):
    def random_bytes(self, count: int) -> bytes: ...

    def random_int(self, low: int, high: int) -> int:
        """A number in ``low … high``, both included."""
        ...
