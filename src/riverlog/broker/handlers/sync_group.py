"""SyncGroup: the leader hands in the assignment, every member fetches its own.

Versions 0–5. Parked until the leader's assignment is committed.
Differs from Kafka: nothing known.
KIPs: 345 (static members from 3), 559 (protocol type and name from 5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.handlers.join_group import caller_of
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.sync_group_request import SyncGroupRequest
from riverlog.protocol.generated.sync_group_response import SyncGroupResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

_PROTOCOL_MANDATORY_FROM = 5


@handler(ApiKey.SYNC_GROUP, versions=(0, 5))
def sync_group(
    broker: Broker, context: RequestContext, request: SyncGroupRequest
) -> SyncGroupResponse | Later:
    if context.api_version >= _PROTOCOL_MANDATORY_FROM and (
        request.protocol_type is None or request.protocol_name is None
    ):
        return SyncGroupResponse(error_code=ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    if not request.group_id:
        return SyncGroupResponse(error_code=ErrorCode.INVALID_GROUP_ID)
    caller = caller_of(context)
    error = broker.groups.submit(
        request.group_id, lambda machine, now_ms: machine.classic.sync(request, caller, now_ms, context.reply)
    )
    return SyncGroupResponse(error_code=error) if error else PARKED
