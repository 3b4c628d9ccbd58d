"""Connections: those that others made to us (``Connection``), and those that we open (``Dialer``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from riverlog.base.slices import FileSlice


class Connection(Protocol):
    """The side of a client's connection that the broker sees: replies out, close."""

    def send(self, parts: Sequence[bytes | bytearray | memoryview | FileSlice]) -> None:
        """Queue one whole reply frame. Replies leave in the order of these calls."""
        ...

    def pause_for(self, seconds: float) -> None:
        """Hand over no further request for so long; replies still leave. The later end of two counts."""
        ...

    def close(self, reason: str) -> None:
        """Drop the connection; what was queued may or may not leave."""
        ...


@dataclass(slots=True)
class Closed:
    """Why a connection that we opened is gone, or never came to be."""

    reason: str
    refused: bool = False
    """Nobody listens at that address."""
    reset: bool = False
    """The peer closed or reset it."""


class Channel(Protocol):
    """Our end of a connection that we opened."""

    def send(self, data: bytes) -> None:
        """Queue these bytes; before the connection is up they wait for it. Never calls back."""
        ...

    def close(self) -> None:
        """Drop it. No callback comes after this."""
        ...


class Dialer(Protocol):
    """Opens connections. Rooms that take one call it ``network``."""

    def connect(
        self,
        host: str,
        port: int,
        *,
        on_connected: Callable[[], None],
        on_received: Callable[[memoryview], None],
        on_closed: Callable[[Closed], None],
    ) -> Channel:
        """Begin to connect. No callback runs inside this call.

        ``on_received`` gets bytes cut anywhere, valid during that call only. ``on_closed`` comes
        at most once, also instead of ``on_connected``.
        """
        ...
