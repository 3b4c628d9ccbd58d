"""Produce.

Versions 3–13; 0–2 are advertised (librdkafka gates lz4 on them) and refused.
Differs from Kafka: batches stay opaque (no per-record checks) unless the topic recompresses,
is compacted or the batch needs new timestamps; requests of one connection overlap while
they wait for the disk, replies keep their order.
KIPs: 98 (idempotence), 110 (zstd from 7), 516 (topic ids from 13).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import NO_REPLY, PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.produce_request import PartitionProduceData, ProduceRequest
from riverlog.protocol.generated.produce_response import (
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)
from riverlog.records import validate_produce
from riverlog.storage import AppendError

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.replication import Partition

_TOPIC_ID_VERSION_MIN = 13


@handler(ApiKey.PRODUCE, versions=(3, 13), advertised=(0, 13))
def produce(broker: Broker, context: RequestContext, request: ProduceRequest) -> ProduceResponse | Later:
    acks = request.acks
    waits: list[tuple[Partition, int, PartitionProduceResponse]] = []
    failed = False
    topics = []
    for topic in request.topic_data:
        partitions = []
        for data in topic.partition_data:
            if acks not in (-1, 0, 1):
                answer = _error(data.index, ErrorCode.INVALID_REQUIRED_ACKS)
            else:
                name = broker.topic_name(topic.topic_id) if topic.topic_id != _NO_ID else topic.name
                partition = broker.partition(name, data.index)
                if isinstance(partition, ErrorCode):
                    by_id = context.api_version >= _TOPIC_ID_VERSION_MIN and name is None
                    answer = _error(data.index, ErrorCode.UNKNOWN_TOPIC_ID if by_id else partition)
                else:
                    answer = _append(broker, context, request, partition, data, waits)
            failed = failed or answer.error_code != 0
            partitions.append(answer)
        topics.append(
            TopicProduceResponse(name=topic.name, topic_id=topic.topic_id, partition_responses=partitions)
        )
    if acks == 0:
        if failed:
            # The client expects no reply: a closed connection is how it learns (as in Kafka).
            context.session.connection.close("produce with acks=0 failed")
        return NO_REPLY
    response = ProduceResponse(responses=topics)
    if acks == -1 and waits and _Waiting(broker, context, request.timeout_ms, response, waits).begin():
        return PARKED
    return response


_NO_ID = bytes(16)


def _append(
    broker: Broker,
    context: RequestContext,
    request: ProduceRequest,
    partition: Partition,
    data: PartitionProduceData,
    waits: list[tuple[Partition, int, PartitionProduceResponse]],
) -> PartitionProduceResponse:
    """Validate and append one partition's batch."""
    now_ms = broker.clock.now_ms()
    log = partition.log
    if partition.internal:
        return _error(
            data.index, ErrorCode.INVALID_TOPIC_EXCEPTION, "internal topics are written by the broker only"
        )
    records = data.records
    batch = validate_produce(
        records if isinstance(records, memoryview) else _EMPTY,
        partition.validation,
        now_ms,
        request_version=context.api_version,
    )
    if isinstance(batch, tuple):
        return _error(data.index, *batch)
    header = batch.header
    if header.is_transactional:
        return _error(
            data.index, ErrorCode.INVALID_TXN_STATE, "transactions are not served by this broker yet"
        )
    try:
        info = partition.append(batch.buffer, header, now_ms)
    except AppendError as refused:
        return _error(data.index, refused.code, refused.message)
    answer = PartitionProduceResponse(
        index=data.index,
        base_offset=info.first_offset,
        log_append_time_ms=batch.log_append_time_ms,
        log_start_offset=log.log_start_offset,
    )
    if request.acks == -1:
        waits.append((partition, info.last_offset, answer))
    return answer


_EMPTY = memoryview(bytearray())


def _error(index: int, code: ErrorCode, message: str | None = None) -> PartitionProduceResponse:
    return PartitionProduceResponse(
        index=index, error_code=code, base_offset=-1, log_start_offset=-1, error_message=message
    )


class _Waiting:
    """A produce with ``acks=all`` that waits for the watermark of its partitions."""

    __slots__ = ("_broker", "_context", "_open", "_response", "_timeout_ms", "_timer", "_waits")

    def __init__(
        self,
        broker: Broker,
        context: RequestContext,
        timeout_ms: int,
        response: ProduceResponse,
        waits: list[tuple[Partition, int, PartitionProduceResponse]],
    ) -> None:
        self._broker = broker
        self._context = context
        self._timeout_ms = timeout_ms
        self._response = response
        self._waits = waits
        self._open: dict[int, PartitionProduceResponse] = {}

    def begin(self) -> bool:
        """False if everything is committed already."""
        for number, (partition, last_offset, answer) in enumerate(self._waits):
            if partition.when_committed(last_offset, self._committed(number)):
                self._open[number] = answer
        if not self._open:
            return False
        self._timer = self._broker.clock.call_later(max(0, self._timeout_ms) / 1000, self._timed_out)
        return True

    def _committed(self, number: int) -> Callable[[ErrorCode], None]:
        def done(error: ErrorCode) -> None:
            answer = self._open.pop(number, None)
            if answer is None:
                return  # it timed out before
            if error:
                _fail(answer, error)
            if not self._open:
                self._timer.cancel()
                self._context.reply(self._response)

        return done

    def _timed_out(self) -> None:
        for answer in self._open.values():
            _fail(answer, ErrorCode.REQUEST_TIMED_OUT)
        self._open.clear()
        self._context.reply(self._response)


def _fail(answer: PartitionProduceResponse, error: ErrorCode) -> None:
    answer.error_code = error
    answer.base_offset = -1
    answer.log_append_time_ms = -1
