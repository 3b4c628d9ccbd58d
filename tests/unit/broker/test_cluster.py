"""Three nodes in memory: the whole way from the first election to failover, restart and shutdown."""

from __future__ import annotations

from typing import Any

from broker_world import Client
from cluster_world import Cluster, Node

from riverlog.base import broker_configs
from riverlog.base.errors import ErrorCode
from riverlog.broker.lifecycle import Phase
from riverlog.env import StorageError
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated import alter_client_quotas_request as quota_request
from riverlog.protocol.generated.broker_registration_request import BrokerRegistrationRequest, Feature
from riverlog.protocol.generated.create_topics_request import CreatableTopic, CreateTopicsRequest
from riverlog.protocol.generated.describe_quorum_request import (
    DescribeQuorumRequest,
    PartitionData,
    TopicData,
)
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest
from riverlog.protocol.generated.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from riverlog.protocol.generated.offset_fetch_request import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)
from riverlog.protocol.generated.unregister_broker_request import UnregisterBrokerRequest
from riverlog.records import decode_records, iter_headers


def values(answer: Any) -> list[bytes]:
    assert answer.error_code == ErrorCode.NONE, answer
    found = bytes(answer.records)
    return [
        record.value or b""
        for position, header in iter_headers(found)
        for record in decode_records(found, position, header, max_bytes=1 << 20)
    ]


def test_three_brokers_register_and_are_unfenced() -> None:
    cluster = Cluster()
    controller = cluster.controller()
    assert controller is not None
    assert [node for node in cluster.alive if node.broker.metadata.is_active] == [controller]
    for node in cluster.alive:
        assert sorted(node.broker.metadata.image.brokers) == [1, 2, 3]
        assert node.broker.metadata.controller_id == controller.node_id


def test_unformatted_nodes_form_a_quorum_over_the_network() -> None:
    cluster = Cluster(formatted=False)
    assert len({node.broker.metadata.cluster_id for node in cluster.alive}) == 1
    cluster.create("t")
    assert cluster.produce("t", b"a") == 0


def test_a_topic_is_created_through_any_broker() -> None:
    cluster = Cluster()
    for node in cluster.alive:
        cluster.create(f"by-{node.node_id}", node=node)
    assert list(cluster.alive[0].broker.metadata.image.topics) == ["by-1", "by-2", "by-3"]


def test_records_reach_all_replicas() -> None:
    cluster = Cluster()
    cluster.create("t")
    cluster.wait_isr("t", {1, 2, 3})
    assert cluster.produce("t", b"a", b"b") == 0
    assert values(cluster.fetch("t")) == [b"a", b"b"]
    assert cluster.run_until(
        lambda: all(node.broker.logs.logs["t", 0].high_watermark == 2 for node in cluster.alive)
    )


def test_another_broker_leads_when_the_leader_is_killed() -> None:
    cluster = Cluster()
    cluster.create("t", min_insync_replicas="2")
    cluster.produce("t", b"before")
    leader = cluster.wait_leader("t")
    killed_at = cluster.scheduler.now
    leader.kill()
    assert cluster.produce("t", b"after") == 1
    assert cluster.scheduler.now - killed_at < 3.0
    assert cluster.wait_leader("t") is not leader
    assert values(cluster.fetch("t")) == [b"before", b"after"]


def test_writes_go_on_when_the_active_controller_is_killed() -> None:
    cluster = Cluster()
    controller = cluster.controller()
    assert controller is not None
    cluster.create("t", min_insync_replicas="2")
    cluster.produce("t", b"before")
    killed_at = cluster.scheduler.now
    controller.kill()
    assert cluster.produce("t", b"after") == 1
    assert cluster.scheduler.now - killed_at < 3.0
    cluster.create("u", factor=2)


def test_a_restarted_broker_is_in_sync_again() -> None:
    cluster = Cluster()
    cluster.create("t")
    cluster.produce("t", b"a")
    leader = cluster.wait_leader("t")
    leader.kill()
    cluster.produce("t", b"b")
    leader.start()
    cluster.wait_isr("t", {1, 2, 3})
    assert cluster.produce("t", b"c") == 2
    assert values(cluster.fetch("t")) == [b"a", b"b", b"c"]


