"""ListConfigResources: what DescribeConfigs can be asked about.

Versions 0–1; version 0 knows client metrics only.
Differs from Kafka: loggers are not listed, they have no settings here.
KIPs: 714 (client metrics), 1142.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import handler
from riverlog.metadata.image import BROKER_RESOURCE, GROUP_RESOURCE, TOPIC_RESOURCE
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.list_config_resources_request import ListConfigResourcesRequest
from riverlog.protocol.generated.list_config_resources_response import (
    ConfigResource,
    ListConfigResourcesResponse,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

_BROKER_LOGGER_RESOURCE = 8
_CLIENT_METRICS_RESOURCE = 16
_TYPES = (
    TOPIC_RESOURCE,
    BROKER_RESOURCE,
    _BROKER_LOGGER_RESOURCE,
    _CLIENT_METRICS_RESOURCE,
    GROUP_RESOURCE,
)


@handler(ApiKey.LIST_CONFIG_RESOURCES, versions=(0, 1))
def list_config_resources(
    broker: Broker, context: RequestContext, request: ListConfigResourcesRequest
) -> ListConfigResourcesResponse:
    wanted = request.resource_types or _TYPES
    if context.api_version == 0:
        wanted = [_CLIENT_METRICS_RESOURCE]
    if any(one not in _TYPES for one in wanted):
        return ListConfigResourcesResponse(error_code=ErrorCode.UNSUPPORTED_VERSION)
    return ListConfigResourcesResponse(
        config_resources=[
            ConfigResource(resource_name=name, resource_type=one)
            for one in dict.fromkeys(wanted)
            for name in _names(broker, context, one)
        ]
    )


def _names(broker: Broker, context: RequestContext, resource_type: int) -> list[str]:
    image = broker.metadata.image
    if resource_type == TOPIC_RESOURCE:
        return list(image.topics)
    if resource_type == BROKER_RESOURCE:
        return [str(found[0]) for found in broker.alive_brokers(context.session.listener)]
    return [name for kind, name in image.configs if kind == resource_type]
