"""DescribeGroups: state, protocol and members of classic groups.

Versions 0–6. Differs from Kafka: groups come in the order they were asked for.
KIPs: 430 (authorized operations from 3), 345 (instance ids from 4), 1043 (GROUP_ID_NOT_FOUND from 6).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.coordinator.decision import Decision, Reply
from riverlog.coordinator.group.classic_admin import describe
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_groups_request import DescribeGroupsRequest
from riverlog.protocol.generated.describe_groups_response import DescribedGroup, DescribeGroupsResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.coordinator.group.machine import GroupMachine

# Every operation, as Kafka answers where nobody authorizes: one bit per operation's number.
GROUP_OPERATIONS = sum(1 << number for number in (3, 6, 8, 10, 11))


@handler(ApiKey.DESCRIBE_GROUPS, versions=(0, 6))
def describe_groups(broker: Broker, context: RequestContext, request: DescribeGroupsRequest) -> Later:
    answers = [DescribedGroup() for _ in request.groups]
    left = len(answers) + 1

    def answered(number: int, group: DescribedGroup) -> None:
        nonlocal left
        answers[number] = group
        if request.include_authorized_operations and not group.error_code:
            group.authorized_operations = GROUP_OPERATIONS
        one_done()

    def one_done() -> None:
        nonlocal left
        left -= 1
        if not left:
            context.reply(DescribeGroupsResponse(groups=answers))

    def look(number: int, group_id: str, machine: GroupMachine, now_ms: int) -> Decision:
        group = describe(machine, group_id, context.api_version)
        return Decision(replies=[Reply(partial(answered, number), group, partial(_failed, group_id))])

    for number, group_id in enumerate(request.groups):
        error = broker.groups.submit(group_id, partial(look, number, group_id))
        if error:
            answered(number, _failed(group_id, error))
    one_done()
    return PARKED


def _failed(group_id: str, error: ErrorCode) -> DescribedGroup:
    return DescribedGroup(group_id=group_id, error_code=error)
