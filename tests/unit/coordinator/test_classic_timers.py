"""Sessions, rebalance time-outs and the delay of a first generation, on a clock moved by hand."""

from __future__ import annotations

import pytest
from classic_world import REBALANCE_MS, SESSION_MS, ClassicWorld

from riverlog.base.errors import ErrorCode


@pytest.fixture
def world() -> ClassicWorld:
    return ClassicWorld()


def test_a_silent_member_is_expelled_when_its_session_is_over(world: ClassicWorld) -> None:
    leader, follower = world.stable(2)
    world.run(SESSION_MS - 1)
    assert world.beat(leader, 1) == 0
    assert len(world.group().members) == 2
    world.run(1)
    assert list(world.group().members) == [leader]
    assert world.beat(leader, 1) == ErrorCode.REBALANCE_IN_PROGRESS
    assert world.beat(follower, 1) == ErrorCode.UNKNOWN_MEMBER_ID


def test_heartbeats_keep_a_member_for_ever(world: ClassicWorld) -> None:
    (member,) = world.stable(1)
    for _ in range(100):
        world.run(SESSION_MS - 1)
        assert world.beat(member, 1) == 0


def test_a_commit_counts_as_a_heartbeat(world: ClassicWorld) -> None:
    (member,) = world.stable(1)
    world.run(SESSION_MS - 1)
    world.group().committed_offsets(world.machine, member, world.now_ms)  # type: ignore[arg-type]
    world.run(SESSION_MS - 1)
    assert member in world.group().members


def test_a_group_whose_members_all_fall_silent_is_empty(world: ClassicWorld) -> None:
    world.stable(3)
    world.run(SESSION_MS)
    assert world.state() == "Empty"
    assert world.timers == {}


def test_a_waiting_member_needs_no_heartbeats(world: ClassicWorld) -> None:
    leader, follower = world.stable(2)
    box = world.join(leader)
    for _ in range(4):
        world.run(SESSION_MS - 1)
        world.beat(follower, 1)
    assert box.waits
    world.join(follower)
    assert box.error == 0
    world.run(SESSION_MS - 1)
    assert world.beat(leader, 2) == 0


