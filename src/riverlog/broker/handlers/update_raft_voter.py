"""UpdateRaftVoter: a voter has other endpoints or versions than the log says.

Version 0, on controller listeners. Answered by Raft's leader once committed.
Differs from Kafka: nothing known.
KIPs: 853.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import CONTROLLER, PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.update_raft_voter_request import UpdateRaftVoterRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.UPDATE_RAFT_VOTER, versions=(0, 0), on=CONTROLLER)
def update_raft_voter(broker: Broker, context: RequestContext, request: UpdateRaftVoterRequest) -> Later:
    broker.metadata.handle_update_voter(
        request, context.reply, version=context.api_version, listener=context.session.listener
    )
    return PARKED
