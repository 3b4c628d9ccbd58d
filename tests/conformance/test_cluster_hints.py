"""What brokers tell clients unasked: who leads now (KIP-951), and whom to read from (KIP-392)."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from clientkit import builds, clusters, rdkafka, writers
from clientkit.cluster_tools import ELECT, REASSIGN, ClusterTools
from clientkit.clusters import NODES, Cluster
from clientkit.java import JavaTools
from clientkit.lines import LineClient
from clientkit.paths import Unavailable
from clientkit.samples import samples
from confluent_kafka import Consumer, TopicPartition

SECONDS = 90.0
# A client that has to ask who leads now waits about as long as this before it does.
WITHOUT_HINT_MS = 20_000
SETTINGS = {
    "auto.leader.rebalance.enable": "false",
    "replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector",
}


@pytest.fixture(scope="module")
def three(run_cluster: Callable[..., AbstractContextManager[Cluster]]) -> Iterator[Cluster]:
    """Each node in a rack of its own."""
    with run_cluster(SETTINGS) as running:
        for number in NODES:
            with running.config_file(number).open("a") as config:
                config.write(f"broker.rack=rack-{number}\n")
            running.restart(number)
        yield running


@pytest.fixture
def tools(java_tools: JavaTools, three: Cluster) -> ClusterTools:
    return ClusterTools(java_tools, three)


def test_writers_follow_a_new_leader_without_asking(tools: ClusterTools, topic: str, tmp_path: Path) -> None:
    bootstrap = tools.cluster.bootstrap
    try:
        line = LineClient(builds.franz_go_command(bootstrap))
    except Unavailable as missing:
        pytest.skip(str(missing))
    names = [f"{topic}-java", f"{topic}-franz-go"]
    for name in names:
        clusters.create_topic(bootstrap, name, replicas=[[1, 2, 3]])
    slow = {name: str(WITHOUT_HINT_MS) for name in ("retry.backoff.ms", "retry.backoff.max.ms")}
    java = writers.JavaWriter(bootstrap, names[0], 1, tmp_path, slow)
    try:
        go = writers.LineWriter(line, names[1], 1, metadata_min_ms=WITHOUT_HINT_MS)
        pauses: dict[str, list[float]] = {name: [] for name in names}
        for writer in (go, java):  # franz-go asks again only some time after it last did
            writer.wait_for(50, SECONDS)
            # A hint may be early: the new leader has not heard of it yet, refuses, and then the client waits.
            for target in (2, 3, 1):
                move(tools, writer.topic, target, tmp_path)
                moved = time.monotonic()
                writer.wait_for(50, SECONDS)
                pauses[writer.topic].append(1000 * (time.monotonic() - moved))
                if pauses[writer.topic][-1] < WITHOUT_HINT_MS / 2:
                    break
        for writer in (java, go):
            writer.finish()
            writer.check(writers.numbers_in(bootstrap, writer.topic, 1))
        assert all(min(found) < WITHOUT_HINT_MS / 2 for found in pauses.values()), f"had to ask: {pauses}"
    finally:
        java.tool.close()
        line.close()


def move(tools: ClusterTools, topic: str, target: int, folder: Path) -> None:
    """Let another replica lead; all brokers go on running."""
    plan = folder / "plan.json"
    order = [target, *(number for number in NODES if number != target)]
    rows = [{"topic": topic, "partition": 0, "replicas": order}]
    plan.write_text(json.dumps({"version": 1, "partitions": rows}))
    tools.server(REASSIGN, "--reassignment-json-file", str(plan), "--execute")
    rdkafka.wait_for(lambda: tools.describe(topic)[0].replicas == tuple(order), SECONDS)
    assert clusters.leader(tools.cluster.bootstrap, topic) != target
    chosen = ["--election-type", "preferred", "--topic", topic, "--partition", "0"]
    assert f"for partitions {topic}-0" in tools.server(ELECT, *chosen).out


def test_consumers_read_from_the_replica_in_their_rack(
    tools: ClusterTools, topic: str, tmp_path: Path
) -> None:
    bootstrap = tools.cluster.bootstrap
    clusters.create_topic(bootstrap, topic, replicas=[[1, 2, 3]])
    rdkafka.send(rdkafka.producer(bootstrap), topic, samples(50))
    for rack, source in (("rack-1", 1), ("rack-2", 2), ("rack-3", 3), ("elsewhere", 1)):
        assert read_from(bootstrap, topic, rack) == source
    config = tmp_path / "rack.properties"
    config.write_text("client.rack=rack-3\nfetch.max.wait.ms=100\nmax.poll.records=10\n")
    words = ["--topic", topic, "--num-records", "50", "--timeout", "30000", "--print-metrics"]
    out = tools.server("ConsumerPerformance", *words, "--command-config", str(config)).out
    (chosen,) = re.findall(r"preferred-read-replica:\{.*\} *: *([-\d.]+)", out)
    assert float(chosen) == 3


def read_from(bootstrap: str, topic: str, rack: str) -> int:
    """The broker that librdkafka reads the topic from, once it has all of it."""
    sources: list[int] = []

    def told(text: str) -> None:
        found: dict[str, Any] = json.loads(text)["topics"].get(topic, {}).get("partitions", {})
        sources.append(found.get("0", {}).get("broker", -1))

    reader = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": "unused",
            "client.rack": rack,
            "statistics.interval.ms": 100,
            "stats_cb": told,
            "fetch.wait.max.ms": 100,
            "log_level": 0,
        }
    )
    values: list[bytes | None] = []
    try:
        reader.assign([TopicPartition(topic, 0, 0)])

        def everything() -> bool:
            message = reader.poll(0.5)
            if message is not None and message.error() is None:
                values.append(message.value())
            return len(values) == 50 and len(sources) > 3

        rdkafka.wait_for(everything, SECONDS)
        assert values == [sample.value for sample in samples(50)]
        sources.clear()
        rdkafka.wait_for(lambda: reader.poll(0.1) is None and len(sources) >= 2, SECONDS)
    finally:
        reader.close()
    return sources[-1]
