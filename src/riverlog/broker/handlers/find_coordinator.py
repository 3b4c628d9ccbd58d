"""FindCoordinator.

Versions 0–6, advertised because librdkafka gates lz4 on version 0. Until groups and
transactions are served every key is answered ``COORDINATOR_NOT_AVAILABLE``.
KIPs: 699 (several keys from 4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.find_coordinator_response import Coordinator, FindCoordinatorResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

_MESSAGE = "this broker serves no groups or transactions yet"


@handler(ApiKey.FIND_COORDINATOR, versions=(0, 6))
def find_coordinator(
    broker: Broker, context: RequestContext, request: FindCoordinatorRequest
) -> FindCoordinatorResponse:
    error = ErrorCode.COORDINATOR_NOT_AVAILABLE
    if context.api_version < 4:
        return FindCoordinatorResponse(error_code=error, error_message=_MESSAGE, node_id=-1, host="", port=-1)
    return FindCoordinatorResponse(
        coordinators=[
            Coordinator(key=key, node_id=-1, host="", port=-1, error_code=error, error_message=_MESSAGE)
            for key in request.coordinator_keys
        ]
    )
