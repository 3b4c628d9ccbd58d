"""AlterConfigs: replace all settings of a resource.

Versions 0–2. Forwarded to the active controller, decided there, answered once durable.
Differs from Kafka: nothing known.
KIPs: 133.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import BOTH, PARKED, Later, handler
from riverlog.metadata import configs
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.alter_configs_request import AlterConfigsRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.ALTER_CONFIGS, versions=(0, 2), on=BOTH, forward=True)
def alter_configs(broker: Broker, context: RequestContext, request: AlterConfigsRequest) -> Later:
    settings = broker.metadata.settings
    broker.decide(context, lambda state: configs.alter_configs(state, settings, request))
    return PARKED
