"""``cordoned.log.dirs`` (KIP-1066): who is cordoned gets no new replicas, and keeps what it has."""

from __future__ import annotations

import pytest
from broker_world import Client, World, batch
from cluster_world import Cluster, Node

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.alter_replica_log_dirs_request import (
    AlterReplicaLogDir,
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirTopic,
)
from riverlog.protocol.generated.create_topics_request import CreatableTopic, CreateTopicsRequest
from riverlog.protocol.generated.describe_log_dirs_request import DescribeLogDirsRequest
from riverlog.protocol.generated.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)

ONE, TWO = "/one", "/two"
_BROKER, _SET, _DELETE = 4, 0, 1


def cordon(client: Client, broker_id: int, folders: str | None) -> None:
    """Set ``cordoned.log.dirs`` of a broker; None clears it."""
    operation = _DELETE if folders is None else _SET
    config = AlterableConfig(name="cordoned.log.dirs", config_operation=operation, value=folders)
    resource = AlterConfigsResource(resource_type=_BROKER, resource_name=str(broker_id), configs=[config])
    request = IncrementalAlterConfigsRequest(resources=[resource])
    (answer,) = client.newest(ApiKey.INCREMENTAL_ALTER_CONFIGS, request).responses
    assert answer.error_code == ErrorCode.NONE, answer.error_message


def shown(client: Client) -> dict[str, bool]:
    """Each folder of the broker that is asked, and whether it is cordoned."""
    results = client.newest(ApiKey.DESCRIBE_LOG_DIRS, DescribeLogDirsRequest(topics=[])).results
    return {result.log_dir: result.is_cordoned for result in results}


def wait_cordoned(cluster: Cluster, node: Node, expected: bool) -> None:
    assert cluster.run_until(lambda: set(shown(node.client()).values()) == {expected})


def holders(cluster: Cluster, topic: str) -> set[int]:
    partitions = cluster.nodes[1].broker.metadata.image.topics[topic].partitions.values()
    return {replica for partition in partitions for replica in partition.replicas}


def test_a_cordoned_broker_gets_no_new_partitions_and_serves_its_old_ones() -> None:
    cluster = Cluster()
    cluster.create("old", replicas=[3, 1])
    cordon(cluster.nodes[1].client(), 3, "*")
    wait_cordoned(cluster, cluster.nodes[3], True)
    cluster.create("new", partitions=12, factor=2)
    assert holders(cluster, "new") == {1, 2}
    cluster.produce("old", b"still served")
    assert cluster.leader("old") is cluster.nodes[3]
    topic = CreatableTopic(name="wide", num_partitions=1, replication_factor=3)
    answer = cluster.any_client().newest(ApiKey.CREATE_TOPICS, CreateTopicsRequest(topics=[topic]))
    assert answer.topics[0].error_code == ErrorCode.INVALID_REPLICATION_FACTOR

    cordon(cluster.nodes[1].client(), 3, None)
    wait_cordoned(cluster, cluster.nodes[3], False)
    cluster.create("newer", partitions=12, factor=2)
    assert holders(cluster, "newer") == {1, 2, 3}


def test_a_cordoned_broker_is_so_after_its_restart_and_under_another_controller() -> None:
    cluster = Cluster()
    cordon(cluster.nodes[1].client(), 3, "*")
    wait_cordoned(cluster, cluster.nodes[3], True)
    cluster.nodes[3].kill()
    cluster.nodes[3].start()
    assert cluster.run_until(lambda: cluster.nodes[3].ready)
    wait_cordoned(cluster, cluster.nodes[3], True)
    controller = cluster.controller()
    assert controller is not None
    controller.stop()
    controller.start()
    assert cluster.run_until(lambda: controller.ready and cluster.controller() is not None)
    wait_cordoned(cluster, cluster.nodes[3], True)
    cluster.create("new", partitions=12, factor=2)
    assert holders(cluster, "new") == {1, 2}


def test_one_cordoned_folder_of_two_closes_that_folder_not_the_broker() -> None:
    cluster = Cluster(log_dirs=(ONE, TWO))
    cordon(cluster.nodes[1].client(), 2, f"{ONE},/nowhere")
    assert cluster.run_until(lambda: shown(cluster.nodes[2].client()) == {ONE: True, TWO: False})
    cluster.create("new", partitions=6, factor=3)
    assert holders(cluster, "new") == {1, 2, 3}
    assert cluster.run_until(lambda: len(cluster.nodes[2].broker.logs.logs) == 6)
    assert {log.log_dir for log in cluster.nodes[2].broker.logs.logs.values()} == {TWO}
    assert {log.log_dir for log in cluster.nodes[3].broker.logs.logs.values()} == {ONE, TWO}


@pytest.fixture
def world() -> World:
    return World(log_dirs=(ONE, TWO))


def test_a_node_that_is_alone_knows_cordons_too(world: World) -> None:
    client = world.client()
    client.create("t", 2)
    before = {log.topic_partition: log.log_dir for log in world.broker.logs.logs.values()}
    assert set(before.values()) == {ONE, TWO}
    cordon(client, world.broker.node_id, ONE)
    assert world.run_until(lambda: shown(client) == {ONE: True, TWO: False})
    there = next(key for key, path in before.items() if path == TWO)
    topic = AlterReplicaLogDirTopic(name="t", partitions=[there[1]])
    request = AlterReplicaLogDirsRequest(dirs=[AlterReplicaLogDir(path=ONE, topics=[topic])])
    answer = client.newest(ApiKey.ALTER_REPLICA_LOG_DIRS, request)
    assert answer.results[0].partitions[0].error_code == ErrorCode.INVALID_REPLICA_ASSIGNMENT
    client.create("u", 3)
    assert {log.log_dir for log in world.broker.logs.logs.values() if log.topic == "u"} == {TWO}
    assert client.produce("t", batch(b"served"), partition=1 - there[1]).error_code == ErrorCode.NONE
    cordon(client, world.broker.node_id, None)
    assert world.run_until(lambda: not any(shown(client).values()))
