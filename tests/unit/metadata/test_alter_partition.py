"""AlterPartition: errors as Kafka's controller gives them."""

from __future__ import annotations

from typing import Any

import pytest
from controller_world import Controller

from riverlog.base.errors import ErrorCode
from riverlog.protocol.generated.alter_partition_response import PartitionData

E = ErrorCode


def world(**more: Any) -> Controller:
    controller = Controller(1, 2, 3, 4)
    controller.topic([1, 2, 3], **more)
    return controller


def error_of(answered: PartitionData | int) -> int:
    return answered if isinstance(answered, int) else answered.error_code


@pytest.mark.parametrize("version", [2, 3])
def test_leader_shrinks_and_expands_its_isr(version: int) -> None:
    controller = world()
    answered = controller.propose([1, 3], version=version)
    assert isinstance(answered, PartitionData)
    assert (answered.error_code, answered.leader_id, answered.isr) == (E.NONE, 1, [1, 3])
    assert (answered.leader_epoch, answered.partition_epoch) == (0, 1)
    assert controller.shape == (1, (1, 3), ())
    controller.alter([1, 3, 2], version=version)
    assert controller.shape == (1, (1, 3, 2), ())
    assert (controller.partition.leader_epoch, controller.partition.partition_epoch) == (0, 2)


def test_isr_that_is_there_already_is_accepted_without_a_record() -> None:
    controller = world()
    before = controller.offset
    controller.alter([1, 2, 3])
    assert controller.offset == before


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"stale": True}, E.STALE_BROKER_EPOCH),
        ({"sender": 9}, E.STALE_BROKER_EPOCH),
        ({"topic_id": b"x" * 16}, E.UNKNOWN_TOPIC_ID),
        ({"index": 7}, E.UNKNOWN_TOPIC_OR_PARTITION),
        ({"leader_epoch": 1}, E.NOT_CONTROLLER),
        ({"partition_epoch": 1}, E.NOT_CONTROLLER),
        ({"leader_epoch": -1}, E.FENCED_LEADER_EPOCH),
        ({"partition_epoch": -1}, E.INVALID_UPDATE_VERSION),
        ({"sender": 2}, E.INVALID_REQUEST),
        ({"isr": []}, E.INVALID_REQUEST),
        ({"isr": [2, 3]}, E.INVALID_REQUEST),
        ({"isr": [1, 1]}, E.INVALID_REQUEST),
        ({"isr": [1, 4]}, E.INVALID_REQUEST),
        ({"recovery": 1, "isr": [1]}, E.INVALID_REQUEST),
        ({"recovery": 5}, E.INVALID_REQUEST),
        ({"epochs": {2: 0}}, E.INELIGIBLE_REPLICA),
    ],
)
def test_wrong_proposals_are_refused(more: dict[str, Any], error: ErrorCode) -> None:
    controller = world()
    before = controller.offset
    assert error_of(controller.propose(**{"isr": [1, 2], **more})) == error
    assert controller.offset == before


def test_epoch_minus_one_is_not_checked() -> None:
    controller = world(isr=[1])
    assert error_of(controller.propose([1, 2], epochs={2: -1})) == E.NONE


@pytest.mark.parametrize("how", ["fenced", "shutting down", "restarted"])
def test_replica_out_of_service_does_not_join_the_isr(how: str) -> None:
    controller = world(isr=[1])
    epochs = {2: controller.state.brokers[2].broker_epoch}
    if how == "fenced":
        controller.fence(2)
    elif how == "shutting down":
        controller.state.brokers[2].in_controlled_shutdown = True
    else:
        controller.start(2)
    assert error_of(controller.propose([1, 2], epochs=epochs)) == E.INELIGIBLE_REPLICA


def test_recovering_leader_is_alone_until_it_has_recovered() -> None:
    controller = world(isr=[1])
    controller.fence(1)
    assert controller.elect(1) == E.NONE
    assert controller.shape == (2, (2,), ())
    assert controller.partition.leader_recovery_state == 1
    assert error_of(controller.propose([2, 3], recovery=1)) == E.INVALID_REQUEST
    assert error_of(controller.propose([2], recovery=0)) == E.NONE
    assert controller.partition.leader_recovery_state == 0
    assert error_of(controller.propose([2, 3], recovery=0)) == E.NONE


def test_below_min_insync_who_leaves_stays_eligible() -> None:
    """KIP-966."""
    controller = world(min_insync_replicas="2")
    controller.alter([1, 2])
    assert controller.shape == (1, (1, 2), ())
    controller.alter([1])
    assert controller.shape == (1, (1,), (2,))
    controller.alter([1, 3])
    assert controller.shape == (1, (1, 3), ())


def test_proposal_that_completes_a_reassignment() -> None:
    controller = world()
    assert controller.reassign([1, 2, 4]) == E.NONE
    assert controller.partition.replicas == (1, 2, 4, 3)
    controller.alter([1, 2, 3, 4])
    found = controller.partition
    assert (found.replicas, found.isr, found.adding_replicas, found.removing_replicas) == (
        (1, 2, 4),
        (1, 2, 4),
        (),
        (),
    )
    # Somebody was dropped: a new leader epoch with the same leader.
    assert (found.leader, found.leader_epoch) == (1, 1)


def test_completion_that_drops_the_leader_elects_another() -> None:
    controller = world()
    assert controller.reassign([4, 2]) == E.NONE
    assert error_of(controller.propose([1, 2, 3, 4])) == E.NEW_LEADER_ELECTED
    assert controller.partition.replicas == (4, 2)
    assert controller.partition.leader == 4
