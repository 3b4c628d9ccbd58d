"""DescribeClientQuotas.

Versions 0–1, from the published metadata.
Differs from Kafka: nothing known.
KIPs: 546.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import handler
from riverlog.metadata import quotas
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_client_quotas_request import DescribeClientQuotasRequest
from riverlog.protocol.generated.describe_client_quotas_response import DescribeClientQuotasResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.DESCRIBE_CLIENT_QUOTAS, versions=(0, 1))
def describe_client_quotas(
    broker: Broker, context: RequestContext, request: DescribeClientQuotasRequest
) -> DescribeClientQuotasResponse:
    return quotas.describe_client_quotas(broker.metadata.image, request)
