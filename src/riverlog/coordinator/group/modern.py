"""Groups of the consumer protocol (KIP-848), Kafka 4.3's behaviour: the coordinator assigns, members follow.

A heartbeat does everything: join, change a subscription, say what is owned, leave. Each one brings the
member one step closer to its target (``modern_reconcile.py``); when members, subscriptions or topics
changed, the group's epoch grows and a new target is computed (``modern_target.py``).

Differs from Kafka: expressions are matched against the topics in the heartbeat that brings them, not in
the background, so that the first answer already has an assignment; and a wall clock that goes back does
not delay the next assignment (KIP-1263's interval).
"""

from __future__ import annotations

import logging
from base64 import urlsafe_b64encode
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord, Decision, Reply
from riverlog.coordinator.group import modern_records as records
from riverlog.coordinator.group import regex as regexes
from riverlog.coordinator.group.assignors import ASSIGNORS, Assignment
from riverlog.coordinator.group.classic_group import Caller, ClassicGroup
from riverlog.coordinator.group.modern_checks import (
    check_epoch,
    check_request,
    check_static,
    is_full,
    not_consumer,
    unknown_member,
    updated_member,
)
from riverlog.coordinator.group.modern_describe import described, not_found
from riverlog.coordinator.group.modern_group import ConsumerGroup, Subscriptions, count_change, preferred
from riverlog.coordinator.group.modern_member import (
    JOINING_EPOCH,
    STATIC_LEAVING_EPOCH,
    Member,
    MemberState,
    Refusal,
)
from riverlog.coordinator.group.modern_migration import upgrade
from riverlog.coordinator.group.modern_mixed import MixedGroups
from riverlog.coordinator.group.modern_reconcile import Goal, Owned, reconcile
from riverlog.coordinator.group.modern_replay import replay_record
from riverlog.coordinator.group.modern_settings import ConsumerSettings
from riverlog.coordinator.group.modern_target import compute_target, target_records
from riverlog.coordinator.group.modern_timers import MemberTimers
from riverlog.coordinator.group.modern_topics import KnownTopics, TopicHashes
from riverlog.coordinator.group.regex import Resolved
from riverlog.metadata.image import ClusterState
from riverlog.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest
from riverlog.protocol.generated.consumer_group_heartbeat_response import (
    Assignment as ResponseAssignment,
)
from riverlog.protocol.generated.consumer_group_heartbeat_response import (
    ConsumerGroupHeartbeatResponse,
    TopicPartitions,
)
from riverlog.protocol.generated.consumer_group_regular_expression_key import (
    ConsumerGroupRegularExpressionKey,
)
from riverlog.protocol.generated.heartbeat_request import HeartbeatRequest
from riverlog.protocol.generated.join_group_request import JoinGroupRequest
from riverlog.protocol.generated.leave_group_request import LeaveGroupRequest
from riverlog.protocol.generated.sync_group_request import SyncGroupRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverlog.coordinator.group.machine import GroupMachine

    Answer = Callable[[Any], None]

logger = logging.getLogger("riverlog.coordinator")

REGEX_REFRESH_MS_MIN = 10_000
"""Between two refreshes of a group's expressions, however many topics are created."""


