"""JoinGroup: who gets in, who leads, which protocol, and what the answers say."""

from __future__ import annotations

import pytest
from classic_world import ClassicWorld

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import Decision, Reply
from riverlog.coordinator.group.classic_answers import uuid4
from riverlog.coordinator.group.classic_group import LEGAL, Caller, State
from riverlog.protocol.generated.join_group_request import JoinGroupRequest
from riverlog.protocol.generated.join_group_response import JoinGroupResponse


@pytest.fixture
def world() -> ClassicWorld:
    return ClassicWorld()


def test_a_new_member_is_told_its_id_first(world: ClassicWorld) -> None:
    box = world.join()
    assert box.error == ErrorCode.MEMBER_ID_REQUIRED
    assert box.member_id.startswith("client-")
    assert len(box.member_id) == len("client-") + 36
    assert world.state() == "Empty"
    assert list(world.group().pending) == [box.member_id]


def test_before_version_4_a_new_member_is_in_at_once(world: ClassicWorld) -> None:
    box = world.join(version=3)
    assert box.waits
    world.run()
    assert box.error == 0
    assert box.response.generation_id == 1


def test_a_static_member_is_in_at_once_and_its_id_begins_with_the_instance(world: ClassicWorld) -> None:
    box = world.join(instance_id="one")
    world.run()
    assert box.error == 0
    assert box.member_id.startswith("one-")


def test_the_leader_alone_gets_everybodys_metadata(world: ClassicWorld) -> None:
    first = world.enter(protocols={"range": b"1"})
    second = world.enter(protocols={"range": b"2"})
    world.run()
    assert first.response.leader == second.response.leader == first.member_id
    assert {(row.member_id, row.metadata) for row in first.response.members} == {
        (first.member_id, b"1"),
        (second.member_id, b"2"),
    }
    assert second.response.members == []
    assert world.state() == "CompletingRebalance"


def test_the_answer_is_a_whole_message(world: ClassicWorld) -> None:
    box = world.join(instance_id="one", protocols={"range": b"m"})
    world.run()
    member_id = box.member_id
    row = box.response.members[0]
    assert (row.member_id, row.group_instance_id, row.metadata) == (member_id, "one", b"m")
    assert box.response == JoinGroupResponse(
        error_code=0,
        generation_id=1,
        protocol_type="consumer",
        protocol_name="range",
        leader=member_id,
        skip_assignment=False,
        member_id=member_id,
        members=[row],
    )


def test_an_unknown_member_of_an_unknown_group_decides_nothing_but_an_error(world: ClassicWorld) -> None:
    def to(_response: object) -> None: ...

    request = JoinGroupRequest(group_id="g", member_id="who", protocol_type="consumer")
    decision = world.classic.join(request, Caller("c", "/h", 9), 1, to)
    error = ErrorCode.UNKNOWN_MEMBER_ID
    answer = JoinGroupResponse(error_code=error, member_id="who", protocol_name=None)
    assert decision == Decision(records=[], replies=[Reply(to, answer)])
    assert world.machine.groups == {}


@pytest.mark.parametrize("member_id", ["who", "client-00000000-0000-4000-8000-000000000000"])
def test_an_id_the_group_does_not_know_is_refused(world: ClassicWorld, member_id: str) -> None:
    world.stable(1)
    assert world.join(member_id).error == ErrorCode.UNKNOWN_MEMBER_ID
    assert world.state() == "Stable"


def test_another_protocol_type_is_inconsistent(world: ClassicWorld) -> None:
    world.stable(1)
    assert world.join(protocol_type="connect").error == ErrorCode.INCONSISTENT_GROUP_PROTOCOL


def test_no_protocol_in_common_is_inconsistent(world: ClassicWorld) -> None:
    world.stable(1, protocols="range")
    assert world.join(protocols="sticky").error == ErrorCode.INCONSISTENT_GROUP_PROTOCOL


@pytest.mark.parametrize(("kind", "protocols"), [("", "range"), ("consumer", "")])
def test_a_member_without_protocol_is_inconsistent_even_in_an_empty_group(
    world: ClassicWorld, kind: str, protocols: str
) -> None:
    box = world.join(protocol_type=kind, protocols=protocols)
    assert box.error == ErrorCode.INCONSISTENT_GROUP_PROTOCOL


def test_most_first_votes_among_common_protocols_win(world: ClassicWorld) -> None:
    boxes = [
        world.enter(protocols="sticky range roundrobin"),
        world.enter(protocols="roundrobin range sticky"),
        world.enter(protocols="range roundrobin"),
    ]
    world.run()
    # "sticky" is not everybody's: the next choice of its voter counts.
    assert {box.response.protocol_name for box in boxes} == {"range"}


def test_an_eager_group_becomes_cooperative_when_all_members_can(world: ClassicWorld) -> None:
    """KIP-429: the upgrade path, one member after the other."""
    a, b = world.stable(2, protocols="range")
    first = world.join(a, protocols="cooperative-sticky range")
    second = world.join(b, protocols="range")
    assert first.response.protocol_name == "range"
    world.settle([first, second])
    first = world.join(a, protocols="cooperative-sticky range")
    second = world.join(b, protocols="cooperative-sticky range")
    assert first.response.protocol_name == "cooperative-sticky"


def test_a_protocol_said_twice_counts_once(world: ClassicWorld) -> None:
    box = world.enter(protocols=[("range", b"1"), ("range", b"2")])
    world.run()
    assert box.response.protocol_name == "range"
    assert [row.metadata for row in box.response.members] == [b"1"]


