"""The checkers of the cluster runs are checked: each planted bug is caught.

Some within so many seeds of the usual run; some need a certain sequence of events, which a test directs,
once with the bug and once without.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from cluster_bugs import BUGS, DIRECTED, SUBSTITUTES
from stage import Stage

from riverlog.base.errors import ErrorCode
from riverlog.sim.checkers import Violation
from riverlog.sim.cluster import ClusterNode, Plant
from riverlog.sim.cluster_workload import ClusterRun
from riverlog.sim.disk import Latency

pytestmark = [pytest.mark.sim, pytest.mark.timeout(600)]


def run_until_caught(plant: Plant, seeds: int) -> None:
    for seed in range(seeds):
        ClusterRun(seed, plant=plant).run()


@pytest.mark.parametrize("name", BUGS)
def test_planted_bug_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for target, function, wrong in SUBSTITUTES.get(name, ()):
        monkeypatch.setattr(target, function, wrong)
    plant, seeds = BUGS[name]
    with pytest.raises(Violation, match=r"replay: riverlog sim replay cluster-lives-\d+"):
        run_until_caught(plant, seeds)


# -- directed ----------------------------------------------------------------------------------


def _controller(stage: Stage) -> ClusterNode:
    def leader() -> ClusterNode | None:
        for node in stage.cluster.nodes:
            if node.broker is not None and node.broker.metadata.is_active:
                return node
        return None

    stage.wait(lambda: leader() is not None, "an active controller")
    found = leader()
    assert found is not None
    return found


def a_leader_with_a_tail_restarts(plant: Plant | None) -> None:
    """Its checkpoint of the watermark is older than what it has, and it must cut its tail."""
    stage = Stage(
        "truncate", plant=plant, settings={"replica.high.watermark.checkpoint.interval.ms": "60000"}
    )
    stage.create("t", replicas=[1, 2, 3])
    old = stage.cluster.node(1)
    for _ in range(3):
        assert stage.produce("t") is ErrorCode.NONE
    stage.isolate(old)
    stage.produce("t", to=old, acks=1)
    stage.run_for(0.5)
    stage.wait_for_leader("t", other_than=old)
    old.kill()
    stage.heal()
    stage.start(old)
    stage.check_all("t")


def a_replica_joins_and_its_leader_is_not_told(plant: Plant | None) -> None:
    """The controller has the larger in-sync set, the leader only proposed it."""
    stage = Stage("expand", plant=plant)
    controller = _controller(stage)
    leader, joining = (node for node in stage.cluster.nodes if node is not controller)
    stage.create("t", replicas=[leader.node_id, joining.node_id], min_insync=1)
    joining.kill()
    stage.wait_for_isr("t", leader.node_id)
    assert stage.produce("t") is ErrorCode.NONE
    stage.start(joining)
    assert leader.broker is not None
    partition = leader.broker.partition("t", 0)
    assert not isinstance(partition, ErrorCode)
    stage.wait(lambda: partition.in_sync.pending is not None, "a proposal")
    stage.network.block(controller.name, leader.name)
    stage.isolate(leader, joining)
    stage.wait(lambda: joining.node_id in stage.state("t").isr, "a larger in-sync set")
    stage.produce("t", to=leader, timeout_ms=1_000)
    stage.isolate(leader)
    stage.wait_for_leader("t", other_than=leader)
    stage.check_all("t")


def a_raft_leader_loses_what_others_have(plant: Plant | None) -> None:
    """Its disk is slow, the followers' are not: they commit without it, then it loses power."""
    stage = Stage("resign", plant=plant)
    leader = _controller(stage)
    assert leader.disk is not None
    leader.disk.setup.latency = Latency(3.0, 3.0)
    stage.create("t", replicas=[1, 2, 3])
    stage.power(leader)
    stage.start(leader)
    stage.run_for(1.0)
    stage.check_all("t")


def a_majority_is_one_stale_voter_and_an_empty_folder(plant: Plant | None) -> None:
    stage = Stage("emptied", plant=plant)
    leader = _controller(stage)
    wiped, stale = (node for node in stage.cluster.nodes if node is not leader)
    stage.isolate(stale)
    stage.create("t", replicas=[leader.node_id, wiped.node_id, stale.node_id])
    stage.power(leader, wiped)  # what they had sent to the stale one is gone with them
    wiped.wipe()
    stage.watch.wiped(wiped)
    stage.heal()
    stage.start(wiped)
    stage.run_for(10.0)
    stage.start(leader)
    stage.check_all("t")


