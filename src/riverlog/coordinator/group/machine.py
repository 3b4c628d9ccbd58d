"""The machine of one offsets partition: the groups that hash to it, of every kind, and their offsets.

``replay`` hands each record to the part that owns its type. The parts know each other through this
machine: ``offsets`` asks ``groups`` who may commit, the kinds of groups share one namespace of ids.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from riverlog.base.config import BrokerConfig
from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord, Decision
from riverlog.coordinator.group.base import Group
from riverlog.coordinator.group.offsets import Offsets
from riverlog.coordinator.host import Shard
from riverlog.env import Rng
from riverlog.metadata.image import ClusterState
from riverlog.protocol.primitives import Wire

if TYPE_CHECKING:
    from riverlog.coordinator.group.classic import ClassicGroups
    from riverlog.coordinator.group.modern import ConsumerGroups
    from riverlog.protocol.generated.consumer_group_metadata_key import ConsumerGroupMetadataKey
    from riverlog.protocol.generated.group_metadata_key import GroupMetadataKey

__all__ = ["Group", "GroupMachine"]

GroupDecide = Callable[["GroupMachine", int], Decision]


class GroupMachine:
    """One shard's groups. Made by the host."""

    def __init__(
        self,
        shard: Shard[GroupMachine],
        *,
        image: Callable[[], ClusterState],
        config: BrokerConfig,
        rng: Rng,
    ) -> None:
        self.shard = shard
        self.image = image
        """The published metadata."""
        self.config = config
        self.rng = rng
        self.groups: dict[str, Group] = {}
        self.offsets = Offsets(self)
        self._classic: ClassicGroups | None = None
        self._modern: ConsumerGroups | None = None
        self._loaded_ms: int | None = None

    # -- parts ---------------------------------------------------------------------------
    # Made, and their modules imported, when first used: most shards of a small broker never are.

    @property
    def classic(self) -> ClassicGroups:
        if self._classic is None:
            from riverlog.coordinator.group.classic import ClassicGroups

            self._classic = ClassicGroups(self)
            if self._loaded_ms is not None:
                self._classic.loaded(self._loaded_ms)
        return self._classic

    @property
    def modern(self) -> ConsumerGroups:
        if self._modern is None:
            from riverlog.coordinator.group.modern import ConsumerGroups

            self._modern = ConsumerGroups(self)
            if self._loaded_ms is not None:
                self._modern.loaded(self._loaded_ms)
        return self._modern

    def schedule(self, name: str, delay_ms: int, decide: GroupDecide) -> None:
        """Run a decision later; replaces the timer of that name. Names are shared: put the group id in."""
        self.shard.schedule(name, delay_ms, decide)

    def cancel(self, name: str) -> None:
        self.shard.cancel(name)

    # -- replaying -----------------------------------------------------------------------

    def replay(
        self, offset: int, timestamp_ms: int, key: Wire, value: Wire | None, *, producer_id: int = -1
    ) -> None:
        part = _PARTS.get(type(key).__name__)
        if part == "offsets":
            self.offsets.replay(offset, timestamp_ms, key, value, producer_id=producer_id)
        elif part == "classic":
            self.classic.replay(offset, timestamp_ms, key, value)
        elif part == "modern":
            self.modern.replay(offset, timestamp_ms, key, value)

    def replay_marker(self, producer_id: int, *, committed: bool) -> None:
        self.offsets.replay_marker(producer_id, committed=committed)

    def simple_group(self, group_id: str, timestamp_ms: int) -> Group:
        """The group of an offset that is replayed; one that has no group yet makes an empty classic one."""
        group = self.groups.get(group_id)
        if group is None:
            group = self.groups[group_id] = self.classic.new_group(group_id, timestamp_ms)
        return group

    def remove(self, group_id: str) -> None:
        """The group's tombstone was replayed."""
        self.groups.pop(group_id, None)

    # -- coming and going ----------------------------------------------------------------

    def refused(self, records: list[CoordinatorRecord], error: ErrorCode) -> None:
        """Groups whose records were not written for now go on as if they had just been loaded. Nothing was
        changed for offsets, and one that is too large is told so by ``Decision.on_refused``."""
        if error is not ErrorCode.COORDINATOR_NOT_AVAILABLE:
            return
        for group_id in dict.fromkeys(group_of(record.key) for record in records):
            if group_id is None:
                continue
            if self._classic is not None:
                self._classic.refused(group_id, error)
            if self._modern is not None:
                self._modern.refused(group_id)

    def loaded(self, now_ms: int) -> None:
        self._loaded_ms = now_ms
        self.offsets.loaded(now_ms)
        for part in (self._classic, self._modern):
            if part is not None:
                part.loaded(now_ms)

    def unloaded(self, error: ErrorCode) -> None:
        for part in (self._classic, self._modern):
            if part is not None:
                part.unloaded(error)

    # -- housekeeping --------------------------------------------------------------------

    def deletion(self, group_id: str) -> list[CoordinatorRecord]:
        """Records that delete a group with its offsets; who may do that was checked before."""
        return self.offsets.deletion(group_id) + self.groups[group_id].tombstones()


def group_of(key: Wire) -> str | None:
    """The group that a record is about; None if it is about an offset."""
    match _PARTS.get(type(key).__name__):
        case "classic":
            return cast("GroupMetadataKey", key).group
        case "modern":
            return cast("ConsumerGroupMetadataKey", key).group_id
        case _:
            return None


_PARTS: dict[str, str] = {
    "LegacyOffsetCommitKey": "offsets",
    "OffsetCommitKey": "offsets",
    "GroupMetadataKey": "classic",
    "ConsumerGroupMetadataKey": "modern",
    "ConsumerGroupPartitionMetadataKey": "modern",
    "ConsumerGroupMemberMetadataKey": "modern",
    "ConsumerGroupTargetAssignmentMetadataKey": "modern",
    "ConsumerGroupTargetAssignmentMemberKey": "modern",
    "ConsumerGroupCurrentMemberAssignmentKey": "modern",
    "ConsumerGroupRegularExpressionKey": "modern",
}
"""Types of share and streams groups are left out until those are served; their records stay in the log."""
