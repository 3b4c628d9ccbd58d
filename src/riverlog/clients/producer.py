"""A producer with bounded memory: ``send`` gives a future, and blocks or refuses when too much waits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import confluent_kafka

from riverlog.clients.errors import BufferExhausted, DeliveryFailed
from riverlog.clients.partitioners import Partitioner

BUFFER_MEMORY = 32 * 1024 * 1024
MAX_BLOCK_MS = 60_000
_POLL_SECONDS = 0.1
_PARTITIONS_KNOWN_SECONDS = 60.0
_RECORD_OVERHEAD = 100
_UNBOUNDED = 2_147_483_647


@dataclass(frozen=True, slots=True)
class RecordMetadata:
    """Where a record is."""

    topic: str
    partition: int
    offset: int
    timestamp_ms: int


Delivered = Callable[[RecordMetadata | None, Exception | None], None]
Headers = Sequence[tuple[str, bytes | None]]


class Producer:
    """Idempotent and ``acks=all`` unless ``config`` (librdkafka's names) says otherwise.

    ``partitioner`` chooses where no partition is given; ``rate_limit`` is in records a second.
    """

    def __init__(
        self,
        bootstrap: str,
        *,
        partitioner: Partitioner | None = None,
        buffer_memory: int = BUFFER_MEMORY,
        max_block_ms: int = MAX_BLOCK_MS,
        rate_limit: float | None = None,
        config: Mapping[str, Any] | None = None,
    ) -> None:
        settings: dict[str, Any] = {
            "bootstrap.servers": bootstrap,
            "enable.idempotence": True,
            "queue.buffering.max.messages": 0,
            "queue.buffering.max.kbytes": _UNBOUNDED,
            **(config or {}),
        }
        self._producer = confluent_kafka.Producer(settings)
        self._partitioner = partitioner
        self._partitions: dict[str, tuple[int, float]] = {}
        self._max_block_seconds = max_block_ms / 1000
        self._buffer_memory = buffer_memory
        self._used = 0
        self._room = threading.Condition()
        self._pace = _Pace(rate_limit) if rate_limit else None
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="riverlog-producer", daemon=True)
        self._thread.start()

    def send(
        self,
        topic: str,
        value: bytes | str | None,
        *,
        key: bytes | str | None = None,
        headers: Headers = (),
        partition: int | None = None,
        timestamp_ms: int | None = None,
        on_delivery: Delivered | None = None,
    ) -> Future[RecordMetadata]:
        """Hand a record over. Blocks for room or pace, at most ``max_block_ms``, then ``BufferExhausted``."""
        if self._closed:
            raise ValueError("the producer is closed")
        deadline = time.monotonic() + self._max_block_seconds
        raw_key = key.encode() if isinstance(key, str) else key
        raw_value = value.encode() if isinstance(value, str) else value
        size = len(raw_key or b"") + len(raw_value or b"") + _RECORD_OVERHEAD
        size += sum(len(name) + len(content or b"") for name, content in headers)
        if self._pace is not None and not self._pace.wait(deadline):
            raise BufferExhausted(
                f"the rate limit allows no record within {self._max_block_seconds * 1000:.0f} ms"
            )
        self._take(size, deadline)
        future: Future[RecordMetadata] = Future()

        def delivered(error: Any, message: Any) -> None:
            self._give_back(size)
            _settle(future, on_delivery, error, message)

        arguments: dict[str, Any] = {"key": raw_key, "headers": list(headers), "on_delivery": delivered}
        if timestamp_ms is not None:
            arguments["timestamp"] = timestamp_ms
        try:
            if partition is None and self._partitioner is not None:
                partition = self._partitioner(topic, raw_key, self._partition_count(topic, deadline))
            if partition is not None:
                arguments["partition"] = partition
            self._producer.produce(topic, raw_value, **arguments)
        except BaseException:
            self._give_back(size)
            raise
        return future

    @property
    def buffered_bytes(self) -> int:
        """Memory of records that are not acknowledged yet."""
        return self._used

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until everything sent is settled; False if time ran out."""
        left: int = self._producer.flush(-1 if timeout is None else timeout)
        return left == 0

    def close(self, timeout: float | None = None) -> None:
        """Flush and let go."""
        if not self._closed:
            self._closed = True
            self.flush(timeout)
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- inside --------------------------------------------------------------------------

    def _serve(self) -> None:
        """Delivery reports are handed out here."""
        while not self._closed:
            self._producer.poll(_POLL_SECONDS)

    def _take(self, size: int, deadline: float) -> None:
        with self._room:
            while self._used + size > self._buffer_memory and self._used:
                if (
                    not self._room.wait(max(0.0, deadline - time.monotonic()))
                    and time.monotonic() >= deadline
                ):
                    raise BufferExhausted(
                        f"{self._used} of {self._buffer_memory} bytes wait for the broker for longer than "
                        f"{self._max_block_seconds * 1000:.0f} ms"
                    )
            self._used += size

    def _give_back(self, size: int) -> None:
        with self._room:
            self._used -= size
            self._room.notify_all()

    def _partition_count(self, topic: str, deadline: float) -> int:
        count, until = self._partitions.get(topic, (0, 0.0))
        now = time.monotonic()
        if now < until:
            return count
        found = self._producer.list_topics(topic, max(0.1, deadline - now)).topics[topic]
        if found.error is not None or not found.partitions:
            raise DeliveryFailed(f"topic {topic}: {found.error or 'has no partitions yet'}")
        count = len(found.partitions)
        self._partitions[topic] = (count, now + _PARTITIONS_KNOWN_SECONDS)
        return count


def _settle(future: Future[RecordMetadata], on_delivery: Delivered | None, error: Any, message: Any) -> None:
    if error is not None:
        failed = DeliveryFailed(str(error))
        future.set_exception(failed)
        if on_delivery is not None:
            on_delivery(None, failed)
        return
    metadata = RecordMetadata(message.topic(), message.partition(), message.offset(), message.timestamp()[1])
    future.set_result(metadata)
    if on_delivery is not None:
        on_delivery(metadata, None)


class _Pace:
    """At most ``rate`` a second, evenly spaced, with a second's worth of credit."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._lock = threading.Lock()
        self._credit = rate
        self._last = time.monotonic()

    def wait(self, deadline: float) -> bool:
        """Take one; False if that would last past ``deadline``."""
        with self._lock:
            now = time.monotonic()
            self._credit = min(self._rate, self._credit + (now - self._last) * self._rate)
            self._last = now
            delay = max(0.0, (1 - self._credit) / self._rate)
            if now + delay > deadline:
                return False
            self._credit -= 1
        if delay:
            time.sleep(delay)
        return True
