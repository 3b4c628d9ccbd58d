"""Offsets kept outside the broker, next to the results they belong to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Position:
    """The next offset to read of a partition."""

    topic: str
    partition: int
    offset: int


class OffsetStore(Protocol):
    """Give one to a ``Consumer`` and it neither reads nor writes offsets in the broker."""

    def load(self, partitions: Sequence[tuple[str, int]]) -> Sequence[Position]:
        """What is known of these partitions; the others start at ``auto.offset.reset``."""
        ...

    def save(self, positions: Sequence[Position]) -> None: ...