def test_a_restarted_broker_knows_the_settings_of_its_topics() -> None:
    """Its folders are opened before it has heard of any topic."""
    cluster = Cluster(min_insync_replicas="2")
    cluster.create("t", min_insync_replicas="1", retention_ms="-1")
    node = cluster.wait_leader("t")
    before = node.broker.logs.logs["t", 0].config
    assert (before.min_insync_replicas, before.retention_ms) == (1, -1)
    node.kill()
    node.start()
    assert cluster.run_until(lambda: node.ready and cluster.leader("t") is not None)
    assert node.broker.logs.logs["t", 0].config == before


def test_controlled_shutdown_moves_leaders_away_first() -> None:
    cluster = Cluster()
    cluster.create("t", replicas=[1, 2, 3])
    cluster.produce("t", b"a")
    leader = cluster.wait_leader("t")
    moved: list[bool] = []

    def watch() -> None:
        state = cluster.partition("t")
        if leader.broker.lifecycle.phase.value == "leaving" and state is not None:
            moved.append(state.leader != leader.node_id)

    for node in cluster.alive:
        node.broker.metadata.subscribe(lambda _: watch())
    leader.stop()
    assert moved[-1:] == [True]
    assert cluster.produce("t", b"b") == 1
    leader.start()
    cluster.wait_isr("t", {1, 2, 3})


def test_the_whole_cluster_comes_back_after_it_was_killed() -> None:
    cluster = Cluster()
    cluster.create("t")
    cluster.produce("t", b"a")
    for node in cluster.alive:
        node.kill()
    for node in cluster.nodes.values():
        node.start()
    assert cluster.produce("t", b"b") == 1
    cluster.wait_isr("t", {1, 2, 3})
    assert values(cluster.fetch("t")) == [b"a", b"b"]


def test_a_leader_whose_log_directory_fails_is_replaced() -> None:
    cluster = Cluster(log_dirs=["/meta", "/more"])
    for name in ("t", "u", "v", "w"):
        cluster.create(name, replicas=[1, 2, 3])
        cluster.produce(name, b"a")
    node = cluster.nodes[1]
    broken = next(log for log in node.broker.logs.logs.values() if log.log_dir == "/more")
    ids = node.broker.metadata.directory_ids

    def told() -> bool:
        state = cluster.partition(broken.topic)
        return state is not None and state.directories[state.replicas.index(1)] == ids["/more"]

    assert cluster.run_until(told), cluster.partition(broken.topic)
    broken.on_failure(broken, StorageError("/more", "broken"))
    assert cluster.produce(broken.topic, b"b") == 1
    assert cluster.wait_leader(broken.topic) is not node
    assert cluster.run_until(
        lambda: ids["/more"] not in cluster.nodes[2].broker.metadata.image.brokers[1].log_dirs
    )
    served = next(log for log in node.broker.logs.logs.values() if log.log_dir == "/meta")
    assert cluster.wait_leader(served.topic) is node


def _coordinator(cluster: Cluster, group: str) -> Node:
    found: list[Node] = []

    def look() -> bool:
        request = FindCoordinatorRequest(key_type=0, coordinator_keys=[group])
        answer = cluster.any_client().call(ApiKey.FIND_COORDINATOR, 4, request).coordinators[0]
        node = cluster.nodes.get(answer.node_id)
        if answer.error_code or node is None or not node.ready:
            cluster.run_for(0.05)
            return False
        found.append(node)
        return True

    assert any(look() for _ in range(200)), cluster.status()
    return found[-1]


def _commit(client: Client, group: str, offset: int) -> int:
    partition = OffsetCommitRequestPartition(partition_index=0, committed_offset=offset)
    topic = OffsetCommitRequestTopic(name="t", partitions=[partition])
    request = OffsetCommitRequest(group_id=group, generation_id_or_member_epoch=-1, topics=[topic])
    error: int = client.call(ApiKey.OFFSET_COMMIT, 8, request).topics[0].partitions[0].error_code
    return error


def _committed(client: Client, group: str) -> tuple[int, int]:
    topic = OffsetFetchRequestTopics(name="t", partition_indexes=[0])
    request = OffsetFetchRequest(groups=[OffsetFetchRequestGroup(group_id=group, topics=[topic])])
    answer = client.call(ApiKey.OFFSET_FETCH, 8, request).groups[0]
    if answer.error_code:
        return answer.error_code, -1
    partition = answer.topics[0].partitions[0]
    return partition.error_code, partition.committed_offset


