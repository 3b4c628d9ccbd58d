"""What happened, in order, and one hash over all of it.

Two runs of one seed must give the same hash. The last lines are kept for the failure report.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable

LINES_KEPT = 400


class Trace:
    """``now`` gives the virtual time that each line carries."""

    def __init__(self, now: Callable[[], float], *, lines_kept: int = LINES_KEPT) -> None:
        self._now = now
        self._hash = hashlib.blake2b(digest_size=16)
        self.count = 0
        self.lines: deque[str] = deque(maxlen=lines_kept)

    def add(self, kind: str, *details: object) -> None:
        """Details must print the same in every run: numbers, strings, bytes, tuples of those."""
        line = f"{self._now():.6f} {kind} {' '.join(map(_text, details))}"
        self._hash.update(line.encode())
        self._hash.update(b"\n")
        self.count += 1
        self.lines.append(line)

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()

    def tail(self, count: int = 40) -> str:
        return "\n".join(list(self.lines)[-count:])


def _text(value: object) -> str:
    if isinstance(value, bytes | bytearray | memoryview):
        return f"<{len(value)}:{hashlib.blake2b(value, digest_size=6).hexdigest()}>"
    if isinstance(value, set | frozenset | dict):
        raise TypeError("sets have no stable order; trace a sorted list")
    return str(value)
