"""Single rules of the quorum: what is refused, what is sent, who takes over."""

from __future__ import annotations

from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.protocol.generated.add_raft_voter_request import AddRaftVoterRequest
from riverlog.protocol.generated.add_raft_voter_request import Listener as AddListener
from riverlog.protocol.generated.describe_quorum_request import (
    DescribeQuorumRequest,
    PartitionData,
    TopicData,
)
from riverlog.protocol.generated.remove_raft_voter_request import RemoveRaftVoterRequest
from riverlog.raft import messages
from riverlog.raft.roles import Role
from riverlog.raft.types import METADATA_TOPIC, RaftSettings
from riverlog.raft.voter_set import ReplicaKey
from riverlog.sim.disk import Fault
from tests.unit.raft.quorum import CLUSTER_ID, Member, Quorum


def started(seed: int, **options: Any) -> tuple[Quorum, Member]:
    quorum = Quorum(seed, **options)
    quorum.start()
    leader = quorum.await_leader()
    end = leader.append(b"first")
    assert end is not None
    quorum.await_applied(end)
    return quorum, leader


def follower_of(quorum: Quorum, leader: Member) -> Member:
    return next(one for one in quorum.members.values() if one is not leader)


def vote(member: Member, candidate: Member, *, epoch: int, **changes: Any) -> Any:
    assert member.node is not None
    options: dict[str, Any] = {
        "cluster": CLUSTER_ID,
        "voter": ReplicaKey(member.node_id, member.directory_id),
        "key": ReplicaKey(candidate.node_id, candidate.directory_id),
        "last_epoch": epoch - 1,
        "last_offset": 1000,
        "pre_vote": False,
    } | changes
    request = messages.make_vote_request(
        options["cluster"],
        options["voter"],
        options["key"],
        epoch=epoch,
        last_epoch=options["last_epoch"],
        last_offset=options["last_offset"],
        pre_vote=options["pre_vote"],
    )
    answers: list[Any] = []
    member.node.handle_vote(request, answers.append, version=2)
    assert len(answers) <= 1
    return answers[0] if answers else None


def outcome(response: Any) -> tuple[int, bool]:
    partition = response.topics[0].partitions[0]
    return partition.error_code, partition.vote_granted


# -- votes -------------------------------------------------------------------------------


def test_vote_of_another_cluster_is_refused() -> None:
    quorum, leader = started(1)
    response = vote(leader, follower_of(quorum, leader), epoch=50, cluster="another")
    assert response.error_code == ErrorCode.INCONSISTENT_CLUSTER_ID
    assert leader.node is not None
    assert leader.node.leading


def test_vote_meant_for_another_folder_is_refused() -> None:
    quorum, leader = started(2)
    member = follower_of(quorum, leader)
    response = vote(member, leader, epoch=50, voter=ReplicaKey(member.node_id, b"x" * 16))
    assert outcome(response) == (ErrorCode.INVALID_VOTER_KEY, False)
    assert member.node is not None
    assert member.node.epoch < 50


def test_candidate_that_is_no_voter_is_refused() -> None:
    quorum, leader = started(3)
    member = follower_of(quorum, leader)
    assert member.node is not None
    own = {"last_epoch": member.node.store.last_epoch, "last_offset": member.node.store.end_offset}
    response = vote(member, leader, epoch=50, key=ReplicaKey(leader.node_id, b"x" * 16), **own)
    assert outcome(response) == (ErrorCode.INCONSISTENT_VOTER_SET, False)


def test_candidate_with_a_shorter_log_gets_no_vote_but_its_epoch_counts() -> None:
    quorum, leader = started(4)
    member, other = (one for one in quorum.members.values() if one is not leader)
    assert outcome(vote(member, other, epoch=50, last_epoch=0, last_offset=0)) == (ErrorCode.NONE, False)
    assert member.node is not None
    assert member.node.epoch == 50


