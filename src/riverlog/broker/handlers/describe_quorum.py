"""DescribeQuorum: the voters of the metadata log and how far each of them is.

Versions 0–2. This node is the only voter and always leads.
Differs from Kafka: nothing known.
KIPs: 595, 836 (times), 853 (directory ids and listeners).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import handler
from riverlog.metadata.image import METADATA_TOPIC
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_quorum_request import DescribeQuorumRequest
from riverlog.protocol.generated.describe_quorum_response import (
    DescribeQuorumResponse,
    Listener,
    Node,
    PartitionData,
    ReplicaState,
    TopicData,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

_TIMES_VERSION_MIN = 1
_DIRECTORIES_VERSION_MIN = 2


@handler(ApiKey.DESCRIBE_QUORUM, versions=(0, 2))
def describe_quorum(
    broker: Broker, context: RequestContext, request: DescribeQuorumRequest
) -> DescribeQuorumResponse:
    version = context.api_version
    asked = [
        (topic.topic_name, part.partition_index) for topic in request.topics for part in topic.partitions
    ]
    if asked == [(METADATA_TOPIC, 0)] and len(request.topics) == 1:
        topic = TopicData(topic_name=METADATA_TOPIC, partitions=[_quorum(broker, version)])
        nodes = _nodes(broker) if version >= _DIRECTORIES_VERSION_MIN else []
        return DescribeQuorumResponse(topics=[topic], nodes=nodes)
    message = "This server does not host this topic-partition."
    return DescribeQuorumResponse(
        topics=[
            TopicData(
                topic_name=topic.topic_name,
                partitions=[
                    PartitionData(
                        partition_index=part.partition_index,
                        error_code=ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                        error_message=message if version >= _DIRECTORIES_VERSION_MIN else "",
                    )
                    for part in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )


def _quorum(broker: Broker, version: int) -> PartitionData:
    metadata = broker.metadata
    voter = ReplicaState(replica_id=metadata.node_id, log_end_offset=metadata.quorum.end_offset)
    if version >= _TIMES_VERSION_MIN:
        voter.last_fetch_timestamp = voter.last_caught_up_timestamp = broker.clock.now_ms()
    if version >= _DIRECTORIES_VERSION_MIN and metadata.voters is not None:
        for known in metadata.voters.voters:
            if known.voter_id == metadata.node_id:
                voter.replica_directory_id = known.voter_directory_id
    return PartitionData(
        partition_index=0,
        leader_id=metadata.node_id,
        leader_epoch=metadata.leader_epoch,
        high_watermark=metadata.committed_offset,
        current_voters=[voter],
    )


def _nodes(broker: Broker) -> list[Node]:
    metadata = broker.metadata
    if metadata.voters is None:
        return [Node(node_id=metadata.node_id)]
    return [
        Node(
            node_id=voter.voter_id,
            listeners=[Listener(name=e.name, host=e.host, port=e.port) for e in voter.endpoints],
        )
        for voter in metadata.voters.voters
    ]
