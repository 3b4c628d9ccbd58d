"""Deciding to make the replicas of a dead broker anew on others (``broker.replica.replacement.timeout.ms``).

Kafka has nothing like it: there an operator reassigns (ADR 0015).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from riverlog.metadata.controller import ControllerSettings, Decision, Refused
from riverlog.metadata.electorate import Electorate
from riverlog.metadata.image import NO_LEADER, ClusterState, PartitionState
from riverlog.metadata.placement import is_usable
from riverlog.metadata.reassignment import reassign, reassigning
from riverlog.metadata.records import MetadataRecord

REPLACEMENTS_AT_ONCE_MAX = 20
"""Partitions reassigned at the same time, so that copying does not drown the cluster."""


def replace_dead_replicas(
    state: ClusterState,
    settings: ControllerSettings | None = None,
    *,
    dead: Collection[int],
    limit: int = REPLACEMENTS_AT_ONCE_MAX,
) -> Decision[int]:
    """Begin reassigning what ``dead`` brokers hold; answers how many partitions still hold something there.

    A partition without a leader has nobody to copy from, and one that is being reassigned waits.
    """
    electorate = Electorate(state, settings)
    gone = {one for one in dead if not state.broker_is_active(one)}
    load: Counter[int] = Counter()
    underway = 0
    for _, _, partition in state.partitions():
        load.update(partition.replicas)
        underway += reassigning(partition)
    records: list[MetadataRecord] = []
    left = 0
    for topic, index, partition in state.partitions():
        if not any(one in gone and one not in partition.removing_replicas for one in partition.replicas):
            continue
        left += 1
        if partition.leader == NO_LEADER or reassigning(partition) or underway >= limit:
            continue
        target = _replaced(state, partition, gone, load)
        try:
            change = reassign(electorate, topic, index, partition, target)
        except Refused:
            continue
        if change is not None:
            records.append(change)
            underway += 1
            load.update(one for one in target if one not in partition.replicas)
    return Decision(left, records)


def _replaced(
    state: ClusterState, partition: PartitionState, gone: Collection[int], load: Counter[int]
) -> list[int]:
    """Each dead replica's place goes to the least loaded broker, of another rack where there is one."""
    target = list(partition.replicas)
    for at, replica in enumerate(partition.replicas):
        if replica not in gone:
            continue
        racks = {state.brokers[one].rack for one in target if one in state.brokers and one not in gone}
        able = [
            broker
            for broker in state.brokers.values()
            if broker.active and is_usable(broker) and broker.broker_id not in target
        ]
        if able:
            best = min(able, key=lambda b: (b.rack in racks, load[b.broker_id], b.broker_id))
            target[at] = best.broker_id
    return target
