"""Heartbeats, fencing, controlled shutdown, folders that go offline, UnregisterBroker."""

from __future__ import annotations

from controller_world import TOPIC_ID, Controller, directory

from riverlog.base.errors import ErrorCode
from riverlog.metadata import broker_lifecycle, directories
from riverlog.protocol.generated.assign_replicas_to_dirs_request import (
    AssignReplicasToDirsRequest,
    DirectoryData,
    PartitionData,
    TopicData,
)

E = ErrorCode


def test_broker_is_unfenced_once_it_has_read_its_registration() -> None:
    controller = Controller()
    epoch = controller.register(1).broker_epoch
    response = controller.beat(1, at=epoch - 1)
    assert (response.is_fenced, response.is_caught_up) == (True, False)
    assert controller.state.brokers[1].fenced
    response = controller.beat(1, at=epoch, want_fence=True)
    assert (response.is_fenced, response.is_caught_up) == (True, True)
    response = controller.beat(1, at=epoch)
    assert (response.is_fenced, response.is_caught_up) == (False, True)
    assert not controller.state.brokers[1].fenced
    before = controller.offset
    assert controller.beat(1).error_code == E.NONE
    assert controller.offset == before


def test_heartbeat_of_an_old_incarnation_is_stale() -> None:
    controller = Controller(1)
    before = controller.offset
    assert controller.beat(1, epoch=0).error_code == E.STALE_BROKER_EPOCH
    assert controller.beat(9, epoch=0).error_code == E.STALE_BROKER_EPOCH
    assert controller.offset == before


def test_fenced_broker_leaves_the_isr_and_the_leadership() -> None:
    controller = Controller(1, 2, 3)
    controller.topic([1, 2, 3])
    epoch = controller.partition.leader_epoch
    controller.fence(3)
    assert controller.shape == (1, (1, 2), ())
    assert controller.partition.leader_epoch == epoch
    controller.fence(1)
    assert controller.shape == (2, (2,), ())
    assert controller.partition.leader_epoch == epoch + 1
    # Twice is once.
    before = controller.offset
    controller.fence(1, 9)
    assert controller.offset == before


def test_last_in_sync_replica_stays_in_the_isr_without_a_leader() -> None:
    """KAFKA-15353: never an empty ISR."""
    controller = Controller(1, 2)
    controller.topic([1, 2])
    controller.fence(2, 1)
    assert controller.shape == (-1, (1,), ())
    controller.beat(2)
    # In sync it is not: it waits for the other one.
    assert controller.shape == (-1, (1,), ())
    controller.beat(1)
    assert controller.shape == (1, (1,), ())


def test_fencing_of_an_old_epoch_does_nothing() -> None:
    controller = Controller(1)
    epoch = controller.state.brokers[1].broker_epoch
    decision = broker_lifecycle.fence(controller.state, controller.settings, 1, epoch=epoch - 1)
    assert (decision.response, decision.records) == (False, [])
    assert broker_lifecycle.fence(controller.state, controller.settings, 1, epoch=epoch).records


def test_controlled_shutdown_hands_everything_over_first() -> None:
    controller = Controller(1, 2, 3)
    controller.topic([1, 2, 3])
    response = controller.beat(1, want_shut_down=True)
    assert (response.should_shut_down, response.is_fenced) == (False, False)
    assert controller.state.brokers[1].in_controlled_shutdown
    assert controller.shape == (2, (2, 3), ())
    before = controller.offset
    # The others must know first.
    assert not controller.beat(1, want_shut_down=True, others_caught_up=False).should_shut_down
    assert controller.offset == before
    response = controller.beat(1, want_shut_down=True)
    assert (response.should_shut_down, response.is_fenced) == (True, True)
    assert controller.state.brokers[1].fenced


def test_shutdown_of_who_leads_nothing_is_granted_at_once() -> None:
    controller = Controller(1, 2)
    controller.topic([1, 2])
    response = controller.beat(2, want_shut_down=True)
    assert (response.should_shut_down, response.is_fenced) == (True, True)
    assert controller.shape == (1, (1,), ())
    assert controller.beat(2, want_shut_down=True).should_shut_down


def test_shutdown_of_the_last_in_sync_replica_is_granted() -> None:
    controller = Controller(1, 2)
    controller.topic([1, 2], isr=[1])
    controller.beat(1, want_shut_down=True)
    assert controller.shape == (-1, (1,), ())
    assert controller.beat(1, want_shut_down=True).should_shut_down
    controller.start(1, clean=True)
    assert controller.shape == (1, (1,), ())


