"""Which replica a consumer should read from: one in its rack, if the operator wants that (KIP-392)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base import broker_configs_replication as configs

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker
    from riverlog.replication import Partition

RACK_AWARE_SELECTOR = "org.apache.kafka.common.replica.RackAwareReplicaSelector"
LEADER = -1
"""Read here."""


def reads_from_followers(broker: Broker) -> bool:
    """Whether consumers may be sent to followers."""
    return broker.config[configs.REPLICA_SELECTOR_CLASS] == RACK_AWARE_SELECTOR


def preferred_read_replica(broker: Broker, partition: Partition, rack_id: str, offset: int) -> int:
    """The in-sync replica of that rack that has most, if it has the offset; -1 for the leader itself."""
    if not reads_from_followers(broker):
        return LEADER
    brokers = broker.metadata.image.brokers
    own = brokers.get(broker.node_id)
    if own is not None and own.rack == rack_id:
        return LEADER
    best, best_end = LEADER, -1
    for broker_id, follower in partition.in_sync.followers.items():
        found = brokers.get(broker_id)
        if found is None or not found.active or found.rack != rack_id:
            continue
        if broker_id not in partition.in_sync.isr:
            continue  # it may lag for as long as it likes, and its readers with it
        if 0 <= follower.log_start <= offset <= follower.log_end and follower.log_end > best_end:
            best, best_end = broker_id, follower.log_end
    return best
