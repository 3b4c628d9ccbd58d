"""Fetch.

Versions 4–18. Long polling, sessions, size limits over partitions with fair rotation,
data by file slice (``sendfile`` in the real world).
Differs from Kafka: an incremental fetch that waits is woken once per request that moved a
watermark, not per partition. A batch larger than a whole window of its client's quota passes when
nothing else was fetched in it. Fetches by replicas come with the cluster.
KIPs: 74 (one batch at least), 98 (read_committed), 110 (zstd from 10), 219 (quotas), 227 (sessions),
320 (epoch checks), 516 (topic ids from 13), 595 (diverging epoch).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.fetch_sessions import FetchedPartition, FetchSession
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.fetch_request import FetchRequest
from riverlog.protocol.generated.fetch_response import (
    AbortedTransaction,
    EpochEndOffset,
    FetchableTopicResponse,
    FetchResponse,
    PartitionData,
)
from riverlog.records import Codec
from riverlog.replication import READ_COMMITTED
from riverlog.storage import LogError

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.replication import Partition

_TOPIC_ID_VERSION_MIN = 13
_SESSION_VERSION_MIN = 7
_ZSTD_VERSION_MIN = 10


@handler(ApiKey.FETCH, versions=(4, 18))
def fetch(broker: Broker, context: RequestContext, request: FetchRequest) -> FetchResponse | Later:
    if request.replica_id >= 0 or request.replica_state.replica_id >= 0:
        return FetchResponse(error_code=ErrorCode.INVALID_REQUEST)
    if context.api_version < _SESSION_VERSION_MIN:
        request.session_epoch = -1
    opened = broker.fetch_sessions.open(
        request, context.received, uses_topic_ids=context.api_version >= _TOPIC_ID_VERSION_MIN
    )
    if isinstance(opened, ErrorCode):
        return FetchResponse(error_code=opened)
    session, incremental = opened
    poll = _Poll(broker, context, request, session, incremental=incremental)
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
        "_session",
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
        incremental: bool,
    ) -> None:
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
        self._done = False
        self._watched: list[Partition] = []

    # -- waiting -------------------------------------------------------------------------

    def park(self) -> None:
        """Wait for a watermark to move, for at most ``max_wait_ms``."""
        broker = self._broker
        # A client names the time to wait: what it leaves behind must not stay for so long.
        self._context.on_abandoned = self._finish
        self._number = broker.next_number()
        self._timer = broker.clock.call_later(self._max_wait_ms / 1000, self._timed_out)
        for wanted in self._session.partitions.values():
            partition = broker.partition_of(wanted.key)
            if not isinstance(partition, ErrorCode):
                partition.fetch_waiters[self._number] = self._wake
                self._watched.append(partition)

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
        for partition in self._watched:
            partition.fetch_waiters.pop(self._number, None)
        self._watched.clear()

    # -- reading -------------------------------------------------------------------------

    def try_answer(self, *, last_chance: bool) -> FetchResponse | None:
        """Read all partitions; None if there is too little and time to wait for more."""
        left = self._max_bytes
        total = 0
        urgent = last_chance or not self._session.partitions
        answers: list[tuple[FetchedPartition, PartitionData]] = []
        for wanted in self._session.partitions.values():
            data = self._read(wanted, left, min_one=total == 0)
            records = data.records
            if records is not None:
                size = len(records)
                total += size
                left = max(0, left - size)
            if data.error_code or data.diverging_epoch.epoch >= 0:
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
            if session.id and not wanted.is_news(data) and self._incremental:
                continue
            topic_id, name, _ = wanted.key
            topic = topics.get((topic_id, name))
            if topic is None:
                topic = topics[topic_id, name] = FetchableTopicResponse(topic=name, topic_id=topic_id)
            topic.partitions.append(data)
        if total and session.id:
            session.rotate([wanted for wanted, data in answers if data.records])
        return FetchResponse(session_id=session.id, responses=list(topics.values()))

    def _count(self, wanted: FetchedPartition, size: int) -> None:
        partition = self._broker.partition_of(wanted.key)
        if not isinstance(partition, ErrorCode):
            partition.bytes_out.value += size

    def _read(self, wanted: FetchedPartition, left: int, *, min_one: bool) -> PartitionData:
        broker = self._broker
        index = wanted.key[2]
        partition = broker.partition_of(wanted.key)
        if isinstance(partition, ErrorCode):
            return _error(index, partition)
        error = partition.check_epoch(wanted.current_leader_epoch)
        if error:
            return _error(index, error)
        if self._context.api_version < _ZSTD_VERSION_MIN and partition.validation.compression == Codec.ZSTD:
            return _error(index, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE)
        log = partition.log
        data = PartitionData(
            partition_index=index,
            high_watermark=partition.high_watermark,
            last_stable_offset=min(partition.high_watermark, log.last_stable_offset),
            log_start_offset=log.log_start_offset,
        )
        offset = wanted.fetch_offset
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
                data.aborted_transactions = [
                    AbortedTransaction(producer_id=aborted.producer_id, first_offset=aborted.first_offset)
                    for aborted in log.aborted_transactions(offset, partition.readable_end(READ_COMMITTED))
                ]
        except LogError as refused:
            return _error(index, refused.code)
        return data


def _diverging(partition: Partition, wanted: FetchedPartition) -> EpochEndOffset | None:
    """Where the client's history leaves ours (KIP-595), if it does."""
    epoch, end_offset = partition.log.end_offset_for_epoch(wanted.last_fetched_epoch)
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
