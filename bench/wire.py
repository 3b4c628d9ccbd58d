"""The few requests the benchmark sends by hand: built once, then sent as they are.

Plain versions (Metadata 1, ListOffsets 2, Produce 7), so that answers have a fixed size.
"""

from __future__ import annotations

import socket
import struct
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response, encode_request, encode_response
from riverlog.protocol.generated.create_topics_request import CreatableTopic, CreateTopicsRequest
from riverlog.protocol.generated.describe_quorum_request import DescribeQuorumRequest
from riverlog.protocol.generated.describe_quorum_request import PartitionData as DescribedPartition
from riverlog.protocol.generated.describe_quorum_request import TopicData as DescribedTopic
from riverlog.protocol.generated.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from riverlog.protocol.generated.metadata_request import MetadataRequest
from riverlog.protocol.generated.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from riverlog.protocol.generated.produce_response import (
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)
from riverlog.records import BatchBuilder

_PRODUCE_VERSION, _METADATA_VERSION, _LIST_OFFSETS_VERSION = 7, 1, 2
_CREATE_TOPICS_VERSION = 4
HOST = "127.0.0.1"


def one_record_request(topic: str, partition: int, value: bytes, *, timestamp_ms: int, acks: int) -> bytes:
    """A Produce request with one batch of one record, length first."""
    builder = BatchBuilder()
    builder.append(timestamp=timestamp_ms, value=value)
    data = TopicProduceData(
        name=topic, partition_data=[PartitionProduceData(index=partition, records=builder.build())]
    )
    request = ProduceRequest(acks=acks, timeout_ms=30_000, topic_data=[data])
    return encode_request(ApiKey.PRODUCE, _PRODUCE_VERSION, 1, None, request)


def answer_shape(topic: str) -> tuple[int, int]:
    """(position of the error code, whole size) of the answer to ``one_record_request``, length included."""
    good, bad = (_answer(topic, code) for code in (0, 0x0101))
    return next(at for at in range(len(good)) if good[at] != bad[at]), len(good)


def _answer(topic: str, error_code: int) -> bytes:
    partition = PartitionProduceResponse(index=0, error_code=error_code)
    message = ProduceResponse(responses=[TopicProduceResponse(name=topic, partition_responses=[partition])])
    parts = encode_response(ApiKey.PRODUCE, _PRODUCE_VERSION, 1, message)
    return b"".join(bytes(part) for part in parts if not hasattr(part, "read"))


def metadata_request() -> bytes:
    """Brokers only, no topics."""
    return encode_request(ApiKey.METADATA, _METADATA_VERSION, 1, None, MetadataRequest(topics=[]))


def ask(port: int, api_key: int, version: int, message: object, *, timeout: float = 10.0) -> Any:
    """One request over a connection of its own. Raises ``OSError``."""
    with socket.create_connection((HOST, port), timeout=timeout) as sock:
        sock.sendall(encode_request(api_key, version, 1, None, message))
        frame = memoryview(read_frame(sock))
    return decode_response(api_key, version, frame)[1]


def broker_ids(port: int) -> set[int]:
    """The brokers that this one tells clients about."""
    answer = ask(port, ApiKey.METADATA, _METADATA_VERSION, MetadataRequest(topics=[]))
    return {broker.node_id for broker in answer.brokers}


def quorum_leader(port: int) -> int:
    """The active controller, -1 if there is none."""
    topic = DescribedTopic(topic_name="__cluster_metadata", partitions=[DescribedPartition()])
    answer = ask(port, ApiKey.DESCRIBE_QUORUM, 0, DescribeQuorumRequest(topics=[topic]))
    if answer.error_code or not answer.topics:
        return -1
    leader: int = answer.topics[0].partitions[0].leader_id
    return leader


def create_topic(port: int, name: str, *, copies: int, timeout: float) -> bool:
    """Whether it exists now. Raises ``OSError``."""
    topic = CreatableTopic(name=name, num_partitions=1, replication_factor=copies)
    message = CreateTopicsRequest(topics=[topic], timeout_ms=int(timeout * 1000))
    answer = ask(port, ApiKey.CREATE_TOPICS, _CREATE_TOPICS_VERSION, message, timeout=timeout)
    return answer.topics[0].error_code in (0, ErrorCode.TOPIC_ALREADY_EXISTS)


def partitions_served(port: int, topic: str, partitions: int) -> set[int]:
    """The partitions whose leader this broker is, and knows it: they answer for their end offset."""
    asked = [ListOffsetsPartition(partition_index=p, timestamp=-1) for p in range(partitions)]
    message = ListOffsetsRequest(topics=[ListOffsetsTopic(name=topic, partitions=asked)])
    answer = ask(port, ApiKey.LIST_OFFSETS, _LIST_OFFSETS_VERSION, message)
    return {part.partition_index for part in answer.topics[0].partitions if part.error_code == 0}


def read_frame(sock: socket.socket) -> bytes:
    """One whole answer without its length."""
    (size,) = struct.unpack(">i", _read_exactly(sock, 4))
    return _read_exactly(sock, size)


def _read_exactly(sock: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        data = sock.recv(size - len(parts))
        if not data:
            raise ConnectionError("the broker closed the connection")
        parts += data
    return bytes(parts)
