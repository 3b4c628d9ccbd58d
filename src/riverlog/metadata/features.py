"""Deciding UpdateFeatures: which levels of optional features the cluster uses. All updates or none.

Errors are Kafka's. Differs from Kafka: ``kraft.version`` is set when a cluster is formed and cannot be
raised later.
"""

from __future__ import annotations

from riverlog.base import broker_configs_log
from riverlog.base.errors import ErrorCode
from riverlog.metadata.controller import ControllerSettings, Decision, Refused
from riverlog.metadata.image import ClusterState
from riverlog.metadata.min_isr_changes import elr_disabled, elr_enabled
from riverlog.metadata.records import (
    ELR_METADATA_VERSION_MIN,
    ELR_VERSION_FEATURE,
    KRAFT_VERSION_FEATURE,
    METADATA_VERSION_FEATURE,
    SUPPORTED_FEATURES,
    MetadataRecord,
)
from riverlog.protocol.generated.feature_level_record import FeatureLevelRecord
from riverlog.protocol.generated.update_features_request import FeatureUpdateKey, UpdateFeaturesRequest
from riverlog.protocol.generated.update_features_response import (
    UpdatableFeatureResult,
    UpdateFeaturesResponse,
)

UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE = 1, 2, 3

_METADATA_CHANGED_AT = (8, 11, 13, 14, 15, 17, 23, 30)
"""Metadata versions that write what older ones cannot read: there is no way back over one of them."""

_UNUSED = (0, 0)


def update_features(
    state: ClusterState, settings: ControllerSettings, kraft_version: int, request: UpdateFeaturesRequest
) -> Decision[UpdateFeaturesResponse]:
    """Version 2 answers with one error for all; before, success is told per feature as well."""
    records: list[MetadataRecord] = []
    updates = {update.feature: update for update in request.feature_updates}
    try:
        for update in updates.values():
            records += _update(state, settings, kraft_version, update)
    except Refused as why:
        message = f"No feature was updated, since one cannot be: {why.message}"
        return Decision(UpdateFeaturesResponse(error_code=why.error, error_message=message))
    results = [UpdatableFeatureResult(feature=name, error_message=None) for name in updates]
    response = UpdateFeaturesResponse(error_message=None, results=results)
    return Decision(response, [] if request.validate_only else records)


def _update(
    state: ClusterState, settings: ControllerSettings, kraft_version: int, update: FeatureUpdateKey
) -> list[MetadataRecord]:
    name, level = update.feature, update.max_version_level

    def refuse(message: str) -> Refused:
        what = f"Invalid update version {level} for feature {name}. "
        return Refused(ErrorCode.INVALID_UPDATE_VERSION, what + message)

    if update.upgrade_type not in (UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE):
        raise refuse("The controller does not support the given upgrade type.")
    if level < 0:
        raise refuse("A feature version cannot be less than 0.")
    reason = _not_supported(state, settings, name, level)
    if reason is not None:
        raise refuse(reason)
    current = kraft_version if name == KRAFT_VERSION_FEATURE else state.features.get(name, 0)
    if name == METADATA_VERSION_FEATURE:
        current = state.metadata_version
    if level < current and update.upgrade_type == UPGRADE:
        raise refuse("A lower level needs the upgrade type of a safe or an unsafe downgrade.")
    if level > current and update.upgrade_type != UPGRADE:
        raise refuse("Can't downgrade to a newer version.")
    if level == current:
        return []
    if name == KRAFT_VERSION_FEATURE:
        raise refuse("It is set when the cluster is formed and stays.")
    if name == METADATA_VERSION_FEATURE and any(level < at <= current for at in _METADATA_CHANGED_AT):
        if update.upgrade_type == UNSAFE_DOWNGRADE:
            raise refuse("Unsafe metadata downgrade is not supported in this version.")
        raise refuse("Refusing the downgrade because it might delete metadata information.")
    record = FeatureLevelRecord(name=name, feature_level=level)
    if name != ELR_VERSION_FEATURE:
        return [record]
    if level and state.metadata_version < ELR_METADATA_VERSION_MIN:
        raise refuse(f"It needs {METADATA_VERSION_FEATURE} {ELR_METADATA_VERSION_MIN} or later.")
    return [*_elr_changes(state, settings, level), record]


def _elr_changes(state: ClusterState, settings: ControllerSettings, level: int) -> list[MetadataRecord]:
    if not level:
        return elr_disabled(state)
    return elr_enabled(state, settings.config[broker_configs_log.MIN_INSYNC_REPLICAS])


def _not_supported(state: ClusterState, settings: ControllerSettings, name: str, level: int) -> str | None:
    """Why not everybody can work at this level."""
    if name not in SUPPORTED_FEATURES:
        return f"Local controller {settings.node_id} does not support this feature."
    low, high = SUPPORTED_FEATURES[name]
    if not low <= level <= high:
        return f"Local controller {settings.node_id} only supports versions {low}-{high}"
    nodes = {f"Broker {broker.broker_id}": broker.features for broker in state.brokers.values()}
    for controller_id, record in state.controllers.items():
        nodes[f"Controller {controller_id}"] = {
            one.name: (one.min_supported_version, one.max_supported_version) for one in record.features
        }
    for node, ranges in nodes.items():
        low, high = ranges.get(name, _UNUSED)
        # Everybody can leave a feature unused.
        if level and not low <= level <= high:
            return f"{node} only supports versions {low}-{high}"
    return None
