"""UpdateFeatures: raise or lower the levels of optional features.

Versions 0–2. Forwarded to the active controller, decided there, answered once durable.
Differs from Kafka: see ``metadata/features.py``.
KIPs: 584, 778 (safe and unsafe downgrades), 1022.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.broker.registry import BOTH, PARKED, Later, handler
from riverlog.metadata import features
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.update_features_request import UpdateFeaturesRequest
from riverlog.protocol.generated.update_features_response import UpdateFeaturesResponse

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext

_ONE_ERROR_VERSION_MIN = 2


@handler(ApiKey.UPDATE_FEATURES, versions=(0, 2), on=BOTH, forward=True)
def update_features(broker: Broker, context: RequestContext, request: UpdateFeaturesRequest) -> Later:
    metadata = broker.metadata

    def reply(response: UpdateFeaturesResponse) -> None:
        if context.api_version >= _ONE_ERROR_VERSION_MIN:
            response.results = []
        context.reply(response)

    metadata.decide(
        lambda state: features.update_features(state, metadata.settings, metadata.kraft_version, request),
        reply,
        context.lost_controller,
    )
    return PARKED
