"""Classic groups: members agree among themselves, the coordinator counts heads and passes notes.

Kafka 4.3's behaviour, request by request (KIP-62 rebalance time-out, KIP-134 initial delay, KIP-345
static members, KIP-389 size limit, KIP-394 MEMBER_ID_REQUIRED, KIP-814 skip assignment). A JoinGroup or
SyncGroup that must wait is parked in its member and answered in the decision of a later event.

Differs from Kafka: a parked request that a newer one of the same member replaces, or whose member is
removed, is answered instead of forgotten.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from riverlog.base import broker_configs_groups as configs
from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import Decision, Reply
from riverlog.coordinator.group import classic_answers as answers
from riverlog.coordinator.group.classic_answers import UNKNOWN_MEMBER
from riverlog.coordinator.group.classic_group import (
    Answer,
    Caller,
    ClassicGroup,
    ClassicMember,
    Protocols,
    State,
)
from riverlog.coordinator.group.classic_rebalance import NEW_MEMBER_JOIN_TIMEOUT_MS, Rebalances
from riverlog.protocol.generated.heartbeat_request import HeartbeatRequest
from riverlog.protocol.generated.heartbeat_response import HeartbeatResponse
from riverlog.protocol.generated.join_group_request import JoinGroupRequest
from riverlog.protocol.generated.join_group_response import JoinGroupResponse
from riverlog.protocol.generated.leave_group_request import LeaveGroupRequest, MemberIdentity
from riverlog.protocol.generated.leave_group_response import LeaveGroupResponse, MemberResponse
from riverlog.protocol.generated.sync_group_request import SyncGroupRequest
from riverlog.protocol.generated.sync_group_response import SyncGroupResponse

if TYPE_CHECKING:
    from riverlog.coordinator.group.machine import GroupMachine

_MEMBER_ID_REQUIRED_FROM = 4
_SKIP_ASSIGNMENT_FROM = 9
_ID_PREFIX_MAX = 1000
"""Characters of a client's name in its member id, which the others of its group are told."""

Bridge = Callable[[Any, Caller, int, Answer], Decision]


class _Join(NamedTuple):
    """A JoinGroup and what is needed to deal with it."""

    request: JoinGroupRequest
    protocols: Protocols
    caller: Caller
    now_ms: int
    reply: Answer
    out: Decision

    def refuse(self, error: ErrorCode, member_id: str = UNKNOWN_MEMBER) -> None:
        answers.join_error(self.out, self.reply, error, member_id)


