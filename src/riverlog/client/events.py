"""What the machines that talk to a whole cluster (producer, fetcher) and their driver exchange."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from riverlog.client.connection import Request

ANY_NODE: None = None


@dataclass(slots=True)
class Tick:
    """Time passes. ``now_ms`` never goes back."""

    now_ms: int


@dataclass(slots=True)
class RequestAnswered:
    request: Request
    message: Any
    now_ms: int


@dataclass(slots=True)
class RequestFailed:
    """No answer will come: not connected, connection lost, or an API the broker does not have."""

    request: Request
    reason: str
    now_ms: int
    unsupported: bool = False


ClusterEvent = Tick | RequestAnswered | RequestFailed


@dataclass(slots=True)
class SendRequest:
    """Send to this broker, or to any one."""

    node_id: int | None
    request: Request
