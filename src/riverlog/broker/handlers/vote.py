"""Vote and pre-vote of the metadata quorum.

Versions 1–2, on controller listeners. Answered by Raft; a granted vote is durable before it is told.
Differs from Kafka: version 0, which has no directory ids, is not served.
KIPs: 595, 853 (directory ids), 996 (pre-vote).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import CONTROLLER, PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.vote_request import VoteRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.VOTE, versions=(1, 2), on=CONTROLLER)
def vote(broker: Broker, context: RequestContext, request: VoteRequest) -> Later:
    raft = broker.metadata.raft
    raft.handle_vote(request, context.reply, version=context.api_version, listener=context.session.listener)
    return PARKED
