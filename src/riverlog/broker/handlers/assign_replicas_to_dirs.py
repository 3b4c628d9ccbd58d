"""AssignReplicasToDirs: a broker tells in which log directories its replicas are.

Version 0, on controller listeners. Answered once committed.
Differs from Kafka: nothing known.
KIPs: 858.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import CONTROLLER, PARKED, Later, handler
from riverlog.metadata import directories
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.assign_replicas_to_dirs_request import AssignReplicasToDirsRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.ASSIGN_REPLICAS_TO_DIRS, versions=(0, 0), on=CONTROLLER, forward=True)
def assign_replicas_to_dirs(
    broker: Broker, context: RequestContext, request: AssignReplicasToDirsRequest
) -> Later:
    settings = broker.metadata.settings
    broker.decide(context, lambda state: directories.assign_replicas_to_dirs(state, settings, request))
    return PARKED
