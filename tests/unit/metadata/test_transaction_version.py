"""The level of ``transaction.version``: 0 to 2, up and down, as far as every node understands it."""

from __future__ import annotations

import pytest

from riverlog.base.errors import ErrorCode as E
from riverlog.metadata import features
from riverlog.metadata.features import SAFE_DOWNGRADE, UNSAFE_DOWNGRADE, UPGRADE
from riverlog.metadata.records import SUPPORTED_FEATURES, TRANSACTION_VERSION_FEATURE
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.api_versions_request import ApiVersionsRequest
from riverlog.protocol.generated.register_controller_record import ControllerFeature, RegisterControllerRecord
from riverlog.protocol.generated.update_features_request import FeatureUpdateKey, UpdateFeaturesRequest
from tests.unit.broker.broker_world import Client, World
from tests.unit.metadata.controller_world import Controller

OLDER = {**SUPPORTED_FEATURES, TRANSACTION_VERSION_FEATURE: (0, 1)}


def request(level: int, upgrade_type: int) -> UpdateFeaturesRequest:
    key = FeatureUpdateKey(
        feature=TRANSACTION_VERSION_FEATURE, max_version_level=level, upgrade_type=upgrade_type
    )
    return UpdateFeaturesRequest(feature_updates=[key])


def update(controller: Controller, level: int, upgrade_type: int = UPGRADE) -> int:
    decision = features.update_features(
        controller.state, controller.settings, 1, request(level, upgrade_type)
    )
    return controller.apply(decision).error_code


def test_a_level_rises_and_falls() -> None:
    controller = Controller(1)
    assert controller.state.transaction_version == 0
    for level in (1, 2):
        assert update(controller, level) == E.NONE
        assert controller.state.transaction_version == level
    for level, kind in ((1, SAFE_DOWNGRADE), (0, UNSAFE_DOWNGRADE)):
        assert update(controller, level, kind) == E.NONE
        assert controller.state.transaction_version == level
    assert update(controller, 2) == E.NONE
    assert controller.state.transaction_version == 2


@pytest.mark.parametrize(
    ("level", "kind"), [(3, UPGRADE), (1, UPGRADE), (-1, SAFE_DOWNGRADE), (3, SAFE_DOWNGRADE)]
)
def test_a_level_that_cannot_be_reached_is_refused(level: int, kind: int) -> None:
    controller = Controller(1)
    assert update(controller, 2) == E.NONE
    assert update(controller, level, kind) == E.INVALID_UPDATE_VERSION
    assert controller.state.transaction_version == 2


def test_a_level_waits_for_every_broker_and_controller() -> None:
    controller = Controller(1)
    assert controller.register(2, features=OLDER).error_code == E.NONE
    assert update(controller, 2) == E.INVALID_UPDATE_VERSION
    assert update(controller, 1) == E.NONE
    assert controller.register(2).error_code == E.NONE
    controller.replay(RegisterControllerRecord(controller_id=9))
    assert update(controller, 2) == E.INVALID_UPDATE_VERSION
    known = [
        ControllerFeature(name=TRANSACTION_VERSION_FEATURE, min_supported_version=0, max_supported_version=2)
    ]
    controller.replay(RegisterControllerRecord(controller_id=9, features=known))
    assert update(controller, 2) == E.NONE


def test_a_broker_that_does_not_know_the_level_is_not_taken_in() -> None:
    controller = Controller(1)
    assert update(controller, 2) == E.NONE
    assert controller.register(2, features=OLDER).error_code == E.UNSUPPORTED_VERSION
    assert update(controller, 1, SAFE_DOWNGRADE) == E.NONE
    assert controller.register(2, features=OLDER).error_code == E.NONE


@pytest.mark.parametrize("level", [1, 2])
def test_clients_are_told_the_level_and_it_lasts(level: int) -> None:
    world = World()
    client = Client(world)
    for wanted, kind in ((0, SAFE_DOWNGRADE), (level, UPGRADE)):
        assert client.newest(ApiKey.UPDATE_FEATURES, request(wanted, kind)).error_code == E.NONE
    assert world.broker.transaction_version == level
    world.stop()
    world.start()
    assert world.broker.transaction_version == level
    hello = ApiVersionsRequest(client_software_name="t", client_software_version="1")
    answer = Client(world).newest(ApiKey.API_VERSIONS, hello)
    told = {one.name: (one.min_version_level, one.max_version_level) for one in answer.finalized_features}
    assert told[TRANSACTION_VERSION_FEATURE] == (level, level)
    ranges = {one.name: (one.min_version, one.max_version) for one in answer.supported_features}
    assert ranges[TRANSACTION_VERSION_FEATURE] == (0, 2)
