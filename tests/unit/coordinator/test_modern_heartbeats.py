"""ConsumerGroupHeartbeat, member by member: joining, following, fencing, static members, limits."""

from __future__ import annotations

from typing import Any

import pytest
from modern_world import REBALANCE_MS, SESSION_MS, Follower, ModernWorld, owned, pairs

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.group.modern_member import MemberState
from riverlog.protocol.generated.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
    TopicPartitions,
)


@pytest.fixture
def world() -> ModernWorld:
    world = ModernWorld()
    world.topic("t", 6)
    return world


def settle(*members: Follower, rounds: int = 6) -> None:
    for _ in range(rounds):
        for member in members:
            member.step()


def joining(**changes: Any) -> ConsumerGroupHeartbeatRequest:
    settings: dict[str, Any] = {
        "group_id": "g",
        "member_id": "m",
        "member_epoch": 0,
        "rebalance_timeout_ms": REBALANCE_MS,
        "subscribed_topic_names": ["t"],
        "topic_partitions": [],
    }
    return ConsumerGroupHeartbeatRequest(**(settings | changes))


# -- requests --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"member_id": " "}, "MemberId can't be empty."),
        ({"group_id": ""}, "GroupId can't be empty."),
        ({"instance_id": ""}, "InstanceId can't be empty."),
        ({"rack_id": " "}, "RackId can't be empty."),
        ({"rebalance_timeout_ms": -1}, "RebalanceTimeoutMs must be provided in first request."),
        ({"topic_partitions": None}, "TopicPartitions must be empty when (re-)joining."),
        ({"topic_partitions": [TopicPartitions()]}, "TopicPartitions must be empty when (re-)joining."),
        (
            {"subscribed_topic_names": None},
            "Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.",
        ),
        ({"member_epoch": -2}, "InstanceId can't be null."),
        ({"member_epoch": -3}, "MemberEpoch is invalid."),
    ],
)
def test_requests_that_make_no_sense(world: ModernWorld, changes: dict[str, Any], message: str) -> None:
    response = world.ask(joining(**changes))
    assert (response.error_code, response.error_message) == (ErrorCode.INVALID_REQUEST, message)
    assert not world.log


def test_an_unknown_assignor_is_refused(world: ModernWorld) -> None:
    response = world.ask(joining(server_assignor="best"))
    assert response.error_code == ErrorCode.UNSUPPORTED_ASSIGNOR
    assert response.error_message == (
        "ServerAssignor best is not supported. Supported assignors: uniform, range."
    )


def test_version_0_members_get_an_id(world: ModernWorld) -> None:
    response = world.ask(joining(member_id=""), version=0)
    assert response.error_code == 0
    assert len(response.member_id) == 22
    assert list(world.group().members) == [response.member_id]


@pytest.mark.parametrize("epoch", [-1, 1])
def test_only_who_joins_makes_a_group(world: ModernWorld, epoch: int) -> None:
    assert world.beat("m", epoch).error_code == ErrorCode.GROUP_ID_NOT_FOUND
    assert not world.machine.groups


# -- joining ---------------------------------------------------------------------------------


def test_the_first_member_gets_everything_at_once(world: ModernWorld) -> None:
    response = world.join("m", "t")
    assert (response.error_code, response.member_id, response.member_epoch) == (0, "m", 2)
    assert response.heartbeat_interval_ms == 5_000
    assert pairs(world, response.assignment) == {("t", n) for n in range(6)}
    assert [type(record.key).__name__ for record in world.written] == [
        "ConsumerGroupMemberMetadataKey",
        "ConsumerGroupMetadataKey",
        "ConsumerGroupTargetAssignmentMemberKey",
        "ConsumerGroupTargetAssignmentMetadataKey",
        "ConsumerGroupCurrentMemberAssignmentKey",
    ]
    assert world.state() == "Stable"


