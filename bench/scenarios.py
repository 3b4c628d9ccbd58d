"""Figures of the broker itself: memory after traffic, start-up, many topics, groups."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from confluent_kafka import KafkaException

from bench.brokers import Broker, cpu_seconds, rss_bytes
from bench.runner import ClientFailed, Measures, Say, Target, Topics, quiet_admin, run_client
from bench.workloads import CLUSTER_PARTITIONS, KB16, MB1, PARTITIONS, Effort

Make = Callable[[str], Broker]
_TOPICS_PER_REQUEST = 50
_PARTITIONS_EACH = 10
MEMBERS_EACH = 10
"""Of every group."""
_REBALANCES = 3


def traffic(target: Target, topics: Topics, effort: Effort) -> Measures:
    """Produce a gigabyte of 1 KB records (a cluster: half of it), consume it, and look at the memory."""
    out = memory(target, "idle")
    alone = len(target.ports) == 1
    partitions = PARTITIONS if alone else CLUSTER_PARTITIONS
    topic = topics.create(partitions, durable=False)
    params = {
        "bootstrap": target.bootstrap,
        "pids": target.pids,
        "topic": topic,
        "partitions": partitions,
        "value_bytes": 1024,
        "batch_bytes": MB1 if alone else KB16,
        "acks": 1 if alone else -1,
        "records": (effort.traffic_bytes if alone else effort.traffic_bytes // 2) // 1024,
    }
    total = run_client("produce", params)["total"]
    run_client("consume", {**params, "records": total})
    out |= memory(target, "after_1gb" if alone else "traffic")
    topics.delete(topic)
    return out


def memory(target: Target, when: str) -> Measures:
    """Resident, of all its processes."""
    prefix = "rss" if len(target.ports) == 1 else "cluster_rss"
    return {f"{prefix}_{when}_mb": sum(map(rss_bytes, target.pids)) / 1e6}


def start_up(make: Make, name: str, say: Say, repeat: int) -> list[Measures]:
    """Seconds from the start of the process to its first answer, on an empty folder."""
    runs = []
    for number in range(repeat):
        say(f"start-up, {name}, {number + 1} of {repeat}")
        broker = make(f"start-{number}")
        try:
            runs.append({"start_seconds": broker.start()})
            broker.stop()
        finally:
            broker.kill()
    return runs


def many_topics(broker: Broker, effort: Effort, say: Say) -> Measures:
    """Thousands of partitions: creation, idle CPU, start after a clean stop and after kill -9."""
    out: Measures = {}
    try:
        broker.start()
        say(f"{effort.topics:,} topics × {_PARTITIONS_EACH}: {broker.name} creates them")
        began = time.perf_counter()
        _create(broker, effort.topics)
        _wait_for_leaders(broker, effort.topics)
        out["many_create_seconds"] = time.perf_counter() - began
        say(f"{effort.topics:,} topics × {_PARTITIONS_EACH}: {broker.name} idles")
        out["many_idle_cpu_percent"] = _idle_percent(broker, effort.idle_seconds)
        out["many_rss_mb"] = rss_bytes(broker.pid) / 1e6
        say(f"{effort.topics:,} topics × {_PARTITIONS_EACH}: {broker.name} stops and starts")
        out["many_stop_seconds"] = broker.stop()
        out["many_start_clean_seconds"] = _start_to_leaders(broker, effort.topics)
        say(f"{effort.topics:,} topics × {_PARTITIONS_EACH}: {broker.name} is killed and starts")
        broker.kill()
        out["many_start_unclean_seconds"] = _start_to_leaders(broker, effort.topics)
    finally:
        broker.kill()
    return out


def groups(broker: Broker, effort: Effort, say: Say) -> Measures:
    """The first join, a large rebalance, and many groups that heartbeat, of both protocols in turn."""
    broker.settings["group.initial.rebalance.delay.ms"] = "0"  # it would hide the first join
    out: Measures = {}
    try:
        broker.start()
        topics = Topics(broker)
        params = {"bootstrap": broker.bootstrap, "pid": broker.pid, "topic": topics.create(10, durable=False)}
        say(f"first join, {broker.name}")
        out["groups_first_join_ms"] = run_client("first-join", params)["first_join_ms"]
        say(f"rebalance of {effort.rebalance_members}, {broker.name}")
        large = {**params, "members": effort.rebalance_members, "times": _REBALANCES}
        out["groups_rebalance_seconds"] = run_client("rebalance", large)["rebalance_seconds"]
        many = {**params, "groups": effort.groups, "members": MEMBERS_EACH, "seconds": effort.beat_seconds}
        for protocol in ("classic", "consumer"):
            say(f"{effort.groups:,} {protocol} groups × {MEMBERS_EACH}, {broker.name}")
            found = run_client("heartbeats", {**many, "protocol": protocol})
            for measure in ("p50_ms", "p99_ms", "max_ms", "cpu_percent", "rss_mb"):
                out[f"groups_{protocol}_{measure}"] = found[measure]
    finally:
        broker.kill()
    return out


def _create(broker: Broker, count: int) -> None:
    admin = quiet_admin(broker)
    names = [f"many-{number:04}" for number in range(count)]
    for first in range(0, count, _TOPICS_PER_REQUEST):
        Topics.create_all(admin, names[first : first + _TOPICS_PER_REQUEST], _PARTITIONS_EACH, 1)


def _start_to_leaders(broker: Broker, count: int) -> float:
    began = time.perf_counter()
    broker.start()
    _wait_for_leaders(broker, count)
    return time.perf_counter() - began


def _wait_for_leaders(broker: Broker, count: int) -> None:
    admin = quiet_admin(broker)
    deadline = time.monotonic() + 120
    led = 0
    while time.monotonic() < deadline:
        try:
            found = admin.list_topics(timeout=30).topics.values()
        except KafkaException:
            continue
        led = sum(p.leader >= 0 for topic in found for p in topic.partitions.values())
        if led >= count * _PARTITIONS_EACH:
            return
        time.sleep(0.05)
    wanted = count * _PARTITIONS_EACH
    raise ClientFailed(f"{broker.name}: {led} of {wanted} partitions have a leader after 120 s")


def _idle_percent(broker: Broker, seconds: float) -> float:
    time.sleep(min(3.0, seconds))  # what creation left to do
    before = cpu_seconds(broker.pid)
    began = time.perf_counter()
    time.sleep(seconds)
    return (cpu_seconds(broker.pid) - before) / (time.perf_counter() - began) * 100


def fresh(make: Callable[[Path, int], Broker], folder: Path, port: int) -> Make:
    """A maker of brokers of one kind, each on a folder of its own."""
    return lambda label: make(folder / label, port)
