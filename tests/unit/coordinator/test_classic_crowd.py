"""Many members at once: the work of a decision does not grow with those it does not concern."""

from __future__ import annotations

from time import perf_counter

from classic_world import Box, ClassicWorld

CROWD = 10_000


def _crowd(count: int) -> tuple[ClassicWorld, list[Box]]:
    world = ClassicWorld(max_message_bytes=1 << 30, group_initial_rebalance_delay_ms="3000")
    world.checks = False
    return world, [world.enter() for _ in range(count)]


def _seconds_to_join(count: int) -> float:
    began = perf_counter()
    _crowd(count)
    return perf_counter() - began


def test_ten_thousand_members_join_in_time_that_grows_with_their_number() -> None:
    _seconds_to_join(500)
    small = min(_seconds_to_join(1_000) for _ in range(3))
    large = _seconds_to_join(CROWD)
    # Ten times the members: about ten times the work; a quadratic step would make it a hundred times.
    assert large < 40 * small + 0.5


def test_ten_thousand_members_share_one_generation() -> None:
    world, boxes = _crowd(CROWD)
    while boxes[0].waits:
        world.now_ms += 3_000
        due = world.timers.pop("classic-join-g")
        world.apply(due[1](world.machine, world.now_ms))
    leader = boxes[0]
    assert {box.response.generation_id for box in boxes} == {1}
    assert len(leader.response.members) == CROWD
    assert sum(len(box.response.members) for box in boxes) == CROWD
    waiting = [world.sync(box.member_id, 1) for box in boxes[1:]]
    assert all(box.waits for box in waiting)
    world.sync(leader.member_id, 1, {box.member_id: b"x" for box in boxes})
    assert all(box.response.assignment == b"x" for box in waiting)
    world.classic.validate()
    for box in boxes:
        assert world.beat(box.member_id, 1) == 0
    world.leave(*(box.member_id for box in boxes))
    assert world.state() == "Empty"
    assert not world.timers