class ClassicGroups:
    """The classic groups of one shard."""

    def __init__(self, machine: GroupMachine) -> None:
        self._machine = machine
        self._size_max = machine.config[configs.GROUP_MAX_SIZE]
        self._rebalances = Rebalances(machine, self._find)
        self._active = False
        self._born: dict[str, ClassicGroup] = {}
        """Groups whose first record is being written: ``replay`` makes them known."""

    def _find(self, group_id: str) -> ClassicGroup | None:
        group = self._machine.groups.get(group_id)
        return group if isinstance(group, ClassicGroup) else self._born.get(group_id)

    # -- the log -------------------------------------------------------------------------

    def new_group(self, group_id: str, now_ms: int = -1) -> ClassicGroup:
        return ClassicGroup(group_id, now_ms)

    def replay(self, offset: int, timestamp_ms: int, key: Any, value: Any) -> None:
        """A GroupMetadata record. While the shard is active, it was decided on the group in memory."""
        group_id: str = key.group
        groups = self._machine.groups
        group = groups.get(group_id)
        if value is None:
            if isinstance(group, ClassicGroup):
                self._machine.remove(group_id)
                group.transition(State.DEAD, timestamp_ms)
        elif self._active and isinstance(group, ClassicGroup):
            group.written(value, timestamp_ms)
        elif group_id in self._born:
            groups[group_id] = self._born.pop(group_id)
        else:
            groups[group_id] = ClassicGroup.loaded(group_id, value)

    def loaded(self, now_ms: int) -> None:
        """Every member has a whole session from now on."""
        self._active = True
        for group in self._machine.groups.values():
            if not isinstance(group, ClassicGroup):
                continue
            for member in group.members.values():
                self._rebalances.expect(group, member)
            if len(group.members) > self._size_max:
                # The limit was lowered: whoever joins first stays.
                self._rebalances.prepare(group, now_ms, Decision(), "over the size limit")

    def refused(self, group_id: str, error: ErrorCode) -> None:
        """Not written: a group that was to be is not, one that was to go stays, with its sessions."""
        born = self._born.pop(group_id, None)
        if born is not None:
            for member in born.members.values():
                self._rebalances.forget_session(born, member.member_id)
            for member_id in born.pending:
                self._rebalances.forget_session(born, member_id)
            self._rebalances.forget_timers(born)
            _dismiss(born, error)
        group = self._machine.groups.get(group_id)
        if isinstance(group, ClassicGroup):
            self._rebalances.resume(group)

    def unloaded(self, error: ErrorCode) -> None:
        self._active = False
        for group in (*self._machine.groups.values(), *self._born.values()):
            if isinstance(group, ClassicGroup):
                _dismiss(group, error)
        self._born.clear()

    # -- JoinGroup -----------------------------------------------------------------------

    def join(self, request: JoinGroupRequest, caller: Caller, now_ms: int, reply: Answer) -> Decision:
        """Who asks without an id gets one; all others must be known."""
        known = self._machine.groups.get(request.group_id)
        join = _Join(request, answers.protocols_of(request), caller, now_ms, reply, Decision())
        if known is not None and known.kind != "classic" and not known.is_empty:
            bridge = self._bridge("classic_join")
            if bridge is not None:
                return bridge(request, caller, now_ms, reply)
            join.refuse(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
            return join.out
        group = self._find(request.group_id)
        if group is None:
            if request.member_id != UNKNOWN_MEMBER:
                join.refuse(ErrorCode.UNKNOWN_MEMBER_ID, request.member_id)
                return join.out
            group = self._born[request.group_id] = self.new_group(request.group_id, now_ms)
        if not self._has_room(group, request.member_id):
            group.remove(request.member_id)
            self._rebalances.forget_session(group, request.member_id)
            join.refuse(ErrorCode.GROUP_MAX_SIZE_REACHED)
        elif request.member_id == UNKNOWN_MEMBER:
            self._join_new(group, join)
        else:
            self._join_known(group, join)
        if request.group_id in self._born:
            if known is not None:  # an empty group of the new protocol becomes a classic one
                join.out.records += known.tombstones()
            join.out.records.append(answers.record(group.group_id, group.birth_record()))
        return join.out

    def _has_room(self, group: ClassicGroup, member_id: str) -> bool:
        """While a rebalance gathers members, those who wait are counted, not those who were there: the
        limit may have been lowered."""
        limit = self._size_max
        if group.state is State.EMPTY:
            return True
        member = group.members.get(member_id)
        if group.state is State.PREPARING_REBALANCE:
            return (member is not None and member.join_reply is not None) or group.awaiting_join < limit
        return member is not None or len(group.members) < limit

    def _join_new(self, group: ClassicGroup, join: _Join) -> None:
        if not group.supports(join.request.protocol_type, [name for name, _ in join.protocols]):
            join.refuse(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
            return
        instance_id = join.request.group_instance_id
        prefix = join.caller.client_id if instance_id is None else instance_id
        member_id = f"{prefix[:_ID_PREFIX_MAX]}-{answers.uuid4(self._machine.rng.random_bytes(16))}"
        if instance_id is not None and instance_id in group.static_members:
            self._replace_static(group, join, group.static_members[instance_id], member_id)
        elif instance_id is None and join.caller.api_version >= _MEMBER_ID_REQUIRED_FROM:
            group.pending[member_id] = None
            self._rebalances.expect_within(group, member_id, join.request.session_timeout_ms)
            join.refuse(ErrorCode.MEMBER_ID_REQUIRED, member_id)
        else:
            self._add(group, join, member_id)

    def _join_known(self, group: ClassicGroup, join: _Join) -> None:
        request = join.request
        member_id = request.member_id
        if not group.supports(request.protocol_type, [name for name, _ in join.protocols]):
            join.refuse(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, member_id)
            return
        if member_id in group.pending:
            if request.group_instance_id is not None:
                # The id was given to a dynamic member: Kafka trips over this, and answers so.
                join.refuse(ErrorCode.UNKNOWN_SERVER_ERROR)
            else:
                self._add(group, join, member_id)
            return
        error = group.check_member(member_id, request.group_instance_id)
        if error:
            join.refuse(error, member_id)
            return
        member = group.members[member_id]
        # A member that missed the answer to its JoinGroup gets it again. In a stable group that is so for
        # all but the leader: it joins to force a rebalance.
        settled = group.state is State.COMPLETING_REBALANCE or (
            group.state is State.STABLE and member_id != group.leader
        )
        if settled and member.protocols == join.protocols:
            join.out.replies.append(Reply(join.reply, answers.joined(group, member)))
        else:
            self._update(group, member, join)
            self._rebalances.begin(group, join.now_ms, join.out, f"{member_id!r} joins again")

    def _add(self, group: ClassicGroup, join: _Join, member_id: str) -> None:
        """A new member, then a rebalance."""
        request = join.request
        member = ClassicMember(
            member_id,
            request.group_instance_id,
            client_id=join.caller.client_id,
            client_host=join.caller.client_host,
            rebalance_timeout_ms=request.rebalance_timeout_ms,
            session_timeout_ms=request.session_timeout_ms,
            protocols=join.protocols,
        )
        member.is_new = True
        if group.state is State.PREPARING_REBALANCE and group.previous_state is State.EMPTY:
            group.new_member_added = True
        if not group.members:
            group.protocol_type = request.protocol_type
        group.add(member, join.reply)
        self._rebalances.expect_within(group, member_id, NEW_MEMBER_JOIN_TIMEOUT_MS)
        self._rebalances.begin(group, join.now_ms, join.out, f"{member_id!r} joins")

    def _update(self, group: ClassicGroup, member: ClassicMember, join: _Join) -> None:
        superseded = group.take_join_reply(member)
        if superseded is not None:
            error = ErrorCode.REBALANCE_IN_PROGRESS
            answers.join_error(join.out, superseded, error, member.member_id)
        group.update(
            member,
            join.protocols,
            rebalance_timeout_ms=join.request.rebalance_timeout_ms,
            session_timeout_ms=join.request.session_timeout_ms,
            reply=join.reply,
        )

    def _replace_static(self, group: ClassicGroup, join: _Join, old_id: str, member_id: str) -> None:
        """A static member is back: its old self is fenced; if nothing changes for the others, they are
        not bothered (KIP-345)."""
        old_leader = group.leader
        member = group.members[old_id]
        _fence(group, member, join.out)
        self._rebalances.forget_session(group, old_id)
        group.replace_static(member, member_id)
        member.is_new = False
        self._rebalances.expect(group, member)
        self._update(group, member, join)
        if group.state is State.STABLE and group.select_protocol() == group.protocol_name:
            group.take_join_reply(member)
            answer = answers.joined(group, member)
            if join.caller.api_version >= _SKIP_ASSIGNMENT_FROM:
                answer.skip_assignment = member_id == group.leader
            else:
                # It would assign anew if it knew that it leads: it is told the id of before.
                answer.leader = old_leader or ""
                answer.members = []
            assignments = {other.member_id: other.assignment for other in group.members.values()}
            self._rebalances.write(group, assignments, join.out)
            join.out.replies.append(Reply(join.reply, answer))
        else:
            # A leader that assigns right now knows the old id: that generation must not become stable.
            reason = f"static member {join.request.group_instance_id!r} is back"
            self._rebalances.begin(group, join.now_ms, join.out, reason)

    # -- SyncGroup -----------------------------------------------------------------------

    def sync(self, request: SyncGroupRequest, caller: Caller, now_ms: int, reply: Answer) -> Decision:
        """Members wait for the leader's assignment; the leader's is written, then all are answered."""
        out = Decision()
        group = self._machine.groups.get(request.group_id)
        if group is None or group.is_empty:
            answers.sync_error(out, reply, ErrorCode.UNKNOWN_MEMBER_ID)
            return out
        if not isinstance(group, ClassicGroup):
            bridge = self._bridge("classic_sync")
            if bridge is not None:
                return bridge(request, caller, now_ms, reply)
            answers.sync_error(out, reply, ErrorCode.UNKNOWN_MEMBER_ID)
            return out
        error = answers.check_sync(group, request)
        if error:
            answers.sync_error(out, reply, error)
            return out
        member = group.members[request.member_id]
        self._rebalances.synced(group, request.member_id)
        if group.state is State.STABLE:
            out.replies.append(Reply(reply, answers.synced(group, member.assignment)))
            return out
        if member.sync_reply is not None:
            answers.sync_error(out, member.sync_reply, ErrorCode.REBALANCE_IN_PROGRESS)
        member.sync_reply = reply
        if request.member_id == group.leader:
            assignments = {row.member_id: row.assignment for row in request.assignments}
            self._rebalances.assign(group, assignments, out)
        return out

    # -- Heartbeat -----------------------------------------------------------------------

    def heartbeat(self, request: HeartbeatRequest, caller: Caller, now_ms: int, reply: Answer) -> Decision:
        group = self._machine.groups.get(request.group_id)
        if isinstance(group, ClassicGroup):
            error = self._beat(group, request)
        else:
            bridge = None if group is None else self._bridge("classic_heartbeat")
            if bridge is not None:
                return bridge(request, caller, now_ms, reply)
            error = ErrorCode.UNKNOWN_MEMBER_ID
        return Decision(replies=[Reply(reply, HeartbeatResponse(error_code=error))])

    def _beat(self, group: ClassicGroup, request: HeartbeatRequest) -> ErrorCode:
        error = group.check_member(request.member_id, request.group_instance_id)
        if error:
            return error
        if request.generation_id != group.generation:
            return ErrorCode.ILLEGAL_GENERATION
        self._rebalances.expect(group, group.members[request.member_id])
        rebalancing = group.state is State.PREPARING_REBALANCE
        return ErrorCode.REBALANCE_IN_PROGRESS if rebalancing else ErrorCode.NONE

    def extend_session(self, group: ClassicGroup, member_id: str) -> None:
        """A commit says that the member lives."""
        member = group.members.get(member_id)
        if member is not None and group.state in (State.STABLE, State.PREPARING_REBALANCE):
            self._rebalances.expect(group, member)

    # -- LeaveGroup ----------------------------------------------------------------------

    def leave(self, request: LeaveGroupRequest, caller: Caller, now_ms: int, reply: Answer) -> Decision:
        """Several at once; ``request.members`` holds the one of old versions too."""
        out = Decision()
        group = self._machine.groups.get(request.group_id)
        if group is not None and not isinstance(group, ClassicGroup):
            bridge = self._bridge("classic_leave")
            if bridge is not None:
                return bridge(request, caller, now_ms, reply)
            group = None
        rows = []
        someone_left = False
        for who in request.members:
            error = ErrorCode.UNKNOWN_MEMBER_ID if group is None else self._leave_one(group, who, out)
            someone_left |= not error
            rows.append(
                MemberResponse(
                    member_id=who.member_id, group_instance_id=who.group_instance_id, error_code=error
                )
            )
        if group is not None and someone_left and group.state is not State.EMPTY:
            self._rebalances.begin(group, now_ms, out, "members left")
        out.replies.append(Reply(reply, LeaveGroupResponse(members=rows)))
        return out

    def _leave_one(self, group: ClassicGroup, who: MemberIdentity, out: Decision) -> ErrorCode:
        member_id = who.member_id
        if member_id in group.pending:
            del group.pending[member_id]
            self._rebalances.forget_session(group, member_id)
            return ErrorCode.NONE
        if member_id == UNKNOWN_MEMBER:
            # An administrator removes a static member by its instance id.
            known = None if who.group_instance_id is None else group.static_members.get(who.group_instance_id)
            if known is None:
                return ErrorCode.UNKNOWN_MEMBER_ID
            member_id = known
        else:
            error = group.check_member(member_id, who.group_instance_id)
            if error:
                return error
        self._rebalances.expel(group, group.members[member_id], out)
        return ErrorCode.NONE

    # -- to and from the consumer protocol -----------------------------------------------

    def _bridge(self, name: str) -> Bridge | None:
        """How a group of the consumer protocol serves a classic member (KIP-848), if it can."""
        bridge: Bridge | None = getattr(self._machine.modern, name, None)
        return bridge

    def surrender(self, group: ClassicGroup, out: Decision) -> None:
        """The group becomes one of the consumer protocol: whoever waits joins again, this time there. Its
        tombstone is the caller's to write."""
        for member in group.members.values():
            self._rebalances.forget_session(group, member.member_id)
            parked = group.take_join_reply(member)
            if parked is not None:
                answers.join_error(out, parked, ErrorCode.REBALANCE_IN_PROGRESS, member.member_id)
            if member.sync_reply is not None:
                answers.sync_error(out, member.sync_reply, ErrorCode.REBALANCE_IN_PROGRESS)
                member.sync_reply = None
        self._rebalances.forget_timers(group)

    def adopt(self, group: ClassicGroup, now_ms: int, out: Decision, *, rebalance: bool) -> None:
        """A group of the consumer protocol becomes this one, stable, after its tombstones in ``out``."""
        self._born[group.group_id] = group
        assignments = {member.member_id: member.assignment for member in group.members.values()}
        out.records.append(answers.record(group.group_id, group.record(assignments)))
        for member in group.members.values():
            self._rebalances.expect(group, member)
        if rebalance:
            self._rebalances.prepare(group, now_ms, out, "it left the consumer protocol")

    def validate(self) -> None:
        """Run after each event under simulation."""
        assert not self._born, "a group's first record was not replayed"
        for group in self._machine.groups.values():
            if isinstance(group, ClassicGroup):
                group.validate()


def _dismiss(group: ClassicGroup, error: ErrorCode) -> None:
    """The group is no more: whoever waits is told."""
    for member in group.members.values():
        parked = group.take_join_reply(member)
        if parked is not None:
            parked(JoinGroupResponse(member_id=member.member_id, error_code=error))
        if member.sync_reply is not None:
            member.sync_reply(SyncGroupResponse(error_code=error))
            member.sync_reply = None
    group.transition(State.DEAD, group.state_timestamp_ms)


def _fence(group: ClassicGroup, member: ClassicMember, out: Decision) -> None:
    """The requests of a static member's old self."""
    parked = group.take_join_reply(member)
    if parked is not None:
        answers.join_error(out, parked, ErrorCode.FENCED_INSTANCE_ID, member.member_id)
    if member.sync_reply is not None:
        answers.sync_error(out, member.sync_reply, ErrorCode.FENCED_INSTANCE_ID)
        member.sync_reply = None
