"""LeaveGroup: members leave at once instead of by their session time-out.

Versions 0–5, several members from 3. Differs from Kafka: nothing known.
KIPs: 345 (several members, static ones by instance id, from 3), 800 (reason from 5, not kept).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.handlers.join_group import caller_of
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.leave_group_request import LeaveGroupRequest, MemberIdentity
from riverlog.protocol.generated.leave_group_response import LeaveGroupResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

_SEVERAL_FROM = 3


@handler(ApiKey.LEAVE_GROUP, versions=(0, 5))
def leave_group(
    broker: Broker, context: RequestContext, request: LeaveGroupRequest
) -> LeaveGroupResponse | Later:
    single = context.api_version < _SEVERAL_FROM
    if single:
        request.members = [MemberIdentity(member_id=request.member_id)]

    def reply(response: LeaveGroupResponse) -> None:
        if single:
            error = response.error_code or next((row.error_code for row in response.members), 0)
            response = LeaveGroupResponse(error_code=error)
        context.reply(response)

    if not request.group_id:
        return LeaveGroupResponse(error_code=ErrorCode.INVALID_GROUP_ID)
    caller = caller_of(context)
    error = broker.groups.submit(
        request.group_id, lambda machine, now_ms: machine.classic.leave(request, caller, now_ms, reply)
    )
    return LeaveGroupResponse(error_code=error) if error else PARKED
