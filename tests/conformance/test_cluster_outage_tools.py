"""What Kafka's tools say while a broker is dead, and what they can do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest
from clientkit import clusters, rdkafka
from clientkit.cluster_tools import CLUSTER, ELECT, QUORUM, TOPICS, ClusterTools, Row, quorum, rows, status
from clientkit.clusters import Cluster
from clientkit.java import JavaTools, ToolResult
from clientkit.samples import samples

SECONDS = 60.0


@pytest.fixture(scope="module")
def three(run_cluster: Callable[..., AbstractContextManager[Cluster]]) -> Iterator[Cluster]:
    with run_cluster({"auto.leader.rebalance.enable": "false"}) as running:
        yield running


@pytest.fixture
def tools(java_tools: JavaTools, three: Cluster) -> ClusterTools:
    return ClusterTools(java_tools, three)


def shown(tools: ClusterTools, which: str) -> dict[tuple[str, int], Row]:
    """What one of the filters of ``kafka-topics`` lets through, by topic and partition."""
    out = tools.server(TOPICS, "--describe", which).out
    names = [
        line.split("\t")[1].removeprefix("Topic: ") for line in out.splitlines() if "\tPartition: " in line
    ]
    return {(name, row.partition): row for name, row in zip(names, rows(out), strict=True)}


def elect(tools: ClusterTools, kind: str, topic: str, *, code: int = 0) -> ToolResult:
    return tools.server(ELECT, "--election-type", kind, "--topic", topic, "--partition", "0", code=code)


def test_a_dead_broker_shows_in_every_tool_and_can_be_unregistered(tools: ClusterTools, topic: str) -> None:
    three, bootstrap = tools.cluster, tools.cluster.bootstrap
    full, pair, lone = f"{topic}-full", f"{topic}-pair", f"{topic}-lone"
    clusters.create_topic(bootstrap, full, replicas=[[3, 1, 2], [1, 2, 3]])
    clusters.create_topic(bootstrap, pair, replicas=[[3, 1], [1, 2]])
    clusters.create_topic(bootstrap, lone, replicas=[[3]], config={"min.insync.replicas": "1"})
    for name in (full, pair, lone):
        rdkafka.send(rdkafka.producer(bootstrap), name, samples(10))
    for which in ("--under-replicated-partitions", "--unavailable-partitions", "--under-min-isr-partitions"):
        assert shown(tools, which) == {}
    three.kill(3)
    rdkafka.wait_for(lambda: tools.endpoints() == {1: "unfenced", 2: "unfenced", 3: "fenced"}, SECONDS)
    under = shown(tools, "--under-replicated-partitions")
    assert {place: (row.leader, set(row.isr)) for place, row in under.items()} == {
        (full, 0): (1, {1, 2}),
        (full, 1): (1, {1, 2}),
        (pair, 0): (1, {1}),
        **({(lone, 0): (0, set(under[lone, 0].isr))} if (lone, 0) in under else {}),
    }
    assert set(shown(tools, "--unavailable-partitions")) == {(lone, 0)}
    short = shown(tools, "--under-min-isr-partitions")
    assert (pair, 0) in short
    assert short[pair, 0].elr == {3}
    assert not {(full, 0), (full, 1), (pair, 1)} & set(short)
    assert {(full, 0), (full, 1), (pair, 1)} <= set(shown(tools, "--at-min-isr-partitions"))
    rdkafka.wait_for(lambda: quorum(tools)[3]["Lag"] != "0", SECONDS)
    described = status(tools.server(QUORUM, "describe", "--status").out)
    assert described["LeaderId"] in {"1", "2"}
    assert int(described["MaxFollowerLag"]) > 0
    refused = elect(tools, "preferred", full, code=1)
    assert f"for partition: {full}-0: " in refused.out
    assert "PreferredLeaderNotAvailableException" in refused.out
    assert "1 replica(s) could not be elected" in refused.err
    refused = elect(tools, "unclean", lone, code=1)
    assert "EligibleLeadersNotAvailableException" in refused.out
    assert f"already elected for partitions {full}-0" in elect(tools, "unclean", full).out
    ends = tools.server("GetOffsetShell", "--topic", full).out
    assert ends.split() == [f"{full}:0:10", f"{full}:1:0"]

    assert "Broker 3 is no longer registered." in tools.server(CLUSTER, "unregister", "--id", "3").out
    rdkafka.wait_for(lambda: tools.endpoints() == {1: "unfenced", 2: "unfenced"}, SECONDS)
    unknown = tools.server(CLUSTER, "unregister", "--id", "3", code=1)
    assert "BrokerIdNotRegisteredException" in unknown.err

    three.restart(3)
    rdkafka.wait_for(lambda: tools.endpoints() == {1: "unfenced", 2: "unfenced", 3: "unfenced"}, SECONDS)
    rdkafka.wait_for(lambda: shown(tools, "--under-replicated-partitions") == {}, SECONDS)
    assert shown(tools, "--unavailable-partitions") == {}
    assert f"for partitions {full}-0" in elect(tools, "preferred", full).out
    for name in (full, pair, lone):
        assert rdkafka.read(bootstrap, name) == samples(10)


def test_unclean_election_is_refused_to_all_but_those_who_ask_for_it(tools: ClusterTools, topic: str) -> None:
    """3 alone has the last records and is dead: 1 leads only when told to, and they are lost."""
    three, bootstrap = tools.cluster, tools.cluster.bootstrap
    clusters.create_topic(bootstrap, topic, replicas=[[3, 1]], config={"min.insync.replicas": "1"})
    rdkafka.send(rdkafka.producer(bootstrap), topic, samples(10))
    three.kill(1)
    rdkafka.wait_for(lambda: tools.describe(topic)[0].isr == {3}, SECONDS)
    rdkafka.send(rdkafka.producer(bootstrap), topic, samples(5, seed=1))
    three.kill(3)
    three.restart(1)
    rdkafka.wait_for(lambda: (topic, 0) in shown(tools, "--unavailable-partitions"), SECONDS)
    refused = elect(tools, "preferred", topic, code=1)
    assert "PreferredLeaderNotAvailableException" in refused.out
    assert tools.describe(topic)[0].leader == 0
    done = elect(tools, "unclean", topic).out
    assert f"Successfully completed leader election (UNCLEAN) for partitions {topic}-0" in done
    rdkafka.wait_for(lambda: tools.describe(topic)[0].leader == 1, SECONDS)
    assert rdkafka.read(bootstrap, topic) == samples(10)
    rdkafka.send(rdkafka.producer(bootstrap), topic, samples(7, seed=2))
    three.restart(3)
    rdkafka.wait_for(lambda: tools.describe(topic)[0].isr == {1, 3}, SECONDS)
    assert f"for partitions {topic}-0" in elect(tools, "preferred", topic).out
    rdkafka.wait_for(lambda: clusters.leader(bootstrap, topic) == 3, SECONDS)
    assert rdkafka.read(bootstrap, topic) == [*samples(10), *samples(7, seed=2)]
