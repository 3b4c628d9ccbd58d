"""What this node fetches, as follower, from one leader over one session (KIP-227). No IO.

One request is in flight. The next leaves when all that the last response brought is durable, so that the
offset in it says what is on disk here (RULES: watermark 3, replica fetchers). A partition whose fsync takes
long is given to the slow session of that leader, so that it does not hold up the others.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from riverlog.base.errors import ErrorCode
from riverlog.protocol.generated.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ForgottenTopic,
    ReplicaState,
)
from riverlog.protocol.generated.fetch_response import FetchResponse, PartitionData
from riverlog.replication.partition import Partition
from riverlog.storage import Log, LogError

logger = logging.getLogger("riverlog.replication")

SLOW_SYNC_SECONDS = 0.020
FAST_SYNCS_TO_RETURN = 16
"""So many quick syncs, or polls without news, in a row bring a partition back from the slow session."""
JOIN_WAIT_MS = 50
"""How long a poll may wait where a partition may have to join in: of the slow session, or without one that
is not ready yet. It is asked for only when the present poll has come back."""
RETRY_SECONDS_MIN = 0.02
"""First pause after an error that a moment heals, such as a leader that has not heard of its election."""

REPAIR_SECONDS = 0.2
"""How often a replica that is corrupt tells its leader so, until it is out of the in-sync set."""

Key = tuple[bytes, int]
_PASSING = frozenset(
    {
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.UNKNOWN_LEADER_EPOCH,
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.INCONSISTENT_TOPIC_ID,
    }
)
_NEW_SESSION = frozenset(
    {
        ErrorCode.FETCH_SESSION_ID_NOT_FOUND,
        ErrorCode.INVALID_FETCH_SESSION_EPOCH,
        ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR,
    }
)


@dataclass(slots=True)
class FetcherSettings:
    """Broker settings, in Kafka's units."""

    node_id: int
    max_wait_ms: int = 500
    min_bytes: int = 1
    response_max_bytes: int = 10 << 20
    partition_max_bytes: int = 1 << 20
    backoff_ms: int = 1_000


def _ignore_log(_log: Log) -> None:
    """Nobody syncs it."""


def _ignore_start(_partition: Partition, _offset: int) -> None:
    """The log start stays."""


def _ignore_size(_partition: Partition, _size: int) -> None:
    """Nobody counts."""


def _never(_partition: Partition) -> bool:
    return False


@dataclass(slots=True)
class FetcherEffects:
    """What the machine asks of its driver, as calls that return at once."""

    sync: Callable[[Log], None] = _ignore_log
    """Make all of it durable; ``durable`` tells when."""
    move_log_start: Callable[[Partition, int], None] = _ignore_start
    """The leader's log starts there; ``Partition.durable_log_start`` follows once that is on disk."""
    received: Callable[[Partition, int], None] = _ignore_size
    is_held_back: Callable[[Partition], bool] = _never
    """By a throttle."""


class Wanted:
    """One partition of the session."""

    __slots__ = (
        "asked",
        "epoch",
        "fast_syncs",
        "first",
        "leader_start",
        "not_before",
        "partition",
        "pause",
        "repair_from",
        "sent_offset",
        "waits_since",
    )

    def __init__(self, partition: Partition) -> None:
        self.partition = partition
        self.epoch = partition.leader_epoch
        self.first = True
        """Nothing was fetched in this epoch: all it holds is synced before (RULES: watermark 3)."""
        self.not_before = 0.0
        self.pause = RETRY_SECONDS_MIN
        self.asked: tuple[int, int, int] | None = None
        """Offset, epoch of the last record, log start: what the leader's session has; None: not in it."""
        self.sent_offset = -1
        """The offset that the request in flight asks for."""
        self.leader_start = -1
        """Where the leader's log starts: ours follows as far as it is durable."""
        self.waits_since: float | None = None
        """An append of ours is on its way to disk."""
        self.fast_syncs = 0
        self.repair_from: int | None = None
        """What is here from this offset on is corrupt: the leader hears that we have only what is before."""


