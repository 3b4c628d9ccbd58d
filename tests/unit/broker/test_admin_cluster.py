"""Features, quorum, elections, reassignments and the like, with Kafka 4.3's codes."""

from __future__ import annotations

from typing import Any

import pytest
from broker_world import Client, World

from riverlog.base.errors import ErrorCode
from riverlog.metadata import election, reassignment
from riverlog.metadata.image import ClusterState
from riverlog.metadata.records import METADATA_VERSION
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from riverlog.protocol.generated.api_versions_request import ApiVersionsRequest
from riverlog.protocol.generated.describe_quorum_request import (
    DescribeQuorumRequest,
    PartitionData,
    TopicData,
)
from riverlog.protocol.generated.describe_user_scram_credentials_request import (
    DescribeUserScramCredentialsRequest,
    UserName,
)
from riverlog.protocol.generated.elect_leaders_request import ElectLeadersRequest, TopicPartitions
from riverlog.protocol.generated.feature_level_record import FeatureLevelRecord
from riverlog.protocol.generated.list_config_resources_request import ListConfigResourcesRequest
from riverlog.protocol.generated.list_partition_reassignments_request import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsTopics,
)
from riverlog.protocol.generated.partition_record import PartitionRecord
from riverlog.protocol.generated.register_broker_record import RegisterBrokerRecord
from riverlog.protocol.generated.topic_record import TopicRecord
from riverlog.protocol.generated.update_features_request import FeatureUpdateKey, UpdateFeaturesRequest
from riverlog.protocol.generated.user_scram_credential_record import UserScramCredentialRecord

UPGRADE, SAFE, UNSAFE = 1, 2, 3
TOPIC_ID = b"t" * 16


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def client(world: World) -> Client:
    client = world.client()
    client.create("t", 2)
    return client


# -- features --------------------------------------------------------------------------------


def update(client: Client, *updates: tuple[str, int, int], validate_only: bool = False) -> ErrorCode:
    request = UpdateFeaturesRequest(
        feature_updates=[
            FeatureUpdateKey(feature=name, max_version_level=level, upgrade_type=upgrade_type)
            for name, level, upgrade_type in updates
        ],
        validate_only=validate_only,
    )
    response = client.newest(ApiKey.UPDATE_FEATURES, request)
    assert bool(response.error_message) == bool(response.error_code)
    return ErrorCode(response.error_code)


@pytest.mark.parametrize(
    ("feature", "level", "upgrade_type"),
    [
        ("metadata.version", METADATA_VERSION + 1, UPGRADE),
        ("metadata.version", -1, UPGRADE),
        ("metadata.version", 0, UNSAFE),
        ("metadata.version", 6, SAFE),
        ("metadata.version", METADATA_VERSION - 1, UPGRADE),
        ("metadata.version", METADATA_VERSION - 1, SAFE),
        ("metadata.version", METADATA_VERSION - 1, UNSAFE),
        ("metadata.version", METADATA_VERSION, 0),
        ("metadata.version", METADATA_VERSION, 9),
        ("kraft.version", 0, SAFE),
        ("kraft.version", 0, UPGRADE),
        ("kraft.version", 2, UPGRADE),
        ("cat", 1, UPGRADE),
        ("cat", 0, SAFE),
        ("", 1, UPGRADE),
    ],
)
def test_impossible_feature_level_is_refused(
    client: Client, feature: str, level: int, upgrade_type: int
) -> None:
    assert update(client, (feature, level, upgrade_type)) == ErrorCode.INVALID_UPDATE_VERSION


@pytest.mark.parametrize("upgrade_type", [UPGRADE, SAFE, UNSAFE])
def test_level_that_is_in_force_already_is_fine(client: Client, upgrade_type: int) -> None:
    assert update(client, ("metadata.version", METADATA_VERSION, upgrade_type)) == ErrorCode.NONE
    assert update(client, ("kraft.version", 1, upgrade_type)) == ErrorCode.NONE
    assert update(client) == ErrorCode.NONE


