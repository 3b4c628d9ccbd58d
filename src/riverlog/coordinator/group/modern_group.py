"""One group of the consumer protocol (KIP-848): its members, its epochs and the target it moves towards.

Three epochs: the group's grows with every change of members, subscriptions or topics; the assignment's
says for which of them a target was computed; each member's says how far it has followed. Only the
methods that ``replay`` calls change anything durable.
"""

from __future__ import annotations

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord
from riverlog.coordinator.group import modern_records as records
from riverlog.coordinator.group.assignors import Assignment
from riverlog.coordinator.group.base import Group
from riverlog.coordinator.group.modern_member import Epochs, Member
from riverlog.coordinator.group.regex import Resolved

FIRST_EPOCH = 1
"""Of a group nobody has joined: a member's epoch 0 means that it joins."""
_MEMBER_EPOCH_VERSION_MIN = 9
"""Of OffsetCommit: since then the field may hold a member epoch."""

Counts = dict[str, int]


def count_change(counts: Counts, old: str | None, new: str | None) -> None:
    """One member less has ``old``, one more has ``new``; nothing stays at zero."""
    if old:
        if counts.get(old, 0) <= 1:
            counts.pop(old, None)
        else:
            counts[old] -= 1
    if new:
        counts[new] = counts.get(new, 0) + 1


class Subscriptions:
    """How many members ask for which topics and expressions."""

    __slots__ = ("names", "regexes", "resolved")

    def __init__(self, names: Counts, regexes: Counts, resolved: dict[str, Resolved]) -> None:
        self.names = names
        self.regexes = regexes
        self.resolved = resolved
        """Expressions whose topics are known; also such that nobody asks for any more."""

    def change(self, old: Member | None, new: Member | None) -> None:
        old_names = old.names if old is not None else frozenset()
        new_names = new.names if new is not None else frozenset()
        if old_names != new_names:
            for name in old_names:
                count_change(self.names, name, None)
            for name in new_names:
                count_change(self.names, None, name)
        count_change(self.regexes, old.regex if old else None, new.regex if new else None)

    def after(self, old: Member | None, new: Member | None) -> Subscriptions:
        """As they would be if ``new`` were in the place of ``old``."""
        found = Subscriptions(dict(self.names), dict(self.regexes), dict(self.resolved))
        found.change(old, new)
        return found

    def topics(self) -> set[str]:
        found = set(self.names)
        for regex in self.regexes:
            resolved = self.resolved.get(regex)
            if resolved is not None:
                found |= resolved.topics
        return found

    def wanted_by(self, member: Member) -> frozenset[str]:
        resolved = self.resolved.get(member.regex)
        if resolved is None:
            return member.names
        return member.names | resolved.topics if member.names else resolved.topics

    def homogeneous(self, members: int) -> bool:
        """Whether all of that many members ask for the same."""
        if not self.regexes:
            return all(count == members for count in self.names.values())
        return not self.names and next(iter(self.regexes.values())) == members


