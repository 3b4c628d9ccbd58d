"""Which offsets may be committed when records of a partition finish out of order."""

from __future__ import annotations

from collections import deque


class InOrder:
    """One partition: ``begin`` in the order of offsets, ``done`` in any."""

    __slots__ = ("_done", "_open", "committable")

    def __init__(self) -> None:
        self._open: deque[int] = deque()
        self._done: set[int] = set()
        self.committable: int | None = None
        """The next offset to read once everything below it is done."""

    def begin(self, offset: int) -> None:
        self._open.append(offset)

    def done(self, offset: int) -> None:
        self._done.add(offset)
        while self._open and self._open[0] in self._done:
            finished = self._open.popleft()
            self._done.discard(finished)
            self.committable = finished + 1

    @property
    def pending(self) -> int:
        return len(self._open)
