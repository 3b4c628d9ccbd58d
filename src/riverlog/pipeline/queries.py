"""What the exactly-once sink knows of queries: listing it, and forgetting those that are gone."""

from __future__ import annotations

import time
from dataclasses import dataclass

from riverlog.client.producer import ProducerConfig
from riverlog.pipeline.markers import TOPIC, Marker, MarkerLog, marker_batch, query_of
from riverlog.pipeline.sending import Outgoing, Sender
from riverlog.runtime.client_io import BlockingClient

PATIENCE_SECONDS = 60.0
_BUFFER_BYTES_MAX = 1 << 20


@dataclass(frozen=True, slots=True)
class QueryMarkers:
    """What the markers tell of one query."""

    query: str
    tasks: int
    next_batch: int
    """The first batch that no task has committed."""
    last_ms: int
    """When the last batch was committed."""


def list_queries(bootstrap: str, *, seconds: float = PATIENCE_SECONDS) -> list[QueryMarkers]:
    """Every query that has markers; first the one that committed last."""
    with BlockingClient(bootstrap) as client:
        if TOPIC not in client.refresh([TOPIC]).topics:
            return []
        markers = MarkerLog(client, patience_seconds=seconds).all()
    by_query: dict[str, list[Marker]] = {}
    for key, marker in markers.items():
        by_query.setdefault(query_of(key), []).append(marker)
    rows = [
        QueryMarkers(
            query,
            len(found),
            max(marker.next_batch for marker in found),
            max(marker.at_ms for marker in found),
        )
        for query, found in by_query.items()
    ]
    return sorted(rows, key=lambda row: -row.last_ms)


def forget_query(bootstrap: str, query: str, *, seconds: float = PATIENCE_SECONDS) -> int:
    """Forget what a query has committed, when it and its checkpoint are gone. Answers how many tasks it had.

    A query that is started again from its checkpoint after that may write its last batch twice.
    """
    with BlockingClient(bootstrap) as client:
        if TOPIC not in client.refresh([TOPIC]).topics:
            return 0
        return forget(client, MarkerLog(client, patience_seconds=seconds), query, seconds=seconds)


def forget(client: BlockingClient, log: MarkerLog, query: str, *, seconds: float) -> int:
    # What it wrote in foreachBatch stands under names of its own, by topic.
    keys = [key for key in log.all() if query_of(key).partition(".")[0] == query]
    config = ProducerConfig(delivery_timeout_ms=int(seconds * 1000))
    sender = Sender(client, config, buffer_bytes_max=_BUFFER_BYTES_MAX)
    now_ms = int(time.time() * 1000)
    sender.send(
        [
            Outgoing(
                *log.place(query_of(key)), marker_batch(key, None, timestamp=now_ms, transactional=False), 1
            )
            for key in keys
        ]
    )
    sender.flush()
    return len(keys)
