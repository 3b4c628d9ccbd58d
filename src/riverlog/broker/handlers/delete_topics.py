"""DeleteTopics, by name or (from 6) by id.

Versions 1–6. Forwarded to the active controller, decided there, answered once durable; files go in the
background.
Differs from Kafka: nothing known.
KIPs: 4, 516 (topic ids).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base import broker_configs
from riverlog.base.errors import ErrorCode
from riverlog.broker.quotas import mutation_quota
from riverlog.broker.registry import BOTH, PARKED, Later, handler
from riverlog.metadata import topics
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from riverlog.protocol.generated.delete_topics_response import DeletableTopicResult, DeleteTopicsResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.DELETE_TOPICS, versions=(1, 6), on=BOTH, forward=True)
def delete_topics(
    broker: Broker, context: RequestContext, request: DeleteTopicsRequest
) -> DeleteTopicsResponse | Later:
    settings = broker.metadata.settings
    if not broker.config[broker_configs.DELETE_TOPIC_ENABLE]:
        error = ErrorCode.TOPIC_DELETION_DISABLED if context.api_version >= 3 else ErrorCode.INVALID_REQUEST
        return DeleteTopicsResponse(
            responses=[
                DeletableTopicResult(name=topic.name, topic_id=topic.topic_id, error_code=error)
                for topic in request.topics or map(_by_name, request.topic_names)
            ]
        )
    spend = mutation_quota(context, strict_from=5)
    broker.decide(
        context,
        lambda state: topics.delete_topics(state, settings, request, spend, api_version=context.api_version),
    )
    return PARKED


def _by_name(name: str) -> DeleteTopicState:
    return DeleteTopicState(name=name)
