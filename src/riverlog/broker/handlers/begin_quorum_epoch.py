"""BeginQuorumEpoch: a new leader of the metadata quorum tells the voters.

Version 1, on controller listeners. Answered by Raft.
Differs from Kafka: version 0, which has no directory ids, is not served.
KIPs: 595, 853.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import CONTROLLER, PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.begin_quorum_epoch_request import BeginQuorumEpochRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.BEGIN_QUORUM_EPOCH, versions=(1, 1), on=CONTROLLER)
def begin_quorum_epoch(broker: Broker, context: RequestContext, request: BeginQuorumEpochRequest) -> Later:
    raft = broker.metadata.raft
    raft.handle_begin_quorum_epoch(
        request, context.reply, version=context.api_version, listener=context.session.listener
    )
    return PARKED
