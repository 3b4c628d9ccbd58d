"""DescribeCluster: the brokers, or on a controller listener the controllers.

Versions 0–2. A listener describes its own kind only (``endpoint_type``).
Differs from Kafka: controllers that did not register are taken from the voters of the metadata log.
KIPs: 700, 919 (endpoint type), 1073 (fenced brokers).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.handlers.metadata import CLUSTER_OPERATIONS
from riverlog.broker.registry import BOTH, handler
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


@handler(ApiKey.DESCRIBE_CLUSTER, versions=(0, 2), on=BOTH)
def describe_cluster(
    broker: Broker, context: RequestContext, request: DescribeClusterRequest
) -> DescribeClusterResponse:
    asked = request.endpoint_type
    kind = _CONTROLLERS if context.session.on_controller else _BROKERS
    if context.api_version == 0:
        asked = kind  # it cannot say what it wants
    if asked != kind:
        known = asked in (_BROKERS, _CONTROLLERS)
        error = ErrorCode.MISMATCHED_ENDPOINT_TYPE if known else ErrorCode.UNSUPPORTED_ENDPOINT_TYPE
        message = f"This listener describes nodes of type {kind}, not {asked}."
        return DescribeClusterResponse(error_code=error, error_message=message, endpoint_type=asked)
    if kind == _CONTROLLERS:
        nodes = _controllers(broker, context.session.listener)
        leader = broker.metadata.controller_id
        controller_id = leader if leader is not None and any(n.broker_id == leader for n in nodes) else -1
    else:
        nodes = _brokers(broker, context.session.listener, fenced=request.include_fenced_brokers)
        controller_id = broker.controller_for_clients(context.session.listener)
    response = DescribeClusterResponse(
        cluster_id=broker.metadata.cluster_id,
        controller_id=controller_id,
        brokers=nodes,
        endpoint_type=kind,
    )
    if request.include_cluster_authorized_operations:
        response.cluster_authorized_operations = CLUSTER_OPERATIONS
    return response


def _brokers(broker: Broker, listener: str, *, fenced: bool) -> list[DescribeClusterBroker]:
    return [
        DescribeClusterBroker(
            broker_id=node_id, host=endpoint.host, port=endpoint.port, rack=rack, is_fenced=is_fenced
        )
        for node_id, endpoint, rack, is_fenced in broker.alive_brokers(listener, fenced=fenced)
    ]


def _controllers(broker: Broker, listener: str) -> list[DescribeClusterBroker]:
    """By what they registered with, else by what the log says of the voters."""
    found: dict[int, DescribeClusterBroker] = {}
    voters = broker.metadata.voters
    known = [] if voters is None else [(voter.voter_id, voter.endpoints) for voter in voters.voters]
    known += [(node_id, record.end_points) for node_id, record in broker.metadata.image.controllers.items()]
    for node_id, endpoints in known:
        for endpoint in endpoints:
            if endpoint.name == listener:
                found[node_id] = DescribeClusterBroker(
                    broker_id=node_id, host=endpoint.host, port=endpoint.port
                )
    return [found[node_id] for node_id in sorted(found)]
