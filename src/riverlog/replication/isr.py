"""What a leader knows of its followers, and the in-sync set: the committed one and a change of it under way.

A change is proposed to the controller and adopted when it comes back. While an expansion is pending the
larger set counts (the maximal in-sync set), while a shrink is pending the old one does: so nothing is
committed that a replica which the controller may have in its set does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

NEVER = float("-inf")


class Assignment(Protocol):
    """A partition in the metadata (``metadata.image.PartitionState``)."""

    leader: int
    leader_epoch: int
    partition_epoch: int
    replicas: tuple[int, ...]
    isr: tuple[int, ...]


@dataclass(slots=True, frozen=True)
class IsrProposal:
    """A new in-sync set for the controller to decide on."""

    isr: tuple[int, ...]
    leader_epoch: int
    partition_epoch: int
    broker_epochs: tuple[int, ...] = ()
    """Of the members, as they were when they fetched what made us propose this: the controller refuses one
    that has started anew since and may have lost it (KIP-903). -1 where it is not known."""


class Follower:
    """A replica on another broker, as its leader sees it in this epoch."""

    __slots__ = (
        "broker_epoch",
        "broker_id",
        "caught_up_at",
        "fetched_at",
        "keeps_up",
        "leader_end",
        "log_end",
        "log_start",
    )

    def __init__(self, broker_id: int, caught_up_at: float) -> None:
        self.broker_id = broker_id
        self.broker_epoch = -1
        self.log_end = -1
        """The offset it last asked for: all below is durable there. -1 before it fetched in this epoch."""
        self.log_start = -1
        self.caught_up_at = caught_up_at
        """When it last had all that the leader had."""
        self.fetched_at = 0.0
        self.leader_end = -1
        """The leader's log end at its last fetch."""
        self.keeps_up = False
        """Not in sync yet but about to be: the watermark waits for it, or it would never get there."""

    def fetched(self, *, offset: int, log_start: int, broker_epoch: int, leader_end: int, now: float) -> None:
        if offset >= leader_end:
            self.caught_up_at = max(self.caught_up_at, now)
        elif offset >= self.leader_end >= 0:
            self.caught_up_at = max(self.caught_up_at, self.fetched_at)
        self.log_end = offset
        self.log_start = log_start
        self.broker_epoch = max(self.broker_epoch, broker_epoch)
        self.leader_end = leader_end
        self.fetched_at = now

    def is_behind(self, leader_end: int, now: float, lag_seconds_max: float) -> bool:
        return self.log_end != leader_end and now - self.caught_up_at > lag_seconds_max


class InSync:
    """The followers of a partition that this node leads, and which of them are in sync."""

    __slots__ = ("followers", "isr", "partition_epoch", "pending", "replica_count")

    def __init__(self) -> None:
        self.followers: dict[int, Follower] = {}
        self.isr: tuple[int, ...] = ()
        """Committed."""
        self.partition_epoch = -1
        self.pending: IsrProposal | None = None
        self.replica_count = 0

    def begin(self, state: Assignment, *, node_id: int, now: float) -> None:
        """A new leader epoch: what followers said before does not count (RULES: watermark 3)."""
        self.followers.clear()
        self.isr = ()
        self.partition_epoch = -1
        self.pending = None
        self.adopt(state, node_id=node_id, now=now)

    def adopt(self, state: Assignment, *, node_id: int, now: float) -> bool:
        """The same epoch, as the metadata has it now. False if that is older than what we have.

        What the controller answered to a proposal is as new, but says nothing of the replicas.
        """
        if state.partition_epoch < self.partition_epoch:
            return False
        self.replica_count = len(state.replicas)
        if self.replica_count > 1 or self.followers:
            followers = self.followers
            for broker_id in list(followers):
                if broker_id not in state.replicas:
                    del followers[broker_id]
            for broker_id in state.replicas:
                if broker_id != node_id and broker_id not in followers:
                    followers[broker_id] = Follower(
                        broker_id, now if broker_id in state.isr else float("-inf")
                    )
        self.decided(state.isr, state.partition_epoch)
        return True

    def decided(self, isr: Sequence[int], partition_epoch: int) -> bool:
        """The controller's in-sync set of that partition epoch."""
        if partition_epoch < self.partition_epoch:
            return False
        self.isr = tuple(isr)
        self.partition_epoch = partition_epoch
        pending = self.pending
        if pending is not None and partition_epoch > pending.partition_epoch:
            self.pending = None
        for follower in self.followers.values():
            if follower.broker_id not in self.isr:
                follower.keeps_up = False  # said again by its next fetch
        return True

    def is_maximal(self, broker_id: int) -> bool:
        """In the committed set or in one that the controller may have adopted."""
        return broker_id in self.isr or (self.pending is not None and broker_id in self.pending.isr)

    def counted_ends(self) -> Iterator[int]:
        """Log ends of the followers that the watermark waits for."""
        for broker_id, follower in self.followers.items():
            if follower.keeps_up or self.is_maximal(broker_id):
                yield follower.log_end

    def propose(self, isr: tuple[int, ...], leader_epoch: int) -> IsrProposal:
        assert self.pending is None, "one change at a time"
        followers = self.followers
        epochs = tuple(followers[one].broker_epoch if one in followers else -1 for one in isr)
        self.pending = IsrProposal(isr, leader_epoch, self.partition_epoch, epochs)
        return self.pending

    def lagging(self, leader_end: int, now: float, lag_seconds_max: float) -> list[int]:
        """In-sync followers that must leave."""
        return [
            broker_id
            for broker_id, follower in self.followers.items()
            if broker_id in self.isr and follower.is_behind(leader_end, now, lag_seconds_max)
        ]
