"""How far a streaming query is behind its topics."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from riverlog.client.cluster import TopicPartition
from riverlog.pipeline.errors import PipelineError
from riverlog.pipeline.offsets import each_partition, from_json, is_initial

if TYPE_CHECKING:
    from pyspark.sql.streaming.listener import StreamingQueryListener

Lag = dict[TopicPartition, int]


def lag(progress: Any) -> Lag:
    """Records each partition has beyond what the query has processed.

    ``progress`` is a ``StreamingQueryProgress`` (``query.lastProgress`` or that of a listener), its JSON, or
    the dictionary of that. Sources that are not riverlog's count for nothing.
    """
    found: Lag = {}
    for source in _sources(progress):
        end, latest = _positions(source.get("endOffset")), _positions(source.get("latestOffset"))
        for place, offset in latest.items():
            found[place] = max(0, offset - end.get(place, 0))
    return found


def _sources(progress: Any) -> list[Mapping[str, Any]]:
    if progress is None:
        return []
    if isinstance(progress, str):
        progress = json.loads(progress)
    if not isinstance(progress, Mapping):
        progress = json.loads(progress.json)
    sources: list[Mapping[str, Any]] = progress.get("sources", [])
    return sources


def _positions(offset: Any) -> Lag:
    """What an offset in a progress says; Spark gives it as JSON, or as text with JSON in it."""
    if isinstance(offset, str):
        try:
            offset = json.loads(offset)
        except json.JSONDecodeError:
            return {}
    if not isinstance(offset, Mapping) or is_initial(offset):
        return {}
    try:
        return dict(each_partition(from_json(offset).topics))
    except PipelineError:
        return {}


def lag_listener(tell: Callable[[str, Lag], None]) -> StreamingQueryListener:
    """For ``spark.streams.addListener``: ``tell(name or id of the query, lag)`` after each micro-batch."""
    from pyspark.sql.streaming.listener import StreamingQueryListener

    class LagListener(StreamingQueryListener):
        def onQueryStarted(self, event: Any) -> None:  # noqa: N802
            """Nothing is known yet."""

        def onQueryProgress(self, event: Any) -> None:  # noqa: N802
            progress = event.progress
            tell(progress.name or str(progress.id), lag(progress))

        def onQueryIdle(self, event: Any) -> None:  # noqa: N802
            """Nothing has changed."""

        def onQueryTerminated(self, event: Any) -> None:  # noqa: N802
            """Nothing has changed."""

    return LagListener()
