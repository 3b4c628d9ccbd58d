"""ListOffsets.

Versions 1–11: earliest, latest, by timestamp, maximal timestamp (from 7). The tiered forms
answer as Kafka does without remote storage.
Differs from Kafka: with ``ack.after.fsync`` the answer waits until what was written before the
request is readable, so that a producer with ``acks=1`` finds its own records.
KIPs: 79, 207 (``OFFSET_NOT_AVAILABLE`` on a new leader), 320, 734 (maximal timestamp).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.gather import Gather
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.list_offsets_request import ListOffsetsPartition, ListOffsetsRequest
from riverlog.protocol.generated.list_offsets_response import (
    ListOffsetsPartitionResponse,
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)
from riverlog.storage import LogError

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.replication import Partition

LATEST = -1
EARLIEST = -2
MAX_TIMESTAMP = -3
EARLIEST_LOCAL = -4
LATEST_TIERED = -5
EARLIEST_PENDING_UPLOAD = -6

_LEADER_EPOCH_VERSION_MIN = 4
_CATCH_UP_MS_MAX = 1000
_SPECIAL_SINCE = {
    LATEST: 1,
    EARLIEST: 1,
    MAX_TIMESTAMP: 7,
    EARLIEST_LOCAL: 8,
    LATEST_TIERED: 9,
    EARLIEST_PENDING_UPLOAD: 11,
}


@handler(ApiKey.LIST_OFFSETS, versions=(1, 11))
def list_offsets(
    broker: Broker, context: RequestContext, request: ListOffsetsRequest
) -> ListOffsetsResponse | Later:
    gather = Gather(broker.clock, lambda: context.reply(_answer(broker, context, request)))
    for topic in request.topics:
        for wanted in topic.partitions:
            partition = broker.replicas.led(topic.name, wanted.partition_index)
            if not isinstance(partition, ErrorCode) and wanted.timestamp not in (EARLIEST, EARLIEST_LOCAL):
                # What was acknowledged before this request counts, even if it is only now on its way to disk.
                gather.wait(partition, partition.log.log_end_offset - 1, _answer_anyway)
    timeout_ms = request.timeout_ms or _CATCH_UP_MS_MAX
    return PARKED if gather.begin(min(timeout_ms, _CATCH_UP_MS_MAX)) else _answer(broker, context, request)


def _answer_anyway(error: ErrorCode) -> None:
    """Time is over or the partition is gone: the answer says what is so then."""


def _answer(broker: Broker, context: RequestContext, request: ListOffsetsRequest) -> ListOffsetsResponse:
    asked = Counter(
        (topic.name, wanted.partition_index) for topic in request.topics for wanted in topic.partitions
    )
    topics = []
    for topic in request.topics:
        partitions = []
        for wanted in topic.partitions:
            if asked[topic.name, wanted.partition_index] > 1:
                partitions.append(_error(wanted, ErrorCode.INVALID_REQUEST))
                continue
            partition = broker.replicas.led(topic.name, wanted.partition_index)
            if isinstance(partition, ErrorCode):
                partitions.append(_error(wanted, partition))
            else:
                try:
                    partitions.append(_look_up(context, request, partition, wanted))
                except LogError as refused:
                    partitions.append(_error(wanted, refused.code))
        topics.append(ListOffsetsTopicResponse(name=topic.name, partitions=partitions))
    return ListOffsetsResponse(topics=topics)


def _look_up(
    context: RequestContext,
    request: ListOffsetsRequest,
    partition: Partition,
    wanted: ListOffsetsPartition,
) -> ListOffsetsPartitionResponse:
    """Raises ``LogError``."""
    timestamp = wanted.timestamp
    if timestamp < 0 and context.api_version < _SPECIAL_SINCE.get(timestamp, 1 << 15):
        return _error(wanted, ErrorCode.UNSUPPORTED_VERSION)
    error = partition.check_epoch(wanted.current_leader_epoch)
    if error:
        return _error(wanted, error)
    end = partition.readable_end(request.isolation_level)
    log = partition.log
    if timestamp in (EARLIEST, EARLIEST_LOCAL):
        return _found(context, partition, wanted, -1, log.log_start_offset)
    if partition.high_watermark < partition.epoch_start_offset:  # RULES: watermark 7
        old = context.api_version < 5
        return _error(wanted, ErrorCode.LEADER_NOT_AVAILABLE if old else ErrorCode.OFFSET_NOT_AVAILABLE)
    if timestamp == LATEST:
        return _found(context, partition, wanted, -1, end, leader_epoch=partition.leader_epoch)
    if timestamp in (LATEST_TIERED, EARLIEST_PENDING_UPLOAD):
        return ListOffsetsPartitionResponse(partition_index=wanted.partition_index)
    found = log.max_timestamp() if timestamp == MAX_TIMESTAMP else log.offset_for_timestamp(timestamp)
    if found is None or not 0 <= found[1] < end:
        return ListOffsetsPartitionResponse(partition_index=wanted.partition_index)
    return _found(context, partition, wanted, *found)


def _found(
    context: RequestContext,
    partition: Partition,
    wanted: ListOffsetsPartition,
    timestamp: int,
    offset: int,
    *,
    leader_epoch: int | None = None,
) -> ListOffsetsPartitionResponse:
    answer = ListOffsetsPartitionResponse(
        partition_index=wanted.partition_index, timestamp=timestamp, offset=offset
    )
    if context.api_version >= _LEADER_EPOCH_VERSION_MIN:
        answer.leader_epoch = partition.log.epoch_for_offset(offset) if leader_epoch is None else leader_epoch
    return answer


def _error(wanted: ListOffsetsPartition, error: ErrorCode) -> ListOffsetsPartitionResponse:
    return ListOffsetsPartitionResponse(partition_index=wanted.partition_index, error_code=error)