class Fetcher:
    """The session. Drive it with ``request``, ``answered``, ``durable``; ask again at ``due_at``."""

    def __init__(
        self,
        leader_id: int,
        settings: FetcherSettings,
        effects: FetcherEffects,
        *,
        is_slow: bool = False,
    ) -> None:
        self.leader_id = leader_id
        self.is_slow = is_slow
        self.in_flight = False
        self._settings = settings
        self._effects = effects
        self._wanted: dict[Key, Wanted] = {}
        self._forgotten: dict[Key, None] = {}
        """In the leader's session, not wanted any more."""
        self._sent: dict[Key, Wanted] = {}
        self._session_id = 0
        self._session_epoch = 0
        self._not_before = 0.0
        self._pause = RETRY_SECONDS_MIN

    # -- partitions ----------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._wanted)

    def __contains__(self, partition: Partition) -> bool:
        wanted = self._wanted.get((partition.topic_id, partition.index))
        return wanted is not None and wanted.partition is partition

    def add(self, partition: Partition, *, first: bool = True) -> None:
        """Fetch it from now on, in its current epoch. ``first``: nothing was fetched in it yet."""
        key = (partition.topic_id, partition.index)
        self.remove(partition)
        wanted = self._wanted[key] = Wanted(partition)
        wanted.first = first

    def repair(self, partition: Partition, offset: int | None) -> None:
        """Ask from ``offset`` on, and take nothing: the leader drops us from the in-sync set. None: go on."""
        if partition in self:
            self.add(partition)  # anew: what was asked for before means nothing now
            self._wanted[partition.topic_id, partition.index].repair_from = offset

    def remove(self, partition: Partition) -> None:
        key = (partition.topic_id, partition.index)
        wanted = self._wanted.pop(key, None)
        if wanted is not None and wanted.asked is not None:
            self._forgotten[key] = None

    # -- asking --------------------------------------------------------------------------

    def request(self, now: float, *, broker_epoch: int) -> FetchRequest | None:
        """The next Fetch, which is then in flight; None if there is nothing to ask for now."""
        if self.in_flight or now < self._not_before or any(map(_waits, self._wanted.values())):
            return None
        # A copy: one whose folder fails now is taken out meanwhile.
        ready = {key: wanted for key, wanted in list(self._wanted.items()) if self._is_ready(wanted, now)}
        if not ready:
            return None
        is_full = self._session_epoch == 0
        topics: dict[bytes, FetchTopic] = {}
        for key, wanted in ready.items():
            partition = wanted.partition
            asks = _position(wanted)
            wanted.sent_offset = asks[0]
            if wanted.asked == asks and not is_full:
                continue
            wanted.asked = asks
            topic = topics.get(partition.topic_id)
            if topic is None:
                topic = topics[partition.topic_id] = FetchTopic(topic_id=partition.topic_id)
            topic.partitions.append(
                FetchPartition(
                    partition=partition.index,
                    current_leader_epoch=wanted.epoch,
                    fetch_offset=asks[0],
                    last_fetched_epoch=asks[1],
                    log_start_offset=asks[2],
                    partition_max_bytes=self._settings.partition_max_bytes,
                )
            )
            self._forgotten.pop(key, None)
        self._sent = ready
        self.in_flight = True
        settings = self._settings
        max_wait_ms = settings.max_wait_ms
        if self.is_slow or len(ready) < len(self._wanted):
            max_wait_ms = min(max_wait_ms, JOIN_WAIT_MS)
        return FetchRequest(
            replica_state=ReplicaState(replica_id=settings.node_id, replica_epoch=broker_epoch),
            max_wait_ms=max_wait_ms,
            min_bytes=settings.min_bytes,
            max_bytes=settings.response_max_bytes,
            session_id=self._session_id,
            session_epoch=self._session_epoch,
            topics=list(topics.values()),
            forgotten_topics_data=self._forget(ready, is_full=is_full),
        )

    def _is_ready(self, wanted: Wanted, now: float) -> bool:
        partition = wanted.partition
        if now < wanted.not_before or self._effects.is_held_back(partition):
            return False
        if not partition.policy.may_fetch(partition.log, first=wanted.first):
            self._effects.sync(partition.log)
            return False
        return partition.log.loaded_epochs is not None or self._can_read_epochs(partition)

    def _can_read_epochs(self, partition: Partition) -> bool:
        """They are read when first needed; if that fails, the folder is offline."""
        try:
            return partition.log.latest_epoch >= -1
        except LogError as refused:
            logger.error("%s-%d cannot follow: %s", partition.topic, partition.index, refused)
            return False

    def _forget(self, ready: dict[Key, Wanted], *, is_full: bool) -> list[ForgottenTopic]:
        """What the leader's session has and this request does not want."""
        gone = [] if is_full else list(self._forgotten)
        self._forgotten.clear()
        for key, wanted in self._wanted.items():
            if wanted.asked is not None and key not in ready:
                wanted.asked = None
                if not is_full:
                    gone.append(key)
        topics: dict[bytes, ForgottenTopic] = {}
        for topic_id, index in gone:
            topic = topics.setdefault(topic_id, ForgottenTopic(topic_id=topic_id))
            topic.partitions.append(index)
        return list(topics.values())

    def due_at(self, now: float) -> float | None:
        """When to look again if nothing happens before; None if only an event can change something."""
        if self.in_flight or not self._wanted:
            return None
        times = [self._not_before]
        for wanted in self._wanted.values():
            if wanted.waits_since is not None and not self.is_slow:
                times.append(wanted.waits_since + SLOW_SYNC_SECONDS)
            elif wanted.not_before > now:
                times.append(wanted.not_before)
            else:
                # Held back, or waiting for its disk, which tells; this is for the case that it does not.
                times.append(now + self._settings.backoff_ms / 1000)
        later = [time for time in times if time > now]
        return min(later, default=None)

    # -- the answer ----------------------------------------------------------------------

    def answered(self, response: FetchResponse | None, now: float, now_ms: int) -> None:
        """The leader's response, or None if none came."""
        sent, self._sent = self._sent, {}
        self.in_flight = False
        error = ErrorCode.NONE if response is None else ErrorCode(response.error_code)
        if response is None or error:
            self._reset()
            if error not in _NEW_SESSION:
                self._not_before = now + self._pause
                self._pause = min(2 * self._pause, self._settings.backoff_ms / 1000)
            return
        self._pause = RETRY_SECONDS_MIN
        self._session_id = response.session_id
        if response.session_id:
            self._session_epoch = self._session_epoch + 1 if self._session_epoch < 2**31 - 1 else 1
        else:
            self._reset()
        if self.is_slow and not response.responses:
            for idle in self._wanted.values():
                idle.fast_syncs += 1
        for topic in response.responses:
            for data in topic.partitions:
                key = (topic.topic_id, data.partition_index)
                wanted = sent.get(key)
                # Removed, or in another epoch since: what was asked then means nothing now.
                if wanted is not None and self._wanted.get(key) is wanted:
                    self._take(wanted, data, now, now_ms)

    def _reset(self) -> None:
        """The next request begins a new session."""
        self._session_id = 0
        self._session_epoch = 0
        self._forgotten.clear()
        for wanted in self._wanted.values():
            wanted.asked = None

    def _take(self, wanted: Wanted, data: PartitionData, now: float, now_ms: int) -> None:
        partition = wanted.partition
        if partition.is_leader or partition.leader_epoch != wanted.epoch:
            return
        error = ErrorCode(data.error_code)
        try:
            if error:
                self._failed(wanted, data, error, now, now_ms)
                return
            wanted.first = False
            wanted.pause = RETRY_SECONDS_MIN
            if wanted.repair_from is not None:
                self._pause_one(wanted, now, REPAIR_SECONDS)
                return
            if data.diverging_epoch.epoch >= 0:
                self._diverged(wanted, data, now, now_ms)
                return
            if data.records:
                assert isinstance(data.records, bytes | bytearray | memoryview)
                self._effects.received(partition, len(data.records))
                if wanted.sent_offset != partition.log.log_end_offset:
                    return  # cut since: a gap would be taken for one that compaction left
                partition.append_from_leader(data.records, epoch_max=wanted.epoch, now_ms=now_ms)
                if not partition.policy.may_fetch(partition.log, first=False):
                    wanted.waits_since = now
        except LogError as refused:
            logger.error("%s-%d cannot follow: %s", partition.topic, partition.index, refused)
            if partition.log.offline is not None:
                self.remove(partition)
            else:
                self._pause_one(wanted, now, self._settings.backoff_ms / 1000)
            return
        partition.leader_says(data.high_watermark)
        wanted.leader_start = data.log_start_offset
        self._follow_log_start(wanted)

    def _follow_log_start(self, wanted: Wanted) -> None:
        """The leader says its log start once: as much of it as is above our watermark waits for that."""
        partition = wanted.partition
        start = min(wanted.leader_start, partition.high_watermark)
        if start > partition.durable_log_start:
            self._effects.move_log_start(partition, start)

    def _failed(self, wanted: Wanted, data: PartitionData, error: ErrorCode, now: float, now_ms: int) -> None:
        partition = wanted.partition
        if error is ErrorCode.OFFSET_OUT_OF_RANGE and data.log_start_offset > partition.log.log_end_offset:
            partition.restart_at(data.log_start_offset, now_ms=now_ms)
            wanted.first = True
            self._effects.move_log_start(partition, data.log_start_offset)
        elif error in _PASSING:
            # Metadata is on its way, here or there.
            self._pause_one(wanted, now, wanted.pause)
            wanted.pause = min(2 * wanted.pause, self._settings.backoff_ms / 1000)
        else:
            logger.warning("%s-%d: the leader answers %s", partition.topic, partition.index, error.name)
            self._pause_one(wanted, now, self._settings.backoff_ms / 1000)

    def _diverged(self, wanted: Wanted, data: PartitionData, now: float, now_ms: int) -> None:
        """Our tail is not the leader's: cut it, and ask again from there."""
        partition = wanted.partition
        log = partition.log
        offset = partition.policy.truncation_offset(
            log, epoch=data.diverging_epoch.epoch, end_offset=data.diverging_epoch.end_offset
        )
        before = (log.log_end_offset, log.latest_epoch)
        partition.truncate_to(offset, now_ms=now_ms)
        if (log.log_end_offset, log.latest_epoch) == before:
            self._pause_one(wanted, now, self._settings.backoff_ms / 1000)
            return
        wanted.first = True  # what is left is synced before it is told

    def _pause_one(self, wanted: Wanted, now: float, seconds: float) -> None:
        wanted.not_before = now + seconds

    # -- the disk ------------------------------------------------------------------------

    def durable(self, partition: Partition, now: float) -> bool:
        """More of its log is on disk. True if the slow session should give it back."""
        wanted = self._wanted.get((partition.topic_id, partition.index))
        if wanted is None:
            return False
        self._follow_log_start(wanted)
        if wanted.waits_since is None:
            return False
        if not partition.policy.may_fetch(partition.log, first=wanted.first):
            return False
        took = now - wanted.waits_since
        wanted.waits_since = None
        wanted.fast_syncs = wanted.fast_syncs + 1 if took <= SLOW_SYNC_SECONDS else 0
        return self.is_slow and wanted.fast_syncs >= FAST_SYNCS_TO_RETURN

    def returning(self) -> list[Partition]:
        """Partitions that the slow session should give back."""
        return [
            wanted.partition
            for wanted in self._wanted.values()
            if wanted.fast_syncs >= FAST_SYNCS_TO_RETURN and wanted.waits_since is None
        ]

    def take_slow(self, now: float) -> list[Partition]:
        """Partitions whose fsync takes too long, taken out of this session."""
        if self.is_slow or self.in_flight:
            return []
        slow = [
            wanted.partition
            for wanted in self._wanted.values()
            if wanted.waits_since is not None and now >= wanted.waits_since + SLOW_SYNC_SECONDS
        ]
        for partition in slow:
            self.remove(partition)
        return slow


def _waits(wanted: Wanted) -> bool:
    return wanted.waits_since is not None


def _position(wanted: Wanted) -> tuple[int, int, int]:
    partition = wanted.partition
    log = partition.log
    start = wanted.repair_from
    if start is not None:
        return start, log.epoch_for_offset(start - 1), partition.durable_log_start
    return log.log_end_offset, log.latest_epoch, partition.durable_log_start
