"""OffsetForLeaderEpoch: where an epoch ends in our log, for clients that check for truncation.

Versions 2–4. Differs from Kafka: nothing known.
KIPs: 101, 279, 320.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
)
from riverlog.protocol.generated.offset_for_leader_epoch_response import (
    EpochEndOffset,
    OffsetForLeaderEpochResponse,
    OffsetForLeaderTopicResult,
)
from riverlog.storage import LogError

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.OFFSET_FOR_LEADER_EPOCH, versions=(2, 4))
def offset_for_leader_epoch(
    broker: Broker, context: RequestContext, request: OffsetForLeaderEpochRequest
) -> OffsetForLeaderEpochResponse:
    return OffsetForLeaderEpochResponse(
        topics=[
            OffsetForLeaderTopicResult(
                topic=topic.topic,
                partitions=[_epoch_end(broker, topic.topic, wanted) for wanted in topic.partitions],
            )
            for topic in request.topics
        ]
    )


def _epoch_end(broker: Broker, topic: str, wanted: OffsetForLeaderPartition) -> EpochEndOffset:
    partition = broker.replicas.led(topic, wanted.partition)
    error = (
        partition if isinstance(partition, ErrorCode) else partition.check_epoch(wanted.current_leader_epoch)
    )
    if isinstance(partition, ErrorCode) or error:
        return EpochEndOffset(partition=wanted.partition, error_code=error)
    if wanted.leader_epoch == partition.leader_epoch:
        return EpochEndOffset(
            partition=wanted.partition,
            leader_epoch=partition.leader_epoch,
            end_offset=partition.log.log_end_offset,
        )
    try:
        epoch, end_offset = partition.log.end_offset_for_epoch(wanted.leader_epoch)
    except LogError as refused:
        return EpochEndOffset(partition=wanted.partition, error_code=refused.code)
    return EpochEndOffset(partition=wanted.partition, leader_epoch=epoch, end_offset=end_offset)
