"""SyncGroup, Heartbeat and LeaveGroup: from a generation to its assignment, and out of it."""

from __future__ import annotations

import pytest
from classic_world import ClassicWorld

from riverlog.base.errors import ErrorCode
from riverlog.protocol.generated.group_metadata_key import GroupMetadataKey
from riverlog.protocol.generated.group_metadata_value import GroupMetadataValue, MemberMetadata
from riverlog.protocol.generated.leave_group_request import MemberIdentity
from riverlog.protocol.generated.sync_group_response import SyncGroupResponse


@pytest.fixture
def world() -> ClassicWorld:
    return ClassicWorld()


def test_everybody_gets_what_the_leader_assigned(world: ClassicWorld) -> None:
    first, second = world.enter(), world.enter()
    world.run()
    parked = world.sync(second.member_id, 1)
    assert parked.waits
    led = world.sync(first.member_id, 1, {first.member_id: b"a", second.member_id: b"b"})
    assert led.response == SyncGroupResponse(protocol_type="consumer", protocol_name="range", assignment=b"a")
    assert parked.response.assignment == b"b"
    assert world.state() == "Stable"


def test_a_late_member_gets_its_assignment_from_the_stable_group(world: ClassicWorld) -> None:
    first, second = world.enter(), world.enter()
    world.run()
    world.sync(first.member_id, 1, {first.member_id: b"a", second.member_id: b"b"})
    assert world.sync(second.member_id, 1).response.assignment == b"b"


def test_a_member_the_leader_forgot_gets_an_empty_assignment(world: ClassicWorld) -> None:
    first, second = world.enter(), world.enter()
    world.run()
    parked = world.sync(second.member_id, 1)
    world.sync(first.member_id, 1, {first.member_id: b"a", "nobody": b"x"})
    assert (parked.error, parked.response.assignment) == (0, b"")


def test_only_the_leaders_assignment_counts(world: ClassicWorld) -> None:
    first, second = world.enter(), world.enter()
    world.run()
    assert world.sync(second.member_id, 1, {second.member_id: b"mine"}).waits
    assert world.state() == "CompletingRebalance"
    world.sync(first.member_id, 1, {second.member_id: b"yours"})
    assert world.group().members[second.member_id].assignment == b"yours"


def test_the_generation_is_written_in_kafkas_form(world: ClassicWorld) -> None:
    box = world.join(instance_id="one", protocols={"range": b"sub"})
    world.run()
    before = world.now_ms
    world.sync(box.member_id, 1, {box.member_id: b"a"}, instance_id="one")
    record = world.log[-1]
    assert record.key == GroupMetadataKey(group="g")
    assert record.value == GroupMetadataValue(
        protocol_type="consumer",
        generation=1,
        protocol="range",
        leader=box.member_id,
        current_state_timestamp=before,
        members=[
            MemberMetadata(
                member_id=box.member_id,
                group_instance_id="one",
                client_id="client",
                client_host="/10.0.0.1",
                rebalance_timeout=60_000,
                session_timeout=10_000,
                subscription=b"sub",
                assignment=b"a",
            )
        ],
    )
    key, value = record.encode()
    assert key == b"\x00\x02\x00\x01g"
    assert value is not None
    assert value[:2] == b"\x00\x03"


@pytest.mark.parametrize("generation", [-1, 0, 2, 2**31 - 1])
def test_another_generation_is_illegal(world: ClassicWorld, generation: int) -> None:
    (member,) = world.stable(1)
    assert world.sync(member, generation).error == ErrorCode.ILLEGAL_GENERATION
    assert world.beat(member, generation) == ErrorCode.ILLEGAL_GENERATION


def test_a_stale_generation_stays_illegal_after_a_rebalance(world: ClassicWorld) -> None:
    (member,) = world.stable(1)
    world.settle([world.join(member)])
    assert world.beat(member, 1) == ErrorCode.ILLEGAL_GENERATION
    assert world.sync(member, 1).error == ErrorCode.ILLEGAL_GENERATION
    assert world.beat(member, 2) == 0


@pytest.mark.parametrize("group_id", ["g", "other"])
def test_strangers_are_unknown(world: ClassicWorld, group_id: str) -> None:
    world.stable(1)
    unknown = ErrorCode.UNKNOWN_MEMBER_ID
    assert world.sync("who", 1, group_id=group_id).error == unknown
    assert world.beat("who", 1, group_id=group_id) == unknown
    assert world.beat("", -1, group_id=group_id) == unknown
    assert world.leave("who", group_id=group_id) == [unknown]
    assert world.leave("", group_id=group_id) == [unknown]


def test_a_pending_member_is_not_a_member_yet(world: ClassicWorld) -> None:
    box = world.join()
    assert world.beat(box.member_id, 0) == ErrorCode.UNKNOWN_MEMBER_ID
    assert world.sync(box.member_id, 0).error == ErrorCode.UNKNOWN_MEMBER_ID


@pytest.mark.parametrize(
    ("kind", "name", "error"),
    [
        ("connect", "range", ErrorCode.INCONSISTENT_GROUP_PROTOCOL),
        ("consumer", "sticky", ErrorCode.INCONSISTENT_GROUP_PROTOCOL),
        (None, None, ErrorCode.NONE),
    ],
)
def test_sync_checks_the_protocol_where_it_is_said(
    world: ClassicWorld, kind: str | None, name: str | None, error: ErrorCode
) -> None:
    (member,) = world.stable(1)
    assert world.sync(member, 1, protocol_type=kind, protocol_name=name).error == error


