"""How the broker of a sole node registers: one batch, decided by the node itself, without heartbeats."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from riverlog.base import broker_configs
from riverlog.base.listeners import Endpoint
from riverlog.metadata.brokers import register_broker, unfencing
from riverlog.metadata.controller import ControllerSettings, random_uuid
from riverlog.metadata.electorate import Electorate
from riverlog.metadata.image import ClusterState
from riverlog.metadata.partition_change import change_partition
from riverlog.metadata.partitions import bump_leader_epochs, elect_leaderless
from riverlog.metadata.records import MetadataRecord
from riverlog.metadata.registration import is_wiped
from riverlog.protocol.generated.partition_change_record import PartitionChangeRecord


def start_records(
    state: ClusterState,
    settings: ControllerSettings,
    *,
    offset: int,
    endpoints: Sequence[Endpoint],
    log_dirs: Sequence[bytes],
    clean: bool,
) -> list[MetadataRecord]:
    """Registration, unfencing, elections of partitions without a leader and, after an unclean stop, a new
    leader epoch for every partition this node leads (RULES: watermark 6). What was in a folder that is new
    or not there has no leader any more.

    ``offset``: of the first of these records; it is the broker epoch.
    """
    node_id = settings.node_id
    registration = register_broker(
        broker_id=node_id,
        broker_epoch=offset,
        incarnation_id=random_uuid(settings.rng),
        endpoints=endpoints,
        rack=settings.config[broker_configs.BROKER_RACK],
        log_dirs=log_dirs,
    )
    records: list[MetadataRecord] = [registration, unfencing(node_id, offset)]
    wiped = _wiped(state, settings, log_dirs)
    others = elect_leaderless(state, node_id)
    if not clean:
        others += bump_leader_epochs(state, node_id)
    records += [one for one in wiped.values() if one is not None]
    for one in others:
        assert isinstance(one, PartitionChangeRecord)
        if (one.topic_id, one.partition_id) not in wiped:
            records.append(one)
    return records


def _wiped(
    state: ClusterState, settings: ControllerSettings, log_dirs: Collection[bytes]
) -> dict[tuple[bytes, int], MetadataRecord | None]:
    """RULES: registration after an unclean stop: an empty log is never elected."""
    node_id = settings.node_id
    electorate = Electorate(state, settings, leaving=node_id)
    found: dict[tuple[bytes, int], MetadataRecord | None] = {}
    for topic, index, partition in state.partitions():
        if node_id in partition.replicas and is_wiped(state, partition, node_id, log_dirs):
            isr = [one for one in partition.isr if one != node_id]
            found[topic.topic_id, index] = change_partition(
                electorate, topic, index, partition, isr=isr, wiped=[node_id]
            )
    return found
