"""An administrator of a simulated cluster: topics, settings, partitions, reassignments, elections.

One request at a time, sent to any broker. What got no answer is settled by asking again: the
controller answers from one line of history, whichever broker passes the question on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from riverlog.protocol.generated.create_partitions_request import (
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from riverlog.protocol.generated.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from riverlog.protocol.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from riverlog.protocol.generated.elect_leaders_request import ElectLeadersRequest
from riverlog.protocol.generated.elect_leaders_request import TopicPartitions as ElectTopic
from riverlog.protocol.generated.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from riverlog.protocol.generated.metadata_request import MetadataRequest, MetadataRequestTopic
from riverlog.sim.checkers import require
from riverlog.sim.cluster_clients import Agent, ClusterTopic, ClusterWorld
from riverlog.sim.promises import DELETED, EXISTS, UNSURE, PartitionPromises
from riverlog.sim.rng import SimRng

TOPIC_RESOURCE = 2
HOME = "home"
"""Never deleted: where the groups commit."""
COLOURS = ("red", "green", "blue")
_SETTINGS: dict[str, tuple[str, ...]] = {
    "max.message.bytes": ("1048588", "2000000"),
    "internal.segment.bytes": ("4000", "20000", "1000000"),
    "min.insync.replicas": ("2",),
}
_MAYBE = (ErrorCode.REQUEST_TIMED_OUT, ErrorCode.NOT_CONTROLLER, ErrorCode.KAFKA_STORAGE_ERROR)
"""Not done, or not known to be done: ask again."""


class ClusterAdmin(Agent):
    def __init__(self, world: ClusterWorld, rng: SimRng, *, pause_seconds: float) -> None:
        super().__init__(world, "admin", rng)
        self._pause_seconds = pause_seconds
        self._incarnation = 0
        self._again()

    @property
    def idle(self) -> bool:
        return not any(topic.state == UNSURE for topic in self.world.topics.values())

    def _again(self) -> None:
        self.later(self.rng.uniform(0.2, 1.8) * self._pause_seconds, self._act)

    def _act(self) -> None:
        topics = [topic for _, topic in sorted(self.world.topics.items())]
        unsure = [topic for topic in topics if topic.state == UNSURE]
        if unsure:
            self._settle(unsure[0])
            return
        home = self.world.topics[HOME]
        if home.state == DELETED:
            self._create(home, 4)
            return
        if self.world.quiet:
            self._again()
            return
        topic = self.rng.choice(topics)
        if topic.state == DELETED:
            if topic.doubted or topic.altering:
                self._rename(topic)
            self._create(topic, self.rng.random_int(1, 3))
            return
        actions: list[tuple[Callable[[ClusterTopic], None], float]] = [
            (self._alter, 1.0),
            (self._reassign, 1.5),
            (self._elect, 0.5),
        ]
        if topic is not home:
            actions += [(self._delete, 0.7), (self._more_partitions, 0.4)]
        self.rng.weighted(actions)(topic)

    def _rename(self, topic: ClusterTopic) -> None:
        """A creation or a change that got no answer may still come for the old name: take another."""
        del self.world.topics[topic.name]
        self._incarnation += 1
        topic.name = f"{topic.name.partition('-')[0]}-{self._incarnation}"
        topic.doubted = False
        self.world.topics[topic.name] = topic

    def _send(self, key: ApiKey, version: int, request: Any, answered: Callable[[Any], None]) -> None:
        def reply(response: Any) -> None:
            answered(response)
            self._again()

        self.ask(self.any_node(), key, version, request, reply)

    # -- topics --------------------------------------------------------------------------

    def _settle(self, topic: ClusterTopic) -> None:
        """Do again what got no answer."""
        if topic.dying:
            self._delete(topic)
        else:
            self._create(topic, topic.count)

    def _create(self, topic: ClusterTopic, count: int) -> None:
        rng = self.rng
        if topic.state == DELETED:
            topic.count = count
            topic.dying = False
            topic.forget_incarnation()
            topic.waits_for_disk = topic.name == HOME or rng.chance(0.85)
            topic.min_insync = 2
            topic.replication_factor = 3
            topic.shaky = False
            if topic.name != HOME and rng.chance(0.25):
                topic.min_insync = 1
                topic.replication_factor = rng.random_int(2, 3)
            topic.wanted = {
                "internal.segment.bytes": rng.choice(("4000", "8000", "100000")),
                "ack.after.fsync": "true" if topic.waits_for_disk else "false",
                "min.insync.replicas": str(topic.min_insync),
            }
            self._draw_cleanup(topic)
        topic.state = UNSURE
        factor = min(topic.replication_factor, len(self.world.node_ids))
        request = CreateTopicsRequest(
            timeout_ms=3_000,
            topics=[
                CreatableTopic(
                    name=topic.name,
                    num_partitions=topic.count,
                    replication_factor=factor,
                    configs=[
                        CreatableTopicConfig(name=name, value=value) for name, value in topic.wanted.items()
                    ],
                )
            ],
        )

        def answered(response: Any) -> None:
            if response is None:
                topic.doubted = True
                return
            answer = response.topics[0]
            error = ErrorCode(answer.error_code)
            if error == ErrorCode.NONE:
                self._born(topic, answer.topic_id)
            elif error == ErrorCode.TOPIC_ALREADY_EXISTS:
                # Made by us, in a request without an answer, or in one that a broker passed on twice: when
                # its controller is gone before it answers, it asks the next one, as Kafka's brokers do.
                self.world.check_exists(topic)
                topic.doubted = True
                self._look_up(topic)
            else:
                known = error.retriable or error in (ErrorCode.INVALID_REPLICATION_FACTOR, *_MAYBE)
                require(known, f"creating {topic.name} answered {error!r} {answer.error_message}")
                if error in _MAYBE:
                    topic.doubted = True

        self._send(ApiKey.CREATE_TOPICS, 7, request, answered)

    def _draw_cleanup(self, topic: ClusterTopic) -> None:
        """Whether it is compacted, or forgets what is old."""
        rng = self.rng
        kind = "" if topic.name == HOME else rng.weighted([("", 5.0), ("compacted", 2.5), ("short", 2.5)])
        topic.compacted = kind == "compacted"
        topic.retention = kind == "short"
        topic.retention_ms = 0
        if topic.compacted:
            topic.keeps_tombstones = rng.chance(0.6)
            topic.wanted |= {
                "cleanup.policy": "compact",
                "internal.segment.bytes": "1500",
                "min.cleanable.dirty.ratio": "0.01",
                "delete.retention.ms": "3600000" if topic.keeps_tombstones else "500",
            }
        elif topic.retention:
            topic.wanted["internal.segment.bytes"] = "1500"
            if rng.chance(0.6):
                topic.retention_ms = 3_000
                topic.wanted["retention.ms"] = "3000"
            else:
                topic.wanted["retention.bytes"] = "4000"

    def _born(self, topic: ClusterTopic, topic_id: bytes) -> None:
        require(topic_id not in topic.old_ids, f"{topic.name}: an old id again")
        topic.old_ids[topic_id] = None
        topic.born(topic_id, topic.count)
        topic.settings = {name: [value] for name, value in topic.wanted.items()}
        self.world.count("topics created")

    def _look_up(self, topic: ClusterTopic) -> None:
        """It was made by a request without an answer: ask a broker for its id, until one knows."""

        def reply(response: Any) -> None:
            if response is None or topic.state != UNSURE or topic.dying:
                return
            answer = response.topics[0]
            if not answer.error_code and answer.topic_id not in topic.old_ids:
                self._born(topic, answer.topic_id)

        request = MetadataRequest(
            topics=[MetadataRequestTopic(name=topic.name)], allow_auto_topic_creation=False
        )
        self.ask(self.any_node(), ApiKey.METADATA, 12, request, reply)

    def _delete(self, topic: ClusterTopic) -> None:
        topic.state = UNSURE
        topic.dying = True
        request = DeleteTopicsRequest(
            timeout_ms=3_000, topics=[DeleteTopicState(name=None, topic_id=topic.topic_id)]
        )

        def answered(response: Any) -> None:
            if response is None:
                return
            error = ErrorCode(response.responses[0].error_code)
            if error in (ErrorCode.NONE, ErrorCode.UNKNOWN_TOPIC_ID):
                topic.state = DELETED
                self.world.count("topics deleted")
            else:
                require(error.retriable or error in _MAYBE, f"deleting {topic.name} answered {error!r}")

        self._send(ApiKey.DELETE_TOPICS, 6, request, answered)

    def _more_partitions(self, topic: ClusterTopic) -> None:
        count = topic.count + 1
        if count > 4:
            self._again()
            return
        request = CreatePartitionsRequest(
            topics=[CreatePartitionsTopic(name=topic.name, count=count, assignments=None)],
            timeout_ms=3_000,
        )
        topic_id = topic.topic_id

        def answered(response: Any) -> None:
            if response is None or topic.topic_id != topic_id or response.results[0].error_code:
                return  # if it happened all the same, nobody uses the new one
            topic.count = count
            name = f"{topic.name}-{count - 1}@{topic_id.hex()[:6]}"
            topic.partitions[count - 1] = PartitionPromises(name, void=topic.shaky)
            self.world.count("partitions added")

        self._send(ApiKey.CREATE_PARTITIONS, 3, request, answered)

    # -- changes -------------------------------------------------------------------------

    def _alter(self, topic: ClusterTopic) -> None:
        name = self.rng.choice(sorted(_SETTINGS))
        value = self.rng.choice(_SETTINGS[name])
        if name == "min.insync.replicas" and topic.min_insync != int(value):
            self._again()
            return
        topic.settings[name] = [*topic.settings.get(name, [None]), value]
        change = AlterableConfig(name=name, config_operation=0, value=value)
        resource = AlterConfigsResource(
            resource_type=TOPIC_RESOURCE, resource_name=topic.name, configs=[change]
        )
        topic_id = topic.topic_id

        def answered(response: Any) -> None:
            if response is None or topic.topic_id != topic_id:
                return
            error = ErrorCode(response.responses[0].error_code)
            require(not error or error.retriable or error in _MAYBE, f"{topic.name}: {name}: {error!r}")
            if not error and topic.state == EXISTS:
                if not topic.altering:
                    topic.settings[name] = [value]
                self.world.count("settings changed")
            elif error:
                topic.altering = True

        def reply(response: Any) -> None:
            if response is None:
                topic.altering = True
            answered(response)

        self._send(
            ApiKey.INCREMENTAL_ALTER_CONFIGS,
            1,
            IncrementalAlterConfigsRequest(resources=[resource]),
            reply,
        )

    def _reassign(self, topic: ClusterTopic) -> None:
        index = self.rng.choice(sorted(topic.partitions))
        replicas: list[int] | None = self.rng.shuffled(self.world.node_ids)[: topic.replication_factor]
        if self.rng.chance(0.2):
            replicas = None  # cancel
        request = AlterPartitionReassignmentsRequest(
            timeout_ms=3_000,
            topics=[
                ReassignableTopic(
                    name=topic.name,
                    partitions=[ReassignablePartition(partition_index=index, replicas=replicas)],
                )
            ],
        )

        def answered(response: Any) -> None:
            if response is not None and not response.error_code:
                error = ErrorCode(response.responses[0].partitions[0].error_code)
                if not error:
                    self.world.count("reassignments")

        self._send(ApiKey.ALTER_PARTITION_REASSIGNMENTS, 0, request, answered)

    def _elect(self, topic: ClusterTopic) -> None:
        request = ElectLeadersRequest(
            election_type=0,
            topic_partitions=[ElectTopic(topic=topic.name, partitions=sorted(topic.partitions))],
            timeout_ms=3_000,
        )
        self._send(ApiKey.ELECT_LEADERS, 2, request, lambda _response: None)
