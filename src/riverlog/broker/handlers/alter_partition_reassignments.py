"""AlterPartitionReassignments: other replicas for a partition.

Versions 0–1. Forwarded to the active controller, decided there, answered once durable.
Differs from Kafka: a partition given twice is refused the second time.
KIPs: 455, 860 (replication factor).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import BOTH, PARKED, Later, handler
from riverlog.metadata import reassignment
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.ALTER_PARTITION_REASSIGNMENTS, versions=(0, 1), on=BOTH, forward=True)
def alter_partition_reassignments(
    broker: Broker, context: RequestContext, request: AlterPartitionReassignmentsRequest
) -> Later:
    broker.decide(
        context,
        lambda state: reassignment.alter_partition_reassignments(state, request, broker.metadata.settings),
    )
    return PARKED
