"""DeleteRecords: move the log start of partitions forward.

Versions 0–2. The reply waits until the new log start is on disk (RULES: watermark 8).
Differs from Kafka: nothing known.
KIPs: 107.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.env import StorageError
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.delete_records_request import DeleteRecordsRequest
from riverlog.protocol.generated.delete_records_response import (
    DeleteRecordsPartitionResult,
    DeleteRecordsResponse,
    DeleteRecordsTopicResult,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.replication import Partition

_UP_TO_HIGH_WATERMARK = -1


@handler(ApiKey.DELETE_RECORDS, versions=(0, 2))
def delete_records(
    broker: Broker, context: RequestContext, request: DeleteRecordsRequest
) -> DeleteRecordsResponse | Later:
    waiting = _Waiting(context)
    for topic in request.topics:
        results = []
        for wanted in topic.partitions:
            result = DeleteRecordsPartitionResult(partition_index=wanted.partition_index, low_watermark=-1)
            results.append(result)
            partition = broker.partition(topic.name, wanted.partition_index)
            if isinstance(partition, ErrorCode):
                result.error_code = partition
            else:
                _delete(broker, partition, wanted.offset, result, waiting)
        waiting.response.topics.append(DeleteRecordsTopicResult(name=topic.name, partitions=results))
    return waiting.answer()


def _delete(
    broker: Broker, partition: Partition, offset: int, result: DeleteRecordsPartitionResult, waiting: _Waiting
) -> None:
    config = partition.log.config
    if partition.internal:
        result.error_code = ErrorCode.INVALID_TOPIC_EXCEPTION
    elif "delete" not in config.cleanup_policy and "compact" in config.cleanup_policy:
        result.error_code = ErrorCode.POLICY_VIOLATION
    else:
        before = partition.high_watermark if offset == _UP_TO_HIGH_WATERMARK else offset
        if not 0 <= before <= partition.high_watermark:
            result.error_code = ErrorCode.OFFSET_OUT_OF_RANGE
            return
        waiting.open += 1

        def durable(error: StorageError | None) -> None:
            if error is None:
                result.low_watermark = partition.log.log_start_offset
            else:
                result.error_code = ErrorCode.KAFKA_STORAGE_ERROR
            waiting.one_done()

        try:
            broker.logs.delete_records(partition.log, before, durable)
        except StorageError as error:
            durable(error)


class _Waiting:
    """Counts the partitions whose new log start is not durable yet."""

    def __init__(self, context: RequestContext) -> None:
        self.response = DeleteRecordsResponse()
        self.open = 0
        self._context = context
        self._parked = False

    def one_done(self) -> None:
        self.open -= 1
        if self.open == 0 and self._parked:
            self._context.reply(self.response)

    def answer(self) -> DeleteRecordsResponse | Later:
        if self.open == 0:
            return self.response
        self._parked = True
        return PARKED
