"""Partitioners: plain functions ``(topic, key, partitions) -> partition``, usable with any client.

``murmur2`` is Java's default for keys, so records of one key meet wherever they were produced.
The others answer hot keys and missing keys.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

from riverlog.client.partitioner import partition_for_key

Partitioner = Callable[[str, bytes | None, int], int]


def murmur2(topic: str, key: bytes | None, partitions: int) -> int:  # noqa: ARG001
    """Java's default partitioner for a key; without one, partition 0 (combine with ``sticky``)."""
    return partition_for_key(key, partitions) if key is not None else 0


def round_robin() -> Partitioner:
    """Partitions in turn, whatever the key."""
    turns: dict[str, itertools.count[int]] = {}

    def choose(topic: str, _key: bytes | None, partitions: int) -> int:
        return next(turns.setdefault(topic, itertools.count())) % partitions

    return choose


def sticky(records: int = 1000) -> Partitioner:
    """Keys by ``murmur2``; without a key one partition for ``records`` in a row, so that batches fill."""
    counts: dict[str, int] = {}

    def choose(topic: str, key: bytes | None, partitions: int) -> int:
        if key is not None:
            return partition_for_key(key, partitions)
        count = counts.get(topic, 0)
        counts[topic] = count + 1
        return count // records % partitions

    return choose


def salted(salts: int) -> Partitioner:
    """Every key over ``salts`` partitions in turn: order per key is given up for an even load."""
    turns: dict[bytes, int] = {}

    def choose(_topic: str, key: bytes | None, partitions: int) -> int:
        if key is None:
            key = b""
        if len(turns) > _KEYS_MAX:
            turns.clear()
        turn = turns.get(key, 0)
        turns[key] = (turn + 1) % min(salts, partitions)
        return (partition_for_key(key, partitions) + turn) % partitions

    return choose


def fall_through(
    per_second: float, *, window_seconds: float = 1.0, clock: Callable[[], float] = time.monotonic
) -> Partitioner:
    """Keys by ``murmur2`` until one passes ``per_second``; the surplus spills over to the other partitions.

    Order within a key holds only while it is below the threshold.
    """
    limit = max(1, int(per_second * window_seconds))
    counts: dict[bytes, int] = {}
    window_end = clock() + window_seconds

    def choose(_topic: str, key: bytes | None, partitions: int) -> int:
        nonlocal window_end
        if key is None:
            key = b""
        now = clock()
        if now >= window_end or len(counts) > _KEYS_MAX:
            counts.clear()
            window_end = now + window_seconds
        count = counts.get(key, 0)
        counts[key] = count + 1
        home = partition_for_key(key, partitions)
        surplus = count - limit + 1
        return home if surplus <= 0 else (home + surplus) % partitions

    return choose


_KEYS_MAX = 100_000
"""Keys remembered at a time; past it the counting starts anew."""
