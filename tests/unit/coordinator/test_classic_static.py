"""Static members (KIP-345): back without a rebalance, never twice."""

from __future__ import annotations

import pytest
from classic_world import SESSION_MS, ClassicWorld

from riverlog.base.errors import ErrorCode


@pytest.fixture
def world() -> ClassicWorld:
    return ClassicWorld()


def _group_of_two(world: ClassicWorld) -> tuple[str, str]:
    leader, follower = world.stable(2, instance_ids=True)
    return leader, follower


def test_a_restarted_follower_gets_its_old_assignment_without_a_rebalance(world: ClassicWorld) -> None:
    leader, follower = _group_of_two(world)
    box = world.join(instance_id="i1")
    assert box.error == 0
    assert box.member_id != follower
    assert box.response.generation_id == 1
    assert (box.response.leader, box.response.members) == (leader, [])
    assert box.response.skip_assignment is False
    assert world.state() == "Stable"
    synced = world.sync(box.member_id, 1, instance_id="i1")
    assert synced.response.assignment == follower.encode()
    assert world.beat(leader, 1, instance_id="i0") == 0


def test_a_restarted_leader_is_told_to_skip_the_assignment(world: ClassicWorld) -> None:
    leader, _ = _group_of_two(world)
    box = world.join(instance_id="i0", version=9)
    assert box.response.skip_assignment is True
    assert box.response.leader == box.member_id == world.group().leader
    assert len(box.response.members) == 2
    assert world.sync(box.member_id, 1, instance_id="i0").response.assignment == leader.encode()


def test_before_version_9_a_restarted_leader_is_not_told_that_it_leads(world: ClassicWorld) -> None:
    leader, _ = _group_of_two(world)
    box = world.join(instance_id="i0", version=8)
    assert (box.response.leader, box.response.members) == (leader, [])
    assert box.response.skip_assignment is False
    assert world.group().leader == box.member_id


def test_the_new_id_is_written(world: ClassicWorld) -> None:
    _group_of_two(world)
    box = world.join(instance_id="i1")
    world.reload()
    assert world.state() == "Stable"
    assert world.group().static_members["i1"] == box.member_id
    assert world.sync(box.member_id, 1, instance_id="i1").error == 0


def test_the_old_id_is_fenced_everywhere(world: ClassicWorld) -> None:
    _, follower = _group_of_two(world)
    world.join(instance_id="i1")
    fenced = ErrorCode.FENCED_INSTANCE_ID
    assert world.join(follower, instance_id="i1").error == fenced
    assert world.sync(follower, 1, instance_id="i1").error == fenced
    assert world.beat(follower, 1, instance_id="i1") == fenced
    group = world.group()
    assert group.validate_offset_commit(follower, 1, "i1", api_version=9) == fenced
    assert group.validate_offset_commit(follower, 1, None, api_version=9) == ErrorCode.UNKNOWN_MEMBER_ID


def test_an_unknown_instance_is_an_unknown_member(world: ClassicWorld) -> None:
    leader, _ = _group_of_two(world)
    assert world.beat(leader, 1, instance_id="nobody") == ErrorCode.UNKNOWN_MEMBER_ID


def test_the_session_of_the_old_self_does_not_expel_the_new_one(world: ClassicWorld) -> None:
    leader, follower = _group_of_two(world)
    world.run(SESSION_MS - 1)
    box = world.join(instance_id="i1")
    world.beat(leader, 1, instance_id="i0")
    world.run(SESSION_MS - 1)
    assert set(world.group().members) == {leader, box.member_id}
    assert not any(follower in name for name in world.timers)


def test_a_new_self_that_stays_silent_is_expelled(world: ClassicWorld) -> None:
    leader, _ = _group_of_two(world)
    world.join(instance_id="i1")
    world.run(SESSION_MS - 1)
    world.beat(leader, 1, instance_id="i0")
    world.run(1)
    assert list(world.group().members) == [leader]


def test_other_metadata_alone_does_not_rebalance_but_another_selected_protocol_does(
    world: ClassicWorld,
) -> None:
    world.stable(2, instance_ids=True, protocols="range sticky")
    same = world.join(instance_id="i1", protocols={"range": b"other", "sticky": b"s"})
    assert same.error == 0
    assert world.state() == "Stable"
    changed = world.join(instance_id="i1", protocols="sticky")
    assert changed.waits
    assert world.state() == "PreparingRebalance"


def test_a_static_member_back_during_the_assignment_starts_a_new_rebalance(world: ClassicWorld) -> None:
    first, second = world.join(instance_id="i0"), world.join(instance_id="i1")
    world.run()
    parked = world.sync(second.member_id, 1, instance_id="i1")
    back = world.join(instance_id="i1")
    assert parked.error == ErrorCode.FENCED_INSTANCE_ID
    assert back.waits
    assert world.state() == "PreparingRebalance"
    again = world.join(first.member_id, instance_id="i0")
    assert again.response.generation_id == back.response.generation_id == 2
    assert {row.member_id for row in again.response.members} == {first.member_id, back.member_id}


def test_a_duplicate_that_waits_is_fenced_by_the_newcomer(world: ClassicWorld) -> None:
    leader, _ = _group_of_two(world)
    waiting = world.join(leader, instance_id="i0")
    newer = world.join(instance_id="i0")
    assert (waiting.error, waiting.member_id) == (ErrorCode.FENCED_INSTANCE_ID, leader)
    assert newer.waits
    world.join(world.group().static_members["i1"], instance_id="i1")
    assert newer.response.generation_id == 2


def test_static_and_dynamic_members_mix(world: ClassicWorld) -> None:
    static, dynamic = world.join(instance_id="i0"), world.enter()
    world.run()
    world.settle([static, dynamic])
    back = world.join(instance_id="i0")
    assert back.error == 0
    assert world.state() == "Stable"
    assert world.beat(dynamic.member_id, 1) == 0


def test_a_rolling_restart_of_all_members_needs_no_rebalance(world: ClassicWorld) -> None:
    ids = world.stable(20, instance_ids=True, protocols="range sticky")
    for number in range(20):
        box = world.join(instance_id=f"i{number}", protocols="range sticky")
        assert box.error == 0
        assert box.response.generation_id == 1
        synced = world.sync(box.member_id, 1, instance_id=f"i{number}")
        assert synced.response.assignment in {member_id.encode() for member_id in ids}
    assert world.state() == "Stable"
    assert not set(ids) & set(world.group().members)
