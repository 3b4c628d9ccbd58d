"""CreatePartitions: more of them, never fewer.

Versions 0–3. Decided by the controller, answered once durable.
Differs from Kafka: nothing known.
KIPs: 195, 599 (quota).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.quotas import mutation_quota
from riverlog.broker.registry import PARKED, Later, handler
from riverlog.metadata import partitions
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.create_partitions_request import CreatePartitionsRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.CREATE_PARTITIONS, versions=(0, 3))
def create_partitions(broker: Broker, context: RequestContext, request: CreatePartitionsRequest) -> Later:
    metadata = broker.metadata
    spend = mutation_quota(context, strict_from=3)
    metadata.decide(
        lambda state: partitions.create_partitions(state, metadata.settings, request, spend), context.reply
    )
    return PARKED
