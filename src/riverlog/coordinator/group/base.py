"""What offsets, listings and housekeeping know of a group, whatever its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base.errors import ErrorCode
from riverlog.coordinator.decision import CoordinatorRecord
from riverlog.coordinator.group.records import group_metadata_tombstone

if TYPE_CHECKING:
    from riverlog.coordinator.group.machine import GroupMachine


class Group:
    """What offsets, listings and housekeeping need of any group. This base is Kafka's simple group: it has
    no members, somebody just committed offsets under its name; each kind overrides what differs."""

    kind = "classic"
    """Kafka's group type: "classic" or "consumer"."""

    __slots__ = ("group_id",)

    def __init__(self, group_id: str) -> None:
        self.group_id = group_id

    @property
    def state_name(self) -> str:
        """As Kafka spells it: Empty, Stable, PreparingRebalance, …"""
        return "Empty"

    @property
    def protocol_type(self) -> str | None:
        return None

    @property
    def is_empty(self) -> bool:
        """No members: it may be deleted."""
        return True

    def is_subscribed(self, topic: str) -> bool:
        """Offsets of a topic the group reads are neither expired nor deleted."""
        return False

    def validate_offset_commit(
        self,
        member_id: str,
        generation_or_epoch: int,
        instance_id: str | None,
        *,
        api_version: int,
        transactional: bool = False,
    ) -> ErrorCode:
        """Whether this member may commit; changes nothing."""
        if generation_or_epoch < 0:
            return ErrorCode.NONE
        return ErrorCode.UNKNOWN_MEMBER_ID

    def validate_commit_partition(
        self, member_id: str, generation_or_epoch: int, *, topic: str, topic_id: bytes, partition: int
    ) -> ErrorCode:
        """KIP-1251: whether an older epoch may still commit this partition. An error refuses the whole
        commit. Asked after ``validate_offset_commit`` said yes."""
        return ErrorCode.NONE

    def validate_offset_fetch(self, member_id: str | None, member_epoch: int) -> ErrorCode:
        return ErrorCode.NONE

    def validate_offset_delete(self) -> ErrorCode:
        return ErrorCode.NONE

    def validate_delete(self) -> ErrorCode:
        return ErrorCode.NONE

    def committed_offsets(self, machine: GroupMachine, member_id: str, now_ms: int) -> None:
        """A member's commit was accepted: in the classic protocol it counts as a heartbeat. Volatile only."""

    def offset_expiry_base_ms(self, commit_timestamp_ms: int) -> int | None:
        """When the retention of an offset begins; None while the group's state protects it."""
        return commit_timestamp_ms

    def tombstones(self) -> list[CoordinatorRecord]:
        """What deletes the group itself (its offsets are deleted by ``Offsets``)."""
        return [group_metadata_tombstone(self.group_id)]
