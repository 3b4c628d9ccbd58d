"""Which brokers hold the replicas of new partitions, and whether a given assignment is sound."""

from __future__ import annotations

from collections.abc import Sequence

from riverlog.base.errors import ErrorCode
from riverlog.env import Rng
from riverlog.metadata.controller import UNASSIGNED_DIRECTORY, Refused
from riverlog.metadata.image import ClusterState
from riverlog.metadata.records import supports_directories
from riverlog.protocol.generated.partition_record import PartitionRecord


def place(state: ClusterState, rng: Rng, *, partitions: int, replication_factor: int) -> list[list[int]]:
    """Replicas of each partition, the preferred leader first; active brokers before fenced ones.

    Raises ``Refused``. Racks are not looked at yet.
    """
    active = sorted(broker.broker_id for broker in state.brokers.values() if broker.active)
    fenced = sorted(broker.broker_id for broker in state.brokers.values() if not broker.active)
    why = f"Replication factor {replication_factor} cannot be reached: "
    if not active:
        raise Refused(ErrorCode.INVALID_REPLICATION_FACTOR, why + "all brokers are fenced.")
    if replication_factor > len(active) + len(fenced):
        known = len(active) + len(fenced)
        raise Refused(ErrorCode.INVALID_REPLICATION_FACTOR, why + f"only {known} broker(s) are registered.")
    start = rng.random_int(0, len(active) - 1)
    placed: list[list[int]] = []
    for partition in range(partitions):
        first = start + partition
        # After a full turn the followers shift against the leader, so that pairs vary.
        shift = partition // len(active)
        others = [active[(first + 1 + step) % len(active)] for step in range(len(active) - 1)]
        if others:
            cut = shift % len(others)
            others = others[cut:] + others[:cut]
        placed.append([active[first % len(active)], *others, *fenced][:replication_factor])
    return placed


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
