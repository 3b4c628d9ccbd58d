"""Runs the workloads: both brokers in one go, taking turns, a fresh topic each time."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from typing import Any, Protocol

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient, NewTopic  # type: ignore[attr-defined]

from bench import wire
from bench.jars import ROOT
from bench.workloads import CLUSTER_TABLES, DURABLE_TABLES, Effort, Workload

Measures = dict[str, float]
Say = Callable[[str], None]
_CLIENT_SECONDS_MAX = 240
_DURABLE_TOPIC = {"riverlog": {"ack.after.fsync": "true"}, "Kafka": {"flush.messages": "1"}}
_FAST_TOPIC = {"riverlog": {"ack.after.fsync": "false"}, "Kafka": {}}


class Target(Protocol):
    """What clients are pointed at: a broker, or a cluster of them."""

    name: str
    bootstrap: str

    @property
    def ports(self) -> list[int]: ...
    @property
    def pids(self) -> list[int]: ...
    def start(self) -> float: ...
    def stop(self) -> object: ...
    def kill(self) -> None: ...


class ClientFailed(Exception):
    """A client program stopped with an error; the text is what it said."""


def run_client(program: str, params: dict[str, Any]) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.client", program, json.dumps(params)]
    try:
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, cwd=ROOT, timeout=_CLIENT_SECONDS_MAX
        )
    except subprocess.TimeoutExpired:
        raise ClientFailed(f"{program} did not end in {_CLIENT_SECONDS_MAX} s") from None
    if done.returncode != 0:
        raise ClientFailed(f"{program}: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def quiet_admin(broker: Target) -> AdminClient:
    """An admin client that says nothing on the terminal and asks for nothing by itself."""
    return AdminClient(
        {"bootstrap.servers": broker.bootstrap, "log_level": 0, "topic.metadata.refresh.interval.ms": -1}
    )


class Topics:
    """Creates and deletes the topics of one broker, waiting until it is done."""

    def __init__(self, broker: Target) -> None:
        self._admin = quiet_admin(broker)
        self._broker = broker

    def create(self, partitions: int, *, durable: bool) -> str:
        """With a copy on every node."""
        name = f"bench-{uuid.uuid4().hex[:8]}"
        config = (_DURABLE_TOPIC if durable else _FAST_TOPIC)[self._broker.name]
        copies = len(self._broker.ports)
        topic = NewTopic(name, num_partitions=partitions, replication_factor=copies, config=config)
        self._admin.create_topics([topic])[name].result(30)
        self._wait_for_leaders(name, partitions)
        return name

    @staticmethod
    def create_all(admin: AdminClient, names: list[str], partitions: int, copies: int) -> None:
        new = [NewTopic(name, num_partitions=partitions, replication_factor=copies) for name in names]
        for future in admin.create_topics(new, operation_timeout=60, request_timeout=60).values():
            try:
                future.result(90)
            except KafkaException as refused:
                # A request whose connection broke is sent again.
                if refused.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
                    raise

    def delete(self, name: str) -> None:
        self._admin.delete_topics([name])[name].result(30)

    def _wait_for_leaders(self, name: str, partitions: int) -> None:
        deadline = time.monotonic() + 20
        led: set[int] = set()
        while len(led) < partitions:
            led = set().union(*(wire.partitions_served(p, name, partitions) for p in self._broker.ports))
            if time.monotonic() > deadline:
                raise ClientFailed(f"topic {name} has no leaders after 20 s")
            time.sleep(0.0 if len(led) == partitions else 0.02)


def _params(workload: Workload, effort: Effort, broker: Target, topic: str) -> dict[str, Any]:
    durable = workload.table in DURABLE_TABLES
    seconds = effort.durable_seconds if durable else effort.seconds
    if workload.program == "latency":
        seconds = effort.latency_seconds * (0.5 if durable else 1.0)
    warm = effort.warm_seconds * (2 if workload.program == "latency" else 1)
    return {
        "bootstrap": broker.bootstrap,
        "pids": broker.pids,
        "topic": topic,
        "acks": -1 if durable or workload.table in CLUSTER_TABLES else 1,
        "seconds": seconds,
        "warm_seconds": warm,
        **workload.params,
    }


def measures(result: dict[str, Any]) -> Measures:
    """The figures of the report, from what a client program printed."""
    messages, gigabytes = result["messages"], result["bytes"] / 1e9
    out = {
        "rate": messages / result["seconds"],
        "mb_per_second": gigabytes * 1000 / result["seconds"],
        "cpu_per_million": result["broker_cpu"] / messages * 1e6,
        "cpu_per_gb": result["broker_cpu"] / gigabytes,
        "broker_cores": result["broker_cpu"] / result["seconds"],
        "client_cores": result["client_cpu"] / result["seconds"],
    }
    if "transactions" in result:
        out["transactions_rate"] = result["transactions"] / result["seconds"]
    return out | {name: result[name] for name in ("p50", "p99", "p99.9") if name in result}


def medians(runs: list[Measures]) -> Measures:
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]} if runs else {}


def run_workload(
    workload: Workload,
    effort: Effort,
    brokers: list[Target],
    topics: dict[str, Topics],
    say: Say,
    *,
    deadline: float,
) -> dict[str, dict[str, Any]]:
    """Repetitions over all brokers, the order turned round each time; answers medians and runs by broker."""
    runs: dict[str, list[Measures]] = {broker.name: [] for broker in brokers}
    errors: dict[str, str] = {}
    standing: dict[str, tuple[str, int]] = {}
    for repetition in range(effort.repeat):
        if repetition and time.monotonic() > deadline:
            break
        order = brokers if repetition % 2 == 0 else brokers[::-1]
        for broker in order:
            if broker.name in errors:
                continue
            say(f"{workload.title}, {broker.name}, {repetition + 1} of {effort.repeat}")
            try:
                run = _run_once(workload, effort, broker, topics[broker.name], standing)
                runs[broker.name].append(measures(run))
            except (ClientFailed, KafkaException) as failed:
                errors[broker.name] = str(failed)
    for broker in brokers:
        if broker.name in standing:
            topics[broker.name].delete(standing[broker.name][0])
    return {
        name: {"median": medians(each), "runs": each, "error": errors.get(name)}
        for name, each in runs.items()
    }


def _run_once(
    workload: Workload, effort: Effort, broker: Target, topics: Topics, standing: dict[str, tuple[str, int]]
) -> dict[str, Any]:
    partitions = workload.params["partitions"]
    if workload.fill_records:
        if broker.name not in standing:
            topic = topics.create(partitions, durable=False)
            records = int(workload.fill_records * effort.fill_part)
            params = _params(workload, effort, broker, topic)
            filled = run_client("produce", {**params, "records": records, "seconds": 120.0})
            standing[broker.name] = (topic, filled["total"])
        topic, records = standing[broker.name]
        return run_client(workload.program, {**_params(workload, effort, broker, topic), "records": records})
    topic = topics.create(partitions, durable=workload.table in DURABLE_TABLES)
    try:
        return run_client(workload.program, _params(workload, effort, broker, topic))
    finally:
        topics.delete(topic)
