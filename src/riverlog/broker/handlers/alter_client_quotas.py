"""AlterClientQuotas: limits of users, client ids and addresses.

Versions 0–1. Forwarded to the active controller, decided there, answered once durable;
``broker/quotas.py`` enforces them.
Differs from Kafka: see ``metadata/quotas.py``.
KIPs: 546, 599 (controller mutations), 612 (connections).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import BOTH, PARKED, Later, handler
from riverlog.metadata import quotas
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.alter_client_quotas_request import AlterClientQuotasRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.ALTER_CLIENT_QUOTAS, versions=(0, 1), on=BOTH, forward=True)
def alter_client_quotas(broker: Broker, context: RequestContext, request: AlterClientQuotasRequest) -> Later:
    broker.decide(context, lambda state: quotas.alter_client_quotas(state, request))
    return PARKED
