"""Kafka's own tools look at a cluster of three and change its settings: unchanged, in one JVM."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest
from clientkit import clusters, rdkafka
from clientkit.cluster_tools import CLUSTER, CONFIGS, QUORUM, TOPICS, ClusterTools, quorum, status
from clientkit.clusters import NODES, Cluster
from clientkit.java import JavaTools
from clientkit.samples import samples


@pytest.fixture(scope="module")
def three(run_cluster: Callable[..., AbstractContextManager[Cluster]]) -> Iterator[Cluster]:
    with run_cluster() as running:
        yield running


@pytest.fixture
def tools(java_tools: JavaTools, three: Cluster) -> ClusterTools:
    return ClusterTools(java_tools, three)


def test_quorum_is_described_the_same_by_brokers_and_controllers(tools: ClusterTools) -> None:
    by_broker, by_controller = (
        status(tools.server(QUORUM, "describe", "--status").out),
        status(tools.controller(QUORUM, "describe", "--status").out),
    )
    for key in ("ClusterId", "LeaderId", "LeaderEpoch", "CurrentVoters", "CurrentObservers"):
        assert by_broker[key] == by_controller[key]
    assert by_broker["CurrentObservers"] == "[]"
    voters = json.loads(by_broker["CurrentVoters"])
    assert [voter["id"] for voter in voters] == list(NODES)
    addresses = [address for voter in voters for address in voter["endpoints"]]
    assert addresses == [f"CONTROLLER://{address}" for address in tools.cluster.controllers.split(",")]
    rows = quorum(tools)
    assert sorted(rows) == list(NODES)
    leader = int(by_broker["LeaderId"])
    assert {number: row["Status"] for number, row in rows.items()} == {
        number: "Leader" if number == leader else "Follower" for number in NODES
    }
    assert {rows[voter["id"]]["DirectoryId"] for voter in voters} == {v["directoryId"] for v in voters}
    assert rows[leader]["Lag"] == "0"
    human = tools.server(QUORUM, "describe", "--replication", "--human-readable").out
    assert len(re.findall(r"\d+ ms ago", human)) == 2 * len(NODES)


def test_features_are_the_same_everywhere(tools: ClusterTools) -> None:
    def levels(text: str) -> dict[str, list[str]]:
        rows = [line.split() for line in text.splitlines()]
        return {row[1]: [row[3], row[5], row[7]] for row in rows}

    by_broker = levels(tools.server("FeatureCommand", "describe").out)
    by_controller = levels(tools.controller("FeatureCommand", "describe").out)
    assert by_broker["metadata.version"][2].startswith("4.")
    assert by_broker["kraft.version"] == ["0", "1", "1"]
    assert by_broker["eligible.leader.replicas.version"] == ["0", "1", "1"]
    assert {name: row[2] for name, row in by_controller.items()} == {
        name: row[2] for name, row in by_broker.items()
    }


def test_every_broker_tells_the_same_api_versions(tools: ClusterTools) -> None:
    out = tools.server("BrokerApiVersionsCommand").out
    parts = re.findall(
        r"^(\S+) \(id: (\d+) rack: null isFenced: false\) -> \((.*?)^\)", out, re.MULTILINE | re.DOTALL
    )
    assert {(int(number), address) for address, number, _ in parts} == {
        (number, tools.cluster.address(number)) for number in NODES
    }
    assert len({versions for _, _, versions in parts}) == 1
    assert "DescribeQuorum(55): 0 to 2" in parts[0][2]
    assert "UnregisterBroker(64): 0 [" in parts[0][2]


def test_cluster_id_and_endpoints(tools: ClusterTools) -> None:
    (cluster_id,) = re.findall(r"^Cluster ID: (\S+)$", tools.server(CLUSTER, "cluster-id").out, re.MULTILINE)
    assert cluster_id in tools.controller(CLUSTER, "cluster-id").out
    assert status(tools.server(QUORUM, "describe", "--status").out)["ClusterId"] == cluster_id
    assert tools.endpoints() == dict.fromkeys(NODES, "unfenced")
    rows = [line.split() for line in tools.controller(CLUSTER, "list-endpoints").out.splitlines()[1:] if line]
    assert [f"{row[1]}:{row[2]}" for row in rows] == tools.cluster.controllers.split(",")
    assert {row[-1] for row in rows} == {"controller"}


def test_log_dirs_and_offsets_of_all_replicas(tools: ClusterTools, topic: str) -> None:
    bootstrap = tools.cluster.bootstrap
    clusters.create_topic(bootstrap, topic, replicas=[[1, 2], [2, 3], [3, 1]])
    writer = rdkafka.producer(bootstrap)
    for partition in range(3):
        rdkafka.send(writer, topic, samples(20 + partition), partition=partition)
    out = tools.server("LogDirsCommand", "--describe", "--topic-list", topic).out
    assert "Received log directory information from brokers 1,2,3" in out
    found = json.loads(out.splitlines()[-1])
    sizes: dict[str, set[int]] = {}
    places: dict[int, set[str]] = {}
    for broker in found["brokers"]:
        (folder,) = broker["logDirs"]
        assert folder["error"] is None
        assert folder["logDir"] == str(tools.cluster.data_dir(broker["broker"]))
        places[broker["broker"]] = {row["partition"] for row in folder["partitions"]}
        for row in folder["partitions"]:
            sizes.setdefault(row["partition"], set()).add(row["size"])
            assert (row["offsetLag"], row["isFuture"]) == (0, False)
    assert places == {
        1: {f"{topic}-0", f"{topic}-2"},
        2: {f"{topic}-0", f"{topic}-1"},
        3: {f"{topic}-1", f"{topic}-2"},
    }
    assert all(len(found) == 1 for found in sizes.values()), f"replicas differ: {sizes}"
    some = tools.server("LogDirsCommand", "--describe", "--broker-list", "2", "--topic-list", topic).out
    assert [row["broker"] for row in json.loads(some.splitlines()[-1])["brokers"]] == [2]
    ends = tools.server("GetOffsetShell", "--topic", topic).out
    assert ends.split() == [f"{topic}:0:20", f"{topic}:1:21", f"{topic}:2:22"]


def test_settings_of_one_broker_of_all_and_of_a_topic(tools: ClusterTools, topic: str) -> None:
    clusters.create_topic(tools.cluster.bootstrap, topic)
    one, other = (["--entity-type", "brokers", "--entity-name", name] for name in "21")
    default = ["--entity-type", "brokers", "--entity-default"]
    of_topic = ["--entity-type", "topics", "--entity-name", topic]

    def describe(*entity: str) -> str:
        return tools.server(CONFIGS, "--describe", *entity).out

    tools.server(CONFIGS, "--alter", *one, "--add-config", "leader.replication.throttled.rate=12345")
    tools.server(CONFIGS, "--alter", *default, "--add-config", "log.flush.interval.messages=77777")
    tools.server(CONFIGS, "--alter", *of_topic, "--add-config", "max.message.bytes=55555")
    rdkafka.wait_for(lambda: "throttled.rate=12345" in describe(*one))
    assert "DYNAMIC_BROKER_CONFIG:leader.replication.throttled.rate=12345" in describe(*one)
    assert "throttled.rate" not in describe(*other)
    rdkafka.wait_for(lambda: "log.flush.interval.messages=77777" in describe(*default))
    by_controller = tools.controller(CONFIGS, "--describe", *default).out
    assert "DYNAMIC_DEFAULT_BROKER_CONFIG:log.flush.interval.messages=77777" in by_controller
    # Every broker answers for the topic, and for itself only.
    for number in NODES:
        whole = tools.at(number, CONFIGS, "--describe", "--all", *of_topic).out
        assert re.search(r"max.message.bytes=55555 .*DYNAMIC_TOPIC_CONFIG:max.message.bytes=55555", whole)
        assert re.search(r"flush.messages=77777 .*DYNAMIC_DEFAULT_BROKER_CONFIG:log.flush.int", whole)
    everything = tools.server(CONFIGS, "--describe", "--entity-type", "brokers").out
    assert re.findall(r"^Dynamic configs for broker (\d) are:", everything, re.MULTILINE) == ["1", "2", "3"]
    refused = tools.server(CONFIGS, "--alter", *of_topic, "--add-config", "min.insync.replicas=0", code=1)
    assert "InvalidConfigurationException" in refused.err
    tools.server(CONFIGS, "--alter", *one, "--delete-config", "leader.replication.throttled.rate")
    tools.server(CONFIGS, "--alter", *default, "--delete-config", "log.flush.interval.messages")
    rdkafka.wait_for(lambda: "throttled.rate" not in describe(*one))
    rdkafka.wait_for(lambda: "log.flush" not in describe(*default))


def test_topics_are_placed_and_grown(tools: ClusterTools, topic: str) -> None:
    place = ["--topic", topic]
    tools.server(TOPICS, "--create", *place, "--partitions", "6", "--replication-factor", "2")
    rows = tools.describe(topic)
    assert [len(row.replicas) for row in rows] == [2] * 6
    assert {row.leader for row in rows} == set(NODES), "leaders are spread"
    tools.server(TOPICS, "--alter", *place, "--partitions", "8")
    rdkafka.wait_for(lambda: len(tools.describe(topic)) == 8)
    refused = tools.server(
        TOPICS, "--create", "--topic", f"{topic}-4", "--replication-factor", "4", "--partitions", "1", code=1
    )
    assert "eplication factor" in refused.out
    tools.server(TOPICS, "--delete", *place)
    rdkafka.wait_for(lambda: topic not in tools.server(TOPICS, "--list").out.split())


def test_dump_decodes_the_first_election(tools: ClusterTools, java_tools: JavaTools) -> None:
    """Control records included; the metadata log of a young cluster begins at 0."""
    for number in NODES:
        log = tools.cluster.data_dir(number) / "__cluster_metadata-0" / f"{0:020}.log"
        dump = ["--cluster-metadata-decoder", "--deep-iteration", "--files", str(log)]
        out = java_tools.run("org.apache.kafka.tools.DumpLogSegments", *dump).ok().out
        changes = re.findall(r"LeaderChange: (\{.*\})$", out, re.MULTILINE)
        assert changes
        told = json.loads(changes[0])
        assert [voter["voterId"] for voter in told["voters"]] == list(NODES)
        assert told["leaderId"] in {voter["voterId"] for voter in told["grantingVoters"]}
        assert len(told["grantingVoters"]) >= 2
