"""Fetch and FetchSnapshot as any node answers them: the leader with data, others with its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riverlog.base.errors import ErrorCode
from riverlog.protocol.generated import fetch_response, fetch_snapshot_response
from riverlog.raft import messages
from riverlog.raft.snapshots import SnapshotId
from riverlog.raft.voter_set import ReplicaKey

if TYPE_CHECKING:
    from riverlog.raft.node import RaftNode, Reply

NOBODY = -1


def handle_fetch(node: RaftNode, request: Any, reply: Reply, *, version: int, listener: str | None) -> None:
    if not node.is_our_cluster(request.cluster_id):
        reply(fetch_response.FetchResponse(error_code=ErrorCode.INCONSISTENT_CLUSTER_ID))
        return
    partition = messages.fetch_partition(request, version)
    if partition is None or partition.fetch_offset < 0 or request.max_wait_ms < 0:
        reply(fetch_response.FetchResponse(error_code=ErrorCode.INVALID_REQUEST))
        return
    error = _leader_error(node, partition.current_leader_epoch)
    if error is not ErrorCode.NONE:
        refuse_fetch(node, error, reply, listener)
        return
    assert node.leadership is not None
    replica_id = request.replica_state.replica_id if version >= 15 else request.replica_id
    if partition.current_leader_epoch != node.epoch:
        replica_id = NOBODY  # only what is fetched in our epoch counts
    node.leadership.fetch(
        ReplicaKey(replica_id, partition.replica_directory_id),
        partition.fetch_offset,
        partition.last_fetched_epoch,
        max_wait_ms=request.max_wait_ms,
        max_bytes=node.settings.fetch_max_bytes,
        reply=reply,
        listener=listener,
    )


def refuse_fetch(node: RaftNode, error: ErrorCode, reply: Reply, listener: str | None) -> None:
    reply(
        messages.make_fetch_response(
            error,
            epoch=node.epoch,
            leader_id=node.leader_id,
            address=node.leader_address(listener),
        )
    )


def _leader_error(node: RaftNode, epoch: int) -> ErrorCode:
    """Whether a request for the leader of ``epoch`` is for this node; -1: whatever its epoch is."""
    if 0 <= epoch < node.epoch:
        return ErrorCode.FENCED_LEADER_EPOCH
    if epoch > node.epoch:
        return ErrorCode.UNKNOWN_LEADER_EPOCH
    return ErrorCode.NONE if node.leadership is not None else ErrorCode.NOT_LEADER_OR_FOLLOWER


def handle_fetch_snapshot(node: RaftNode, request: Any, reply: Reply, *, listener: str | None) -> None:
    if not node.is_our_cluster(request.cluster_id):
        reply(fetch_snapshot_response.FetchSnapshotResponse(error_code=ErrorCode.INCONSISTENT_CLUSTER_ID))
        return
    asked = messages.only_partition(request, "partition")
    if asked is None:
        reply(fetch_snapshot_response.FetchSnapshotResponse(error_code=ErrorCode.INVALID_REQUEST))
        return
    error = _leader_error(node, asked.current_leader_epoch)
    snapshot_id = SnapshotId(asked.snapshot_id.end_offset, asked.snapshot_id.epoch)
    size, data = 0, b""
    if error is ErrorCode.NONE:
        assert node.leadership is not None
        replica_id = request.replica_id if asked.current_leader_epoch == node.epoch else NOBODY
        key = ReplicaKey(replica_id, asked.replica_directory_id)
        error, size, data = node.leadership.fetch_snapshot(
            key, snapshot_id, asked.position, request.max_bytes
        )
    if node.stopped:
        return
    reply(
        messages.make_fetch_snapshot_response(
            error,
            epoch=node.epoch,
            leader_id=node.leader_id,
            address=node.leader_address(listener),
            snapshot_id=snapshot_id,
            size=size,
            position=asked.position,
            data=data,
        )
    )
