"""The side of a connection that the broker sees: replies out, close."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from riverlog.base.slices import FileSlice


class Connection(Protocol):
    def send(self, parts: Sequence[bytes | bytearray | memoryview | FileSlice]) -> None:
        """Queue one whole reply frame. Replies leave in the order of these calls."""
        ...

    def pause_for(self, seconds: float) -> None:
        """Hand over no further request for so long; replies still leave. The later end of two counts."""
        ...

    def close(self, reason: str) -> None:
        """Drop the connection; what was queued may or may not leave."""
        ...
