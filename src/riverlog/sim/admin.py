"""An administrator of a simulated node: topics come and go, settings and log starts change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from riverlog.protocol.generated.delete_records_request import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
)
from riverlog.protocol.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from riverlog.protocol.generated.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from riverlog.protocol.generated.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from riverlog.protocol.generated.metadata_request import MetadataRequest, MetadataRequestTopic
from riverlog.sim.actors import EARLIEST, World, list_offsets
from riverlog.sim.checkers import require
from riverlog.sim.clock import START_MS
from riverlog.sim.promises import DELETED, EXISTS, UNSURE, PartitionPromises, TopicPromises
from riverlog.sim.rng import SimRng

LATEST = -1
MAX_TIMESTAMP = -3
TOPIC_RESOURCE = 2
NAMES = ("red", "green", "blue")
_SETTINGS: dict[str, tuple[str, ...]] = {
    "retention.ms": ("3000", "604800000", "-1"),
    "max.message.bytes": ("1000", "1048588"),
    "internal.segment.bytes": ("4000", "20000", "1000000"),
}


class Admin:
    """One request at a time; what gets no answer is unsure until Metadata says."""

    def __init__(self, world: World, rng: SimRng) -> None:
        self._world = world
        self._rng = rng
        self._client = world.client("admin")
        self._again()

    def _again(self) -> None:
        self._world.scheduler.call_later(self._rng.uniform(0.01, 0.4), self._act)

    def _act(self) -> None:
        world = self._world
        unsure = [topic for _, topic in sorted(world.topics.items()) if topic.state == UNSURE]
        if unsure:
            self.look_up(unsure[0], self._again)
            return
        topic = world.topics[self._rng.choice(NAMES)]
        if topic.state == DELETED:
            if world.quiet:
                self._again()
            else:
                self._create(topic)
            return
        actions: list[tuple[Callable[[TopicPromises], None], float]] = [
            (self._look, 3.0),
            (self._list_offsets, 4.0),
            (self._describe, 2.0),
        ]
        if not world.quiet:
            actions += [(self._delete, 0.7), (self._alter, 1.0), (self._delete_records, 1.5)]
        self._rng.weighted(actions)(topic)

    # -- topics --------------------------------------------------------------------------

    def _create(self, topic: TopicPromises) -> None:
        rng = self._rng
        count = rng.random_int(1, 2)
        waits = rng.chance(0.85)
        retention = rng.chance(0.3)
        settings = {
            "internal.segment.bytes": rng.choice(("4000", "8000", "100000")),
            "index.interval.bytes": rng.choice(("0", "500", "4096")),
            "file.delete.delay.ms": rng.choice(("0", "1000")),
            "ack.after.fsync": "true" if waits else "false",
        }
        if retention:
            settings[rng.choice(("retention.bytes", "retention.ms"))] = "5000"
        topic.state = UNSURE
        topic.waits_for_disk = waits
        topic.retention = retention
        topic.settings = {name: [value, None] for name, value in settings.items()}
        self._changed(topic)
        request = CreateTopicsRequest(
            timeout_ms=10_000,
            topics=[
                CreatableTopic(
                    name=topic.name,
                    num_partitions=count,
                    replication_factor=1,
                    configs=[
                        CreatableTopicConfig(name=name, value=value) for name, value in settings.items()
                    ],
                )
            ],
        )

        def reply(response: Any) -> None:
            self._changed(topic)
            if response is not None:
                answer = response.topics[0]
                error = ErrorCode(answer.error_code)
                if error == ErrorCode.NONE:
                    topic.settings = {name: [value] for name, value in settings.items()}
                    topic.born(answer.topic_id, count)
                else:
                    require(
                        error in (ErrorCode.KAFKA_STORAGE_ERROR, ErrorCode.REQUEST_TIMED_OUT),
                        f"creating {topic.name} answered {error!r} {answer.error_message}",
                    )
            self._again()

        self._client.request(ApiKey.CREATE_TOPICS, 7, request, reply)

    def _delete(self, topic: TopicPromises) -> None:
        version = self._rng.random_int(1, 6)
        request = DeleteTopicsRequest(timeout_ms=10_000)
        if version >= 6:
            by_id = self._rng.chance(0.5)
            request.topics = [
                DeleteTopicState(
                    name=None if by_id else topic.name, topic_id=topic.topic_id if by_id else bytes(16)
                )
            ]
        else:
            request.topic_names = [topic.name]
        topic.state = UNSURE
        self._changed(topic)

        def reply(response: Any) -> None:
            self._changed(topic)
            if response is not None and response.responses[0].error_code == ErrorCode.NONE:
                topic.state = DELETED
                self._world.count("deleted")
            self._again()

        self._client.request(ApiKey.DELETE_TOPICS, version, request, reply)

    def look_up(self, topic: TopicPromises, finished: Callable[[], None]) -> None:
        """Settle what Metadata knows of a topic that may or may not be there."""

        def reply(response: Any) -> None:
            if response is not None:
                answer = response.topics[0]
                error = ErrorCode(answer.error_code)
                self._changed(topic)
                if error == ErrorCode.NONE:
                    topic.check_metadata(answer.topic_id)
                    if answer.topic_id != topic.topic_id:
                        topic.settings = {name: values[:1] for name, values in topic.settings.items()}
                    topic.born(answer.topic_id, len(answer.partitions))
                else:
                    require(
                        error == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                        f"{topic.name}: Metadata answered {error!r}",
                    )
                    topic.check_metadata(None)
                    topic.state = DELETED
            finished()

        request = MetadataRequest(
            topics=[MetadataRequestTopic(name=topic.name)], allow_auto_topic_creation=False
        )
        self._client.request(ApiKey.METADATA, self._rng.random_int(10, 13), request, reply)

    def _look(self, topic: TopicPromises) -> None:
        self.look_up(topic, self._again)

    def _changed(self, topic: TopicPromises) -> None:
        self._world.generations[topic.name] += 1

    # -- settings ------------------------------------------------------------------------

    def _alter(self, topic: TopicPromises) -> None:
        name = self._rng.choice(sorted(_SETTINGS))
        value = self._rng.choice(_SETTINGS[name])
        topic.settings[name] = [*topic.settings.get(name, [None]), value]
        if name == "retention.ms" and value == "3000":
            topic.retention = True
        change = AlterableConfig(name=name, config_operation=0, value=value)
        resource = AlterConfigsResource(
            resource_type=TOPIC_RESOURCE, resource_name=topic.name, configs=[change]
        )
        topic_id = topic.topic_id

        def reply(response: Any) -> None:
            if response is not None and topic.topic_id == topic_id:
                error = ErrorCode(response.responses[0].error_code)
                require(error == ErrorCode.NONE, f"{topic.name}: setting {name}={value} answered {error!r}")
                topic.settings[name] = [value]
            self._again()

        request = IncrementalAlterConfigsRequest(resources=[resource])
        self._client.request(ApiKey.INCREMENTAL_ALTER_CONFIGS, self._rng.random_int(0, 1), request, reply)

    def _describe(self, topic: TopicPromises) -> None:
        names = sorted(topic.settings)
        resource = DescribeConfigsResource(
            resource_type=TOPIC_RESOURCE, resource_name=topic.name, configuration_keys=names
        )
        topic_id = topic.topic_id

        def reply(response: Any) -> None:
            if response is not None and topic.state == EXISTS and topic.topic_id == topic_id:
                result = response.results[0]
                require(
                    result.error_code == ErrorCode.NONE, f"{topic.name}: DescribeConfigs {result.error_code}"
                )
                for entry in result.configs:
                    own = entry.config_source == 1
                    topic.check_setting(entry.name, entry.value if own else None)
            self._again()

        self._client.request(
            ApiKey.DESCRIBE_CONFIGS,
            self._rng.random_int(1, 4),
            DescribeConfigsRequest(resources=[resource]),
            reply,
        )

    # -- offsets -------------------------------------------------------------------------

    def _part(self, topic: TopicPromises) -> tuple[int, PartitionPromises]:
        index = self._rng.choice(sorted(topic.partitions))
        return index, topic.partitions[index]

    def _delete_records(self, topic: TopicPromises) -> None:
        index, part = self._part(topic)
        offset = self._rng.random_int(0, part.end) if self._rng.chance(0.8) else -1
        part.start_max = max(part.start_max, 1 << 60 if offset < 0 else offset)
        partition = DeleteRecordsPartition(partition_index=index, offset=offset)
        request = DeleteRecordsRequest(
            timeout_ms=5_000, topics=[DeleteRecordsTopic(name=topic.name, partitions=[partition])]
        )
        topic_id = topic.topic_id

        def reply(response: Any) -> None:
            if response is None:
                part.start_unsure = True
            elif topic.topic_id == topic_id:
                answer = response.topics[0].partitions[0]
                if answer.error_code == ErrorCode.NONE:
                    require(
                        answer.low_watermark >= offset,
                        f"{part.name}: deleted up to {offset}, answered {answer.low_watermark}",
                    )
                    part.start_min = max(part.start_min, answer.low_watermark)
                    if not part.start_unsure:
                        part.start_max = part.start_min
                    self._world.count("records deleted")
                else:
                    error = ErrorCode(answer.error_code)
                    require(
                        error == ErrorCode.KAFKA_STORAGE_ERROR or not topic.waits_for_disk,
                        f"{part.name}: DeleteRecords answered {error!r}",
                    )
            self._again()

        self._client.request(ApiKey.DELETE_RECORDS, self._rng.random_int(0, 2), request, reply)

    def _list_offsets(self, topic: TopicPromises) -> None:
        index, part = self._part(topic)
        now = START_MS + int(self._world.scheduler.now * 1000)
        timestamp = self._rng.weighted(
            [
                (LATEST, 1.0),
                (EARLIEST, 1.0),
                (MAX_TIMESTAMP, 0.5),
                (now - self._rng.random_int(0, 9_000), 2.0),
            ]
        )
        topic_id, generation = topic.topic_id, self._world.generations[topic.name]
        start_before, end_before = part.start_min, part.end

        def reply(response: Any) -> None:
            self._again()
            if response is None or topic.topic_id != topic_id:
                return
            if self._world.generations[topic.name] != generation:
                return
            answer = response.topics[0].partitions[0]
            error = ErrorCode(answer.error_code)
            if error:
                allowed = (ErrorCode.KAFKA_STORAGE_ERROR, ErrorCode.OFFSET_NOT_AVAILABLE)
                require(error in allowed, f"{part.name}: ListOffsets answered {error!r}")
            elif timestamp == LATEST:
                require(
                    answer.offset >= end_before,
                    f"{part.name}: ends at {answer.offset}, readable was {end_before}",
                )
            elif timestamp == EARLIEST:
                part.check_start(answer.offset, at_least=start_before, retention=topic.retention)
            elif timestamp >= 0 and not topic.retention:
                part.check_time(timestamp, answer.offset, end_before)

        self._client.request(
            ApiKey.LIST_OFFSETS, self._rng.random_int(7, 9), list_offsets(topic.name, index, timestamp), reply
        )
