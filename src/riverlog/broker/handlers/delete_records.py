"""DeleteRecords: move the log start of partitions forward.

Versions 0–2. The reply waits until the new log start is on the disks of all living replicas (RULES:
watermark 8).
Differs from Kafka: nothing known.
KIPs: 107.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.gather import Gather
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.env import StorageError
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.delete_records_request import DeleteRecordsRequest
from riverlog.protocol.generated.delete_records_response import (
    DeleteRecordsPartitionResult,
    DeleteRecordsResponse,
    DeleteRecordsTopicResult,
)
from riverlog.storage import LogError

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.replication import Partition

_UP_TO_HIGH_WATERMARK = -1


@handler(ApiKey.DELETE_RECORDS, versions=(0, 2))
def delete_records(
    broker: Broker, context: RequestContext, request: DeleteRecordsRequest
) -> DeleteRecordsResponse | Later:
    deletion = _Deletion(broker, context, request)
    gather = Gather(broker.clock, deletion.begin)
    for topic in request.topics:
        for wanted in topic.partitions:
            partition = broker.replicas.led(topic.name, wanted.partition_index)
            if not isinstance(partition, ErrorCode):
                # Records acknowledged before this request may be deleted by it.
                gather.wait(partition, partition.log.log_end_offset - 1, _go_on)
    if not gather.begin(request.timeout_ms):
        deletion.begin()
    return PARKED


def _go_on(error: ErrorCode) -> None:
    """Time is over or the partition is gone: the watermark of that moment decides."""


class _Deletion:
    """Deletes in every partition, and answers once each new log start is durable on all living replicas."""

    def __init__(self, broker: Broker, context: RequestContext, request: DeleteRecordsRequest) -> None:
        self._broker = broker
        self._context = context
        self._request = request
        self._response = DeleteRecordsResponse()
        self._open = 1  # for ``begin`` itself
        self._deadline = broker.clock.monotonic() + max(0, request.timeout_ms) / 1000

    def begin(self) -> None:
        for topic in self._request.topics:
            results = []
            for wanted in topic.partitions:
                result = DeleteRecordsPartitionResult(
                    partition_index=wanted.partition_index, low_watermark=-1
                )
                results.append(result)
                partition = self._broker.replicas.led(topic.name, wanted.partition_index)
                if not isinstance(partition, ErrorCode):
                    self._delete(partition, wanted.offset, result)
                else:
                    result.error_code = partition
            self._response.topics.append(DeleteRecordsTopicResult(name=topic.name, partitions=results))
        self._one_done()

    def _delete(self, partition: Partition, offset: int, result: DeleteRecordsPartitionResult) -> None:
        config = partition.log.config
        before = partition.high_watermark if offset == _UP_TO_HIGH_WATERMARK else offset
        if partition.internal:
            result.error_code = ErrorCode.INVALID_TOPIC_EXCEPTION
        elif config.is_compacted and not config.is_deleted:
            result.error_code = ErrorCode.POLICY_VIOLATION
        elif not 0 <= before <= partition.high_watermark:
            result.error_code = ErrorCode.OFFSET_OUT_OF_RANGE
        else:
            self._open += 1

            def durable(error: StorageError | None) -> None:
                if error is None:
                    self._wait_for_followers(partition, before, result)
                else:
                    result.error_code = ErrorCode.KAFKA_STORAGE_ERROR
                    self._one_done()

            try:
                self._broker.logs.delete_records(partition.log, before, durable)
            except LogError as refused:
                result.error_code = refused.code
                self._open -= 1

    def _wait_for_followers(
        self, partition: Partition, before: int, result: DeleteRecordsPartitionResult
    ) -> None:
        broker = self._broker
        number = broker.next_number()
        waiters = partition.low_watermark_waiters

        def look(*, last_chance: bool = False) -> None:
            if number not in waiters:
                return
            low = partition.low_watermark(broker.metadata.image.broker_is_active)
            if not partition.is_leader:
                result.error_code = ErrorCode.NOT_LEADER_OR_FOLLOWER
            elif low >= before:
                result.low_watermark = low
            elif last_chance:
                result.error_code = ErrorCode.REQUEST_TIMED_OUT
            else:
                return
            del waiters[number]
            timer.cancel()
            self._one_done()

        left = max(0.0, self._deadline - broker.clock.monotonic())
        timer = broker.clock.call_later(left, lambda: look(last_chance=True))
        waiters[number] = look
        look()

    def _one_done(self) -> None:
        self._open -= 1
        if self._open == 0:
            self._context.reply(self._response)
