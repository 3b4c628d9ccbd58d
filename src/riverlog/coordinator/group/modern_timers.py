"""What members of consumer groups must do in time; who does not is fenced."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from riverlog.coordinator.decision import Decision
from riverlog.coordinator.group.modern_group import ConsumerGroup
from riverlog.coordinator.group.modern_member import Member
from riverlog.coordinator.group.modern_settings import ConsumerSettings

if TYPE_CHECKING:
    from riverlog.coordinator.group.machine import GroupMachine

Fence = Callable[[ConsumerGroup, Member, str, int], Decision]
"""Group, member, why, and the time."""


class MemberTimers:
    """The timers of one shard. A timer that comes too late finds nobody to fence."""

    def __init__(self, machine: GroupMachine, settings: ConsumerSettings, fence: Fence) -> None:
        self._machine = machine
        self._settings = settings
        self._fence = fence
        self._joining: dict[str, None] = {}
        """Members of the classic protocol that were told to join again."""

    def session(self, group_id: str, member: Member) -> None:
        """A sign of life: the session begins anew."""
        if member.classic is None:
            timeout_ms = self._settings.session_timeout_ms(group_id)
        else:
            timeout_ms = member.classic.session_timeout_ms
        self._schedule("session", group_id, member, timeout_ms, "its session is over")

    def revocation(self, group_id: str, member: Member) -> None:
        """It must let go of partitions and leave its epoch within its rebalance timeout."""
        self._schedule(
            "revocation",
            group_id,
            member,
            member.rebalance_timeout_ms,
            f"it stayed in epoch {member.member_epoch}",
            epoch=member.member_epoch,
        )

    def revoked(self, group_id: str, member_id: str) -> None:
        self._machine.cancel(_name("revocation", group_id, member_id))

    def join_again(self, group_id: str, member: Member) -> None:
        """It has its rebalance timeout for that, from the first time it is told."""
        name = _name("join", group_id, member.member_id)
        if name not in self._joining:
            self._joining[name] = None
            self._schedule("join", group_id, member, member.rebalance_timeout_ms, "it did not join again")

    def joined(self, group_id: str, member: Member) -> None:
        self._forget_join(group_id, member.member_id)
        self._schedule("sync", group_id, member, member.rebalance_timeout_ms, "it did not sync")

    def synced(self, group_id: str, member_id: str) -> None:
        self._machine.cancel(_name("sync", group_id, member_id))

    def forget(self, group_id: str, member_id: str) -> None:
        for what in ("session", "revocation", "sync"):
            self._machine.cancel(_name(what, group_id, member_id))
        self._forget_join(group_id, member_id)

    def _forget_join(self, group_id: str, member_id: str) -> None:
        name = _name("join", group_id, member_id)
        if name in self._joining:
            del self._joining[name]
            self._machine.cancel(name)

    def _schedule(
        self, what: str, group_id: str, member: Member, delay_ms: int, why: str, epoch: int | None = None
    ) -> None:
        member_id = member.member_id
        self._machine.schedule(
            _name(what, group_id, member_id),
            delay_ms,
            partial(self._expired, group_id, member_id, why, epoch),
        )

    def _expired(
        self,
        group_id: str,
        member_id: str,
        why: str,
        epoch: int | None,
        machine: GroupMachine,
        now_ms: int,
    ) -> Decision:
        group = machine.groups.get(group_id)
        member = group.members.get(member_id) if isinstance(group, ConsumerGroup) else None
        if not isinstance(group, ConsumerGroup) or member is None:
            self.forget(group_id, member_id)
            return Decision()
        if epoch is not None and member.member_epoch != epoch:
            return Decision()
        return self._fence(group, member, why, now_ms)


def _name(what: str, group_id: str, member_id: str) -> str:
    # The length keeps apart what ids with any character in them could mix up.
    return f"consumer-{what}-{len(group_id)}-{group_id}-{member_id}"
