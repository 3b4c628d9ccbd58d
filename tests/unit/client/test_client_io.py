"""The blocking driver against a scripted broker on a loopback socket."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from riverlog.base.errors import ErrorCode
from riverlog.client import (
    BrokerRefused,
    BrokerUnreachable,
    Delivered,
    Fetched,
    Fetcher,
    Producer,
    ProducerConfig,
    RequestTimedOut,
    UnsupportedApi,
)
from riverlog.client.offsets import LATEST
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_request, encode_response
from riverlog.protocol.generated.api_versions_response import ApiVersion, ApiVersionsResponse
from riverlog.protocol.generated.create_topics_request import CreateTopicsRequest
from riverlog.protocol.generated.fetch_response import FetchableTopicResponse, FetchResponse, PartitionData
from riverlog.protocol.generated.list_offsets_response import (
    ListOffsetsPartitionResponse,
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)
from riverlog.protocol.generated.metadata_request import MetadataRequest
from riverlog.protocol.generated.metadata_response import (
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)
from riverlog.protocol.generated.produce_response import (
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)
from riverlog.records import BatchBuilder
from riverlog.runtime.client_io import BlockingClient, parse_bootstrap

ID = b"t" * 16
SERVED = [ApiKey.API_VERSIONS, ApiKey.METADATA, ApiKey.PRODUCE, ApiKey.FETCH, ApiKey.LIST_OFFSETS]

Reply = Callable[["FakeBroker", Any], Any]
"""The answer to a request; None closes the connection, ``SILENCE`` says nothing."""

SILENCE = object()


class FakeBroker:
    """Answers each API by a function, one connection after another, in a thread of its own."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self.replies: dict[int, Reply] = {ApiKey.METADATA: described}
        self._threads: list[threading.Thread] = []

    def run(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        # A client that is gone in the middle of an answer is no failure of the test.
        with suppress(OSError), connection, connection.makefile("rb") as stream:
            while len(length := stream.read(4)) == 4:
                header, message = decode_request(memoryview(stream.read(int.from_bytes(length, "big"))))
                if header.api_key == ApiKey.API_VERSIONS:
                    rows = [ApiVersion(api_key=key, min_version=0, max_version=99) for key in SERVED]
                    answer: Any = ApiVersionsResponse(api_keys=rows)
                else:
                    answer = self.replies[header.api_key](self, message)
                if answer is None:
                    connection.shutdown(socket.SHUT_RDWR)
                    return
                if answer is not SILENCE:
                    parts = encode_response(header.api_key, header.api_version, header.correlation_id, answer)
                    connection.sendall(b"".join(bytes(part) for part in parts))  # type: ignore[arg-type]

    def stop(self) -> None:
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        for thread in self._threads:
            thread.join(10)


@pytest.fixture
def broker() -> Iterator[FakeBroker]:
    fake = FakeBroker()
    thread = threading.Thread(target=fake.run, daemon=True)
    thread.start()
    yield fake
    fake.stop()
    thread.join(10)


@contextmanager
def client(broker: FakeBroker, timeout: float = 10.0) -> Iterator[BlockingClient]:
    with BlockingClient(f"127.0.0.1:{broker.port}", timeout=timeout) as made:
        yield made


def described(broker: FakeBroker, _message: Any) -> MetadataResponse:
    part = MetadataResponsePartition(partition_index=0, leader_id=1, leader_epoch=0, replica_nodes=[1])
    return MetadataResponse(
        brokers=[MetadataResponseBroker(node_id=1, host="127.0.0.1", port=broker.port)],
        topics=[MetadataResponseTopic(name="t", topic_id=ID, partitions=[part])],
    )


def test_a_call_waits_for_its_answer(broker: FakeBroker) -> None:
    with client(broker) as it:
        assert it.topic("t").topic_id == ID
        assert it.view.leader("t", 0) == 1


def test_a_closed_connection_is_reported_and_the_next_call_connects_again(broker: FakeBroker) -> None:
    broker.replies[ApiKey.METADATA] = lambda _broker, _message: None
    with client(broker) as it:
        with pytest.raises(BrokerUnreachable, match="closed by the broker"):
            it.refresh(["t"])
        broker.replies[ApiKey.METADATA] = described
        assert it.refresh(["t"]).leader("t", 0) == 1


def test_silence_is_a_time_out(broker: FakeBroker) -> None:
    broker.replies[ApiKey.METADATA] = lambda _broker, _message: SILENCE
    with client(broker, timeout=0.2) as it, pytest.raises(RequestTimedOut, match=r"Metadata .* within 0.2 s"):
        it.call(ApiKey.METADATA, MetadataRequest())


def test_an_api_the_broker_lacks_is_named(broker: FakeBroker) -> None:
    with client(broker) as it, pytest.raises(UnsupportedApi, match="CreateTopics"):
        it.call(ApiKey.CREATE_TOPICS, CreateTopicsRequest())


def test_nobody_listening_names_the_address(broker: FakeBroker) -> None:
    broker.stop()
    with (
        BlockingClient(f"127.0.0.1:{broker.port}") as it,
        pytest.raises(BrokerUnreachable, match=f"cannot connect to 127.0.0.1:{broker.port}"),
    ):
        it.refresh()


def test_the_second_address_is_tried(broker: FakeBroker) -> None:
    with BlockingClient(f"127.0.0.1:1,127.0.0.1:{broker.port}") as it:
        assert it.refresh(["t"]).leader("t", 0) == 1


def test_an_unknown_topic_is_refused(broker: FakeBroker) -> None:
    broker.replies[ApiKey.METADATA] = lambda _broker, _message: MetadataResponse(
        topics=[MetadataResponseTopic(name="t", error_code=ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)]
    )
    with client(broker) as it, pytest.raises(BrokerRefused, match="'t' does not exist"):
        it.topic("t")


def test_offsets_are_asked_again_when_the_leader_has_moved(broker: FakeBroker) -> None:
    codes = [ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.NONE]

    def listed(_broker: FakeBroker, _message: Any) -> ListOffsetsResponse:
        row = ListOffsetsPartitionResponse(partition_index=0, error_code=codes.pop(0), offset=42)
        return ListOffsetsResponse(topics=[ListOffsetsTopicResponse(name="t", partitions=[row])])

    broker.replies[ApiKey.LIST_OFFSETS] = listed
    with client(broker) as it:
        it.topic("t")
        assert it.offsets({("t", 0): LATEST})[("t", 0)].offset == 42
    assert codes == []


def test_a_producer_survives_a_lost_connection(broker: FakeBroker) -> None:
    answers: list[Any] = [
        None,
        ProduceResponse(
            responses=[
                TopicProduceResponse(
                    topic_id=ID, partition_responses=[PartitionProduceResponse(index=0, base_offset=5)]
                )
            ]
        ),
    ]
    broker.replies[ApiKey.PRODUCE] = lambda _broker, _message: answers.pop(0)
    with client(broker) as it:
        it.topic("t")
        producer = Producer(it.view, ProducerConfig(acks=1, retry_backoff_ms=10))
        producer.append("t", value=b"v", timestamp=1, partition=0, now_ms=int(time.monotonic() * 1000))
        producer.flush()
        told: list[Any] = []
        while not producer.idle:
            told += it.step(producer)
        assert told == [Delivered("t", 0, 5, 1)]


def test_a_fetcher_reads_through_the_driver(broker: FakeBroker) -> None:
    builder = BatchBuilder()
    builder.append(timestamp=1, value=b"v")
    batch = builder.build()

    def fetched(_broker: FakeBroker, message: Any) -> FetchResponse:
        offset = message.topics[0].partitions[0].fetch_offset
        part = PartitionData(partition_index=0, high_watermark=1, records=batch if offset == 0 else None)
        return FetchResponse(responses=[FetchableTopicResponse(topic_id=ID, partitions=[part])])

    broker.replies[ApiKey.FETCH] = fetched
    with client(broker) as it:
        it.topic("t")
        fetcher = Fetcher(it.view)
        fetcher.assign("t", 0, 0)
        told: list[Any] = []
        while not any(isinstance(effect, Fetched) for effect in told):
            told += it.step(fetcher)
        # A call on another connection does not lose what the fetcher waits for.
        it.refresh(["t"])
        assert [record.value for record in told[0].records] == [b"v"]


def test_a_request_without_an_answer_fails_to_its_machine(broker: FakeBroker) -> None:
    broker.replies[ApiKey.PRODUCE] = lambda _broker, _message: SILENCE
    with client(broker, timeout=0.2) as it:
        it.topic("t")
        producer = Producer(it.view, ProducerConfig(acks=1, retry_backoff_ms=10, delivery_timeout_ms=300))
        producer.append("t", value=b"v", timestamp=1, partition=0, now_ms=int(time.monotonic() * 1000))
        producer.flush()
        told: list[Any] = []
        while not producer.idle:
            told += it.step(producer)
        (failed,) = told
        assert failed.code is ErrorCode.REQUEST_TIMED_OUT


def test_addresses() -> None:
    assert parse_bootstrap("a:1, b:2") == [("a", 1), ("b", 2)]
    assert parse_bootstrap("a") == [("a", 9092)]
    assert parse_bootstrap("[::1]:9093,[::1]") == [("::1", 9093), ("::1", 9092)]
    for bad in ("", ",", "a:", "a:x", "a:0", "a:65536", ":9092"):
        with pytest.raises(ValueError, match="HOST:PORT"):
            parse_bootstrap(bad)
