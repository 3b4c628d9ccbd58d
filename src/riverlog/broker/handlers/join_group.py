"""JoinGroup: become, or stay, a member of a classic group.

Versions 0–9. Parked until the group's next generation begins.
Differs from Kafka: a protocol named twice by one member counts once; metadata of a consumer that is no
subscription does not stop its group (Kafka answers UNKNOWN_SERVER_ERROR from then on).
KIPs: 62 (rebalance time-out from 1), 394 (member id required from 4), 345 (static members from 5),
559 (protocol type in the answer from 7), 800 (reason from 8, not kept), 814 (skip assignment from 9).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base import broker_configs_groups as configs
from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.coordinator.group.classic_group import Caller
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.join_group_request import JoinGroupRequest
from riverlog.protocol.generated.join_group_response import JoinGroupResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

_PROTOCOL_NULLABLE_FROM = 7


def caller_of(context: RequestContext) -> Caller:
    """As Kafka keeps and shows it: a null client id is an empty one, the host has a slash before it."""
    return Caller(context.client_id or "", "/" + context.session.peer_host, context.api_version)


@handler(ApiKey.JOIN_GROUP, versions=(0, 9))
def join_group(broker: Broker, context: RequestContext, request: JoinGroupRequest) -> Later:
    if context.api_version == 0:
        request.rebalance_timeout_ms = request.session_timeout_ms

    def reply(response: JoinGroupResponse) -> None:
        if context.api_version >= _PROTOCOL_NULLABLE_FROM:
            response.protocol_name = response.protocol_name or None
        else:
            response.protocol_name = response.protocol_name or ""
        context.reply(response)

    error = _refused(broker, request)
    if error:
        reply(JoinGroupResponse(error_code=error, member_id=request.member_id))
        return PARKED
    caller = caller_of(context)
    error = broker.groups.submit(
        request.group_id, lambda machine, now_ms: machine.classic.join(request, caller, now_ms, reply)
    )
    if error:
        reply(JoinGroupResponse(error_code=error))
    return PARKED


def _refused(broker: Broker, request: JoinGroupRequest) -> ErrorCode:
    """What no coordinator would accept."""
    if not request.group_id:
        return ErrorCode.INVALID_GROUP_ID
    shortest = broker.config[configs.GROUP_MIN_SESSION_TIMEOUT_MS]
    longest = broker.config[configs.GROUP_MAX_SESSION_TIMEOUT_MS]
    if not shortest <= request.session_timeout_ms <= longest:
        return ErrorCode.INVALID_SESSION_TIMEOUT
    return ErrorCode.NONE
