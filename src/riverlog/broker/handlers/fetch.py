"""Fetch.

Versions 4–18. Long polling, sessions, size limits over partitions with fair rotation,
data by file slice (``sendfile`` in the real world).
Differs from Kafka: an incremental fetch that waits is woken once per request that moved a
watermark, not per partition. A batch larger than a whole window of its client's quota passes when
nothing else was fetched in it. A follower that asks for less than the leader's log start is told that start
with the error, and one with a tail of its own always gets a diverging epoch.
KIPs: 74 (one batch at least), 98 (read_committed), 110 (zstd from 10), 219 (quotas), 227 (sessions),
320 (epoch checks), 392 (reading from followers), 516 (topic ids from 13), 595 (diverging epoch), 903 (broker
epoch of followers from 15), 951 (the leader with the error, from 16).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.base.slices import FileSlice
from riverlog.broker.fetch_sessions import FetchedPartition, FetchSession
from riverlog.broker.follower_fetches import count_fetches, read_for_follower
from riverlog.broker.leader_hints import HINTED, current_leader, node_endpoints
from riverlog.broker.read_replicas import preferred_read_replica, reads_from_followers
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.fetch_request import FetchRequest
from riverlog.protocol.generated.fetch_response import (
    AbortedTransaction,
    EpochEndOffset,
    FetchableTopicResponse,
    FetchResponse,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionData,
)
from riverlog.records import Codec
from riverlog.replication import READ_COMMITTED
from riverlog.storage import Log, LogError, OffsetOutOfRange

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.replication import Partition

_TOPIC_ID_VERSION_MIN = 13
_SESSION_VERSION_MIN = 7
_ZSTD_VERSION_MIN = 10
_FOLLOWER_READS_VERSION_MIN = 11
_REPLICA_STATE_VERSION_MIN = 15
_LEADER_VERSION_MIN = 16
NO_REPLICA = -1


@handler(ApiKey.FETCH, versions=(4, 18))
def fetch(broker: Broker, context: RequestContext, request: FetchRequest) -> FetchResponse | Later:
    replica_id = request.replica_id
    if context.api_version >= _REPLICA_STATE_VERSION_MIN:
        replica_id = request.replica_state.replica_id
    is_replica = replica_id >= 0
    if is_replica:
        context.charge = None  # what clients may use has nothing to do with it
    if context.api_version < _SESSION_VERSION_MIN:
        request.session_epoch = -1
    opened = broker.fetch_sessions.open(
        request,
        context.received,
        uses_topic_ids=context.api_version >= _TOPIC_ID_VERSION_MIN,
        is_replica=is_replica,
    )
    if isinstance(opened, ErrorCode):
        return FetchResponse(error_code=opened)
    session, incremental = opened
    if is_replica:
        count_fetches(broker, session, replica_id, request.replica_state.replica_epoch)
    poll = _Poll(broker, context, request, session, replica_id=replica_id, incremental=incremental)
    response = poll.try_answer(last_chance=request.max_wait_ms <= 0)
    if response is not None:
        return response
    poll.park()
    return PARKED


class _Poll:
    """One fetch, from its first look at the partitions until it is answered."""

    __slots__ = (
        "_broker",
        "_context",
        "_done",
        "_incremental",
        "_isolation_level",
        "_max_bytes",
        "_max_wait_ms",
        "_min_bytes",
        "_number",
        "_rack_id",
        "_replica_id",
        "_session",
        "_tells_watermarks",
        "_timer",
        "_watched",
    )

    def __init__(
        self,
        broker: Broker,
        context: RequestContext,
        request: FetchRequest,
        session: FetchSession,
        *,
        replica_id: int,
        incremental: bool,
    ) -> None:
        self._replica_id = replica_id if replica_id >= 0 else NO_REPLICA
        self._rack_id = request.rack_id
        self._broker = broker
        self._context = context
        self._session = session
        self._incremental = incremental
        self._isolation_level = request.isolation_level
        self._max_bytes = min(request.max_bytes, broker.fetch_max_bytes)
        if context.charge is not None:
            self._max_bytes = context.charge.fetch_bytes_max(self._max_bytes)
        self._min_bytes = min(request.min_bytes, self._max_bytes)
        self._max_wait_ms = request.max_wait_ms
        # A follower that has readers must not learn of the watermark only with the next data.
        self._tells_watermarks = self._replica_id != NO_REPLICA and reads_from_followers(broker)
        self._done = False
        self._watched: list[Partition] = []

    # -- waiting -------------------------------------------------------------------------

    def park(self) -> None:
        """Wait for a watermark to move, for at most ``max_wait_ms``."""
        broker = self._broker
        # A client names the time to wait: what it leaves behind must not stay for so long.
        self._context.on_abandoned = self._finish
        self._number = broker.next_number()
        wait_ms = self._max_wait_ms
        if self._replica_id != NO_REPLICA:
            polls = broker.replicas.follower_polls
            polls.park(self._replica_id, self._number, self._timed_out)
            wait_ms = polls.wait_ms(self._replica_id, wait_ms, self._context.received)
        self._timer = broker.clock.call_later(wait_ms / 1000, self._timed_out)
        for wanted in self._session.partitions.values():
            partition = self._partition_of(wanted)
            if not isinstance(partition, ErrorCode):
                self._waiters(partition)[self._number] = self._wake
                if self._tells_watermarks:
                    partition.fetch_waiters[self._number] = self._wake
                self._watched.append(partition)

    def _partition_of(self, wanted: FetchedPartition) -> Partition | ErrorCode:
        """Clients that know racks may read from followers (KIP-392)."""
        partition = self._broker.partition_of(wanted.key)
        if isinstance(partition, ErrorCode) or partition.is_leader:
            return partition
        if self._replica_id == NO_REPLICA and self._context.api_version >= _FOLLOWER_READS_VERSION_MIN:
            return partition
        return ErrorCode.NOT_LEADER_OR_FOLLOWER

    def _waiters(self, partition: Partition) -> dict[int, Callable[[], None]]:
        """A follower waits for the log end, a client for the watermark."""
        return partition.fetch_waiters if self._replica_id == NO_REPLICA else partition.append_waiters

    def _wake(self) -> None:
        self._broker.look_again(self._number, self._look_again)

    def _look_again(self) -> None:
        if self._done:
            return
        if self._context.session.closed:
            self._finish()
            return
        response = self.try_answer(last_chance=False)
        if response is not None:
            self._finish()
            self._context.reply(response)

    def _timed_out(self) -> None:
        if not self._done:
            self._finish()
            response = self.try_answer(last_chance=True)
            assert response is not None
            self._context.reply(response)

    def _finish(self) -> None:
        self._done = True
        self._timer.cancel()
        if self._replica_id != NO_REPLICA:
            self._broker.replicas.follower_polls.finished(self._replica_id, self._number)
        for partition in self._watched:
            self._waiters(partition).pop(self._number, None)
            if self._tells_watermarks:
                partition.fetch_waiters.pop(self._number, None)
        self._watched.clear()

    # -- reading -------------------------------------------------------------------------

    def try_answer(self, *, last_chance: bool) -> FetchResponse | None:
        """Read all partitions; None if there is too little and time to wait for more."""
        left = self._max_bytes
        total = 0
        urgent = last_chance or not self._session.partitions
        answers: list[tuple[FetchedPartition, PartitionData]] = []
        quiet = self._replica_id != NO_REPLICA and self._incremental
        for wanted in self._session.partitions.values():
            if quiet and wanted.settled_epoch >= 0 and self._has_nothing_new(wanted):
                continue
            data = self._read(wanted, left, min_one=total == 0)
            records = data.records
            if records is not None:
                size = len(records)
                total += size
                left = max(0, left - size)
            if data.error_code or data.diverging_epoch.epoch >= 0 or data.preferred_read_replica >= 0:
                urgent = True
            if self._tells_watermarks and wanted.told and data.high_watermark > wanted.high_watermark:
                urgent = True
            answers.append((wanted, data))
        if total < self._min_bytes and not urgent:
            return None
        return self._answer(answers, total)

    def _answer(self, answers: list[tuple[FetchedPartition, PartitionData]], total: int) -> FetchResponse:
        session = self._session
        charge = self._context.charge
        if charge is not None and charge.holds_back(total):
            # Over its quota: an empty answer and a wait. One to a full fetch has no session (KIP-219).
            if not self._incremental:
                self._broker.fetch_sessions.forget(session)
            return FetchResponse(session_id=session.id)
        topics: dict[tuple[bytes, str], FetchableTopicResponse] = {}
        for wanted, data in answers:
            if data.records:
                self._count(wanted, len(data.records))
            if session.id:
                is_news = wanted.is_news(data)
                if self._replica_id != NO_REPLICA:
                    self._settle(wanted, data)
                if not is_news and self._incremental:
                    continue
            topic_id, name, _ = wanted.key
            topic = topics.get((topic_id, name))
            if topic is None:
                topic = topics[topic_id, name] = FetchableTopicResponse(topic=name, topic_id=topic_id)
            topic.partitions.append(data)
        if total and session.id:
            session.rotate([wanted for wanted, data in answers if data.records])
        response = FetchResponse(session_id=session.id, responses=list(topics.values()))
        return self._with_leaders(response)

    def _has_nothing_new(self, wanted: FetchedPartition) -> bool:
        """Most of a follower's many partitions, most of the time: worth a shorter way."""
        partition = self._broker.partition_of(wanted.key)
        return not isinstance(partition, ErrorCode) and wanted.has_nothing_new(partition, self._replica_id)

    def _settle(self, wanted: FetchedPartition, data: PartitionData) -> None:
        """Remember that this answer says all there is."""
        if not (data.error_code or data.records or data.diverging_epoch.epoch >= 0):
            partition = self._broker.partition_of(wanted.key)
            if not isinstance(partition, ErrorCode):
                wanted.settled_epoch = partition.leader_epoch

    def _with_leaders(self, response: FetchResponse) -> FetchResponse:
        """Tell those who came to the wrong broker where to go."""
        broker = self._broker
        if self._context.api_version < _LEADER_VERSION_MIN or self._replica_id != NO_REPLICA:
            return response
        leaders: dict[int, None] = {}
        for topic in response.responses:
            for data in topic.partitions:
                if data.error_code in HINTED:
                    name = topic.topic or broker.topic_name(topic.topic_id)
                    leader = current_leader(broker, name, data.partition_index)
                    if leader is not None:
                        data.current_leader = LeaderIdAndEpoch(*leader)
                        leaders[leader[0]] = None
        if leaders:
            listener = self._context.session.listener
            response.node_endpoints = node_endpoints(broker, listener, leaders, NodeEndpoint)
        return response

    def _count(self, wanted: FetchedPartition, size: int) -> None:
        partition = self._broker.partition_of(wanted.key)
        if isinstance(partition, ErrorCode):
            return
        if self._replica_id == NO_REPLICA:
            partition.bytes_out.value += size
        else:
            self._broker.replicas.throttles.given(partition, size)

    def _read(self, wanted: FetchedPartition, left: int, *, min_one: bool) -> PartitionData:
        broker = self._broker
        index = wanted.key[2]
        partition = self._partition_of(wanted)
        if isinstance(partition, ErrorCode):
            return _error(index, partition)
        error = partition.check_epoch(wanted.current_leader_epoch)
        if error:
            return _error(index, error)
        if self._context.api_version < _ZSTD_VERSION_MIN and partition.validation.compression == Codec.ZSTD:
            return _error(index, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE)
        log = partition.log
        if self._replica_id != NO_REPLICA:
            return read_for_follower(
                broker, partition, wanted, self._replica_id, max_bytes=left, min_one=min_one
            )
        data = PartitionData(
            partition_index=index,
            high_watermark=partition.high_watermark,
            log_start_offset=log.log_start_offset,
            aborted_transactions=None,
        )
        try:
            data.last_stable_offset = partition.readable_end(READ_COMMITTED)
        except LogError as refused:
            return _error(index, refused.code)
        offset = wanted.fetch_offset
        if self._rack_id and partition.is_leader:
            data.preferred_read_replica = preferred_read_replica(broker, partition, self._rack_id, offset)
            if data.preferred_read_replica >= 0:
                data.records = b""
                return data
        if not partition.is_leader and offset > log.log_end_offset:
            return _error(index, ErrorCode.OFFSET_NOT_AVAILABLE)
        try:
            if wanted.last_fetched_epoch >= 0 and (diverging := _diverging(partition, wanted)):
                data.diverging_epoch = diverging
                return data
            records = partition.read(
                offset,
                max_bytes=min(wanted.max_bytes, left),
                isolation_level=self._isolation_level,
                min_one=min_one,
            )
            if records is None:
                data.records = b""
            else:
                data.records = records
            if self._isolation_level == READ_COMMITTED:
                data.aborted_transactions = (
                    [] if records is None else _aborted(log, records, offset, data.last_stable_offset)
                )
        except LogError as refused:
            return _error(index, refused.code)
        return data


