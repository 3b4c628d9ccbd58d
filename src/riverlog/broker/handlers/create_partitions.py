"""CreatePartitions: more of them, never fewer.

Versions 0–3. Forwarded to the active controller, decided there, answered once durable.
Differs from Kafka: nothing known.
KIPs: 195, 599 (quota).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.quotas import mutation_quota
from riverlog.broker.registry import BOTH, PARKED, Later, handler
from riverlog.metadata import partitions
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.create_partitions_request import CreatePartitionsRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.CREATE_PARTITIONS, versions=(0, 3), on=BOTH, forward=True)
def create_partitions(broker: Broker, context: RequestContext, request: CreatePartitionsRequest) -> Later:
    settings = broker.metadata.settings
    spend = mutation_quota(context, strict_from=3)
    broker.decide(context, lambda state: partitions.create_partitions(state, settings, request, spend))
    return PARKED
