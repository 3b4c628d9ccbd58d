"""RemoveRaftVoter: one voter of the metadata quorum less.

Version 0, forwarded to the active controller. Answered once committed.
Differs from Kafka: nothing known.
KIPs: 853.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import BOTH, PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.remove_raft_voter_request import RemoveRaftVoterRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.REMOVE_RAFT_VOTER, versions=(0, 0), on=BOTH, forward=True)
def remove_raft_voter(broker: Broker, context: RequestContext, request: RemoveRaftVoterRequest) -> Later:
    raft = broker.metadata.raft
    raft.handle_remove_voter(
        request, context.reply, version=context.api_version, listener=context.session.listener
    )
    return PARKED