def test_sync_and_heartbeat_during_a_rebalance_send_the_member_to_join(world: ClassicWorld) -> None:
    leader, follower = world.stable(2)
    world.join(leader)
    assert world.sync(follower, 1).error == ErrorCode.REBALANCE_IN_PROGRESS
    assert world.beat(follower, 1) == ErrorCode.REBALANCE_IN_PROGRESS


def test_heartbeats_while_the_assignment_is_awaited_are_fine(world: ClassicWorld) -> None:
    box = world.enter()
    world.run()
    assert world.beat(box.member_id, 1) == 0


def test_a_second_sync_of_a_waiting_member_replaces_the_first(world: ClassicWorld) -> None:
    first, second = world.enter(), world.enter()
    world.run()
    one = world.sync(second.member_id, 1)
    two = world.sync(second.member_id, 1)
    assert one.error == ErrorCode.REBALANCE_IN_PROGRESS
    world.sync(first.member_id, 1, {second.member_id: b"b"})
    assert two.response.assignment == b"b"


def test_an_assignment_too_large_for_the_log_is_refused_and_the_group_goes_on() -> None:
    world = ClassicWorld(max_message_bytes=5_000)
    first, second = world.enter(), world.enter()
    world.run()
    parked = world.sync(second.member_id, 1)
    led = world.sync(first.member_id, 1, {first.member_id: b"x" * 6_000})
    assert led.error == parked.error == ErrorCode.UNKNOWN_SERVER_ERROR
    world.run()
    assert world.state() == "PreparingRebalance"
    world.settle([world.join(first.member_id), world.join(second.member_id)][::-1])


def test_a_static_member_whose_return_cannot_be_written_starts_a_rebalance() -> None:
    world = ClassicWorld()
    (member,) = world.stable(1, instance_ids=True)
    world.max_message_bytes = 10
    assert world.join(instance_id="i0").error == ErrorCode.UNKNOWN_SERVER_ERROR
    world.run()
    assert world.state() == "PreparingRebalance"
    assert world.beat(member, 1) == ErrorCode.UNKNOWN_MEMBER_ID


def test_leaving_makes_the_others_rebalance(world: ClassicWorld) -> None:
    leader, follower = world.stable(2)
    assert world.leave(leader) == [0]
    assert world.state() == "PreparingRebalance"
    box = world.join(follower)
    assert (box.response.generation_id, box.response.leader) == (2, follower)


def test_the_last_to_leave_empties_the_group(world: ClassicWorld) -> None:
    ids = world.stable(3)
    assert world.leave(*ids, "nobody") == [0, 0, 0, ErrorCode.UNKNOWN_MEMBER_ID]
    assert world.state() == "Empty"
    assert world.group().generation == 2
    value = world.log[-1].value
    assert value == GroupMetadataValue(
        protocol_type="consumer",
        generation=2,
        protocol=None,
        leader=None,
        current_state_timestamp=world.now_ms,
    )
    assert world.timers == {}


def test_an_emptied_group_counts_on(world: ClassicWorld) -> None:
    world.leave(*world.stable(1))
    box = world.enter(protocol_type="connect")
    world.run()
    assert box.response.generation_id == 3, "2 was the empty one"


def test_a_member_that_waits_and_is_removed_is_told(world: ClassicWorld) -> None:
    leader, follower = world.stable(2)
    box = world.join(leader)
    assert world.leave(leader) == [0]
    assert (box.error, box.member_id) == (ErrorCode.UNKNOWN_MEMBER_ID, "")
    world.settle([world.join(follower)])
    other = world.enter()
    world.join(follower)
    parked = world.sync(other.member_id, 3)
    world.leave(other.member_id)
    assert parked.error == ErrorCode.UNKNOWN_MEMBER_ID


def test_a_pending_member_may_leave(world: ClassicWorld) -> None:
    box = world.join()
    assert world.leave(box.member_id) == [0]
    assert not world.group().pending
    assert world.timers == {}


def test_a_rebalance_waits_for_pending_members(world: ClassicWorld) -> None:
    (leader,) = world.stable(1)
    pending = world.join()
    box = world.join(leader)
    assert box.waits
    world.leave(pending.member_id)
    assert box.response.generation_id == 2


def test_static_members_leave_by_instance_id_and_fencing_is_checked(world: ClassicWorld) -> None:
    world.stable(2, instance_ids=True)
    assert world.leave(
        MemberIdentity(member_id="wrong", group_instance_id="i0"),
        MemberIdentity(member_id="", group_instance_id="nobody"),
        MemberIdentity(member_id="", group_instance_id="i0"),
    ) == [ErrorCode.FENCED_INSTANCE_ID, ErrorCode.UNKNOWN_MEMBER_ID, 0]
    assert list(world.group().static_members) == ["i1"]


def test_a_member_may_be_named_twice_when_leaving(world: ClassicWorld) -> None:
    leader, _ = world.stable(2)
    assert world.leave(leader, leader) == [0, ErrorCode.UNKNOWN_MEMBER_ID]


def test_unloading_answers_whoever_waits() -> None:
    world = ClassicWorld()
    first, second = world.enter(), world.enter()
    world.run()
    syncing = world.sync(second.member_id, 1)
    joining = world.join(group_id="h", version=0)
    world.classic.unloaded(ErrorCode.NOT_COORDINATOR)
    assert first.error == 0
    assert syncing.error == joining.error == ErrorCode.NOT_COORDINATOR
    assert joining.member_id.startswith("client-")
    assert world.state() == world.state("h") == "Dead"
