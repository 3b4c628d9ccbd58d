"""The quorum's requests and replies: always one partition, ``__cluster_metadata-0``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from riverlog.base.errors import ErrorCode
from riverlog.protocol.generated import (
    begin_quorum_epoch_request as begin_request,
)
from riverlog.protocol.generated import (
    begin_quorum_epoch_response as begin_response,
)
from riverlog.protocol.generated import (
    end_quorum_epoch_request as end_request,
)
from riverlog.protocol.generated import (
    end_quorum_epoch_response as end_response,
)
from riverlog.protocol.generated import (
    fetch_request,
    fetch_response,
    fetch_snapshot_request,
    fetch_snapshot_response,
    vote_request,
    vote_response,
)
from riverlog.raft.snapshots import SnapshotId
from riverlog.raft.types import METADATA_TOPIC, METADATA_TOPIC_ID
from riverlog.raft.voter_set import Address, ReplicaKey, VoterEndpoint

NO_LEADER = -1
NO_SNAPSHOT = SnapshotId(-1, -1)

N = TypeVar("N")


def only_partition(request: Any, index: str) -> Any | None:
    """The one partition of a request or reply; None if it names anything else."""
    if len(request.topics) != 1:
        return None
    topic = request.topics[0]
    name = topic.name if hasattr(topic, "name") else topic.topic_name
    if name != METADATA_TOPIC or len(topic.partitions) != 1:
        return None
    return topic.partitions[0] if getattr(topic.partitions[0], index) == 0 else None


def node_address(response: Any, node_id: int) -> Address | None:
    """Where a reply says that node listens."""
    for node in response.node_endpoints:
        if node.node_id == node_id and node.host:
            return node.host, node.port
    return None


def _nodes(endpoint: Callable[..., N], leader_id: int | None, address: Address | None) -> list[N]:
    """Where the leader listens, if both are known."""
    if leader_id is None or address is None:
        return []
    return [endpoint(node_id=leader_id, host=address[0], port=address[1])]


# -- Vote --------------------------------------------------------------------------------


def make_vote_request(
    cluster_id: str,
    voter: ReplicaKey,
    candidate: ReplicaKey,
    *,
    epoch: int,
    last_epoch: int,
    last_offset: int,
    pre_vote: bool,
) -> vote_request.VoteRequest:
    partition = vote_request.PartitionData(
        partition_index=0,
        replica_epoch=epoch,
        replica_id=candidate.node_id,
        replica_directory_id=candidate.directory_id,
        voter_directory_id=voter.directory_id,
        last_offset_epoch=last_epoch,
        last_offset=last_offset,
        pre_vote=pre_vote,
    )
    return vote_request.VoteRequest(
        cluster_id=cluster_id,
        voter_id=voter.node_id,
        topics=[vote_request.TopicData(topic_name=METADATA_TOPIC, partitions=[partition])],
    )


def make_vote_response(
    error: ErrorCode, *, epoch: int, leader_id: int | None, address: Address | None, granted: bool
) -> vote_response.VoteResponse:
    partition = vote_response.PartitionData(
        partition_index=0,
        error_code=error,
        leader_id=NO_LEADER if leader_id is None else leader_id,
        leader_epoch=epoch,
        vote_granted=granted,
    )
    nodes = _nodes(vote_response.NodeEndpoint, leader_id, address)
    return vote_response.VoteResponse(
        error_code=ErrorCode.NONE,
        topics=[vote_response.TopicData(topic_name=METADATA_TOPIC, partitions=[partition])],
        node_endpoints=nodes,
    )


# -- BeginQuorumEpoch, EndQuorumEpoch ----------------------------------------------------


def make_begin_request(
    cluster_id: str,
    voter: ReplicaKey,
    *,
    leader_id: int,
    epoch: int,
    endpoints: Iterable[VoterEndpoint],
) -> begin_request.BeginQuorumEpochRequest:
    partition = begin_request.PartitionData(
        partition_index=0,
        voter_directory_id=voter.directory_id,
        leader_id=leader_id,
        leader_epoch=epoch,
    )
    return begin_request.BeginQuorumEpochRequest(
        cluster_id=cluster_id,
        voter_id=voter.node_id,
        topics=[begin_request.TopicData(topic_name=METADATA_TOPIC, partitions=[partition])],
        leader_endpoints=[
            begin_request.LeaderEndpoint(name=one.name, host=one.host, port=one.port) for one in endpoints
        ],
    )


def make_begin_response(
    error: ErrorCode, *, epoch: int, leader_id: int | None, address: Address | None
) -> begin_response.BeginQuorumEpochResponse:
    partition = begin_response.PartitionData(
        partition_index=0,
        error_code=error,
        leader_id=NO_LEADER if leader_id is None else leader_id,
        leader_epoch=epoch,
    )
    nodes = _nodes(begin_response.NodeEndpoint, leader_id, address)
    return begin_response.BeginQuorumEpochResponse(
        error_code=ErrorCode.NONE,
        topics=[begin_response.TopicData(topic_name=METADATA_TOPIC, partitions=[partition])],
        node_endpoints=nodes,
    )


def make_end_request(
    cluster_id: str,
    *,
    leader_id: int,
    epoch: int,
    preferred: Sequence[ReplicaKey],
    endpoints: Iterable[VoterEndpoint],
) -> end_request.EndQuorumEpochRequest:
    partition = end_request.PartitionData(
        partition_index=0,
        leader_id=leader_id,
        leader_epoch=epoch,
        preferred_successors=[],
        preferred_candidates=[
            end_request.ReplicaInfo(candidate_id=key.node_id, candidate_directory_id=key.directory_id)
            for key in preferred
        ],
    )
    return end_request.EndQuorumEpochRequest(
        cluster_id=cluster_id,
        topics=[end_request.TopicData(topic_name=METADATA_TOPIC, partitions=[partition])],
        leader_endpoints=[
            end_request.LeaderEndpoint(name=one.name, host=one.host, port=one.port) for one in endpoints
        ],
    )


def make_end_response(
    error: ErrorCode, *, epoch: int, leader_id: int | None, address: Address | None
) -> end_response.EndQuorumEpochResponse:
    partition = end_response.PartitionData(
        partition_index=0,
        error_code=error,
        leader_id=NO_LEADER if leader_id is None else leader_id,
        leader_epoch=epoch,
    )
    nodes = _nodes(end_response.NodeEndpoint, leader_id, address)
    return end_response.EndQuorumEpochResponse(
        error_code=ErrorCode.NONE,
        topics=[end_response.TopicData(topic_name=METADATA_TOPIC, partitions=[partition])],
        node_endpoints=nodes,
    )


# -- Fetch, FetchSnapshot ----------------------------------------------------------------


def make_fetch_request(
    cluster_id: str,
    replica: ReplicaKey,
    *,
    epoch: int,
    offset: int,
    last_epoch: int,
    high_watermark: int,
    max_wait_ms: int,
    max_bytes: int,
) -> fetch_request.FetchRequest:
    partition = fetch_request.FetchPartition(
        partition=0,
        current_leader_epoch=epoch,
        fetch_offset=offset,
        last_fetched_epoch=last_epoch,
        partition_max_bytes=max_bytes,
        replica_directory_id=replica.directory_id,
        high_watermark=high_watermark,
    )
    return fetch_request.FetchRequest(
        cluster_id=cluster_id,
        replica_state=fetch_request.ReplicaState(replica_id=replica.node_id, replica_epoch=-1),
        max_wait_ms=max_wait_ms,
        min_bytes=0,
        max_bytes=max_bytes,
        session_id=0,
        session_epoch=-1,
        topics=[
            fetch_request.FetchTopic(topic=METADATA_TOPIC, topic_id=METADATA_TOPIC_ID, partitions=[partition])
        ],
    )


def fetch_partition(request: fetch_request.FetchRequest, version: int) -> fetch_request.FetchPartition | None:
    if len(request.topics) != 1 or len(request.topics[0].partitions) != 1:
        return None
    topic = request.topics[0]
    known = topic.topic_id == METADATA_TOPIC_ID if version >= 13 else topic.topic == METADATA_TOPIC
    partition = topic.partitions[0]
    return partition if known and partition.partition == 0 else None


def make_fetch_response(
    error: ErrorCode,
    *,
    epoch: int,
    leader_id: int | None,
    address: Address | None,
    high_watermark: int = -1,
    log_start_offset: int = -1,
    diverging: tuple[int, int] | None = None,
    snapshot: SnapshotId | None = None,
    records: bytes = b"",
) -> fetch_response.FetchResponse:
    partition = fetch_response.PartitionData(
        partition_index=0,
        error_code=error,
        high_watermark=high_watermark,
        last_stable_offset=-1,
        log_start_offset=log_start_offset,
        current_leader=fetch_response.LeaderIdAndEpoch(
            leader_id=NO_LEADER if leader_id is None else leader_id, leader_epoch=epoch
        ),
        aborted_transactions=None,
        records=records,
    )
    if diverging is not None:
        partition.diverging_epoch = fetch_response.EpochEndOffset(epoch=diverging[0], end_offset=diverging[1])
    if snapshot is not None:
        partition.snapshot_id = fetch_response.SnapshotId(
            end_offset=snapshot.end_offset, epoch=snapshot.epoch
        )
    nodes = _nodes(fetch_response.NodeEndpoint, leader_id, address)
    return fetch_response.FetchResponse(
        error_code=ErrorCode.NONE,
        responses=[
            fetch_response.FetchableTopicResponse(
                topic=METADATA_TOPIC, topic_id=METADATA_TOPIC_ID, partitions=[partition]
            )
        ],
        node_endpoints=nodes,
    )


def make_fetch_snapshot_request(
    cluster_id: str,
    replica: ReplicaKey,
    snapshot_id: SnapshotId,
    *,
    epoch: int,
    position: int,
    max_bytes: int,
) -> fetch_snapshot_request.FetchSnapshotRequest:
    partition = fetch_snapshot_request.PartitionSnapshot(
        partition=0,
        current_leader_epoch=epoch,
        snapshot_id=fetch_snapshot_request.SnapshotId(
            end_offset=snapshot_id.end_offset, epoch=snapshot_id.epoch
        ),
        position=position,
        replica_directory_id=replica.directory_id,
    )
    return fetch_snapshot_request.FetchSnapshotRequest(
        cluster_id=cluster_id,
        replica_id=replica.node_id,
        max_bytes=max_bytes,
        topics=[fetch_snapshot_request.TopicSnapshot(name=METADATA_TOPIC, partitions=[partition])],
    )


def make_fetch_snapshot_response(
    error: ErrorCode,
    *,
    epoch: int,
    leader_id: int | None,
    address: Address | None,
    snapshot_id: SnapshotId = NO_SNAPSHOT,
    size: int = 0,
    position: int = 0,
    data: bytes = b"",
) -> fetch_snapshot_response.FetchSnapshotResponse:
    partition = fetch_snapshot_response.PartitionSnapshot(
        index=0,
        error_code=error,
        snapshot_id=fetch_snapshot_response.SnapshotId(
            end_offset=snapshot_id.end_offset, epoch=snapshot_id.epoch
        ),
        current_leader=fetch_snapshot_response.LeaderIdAndEpoch(
            leader_id=NO_LEADER if leader_id is None else leader_id, leader_epoch=epoch
        ),
        size=size,
        position=position,
        unaligned_records=data,
    )
    nodes = _nodes(fetch_snapshot_response.NodeEndpoint, leader_id, address)
    return fetch_snapshot_response.FetchSnapshotResponse(
        error_code=ErrorCode.NONE,
        topics=[fetch_snapshot_response.TopicSnapshot(name=METADATA_TOPIC, partitions=[partition])],
        node_endpoints=nodes,
    )
