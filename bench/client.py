"""Client programs, each run in a process of its own: ``python -m bench.client NAME JSON``.

Each prints one JSON line: messages, bytes, seconds, the broker's and its own CPU seconds, and
latencies where it takes them. Each checks that the broker really holds what it acknowledged.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from confluent_kafka import Consumer, Producer, TopicPartition

from bench.brokers import cpu_seconds
from bench.rdkafka import BulkConsumer, BulkProducer, bind

Params = dict[str, Any]
_QUEUE_KBYTES = 65_536
_FLUSH_SECONDS_MAX = 60.0


class Stopwatch:
    """Wall clock and both sides' CPU over the measured part of a run."""

    def __init__(self, broker_pids: list[int]) -> None:
        self._pids = broker_pids
        self.restart()

    def restart(self) -> None:
        self._broker = self._broker_cpu()
        self._own = time.process_time()
        self._wall = time.perf_counter()

    def result(self, messages: int, value_bytes: int, **more: Any) -> Params:
        seconds = time.perf_counter() - self._wall
        return {
            "messages": messages,
            "bytes": messages * value_bytes,
            "seconds": seconds,
            "broker_cpu": self._broker_cpu() - self._broker,
            "client_cpu": time.process_time() - self._own,
            **more,
        }

    def _broker_cpu(self) -> float:
        return sum(map(cpu_seconds, self._pids))


def held(bootstrap: str, topic: str, partitions: int) -> int:
    """Records the broker says it holds."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "bench"})
    try:
        marks = [
            consumer.get_watermark_offsets(TopicPartition(topic, p), timeout=20) for p in range(partitions)
        ]
    finally:
        consumer.close()
    return sum(high - low for low, high in marks)


def demand_held(params: Params, messages: int) -> None:
    found = held(params["bootstrap"], params["topic"], params["partitions"])
    if found != messages:
        raise SystemExit(f"{messages} records were acknowledged, but the broker holds {found}")


def _producer_config(params: Params) -> dict[str, str]:
    return bind(
        {
            "bootstrap.servers": params["bootstrap"],
            "acks": params["acks"],
            "batch.size": params["batch_bytes"],
            "batch.num.messages": 1_000_000,
            "linger.ms": 5,
            "queue.buffering.max.messages": 2_000_000,
            "queue.buffering.max.kbytes": _QUEUE_KBYTES,
            **params.get("config", {}),
        }
    )


def produce(params: Params) -> Params:
    """Bulk produce for a time, or with ``records`` for a count."""
    value_bytes, partitions = params["value_bytes"], params["partitions"]
    per_call = max(1, min(10_000, params["batch_bytes"] * 4 // value_bytes))
    producer = BulkProducer(
        _producer_config(params), params["topic"], os.urandom(value_bytes), records_per_call=per_call
    )
    sent = 0
    # The first records fetch metadata and open the connection: not part of the measure.
    sent += producer.produce(0)
    producer.flush(_FLUSH_SECONDS_MAX)
    first = sent
    watch = Stopwatch(params["pids"])
    deadline = time.monotonic() + params.get("seconds", 600.0)
    records = params.get("records", 1 << 62)
    turn = 0
    while time.monotonic() < deadline and sent < records:
        sent += producer.produce(turn % partitions)
        turn += 1
    left = producer.flush(_FLUSH_SECONDS_MAX)
    result = watch.result(sent - first, value_bytes, total=sent)
    if left:
        raise SystemExit(f"{left} of {sent} records were not acknowledged in {_FLUSH_SECONDS_MAX:.0f} s")
    producer.close()
    demand_held(params, sent)
    return result


def consume(params: Params) -> Params:
    """Read all partitions from the beginning, by assignment."""
    wanted = params["records"]
    config = bind(
        {
            "bootstrap.servers": params["bootstrap"],
            "queued.min.messages": 1_000_000,
            "queued.max.messages.kbytes": _QUEUE_KBYTES,
        }
    )
    consumer = BulkConsumer(config, params["topic"], params["partitions"])
    watch = Stopwatch(params["pids"])
    consumer.start()
    seen = consumer.count(wanted, timeout_s=60)
    result = watch.result(seen, params["value_bytes"])
    consumer.close()
    if seen < wanted:
        raise SystemExit(f"only {seen} of {wanted} records arrived in 60 s")
    return result


def latency(params: Params) -> Params:
    """From ``produce()`` to ``poll()``, at a steady rate, one producer and one consumer."""
    rate, seconds, warm_seconds = params["rate"], params["seconds"], params["warm_seconds"]
    topic, partitions = params["topic"], params["partitions"]
    total, warm = int(rate * (seconds + warm_seconds)), int(rate * warm_seconds)
    producer = Producer(
        {
            "bootstrap.servers": params["bootstrap"],
            "acks": params["acks"],
            "linger.ms": 0,
            "socket.nagle.disable": True,
        }
    )
    consumer = Consumer(
        {"bootstrap.servers": params["bootstrap"], "group.id": "bench", "enable.auto.commit": False}
    )
    consumer.assign([TopicPartition(topic, p, 0) for p in range(partitions)])
    samples: list[int] = []
    give_up = time.monotonic() + warm_seconds + seconds + 30

    def receive() -> None:
        while len(samples) < total and time.monotonic() < give_up:
            message = consumer.poll(0.2)
            if message is not None and message.error() is None:
                sent_ns = struct.unpack_from("<q", message.value() or b"")[0]
                samples.append(time.perf_counter_ns() - sent_ns)

    reader = threading.Thread(target=receive)
    reader.start()
    watch = Stopwatch(params["pids"])
    padding = os.urandom(params["value_bytes"] - 8)
    began = time.perf_counter()
    for number in range(total):
        if number == warm:
            watch.restart()
        ahead = began + number / rate - time.perf_counter()
        if ahead > 0:
            time.sleep(ahead)
        value = struct.pack("<q", time.perf_counter_ns()) + padding
        producer.produce(topic, value, partition=number % partitions)
    producer.flush(20)
    reader.join()
    result = watch.result(total - warm, params["value_bytes"])
    consumer.close()
    if len(samples) < total:
        raise SystemExit(f"only {len(samples)} of {total} records arrived")
    return {**result, **percentiles([ns / 1e6 for ns in samples[warm:]])}


def percentiles(values_ms: list[float]) -> dict[str, float]:
    ordered = sorted(values_ms)
    last = len(ordered) - 1
    points = (("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999))
    return {name: ordered[min(last, int(last * part + 0.5))] for name, part in points}


def requests(params: Params) -> Params:
    """One record per Produce request, over plain sockets."""
    from bench.requests import run

    return run(params)


def transactions(params: Params) -> Params:
    """Transactions one after another, so many records each."""
    from bench.transactions import run

    return run(params)


def group_program(name: str) -> Callable[[Params], Params]:
    def run(params: Params) -> Params:
        from bench import groups

        return {**groups.PROGRAMS[name](params)}

    return run


PROGRAMS: dict[str, Callable[[Params], Params]] = {
    "produce": produce,
    "consume": consume,
    "latency": latency,
    "requests": requests,
    "transactions": transactions,
    "first-join": group_program("first-join"),
    "heartbeats": group_program("heartbeats"),
    "rebalance": group_program("rebalance"),
}

if __name__ == "__main__":
    print(json.dumps(PROGRAMS[sys.argv[1]](json.loads(sys.argv[2]))))
