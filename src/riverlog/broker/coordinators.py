"""The coordinator hosts of this broker, and the internal topics they keep their state in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from riverlog.base import broker_configs_groups as group_configs
from riverlog.base.config import BrokerConfig
from riverlog.base.errors import ErrorCode
from riverlog.coordinator.group.machine import GroupMachine
from riverlog.coordinator.host import Host, Shard
from riverlog.env import Rng
from riverlog.metadata.image import ClusterState
from riverlog.metadata.topics import create_topics
from riverlog.protocol.generated.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from riverlog.protocol.generated.create_topics_response import CreateTopicsResponse
from riverlog.replication import Partition

if TYPE_CHECKING:
    from riverlog.broker.broker import Broker

OFFSETS_TOPIC = "__consumer_offsets"


def creatable_topic(name: str, config: BrokerConfig, image: ClusterState) -> CreatableTopic:
    """How a topic is created when nobody says how: internal ones with settings of their own, as in Kafka."""
    if name != OFFSETS_TOPIC:
        return CreatableTopic(name=name, num_partitions=-1, replication_factor=-1)
    brokers = sum(1 for broker in image.brokers.values() if broker.active)
    settings = {
        "cleanup.policy": "compact",
        "compression.type": "producer",
        "segment.bytes": str(config[group_configs.OFFSETS_TOPIC_SEGMENT_BYTES]),
    }
    return CreatableTopic(
        name=name,
        num_partitions=config[group_configs.OFFSETS_TOPIC_NUM_PARTITIONS],
        replication_factor=max(1, min(config[group_configs.OFFSETS_TOPIC_REPLICATION_FACTOR], brokers)),
        configs=[CreatableTopicConfig(name=key, value=value) for key, value in settings.items()],
    )


class Coordinators:
    """Hosts by the name of their topic, told what becomes of its partitions."""

    def __init__(self, broker: Broker, rng: Rng) -> None:
        self._broker = broker
        config = broker.config
        metadata = broker.metadata

        def make_machine(shard: Shard[GroupMachine]) -> GroupMachine:
            return GroupMachine(shard, image=lambda: metadata.image, config=config, rng=rng)

        def partition_count() -> int:
            topic = metadata.image.topics.get(OFFSETS_TOPIC)
            return 0 if topic is None else len(topic.partitions)

        self.groups = Host(
            topic=OFFSETS_TOPIC,
            coordinator="group",
            clock=broker.clock,
            make_machine=make_machine,
            partition_count=partition_count,
            compression=config[group_configs.OFFSETS_TOPIC_COMPRESSION_CODEC],
            timeout_ms=config[group_configs.OFFSETS_COMMIT_TIMEOUT_MS],
        )
        self._hosts = {OFFSETS_TOPIC: self.groups}

    def ensure_topic(self, name: str, done: Callable[[ErrorCode], None]) -> None:
        """Call ``done`` once the internal topic exists, or with the reason why it does not."""
        broker = self._broker
        node = broker.metadata
        if name in node.image.topics:
            done(ErrorCode.NONE)
            return
        request = CreateTopicsRequest(topics=[creatable_topic(name, broker.config, node.image)])

        def created(response: CreateTopicsResponse) -> None:
            error = ErrorCode(response.topics[0].error_code)
            done(ErrorCode.NONE if error is ErrorCode.TOPIC_ALREADY_EXISTS else error)

        node.decide(lambda state: create_topics(state, node.settings, request), created)

    # -- from ``Replicas`` ---------------------------------------------------------------

    def elected(self, partition: Partition) -> None:
        host = self._hosts.get(partition.topic)
        if host is not None:
            host.elected(partition)

    def resigned(self, partition: Partition) -> None:
        host = self._hosts.get(partition.topic)
        if host is not None:
            host.resigned(partition.index)

    def failed(self, partition: Partition) -> None:
        """Its folder went offline."""
        host = self._hosts.get(partition.topic)
        if host is not None:
            host.failed(partition.index)

    def topic_deleted(self, name: str, topic_id: bytes) -> None:
        self.groups.submit_to_all(lambda machine, _: machine.offsets.topic_deleted(name, topic_id))

    def stop(self) -> None:
        for host in self._hosts.values():
            host.stop()
