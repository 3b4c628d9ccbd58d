"""DescribeProducers: the idempotent and transactional producers a partition knows.

Version 0. Any replica answers, with what it has. Differs from Kafka: nothing known.
KIPs: 664.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_producers_request import DescribeProducersRequest
from riverlog.protocol.generated.describe_producers_response import (
    DescribeProducersResponse,
    PartitionResponse,
    ProducerState,
    TopicResponse,
)
from riverlog.storage import LogError

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.DESCRIBE_PRODUCERS, versions=(0, 0))
def describe_producers(
    broker: Broker, context: RequestContext, request: DescribeProducersRequest
) -> DescribeProducersResponse:
    return DescribeProducersResponse(
        topics=[
            TopicResponse(
                name=topic.name,
                partitions=[_producers(broker, topic.name, index) for index in topic.partition_indexes],
            )
            for topic in request.topics
        ]
    )


def _producers(broker: Broker, topic: str, index: int) -> PartitionResponse:
    partition = broker.replicas.get(topic, index)
    if isinstance(partition, ErrorCode):
        return PartitionResponse(partition_index=index, error_code=partition)
    try:
        states = partition.log.producer_states()
    except LogError as refused:
        return PartitionResponse(partition_index=index, error_code=refused.code)
    return PartitionResponse(
        partition_index=index,
        active_producers=[
            ProducerState(
                producer_id=state.producer_id,
                producer_epoch=state.producer_epoch,
                last_sequence=state.last_sequence,
                last_timestamp=state.last_timestamp,
                coordinator_epoch=state.coordinator_epoch,
                current_txn_start_offset=state.txn_first_offset,
            )
            for state in states
        ],
    )