def test_a_quiet_heartbeat_writes_nothing_and_says_nothing(world: ModernWorld) -> None:
    world.join("m", "t")
    response = world.beat("m", 2)
    assert (response.error_code, response.member_epoch, response.assignment) == (0, 2, None)
    assert not world.written


def test_a_full_request_gets_the_assignment_again(world: ModernWorld) -> None:
    assigned = pairs(world, world.join("m", "t").assignment)
    response = world.beat(
        "m",
        2,
        rebalance_timeout_ms=REBALANCE_MS,
        subscribed_topic_names=["t"],
        topic_partitions=owned(world, assigned),
    )
    assert pairs(world, response.assignment) == assigned
    assert not world.written


def test_a_member_may_join_without_any_topic(world: ModernWorld) -> None:
    response = world.join("m")
    assert (response.member_epoch, response.assignment.topic_partitions) == (1, [])
    assert world.state() == "Stable"
    assert world.beat("m", 1, subscribed_topic_names=["t"]).member_epoch == 2


def test_partitions_are_handed_over_in_three_steps(world: ModernWorld) -> None:
    """Revoke, say so, take over: at no time has a partition two owners."""
    everything = pairs(world, world.join("a", "t").assignment)
    response = world.join("b", "t")
    assert (response.member_epoch, response.assignment.topic_partitions) == (3, [])
    assert world.group().members["b"].state is MemberState.UNRELEASED_PARTITIONS
    assert world.state() == "Reconciling"

    response = world.beat("a", 2)
    kept = pairs(world, response.assignment)
    assert (response.member_epoch, len(kept)) == (2, 3), "it stays in its epoch until it let go"
    assert world.group().members["a"].state is MemberState.UNREVOKED_PARTITIONS
    assert world.beat("b", 3).assignment is None, "nothing is free yet"

    response = world.beat("a", 2, topic_partitions=owned(world, everything))
    assert response.member_epoch == 2, "it says that it still has them"
    response = world.beat("a", 2, topic_partitions=owned(world, kept))
    assert (response.member_epoch, response.assignment) == (3, None)
    assert pairs(world, world.beat("b", 3).assignment) == everything - kept
    assert world.state() == "Stable"


def test_members_of_one_group_share_and_others_do_not_notice(world: ModernWorld) -> None:
    members = [Follower(world, f"m{n}", ("t",)) for n in range(3)]
    other = Follower(world, "x", ("t",), group="h")
    settle(*members, other)
    assert [len(member.has) for member in members] == [2, 2, 2]
    assert len(other.has) == 6
    members[1].leave()
    settle(members[0], members[2], other)
    assert [len(member.has) for member in members] == [3, 0, 3]
    assert other.epoch == 2


def test_the_assignor_that_most_members_ask_for_is_used(world: ModernWorld) -> None:
    world.topic("u", 3)
    world.join("a", "t", "u", server_assignor="range")
    world.join("b", "t", "u", server_assignor="range")
    world.join("c", "t", "u", server_assignor="uniform")
    assert world.describe().assignor_name == "range"
    topic_id = world.topic_id("t")
    assert [sorted(world.group().target[m][topic_id]) for m in "abc"] == [[0, 1], [2, 3], [4, 5]]


@pytest.mark.parametrize(
    ("setting", "names"),
    [
        ("range", ["range"]),
        ("org.apache.kafka.coordinator.group.assignor.RangeAssignor,uniform", ["range", "uniform"]),
        ("com.example.Mine", ["uniform", "range"]),
    ],
)
def test_the_assignors_that_members_may_name(setting: str, names: list[str]) -> None:
    world = ModernWorld(group_consumer_assignors=setting)
    assert world.machine.modern.settings.assignors == names
    world.join("m", "t")
    assert world.describe().assignor_name == names[0]


