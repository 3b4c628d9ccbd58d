"""The partitions this broker has, kept in step with the published metadata.

Metadata says what should be; this makes it so: creates logs, removes them, lets each partition lead or
follow, changes settings. A log that the metadata does not know at start was left by a deleted topic: it goes.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from riverlog.base.broker_configs import PRODUCER_ID_EXPIRATION_MS
from riverlog.base.config import TOPIC_CONFIGS
from riverlog.base.errors import ErrorCode
from riverlog.base.metric_table import BYTES_IN, BYTES_OUT, MESSAGES_IN
from riverlog.broker.follower_polls import FollowerPolls
from riverlog.broker.isr_changes import IsrChanges
from riverlog.broker.refused_batches import RefusedBatches
from riverlog.broker.replica_fetchers import ReplicaFetchers
from riverlog.broker.replication_throttles import ReplicationThrottles
from riverlog.broker.scrubber import Scrubber
from riverlog.env import StorageError
from riverlog.metadata.image import (
    BROKER_RESOURCE,
    INTERNAL_TOPICS,
    TOPIC_RESOURCE,
    PartitionState,
    TopicState,
)
from riverlog.metadata.records import supports_directories
from riverlog.replication import NO_LEADER, POLICY, Partition, validation_of
from riverlog.storage import Log, LogConfig, LogDir, LogError
from riverlog.storage.moving import drop_rivals

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker


logger = logging.getLogger("riverlog.broker")

_BROKER_RECORDS = frozenset(
    {
        "RegisterBrokerRecord",
        "UnregisterBrokerRecord",
        "FenceBrokerRecord",
        "UnfenceBrokerRecord",
        "BrokerRegistrationChangeRecord",
    }
)


class Replicas:
    """Partitions by topic name and index."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self.policy = POLICY
        """Of partitions to come; a simulation puts a wrong one here."""
        self.throttles = ReplicationThrottles(broker)
        self.isr_changes = IsrChanges(broker)
        self.fetchers = ReplicaFetchers(broker)
        self.follower_polls = FollowerPolls()
        self.scrubber = Scrubber(broker)
        self.refused = RefusedBatches(broker)
        self.topic_waiters: dict[int, Callable[[], None]] = {}
        """Requests that wait for new topics; told when the metadata changed."""
        self._topics: dict[str, dict[int, Partition]] = {}
        self._names: dict[bytes, str] = {}
        self._by_log: dict[Log, Partition] = {}
        self._last_config: tuple[int, str, LogConfig] | None = None
        """Generation of the image, topic, and what was found: a topic's partitions come one after another."""

    # -- reading -------------------------------------------------------------------------

    def name_of(self, topic_id: bytes) -> str | None:
        return self._names.get(topic_id)

    def get(self, topic: str | None, index: int) -> Partition | ErrorCode:
        """The partition, whatever its role here, or why there is none to serve."""
        partitions = self._topics.get(topic)  # type: ignore[arg-type]
        partition = None if partitions is None else partitions.get(index)
        if partition is not None:
            return partition if partition.log.offline is None else ErrorCode.KAFKA_STORAGE_ERROR
        state = None if topic is None else self._broker.metadata.image.partition(topic, index)
        if state is None:
            return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        if self._broker.node_id not in state.replicas:
            return ErrorCode.NOT_LEADER_OR_FOLLOWER
        return ErrorCode.KAFKA_STORAGE_ERROR  # it should be here, but its folder does not serve

    def led(self, topic: str | None, index: int) -> Partition | ErrorCode:
        """The partition, if this node leads it."""
        partition = self.get(topic, index)
        if isinstance(partition, ErrorCode) or partition.is_leader:
            return partition
        return ErrorCode.NOT_LEADER_OR_FOLLOWER

    def is_offline_here(self, topic: str, index: int) -> bool:
        """Whether this node has a replica of it that does not serve."""
        return self.get(topic, index) is ErrorCode.KAFKA_STORAGE_ERROR

    def all(self) -> Iterator[Partition]:
        for partitions in self._topics.values():
            yield from partitions.values()

    def in_folder(self, log_dir: LogDir) -> Iterator[Partition]:
        return (partition for partition in self.all() if partition.log.log_dir == log_dir.path)

    # -- following the metadata ----------------------------------------------------------

    def load(self) -> None:
        """At start: everything the image has."""
        for topic in self._broker.metadata.image.topics.values():
            self._reconcile(topic, topic.partitions)
        known = {(p.topic, p.index) for p in self.all()}
        for key, log in list(self._broker.logs.logs.items()):
            if key not in known:
                self._settle_stray(log)
        drop_rivals(self._broker.logs)
        self.isr_changes.start()
        self.scrubber.start()

    def reset(self) -> None:
        """A snapshot replaced the image: compare everything."""
        image = self._broker.metadata.image
        self._last_config = None
        self._broker.load_dynamic_config()
        for topic_id in list(self._names):
            if topic_id not in image.topics_by_id:
                self._remove(topic_id)
        for topic in image.topics.values():
            self._reconcile(topic, topic.partitions)
            self._set_config(topic.name)
        self._brokers_changed()
        self._applied()

    def apply(self, records: Sequence[Any]) -> None:
        """Committed records: look again at the partitions and settings they name."""
        image = self._broker.metadata.image
        changed: dict[bytes, dict[int, None]] = {}
        brokers_changed = False
        for record in records:
            topic_id = getattr(record, "topic_id", None)
            if topic_id is not None:
                index = getattr(record, "partition_id", None)
                found = changed.setdefault(topic_id, {})
                if index is not None:
                    found[index] = None
                continue
            name = type(record).__name__
            if name == "ConfigRecord":
                self._config_changed(record.resource_type, record.resource_name)
            elif name in _BROKER_RECORDS:
                brokers_changed = True
        for topic_id, indexes in changed.items():
            topic = image.topics_by_id.get(topic_id)
            if topic is None:
                self._remove(topic_id)
            else:
                self._reconcile(topic, indexes)
        if brokers_changed:
            self._brokers_changed()
        self._applied()

    def _brokers_changed(self) -> None:
        self.fetchers.brokers_changed()
        is_alive = self._broker.metadata.image.broker_is_active
        for partition in self.all():
            if partition.is_leader and partition.in_sync.followers:
                partition.brokers_changed(is_alive)

    def _applied(self) -> None:
        for look in list(self.topic_waiters.values()):
            look()
        self._broker.run_look_again()

    def stop(self) -> None:
        """Nothing is fetched or proposed any more."""
        self.scrubber.stop()
        self.isr_changes.stop()
        self.fetchers.stop()

    def _reconcile(self, topic: TopicState, indexes: dict[int, Any]) -> None:
        node_id = self._broker.node_id
        self._names[topic.topic_id] = topic.name
        partitions = self._topics.setdefault(topic.name, {})
        for index in indexes:
            state = topic.partitions.get(index)
            partition = partitions.get(index)
            if state is None:
                continue
            if node_id not in state.replicas:
                if partition is not None:
                    del partitions[index]
                    self._drop(partition, ErrorCode.NOT_LEADER_OR_FOLLOWER)
                continue
            if partition is None:
                partition = self._create(topic, index, state)
            if partition is None or partition.log.offline is not None:
                continue
            if not self.must_leave_first(partition.log, state):
                self._adopt(partition, state)
                self._repair_if_out(partition, state)

    def must_leave_first(self, log: Log, state: PartitionState) -> bool:
        """RULES: recovery. A replica that lost what was durable neither leads nor follows before the
        controller took it out of ISR and ELR (``assignments.py`` tells it): else it may be elected as it is.

        What is suspect past the recovery point does not count: a power cut may have torn it everywhere.
        """
        if not log.needs_acceptance or len(state.replicas) == 1:
            return False
        node_id = self._broker.node_id
        counts = node_id in state.isr or node_id in state.eligible_leader_replicas
        return counts and supports_directories(self._broker.metadata.image.metadata_version)

    def repair(self, partition: Partition, offset: int) -> None:
        """A follower's log is corrupt from ``offset`` on: it has to leave the in-sync set.

        Where our image has it outside already it may be old: the leader may have taken the replica in since,
        and count on it. Then it follows on, and the scrubber's next round finds it in the set.
        """
        state = self._broker.metadata.image.partition(partition.topic, partition.index)
        if state is not None and self._broker.node_id in state.isr:
            self.fetchers.repair(partition, offset)

    def _repair_if_out(self, partition: Partition, state: PartitionState) -> None:
        """A corrupt replica is cut once nobody counts on what it has."""
        node_id = self._broker.node_id
        if not self.fetchers.is_under_repair(partition) or partition.is_leader or node_id in state.isr:
            return
        if node_id in state.eligible_leader_replicas:
            # Too few others are in sync: it may yet have to lead. The scrubber's next round tries again.
            self.fetchers.give_up_repair(partition)
        else:
            self.fetchers.left_in_sync_set(partition)

    def _adopt(self, partition: Partition, state: PartitionState) -> None:
        """Let the partition lead or follow, as the metadata says."""
        broker = self._broker
        was_leader = partition.is_leader
        if state.leader == broker.node_id:
            if not was_leader:
                self.fetchers.remove(partition)
            epoch, now = partition.leader_epoch, broker.clock.monotonic()
            try:
                partition.become_leader(state, now=now)
            except LogError as error:
                logger.error("%s-%d cannot be led: %s", partition.topic, partition.index, error)
                return
            if partition.leader_epoch > epoch:
                self.follower_polls.elected(partition.in_sync.followers, now)
            if not was_leader and partition.is_leader:
                broker.coordinators.elected(partition)
        elif partition.become_follower(state):
            if was_leader:
                broker.coordinators.resigned(partition)
            self._follow(partition)

    def _follow(self, partition: Partition) -> None:
        log = partition.log
        if log.suspect or log.needs_acceptance:
            # RULES: recovery. What is left lies before the suspect batch; the rest comes from the leader.
            logger.warning("%s-%d is fetched again from %d on", log.topic, log.partition, log.log_end_offset)
            try:
                log.accept_loss()
            except StorageError as error:
                if log.on_failure is not None:
                    log.on_failure(log, error)
                return
        if partition.leader_id == NO_LEADER:
            self.fetchers.remove(partition)
        else:
            self.fetchers.follow(partition)

    def _create(self, topic: TopicState, index: int, state: PartitionState) -> Partition | None:
        try:
            log = self._broker.logs.create(
                topic.name, index, topic_id=topic.topic_id, log_dir=self._assigned_dir(state)
            )
        except LogError as error:
            logger.error("%s-%d cannot be created: %s", topic.name, index, error)
            return None
        # A folder found at start was opened before the topic's settings were known.
        log.set_config(self.log_config(topic.name))
        partition = Partition(
            topic=topic.name,
            topic_id=topic.topic_id,
            index=index,
            log=log,
            internal=topic.internal,
            metrics=self._broker.metrics,
            node_id=self._broker.node_id,
            policy=self.policy,
        )
        self.refused.claim(log, topic.topic_id)
        self._topics[topic.name][index] = partition
        self._by_log[log] = partition
        return partition

    def _assigned_dir(self, state: PartitionState) -> LogDir | None:
        """The directory that the metadata names for our replica, if it is here and serves (KIP-858)."""
        at = state.replicas.index(self._broker.node_id)
        wanted = state.directories[at] if at < len(state.directories) else None
        ids = self._broker.metadata.directory_ids
        for log_dir in self._broker.logs.log_dirs:
            if log_dir.is_online and wanted is not None and ids.get(log_dir.path) == wanted:
                return log_dir
        return None

    def _settle_stray(self, log: Log) -> None:
        """A replica whose topic was deleted, or that was taken from us, while we were away goes."""
        if log.offline is not None:
            return
        image = self._broker.metadata.image
        try:
            topic_id = log.topic_id
        except StorageError as error:
            if log.on_failure is not None:
                log.on_failure(log, error)
            return
        if topic_id is None and log.log_end_offset > 0:
            logger.warning("%s says nothing of its topic and is left alone", log.folder)
            return
        topic = image.topics_by_id.get(topic_id or b"")
        state = None if topic is None else topic.partitions.get(log.partition)
        if state is not None and self._broker.node_id in state.replicas:
            return  # it could not be opened for another reason
        why = "its topic is gone" if state is None else "it is not assigned to this broker any more"
        logger.warning("%s-%d: %s; removed", log.topic, log.partition, why)
        self._broker.logs.delete(log)

    def _remove(self, topic_id: bytes) -> None:
        name = self._names.pop(topic_id, None)
        if name is None:
            return
        for partition in self._topics.pop(name, {}).values():
            self._drop(partition, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        self.throttles.forget(name)
        self._broker.coordinators.topic_deleted(name, topic_id)
        for row in (MESSAGES_IN, BYTES_IN, BYTES_OUT):
            self._broker.metrics[row].remove(name)

    def _drop(self, partition: Partition, error: ErrorCode) -> None:
        """The partition is not ours any more: its log goes."""
        was_leader, partition.is_leader = partition.is_leader, False
        self.fetchers.forget(partition)
        del self._by_log[partition.log]
        self._broker.logs.delete(partition.log)
        partition.fail_waiters(error)
        if was_leader:
            self._broker.coordinators.resigned(partition)

    # -- settings ------------------------------------------------------------------------

    def log_config(self, topic: str) -> LogConfig:
        broker = self._broker
        image = broker.metadata.image
        last = self._last_config
        if last is not None and last[0] == image.generation and last[1] == topic:
            return last[2]
        config = broker.config.topic(image.topic_config(topic), internal=topic in INTERNAL_TOPICS)
        values: dict[str, object] = {name: config[row] for name, row in TOPIC_CONFIGS.items()}
        values["segment.bytes"] = config.segment_bytes
        values["producer.id.expiration.ms"] = broker.config[PRODUCER_ID_EXPIRATION_MS]
        found = LogConfig.from_values(values)
        self.throttles.load(topic, config)
        self._last_config = (image.generation, topic, found)
        return found

    def _config_changed(self, resource_type: int, name: str) -> None:
        self._last_config = None
        if resource_type == TOPIC_RESOURCE:
            self._set_config(name)
        elif resource_type == BROKER_RESOURCE:
            self._broker.load_dynamic_config()
            for topic in self._topics:
                self._set_config(topic)

    def _set_config(self, topic: str) -> None:
        partitions = self._topics.get(topic)
        if not partitions:
            return
        config = self.log_config(topic)
        validation = validation_of(config)
        for partition in partitions.values():
            partition.log.set_config(config)
            partition.validation = validation
            partition.advance()

    # -- from storage --------------------------------------------------------------------

    def durable(self, log: Log) -> None:
        """A group commit of this log is done."""
        partition = self._by_log.get(log)
        if partition is not None:
            partition.durable()
            if not partition.is_leader:
                self.fetchers.durable(partition)
            self._broker.run_look_again()

    def moved(self, partition: Partition, log: Log) -> None:
        """The partition's log is in another directory now."""
        del self._by_log[partition.log]
        partition.log = log
        self._by_log[log] = partition
        partition.durable()
        if not partition.is_leader:
            self.fetchers.durable(partition)
        self._broker.run_look_again()

    def folder_failed(self, _log_dir: LogDir, logs: Sequence[Log], _error: StorageError) -> None:
        """A log folder went offline with these logs."""
        for log in logs:
            partition = self._by_log.get(log)
            if partition is not None:
                self.fetchers.remove(partition)
                partition.fail_waiters(ErrorCode.KAFKA_STORAGE_ERROR)
                self._broker.coordinators.failed(partition)
        self._broker.run_look_again()
