"""Classic groups beside those of the consumer protocol: one namespace, both ways."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from classic_world import Box, ClassicWorld

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord, Decision, Reply
from riverlog.coordinator.group.base import Group
from riverlog.coordinator.group.classic_group import ClassicGroup, ClassicMember, State
from riverlog.protocol.generated.consumer_group_metadata_key import ConsumerGroupMetadataKey
from riverlog.protocol.generated.heartbeat_response import HeartbeatResponse


class _Modern(Group):
    kind = "consumer"
    members = 1

    @property
    def is_empty(self) -> bool:
        return not self.members

    def tombstones(self) -> list[CoordinatorRecord]:
        return [CoordinatorRecord(ConsumerGroupMetadataKey(group_id=self.group_id), None)]


@pytest.fixture
def world() -> ClassicWorld:
    world = ClassicWorld()
    world.machine.groups["g"] = _Modern("g")
    return world


def test_a_group_that_serves_no_classic_members_refuses_them(world: ClassicWorld) -> None:
    assert world.join().error == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    assert world.join("who").error == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    assert world.sync("who", 1).error == ErrorCode.UNKNOWN_MEMBER_ID
    assert world.beat("who", 1) == ErrorCode.UNKNOWN_MEMBER_ID
    assert world.leave("who") == [ErrorCode.UNKNOWN_MEMBER_ID]
    assert isinstance(world.machine.groups["g"], _Modern)


def test_requests_of_classic_members_are_handed_over(world: ClassicWorld) -> None:
    asked: list[tuple[str, Any]] = []

    def bridge(name: str) -> Any:
        def serve(request: Any, caller: Any, now_ms: int, reply: Any) -> Decision:
            asked.append((name, request))
            return Decision(replies=[Reply(reply, HeartbeatResponse(error_code=0))])

        return serve

    names = ["classic_join", "classic_sync", "classic_heartbeat", "classic_leave"]
    world.machine.modern = SimpleNamespace(**{name: bridge(name) for name in names})
    world.join()
    world.sync("who", 1)
    world.beat("who", 1)
    box = Box()
    world.apply(world.classic.leave(SimpleNamespace(group_id="g"), None, 1, box))  # type: ignore[arg-type]
    assert [name for name, _ in asked] == names


def test_an_empty_group_of_the_consumer_protocol_becomes_classic(world: ClassicWorld) -> None:
    group = world.machine.groups["g"]
    assert isinstance(group, _Modern)
    group.members = 0
    assert world.join("who").error == ErrorCode.UNKNOWN_MEMBER_ID
    assert world.machine.groups["g"] is group
    decision = _decide_join(world)
    assert [type(record.key).__name__ for record in decision.records] == [
        "ConsumerGroupMetadataKey",
        "GroupMetadataKey",
    ]
    assert world.machine.groups["g"] is group, "replay alone makes the new group known"
    world.classic.replay(1, world.now_ms, decision.records[1].key, decision.records[1].value)
    assert world.state() == "Empty"
    assert len(world.group().pending) == 1


def _decide_join(world: ClassicWorld) -> Decision:
    """The decision of a first JoinGroup, not applied."""
    decided: list[Decision] = []
    apply, world.apply = world.apply, decided.append  # type: ignore[assignment, method-assign]
    world.join()
    world.apply = apply  # type: ignore[method-assign]
    return decided[0]


def test_a_surrendered_group_answers_all_who_wait() -> None:
    world = ClassicWorld()
    leader, follower = world.stable(2)
    waiting = world.join(leader)
    out = Decision()
    world.classic.surrender(world.group(), out)
    out.records += world.group().tombstones()
    world.apply(out)
    assert waiting.error == ErrorCode.REBALANCE_IN_PROGRESS
    assert world.machine.groups == {}
    assert world.timers == {}
    assert world.beat(follower, 1) == ErrorCode.UNKNOWN_MEMBER_ID


@pytest.mark.parametrize("rebalance", [False, True])
def test_an_adopted_group_is_written_and_known(world: ClassicWorld, *, rebalance: bool) -> None:
    group = ClassicGroup("g", world.now_ms)
    group.protocol_type = "consumer"
    group.generation = 7
    member = ClassicMember(
        "m",
        None,
        client_id="c",
        client_host="/h",
        rebalance_timeout_ms=60_000,
        session_timeout_ms=10_000,
        protocols=(("range", b"m"),),
        assignment=b"a",
    )
    group.add(member)
    group.protocol_name = "range"
    group.state = State.STABLE
    out = Decision()
    del world.machine.groups["g"]
    world.classic.adopt(group, world.now_ms, out, rebalance=rebalance)
    world.apply(out)
    assert world.group() is group
    assert world.beat("m", 7) == (ErrorCode.REBALANCE_IN_PROGRESS if rebalance else 0)
    world.reload()
    assert (world.group().generation, world.group().members["m"].assignment) == (7, b"a")
    assert world.state() == "Stable"
