"""Fetch of the metadata log, by voters and observers.

Versions 17–18, on controller listeners; ``fetch.py`` has the one for partitions. Answered by Raft.
Differs from Kafka: older versions, which lack directory ids, are not served.
KIPs: 595, 853.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import CONTROLLER, PARKED, Later, handler
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.fetch_request import FetchRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.FETCH, versions=(17, 18), on=CONTROLLER)
def raft_fetch(broker: Broker, context: RequestContext, request: FetchRequest) -> Later:
    raft = broker.metadata.raft
    raft.handle_fetch(request, context.reply, version=context.api_version, listener=context.session.listener)
    return PARKED
