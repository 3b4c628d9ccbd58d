"""Voting: rounds that this node asks for, and what it answers to others (KIP-595, KIP-853, KIP-996).

A round of pre-votes changes nothing anywhere; only a node that a majority would vote for begins a new
epoch. A vote is durable before its reply leaves.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from riverlog.base.errors import ErrorCode
from riverlog.env import Timer
from riverlog.protocol.generated import (
    begin_quorum_epoch_response,
    end_quorum_epoch_request,
    end_quorum_epoch_response,
    vote_request,
    vote_response,
)
from riverlog.protocol.primitives import ZERO_UUID
from riverlog.raft import messages
from riverlog.raft.roles import Role
from riverlog.raft.voter_set import ReplicaKey, VoterNode

if TYPE_CHECKING:
    from riverlog.raft.node import RaftNode, Reply

logger = logging.getLogger("riverlog.raft")

CONTROL_PURPOSE = "raft-control"
"""Votes do not queue behind a long-polled Fetch: they have a connection of their own."""
BACKOFF_BASE_MS = 100


class Round:
    """One round of votes or pre-votes. Ends when its role ends."""

    def __init__(self, node: RaftNode, *, pre_vote: bool) -> None:
        # Our own vote counts only if our pair votes: another folder of this node may have it now.
        self.granted: set[int] = {node.key.node_id} if node.voters.holds(*node.key) else set()
        self.rejected: set[int] = set()
        self._node = node
        self._pre_vote = pre_vote
        self._open = True
        self._timers: dict[int, Timer] = {}

    def begin(self) -> None:
        for voter in self._node.voters:
            if voter.node_id != self._node.key.node_id:
                self._ask(voter)
        self._count()

    def close(self) -> None:
        self._open = False
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _ask(self, voter: VoterNode) -> None:
        node = self._node
        self._timers.pop(voter.node_id, None)
        address = voter.address()
        if not self._open or address is None:
            return
        request = messages.make_vote_request(
            node.cluster_id,
            voter.key,
            node.key,
            epoch=node.epoch,
            last_epoch=node.store.last_epoch,
            last_offset=node.store.end_offset,
            pre_vote=self._pre_vote,
        )
        node.send(
            address,
            CONTROL_PURPOSE,
            vote_request.API_KEY,
            request,
            lambda response: self._answered(voter, response),
        )

    def _answered(self, voter: VoterNode, response: vote_response.VoteResponse | None) -> None:
        node = self._node
        if not self._open:
            return
        partition = messages.only_partition(response, "partition_index") if response is not None else None
        if response is None:
            again = node.settings.retry_backoff_ms / 1000
            self._timers[voter.node_id] = node.clock.call_later(again, lambda: self._ask(voter))
            return
        if partition is None or response.error_code != ErrorCode.NONE:
            logger.warning("voter %d answers a vote with error %d", voter.node_id, response.error_code)
            self.rejected.add(voter.node_id)
            self._count()
            return
        leader_id = partition.leader_id if partition.leader_id >= 0 else None
        address = messages.node_address(response, partition.leader_id)
        if node.observe(partition.leader_epoch, leader_id, address):
            return
        if partition.error_code == ErrorCode.NONE and partition.vote_granted:
            self.granted.add(voter.node_id)
        else:
            self.rejected.add(voter.node_id)
        self._count()

    def _count(self) -> None:
        node = self._node
        voters = node.voters
        if sum(1 for one in self.granted if one in voters.nodes) >= voters.majority:
            self.close()
            if self._pre_vote:
                node.become_candidate()
            else:
                node.become_leader(sorted(self.granted))
        elif len(voters) - len(self.rejected) < voters.majority:
            self.close()
            node.lost_round()


class Ballot:
    """What this node answers to Vote, BeginQuorumEpoch and EndQuorumEpoch."""

    def __init__(self, node: RaftNode) -> None:
        self._node = node

    def vote(self, request: Any, reply: Reply, *, listener: str | None) -> None:
        node = self._node
        if not node.is_our_cluster(request.cluster_id):
            reply(vote_response.VoteResponse(error_code=ErrorCode.INCONSISTENT_CLUSTER_ID))
            return
        partition = messages.only_partition(request, "partition_index")
        if partition is None:
            reply(vote_response.VoteResponse(error_code=ErrorCode.INVALID_REQUEST))
            return
        error, granted = self._consider(request.voter_id, partition)
        if node.stopped:
            return  # the vote may not be durable: nobody hears of it
        reply(
            messages.make_vote_response(
                error,
                epoch=node.epoch,
                leader_id=node.leader_id,
                address=node.leader_address(listener),
                granted=granted,
            )
        )

    def _consider(self, voter_id: int, asked: vote_request.PartitionData) -> tuple[ErrorCode, bool]:
        node = self._node
        # Under kraft.version 0 the file keeps no directory id of a vote.
        directory_id = asked.replica_directory_id if node.kraft_version > 0 else ZERO_UUID
        candidate = ReplicaKey(asked.replica_id, directory_id)
        latest = asked.replica_epoch if asked.pre_vote else asked.replica_epoch - 1
        if asked.last_offset < 0 or not 0 <= asked.last_offset_epoch <= latest or asked.replica_id < 0:
            return ErrorCode.INVALID_REQUEST, False
        if asked.replica_epoch < node.epoch:
            return ErrorCode.FENCED_LEADER_EPOCH, False
        if not self._is_for_us(voter_id, asked.voter_directory_id):
            # RULES: forming 4. The pair that may vote is another one: this folder is new.
            return ErrorCode.INVALID_VOTER_KEY, False
        ours = (node.store.last_epoch, node.store.end_offset)
        theirs = (asked.last_offset_epoch, asked.last_offset)
        if theirs <= ours and not node.voters.holds(*candidate):
            # RULES: forming 4. With a longer log it may know of a change of the voters that we missed.
            return ErrorCode.INCONSISTENT_VOTER_SET, False
        if asked.replica_epoch > node.epoch:
            node.become_unattached(asked.replica_epoch)
        if theirs < ours:
            return ErrorCode.NONE, False
        if asked.pre_vote:
            return ErrorCode.NONE, node.would_vote
        if node.voted is None:
            granted = node.leader_id is None and node.role in (Role.UNATTACHED, Role.PROSPECTIVE)
            if granted:
                node.vote_for(candidate)
            return ErrorCode.NONE, granted
        return ErrorCode.NONE, node.voted == candidate and node.role in (Role.UNATTACHED, Role.PROSPECTIVE)

    def _is_for_us(self, voter_id: int, directory_id: bytes) -> bool:
        node = self._node
        if node.kraft_version == 0 and len(node.voters):
            return voter_id in (-1, node.key.node_id)
        # An emptied voter knows neither voters nor kraft.version yet: it is not the pair that is asked.
        return (voter_id, directory_id) == node.key

    def begin_epoch(self, request: Any, reply: Reply, *, listener: str | None) -> None:
        node = self._node
        if not node.is_our_cluster(request.cluster_id):
            reply(
                begin_quorum_epoch_response.BeginQuorumEpochResponse(
                    error_code=ErrorCode.INCONSISTENT_CLUSTER_ID
                )
            )
            return
        partition = messages.only_partition(request, "partition_index")
        if partition is None or partition.leader_id < 0:
            reply(begin_quorum_epoch_response.BeginQuorumEpochResponse(error_code=ErrorCode.INVALID_REQUEST))
            return
        error = ErrorCode.NONE
        if partition.leader_epoch < node.epoch:
            error = ErrorCode.FENCED_LEADER_EPOCH
        elif not self._is_for_us(request.voter_id, partition.voter_directory_id):
            error = ErrorCode.INVALID_VOTER_KEY
        else:
            endpoints = request.leader_endpoints
            address = (endpoints[0].host, endpoints[0].port) if endpoints and endpoints[0].host else None
            node.observe(partition.leader_epoch, partition.leader_id, address, from_leader=True)
        if not node.stopped:
            reply(
                messages.make_begin_response(
                    error,
                    epoch=node.epoch,
                    leader_id=node.leader_id,
                    address=node.leader_address(listener),
                )
            )

    def end_epoch(self, request: Any, reply: Reply, *, listener: str | None) -> None:
        node = self._node
        if not node.is_our_cluster(request.cluster_id):
            reply(
                end_quorum_epoch_response.EndQuorumEpochResponse(error_code=ErrorCode.INCONSISTENT_CLUSTER_ID)
            )
            return
        partition = messages.only_partition(request, "partition_index")
        if partition is None or partition.leader_id < 0:
            reply(end_quorum_epoch_response.EndQuorumEpochResponse(error_code=ErrorCode.INVALID_REQUEST))
            return
        error = ErrorCode.NONE
        if partition.leader_epoch < node.epoch:
            error = ErrorCode.FENCED_LEADER_EPOCH
        else:
            if partition.leader_epoch > node.epoch:
                node.become_unattached(partition.leader_epoch)
            if not node.stopped:
                node.leader_resigned(partition.leader_id, self._place(partition))
        if not node.stopped:
            reply(
                messages.make_end_response(
                    error,
                    epoch=node.epoch,
                    leader_id=node.leader_id,
                    address=node.leader_address(listener),
                )
            )

    def _place(self, partition: end_quorum_epoch_request.PartitionData) -> int | None:
        """Our place among those the old leader would like to follow it; None if we are not named."""
        named = [one.candidate_id for one in partition.preferred_candidates] or partition.preferred_successors
        me = self._node.key.node_id
        return named.index(me) if me in named else None
