"""OffsetDelete: forget offsets of topics that a group does not read.

Version 0.
Differs from Kafka: nothing known.
KIPs: 496.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.coordinator.group.offsets_api import delete
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.offset_delete_request import OffsetDeleteRequest, OffsetDeleteRequestTopic
from riverlog.protocol.generated.offset_delete_response import (
    OffsetDeleteResponse,
    OffsetDeleteResponsePartition,
    OffsetDeleteResponseTopic,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.OFFSET_DELETE, versions=(0, 0))
def offset_delete(
    broker: Broker, context: RequestContext, request: OffsetDeleteRequest
) -> OffsetDeleteResponse | Later:
    refused = _take_out_unknown(broker, request)
    if not request.group_id:
        return OffsetDeleteResponse(error_code=ErrorCode.INVALID_GROUP_ID)

    def reply(response: OffsetDeleteResponse) -> None:
        if not response.error_code:
            for topic in response.topics:
                known = refused.setdefault(topic.name, topic)
                if known is not topic:
                    known.partitions += topic.partitions
            response.topics = list(refused.values())
        context.reply(response)

    error = broker.groups.submit(request.group_id, lambda machine, _: delete(machine, request, reply))
    return OffsetDeleteResponse(error_code=error) if error else PARKED


def _take_out_unknown(broker: Broker, request: OffsetDeleteRequest) -> dict[str, OffsetDeleteResponseTopic]:
    """Leave what exists in the request; answers for the rest, by topic."""
    image = broker.metadata.image
    refused: dict[str, OffsetDeleteResponseTopic] = {}
    kept: list[OffsetDeleteRequestTopic] = []
    for topic in request.topics:
        known = image.topics.get(topic.name)
        existing = {} if known is None else known.partitions
        present = [wanted for wanted in topic.partitions if wanted.partition_index in existing]
        bad = [
            wanted.partition_index for wanted in topic.partitions if wanted.partition_index not in existing
        ]
        if bad:
            refused[topic.name] = OffsetDeleteResponseTopic(
                name=topic.name,
                partitions=[
                    OffsetDeleteResponsePartition(
                        partition_index=index, error_code=ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
                    )
                    for index in bad
                ],
            )
        if present:
            topic.partitions = present
            kept.append(topic)
    request.topics = kept
    return refused
