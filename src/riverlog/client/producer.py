"""Producing: records gather in one batch per partition, batches leave grouped by leader.

One batch per partition is in flight at a time, so order holds under retries; with
idempotence (the default, for acks=all) a batch whose answer was lost is not written twice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import assert_never

from riverlog.base.errors import ErrorCode
from riverlog.client.cluster import NO_LEADER, ZERO_UUID, ClusterView, TopicPartition
from riverlog.client.connection import Request
from riverlog.client.errors import describe_error, error_code
from riverlog.client.events import ClusterEvent, RequestAnswered, RequestFailed, SendRequest, Tick
from riverlog.client.partitioner import StickyPartitioner
from riverlog.client.refresh import MetadataRefresh
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest
from riverlog.protocol.generated.init_producer_id_response import InitProducerIdResponse
from riverlog.protocol.generated.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from riverlog.protocol.generated.produce_response import PartitionProduceResponse, ProduceResponse
from riverlog.records import BatchBuilder
from riverlog.records.header import patch_producer

ALL = -1
_LAST_VERSION_WITH_NAMES = 12
_LAST_VERSION_WITH_ADDED_PARTITIONS = 11
"""From the next one on the leader itself adds a partition to the transaction (KIP-890)."""
_SEQUENCE_SPAN = 1 << 31

_MAYBE_WRITTEN = frozenset(
    {
        ErrorCode.REQUEST_TIMED_OUT,
        ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
        ErrorCode.NETWORK_EXCEPTION,
        ErrorCode.KAFKA_STORAGE_ERROR,
    }
)
"""Errors after which the batch may be in the log all the same."""

_PRODUCER_LOST = frozenset(
    {
        ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
        ErrorCode.UNKNOWN_PRODUCER_ID,
        ErrorCode.INVALID_PRODUCER_EPOCH,
        ErrorCode.INVALID_PRODUCER_ID_MAPPING,
        ErrorCode.PRODUCER_FENCED,
    }
)

Value = bytes | bytearray | memoryview | None


@dataclass(frozen=True, slots=True)
class TransactionalProducer:
    """Who writes in a transaction. Its coordinator gave the numbers, and has been told of the partitions."""

    transactional_id: str
    producer_id: int
    producer_epoch: int
    adds_by_producing: bool = False
    """Nobody tells the coordinator of partitions: their leaders do, at the first batch (KIP-890)."""


@dataclass(slots=True)
class ProducerConfig:
    acks: int = ALL
    compression: int = 0
    compression_level: int | None = None
    batch_bytes: int = 64 * 1024
    linger_ms: int = 5
    request_timeout_ms: int = 30_000
    delivery_timeout_ms: int = 120_000
    retry_backoff_ms: int = 100
    idempotent: bool = True
    """Only with acks=all; ignored otherwise."""
    transaction: TransactionalProducer | None = None
    """All batches belong to this producer's transaction. After a failed delivery it must be aborted."""
    first_partition: int = 0
    """Where keyless records start; a caller with randomness spreads producers by it."""


@dataclass(slots=True)
class Delivered:
    """A batch is written. ``base_offset`` is -1 if the broker was not asked (acks=0)."""

    topic: str
    partition: int
    base_offset: int
    count: int


@dataclass(slots=True)
class DeliveryFailed:
    """A batch is not written, or (after lost answers without idempotence) perhaps it is."""

    topic: str
    partition: int
    count: int
    code: ErrorCode
    reason: str


ProducerEffect = SendRequest | Delivered | DeliveryFailed


@dataclass(slots=True)
class _Batch:
    data: bytes
    count: int
    created_ms: int
    producer_id: int = -1
    """Set with the first attempt and kept: a retry is the same batch to the broker."""
    uncertain: bool = False
    """Whether an attempt went without an answer, so that it may have been written."""
    not_before_ms: int = 0
    problem: str = ""


@dataclass(slots=True)
class _Queue:
    """One partition: the batch being filled, those that are full, the one in flight."""

    open: BatchBuilder | None = None
    opened_ms: int = 0
    full: deque[_Batch] = field(default_factory=deque)
    in_flight: _Batch | None = None
    next_sequence: int = 0

    @property
    def idle(self) -> bool:
        return self.open is None and not self.full and self.in_flight is None