def test_committed_offsets_survive_their_coordinator() -> None:
    cluster = Cluster()
    cluster.create("t")
    coordinator = _coordinator(cluster, "g")
    done = [False]

    def commit() -> bool:
        done[0] = _commit(coordinator.client(), "g", 7) == ErrorCode.NONE
        if not done[0]:
            cluster.run_for(0.05)
        return done[0]

    assert any(commit() for _ in range(100))
    coordinator.kill()
    answers = []
    for _ in range(200):
        answers.append(_committed(_coordinator(cluster, "g").client(), "g"))
        if answers[-1][0] == ErrorCode.NONE:
            break
        cluster.run_for(0.05)
    assert answers[-1] == (ErrorCode.NONE, 7)


def test_producer_ids_are_never_given_twice() -> None:
    cluster = Cluster()
    given: list[int] = []

    def take(node: Node) -> None:
        request = InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1000)
        answer = node.client().call(ApiKey.INIT_PRODUCER_ID, 4, request)
        assert answer.error_code == ErrorCode.NONE
        given.append(answer.producer_id)

    for node in cluster.alive:
        take(node)
    controller = cluster.controller()
    assert controller is not None
    controller.kill()
    controller.start()
    assert cluster.run_until(lambda: controller.ready), cluster.status()
    for node in cluster.alive:
        take(node)
    assert len(set(given)) == len(given)


def test_any_broker_describes_the_quorum() -> None:
    cluster = Cluster()
    controller = cluster.controller()
    assert controller is not None
    topic = TopicData(topic_name="__cluster_metadata", partitions=[PartitionData(partition_index=0)])
    for node in cluster.alive:
        response = node.client().call(ApiKey.DESCRIBE_QUORUM, 2, DescribeQuorumRequest(topics=[topic]))
        partition = response.topics[0].partitions[0]
        assert partition.leader_id == controller.node_id
        assert sorted(voter.replica_id for voter in partition.current_voters) == [1, 2, 3]


def test_an_unregistered_broker_is_forgotten() -> None:
    cluster = Cluster()
    controller = cluster.controller()
    assert controller is not None
    gone = next(node for node in cluster.alive if node is not controller)
    gone.stop()
    request = UnregisterBrokerRequest(broker_id=gone.node_id)
    answer = cluster.any_client().call(ApiKey.UNREGISTER_BROKER, 0, request)
    assert answer.error_code == ErrorCode.NONE
    assert cluster.run_until(
        lambda: all(gone.node_id not in node.broker.metadata.image.brokers for node in cluster.alive)
    )


def test_brokers_and_controllers_on_nodes_of_their_own() -> None:
    cluster = Cluster(roles=["controller", "controller", "controller", "broker", "broker"])
    cluster.create("t", factor=2, node=cluster.nodes[4])
    assert cluster.produce("t", b"a") == 0
    controller = cluster.controller()
    assert controller is not None
    controller.kill()
    cluster.create("u", factor=2, node=cluster.nodes[5])
    assert cluster.produce("u", b"b") == 0


def test_a_sole_voter_gets_company() -> None:
    cluster = Cluster(roles=["broker,controller", "broker", "broker"])
    cluster.create("t", replicas=[1, 2, 3])
    assert cluster.produce("t", b"a") == 0
    cluster.run_for(20.0)  # longer than a session: who sends no heartbeats would be fenced
    assert cluster.wait_leader("t") is cluster.nodes[1]
    cluster.wait_isr("t", {1, 2, 3})
    cluster.nodes[1].kill()
    cluster.nodes[1].start()
    assert cluster.produce("t", b"b") == 1
    cluster.wait_isr("t", {1, 2, 3})
    assert values(cluster.fetch("t")) == [b"a", b"b"]


def test_a_node_that_was_cut_off_comes_back() -> None:
    cluster = Cluster()
    cluster.create("t", min_insync_replicas="2")
    cluster.produce("t", b"a")
    leader = cluster.wait_leader("t")
    cluster.network.isolate(leader)
    others = [node for node in cluster.alive if node is not leader]

    def moved() -> bool:
        states = [node.broker.metadata.image.partition("t", 0) for node in others]
        return all(state is not None and state.leader != leader.node_id for state in states)

    assert cluster.run_until(moved), cluster.status()
    cluster.network.heal()
    assert cluster.produce("t", b"b") == 1
    cluster.wait_isr("t", {1, 2, 3})
    assert values(cluster.fetch("t")) == [b"a", b"b"]


