"""Groups of the consumer protocol and their records: loading, deleting, replacing, what offsets ask."""

from __future__ import annotations

import pytest
from modern_world import SESSION_MS, Follower, ModernWorld

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord, Decision
from riverlog.coordinator.group.classic_group import ClassicGroup
from riverlog.coordinator.group.modern_group import ConsumerGroup
from riverlog.coordinator.group.modern_member import MemberState
from riverlog.coordinator.group.records import offset_commit
from riverlog.protocol.generated.consumer_group_current_member_assignment_key import (
    ConsumerGroupCurrentMemberAssignmentKey,
)
from riverlog.protocol.generated.consumer_group_current_member_assignment_value import (
    ConsumerGroupCurrentMemberAssignmentValue,
    TopicPartitions,
)
from riverlog.protocol.generated.consumer_group_partition_metadata_key import (
    ConsumerGroupPartitionMetadataKey,
)
from riverlog.protocol.generated.consumer_group_partition_metadata_value import (
    ConsumerGroupPartitionMetadataValue,
)
from riverlog.protocol.generated.offset_commit_value import OffsetCommitValue


@pytest.fixture
def world() -> ModernWorld:
    world = ModernWorld()
    world.topic("t", 6)
    return world


def settle(*members: Follower, rounds: int = 6) -> None:
    for _ in range(rounds):
        for member in members:
            member.step()


@pytest.mark.parametrize("compacted", [False, True])
def test_everything_is_there_after_a_restart(world: ModernWorld, compacted: bool) -> None:
    world.topic("logs-a", 2)
    a = Follower(world, "a", ("t",))
    b = Follower(world, "b", ("t",), instance_id="i")
    c = Follower(world, "c", (), regex="logs-.*")
    settle(a, b, c)
    world.join("d", "t")
    world.beat("a", a.epoch)
    before = world.snapshot()
    world.restart(compacted=compacted)
    assert world.snapshot() == before
    assert world.group().members["a"].state is MemberState.UNREVOKED_PARTITIONS
    a.said = b.said = c.said = None
    d = Follower(world, "d", ("t",), epoch=world.group().members["d"].member_epoch)
    settle(a, b, c, d)
    assert [len(m.has) for m in (a, b, c, d)] == [2, 2, 2, 2]
    assert [m.error for m in (a, b, c, d)] == [0] * 4


def test_sessions_begin_anew_after_a_restart(world: ModernWorld) -> None:
    a, b = Follower(world, "a", ("t",)), Follower(world, "b", ("t",))
    settle(a, b)
    world.run(SESSION_MS - 1)
    world.restart()
    world.run(SESSION_MS - 1)
    assert set(world.group().members) == {"a", "b"}
    a.step()
    world.run(1)
    assert set(world.group().members) == {"a"}


def test_a_revocation_goes_on_being_timed_after_a_restart(world: ModernWorld) -> None:
    world.join("a", "t")
    world.join("b", "t")
    world.beat("a", 2)
    world.restart()
    for _ in range(3):
        world.run(20_000)
        world.beat("a", 2)
        world.beat("b", 3)
    assert set(world.group().members) == {"b"}


def test_deleting_an_empty_group_leaves_nothing(world: ModernWorld) -> None:
    world.topic("logs-a")
    member = Follower(world, "m", ("t",), regex="logs-.*", instance_id="i")
    member.step()
    group = world.group()
    assert group.validate_delete() == ErrorCode.NON_EMPTY_GROUP
    member.leave()
    assert group.validate_delete() == ErrorCode.NONE
    world.apply(Decision(world.machine.deletion("g")))
    assert not world.machine.groups
    world.restart(compacted=True)
    assert not world.machine.groups


def test_an_empty_classic_group_makes_room_and_its_offsets_stay(world: ModernWorld) -> None:
    value = OffsetCommitValue(offset=5, metadata="", commit_timestamp=world.now_ms)
    world.apply(Decision([offset_commit("g", "t", 0, value)]))
    assert isinstance(world.machine.groups["g"], ClassicGroup)
    member = Follower(world, "m", ("t",))
    member.step()
    assert member.error == 0
    for compacted in (False, True):
        assert isinstance(world.machine.groups["g"], ConsumerGroup)
        stored = world.machine.offsets.table.get("g", "t", 0)
        assert stored is not None
        assert stored.offset == 5
        world.restart(compacted=compacted)


def test_partition_metadata_of_older_versions_is_removed(world: ModernWorld) -> None:
    key = ConsumerGroupPartitionMetadataKey("g")
    world.join("m", "t")
    world.apply(Decision([CoordinatorRecord(key, ConsumerGroupPartitionMetadataValue())]))
    assert world.group().has_partition_metadata
    world.grow("t", 7)
    world.beat("m", 2)
    assert CoordinatorRecord(key, None) in world.written
    assert not world.group().has_partition_metadata


