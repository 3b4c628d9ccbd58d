"""Every API of controller listeners answers in every version it is said to serve there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from broker_world import World
from test_controller_listener import ControllerClient

from riverlog.base.errors import ErrorCode
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated import (
    add_raft_voter_request,
    begin_quorum_epoch_request,
    broker_registration_request,
    end_quorum_epoch_request,
    fetch_request,
    fetch_snapshot_request,
    vote_request,
)
from riverlog.protocol.generated.allocate_producer_ids_request import AllocateProducerIdsRequest
from riverlog.protocol.generated.alter_partition_request import AlterPartitionRequest
from riverlog.protocol.generated.assign_replicas_to_dirs_request import AssignReplicasToDirsRequest
from riverlog.protocol.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from riverlog.protocol.generated.controller_registration_request import ControllerRegistrationRequest
from riverlog.protocol.generated.remove_raft_voter_request import RemoveRaftVoterRequest
from riverlog.protocol.generated.unregister_broker_request import UnregisterBrokerRequest
from riverlog.protocol.generated.update_raft_voter_request import UpdateRaftVoterRequest

TOPIC = "__cluster_metadata"
TOPIC_ID = (1).to_bytes(16, "big")


def _world() -> World:
    return World(
        controller_listener_names="CONTROLLER",
        listeners="PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093",
        listener_security_protocol_map="PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    )


def _vote(_world: World, _version: int) -> Any:
    partition = vote_request.PartitionData(replica_epoch=1, replica_id=2, last_offset_epoch=1, last_offset=1)
    return vote_request.VoteRequest(topics=[vote_request.TopicData(topic_name=TOPIC, partitions=[partition])])


def _begin(_world: World, _version: int) -> Any:
    partition = begin_quorum_epoch_request.PartitionData(leader_id=2, leader_epoch=0)
    topic = begin_quorum_epoch_request.TopicData(topic_name=TOPIC, partitions=[partition])
    return begin_quorum_epoch_request.BeginQuorumEpochRequest(topics=[topic])


def _end(_world: World, _version: int) -> Any:
    partition = end_quorum_epoch_request.PartitionData(leader_id=2, leader_epoch=0)
    topic = end_quorum_epoch_request.TopicData(topic_name=TOPIC, partitions=[partition])
    return end_quorum_epoch_request.EndQuorumEpochRequest(topics=[topic])


def _fetch(world: World, _version: int) -> Any:
    partition = fetch_request.FetchPartition(
        current_leader_epoch=world.broker.metadata.leader_epoch, last_fetched_epoch=0, partition_max_bytes=100
    )
    return fetch_request.FetchRequest(
        replica_state=fetch_request.ReplicaState(replica_id=5),
        max_bytes=1000,
        topics=[fetch_request.FetchTopic(topic_id=TOPIC_ID, partitions=[partition])],
    )


def _fetch_snapshot(world: World, _version: int) -> Any:
    partition = fetch_snapshot_request.PartitionSnapshot(
        current_leader_epoch=world.broker.metadata.leader_epoch,
        snapshot_id=fetch_snapshot_request.SnapshotId(end_offset=0, epoch=0),
    )
    topic = fetch_snapshot_request.TopicSnapshot(name=TOPIC, partitions=[partition])
    return fetch_snapshot_request.FetchSnapshotRequest(replica_id=5, max_bytes=100, topics=[topic])


def _registration(world: World, version: int) -> Any:
    return broker_registration_request.BrokerRegistrationRequest(
        broker_id=2,
        cluster_id=world.broker.metadata.cluster_id,
        incarnation_id=bytes(range(16)),
        rack=None,
        log_dirs=[bytes(range(16))] if version >= 2 else [],
        features=[
            broker_registration_request.Feature(name=name, min_supported_version=0, max_supported_version=99)
            for name in world.broker.metadata.image.features
        ],
    )


def _own(kind: Callable[..., Any]) -> Callable[[World, int], Any]:
    def request(world: World, _version: int) -> Any:
        return kind(broker_id=1, broker_epoch=world.broker.broker_epoch)

    return request


def _heartbeat(world: World, _version: int) -> Any:
    return BrokerHeartbeatRequest(
        broker_id=1, broker_epoch=world.broker.broker_epoch, current_metadata_offset=10**6
    )


def _fixed(request: Any) -> Callable[[World, int], Any]:
    return lambda _world, _version: request


OTHER_CLUSTER = ErrorCode.INCONSISTENT_CLUSTER_ID
CALLS: dict[ApiKey, tuple[Callable[[World, int], Any], tuple[ErrorCode, ...]]] = {
    ApiKey.VOTE: (_vote, (ErrorCode.NONE,)),
    ApiKey.BEGIN_QUORUM_EPOCH: (_begin, (ErrorCode.NONE,)),
    ApiKey.END_QUORUM_EPOCH: (_end, (ErrorCode.NONE,)),
    ApiKey.FETCH: (_fetch, (ErrorCode.NONE,)),
    ApiKey.FETCH_SNAPSHOT: (_fetch_snapshot, (ErrorCode.NONE,)),
    ApiKey.ADD_RAFT_VOTER: (
        _fixed(add_raft_voter_request.AddRaftVoterRequest(cluster_id="x", voter_id=9, timeout_ms=100)),
        (OTHER_CLUSTER,),
    ),
    ApiKey.REMOVE_RAFT_VOTER: (_fixed(RemoveRaftVoterRequest(cluster_id="x", voter_id=9)), (OTHER_CLUSTER,)),
    ApiKey.UPDATE_RAFT_VOTER: (_fixed(UpdateRaftVoterRequest(cluster_id="x", voter_id=9)), (OTHER_CLUSTER,)),
    # Before version 2 a broker cannot tell its log directories, which the metadata version asks for.
    ApiKey.BROKER_REGISTRATION: (_registration, (ErrorCode.NONE, ErrorCode.INVALID_REGISTRATION)),
    ApiKey.BROKER_HEARTBEAT: (_heartbeat, (ErrorCode.NONE,)),
    ApiKey.UNREGISTER_BROKER: (
        _fixed(UnregisterBrokerRequest(broker_id=77)),
        (ErrorCode.BROKER_ID_NOT_REGISTERED,),
    ),
    ApiKey.ALLOCATE_PRODUCER_IDS: (_own(AllocateProducerIdsRequest), (ErrorCode.NONE,)),
    ApiKey.ALTER_PARTITION: (_own(AlterPartitionRequest), (ErrorCode.NONE,)),
    ApiKey.ASSIGN_REPLICAS_TO_DIRS: (_own(AssignReplicasToDirsRequest), (ErrorCode.NONE,)),
    ApiKey.CONTROLLER_REGISTRATION: (
        _fixed(ControllerRegistrationRequest(controller_id=9)),
        (ErrorCode.NONE,),
    ),
}


@pytest.mark.parametrize("key", CALLS, ids=lambda key: key.name.lower())
def test_controller_api_answers_in_every_version(key: ApiKey) -> None:
    make, expected = CALLS[key]
    low, high = _world().broker.controller_handlers[key].versions
    for version in range(low, high + 1):
        world = _world()
        client = ControllerClient(world)
        response = client.call(key, version, make(world, version))
        assert response.error_code in expected, f"version {version}: {response}"
        assert client.closed is None


def test_every_api_of_controllers_alone_is_called() -> None:
    world = _world()
    alone = {key for key in world.broker.controller_handlers if key not in world.broker.handlers}
    assert alone - CALLS.keys() == {ApiKey.ENVELOPE}
