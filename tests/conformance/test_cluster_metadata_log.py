"""Voters come and go by Kafka's tool, and Kafka reads what a cluster leaves on disk.

``kafka-dump-log`` and ``kafka-metadata-shell`` understand the metadata log and its snapshots, and replicas
hold the same bytes, as files and to ``kafka-replica-verification``.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from clientkit import clusters, java, rdkafka, writers
from clientkit.cluster_tools import QUORUM, ClusterTools, controller_of, quorum, status
from clientkit.clusters import NODES, Cluster
from clientkit.java import JavaTools
from clientkit.paths import Unavailable
from clientkit.samples import CODECS, samples

DUMP = "org.apache.kafka.tools.DumpLogSegments"
SECONDS = 60.0
# Nobody joins by itself, and snapshots come soon.
SETTINGS = {
    "controller.quorum.auto.join.enable": "false",
    "metadata.log.max.record.bytes.between.snapshots": "4000",
    "metadata.log.max.snapshot.interval.ms": "3000",
}


@pytest.fixture(scope="module")
def three(run_cluster: Callable[..., AbstractContextManager[Cluster]]) -> Iterator[Cluster]:
    with run_cluster(SETTINGS) as running:
        yield running


@pytest.fixture
def tools(java_tools: JavaTools, three: Cluster) -> ClusterTools:
    return ClusterTools(java_tools, three)


def directory_id(three: Cluster, node_id: int) -> str:
    text = (three.data_dir(node_id) / "meta.properties").read_text()
    (found,) = re.findall(r"^directory\.id=(\S+)$", text, re.MULTILINE)
    return str(found)


def members(tools: ClusterTools) -> tuple[set[int], set[int]]:
    """Voters and observers."""
    described = status(tools.server(QUORUM, "describe", "--status").out)
    voters, observers = (
        {row["id"] for row in json.loads(described[name])} for name in ("CurrentVoters", "CurrentObservers")
    )
    return voters, observers


def remove(tools: ClusterTools, node_id: int, *options: str, directory: str = "", code: int = 0) -> str:
    pair = ["--controller-id", str(node_id), "--controller-directory-id"]
    pair.append(directory or directory_id(tools.cluster, node_id))
    result = tools.controller(QUORUM, "remove-controller", *pair, *options, code=code)
    return result.out + result.err


def add(tools: ClusterTools, node_id: int, *options: str, code: int = 0) -> str:
    config = str(tools.cluster.config_file(node_id))
    result = tools.controller(QUORUM, "--command-config", config, "add-controller", *options, code=code)
    return result.out + result.err


def test_a_follower_and_the_leader_leave_the_quorum_and_come_back(tools: ClusterTools, topic: str) -> None:
    three = tools.cluster
    for what in ("follower", "leader"):
        leader = controller_of(tools)
        node_id = leader if what == "leader" else next(number for number in NODES if number != leader)
        own = directory_id(three, node_id)
        assert f"DRY RUN of removing  KRaft controller {node_id}" in remove(tools, node_id, "--dry-run")
        assert members(tools) == (set(NODES), set())
        assert f"Removed  KRaft controller {node_id} with directory id {own}" in remove(tools, node_id)
        rest = set(NODES) - {node_id}
        rdkafka.wait_for(lambda rest=rest, node_id=node_id: members(tools) == (rest, {node_id}), SECONDS)  # type: ignore[misc]
        assert controller_of(tools) != node_id
        assert quorum(tools)[node_id]["Status"] == "Observer"
        assert "VoterNotFoundException" in remove(tools, node_id, code=1)
        clusters.create_topic(three.bootstrap, f"{topic}-{what}")  # it goes on, with two
        assert f"Added controller {node_id} with directory id {own}" in add(tools, node_id)
        rdkafka.wait_for(lambda: members(tools) == (set(NODES), set()), SECONDS)
        assert "DuplicateVoterException" in add(tools, node_id, code=1)
    stranger = directory_id(three, 1)
    assert "VoterNotFoundException" in remove(tools, 2, directory=stranger, code=1)


def test_replicas_hold_the_same_bytes_and_kafka_finds_them_valid(
    tools: ClusterTools, java_tools: JavaTools, topic: str
) -> None:
    bootstrap = tools.cluster.bootstrap
    clusters.create_topic(bootstrap, topic)
    for codec in CODECS:
        rdkafka.send(rdkafka.producer(bootstrap, compression_type=codec), topic, samples(20))
    folders = [tools.cluster.data_dir(number) / f"{topic}-0" for number in NODES]
    rdkafka.wait_for(lambda: len({(folder / f"{0:020}.log").read_bytes() for folder in folders}) == 1)
    for folder in folders:
        out = dump(java_tools, sorted(folder.glob("*.log")), "--deep-iteration")
        offsets = re.findall(r"^\| offset: (\d+) ", out, re.MULTILINE)
        assert [int(offset) for offset in offsets] == list(range(20 * len(CODECS)))


def test_replica_verification_finds_no_difference(three: Cluster, topic: str) -> None:
    clusters.create_topic(three.bootstrap, topic, partitions=3)
    for partition in range(3):
        rdkafka.send(rdkafka.producer(three.bootstrap), topic, samples(100), partition=partition)
    words = ["--broker-list", three.bootstrap, "--topics-include", topic, "--time", "-2"]
    try:
        tool = writers.Verifiable("ReplicaVerificationTool", *words, "--report-interval-ms", "200")
    except Unavailable as missing:
        pytest.skip(str(missing))
    try:
        done = re.compile(r": max lag is 0 for partition \S+ at offset 100 among 3 partitions")
        rdkafka.wait_for(lambda: any(map(done.search, list(tool.lines))), SECONDS)
    finally:
        tool.close()
    told = [line.partition(": ")[2] for line in tool.lines]
    assert all(line.startswith(("max lag is ", "verification process is started")) for line in told), told


def dump(tools: JavaTools, files: list[Path], *options: str) -> str:
    assert files
    result = tools.run(DUMP, *options, "--files", ",".join(map(str, files))).ok()
    assert "isvalid: false" not in result.out
    return result.out


def snapshots(three: Cluster, node_id: int) -> list[Path]:
    folder = three.data_dir(node_id) / "__cluster_metadata-0"
    return sorted(path for path in folder.glob("*.checkpoint") if re.fullmatch(r"\d{20}-\d{10}", path.stem))


def test_kafka_reads_the_metadata_log_and_snapshots(
    tools: ClusterTools, java_tools: JavaTools, topic: str, tmp_path: Path
) -> None:
    three = tools.cluster
    names = [f"{topic}-{number}" for number in range(8)]
    for name in names:
        clusters.create_topic(three.bootstrap, name, partitions=3)

    def new_enough(path: Path) -> bool:
        return f'"name":"{names[0]}"' in dump(java_tools, [path], "--cluster-metadata-decoder")

    for number in NODES:
        rdkafka.wait_for(lambda number=number: new_enough(copy(three, number, tmp_path)), SECONDS)  # type: ignore[misc]
        text = dump(java_tools, [copy(three, number, tmp_path)], "--cluster-metadata-decoder")
        for part in ("SnapshotHeader", "KRaftVersion", "KRaftVoters", "SnapshotFooter"):
            assert part in text
        kinds = set(re.findall(r'"type":"([A-Z_]+)"', text))
        assert {"FEATURE_LEVEL_RECORD", "REGISTER_BROKER_RECORD", "TOPIC_RECORD", "PARTITION_RECORD"} <= kinds
        assert len(re.findall(r'"type":"REGISTER_BROKER_RECORD"', text)) == len(NODES)
    logs = [sorted((three.data_dir(n) / "__cluster_metadata-0").glob("*.log")) for n in NODES]
    decoded = [dump(java_tools, files, "--cluster-metadata-decoder", "--deep-iteration") for files in logs]
    records = [set(re.findall(r"^\| offset: (\d+) .*?payload: (.*)$", out, re.MULTILINE)) for out in decoded]
    common = set.intersection(*({offset for offset, _ in found} for found in records))
    assert common
    assert len({frozenset(row for row in found if row[0] in common) for found in records}) == 1


def copy(three: Cluster, node_id: int, folder: Path) -> Path:
    """The newest snapshot, out of reach of the node's lock and of its cleaning up."""
    newest = snapshots(three, node_id)[-1]
    target = folder / f"node-{node_id}" / newest.name
    target.parent.mkdir(exist_ok=True)
    return Path(shutil.copy(newest, target))


def test_the_metadata_shell_walks_a_snapshot(
    tools: ClusterTools, java_tools: JavaTools, tmp_path: Path
) -> None:
    try:
        jar = java.shell_jar()
    except Unavailable as missing:
        pytest.skip(str(missing))
    found = copy(tools.cluster, 1, tmp_path)
    shell = ["org.apache.kafka.shell.MetadataShell", "--snapshot", str(found)]
    tree = java_tools.run_alone(*shell, "tree", "/image", more_jars=[jar]).ok().out
    for number in NODES:
        assert f"BrokerRegistration(id={number}, " in tree
        assert f"ControllerRegistration(id={number}, " in tree
        host, _, port = tools.cluster.address(number).partition(":")
        assert f"host='{host}', port={port})" in tree
    assert "PartitionRegistration(replicas=[" in tree
    assert "finalized_eligible.leader.replicas.version" in tree