def test_records_of_older_versions_have_no_epochs_of_partitions(world: ModernWorld) -> None:
    world.join("m", "t")
    value = ConsumerGroupCurrentMemberAssignmentValue(
        member_epoch=2,
        previous_member_epoch=0,
        assigned_partitions=[TopicPartitions(world.topic_id("t"), [1, 2], None)],
    )
    record = CoordinatorRecord(ConsumerGroupCurrentMemberAssignmentKey("g", "m"), value)
    world.machine.replay(99, world.now_ms, record.key, record.value)
    assert world.group().members["m"].assigned == {world.topic_id("t"): {1: 2, 2: 2}}


def test_a_state_of_the_future_is_loaded_as_unknown(world: ModernWorld) -> None:
    world.join("m", "t")
    value = ConsumerGroupCurrentMemberAssignmentValue(member_epoch=2, state=9)
    world.machine.replay(99, world.now_ms, ConsumerGroupCurrentMemberAssignmentKey("g", "m"), value)
    assert world.group().members["m"].state is MemberState.UNKNOWN


def test_a_decision_that_was_not_written_changes_nothing(world: ModernWorld) -> None:
    """The topics changed, the append failed: the next heartbeat notices the change again."""
    world.join("m", "t")
    world.grow("t", 8)
    apply, world.apply = world.apply, lambda _: None  # type: ignore[method-assign, assignment]
    with pytest.raises(AssertionError, match="one answer"):
        world.beat("m", 2)
    world.apply = apply  # type: ignore[method-assign]
    response = world.beat("m", 2)
    assert response.member_epoch == 3
    assert len(response.assignment.topic_partitions[0].partitions) == 8


# -- what offsets ask ------------------------------------------------------------------------


def test_a_stale_members_commit_is_refused(world: ModernWorld) -> None:
    a, b = Follower(world, "a", ("t",)), Follower(world, "b", ("t",))
    settle(a, b)
    group = world.group()

    def commit(member_id: str, epoch: int, partition: int, *, version: int = 9) -> ErrorCode:
        error = group.validate_offset_commit(member_id, epoch, None, api_version=version)
        return error or group.validate_commit_partition(
            member_id, epoch, topic="t", topic_id=world.topic_id("t"), partition=partition
        )

    mine = min(partition for _, partition in a.has)
    foreign = min(partition for _, partition in b.has)
    assert commit("a", a.epoch, mine) == ErrorCode.NONE
    assert commit("a", a.epoch, foreign) == ErrorCode.NONE, "as in Kafka: the epoch counts, not the owner"
    assert commit("a", a.epoch + 1, mine) == ErrorCode.STALE_MEMBER_EPOCH
    assert commit("a", a.epoch - 1, mine) == ErrorCode.NONE, "it has this one since before"
    assert commit("a", 1, mine) == ErrorCode.STALE_MEMBER_EPOCH
    assert commit("a", a.epoch - 1, foreign) == ErrorCode.STALE_MEMBER_EPOCH
    assert commit("b", b.epoch - 1, foreign) == ErrorCode.STALE_MEMBER_EPOCH, "it got it in this epoch"
    assert commit("x", 1, mine) == ErrorCode.UNKNOWN_MEMBER_ID
    assert commit("", -1, mine) == ErrorCode.UNKNOWN_MEMBER_ID
    assert commit("a", a.epoch, mine, version=8) == ErrorCode.UNSUPPORTED_VERSION


def test_transactions_and_tools_commit(world: ModernWorld) -> None:
    member = Follower(world, "m", ("t",))
    member.step()
    group = world.group()
    assert not group.validate_offset_commit("", -1, None, api_version=3, transactional=True)
    assert not group.validate_offset_commit("m", 2, None, api_version=3, transactional=True)
    assert group.validate_offset_commit("m", 3, None, api_version=3, transactional=True)
    member.leave()
    assert not group.validate_offset_commit("", -1, None, api_version=9)


def test_a_fetch_names_its_epoch_or_nothing(world: ModernWorld) -> None:
    world.join("m", "t")
    group = world.group()
    assert group.validate_offset_fetch(None, -1) == ErrorCode.NONE
    assert group.validate_offset_fetch("m", 2) == ErrorCode.NONE
    assert group.validate_offset_fetch("m", 1) == ErrorCode.STALE_MEMBER_EPOCH
    assert group.validate_offset_fetch("x", 2) == ErrorCode.UNKNOWN_MEMBER_ID


def test_offsets_of_subscribed_topics_are_protected(world: ModernWorld) -> None:
    world.topic("logs-a")
    Follower(world, "m", ("t",), regex="logs-.*").step()
    group = world.group()
    assert group.is_subscribed("t")
    assert group.is_subscribed("logs-a")
    assert not group.is_subscribed("logs-b")
