"""DescribeQuorum: what the leader knows of its voters and observers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riverlog.base.errors import ErrorCode
from riverlog.protocol.generated.describe_quorum_response import (
    DescribeQuorumResponse,
    Listener,
    Node,
    PartitionData,
    ReplicaState,
    TopicData,
)
from riverlog.raft.progress import Replica
from riverlog.raft.types import METADATA_TOPIC
from riverlog.raft.voter_set import ReplicaKey

if TYPE_CHECKING:
    from riverlog.raft.node import RaftNode


def describe_quorum(node: RaftNode, request: Any) -> DescribeQuorumResponse:
    topics = [
        TopicData(
            topic_name=topic.topic_name,
            partitions=[_describe(node, topic.topic_name, one.partition_index) for one in topic.partitions],
        )
        for topic in request.topics
    ]
    nodes = [
        Node(
            node_id=voter.node_id,
            listeners=[Listener(name=one.name, host=one.host, port=one.port) for one in voter.endpoints],
        )
        for voter in node.voters
    ]
    return DescribeQuorumResponse(
        error_code=ErrorCode.NONE, error_message=None, topics=topics, nodes=nodes if node.leading else []
    )


def _describe(node: RaftNode, topic: str, index: int) -> PartitionData:
    leadership = node.leadership
    if topic != METADATA_TOPIC or index != 0:
        return _failed(index, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is only __cluster_metadata-0")
    if leadership is None:
        return _failed(index, ErrorCode.NOT_LEADER_OR_FOLLOWER, "this node does not lead the quorum")
    voters = []
    for voter in node.voters:
        if voter.node_id == node.key.node_id:
            now_ms = node.clock.now_ms()
            voters.append(
                ReplicaState(
                    replica_id=voter.node_id,
                    replica_directory_id=node.key.directory_id,
                    log_end_offset=node.store.end_offset,
                    last_fetch_timestamp=now_ms,
                    last_caught_up_timestamp=now_ms,
                )
            )
        else:
            found = leadership.progress.of_voter(node.voters, voter.node_id)
            voters.append(_state(found or Replica(ReplicaKey(voter.node_id, voter.directory_id))))
    observers = leadership.progress.observers(node.voters, node.clock.monotonic())
    return PartitionData(
        partition_index=index,
        error_code=ErrorCode.NONE,
        error_message=None,
        leader_id=node.key.node_id,
        leader_epoch=node.epoch,
        high_watermark=node.high_watermark,
        current_voters=voters,
        observers=[_state(one) for one in observers],
    )


def _state(replica: Replica) -> ReplicaState:
    return ReplicaState(
        replica_id=replica.key.node_id,
        replica_directory_id=replica.key.directory_id,
        log_end_offset=replica.end_offset,
        last_fetch_timestamp=replica.last_fetch_ms,
        last_caught_up_timestamp=replica.last_caught_up_ms,
    )


def _failed(index: int, error: ErrorCode, message: str) -> PartitionData:
    return PartitionData(
        partition_index=index,
        error_code=error,
        error_message=message,
        leader_id=-1,
        leader_epoch=-1,
        high_watermark=-1,
        current_voters=[],
        observers=[],
    )
