"""One group, both protocols: up and down while the members go on."""

from __future__ import annotations

import pytest
from modern_world import ClassicFollower, Follower, ModernWorld

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import Decision
from riverlog.coordinator.group.classic_group import ClassicGroup, ClassicMember, State
from riverlog.coordinator.group.modern_migration import encode_assignment
from riverlog.protocol.generated import consumer_protocol_subscription
from riverlog.protocol.generated.consumer_protocol_subscription import ConsumerProtocolSubscription


@pytest.fixture
def world() -> ModernWorld:
    world = ModernWorld()
    world.topic("t", 6)
    return world


def settle(*members: ClassicFollower | Follower, rounds: int = 8) -> None:
    for _ in range(rounds):
        for member in members:
            member.step()


def sizes(*members: ClassicFollower | Follower) -> list[int]:
    return [len(member.has) for member in members]


@pytest.mark.parametrize("cooperative", [True, False])
def test_a_classic_member_joins_a_consumer_group(world: ModernWorld, cooperative: bool) -> None:
    new = Follower(world, "new", ("t",))
    new.step()
    old = ClassicFollower(world, ("t",), cooperative=cooperative)
    settle(new, old)
    assert sizes(new, old) == [3, 3]
    assert not new.has & old.has
    assert world.state() == "Stable"
    kinds = {member.member_id: member.member_type for member in world.describe().members}
    assert kinds == {"new": 1, old.member_id: 0}


def classic_group(world: ModernWorld, count: int = 2) -> list[ClassicFollower]:
    """A stable classic group whose leader is played by this test."""
    members = [ClassicFollower(world, ("t",), member_id=f"old-{n}") for n in range(count)]
    group = ClassicGroup("g", world.now_ms)
    group.protocol_type = "consumer"
    group.generation = 7
    topic_id = world.topic_id("t")
    share = 6 // count
    for number, member in enumerate(members):
        metadata = subscription(member)
        mine = frozenset(range(number * share, (number + 1) * share))
        group.add(
            ClassicMember(
                member.member_id,
                None,
                client_id="classic",
                client_host="/10.0.0.2",
                rebalance_timeout_ms=60_000,
                session_timeout_ms=45_000,
                protocols=((member.protocol, metadata),),
                assignment=encode_assignment({topic_id: mine}, metadata, world.image),
            )
        )
        member.generation = 7
        member.has = {("t", partition) for partition in mine}
    group.protocol_name = members[0].protocol
    out = Decision()
    world.machine.classic.adopt(group, world.now_ms, out, rebalance=False)
    group.state = State.STABLE
    world.apply(out)
    assert world.state() == "Stable"
    return members


def subscription(member: ClassicFollower) -> bytes:
    message = ConsumerProtocolSubscription(topics=list(member.topics))
    return b"\0\3" + consumer_protocol_subscription.encode(message, 3)


def test_a_classic_group_is_upgraded_by_the_first_new_member(world: ModernWorld) -> None:
    olds = classic_group(world)
    new = Follower(world, "new", ("t",))
    new.step()
    assert world.group().epoch == 8, "goes on where the generations ended"
    assert world.group().classic_members == 2
    settle(new, *olds)
    assert sizes(new, *olds) == [2, 2, 2]
    assert [old.member_id for old in olds] == ["old-0", "old-1"]
    assert world.state() == "Stable"
    before = world.snapshot()
    world.restart()
    assert world.snapshot() == before


def test_a_whole_group_rolls_from_classic_to_consumer(world: ModernWorld) -> None:
    olds = classic_group(world, 3)
    news: list[Follower] = []
    for number, old in enumerate(list(olds)):
        news.append(Follower(world, f"new-{number}", ("t",)))
        settle(*news, *olds)
        assert old.leave() == 0
        olds.remove(old)
        settle(*news, *olds)
        assert set().union(*(member.has for member in (*news, *olds))) == {("t", n) for n in range(6)}
    assert sizes(*news) == [2, 2, 2]
    assert world.group().classic_members == 0


def test_the_last_new_member_leaves_and_the_group_is_classic_again(world: ModernWorld) -> None:
    olds = classic_group(world)
    new = Follower(world, "new", ("t",))
    settle(new, *olds)
    epoch = world.group().epoch
    assert new.leave() == 0
    group = world.machine.groups["g"]
    assert isinstance(group, ClassicGroup)
    assert group.generation == epoch
    assert group.state_name == "PreparingRebalance"
    assert [old.beat() for old in olds] == [ErrorCode.REBALANCE_IN_PROGRESS] * 2
    world.restart()
    again = world.machine.groups["g"]
    assert isinstance(again, ClassicGroup)
    assert set(again.members) == {"old-0", "old-1"}


def test_a_new_member_whose_session_is_over_also_ends_the_upgrade(world: ModernWorld) -> None:
    olds = classic_group(world)
    new = Follower(world, "new", ("t",))
    settle(new, *olds)
    world.run(30_000)
    assert [old.beat() for old in olds] == [0, 0]
    world.run(20_000)
    assert isinstance(world.machine.groups["g"], ClassicGroup)


