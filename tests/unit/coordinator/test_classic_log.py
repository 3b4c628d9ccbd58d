"""What is written comes back: groups after a restart are as they were."""

from __future__ import annotations

from classic_world import SESSION_MS, START_MS, ClassicWorld

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord
from riverlog.coordinator.group.classic_group import ClassicGroup, State
from riverlog.protocol.generated import consumer_protocol_subscription
from riverlog.protocol.generated.consumer_protocol_subscription import ConsumerProtocolSubscription
from riverlog.protocol.generated.group_metadata_key import GroupMetadataKey
from riverlog.protocol.generated.group_metadata_value import GroupMetadataValue, MemberMetadata


def _subscription(*topics: str, version: int = 1) -> bytes:
    message = ConsumerProtocolSubscription(topics=list(topics))
    return version.to_bytes(2, "big") + consumer_protocol_subscription.encode(message, version)


def test_a_new_group_is_written_before_its_first_member_is_answered() -> None:
    world = ClassicWorld()
    world.join()
    assert world.log == [
        CoordinatorRecord(
            GroupMetadataKey("g"),
            GroupMetadataValue(
                protocol_type="", generation=0, protocol=None, leader=None, current_state_timestamp=START_MS
            ),
        )
    ]
    world.enter()
    assert len(world.log) == 1


def test_a_restart_between_generations_goes_back_to_the_last_assignment() -> None:
    world = ClassicWorld()
    leader, follower = world.stable(2)
    world.join(leader)
    world.enter()
    world.reload()
    group = world.group()
    assert (group.state, group.generation, group.leader) == (State.STABLE, 1, leader)
    assert {m.member_id: m.assignment for m in group.members.values()} == {
        leader: leader.encode(),
        follower: follower.encode(),
    }
    assert world.beat(follower, 1) == 0


def test_after_a_restart_every_member_has_a_whole_session() -> None:
    world = ClassicWorld()
    (member,) = world.stable(1)
    world.run(SESSION_MS - 1)
    world.reload()
    world.run(SESSION_MS - 1)
    assert world.beat(member, 1) == 0
    world.run(SESSION_MS)
    assert world.state() == "Empty"
    world.reload()
    assert (world.state(), world.group().generation) == ("Empty", 2)
    assert world.timers == {}


def test_after_a_restart_a_member_with_several_protocols_joins_anew() -> None:
    """Only the selected protocol is on disk, as in Kafka: the full list is news."""
    world = ClassicWorld()
    leader, follower = world.stable(2, protocols="range sticky")
    world.reload()
    box = world.join(follower, protocols="range sticky")
    assert box.waits
    assert world.state() == "PreparingRebalance"
    assert world.join(leader, protocols="range sticky").error == 0


def test_a_tombstone_removes_the_group() -> None:
    world = ClassicWorld()
    world.leave(*world.stable(1))
    group = world.group()
    world.log.append(CoordinatorRecord(GroupMetadataKey("g"), None))
    world.classic.replay(9, world.now_ms, GroupMetadataKey("g"), None)
    assert world.machine.groups == {}
    assert group.state is State.DEAD
    world.reload()
    assert world.machine.groups == {}


def test_a_group_deleted_and_made_again_starts_at_generation_one() -> None:
    world = ClassicWorld()
    world.leave(*world.stable(1))
    world.log.append(CoordinatorRecord(GroupMetadataKey("g"), None))
    world.classic.replay(9, world.now_ms, GroupMetadataKey("g"), None)
    world.stable(1)
    assert world.group().generation == 1
    world.reload()
    assert (world.state(), world.group().generation) == ("Stable", 1)