def test_broker_may_ask_to_be_fenced() -> None:
    controller = Controller(1, 2)
    controller.topic([1, 2])
    response = controller.beat(1, want_fence=True)
    assert (response.is_fenced, response.should_shut_down) == (True, False)
    assert controller.shape == (2, (2,), ())


def test_offline_folder_costs_leadership_and_isr_of_its_replicas_only() -> None:
    controller = Controller(1)
    both = [directory(2), directory(2, number=1)]
    controller.start(2, dirs=both)
    controller.topic([2, 1], directories=[both[1], directory(1)])
    controller.beat(2, offline=[both[0]])
    assert controller.shape == (2, (2, 1), ())
    assert controller.state.brokers[2].log_dirs == [both[1]]
    controller = Controller(1)
    controller.start(2, dirs=both)
    controller.topic([2, 1], directories=[both[1], directory(1)])
    controller.beat(2, offline=[both[1]])
    assert controller.shape == (1, (1,), ())
    before = controller.offset
    controller.beat(2, offline=[both[1]])
    assert controller.offset == before
    # It cannot come back as leader from there.
    controller.fence(1)
    controller.beat(2)
    assert controller.shape == (-1, (1,), ())


def test_unfencing_does_not_elect_into_a_folder_that_just_failed() -> None:
    controller = Controller()
    both = [directory(2), directory(2, number=1)]
    controller.register(2, dirs=both)
    controller.topic([2], leader=-1, directories=[both[1]])
    controller.beat(2, offline=[both[1]])
    assert not controller.state.brokers[2].fenced
    assert controller.shape == (-1, (2,), ())


def assign(
    controller: Controller,
    broker_id: int,
    directory_id: bytes,
    *,
    topic_id: bytes = TOPIC_ID,
    index: int = 0,
    stale: bool = False,
) -> int:
    wanted = TopicData(topic_id=topic_id, partitions=[PartitionData(partition_index=index)])
    request = AssignReplicasToDirsRequest(
        broker_id=broker_id,
        broker_epoch=controller.state.brokers[broker_id].broker_epoch - stale,
        directories=[DirectoryData(id=directory_id, topics=[wanted])],
    )
    decision = directories.assign_replicas_to_dirs(controller.state, controller.settings, request)
    response = controller.apply(decision)
    if response.error_code:
        return response.error_code
    return response.directories[0].topics[0].partitions[0].error_code


def test_replicas_are_assigned_to_folders() -> None:
    controller = Controller(1, 3)
    both = [directory(2), directory(2, number=1)]
    controller.start(2, dirs=both)
    controller.topic([1, 2], directories=[directory(1), bytes(16)])
    assert assign(controller, 2, both[1]) == E.NONE
    assert controller.partition.directories == (directory(1), both[1])
    before = controller.offset
    assert assign(controller, 2, both[1]) == E.NONE
    assert assign(controller, 2, both[1], stale=True) == E.STALE_BROKER_EPOCH
    assert assign(controller, 2, both[1], topic_id=b"x" * 16) == E.UNKNOWN_TOPIC_ID
    assert assign(controller, 2, both[1], index=1) == E.UNKNOWN_TOPIC_OR_PARTITION
    assert assign(controller, 3, directory(3)) == E.NOT_LEADER_OR_FOLLOWER
    assert controller.offset == before


def test_replica_assigned_to_an_offline_folder_stops_leading() -> None:
    controller = Controller(1, 2)
    controller.topic([1, 2])
    assert assign(controller, 1, directory(1, number=9)) == E.NONE
    assert controller.shape == (2, (2,), ())
    assert controller.partition.directories == (directory(1, number=9), directory(2))


def test_unregistered_broker_is_forgotten_but_keeps_its_replicas() -> None:
    controller = Controller(1, 2)
    controller.topic([1, 2])
    assert controller.unregister(1) == E.NONE
    assert controller.shape == (2, (2,), ())
    assert controller.partition.replicas == (1, 2)
    assert 1 not in controller.state.brokers
    assert controller.unregister(1) == E.BROKER_ID_NOT_REGISTERED
    assert controller.unregister(2) == E.NONE
    assert controller.shape == (-1, (2,), ())
