"""A broker with thousands of partitions goes in turns: no batch is too large, no loop stands still."""

from __future__ import annotations

from controller_world import Controller, directory
from metadata_cluster import Cluster
from metadata_world import ENDPOINTS

from riverlog.metadata import broker_lifecycle
from riverlog.metadata.broker_lifecycle import CHANGES_PER_TURN_MAX
from riverlog.metadata.brokers import register_broker, unfencing
from riverlog.metadata.controller import Decision
from riverlog.metadata.image import ClusterState
from riverlog.metadata.records import MetadataRecord
from riverlog.protocol.generated.partition_record import PartitionRecord
from riverlog.protocol.generated.topic_record import TopicRecord

COUNT = 2 * CHANGES_PER_TURN_MAX + 500
TOPIC_ID = b"m" * 16


def many(replicas: list[int]) -> list[MetadataRecord]:
    records: list[MetadataRecord] = [TopicRecord(name="many", topic_id=TOPIC_ID)]
    records += [
        PartitionRecord(
            partition_id=index,
            topic_id=TOPIC_ID,
            replicas=replicas,
            isr=replicas,
            leader=replicas[0],
            leader_epoch=0,
            partition_epoch=0,
            directories=[directory(one) for one in replicas],
        )
        for index in range(COUNT)
    ]
    return records


def held_by(state: ClusterState, broker_id: int) -> int:
    return sum(broker_id == one.leader or broker_id in one.isr for _, _, one in state.partitions())


def fence_first(controller: Controller) -> None:
    """The first turn."""
    decision = broker_lifecycle.fence(controller.state, controller.settings, 1)
    assert decision.response
    assert len(decision.records) == CHANGES_PER_TURN_MAX + 1
    controller.replay(*decision.records)
    assert controller.state.brokers[1].fenced
    assert held_by(controller.state, 1) == COUNT - CHANGES_PER_TURN_MAX


def test_fencing_takes_turns() -> None:
    controller = Controller(1, 2)
    controller.replay(*many([1, 2]))
    epoch = controller.state.brokers[1].broker_epoch
    fence_first(controller)
    for more in (True, False):
        decision = broker_lifecycle.settle_fenced(controller.state, controller.settings, 1, epoch=epoch)
        assert len(decision.records) <= CHANGES_PER_TURN_MAX
        assert decision.response == more
        controller.replay(*decision.records)
    assert held_by(controller.state, 1) == 0
    assert controller.apply(decision) is False


def test_who_is_back_between_two_turns_keeps_the_rest() -> None:
    controller = Controller(1, 2)
    controller.replay(*many([1, 2]))
    epoch = controller.state.brokers[1].broker_epoch
    fence_first(controller)
    controller.beat(1)
    assert not controller.state.brokers[1].fenced
    decision = broker_lifecycle.settle_fenced(controller.state, controller.settings, 1, epoch=epoch)
    assert (decision.response, decision.records) == (False, [])


def test_a_new_controller_finishes_what_the_old_one_began() -> None:
    controller = Controller(1, 2)
    controller.replay(*many([1, 2]))
    fence_first(controller)
    for more in (True, False):
        decision = broker_lifecycle.settle_fenced_leaders(controller.state, controller.settings)
        assert len(decision.records) <= CHANGES_PER_TURN_MAX
        assert decision.response == more
        controller.replay(*decision.records)
    assert all(one.leader == 2 for _, _, one in controller.state.partitions())
    decision = broker_lifecycle.settle_fenced_leaders(controller.state, controller.settings)
    assert (decision.response, decision.records) == (False, [])


def test_controlled_shutdown_takes_a_heartbeat_for_each_turn() -> None:
    controller = Controller(1, 2)
    controller.replay(*many([1, 2]))
    for turn in range(3):
        before = controller.offset
        response = controller.beat(1, want_shut_down=True, others_caught_up=False)
        assert not response.should_shut_down
        assert controller.offset - before <= CHANGES_PER_TURN_MAX + 1
        assert held_by(controller.state, 1) == max(0, COUNT - (turn + 1) * CHANGES_PER_TURN_MAX)
    assert controller.beat(1, want_shut_down=True).should_shut_down
    assert controller.state.brokers[1].fenced


def test_shutdown_of_who_only_follows_takes_turns_too() -> None:
    controller = Controller(1, 2)
    controller.replay(*many([1, 2]))
    turns = 0
    while not controller.beat(2, want_shut_down=True).should_shut_down:
        turns += 1
        # Nobody takes it in again meanwhile.
        assert not controller.state.brokers[2].active
        assert turns < 10
    assert turns == 2
    assert held_by(controller.state, 2) == 0
    assert controller.state.brokers[2].fenced


def test_a_silent_broker_is_fenced_turn_by_turn_by_the_active_controller() -> None:
    cluster = Cluster(broker_session_timeout_ms="2000")
    active = cluster.start()
    records: list[MetadataRecord] = []
    for number in (1, 2):
        record = register_broker(
            broker_id=number,
            broker_epoch=number,
            incarnation_id=bytes([number]) * 16,
            endpoints=ENDPOINTS,
            rack=None,
            log_dirs=[directory(number)],
        )
        records += [record, unfencing(number, number)]
    for index in range(0, len(all_records := [*records, *many([1, 2])]), 1000):
        batch = all_records[index : index + 1000]
        active.node.decide(lambda _, batch=batch: Decision(None, batch), lambda _: None)  # type: ignore[misc]
    cluster.settle()
    sizes: list[int] = []
    append = active.node.raft.append

    def watched(values: list[bytes]) -> int:
        sizes.append(len(values))
        return append(values)

    active.node.raft.append = watched  # type: ignore[method-assign, assignment]

    def fenced() -> bool:
        active.node.heartbeats.touched(2, 2)
        return all(one.node.image.brokers[1].fenced for one in cluster.processes.values())

    assert cluster.scheduler.run_until(fenced, seconds_max=20)
    assert cluster.scheduler.run_until(lambda: held_by(active.node.image, 1) == 0, seconds_max=1)
    assert max(sizes) <= CHANGES_PER_TURN_MAX + 1
    assert not active.node.image.brokers[2].fenced