def test_follower_that_hears_its_leader_gives_no_pre_vote() -> None:
    quorum, leader = started(5)
    member, other = (one for one in quorum.members.values() if one is not leader)
    assert member.node is not None
    epoch = member.node.epoch
    assert outcome(vote(member, other, epoch=epoch, last_epoch=epoch, pre_vote=True)) == (
        ErrorCode.NONE,
        False,
    )
    assert member.node.role is Role.FOLLOWER


def test_vote_is_never_said_when_it_cannot_be_written() -> None:
    quorum, leader = started(6)
    member, other = (one for one in quorum.members.values() if one is not leader)
    member.setup.faults.append(Fault("sync", "quorum-state"))
    assert vote(member, other, epoch=50) is None
    assert member.listener.failures


def test_vote_survives_a_restart() -> None:
    quorum, leader = started(7)
    member, other = (one for one in quorum.members.values() if one is not leader)
    assert outcome(vote(member, other, epoch=50)) == (ErrorCode.NONE, True)
    member.crash(power=True)
    member.start()
    assert outcome(vote(member, leader, epoch=50)) == (ErrorCode.NONE, False)
    assert outcome(vote(member, other, epoch=50)) == (ErrorCode.NONE, True)


# -- leaders -----------------------------------------------------------------------------


def test_leader_without_a_majority_steps_down() -> None:
    quorum, leader = started(8)
    assert leader.node is not None
    epoch = leader.node.epoch
    quorum.isolate(leader.node_id)
    quorum.run_until(lambda: leader.node is not None and not leader.node.leading, 4.0)
    assert "resigned" in leader.listener.calls
    new = quorum.await_leader(but=leader.node_id)
    assert new.listener.leads is not None
    assert new.listener.leads > epoch


def test_isolated_follower_does_not_disturb_the_leader() -> None:
    quorum, leader = started(9)
    member = follower_of(quorum, leader)
    assert leader.node is not None
    epoch = leader.node.epoch
    quorum.isolate(member.node_id)
    quorum.run(20.0)
    quorum.heal()
    quorum.run(5.0)
    assert leader.node.leading
    assert leader.node.epoch == epoch
    assert member.node is not None
    assert member.node.leader_id == leader.node_id


def test_restarted_leader_resigns_its_epoch() -> None:
    quorum, leader = started(10)
    assert leader.node is not None
    epoch = leader.node.epoch
    leader.crash()
    leader.start()
    new = quorum.await_leader(5.0)
    assert new.listener.leads is not None
    assert new.listener.leads > epoch


def test_graceful_stop_hands_over_at_once() -> None:
    quorum, leader = started(11)
    quorum.run(1.0)
    before = quorum.scheduler.now
    assert leader.node is not None
    leader.node.resign()
    quorum.await_leader(but=leader.node_id)
    assert quorum.scheduler.now - before < 0.5


def test_silent_leader_is_replaced_after_the_fetch_timeout() -> None:
    quorum, leader = started(12)
    quorum.run(1.0)
    quorum.isolate(leader.node_id)
    before = quorum.scheduler.now
    quorum.await_leader(but=leader.node_id)
    assert 1.4 < quorum.scheduler.now - before < 5.0


# -- the log -----------------------------------------------------------------------------


def test_records_of_a_lost_leader_are_cut_off() -> None:
    quorum, leader = started(13)
    quorum.isolate(leader.node_id)
    assert leader.append(b"never") is not None
    new = quorum.await_leader(but=leader.node_id)
    end = new.append(b"instead")
    assert end is not None
    quorum.heal()
    quorum.await_applied(end)
    assert [value for _, value in leader.listener.values] == [b"first", b"instead"]


