"""Requests about offsets, against a whole broker on a simulated disk."""

from __future__ import annotations

from typing import Any

from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from riverlog.protocol.generated.offset_delete_request import (
    OffsetDeleteRequest,
    OffsetDeleteRequestPartition,
    OffsetDeleteRequestTopic,
)
from riverlog.protocol.generated.offset_fetch_request import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
)
from riverlog.sim.disk import Setup
from riverlog.sim.media import Media
from tests.unit.broker.broker_world import Client, World

TOPIC = "t"
SMALL = {"offsets_topic_num_partitions": "2"}
BY_ID_VERSION = 10
BATCHED_VERSION = 8


class OffsetsClient(Client):
    """One connection; every call in a chosen version."""

    def find(self, key: str = "g") -> Any:
        response = self.call(ApiKey.FIND_COORDINATOR, 6, FindCoordinatorRequest(coordinator_keys=[key]))
        return response.coordinators[0]

    def commit(
        self,
        offsets: dict[int, int],
        *,
        group: str = "g",
        topic: str = TOPIC,
        topic_id: bytes = bytes(16),
        version: int = 9,
        metadata: str | None = "",
        **settings: Any,
    ) -> dict[int, int]:
        """Errors by partition."""
        response = self.call(
            ApiKey.OFFSET_COMMIT,
            version,
            commit_request(
                offsets, group=group, topic=topic, topic_id=topic_id, metadata=metadata, **settings
            ),
        )
        return {
            answer.partition_index: answer.error_code for row in response.topics for answer in row.partitions
        }

    def committed(self, *, group: str = "g", version: int = 9, **settings: Any) -> dict[tuple[str, int], int]:
        """All offsets of a group by topic name and partition (by id in version 10: use ``fetch``)."""
        answer = self.fetch(None, group=group, version=version, **settings)
        assert answer.error_code == 0, answer
        return {
            (topic.name, partition.partition_index): partition.committed_offset
            for topic in answer.topics
            for partition in topic.partitions
        }

    def fetch(
        self,
        partitions: list[int] | None,
        *,
        group: str = "g",
        topic: str = TOPIC,
        topic_id: bytes = bytes(16),
        version: int = 9,
        require_stable: bool = False,
        member_id: str | None = None,
        member_epoch: int = -1,
    ) -> Any:
        """The answer of one group; of the whole response before version 8."""
        if version < BATCHED_VERSION:
            old = None if partitions is None else [OffsetFetchRequestTopic(topic, partitions)]
            request = OffsetFetchRequest(group_id=group, topics=old, require_stable=require_stable)
            return self.call(ApiKey.OFFSET_FETCH, version, request)
        topics = None
        if partitions is not None:
            by_id = version >= BY_ID_VERSION
            topics = [
                OffsetFetchRequestTopics(
                    name="" if by_id else topic,
                    topic_id=topic_id if by_id else bytes(16),
                    partition_indexes=partitions,
                )
            ]
        wanted = OffsetFetchRequestGroup(group, member_id, member_epoch, topics)
        request = OffsetFetchRequest(groups=[wanted], require_stable=require_stable)
        return self.call(ApiKey.OFFSET_FETCH, version, request).groups[0]

    def delete_offsets(self, partitions: list[int], *, group: str = "g", topic: str = TOPIC) -> Any:
        wanted = [OffsetDeleteRequestPartition(index) for index in partitions]
        request = OffsetDeleteRequest(group_id=group, topics=[OffsetDeleteRequestTopic(topic, wanted)])
        return self.call(ApiKey.OFFSET_DELETE, 0, request)

    def delete_topic(self, name: str = TOPIC) -> None:
        request = DeleteTopicsRequest(topics=[DeleteTopicState(name=name)])
        response = self.newest(ApiKey.DELETE_TOPICS, request)
        assert response.responses[0].error_code == 0


class OffsetsWorld(World):
    """A broker with a topic of three partitions and the offsets topic."""

    def __init__(
        self, *, media: Media | None = None, setup: Setup | None = None, seed: int = 5, **static: str
    ) -> None:
        super().__init__(media=media, setup=setup, seed=seed, **{**SMALL, **static})

    def client(self) -> OffsetsClient:
        return OffsetsClient(self)

    def prepared(self) -> OffsetsClient:
        client = self.client()
        client.create(TOPIC, 3)
        assert client.find().error_code == 0
        return client

    def restart(self, *, clean: bool = True) -> OffsetsClient:
        if clean:
            self.stop()
        else:
            self.kill()
        self.start()
        host = self.broker.groups
        assert self.run_until(lambda: all(shard.state.name == "ACTIVE" for shard in host.shards.values()))
        return self.client()

    def wait(self, seconds: float) -> None:
        self.scheduler.run_for(seconds)


def commit_request(
    offsets: dict[int, int],
    *,
    group: str = "g",
    topic: str = TOPIC,
    topic_id: bytes = bytes(16),
    metadata: str | None = "",
    generation: int = -1,
    member_id: str = "",
    retention_ms: int = -1,
    leader_epoch: int = -1,
) -> OffsetCommitRequest:
    partitions = [
        OffsetCommitRequestPartition(index, offset, leader_epoch, metadata)
        for index, offset in offsets.items()
    ]
    return OffsetCommitRequest(
        group_id=group,
        generation_id_or_member_epoch=generation,
        member_id=member_id,
        retention_time_ms=retention_ms,
        topics=[OffsetCommitRequestTopic(name=topic, topic_id=topic_id, partitions=partitions)],
    )
