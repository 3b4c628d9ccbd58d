"""``MetadataRefresh``: asks for the metadata of topics that gave trouble, one request at a time."""

from __future__ import annotations

from riverlog.client.cluster import ClusterView
from riverlog.client.connection import Request
from riverlog.client.events import RequestAnswered, RequestFailed, SendRequest
from riverlog.protocol.generated.metadata_response import MetadataResponse


class MetadataRefresh:
    """Part of a machine: it says which topics, hands its events over, and sends what comes out."""

    def __init__(self, view: ClusterView, backoff_ms: int) -> None:
        self._view = view
        self._backoff_ms = backoff_ms
        self._wanted: dict[str, None] = {}
        self._request: Request | None = None
        self._not_before_ms = 0

    @property
    def in_flight(self) -> bool:
        return self._request is not None

    def want(self, topic: str) -> None:
        self._wanted[topic] = None

    def due(self, now_ms: int) -> list[SendRequest]:
        """The next request, if it is time for one."""
        if not self._wanted or self._request is not None or now_ms < self._not_before_ms:
            return []
        self._request = self._view.request(self._wanted)
        self._wanted = {}
        return [SendRequest(None, self._request)]

    def takes(self, event: RequestAnswered | RequestFailed, now_ms: int) -> bool:
        """Whether this was about its request; an answer is in the view then."""
        if event.request is not self._request:
            return False
        self._request = None
        self._not_before_ms = now_ms + self._backoff_ms
        if isinstance(event, RequestAnswered):
            assert isinstance(event.message, MetadataResponse)
            self._view.update(event.message)
        return True