def test_a_record_of_an_old_kafka_is_understood() -> None:
    """Version 0: no rebalance time-out, no timestamp, no instance ids."""
    value = GroupMetadataValue(
        protocol_type="consumer",
        generation=7,
        protocol="range",
        leader="gone",
        members=[MemberMetadata(member_id="m", client_id="c", client_host="/h", session_timeout=9_000)],
    )
    world = ClassicWorld()
    world.log.append(CoordinatorRecord(GroupMetadataKey("g"), value, version=0))
    world.reload()
    group = world.group()
    assert group.members["m"].rebalance_timeout_ms == 9_000
    assert group.leader == "m", "a leader that is not a member leads nobody"
    assert group.state_timestamp_ms == -1
    assert world.beat("m", 7) == 0


def test_a_simple_group_of_committed_offsets_accepts_members() -> None:
    world = ClassicWorld()
    world.machine.groups["g"] = world.classic.new_group("g")
    assert world.group().protocol_type is None
    assert world.group().is_empty
    world.stable(1)
    assert len(world.log) == 1, "the group exists already: only its generation is written"


def test_subscribed_topics_are_read_from_the_selected_protocol() -> None:
    world = ClassicWorld()
    boxes = [
        world.enter(protocols={"range": _subscription("a", "b")}),
        world.enter(protocols={"range": _subscription("b", "c", version=3)}),
    ]
    world.run()
    world.settle(boxes)
    assert world.group().subscribed_topics() == {"a", "b", "c"}
    assert world.group().is_subscribed("c")
    assert not world.group().is_subscribed("d")
    world.reload()
    assert world.group().subscribed_topics() == {"a", "b", "c"}
    world.leave(*world.group().members)
    assert world.group().subscribed_topics() == frozenset()


def test_topics_that_cannot_be_read_protect_every_topic_of_a_consumer_group() -> None:
    world = ClassicWorld()
    for number, metadata in enumerate((b"", b"\x00", b"\xff\xff", b"\x00\x00\x7f\xff\xff\xff")):
        group_id = f"g{number}"
        world.enter(group_id=group_id, protocols={"range": metadata})
        world.run()
        group = world.group(group_id)
        assert group.subscribed_topics() is None
        assert group.is_subscribed("anything")
        assert group.offset_expiry_base_ms(5) is None


def test_when_the_retention_of_offsets_begins() -> None:
    """KIP-211."""
    world = ClassicWorld()
    simple = ClassicGroup("s", 1)
    assert simple.offset_expiry_base_ms(77) == 77
    box = world.enter(protocols={"range": _subscription("a")})
    world.run()
    group = world.group()
    assert group.offset_expiry_base_ms(77) is None
    world.settle([box])
    assert group.offset_expiry_base_ms(77) == 77
    world.run(500)
    world.leave(box.member_id)
    assert group.offset_expiry_base_ms(77) == world.now_ms


def test_who_may_commit() -> None:
    """INVARIANTS 16: a stale member's commit is refused."""
    world = ClassicWorld()
    box = world.enter()
    world.run()
    member, group = box.member_id, world.group()

    def commit(member_id: str, generation: int, **how: bool) -> ErrorCode:
        return group.validate_offset_commit(member_id, generation, None, api_version=9, **how)

    assert commit(member, 1) == ErrorCode.REBALANCE_IN_PROGRESS
    assert commit(member, 1, transactional=True) == 0
    world.settle([box])
    assert commit(member, 1) == 0
    assert commit(member, 0) == ErrorCode.ILLEGAL_GENERATION
    assert commit(member, -1) == ErrorCode.ILLEGAL_GENERATION
    assert commit("who", 1) == ErrorCode.UNKNOWN_MEMBER_ID
    assert commit("", -1) == ErrorCode.UNKNOWN_MEMBER_ID
    assert commit("", -1, transactional=True) == 0
    world.join(member)
    world.leave(member)
    assert group.is_empty
    assert commit("", -1) == 0
    assert commit(member, 1) == ErrorCode.UNKNOWN_MEMBER_ID
    group.transition(State.DEAD, 1)
    assert commit("", -1) == ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert group.validate_offset_fetch(None, -1) == ErrorCode.GROUP_ID_NOT_FOUND
