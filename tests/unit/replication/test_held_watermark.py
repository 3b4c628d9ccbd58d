"""Who is about to join the in-sync set holds the watermark back, but only while it may."""

from __future__ import annotations

from replica_world import World

from riverlog.base.errors import ErrorCode


def held_back() -> tuple[World, list[ErrorCode | None]]:
    """Replica 3 asked for all there was, was proposed, and asks no more; it lacks what is written then."""
    world = World(3)
    world.elect(1, isr=(1, 2))
    world.run()
    world.fetch(3)
    assert [proposal.isr for proposal in world.proposals] == [(1, 2, 3)]
    outcome = world.produce(1, b"a")
    world.settle(2)
    assert outcome == []
    return world, outcome


def test_a_replica_that_the_controller_refuses_does_not_hold_up_writes() -> None:
    world, outcome = held_back()
    world[1].partition.isr_refused(world.proposals[0])
    assert outcome == [ErrorCode.NONE]


def test_a_replica_whose_broker_is_fenced_does_not_hold_up_writes() -> None:
    world, outcome = held_back()
    partition = world[1].partition
    partition.in_sync.pending = None  # as if metadata had overtaken it
    partition.brokers_changed(lambda _: True)
    assert outcome == []
    partition.brokers_changed(lambda broker_id: broker_id != 3)
    assert outcome == [ErrorCode.NONE]
