"""ListGroups: the groups this broker coordinates, of every kind.

Versions 0–5. Differs from Kafka: nothing known.
KIPs: 518 (states from 4), 848 (types from 5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.coordinator.group.classic_admin import listed
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.list_groups_request import ListGroupsRequest
from riverlog.protocol.generated.list_groups_response import ListedGroup, ListGroupsResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.LIST_GROUPS, versions=(0, 5))
def list_groups(broker: Broker, context: RequestContext, request: ListGroupsRequest) -> Later:
    states = {name.strip().lower() for name in request.states_filter}
    kinds = {name.lower() for name in request.types_filter}

    def done(found: list[list[ListedGroup]], error: ErrorCode) -> None:
        if error:
            context.reply(ListGroupsResponse(error_code=error))
        else:
            context.reply(ListGroupsResponse(groups=[group for part in found for group in part]))

    broker.groups.read(lambda machine, _now_ms: listed(machine, states, kinds), done)
    return PARKED
