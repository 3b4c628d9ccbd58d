"""FindCoordinator.

Versions 0–6. Groups and transactional ids are found; share groups are answered
``COORDINATOR_NOT_AVAILABLE`` until they are served.
Differs from Kafka: when the coordinators' topic does not exist yet, the answer comes once it is created, not
as an error to be retried.
KIPs: 699 (several keys from 4), 932 (share groups from 6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.auto_creation import OFFSETS_TOPIC, TRANSACTION_STATE_TOPIC
from riverlog.broker.partition_status import leader_of
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.find_coordinator_response import Coordinator, FindCoordinatorResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

_GROUP = 0
_TRANSACTION = 1
_SHARE = 2
_TOPICS = {_GROUP: OFFSETS_TOPIC, _TRANSACTION: TRANSACTION_STATE_TOPIC}
_SHARE_VERSION_MIN = 6
_SHARE_KEY_PARTS = 3
_BATCHED_VERSION_MIN = 4


@handler(ApiKey.FIND_COORDINATOR, versions=(0, 6))
def find_coordinator(
    broker: Broker, context: RequestContext, request: FindCoordinatorRequest
) -> FindCoordinatorResponse | Later:
    topic = _TOPICS.get(request.key_type)
    if topic is None:
        return _answer(broker, context, request, "", _unserved(context, request))

    def ready(error: ErrorCode) -> None:
        error = ErrorCode.COORDINATOR_NOT_AVAILABLE if error else error
        context.reply(_answer(broker, context, request, topic, error))

    broker.coordinators.ensure_topic(topic, ready)
    return PARKED


def _unserved(context: RequestContext, request: FindCoordinatorRequest) -> ErrorCode:
    served = request.key_type == _SHARE and context.api_version >= _SHARE_VERSION_MIN
    # "group:topicId:partition"; the group id may have colons of its own.
    if served and all(key.count(":") >= _SHARE_KEY_PARTS - 1 for key in request.coordinator_keys):
        return ErrorCode.COORDINATOR_NOT_AVAILABLE
    return ErrorCode.INVALID_REQUEST


def _answer(
    broker: Broker, context: RequestContext, request: FindCoordinatorRequest, topic: str, error: ErrorCode
) -> FindCoordinatorResponse:
    if context.api_version >= _BATCHED_VERSION_MIN:
        return FindCoordinatorResponse(
            coordinators=[_find(broker, context, topic, key, error) for key in request.coordinator_keys]
        )
    found = _find(broker, context, topic, request.key, error)
    return FindCoordinatorResponse(
        error_code=found.error_code,
        error_message=ErrorCode(found.error_code).name,
        node_id=found.node_id,
        host=found.host,
        port=found.port,
    )


def _find(broker: Broker, context: RequestContext, topic: str, key: str, error: ErrorCode) -> Coordinator:
    if not error:
        host = broker.groups if topic == OFFSETS_TOPIC else broker.transactions
        index = host.shard_of(key)
        state = broker.metadata.image.partition(topic, index)
        leader = -1 if state is None else leader_of(broker, topic, index, state)
        for node_id, endpoint, _, _ in broker.alive_brokers(context.session.listener):
            if node_id == leader:
                return Coordinator(key=key, node_id=node_id, host=endpoint.host, port=endpoint.port)
        error = ErrorCode.COORDINATOR_NOT_AVAILABLE
    return Coordinator(key=key, node_id=-1, host="", port=-1, error_code=error)