def at_level(world: World, level: int) -> None:
    """A cluster that an older Kafka left behind."""
    for state in (world.broker.metadata.state, world.broker.metadata.image):
        state.replay(FeatureLevelRecord(name="metadata.version", feature_level=level))


def test_metadata_version_rises_and_clients_are_told(world: World, client: Client) -> None:
    at_level(world, 20)
    assert update(client, ("metadata.version", 25, UPGRADE), validate_only=True) == ErrorCode.NONE
    assert world.broker.metadata.image.metadata_version == 20
    assert update(client, ("metadata.version", 25, UPGRADE)) == ErrorCode.NONE
    response = client.newest(
        ApiKey.API_VERSIONS, ApiVersionsRequest(client_software_name="t", client_software_version="1")
    )
    levels = {feature.name: feature.max_version_level for feature in response.finalized_features}
    assert levels["metadata.version"] == 25


def test_metadata_version_falls_only_where_nothing_is_lost(world: World, client: Client) -> None:
    at_level(world, 29)
    assert update(client, ("metadata.version", 23, UPGRADE)) == ErrorCode.INVALID_UPDATE_VERSION
    assert update(client, ("metadata.version", 22, SAFE)) == ErrorCode.INVALID_UPDATE_VERSION
    assert update(client, ("metadata.version", 22, UNSAFE)) == ErrorCode.INVALID_UPDATE_VERSION
    assert update(client, ("metadata.version", 30, SAFE)) == ErrorCode.INVALID_UPDATE_VERSION
    assert update(client, ("metadata.version", 23, SAFE)) == ErrorCode.NONE
    assert world.broker.metadata.image.metadata_version == 23


def test_one_bad_feature_stops_them_all(world: World, client: Client) -> None:
    at_level(world, 29)
    updates = [("metadata.version", 30, UPGRADE), ("cat", 1, UPGRADE)]
    assert update(client, *updates) == ErrorCode.INVALID_UPDATE_VERSION
    assert world.broker.metadata.image.metadata_version == 29


# -- quorum ------------------------------------------------------------------------------------


def quorum(client: Client, *wanted: tuple[str, list[int]]) -> Any:
    request = DescribeQuorumRequest(
        topics=[
            TopicData(topic_name=name, partitions=[PartitionData(partition_index=index) for index in indexes])
            for name, indexes in wanted
        ]
    )
    return client.newest(ApiKey.DESCRIBE_QUORUM, request)


def test_quorum_has_one_voter_who_leads(world: World, client: Client) -> None:
    response = quorum(client, ("__cluster_metadata", [0]))
    partition = response.topics[0].partitions[0]
    assert partition.error_code == ErrorCode.NONE
    assert (partition.leader_id, partition.leader_epoch) == (1, world.broker.metadata.leader_epoch)
    (voter,) = partition.current_voters
    assert voter.replica_directory_id == next(iter(world.broker.metadata.directory_ids.values()))
    assert voter.log_end_offset == partition.high_watermark == world.broker.metadata.committed_offset
    assert voter.last_fetch_timestamp == world.clock.now_ms()
    assert partition.observers == []
    assert [node.node_id for node in response.nodes] == [1]


@pytest.mark.parametrize(
    "wanted",
    [
        [("t", [0])],
        [("__cluster_metadata", [1])],
        [("__cluster_metadata", [0, 1])],
        [("__cluster_metadata", [0]), ("t", [0])],
    ],
)
def test_quorum_of_anything_else_is_unknown(client: Client, wanted: list[tuple[str, list[int]]]) -> None:
    response = quorum(client, *wanted)
    assert response.error_code == ErrorCode.NONE
    for topic in response.topics:
        for partition in topic.partitions:
            assert partition.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert [topic.topic_name for topic in response.topics] == [name for name, _ in wanted]


# -- elections -----------------------------------------------------------------------------------


