"""What a client knows about the cluster: brokers, topics, who leads which partition."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from riverlog.base.errors import ErrorCode
from riverlog.client.connection import Request
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.metadata_request import MetadataRequest, MetadataRequestTopic
from riverlog.protocol.generated.metadata_response import MetadataResponse

ZERO_UUID = bytes(16)
NO_LEADER = -1

TopicPartition = tuple[str, int]


@dataclass(slots=True)
class Broker:
    node_id: int
    host: str
    port: int
    rack: str | None = None


@dataclass(slots=True)
class PartitionView:
    index: int
    leader_id: int
    leader_epoch: int
    replicas: list[int]
    isr: list[int]
    offline: list[int]
    error_code: int = 0


@dataclass(slots=True)
class TopicView:
    name: str
    topic_id: bytes
    is_internal: bool
    partitions: list[PartitionView] = field(default_factory=list)
    """By index, without gaps."""


class ClusterView:
    """A cache of Metadata answers. Older leader epochs never replace newer ones (KIP-320)."""

    def __init__(self) -> None:
        self.brokers: dict[int, Broker] = {}
        self.controller_id = -1
        self.cluster_id: str | None = None
        self.topics: dict[str, TopicView] = {}
        self.errors: dict[str, int] = {}
        """Topics the last answer about them refused, with the code."""
        self._names: dict[bytes, str] = {}

    def request(self, topics: Iterable[str] | None, *, create: bool = False) -> Request:
        """Ask about these topics, or with None about all."""
        wanted = None if topics is None else [MetadataRequestTopic(name=name) for name in topics]
        return Request(ApiKey.METADATA, MetadataRequest(topics=wanted, allow_auto_topic_creation=create))

    def update(self, answer: MetadataResponse) -> None:
        self.brokers = {
            row.node_id: Broker(row.node_id, row.host, row.port, row.rack) for row in answer.brokers
        }
        self.controller_id = answer.controller_id
        self.cluster_id = answer.cluster_id
        for row in answer.topics:
            name = row.name or self._names.get(row.topic_id)
            if name is None:
                continue
            if row.error_code:
                self.errors[name] = row.error_code
                if row.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
                    self.forget(name)
                continue
            self.errors.pop(name, None)
            partitions = [
                PartitionView(
                    part.partition_index,
                    part.leader_id,
                    part.leader_epoch,
                    part.replica_nodes,
                    part.isr_nodes,
                    part.offline_replicas,
                    part.error_code,
                )
                for part in sorted(row.partitions, key=lambda part: part.partition_index)
            ]
            self._keep_newer(name, row.topic_id, partitions)
            self.forget(name)
            self.topics[name] = TopicView(name, row.topic_id, row.is_internal, partitions)
            if row.topic_id != ZERO_UUID:
                self._names[row.topic_id] = name

    def _keep_newer(self, name: str, topic_id: bytes, partitions: list[PartitionView]) -> None:
        known = self.topics.get(name)
        if known is None or known.topic_id != topic_id:
            return
        for index, new in enumerate(partitions[: len(known.partitions)]):
            old = known.partitions[index]
            if 0 <= new.leader_epoch < old.leader_epoch:
                partitions[index] = old

    def forget(self, name: str) -> None:
        topic = self.topics.pop(name, None)
        if topic is not None:
            self._names.pop(topic.topic_id, None)

    def topic_name(self, topic_id: bytes) -> str | None:
        return self._names.get(topic_id)

    def partition(self, topic: str, index: int) -> PartitionView | None:
        view = self.topics.get(topic)
        if view is None or not 0 <= index < len(view.partitions):
            return None
        return view.partitions[index]

    def leader(self, topic: str, index: int) -> int:
        """Node id of the partition's leader, ``NO_LEADER`` if there is none or it is not known."""
        partition = self.partition(topic, index)
        if partition is None or partition.leader_id not in self.brokers:
            return NO_LEADER
        return partition.leader_id
