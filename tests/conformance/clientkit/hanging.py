"""A transaction that hangs: its records are in a partition, and no coordinator will ever end it."""

from __future__ import annotations

import socket
import struct
import time
from typing import Any

from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response, encode_request
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest
from riverlog.protocol.generated.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from riverlog.records import BatchBuilder

VERIFICATION = "transaction.partition.verification.enable"
MINUTES = 60
NOBODY = 987_654
SECONDS_MAX = 20.0
_TRY_AGAIN = {14, 15, 16, 51}  # the coordinator is being loaded, is unknown, is another, or is busy
_NOT_LED_YET = {3, 6}


def write(bootstrap: str, topic: str, partition: int, *, transactional_id: str | None) -> int:
    """One record, an hour old, of a producer whose coordinator was never told; answers the producer id."""
    producer, epoch = (NOBODY, 0) if transactional_id is None else _new_producer(bootstrap, transactional_id)
    builder = BatchBuilder(producer_id=producer, producer_epoch=epoch, base_sequence=0, transactional=True)
    builder.append(timestamp=int(time.time() * 1000) - MINUTES * 60_000, value=b"hangs")
    data = PartitionProduceData(index=partition, records=builder.build())
    request = ProduceRequest(
        transactional_id=transactional_id or "nobody",
        acks=-1,
        timeout_ms=10_000,
        topic_data=[TopicProduceData(name=topic, partition_data=[data])],
    )
    deadline = time.monotonic() + SECONDS_MAX
    while True:
        answer = _call(bootstrap, ApiKey.PRODUCE, 9, request).responses[0].partition_responses[0]
        if answer.error_code == 0:
            return producer
        assert answer.error_code in _NOT_LED_YET, answer
        assert time.monotonic() < deadline, answer


def _new_producer(bootstrap: str, transactional_id: str) -> tuple[int, int]:
    request = InitProducerIdRequest(transactional_id=transactional_id, transaction_timeout_ms=60_000)
    deadline = time.monotonic() + SECONDS_MAX
    while True:
        answer = _call(bootstrap, ApiKey.INIT_PRODUCER_ID, 4, request)
        if answer.error_code == 0:
            return answer.producer_id, answer.producer_epoch
        assert answer.error_code in _TRY_AGAIN, answer
        assert time.monotonic() < deadline, answer


def _call(bootstrap: str, api_key: int, version: int, message: Any) -> Any:
    host, port = bootstrap.rsplit(":", 1)
    with socket.create_connection((host, int(port)), SECONDS_MAX) as connection:
        connection.sendall(encode_request(api_key, version, 1, "conformance", message))
        with connection.makefile("rb") as stream:
            (size,) = struct.unpack(">i", stream.read(4))
            return decode_response(api_key, version, memoryview(stream.read(size)))[1]
