"""Transactions and readers of one client, the same calls for each.

A producer is named; ``open`` makes it and claims its transactional id. ``send`` returns when all is
acknowledged. A reader is a partition consumer in the background, from the beginning; ``seen`` is what it has
read, by partition and in order. The programs in Java, Go and JavaScript take the same as ops that begin with
``txn_``.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.structs import OffsetAndMetadata
from aiokafka.structs import TopicPartition as AioPartition
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition

from clientkit import rdkafka
from clientkit.lines import ClientError, LineClient

SECONDS_MAX = 60.0
LOOK_SECONDS = 0.05
LONG_MS = 60_000
Seen = dict[int, list[str]]


class Txns(Protocol):
    """Every call may raise ``ClientError`` with the name the client has for what went wrong."""

    def open(self, name: str, transactional_id: str, *, timeout_ms: int = LONG_MS) -> None: ...

    def begin(self, name: str) -> None: ...

    def send(self, name: str, topic: str, partition: int, values: Sequence[str]) -> None: ...

    def offsets(self, name: str, group: str, topic: str, ends: Mapping[int, int]) -> None:
        """Offsets of a group that has no members."""

    def end(self, name: str, *, commit: bool) -> None: ...

    def drop(self, name: str) -> None:
        """Forget a producer, whatever its state."""

    def read(self, name: str, topic: str, partitions: int, *, committed: bool) -> None: ...

    def seen(self, name: str) -> Seen: ...

    def close(self) -> None: ...


class LineTxns:
    """In a program of another language."""

    def __init__(self, client: LineClient) -> None:
        self._client = client

    def open(self, name: str, transactional_id: str, *, timeout_ms: int = LONG_MS) -> None:
        self._client.call("txn_open", name=name, transactional_id=transactional_id, timeout_ms=timeout_ms)

    def begin(self, name: str) -> None:
        self._client.call("txn_begin", name=name)

    def send(self, name: str, topic: str, partition: int, values: Sequence[str]) -> None:
        self._client.call("txn_send", name=name, topic=topic, partition=partition, values=list(values))

    def offsets(self, name: str, group: str, topic: str, ends: Mapping[int, int]) -> None:
        rows = [{"partition": partition, "offset": end} for partition, end in ends.items()]
        self._client.call("txn_offsets", name=name, group=group, topic=topic, ends=rows)

    def end(self, name: str, *, commit: bool) -> None:
        self._client.call("txn_end", name=name, commit=commit)

    def drop(self, name: str) -> None:
        self._client.call("txn_drop", name=name)

    def read(self, name: str, topic: str, partitions: int, *, committed: bool) -> None:
        self._client.call("txn_read", name=name, topic=topic, partitions=partitions, committed=committed)

    def seen(self, name: str) -> Seen:
        rows = self._client.call("txn_seen", name=name)
        return {int(partition): values for partition, values in rows.items()}

    def close(self) -> None:
        self._client.close()


@contextmanager
def _rdkafka_errors() -> Iterator[None]:
    """A fatal error may be thrown in the middle of a delivery report, wrapped by Python in another."""
    try:
        yield
    except (KafkaException, SystemError) as trouble:
        known = trouble.__cause__ if isinstance(trouble, SystemError) else trouble
        if not isinstance(known, KafkaException):
            raise
        error: KafkaError = known.args[0]
        raise ClientError(error.name(), error.str()) from trouble


class RdkafkaReader(threading.Thread):
    def __init__(self, consumer: Consumer, topic: str, partitions: int) -> None:
        super().__init__(daemon=True)
        self.values: Seen = {partition: [] for partition in range(partitions)}
        self.error: KafkaError | None = None
        self.stopping = threading.Event()
        self._consumer = consumer
        consumer.assign([TopicPartition(topic, partition, 0) for partition in range(partitions)])

    def run(self) -> None:
        while not self.stopping.is_set():
            message = self._consumer.poll(LOOK_SECONDS)
            if message is None:
                continue
            error = message.error()
            if error is None:
                self.values[message.partition()].append(message.value().decode())
            elif error.fatal() or not (error.retriable() or error.code() in _PASSING):
                self.error = error
                return


_PASSING = {KafkaError._PARTITION_EOF, KafkaError._TRANSPORT, KafkaError._ALL_BROKERS_DOWN}


class Rdkafka:
    def __init__(self, bootstrap: str) -> None:
        self._bootstrap = bootstrap
        self._producers: dict[str, Producer] = {}
        self._readers: dict[str, RdkafkaReader] = {}

    def open(self, name: str, transactional_id: str, *, timeout_ms: int = LONG_MS) -> None:
        made = self._producers[name] = Producer(
            {
                "bootstrap.servers": self._bootstrap,
                "transactional.id": transactional_id,
                "transaction.timeout.ms": timeout_ms,
                "message.timeout.ms": timeout_ms,
                "linger.ms": 1,
                "log_level": 0,
            }
        )
        with _rdkafka_errors():
            made.init_transactions(SECONDS_MAX)

    def begin(self, name: str) -> None:
        with _rdkafka_errors():
            self._producers[name].begin_transaction()

    def send(self, name: str, topic: str, partition: int, values: Sequence[str]) -> None:
        errors: list[KafkaError] = []

        def report(error: KafkaError | None, _message: object) -> None:
            if error is not None:
                errors.append(error)

        producer = self._producers[name]
        with _rdkafka_errors():
            for value in values:
                producer.produce(topic, value.encode(), partition=partition, on_delivery=report)
            left = producer.flush(SECONDS_MAX)
            if errors:
                raise KafkaException(errors[0])
        if left:
            raise ClientError("TIMEOUT", f"{left} records not delivered")

    def offsets(self, name: str, group: str, topic: str, ends: Mapping[int, int]) -> None:
        rows = [TopicPartition(topic, partition, end) for partition, end in ends.items()]
        member = rdkafka.consumer(self._bootstrap, group_id=group)
        try:
            with _rdkafka_errors():
                metadata = member.consumer_group_metadata()
                self._producers[name].send_offsets_to_transaction(rows, metadata, SECONDS_MAX)
        finally:
            member.close()

    def end(self, name: str, *, commit: bool) -> None:
        producer = self._producers[name]
        with _rdkafka_errors():
            (producer.commit_transaction if commit else producer.abort_transaction)(SECONDS_MAX)

    def drop(self, name: str) -> None:
        del self._producers[name]

    def read(self, name: str, topic: str, partitions: int, *, committed: bool) -> None:
        level = "read_committed" if committed else "read_uncommitted"
        consumer = rdkafka.consumer(self._bootstrap, isolation_level=level)
        self._readers[name] = RdkafkaReader(consumer, topic, partitions)
        self._readers[name].start()

    def seen(self, name: str) -> Seen:
        reader = self._readers[name]
        if reader.error is not None:
            raise ClientError(reader.error.name(), reader.error.str())
        return {partition: list(values) for partition, values in reader.values.items()}

    def close(self) -> None:
        for reader in self._readers.values():
            reader.stopping.set()
            reader.join(SECONDS_MAX)
            reader._consumer.close()
        self._readers.clear()
        self._producers.clear()


class Aiokafka:
    """aiokafka, on a loop of its own."""

    def __init__(self, bootstrap: str) -> None:
        self._bootstrap = bootstrap
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._producers: dict[str, AIOKafkaProducer] = {}
        self._consumers: dict[str, AIOKafkaConsumer] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._values: dict[str, Seen] = {}

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        future = asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, SECONDS_MAX), self._loop)
        try:
            return future.result()
        except Exception as error:
            raise ClientError(type(error).__name__, str(error)) from error

    def open(self, name: str, transactional_id: str, *, timeout_ms: int = LONG_MS) -> None:
        async def start() -> None:
            self._producers[name] = AIOKafkaProducer(
                bootstrap_servers=self._bootstrap,
                transactional_id=transactional_id,
                transaction_timeout_ms=timeout_ms,
                request_timeout_ms=10_000,
                retry_backoff_ms=50,
                linger_ms=1,
            )
            await self._producers[name].start()

        self._run(start())

    def begin(self, name: str) -> None:
        self._run(self._producers[name].begin_transaction())

    def send(self, name: str, topic: str, partition: int, values: Sequence[str]) -> None:
        async def send_all() -> None:
            producer = self._producers[name]
            sent = [await producer.send(topic, value.encode(), partition=partition) for value in values]
            await asyncio.gather(*sent)

        self._run(send_all())

    def offsets(self, name: str, group: str, topic: str, ends: Mapping[int, int]) -> None:
        rows = {AioPartition(topic, partition): OffsetAndMetadata(end, "") for partition, end in ends.items()}
        self._run(self._producers[name].send_offsets_to_transaction(rows, group))

    def end(self, name: str, *, commit: bool) -> None:
        producer = self._producers[name]
        self._run(producer.commit_transaction() if commit else producer.abort_transaction())

    def drop(self, name: str) -> None:
        self._run(_stop_quietly(self._producers.pop(name)))

    def read(self, name: str, topic: str, partitions: int, *, committed: bool) -> None:
        values = self._values[name] = {partition: [] for partition in range(partitions)}

        async def poll(consumer: AIOKafkaConsumer) -> None:
            async for record in consumer:
                values[record.partition].append(record.value.decode())

        async def start() -> None:
            consumer = self._consumers[name] = AIOKafkaConsumer(
                bootstrap_servers=self._bootstrap,
                isolation_level="read_committed" if committed else "read_uncommitted",
                fetch_max_wait_ms=100,
                retry_backoff_ms=50,
            )
            await consumer.start()
            places = [AioPartition(topic, partition) for partition in range(partitions)]
            consumer.assign(places)
            await consumer.seek_to_beginning(*places)
            self._tasks[name] = asyncio.create_task(poll(consumer))

        self._run(start())

    def seen(self, name: str) -> Seen:
        task = self._tasks[name]
        if task.done():
            error = task.exception()
            raise ClientError(type(error).__name__, str(error))
        return {partition: list(values) for partition, values in self._values[name].items()}

    def close(self) -> None:
        async def stop() -> None:
            for task in self._tasks.values():
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)
            for consumer in self._consumers.values():
                await consumer.stop()
            for producer in self._producers.values():
                await _stop_quietly(producer)

        self._run(stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(SECONDS_MAX)
        self._loop.close()


async def _stop_quietly(producer: AIOKafkaProducer) -> None:
    """One that was fenced, or whose transaction is open, says so again when it is stopped."""
    await asyncio.gather(producer.stop(), return_exceptions=True)


def wait_until_seen(client: Txns, name: str, wanted: Callable[[Seen], bool], seconds: float) -> Seen:
    """Until the reader has what is ``wanted``."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while True:
        found = client.seen(name)
        if wanted(found):
            return found
        assert time.monotonic() < deadline, f"{name} has {found} after {seconds:.0f} s"
        pause.wait(LOOK_SECONDS)
