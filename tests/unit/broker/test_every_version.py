"""Every API answers in every version it is said to serve: nothing in a reply that its version lacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from broker_world import DATA, Client, World, batch, fetch_request, produce_request, served

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated import alter_client_quotas_request
from riverlog.protocol.generated.add_raft_voter_request import AddRaftVoterRequest
from riverlog.protocol.generated.alter_configs_request import (
    AlterableConfig,
    AlterConfigsRequest,
    AlterConfigsResource,
)
from riverlog.protocol.generated.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from riverlog.protocol.generated.alter_replica_log_dirs_request import (
    AlterReplicaLogDir,
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirTopic,
)
from riverlog.protocol.generated.api_versions_request import ApiVersionsRequest
from riverlog.protocol.generated.create_partitions_request import (
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from riverlog.protocol.generated.create_topics_request import CreatableTopic, CreateTopicsRequest
from riverlog.protocol.generated.delete_records_request import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
)
from riverlog.protocol.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from riverlog.protocol.generated.describe_client_quotas_request import (
    ComponentData,
    DescribeClientQuotasRequest,
)
from riverlog.protocol.generated.describe_cluster_request import DescribeClusterRequest
from riverlog.protocol.generated.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from riverlog.protocol.generated.describe_log_dirs_request import DescribeLogDirsRequest
from riverlog.protocol.generated.describe_producers_request import DescribeProducersRequest, TopicRequest
from riverlog.protocol.generated.describe_quorum_request import (
    DescribeQuorumRequest,
    PartitionData,
    TopicData,
)
from riverlog.protocol.generated.describe_topic_partitions_request import DescribeTopicPartitionsRequest
from riverlog.protocol.generated.describe_user_scram_credentials_request import (
    DescribeUserScramCredentialsRequest,
)
from riverlog.protocol.generated.elect_leaders_request import ElectLeadersRequest, TopicPartitions
from riverlog.protocol.generated.incremental_alter_configs_request import (
    AlterableConfig as IncrementalConfig,
)
from riverlog.protocol.generated.incremental_alter_configs_request import (
    AlterConfigsResource as IncrementalResource,
)
from riverlog.protocol.generated.incremental_alter_configs_request import IncrementalAlterConfigsRequest
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest
from riverlog.protocol.generated.list_config_resources_request import ListConfigResourcesRequest
from riverlog.protocol.generated.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from riverlog.protocol.generated.list_partition_reassignments_request import ListPartitionReassignmentsRequest
from riverlog.protocol.generated.metadata_request import MetadataRequest, MetadataRequestTopic
from riverlog.protocol.generated.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)
from riverlog.protocol.generated.remove_raft_voter_request import RemoveRaftVoterRequest
from riverlog.protocol.generated.unregister_broker_request import UnregisterBrokerRequest
from riverlog.protocol.generated.update_features_request import FeatureUpdateKey, UpdateFeaturesRequest


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def client(world: World) -> Client:
    client = world.client()
    client.create("t", 2)
    return client


Call = Callable[[Client, int, bytes], Any]


def _produce(client: Client, version: int, topic_id: bytes) -> Any:
    request = produce_request("t", batch(b"a", b"b"))
    if version >= 13:
        request.topic_data[0].name = ""
        request.topic_data[0].topic_id = topic_id
    response = client.call(ApiKey.PRODUCE, version, request)
    return response.responses[0].partition_responses[0].error_code


def _fetch(client: Client, version: int, topic_id: bytes) -> Any:
    client.produce("t", batch(b"x"))
    request = fetch_request("t", 0)
    if version >= 13:
        request.topics[0].topic = ""
        request.topics[0].topic_id = topic_id
    response = client.call(ApiKey.FETCH, version, request)
    partition = response.responses[0].partitions[0]
    assert len(partition.records) > 0
    return partition.error_code


def _list_offsets(client: Client, version: int, _topic_id: bytes) -> Any:
    client.produce("t", batch(b"x"))
    wanted = ListOffsetsPartition(partition_index=0, timestamp=-1)
    request = ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(name="t", partitions=[wanted])])
    found = client.call(ApiKey.LIST_OFFSETS, version, request).topics[0].partitions[0]
    assert found.offset == 1
    return found.error_code


def _metadata(client: Client, version: int, _topic_id: bytes) -> Any:
    request = MetadataRequest(topics=[MetadataRequestTopic(name="t")])
    topic = client.call(ApiKey.METADATA, version, request).topics[0]
    assert len(topic.partitions) == 2
    return topic.error_code


def _create_topics(client: Client, version: int, _topic_id: bytes) -> Any:
    topic = CreatableTopic(name=f"made-{version}", num_partitions=1, replication_factor=1)
    return (
        client.call(ApiKey.CREATE_TOPICS, version, CreateTopicsRequest(topics=[topic])).topics[0].error_code
    )


def _delete_topics(client: Client, version: int, _topic_id: bytes) -> Any:
    client.create(f"gone-{version}")
    request = DeleteTopicsRequest(timeout_ms=1000)
    if version >= 6:
        request.topics = [DeleteTopicState(name=f"gone-{version}")]
    else:
        request.topic_names = [f"gone-{version}"]
    return client.call(ApiKey.DELETE_TOPICS, version, request).responses[0].error_code


def _create_partitions(client: Client, version: int, _topic_id: bytes) -> Any:
    topic = CreatePartitionsTopic(name="t", count=3 + version, assignments=None)
    return (
        client.call(ApiKey.CREATE_PARTITIONS, version, CreatePartitionsRequest(topics=[topic]))
        .results[0]
        .error_code
    )


def _describe_configs(client: Client, version: int, _topic_id: bytes) -> Any:
    resource = DescribeConfigsResource(resource_type=2, resource_name="t", configuration_keys=None)
    request = DescribeConfigsRequest(resources=[resource], include_synonyms=True)
    result = client.call(ApiKey.DESCRIBE_CONFIGS, version, request).results[0]
    assert any(line.name == "retention.ms" for line in result.configs)
    return result.error_code


def _alter_configs(client: Client, version: int, _topic_id: bytes) -> Any:
    config = AlterableConfig(name="retention.ms", value="1000")
    request = AlterConfigsRequest(
        resources=[AlterConfigsResource(resource_type=2, resource_name="t", configs=[config])]
    )
    return client.call(ApiKey.ALTER_CONFIGS, version, request).responses[0].error_code


def _incremental_alter_configs(client: Client, version: int, _topic_id: bytes) -> Any:
    config = IncrementalConfig(name="retention.ms", config_operation=0, value="1000")
    request = IncrementalAlterConfigsRequest(
        resources=[IncrementalResource(resource_type=2, resource_name="t", configs=[config])]
    )
    return client.call(ApiKey.INCREMENTAL_ALTER_CONFIGS, version, request).responses[0].error_code


def _delete_records(client: Client, version: int, _topic_id: bytes) -> Any:
    client.produce("t", batch(b"x", b"y"))
    partition = DeleteRecordsPartition(partition_index=0, offset=1)
    request = DeleteRecordsRequest(
        topics=[DeleteRecordsTopic(name="t", partitions=[partition])], timeout_ms=1000
    )
    result = client.call(ApiKey.DELETE_RECORDS, version, request).topics[0].partitions[0]
    assert result.low_watermark == 1
    return result.error_code


def _offset_for_leader_epoch(client: Client, version: int, _topic_id: bytes) -> Any:
    partition = OffsetForLeaderPartition(partition=0, current_leader_epoch=-1, leader_epoch=0)
    request = OffsetForLeaderEpochRequest(topics=[OffsetForLeaderTopic(topic="t", partitions=[partition])])
    found = client.call(ApiKey.OFFSET_FOR_LEADER_EPOCH, version, request).topics[0].partitions[0]
    return found.error_code


def _api_versions(client: Client, version: int, _topic_id: bytes) -> Any:
    request = ApiVersionsRequest(client_software_name="test", client_software_version="1")
    return client.call(ApiKey.API_VERSIONS, version, request).error_code


def _describe_cluster(client: Client, version: int, _topic_id: bytes) -> Any:
    response = client.call(ApiKey.DESCRIBE_CLUSTER, version, DescribeClusterRequest())
    assert [broker.port for broker in response.brokers] == [9092]
    return response.error_code


def _describe_topic_partitions(client: Client, version: int, _topic_id: bytes) -> Any:
    response = client.call(ApiKey.DESCRIBE_TOPIC_PARTITIONS, version, DescribeTopicPartitionsRequest())
    return response.topics[0].error_code


def _describe_log_dirs(client: Client, version: int, _topic_id: bytes) -> Any:
    response = client.call(ApiKey.DESCRIBE_LOG_DIRS, version, DescribeLogDirsRequest(topics=None))
    assert [topic.name for topic in response.results[0].topics] == ["t"]
    return response.results[0].error_code


def _describe_producers(client: Client, version: int, _topic_id: bytes) -> Any:
    client.produce("t", batch(b"x", producer_id=7, epoch=0, sequence=0))
    request = DescribeProducersRequest(topics=[TopicRequest(name="t", partition_indexes=[0])])
    partition = client.call(ApiKey.DESCRIBE_PRODUCERS, version, request).topics[0].partitions[0]
    assert [producer.producer_id for producer in partition.active_producers] == [7]
    return partition.error_code


def _init_producer_id(client: Client, version: int, _topic_id: bytes) -> Any:
    response = client.call(
        ApiKey.INIT_PRODUCER_ID,
        version,
        InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1000),
    )
    assert response.producer_id >= 0
    return response.error_code


def _alter_client_quotas(client: Client, version: int, _topic_id: bytes) -> Any:
    entry = alter_client_quotas_request.EntryData(
        entity=[alter_client_quotas_request.EntityData(entity_type="user", entity_name="u")],
        ops=[alter_client_quotas_request.OpData(key="producer_byte_rate", value=1e9)],
    )
    request = alter_client_quotas_request.AlterClientQuotasRequest(entries=[entry])
    return client.call(ApiKey.ALTER_CLIENT_QUOTAS, version, request).entries[0].error_code


def _describe_client_quotas(client: Client, version: int, topic_id: bytes) -> Any:
    assert _alter_client_quotas(client, 1, topic_id) == ErrorCode.NONE
    request = DescribeClientQuotasRequest(
        components=[ComponentData(entity_type="user", match_type=0, match="u")]
    )
    response = client.call(ApiKey.DESCRIBE_CLIENT_QUOTAS, version, request)
    assert [value.key for value in response.entries[0].values] == ["producer_byte_rate"]
    return response.error_code


def _list_config_resources(client: Client, version: int, _topic_id: bytes) -> Any:
    request = ListConfigResourcesRequest(resource_types=[2] if version else [])
    response = client.call(ApiKey.LIST_CONFIG_RESOURCES, version, request)
    assert [found.resource_name for found in response.config_resources] == (["t"] if version else [])
    return response.error_code


def _describe_user_scram_credentials(client: Client, version: int, _topic_id: bytes) -> Any:
    request = DescribeUserScramCredentialsRequest(users=None)
    response = client.call(ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS, version, request)
    assert response.results == []
    return response.error_code


def _elect_leaders(client: Client, version: int, _topic_id: bytes) -> Any:
    request = ElectLeadersRequest(topic_partitions=[TopicPartitions(topic="t", partitions=[0])])
    response = client.call(ApiKey.ELECT_LEADERS, version, request)
    (result,) = response.replica_election_results[0].partition_result
    assert result.error_code == ErrorCode.ELECTION_NOT_NEEDED
    return response.error_code


def _alter_partition_reassignments(client: Client, version: int, _topic_id: bytes) -> Any:
    partition = ReassignablePartition(partition_index=0, replicas=[1])
    request = AlterPartitionReassignmentsRequest(topics=[ReassignableTopic(name="t", partitions=[partition])])
    response = client.call(ApiKey.ALTER_PARTITION_REASSIGNMENTS, version, request)
    assert response.responses[0].partitions[0].error_code == ErrorCode.NONE
    return response.error_code


def _list_partition_reassignments(client: Client, version: int, _topic_id: bytes) -> Any:
    response = client.call(ApiKey.LIST_PARTITION_REASSIGNMENTS, version, ListPartitionReassignmentsRequest())
    assert response.topics == []
    return response.error_code


def _update_features(client: Client, version: int, _topic_id: bytes) -> Any:
    update = FeatureUpdateKey(feature="metadata.version", max_version_level=30)
    response = client.call(ApiKey.UPDATE_FEATURES, version, UpdateFeaturesRequest(feature_updates=[update]))
    assert [result.feature for result in response.results] == (["metadata.version"] if version < 2 else [])
    return response.error_code


def _alter_replica_log_dirs(client: Client, version: int, _topic_id: bytes) -> Any:
    topic = AlterReplicaLogDirTopic(name="t", partitions=[0])
    request = AlterReplicaLogDirsRequest(dirs=[AlterReplicaLogDir(path=DATA, topics=[topic])])
    response = client.call(ApiKey.ALTER_REPLICA_LOG_DIRS, version, request)
    return response.results[0].partitions[0].error_code


def _describe_quorum(client: Client, version: int, _topic_id: bytes) -> Any:
    topic = TopicData(topic_name="__cluster_metadata", partitions=[PartitionData(partition_index=0)])
    response = client.call(ApiKey.DESCRIBE_QUORUM, version, DescribeQuorumRequest(topics=[topic]))
    partition = response.topics[0].partitions[0]
    assert partition.error_code == ErrorCode.NONE
    assert [voter.replica_id for voter in partition.current_voters] == [partition.leader_id]
    assert [node.node_id for node in response.nodes] == ([1] if version >= 2 else [])
    return response.error_code


def _unregister_broker(client: Client, version: int, _topic_id: bytes) -> Any:
    response = client.call(ApiKey.UNREGISTER_BROKER, version, UnregisterBrokerRequest(broker_id=77))
    assert response.error_code == ErrorCode.BROKER_ID_NOT_REGISTERED
    return ErrorCode.NONE


def _add_raft_voter(client: Client, version: int, _topic_id: bytes) -> Any:
    request = AddRaftVoterRequest(cluster_id="another", voter_id=9, timeout_ms=100)
    assert client.call(ApiKey.ADD_RAFT_VOTER, version, request).error_code == INCONSISTENT
    return ErrorCode.NONE


def _remove_raft_voter(client: Client, version: int, _topic_id: bytes) -> Any:
    request = RemoveRaftVoterRequest(cluster_id="another", voter_id=9)
    assert client.call(ApiKey.REMOVE_RAFT_VOTER, version, request).error_code == INCONSISTENT
    return ErrorCode.NONE


INCONSISTENT = ErrorCode.INCONSISTENT_CLUSTER_ID
CALLS: dict[ApiKey, Call] = {
    ApiKey.PRODUCE: _produce,
    ApiKey.FETCH: _fetch,
    ApiKey.LIST_OFFSETS: _list_offsets,
    ApiKey.METADATA: _metadata,
    ApiKey.CREATE_TOPICS: _create_topics,
    ApiKey.DELETE_TOPICS: _delete_topics,
    ApiKey.CREATE_PARTITIONS: _create_partitions,
    ApiKey.DESCRIBE_CONFIGS: _describe_configs,
    ApiKey.ALTER_CONFIGS: _alter_configs,
    ApiKey.INCREMENTAL_ALTER_CONFIGS: _incremental_alter_configs,
    ApiKey.DELETE_RECORDS: _delete_records,
    ApiKey.OFFSET_FOR_LEADER_EPOCH: _offset_for_leader_epoch,
    ApiKey.API_VERSIONS: _api_versions,
    ApiKey.DESCRIBE_CLUSTER: _describe_cluster,
    ApiKey.DESCRIBE_TOPIC_PARTITIONS: _describe_topic_partitions,
    ApiKey.DESCRIBE_LOG_DIRS: _describe_log_dirs,
    ApiKey.DESCRIBE_PRODUCERS: _describe_producers,
    ApiKey.INIT_PRODUCER_ID: _init_producer_id,
    ApiKey.ALTER_CLIENT_QUOTAS: _alter_client_quotas,
    ApiKey.DESCRIBE_CLIENT_QUOTAS: _describe_client_quotas,
    ApiKey.LIST_CONFIG_RESOURCES: _list_config_resources,
    ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS: _describe_user_scram_credentials,
    ApiKey.ELECT_LEADERS: _elect_leaders,
    ApiKey.ALTER_PARTITION_REASSIGNMENTS: _alter_partition_reassignments,
    ApiKey.LIST_PARTITION_REASSIGNMENTS: _list_partition_reassignments,
    ApiKey.UPDATE_FEATURES: _update_features,
    ApiKey.DESCRIBE_QUORUM: _describe_quorum,
    ApiKey.ALTER_REPLICA_LOG_DIRS: _alter_replica_log_dirs,
    ApiKey.UNREGISTER_BROKER: _unregister_broker,
    ApiKey.ADD_RAFT_VOTER: _add_raft_voter,
    ApiKey.REMOVE_RAFT_VOTER: _remove_raft_voter,
}


@pytest.mark.parametrize("key", CALLS, ids=lambda key: key.name.lower())
def test_api_answers_in_every_version(key: ApiKey) -> None:
    world = World()
    for version in served(key, world):
        world = World()
        client = world.client()
        topic_id = client.create("t", 2)
        assert CALLS[key](client, version, topic_id) == ErrorCode.NONE, f"version {version}"
        assert client.closed is None


def test_unknown_api_versions_version_is_answered_with_the_list(client: Client) -> None:
    request = ApiVersionsRequest(client_software_name="test", client_software_version="1")
    frame = bytearray(b"")
    client.post(ApiKey.API_VERSIONS, 3, request)
    client.frames.clear()
    # The same request with a version from the future; the body does not matter.
    frame += (
        (18).to_bytes(2, "big")
        + (99).to_bytes(2, "big")
        + (5).to_bytes(4, "big")
        + (-1).to_bytes(2, "big", signed=True)
    )
    client.session.on_frame(memoryview(frame + b"\0"))
    reply = client.frames[-1]
    assert int.from_bytes(reply[:4], "big") == 5
    assert int.from_bytes(reply[4:6], "big") == ErrorCode.UNSUPPORTED_VERSION
    assert client.closed is None


@pytest.mark.parametrize(("key", "version"), [(0, 2), (1, 3), (3, 99), (9999, 0)])
def test_what_is_not_served_closes_the_connection(world: World, key: int, version: int) -> None:
    client = world.client()
    frame = key.to_bytes(2, "big") + version.to_bytes(2, "big") + (1).to_bytes(4, "big") + b"\xff\xff\0"
    client.session.on_frame(memoryview(bytearray(frame)))
    assert client.closed is not None
    assert world.client().newest(ApiKey.METADATA, MetadataRequest(topics=[])).brokers