def a_leader_loses_what_its_followers_have(plant: Plant | None) -> None:
    """Its disk is slow, it goes down with its page cache, and is back before anybody misses it."""
    stage = Stage("lead on", plant=plant)
    controller = _controller(stage)
    leader, other = (node for node in stage.cluster.nodes if node is not controller)
    stage.create("t", replicas=[leader.node_id, other.node_id, controller.node_id])
    assert stage.produce("t") is ErrorCode.NONE
    assert leader.disk is not None
    leader.disk.setup.latency = Latency(3.0, 3.0)
    assert stage.produce("t", to=leader, acks=1) is ErrorCode.NONE
    stage.run_for(0.5)
    leader.kill()
    leader.media = leader.media.power_loss(stage.rng.stream("cache"))
    stage.start(leader)
    stage.wait(lambda: leader.serving, "it serves again")
    stage.wait(lambda: stage.produce("t", timeout_ms=2_000) is ErrorCode.NONE, "a write")
    stage.check_all("t")


def a_follower_does_not_know_that_the_disk_counts_now(plant: Plant | None) -> None:
    """``ack.after.fsync`` is turned on: a new epoch. A follower that was not told fetches in the old one."""
    stage = Stage("older epoch", plant=plant)
    controller = _controller(stage)
    leader, follower = (node for node in stage.cluster.nodes if node is not controller)
    stage.create("t", replicas=[leader.node_id, follower.node_id])
    stage.alter("t", "ack.after.fsync", "false")
    stage.wait_for_isr("t", leader.node_id, follower.node_id)
    assert stage.produce("t") is ErrorCode.NONE
    stage.run_for(1.0)
    assert follower.disk is not None
    follower.disk.setup.latency = Latency(20.0, 20.0)
    stage.isolate(follower, controller)
    stage.network.block(leader.name, follower.name)
    answers = stage.begin_produce("t", to=leader, timeout_ms=1_500)
    stage.alter("t", "ack.after.fsync", "true", to=controller)
    stage.wait(lambda: stage.leads("t") is leader, "the new epoch")
    stage.network.unblock(leader.name, follower.name)
    stage.wait(lambda: bool(answers), "an answer")
    stage.power(follower)
    stage.isolate(leader)
    stage.heal_between(follower, controller)
    stage.start(follower)
    stage.run_for(6.0)
    stage.check_all("t")


def a_new_raft_leader_has_what_was_not_committed(plant: Plant | None) -> None:
    """The old one sent a record to both others and never heard that they have it."""
    stage = Stage("own epoch", plant=plant)
    old = _controller(stage)
    others = [node for node in stage.cluster.nodes if node is not old]
    assert old.broker is not None
    raft = old.broker.metadata.raft
    assert raft.leadership is not None
    parked = raft.leadership._parked
    stage.wait(lambda: len(parked) == 2, "both wait for more")
    for node in others:
        stage.network.block(node.name, old.name)
    stage.begin_create("t", at=old)
    stage.wait(lambda: stage.state("t").leader > 0, "others commit it")
    stage.heal()
    stage.run_for(1.0)
    stage.create("u", replicas=[1, 2, 3])
    stage.check_all("u")


def all_lose_power(plant: Plant | None) -> None:
    stage = Stage("skip fsync", plant=plant)
    stage.create("t", replicas=[1, 2, 3])
    for _ in range(3):
        stage.wait(lambda: stage.produce("t", timeout_ms=2_000) is ErrorCode.NONE, "a write")
        stage.power(*stage.cluster.nodes)
        for node in stage.cluster.nodes:
            stage.start(node)
        stage.wait(lambda: all(node.serving for node in stage.cluster.nodes), "all serve")
    stage.check_all("t")


SEQUENCES: dict[str, Callable[[Plant | None], None]] = {
    "truncate by watermark": a_leader_with_a_tail_restarts,
    "count the committed isr only": a_replica_joins_and_its_leader_is_not_told,
    "lead on in the old raft epoch": a_raft_leader_loses_what_others_have,
    "lead on in the old epoch": a_leader_loses_what_its_followers_have,
    "commit without a record of its own epoch": a_new_raft_leader_has_what_was_not_committed,
    "count a fetch of an older epoch": a_follower_does_not_know_that_the_disk_counts_now,
    "answer before fsync": all_lose_power,
    "vote from an emptied folder": a_majority_is_one_stale_voter_and_an_empty_folder,
}


@pytest.mark.parametrize("name", SEQUENCES)
def test_sequence_does_no_harm_without_the_bug(name: str) -> None:
    SEQUENCES[name](None)


@pytest.mark.parametrize("name", SEQUENCES)
def test_directed_bug_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for target, function, wrong in SUBSTITUTES.get(name, ()):
        monkeypatch.setattr(target, function, wrong)
    with pytest.raises(Violation):
        SEQUENCES[name](DIRECTED[name])
