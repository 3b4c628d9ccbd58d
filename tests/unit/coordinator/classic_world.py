"""Classic groups of one shard, without host, log or sockets: a clock that is moved by hand.

Every decision is applied as the host applies it (encode, replay, reply), and checked with ``validate``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from riverlog.base.config import BrokerConfig
from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord, Decision, decode_record
from riverlog.coordinator.group.base import Group
from riverlog.coordinator.group.classic import ClassicGroups
from riverlog.coordinator.group.classic_group import Caller, ClassicGroup
from riverlog.protocol.generated.heartbeat_request import HeartbeatRequest
from riverlog.protocol.generated.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from riverlog.protocol.generated.leave_group_request import LeaveGroupRequest, MemberIdentity
from riverlog.protocol.generated.sync_group_request import SyncGroupRequest, SyncGroupRequestAssignment
from riverlog.sim.rng import SimRng

START_MS = 1_700_000_000_000
SESSION_MS = 10_000
REBALANCE_MS = 60_000


class Box:
    """Where the answer to one request arrives."""

    def __init__(self) -> None:
        self.response: Any = None

    def __call__(self, response: Any) -> None:
        assert self.response is None, "answered twice"
        assert response is not None
        self.response = response

    @property
    def waits(self) -> bool:
        return self.response is None

    @property
    def error(self) -> int:
        assert self.response is not None, "still waiting"
        error: int = self.response.error_code
        return error

    @property
    def member_id(self) -> str:
        member_id: str = self.response.member_id
        return member_id


class Machine:
    """What ``ClassicGroups`` needs of a ``GroupMachine``."""

    def __init__(self, world: ClassicWorld) -> None:
        self.config = BrokerConfig(world.static)
        self.rng = world.rng
        self.groups: dict[str, Group] = {}
        self.modern: Any = None
        self.schedule = world.schedule
        self.cancel = world.cancel
        self.classic = ClassicGroups(self)  # type: ignore[arg-type]

    def remove(self, group_id: str) -> None:
        self.groups.pop(group_id, None)


class ClassicWorld:
    """One shard."""

    def __init__(self, *, max_message_bytes: int = 1 << 20, **static: str) -> None:
        self.static = {"group.initial.rebalance.delay.ms": "0"}
        self.static.update({name.replace("_", "."): value for name, value in static.items()})
        self.max_message_bytes = max_message_bytes
        self.now_ms = START_MS
        self.rng = SimRng(7)
        self.timers: dict[str, tuple[int, Callable[..., Decision]]] = {}
        self.log: list[CoordinatorRecord] = []
        self.checks = True
        self.machine = Machine(self)
        self.classic.loaded(self.now_ms)

    @property
    def classic(self) -> ClassicGroups:
        return self.machine.classic

    def group(self, group_id: str = "g") -> ClassicGroup:
        group = self.machine.groups[group_id]
        assert isinstance(group, ClassicGroup)
        return group

    def state(self, group_id: str = "g") -> str:
        return self.group(group_id).state_name

    # -- time ----------------------------------------------------------------------------

    def schedule(self, name: str, delay_ms: int, decide: Callable[..., Decision]) -> None:
        self.timers[name] = (self.now_ms + max(0, delay_ms), decide)

    def cancel(self, name: str) -> None:
        self.timers.pop(name, None)

    def run(self, delay_ms: int = 0) -> None:
        """Let time pass and what is due happen."""
        until = self.now_ms + delay_ms
        while self.timers:
            name = min(self.timers, key=lambda name: self.timers[name][0])
            due_ms, decide = self.timers[name]
            if due_ms > until:
                break
            del self.timers[name]
            self.now_ms = max(self.now_ms, due_ms)
            self.apply(decide(self.machine, self.now_ms))
        self.now_ms = until

    # -- the host's part -----------------------------------------------------------------

    def apply(self, decision: Decision) -> Decision:
        if any(len(record.encode()[1] or b"") > self.max_message_bytes for record in decision.records):
            for reply in decision.replies:
                reply.fail(ErrorCode.UNKNOWN_SERVER_ERROR)
            assert decision.on_refused is not None
            decision.on_refused(ErrorCode.UNKNOWN_SERVER_ERROR)
            return decision
        for record in decision.records:
            self.log.append(record)
            self.machine.classic.replay(len(self.log) - 1, self.now_ms, record.key, record.value)
        for reply in decision.replies:
            reply.send()
        if self.checks:
            self.classic.validate()
        return decision

    def reload(self) -> None:
        """A new life from the bytes of the log."""
        encoded = [record.encode() for record in self.log]
        self.timers.clear()
        self.machine = Machine(self)
        for offset, (key, value) in enumerate(encoded):
            self.classic.replay(offset, self.now_ms, *decode_record("group", key, value))
        self.classic.loaded(self.now_ms)
        self.classic.validate()

    # -- requests ------------------------------------------------------------------------

    def join(
        self,
        member_id: str = "",
        *,
        group_id: str = "g",
        instance_id: str | None = None,
        protocols: str | dict[str, bytes] | list[tuple[str, bytes]] = "range",
        protocol_type: str = "consumer",
        version: int = 9,
        session_ms: int = SESSION_MS,
        rebalance_ms: int = REBALANCE_MS,
    ) -> Box:
        if isinstance(protocols, str):
            protocols = {name: name.encode() for name in protocols.split()}
        pairs = list(protocols.items()) if isinstance(protocols, dict) else protocols
        request = JoinGroupRequest(
            group_id=group_id,
            session_timeout_ms=session_ms,
            rebalance_timeout_ms=rebalance_ms,
            member_id=member_id,
            group_instance_id=instance_id,
            protocol_type=protocol_type,
            protocols=[JoinGroupRequestProtocol(name=n, metadata=m) for n, m in pairs],
        )
        box = Box()
        caller = Caller("client", "/10.0.0.1", version)
        self.apply(self.classic.join(request, caller, self.now_ms, box))
        return box

    def enter(self, **how: Any) -> Box:
        """Both steps of a dynamic member of today's clients."""
        first = self.join(**how)
        assert first.error == 79, first.response
        return self.join(first.member_id, **how)

    def sync(
        self,
        member_id: str,
        generation: int,
        assignments: dict[str, bytes] | None = None,
        *,
        group_id: str = "g",
        instance_id: str | None = None,
        protocol_type: str | None = "consumer",
        protocol_name: str | None = "range",
    ) -> Box:
        request = SyncGroupRequest(
            group_id=group_id,
            generation_id=generation,
            member_id=member_id,
            group_instance_id=instance_id,
            protocol_type=protocol_type,
            protocol_name=protocol_name,
            assignments=[
                SyncGroupRequestAssignment(member_id=name, assignment=value)
                for name, value in (assignments or {}).items()
            ],
        )
        box = Box()
        self.apply(self.classic.sync(request, Caller("client", "/10.0.0.1", 5), self.now_ms, box))
        return box

    def beat(
        self, member_id: str, generation: int, *, group_id: str = "g", instance_id: str | None = None
    ) -> int:
        request = HeartbeatRequest(group_id, generation, member_id, instance_id)
        box = Box()
        self.apply(self.classic.heartbeat(request, Caller("client", "/10.0.0.1", 4), self.now_ms, box))
        return box.error

    def leave(self, *who: str | MemberIdentity, group_id: str = "g") -> list[int]:
        """Errors, member by member."""
        members = [MemberIdentity(member_id=one) if isinstance(one, str) else one for one in who]
        request = LeaveGroupRequest(group_id=group_id, members=members)
        box = Box()
        self.apply(self.classic.leave(request, Caller("client", "/10.0.0.1", 5), self.now_ms, box))
        assert box.error == 0
        return [row.error_code for row in box.response.members]

    # -- whole generations ---------------------------------------------------------------

    def stable(self, count: int, *, instance_ids: bool = False, **how: Any) -> list[str]:
        """A group of so many members in its first generation, each with its id as assignment; the leader
        comes first."""
        boxes = [
            self.join(instance_id=f"i{number}", **how) if instance_ids else self.enter(**how)
            for number in range(count)
        ]
        self.run()
        return self.settle(boxes)

    def settle(self, boxes: list[Box]) -> list[str]:
        """Members whose JoinGroup was answered fetch their assignments."""
        for box in boxes:
            assert box.error == 0, box.response
        generation = boxes[0].response.generation_id
        name = boxes[0].response.protocol_name
        leader = boxes[0].response.leader
        ids = [box.member_id for box in boxes]
        ids.sort(key=lambda member_id: member_id != leader)
        instance = {box.member_id: self._instance_of(box.member_id) for box in boxes}
        assignments = {member_id: member_id.encode() for member_id in ids}
        for member_id in ids[1:]:
            waiting = self.sync(member_id, generation, instance_id=instance[member_id], protocol_name=name)
            assert waiting.waits
        led = self.sync(ids[0], generation, assignments, instance_id=instance[ids[0]], protocol_name=name)
        assert led.error == 0
        assert self.state() == "Stable"
        return ids

    def _instance_of(self, member_id: str) -> str | None:
        return self.group().members[member_id].instance_id
