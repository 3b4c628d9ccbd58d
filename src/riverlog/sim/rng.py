"""Seeded randomness: one stream per subsystem, so that a draw here never shifts a draw there."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class SimRng:
    """``env.Rng`` from a seed, with the draws a simulator needs besides."""

    __slots__ = ("_random", "seed")

    def __init__(self, seed: int | str) -> None:
        self.seed = seed
        digest = hashlib.sha256(str(seed).encode()).digest()
        self._random = random.Random(int.from_bytes(digest, "big"))

    def stream(self, name: str) -> SimRng:
        """An independent stream; depends on the seed and the name only."""
        return SimRng(f"{self.seed}/{name}")

    def random_bytes(self, count: int) -> bytes:
        return self._random.randbytes(count)

    def random_int(self, low: int, high: int) -> int:
        return self._random.randint(low, high)

    def uniform(self, low: float, high: float) -> float:
        return self._random.uniform(low, high)

    def chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def choice(self, options: Sequence[T]) -> T:
        return options[self._random.randrange(len(options))]

    def weighted(self, options: Sequence[tuple[T, float]]) -> T:
        """One of the options, each with its weight."""
        point = self._random.random() * sum(weight for _, weight in options)
        for option, weight in options:
            point -= weight
            if point < 0:
                return option
        return options[-1][0]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        result = list(items)
        self._random.shuffle(result)
        return result
