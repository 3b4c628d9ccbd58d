"""FetchSnapshot: a piece of a snapshot of the metadata log.

Version 1, on controller listeners. Answered by Raft.
Differs from Kafka: version 0, which has no directory ids, is not served.
KIPs: 630, 853.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import CONTROLLER, PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.fetch_snapshot_request import FetchSnapshotRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.FETCH_SNAPSHOT, versions=(1, 1), on=CONTROLLER)
def fetch_snapshot(broker: Broker, context: RequestContext, request: FetchSnapshotRequest) -> Later:
    raft = broker.metadata.raft
    raft.handle_fetch_snapshot(
        request, context.reply, version=context.api_version, listener=context.session.listener
    )
    return PARKED