def test_a_static_classic_member_takes_over_from_the_last_new_one(world: ModernWorld) -> None:
    new = Follower(world, "new", ("t",), instance_id="i")
    new.step()
    old = ClassicFollower(world, ("t",), instance_id="i")
    old.join()
    group = world.machine.groups["g"]
    assert isinstance(group, ClassicGroup)
    assert list(group.members) == [old.member_id]
    assert group.state_name == "Stable"
    assert old.generation == group.generation
    old.sync()
    assert len(old.has) == 6


@pytest.mark.parametrize(
    ("policy", "upgrades", "mixes"),
    [("disabled", False, False), ("downgrade", False, True), ("upgrade", True, True)],
)
def test_the_policy_says_what_is_allowed(policy: str, upgrades: bool, mixes: bool) -> None:
    world = ModernWorld(group_consumer_migration_policy=policy)
    world.topic("t", 6)
    classic_group(world)
    response = world.join("new", "t")
    if upgrades:
        assert response.error_code == 0
    else:
        assert response.error_code == ErrorCode.GROUP_ID_NOT_FOUND
        assert "online upgrade is disabled" in response.error_message
        assert isinstance(world.machine.groups["g"], ClassicGroup)
    Follower(world, "other", ("t",), group="h").step()
    old = ClassicFollower(world, ("t",), group="h")
    old.join()
    assert old.error == (0 if mixes else ErrorCode.INCONSISTENT_GROUP_PROTOCOL)


def test_without_downgrade_the_group_stays_as_it_is() -> None:
    world = ModernWorld(group_consumer_migration_policy="upgrade")
    world.topic("t", 6)
    new = Follower(world, "new", ("t",))
    old = ClassicFollower(world, ("t",))
    settle(new, old)
    new.leave()
    settle(old)
    assert world.group().classic_members == 1
    assert len(old.has) == 6


def test_whoever_waits_in_the_classic_group_must_join_again(world: ModernWorld) -> None:
    olds = classic_group(world)
    olds[0].topics = ("t", "u")
    assert olds[0].join() is None, "waits for the other one"
    assert world.join("new", "t").error_code == 0
    settle(*olds)
    assert olds[0].joins > 1


def test_a_member_that_is_told_to_join_again_must_do_so_in_time(world: ModernWorld) -> None:
    new = Follower(world, "new", ("t",))
    old = ClassicFollower(world, ("t",))
    settle(new, old)
    world.grow("t", 8)
    settle(new, rounds=1)
    for _ in range(3):
        assert old.beat() == ErrorCode.REBALANCE_IN_PROGRESS
        new.step()
        world.run(20_000)
    assert old.beat() == ErrorCode.UNKNOWN_MEMBER_ID


def test_a_member_that_never_syncs_is_fenced(world: ModernWorld) -> None:
    new = Follower(world, "new", ("t",))
    new.step()
    old = ClassicFollower(world, ("t",))
    old.join()
    for _ in range(7):
        world.run(10_000)
        new.step()
        old.beat()
    assert old.member_id not in world.group().members


def test_stale_and_foreign_requests_of_classic_members(world: ModernWorld) -> None:
    new = Follower(world, "new", ("t",))
    old = ClassicFollower(world, ("t",))
    settle(new, old)
    generation = old.generation
    old.generation = generation + 1
    assert old.beat() == ErrorCode.ILLEGAL_GENERATION
    assert old.sync().error_code == ErrorCode.ILLEGAL_GENERATION
    old.generation = generation
    name, old.cooperative = old.member_id, False
    assert old.sync().error_code == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    old.member_id = "new"
    assert old.beat() == ErrorCode.UNKNOWN_MEMBER_ID, "speaks the consumer protocol"
    old.member_id = name
    assert old.leave() == 0
    assert old.leave() == ErrorCode.UNKNOWN_MEMBER_ID
    assert world.group().classic_members == 0


def test_tools_remove_static_members_of_the_consumer_protocol(world: ModernWorld) -> None:
    new = Follower(world, "new", ("t",), instance_id="i")
    other = Follower(world, "other", ("t",))
    settle(new, other)
    tool = ClassicFollower(world, (), instance_id="i")
    assert tool.leave() == 0
    assert list(world.group().members) == ["other"]
    assert tool.leave() == ErrorCode.UNKNOWN_MEMBER_ID


def test_down_and_up_again_gives_nothing_away_that_a_member_still_holds(world: ModernWorld) -> None:
    """A classic member has yet to let go of partitions when the group becomes classic and back."""
    first = Follower(world, "first", ("t",))
    old = ClassicFollower(world, ("t",))
    settle(first, old)
    second = Follower(world, "second", ("t",))
    settle(first, second, rounds=3)
    assert len(old.has) == 3, "it does not know yet that it shall have two"
    first.leave()
    second.leave()
    assert isinstance(world.machine.groups["g"], ClassicGroup)
    third = Follower(world, "third", ("t",))
    third.step()
    assert not third.has & old.has
    settle(third, old)
    assert sizes(third, old) == [3, 3]