class ConsumerGroups:
    """The groups of the consumer protocol of one shard."""

    def __init__(self, machine: GroupMachine) -> None:
        self._machine = machine
        self.settings = ConsumerSettings(machine.config, machine.image)
        self._hashes = TopicHashes()
        self._topics = KnownTopics()
        self._active = False
        self.timers = MemberTimers(machine, self.settings, self._fence_late)
        self._mixed = MixedGroups(machine, self)

    # -- the log -------------------------------------------------------------------------

    def replay(self, offset: int, timestamp_ms: int, key: Any, value: Any) -> None:
        replay_record(self._machine.groups, key, value)
        if self._active and value is not None and isinstance(key, ConsumerGroupRegularExpressionKey):
            group = self._machine.groups[key.group_id]
            assert isinstance(group, ConsumerGroup)
            group.matched[key.regular_expression] = self._topics.version

    def loaded(self, now_ms: int) -> None:
        """Every member has a whole session from now on."""
        self._active = True
        for group in self._machine.groups.values():
            if isinstance(group, ConsumerGroup):
                self._expect_all(group)

    def refused(self, group_id: str) -> None:
        """The group stays what it was, and its members' timers with it."""
        group = self._machine.groups.get(group_id)
        if isinstance(group, ConsumerGroup):
            self._expect_all(group)

    def _expect_all(self, group: ConsumerGroup) -> None:
        for member in group.members.values():
            self.timers.session(group.group_id, member)
            if member.state is MemberState.UNREVOKED_PARTITIONS:
                self.timers.revocation(group.group_id, member)
            else:
                self.timers.revoked(group.group_id, member.member_id)

    def unloaded(self, error: ErrorCode) -> None:
        """Nobody waits inside these groups."""

    # -- requests ------------------------------------------------------------------------

    def heartbeat(
        self, request: ConsumerGroupHeartbeatRequest, caller: Caller, now_ms: int, reply: Answer
    ) -> Decision:
        refusal = check_request(request, caller.api_version, self.settings.assignors)
        if refusal is not None:
            return _refused(refusal, reply)
        out = Decision()
        if request.member_epoch < JOINING_EPOCH:
            response = self._leave(request, now_ms, out)
        else:
            response = self._beat(request, caller, now_ms, out)
        if isinstance(response, Refusal):
            return _refused(response, reply)
        out.replies.append(Reply(reply, response))
        return out

    def describe(self, group_id: str, reply: Answer) -> Decision:
        group = self._machine.groups.get(group_id)
        if isinstance(group, ConsumerGroup):
            answer = described(group, self.settings.assignors[0], self._machine.image())
        else:
            what = f"Group {group_id} not found." if group is None else not_consumer(group_id)
            answer = not_found(group_id, what)
        return Decision(
            replies=[Reply(reply, answer, lambda error: not_found(group_id, None, error))],
        )

    # Of members of the classic protocol in these groups.

    def classic_join(self, request: JoinGroupRequest, caller: Caller, now_ms: int, reply: Answer) -> Decision:
        return self._mixed.join(request, caller, now_ms, reply)

    def classic_sync(self, request: SyncGroupRequest, caller: Caller, now_ms: int, reply: Answer) -> Decision:
        return self._mixed.sync(request, reply)

    def classic_heartbeat(
        self, request: HeartbeatRequest, caller: Caller, now_ms: int, reply: Answer
    ) -> Decision:
        return self._mixed.heartbeat(request, reply)

    def classic_leave(
        self, request: LeaveGroupRequest, caller: Caller, now_ms: int, reply: Answer
    ) -> Decision:
        return self._mixed.leave(request, now_ms, reply)

    # -- heartbeats ----------------------------------------------------------------------

    def _beat(
        self, request: ConsumerGroupHeartbeatRequest, caller: Caller, now_ms: int, out: Decision
    ) -> ConsumerGroupHeartbeatResponse | Refusal:
        written = out.records
        joining = request.member_epoch == JOINING_EPOCH
        group = self._group(request.group_id, written, create=joining)
        if isinstance(group, Refusal):
            return group
        full = self.check_room(group, request.member_id)
        if full is not None:
            return full
        member = self._member(group, request, written)
        if isinstance(member, Refusal):
            return member
        updated = updated_member(member, request, caller)
        after = self.follow(group, member, updated, request.topic_partitions, now_ms, out)
        if isinstance(after, Refusal):
            return after
        self.timers.session(group.group_id, after)
        known = self._machine.groups.get(group.group_id)
        if isinstance(known, ClassicGroup):
            self._machine.classic.surrender(known, out)
        response = ConsumerGroupHeartbeatResponse(
            member_id=after.member_id,
            member_epoch=after.member_epoch,
            heartbeat_interval_ms=self.settings.heartbeat_interval_ms(group.group_id),
        )
        if joining or is_full(request) or after.assigned != member.assigned:
            response.assignment = _assignment(after)
        return response

    def check_room(self, group: ConsumerGroup, member_id: str) -> Refusal | None:
        limit = self.settings.size_max
        if len(group.members) < limit or member_id in group.members:
            return None
        return Refusal(
            ErrorCode.GROUP_MAX_SIZE_REACHED,
            f"The consumer group has reached its maximum capacity of {limit} members.",
        )

    def follow(
        self, group: ConsumerGroup, member: Member, updated: Member, owned: Owned, now_ms: int, out: Decision
    ) -> Member | Refusal:
        """Write what changed of a member, and bring it a step closer to its target."""
        written = out.records
        if updated is not member:
            written.append(records.member_metadata(group.group_id, updated))
        change = self.subscribe(group, member, updated, written, now_ms)
        if isinstance(change, Refusal):
            return change
        epoch, subscriptions = change
        target_epoch, target = self._target(group, epoch, member, updated, subscriptions, written, now_ms)
        return self.reconcile(
            group,
            updated,
            self.goal(group, updated, target_epoch, target, subscriptions),
            owned,
            written,
            subscription_changed=updated.names != member.names or updated.regex != member.regex,
        )

    def _group(
        self, group_id: str, written: list[CoordinatorRecord], *, create: bool
    ) -> ConsumerGroup | Refusal:
        group = self._machine.groups.get(group_id)
        if isinstance(group, ConsumerGroup):
            return group
        if group is None:
            if create:
                return ConsumerGroup(group_id)
            return Refusal(ErrorCode.GROUP_ID_NOT_FOUND, f"Consumer group {group_id} not found.")
        if not create:
            return Refusal(ErrorCode.GROUP_ID_NOT_FOUND, not_consumer(group_id))
        if group.is_empty:
            # Replay of the tombstone removes it; its offsets stay.
            written.extend(group.tombstones())
            return ConsumerGroup(group_id)
        if not isinstance(group, ClassicGroup):
            return Refusal(ErrorCode.GROUP_ID_NOT_FOUND, not_consumer(group_id))
        upgraded = upgrade(group, self.settings, self._hashes, self._machine.image())
        if isinstance(upgraded, ConsumerGroup):
            written.extend(group.tombstones())
            written.extend(upgraded.records())
            for member in upgraded.members.values():
                self.timers.session(group_id, member)
            logger.info("group %s becomes a group of the consumer protocol", group_id)
        return upgraded

    def _member(
        self, group: ConsumerGroup, request: ConsumerGroupHeartbeatRequest, written: list[CoordinatorRecord]
    ) -> Member | Refusal:
        """The member that sends the request, new or known; a static one may take over from another."""
        joining = request.member_epoch == JOINING_EPOCH
        member_id = request.member_id or self.new_id()
        instance_id = request.instance_id
        if instance_id is None:
            member = group.members.get(member_id)
            if member is None:
                return Member(member_id) if joining else unknown_member(group, member_id)
            return check_epoch(member, request) or member
        existing = group.static_member(instance_id)
        if joining:
            if existing is None:
                return group.members.get(member_id) or Member(member_id)
            if not existing.uses_classic and existing.member_epoch != STATIC_LEAVING_EPOCH:
                return Refusal(
                    ErrorCode.UNRELEASED_INSTANCE_ID,
                    f"Static member {member_id} with instance id {instance_id} cannot join the group "
                    f"because the instance id is owned by {existing.member_id} member.",
                )
            return self.take_over(group, existing, member_id, written)
        refusal = check_static(existing, member_id, instance_id)
        if refusal is not None:
            return refusal
        assert existing is not None
        return check_epoch(existing, request) or existing

    def take_over(
        self, group: ConsumerGroup, old: Member, member_id: str, written: list[CoordinatorRecord]
    ) -> Member:
        """A static member is back under a new id: it has what it had."""
        group_id = group.group_id
        new = replace(old, member_id=member_id, member_epoch=JOINING_EPOCH, previous_epoch=JOINING_EPOCH)
        written += records.member_tombstones(group_id, old.member_id)
        written.append(records.member_metadata(group_id, new))
        written.append(records.target_assignment(group_id, member_id, group.target.get(old.member_id, {})))
        written.append(records.current_assignment(group_id, new))
        return new

    def new_id(self) -> str:
        """As Kafka's ``Uuid`` prints itself; for clients of version 0, which do not bring their own."""
        text = urlsafe_b64encode(self._machine.rng.random_bytes(16)).decode().rstrip("=")
        return text if text[0] != "-" else "_" + text[1:]

    # -- subscriptions and topics --------------------------------------------------------

    def subscribe(
        self,
        group: ConsumerGroup,
        member: Member,
        updated: Member,
        written: list[CoordinatorRecord],
        now_ms: int,
    ) -> tuple[int, Subscriptions] | Refusal:
        """The group's epoch and subscriptions with the updated member in it."""
        image = self._machine.image()
        regex_changed = updated.regex != member.regex
        changed = regex_changed or updated.names != member.names or updated.rack_id != member.rack_id
        known = group.subscriptions.regexes
        if regex_changed and updated.regex and updated.regex not in known:
            reason = regexes.invalid(updated.regex)
            if reason is not None:
                return Refusal(
                    ErrorCode.INVALID_REGULAR_EXPRESSION,
                    f"SubscribedTopicRegex `{updated.regex}` is not a valid regular expression: {reason}.",
                )
        if not changed and not known and group.is_refreshed(image.generation):
            return group.epoch, group.subscriptions
        old = group.members.get(member.member_id) or group.static_member(member.instance_id or "")
        subscriptions = group.subscriptions
        if old is not updated:
            subscriptions = subscriptions.after(old, updated)
        if regex_changed and member.regex and member.regex not in subscriptions.regexes:
            written.append(records.regular_expression_tombstone(group.group_id, member.regex))
            subscriptions.resolved.pop(member.regex, None)
        found = self._resolve(group, subscriptions, image, now_ms)
        if found:
            changed |= any(
                regex not in subscriptions.resolved or subscriptions.resolved[regex].topics != new.topics
                for regex, new in found.items()
            )
            subscriptions = Subscriptions(
                subscriptions.names, subscriptions.regexes, subscriptions.resolved | found
            )
            written.extend(records.regular_expression(group.group_id, *item) for item in found.items())
        elif not changed and group.is_refreshed(image.generation):
            return group.epoch, subscriptions
        return self._bump(group, subscriptions, image, written, changed=changed), subscriptions

    def _resolve(
        self, group: ConsumerGroup, subscriptions: Subscriptions, image: ClusterState, now_ms: int
    ) -> dict[str, Resolved]:
        """Expressions that nobody matched yet; now and then all of them, if topics were created."""
        wanted = subscriptions.regexes
        if not wanted:
            return {}
        version = self._topics.look(image)
        known = [subscriptions.resolved[regex] for regex in wanted if regex in subscriptions.resolved]
        due = [regex for regex in wanted if regex not in subscriptions.resolved]
        if known:
            age_ms = now_ms - min(resolved.timestamp_ms for resolved in known)
            soon = 0 <= age_ms <= REGEX_REFRESH_MS_MIN
            outdated = any(group.matched.get(regex) != version for regex in wanted)
            if age_ms > self.settings.regex_refresh_ms or (outdated and not soon):
                due = list(wanted)
        return {
            regex: Resolved(regexes.matching(regex, image.topics), image.generation, now_ms) for regex in due
        }

    def _bump(
        self,
        group: ConsumerGroup,
        subscriptions: Subscriptions,
        image: ClusterState,
        written: list[CoordinatorRecord],
        *,
        changed: bool,
    ) -> int:
        """The group's next epoch, if members want other topics, moved, or the topics themselves changed."""
        epoch = group.epoch
        metadata_hash = self._hashes.of_group(subscriptions.topics(), image)
        if changed or metadata_hash != group.metadata_hash:
            epoch += 1
            written.append(records.group_epoch(group.group_id, epoch, metadata_hash))
            logger.info("group %s: epoch %d", group.group_id, epoch)
        group.refreshed(image.generation, epoch)
        if group.has_partition_metadata:
            written.append(records.partition_metadata_tombstone(group.group_id))
        return epoch

    # -- target --------------------------------------------------------------------------

    def _target(
        self,
        group: ConsumerGroup,
        epoch: int,
        member: Member,
        updated: Member,
        subscriptions: Subscriptions,
        written: list[CoordinatorRecord],
        now_ms: int,
    ) -> tuple[int, Assignment]:
        """The newest target, computed now if the group's epoch is ahead of it."""
        if epoch <= group.assignment_epoch or not self._may_assign(group, now_ms):
            return group.assignment_epoch, group.target_of(updated)
        assignors = dict(group.assignors)
        old = group.members.get(member.member_id) or group.static_member(member.instance_id or "")
        count_change(assignors, old.assignor if old is not None else None, updated.assignor)
        name = preferred(assignors, self.settings.assignors[0])
        image = self._machine.image()
        target = compute_target(group, updated, subscriptions, image, ASSIGNORS[name])
        written += target_records(group, target, epoch, now_ms)
        logger.info("group %s: new target of epoch %d by %s", group.group_id, epoch, name)
        return epoch, target[updated.member_id]

    def _may_assign(self, group: ConsumerGroup, now_ms: int) -> bool:
        """KIP-1263: many members that come together get one assignment, not many."""
        last_ms = group.assignment_timestamp_ms
        interval_ms = self.settings.assignment_interval_ms(group.group_id)
        return last_ms == 0 or not 0 <= now_ms - last_ms < interval_ms

    def goal(
        self,
        group: ConsumerGroup,
        member: Member,
        epoch: int,
        target: Assignment,
        subscriptions: Subscriptions,
    ) -> Goal:
        topics = self._machine.image().topics_by_id
        wanted = subscriptions.wanted_by(member)

        def wants(topic_id: bytes) -> bool:
            topic = topics.get(topic_id)
            return topic is not None and topic.name in wanted

        return Goal(epoch, target, wants, group.is_free)

    def reconcile(
        self,
        group: ConsumerGroup,
        member: Member,
        goal: Goal,
        owned: Owned,
        written: list[CoordinatorRecord],
        *,
        subscription_changed: bool,
    ) -> Member | Refusal:
        if not subscription_changed and member.reconciled_to(goal.epoch):
            return member
        after = reconcile(member, goal, owned, subscription_changed=subscription_changed)
        if isinstance(after, Refusal) or after == member:
            return after
        written.append(records.current_assignment(group.group_id, after))
        if not after.uses_classic:
            if after.state is MemberState.UNREVOKED_PARTITIONS:
                self.timers.revocation(group.group_id, after)
            else:
                self.timers.revoked(group.group_id, after.member_id)
        return after

    # -- leaving -------------------------------------------------------------------------

    def _leave(
        self, request: ConsumerGroupHeartbeatRequest, now_ms: int, out: Decision
    ) -> ConsumerGroupHeartbeatResponse | Refusal:
        group = self._machine.groups.get(request.group_id)
        if group is None:
            return Refusal(ErrorCode.GROUP_ID_NOT_FOUND, f"Group {request.group_id} not found.")
        if not isinstance(group, ConsumerGroup):
            return Refusal(ErrorCode.GROUP_ID_NOT_FOUND, not_consumer(request.group_id))
        response = ConsumerGroupHeartbeatResponse(
            member_id=request.member_id, member_epoch=request.member_epoch
        )
        if request.instance_id is None:
            member = group.members.get(request.member_id)
            if member is None:
                return unknown_member(group, request.member_id)
            self.fence(group, [member], now_ms, out)
            return response
        member = group.static_member(request.instance_id)
        refusal = check_static(member, request.member_id, request.instance_id)
        if refusal is not None:
            return refusal
        assert member is not None
        if request.member_epoch != STATIC_LEAVING_EPOCH:
            self.fence(group, [member], now_ms, out)
            return response
        away = replace(
            member,
            member_epoch=STATIC_LEAVING_EPOCH,
            revoking={},
            # To whoever comes back under another id they will have been given from the start.
            assigned={topic_id: dict.fromkeys(found, 0) for topic_id, found in member.assigned.items()},
        )
        out.records.append(records.current_assignment(group.group_id, away))
        return response

    def fence(self, group: ConsumerGroup, members: list[Member], now_ms: int, out: Decision) -> None:
        """They are out; the next heartbeat of another one gives their partitions away."""
        if not members:
            return
        group_id = group.group_id
        for member in members:
            self.timers.forget(group_id, member.member_id)
        if self._mixed.downgrade_without(group, members, now_ms, out):
            return
        subscriptions = group.subscriptions
        for member in members:
            out.records += records.member_tombstones(group_id, member.member_id)
            subscriptions = subscriptions.after(member, None)
        for regex in dict.fromkeys(member.regex for member in members if member.regex):
            if regex not in subscriptions.regexes:
                out.records.append(records.regular_expression_tombstone(group_id, regex))
        metadata_hash = self._hashes.of_group(subscriptions.topics(), self._machine.image())
        out.records.append(records.group_epoch(group_id, group.epoch + 1, metadata_hash))
        logger.info("group %s: %d members left, epoch %d", group_id, len(members), group.epoch + 1)

    def _fence_late(self, group: ConsumerGroup, member: Member, why: str, now_ms: int) -> Decision:
        logger.info("group %s: %s is fenced: %s", group.group_id, member.member_id, why)
        out = Decision()
        self.fence(group, [member], now_ms, out)
        return out


def _refused(refusal: Refusal, reply: Answer) -> Decision:
    response = ConsumerGroupHeartbeatResponse(error_code=refusal.code, error_message=refusal.message)
    return Decision(replies=[Reply(reply, response)])


def _assignment(member: Member) -> ResponseAssignment:
    return ResponseAssignment(
        [TopicPartitions(topic_id, sorted(partitions)) for topic_id, partitions in member.assigned.items()]
    )