def elect(client: Client, election_type: int, wanted: list[tuple[str, list[int]]] | None) -> Any:
    partitions = None
    if wanted is not None:
        partitions = [TopicPartitions(topic=name, partitions=indexes) for name, indexes in wanted]
    return client.newest(
        ApiKey.ELECT_LEADERS, ElectLeadersRequest(election_type=election_type, topic_partitions=partitions)
    )


def errors_of(response: Any) -> list[list[int]]:
    return [[one.error_code for one in topic.partition_result] for topic in response.replica_election_results]


@pytest.mark.parametrize("election_type", [0, 1])
def test_single_node_needs_no_election(client: Client, election_type: int) -> None:
    response = elect(client, election_type, [("t", [0, 9]), ("x", [0])])
    assert response.error_code == ErrorCode.NONE
    assert errors_of(response) == [
        [ErrorCode.ELECTION_NOT_NEEDED, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION],
        [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION],
    ]
    # Of all partitions only those are told that had one.
    assert errors_of(elect(client, election_type, None)) == [[]]
    assert errors_of(elect(client, election_type, [])) == []


def test_unknown_election_type_is_refused(client: Client) -> None:
    response = elect(client, 7, [("t", [0])])
    assert response.error_code == ErrorCode.INVALID_REQUEST
    assert errors_of(response) == [[ErrorCode.INVALID_REQUEST]]


# -- several brokers, as the controller sees them --------------------------------------------------


def cluster(
    *, brokers: dict[int, bool], replicas: list[int], isr: list[int], leader: int, **more: Any
) -> ClusterState:
    """Brokers (and whether they live) and one partition of topic ``t``."""
    state = ClusterState()
    state.replay(FeatureLevelRecord(name="metadata.version", feature_level=METADATA_VERSION))
    for broker_id, alive in brokers.items():
        state.replay(
            RegisterBrokerRecord(broker_id=broker_id, fenced=not alive, log_dirs=[bytes([broker_id]) * 16])
        )
    state.replay(TopicRecord(name="t", topic_id=TOPIC_ID))
    state.replay(
        PartitionRecord(
            partition_id=0,
            topic_id=TOPIC_ID,
            replicas=replicas,
            isr=isr,
            leader=leader,
            leader_epoch=0,
            directories=[bytes([one]) * 16 for one in replicas],
            **more,
        )
    )
    return state


def elected(state: ClusterState, election_type: int) -> int:
    """Decide and replay; answers the error."""
    wanted = [TopicPartitions(topic="t", partitions=[0])]
    decision = election.elect_leaders(
        state, ElectLeadersRequest(election_type=election_type, topic_partitions=wanted)
    )
    for record in decision.records:
        state.replay(record)
    return decision.response.replica_election_results[0].partition_result[0].error_code


def test_preferred_replica_leads_again() -> None:
    state = cluster(brokers={1: True, 2: True}, replicas=[1, 2], isr=[1, 2], leader=2)
    assert elected(state, election.PREFERRED) == ErrorCode.NONE
    partition = state.topics["t"].partitions[0]
    assert (partition.leader, partition.leader_epoch, partition.isr) == (1, 1, (1, 2))
    assert elected(state, election.PREFERRED) == ErrorCode.ELECTION_NOT_NEEDED


@pytest.mark.parametrize(("alive", "isr"), [(False, [1, 2]), (True, [2])])
def test_preferred_replica_that_cannot_lead_is_told(alive: bool, isr: list[int]) -> None:
    state = cluster(brokers={1: alive, 2: True}, replicas=[1, 2], isr=isr, leader=2)
    assert elected(state, election.PREFERRED) == ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE


def test_unclean_election_takes_who_lives_and_marks_the_leader_as_recovering() -> None:
    state = cluster(brokers={1: False, 2: True}, replicas=[1, 2], isr=[1], leader=-1)
    assert elected(state, election.UNCLEAN) == ErrorCode.NONE
    partition = state.topics["t"].partitions[0]
    assert (partition.leader, partition.isr, partition.leader_recovery_state) == (2, (2,), 1)


