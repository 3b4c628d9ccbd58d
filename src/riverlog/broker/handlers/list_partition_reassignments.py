"""ListPartitionReassignments: those under way.

Version 0, from the published metadata.
Differs from Kafka: nothing known.
KIPs: 455.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import BOTH, handler
from riverlog.metadata import reassignment
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.list_partition_reassignments_request import (
    ListPartitionReassignmentsRequest,
)
from riverlog.protocol.generated.list_partition_reassignments_response import (
    ListPartitionReassignmentsResponse,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.LIST_PARTITION_REASSIGNMENTS, versions=(0, 0), on=BOTH, forward=True)
def list_partition_reassignments(
    broker: Broker, context: RequestContext, request: ListPartitionReassignmentsRequest
) -> ListPartitionReassignmentsResponse:
    return reassignment.list_partition_reassignments(broker.metadata.image, request)
