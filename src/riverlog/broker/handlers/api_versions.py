"""ApiVersions.

Versions 0–4. Other versions are answered in version 0 with ``UNSUPPORTED_VERSION`` and the
list, by the dispatcher. The list is computed from the handlers of the listener that is asked: those of
controllers serve others. ``kraft.version`` is told among the finalized features (RULES: forming 6).
KIPs: 35, 511 (client software), 584 (features).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.broker.registry import BOTH, handler
from riverlog.metadata.records import KRAFT_VERSION_FEATURE, SUPPORTED_FEATURES
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.api_versions_request import ApiVersionsRequest
from riverlog.protocol.generated.api_versions_response import (
    ApiVersion,
    ApiVersionsResponse,
    FinalizedFeatureKey,
    SupportedFeatureKey,
)

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.broker.context import RequestContext
    from riverlog.broker.session import Session

_LEVEL_0_VERSION_MIN = 4
_SOFTWARE = re.compile(r"[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?")


@handler(ApiKey.API_VERSIONS, versions=(0, 4), on=BOTH)
def api_versions(broker: Broker, context: RequestContext, request: ApiVersionsRequest) -> ApiVersionsResponse:
    if context.api_version >= 3:
        name, version = request.client_software_name, request.client_software_version
        if not (_SOFTWARE.fullmatch(name) and _SOFTWARE.fullmatch(version)):
            return ApiVersionsResponse(error_code=ErrorCode.INVALID_REQUEST)
        context.session.client_software_name = name
        context.session.client_software_version = version
    return supported_versions(broker, context.session, ErrorCode.NONE, context.api_version)


def supported_versions(
    broker: Broker, session: Session, error: ErrorCode, api_version: int = 0
) -> ApiVersionsResponse:
    served = broker.controller_handlers if session.on_controller else broker.handlers
    levels = {**broker.metadata.image.features, KRAFT_VERSION_FEATURE: broker.metadata.kraft_version}
    return ApiVersionsResponse(
        error_code=error,
        api_keys=[
            ApiVersion(api_key=key, min_version=entry.advertised[0], max_version=entry.advertised[1])
            for key, entry in served.items()
        ],
        supported_features=[
            SupportedFeatureKey(name=name, min_version=low, max_version=high)
            for name, (low, high) in SUPPORTED_FEATURES.items()
            # Java clients of before version 4 fail on a feature that begins at 0 (KAFKA-17492).
            if low or api_version >= _LEVEL_0_VERSION_MIN
        ],
        finalized_features_epoch=broker.metadata.committed_offset,
        finalized_features=[
            FinalizedFeatureKey(name=name, min_version_level=levels[name], max_version_level=levels[name])
            for name in SUPPORTED_FEATURES
            if levels.get(name)
        ],
    )
