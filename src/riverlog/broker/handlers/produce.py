"""Produce.

Versions 3–13; 0–2 are advertised (librdkafka gates lz4 on them) and refused.
Differs from Kafka: batches stay opaque unless the topic recompresses, is compacted or the batch needs
new timestamps, so a batch with a right CRC around garbage records or a false codec is taken; requests
of one connection overlap while they wait for the disk, replies keep their order.
KIPs: 98 (idempotence), 110 (zstd from 7), 516 (topic ids from 13), 951 (the leader with the error, from 10).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.gather import Gather
from riverlog.broker.leader_hints import HINTED, current_leader, node_endpoints
from riverlog.broker.registry import NO_REPLY, PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.produce_request import PartitionProduceData, ProduceRequest
from riverlog.protocol.generated.produce_response import (
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)
from riverlog.records import validate_produce
from riverlog.storage import LogError

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.replication import Partition

_TOPIC_ID_VERSION_MIN = 13
_LEADER_VERSION_MIN = 10


@handler(ApiKey.PRODUCE, versions=(3, 13), advertised=(0, 13))
def produce(broker: Broker, context: RequestContext, request: ProduceRequest) -> ProduceResponse | Later:
    acks = request.acks
    response = ProduceResponse()
    gather = Gather(broker.clock, lambda: context.reply(_with_leaders(broker, context, response)))
    failed = False
    for topic in request.topic_data:
        partitions = []
        for data in topic.partition_data:
            if acks not in (-1, 0, 1):
                answer = _error(data.index, ErrorCode.INVALID_REQUIRED_ACKS)
            else:
                name = broker.topic_name(topic.topic_id) if topic.topic_id != _NO_ID else topic.name
                partition = broker.replicas.led(name, data.index)
                if isinstance(partition, ErrorCode):
                    by_id = context.api_version >= _TOPIC_ID_VERSION_MIN and not name
                    answer = _error(data.index, ErrorCode.UNKNOWN_TOPIC_ID if by_id else partition)
                else:
                    answer = _append(broker, context, request, partition, data, gather)
            failed = failed or answer.error_code != 0
            partitions.append(answer)
        response.responses.append(
            TopicProduceResponse(name=topic.name, topic_id=topic.topic_id, partition_responses=partitions)
        )
    if acks == 0:
        if failed:
            # The client expects no reply: a closed connection is how it learns (as in Kafka).
            context.session.connection.close("produce with acks=0 failed")
        return NO_REPLY
    if gather.begin(request.timeout_ms):
        return PARKED
    return _with_leaders(broker, context, response) if failed else response


def _with_leaders(broker: Broker, context: RequestContext, response: ProduceResponse) -> ProduceResponse:
    """Tell those who came to the wrong broker where to go."""
    if context.api_version < _LEADER_VERSION_MIN:
        return response
    leaders: dict[int, None] = {}
    for topic in response.responses:
        for answer in topic.partition_responses:
            if answer.error_code in HINTED:
                name = topic.name or broker.topic_name(topic.topic_id)
                leader = current_leader(broker, name, answer.index)
                if leader is not None:
                    answer.current_leader = LeaderIdAndEpoch(*leader)
                    leaders[leader[0]] = None
    if leaders:
        response.node_endpoints = node_endpoints(broker, context.session.listener, leaders, NodeEndpoint)
    return response


_NO_ID = bytes(16)


def _append(
    broker: Broker,
    context: RequestContext,
    request: ProduceRequest,
    partition: Partition,
    data: PartitionProduceData,
    gather: Gather,
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
    if request.acks == -1 and partition.is_under_min_isr:
        partition.refused.note(header)
        return _error(data.index, ErrorCode.NOT_ENOUGH_REPLICAS)
    if partition.refused and not partition.refused.allows(header):
        message = "an earlier batch of this producer was refused and has not come again"
        return _error(data.index, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, message)
    try:
        info = partition.append(batch.buffer, header, now_ms)
    except LogError as refused:
        return _error(data.index, refused.code, refused.message)
    answer = PartitionProduceResponse(
        index=data.index,
        base_offset=info.first_offset,
        log_append_time_ms=batch.log_append_time_ms,
        log_start_offset=log.log_start_offset,
    )
    if request.acks == -1:
        gather.wait(partition, info.last_offset, _failing(answer))
    return answer


_EMPTY = memoryview(bytearray())


def _error(index: int, code: ErrorCode, message: str | None = None) -> PartitionProduceResponse:
    return PartitionProduceResponse(
        index=index, error_code=code, base_offset=-1, log_start_offset=-1, error_message=message
    )


def _failing(answer: PartitionProduceResponse) -> Callable[[ErrorCode], None]:
    """Turns an answer into an error if its batch is not committed in time."""

    def fail(error: ErrorCode) -> None:
        answer.error_code = error
        answer.base_offset = -1
        answer.log_append_time_ms = -1

    return fail