def test_unclean_election_prefers_who_has_everything() -> None:
    state = cluster(brokers={1: True, 2: True}, replicas=[1, 2], isr=[2], leader=-1)
    assert elected(state, election.UNCLEAN) == ErrorCode.NONE
    partition = state.topics["t"].partitions[0]
    assert (partition.leader, partition.isr, partition.leader_recovery_state) == (2, (2,), 0)


def test_unclean_election_without_anybody_alive() -> None:
    state = cluster(brokers={1: False}, replicas=[1], isr=[1], leader=-1)
    assert elected(state, election.UNCLEAN) == ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE


# -- reassignments -----------------------------------------------------------------------------------


def reassign(
    client: Client, *wanted: tuple[str, int, list[int] | None], may_resize: bool = True
) -> list[ErrorCode]:
    request = AlterPartitionReassignmentsRequest(
        allow_replication_factor_change=may_resize,
        topics=[
            ReassignableTopic(
                name=name, partitions=[ReassignablePartition(partition_index=index, replicas=replicas)]
            )
            for name, index, replicas in wanted
        ],
    )
    response = client.newest(ApiKey.ALTER_PARTITION_REASSIGNMENTS, request)
    assert response.error_code == ErrorCode.NONE
    return [ErrorCode(topic.partitions[0].error_code) for topic in response.responses]


def test_single_node_can_only_stay(world: World, client: Client) -> None:
    before = world.broker.metadata.raft.log.log_end_offset
    assert reassign(client, ("t", 0, [1]), ("t", 1, [1])) == [ErrorCode.NONE, ErrorCode.NONE]
    wrong = ErrorCode.INVALID_REPLICA_ASSIGNMENT
    for replicas in ([2], [1, 2], [1, 1], [], [-1]):
        assert reassign(client, ("t", 0, replicas)) == [wrong]
    assert reassign(client, ("t", 0, None)) == [ErrorCode.NO_REASSIGNMENT_IN_PROGRESS]
    assert reassign(client, ("t", 9, [1]), ("x", 0, [1]), ("x", 0, None)) == [
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.INVALID_REQUEST,
    ]
    assert reassign(client) == []
    assert world.broker.metadata.raft.log.log_end_offset == before
    for topics in (None, [], [ListPartitionReassignmentsTopics(name="t", partition_indexes=[0, 9])]):
        request = ListPartitionReassignmentsRequest(topics=topics)
        response = client.newest(ApiKey.LIST_PARTITION_REASSIGNMENTS, request)
        assert (response.error_code, response.topics) == (ErrorCode.NONE, [])


def reassigned(state: ClusterState, replicas: list[int] | None, *, may_resize: bool = True) -> int:
    """Decide and replay; answers the error."""
    partition = ReassignablePartition(partition_index=0, replicas=replicas)
    decision = reassignment.alter_partition_reassignments(
        state,
        AlterPartitionReassignmentsRequest(
            allow_replication_factor_change=may_resize,
            topics=[ReassignableTopic(name="t", partitions=[partition])],
        ),
    )
    for record in decision.records:
        state.replay(record)
    return decision.response.responses[0].partitions[0].error_code


def listed(state: ClusterState) -> list[tuple[list[int], list[int], list[int]]]:
    response = reassignment.list_partition_reassignments(state, ListPartitionReassignmentsRequest())
    return [
        (one.replicas, one.adding_replicas, one.removing_replicas)
        for topic in response.topics
        for one in topic.partitions
    ]


def test_new_replica_is_added_and_a_cancelled_reassignment_goes_back() -> None:
    state = cluster(brokers={1: True, 2: True, 3: True}, replicas=[1, 2], isr=[1, 2], leader=1)
    assert reassigned(state, [3, 1]) == ErrorCode.NONE
    partition = state.topics["t"].partitions[0]
    assert listed(state) == [([3, 1, 2], [3], [2])]
    assert (partition.leader, partition.isr) == (1, (1, 2))
    assert partition.directories == (b"\3" * 16, b"\1" * 16, b"\2" * 16)
    # Another target replaces the one under way.
    assert reassigned(state, [1, 2, 3]) == ErrorCode.NONE
    assert listed(state) == [([1, 2, 3], [3], [])]
    assert reassigned(state, None) == ErrorCode.NONE
    partition = state.topics["t"].partitions[0]
    assert listed(state) == []
    assert (partition.replicas, partition.isr, partition.leader) == ((1, 2), (1, 2), 1)
    assert reassigned(state, None) == ErrorCode.NO_REASSIGNMENT_IN_PROGRESS


