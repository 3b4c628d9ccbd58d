"""A connection on which a test says exactly what it wants, well-formed or not."""

from __future__ import annotations

import socket
import struct
import time
from types import TracebackType
from typing import Any, Self

from e2ekit.waiting import wait_until
from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response, encode_request
from riverlog.protocol.generated.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from riverlog.protocol.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest
from riverlog.protocol.generated.metadata_request import MetadataRequest, MetadataRequestTopic
from riverlog.protocol.generated.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from riverlog.records import BatchBuilder

ANSWER_SECONDS_MAX = 10.0
PRODUCE_VERSION, FETCH_VERSION, METADATA_VERSION = 9, 12, 9


class Closed(Exception):
    """The broker closed the connection."""


class Raw:
    """One connection; ``call`` for well-formed requests, ``send`` for anything."""

    def __init__(self, bootstrap: str, *, receive_buffer: int | None = None) -> None:
        host, port = bootstrap.rsplit(":", 1)
        self._sock = socket.socket()
        if receive_buffer is not None:
            self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self._sock.settimeout(ANSWER_SECONDS_MAX)
        self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            self._sock.connect((host, int(port)))
        except OSError:
            self._sock.close()
            raise
        self._next_id = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._sock.close()

    def send(self, data: bytes) -> None:
        """These bytes; whether the peer still listens is seen when reading."""
        try:
            self._sock.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            return

    def send_within(self, data: bytes, seconds: float) -> bool:
        """Whether the peer took all of it in that time; it need not, when it has enough to do."""
        self._sock.settimeout(seconds)
        try:
            self._sock.sendall(data)
        except TimeoutError:
            return False
        finally:
            self._sock.settimeout(ANSWER_SECONDS_MAX)
        return True

    def reset(self) -> None:
        """Vanish: the peer gets a reset, not an orderly end."""
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._sock.close()

    def finish_sending(self) -> None:
        try:
            self._sock.shutdown(socket.SHUT_WR)
        except OSError:
            return

    def send_request(self, api_key: int, version: int, message: Any) -> int:
        """A well-formed request; answers its correlation id."""
        self._next_id += 1
        self.send(encode_request(api_key, version, self._next_id, "e2e", message))
        return self._next_id

    def call(self, api_key: int, version: int, message: Any) -> Any:
        wanted = self.send_request(api_key, version, message)
        correlation_id, answer = decode_response(api_key, version, memoryview(self.read_frame()))
        assert correlation_id == wanted
        return answer

    def read_frame(self, seconds: float = ANSWER_SECONDS_MAX) -> bytes:
        """One answer without its length; ``Closed`` if the broker hung up, ``TimeoutError`` if silent."""
        self._sock.settimeout(seconds)
        (size,) = struct.unpack(">i", self._read(4))
        return self._read(size)

    def _read(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            try:
                part = self._sock.recv(min(size - len(data), 1 << 20))
            except ConnectionResetError:
                raise Closed from None
            if not part:
                raise Closed
            data += part
        return bytes(data)

    def is_closed(self, seconds: float = ANSWER_SECONDS_MAX) -> bool:
        """Whether the broker hangs up within the time; answers that arrive first are dropped."""
        try:
            while True:
                self.read_frame(seconds)
        except Closed:
            return True
        except TimeoutError:
            return False


def frame(api_key: int, version: int, body: bytes, *, correlation_id: int = 7) -> bytes:
    """A request frame with header v1 and no client id, around any body."""
    head = struct.pack(">hhih", api_key, version, correlation_id, -1)
    return struct.pack(">i", len(head) + len(body)) + head + body


def batch(values: list[bytes], **header: Any) -> bytes:
    """A batch of now: a producer whose last record is older than a day is forgotten at a restart."""
    builder = BatchBuilder(**header)
    now_ms = int(time.time() * 1000)
    for value in values:
        builder.append(timestamp=now_ms, value=value)
    return builder.build()


def produce_request(
    topic: str, records: bytes | None, *, acks: int = -1, partition: int = 0
) -> ProduceRequest:
    data = PartitionProduceData(index=partition, records=records)
    return ProduceRequest(
        acks=acks, timeout_ms=10_000, topic_data=[TopicProduceData(name=topic, partition_data=[data])]
    )


def produce(raw: Raw, topic: str, records: bytes | None, *, acks: int = -1, partition: int = 0) -> Any:
    """Produce to one partition; answers its part of the response."""
    request = produce_request(topic, records, acks=acks, partition=partition)
    return raw.call(ApiKey.PRODUCE, PRODUCE_VERSION, request).responses[0].partition_responses[0]


def fetch_request(
    topic: str, offset: int, *, max_bytes: int = 1 << 20, max_wait_ms: int = 0, partition: int = 0
) -> FetchRequest:
    asked = FetchPartition(
        partition=partition, fetch_offset=offset, current_leader_epoch=-1, partition_max_bytes=max_bytes
    )
    return FetchRequest(
        max_wait_ms=max_wait_ms,
        min_bytes=1,
        max_bytes=max_bytes,
        session_id=0,
        session_epoch=-1,
        topics=[FetchTopic(topic=topic, partitions=[asked])],
    )


def fetch(raw: Raw, topic: str, offset: int, **how: int) -> Any:
    """Fetch from one partition; answers its part of the response."""
    answer = raw.call(ApiKey.FETCH, FETCH_VERSION, fetch_request(topic, offset, **how))
    return answer.responses[0].partitions[0]


def metadata(raw: Raw, *topics: str) -> Any:
    asked = [MetadataRequestTopic(name=name) for name in topics]
    message = MetadataRequest(topics=asked, allow_auto_topic_creation=False)
    return raw.call(ApiKey.METADATA, METADATA_VERSION, message)


def create_topic(raw: Raw, name: str, *, partitions: int = 1, **configs: str) -> None:
    """Create it and wait until it has leaders; config names with dots as underscores."""
    rows = [CreatableTopicConfig(name=key.replace("_", "."), value=value) for key, value in configs.items()]
    topic = CreatableTopic(name=name, num_partitions=partitions, replication_factor=1, configs=rows)
    request = CreateTopicsRequest(topics=[topic], timeout_ms=10_000)
    result = raw.call(ApiKey.CREATE_TOPICS, 5, request).topics[0]
    assert result.error_code == ErrorCode.NONE, (result.error_code, result.error_message)

    def led() -> bool:
        return all(fetch(raw, name, 0, partition=p).error_code == ErrorCode.NONE for p in range(partitions))

    wait_until(led, 20, f"{name} has leaders")


def leader_epochs(raw: Raw, topic: str) -> list[int]:
    found = metadata(raw, topic).topics[0]
    assert found.error_code == ErrorCode.NONE, found.error_code
    return [p.leader_epoch for p in sorted(found.partitions, key=lambda p: p.partition_index)]


def new_producer(raw: Raw) -> tuple[int, int]:
    """A producer id and epoch of the broker's."""
    request = InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=60_000)
    found: list[Any] = []

    def answered() -> bool:
        found.append(raw.call(ApiKey.INIT_PRODUCER_ID, 2, request))
        return bool(found[-1].error_code != ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)

    wait_until(answered, 20, "a producer id")
    assert found[-1].error_code == ErrorCode.NONE, found[-1].error_code
    return found[-1].producer_id, found[-1].producer_epoch
