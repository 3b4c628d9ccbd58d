"""DeleteGroups: groups without members, of any kind, with their offsets.

Versions 0–2. Differs from Kafka: results come in the order they were asked for.
KIPs: 229.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from riverlog.broker.registry import PARKED, Later, handler
from riverlog.coordinator.decision import Decision
from riverlog.coordinator.group.classic_admin import delete
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.delete_groups_request import DeleteGroupsRequest
from riverlog.protocol.generated.delete_groups_response import DeletableGroupResult, DeleteGroupsResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.coordinator.group.machine import GroupMachine


@handler(ApiKey.DELETE_GROUPS, versions=(0, 2))
def delete_groups(broker: Broker, context: RequestContext, request: DeleteGroupsRequest) -> Later:
    names = list(dict.fromkeys(request.groups_names))
    results: dict[str, DeletableGroupResult] = {}
    left = len(names) + 1

    def answered(result: DeletableGroupResult) -> None:
        results[result.group_id] = result
        one_done()

    def one_done() -> None:
        nonlocal left
        left -= 1
        if not left:
            context.reply(DeleteGroupsResponse(results=[results[name] for name in names]))

    def decide(group_id: str, machine: GroupMachine, now_ms: int) -> Decision:
        return delete(machine, group_id, answered)

    for group_id in names:
        error = broker.groups.submit(group_id, partial(decide, group_id))
        if error:
            answered(DeletableGroupResult(group_id=group_id, error_code=error))
    one_done()
    return PARKED