class Producer:
    """The machine. ``append`` only gathers; everything else happens in ``handle``."""

    def __init__(self, view: ClusterView, config: ProducerConfig | None = None) -> None:
        self.config = config or ProducerConfig()
        self.buffered_bytes = 0
        """Bytes gathered and not answered yet, for the caller to bound."""
        self._view = view
        self._partitioner = StickyPartitioner(self.config.first_partition)
        self._queues: dict[TopicPartition, _Queue] = {}
        self._flushing = False
        self._now_ms = 0
        self._idempotent = self.config.idempotent and self.config.acks == ALL
        self._transaction = transaction = self.config.transaction
        self._producer_id = -1 if transaction is None else transaction.producer_id
        self._producer_epoch = -1 if transaction is None else transaction.producer_epoch
        self._id_request: Request | None = None
        self._metadata = MetadataRefresh(view, self.config.retry_backoff_ms)
        self._retry_id_at_ms = 0
        self._sent: dict[int, list[TopicPartition]] = {}
        """What the requests in flight carry, by token."""
        self._next_token = 0

    @property
    def idle(self) -> bool:
        """Whether everything appended is delivered or failed."""
        return all(queue.idle for queue in self._queues.values())

    def validate(self) -> None:
        in_flight = {key for key, queue in self._queues.items() if queue.in_flight is not None}
        assert in_flight == {key for keys in self._sent.values() for key in keys}
        assert self.buffered_bytes >= 0
        assert self.buffered_bytes > 0 or self.idle

    def append(
        self,
        topic: str,
        *,
        key: Value = None,
        value: Value = None,
        headers: Iterable[tuple[str, Value]] = (),
        timestamp: int,
        partition: int | None = None,
        now_ms: int,
    ) -> int:
        """Add a record and answer its partition. The topic must be in the view."""
        if partition is None:
            count = len(self._view.topics[topic].partitions)
            partition = self._partitioner.choose(topic, None if key is None else bytes(key), count)
        queue = self._queues.setdefault((topic, partition), _Queue())
        builder = queue.open
        if builder is None:
            builder = queue.open = BatchBuilder(
                compression=self.config.compression,
                level=self.config.compression_level,
                transactional=self._transaction is not None,
            )
            queue.opened_ms = now_ms
            self.buffered_bytes += builder.size_estimate
        before = builder.size_estimate
        builder.append(timestamp=timestamp, key=key, value=value, headers=headers)
        self.buffered_bytes += builder.size_estimate - before
        if builder.size_estimate >= self.config.batch_bytes:
            self._close((topic, partition), queue)
        return partition

    def append_batch(self, topic: str, partition: int, data: bytes, count: int, *, now_ms: int) -> None:
        """Add a batch that is built already, without producer id; it goes after what is gathered."""
        queue = self._queues.setdefault((topic, partition), _Queue())
        if queue.open is not None:
            self._close((topic, partition), queue)
        self.buffered_bytes += len(data)
        queue.full.append(_Batch(data, count, now_ms))

    def flush(self) -> None:
        """From the next event on, do not linger; until everything is out."""
        self._flushing = True

    def handle(self, event: ClusterEvent) -> list[ProducerEffect]:
        self._now_ms = max(self._now_ms, event.now_ms)
        effects: list[ProducerEffect] = []
        match event:
            case Tick():
                pass
            case RequestAnswered():
                effects += self._on_answered(event)
            case RequestFailed():
                effects += self._on_failed(event)
            case _:
                assert_never(event)
        effects += self._expire()
        effects += self._drain()
        if self._flushing and self.idle:
            self._flushing = False
        return effects

    def next_wake_ms(self) -> int:
        """How long the driver may wait for bytes before the next Tick."""
        return min(self.config.retry_backoff_ms, max(self.config.linger_ms, 1))

    # ---------------------------------------------------------------- out

    def _close(self, key: TopicPartition, queue: _Queue) -> None:
        builder = queue.open
        assert builder is not None
        queue.open = None
        self.buffered_bytes -= builder.size_estimate
        data = builder.build()
        self.buffered_bytes += len(data)
        queue.full.append(_Batch(data, builder.record_count, queue.opened_ms))
        self._partitioner.batch_full(*key)

    def _drain(self) -> list[ProducerEffect]:
        effects: list[ProducerEffect] = []
        by_node: dict[int, list[tuple[TopicPartition, _Batch]]] = {}
        for key, queue in self._queues.items():
            if queue.open is not None and self._lingered(queue):
                self._close(key, queue)
            if queue.in_flight is not None or not queue.full or queue.full[0].not_before_ms > self._now_ms:
                continue
            leader = self._view.leader(*key)
            if leader == NO_LEADER:
                self._miss_leader(key, queue.full[0])
            elif not self._idempotent or self._producer_id >= 0 or queue.full[0].producer_id >= 0:
                by_node.setdefault(leader, []).append((key, queue.full.popleft()))
        for node_id, batches in by_node.items():
            effects.append(self._produce(node_id, batches))
        effects += self._ask_for_what_is_missing()
        return effects

    def _miss_leader(self, key: TopicPartition, batch: _Batch) -> None:
        code = self._view.errors.get(key[0])
        batch.problem = "it has no leader" if code is None else describe_error(code)
        if not self._metadata.in_flight:
            self._metadata.want(key[0])

    def _lingered(self, queue: _Queue) -> bool:
        return self._flushing or self._now_ms - queue.opened_ms >= self.config.linger_ms

    def _produce(self, node_id: int, batches: list[tuple[TopicPartition, _Batch]]) -> SendRequest:
        topics: dict[str, TopicProduceData] = {}
        transaction = self._transaction
        max_version = None
        if transaction is not None and not transaction.adds_by_producing:
            max_version = _LAST_VERSION_WITH_ADDED_PARTITIONS
        for (topic, partition), batch in batches:
            queue = self._queues[topic, partition]
            queue.in_flight = batch
            data = topics.get(topic)
            if data is None:
                topic_id = self._view.topics[topic].topic_id
                if topic_id == ZERO_UUID:
                    max_version = min(max_version or _LAST_VERSION_WITH_NAMES, _LAST_VERSION_WITH_NAMES)
                data = topics[topic] = TopicProduceData(name=topic, topic_id=topic_id)
            data.partition_data.append(
                PartitionProduceData(index=partition, records=self._stamped(queue, batch))
            )
        message = ProduceRequest(
            transactional_id=None if transaction is None else transaction.transactional_id,
            acks=self.config.acks,
            timeout_ms=self.config.request_timeout_ms,
            topic_data=list(topics.values()),
        )
        self._next_token += 1
        self._sent[self._next_token] = [key for key, _ in batches]
        request = Request(
            ApiKey.PRODUCE,
            message,
            max_version=max_version,
            expects_answer=self.config.acks != 0,
            token=self._next_token,
        )
        return SendRequest(node_id, request)

    def _stamped(self, queue: _Queue, batch: _Batch) -> bytes:
        """The batch with producer id and sequence."""
        if self._idempotent and batch.producer_id < 0:
            data = bytearray(batch.data)
            patch_producer(
                data,
                0,
                len(data),
                producer_id=self._producer_id,
                producer_epoch=self._producer_epoch,
                base_sequence=queue.next_sequence,
            )
            batch.data = bytes(data)
            batch.producer_id = self._producer_id
            queue.next_sequence = (queue.next_sequence + batch.count) % _SEQUENCE_SPAN
        return batch.data

    def _ask_for_what_is_missing(self) -> list[ProducerEffect]:
        effects: list[ProducerEffect] = []
        if (
            self._idempotent
            and self._transaction is None
            and self._producer_id < 0
            and self._id_request is None
            and self._now_ms >= self._retry_id_at_ms
            and any(queue.full for queue in self._queues.values())
        ):
            self._id_request = Request(
                ApiKey.INIT_PRODUCER_ID,
                InitProducerIdRequest(
                    transactional_id=None, transaction_timeout_ms=self.config.delivery_timeout_ms
                ),
            )
            effects.append(SendRequest(None, self._id_request))
        effects += self._metadata.due(self._now_ms)
        return effects

    # ---------------------------------------------------------------- in

    def _on_answered(self, event: RequestAnswered) -> list[ProducerEffect]:
        message = event.message
        if self._metadata.takes(event, self._now_ms):
            return []
        if event.request is self._id_request:
            return self._on_producer_id(message)
        keys = self._sent.pop(event.request.token)
        if message is None:
            return [self._delivered(key, -1) for key in keys]
        assert isinstance(message, ProduceResponse)
        return self._on_produced(message, keys)

    def _on_producer_id(self, message: InitProducerIdResponse) -> list[ProducerEffect]:
        self._id_request = None
        if message.error_code == 0:
            self._producer_id, self._producer_epoch = message.producer_id, message.producer_epoch
            return []
        code = error_code(message.error_code)
        if code.retriable:
            self._retry_id_at_ms = self._now_ms + self.config.retry_backoff_ms
            return []
        return self._fail_all(code, f"no producer id: {describe_error(message.error_code)}")

    def _on_produced(self, message: ProduceResponse, keys: list[TopicPartition]) -> list[ProducerEffect]:
        effects: list[ProducerEffect] = []
        unanswered = dict.fromkeys(keys)
        for topic in message.responses:
            name = topic.name or self._view.topic_name(topic.topic_id) or ""
            for row in topic.partition_responses:
                key = (name, row.index)
                if key in unanswered:
                    del unanswered[key]
                    effects += self._on_partition(key, row)
        for key in unanswered:
            self._retry(key, "the broker left the partition out of its answer", uncertain=True)
        return effects

    def _on_partition(self, key: TopicPartition, row: PartitionProduceResponse) -> list[ProducerEffect]:
        code = error_code(row.error_code)
        if row.error_code == 0:
            return [self._delivered(key, row.base_offset)]
        if code is ErrorCode.DUPLICATE_SEQUENCE_NUMBER:
            return [self._delivered(key, -1)]
        reason = describe_error(row.error_code, row.error_message)
        if code.retriable:
            self._retry(key, reason, uncertain=code in _MAYBE_WRITTEN)
            return []
        return [self._failed(key, code, reason)]

    def _on_failed(self, event: RequestFailed) -> list[ProducerEffect]:
        if self._metadata.takes(event, self._now_ms):
            return []
        if event.request is self._id_request:
            self._id_request = None
            self._retry_id_at_ms = self._now_ms + self.config.retry_backoff_ms
            if event.unsupported:
                return self._fail_all(ErrorCode.UNSUPPORTED_VERSION, event.reason)
            return []
        keys = self._sent.pop(event.request.token)
        effects: list[ProducerEffect] = []
        for key in keys:
            if event.unsupported:
                effects.append(self._failed(key, ErrorCode.UNSUPPORTED_VERSION, event.reason))
            else:
                self._retry(key, event.reason, uncertain=True)
        return effects

    # ---------------------------------------------------------------- outcomes

    def _take(self, key: TopicPartition) -> tuple[_Queue, _Batch]:
        queue = self._queues[key]
        batch = queue.in_flight
        assert batch is not None
        queue.in_flight = None
        return queue, batch

    def _delivered(self, key: TopicPartition, base_offset: int) -> Delivered:
        _, batch = self._take(key)
        self.buffered_bytes -= len(batch.data)
        return Delivered(*key, base_offset, batch.count)

    def _retry(self, key: TopicPartition, reason: str, *, uncertain: bool) -> None:
        queue, batch = self._take(key)
        batch.problem = reason
        batch.uncertain = batch.uncertain or uncertain
        batch.not_before_ms = self._now_ms + self.config.retry_backoff_ms
        queue.full.appendleft(batch)
        self._metadata.want(key[0])

    def _failed(self, key: TopicPartition, code: ErrorCode, reason: str) -> DeliveryFailed:
        queue, batch = self._take(key)
        return self._dropped(key, queue, batch, code, reason)

    def _dropped(
        self, key: TopicPartition, queue: _Queue, batch: _Batch, code: ErrorCode, reason: str
    ) -> DeliveryFailed:
        self.buffered_bytes -= len(batch.data)
        if batch.producer_id >= 0 and batch.producer_id == self._producer_id:
            if batch.uncertain or code in _PRODUCER_LOST:
                # The broker may hold these sequences or not. Later batches go under a new producer id;
                # those already tried keep the old one.
                self._producer_id = self._producer_epoch = -1
                for other in self._queues.values():
                    other.next_sequence = 0
            else:
                queue.next_sequence = (queue.next_sequence - batch.count) % _SEQUENCE_SPAN
        return DeliveryFailed(*key, batch.count, code, reason)

    def _expire(self) -> list[ProducerEffect]:
        effects: list[ProducerEffect] = []
        limit = self.config.delivery_timeout_ms
        for key, queue in self._queues.items():
            while queue.full and self._now_ms - queue.full[0].created_ms >= limit:
                batch = queue.full.popleft()
                reason = f"not delivered within {limit} ms" + (f": {batch.problem}" if batch.problem else "")
                effects.append(self._dropped(key, queue, batch, ErrorCode.REQUEST_TIMED_OUT, reason))
        return effects

    def _fail_all(self, code: ErrorCode, reason: str) -> list[ProducerEffect]:
        effects: list[ProducerEffect] = []
        for key, queue in self._queues.items():
            if queue.open is not None:
                self._close(key, queue)
            while queue.full:
                effects.append(self._dropped(key, queue, queue.full.popleft(), code, reason))
        return effects