def _alter_broker(client: Client, broker_id: str, name: str, value: str) -> int:
    config = AlterableConfig(name=name, config_operation=0, value=value)
    resource = AlterConfigsResource(resource_type=4, resource_name=broker_id, configs=[config])
    request = IncrementalAlterConfigsRequest(resources=[resource])
    error: int = client.newest(ApiKey.INCREMENTAL_ALTER_CONFIGS, request).responses[0].error_code
    return error


def test_settings_reach_the_brokers_they_are_for() -> None:
    cluster = Cluster()
    row = broker_configs.MAX_CONNECTION_CREATION_RATE
    client = cluster.nodes[1].client()
    assert _alter_broker(client, "", row.name, "2000000") == ErrorCode.NONE
    assert _alter_broker(client, "3", row.name, "3000000") == ErrorCode.NONE
    wanted = {1: 2_000_000, 2: 2_000_000, 3: 3_000_000}
    assert cluster.run_until(
        lambda: {number: node.broker.config[row] for number, node in cluster.nodes.items()} == wanted
    )
    assert all(node.broker.quotas.connections.active for node in cluster.alive)


def test_quotas_reach_every_broker() -> None:
    cluster = Cluster()
    entry = quota_request.EntryData(
        entity=[quota_request.EntityData(entity_type="client-id", entity_name="c")],
        ops=[quota_request.OpData(key="producer_byte_rate", value=1000.0)],
    )
    request = quota_request.AlterClientQuotasRequest(entries=[entry])
    assert cluster.any_client().newest(ApiKey.ALTER_CLIENT_QUOTAS, request).entries[0].error_code == 0
    assert cluster.run_until(lambda: all(node.broker.quotas.active for node in cluster.alive))


def test_without_a_majority_a_forwarded_request_times_out() -> None:
    cluster = Cluster()
    left, *others = cluster.alive
    for node in others:
        node.kill()
    topic = CreatableTopic(name="late", num_partitions=1, replication_factor=1)
    client = left.client()
    asked_at = cluster.scheduler.now
    response = client.newest(ApiKey.CREATE_TOPICS, CreateTopicsRequest(topics=[topic], timeout_ms=4000))
    assert response.topics[0].error_code == ErrorCode.REQUEST_TIMED_OUT
    assert 3.5 < cluster.scheduler.now - asked_at < 6.0


def test_a_broker_that_was_unregistered_while_it_lives_registers_again() -> None:
    cluster = Cluster()
    controller = cluster.controller()
    assert controller is not None
    node = next(one for one in cluster.alive if one is not controller)
    epoch = node.broker.broker_epoch
    request = UnregisterBrokerRequest(broker_id=node.node_id)
    assert controller.client().call(ApiKey.UNREGISTER_BROKER, 0, request).error_code == ErrorCode.NONE

    def back() -> bool:
        known = controller.broker.metadata.image.brokers.get(node.node_id)
        return known is not None and not known.fenced and known.broker_epoch > epoch

    assert cluster.run_until(back), cluster.status()
    assert cluster.run_until(lambda: node.broker.lifecycle.phase is Phase.RUNNING), cluster.status()
    cluster.create("t")
    cluster.wait_isr("t", {1, 2, 3})


def test_a_second_process_with_the_same_id_waits_until_the_first_is_gone() -> None:
    cluster = Cluster()
    controller = cluster.controller()
    assert controller is not None
    node = next(one for one in cluster.alive if one is not controller)
    known = controller.broker.metadata.image.brokers[node.node_id]
    request = BrokerRegistrationRequest(
        broker_id=node.node_id,
        cluster_id=controller.broker.metadata.cluster_id,
        incarnation_id=bytes(range(16)),
        rack=None,
        log_dirs=list(known.log_dirs),
        features=[
            Feature(name=name, min_supported_version=low, max_supported_version=high)
            for name, (low, high) in known.features.items()
        ],
    )
    answers: list[Any] = []
    node.broker.controller.send(ApiKey.BROKER_REGISTRATION, request, answers.append)
    assert cluster.run_until(lambda: bool(answers))
    assert answers[0].error_code == ErrorCode.DUPLICATE_BROKER_REGISTRATION
