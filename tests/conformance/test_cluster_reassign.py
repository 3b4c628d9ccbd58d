"""``kafka-reassign-partitions`` and ``kafka-leader-election`` on a cluster where all nodes run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from clientkit import clusters, rdkafka
from clientkit.cluster_tools import CONFIGS, ELECT, REASSIGN, ClusterTools
from clientkit.clusters import Cluster
from clientkit.java import JavaTools
from clientkit.samples import START_MS, Sample

SLOW = 1_000  # bytes a second: after the first fetch nothing arrives while the test looks


@pytest.fixture(scope="module")
def three(run_cluster: Callable[..., AbstractContextManager[Cluster]]) -> Iterator[Cluster]:
    with run_cluster({"auto.leader.rebalance.enable": "false"}) as running:
        yield running


@pytest.fixture
def tools(java_tools: JavaTools, three: Cluster) -> ClusterTools:
    return ClusterTools(java_tools, three)


class Plan:
    """A file with wanted replicas, and the tool run on it."""

    def __init__(self, tools: ClusterTools, path: Path, wanted: dict[str, list[list[int]]]) -> None:
        self._tools = tools
        self._path = path
        rows = [
            {"topic": topic, "partition": number, "replicas": replicas}
            for topic, lists in wanted.items()
            for number, replicas in enumerate(lists)
        ]
        path.write_text(json.dumps({"version": 1, "partitions": rows}))

    def run(self, *what: str, code: int = 0) -> str:
        return self._tools.server(REASSIGN, "--reassignment-json-file", str(self._path), *what, code=code).out

    def wait(self) -> str:
        """Until it is done; gives what the last ``--verify`` said."""
        said: list[str] = []

        def done() -> bool:
            said[:] = [self.run("--verify")]
            # Between the two, Apache Kafka's brokers may still show the old replicas.
            return "still in progress" not in said[0] and "no active reassignment" not in said[0]

        rdkafka.wait_for(done, 60)
        return said[0]


@pytest.fixture
def plan(tools: ClusterTools, tmp_path: Path) -> Callable[[dict[str, list[list[int]]]], Plan]:
    return lambda wanted: Plan(tools, tmp_path / "plan.json", wanted)


def fill(bootstrap: str, topic: str, partition: int = 0) -> list[bytes]:
    """More than one fetch of a follower brings."""
    values = [os.urandom(20_000) for _ in range(200)]
    records = [Sample(None, value, START_MS) for value in values]
    rdkafka.send(rdkafka.producer(bootstrap, acks=-1), topic, records, partition=partition)
    return values


def read(bootstrap: str, topic: str, partition: int = 0) -> list[bytes | None]:
    return [found.value for found in rdkafka.read(bootstrap, topic, partition=partition)]


def test_generate_proposes_replicas_on_the_brokers_named(
    tools: ClusterTools, topic: str, tmp_path: Path
) -> None:
    clusters.create_topic(tools.cluster.bootstrap, topic, replicas=[[1, 2], [1, 2], [1, 2]])
    wish = tmp_path / "topics.json"
    wish.write_text(json.dumps({"version": 1, "topics": [{"topic": topic}]}))
    out = tools.server(
        REASSIGN, "--topics-to-move-json-file", str(wish), "--broker-list", "2,3", "--generate"
    ).out
    current, proposed = (json.loads(line) for line in out.splitlines() if line.startswith("{"))
    assert [row["replicas"] for row in current["partitions"]] == [[1, 2]] * 3
    folders = [str(tools.cluster.data_dir(number)) for number in (1, 2)]
    assert current["partitions"][0]["log_dirs"] == folders
    assert [sorted(row["replicas"]) for row in proposed["partitions"]] == [[2, 3]] * 3
    refused = tools.server(
        REASSIGN, "--topics-to-move-json-file", str(wish), "--broker-list", "3", "--generate", code=1
    )
    assert "replication factor" in refused.out.lower()


def test_replicas_move_and_throttles_go_when_all_is_verified(
    tools: ClusterTools, topic: str, plan: Callable[..., Plan]
) -> None:
    bootstrap = tools.cluster.bootstrap
    clusters.create_topic(bootstrap, topic, replicas=[[1], [2]], config={"min.insync.replicas": "1"})
    written = [fill(bootstrap, topic, number) for number in range(2)]
    move = plan({topic: [[2, 3], [2, 1, 3]]})
    of_topic = ["--entity-type", "topics", "--entity-name", topic]
    of_broker = ["--entity-type", "brokers", "--entity-name", "1"]
    started = move.run("--execute", "--throttle", str(SLOW))
    assert f"The inter-broker throttle limit was set to {SLOW} B/s" in started
    assert f"Successfully started partition reassignments for {topic}-0,{topic}-1" in started
    listed = tools.server(REASSIGN, "--list").out
    assert f"{topic}-0: replicas: 2,3,1. adding: 2,3. removing: 1." in listed
    assert f"{topic}-1: replicas: 2,1,3. adding: 1,3." in listed
    assert "still in progress" in move.run("--verify")
    first, second = tools.describe(topic)
    assert (first.adding, first.removing) == ({2, 3}, {1})
    assert (second.adding, second.removing) == ({1, 3}, set())
    rdkafka.wait_for(lambda: f"rate={SLOW}" in tools.server(CONFIGS, "--describe", *of_broker).out)
    settings = tools.server(CONFIGS, "--describe", *of_topic).out
    assert "leader.replication.throttled.replicas=0:1,1:2 " in settings
    assert "follower.replication.throttled.replicas=0:2,0:3,1:1,1:3 " in settings
    refused = move.run("--execute", code=1)
    assert "Use --additional to override this" in refused
    faster = move.run("--execute", "--additional", "--throttle", "50000000")
    assert "The inter-broker throttle limit was set to 50000000 B/s" in faster
    done = move.wait()
    for number in range(2):
        assert f"Reassignment of partition {topic}-{number} is completed." in done
    assert "Clearing broker-level throttles on brokers 1,2,3" in done
    assert f"Clearing topic-level throttles on topic {topic}" in done
    rdkafka.wait_for(lambda: "throttled" not in tools.server(CONFIGS, "--describe", *of_broker).out)
    rdkafka.wait_for(lambda: "throttled" not in tools.server(CONFIGS, "--describe", *of_topic).out)
    assert "No partition reassignments found." in tools.server(REASSIGN, "--list").out
    first, second = tools.describe(topic)
    assert (first.replicas, first.isr, first.adding, first.removing) == ((2, 3), {2, 3}, set(), set())
    assert first.leader in {2, 3}
    assert (second.replicas, second.isr) == ((2, 1, 3), {1, 2, 3})
    assert [read(bootstrap, topic, number) for number in range(2)] == written


def test_a_cancelled_reassignment_leaves_no_trace(
    tools: ClusterTools, topic: str, plan: Callable[..., Plan]
) -> None:
    bootstrap = tools.cluster.bootstrap
    clusters.create_topic(bootstrap, topic, replicas=[[3, 1]])
    written = fill(bootstrap, topic)
    move = plan({topic: [[2, 1]]})
    move.run("--execute", "--throttle", str(SLOW))
    assert f"{topic}-0: replicas: 2,1,3. adding: 2. removing: 3." in tools.server(REASSIGN, "--list").out
    cancelled = move.run("--cancel")
    assert f"Successfully cancelled partition reassignment for: {topic}-0" in cancelled
    assert "Clearing broker-level throttles on brokers 1,2,3" in cancelled
    rdkafka.wait_for(lambda: sorted(tools.describe(topic)[0].replicas) == [1, 3])
    (row,) = tools.describe(topic)
    assert (row.leader, row.isr, row.adding, row.removing) == (3, {3, 1}, set(), set())
    assert "No partition reassignments found." in tools.server(REASSIGN, "--list").out
    assert "None of the specified partition reassignments are active." in move.run("--cancel")
    verified = move.run("--verify")
    assert f"There is no active reassignment of partition {topic}-0, but replica set is " in verified
    folder = tools.cluster.data_dir(2) / f"{topic}-0"
    rdkafka.wait_for(lambda: not folder.exists())
    assert read(bootstrap, topic) == written


def test_impossible_reassignments_are_refused(
    tools: ClusterTools, topic: str, plan: Callable[..., Plan]
) -> None:
    clusters.create_topic(tools.cluster.bootstrap, topic, replicas=[[1, 2]])
    assert "Unknown broker id 9" in plan({topic: [[9, 1]]}).run("--execute", code=1)
    assert "duplicate" in plan({topic: [[1, 1]]}).run("--execute", code=1)
    missing = plan({topic: [[1, 2], [2, 1]]}).run("--execute", code=1)
    assert f"Unable to find partition: {topic}-1" in missing
    assert tools.describe(topic)[0].replicas == (1, 2)


def test_preferred_leaders_are_elected(
    tools: ClusterTools, topic: str, plan: Callable[..., Plan], tmp_path: Path
) -> None:
    bootstrap = tools.cluster.bootstrap
    clusters.create_topic(bootstrap, topic, replicas=[[1, 2, 3], [2, 3, 1], [3, 1, 2]])
    one = ["--election-type", "preferred", "--topic", topic, "--partition", "0"]
    assert f"Valid replica already elected for partitions {topic}-0" in tools.server(ELECT, *one).out
    turn = plan({topic: [[2, 1, 3], [3, 2, 1], [1, 3, 2]]})
    turn.run("--execute")
    turn.wait()
    assert [row.leader for row in tools.describe(topic)] == [1, 2, 3], "they lead on until told otherwise"
    done = tools.server(ELECT, *one).out
    assert f"Successfully completed leader election (PREFERRED) for partitions {topic}-0" in done
    rdkafka.wait_for(lambda: [row.leader for row in tools.describe(topic)] == [2, 2, 3])
    wish = tmp_path / "elect.json"
    wish.write_text(json.dumps({"partitions": [{"topic": topic, "partition": 1}]}))
    by_file = ["--election-type", "preferred", "--path-to-json-file", str(wish)]
    assert f"for partitions {topic}-1" in tools.server(ELECT, *by_file).out
    everything = tools.server(ELECT, "--election-type", "preferred", "--all-topic-partitions").out
    assert f"{topic}-2" in everything
    rdkafka.wait_for(lambda: [row.leader for row in tools.describe(topic)] == [2, 3, 1])
    assert tools.server(ELECT, "--election-type", "preferred", "--all-topic-partitions").out.strip() == ""
    nobody = [*one[:2], "--topic", "no-such-topic", "--partition", "0"]
    refused = tools.server(ELECT, *nobody, code=1)
    assert "UnknownTopicOrPartitionException" in refused.out
