"""CreateTopics.

Versions 2–7. Forwarded to the active controller, decided there (``metadata``), answered once it is in the
durable metadata log (RULES: watermark 8).
Differs from Kafka: nothing known.
KIPs: 4, 464 (broker defaults), 525 (configs in the answer), 599 (quota).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.quotas import mutation_quota
from riverlog.broker.registry import BOTH, PARKED, Later, handler
from riverlog.metadata import topics
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.create_topics_request import CreateTopicsRequest

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext


@handler(ApiKey.CREATE_TOPICS, versions=(2, 7), on=BOTH, forward=True)
def create_topics(broker: Broker, context: RequestContext, request: CreateTopicsRequest) -> Later:
    settings = broker.metadata.settings
    spend = mutation_quota(context, strict_from=6)
    broker.decide(context, lambda state: topics.create_topics(state, settings, request, spend))
    return PARKED
