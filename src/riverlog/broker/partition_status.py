"""Who leads a partition and which of its replicas are offline, as Metadata and its kin answer it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.metadata.image import PartitionState

NO_LEADER = -1
_NOT_KNOWN_YET = frozenset(number.to_bytes(16, "big") for number in (0, 1))
"""Directory ids that say nothing against a replica: migrating, unassigned (KIP-858)."""


def leader_of(broker: Broker, topic: str, index: int, state: PartitionState) -> int:
    """The leader, if its broker is alive and, where that is this one, its folder serves; else -1."""
    leader = state.leader
    found = broker.metadata.image.brokers.get(leader)
    if found is None or found.fenced:
        return NO_LEADER
    if leader == broker.node_id and broker.replicas.is_offline_here(topic, index):
        return NO_LEADER
    return leader


def offline_replicas(broker: Broker, topic: str, index: int, state: PartitionState) -> list[int]:
    """Those on dead or fenced brokers, in a directory that is gone, or in one of ours that does not serve."""
    here = broker.node_id if broker.replicas.is_offline_here(topic, index) else None
    directories = state.directories
    offline = []
    for at, node_id in enumerate(state.replicas):
        found = broker.metadata.image.brokers.get(node_id)
        if found is None or found.fenced or node_id == here:
            offline.append(node_id)
        elif found.log_dirs and at < len(directories):
            directory = directories[at]
            if directory not in _NOT_KNOWN_YET and directory not in found.log_dirs:
                offline.append(node_id)
    return offline
