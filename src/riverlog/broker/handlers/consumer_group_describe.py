"""ConsumerGroupDescribe: epochs, members and assignments of groups of the consumer protocol.

Versions 0–1. Differs from Kafka: groups come in the order they were asked for.
KIPs: 848, 1099 (kind of member from 1).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.handlers.consumer_group_heartbeat import serves_consumer_protocol
from riverlog.broker.handlers.describe_groups import GROUP_OPERATIONS
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.consumer_group_describe_request import ConsumerGroupDescribeRequest
from riverlog.protocol.generated.consumer_group_describe_response import (
    ConsumerGroupDescribeResponse,
    DescribedGroup,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.coordinator.decision import Decision
    from riverlog.coordinator.group.machine import GroupMachine


@handler(ApiKey.CONSUMER_GROUP_DESCRIBE, versions=(0, 1))
def consumer_group_describe(
    broker: Broker, context: RequestContext, request: ConsumerGroupDescribeRequest
) -> Later:
    answers = [DescribedGroup() for _ in request.group_ids]
    left = len(answers) + 1

    def answered(number: int, group: DescribedGroup) -> None:
        answers[number] = group
        if request.include_authorized_operations and not group.error_code:
            group.authorized_operations = GROUP_OPERATIONS
        one_done()

    def one_done() -> None:
        nonlocal left
        left -= 1
        if not left:
            context.reply(ConsumerGroupDescribeResponse(groups=answers))

    def look(number: int, group_id: str, machine: GroupMachine, now_ms: int) -> Decision:
        decision: Decision = machine.modern.describe(group_id, partial(answered, number))
        return decision

    served = serves_consumer_protocol(broker)
    for number, group_id in enumerate(request.group_ids):
        error = ErrorCode.UNSUPPORTED_VERSION
        if served:
            error = ErrorCode.INVALID_GROUP_ID
            if group_id:
                error = broker.groups.submit(group_id, partial(look, number, group_id))
        if error:
            answered(number, DescribedGroup(group_id=group_id, error_code=error))
    one_done()
    return PARKED
