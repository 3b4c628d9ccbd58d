"""What every Produce does with one partition's batch: check it, append it, wait for it to be committed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.gather import Gather
from riverlog.broker.leader_hints import HINTED, current_leader, node_endpoints
from riverlog.protocol.generated.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from riverlog.protocol.generated.produce_response import (
    BatchIndexAndErrorMessage,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)
from riverlog.records import ValidBatch, validate_produce
from riverlog.replication import Partition
from riverlog.storage import LogError, VerificationGuard

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

ALL = -1
ACKS = (-1, 0, 1)
_LEADER_VERSION_MIN = 10
_TOPIC_ID_VERSION_MIN = 13
_NO_ID = bytes(16)
_EMPTY = memoryview(bytearray())
_NO_ERRORS: list[BatchIndexAndErrorMessage] = []
_NO_LEADER = LeaderIdAndEpoch()
"""Parts of many answers: replaced where there is something to say, never changed."""


def find(
    broker: Broker, context: RequestContext, topic: TopicProduceData, data: PartitionProduceData
) -> Partition | ErrorCode:
    """The partition that a client names, if this broker leads it and clients may write to it."""
    name = broker.topic_name(topic.topic_id) if topic.topic_id != _NO_ID else topic.name
    partition = broker.replicas.led(name, data.index)
    if isinstance(partition, ErrorCode):
        broker.replicas.refused.note(name or topic.topic_id, data)
        by_id = context.api_version >= _TOPIC_ID_VERSION_MIN and not name
        return ErrorCode.UNKNOWN_TOPIC_ID if by_id else partition
    return partition


def check(
    context: RequestContext, partition: Partition, data: PartitionProduceData, now_ms: int
) -> ValidBatch | PartitionProduceResponse:
    """The batch, in the topic's form; or the answer that refuses it."""
    if partition.internal:
        return refused(
            data.index, ErrorCode.INVALID_TOPIC_EXCEPTION, "internal topics are written by the broker only"
        )
    records = data.records
    batch = validate_produce(
        records if isinstance(records, memoryview) else _EMPTY,
        partition.validation,
        now_ms,
        request_version=context.api_version,
    )
    return refused(data.index, *batch) if isinstance(batch, tuple) else batch


def write(
    partition: Partition,
    batch: ValidBatch,
    now_ms: int,
    gather: Gather | None,
    guard: VerificationGuard | None = None,
) -> PartitionProduceResponse:
    """Append one valid batch; ``gather`` waits for it, where all replicas must have it (``acks=all``)."""
    header = batch.header
    index = partition.index
    if gather is not None and partition.is_under_min_isr:
        partition.log.note_refused(header, now_ms)
        return refused(index, ErrorCode.NOT_ENOUGH_REPLICAS)
    try:
        info = partition.append(batch.buffer, header, now_ms, guard)
    except LogError as problem:
        return refused(index, problem.code, problem.message)
    # All fields, and shared defaults: this runs once per batch.
    answer = PartitionProduceResponse(
        index,
        0,
        info.first_offset,
        batch.log_append_time_ms,
        partition.log.log_start_offset,
        _NO_ERRORS,
        None,
        _NO_LEADER,
    )
    if gather is not None:
        gather.wait(partition, info.last_offset, _failing(answer))
    return answer


def refused(index: int, code: ErrorCode, message: str | None = None) -> PartitionProduceResponse:
    return PartitionProduceResponse(
        index=index, error_code=code, base_offset=-1, log_start_offset=-1, error_message=message
    )


def refused_whole(request: ProduceRequest, code: ErrorCode, message: str | None = None) -> ProduceResponse:
    """The same answer to each of its partitions."""
    return ProduceResponse(
        responses=[
            TopicProduceResponse(
                name=topic.name,
                topic_id=topic.topic_id,
                partition_responses=[refused(data.index, code, message) for data in topic.partition_data],
            )
            for topic in request.topic_data
        ]
    )


def _failing(answer: PartitionProduceResponse) -> Callable[[ErrorCode], None]:
    """Turns an answer into an error if its batch is not committed in time."""

    def fail(error: ErrorCode) -> None:
        answer.error_code = error
        answer.base_offset = -1
        answer.log_append_time_ms = -1

    return fail


def with_leaders(broker: Broker, context: RequestContext, response: ProduceResponse) -> ProduceResponse:
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
