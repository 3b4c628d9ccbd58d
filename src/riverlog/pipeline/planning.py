"""Which task reads what, and how much a micro-batch takes. Pure: offsets in, slices or offsets out.

Planning never looks at the cluster. A batch that Spark runs again, after a kill for example, is cut into
the same tasks of the same slices in the same order, on which a sink that writes exactly once relies.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, replace

from riverlog.client.cluster import TopicPartition
from riverlog.pipeline.errors import PipelineError
from riverlog.pipeline.offsets import Plan, StreamOffset

TASKS_UNMERGED = 32
"""Up to this many ranges each have their own task."""
RECORDS_UNMERGED = 10_000
"""Beyond that, small ranges share tasks of about this many records."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Offsets ``start`` to ``end`` (exclusive) of one partition."""

    topic: str
    topic_id: bytes
    partition: int
    start: int
    end: int

    @property
    def size(self) -> int:
        """Offsets, of which some may have no record."""
        return self.end - self.start

    @property
    def name(self) -> str:
        return f"{self.topic}-{self.partition}"


Task = tuple[Slice, ...]


def plan_tasks(slices: list[Slice], plan: Plan) -> list[Task]:
    """Tasks in a fixed order; slices in a task are in order, too."""
    slices = sorted((row for row in slices if row.size > 0), key=_order)
    if plan.records_max is not None:
        slices = [part for row in slices for part in _cut(row, -(-row.size // plan.records_max))]
    if plan.tasks_min is not None:
        slices = _spread(slices, plan.tasks_min)
    count = plan.tasks_max
    if count is None:
        if plan.tasks_min is not None or plan.records_max is not None:
            count = len(slices)
        else:
            count = max(TASKS_UNMERGED, -(-sum(row.size for row in slices) // RECORDS_UNMERGED))
    return _merge(slices, count)


def slices_between(start: StreamOffset | None, end: StreamOffset) -> list[Slice]:
    """What a micro-batch reads. ``None`` is the start of the query."""
    before = start.topics if start is not None else {}
    found: list[Slice] = []
    for topic, row in sorted(end.topics.items()):
        known = before.get(topic)
        if known is not None and not known.is_same_topic(row.topic_id):
            known = None
        new = end.starts.get(topic)
        for partition, stop in sorted(row.offsets.items()):
            if new is not None and partition in new.offsets:
                begin = new.offsets[partition]
            elif known is not None and partition in known.offsets:
                begin = known.offsets[partition]
            else:
                raise PipelineError(
                    f"the checkpoint does not say where partition {topic}-{partition} starts; "
                    "start the query with a new checkpointLocation"
                )
            if begin < stop:
                found.append(Slice(topic, row.topic_id, partition, begin, stop))
    return found


def _order(row: Slice) -> tuple[str, int, int]:
    return row.topic, row.partition, row.start


def _cut(row: Slice, parts: int) -> list[Slice]:
    """Pieces whose sizes differ by one at most."""
    bounds = [row.start + row.size * part // parts for part in range(parts + 1)]
    return [replace(row, start=bounds[part], end=bounds[part + 1]) for part in range(parts)]


def _spread(slices: list[Slice], tasks_min: int) -> list[Slice]:
    """Cut the slices with the largest pieces until there are enough pieces, or none has two records."""
    wanted = min(tasks_min, sum(row.size for row in slices)) - len(slices)
    parts = [1] * len(slices)
    largest: list[tuple[float, int]] = [(-row.size, index) for index, row in enumerate(slices)]
    heapq.heapify(largest)
    for _ in range(wanted):
        _, index = largest[0]
        parts[index] += 1
        heapq.heapreplace(largest, (-slices[index].size / parts[index], index))
    return [part for row, count in zip(slices, parts, strict=True) for part in _cut(row, count)]


def _merge(slices: list[Slice], count: int) -> list[Task]:
    """At most ``count`` tasks of about the same size; without need each slice has its own."""
    if len(slices) <= count:
        return [(row,) for row in slices]
    tasks: list[list[Slice]] = [[] for _ in range(count)]
    loads = [(0, index) for index in range(count)]
    for row in sorted(slices, key=lambda row: (-row.size, _order(row))):
        load, index = loads[0]
        tasks[index].append(row)
        heapq.heapreplace(loads, (load + row.size, index))
    in_order = [tuple(sorted(task, key=_order)) for task in tasks]
    return sorted(in_order, key=lambda task: _order(task[0]))


def share_out(
    backlog: Mapping[TopicPartition, int], limit: int, costs: Mapping[TopicPartition, int] | None = None
) -> dict[TopicPartition, int]:
    """How many offsets of each partition to take, so that they cost about ``limit`` together.

    Each partition gets a part of the limit in proportion to its backlog, rounded down, but one offset at
    least: a small partition is never starved by large ones. So a limit below the number of partitions is
    exceeded. ``costs`` are per offset; without them each costs one.
    """
    total = sum(size * (costs[key] if costs else 1) for key, size in backlog.items() if size > 0)
    if total <= limit:
        return dict(backlog)
    return {
        key: min(size, max(1, limit * size // total)) if size > 0 else size for key, size in backlog.items()
    }
