"""The cluster state as records again: what a snapshot holds. Replaying them gives the state back."""

from __future__ import annotations

from collections.abc import Iterator

from riverlog.metadata.image import BrokerState, ClusterState, PartitionState
from riverlog.metadata.records import KRAFT_VERSION_FEATURE, METADATA_VERSION_FEATURE, MetadataRecord
from riverlog.protocol.generated.config_record import ConfigRecord
from riverlog.protocol.generated.feature_level_record import FeatureLevelRecord
from riverlog.protocol.generated.partition_record import PartitionRecord
from riverlog.protocol.generated.register_broker_record import (
    BrokerEndpoint,
    BrokerFeature,
    RegisterBrokerRecord,
)
from riverlog.protocol.generated.topic_record import TopicRecord


def image_records(state: ClusterState) -> Iterator[MetadataRecord]:
    """Lazily, in Kafka's order: features first, since they say how the rest is to be read."""
    yield FeatureLevelRecord(name=METADATA_VERSION_FEATURE, feature_level=state.metadata_version)
    for name, level in state.features.items():
        # The voters' feature has its own control record.
        if name not in (METADATA_VERSION_FEATURE, KRAFT_VERSION_FEATURE):
            yield FeatureLevelRecord(name=name, feature_level=level)
    for broker in state.brokers.values():
        yield _broker_record(broker)
    yield from state.controllers.values()
    for topic in state.topics.values():
        yield TopicRecord(name=topic.name, topic_id=topic.topic_id)
        for index, partition in topic.partitions.items():
            yield _partition_record(topic.topic_id, index, partition)
    for (resource_type, resource_name), values in state.configs.items():
        for name, value in values.items():
            yield ConfigRecord(
                resource_type=resource_type, resource_name=resource_name, name=name, value=value
            )
    yield from state.quotas.values()
    if state.producer_ids_record is not None:
        yield state.producer_ids_record
    yield from state.acls.values()
    yield from state.scram_credentials.values()
    yield from state.delegation_tokens.values()


def _broker_record(broker: BrokerState) -> RegisterBrokerRecord:
    return RegisterBrokerRecord(
        broker_id=broker.broker_id,
        is_migrating_zk_broker=False,
        incarnation_id=broker.incarnation_id,
        broker_epoch=broker.broker_epoch,
        end_points=[
            BrokerEndpoint(name=e.listener, host=e.host, port=e.port, security_protocol=e.security_protocol)
            for e in broker.endpoints.values()
        ],
        features=[
            BrokerFeature(name=name, min_supported_version=low, max_supported_version=high)
            for name, (low, high) in broker.features.items()
        ],
        rack=broker.rack,
        fenced=broker.fenced,
        in_controlled_shutdown=broker.in_controlled_shutdown,
        log_dirs=broker.log_dirs,
        cordoned_log_dirs=broker.cordoned_log_dirs,
    )


def _partition_record(topic_id: bytes, index: int, partition: PartitionState) -> PartitionRecord:
    return PartitionRecord(
        partition_id=index,
        topic_id=topic_id,
        replicas=list(partition.replicas),
        isr=list(partition.isr),
        removing_replicas=list(partition.removing_replicas),
        adding_replicas=list(partition.adding_replicas),
        leader=partition.leader,
        leader_recovery_state=partition.leader_recovery_state,
        leader_epoch=partition.leader_epoch,
        partition_epoch=partition.partition_epoch,
        directories=list(partition.directories),
        eligible_leader_replicas=list(partition.eligible_leader_replicas) or None,
        last_known_elr=list(partition.last_known_elr) or None,
    )
