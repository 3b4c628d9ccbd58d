"""Which brokers hold the replicas of new partitions, and whether a given assignment is sound."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from riverlog.base.errors import ErrorCode
from riverlog.env import Rng
from riverlog.metadata.controller import UNASSIGNED_DIRECTORY, Refused
from riverlog.metadata.image import BrokerState, ClusterState
from riverlog.metadata.records import supports_directories
from riverlog.protocol.generated.partition_record import PartitionRecord

T = TypeVar("T")


def place(state: ClusterState, rng: Rng, *, partitions: int, replication_factor: int) -> list[list[int]]:
    """Replicas of each partition, the preferred leader first. Raises ``Refused``.

    As Kafka stripes them: rack after rack, in each rack broker after broker, the start moving on with
    every partition; fenced brokers only where a rack has no other left, and never first.
    """
    usable = [broker for broker in state.brokers.values() if is_usable(broker)]
    unfenced = sum(not broker.fenced for broker in usable)
    why = f"Replication factor {replication_factor} cannot be reached: "
    if not unfenced:
        raise Refused(ErrorCode.INVALID_REPLICATION_FACTOR, why + "all brokers are fenced or closed.")
    if replication_factor > len(usable):
        text = f"only {len(usable)} broker(s) are registered and take new replicas."
        raise Refused(ErrorCode.INVALID_REPLICATION_FACTOR, why + text)
    stripes = _Stripes(usable, unfenced, rng)
    return [stripes.next(replication_factor) for _ in range(partitions)]


def is_usable(broker: BrokerState) -> bool:
    """Not about to stop, and with a folder that takes new replicas (KIP-1066)."""
    cordoned = broker.cordoned_log_dirs or ()
    closed = bool(broker.log_dirs) and all(one in cordoned for one in broker.log_dirs)
    return not broker.in_controlled_shutdown and not closed


def _shuffle(items: list[T], rng: Rng) -> None:
    for last in range(len(items) - 1, 0, -1):
        other = rng.random_int(0, last)
        items[last], items[other] = items[other], items[last]


class _Ring:
    """Brokers of a rack in turn; each partition starts one further."""

    __slots__ = ("brokers", "start", "taken")

    def __init__(self, brokers: list[int], rng: Rng) -> None:
        self.brokers = sorted(brokers)
        self.start = rng.random_int(0, len(brokers) - 1) if brokers else 0
        self.taken = 0

    def rewind(self) -> None:
        """For the next partition. A ring that was not asked stays where it is."""
        if self.taken:
            self.start = (self.start + 1) % len(self.brokers)
            self.taken = 0

    def next(self) -> int | None:
        if self.taken >= len(self.brokers):
            return None
        self.taken += 1
        return self.brokers[(self.start + self.taken - 1) % len(self.brokers)]


class _Stripes:
    __slots__ = ("placed", "racks", "rng", "start", "unfenced")

    def __init__(self, brokers: Sequence[BrokerState], unfenced: int, rng: Rng) -> None:
        names = sorted({broker.rack or "" for broker in brokers})
        self.rng = rng
        self.unfenced = unfenced
        self.racks: list[tuple[_Ring, _Ring]] = []
        for name in names:
            rack = [broker for broker in brokers if (broker.rack or "") == name]
            live, fenced = ([b.broker_id for b in rack if b.fenced is which] for which in (False, True))
            self.racks.append((_Ring(live, rng), _Ring(fenced, rng)))
        self.start = rng.random_int(0, len(self.racks) - 1)
        self.placed = 0

    def next(self, replication_factor: int) -> list[int]:
        if self.placed == self.unfenced > 1:
            # All have led once: shuffle, so that pairs do not repeat.
            _shuffle(self.racks, self.rng)
            for live, fenced in self.racks:
                _shuffle(live.brokers, self.rng)
                _shuffle(fenced.brokers, self.rng)
            self.placed = 0
        count = len(self.racks)
        replicas: list[int] = []
        at = self.start % count
        while not replicas:
            leader = self.racks[at][0].next()
            at = (at + 1) % count
            replicas += [] if leader is None else [leader]
        while len(replicas) < replication_factor:
            live, fenced = self.racks[at]
            at = (at + 1) % count
            other = live.next()
            if other is None:
                other = fenced.next()
            replicas += [] if other is None else [other]
        for live, fenced in self.racks:
            live.rewind()
            fenced.rewind()
        self.start = (self.start + 1) % count
        self.placed += 1
        return replicas


def check_assignment(state: ClusterState, replicas: Sequence[int], replication_factor: int | None) -> None:
    """Raise ``Refused`` unless a partition may be placed on these brokers."""

    def refuse(message: str) -> Refused:
        return Refused(ErrorCode.INVALID_REPLICA_ASSIGNMENT, "The manual assignment " + message)

    if not replicas:
        raise refuse("has an empty replica list.")
    seen: set[int] = set()
    for broker_id in replicas:
        if broker_id not in state.brokers:
            raise refuse(f"names broker {broker_id}, which is not registered.")
        if broker_id in seen:
            raise refuse(f"names broker {broker_id} more than once.")
        seen.add(broker_id)
    if replication_factor is not None and len(replicas) != replication_factor:
        raise refuse(
            f"has a partition with {len(replicas)} replica(s), the others have {replication_factor}."
        )


def new_partition(
    state: ClusterState, topic_id: bytes, partition_id: int, replicas: list[int]
) -> PartitionRecord | None:
    """The record of a new partition; None if no replica could lead it."""
    isr = [broker_id for broker_id in replicas if state.broker_is_active(broker_id)]
    if not isr:
        return None
    directories: list[bytes] = []
    if supports_directories(state.metadata_version):
        directories = [default_directory(state, broker_id) for broker_id in replicas]
    return PartitionRecord(
        partition_id=partition_id,
        topic_id=topic_id,
        replicas=replicas,
        isr=isr,
        removing_replicas=[],
        adding_replicas=[],
        leader=isr[0],
        leader_recovery_state=0,
        leader_epoch=0,
        partition_epoch=0,
        directories=directories,
    )


def default_directory(state: ClusterState, broker_id: int) -> bytes:
    """A broker with one log folder can only use that one."""
    broker = state.brokers.get(broker_id)
    if broker is None or len(broker.log_dirs) != 1:
        return UNASSIGNED_DIRECTORY
    return broker.log_dirs[0]
