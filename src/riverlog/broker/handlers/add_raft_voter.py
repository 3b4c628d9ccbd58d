"""AddRaftVoter: one more voter of the metadata quorum.

Versions 0–1, forwarded to the active controller. Answered once committed.
Differs from Kafka: nothing known.
KIPs: 853.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import BOTH, PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.add_raft_voter_request import AddRaftVoterRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.ADD_RAFT_VOTER, versions=(0, 1), on=BOTH, forward=True)
def add_raft_voter(broker: Broker, context: RequestContext, request: AddRaftVoterRequest) -> Later:
    raft = broker.metadata.raft
    raft.handle_add_voter(
        request, context.reply, version=context.api_version, listener=context.session.listener
    )
    return PARKED
