"""``Producer`` and ``Consumer`` against a broker in this process."""

from __future__ import annotations

import socket
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence

import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from riverlog.clients import (
    BufferExhausted,
    Consumer,
    DeliveryFailed,
    Position,
    ProcessingFailed,
    Producer,
    Record,
    RecordMetadata,
    partitioners,
)
from riverlog.testing import TestBroker, broker

WAIT = 30.0


@pytest.fixture(scope="module")
def running() -> Iterator[TestBroker]:
    with broker() as b:
        yield b


@pytest.fixture
def topic(running: TestBroker, request: pytest.FixtureRequest) -> str:
    name = request.node.name.replace("[", "-").replace("]", "")[:80]
    admin = AdminClient({"bootstrap.servers": running.bootstrap})
    admin.create_topics([NewTopic(name, 4, 1)])[name].result(WAIT)
    return name


def take(consumer: Consumer, count: int) -> list[Record]:
    """The next ``count`` records."""
    found: list[Record] = []
    for record in consumer:
        found.append(record)
        if len(found) == count:
            return found
    raise AssertionError("the consumer ended")


def test_send_gives_a_future_and_calls_back(running: TestBroker, topic: str) -> None:
    told: list[RecordMetadata | None] = []
    with Producer(running.bootstrap) as producer:
        futures = [
            producer.send(
                topic, f"v{i}", key="k", headers=[("h", b"x")], on_delivery=lambda m, _: told.append(m)
            )
            for i in range(50)
        ]
    placed = [future.result(0) for future in futures]
    assert [metadata.offset for metadata in placed] == list(range(50))
    assert told == placed
    with Consumer(running.bootstrap, topic, group=topic) as consumer:
        records = take(consumer, 50)
    assert [record.value for record in records] == [f"v{i}".encode() for i in range(50)]
    assert records[0].headers == (("h", b"x"),)


def test_a_partitioner_chooses(running: TestBroker, topic: str) -> None:
    with Producer(running.bootstrap, partitioner=partitioners.round_robin()) as producer:
        futures = [producer.send(topic, "x", key="same") for _ in range(8)]
    assert [future.result(0).partition for future in futures] == [0, 1, 2, 3] * 2


def test_full_buffer_ends_in_buffer_exhausted() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # bound, not listening: nothing ever answers here
        address = f"127.0.0.1:{nobody.getsockname()[1]}"
        producer = Producer(
            address,
            buffer_memory=10_000,
            max_block_ms=200,
            config={"message.timeout.ms": 1500, "log_level": 0},
        )
        first = producer.send("t", b"x" * 9000)
        with pytest.raises(BufferExhausted, match="200 ms"):
            producer.send("t", b"x" * 9000)
        with pytest.raises(DeliveryFailed):
            first.result(WAIT)
        assert producer.buffered_bytes == 0
        producer.close(1)


def test_the_rate_limit_holds_back(running: TestBroker, topic: str) -> None:
    with Producer(running.bootstrap, rate_limit=5, max_block_ms=50) as producer:
        for _ in range(5):
            producer.send(topic, "x")  # a second's worth of credit
        with pytest.raises(BufferExhausted, match="rate limit"):
            producer.send(topic, "x")


def test_commit_by_hand_is_where_the_next_one_starts(running: TestBroker, topic: str) -> None:
    with Producer(running.bootstrap) as producer:
        for i in range(10):
            producer.send(topic, str(i), partition=0)
    with Consumer(running.bootstrap, topic, group=topic, auto_commit=False) as consumer:
        records = take(consumer, 10)
        consumer.commit(records[3])
    with Consumer(running.bootstrap, topic, group=topic, auto_commit=False) as consumer:
        assert take(consumer, 1)[0].offset == 4


class Memory:
    """An ``OffsetStore`` in a dict."""

    def __init__(self) -> None:
        self.positions: dict[tuple[str, int], int] = {}

    def load(self, partitions: Sequence[tuple[str, int]]) -> Sequence[Position]:
        return [Position(*place, self.positions[place]) for place in partitions if place in self.positions]

    def save(self, positions: Sequence[Position]) -> None:
        for position in positions:
            self.positions[position.topic, position.partition] = position.offset


def test_offsets_can_live_outside(running: TestBroker, topic: str) -> None:
    with Producer(running.bootstrap) as producer:
        for i in range(10):
            producer.send(topic, str(i), partition=1)
    store = Memory()
    store.positions[topic, 1] = 7
    with Consumer(running.bootstrap, topic, group=topic, store=store) as consumer:
        records = take(consumer, 3)
        assert [record.offset for record in records] == [7, 8, 9]
        consumer.commit(records[-1])
    assert store.positions == {(topic, 1): 10}


def test_pause_and_resume(running: TestBroker, topic: str) -> None:
    with Producer(running.bootstrap) as producer:
        for partition in (0, 1):
            producer.send(topic, str(partition), partition=partition)
        producer.flush(WAIT)
        with Consumer(running.bootstrap, topic, group=topic) as consumer:
            assert {record.partition for record in take(consumer, 2)} == {0, 1}
            consumer.pause((topic, 0))
            for partition in (0, 1):
                producer.send(topic, "more", partition=partition)
            producer.flush(WAIT)
            assert take(consumer, 1)[0].partition == 1
            assert consumer.poll(0.5) is None
            consumer.resume((topic, 0))
            assert take(consumer, 1)[0].partition == 0


def test_workers_keep_order_per_key_and_commit_everything(running: TestBroker, topic: str) -> None:
    count = 600
    with Producer(running.bootstrap) as producer:
        for i in range(count):
            producer.send(topic, str(i), key=f"key-{i % 17}")
    seen: dict[bytes | None, list[int]] = defaultdict(list)
    lock = threading.Lock()
    consumer = Consumer(running.bootstrap, topic, group=topic)

    def handle(record: Record) -> None:
        with lock:
            seen[record.key].append(int(record.value or b""))
            if sum(map(len, seen.values())) == count:
                consumer.stop()

    with consumer:
        consumer.process(handle, workers=6, queue_max=50)
    assert sum(map(len, seen.values())) == count
    assert all(values == sorted(values) for values in seen.values())
    with Consumer(running.bootstrap, topic, group=topic) as again:
        assert again.poll(2.0) is None, "everything was committed"


def test_a_failing_handler_ends_the_processing_and_the_record_comes_again(
    running: TestBroker, topic: str
) -> None:
    with Producer(running.bootstrap) as producer:
        for i in range(20):
            producer.send(topic, str(i), partition=0, key="k")

    def handle(record: Record) -> None:
        if record.offset == 5:
            raise LookupError("no such order")

    with (
        Consumer(running.bootstrap, topic, group=topic) as consumer,
        pytest.raises(ProcessingFailed, match="offset 5: no such order") as failed,
    ):
        consumer.process(handle, workers=3)
    assert isinstance(failed.value.__cause__, LookupError)
    with Consumer(running.bootstrap, topic, group=topic, auto_commit=False) as consumer:
        assert take(consumer, 1)[0].offset == 5
