"""Followers cut their tails by epochs: the scenarios of KIP-101 and KIP-279, and what wrong rules do."""

from __future__ import annotations

from replica_world import World

from riverlog.base.errors import ErrorCode
from riverlog.replication import ReplicationPolicy
from riverlog.storage import Log


class CutsAtWatermark(ReplicationPolicy):
    """As Kafka did before KIP-101."""

    def truncation_offset(self, log: Log, *, epoch: int, end_offset: int) -> int:
        return log.high_watermark


class BelievesTheEndOffset(ReplicationPolicy):
    """As Kafka did before KIP-279: the leader's epoch need not be known here."""

    def truncation_offset(self, log: Log, *, epoch: int, end_offset: int) -> int:
        return min(end_offset, log.log_end_offset)


def equal(world: World) -> bool:
    first, *others = (replica.values() for replica in world.replicas.values())
    return all(other == first for other in others)


def test_a_follower_keeps_what_it_does_not_know_to_be_committed() -> None:
    """KIP-101, first: it restarts, its leader dies, it leads; what was acknowledged is there."""
    world = World(2)
    world.elect(1)
    world.produce(1, b"a")
    world.settle()
    outcome = world.produce(1, b"b")
    world.settle(rounds=1)
    assert world.fetch(2)  # the leader learns that it has it, it does not learn the watermark
    assert outcome == [ErrorCode.NONE]
    world[2].restart()
    world.elect(2, isr=[2], tell=[2])
    world.run()
    assert [value for _, value in world[2].values()] == [b"a", b"b"]
    assert world[2].partition.high_watermark == 2


def diverge(world: World) -> None:
    """Replica 1 has a record of epoch 0 where replica 2, which led after it, has one of epoch 1."""
    world.elect(1)
    world.produce(1, b"a")
    world.settle()
    world.produce(1, b"lost")
    world.run()
    world.elect(2, isr=[2], tell=[2])
    world.produce(2, b"b")
    world.run()


def test_a_tail_of_an_older_epoch_is_cut() -> None:
    """KIP-101, second: equal log ends, different records."""
    world = World(2)
    diverge(world)
    assert world[1].log.log_end_offset == world[2].log.log_end_offset == 2
    world[1].adopt(world.state)
    world.settle(1)
    assert equal(world)
    assert world.readable(1) == world.readable(2) == [b"a", b"b"]


def test_a_diverging_follower_counts_for_nothing() -> None:
    world = World(2)
    diverge(world)
    world[1].adopt(world.state)
    world.run()
    request = world.ask(1)
    assert request is not None
    response = world.serve(2, request)
    data = response.responses[0].partitions[0]
    assert (data.diverging_epoch.epoch, data.diverging_epoch.end_offset) == (0, 1)
    assert world[2].partition.in_sync.followers[1].log_end == -1


def fail_over_fast(world: World) -> None:
    """KIP-279: 1, 2 and 1 again lead, each with records of its own."""
    world.elect(1)
    world.produce(1, b"a")
    world.settle()
    world.produce(1, b"one")
    world.run()
    world.elect(2, isr=[2], tell=[2])
    world.produce(2, b"two")
    world.produce(2, b"two more")
    world.run()
    world.elect(1, isr=[1], tell=[1])
    world.produce(1, b"three")
    world.run()
    world[2].adopt(world.state)
    world.settle(2, rounds=16)


def test_an_epoch_unknown_to_the_leader_is_cut_whole() -> None:
    world = World(2)
    fail_over_fast(world)
    assert equal(world)
    assert [value for _, value in world[2].values()] == [b"a", b"one", b"three"]


def test_believing_the_end_offset_alone_leaves_logs_different() -> None:
    world = World(2, policy=BelievesTheEndOffset())
    fail_over_fast(world)
    assert not equal(world)


def test_cutting_at_the_watermark_removes_what_was_committed() -> None:
    """The follower did not hear that its second record is committed, and diverges in its third."""

    def run(policy: ReplicationPolicy) -> int:
        world = World(3, policy=policy)
        world.elect(1)
        world.produce(1, b"a")
        world.settle()
        world.produce(1, b"b")
        world.settle(rounds=1)
        world.fetch(3)
        world.fetch(2)
        assert world[1].partition.high_watermark == 2
        assert world[3].partition.high_watermark == 1
        world.elect(3, isr=[1, 2, 3], tell=[3])
        world.produce(3, b"lost")
        world.run()
        world.elect(2, isr=[1, 2], tell=[2])
        world[3].adopt(world.state)
        world.run()
        request = world.ask(3)
        assert request is not None
        world.take(3, world.serve(2, request))
        return world[3].log.log_end_offset

    assert run(ReplicationPolicy()) == 2
    assert run(CutsAtWatermark()) == 1


def test_a_new_leader_that_wrote_nothing_still_tells_where_to_cut() -> None:
    world = World(2)
    world.elect(1)
    world.produce(1, b"a")
    world.settle()
    world.elect(2, tell=[2])
    world.produce(2, b"lost")
    world.run()
    world.elect(1, tell=[1])
    world[2].adopt(world.state)
    world.settle(2)
    assert equal(world)
    assert [value for _, value in world[2].values()] == [b"a"]


def test_batches_of_a_later_epoch_than_the_follower_knows_are_not_taken() -> None:
    world = World(2)
    world.elect(1)
    world.settle()
    request = world.ask(2)
    assert request is not None
    world.elect(1, tell=[1])
    world.produce(1, b"of epoch 1")
    later = world[1].partition.read_as_replica(0, max_bytes=1 << 20, min_one=True)
    assert later is not None
    response = world.serve(1, request)
    data = response.responses[0].partitions[0]
    data.error_code, data.records = 0, later.read()
    world.take(2, response)
    assert world[2].log.log_end_offset == 0
