"""Heartbeat: a member of a classic group is alive, and learns whether it must join again.

Versions 0–4. While the group is being loaded every member is taken for alive, as in Kafka.
Differs from Kafka: nothing known.
KIPs: 345 (static members from 3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.handlers.join_group import caller_of
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.heartbeat_request import HeartbeatRequest
from riverlog.protocol.generated.heartbeat_response import HeartbeatResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.HEARTBEAT, versions=(0, 4))
def heartbeat(
    broker: Broker, context: RequestContext, request: HeartbeatRequest
) -> HeartbeatResponse | Later:
    if not request.group_id:
        return HeartbeatResponse(error_code=ErrorCode.INVALID_GROUP_ID)
    caller = caller_of(context)
    error = broker.groups.submit(
        request.group_id,
        lambda machine, now_ms: machine.classic.heartbeat(request, caller, now_ms, context.reply),
    )
    if error is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS:
        return HeartbeatResponse()
    return HeartbeatResponse(error_code=error) if error else PARKED
