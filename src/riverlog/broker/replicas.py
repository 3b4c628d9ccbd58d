"""The partitions this broker has, kept in step with the published metadata.

Metadata says what should be; this makes it so: creates logs, removes them, changes epochs and
settings. A log that no metadata knows is left alone and reported.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from riverlog.base.config import TOPIC_CONFIGS
from riverlog.base.errors import ErrorCode
from riverlog.base.metric_table import BYTES_IN, BYTES_OUT, MESSAGES_IN
from riverlog.env import StorageError
from riverlog.metadata.image import (
    BROKER_RESOURCE,
    INTERNAL_TOPICS,
    TOPIC_RESOURCE,
    PartitionState,
    TopicState,
)
from riverlog.replication import Partition, validation_of
from riverlog.storage import Log, LogConfig, LogDir, LogError

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker


logger = logging.getLogger("riverlog.broker")


class Replicas:
    """Partitions by topic name and index."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._topics: dict[str, dict[int, Partition]] = {}
        self._names: dict[bytes, str] = {}
        self._by_log: dict[Log, Partition] = {}
        self._last_config: tuple[int, str, LogConfig] | None = None
        """Generation of the image, topic, and what was found: a topic's partitions come one after another."""

    # -- reading -------------------------------------------------------------------------

    def name_of(self, topic_id: bytes) -> str | None:
        return self._names.get(topic_id)

    def get(self, topic: str | None, index: int) -> Partition | ErrorCode:
        """The partition, or why there is none to serve."""
        partitions = self._topics.get(topic)  # type: ignore[arg-type]
        partition = None if partitions is None else partitions.get(index)
        if partition is not None:
            return partition if partition.log.offline is None else ErrorCode.KAFKA_STORAGE_ERROR
        if topic is not None and self._broker.metadata.image.partition(topic, index) is not None:
            return ErrorCode.KAFKA_STORAGE_ERROR  # it exists, but its folder does not serve
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION

    def all(self) -> Iterator[Partition]:
        for partitions in self._topics.values():
            yield from partitions.values()

    def in_folder(self, log_dir: LogDir) -> Iterator[Partition]:
        return (partition for partition in self.all() if partition.log.log_dir == log_dir.path)

    # -- following the metadata ----------------------------------------------------------

    def load(self) -> None:
        """At start: everything the image has."""
        for topic in self._broker.metadata.image.topics.values():
            self._reconcile(topic)
        known = {(p.topic, p.index) for p in self.all()}
        strays = [log for key, log in self._broker.logs.logs.items() if key not in known]
        if strays:
            names = ", ".join(f"{log.topic}-{log.partition}" for log in strays[:5])
            logger.warning("%d folders belong to no topic and are left alone: %s", len(strays), names)

    def apply(self, records: Sequence[Any]) -> None:
        """Committed records: look again at the topics and settings they name."""
        image = self._broker.metadata.image
        topic_ids: dict[bytes, None] = {}
        for record in records:
            topic_id = getattr(record, "topic_id", None)
            if topic_id is not None:
                topic_ids[topic_id] = None
            elif type(record).__name__ == "ConfigRecord":
                self._config_changed(record.resource_type, record.resource_name)
        for topic_id in topic_ids:
            topic = image.topics_by_id.get(topic_id)
            if topic is None:
                self._remove(topic_id)
            else:
                self._reconcile(topic)
        self._broker.run_look_again()

    def _reconcile(self, topic: TopicState) -> None:
        node_id = self._broker.node_id
        self._names[topic.topic_id] = topic.name
        partitions = self._topics.setdefault(topic.name, {})
        for index, state in topic.partitions.items():
            if node_id not in state.replicas:
                continue
            partition = partitions.get(index)
            if partition is None:
                self._create(topic, index, state)
            else:
                partition.set_leader_epoch(state.leader_epoch)

    def _create(self, topic: TopicState, index: int, state: PartitionState) -> None:
        try:
            log = self._broker.logs.create(topic.name, index, topic_id=topic.topic_id)
        except LogError as error:
            logger.error("%s-%d cannot be created: %s", topic.name, index, error)
            return
        partition = Partition(
            topic=topic.name,
            topic_id=topic.topic_id,
            index=index,
            log=log,
            leader_epoch=state.leader_epoch,
            internal=topic.internal,
            metrics=self._broker.metrics,
        )
        self._topics[topic.name][index] = partition
        self._by_log[log] = partition
        self._broker.coordinators.elected(partition)

    def _remove(self, topic_id: bytes) -> None:
        name = self._names.pop(topic_id, None)
        if name is None:
            return
        for partition in self._topics.pop(name, {}).values():
            del self._by_log[partition.log]
            self._broker.logs.delete(partition.log)
            partition.fail_waiters(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
            self._broker.coordinators.resigned(partition)
        self._broker.coordinators.topic_deleted(name, topic_id)
        for row in (MESSAGES_IN, BYTES_IN, BYTES_OUT):
            self._broker.metrics[row].remove(name)

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
        found = LogConfig.from_values(values)
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
            partition.advance()
            self._broker.run_look_again()

    def moved(self, partition: Partition, log: Log) -> None:
        """The partition's log is in another directory now."""
        del self._by_log[partition.log]
        partition.log = log
        self._by_log[log] = partition
        partition.advance()
        self._broker.run_look_again()

    def folder_failed(self, _log_dir: LogDir, logs: Sequence[Log], _error: StorageError) -> None:
        """A log folder went offline with these logs."""
        for log in logs:
            partition = self._by_log.get(log)
            if partition is not None:
                partition.fail_waiters(ErrorCode.KAFKA_STORAGE_ERROR)
                self._broker.coordinators.failed(partition)
        self._broker.run_look_again()
