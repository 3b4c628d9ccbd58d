"""One member of a group of the consumer protocol (KIP-848): what it wants and how far it has come.

A member is never changed in place: a decision makes a new one, its records carry it, ``replay`` stores it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, NamedTuple

from riverlog.base.errors import ErrorCode
from riverlog.protocol.generated.consumer_group_current_member_assignment_value import (
    ConsumerGroupCurrentMemberAssignmentValue,
    TopicPartitions,
)
from riverlog.protocol.generated.consumer_group_member_metadata_value import (
    ClassicMemberMetadata,
    ConsumerGroupMemberMetadataValue,
)

JOINING_EPOCH = 0
LEAVING_EPOCH = -1
STATIC_LEAVING_EPOCH = -2
"""A static member went away for a while: nobody else gets its partitions until its session is over."""

Epochs = dict[bytes, dict[int, int]]
"""Partitions by topic id, each with the epoch in which it was given. Never changed in place."""


class Refusal(NamedTuple):
    """Why a request is not granted."""

    code: ErrorCode
    message: str


class MemberState(IntEnum):
    """The value is what Kafka writes."""

    STABLE = 0
    """It has its target, or has not yet heard of a newer one."""
    UNREVOKED_PARTITIONS = 1
    """It has to give partitions up before it moves on to the next epoch."""
    UNRELEASED_PARTITIONS = 2
    """It waits for partitions that others have not given up."""
    UNKNOWN = 127
    """Written by a newer version."""


@dataclass(slots=True)
class Member:
    """All that is known of one member, all of it durable."""

    member_id: str
    member_epoch: int = JOINING_EPOCH
    previous_epoch: int = -1
    state: MemberState = MemberState.STABLE
    instance_id: str | None = None
    rack_id: str | None = None
    rebalance_timeout_ms: int = -1
    client_id: str = ""
    client_host: str = ""
    names: frozenset[str] = frozenset()
    """Topics it asks for by name."""
    regex: str = ""
    """Topics it asks for by pattern; empty if it does not."""
    assignor: str | None = None
    assigned: Epochs = field(default_factory=dict)
    revoking: Epochs = field(default_factory=dict)
    """Still its own until it says that it let go of them."""
    classic: ClassicMemberMetadata | None = None
    """Set while it speaks the classic protocol."""

    @property
    def uses_classic(self) -> bool:
        return self.classic is not None

    def reconciled_to(self, assignment_epoch: int) -> bool:
        return self.state is MemberState.STABLE and self.member_epoch == assignment_epoch

    def moved_to(self, epoch: int, state: MemberState, assigned: Epochs, revoking: Epochs) -> Member:
        """The next step of its reconciliation; the epoch it leaves is remembered for a lost reply."""
        return replace(
            self,
            member_epoch=epoch,
            previous_epoch=self.member_epoch,
            state=state,
            assigned=assigned,
            revoking=revoking,
        )

    def given_in(self, topic_id: bytes, partition: int) -> int | None:
        """The epoch in which it got a partition; None if it does not have it."""
        for epochs in (self.assigned, self.revoking):
            found = epochs.get(topic_id, {}).get(partition)
            if found is not None:
                return found
        return None

    # -- records -------------------------------------------------------------------------

    def with_metadata(self, value: ConsumerGroupMemberMetadataValue) -> Member:
        return replace(
            self,
            instance_id=value.instance_id,
            rack_id=value.rack_id,
            client_id=value.client_id,
            client_host=value.client_host,
            names=frozenset(value.subscribed_topic_names),
            regex=value.subscribed_topic_regex or "",
            rebalance_timeout_ms=value.rebalance_timeout_ms,
            assignor=value.server_assignor,
            classic=value.classic_member_metadata,
        )

    def with_current(self, value: ConsumerGroupCurrentMemberAssignmentValue) -> Member:
        known = value.state in MemberState.__members__.values()
        return replace(
            self,
            member_epoch=value.member_epoch,
            previous_epoch=value.previous_member_epoch,
            state=MemberState(value.state) if known else MemberState.UNKNOWN,
            assigned=_epochs(value.assigned_partitions, value.member_epoch),
            revoking=_epochs(value.partitions_pending_revocation, value.member_epoch),
        )

    def without_current(self) -> Member:
        """Its assignment was deleted: what follows is the deletion of the member."""
        return replace(
            self, member_epoch=LEAVING_EPOCH, previous_epoch=LEAVING_EPOCH, assigned={}, revoking={}
        )


def _epochs(topics: list[TopicPartitions], member_epoch: int) -> Epochs:
    """Records of before Kafka 4.3 have no epochs of partitions."""
    found: Epochs = {}
    for topic in topics:
        epochs = topic.assignment_epochs
        if epochs is None or len(epochs) != len(topic.partitions):
            epochs = [max(member_epoch, 0)] * len(topic.partitions)
        found[topic.topic_id] = dict(zip(topic.partitions, epochs, strict=True))
    return found


def owns_any(owned: list[Any] | None, epochs: Epochs) -> bool:
    """Whether what a member says it owns has something of ``epochs``; if it says nothing, it may."""
    if owned is None:
        return True
    return any(
        partition in epochs.get(topic.topic_id, ()) for topic in owned for partition in topic.partitions
    )


def owns_only(owned: list[Any] | None, epochs: Epochs) -> bool:
    """Whether all that a member says it owns is in ``epochs``."""
    if owned is None:
        return False
    return all(
        topic.topic_id in epochs
        and all(partition in epochs[topic.topic_id] for partition in topic.partitions)
        for topic in owned
    )