def test_a_full_group_takes_nobody_new() -> None:
    world = ModernWorld(group_consumer_max_size="1")
    world.topic("t")
    assert world.join("a", "t").error_code == 0
    response = world.join("b", "t")
    assert response.error_code == ErrorCode.GROUP_MAX_SIZE_REACHED
    assert world.beat("a", 2).error_code == 0


def test_many_members_that_come_together_get_one_target() -> None:
    world = ModernWorld(group_consumer_assignment_interval_ms="1000")
    world.topic("t", 6)
    world.join("a", "t")
    world.run(100)
    response = world.join("b", "t")
    assert (response.member_epoch, response.assignment.topic_partitions) == (2, [])
    world.join("c", "t")
    assert (world.group().epoch, world.group().assignment_epoch) == (4, 2)
    assert world.state() == "Assigning"
    world.run(900)
    world.beat("b", 2)
    assert world.group().assignment_epoch == 4
    assert sorted(len(t[world.topic_id("t")]) for t in world.group().target.values()) == [2, 2, 2]


def test_a_clock_that_went_back_does_not_stop_assignments() -> None:
    world = ModernWorld(group_consumer_assignment_interval_ms="1000")
    world.topic("t", 6)
    world.join("a", "t")
    world.now_ms -= 3_600_000
    world.join("b", "t")
    assert world.group().assignment_epoch == 3


def test_a_groups_own_settings_count_within_the_brokers_bounds(world: ModernWorld) -> None:
    world.image.configs[32, "g"] = {"consumer.heartbeat.interval.ms": "7000"}
    assert world.join("m", "t").heartbeat_interval_ms == 7_000
    world.image.configs[32, "g"] = {"consumer.heartbeat.interval.ms": "1"}
    assert world.beat("m", 2).heartbeat_interval_ms == 5_000
    assert world.join("x", "t", group="h").heartbeat_interval_ms == 5_000


# -- subscriptions ---------------------------------------------------------------------------


def test_a_member_changes_its_topics(world: ModernWorld) -> None:
    world.topic("u", 2)
    a = Follower(world, "a", ("t",))
    b = Follower(world, "b", ("t", "u"))
    settle(a, b)
    assert [len(a.has), len(b.has)] == [4, 4]
    b.subscribe("u")
    settle(a, b)
    assert a.has == {("t", n) for n in range(6)}
    assert b.has == {("u", 0), ("u", 1)}


def test_partitions_of_topics_nobody_asks_for_go_before_the_next_target() -> None:
    world = ModernWorld(group_consumer_assignment_interval_ms="60000")
    world.topic("t", 2)
    world.topic("u", 2)
    world.join("a", "t", "u")
    response = world.beat("a", 2, subscribed_topic_names=["t"])
    assert pairs(world, response.assignment) == {("t", 0), ("t", 1)}
    assert world.group().assignment_epoch == 2
    assert world.group().members["a"].state is MemberState.UNREVOKED_PARTITIONS


def test_topics_that_come_later_are_found(world: ModernWorld) -> None:
    member = Follower(world, "m", ("later", "t"))
    member.step()
    assert len(member.has) == 6
    world.topic("later", 2)
    settle(member)
    assert len(member.has) == 8
    epoch = member.epoch
    world.topic("unrelated")
    settle(member)
    assert member.epoch == epoch, "topics of others change nothing"


def test_new_partitions_are_assigned_and_deleted_topics_go(world: ModernWorld) -> None:
    members = [Follower(world, f"m{n}", ("t", "u")) for n in range(2)]
    world.topic("u", 2)
    settle(*members)
    world.grow("t", 10)
    settle(*members)
    assert [len(member.has) for member in members] == [6, 6]
    world.drop("u")
    settle(*members)
    assert sorted(members[0].has | members[1].has) == [("t", n) for n in range(10)]
    assert world.state() == "Stable"


def test_a_topic_that_is_created_anew_is_another_one(world: ModernWorld) -> None:
    member = Follower(world, "m", ("t",))
    member.step()
    old = world.topic_id("t")
    world.drop("t")
    new = world.topic("t", 3)
    response = world.beat("m", member.epoch, topic_partitions=[])
    assert [topic.topic_id for topic in response.assignment.topic_partitions] == [new]
    assert old not in world.group().owners


