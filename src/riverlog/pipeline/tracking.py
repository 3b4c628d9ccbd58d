"""The driver's half of a streaming read: from the offset Spark has to the next one.

Once per trigger: which topics and partitions are there now (one request), how far they go (one per leader),
and how much of that the next micro-batch takes. What planning needs later is in the offset that comes out
(``offsets.py``); nothing is kept here that a restart would miss.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from riverlog.client.cluster import TopicPartition
from riverlog.client.errors import ClientError
from riverlog.pipeline import options as o
from riverlog.pipeline.cluster import (
    SETTLE_PAUSE_SECONDS,
    SETTLE_SECONDS,
    Cluster,
    Found,
    partitions_of,
    selection,
)
from riverlog.pipeline.errors import DataLossError
from riverlog.pipeline.groups import GroupOffsets
from riverlog.pipeline.offsets import (
    Plan,
    Positions,
    StreamOffset,
    each_partition,
    from_json,
    is_initial,
    positions,
)
from riverlog.pipeline.option_table import Options
from riverlog.pipeline.planning import Task, plan_tasks, share_out, slices_between
from riverlog.pipeline.reading import LOSS_HINT
from riverlog.pipeline.resolving import Resolver
from riverlog.runtime.client_io import BlockingClient

log = logging.getLogger("riverlog.pipeline")

RECOMMIT_SECONDS = 3600.0
"""A group that stands still commits its offsets again so that they do not expire."""
COMMIT_PAUSE_SECONDS = 10.0
"""After a commit that failed."""
COMMIT_TIMEOUT_SECONDS = 5.0

Offsets = dict[TopicPartition, int]


def plan_of(options: Options) -> Plan:
    return Plan(options[o.MIN_PARTITIONS], options[o.MAX_TASKS], options[o.MAX_RECORDS_PER_PARTITION])


def tasks_between(start: Mapping[str, Any], end: Mapping[str, Any]) -> list[Task]:
    """The tasks of a micro-batch: a function of its two offsets and of nothing else."""
    if is_initial(end):
        return []
    stop = from_json(end)
    return plan_tasks(slices_between(None if is_initial(start) else from_json(start), stop), stop.plan)


@dataclass(frozen=True, slots=True)
class _Now:
    """The selected partitions at one moment, and where each ends."""

    found: Found
    ends: Offsets


@dataclass(slots=True)
class _Begin:
    """Where the next micro-batch starts in each partition; ``new`` are those the last offset did not have."""

    offsets: Offsets
    new: Offsets


class Tracker:
    """One streaming query's view of its topics."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._cluster = Cluster(options)
        self._selection = selection(options)
        self._plan = plan_of(options)
        self._fixed: _Now | None = None
        """What there was when a query of ``availableNow`` started."""
        self._latest: dict[str, Any] | None = None
        self._last_batch: float | None = None
        group = options[o.COMMIT_GROUP]
        self._group = None if group is None else _Group(options, group)

    def close(self) -> None:
        self._cluster.close()
        if self._group is not None:
            self._group.close()

    # ---------------------------------------------------------------- what Spark asks

    def fix_ends(self) -> None:
        """From now on the query ends where its partitions end at this moment."""
        found = self._cluster.topics(self._selection)
        self._fixed = _Now(found, self._cluster.latest(partitions_of(found)))

    def advance(self, start: Mapping[str, Any], *, limited: bool) -> Mapping[str, Any]:
        """The end of the next micro-batch; ``start`` itself if there is nothing for it."""
        before = None if is_initial(start) else from_json(start)
        now = self._fixed or self._look(before)
        begin = self._first(now) if before is None else self._begin(before, now)
        ends = self._settled_ends(begin.offsets, now)
        self._latest = self._offset(now.found, ends, {}).to_json()
        if limited:
            if self._waits(begin.offsets, ends) and before is not None:
                return start
            ends = self._limit(begin.offsets, ends)
        offset = self._offset(now.found, ends, begin.new)
        # Offsets are compared as texts: what does not move must come back as it was.
        if before is not None and offset.topics == before.topics:
            return start
        self._last_batch = time.monotonic()
        return offset.to_json()

    def latest(self) -> dict[str, Any] | None:
        """How far the partitions went when they were looked at last."""
        return self._latest

    def commit(self, processed: Mapping[str, Any]) -> None:
        """Tell the group of ``commitGroup``, if there is one."""
        if self._group is not None and not is_initial(processed):
            self._group.tell(processed)

    # ---------------------------------------------------------------- where the batch starts

    def _look(self, before: StreamOffset | None) -> _Now:
        found = self._cluster.named_topics(self._selection) if before is None else self._found(before)
        return _Now(found, self._cluster.latest(partitions_of(found)))

    def _found(self, before: StreamOffset) -> Found:
        """The topics there are, when they have had the time to be what was there before."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while True:
            found = self._cluster.topics(self._selection)
            if _has_all(before, found) or time.monotonic() > deadline:
                return found
            time.sleep(SETTLE_PAUSE_SECONDS)

    def _first(self, now: _Now) -> _Begin:
        """The start of the query."""
        if self._fixed is not None:
            self._cluster.named_topics(self._selection)
        resolver = Resolver(self._cluster, self._options, partitions_of(now.found), self._lost)
        offsets = resolver.start(now.ends)
        return _Begin(offsets, dict(offsets))

    def _begin(self, before: StreamOffset, now: _Now) -> _Begin:
        kept: Offsets = {}
        grown: set[str] = set()
        """Topics that are the same as before, but may have more partitions."""
        for topic, row in before.topics.items():
            known = now.found.get(topic)
            if known is None:
                self._on_missing(topic)
                continue
            if not row.is_same_topic(known.topic_id):
                self._lost(f"topic {topic!r} was deleted and created again: what was not read of it is gone")
                continue
            grown.add(topic)
            gone = [partition for partition in row.offsets if partition not in known.partitions]
            if gone:
                self._on_fewer(topic, gone)
            kept |= {
                (topic, partition): offset
                for partition, offset in row.offsets.items()
                if partition in known.partitions
            }
        new = self._cluster.earliest([key for key in partitions_of(now.found) if key not in kept])
        for (topic, partition), offset in new.items():
            if offset > 0 and topic in grown:
                self._lost(f"the new partition {topic}-{partition} starts at offset {offset} instead of 0")
        return _Begin(kept | new, new)

    def _on_missing(self, topic: str) -> None:
        if self._selection.wants(topic):
            self._lost(f"topic {topic!r} is gone")
        else:
            log.warning("topic %s is no longer among those to read; its offset is dropped", topic)

    def _on_fewer(self, topic: str, gone: list[int]) -> None:
        assigned = self._selection.assigned
        if assigned is None or any((topic, partition) in assigned for partition in gone):
            self._lost(f"partitions {sorted(gone)} of topic {topic!r} are gone")
        else:
            log.warning("partitions %s of topic %s are no longer among those to read", sorted(gone), topic)

    # ---------------------------------------------------------------- where it ends

    def _settled_ends(self, begin: Offsets, now: _Now) -> Offsets:
        """Ends that are not before the beginning, unless records are lost."""
        ends = {key: now.ends[key] for key in begin}
        if self._fixed is not None:
            # Started behind the fixed end: this query has nothing more to read there.
            return {key: max(end, begin[key]) for key, end in ends.items()}
        deadline = time.monotonic() + SETTLE_SECONDS
        while True:
            short = [key for key in begin if ends[key] < begin[key]]
            if not short:
                return ends
            if time.monotonic() > deadline:
                break
            time.sleep(SETTLE_PAUSE_SECONDS)
            ends |= self._cluster.latest(short)
        for topic, partition in short:
            key = (topic, partition)
            self._lost(
                f"partition {topic}-{partition} ends at offset {ends[key]}, but was read up to {begin[key]}"
            )
        return ends

    def _waits(self, begin: Offsets, ends: Offsets) -> bool:
        """Whether there is too little for a batch, and time to wait for more."""
        wanted = self._options[o.MIN_OFFSETS_PER_TRIGGER]
        # A query of availableNow would end instead of waiting; the first batch of a run never waits.
        if wanted is None or self._fixed is not None or self._last_batch is None:
            return False
        if time.monotonic() >= self._last_batch + self._options[o.MAX_TRIGGER_DELAY_MS] / 1000:
            return False
        return sum(max(0, ends[key] - begin[key]) for key in begin) < wanted

    def _limit(self, begin: Offsets, ends: Offsets) -> Offsets:
        backlog = {key: ends[key] - begin[key] for key in begin}
        rows, size = self._options[o.MAX_OFFSETS_PER_TRIGGER], self._options[o.MAX_BYTES_PER_TRIGGER]
        if rows is not None:
            backlog = share_out(backlog, rows)
        if size is not None:
            busy = {key: begin[key] for key, count in backlog.items() if count > 0}
            costs = self._cluster.bytes_per_offset(busy)
            backlog |= share_out({key: backlog[key] for key in busy}, size, costs)
        return {key: begin[key] + count for key, count in backlog.items()}

    def _offset(self, found: Found, ends: Offsets, new: Offsets) -> StreamOffset:
        ids = {topic: row.topic_id for topic, row in found.items()}
        return StreamOffset(_positions(ids, ends), _positions(ids, new), self._plan)

    def _lost(self, what: str) -> None:
        if self._options[o.FAIL_ON_DATA_LOSS]:
            raise DataLossError(f"{what}; {LOSS_HINT}")
        log.warning("%s; going on with what is there (failOnDataLoss=false)", what)


def _has_all(before: StreamOffset, found: Found) -> bool:
    for topic, row in before.topics.items():
        known = found.get(topic)
        if known is None or not row.is_same_topic(known.topic_id):
            return False
        if not known.partitions.issuperset(row.offsets):
            return False
    return True


class _Group:
    """The group of ``commitGroup``. It is for onlookers: where that fails, the query goes on."""

    def __init__(self, options: Options, name: str) -> None:
        self._name = name
        # Connections of its own: a slow coordinator delays a trigger by seconds, not by a request's time.
        self._client = BlockingClient(
            options[o.BOOTSTRAP], client_id=options[o.CLIENT_ID], timeout=COMMIT_TIMEOUT_SECONDS
        )
        self._offsets = GroupOffsets(self._client, name)
        self._told: Mapping[str, Any] | None = None
        self._not_before = 0.0

    def close(self) -> None:
        self._client.close()

    def tell(self, processed: Mapping[str, Any]) -> None:
        now = time.monotonic()
        if now < self._not_before and (self._told is None or self._told == processed):
            return
        try:
            self._offsets.commit(dict(each_partition(from_json(processed).topics)))
        except ClientError as problem:
            log.warning("group %s: offsets are not committed: %s", self._name, problem)
            self._told, self._not_before = None, now + COMMIT_PAUSE_SECONDS
        else:
            self._told, self._not_before = processed, now + RECOMMIT_SECONDS


def _positions(ids: Mapping[str, bytes], offsets: Offsets) -> Positions:
    return positions(ids, sorted(offsets.items()))
