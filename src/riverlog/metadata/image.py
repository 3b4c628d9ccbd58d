"""The cluster as the metadata log tells it. Only ``replay`` changes it.

Two live in a node: the controller's, replayed when a record is appended, and the published one,
replayed when the record is committed (RULES: coordinators and controller).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from typing import Any

from riverlog.metadata.records import (
    METADATA_VERSION_FEATURE,
    METADATA_VERSION_MIN,
    TRANSACTION_VERSION_FEATURE,
    MetadataRecord,
)

NO_LEADER = -1
LEADER_UNCHANGED = -2

TOPIC_RESOURCE = 2
BROKER_RESOURCE = 4
GROUP_RESOURCE = 32

INTERNAL_TOPICS = frozenset({"__consumer_offsets", "__transaction_state", "__share_group_state"})
METADATA_TOPIC = "__cluster_metadata"

_NOTHING: Mapping[str, str] = {}


class ReplayError(Exception):
    """A record that does not fit what came before it."""


class BrokerEndpoint:
    __slots__ = ("host", "listener", "port", "security_protocol")

    def __init__(self, listener: str, host: str, port: int, security_protocol: int) -> None:
        self.listener = listener
        self.host = host
        self.port = port
        self.security_protocol = security_protocol


class BrokerState:
    """One registered broker."""

    __slots__ = (
        "broker_epoch",
        "broker_id",
        "cordoned_log_dirs",
        "endpoints",
        "features",
        "fenced",
        "in_controlled_shutdown",
        "incarnation_id",
        "log_dirs",
        "rack",
    )

    def __init__(self, record: Any) -> None:
        self.broker_id: int = record.broker_id
        self.broker_epoch: int = record.broker_epoch
        self.incarnation_id: bytes = record.incarnation_id
        self.endpoints = {
            e.name: BrokerEndpoint(e.name, e.host, e.port, e.security_protocol) for e in record.end_points
        }
        self.features: dict[str, tuple[int, int]] = {
            f.name: (f.min_supported_version, f.max_supported_version) for f in record.features
        }
        self.rack: str | None = record.rack
        self.fenced: bool = record.fenced
        self.in_controlled_shutdown: bool = record.in_controlled_shutdown
        self.log_dirs: list[bytes] = list(record.log_dirs)
        self.cordoned_log_dirs: list[bytes] | None = record.cordoned_log_dirs

    @property
    def active(self) -> bool:
        """Whether it may lead and be in-sync."""
        return not self.fenced and not self.in_controlled_shutdown


class PartitionState:
    """One partition. Equal tuples are shared between partitions."""

    __slots__ = (
        "adding_replicas",
        "directories",
        "eligible_leader_replicas",
        "isr",
        "last_known_elr",
        "leader",
        "leader_epoch",
        "leader_recovery_state",
        "partition_epoch",
        "removing_replicas",
        "replicas",
    )

    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    removing_replicas: tuple[int, ...]
    adding_replicas: tuple[int, ...]
    eligible_leader_replicas: tuple[int, ...]
    last_known_elr: tuple[int, ...]
    directories: tuple[bytes, ...]
    leader: int
    leader_epoch: int
    partition_epoch: int
    leader_recovery_state: int


def _tuple(items: list[Any] | None) -> tuple[Any, ...]:
    return tuple(items) if items else ()


def changed_partition(
    old: PartitionState, record: Any, share: Callable[[list[Any] | None], tuple[Any, ...]] = _tuple
) -> PartitionState:
    """The partition after a PartitionChangeRecord. A new object: readers may hold the old one."""

    def pick(new: list[Any] | None, before: tuple[Any, ...]) -> tuple[Any, ...]:
        return before if new is None else share(new)

    new = PartitionState()
    new.replicas = pick(record.replicas, old.replicas)
    new.isr = pick(record.isr, old.isr)
    new.removing_replicas = pick(record.removing_replicas, old.removing_replicas)
    new.adding_replicas = pick(record.adding_replicas, old.adding_replicas)
    new.eligible_leader_replicas = pick(record.eligible_leader_replicas, old.eligible_leader_replicas)
    new.last_known_elr = pick(record.last_known_elr, old.last_known_elr)
    new.directories = pick(record.directories, old.directories)
    changed = record.leader != LEADER_UNCHANGED
    new.leader = record.leader if changed else old.leader
    new.leader_epoch = old.leader_epoch + 1 if changed else old.leader_epoch
    new.partition_epoch = old.partition_epoch + 1
    recovery = record.leader_recovery_state
    new.leader_recovery_state = old.leader_recovery_state if recovery < 0 else recovery
    return new


class TopicState:
    __slots__ = ("name", "partitions", "topic_id")

    def __init__(self, name: str, topic_id: bytes) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partitions: dict[int, PartitionState] = {}

    @property
    def internal(self) -> bool:
        return self.name in INTERNAL_TOPICS


def collision_name(topic: str) -> str:
    """Names that differ only in ``.`` and ``_`` collide in metric names, so Kafka takes only one."""
    return topic.replace(".", "_")


class ClusterState:
    """Topics, brokers, settings, features: what Metadata, DescribeConfigs and decisions read."""

    __slots__ = (
        "_shared",
        "acls",
        "brokers",
        "collisions",
        "configs",
        "controllers",
        "delegation_tokens",
        "features",
        "generation",
        "next_producer_id",
        "partition_count",
        "producer_ids_record",
        "quotas",
        "scram_credentials",
        "topics",
        "topics_by_id",
    )

    def __init__(self) -> None:
        self.topics: dict[str, TopicState] = {}
        self.topics_by_id: dict[bytes, TopicState] = {}
        self.collisions: dict[str, dict[str, None]] = {}
        self.partition_count = 0
        self.brokers: dict[int, BrokerState] = {}
        self.controllers: dict[int, Any] = {}
        self.configs: dict[tuple[int, str], dict[str, str]] = {}
        self.features: dict[str, int] = {}
        self.next_producer_id = 0
        self.producer_ids_record: Any = None
        # Kept as they came, so that a snapshot we write loses nothing of a Kafka folder.
        self.acls: dict[bytes, Any] = {}
        self.quotas: dict[tuple[tuple[tuple[str, str | None], ...], str], Any] = {}
        self.scram_credentials: dict[tuple[str, int], Any] = {}
        self.delegation_tokens: dict[str, Any] = {}
        self.generation = 0
        """Grows with every record: what is derived from the state can be cached under it."""
        self._shared: dict[tuple[Any, ...], tuple[Any, ...]] = {}

    # -- reading -------------------------------------------------------------------------

    @property
    def metadata_version(self) -> int:
        return self.features.get(METADATA_VERSION_FEATURE, METADATA_VERSION_MIN)

    @property
    def transaction_version(self) -> int:
        return self.features.get(TRANSACTION_VERSION_FEATURE, 0)

    def partition(self, topic: str, index: int) -> PartitionState | None:
        found = self.topics.get(topic)
        return None if found is None else found.partitions.get(index)

    def partitions(self) -> Iterator[tuple[TopicState, int, PartitionState]]:
        for topic in self.topics.values():
            for index, partition in topic.partitions.items():
                yield topic, index, partition

    def config(self, resource_type: int, name: str) -> Mapping[str, str]:
        """The dynamic settings of a topic, a broker or (empty name) the cluster's default."""
        return self.configs.get((resource_type, name), _NOTHING)

    def topic_config(self, topic: str) -> Mapping[str, str]:
        return self.configs.get((TOPIC_RESOURCE, topic), _NOTHING)

    def broker_is_active(self, broker_id: int) -> bool:
        broker = self.brokers.get(broker_id)
        return broker is not None and broker.active

    def copy(self) -> ClusterState:
        """An independent state. What is never changed in place (partitions, records) is shared."""
        new = ClusterState()
        for name, topic in self.topics.items():
            copied = TopicState(name, topic.topic_id)
            copied.partitions = topic.partitions.copy()
            new.topics[name] = new.topics_by_id[topic.topic_id] = copied
        new.collisions = {name: found.copy() for name, found in self.collisions.items()}
        new.partition_count = self.partition_count
        new.brokers = {broker_id: copy(broker) for broker_id, broker in self.brokers.items()}
        new.controllers = self.controllers.copy()
        new.configs = {key: values.copy() for key, values in self.configs.items()}
        new.features = self.features.copy()
        new.next_producer_id = self.next_producer_id
        new.producer_ids_record = self.producer_ids_record
        new.acls = self.acls.copy()
        new.quotas = self.quotas.copy()
        new.scram_credentials = self.scram_credentials.copy()
        new.delegation_tokens = self.delegation_tokens.copy()
        new.generation = self.generation
        new._shared = self._shared
        return new

    # -- replaying -----------------------------------------------------------------------

    def replay(self, record: MetadataRecord) -> None:
        """Apply one record. Raises ``ReplayError`` if it does not fit."""
        self.generation += 1
        _REPLAY[type(record).__name__](self, record)

    def _share(self, items: list[Any] | None) -> tuple[Any, ...]:
        key = tuple(items) if items else ()
        return self._shared.setdefault(key, key)

    def _topic_of(self, record: Any) -> TopicState:
        topic = self.topics_by_id.get(record.topic_id)
        if topic is None:
            raise ReplayError(f"{type(record).__name__} for a topic id that does not exist")
        return topic

    def _topic(self, record: Any) -> None:
        if record.name in self.topics or record.topic_id in self.topics_by_id:
            raise ReplayError(f"topic {record.name} is created twice")
        topic = TopicState(record.name, record.topic_id)
        self.topics[record.name] = self.topics_by_id[record.topic_id] = topic
        if "." in record.name or "_" in record.name:
            self.collisions.setdefault(collision_name(record.name), {})[record.name] = None

    def _partition(self, record: Any) -> None:
        topic = self._topic_of(record)
        partition = PartitionState()
        partition.replicas = self._share(record.replicas)
        partition.isr = self._share(record.isr)
        partition.removing_replicas = self._share(record.removing_replicas)
        partition.adding_replicas = self._share(record.adding_replicas)
        partition.eligible_leader_replicas = self._share(record.eligible_leader_replicas)
        partition.last_known_elr = self._share(record.last_known_elr)
        partition.directories = self._share(record.directories)
        partition.leader = record.leader
        partition.leader_epoch = record.leader_epoch
        partition.partition_epoch = record.partition_epoch
        partition.leader_recovery_state = record.leader_recovery_state
        if record.partition_id not in topic.partitions:
            self.partition_count += 1
        topic.partitions[record.partition_id] = partition

    def _partition_change(self, record: Any) -> None:
        topic = self._topic_of(record)
        old = topic.partitions.get(record.partition_id)
        if old is None:
            raise ReplayError(f"change of {topic.name}-{record.partition_id}, which does not exist")
        topic.partitions[record.partition_id] = changed_partition(old, record, self._share)

    def _remove_topic(self, record: Any) -> None:
        topic = self._topic_of(record)
        del self.topics[topic.name]
        del self.topics_by_id[topic.topic_id]
        self.partition_count -= len(topic.partitions)
        self.configs.pop((TOPIC_RESOURCE, topic.name), None)
        unified = collision_name(topic.name)
        colliding = self.collisions.get(unified, {})
        colliding.pop(topic.name, None)
        if not colliding:
            self.collisions.pop(unified, None)

    def _config(self, record: Any) -> None:
        key = (record.resource_type, record.resource_name)
        values = self.configs.setdefault(key, {})
        if record.value is None:
            values.pop(record.name, None)
        else:
            values[record.name] = record.value
        if not values:
            del self.configs[key]

    def _register_broker(self, record: Any) -> None:
        self.brokers[record.broker_id] = BrokerState(record)

    def _broker_of(self, record: Any, broker_id: int, epoch: int) -> BrokerState:
        broker = self.brokers.get(broker_id)
        if broker is None or broker.broker_epoch != epoch:
            raise ReplayError(
                f"{type(record).__name__} for broker {broker_id}, epoch {epoch}: not registered"
            )
        return broker

    def _unregister_broker(self, record: Any) -> None:
        self._broker_of(record, record.broker_id, record.broker_epoch)
        del self.brokers[record.broker_id]

    def _fence_broker(self, record: Any) -> None:
        self._broker_of(record, record.id, record.epoch).fenced = True

    def _unfence_broker(self, record: Any) -> None:
        self._broker_of(record, record.id, record.epoch).fenced = False

    def _broker_change(self, record: Any) -> None:
        broker = self._broker_of(record, record.broker_id, record.broker_epoch)
        if record.fenced:
            broker.fenced = record.fenced > 0
        if record.in_controlled_shutdown:
            broker.in_controlled_shutdown = True
        if record.log_dirs:
            broker.log_dirs = list(record.log_dirs)
        if record.cordoned_log_dirs is not None:
            broker.cordoned_log_dirs = list(record.cordoned_log_dirs)

    def _feature_level(self, record: Any) -> None:
        if record.feature_level:
            self.features[record.name] = record.feature_level
        else:
            self.features.pop(record.name, None)

    def _producer_ids(self, record: Any) -> None:
        if record.next_producer_id <= self.next_producer_id and self.producer_ids_record is not None:
            raise ReplayError(f"producer ids go back to {record.next_producer_id}")
        self.next_producer_id = record.next_producer_id
        self.producer_ids_record = record

    def _register_controller(self, record: Any) -> None:
        self.controllers[record.controller_id] = record

    def _clear_elr(self, record: Any) -> None:
        if record.topic_name and record.topic_name not in self.topics:
            raise ReplayError(f"ClearElrRecord for {record.topic_name}, which does not exist")
        topics = [self.topics[record.topic_name]] if record.topic_name else list(self.topics.values())
        for topic in topics:
            for index, old in topic.partitions.items():
                topic.partitions[index] = new = copy(old)
                new.eligible_leader_replicas = ()
                new.last_known_elr = ()

    def _access_control_entry(self, record: Any) -> None:
        self.acls[record.id] = record

    def _remove_access_control_entry(self, record: Any) -> None:
        if self.acls.pop(record.id, None) is None:
            raise ReplayError("removal of an ACL that does not exist")

    def _client_quota(self, record: Any) -> None:
        key = (tuple(sorted((e.entity_type, e.entity_name) for e in record.entity)), record.key)
        if record.remove:
            self.quotas.pop(key, None)
        else:
            self.quotas[key] = record

    def _scram_credential(self, record: Any) -> None:
        self.scram_credentials[record.name, record.mechanism] = record

    def _remove_scram_credential(self, record: Any) -> None:
        self.scram_credentials.pop((record.name, record.mechanism), None)

    def _delegation_token(self, record: Any) -> None:
        self.delegation_tokens[record.token_id] = record

    def _remove_delegation_token(self, record: Any) -> None:
        self.delegation_tokens.pop(record.token_id, None)

    def _nothing(self, record: Any) -> None:
        """No-ops, the end of a migration from ZooKeeper, of a transaction that was never replayed."""


