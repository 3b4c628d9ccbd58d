"""What a worker process keeps from task to task of the sink: connections, and what it learnt of a cluster."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from riverlog.pipeline import options as shared
from riverlog.pipeline import sink_options as sink
from riverlog.pipeline.markers import MarkerLog
from riverlog.pipeline.option_table import Options
from riverlog.pipeline.outbox import Target
from riverlog.pipeline.patience import nothing, persist
from riverlog.pipeline.topics import topic_setting, written_topic
from riverlog.pipeline.transactions import Coordinators
from riverlog.runtime.client_io import BlockingClient

_LINK_SECONDS_MAX = 300.0
"""After this a process connects anew, and learns of new partitions, settings and levels of the cluster."""


@dataclass(frozen=True, slots=True)
class LinkSettings:
    """Queries for which these are equal share a link."""

    bootstrap: str
    client_id: str
    request_seconds: float
    connect_seconds: float
    patience_seconds: float
    topic_seconds: float
    record_bytes_max: int

    @classmethod
    def of(cls, options: Options) -> LinkSettings:
        return cls(
            bootstrap=options[shared.BOOTSTRAP],
            client_id=options[shared.CLIENT_ID],
            request_seconds=options[shared.REQUEST_TIMEOUT_MS] / 1000,
            connect_seconds=options[shared.CONNECT_TIMEOUT_MS] / 1000,
            patience_seconds=options[sink.DELIVERY_TIMEOUT_MS] / 1000,
            topic_seconds=options[sink.MAX_BLOCK_MS] / 1000,
            record_bytes_max=options[sink.MAX_REQUEST_BYTES],
        )


class Link:
    """One cluster, as a process has come to know it."""

    def __init__(self, settings: LinkSettings) -> None:
        self.settings = settings
        self.client = BlockingClient(
            settings.bootstrap,
            client_id=settings.client_id,
            timeout=settings.request_seconds,
            connect_timeout=settings.connect_seconds,
        )
        self.coordinators = Coordinators(self.client)
        self.markers = MarkerLog(self.client, patience_seconds=settings.patience_seconds)
        self._made_at = time.monotonic()
        self._targets: dict[str, Target] = {}

    def connect(self) -> None:
        """``ClusterError`` if no broker is there: most likely the address is wrong."""
        persist(
            f"no cluster answers at {self.settings.bootstrap}",
            lambda: self.client.refresh([]),
            seconds=self.settings.topic_seconds,
            between=nothing,
        )

    @property
    def old(self) -> bool:
        return time.monotonic() - self._made_at > _LINK_SECONDS_MAX

    def target(self, topic: str) -> Target:
        """What must be known of a topic to write to it."""
        found = self._targets.get(topic)
        if found is None:
            seconds = self.settings.topic_seconds
            partitions = len(written_topic(self.client, topic, seconds=seconds).partitions)
            bound = topic_setting(self.client, topic, "max.message.bytes", seconds=seconds)
            largest = self.settings.record_bytes_max
            found = Target(partitions, largest if bound is None else min(largest, int(bound)))
            self._targets[topic] = found
        return found


_links: dict[LinkSettings, Link] = {}


@contextmanager
def linked(options: Options) -> Iterator[Link]:
    """This process's link for such options. One that saw trouble is not used again."""
    settings = LinkSettings.of(options)
    link = _links.pop(settings, None)
    if link is not None and link.old:
        link.client.close()
        link = None
    known = link is not None
    if link is None:
        link = Link(settings)
    unharmed = False
    try:
        if not known:
            link.connect()
        yield link
        unharmed = True
    finally:
        if unharmed:
            _links[settings] = link
        else:
            link.client.close()
