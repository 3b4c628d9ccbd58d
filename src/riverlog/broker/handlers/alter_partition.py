"""AlterPartition: a leader asks for another ISR.

Versions 2–3, on controller listeners. Answered once committed.
Differs from Kafka: nothing known.
KIPs: 497, 841 (fenced brokers), 903 (broker epochs from 3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import CONTROLLER, PARKED, Later, handler
from riverlog.metadata import alter_partition as decisions
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.alter_partition_request import AlterPartitionRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.ALTER_PARTITION, versions=(2, 3), on=CONTROLLER, forward=True)
def alter_partition(broker: Broker, context: RequestContext, request: AlterPartitionRequest) -> Later:
    settings, version = broker.metadata.settings, context.api_version
    broker.decide(context, lambda state: decisions.alter_partition(state, settings, request, version=version))
    return PARKED
