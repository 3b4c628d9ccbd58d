"""How the broker of a sole node registers: one batch, decided by the node itself, without heartbeats."""

from __future__ import annotations

from collections.abc import Sequence

from riverlog.base import broker_configs
from riverlog.base.listeners import Endpoint
from riverlog.metadata.brokers import register_broker, unfencing
from riverlog.metadata.controller import ControllerSettings, random_uuid
from riverlog.metadata.image import ClusterState
from riverlog.metadata.partitions import bump_leader_epochs, elect_leaderless
from riverlog.metadata.records import MetadataRecord


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
    leader epoch for every partition this node leads (RULES: watermark 6).

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
    records += elect_leaderless(state, node_id)
    if not clean:
        records += bump_leader_epochs(state, node_id)
    return records
