"""Replies that wait for their turn while what they point to goes away: over real sockets."""

from __future__ import annotations

import socket

import pytest

from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response, encode_request
from riverlog.protocol.generated.create_topics_request import CreatableTopic, CreateTopicsRequest
from riverlog.protocol.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from riverlog.protocol.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from riverlog.protocol.generated.metadata_request import MetadataRequest
from riverlog.protocol.generated.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from riverlog.records import BatchBuilder
from riverlog.testing import broker


class Peer:
    def __init__(self, bootstrap: str) -> None:
        host, _, port = bootstrap.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=10)

    def post(self, key: ApiKey, version: int, request: object) -> None:
        self._socket.sendall(encode_request(key, version, 1, "test", request))

    def call(self, key: ApiKey, version: int, request: object) -> object:
        self.post(key, version, request)
        return self.next_reply(key, version)

    def next_reply(self, key: ApiKey, version: int) -> object:
        size = int.from_bytes(self._receive(4), "big")
        return decode_response(key, version, memoryview(self._receive(size)))[1]

    def _receive(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            received = self._socket.recv(count - len(data))
            if not received:
                raise ConnectionResetError("closed")
            data += received
        return data

    def close(self) -> None:
        self._socket.close()


def _fetch(topic: str, wait_ms: int) -> FetchRequest:
    wanted = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1 << 20)
    return FetchRequest(
        max_wait_ms=wait_ms,
        min_bytes=1,
        max_bytes=1 << 20,
        session_epoch=-1,
        topics=[FetchTopic(topic=topic, partitions=[wanted])],
    )


@pytest.mark.parametrize("size", [100, 50_000])
def test_topic_deleted_while_a_fetch_of_it_waits_behind_another(size: int) -> None:
    with broker() as running:
        admin, reader = Peer(running.bootstrap), Peer(running.bootstrap)
        new = [CreatableTopic(name=name, num_partitions=1, replication_factor=1) for name in ("idle", "full")]
        admin.call(ApiKey.CREATE_TOPICS, 5, CreateTopicsRequest(topics=new, timeout_ms=5000))
        builder = BatchBuilder()
        builder.append(timestamp=1_700_000_000_000, key=None, value=b"x" * size)
        data = [PartitionProduceData(index=0, records=builder.build())]
        topic = TopicProduceData(name="full", partition_data=data)
        admin.call(ApiKey.PRODUCE, 9, ProduceRequest(acks=-1, timeout_ms=5000, topic_data=[topic]))
        reader.post(ApiKey.FETCH, 12, _fetch("idle", 700))
        reader.post(ApiKey.FETCH, 12, _fetch("full", 700))
        # In between, so that both fetches have been read before the topic goes.
        admin.call(ApiKey.METADATA, 9, MetadataRequest(topics=[]))
        gone = DeleteTopicsRequest(topics=[DeleteTopicState(name="full")], timeout_ms=5000)
        admin.call(ApiKey.DELETE_TOPICS, 6, gone)
        reader.next_reply(ApiKey.FETCH, 12)
        with pytest.raises(ConnectionError):
            reader.next_reply(ApiKey.FETCH, 12)
        admin.call(ApiKey.METADATA, 9, MetadataRequest(topics=[]))
        admin.close()
        reader.close()