def test_fewer_or_reordered_replicas_are_done_at_once() -> None:
    state = cluster(brokers={1: True, 2: True}, replicas=[1, 2], isr=[1, 2], leader=1)
    assert reassigned(state, [2, 1]) == ErrorCode.NONE
    assert listed(state) == []
    assert state.topics["t"].partitions[0].replicas == (2, 1)
    assert state.topics["t"].partitions[0].leader_epoch == 0
    assert reassigned(state, [2]) == ErrorCode.NONE
    partition = state.topics["t"].partitions[0]
    assert (partition.replicas, partition.isr, partition.leader, partition.leader_epoch) == ((2,), (2,), 2, 1)
    assert partition.directories == (b"\2" * 16,)


def test_replication_factor_stays_where_it_must() -> None:
    state = cluster(brokers={1: True, 2: True, 3: True}, replicas=[1, 2], isr=[1, 2], leader=1)
    error = ErrorCode.INVALID_REPLICATION_FACTOR
    assert reassigned(state, [1], may_resize=False) == error
    assert reassigned(state, [1, 2, 3], may_resize=False) == error
    assert reassigned(state, [1, 3], may_resize=False) == ErrorCode.NONE


# -- the rest ------------------------------------------------------------------------------------------


def test_users_without_credentials_are_not_found(client: Client) -> None:
    def asked(*names: str) -> list[tuple[str, int]]:
        request = DescribeUserScramCredentialsRequest(users=[UserName(name=name) for name in names])
        response = client.newest(ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS, request)
        assert response.error_code == ErrorCode.NONE
        return [(result.user, result.error_code) for result in response.results]

    assert asked() == []
    assert asked("a", "b") == [("a", ErrorCode.RESOURCE_NOT_FOUND), ("b", ErrorCode.RESOURCE_NOT_FOUND)]
    assert asked("a", "a", "b") == [
        ("a", ErrorCode.DUPLICATE_RESOURCE),
        ("b", ErrorCode.RESOURCE_NOT_FOUND),
    ]


def test_credentials_of_a_kafka_folder_are_described(world: World, client: Client) -> None:
    for mechanism in (1, 2):
        record = UserScramCredentialRecord(name="alice", mechanism=mechanism, iterations=4096)
        world.broker.metadata.image.replay(record)
    for users in (None, [UserName(name="alice")]):
        request = DescribeUserScramCredentialsRequest(users=users)
        (result,) = client.newest(ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS, request).results
        assert (result.user, result.error_code) == ("alice", ErrorCode.NONE)
        assert [(info.mechanism, info.iterations) for info in result.credential_infos] == [
            (1, 4096),
            (2, 4096),
        ]


def test_config_resources_by_type(client: Client) -> None:
    def listed(*types: int, version: int = 1) -> tuple[int, list[tuple[int, str]]]:
        request = ListConfigResourcesRequest(resource_types=list(types))
        response = client.call(ApiKey.LIST_CONFIG_RESOURCES, version, request)
        found = [(one.resource_type, one.resource_name) for one in response.config_resources]
        return response.error_code, found

    assert listed() == (ErrorCode.NONE, [(2, "t"), (4, "1")])
    assert listed(2, 2) == (ErrorCode.NONE, [(2, "t")])
    assert listed(4) == (ErrorCode.NONE, [(4, "1")])
    assert listed(8) == listed(16) == listed(32) == (ErrorCode.NONE, [])
    assert listed(version=0) == (ErrorCode.NONE, [])
    for wrong in (0, 1, 64, 99):
        assert listed(2, wrong) == (ErrorCode.UNSUPPORTED_VERSION, [])
