"""``min.insync.replicas`` and who is eligible to lead (KIP-966)."""

from __future__ import annotations

from controller_world import TOPIC_ID, Controller
from metadata_world import World

from riverlog.base.errors import ErrorCode
from riverlog.metadata import configs, features
from riverlog.metadata.image import BROKER_RESOURCE, TOPIC_RESOURCE
from riverlog.metadata.records import ELR_VERSION_FEATURE
from riverlog.protocol.generated.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from riverlog.protocol.generated.partition_change_record import PartitionChangeRecord
from riverlog.protocol.generated.register_controller_record import (
    ControllerFeature,
    RegisterControllerRecord,
)
from riverlog.protocol.generated.update_features_request import FeatureUpdateKey, UpdateFeaturesRequest

E = ErrorCode
KEY = "min.insync.replicas"


def alter(controller: Controller, value: int | None, *, kind: int = TOPIC_RESOURCE, name: str = "t") -> int:
    config = AlterableConfig(
        name=KEY,
        config_operation=configs.DELETE if value is None else configs.SET,
        value=None if value is None else str(value),
    )
    resource = AlterConfigsResource(resource_type=kind, resource_name=name, configs=[config])
    request = IncrementalAlterConfigsRequest(resources=[resource])
    decision = configs.incremental_alter_configs(controller.state, controller.settings, request)
    return controller.apply(decision).responses[0].error_code


def test_lower_value_ends_eligibility_in_the_same_batch() -> None:
    controller = Controller(1, 2, 3)
    controller.topic([1, 2, 3], isr=[1], elr=[2, 3], min_insync_replicas="3")
    before = controller.partition.partition_epoch
    assert alter(controller, 2) == E.NONE
    assert controller.shape == (1, (1,), ())
    assert controller.partition.partition_epoch == before + 1


def test_without_a_leader_eligibility_stays() -> None:
    """Nothing moves the watermark there, and nobody else could lead."""
    controller = Controller(1, 2, 3)
    controller.topic([1, 2, 3], isr=[1], elr=[2], min_insync_replicas="2")
    controller.fence(2, 1)
    assert alter(controller, 1) == E.NONE
    assert controller.shape == (-1, (1,), (2,))
    controller.beat(2)
    assert controller.shape == (2, (2,), ())


def test_higher_value_refuses_what_was_proposed_under_the_old_one() -> None:
    """Else a leader that does not know it yet would move on without a replica that counts as eligible."""
    controller = Controller(1, 2, 3)
    controller.topic([1, 2, 3], min_insync_replicas="2")
    assert alter(controller, 3) == E.NONE
    answered = controller.propose([1, 2], partition_epoch=-1)
    assert not isinstance(answered, int)
    assert answered.error_code == E.INVALID_UPDATE_VERSION
    controller.alter([1, 2])
    assert controller.shape == (1, (1, 2), (3,))


def test_value_without_effect_changes_no_partition() -> None:
    controller = Controller(1, 2)
    controller.topic([1, 2], min_insync_replicas="2")
    before = controller.partition.partition_epoch
    assert alter(controller, 5) == E.NONE
    assert controller.partition.partition_epoch == before


def test_default_of_the_cluster_counts_where_the_topic_says_nothing() -> None:
    controller = Controller(1, 2)
    controller.topic([1, 2])
    assert alter(controller, 2, kind=BROKER_RESOURCE, name="") == E.NONE
    assert controller.partition.partition_epoch == 1
    controller.alter([1])
    assert controller.shape == (1, (1,), (2,))
    assert alter(controller, 1, kind=BROKER_RESOURCE, name="") == E.NONE
    assert controller.shape == (1, (1,), ())
    assert alter(controller, None, kind=BROKER_RESOURCE, name="") == E.INVALID_CONFIG


def test_brokers_have_no_value_of_their_own() -> None:
    controller = Controller(1, 2)
    assert alter(controller, 2, kind=BROKER_RESOURCE, name="2") == E.INVALID_CONFIG
    controller = Controller(1, 2, elr=False)
    assert alter(controller, 2, kind=BROKER_RESOURCE, name="2") == E.NONE
    assert alter(controller, 2, kind=BROKER_RESOURCE, name="7") == E.INVALID_REQUEST


def test_value_in_a_file_of_the_controller_makes_nobody_eligible() -> None:
    controller = Controller(1, 2, static={KEY: "2"})
    controller.topic([1, 2])
    controller.fence(2)
    assert controller.shape == (1, (1,), ())


def update(controller: Controller, level: int) -> int:
    key = FeatureUpdateKey(
        feature=ELR_VERSION_FEATURE, max_version_level=level, upgrade_type=1 if level else 2
    )
    request = UpdateFeaturesRequest(feature_updates=[key])
    decision = features.update_features(controller.state, controller.settings, 1, request)
    return controller.apply(decision).error_code


def test_feature_turned_on_writes_the_default_down() -> None:
    controller = Controller(1, 2, elr=False, static={KEY: "2"})
    controller.topic([1, 2])
    assert alter(controller, 1, kind=BROKER_RESOURCE, name="2") == E.NONE
    assert update(controller, 1) == E.NONE
    assert controller.partition.partition_epoch == 1
    assert controller.state.config(BROKER_RESOURCE, "") == {KEY: "2"}
    assert controller.state.config(BROKER_RESOURCE, "2") == {}
    controller.fence(2)
    assert controller.shape == (1, (1,), (2,))


def test_feature_turned_off_leaves_nobody_eligible() -> None:
    controller = Controller(1, 2, 3)
    controller.topic([1, 2, 3], isr=[1], elr=[2], min_insync_replicas="2")
    assert update(controller, 0) == E.NONE
    assert controller.shape == (1, (1,), ())
    # A partition where only eligible replicas are left gets them back into the ISR.
    controller = Controller(1, 2, 3)
    controller.topic([1, 2, 3], isr=[1], elr=[2], min_insync_replicas="2")
    controller.replay(PartitionChangeRecord(topic_id=TOPIC_ID, partition_id=0, isr=[], leader=-1))
    assert update(controller, 0) == E.NONE
    assert controller.shape == (-1, (2,), ())


def test_feature_waits_for_every_controller() -> None:
    controller = Controller(1, elr=False)
    controller.replay(RegisterControllerRecord(controller_id=9))
    assert update(controller, 1) == E.INVALID_UPDATE_VERSION
    known = [ControllerFeature(name=ELR_VERSION_FEATURE, min_supported_version=0, max_supported_version=1)]
    controller.replay(RegisterControllerRecord(controller_id=9, features=known))
    assert update(controller, 1) == E.NONE


def test_new_cluster_writes_down_the_default_of_its_first_controller() -> None:
    world = World(static={KEY: "2"})
    world.start()
    assert world.node.image.config(BROKER_RESOURCE, "") == {KEY: "2"}
    world = World()
    world.start()
    assert world.node.image.config(BROKER_RESOURCE, "") == {}
