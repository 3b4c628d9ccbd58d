"""OffsetCommit: remember how far a group has read.

Versions 2–10. Answered once the offsets are committed in the offsets topic; a topic or partition that does
not exist is refused, the others are kept.
Differs from Kafka: nothing known.
KIPs: 211 (expiry by group from 5), 320 (leader epochs from 6), 345 (static members from 7), 848 (member
epochs from 9), 848 and 516 (topic ids in 10), 1251 (older member epochs).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.coordinator.group.offsets_api import commit, commit_failed
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.offset_commit_request import OffsetCommitRequest, OffsetCommitRequestTopic
from riverlog.protocol.generated.offset_commit_response import (
    OffsetCommitResponse,
    OffsetCommitResponsePartition,
    OffsetCommitResponseTopic,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.metadata.image import TopicState

_TOPIC_ID_VERSION_MIN = 10


@handler(ApiKey.OFFSET_COMMIT, versions=(2, 10))
def offset_commit(
    broker: Broker, context: RequestContext, request: OffsetCommitRequest
) -> OffsetCommitResponse | Later:
    refused = _take_out_unknown(broker, context, request)
    if not request.topics:
        return OffsetCommitResponse(topics=refused)

    def reply(response: OffsetCommitResponse) -> None:
        context.reply(OffsetCommitResponse(topics=_merged(refused, response.topics)))

    error = broker.groups.submit(
        request.group_id,
        lambda machine, now_ms: commit(
            machine, request, api_version=context.api_version, now_ms=now_ms, to=reply
        ),
    )
    if error:
        reply(commit_failed(request, error))
    return PARKED


def _take_out_unknown(
    broker: Broker, context: RequestContext, request: OffsetCommitRequest
) -> list[OffsetCommitResponseTopic]:
    """Leave what exists in the request, with name and id; answers for the rest."""
    image = broker.metadata.image
    by_id = context.api_version >= _TOPIC_ID_VERSION_MIN
    refused: list[OffsetCommitResponseTopic] = []
    kept: list[OffsetCommitRequestTopic] = []
    for topic in request.topics:
        known = image.topics_by_id.get(topic.topic_id) if by_id else image.topics.get(topic.name)
        bad = _refusals(topic, known, by_id=by_id)
        if known is not None:
            topic.name = known.name
            topic.topic_id = known.topic_id
        if bad:
            refused.append(
                OffsetCommitResponseTopic(name=topic.name, topic_id=topic.topic_id, partitions=bad)
            )
        if known is not None:
            topic.partitions = [
                wanted for wanted in topic.partitions if wanted.partition_index in known.partitions
            ]
            if topic.partitions:
                kept.append(topic)
    request.topics = kept
    return refused


def _refusals(
    topic: OffsetCommitRequestTopic, known: TopicState | None, *, by_id: bool
) -> list[OffsetCommitResponsePartition]:
    error = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if known is None and by_id:
        error = ErrorCode.UNKNOWN_TOPIC_ID
    return [
        OffsetCommitResponsePartition(partition_index=wanted.partition_index, error_code=error)
        for wanted in topic.partitions
        if known is None or wanted.partition_index not in known.partitions
    ]


def _merged(
    refused: list[OffsetCommitResponseTopic], answered: list[OffsetCommitResponseTopic]
) -> list[OffsetCommitResponseTopic]:
    """Each topic once, as clients expect."""
    if not refused:
        return answered
    topics = {(topic.name, topic.topic_id): topic for topic in refused}
    for topic in answered:
        known = topics.setdefault((topic.name, topic.topic_id), topic)
        if known is not topic:
            known.partitions += topic.partitions
    return list(topics.values())
