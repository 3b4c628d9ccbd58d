"""How a classic group gets from one generation to the next, and the timers that drive it.

Gather the members (PREPARING_REBALANCE), hand out the generation, wait for the leader's assignment
(COMPLETING_REBALANCE). Who does not join, does not sync or falls silent in time is expelled.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from riverlog.base import broker_configs_groups as configs
from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import Decision, Reply
from riverlog.coordinator.group import classic_answers as answers
from riverlog.coordinator.group.classic_group import NO_ASSIGNMENT, ClassicGroup, ClassicMember, State

if TYPE_CHECKING:
    from riverlog.coordinator.group.machine import GroupMachine

logger = logging.getLogger("riverlog.coordinator.group")

NEW_MEMBER_JOIN_TIMEOUT_MS = 5 * 60 * 1000
"""Of a new member that waits for its first generation: it cannot send heartbeats, and its connection may be
gone without our knowing."""


class Rebalances:
    """What moves the groups of one shard on. Changes nothing durable; adds to the decision it is given."""

    def __init__(self, machine: GroupMachine, find: Callable[[str], ClassicGroup | None]) -> None:
        self._machine = machine
        self._find = find
        self._initial_delay_ms = max(0, machine.config[configs.GROUP_INITIAL_REBALANCE_DELAY_MS])

    def begin(self, group: ClassicGroup, now_ms: int, out: Decision, reason: str) -> None:
        """Begin to gather the members; where that is under way, look whether all are there now."""
        if group.can_rebalance:
            self.prepare(group, now_ms, out, reason)
        elif group.previous_state is not State.EMPTY:
            # The first generation of a group waits for its timer, whoever is there.
            self._complete_if_all_joined(group, now_ms, out)

    def prepare(self, group: ClassicGroup, now_ms: int, out: Decision, reason: str) -> None:
        if group.state is State.COMPLETING_REBALANCE:
            self.cancel_sync(group, ErrorCode.REBALANCE_IN_PROGRESS, out)
        group.pending_sync.clear()
        self._machine.cancel(_sync_timer(group.group_id))
        initial = group.state is State.EMPTY
        logger.info("group %r: rebalance of generation %d: %s", group.group_id, group.generation, reason)
        group.transition(State.PREPARING_REBALANCE, now_ms)
        if initial:
            delay_ms = self._initial_delay_ms
            left_ms = max(group.rebalance_timeout_ms - delay_ms, 0)
            self._schedule_initial(group.group_id, delay_ms, left_ms)
        elif group.all_joined:
            self._complete_join(group, now_ms, out)
        else:
            self._schedule_join(group)

    # -- gathering -----------------------------------------------------------------------

    def _complete_if_all_joined(self, group: ClassicGroup, now_ms: int, out: Decision) -> None:
        if group.state is State.PREPARING_REBALANCE and group.all_joined:
            self._complete_join(group, now_ms, out)

    def _complete_join(self, group: ClassicGroup, now_ms: int, out: Decision) -> None:
        """Go on with those who joined; static members keep their place."""
        self._machine.cancel(_join_timer(group.group_id))
        self._drop_missing(group)
        if not group.members:
            logger.info("group %r is empty", group.group_id)
            out.records.append(answers.record(group.group_id, group.emptied_record(now_ms)))
        elif not group.elect_joined_leader():
            # Static members only, none of which joined: wait until their sessions are over.
            self._schedule_join(group)
        else:
            self._begin_generation(group, now_ms, out)

    def _drop_missing(self, group: ClassicGroup) -> None:
        if group.awaiting_join == len(group.members):
            return
        missing = [
            member.member_id
            for member in group.members.values()
            if member.join_reply is None and member.instance_id is None
        ]
        for member_id in missing:
            group.remove(member_id)
            self.forget_session(group, member_id)
        if missing:
            logger.info("group %r: %d members did not join again", group.group_id, len(missing))

    def _begin_generation(self, group: ClassicGroup, now_ms: int, out: Decision) -> None:
        group.begin_generation(now_ms)
        logger.info(
            "group %r: generation %d has %d members", group.group_id, group.generation, len(group.members)
        )
        for member in group.members.values():
            reply = group.take_join_reply(member)
            if reply is not None:
                out.replies.append(Reply(reply, answers.joined(group, member)))
            self.expect(group, member)
            member.is_new = False
        self._machine.schedule(
            _sync_timer(group.group_id),
            group.rebalance_timeout_ms,
            partial(self._sync_expired, group.group_id, group.generation),
        )

    def resume(self, group: ClassicGroup) -> None:
        """The timers that a group in its state has, all anew."""
        for member in group.members.values():
            self.expect(group, member)
        if group.state is State.PREPARING_REBALANCE:
            self._schedule_join(group)

    def _schedule_join(self, group: ClassicGroup) -> None:
        self._machine.schedule(
            _join_timer(group.group_id),
            group.rebalance_timeout_ms,
            partial(self._join_expired, group.group_id),
        )

    def _join_expired(self, group_id: str, machine: GroupMachine, now_ms: int) -> Decision:
        out = Decision()
        group = self._find(group_id)
        if group is not None and group.state is State.PREPARING_REBALANCE:
            self._complete_join(group, now_ms, out)
        return out

    def _schedule_initial(self, group_id: str, delay_ms: int, left_ms: int) -> None:
        self._machine.schedule(
            _join_timer(group_id), delay_ms, partial(self._initial_expired, group_id, delay_ms, left_ms)
        )

    def _initial_expired(
        self, group_id: str, delay_ms: int, left_ms: int, machine: GroupMachine, now_ms: int
    ) -> Decision:
        """KIP-134: wait on as long as members keep coming, up to the rebalance time-out."""
        out = Decision()
        group = self._find(group_id)
        if group is None or group.state is not State.PREPARING_REBALANCE:
            return out
        if group.new_member_added and left_ms:
            group.new_member_added = False
            next_ms = min(self._initial_delay_ms, left_ms)
            self._schedule_initial(group_id, next_ms, max(left_ms - delay_ms, 0))
        else:
            self._complete_join(group, now_ms, out)
        return out

    # -- assigning -----------------------------------------------------------------------

    def synced(self, group: ClassicGroup, member_id: str) -> None:
        """A member asked for its assignment."""
        group.pending_sync.pop(member_id, None)
        if not group.pending_sync:
            self._machine.cancel(_sync_timer(group.group_id))

    def assign(self, group: ClassicGroup, assignments: dict[str, bytes], out: Decision) -> None:
        """Write the generation, which is stable once ``replay`` saw it; answer those who wait."""
        self.write(group, assignments, out)
        for member in group.members.values():
            if member.sync_reply is not None:
                assignment = assignments.get(member.member_id, NO_ASSIGNMENT)
                out.replies.append(Reply(member.sync_reply, answers.synced(group, assignment)))
                member.sync_reply = None
                self.expect(group, member)

    def write(self, group: ClassicGroup, assignments: dict[str, bytes], out: Decision) -> None:
        out.records.append(answers.record(group.group_id, group.record(assignments)))
        out.on_refused = partial(self._not_written, group.group_id, group.generation)

    def _not_written(self, group_id: str, generation: int, error: ErrorCode) -> None:
        """Too large for the log: the members were told, and start over."""
        logger.warning("group %r: generation %d was not written: %s", group_id, generation, error.name)
        self._machine.schedule(_sync_timer(group_id), 0, partial(self._start_over, group_id, generation))

    def _start_over(self, group_id: str, generation: int, machine: GroupMachine, now_ms: int) -> Decision:
        out = Decision()
        group = self._find(group_id)
        if group is not None and group.generation == generation and group.can_rebalance:
            self.prepare(group, now_ms, out, "it could not be written")
        return out

    def cancel_sync(self, group: ClassicGroup, error: ErrorCode, out: Decision) -> None:
        """Whoever waits for its assignment must join again."""
        for member in group.members.values():
            member.assignment = NO_ASSIGNMENT
            if member.sync_reply is not None:
                answers.sync_error(out, member.sync_reply, error)
                member.sync_reply = None
                self.expect(group, member)

    def _sync_expired(self, group_id: str, generation: int, machine: GroupMachine, now_ms: int) -> Decision:
        """Who did not ask for its assignment in time is expelled."""
        out = Decision()
        group = self._find(group_id)
        waiting = (State.COMPLETING_REBALANCE, State.STABLE)
        if group is None or group.generation != generation or group.state not in waiting:
            return out
        late = list(group.pending_sync)
        for member_id in late:
            group.remove(member_id)
            self.forget_session(group, member_id)
        if late:
            self.prepare(group, now_ms, out, f"{len(late)} members did not sync")
        return out

    # -- sessions ------------------------------------------------------------------------

    def expect(self, group: ClassicGroup, member: ClassicMember) -> None:
        """A sign of life: the session begins anew."""
        self.expect_within(group, member.member_id, member.session_timeout_ms)

    def expect_within(self, group: ClassicGroup, member_id: str, delay_ms: int) -> None:
        group_id = group.group_id
        self._machine.schedule(
            _session_timer(group_id, member_id), delay_ms, partial(self._session_over, group_id, member_id)
        )

    def forget_session(self, group: ClassicGroup, member_id: str) -> None:
        self._machine.cancel(_session_timer(group.group_id, member_id))

    def forget_timers(self, group: ClassicGroup) -> None:
        """Those of the group itself."""
        self._machine.cancel(_join_timer(group.group_id))
        self._machine.cancel(_sync_timer(group.group_id))

    def _session_over(self, group_id: str, member_id: str, machine: GroupMachine, now_ms: int) -> Decision:
        out = Decision()
        group = self._find(group_id)
        if group is None:
            return out
        member = group.members.get(member_id)
        if member is None:
            if member_id in group.pending:
                del group.pending[member_id]
                self._complete_if_all_joined(group, now_ms, out)
        elif not member.satisfies_heartbeat:
            logger.info("group %r: the session of %r is over", group_id, member_id)
            self.expel(group, member, out)
            if group.state is State.PREPARING_REBALANCE:
                self._complete_if_all_joined(group, now_ms, out)
            else:
                self.prepare(group, now_ms, out, f"{member_id!r} is gone")
        return out

    def expel(self, group: ClassicGroup, member: ClassicMember, out: Decision) -> None:
        """A live client whose request waits will join again."""
        self.forget_session(group, member.member_id)
        parked = group.take_join_reply(member)
        if parked is not None:
            answers.join_error(out, parked, ErrorCode.UNKNOWN_MEMBER_ID)
        if member.sync_reply is not None:
            answers.sync_error(out, member.sync_reply, ErrorCode.UNKNOWN_MEMBER_ID)
            member.sync_reply = None
        group.remove(member.member_id)


def _session_timer(group_id: str, member_id: str) -> str:
    # The length keeps apart what ids with any character in them could mix up.
    return f"classic-session-{len(group_id)}-{group_id}-{member_id}"


def _join_timer(group_id: str) -> str:
    return f"classic-join-{group_id}"


def _sync_timer(group_id: str) -> str:
    return f"classic-sync-{group_id}"