def stuck(quorum: Quorum, slow: Member, leader: Member) -> None:
    """The third is down and the disk of ``slow`` hangs: nothing more can be committed."""
    third = next(one for one in quorum.members.values() if one not in (slow, leader))
    other = next(one for one in quorum.members.values() if one not in (third, leader))
    (third if slow is not leader else other).crash()
    quorum.run(0.5)
    assert leader.node is not None
    before = leader.node.high_watermark
    slow.setup.latency.low_seconds = slow.setup.latency.high_seconds = 1.5
    end = leader.append(b"slow")
    assert end is not None
    quorum.run(1.0)
    assert leader.node.high_watermark == before
    quorum.await_applied(end, leader.node_id, seconds=5.0)


def test_leader_counts_itself_by_what_is_on_its_disk() -> None:
    quorum, leader = started(21)
    stuck(quorum, leader, leader)


def test_follower_fetches_on_only_when_the_last_answer_is_on_its_disk() -> None:
    quorum, leader = started(22)
    stuck(quorum, follower_of(quorum, leader), leader)


def test_member_far_behind_gets_a_snapshot() -> None:
    quorum, leader = started(14)
    member = follower_of(quorum, leader)
    member.crash()
    for _ in range(3):
        for number in range(30):
            end = leader.append(b"%d" % number + bytes(200))
        assert end is not None
        quorum.await_applied(end, leader.node_id)
        leader.write_snapshot()
        quorum.run(0.5)
    assert leader.node is not None
    assert leader.node.snapshot_count == 3
    assert leader.node.log.log_start_offset > 0
    member.start()
    quorum.await_applied(end, member.node_id)
    assert "snapshot" in member.listener.calls
    assert member.listener.values == leader.listener.values
    member.crash(power=True)
    member.start()
    quorum.await_applied(end, member.node_id)
    assert member.listener.values == leader.listener.values


# -- voters and observers ----------------------------------------------------------------


def describe(member: Member) -> Any:
    assert member.node is not None
    answers: list[Any] = []
    request = DescribeQuorumRequest(
        topics=[TopicData(topic_name=METADATA_TOPIC, partitions=[PartitionData(partition_index=0)])]
    )
    member.node.handle_describe_quorum(request, answers.append, version=2)
    return answers[0]


def test_observer_follows_and_is_described() -> None:
    quorum, leader = started(15)
    broker = quorum.add_member(7, voter=False)
    broker.start()
    end = leader.append(b"second")
    assert end is not None
    quorum.await_applied(end, 7)
    quorum.run(2.0)
    response = describe(leader)
    partition = response.topics[0].partitions[0]
    assert [one.replica_id for one in partition.current_voters] == [1, 2, 3]
    assert [(one.replica_id, one.log_end_offset) for one in partition.observers] == [(7, end)]
    assert partition.leader_id == leader.node_id
    assert {node.node_id for node in response.nodes} == {1, 2, 3}
    assert broker.node is not None
    assert not broker.node.is_voter
    refused = describe(broker).topics[0].partitions[0]
    assert refused.error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER


def add(leader: Member, member: Member, **changes: Any) -> list[Any]:
    assert leader.node is not None
    answers: list[Any] = []
    request = AddRaftVoterRequest(
        cluster_id=CLUSTER_ID,
        timeout_ms=5000,
        voter_id=member.node_id,
        voter_directory_id=member.directory_id,
        listeners=[AddListener(name="CONTROLLER", host=f"node-{member.node_id}", port=9093)],
        **changes,
    )
    leader.node.handle_add_voter(request, answers.append, version=1)
    return answers


def test_voter_is_added_only_after_it_caught_up() -> None:
    quorum, leader = started(16, settings=RaftSettings(auto_join=False))
    member = quorum.add_member(4, voter=True)
    (answer,) = add(leader, member)
    assert answer.error_code == ErrorCode.REQUEST_TIMED_OUT
    member.start()
    quorum.run(2.0)
    answers = add(leader, member)
    quorum.run_until(lambda: bool(answers), 5.0)
    assert answers[0].error_code == ErrorCode.NONE
    quorum.run(1.0)
    assert member.node is not None
    assert member.node.is_voter
    (answer,) = add(leader, member)
    assert answer.error_code == ErrorCode.DUPLICATE_VOTER