# -- fencing ---------------------------------------------------------------------------------


def test_unknown_members_are_told_so(world: ModernWorld) -> None:
    world.join("a", "t")
    response = world.beat("b", 2)
    assert response.error_code == ErrorCode.UNKNOWN_MEMBER_ID
    assert response.error_message == "Member b is not a member of group g."


@pytest.mark.parametrize("epoch", [1, 3, 2_147_483_647])
def test_other_epochs_are_fenced(world: ModernWorld, epoch: int) -> None:
    world.join("a", "t")
    assert world.beat("a", epoch).error_code == ErrorCode.FENCED_MEMBER_EPOCH
    assert world.group().members["a"].member_epoch == 2


def test_an_answer_that_got_lost_is_given_again(world: ModernWorld) -> None:
    a = Follower(world, "a", ("t",))
    a.step()
    b = Follower(world, "b", ("t",))
    b.step()
    a.step()
    a.step(reply_lost=True)
    assert (a.epoch, world.group().members["a"].member_epoch) == (2, 3)
    a.step()
    assert (a.error, a.epoch, len(a.has)) == (0, 3, 3)


def test_the_epoch_before_is_not_enough_with_partitions_of_others(world: ModernWorld) -> None:
    a = Follower(world, "a", ("t",))
    b = Follower(world, "b", ("t",))
    a.step()
    b.step()
    a.step()
    a.step(reply_lost=True)
    everything = owned(world, {("t", n) for n in range(6)})
    assert world.beat("a", 2, topic_partitions=everything).error_code == ErrorCode.FENCED_MEMBER_EPOCH


def test_a_fenced_member_joins_again_under_its_id(world: ModernWorld) -> None:
    a, b = Follower(world, "a", ("t",)), Follower(world, "b", ("t",))
    settle(a, b)
    a.epoch = 99
    a.step()
    assert a.error == ErrorCode.FENCED_MEMBER_EPOCH
    settle(a, b)
    assert (len(a.has), len(b.has)) == (3, 3)


def test_a_member_in_a_state_of_the_future_starts_from_nothing(world: ModernWorld) -> None:
    world.join("a", "t")
    member = world.group().members["a"]
    member.state = MemberState.UNKNOWN
    assert world.beat("a", 2).error_code == ErrorCode.FENCED_MEMBER_EPOCH
    assert world.beat("a", 2, topic_partitions=[]).error_code == 0
    assert world.state() == "Stable"


# -- static members --------------------------------------------------------------------------


def test_a_static_member_comes_back_to_what_it_had(world: ModernWorld) -> None:
    a = Follower(world, "a", ("t",), instance_id="i1")
    b = Follower(world, "b", ("t",), instance_id="i2")
    settle(a, b)
    had, epoch = set(b.has), a.epoch
    assert b.leave(epoch=-2) == 0
    assert world.group().members["b"].member_epoch == -2
    again = Follower(world, "b2", ("t",), instance_id="i2")
    again.step()
    assert again.has == had
    settle(a, again)
    assert (a.epoch, again.epoch) == (epoch, epoch), "nobody was bothered"
    assert set(world.group().members) == {"a", "b2"}


def test_an_instance_id_in_use_is_not_given_away(world: ModernWorld) -> None:
    world.join("a", "t", instance_id="i")
    response = world.join("b", "t", instance_id="i")
    assert response.error_code == ErrorCode.UNRELEASED_INSTANCE_ID
    assert list(world.group().members) == ["a"]


