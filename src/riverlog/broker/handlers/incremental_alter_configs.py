"""IncrementalAlterConfigs: set, delete, append or subtract single settings.

Versions 0–1. Decided by the controller, answered once durable.
Differs from Kafka: nothing known.
KIPs: 339.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import PARKED, Later, handler
from riverlog.metadata import configs
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.incremental_alter_configs_request import IncrementalAlterConfigsRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.INCREMENTAL_ALTER_CONFIGS, versions=(0, 1))
def incremental_alter_configs(
    broker: Broker, context: RequestContext, request: IncrementalAlterConfigsRequest
) -> Later:
    metadata = broker.metadata
    metadata.decide(
        lambda state: configs.incremental_alter_configs(state, metadata.settings, request), context.reply
    )
    return PARKED