def remove(leader: Member, member: Member) -> list[Any]:
    assert leader.node is not None
    answers: list[Any] = []
    request = RemoveRaftVoterRequest(
        cluster_id=CLUSTER_ID, voter_id=member.node_id, voter_directory_id=member.directory_id
    )
    leader.node.handle_remove_voter(request, answers.append, version=0)
    return answers


def test_leader_that_is_removed_resigns_when_that_is_committed() -> None:
    quorum, leader = started(17, settings=RaftSettings(auto_join=False))
    answers = remove(leader, leader)
    assert remove(leader, follower_of(quorum, leader))[0].error_code == ErrorCode.REQUEST_TIMED_OUT
    quorum.run_until(lambda: bool(answers), 5.0)
    assert answers[0].error_code == ErrorCode.NONE
    new = quorum.await_leader(but=leader.node_id)
    assert new.node is not None
    assert leader.node_id not in new.node.voters.ids
    end = new.append(b"without it")
    assert end is not None
    quorum.await_applied(end)


def test_controller_that_caught_up_joins_by_itself() -> None:
    quorum, _ = started(18)
    member = quorum.add_member(4, voter=True)
    member.start()
    quorum.run_until(lambda: member.node is not None and member.node.is_voter, 10.0)
    assert member.node is not None
    assert member.node.voters.ids == [1, 2, 3, 4]


def test_emptied_voter_votes_for_nobody_before_it_is_added_again() -> None:
    quorum, leader = started(19, settings=RaftSettings(auto_join=False))
    member, other = (one for one in quorum.members.values() if one is not leader)
    old = ReplicaKey(member.node_id, member.directory_id)
    member.crash()
    member.wipe(b"new folder of it")
    member.start()
    quorum.run(2.0)
    assert outcome(vote(member, other, epoch=60, voter=old)) == (ErrorCode.INVALID_VOTER_KEY, False)
    leader.crash()
    quorum.run(10.0)
    assert quorum.leader() is None


def test_sole_voter_takes_others_in() -> None:
    quorum, leader = started(20, voters=1)
    for node_id in (2, 3):
        member = quorum.add_member(node_id, voter=True)
        member.start()
    quorum.run_until(lambda: leader.node is not None and len(leader.node.voters) == 3, 20.0)
    end = leader.append(b"for all")
    assert end is not None
    quorum.await_applied(end)
    leader.crash()
    assert [v for _, v in quorum.await_leader(but=1).listener.values] == [b"first", b"for all"]


def test_changed_address_is_written_down() -> None:
    quorum, leader = started(23)
    member = follower_of(quorum, leader)
    member.crash()
    member.port = 9999
    member.start()

    def known() -> bool:
        nodes = [one.node for one in quorum.members.values()]
        return all(
            one is not None and one.voters.address(member.node_id) == (f"node-{member.node_id}", 9999)
            for one in nodes
        )

    quorum.run_until(known, 10.0)


def test_restarted_leader_that_leads_again_writes_its_own_address_down() -> None:
    quorum, leader = started(24, voters=2)
    other = follower_of(quorum, leader)
    for member in (leader, other):
        member.crash()
    for member in (leader, other):
        member.port = 9999
        member.start()
    quorum.run_until(
        lambda: all(
            one.node is not None
            and [one.node.voters.address(node_id) for node_id in (1, 2)]
            == [("node-1", 9999), ("node-2", 9999)]
            for one in (leader, other)
        ),
        20.0,
    )


def test_static_quorum_of_kraft_version_0() -> None:
    quorum, leader = started(25, static=True)
    quorum.run(1.0)
    leader.crash()
    new = quorum.await_leader(but=leader.node_id)
    leader.start()
    end = new.append(b"second")
    assert end is not None
    quorum.await_applied(end)
    (answer,) = add(new, leader)
    assert answer.error_code == ErrorCode.UNSUPPORTED_VERSION