def test_who_was_replaced_is_fenced(world: ModernWorld) -> None:
    world.join("a", "t", instance_id="i")
    world.beat("a", -2, instance_id="i")
    world.join("b", "t", instance_id="i")
    assert world.beat("a", 2, instance_id="i").error_code == ErrorCode.FENCED_INSTANCE_ID
    assert world.beat("a", -1, instance_id="i").error_code == ErrorCode.FENCED_INSTANCE_ID
    assert world.beat("x", 2, instance_id="other").error_code == ErrorCode.UNKNOWN_MEMBER_ID
    assert world.beat("x", -2, instance_id="other").error_code == ErrorCode.UNKNOWN_MEMBER_ID


def test_a_static_member_that_stays_away_loses_its_partitions(world: ModernWorld) -> None:
    a, b = Follower(world, "a", ("t",)), Follower(world, "b", ("t",), instance_id="i")
    settle(a, b)
    b.leave(epoch=-2)
    world.run(SESSION_MS - 10_000)
    settle(a)
    assert len(a.has) == 3
    world.run(11_000)
    settle(a)
    assert len(a.has) == 6


def test_a_static_member_leaves_for_good(world: ModernWorld) -> None:
    a, b = Follower(world, "a", ("t",)), Follower(world, "b", ("t",), instance_id="i")
    settle(a, b)
    assert b.leave() == 0
    settle(a)
    assert len(a.has) == 6
    assert not world.group().static_members


def test_a_static_member_comes_back_with_other_topics(world: ModernWorld) -> None:
    world.topic("u", 2)
    a = Follower(world, "a", ("t",), instance_id="i")
    a.step()
    a.leave(epoch=-2)
    again = Follower(world, "b", ("u",), instance_id="i")
    settle(again)
    assert again.has == {("u", 0), ("u", 1)}


# -- time ------------------------------------------------------------------------------------


def test_a_silent_member_is_fenced(world: ModernWorld) -> None:
    a, b = Follower(world, "a", ("t",)), Follower(world, "b", ("t",))
    settle(a, b)
    for _ in range(9):
        world.run(5_000)
        a.step()
    assert "b" not in world.group().members
    settle(a)
    assert len(a.has) == 6
    b.step()
    assert b.error == ErrorCode.UNKNOWN_MEMBER_ID


def test_a_member_that_does_not_let_go_is_fenced_after_its_rebalance_timeout(world: ModernWorld) -> None:
    a, b = Follower(world, "a", ("t",)), Follower(world, "b", ("t",))
    a.step()
    b.step()
    for _ in range(13):
        world.run(5_000)
        a.step(revokes=False)
        b.step()
    assert "a" not in world.group().members
    settle(b)
    assert len(b.has) == 6


def test_letting_go_in_time_ends_the_wait(world: ModernWorld) -> None:
    a, b = Follower(world, "a", ("t",)), Follower(world, "b", ("t",))
    a.step()
    b.step()
    settle(a, b)
    for _ in range(20):
        world.run(5_000)
        settle(a, b, rounds=1)
    assert set(world.group().members) == {"a", "b"}


# -- expressions -----------------------------------------------------------------------------


def test_a_subscription_by_expression(world: ModernWorld) -> None:
    world.topic("logs-a", 2)
    world.topic("logs-b", 2)
    world.topic("my-logs-c", 2)
    member = Follower(world, "m", (), regex="logs-.*")
    member.step()
    assert member.has == {("logs-a", 0), ("logs-a", 1), ("logs-b", 0), ("logs-b", 1)}, "the whole name"
    assert world.describe().members[0].subscribed_topic_regex == "logs-.*"


def test_new_topics_are_found_by_expressions_after_a_while(world: ModernWorld) -> None:
    world.topic("logs-a")
    member = Follower(world, "m", (), regex="logs-.*")
    member.step()
    world.topic("logs-b")
    world.run(5_000)
    member.step()
    assert len(member.has) == 1, "not more often than every ten seconds"
    world.run(5_001)
    settle(member)
    assert member.has == {("logs-a", 0), ("logs-b", 0)}
    world.drop("logs-a")
    settle(member)
    assert member.has == {("logs-b", 0)}


