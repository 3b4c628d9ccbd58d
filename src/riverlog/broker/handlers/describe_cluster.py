"""DescribeCluster.

Versions 0–2, brokers only (``endpoint_type`` 1); controllers are described on their own listener.
Differs from Kafka: the controller named is this node.
KIPs: 700, 919 (endpoint type), 1073 (fenced brokers).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.handlers.metadata import CLUSTER_OPERATIONS
from riverlog.broker.registry import handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_cluster_request import DescribeClusterRequest
from riverlog.protocol.generated.describe_cluster_response import (
    DescribeClusterBroker,
    DescribeClusterResponse,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

_BROKERS = 1
_CONTROLLERS = 2


@handler(ApiKey.DESCRIBE_CLUSTER, versions=(0, 2))
def describe_cluster(
    broker: Broker, context: RequestContext, request: DescribeClusterRequest
) -> DescribeClusterResponse:
    if request.endpoint_type != _BROKERS:
        known = request.endpoint_type == _CONTROLLERS
        error = ErrorCode.MISMATCHED_ENDPOINT_TYPE if known else ErrorCode.UNSUPPORTED_ENDPOINT_TYPE
        return DescribeClusterResponse(error_code=error, endpoint_type=request.endpoint_type)
    brokers = broker.alive_brokers(context.session.listener, fenced=request.include_fenced_brokers)
    response = DescribeClusterResponse(
        cluster_id=broker.metadata.cluster_id,
        controller_id=broker.node_id,
        brokers=[
            DescribeClusterBroker(
                broker_id=node_id, host=endpoint.host, port=endpoint.port, rack=rack, is_fenced=is_fenced
            )
            for node_id, endpoint, rack, is_fenced in brokers
        ],
    )
    if request.include_cluster_authorized_operations:
        response.cluster_authorized_operations = CLUSTER_OPERATIONS
    return response
