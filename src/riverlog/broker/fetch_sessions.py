"""Fetch sessions (KIP-227): what a client fetches, remembered between its requests.

A session keeps the client's partitions in order, so that an incremental request names only
what changed and an incremental response only what has news. Partitions that gave data move
to the end: that is the fair rotation under ``max_bytes``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.env import Rng
from riverlog.protocol.generated.fetch_request import FetchRequest
from riverlog.protocol.generated.fetch_response import PartitionData

if TYPE_CHECKING:
    from riverlog.replication import Partition

FINAL_EPOCH = -1
INITIAL_EPOCH = 0
NO_SESSION = 0
_EPOCH_MAX = 2**31 - 1
_EVICTION_SECONDS = 120.0

PartitionKey = tuple[bytes, str, int]
"""Topic id, topic name (one of them empty, as the client's version has it), partition."""


class FetchedPartition:
    """What a client wants from one partition, and what it was last told about it."""

    __slots__ = (
        "current_leader_epoch",
        "fetch_offset",
        "high_watermark",
        "key",
        "last_fetched_epoch",
        "last_stable_offset",
        "log_start_offset",
        "max_bytes",
        "replica_log_start",
        "settled_epoch",
        "told",
    )

    def __init__(self, key: PartitionKey) -> None:
        self.key = key
        self.told = False
        self.settled_epoch = -1
        """Of a follower: the leader epoch in which it was told all there is for what it asks; -1 if not."""
        self.high_watermark = -1
        self.last_stable_offset = -1
        self.log_start_offset = -1

    def want(
        self,
        *,
        fetch_offset: int,
        max_bytes: int,
        leader_epoch: int,
        last_fetched_epoch: int,
        replica_log_start: int = -1,
    ) -> None:
        self.settled_epoch = -1
        self.fetch_offset = fetch_offset
        self.replica_log_start = replica_log_start
        self.max_bytes = max_bytes
        self.current_leader_epoch = leader_epoch
        self.last_fetched_epoch = last_fetched_epoch

    def is_news(self, data: PartitionData) -> bool:
        """Whether an incremental response must mention it. Remembers what it says."""
        news = (
            not self.told
            or data.error_code != 0
            or bool(data.records)
            or self.high_watermark != data.high_watermark
            or self.last_stable_offset != data.last_stable_offset
            or self.log_start_offset != data.log_start_offset
            or data.diverging_epoch.epoch >= 0
            or data.preferred_read_replica >= 0
        )
        self.high_watermark = data.high_watermark
        self.last_stable_offset = data.last_stable_offset
        self.log_start_offset = data.log_start_offset
        # An error is told again until it is gone.
        self.told = data.error_code == 0
        return news

    def has_nothing_new(self, partition: Partition, replica_id: int) -> bool:
        """Whether a follower that was told all there is would be told the same again.

        Within a leader epoch the log only grows, so that what did not diverge does not.
        """
        log = partition.log
        return (
            self.settled_epoch == partition.leader_epoch
            and self.fetch_offset == log.log_end_offset
            and self.high_watermark == partition.high_watermark
            and self.log_start_offset == log.log_start_offset
            and partition.is_leader
            and replica_id in partition.in_sync.followers
        )


class FetchSession:
    __slots__ = ("epoch", "id", "is_replica", "last_used", "partitions", "uses_topic_ids")

    def __init__(
        self, session_id: int, now: float, *, uses_topic_ids: bool, is_replica: bool = False
    ) -> None:
        self.id = session_id
        self.epoch = INITIAL_EPOCH + 1
        self.last_used = now
        self.uses_topic_ids = uses_topic_ids
        self.is_replica = is_replica
        """Of a follower: it always gets a slot, and keeps it against clients."""
        self.partitions: dict[PartitionKey, FetchedPartition] = {}

    def update(self, request: FetchRequest) -> None:
        """Take in what the request adds, changes and forgets."""
        for topic in request.topics:
            for wanted in topic.partitions:
                key = (topic.topic_id, topic.topic, wanted.partition)
                partition = self.partitions.get(key)
                if partition is None:
                    partition = self.partitions[key] = FetchedPartition(key)
                partition.want(
                    fetch_offset=wanted.fetch_offset,
                    max_bytes=wanted.partition_max_bytes,
                    leader_epoch=wanted.current_leader_epoch,
                    last_fetched_epoch=wanted.last_fetched_epoch,
                    replica_log_start=wanted.log_start_offset,
                )
        for forgotten in request.forgotten_topics_data:
            for index in forgotten.partitions:
                self.partitions.pop((forgotten.topic_id, forgotten.topic, index), None)

    def rotate(self, given: Iterable[FetchedPartition]) -> None:
        """Those that gave data go to the end."""
        for partition in given:
            if self.partitions.pop(partition.key, None) is not None:
                self.partitions[partition.key] = partition


class FetchSessions:
    """All sessions of a broker, at most ``max.incremental.fetch.session.cache.slots``."""

    def __init__(self, rng: Rng, slots_max: int) -> None:
        self._rng = rng
        self._slots_max = slots_max
        self._sessions: dict[int, FetchSession] = {}  # least recently used first

    def __len__(self) -> int:
        return len(self._sessions)

    @property
    def partition_count(self) -> int:
        return sum(len(session.partitions) for session in self._sessions.values())

    def open(
        self, request: FetchRequest, now: float, *, uses_topic_ids: bool, is_replica: bool = False
    ) -> tuple[FetchSession, bool] | ErrorCode:
        """The session a request belongs to, and whether its response is incremental.

        A session without an id (``NO_SESSION``) is good for this request alone.
        """
        if request.session_epoch in (INITIAL_EPOCH, FINAL_EPOCH):
            self._sessions.pop(request.session_id, None)
            session = FetchSession(NO_SESSION, now, uses_topic_ids=uses_topic_ids, is_replica=is_replica)
            session.update(request)
            if request.session_epoch == INITIAL_EPOCH and session.partitions:
                self._remember(session, now)
            return session, False
        known = self._sessions.get(request.session_id)
        if known is None:
            return ErrorCode.FETCH_SESSION_ID_NOT_FOUND
        if known.epoch != request.session_epoch:
            return ErrorCode.INVALID_FETCH_SESSION_EPOCH
        if known.uses_topic_ids != uses_topic_ids or known.is_replica != is_replica:
            return ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR
        known.update(request)
        if not known.partitions:
            del self._sessions[known.id]
            known.id = NO_SESSION
            return known, True
        known.epoch = known.epoch + 1 if known.epoch < _EPOCH_MAX else 1
        known.last_used = now
        self._sessions[known.id] = self._sessions.pop(known.id)
        return known, True

    def forget(self, session: FetchSession) -> None:
        """Its client will not learn of it."""
        self._sessions.pop(session.id, None)
        session.id = NO_SESSION

    def _remember(self, session: FetchSession, now: float) -> None:
        if len(self._sessions) >= self._slots_max and not self._evict(session, now):
            return
        while session.id == NO_SESSION or session.id in self._sessions:
            session.id = self._rng.random_int(1, 2**31 - 1)
        self._sessions[session.id] = session

    def _evict(self, newcomer: FetchSession, now: float) -> bool:
        """Drop the session that was used least recently, if it may go: one that was idle for long, or any
        client's for a follower's (as in Kafka, where those are privileged)."""
        for oldest in self._sessions.values():
            idle = now - oldest.last_used >= _EVICTION_SECONDS
            if idle or (newcomer.is_replica and not oldest.is_replica):
                del self._sessions[oldest.id]
                return True
            if not newcomer.is_replica:
                return False  # the others were used since
        return False
