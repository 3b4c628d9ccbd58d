"""What a new ``min.insync.replicas`` means for eligible leader replicas (KIP-966).

An eligible replica has all that was ever readable only because the watermark stood still below the old
value. So with the setting, in the same batch:

- a lower one ends the eligibility where there is a leader, since its watermark may move now. Where there is
  none nothing moves: the next election settles it.
- every partition gets a new partition epoch: an ISR proposed under the old value is refused, and the leader
  learns the new epoch only together with the new value.
- the default is kept in the metadata log or nowhere (Kafka's rule): a broker's own value could be lower.
"""

from __future__ import annotations

from collections.abc import Mapping

from riverlog.base import broker_configs_log, topic_configs
from riverlog.base.config import BrokerConfig
from riverlog.base.errors import ErrorCode
from riverlog.metadata.controller import Refused
from riverlog.metadata.image import (
    BROKER_RESOURCE,
    GROUP_RESOURCE,
    NO_LEADER,
    TOPIC_RESOURCE,
    ClusterState,
    PartitionState,
    TopicState,
)
from riverlog.metadata.records import MetadataRecord, supports_elr
from riverlog.protocol.generated.config_record import ConfigRecord
from riverlog.protocol.generated.partition_change_record import PartitionChangeRecord

KEY = topic_configs.MIN_INSYNC_REPLICAS.name


def check_min_isr(state: ClusterState, broker: str, changed: Mapping[str, str | None]) -> None:
    """Raise ``Refused`` for a broker's own value, and for taking the cluster's default away."""
    if KEY not in changed or not supports_elr(state.features):
        return
    value = changed[KEY]
    if broker and value is not None:
        message = f"Broker-level {KEY} cannot be altered while ELR is enabled."
        raise Refused(ErrorCode.INVALID_CONFIG, message)
    if not broker and value is None and KEY in state.config(BROKER_RESOURCE, ""):
        message = f"Cluster-level {KEY} cannot be removed while ELR is enabled."
        raise Refused(ErrorCode.INVALID_CONFIG, message)


def min_isr_changes(
    state: ClusterState, resource_type: int, name: str, new: Mapping[str, str]
) -> list[MetadataRecord]:
    """For the resource whose settings become ``new``."""
    if resource_type == GROUP_RESOURCE or (resource_type == BROKER_RESOURCE and name):
        return []
    if not supports_elr(state.features):
        return []
    before = _parsed(state.config(BROKER_RESOURCE, "").get(KEY), topic_configs.MIN_INSYNC_REPLICAS.default)
    after = before
    if resource_type == BROKER_RESOURCE:
        after = _parsed(new.get(KEY), topic_configs.MIN_INSYNC_REPLICAS.default)
        topics = [topic for topic in state.topics.values() if KEY not in state.topic_config(topic.name)]
    else:
        topics = [state.topics[name]]
    records: list[MetadataRecord] = []
    for topic in topics:
        was, will = before, after
        if resource_type == TOPIC_RESOURCE:
            was = _parsed(state.topic_config(topic.name).get(KEY), before)
            will = _parsed(new.get(KEY), after)
        for index, partition in topic.partitions.items():
            factor = len(partition.replicas)
            if min(was, factor) != min(will, factor):
                records.append(_changed(topic, index, partition, lower=will < was))
    return records


def _parsed(text: str | None, default: int) -> int:
    return default if text is None else topic_configs.MIN_INSYNC_REPLICAS.parse(text)


def _changed(
    topic: TopicState, index: int, partition: PartitionState, *, lower: bool
) -> PartitionChangeRecord:
    change = PartitionChangeRecord(topic_id=topic.topic_id, partition_id=index)
    if lower and partition.leader != NO_LEADER and partition.eligible_leader_replicas:
        change.eligible_leader_replicas = []
    return change


# -- turning the feature on and off --------------------------------------------------------


def first_min_isr(config: BrokerConfig) -> list[MetadataRecord]:
    """The default of a new cluster, where a file says another than Kafka's: from now on the log has it."""
    default = config[broker_configs_log.MIN_INSYNC_REPLICAS]
    return [] if default == topic_configs.MIN_INSYNC_REPLICAS.default else [_default_record(default)]


def _default_record(default: int) -> ConfigRecord:
    return ConfigRecord(resource_type=BROKER_RESOURCE, resource_name="", name=KEY, value=str(default))


def elr_enabled(state: ClusterState, default: int) -> list[MetadataRecord]:
    """The cluster's default goes into the metadata log, brokers' own values go away.

    Leaders may have gone by other values: what they propose before they have read this is refused.
    """
    records: list[MetadataRecord] = []
    for (resource_type, name), values in state.configs.items():
        if resource_type == BROKER_RESOURCE and name and KEY in values:
            records.append(
                ConfigRecord(resource_type=BROKER_RESOURCE, resource_name=name, name=KEY, value=None)
            )
    if KEY not in state.config(BROKER_RESOURCE, ""):
        records.append(_default_record(default))
    records += [
        PartitionChangeRecord(topic_id=topic.topic_id, partition_id=index)
        for topic, index, partition in state.partitions()
        if len(partition.replicas) > 1
    ]
    return records


def elr_disabled(state: ClusterState) -> list[MetadataRecord]:
    """Nobody is eligible any more. Where nobody is in sync either, those who were are again."""
    return [
        PartitionChangeRecord(
            topic_id=topic.topic_id,
            partition_id=index,
            isr=None if partition.isr else list(partition.eligible_leader_replicas),
            eligible_leader_replicas=[],
        )
        for topic, index, partition in state.partitions()
        if partition.eligible_leader_replicas
    ]