@pytest.mark.parametrize("regex", ["logs-(", "(?=x)y", r"(a)\1", "[", "*"])
def test_expressions_that_re2_does_not_take(world: ModernWorld, regex: str) -> None:
    response = world.join("m", subscribed_topic_regex=regex)
    assert response.error_code == ErrorCode.INVALID_REGULAR_EXPRESSION
    assert response.error_message.startswith(f"SubscribedTopicRegex `{regex}` is not a valid regular")
    assert not world.log


def test_an_expression_that_would_run_for_ever_elsewhere_does_not_here(world: ModernWorld) -> None:
    world.topic("a" * 200)
    assert world.join("m", subscribed_topic_regex="(a*)*b").assignment.topic_partitions == []


def test_expressions_and_names_of_several_members(world: ModernWorld) -> None:
    world.topic("logs-a", 2)
    world.topic("logs-b", 2)
    a = Follower(world, "a", (), regex="logs-.*")
    b = Follower(world, "b", ("t",), regex="logs-a")
    c = Follower(world, "c", ("logs-b",))
    settle(a, b, c)
    every = [("logs-a", 0), ("logs-a", 1), ("logs-b", 0), ("logs-b", 1), *(("t", n) for n in range(6))]
    assert sorted(a.has | b.has | c.has) == every
    assert set(world.group().subscriptions.resolved) == {"logs-.*", "logs-a"}
    b.leave()
    assert set(world.group().subscriptions.resolved) == {"logs-.*"}
    settle(a, c)
    assert (len(a.has), len(c.has)) == (2, 2)


def test_an_expression_is_replaced(world: ModernWorld) -> None:
    world.topic("logs-a", 2)
    world.topic("data-b", 2)
    member = Follower(world, "m", (), regex="logs-.*")
    member.step()
    member.regex, member.said = "data-.*", None
    settle(member)
    assert member.has == {("data-b", 0), ("data-b", 1)}
    assert set(world.group().subscriptions.resolved) == {"data-.*"}
    member.regex, member.said, member.names = "", None, ("t",)
    settle(member)
    assert len(member.has) == 6
    assert not world.group().subscriptions.resolved


# -- describing ------------------------------------------------------------------------------


def test_a_group_is_described(world: ModernWorld) -> None:
    world.join("a", "t", instance_id="i", rack_id="r")
    group = world.describe()
    assert (group.group_id, group.group_state, group.group_epoch, group.assignment_epoch) == (
        "g",
        "Stable",
        2,
        2,
    )
    assert group.assignor_name == "uniform"
    (member,) = group.members
    assert (member.instance_id, member.rack_id, member.client_id, member.client_host) == (
        "i",
        "r",
        "client",
        "/10.0.0.1",
    )
    assert member.subscribed_topic_names == ["t"]
    assert member.member_type == 1
    for found in (member.assignment, member.target_assignment):
        assert [(t.topic_name, t.partitions) for t in found.topic_partitions] == [("t", list(range(6)))]


def test_partitions_that_are_being_given_up_still_belong_to_the_member(world: ModernWorld) -> None:
    world.join("a", "t")
    world.join("b", "t")
    world.beat("a", 2)
    members = {member.member_id: member for member in world.describe().members}
    assert len(members["a"].assignment.topic_partitions[0].partitions) == 6
    assert len(members["a"].target_assignment.topic_partitions[0].partitions) == 3
    assert members["b"].assignment.topic_partitions == []


def test_what_is_no_consumer_group_is_not_found(world: ModernWorld) -> None:
    assert world.describe("none").error_code == ErrorCode.GROUP_ID_NOT_FOUND
    world.machine.simple_group("simple", world.now_ms)
    found = world.describe("simple")
    assert found.error_code == ErrorCode.GROUP_ID_NOT_FOUND
    assert found.error_message == "Group simple is not a consumer group."