def test_who_does_not_join_again_in_time_is_left_behind(world: ClassicWorld) -> None:
    leader, follower = world.stable(2)
    box = world.join(follower, protocols={"range": b"new"})
    for _ in range(REBALANCE_MS // 5_000):
        assert box.waits
        world.beat(leader, 1)
        world.run(5_000)
    assert (box.response.generation_id, box.response.leader) == (2, follower)
    assert list(world.group().members) == [follower]
    assert world.beat(leader, 1) == ErrorCode.UNKNOWN_MEMBER_ID


def test_the_longest_rebalance_timeout_of_all_members_counts(world: ClassicWorld) -> None:
    first = world.enter(rebalance_ms=20_000, session_ms=100_000)
    second = world.enter(rebalance_ms=50_000, session_ms=100_000)
    world.run()
    world.settle([first, second])
    box = world.join(first.member_id, rebalance_ms=20_000, session_ms=100_000)
    world.run(49_999)
    assert box.waits
    world.run(1)
    assert box.error == 0


def test_a_member_that_never_syncs_is_expelled(world: ClassicWorld) -> None:
    first, second = world.enter(), world.enter()
    world.run()
    world.sync(first.member_id, 1, {})
    assert world.state() == "Stable"
    for _ in range(REBALANCE_MS // 5_000):
        assert len(world.group().members) == 2
        world.beat(first.member_id, 1)
        world.beat(second.member_id, 1)
        world.run(5_000)
    assert list(world.group().members) == [first.member_id]
    assert world.state() == "PreparingRebalance"


def test_a_leader_that_never_syncs_is_expelled_and_the_others_join_again(world: ClassicWorld) -> None:
    first, second = world.enter(), world.enter()
    world.run()
    parked = world.sync(second.member_id, 1)
    for _ in range(REBALANCE_MS // 5_000):
        assert parked.waits
        world.beat(first.member_id, 1)
        world.run(5_000)
    assert parked.error == ErrorCode.REBALANCE_IN_PROGRESS
    assert world.settle([world.join(second.member_id)]) == [second.member_id]


def test_the_sync_timer_of_an_old_generation_expels_nobody(world: ClassicWorld) -> None:
    first = world.enter()
    world.run()
    world.run(1_000)
    second = world.enter()
    again = world.join(first.member_id)
    world.settle([again, second])
    name = "classic-sync-g"
    assert name not in world.timers, "all members synced"


def test_a_new_member_is_given_up_after_five_minutes_of_waiting(world: ClassicWorld) -> None:
    first = world.enter(rebalance_ms=600_000, session_ms=1_000_000)
    world.run()
    world.settle([first])
    waiting = world.enter(rebalance_ms=600_000, session_ms=1_000_000)
    world.run(5 * 60_000 - 1)
    assert waiting.waits
    world.run(1)
    assert (waiting.error, waiting.member_id) == (ErrorCode.UNKNOWN_MEMBER_ID, "")


def test_a_pending_member_that_never_joins_is_forgotten(world: ClassicWorld) -> None:
    (leader,) = world.stable(1)
    world.join()
    box = world.join(leader)
    world.run(SESSION_MS - 1)
    assert box.waits
    world.run(1)
    assert box.response.generation_id == 2


def test_the_first_generation_waits_for_more_members() -> None:
    world = ClassicWorld(group_initial_rebalance_delay_ms="3000")
    first = world.enter()
    world.run(2_999)
    assert first.waits
    world.run(1)
    assert first.error == 0


def test_the_first_generation_waits_on_while_members_come_up_to_the_rebalance_timeout() -> None:
    world = ClassicWorld(group_initial_rebalance_delay_ms="3000")
    first = world.enter(rebalance_ms=10_000)
    for _ in range(9):
        world.run(1_000)
        world.enter(rebalance_ms=10_000)
        assert first.waits
    world.run(1_000)
    assert first.error == 0
    assert len(world.group().members) == 10


def test_later_generations_wait_for_nobody() -> None:
    world = ClassicWorld(group_initial_rebalance_delay_ms="3000")
    first = world.enter()
    world.run(3_000)
    world.settle([first])
    second = world.enter()
    assert second.waits
    world.join(first.member_id)
    assert second.error == 0


def test_a_member_that_goes_away_before_the_first_generation_leaves_an_empty_group() -> None:
    world = ClassicWorld(group_initial_rebalance_delay_ms="3000")
    first = world.join(version=2)
    (member_id,) = world.group().members
    world.leave(member_id)
    assert first.error == ErrorCode.UNKNOWN_MEMBER_ID
    world.run(3_000)
    assert world.state() == "Empty"


def test_static_members_that_do_not_return_keep_their_place_until_their_session_is_over() -> None:
    world = ClassicWorld()
    leader, _follower = world.stable(2, instance_ids=True, session_ms=100_000, rebalance_ms=20_000)
    box = world.join(leader, instance_id="i0", session_ms=100_000, rebalance_ms=20_000)
    world.run(20_000)
    assert box.response.generation_id == 2
    assert len(world.group().members) == 2
    assert len(box.response.members) == 2


def test_when_no_static_member_returns_the_rebalance_is_tried_again() -> None:
    world = ClassicWorld()
    leader, follower = world.stable(2, instance_ids=True, session_ms=50_000, rebalance_ms=20_000)
    other = world.join(leader, instance_id="i0", session_ms=50_000, rebalance_ms=20_000)
    world.leave(leader)
    assert other.error == ErrorCode.UNKNOWN_MEMBER_ID
    world.run(20_000)
    assert world.state() == "PreparingRebalance"
    assert list(world.group().members) == [follower]
    world.run(30_000)
    assert world.state() == "Empty"
