"""IncrementalAlterConfigs: set, delete, append or subtract single settings.

Versions 0–1. Forwarded to the active controller, decided there, answered once durable.
Differs from Kafka: nothing known.
KIPs: 339.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import BOTH, PARKED, Later, handler
from riverlog.metadata import configs
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.incremental_alter_configs_request import IncrementalAlterConfigsRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.INCREMENTAL_ALTER_CONFIGS, versions=(0, 1), on=BOTH, forward=True)
def incremental_alter_configs(
    broker: Broker, context: RequestContext, request: IncrementalAlterConfigsRequest
) -> Later:
    settings = broker.metadata.settings
    broker.decide(context, lambda state: configs.incremental_alter_configs(state, settings, request))
    return PARKED
