"""Five clients write while leaders and the controller are killed: all of it is there, once and in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest
from clientkit import builds, clusters, crew, java, rdkafka, writers
from clientkit.cluster_tools import ClusterTools, controller_of
from clientkit.clusters import NODES, Cluster
from clientkit.java import JavaTools
from clientkit.lines import LineClient
from clientkit.paths import Unavailable

PARTITIONS = 3
MORE = 30
SECONDS = 90.0
ASSIGNORS = ["range", "consumer"]


@pytest.fixture(scope="module")
def three(run_cluster: Callable[..., AbstractContextManager[Cluster]]) -> Iterator[Cluster]:
    with run_cluster() as running:
        yield running


@pytest.fixture
def tools(java_tools: JavaTools, three: Cluster) -> ClusterTools:
    return ClusterTools(java_tools, three)


def test_writers_and_a_reader_go_on_when_leader_and_controller_die(
    tools: ClusterTools, topic: str, tmp_path: Path
) -> None:
    write_and_kill(tools, topic, tmp_path, rounds=1)


@pytest.mark.soak
def test_soak_writers_and_a_reader_go_on_over_many_kills(
    tools: ClusterTools, topic: str, tmp_path: Path
) -> None:
    write_and_kill(tools, topic, tmp_path, rounds=8)


def write_and_kill(tools: ClusterTools, topic: str, tmp_path: Path, *, rounds: int) -> None:
    """In each round a leader is killed and comes back, then the controller."""
    three, bootstrap = tools.cluster, tools.cluster.bootstrap
    with ExitStack() as stack:
        try:
            lines = [
                LineClient(builds.franz_go_command(bootstrap)),
                LineClient(builds.kafkajs_command(bootstrap)),
            ]
        except Unavailable as missing:
            pytest.skip(str(missing))
        for line in lines:
            stack.callback(line.close)
        names = [f"{topic}-{kind}" for kind in ("librdkafka", "aiokafka", "java", "franz-go", "kafkajs")]
        for name in names:
            clusters.create_topic(bootstrap, name, replicas=[[1, 2, 3], [2, 3, 1], [3, 1, 2]])
        verifiable = writers.JavaWriter(bootstrap, names[2], PARTITIONS, tmp_path)
        stack.callback(verifiable.tool.close)
        group = ["--group-id", f"{topic}-readers", "--reset-policy", "earliest", "--verbose"]
        reader = writers.Verifiable(
            "VerifiableConsumer", "--bootstrap-server", bootstrap, "--topic", names[0], *group
        )
        stack.callback(reader.close)
        everyone: list[writers.Writer] = [
            writers.Librdkafka(bootstrap, names[0], PARTITIONS),
            writers.Aiokafka(bootstrap, names[1], PARTITIONS),
            verifiable,
            writers.LineWriter(lines[0], names[3], PARTITIONS),
            writers.LineWriter(lines[1], names[4], PARTITIONS),
        ]
        for writer in everyone:
            writer.wait_for(MORE, SECONDS)
        for _ in range(rounds):
            controller = controller_of(tools)
            leader = next(number for number in NODES if number != controller)
            for victim in (leader, controller):
                three.kill(victim)
                for writer in everyone:
                    writer.wait_for(MORE, SECONDS)
                three.restart(victim)
                for name in names:
                    clusters.wait_for_all_in_sync(bootstrap, name, SECONDS)
        for writer in everyone:
            writer.wait_for(MORE, SECONDS)
        for writer in everyone:
            writer.finish()
        for writer in everyone:
            writer.check(writers.numbers_in(bootstrap, writer.topic, PARTITIONS))

        def read() -> list[tuple[int, int]]:
            rows = [event for event in list(reader.events) if event["name"] == "record_data"]
            return [(row["partition"], int(row["value"])) for row in rows]

        wanted = sorted(
            (partition, number) for partition, count in everyone[0].acked.items() for number in range(count)
        )
        rdkafka.wait_for(lambda: len(read()) >= len(wanted), SECONDS)
        reader.finish()
        assert sorted(read()) == wanted, "the group has read every record once"
        for partition in range(PARTITIONS):
            assert [number for place, number in read() if place == partition] == list(
                range(everyone[0].acked[partition])
            )


@pytest.fixture(scope="module")
def hosts(three: Cluster) -> Iterator[list[LineClient]]:
    """Processes for members of three clients."""
    try:
        commands = [java.member_command(three.bootstrap), builds.franz_go_command(three.bootstrap)]
    except Unavailable as missing:
        pytest.skip(str(missing))
    found = [crew.python_host("librdkafka", three.bootstrap), *map(LineClient, commands)]
    yield found
    for host in found:
        host.close()


@pytest.mark.parametrize("assignor", ASSIGNORS)
def test_a_group_goes_on_when_its_coordinator_and_the_controller_die(
    tools: ClusterTools, hosts: list[LineClient], topic: str, assignor: str
) -> None:
    three, bootstrap = tools.cluster, tools.cluster.bootstrap
    with crew.crew(hosts[0], bootstrap, topic, assignor, copies=3, patience=SECONDS) as group:
        for name, host in zip("abc", hosts, strict=True):
            group.join(name, host=host)
        group.wait_until_each_has(2)
        group.send()
        group.wait_until_read()
        for find in (lambda: coordinator_of(bootstrap, group.group), lambda: controller_of(tools)):
            victim = find()
            three.kill(victim)
            group.send()
            group.wait_until_read()
            three.restart(victim)
            clusters.wait_for_all_in_sync(bootstrap, topic, SECONDS)
            clusters.wait_for_all_in_sync(bootstrap, "__consumer_offsets", SECONDS)
        group.wait_until_each_has(2)
        group.leave("c")
        group.wait_until_each_has(3)
        group.send()
        group.wait_until_read()


def coordinator_of(bootstrap: str, group: str) -> int:
    described = rdkafka.admin(bootstrap).describe_consumer_groups([group])[group]
    return int(described.result(rdkafka.WAIT_SECONDS).coordinator.id)
