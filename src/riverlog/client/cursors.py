"""What all fetchers share: a cursor per partition, one request in flight per broker, leaders that move.

Requests are without a session (KIP-227): simple, and right for a client that reads few partitions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar, assert_never

from riverlog.base.errors import ErrorCode
from riverlog.client.cluster import NO_LEADER, ZERO_UUID, ClusterView, TopicPartition
from riverlog.client.connection import Request
from riverlog.client.errors import describe_error, error_code
from riverlog.client.events import ClusterEvent, RequestAnswered, RequestFailed, SendRequest, Tick
from riverlog.client.refresh import MetadataRefresh
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from riverlog.protocol.generated.fetch_response import FetchResponse, PartitionData

READ_UNCOMMITTED = 0
READ_COMMITTED = 1
_NO_SESSION_EPOCH = -1
_LAST_VERSION_WITH_NAMES = 12
_UNKNOWN = frozenset(
    {
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.INCONSISTENT_TOPIC_ID,
    }
)

D = TypeVar("D")
"""What a fetcher makes of an answer."""


@dataclass(slots=True)
class FetcherConfig:
    max_wait_ms: int = 500
    min_bytes: int = 1
    max_bytes: int = 50 * 1024 * 1024
    partition_max_bytes: int = 1024 * 1024
    max_decompressed_bytes: int = 256 * 1024 * 1024
    isolation_level: int = READ_COMMITTED
    retry_backoff_ms: int = 100
    unknown_timeout_ms: int = 10_000
    """How long a partition may be without a leader, or give errors, before its reader hears of it."""
    missing_timeout_ms: int = 10_000
    """The same for a partition of which brokers say that it does not exist."""


@dataclass(slots=True)
class PartitionFailed:
    """The partition is no longer fetched; ``assign`` it again to go on."""

    topic: str
    partition: int
    offset: int
    code: ErrorCode
    reason: str


Effect: TypeAlias = SendRequest | PartitionFailed | D


@dataclass(slots=True)
class Cursor:
    offset: int
    stop: int | None = None
    """Where the reader wants no more, for fetchers that look at it."""
    topic_id: bytes = ZERO_UUID
    """The only topic of that name that is meant, unless it is zeros."""
    not_before_ms: int = 0
    failing_since_ms: int | None = None
    in_flight: bool = False


class CursorMachine(ABC, Generic[D]):
    """``assign`` sets cursors; ``handle`` fetches from them."""

    def __init__(self, view: ClusterView, config: FetcherConfig | None = None) -> None:
        self.config = config or FetcherConfig()
        self._view = view
        self._cursors: dict[TopicPartition, Cursor] = {}
        self._busy_nodes: dict[int, int] = {}
        self._sent: dict[int, tuple[int, list[TopicPartition]]] = {}
        """Node and partitions of the requests in flight, by token."""
        self._next_token = 0
        self._metadata = MetadataRefresh(view, self.config.retry_backoff_ms)
        self._now_ms = 0
        self._paused = False

    def assign(
        self,
        topic: str,
        partition: int,
        offset: int,
        *,
        stop: int | None = None,
        topic_id: bytes = ZERO_UUID,
    ) -> None:
        """Fetch this partition from ``offset`` on."""
        self._cursors[topic, partition] = Cursor(offset, stop, topic_id)

    def unassign(self, topic: str, partition: int) -> None:
        self._cursors.pop((topic, partition), None)

    def position(self, topic: str, partition: int) -> int:
        """Offset of the next record."""
        return self._cursors[topic, partition].offset

    @property
    def in_flight(self) -> bool:
        """Whether an answer is on its way."""
        return bool(self._sent) or self._metadata.in_flight

    @property
    def assigned(self) -> list[TopicPartition]:
        return list(self._cursors)

    def pause(self) -> None:
        """Send nothing more until ``resume``; answers on their way still come in."""
        self._paused = True

    def resume(self) -> None:
        self._paused = False

    def validate(self) -> None:
        assert len(self._busy_nodes) == len(self._sent)
        for cursor in self._cursors.values():
            assert cursor.offset >= 0

    def handle(self, event: ClusterEvent) -> list[Effect[D]]:
        self._now_ms = max(self._now_ms, event.now_ms)
        effects: list[Effect[D]] = []
        match event:
            case Tick():
                pass
            case RequestAnswered():
                effects += self._on_answered(event)
            case RequestFailed():
                effects += self._on_failed(event)
            case _:
                assert_never(event)
        if not self._paused:
            effects += self._fetch()
        return effects

    def next_wake_ms(self) -> int:
        """How long the driver may wait for bytes before the next Tick."""
        return self.config.retry_backoff_ms

    # ---------------------------------------------------------------- out

    def _fetch(self) -> list[Effect[D]]:
        effects: list[Effect[D]] = []
        by_node: dict[int, list[TopicPartition]] = {}
        for key, cursor in list(self._cursors.items()):
            if cursor.in_flight or cursor.not_before_ms > self._now_ms:
                continue
            leader = self._view.leader(*key)
            if self._is_another(key[0], cursor.topic_id):
                effects.append(
                    self._drop(key, cursor, ErrorCode.INCONSISTENT_TOPIC_ID, "another topic has the name now")
                )
            elif leader == NO_LEADER:
                code = self._view.errors.get(key[0], ErrorCode.LEADER_NOT_AVAILABLE)
                effects += self._stumble(key, cursor, error_code(code), describe_error(code))
            elif leader not in self._busy_nodes:
                by_node.setdefault(leader, []).append(key)
        for node_id, keys in by_node.items():
            effects.append(self._request(node_id, keys))
        effects += self._metadata.due(self._now_ms)
        return effects

    def _is_another(self, topic: str, topic_id: bytes) -> bool:
        """Whether the topic was deleted, and another of its name is there now."""
        known = self._view.topics.get(topic)
        return (
            known is not None and ZERO_UUID not in (topic_id, known.topic_id) and known.topic_id != topic_id
        )

    def _request(self, node_id: int, keys: list[TopicPartition]) -> SendRequest:
        topics: dict[str, FetchTopic] = {}
        max_version: int | None = None
        for topic, partition in keys:
            cursor = self._cursors[topic, partition]
            cursor.in_flight = True
            row = topics.get(topic)
            if row is None:
                topic_id = self._view.topics[topic].topic_id
                if topic_id == ZERO_UUID:
                    max_version = _LAST_VERSION_WITH_NAMES
                row = topics[topic] = FetchTopic(topic=topic, topic_id=topic_id)
            known = self._view.partition(topic, partition)
            row.partitions.append(
                FetchPartition(
                    partition=partition,
                    current_leader_epoch=-1 if known is None else known.leader_epoch,
                    fetch_offset=cursor.offset,
                    partition_max_bytes=self.config.partition_max_bytes,
                )
            )
        config = self.config
        message = FetchRequest(
            max_wait_ms=config.max_wait_ms,
            min_bytes=config.min_bytes,
            max_bytes=config.max_bytes,
            isolation_level=config.isolation_level,
            session_epoch=_NO_SESSION_EPOCH,
            topics=list(topics.values()),
        )
        self._next_token += 1
        self._sent[self._next_token] = (node_id, keys)
        self._busy_nodes[node_id] = self._next_token
        request = Request(ApiKey.FETCH, message, max_version=max_version, token=self._next_token)
        return SendRequest(node_id, request)

    # ---------------------------------------------------------------- in

    def _on_answered(self, event: RequestAnswered) -> list[Effect[D]]:
        message = event.message
        if self._metadata.takes(event, self._now_ms):
            return []
        assert isinstance(message, FetchResponse)
        asked = self._forget_request(event.request)
        offsets = {
            (topic.topic, part.partition): part.fetch_offset
            for topic in event.request.message.topics
            for part in topic.partitions
        }
        if message.error_code:
            return self._stumble_all(asked, message.error_code)
        effects: list[Effect[D]] = []
        for topic in message.responses:
            name = topic.topic or self._view.topic_name(topic.topic_id) or ""
            for data in topic.partitions:
                key = (name, data.partition_index)
                cursor = self._cursors.get(key)
                # A cursor moved meanwhile (assign) wants nothing of an answer for the old offset.
                if cursor is not None and offsets.get(key) == cursor.offset:
                    effects += self._on_partition(key, cursor, data)
        return effects

    def _forget_request(self, request: Request) -> list[TopicPartition]:
        node_id, keys = self._sent.pop(request.token)
        del self._busy_nodes[node_id]
        for key in keys:
            cursor = self._cursors.get(key)
            if cursor is not None:
                cursor.in_flight = False
        return keys

    def _on_partition(self, key: TopicPartition, cursor: Cursor, data: PartitionData) -> list[Effect[D]]:
        if data.error_code:
            return list(
                self._stumble(key, cursor, error_code(data.error_code), describe_error(data.error_code))
            )
        cursor.failing_since_ms = None
        if data.records is not None and len(data.records):
            # To the end of the line: where answers have room for few, all get their turn.
            self._cursors[key] = self._cursors.pop(key)
        return self._take(key, cursor, data)

    @abstractmethod
    def _take(self, key: TopicPartition, cursor: Cursor, data: PartitionData) -> list[Effect[D]]:
        """Move the cursor over what the answer holds, and say what that is."""

    def _readable_end(self, data: PartitionData) -> int:
        committed = self.config.isolation_level == READ_COMMITTED and data.last_stable_offset >= 0
        return data.last_stable_offset if committed else data.high_watermark

    def _on_failed(self, event: RequestFailed) -> list[Effect[D]]:
        if self._metadata.takes(event, self._now_ms):
            return []
        effects: list[Effect[D]] = []
        for key in self._forget_request(event.request):
            cursor = self._cursors.get(key)
            if cursor is None:
                continue
            if event.unsupported:
                effects.append(self._drop(key, cursor, ErrorCode.UNSUPPORTED_VERSION, event.reason))
            else:
                effects += self._stumble(key, cursor, ErrorCode.NETWORK_EXCEPTION, event.reason)
        return effects

    # ---------------------------------------------------------------- trouble

    def _stumble_all(self, keys: list[TopicPartition], number: int) -> list[Effect[D]]:
        effects: list[Effect[D]] = []
        for key in keys:
            cursor = self._cursors.get(key)
            if cursor is not None:
                effects += self._stumble(key, cursor, error_code(number), describe_error(number))
        return effects

    def _stumble(self, key: TopicPartition, cursor: Cursor, code: ErrorCode, reason: str) -> list[Effect[D]]:
        """Try again after a moment with new metadata, unless that is no use or has been done enough."""
        if not code.retriable:
            return [self._drop(key, cursor, code, reason)]
        if cursor.failing_since_ms is None:
            cursor.failing_since_ms = self._now_ms
        config = self.config
        patience_ms = config.missing_timeout_ms if code in _UNKNOWN else config.unknown_timeout_ms
        if self._now_ms - cursor.failing_since_ms >= patience_ms:
            return [self._drop(key, cursor, code, reason)]
        cursor.not_before_ms = self._now_ms + self.config.retry_backoff_ms
        self._metadata.want(key[0])
        return []

    def _drop(self, key: TopicPartition, cursor: Cursor, code: ErrorCode, reason: str) -> PartitionFailed:
        del self._cursors[key]
        return PartitionFailed(*key, cursor.offset, code, reason)
