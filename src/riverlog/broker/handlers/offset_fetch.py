"""OffsetFetch: how far a group has read.

Versions 1–10. Nothing that is not committed in the offsets topic is told.
Differs from Kafka: asked by name, an offset committed for an earlier topic of that name is not told (Kafka
does so when asked by id).
KIPs: 211, 320 (leader epochs from 5), 447 (require stable from 7), 709 (several groups from 8), 848 (member
epochs from 9, topic ids in 10).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.coordinator.group.offsets_api import fetch, fetch_failed
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.offset_fetch_request import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)
from riverlog.protocol.generated.offset_fetch_response import (
    OffsetFetchResponse,
    OffsetFetchResponseGroup,
    OffsetFetchResponsePartition,
    OffsetFetchResponsePartitions,
    OffsetFetchResponseTopic,
    OffsetFetchResponseTopics,
)
from riverlog.protocol.primitives import ZERO_UUID

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

_BATCHED_VERSION_MIN = 8
_TOPIC_ID_VERSION_MIN = 10


@handler(ApiKey.OFFSET_FETCH, versions=(1, 10))
def offset_fetch(
    broker: Broker, context: RequestContext, request: OffsetFetchRequest
) -> OffsetFetchResponse | Later:
    groups = request.groups
    if context.api_version < _BATCHED_VERSION_MIN:
        groups = [_single(request)]
    answers: dict[int, OffsetFetchResponseGroup] = {}

    def answered(number: int) -> Callable[[OffsetFetchResponseGroup], None]:
        def answer(response: OffsetFetchResponseGroup) -> None:
            answers[number] = response
            if len(answers) == len(groups):
                context.reply(_response(context, [answers[at] for at in range(len(groups))]))

        return answer

    for number, group in enumerate(groups):
        _fetch(broker, context, group, request.require_stable, answered(number))
    return PARKED if groups else OffsetFetchResponse()


def _single(request: OffsetFetchRequest) -> OffsetFetchRequestGroup:
    """Before version 8: one group, in fields of its own."""
    topics = None
    if request.topics is not None:
        topics = [
            OffsetFetchRequestTopics(name=topic.name, partition_indexes=topic.partition_indexes)
            for topic in request.topics
        ]
    return OffsetFetchRequestGroup(group_id=request.group_id, topics=topics)


def _fetch(
    broker: Broker,
    context: RequestContext,
    group: OffsetFetchRequestGroup,
    require_stable: bool,
    to: Callable[[OffsetFetchResponseGroup], None],
) -> None:
    unknown = _resolve(broker, context, group)

    def complete(response: OffsetFetchResponseGroup) -> None:
        if not response.error_code:
            response.topics += unknown
            if group.topics is None and context.api_version >= _TOPIC_ID_VERSION_MIN:
                response.topics = _with_ids(broker, response.topics)
        to(response)

    error = broker.groups.submit(
        group.group_id,
        lambda machine, _: fetch(
            machine, group, api_version=context.api_version, require_stable=require_stable, to=complete
        ),
    )
    if error:
        to(fetch_failed(group, error, api_version=context.api_version))


def _resolve(
    broker: Broker, context: RequestContext, group: OffsetFetchRequestGroup
) -> list[OffsetFetchResponseTopics]:
    """Give every topic its name and id; takes out ids that no topic has, and answers for them."""
    if group.topics is None:
        return []
    image = broker.metadata.image
    if context.api_version < _TOPIC_ID_VERSION_MIN:
        for topic in group.topics:
            known = image.topics.get(topic.name)
            topic.topic_id = ZERO_UUID if known is None else known.topic_id
        return []
    unknown: list[OffsetFetchResponseTopics] = []
    kept: list[OffsetFetchRequestTopics] = []
    for topic in group.topics:
        known = image.topics_by_id.get(topic.topic_id)
        if known is not None:
            topic.name = known.name
            kept.append(topic)
            continue
        partitions = [
            OffsetFetchResponsePartitions(
                partition_index=index, committed_offset=-1, error_code=ErrorCode.UNKNOWN_TOPIC_ID
            )
            for index in topic.partition_indexes
        ]
        unknown.append(OffsetFetchResponseTopics(topic_id=topic.topic_id, partitions=partitions))
    group.topics = kept
    return unknown


def _with_ids(broker: Broker, topics: list[OffsetFetchResponseTopics]) -> list[OffsetFetchResponseTopics]:
    """All topics of a group by id: those committed without one get today's, those gone are left out."""
    known = broker.metadata.image.topics
    for topic in topics:
        if topic.topic_id == ZERO_UUID and topic.name in known:
            topic.topic_id = known[topic.name].topic_id
    return [topic for topic in topics if topic.topic_id != ZERO_UUID]


def _response(context: RequestContext, groups: list[OffsetFetchResponseGroup]) -> OffsetFetchResponse:
    if context.api_version >= _BATCHED_VERSION_MIN:
        return OffsetFetchResponse(groups=groups)
    group = groups[0]
    return OffsetFetchResponse(
        error_code=group.error_code,
        topics=[
            OffsetFetchResponseTopic(
                name=topic.name,
                partitions=[
                    OffsetFetchResponsePartition(
                        partition_index=partition.partition_index,
                        committed_offset=partition.committed_offset,
                        committed_leader_epoch=partition.committed_leader_epoch,
                        metadata=partition.metadata,
                        error_code=partition.error_code,
                    )
                    for partition in topic.partitions
                ],
            )
            for topic in group.topics
        ],
    )
