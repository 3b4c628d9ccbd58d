"""AlterReplicaLogDirs: replicas change their log directory, and clients do not notice."""

from __future__ import annotations

import pytest
from broker_world import Client, World, batch, fetch_request

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.alter_replica_log_dirs_request import (
    AlterReplicaLogDir,
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirTopic,
)
from riverlog.protocol.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from riverlog.protocol.generated.describe_log_dirs_request import DescribeLogDirsRequest
from riverlog.sim.disk import Fault, Latency, Setup

ONE, TWO = "/one", "/two"


@pytest.fixture
def world() -> World:
    return World(log_dirs=(ONE, TWO), setup=Setup(latency=Latency(0.005, 0.01)))


@pytest.fixture
def client(world: World) -> Client:
    client = world.client()
    client.create("t", 2)
    return client


def move(client: Client, *wanted: tuple[str, str, int]) -> dict[tuple[str, int], ErrorCode]:
    """Directory, topic and partition of each."""
    dirs = [
        AlterReplicaLogDir(path=path, topics=[AlterReplicaLogDirTopic(name=name, partitions=[index])])
        for path, name, index in wanted
    ]
    response = client.newest(ApiKey.ALTER_REPLICA_LOG_DIRS, AlterReplicaLogDirsRequest(dirs=dirs))
    return {
        (topic.topic_name, partition.partition_index): ErrorCode(partition.error_code)
        for topic in response.results
        for partition in topic.partitions
    }


def places(client: Client) -> dict[tuple[str, int, bool], str]:
    """Where replicas, and those on their way (True), are."""
    response = client.newest(ApiKey.DESCRIBE_LOG_DIRS, DescribeLogDirsRequest(topics=None))
    return {
        (topic.name, partition.partition_index, partition.is_future_key): log_dir.log_dir
        for log_dir in response.results
        for topic in log_dir.topics
        for partition in topic.partitions
    }


def elsewhere(path: str) -> str:
    return TWO if path == ONE else ONE


def test_replica_moves_under_producers_and_consumers(world: World, client: Client) -> None:
    for number in range(50):
        client.produce("t", batch(b"%d" % number * 100))
    whole = bytes(client.fetch("t", 0, max_bytes=1 << 24, partition_max_bytes=1 << 24).records)
    source = places(client)["t", 0, False]
    target = elsewhere(source)
    assert move(client, (target, "t", 0)) == {("t", 0): ErrorCode.NONE}
    assert places(client)["t", 0, True] == target
    # A consumer waits over the move for what is produced during it.
    reader = world.client()
    reader.post(ApiKey.FETCH, 12, fetch_request("t", 50, max_wait_ms=60_000))
    answer = client.produce("t", batch(b"during"))
    assert (answer.error_code, answer.base_offset) == (ErrorCode.NONE, 50)
    assert world.run_until(lambda: bool(reader.frames))
    assert world.run_until(lambda: ("t", 0, True) not in places(client))
    assert places(client)["t", 0, False] == target
    answer = client.produce("t", batch(b"after"))
    assert (answer.error_code, answer.base_offset) == (ErrorCode.NONE, 51)
    found = bytes(client.fetch("t", 0, max_bytes=1 << 24, partition_max_bytes=1 << 24).records)
    assert found.startswith(whole)
    assert client.fetch("t", 0).high_watermark == 52
    # The metadata knows, and the next start finds it there.
    metadata = world.broker.metadata
    expected = (metadata.directory_ids[target],)
    assert world.run_until(lambda: metadata.image.topics["t"].partitions[0].directories == expected)
    world.stop()
    world.start()
    client = world.client()
    assert places(client)["t", 0, False] == target
    assert bytes(client.fetch("t", 0, max_bytes=1 << 24, partition_max_bytes=1 << 24).records) == found


def test_many_replicas_move_one_after_the_other(world: World, client: Client) -> None:
    client.create("many", 20)
    before = places(client)
    wanted = [(elsewhere(before["many", index, False]), "many", index) for index in range(20)]
    assert set(move(client, *wanted).values()) == {ErrorCode.NONE}
    assert sum(future for _, _, future in places(client)) == 20
    assert world.run_until(lambda: not any(future for _, _, future in places(client)))
    after = places(client)
    assert [after["many", index, False] for index in range(20)] == [path for path, _, _ in wanted]
    assert after["t", 0, False] == before["t", 0, False]


def test_impossible_moves_are_refused(world: World, client: Client) -> None:
    assert move(client, ("/nope", "t", 0), (ONE, "x", 0), (ONE, "t", 7)) == {
        ("t", 0): ErrorCode.LOG_DIR_NOT_FOUND,
        ("x", 0): ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ("t", 7): ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    }
    assert move(client, ("one", "t", 0)) == {("t", 0): ErrorCode.LOG_DIR_NOT_FOUND}
    assert move(client) == {}


def test_move_to_where_it_is_does_nothing_and_ends_another(world: World, client: Client) -> None:
    source = places(client)["t", 0, False]
    target = elsewhere(source)
    assert move(client, (source, "t", 0)) == {("t", 0): ErrorCode.NONE}
    assert ("t", 0, True) not in places(client)
    assert move(client, (target, "t", 0)) == {("t", 0): ErrorCode.NONE}
    assert move(client, (target, "t", 0)) == {("t", 0): ErrorCode.NONE}
    assert ("t", 0, True) in places(client)
    assert move(client, (source, "t", 0)) == {("t", 0): ErrorCode.NONE}
    assert ("t", 0, True) not in places(client)
    client.produce("t", batch(b"x"))
    assert places(client)["t", 0, False] == source
    # Of a partition named twice the last one counts.
    assert move(client, (target, "t", 0), (source, "t", 0)) == {("t", 0): ErrorCode.NONE}
    assert ("t", 0, True) not in places(client)


def test_deleted_topic_ends_its_moves_and_the_next_goes_on(world: World, client: Client) -> None:
    client.create("gone")
    before = places(client)
    move(
        client,
        (elsewhere(before["gone", 0, False]), "gone", 0),
        (elsewhere(before["t", 1, False]), "t", 1),
    )
    client.newest(ApiKey.DELETE_TOPICS, DeleteTopicsRequest(topics=[DeleteTopicState(name="gone")]))
    assert world.run_until(lambda: not any(future for _, _, future in places(client)))
    assert places(client)["t", 1, False] == elsewhere(before["t", 1, False])
    assert ("gone", 0, False) not in places(client)


def test_offline_target_is_refused_and_a_failing_one_leaves_the_replica(world: World, client: Client) -> None:
    before = places(client)
    source = before["t", 0, False]
    target = elsewhere(source)
    client.produce("t", batch(b"x"))
    world.setup.faults.append(Fault("sync", f"{target}/t-0"))
    assert move(client, (target, "t", 0)) == {("t", 0): ErrorCode.NONE}
    assert world.run_until(lambda: ("t", 0, True) not in places(client))
    assert places(client)["t", 0, False] == source
    assert client.produce("t", batch(b"y")).error_code == ErrorCode.NONE
    assert move(client, (target, "t", 0)) == {("t", 0): ErrorCode.KAFKA_STORAGE_ERROR}


def test_stop_during_a_move_loses_nothing(world: World, client: Client) -> None:
    for _ in range(20):
        client.produce("t", batch(b"x" * 1000))
    source = places(client)["t", 0, False]
    move(client, (elsewhere(source), "t", 0))
    world.stop()
    world.start()
    client = world.client()
    assert places(client) == {key: path for key, path in places(client).items() if not key[2]}
    assert places(client)["t", 0, False] == source
    assert client.fetch("t", 0).high_watermark == 20