def test_a_follower_that_missed_its_answer_gets_it_again(world: ClassicWorld) -> None:
    leader, follower = world.stable(2)
    box = world.join(follower)
    assert (box.error, box.response.generation_id, box.response.leader) == (0, 1, leader)
    assert world.state() == "Stable"


def test_a_leader_that_missed_its_answer_gets_it_again_before_it_assigned(world: ClassicWorld) -> None:
    box = world.enter()
    world.run()
    again = world.join(box.member_id)
    assert again.response == box.response
    assert world.state() == "CompletingRebalance"


def test_the_leader_of_a_stable_group_forces_a_rebalance(world: ClassicWorld) -> None:
    leader, follower = world.stable(2)
    box = world.join(leader)
    assert box.waits
    assert world.state() == "PreparingRebalance"
    assert world.beat(follower, 1) == ErrorCode.REBALANCE_IN_PROGRESS
    other = world.join(follower)
    assert box.response.generation_id == other.response.generation_id == 2


def test_other_metadata_forces_a_rebalance(world: ClassicWorld) -> None:
    leader, follower = world.stable(2)
    assert world.join(follower, protocols={"range": b"new"}).waits
    box = world.join(leader)
    assert b"new" in [row.metadata for row in box.response.members]


def test_a_member_that_joins_during_the_assignment_starts_over(world: ClassicWorld) -> None:
    first = world.enter()
    second = world.enter()
    world.run()
    parked = world.sync(second.member_id, 1)
    third = world.enter()
    assert parked.error == ErrorCode.REBALANCE_IN_PROGRESS
    assert third.waits
    assert world.state() == "PreparingRebalance"
    world.join(first.member_id)
    world.join(second.member_id)
    assert third.response.generation_id == 2


def test_a_second_join_of_a_waiting_member_replaces_the_first(world: ClassicWorld) -> None:
    leader, _follower = world.stable(2)
    first = world.join(leader)
    second = world.join(leader)
    assert first.error == ErrorCode.REBALANCE_IN_PROGRESS
    assert second.waits


def test_an_id_given_to_a_dynamic_member_cannot_become_static(world: ClassicWorld) -> None:
    box = world.join()
    assert world.join(box.member_id, instance_id="i").error == ErrorCode.UNKNOWN_SERVER_ERROR


def test_a_full_group_refuses_the_next_member(world: ClassicWorld) -> None:
    world = ClassicWorld(group_max_size="2")
    leader, follower = world.stable(2)
    refused = world.join()
    assert (refused.error, refused.member_id) == (ErrorCode.GROUP_MAX_SIZE_REACHED, "")
    assert world.state() == "Stable"
    world.join(leader)
    assert world.join().error == ErrorCode.MEMBER_ID_REQUIRED, "one of two waits: there is room"
    world.join(follower)
    assert world.join().error == ErrorCode.GROUP_MAX_SIZE_REACHED


def test_a_pending_member_that_finds_the_group_full_is_forgotten(world: ClassicWorld) -> None:
    world = ClassicWorld(group_max_size="1")
    first, second = world.join(), world.join()
    world.join(first.member_id)
    assert world.join(second.member_id).error == ErrorCode.GROUP_MAX_SIZE_REACHED
    assert not world.group().pending
    world.run()
    assert world.state() == "CompletingRebalance"


def test_a_group_over_a_lowered_limit_keeps_those_who_join_first() -> None:
    world = ClassicWorld()
    ids = world.stable(3)
    world.static["group.max.size"] = "2"
    world.reload()
    assert world.state() == "PreparingRebalance"
    boxes = [world.join(member_id) for member_id in ids]
    assert boxes[2].error == ErrorCode.GROUP_MAX_SIZE_REACHED
    world.run(60_000)
    assert [box.error for box in boxes[:2]] == [0, 0]
    assert len(world.group().members) == 2


def test_groups_do_not_notice_each_other_whatever_their_ids() -> None:
    world = ClassicWorld()
    names = ["g", "g-", "-g", "ü/日本 \t", "a" * 5000, "\x00", "g\x00x"]
    boxes = {name: world.enter(group_id=name) for name in names}
    world.run()
    assert {name: box.response.generation_id for name, box in boxes.items()} == dict.fromkeys(names, 1)
    assert world.leave(boxes["g"].member_id, group_id="g-") == [ErrorCode.UNKNOWN_MEMBER_ID]


def test_legal_transitions_are_kafkas() -> None:
    legal = {(before.value, after.value) for before, afters in LEGAL.items() for after in afters}
    assert legal == {
        ("PreparingRebalance", "Empty"),
        ("Stable", "PreparingRebalance"),
        ("CompletingRebalance", "PreparingRebalance"),
        ("Empty", "PreparingRebalance"),
        ("PreparingRebalance", "CompletingRebalance"),
        ("CompletingRebalance", "Stable"),
        *((state.value, "Dead") for state in State),
    }


def test_an_illegal_transition_stops_the_process(world: ClassicWorld) -> None:
    world.stable(1)
    with pytest.raises(AssertionError):
        world.group().transition(State.EMPTY, 1)


def test_member_ids_have_the_form_of_a_random_uuid() -> None:
    assert uuid4(bytes(16)) == "00000000-0000-4000-8000-000000000000"
    assert uuid4(b"\xff" * 16) == "ffffffff-ffff-4fff-bfff-ffffffffffff"
