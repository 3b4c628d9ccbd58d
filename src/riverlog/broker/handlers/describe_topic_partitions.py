"""DescribeTopicPartitions: topics in pages, with their eligible leader replicas.

Version 0. Differs from Kafka: nothing known.
KIPs: 966.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base import broker_configs
from riverlog.base.errors import ErrorCode
from riverlog.broker.partition_status import leader_of, offline_replicas
from riverlog.broker.registry import handler
from riverlog.metadata.topics import topic_name_error
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_topic_partitions_request import DescribeTopicPartitionsRequest
from riverlog.protocol.generated.describe_topic_partitions_response import (
    Cursor,
    DescribeTopicPartitionsResponse,
    DescribeTopicPartitionsResponsePartition,
    DescribeTopicPartitionsResponseTopic,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.metadata.image import TopicState


@handler(ApiKey.DESCRIBE_TOPIC_PARTITIONS, versions=(0, 0))
def describe_topic_partitions(
    broker: Broker, context: RequestContext, request: DescribeTopicPartitionsRequest
) -> DescribeTopicPartitionsResponse:
    image = broker.metadata.image
    names = sorted({topic.name for topic in request.topics} or image.topics)
    first = 0
    if request.cursor is not None:
        names = [name for name in names if name >= request.cursor.topic_name]
        if names and names[0] == request.cursor.topic_name:
            first = max(0, request.cursor.partition_index)
    limit = broker.config[broker_configs.MAX_REQUEST_PARTITION_SIZE_LIMIT]
    left = min(request.response_partition_limit, limit) if request.response_partition_limit > 0 else limit
    response = DescribeTopicPartitionsResponse()
    for name in names:
        if left == 0:
            response.next_cursor = Cursor(topic_name=name, partition_index=0)
            break
        topic = image.topics.get(name)
        if topic is None:
            error = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
            if topic_name_error(name) is not None:
                error = ErrorCode.INVALID_TOPIC_EXCEPTION
            response.topics.append(DescribeTopicPartitionsResponseTopic(error_code=error, name=name))
            continue
        indexes = [index for index in sorted(topic.partitions) if index >= first]
        first = 0
        response.topics.append(_topic(broker, topic, indexes[:left]))
        if len(indexes) > left:
            response.next_cursor = Cursor(topic_name=name, partition_index=indexes[left])
            break
        left -= len(indexes)
    return response


def _topic(broker: Broker, topic: TopicState, indexes: list[int]) -> DescribeTopicPartitionsResponseTopic:
    partitions = []
    for index in indexes:
        state = topic.partitions[index]
        leader = leader_of(broker, topic.name, index, state)
        partitions.append(
            DescribeTopicPartitionsResponsePartition(
                error_code=ErrorCode.NONE if leader >= 0 else ErrorCode.LEADER_NOT_AVAILABLE,
                partition_index=index,
                leader_id=leader,
                leader_epoch=state.leader_epoch,
                replica_nodes=list(state.replicas),
                isr_nodes=list(state.isr),
                eligible_leader_replicas=list(state.eligible_leader_replicas),
                last_known_elr=list(state.last_known_elr),
                offline_replicas=offline_replicas(broker, topic.name, index, state),
            )
        )
    return DescribeTopicPartitionsResponseTopic(
        name=topic.name, topic_id=topic.topic_id, is_internal=topic.internal, partitions=partitions
    )
