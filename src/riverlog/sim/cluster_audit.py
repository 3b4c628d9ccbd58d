"""The last client of a cluster run: knows nothing, reads everything, compares it with what was promised."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from riverlog.protocol.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from riverlog.protocol.generated.metadata_request import MetadataRequest, MetadataRequestTopic
from riverlog.records import decode_records
from riverlog.records.header import CONTROL_FLAG
from riverlog.sim.actors import EARLIEST, list_offsets
from riverlog.sim.batches import name_of
from riverlog.sim.checkers import DECODED_BYTES_MAX, Violation, require
from riverlog.sim.cluster_admin import TOPIC_RESOURCE
from riverlog.sim.cluster_clients import Agent, ClusterTopic, ClusterWorld
from riverlog.sim.cluster_consumers import check_batches
from riverlog.sim.cluster_upkeep import check_compacted, check_expired
from riverlog.sim.promises import DELETED
from riverlog.sim.rng import SimRng

RETRY_SECONDS = 0.1
PATIENCE = 100
"""So many times an end is asked for again that was readable once."""
BEHIND = 20
"""So many times metadata is asked for again: a broker may be behind the one that acknowledged a change."""

Done = Callable[[], None]


class Auditor(Agent):
    """Retries what fails for a moment; what is wrong raises ``Violation``."""

    def __init__(self, world: ClusterWorld, rng: SimRng) -> None:
        super().__init__(world, "auditor", rng)

    def check_topic(self, topic: ClusterTopic, done: Done, patience: int = BEHIND) -> None:
        """INVARIANTS 24: what was created is there, what was deleted is not."""
        if topic.doubted and topic.state == DELETED:
            done()  # a late creation may have come
            return

        def reply(response: Any) -> None:
            if response is None:
                self.later(RETRY_SECONDS, lambda: self.check_topic(topic, done, patience))
                return
            row = response.topics[0]
            error = ErrorCode(row.error_code)
            known = error in (ErrorCode.NONE, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
            require(known, f"{topic.name}: Metadata answered {error!r}")
            try:
                topic.check_metadata(None if error else row.topic_id)
            except Violation:
                if not patience:
                    raise
                self.later(RETRY_SECONDS, lambda: self.check_topic(topic, done, patience - 1))
                return
            done()

        request = MetadataRequest(
            topics=[MetadataRequestTopic(name=topic.name)], allow_auto_topic_creation=False
        )
        self.ask(self.any_node(), ApiKey.METADATA, 12, request, reply)

    def check_settings(self, topic: ClusterTopic, done: Done, patience: int = BEHIND) -> None:
        if topic.altering:
            done()
            return
        names = sorted(topic.settings)
        resource = DescribeConfigsResource(
            resource_type=TOPIC_RESOURCE, resource_name=topic.name, configuration_keys=names
        )

        def reply(response: Any) -> None:
            if response is None:
                self.later(RETRY_SECONDS, lambda: self.check_settings(topic, done, patience))
                return
            result = response.results[0]
            try:
                require(not result.error_code, f"{topic.name}: DescribeConfigs answered {result.error_code}")
                for entry in result.configs:
                    topic.check_setting(entry.name, entry.value if entry.config_source == 1 else None)
            except Violation:
                if not patience:
                    raise
                self.later(RETRY_SECONDS, lambda: self.check_settings(topic, done, patience - 1))
                return
            done()

        request = DescribeConfigsRequest(resources=[resource])
        self.ask(self.any_node(), ApiKey.DESCRIBE_CONFIGS, 4, request, reply)

    def read(self, topic: ClusterTopic, index: int, done: Done) -> None:
        _Reader(self, topic, index, done).find_start()


class _Reader:
    """One partition from its start to its end."""

    def __init__(self, auditor: Auditor, topic: ClusterTopic, index: int, done: Done) -> None:
        self._auditor = auditor
        self._topic = topic
        self._index = index
        self._part = topic.partitions[index]
        self._done = done
        self._start = 0
        self._offset = 0
        self._seen: dict[int, str] = {}
        self._patience = PATIENCE

    def _again(self, step: Callable[[], None]) -> None:
        self._auditor.lost(self._topic.topic_id, self._index)
        self._auditor.later(RETRY_SECONDS, step)

    def find_start(self) -> None:
        leader = self._auditor.leader(self._topic.topic_id, self._index)
        if leader is None:
            self._again(self.find_start)
            return

        def reply(response: Any) -> None:
            answer = None if response is None else response.topics[0].partitions[0]
            if answer is None or answer.error_code:
                self._again(self.find_start)
                return
            part = self._part
            topic = self._topic
            part.check_start(answer.offset, at_least=part.start_min, retention=topic.retention)
            if topic.retention_ms:
                check_expired(part, answer.offset, before_ms=self._auditor.world.least_time_ms(topic))
            self._start = self._offset = answer.offset
            self._fetch()

        request = list_offsets(self._topic.name, self._index, EARLIEST)
        self._auditor.ask(leader.node_id, ApiKey.LIST_OFFSETS, 7, request, reply)

    def _fetch(self) -> None:
        leader = self._auditor.leader(self._topic.topic_id, self._index)
        if leader is None:
            self._again(self._fetch)
            return
        partition = FetchPartition(
            partition=self._index, fetch_offset=self._offset, partition_max_bytes=1 << 20
        )
        request = FetchRequest(
            max_wait_ms=0,
            min_bytes=0,
            max_bytes=1 << 22,
            session_epoch=-1,
            topics=[FetchTopic(topic_id=self._topic.topic_id, partitions=[partition])],
        )

        def reply(response: Any) -> None:
            data = None if response is None or response.error_code else response.responses[0].partitions[0]
            if data is not None and data.error_code == ErrorCode.OFFSET_OUT_OF_RANGE:
                require(self._topic.retention, f"{self._part.name}: {self._offset} is out of range")
                self._again(self.find_start)  # retention was faster
            elif data is None or data.error_code:
                self._again(self._fetch)
            else:
                self._read(data)

        self._auditor.ask(leader.node_id, ApiKey.FETCH, 16, request, reply)

    def _read(self, data: Any) -> None:
        part = self._part
        for buffer, at, header in check_batches(part.name, data):
            if not header.attributes & CONTROL_FLAG:
                for record in decode_records(buffer, at, header, max_bytes=DECODED_BYTES_MAX):
                    if record.offset >= self._start:
                        self._seen[record.offset] = name_of(record)
                        part.promise(record.offset, name_of(record), record.timestamp, "audit")
            self._offset = max(self._offset, header.next_offset)
        if self._offset < data.high_watermark:
            self._fetch()
            return
        if self._offset < part.end and self._patience > 0:
            # INVARIANTS 3: a new leader's watermark may start lower than what the old one showed.
            self._patience -= 1
            self._again(self._fetch)
            return
        if self._topic.compacted:
            check_compacted(part, self._seen, keeps_tombstones=self._topic.keeps_tombstones)
            self._done()
            return
        for known in sorted(part.records):
            if known >= self._start:
                require(
                    known in self._seen,
                    f"{part.name}: {part.records[known]} at {known} is gone, the log ends at {self._offset}",
                )
        self._done()
