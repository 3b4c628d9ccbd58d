"""A quorum of real nodes: elections, replication, restarts."""

from __future__ import annotations

import pytest

from riverlog.raft.node import NotLeading
from tests.unit.raft.quorum import Quorum


def test_sole_voter_leads_when_start_returns() -> None:
    quorum = Quorum(1, voters=1)
    quorum.start()
    member = quorum.members[1]
    assert member.node is not None
    assert member.listener.calls == ["leading"]
    assert member.node.epoch == 1
    end = member.append(b"a", b"b")
    assert end is not None
    quorum.await_applied(end)
    assert [value for _, value in member.listener.values] == [b"a", b"b"]


def test_sole_voter_begins_a_new_epoch_at_each_start() -> None:
    quorum = Quorum(2, voters=1)
    quorum.start()
    member = quorum.members[1]
    member.append(b"a")
    member.stop()
    member.start()
    assert member.node is not None
    assert member.node.epoch == 2
    assert [value for _, value in member.listener.values] == [b"a"]


def test_three_voters_elect_one_leader_and_replicate() -> None:
    quorum = Quorum(3)
    quorum.start()
    leader = quorum.await_leader(5.0)
    end = leader.append(b"one", b"two")
    assert end is not None
    quorum.await_applied(end)
    for member in quorum.members.values():
        assert [value for _, value in member.listener.values] == [b"one", b"two"]
        assert member.listener.leader == (leader.node_id, leader.listener.leads)
        assert member.node is not None
        assert member.node.leader_address() == (f"node-{leader.node_id}", 9093)


def test_killed_leader_is_replaced_within_a_second() -> None:
    quorum = Quorum(4)
    quorum.start()
    leader = quorum.await_leader()
    end = leader.append(b"kept")
    assert end is not None
    quorum.await_applied(end)
    quorum.run(1.0)
    leader.crash()
    before = quorum.scheduler.now
    new = quorum.await_leader(but=leader.node_id)
    assert quorum.scheduler.now - before < 1.0
    assert new.node is not None
    assert new.node.lost_leader_id == leader.node_id
    assert [value for _, value in new.listener.values] == [b"kept"]


def test_follower_refuses_to_append() -> None:
    quorum = Quorum(5)
    quorum.start()
    leader = quorum.await_leader()
    other = next(one for one in quorum.members.values() if one is not leader)
    assert other.node is not None
    with pytest.raises(NotLeading):
        other.node.append([b"x"])