_REPLAY: dict[str, Callable[[ClusterState, Any], None]] = {
    "RegisterBrokerRecord": ClusterState._register_broker,
    "UnregisterBrokerRecord": ClusterState._unregister_broker,
    "TopicRecord": ClusterState._topic,
    "PartitionRecord": ClusterState._partition,
    "ConfigRecord": ClusterState._config,
    "PartitionChangeRecord": ClusterState._partition_change,
    "FenceBrokerRecord": ClusterState._fence_broker,
    "UnfenceBrokerRecord": ClusterState._unfence_broker,
    "RemoveTopicRecord": ClusterState._remove_topic,
    "DelegationTokenRecord": ClusterState._delegation_token,
    "UserScramCredentialRecord": ClusterState._scram_credential,
    "FeatureLevelRecord": ClusterState._feature_level,
    "ClientQuotaRecord": ClusterState._client_quota,
    "ProducerIdsRecord": ClusterState._producer_ids,
    "BrokerRegistrationChangeRecord": ClusterState._broker_change,
    "AccessControlEntryRecord": ClusterState._access_control_entry,
    "RemoveAccessControlEntryRecord": ClusterState._remove_access_control_entry,
    "NoOpRecord": ClusterState._nothing,
    "ZkMigrationStateRecord": ClusterState._nothing,
    "AbortTransactionRecord": ClusterState._nothing,
    "RemoveUserScramCredentialRecord": ClusterState._remove_scram_credential,
    "RemoveDelegationTokenRecord": ClusterState._remove_delegation_token,
    "RegisterControllerRecord": ClusterState._register_controller,
    "ClearElrRecord": ClusterState._clear_elr,
}
