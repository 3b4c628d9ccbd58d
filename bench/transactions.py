"""A transactional producer, transaction after transaction: how many records a second get committed."""

from __future__ import annotations

import os
import time
import uuid
from typing import Any

from confluent_kafka import Consumer, TopicPartition

from bench.client import Stopwatch, held, percentiles
from bench.rdkafka import TransactionalProducer, TransactionFailed, bind

Params = dict[str, Any]
_SECONDS_MAX = 60.0


def run(params: Params) -> Params:
    try:
        return _run(params)
    except TransactionFailed as failed:
        raise SystemExit(f"transaction failed: {failed}") from None


def _run(params: Params) -> Params:
    partitions, touched, records = params["partitions"], params["partitions_each"], params["records_each"]
    config = {
        "bootstrap.servers": params["bootstrap"],
        "transactional.id": f"bench-{uuid.uuid4()}",
        "acks": params["acks"],
        "batch.size": params["batch_bytes"],
        "linger.ms": 5,
    }
    producer = TransactionalProducer(
        bind(config), params["topic"], os.urandom(params["value_bytes"]), records_per_call=records // touched
    )
    producer.init(_SECONDS_MAX)
    sent = turn = 0

    def transaction() -> None:
        nonlocal sent, turn
        producer.begin()
        for place in range(touched):
            sent += producer.produce((turn + place) % partitions)
        producer.commit(_SECONDS_MAX)
        turn += 1

    warm_until = time.monotonic() + params["warm_seconds"]
    while time.monotonic() < warm_until or turn < partitions:
        transaction()
    warm_turns, warm_sent = turn, sent
    times_ms: list[float] = []
    watch = Stopwatch(params["pids"])
    deadline = time.monotonic() + params["seconds"]
    while time.monotonic() < deadline:
        began = time.perf_counter()
        transaction()
        times_ms.append((time.perf_counter() - began) * 1000)
    result = watch.result(sent - warm_sent, params["value_bytes"], transactions=turn - warm_turns)
    producer.close()
    _demand_committed(params, sent, turn * touched)
    return {**result, **percentiles(times_ms)}


def _demand_committed(params: Params, records: int, markers: int) -> None:
    """A read_committed reader sees every record, and the log holds nothing but these and the markers."""
    reader = Consumer(
        {"bootstrap.servers": params["bootstrap"], "group.id": "bench", "isolation.level": "read_committed"}
    )
    reader.assign([TopicPartition(params["topic"], index, 0) for index in range(params["partitions"])])
    seen = 0
    deadline = time.monotonic() + _SECONDS_MAX
    while seen < records and time.monotonic() < deadline:
        seen += sum(message.error() is None for message in reader.consume(10_000, timeout=0.2))
    reader.close()
    if seen != records:
        raise SystemExit(f"{records} records were committed, but a read_committed consumer sees {seen}")
    found = held(params["bootstrap"], params["topic"], params["partitions"])
    if found != records + markers:
        raise SystemExit(f"{records} records and {markers} markers make no {found} offsets")
