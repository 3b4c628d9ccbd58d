"""Who leads: clean, eligible (KIP-966), last known, unclean; by request, by timer."""

from __future__ import annotations

import pytest
from controller_world import TOPIC_ID, Controller, directory

from riverlog.base.errors import ErrorCode
from riverlog.metadata import election
from riverlog.metadata.election import PREFERRED, UNCLEAN
from riverlog.metadata.image import ClusterState
from riverlog.metadata.validate import check_state
from riverlog.protocol.generated.partition_change_record import PartitionChangeRecord
from riverlog.protocol.generated.partition_record import PartitionRecord

E = ErrorCode


def test_eligible_replica_leads_when_nobody_in_sync_lives() -> None:
    controller = Controller(1, 2, 3)
    controller.topic([1, 2, 3], min_insync_replicas="2")
    controller.fence(3, 2)
    assert controller.shape == (1, (1,), (2,))
    controller.beat(3)
    controller.beat(2)
    assert controller.shape == (1, (1,), (2,))
    controller.fence(1)
    # Not 3: the watermark moved on after it had left.
    assert controller.shape == (2, (2,), (1,))
    assert controller.partition.leader_recovery_state == 0


def test_unclean_election_by_the_setting_is_reported() -> None:
    for enabled in (True, False):
        controller = Controller(1, 2)
        controller.topic([1, 2], isr=[1], unclean_leader_election_enable=str(enabled).lower())
        controller.fence(1)
        if enabled:
            assert controller.shape == (2, (2,), ())
            assert controller.partition.leader_recovery_state == 1
        else:
            assert controller.shape == (-1, (1,), ())
            assert controller.partition.leader_recovery_state == 0


def test_unclean_setting_of_the_cluster_and_of_the_controller() -> None:
    controller = Controller(1, 2)
    controller.topic([1, 2], isr=[1])
    controller.setting("unclean.leader.election.enable", "true", topic=None)
    controller.fence(1)
    assert controller.partition.leader == 2
    controller = Controller(1, 2, static={"unclean.leader.election.enable": "true"})
    controller.topic([1, 2], isr=[1])
    controller.fence(1)
    assert controller.partition.leader == 2


def test_preferred_leader_is_elected_when_it_is_in_sync() -> None:
    controller = Controller(1, 2)
    controller.topic([1, 2], isr=[2], leader=2)
    assert controller.elect(PREFERRED) == E.PREFERRED_LEADER_NOT_AVAILABLE
    controller.alter([2, 1])
    assert controller.elect(PREFERRED) == E.NONE
    assert controller.partition.leader == 1
    assert controller.elect(PREFERRED) == E.ELECTION_NOT_NEEDED
    assert controller.elect(UNCLEAN) == E.ELECTION_NOT_NEEDED


def test_unclean_election_by_request() -> None:
    controller = Controller(1, 2, 3)
    controller.topic([1, 2, 3], isr=[1], elr=[3], min_insync_replicas="2")
    controller.fence(1, 2, 3)
    assert controller.elect(UNCLEAN) == E.ELIGIBLE_LEADERS_NOT_AVAILABLE
    controller.beat(2)
    assert controller.partition.leader == -1
    assert controller.elect(UNCLEAN) == E.NONE
    assert controller.shape == (2, (2,), ())
    assert controller.partition.leader_recovery_state == 1


def balanced(controller: Controller, limit: int = 1000) -> bool:
    return controller.apply(election.balance_leaders(controller.state, controller.settings, limit=limit))


def test_leaders_are_balanced_within_a_limit() -> None:
    controller = Controller(1, 2)
    controller.topic([1, 2], isr=[2, 1], leader=2)
    for index in (1, 2):
        controller.replay(
            PartitionRecord(
                topic_id=TOPIC_ID,
                partition_id=index,
                replicas=[1, 2],
                isr=[1, 2],
                leader=2,
                leader_epoch=0,
                partition_epoch=0,
                directories=[directory(1), directory(2)],
            )
        )
    assert balanced(controller, limit=2)
    leaders = [one.leader for one in controller.state.topics["t"].partitions.values()]
    assert sorted(leaders) == [1, 1, 2]
    assert not balanced(controller)
    assert {one.leader for one in controller.state.topics["t"].partitions.values()} == {1}
    before = controller.offset
    assert not balanced(controller)
    assert controller.offset == before


def test_balance_leaves_alone_what_it_cannot_give_back() -> None:
    controller = Controller(1, 2)
    controller.topic([1, 2], isr=[2], leader=2)
    before = controller.offset
    assert not balanced(controller)
    assert controller.offset == before


def test_unclean_elections_on_a_timer() -> None:
    controller = Controller(1, 2)
    controller.topic([1, 2], isr=[1])
    controller.fence(1)
    decision = election.elect_unclean_leaders(controller.state, controller.settings)
    assert decision.records == []
    controller.setting("unclean.leader.election.enable", "true")
    assert not controller.apply(election.elect_unclean_leaders(controller.state, controller.settings))
    assert controller.shape == (2, (2,), ())


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"isr": [1, 9]}, "in sync but no replica"),
        ({"isr": []}, "leader without an ISR"),
        ({"isr": [2]}, "leader outside the ISR"),
        ({"leader": 3, "isr": [3]}, "leader is fenced"),
        ({"eligible_leader_replicas": [1]}, "in sync and eligible"),
        ({"eligible_leader_replicas": [9]}, "eligible but no replica"),
        ({"isr": [1, 1]}, "a member twice"),
        ({"leader_recovery_state": 1}, "a recovering leader with company"),
        ({"adding_replicas": [9]}, "adding what is no replica"),
        ({"removing_replicas": [9]}, "removing what is no replica"),
        ({"adding_replicas": [2], "removing_replicas": [2]}, "adding and removing the same"),
        ({"directories": [directory(1)]}, "directories do not match"),
    ],
)
def test_check_state_finds(change: dict[str, object], problem: str) -> None:
    controller = Controller(1, 2, 3)
    controller.topic([1, 2, 3])
    controller.fence(3)
    assert check_state(controller.state) == []
    controller.replay(PartitionChangeRecord(topic_id=TOPIC_ID, partition_id=0, **change))  # type: ignore[arg-type]
    (found,) = check_state(controller.state)
    assert problem in found


def test_check_state_finds_folders_with_two_owners_and_wrong_counts() -> None:
    controller = Controller(1, 2)
    controller.state.brokers[2].log_dirs = [directory(1)]
    controller.state.partition_count = 5
    assert len(check_state(controller.state)) == 2
    assert check_state(ClusterState()) == []