def _aborted(log: Log, records: FileSlice, offset: int, last_stable_offset: int) -> list[AbortedTransaction]:
    """What a ``read_committed`` reader must leave out of these records."""
    return [
        AbortedTransaction(producer_id=aborted.producer_id, first_offset=aborted.first_offset)
        for aborted in log.aborted_in(records, offset, last_stable_offset)
    ]


def _diverging(partition: Partition, wanted: FetchedPartition) -> EpochEndOffset | None:
    """Where the client's history leaves ours (KIP-595), if it does."""
    epoch, end_offset = partition.log.end_offset_for_epoch(wanted.last_fetched_epoch)
    if end_offset < 0:
        if wanted.last_fetched_epoch == partition.leader_epoch:
            return None  # the present epoch, in which nothing was written yet
        raise OffsetOutOfRange(f"epoch {wanted.last_fetched_epoch} is not known")
    if epoch < wanted.last_fetched_epoch or end_offset < wanted.fetch_offset:
        return EpochEndOffset(epoch=epoch, end_offset=end_offset)
    return None


def _error(index: int, error: ErrorCode) -> PartitionData:
    return PartitionData(
        partition_index=index,
        error_code=error,
        high_watermark=-1,
        last_stable_offset=-1,
        log_start_offset=-1,
        records=b"",
    )
