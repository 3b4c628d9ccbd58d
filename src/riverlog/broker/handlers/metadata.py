"""Metadata.

Versions 0–13. Topics by name or id, automatic creation.
Differs from Kafka: a topic created by this request is answered once it is created, not with
an error to be retried; the controller named is this node, which passes on what needs the active one.
KIPs: 4, 516 (topic ids), 526, 1102 (rebootstrap: never asked for).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base import broker_configs
from riverlog.base.errors import ErrorCode
from riverlog.broker.auto_creation import create_automatically
from riverlog.broker.partition_status import leader_of, offline_replicas
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.metadata.topics import topic_name_error
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.metadata_request import MetadataRequest, MetadataRequestTopic
from riverlog.protocol.generated.metadata_response import (
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.metadata.image import TopicState

_NO_ID = bytes(16)
_TOPIC_ID_VERSION_MIN = 12
"""Versions 10 and 11 have the field, but nobody can be answered by it."""
# Every operation, as Kafka answers where nobody authorizes: one bit per operation's number.
_TOPIC_OPERATIONS = sum(1 << number for number in (3, 4, 5, 6, 7, 8, 10, 11))
CLUSTER_OPERATIONS = sum(1 << number for number in (5, 7, 8, 9, 10, 11, 12))


@handler(ApiKey.METADATA, versions=(0, 13))
def metadata(broker: Broker, context: RequestContext, request: MetadataRequest) -> MetadataResponse | Later:
    if context.api_version < _TOPIC_ID_VERSION_MIN and request.topics and any(map(_has_id, request.topics)):
        return MetadataResponse(
            topics=[
                MetadataResponseTopic(
                    error_code=ErrorCode.INVALID_REQUEST, name=topic.name or "", topic_id=topic.topic_id
                )
                for topic in request.topics
            ]
        )
    missing = _to_create(broker, request)
    if not missing:
        return _answer(broker, context, request, {})
    create_automatically(
        broker, missing, lambda errors: context.reply(_answer(broker, context, request, errors))
    )
    return PARKED


def _has_id(topic: MetadataRequestTopic) -> bool:
    return topic.name is None or topic.topic_id != _NO_ID


def _to_create(broker: Broker, request: MetadataRequest) -> list[str]:
    """Names asked for that do not exist and may be created by asking."""
    if not (
        request.topics
        and request.allow_auto_topic_creation
        and broker.config[broker_configs.AUTO_CREATE_TOPICS_ENABLE]
    ):
        return []
    known = broker.metadata.image.topics
    names = dict.fromkeys(
        topic.name for topic in request.topics if topic.name is not None and topic.topic_id == _NO_ID
    )
    return [name for name in names if name not in known and topic_name_error(name) is None]


def _answer(
    broker: Broker, context: RequestContext, request: MetadataRequest, create_errors: dict[str, ErrorCode]
) -> MetadataResponse:
    image = broker.metadata.image
    wanted = request.topics
    if wanted is None or (context.api_version == 0 and not wanted):
        topics = [_topic(broker, topic, request) for topic in image.topics.values()]
    else:
        topics = [_wanted(broker, topic, request, create_errors) for topic in wanted]
    response = MetadataResponse(
        brokers=[
            MetadataResponseBroker(node_id=node_id, host=endpoint.host, port=endpoint.port, rack=rack)
            for node_id, endpoint, rack, _ in broker.alive_brokers(context.session.listener)
        ],
        cluster_id=broker.metadata.cluster_id,
        controller_id=broker.node_id,
        topics=topics,
    )
    if request.include_cluster_authorized_operations:
        response.cluster_authorized_operations = CLUSTER_OPERATIONS
    return response


def _wanted(
    broker: Broker,
    wanted: MetadataRequestTopic,
    request: MetadataRequest,
    create_errors: dict[str, ErrorCode],
) -> MetadataResponseTopic:
    image = broker.metadata.image
    if wanted.name is None or wanted.topic_id != _NO_ID:
        # Java's consumer sends an empty name with the id when it resolves what a group assigned to it.
        by_id = image.topics_by_id.get(wanted.topic_id)
        if by_id is None:
            return MetadataResponseTopic(
                error_code=ErrorCode.UNKNOWN_TOPIC_ID, name=None, topic_id=wanted.topic_id
            )
        return _topic(broker, by_id, request)
    topic = image.topics.get(wanted.name)
    if topic is not None:
        return _topic(broker, topic, request)
    error = create_errors.get(wanted.name) or ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if topic_name_error(wanted.name) is not None:
        error = ErrorCode.INVALID_TOPIC_EXCEPTION
    return MetadataResponseTopic(error_code=error, name=wanted.name, topic_id=_NO_ID)


def _topic(broker: Broker, topic: TopicState, request: MetadataRequest) -> MetadataResponseTopic:
    partitions = []
    for index, state in topic.partitions.items():
        leader = leader_of(broker, topic.name, index, state)
        partitions.append(
            MetadataResponsePartition(
                error_code=ErrorCode.NONE if leader >= 0 else ErrorCode.LEADER_NOT_AVAILABLE,
                partition_index=index,
                leader_id=leader,
                leader_epoch=state.leader_epoch,
                replica_nodes=list(state.replicas),
                isr_nodes=list(state.isr),
                offline_replicas=offline_replicas(broker, topic.name, index, state),
            )
        )
    answer = MetadataResponseTopic(
        name=topic.name, topic_id=topic.topic_id, is_internal=topic.internal, partitions=partitions
    )
    if request.include_topic_authorized_operations:
        answer.topic_authorized_operations = _TOPIC_OPERATIONS
    return answer
