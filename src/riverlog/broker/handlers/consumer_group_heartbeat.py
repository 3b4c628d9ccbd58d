"""ConsumerGroupHeartbeat: join, follow and leave a group of the consumer protocol.

Versions 0–1; refused while the cluster has not finalized ``group.version`` 1, or when "consumer" is not
among ``group.coordinator.rebalance.protocols``.
Differs from Kafka: a subscription by expression has its topics in the first answer.
KIPs: 848, 1082 (member ids of clients and expressions from 1), 1251, 1263.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base import broker_configs_groups as configs
from riverlog.base.errors import ErrorCode
from riverlog.broker.handlers.join_group import caller_of
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.metadata.records import GROUP_VERSION_FEATURE
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest
from riverlog.protocol.generated.consumer_group_heartbeat_response import ConsumerGroupHeartbeatResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


def serves_consumer_protocol(broker: Broker) -> bool:
    protocols = broker.config[configs.GROUP_COORDINATOR_REBALANCE_PROTOCOLS]
    return "consumer" in protocols and broker.metadata.image.features.get(GROUP_VERSION_FEATURE, 0) >= 1


@handler(ApiKey.CONSUMER_GROUP_HEARTBEAT, versions=(0, 1))
def consumer_group_heartbeat(
    broker: Broker, context: RequestContext, request: ConsumerGroupHeartbeatRequest
) -> ConsumerGroupHeartbeatResponse | Later:
    if not serves_consumer_protocol(broker):
        return ConsumerGroupHeartbeatResponse(error_code=ErrorCode.UNSUPPORTED_VERSION)
    caller = caller_of(context)
    error = broker.groups.submit(
        request.group_id,
        lambda machine, now_ms: machine.modern.heartbeat(request, caller, now_ms, context.reply),
    )
    return ConsumerGroupHeartbeatResponse(error_code=error) if error else PARKED
