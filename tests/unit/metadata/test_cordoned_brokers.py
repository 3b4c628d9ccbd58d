"""Folders that are closed for new replicas, as the controller decides about them (KIP-1066)."""

from __future__ import annotations

import pytest
from controller_world import Controller, directory

from riverlog.metadata import broker_lifecycle
from riverlog.metadata.controller import Refused
from riverlog.metadata.dead_replicas import replace_dead_replicas
from riverlog.metadata.placement import place
from riverlog.metadata.records import METADATA_VERSION_FEATURE
from riverlog.protocol.generated.feature_level_record import FeatureLevelRecord


def cordon(controller: Controller, broker_id: int, *directories: bytes) -> int:
    """How many records it took."""
    before = controller.offset
    controller.apply(broker_lifecycle.cordon(controller.state, broker_id, directories))
    return controller.offset - before


def placed(controller: Controller, factor: int) -> set[int]:
    rng = controller.settings.rng
    found = place(controller.state, rng, partitions=20, replication_factor=factor)
    return {replica for replicas in found for replica in replicas}


def test_a_broker_whose_folders_are_all_cordoned_gets_nothing_new() -> None:
    controller = Controller(1, 2, 3)
    assert cordon(controller, 3, directory(3)) == 1
    assert cordon(controller, 3, directory(3)) == 0  # nothing new
    assert placed(controller, 2) == {1, 2}
    with pytest.raises(Refused, match=r"only 2 broker\(s\)"):
        placed(controller, 3)
    assert cordon(controller, 3) == 1
    assert placed(controller, 2) == {1, 2, 3}


def test_one_open_folder_is_enough() -> None:
    controller = Controller(1, 2)
    controller.start(3, dirs=[directory(3), directory(3, number=1)])
    assert cordon(controller, 3, directory(3)) == 1
    assert placed(controller, 2) == {1, 2, 3}


def test_replicas_of_a_dead_broker_are_not_made_anew_on_a_cordoned_one() -> None:
    controller = Controller(1, 2, 3, 4)
    controller.topic([1, 2])
    cordon(controller, 3, directory(3))
    controller.fence(2)
    controller.apply(replace_dead_replicas(controller.state, controller.settings, dead=[2]))
    assert set(controller.partition.adding_replicas) == {4}


def test_an_unknown_broker_or_an_older_cluster_has_none() -> None:
    controller = Controller(1)
    assert cordon(controller, 9, directory(9)) == 0
    controller.replay(FeatureLevelRecord(name=METADATA_VERSION_FEATURE, feature_level=29))
    assert cordon(controller, 1, directory(1)) == 0
