"""DescribeQuorum: the voters of the metadata log and how far each of them is.

Versions 0–2, forwarded to the active controller, answered by Raft.
Differs from Kafka: nothing known.
KIPs: 595, 836 (times), 853 (directory ids and listeners).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import BOTH, PARKED, Later, handler
from riverlog.metadata.image import METADATA_TOPIC
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_quorum_request import DescribeQuorumRequest
from riverlog.protocol.generated.describe_quorum_response import (
    DescribeQuorumResponse,
    PartitionData,
    TopicData,
)
from riverlog.protocol.primitives import ZERO_UUID

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

_TIMES_VERSION_MIN = 1
_DIRECTORIES_VERSION_MIN = 2


@handler(ApiKey.DESCRIBE_QUORUM, versions=(0, 2), on=BOTH, forward=True)
def describe_quorum(
    broker: Broker, context: RequestContext, request: DescribeQuorumRequest
) -> DescribeQuorumResponse | Later:
    asked = [
        (topic.topic_name, part.partition_index) for topic in request.topics for part in topic.partitions
    ]
    if asked != [(METADATA_TOPIC, 0)] or len(request.topics) != 1:
        return _unknown(request, context.api_version)

    def reply(response: DescribeQuorumResponse) -> None:
        _leave_out(response, context.api_version)
        context.reply(response)

    broker.metadata.raft.handle_describe_quorum(
        request, reply, version=context.api_version, listener=context.session.listener
    )
    return PARKED


def _leave_out(response: DescribeQuorumResponse, version: int) -> None:
    """What the asker's version does not have."""
    if version < _DIRECTORIES_VERSION_MIN:
        response.error_message = ""
        response.nodes = []
    for topic in response.topics:
        for partition in topic.partitions:
            if version < _DIRECTORIES_VERSION_MIN:
                partition.error_message = ""
            for replica in (*partition.current_voters, *partition.observers):
                if version < _DIRECTORIES_VERSION_MIN:
                    replica.replica_directory_id = ZERO_UUID
                if version < _TIMES_VERSION_MIN:
                    replica.last_fetch_timestamp = replica.last_caught_up_timestamp = -1


def _unknown(request: DescribeQuorumRequest, version: int) -> DescribeQuorumResponse:
    """Anything but the one partition there is."""
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