class ConsumerGroup(Group):
    kind = "consumer"

    __slots__ = (
        "_refreshed",
        "assignment_epoch",
        "assignment_timestamp_ms",
        "assignors",
        "classic_members",
        "classic_protocols",
        "epoch",
        "has_partition_metadata",
        "matched",
        "members",
        "metadata_hash",
        "owners",
        "static_members",
        "subscriptions",
        "target",
    )

    def __init__(self, group_id: str) -> None:
        super().__init__(group_id)
        self.epoch = FIRST_EPOCH
        self.metadata_hash = 0
        self.assignment_epoch = FIRST_EPOCH
        self.assignment_timestamp_ms = 0
        """When the target was computed; 0 if there is none or nobody knows."""
        self.members: dict[str, Member] = {}
        self.static_members: dict[str, str] = {}
        """Member ids by group.instance.id."""
        self.target: dict[str, Assignment] = {}
        self.subscriptions = Subscriptions({}, {}, {})
        self.owners: dict[bytes, dict[int, str]] = {}
        """Member ids by topic and partition; INVARIANTS 15: at most one, until it says it let go."""
        self.assignors: Counts = {}
        self.classic_members = 0
        self.classic_protocols: Counts = {}
        """Assignors of the classic protocol, by how many of its members know them."""
        self.has_partition_metadata = False
        self._refreshed = (-1, 0)
        self.matched: dict[str, int] = {}
        """By expression: which topics there were when it was matched. Volatile."""

    # -- reading -------------------------------------------------------------------------

    @property
    def state_name(self) -> str:
        if not self.members:
            return "Empty"
        if self.epoch > self.assignment_epoch:
            return "Assigning"
        epoch = self.assignment_epoch
        stable = all(member.reconciled_to(epoch) for member in self.members.values())
        return "Stable" if stable else "Reconciling"

    @property
    def protocol_type(self) -> str | None:
        return "consumer"

    @property
    def is_empty(self) -> bool:
        return not self.members

    def is_subscribed(self, topic: str) -> bool:
        subscriptions = self.subscriptions
        if topic in subscriptions.names:
            return True
        return any(
            topic in subscriptions.resolved[regex].topics
            for regex in subscriptions.regexes
            if regex in subscriptions.resolved
        )

    def static_member(self, instance_id: str) -> Member | None:
        member_id = self.static_members.get(instance_id)
        return None if member_id is None else self.members.get(member_id)

    def target_of(self, member: Member) -> Assignment:
        """The target of a member, or of the one whose instance id it takes over."""
        member_id: str | None = member.member_id
        if member.instance_id is not None:
            member_id = self.static_members.get(member.instance_id)
        return {} if member_id is None else self.target.get(member_id, {})

    def is_free(self, topic_id: bytes, partition: int) -> bool:
        return partition not in self.owners.get(topic_id, ())

    def preferred_assignor(self, default: str) -> str:
        """What most members ask for."""
        return preferred(self.assignors, default)

    # -- the metadata it has seen (volatile) ---------------------------------------------

    def is_refreshed(self, generation: int) -> bool:
        """Whether its topics were looked at since the metadata last changed, and what came of it stuck."""
        seen, epoch = self._refreshed
        return seen == generation and self.epoch >= epoch

    def refreshed(self, generation: int, epoch: int) -> None:
        self._refreshed = (generation, epoch)

    # -- replaying -----------------------------------------------------------------------

    def put_member(self, member: Member) -> None:
        old = self.members.get(member.member_id)
        self.members[member.member_id] = member
        self._count(old, member)
        if old is not None:
            if old.assigned is not member.assigned or old.revoking is not member.revoking:
                self._release(old)
                self._claim(member)
            if old.instance_id != member.instance_id:
                self._forget_instance(old)
        else:
            self._claim(member)
        if member.instance_id is not None:
            self.static_members[member.instance_id] = member.member_id

    def remove_member(self, member_id: str) -> None:
        old = self.members.pop(member_id, None)
        if old is None:
            return
        self._count(old, None)
        self._release(old)
        self._forget_instance(old)

    def _forget_instance(self, member: Member) -> None:
        """Unless another member has taken it over."""
        instance_id = member.instance_id
        if instance_id is not None and self.static_members.get(instance_id) == member.member_id:
            del self.static_members[instance_id]

    def _count(self, old: Member | None, new: Member | None) -> None:
        self.subscriptions.change(old, new)
        count_change(self.assignors, old.assignor if old else None, new.assignor if new else None)
        old_classic = old.classic if old is not None else None
        new_classic = new.classic if new is not None else None
        if old_classic is not new_classic:
            for protocol in old_classic.supported_protocols if old_classic else ():
                count_change(self.classic_protocols, protocol.name, None)
            for protocol in new_classic.supported_protocols if new_classic else ():
                count_change(self.classic_protocols, None, protocol.name)
            self.classic_members += (new_classic is not None) - (old_classic is not None)

    def _claim(self, member: Member) -> None:
        for epochs in (member.assigned, member.revoking):
            for topic_id, partitions in epochs.items():
                owners = self.owners.setdefault(topic_id, {})
                for partition in partitions:
                    owners[partition] = member.member_id

    def _release(self, member: Member) -> None:
        member_id = member.member_id
        for epochs in (member.assigned, member.revoking):
            for topic_id, partitions in epochs.items():
                owners = self.owners.get(topic_id)
                if owners is None:
                    continue
                for partition in partitions:
                    if owners.get(partition) == member_id:
                        del owners[partition]
                if not owners:
                    del self.owners[topic_id]

    # -- for offsets ---------------------------------------------------------------------

    def validate_offset_commit(
        self,
        member_id: str,
        generation_or_epoch: int,
        instance_id: str | None,
        *,
        api_version: int,
        transactional: bool = False,
    ) -> ErrorCode:
        if generation_or_epoch < 0 and not self.members:
            return ErrorCode.NONE  # an admin tool, or a consumer that assigns itself
        anonymous = generation_or_epoch == -1 and not member_id and instance_id is None
        if transactional and anonymous:
            return ErrorCode.NONE
        member = self.members.get(member_id)
        if member is None:
            return ErrorCode.UNKNOWN_MEMBER_ID
        if not transactional and not member.uses_classic and api_version < _MEMBER_EPOCH_VERSION_MIN:
            return ErrorCode.UNSUPPORTED_VERSION
        if generation_or_epoch > member.member_epoch:
            return _stale(member)
        return ErrorCode.NONE

    def validate_commit_partition(
        self, member_id: str, generation_or_epoch: int, *, topic: str, topic_id: bytes, partition: int
    ) -> ErrorCode:
        member = self.members.get(member_id)
        if member is None or generation_or_epoch == member.member_epoch:
            return ErrorCode.NONE
        given = member.given_in(topic_id, partition)
        if given is None or generation_or_epoch < given:
            return _stale(member)
        return ErrorCode.NONE

    def validate_offset_fetch(self, member_id: str | None, member_epoch: int) -> ErrorCode:
        if member_id is None and member_epoch < 0:
            return ErrorCode.NONE
        member = self.members.get(member_id or "")
        if member is None:
            return ErrorCode.UNKNOWN_MEMBER_ID
        return ErrorCode.NONE if member_epoch == member.member_epoch else _stale(member)

    def validate_delete(self) -> ErrorCode:
        return ErrorCode.NON_EMPTY_GROUP if self.members else ErrorCode.NONE

    def tombstones(self) -> list[CoordinatorRecord]:
        group_id = self.group_id
        return [
            *(records.current_tombstone(group_id, member_id) for member_id in self.members),
            *(records.target_tombstone(group_id, member_id) for member_id in self.members),
            records.target_epoch_tombstone(group_id),
            *(records.member_metadata_tombstone(group_id, member_id) for member_id in self.members),
            *(records.regular_expression_tombstone(group_id, r) for r in self.subscriptions.resolved),
            records.partition_metadata_tombstone(group_id),
            records.group_epoch_tombstone(group_id),
        ]

    def records(self) -> list[CoordinatorRecord]:
        """What makes a group that did not exist as such before."""
        group_id = self.group_id
        members = self.members.values()
        return [
            *(records.member_metadata(group_id, member) for member in members),
            records.group_epoch(group_id, self.epoch, self.metadata_hash),
            *(records.target_assignment(group_id, m.member_id, self.target_of(m)) for m in members),
            records.target_epoch(group_id, self.assignment_epoch, self.assignment_timestamp_ms),
            *(records.current_assignment(group_id, member) for member in members),
        ]

    # -- checking ------------------------------------------------------------------------

    def validate(self) -> None:
        """What must hold after every step (simulation and tests)."""
        owners: dict[bytes, dict[int, str]] = {}
        for member in self.members.values():
            for epochs in (member.assigned, member.revoking):
                _merge(owners, epochs, member.member_id)
        assert owners == self.owners, "owners do not match the members"
        counted = Subscriptions({}, {}, {})
        for member in self.members.values():
            counted.change(None, member)
        assert counted.names == self.subscriptions.names
        assert counted.regexes == self.subscriptions.regexes
        static = {m.instance_id: m.member_id for m in self.members.values() if m.instance_id is not None}
        assert static == self.static_members
        targets: dict[bytes, set[int]] = {}
        for assignment in self.target.values():
            for topic_id, partitions in assignment.items():
                taken = targets.setdefault(topic_id, set())
                assert not taken & partitions, "two members shall have the same partition"
                taken |= partitions


def preferred(assignors: Counts, default: str) -> str:
    best = default
    most = 0
    for name, count in assignors.items():
        if count > most:
            best, most = name, count
    return best


def _stale(member: Member) -> ErrorCode:
    return ErrorCode.ILLEGAL_GENERATION if member.uses_classic else ErrorCode.STALE_MEMBER_EPOCH


def _merge(owners: dict[bytes, dict[int, str]], epochs: Epochs, member_id: str) -> None:
    for topic_id, partitions in epochs.items():
        found = owners.setdefault(topic_id, {})
        for partition in partitions:
            assert partition not in found, "two members own the same partition"
            found[partition] = member_id
